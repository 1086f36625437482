//! The command line of `xcute c` as it is typed (low), and how programs in C are run.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::super::corpus::CorpusArguments;
use crate::arguments::EXIT_CODES;
use crate::duration;

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute c list.c --entry insert\n  xcute c list.c --calls push,pop --length 4 --time 2m\n\n{EXIT_CODES}"))]
pub struct CArguments {
    /// The sources in C or C++; the entry function is in one of them
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The function to test; its parameters are the inputs [default: LLVMFuzzerTestOneInput or main]
    #[arg(long, value_name = "FN")]
    pub entry: Option<String>,
    /// Test sequences of calls of these functions instead of one entry
    #[arg(long, value_name = "FN,FN…", value_delimiter = ',', conflicts_with = "entry")]
    pub calls: Vec<String>,
    /// How many calls a sequence has [default: 3]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub length: Option<u32>,
    /// This function of the program must hold for the objects of a sequence after each call
    #[arg(hide_short_help = true, long, value_name = "FN")]
    pub post: Option<String>,
    /// Only inputs that this function of the program accepts (it returns non-zero for them); of a sequence, only objects
    #[arg(long, value_name = "FN")]
    pub pre: Option<String>,
    /// No call of a sequence gets NULL in the place of an object
    #[arg(hide_short_help = true, long)]
    pub no_null: bool,
    /// The pointer parameter P points to an array of N elements; N is a number or another parameter
    #[arg(long = "array", value_name = "P=N")]
    pub arrays: Vec<String>,
    /// An array whose length is a parameter has at most N elements
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub elements: u32,
    /// A `char *` is a string of at most N characters
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub string: u32,
    /// LLVMFuzzerTestOneInput gets at most N bytes [default: 16, or as many as the longest file of --corpus has]
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub bytes: Option<u32>,
    #[command(flatten)]
    pub corpora: CorpusArguments,
    /// Write a test suite in the format of Test-Comp to this directory
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    pub testcomp: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunningArguments,
    /// What else is a failure, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub check: Vec<CheckArgument>,
    /// Flags for clang: -I, -D, -l …
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IsolationArgument {
    /// One process for many runs; what a run changed is restored
    Process,
    /// A process for each run, forked from one that has run nothing: slower, but no state survives a run
    Fork,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArgument {
    /// Undefined behaviour: signed overflow, bad shifts, misaligned accesses …
    Ub,
}

/// How a program written in C or C++ is run: a function or the whole of it.
#[derive(Debug, Args)]
pub struct RunningArguments {
    /// Steps (loop turns and calls) after which a run counts as hanging
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,
    /// Processor time after which a run counts as hanging, as measured without instrumentation: 500ms, 10s
    #[arg(hide_short_help = true, long, value_name = "TIME", value_parser = duration::parse, default_value = "2s")]
    pub hang: Duration,
    /// Objects up to this size are read and written exactly through symbolic addresses
    #[arg(hide_short_help = true, long, value_name = "BYTES", default_value_t = 256)]
    pub exact: u32,
    /// Byte strings that inputs are made of when they are changed at random (see --fuzz): a dictionary of AFL++ or libFuzzer; may be repeated
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub dict: Vec<PathBuf>,
    /// How runs are kept apart
    #[arg(hide_short_help = true, long, value_enum, value_name = "HOW", default_value_t = IsolationArgument::Process)]
    pub isolation: IsolationArgument,
    /// Allow up to N spurious wakeups in each wait for a condition
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 0)]
    pub spurious: u32,
    /// Heap memory that is not freed and that nothing points to is a failure
    #[arg(hide_short_help = true, long)]
    pub leaks: bool,
    /// Let the program change files, use the network and send signals
    #[arg(hide_short_help = true, long)]
    pub no_sandbox: bool,
}
