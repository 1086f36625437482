//! The command line of `xcute java` as it is typed (low).

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use xcute_java::junit::Junit;

use super::super::corpus::CorpusArguments;
use super::super::seeds::SeedArguments;
use crate::arguments::{EXIT_CODES, Named, one_of};
use crate::duration;

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute java Stack.java --method Stack.push\n  xcute java build/classes --method com.acme.Parser.parse --time 2m\n\n{EXIT_CODES}"))]
pub struct JavaArguments {
    /// What to test: folders with classes (or the folder of a project), jars, .class or .java files
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The method to test, as in com.acme.Foo.bar or Foo.bar(int, String) [default: list all methods]
    #[arg(long, value_name = "CLASS.METHOD")]
    pub method: Option<String>,
    /// Test sequences of calls of these methods of a class, on one object, instead of one method
    #[arg(long, value_name = "METHOD,METHOD…", conflicts_with = "method")]
    pub calls: Option<String>,
    /// How many calls a sequence has [default: 3]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub length: Option<u32>,
    /// Only inputs that this method accepts (it returns true for them); of a sequence, only objects
    #[arg(long, value_name = "METHOD")]
    pub pre: Option<String>,
    /// This method must hold after the method, or after each call of a sequence
    #[arg(hide_short_help = true, long, value_name = "METHOD")]
    pub post: Option<String>,
    /// Also use values that annotations of parameters forbid (@NotNull, @Min, @Size and the like)
    #[arg(hide_short_help = true, long)]
    pub no_annotations: bool,
    /// Folders and jars that the program needs, separated by colons, as for java -cp
    #[arg(long = "class-path", alias = "cp", value_name = "PATHS", value_delimiter = ':')]
    pub class_path: Vec<PathBuf>,
    /// Arrays and strings of the input have at most this many elements [default: 8, or as many as the corpus needs]
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub elements: Option<u32>,
    /// Steps (blocks, calls and values) after which a run counts as not ending
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 4_000_000)]
    pub steps: u64,
    /// Time after which a run counts as not ending, for code that makes no steps
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "5s", value_parser = duration::parse)]
    pub hang: Duration,
    /// Megabytes of heap of a JVM
    #[arg(hide_short_help = true, long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=65_536))]
    pub heap: u32,
    /// Write tests for this JUnit
    #[arg(hide_short_help = true, long, value_parser = one_of(JUNITS), value_name = "VERSION", default_value = "5")]
    pub junit: Junit,
    /// At most this many tests are written
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 1000)]
    pub tests: usize,
    /// At most this many of them hold threads to an order, each in a JVM of its own
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 4)]
    pub orders: usize,
    #[command(flatten)]
    pub seeds: SeedArguments,
    #[command(flatten)]
    pub corpora: CorpusArguments,
}

const JUNITS: &[Named<Junit>] = &[("4", Junit::Four, "JUnit 4"), ("5", Junit::Five, "JUnit 5")];
