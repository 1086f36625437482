//! The part of the command line that all languages have, as it is typed (low), and that of the verbs. Nothing is decided here; [`crate::plan`] does that.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use clap_complete::Shell;
use xcute_engine::{Fuzz, Prune, Races, Scheduling, StopAt};
use xcute_strategy::StrategyName;

use crate::duration;
use crate::report_form::{self, Form, ReportPlan};
use crate::size::{self, Size};

pub const EXIT_CODES: &str =
    "Exit codes: 0 no failure, 1 failures found (confirmed or not), 2 the tool could not do its job, 3 interrupted before anything failed.";

/// What can be done in a project, and with results.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Look at a project, and write a first xcute.toml
    Init(InitArguments),
    /// Repeat the kept cases of a project, search its entries, and fail only on what is new
    Ci(CiArguments),
    /// Search every entry of a project, as xcute.toml lists them
    Test(TestArguments),
    /// Continue a campaign that ended early
    Resume(ResumeArguments),
    /// Explain why an arm of a branch was not taken, or why a schedule was run
    Explain(ExplainArguments),
    /// Repeat a case on the uninstrumented program
    Replay(ReplayArguments),
    /// Show results again, or turn them into what other tools read
    Report(ReportArguments),
    /// Check what each language needs, and say how to install what is missing
    Doctor(DoctorArguments),
    /// Talk to an editor: a language server on stdin and stdout
    Lsp(LspArguments),
    /// Print the completions for a shell
    Completions(CompletionsArguments),
    /// Print the man page
    Man(ManArguments),
}

/// How to search; the same for every language.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// Which arm of the path tree to try next
    #[arg(hide_short_help = true, long, value_parser = one_of(STRATEGIES), default_value = StrategyName::Coverage.as_str())]
    pub strategy: StrategyName,
    /// Which schedules of threads to run: dpor, sleep, races (those that can make a difference), all, or at random walk, pct:D, pos
    #[arg(hide_short_help = true, long, value_name = "HOW", default_value_t = Scheduling::default())]
    pub schedules: Scheduling,
    /// Run all schedules with at most N preemptions instead
    #[arg(hide_short_help = true, long, value_name = "N", conflicts_with = "schedules")]
    pub preemptions: Option<u32>,
    /// Whether data races are failures: on, off, or only (nothing else is one)
    #[arg(hide_short_help = true, long, value_name = "WHICH", value_parser = one_of(RACES), default_value = "on")]
    pub races: Races,
    /// Explore only the first N decisions of a path
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub depth: Option<u32>,
    /// Skip paths that cannot fail because others like them did not: interpolation (from the first run on), auto (in a long search, while it pays), off;
    /// measure counts what could be skipped and runs it all the same [default: auto, but off with --keep-cases all]
    #[arg(hide_short_help = true, long, value_name = "HOW")]
    pub prune: Option<Prune>,
    /// Whether pruning makes runs of its own to finish what is nearly known [default: on, but off for --strategy dfs]
    #[arg(hide_short_help = true, long, value_name = "WHEN", value_parser = one_of(SWITCH))]
    pub greedy: Option<bool>,
    /// Prune, and explore only the first N branches of a path, those included that no input decides
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub horizon: Option<u32>,
    /// Interpolants made of more terms are strengthened
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 400)]
    pub interpolant_size: usize,
    /// Whether to change inputs at random between the solver's answers, and keep what does something new: auto (while the solver gets nowhere and branches are not covered),
    /// off, only (without the solver). For C, C++ and models
    #[arg(hide_short_help = true, long, value_name = "HOW", value_parser = one_of(FUZZ), default_value = "off")]
    pub fuzz: Fuzz,
    /// Run the subject at most N times
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// Search at most this long: 500ms, 60s, 5m, 2h [default: 60s, unless --runs or --stop-at complete is given]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Use at most this much memory: 500M, 4G, none [default: half of the machine's, or three quarters of what its control group allows]
    #[arg(hide_short_help = true, long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<Size>,
    /// When to stop before the budget is used up [default: complete]
    #[arg(long, value_name = "WHEN", value_parser = one_of(STOPS))]
    pub stop_at: Option<StopAt>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Search with N workers at once, each with a process of its own
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
    /// Work that one query may cost, in SAT conflicts
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 20_000)]
    pub solver_effort: u64,
    /// Switch off OPT 1: fast unsatisfiability
    #[arg(hide_short_help = true, long)]
    pub no_opt1: bool,
    /// Switch off OPT 2: common sub-constraints
    #[arg(hide_short_help = true, long)]
    pub no_opt2: bool,
    /// Switch off OPT 3: slicing
    #[arg(hide_short_help = true, long)]
    pub no_opt3: bool,
    /// Switch off the counterexample cache
    #[arg(hide_short_help = true, long)]
    pub no_cache: bool,
    /// Switch off the layers that answer easy queries without a solver
    #[arg(hide_short_help = true, long)]
    pub no_shortcut: bool,
    /// Switch off the layer that decides equalities between pointers without a solver
    #[arg(hide_short_help = true, long)]
    pub no_pointers: bool,
    /// Switch off the layer that keeps most inputs as they are where a query is too hard
    #[arg(hide_short_help = true, long)]
    pub no_relaxed: bool,
    /// Switch off the layer that gives the solver very many constraints on terms step by step
    #[arg(hide_short_help = true, long)]
    pub no_lazy: bool,
    /// Ask Z3 about everything that the solver calls infeasible, and count where they disagree
    #[arg(hide_short_help = true, long)]
    pub cross_check: bool,
    /// Write the queries that reach a solver to this file, in SMT-LIB, with the answers
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub log_queries: Option<PathBuf>,
}

/// A value as it is typed, what it is, and what the help says of it.
pub type Named<T> = (&'static str, T, &'static str);

const STRATEGIES: &[Named<StrategyName>] = &[
    (StrategyName::Dfs.as_str(), StrategyName::Dfs, "Bounded depth-first search"),
    (StrategyName::Bfs.as_str(), StrategyName::Bfs, "Breadth-first search"),
    (StrategyName::Random.as_str(), StrategyName::Random, "Uniform random search"),
    (StrategyName::Cfg.as_str(), StrategyName::Cfg, "Directed by the control-flow graph"),
    (StrategyName::Generational.as_str(), StrategyName::Generational, "Generational search"),
    (StrategyName::Coverage.as_str(), StrategyName::Coverage, "New coverage first"),
    (StrategyName::Testing.as_str(), StrategyName::Testing, "Random testing, without a solver, to compare with"),
];

const SWITCH: &[Named<bool>] = &[("on", true, "Yes"), ("off", false, "No")];

const FUZZ: &[Named<Fuzz>] = &[
    ("auto", Fuzz::Auto, "While the solver gets nowhere and branches are not covered"),
    ("off", Fuzz::Off, "No"),
    ("only", Fuzz::Only, "All the time, without the solver"),
];

const RACES: &[Named<Races>] = &[
    ("off", Races::Off, "Data races are not looked for"),
    ("on", Races::On, "Data races are failures as others are"),
    ("only", Races::Only, "Nothing but data races is reported"),
];

const STOPS: &[Named<StopAt>] = &[
    ("first-failure", StopAt::FirstFailure, "At the first failure"),
    ("full-coverage", StopAt::FullCoverage, "When every branch is covered"),
    ("complete", StopAt::Complete, "When every feasible path was run"),
];

/// Reads one of these values: the types are those of the engine, which knows no command line.
pub fn one_of<T: Copy + Send + Sync + 'static>(values: &'static [Named<T>]) -> impl TypedValueParser<Value = T> {
    let possible: Vec<PossibleValue> = values.iter().map(|(name, _, about)| PossibleValue::new(*name).help(*about)).collect();
    PossibleValuesParser::new(possible).map(|typed| values.iter().find(|(name, ..)| *name == typed).expect("one of them").1)
}

/// What to write and say; the same for every language.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// The results directory
    #[arg(long, value_name = "DIR", default_value = "xcute-out")]
    pub out: PathBuf,
    /// Continue the campaign in this results directory; without a program, with the command line it was started with
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,
    /// Where the results directory holds those of the same program and command line, show them again instead of searching
    #[arg(hide_short_help = true, long, conflicts_with = "resume")]
    pub if_changed: bool,
    /// Also write the results in the form of other tools, as in sarif=results.sarif: sarif, junit, cobertura, lcov, github
    #[arg(long, value_name = "FORM=FILE", value_parser = report_form::parse)]
    pub report: Vec<ReportPlan>,
    /// Which cases to keep in it
    #[arg(hide_short_help = true, long, value_enum, default_value_t = Keep::New)]
    pub keep_cases: Keep,
    /// Measure where the time goes: prints a table, and writes profile.svg (a flame graph) and profile.folded to the results directory
    #[arg(hide_short_help = true, long)]
    pub profile: bool,
    /// Print no progress line
    #[arg(hide_short_help = true, long)]
    pub no_progress: bool,
    /// The form of the summary on stdout
    #[arg(long, value_enum, default_value_t = FormatArgument::Text)]
    pub format: FormatArgument,
    #[command(flatten)]
    pub show: ShowArguments,
}

/// How results are shown.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ShowArguments {
    /// Print only the verdict
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also print what each layer of the solver did, and all notes
    #[arg(short, long)]
    pub verbose: bool,
    /// Ignore failures that could not be repeated on the uninstrumented program in the exit code
    #[arg(hide_short_help = true, long)]
    pub ignore_unconfirmed: bool,
    /// When to use colours
    #[arg(hide_short_help = true, long, value_enum, default_value_t = ColorArgument::Auto, value_name = "WHEN")]
    pub color: ColorArgument,
}

/// Which cases go to the results directory, besides those of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keep {
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

/// The forms of `xcute report`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    Text,
    Json,
    /// For other tools.
    Other(Form),
}

const REPORTS: &[Named<ReportFormat>] = &[
    ("text", ReportFormat::Text, "For people"),
    ("json", ReportFormat::Json, "The summary as one JSON object"),
    ("sarif", ReportFormat::Other(Form::Sarif), "SARIF 2.1.0, for code scanners and editors"),
    ("junit", ReportFormat::Other(Form::Junit), "JUnit's XML, for test reports"),
    ("cobertura", ReportFormat::Other(Form::Cobertura), "Cobertura's XML, for coverage"),
    ("lcov", ReportFormat::Other(Form::Lcov), "A tracefile of lcov"),
    ("github", ReportFormat::Other(Form::Github), "Annotations of GitHub's workflows"),
];

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
#[command(after_help = "Examples:\n  xcute init\n  xcute init lib --force\n\nExit codes: 0 the file was written, 2 it was not.")]
pub struct InitArguments {
    /// The directory of the project
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Replace the file that is there
    #[arg(long)]
    pub force: bool,
}

/// What the verbs of a project have in common.
#[derive(Debug, Args)]
pub struct ProjectArguments {
    /// The file of the project, or its directory [default: xcute.toml here or in a directory above]
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Search at most this long, all entries together: what is left is shared by those that are left [default: each as the file says]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Also write the results of all entries in the form of other tools, as in sarif=results.sarif: sarif, junit, cobertura, lcov, github
    #[arg(long, value_name = "FORM=FILE", value_parser = report_form::parse)]
    pub report: Vec<ReportPlan>,
    /// Print no progress line
    #[arg(long)]
    pub no_progress: bool,
    /// The form of the results on stdout
    #[arg(long, value_enum, default_value_t = FormatArgument::Text)]
    pub format: FormatArgument,
    #[command(flatten)]
    pub show: ShowArguments,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  xcute ci --time 5m\n  xcute ci --update-baseline\n\nExit codes: 0 nothing new, 1 new failures, 2 an entry could not be tested, 3 interrupted, 4 a search is not complete that has to be."
)]
pub struct CiArguments {
    /// The entries to judge, by their names [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Record the failures that are found as known, and keep the cases of this search
    #[arg(long)]
    pub update_baseline: bool,
    /// Every search has to be complete
    #[arg(long)]
    pub require_complete: bool,
    #[command(flatten)]
    pub project: ProjectArguments,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute test\n  xcute test insert remove --time 5m\n\n{EXIT_CODES}"))]
pub struct TestArguments {
    /// The entries to search, by their names [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Search only entries whose program or command line changed, and show the results of the others again
    #[arg(long)]
    pub if_changed: bool,
    #[command(flatten)]
    pub project: ProjectArguments,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute resume\n  xcute resume xcute-out --time 5m --jobs 2\n\n{EXIT_CODES}"))]
pub struct ResumeArguments {
    /// The results directory
    #[arg(value_name = "DIR", default_value = "xcute-out")]
    pub dir: PathBuf,
    /// Search at most this long from now on [default: as the campaign was started]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Use at most this much memory from now on: 500M, 4G, none [default: as the campaign was started]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<Size>,
    /// Run the subject at most N times, the runs so far included
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// When to stop before the budget is used up
    #[arg(long, value_name = "WHEN", value_parser = one_of(STOPS))]
    pub stop_at: Option<StopAt>,
    /// Search with N workers at once
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Print no progress line
    #[arg(long)]
    pub no_progress: bool,
    /// The form of the summary on stdout
    #[arg(long, value_enum, default_value_t = FormatArgument::Text)]
    pub format: FormatArgument,
    #[command(flatten)]
    pub show: ShowArguments,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  xcute explain xcute-out\n  xcute explain xcute-out sort.c:12:7:true\n\nExit codes: 0 it was explained, 2 it was not."
)]
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
#[command(
    after_help = "Examples:\n  xcute replay xcute-out/failures/f1.json\n  xcute replay xcute-out/failures/f1.json --debugger\n\nExit codes: 0 the case passes, 1 it fails, 2 it could not be run."
)]
pub struct ReplayArguments {
    /// The case file, from `failures/` or `cases/` of a results directory
    #[arg(value_name = "CASE")]
    pub case: PathBuf,
    /// Stop in gdb where it fails; for Erlang, a shell with the call
    #[arg(long)]
    pub debugger: bool,
    /// Let the program change files, use the network and send signals
    #[arg(long)]
    pub no_sandbox: bool,
    /// The case is your own: compile with its flags, whatever they are
    #[arg(long)]
    pub trust: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute report\n  xcute report --format sarif --output xcute.sarif\n  xcute report out/* --format junit --output xcute.xml\n\n{EXIT_CODES}"))]
pub struct ReportArguments {
    /// Results directories, or directories that hold some
    #[arg(value_name = "DIR", default_value = "xcute-out")]
    pub dirs: Vec<PathBuf>,
    /// The form of the results
    #[arg(long, value_name = "FORM", value_parser = one_of(REPORTS), default_value = "text")]
    pub format: ReportFormat,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the JSON schema of summary.json instead
    #[arg(long, exclusive = true)]
    pub schema: bool,
    /// What paths are relative to, for other tools [default: the repository, or where the campaign ran]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    pub show: ShowArguments,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  xcute doctor\n  xcute doctor java\n\nExit codes: 0 everything is there, 1 something is missing, 2 it could not be found out."
)]
pub struct DoctorArguments {
    /// The languages to look at, by their commands [default: all]
    #[arg(value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t = FormatArgument::Text)]
    pub format: FormatArgument,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  xcute lsp\n  xcute lsp --entries src/list.c\n\nEditors start the first one (docs/editor.md).\n\nExit codes: 0 the editor asked for the end, 1 it went away, 2 the list could not be made."
)]
pub struct LspArguments {
    /// Print what can be tested in this file, as JSON, instead
    #[arg(long, value_name = "FILE")]
    pub entries: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  xcute completions bash > /etc/bash_completion.d/xcute")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  xcute man | man -l -\n  xcute man --out /usr/local/share/man/man1")]
pub struct ManArguments {
    /// Write the pages of all commands to this directory instead
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
