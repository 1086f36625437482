//! The command line of `xcute clp` as it is typed (low).

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::super::seeds::SeedArguments;
use crate::arguments::EXIT_CODES;

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute clp family.pl --goal ancestor/2\n  xcute clp . --beside --time 2m\n\n{EXIT_CODES}"))]
pub struct ClpArguments {
    /// The program, or a directory of modules
    #[arg(value_name = "FILE|DIR")]
    pub file: PathBuf,
    /// The predicate to test, as NAME/ARITY; the arity may be left out where there is one only [default: all that the program exports]
    #[arg(long, value_name = "NAME/ARITY")]
    pub goal: Option<String>,
    /// These arguments are ground inputs, the others variables [default: all, or as a declaration says]
    #[arg(long, value_name = "N,N…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub ground: Option<Vec<u32>>,
    /// How many solutions of the goal a run asks for: first, all, or a number
    #[arg(long, value_name = "HOW MANY", default_value = "first")]
    pub solutions: SolutionsArgument,
    /// Steps (choices, unfoldings, builtin predicates) after which a run counts as not ending
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 100_000)]
    pub steps: u64,
    /// Inputs have at most this depth: a constant has 0, f(t) one more than t [default: any]
    #[arg(long, value_name = "N")]
    pub term_depth: Option<u32>,
    /// Follow the characters of atoms and strings where the program looks at them
    #[arg(hide_short_help = true, long)]
    pub texts: bool,
    /// At most this many tests and goals with constraints are written
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 10_000)]
    pub tests: usize,
    /// Also print each path as a goal with constraints, with an instance and what it does
    #[arg(hide_short_help = true, long)]
    pub goals: bool,
    /// A type error is a failure also where the types of the arguments are not declared
    #[arg(hide_short_help = true, long)]
    pub strict: bool,
    /// The tests of all predicates of FILE.pl go to FILE.plt next to it, and not into the results directory
    #[arg(hide_short_help = true, long, conflicts_with = "goal")]
    pub beside: bool,
    /// Print the types that the clauses are written for, as predicates and declarations, and search nothing
    #[arg(hide_short_help = true, long)]
    pub types: bool,
    #[command(flatten)]
    pub seeds: SeedArguments,
}

/// How many solutions of a goal are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionsArgument(pub u64);

impl FromStr for SolutionsArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(SolutionsArgument(1)),
            "all" => Ok(SolutionsArgument(u64::MAX)),
            number => match number.parse() {
                Ok(count) if count > 0 => Ok(SolutionsArgument(count)),
                _ => Err("say first, all, or a number from 1 on".to_owned()),
            },
        }
    }
}
