//! The command line as it is typed (low). Nothing is decided here; [`crate::plan`] does that.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use xcute_engine::{Prune, Scheduling};

use crate::clp::arguments::ClpArguments;
use crate::duration;
use crate::erl::arguments::ErlArguments;
use crate::program::arguments::{CompilerArguments, RunArguments};
use crate::size::{self, Size};

/// Concolic unit testing: finds the inputs that break a function.
#[derive(Debug, Parser)]
#[command(name = "xcute", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

pub const EXIT_CODES: &str = "Exit codes: 0 no failure, 1 failures found (confirmed or not), 2 the tool could not do its job.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Test a function of C or C++
    C(Box<CArguments>),
    /// Test a predicate of Prolog or CLP
    Clp(Box<ClpArguments>),
    /// Test functions of an Erlang module
    Erl(Box<ErlArguments>),
    /// Explore a program that was built with `xcute cc`
    Run(Box<RunArguments>),
    /// Compile C as clang does; what is built can be explored with `xcute run`
    Cc(CompilerArguments),
    /// Compile C++ in the same way
    #[command(name = "c++")]
    Cxx(CompilerArguments),
    /// Go on with a campaign that did not end by itself
    Resume(ResumeArguments),
    /// Say why an arm of a branch was not taken, or why a schedule was run
    Explain(ExplainArguments),
    /// Repeat a case on the uninstrumented program
    Replay(ReplayArguments),
    /// Show a results directory again
    Report(ReportArguments),
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct CArguments {
    /// The sources in C or C++; the entry function is in one of them
    #[arg(required_unless_present = "resume", value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The function to test; its parameters are the inputs [default: LLVMFuzzerTestOneInput or main]
    #[arg(long, value_name = "FN")]
    pub entry: Option<String>,
    /// Test sequences of calls of these functions instead of one entry
    #[arg(long, value_name = "FN,FN…", value_delimiter = ',', conflicts_with = "entry")]
    pub calls: Vec<String>,
    /// How many calls a sequence has [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub length: Option<u32>,
    /// This function of the program must hold for the objects of a sequence after each call
    #[arg(long, value_name = "FN")]
    pub post: Option<String>,
    /// Only inputs that this function of the program accepts (it returns non-zero for them); of a sequence, only objects
    #[arg(long, value_name = "FN")]
    pub pre: Option<String>,
    /// No call of a sequence gets NULL in the place of an object
    #[arg(long)]
    pub no_null: bool,
    /// The pointer parameter P points to an array of N elements; N is a number or another parameter
    #[arg(long = "array", value_name = "P=N")]
    pub arrays: Vec<String>,
    /// An array whose length is a parameter has at most N elements
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub elements: u32,
    /// A `char *` is a string of at most N characters
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub string: u32,
    /// LLVMFuzzerTestOneInput gets at most N bytes [default: 16, or as many as the longest file of --corpus has]
    #[arg(long, value_name = "N")]
    pub bytes: Option<u32>,
    /// Begin with the inputs in this directory: a corpus of libFuzzer or AFL++
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Add the inputs that covered something new to this directory, named as libFuzzer does
    #[arg(long, value_name = "DIR")]
    pub export_corpus: Option<PathBuf>,
    /// Write a test suite in the format of Test-Comp to this directory
    #[arg(long, value_name = "DIR")]
    pub testcomp: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunningArguments,
    /// What else is a failure, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub check: Vec<CheckArgument>,
    #[command(flatten)]
    pub search: SearchArguments,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Flags for clang: -I, -D, -l …
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IsolationArgument {
    /// One process for many runs; what a run changed is restored
    Process,
    /// A process for each run, forked from one that has run nothing: slower, but nothing can be left behind
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
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,
    /// Time of the processor after which a run counts as hanging, as a program without instrumentation: 500ms, 10s
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "2s")]
    pub hang: Duration,
    /// Objects up to this size are read and written exactly through symbolic addresses
    #[arg(long, value_name = "BYTES", default_value_t = 256)]
    pub exact: u32,
    /// How runs are kept apart
    #[arg(long, value_enum, value_name = "HOW", default_value_t = IsolationArgument::Process)]
    pub isolation: IsolationArgument,
    /// A wait for a condition may wake up by itself up to N times
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub spurious: u32,
    /// Heap memory that is not freed and that nothing points to is a failure
    #[arg(long)]
    pub leaks: bool,
}

/// How to search; the same for every language.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// Which arm of the path tree to try next
    #[arg(long, value_enum, default_value_t = StrategyArgument::Coverage)]
    pub strategy: StrategyArgument,
    /// Which schedules of threads to run: dpor, sleep, races (those that can make a difference), all, or at random walk, pct:D, pos
    #[arg(long, value_name = "HOW", default_value_t = Scheduling::default())]
    pub schedules: Scheduling,
    /// Run all schedules with at most N preemptions instead
    #[arg(long, value_name = "N", conflicts_with = "schedules")]
    pub preemptions: Option<u32>,
    /// Whether data races are failures: on, off, or only they and nothing else
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = RacesArgument::On)]
    pub races: RacesArgument,
    /// Explore only the first N decisions of a path
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Skip paths that cannot fail because others like them did not: interpolation (from the first run on), auto (in a long search, while it pays), off;
    /// measure counts what could be skipped and runs it all the same [default: auto, but off with --keep-cases all]
    #[arg(long, value_name = "HOW")]
    pub prune: Option<Prune>,
    /// Whether pruning makes runs of its own to finish what is nearly known [default: on, but off for --strategy dfs]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub greedy: Option<SwitchArgument>,
    /// Prune, and explore only the first N branches of a path, those included that no input decides
    #[arg(long, value_name = "N")]
    pub horizon: Option<u32>,
    /// Interpolants made of more terms are strengthened
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub interpolant_size: usize,
    /// Run the subject at most N times
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// Search at most this long: 500ms, 60s, 5m, 2h [default: 60s, unless --runs or --stop-at complete is given]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Use at most this much memory: 500M, 4G, none [default: half of the machine's, or three quarters of what its control group allows]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<Size>,
    /// When to stop before the budget is used [default: complete]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub stop_at: Option<StopArgument>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Search with N workers at once, each with a process of its own
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
    /// Work that one query may cost, in SAT conflicts
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub solver_effort: u64,
    /// Switch off OPT 1: fast unsatisfiability
    #[arg(long)]
    pub no_opt1: bool,
    /// Switch off OPT 2: common sub-constraints
    #[arg(long)]
    pub no_opt2: bool,
    /// Switch off OPT 3: slicing
    #[arg(long)]
    pub no_opt3: bool,
    /// Switch off the counterexample cache
    #[arg(long)]
    pub no_cache: bool,
    /// Switch off the layer that answers easy queries without a solver
    #[arg(long)]
    pub no_shortcut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArgument {
    /// Bounded depth-first search
    Dfs,
    /// Breadth-first search
    Bfs,
    /// Uniform random search
    Random,
    /// Directed by the control-flow graph
    Cfg,
    /// Generational search
    Generational,
    /// New coverage first
    Coverage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchArgument {
    /// Yes
    On,
    /// No
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RacesArgument {
    /// Data races are not looked for
    Off,
    /// Data races are failures as others are
    On,
    /// Nothing but data races is reported
    Only,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StopArgument {
    /// At the first failure
    FirstFailure,
    /// When every branch is covered
    FullCoverage,
    /// When every feasible path was run
    Complete,
}

/// What to write and say; the same for every language.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// The results directory
    #[arg(long, value_name = "DIR", default_value = "xcute-out")]
    pub out: PathBuf,
    /// Go on with the campaign in this results directory; without a program, with the command line it was begun with
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,
    /// Which cases to keep in it
    #[arg(long, value_enum, default_value_t = KeepArgument::New)]
    pub keep_cases: KeepArgument,
    /// Print no progress line
    #[arg(long)]
    pub no_progress: bool,
    #[command(flatten)]
    pub show: ShowArguments,
}

/// How results are shown.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ShowArguments {
    /// The form of the summary on stdout
    #[arg(long, value_enum, default_value_t = FormatArgument::Text)]
    pub format: FormatArgument,
    /// Print only the verdict
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print also what each layer of the solver did, and all notes
    #[arg(short, long)]
    pub verbose: bool,
    /// Failures that could not be repeated on the uninstrumented program do not count for the exit code
    #[arg(long)]
    pub ignore_unconfirmed: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = ColorArgument::Auto, value_name = "WHEN")]
    pub color: ColorArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeepArgument {
    /// Those that covered something new
    New,
    /// All of them
    All,
    /// None but those of failures
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorArgument {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ResumeArguments {
    /// The results directory
    #[arg(value_name = "DIR", default_value = "xcute-out")]
    pub dir: PathBuf,
    /// Search at most this long from now on [default: as the campaign was begun]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Use at most this much memory from now on: 500M, 4G, none [default: as the campaign was begun]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<Size>,
    /// Run the subject at most N times, the runs so far included
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// When to stop before the budget is used
    #[arg(long, value_enum, value_name = "WHEN")]
    pub stop_at: Option<StopArgument>,
    /// Search with N workers at once
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Print no progress line
    #[arg(long)]
    pub no_progress: bool,
    #[command(flatten)]
    pub show: ShowArguments,
}

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The results directory
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// The arm: FILE:LINE:COLUMN:ARM as in sort.c:12:7:true; column and arm may be left out; or a choice
    /// between threads: schedule:RUN:STEP, schedule:RUN, or schedule for all races; or interpolants, for what pruning found [default: all arms of branches that were not taken]
    #[arg(value_name = "ARM")]
    pub arm: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the case passes, 1 it fails, 2 it could not be run.")]
pub struct ReplayArguments {
    /// The case file, from `failures/` or `cases/` of a results directory
    #[arg(value_name = "CASE")]
    pub case: PathBuf,
    /// Stop in gdb where it fails
    #[arg(long)]
    pub debugger: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ReportArguments {
    /// The results directory
    #[arg(value_name = "DIR", default_value = "xcute-out")]
    pub dir: PathBuf,
    #[command(flatten)]
    pub show: ShowArguments,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_for_clang_come_after_two_dashes() {
        let arguments = Arguments::try_parse_from(["xcute", "c", "a.c", "b.c", "--entry", "f", "--", "-I", "include", "-lm"]).unwrap();
        let Command::C(c) = arguments.command else { panic!("not c") };
        assert_eq!(c.files, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!(c.flags, ["-I", "include", "-lm"]);
    }
}
