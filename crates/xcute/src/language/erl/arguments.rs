//! The command line of `xcute erl` as it is typed (low).

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::super::corpus::CorpusArguments;
use super::super::seeds::SeedArguments;
use crate::arguments::EXIT_CODES;
use crate::duration;

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute erl src/shop.erl total/2\n  xcute erl src/shop.erl --time 2m\n\n{EXIT_CODES}"))]
pub struct ErlArguments {
    /// The module: a source file (.erl), an object file with debug information (.beam), or Core Erlang (.core); or the directory of an
    /// application (src, include, _build or deps as rebar3 and erlang.mk have them), all of whose modules are tested
    #[arg(value_name = "FILE|DIR")]
    pub file: PathBuf,
    /// The function to test, as NAME/ARITY or MODULE:NAME/ARITY; the arity may be left out where there is only one [default: all exported functions]
    #[arg(value_name = "NAME/ARITY")]
    pub function: Option<String>,
    /// Another module that is followed into and counts as part of the program; may be repeated
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// A directory with object files that the program needs, as for erl -pa
    #[arg(long = "pa", value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// A directory with header files, as for erlc -I
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro for the preprocessor, as for erlc -D
    #[arg(hide_short_help = true, short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Inputs have at most this depth: a constant has 0, a list or tuple one more than its deepest part [default: any]
    #[arg(long, value_name = "N")]
    pub term_depth: Option<u32>,
    /// Only inputs that this exported function of the same module accepts: it gets the arguments and returns true for them
    #[arg(hide_short_help = true, long, value_name = "NAME", requires = "function")]
    pub pre: Option<String>,
    /// This exported function of the same module must return true for the arguments and the value
    #[arg(hide_short_help = true, long, value_name = "NAME", requires = "function")]
    pub post: Option<String>,
    /// Steps (calls and choices) after which a run counts as not ending
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 100_000)]
    pub steps: u64,
    /// Time after which a run counts as not ending, for code that makes no steps
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "5s", value_parser = duration::parse)]
    pub run_time: Duration,
    /// At most this many tests are written
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 10_000)]
    pub tests: usize,
    /// Also print the events of each path
    #[arg(hide_short_help = true, long, value_enum, value_name = "FORM")]
    pub events: Option<EventsArgument>,
    #[command(flatten)]
    pub seeds: SeedArguments,
    #[command(flatten)]
    pub corpora: CorpusArguments,
}

/// How events are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EventsArgument {
    /// As in Palacios & Vidal's Example 2: call, exit, bind, case, exitcase
    Paper,
}
