//! The checked plan (high): what was typed, with every default filled in and every mistake found before work begins.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Result, bail};
use xcute_engine::{Fuzz, Options, Prune, PruneOptions, Scheduling, StopAt};
use xcute_report::Style;
use xcute_solver::Effort;
use xcute_strategy::StrategyName;

pub use crate::arguments::Keep;
use crate::arguments::{ColorArgument, FormatArgument, OutputArguments, ProjectArguments, SearchArguments, ShowArguments};
use crate::memory;
use crate::query_log::QueryLog;
pub use crate::report_form::{Form, ReportPlan};
use crate::solvers::Layers;

/// The time a search may take if nobody says how far it should go.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    pub strategy: StrategyName,
    pub seed: u64,
    pub options: Options,
    /// `None`: as long as it takes.
    pub time: Option<Duration>,
    /// The memory that may be used, in bytes; `None`: all there is.
    pub memory: Option<u64>,
    pub layers: Layers,
    /// Where the queries for the backends go.
    pub log: Option<QueryLog>,
    /// How many workers search together.
    pub jobs: u32,
}

/// What to write and show.
#[derive(Clone, Debug)]
pub struct OutputPlan {
    pub dir: PathBuf,
    /// A time before anything of the program was read.
    pub began: SystemTime,
    /// Whether to continue the campaign in `dir`.
    pub resume: bool,
    /// Whether results of the same program and command line are shown again.
    pub if_changed: bool,
    /// The command line that this campaign alone would have, where the process runs several.
    pub words: Option<Vec<String>>,
    pub keep: Keep,
    /// What to write for other tools at the end.
    pub reports: Vec<ReportPlan>,
    /// The results directories of earlier parts of the same search, which belong to these reports.
    pub earlier: Vec<PathBuf>,
    /// Whether it is measured where the time goes.
    pub profile: bool,
    /// How to show progress on stderr.
    pub progress: Drawn,
    pub show: Show,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    Nothing,
    /// A plain line now and then.
    Lines,
    /// One line that is rewritten.
    Line,
}

/// How to show results on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    pub json: bool,
    pub quiet: bool,
    pub verbose: bool,
    pub style: Style,
    /// Whether failures that could not be confirmed do not count.
    pub ignore_unconfirmed: bool,
}

/// Decides how to search.
pub fn search(low: &SearchArguments, output: &OutputArguments) -> Result<SearchPlan> {
    let unbounded = low.runs.is_some() || low.stop_at == Some(StopAt::Complete);
    let prune = prune(low, output.keep_cases)?;
    Ok(SearchPlan {
        strategy: low.strategy,
        seed: low.seed,
        options: Options {
            runs: low.runs.unwrap_or(u64::MAX),
            depth: low.depth.unwrap_or(u32::MAX),
            effort: Effort(low.solver_effort),
            stop_at: low.stop_at.unwrap_or_default(),
            scheduling: scheduling(low),
            races: low.races,
            prune,
            // Random testing is what one compares with.
            fuzz: if low.strategy == StrategyName::Testing { Fuzz::Off } else { low.fuzz },
            fuzz_seed: low.seed,
            ..Options::default()
        },
        time: low.time.or(if unbounded { None } else { Some(DEFAULT_TIME) }),
        memory: memory::bound(low.memory),
        layers: layers(low),
        log: low.log_queries.as_deref().map(QueryLog::new),
        jobs: low.jobs,
    })
}

/// Which layers the solver has.
fn layers(low: &SearchArguments) -> Layers {
    Layers {
        opt1: !low.no_opt1,
        opt2: !low.no_opt2,
        opt3: !low.no_opt3,
        cache: !low.no_cache,
        shortcut: !low.no_shortcut,
        pointers: !low.no_pointers,
        relaxed: !low.no_relaxed,
        lazy: !low.no_lazy,
        crossed: low.cross_check,
    }
}

/// Decides whether and how to prune.
fn prune(low: &SearchArguments, keep: Keep) -> Result<PruneOptions> {
    // Who wants a case of every path does not want paths to be skipped.
    // Random testing has nothing to prune.
    let default = if keep == Keep::All || low.strategy == StrategyName::Testing { Prune::Off } else { Prune::Auto };
    let prune = match (low.prune.unwrap_or(default), low.horizon) {
        (Prune::Off, Some(_)) => {
            bail!("--horizon is about pruning (add --prune interpolation; --depth bounds a search that does not prune)")
        }
        (_, Some(0)) => bail!("--horizon 0 leaves nothing to explore (give the number of branches)"),
        // How far a path is explored must not depend on whether pruning pays.
        (Prune::Auto, Some(_)) => Prune::Interpolation,
        (prune, _) => prune,
    };
    // Depth first finishes whole subtrees by itself.
    let greedy = low.greedy.unwrap_or(low.strategy != StrategyName::Dfs);
    Ok(PruneOptions { prune, greedy, horizon: low.horizon, cap: low.interpolant_size, ..PruneOptions::default() })
}

/// Decides which schedules are run.
fn scheduling(low: &SearchArguments) -> Scheduling {
    match (low.preemptions, low.schedules) {
        (Some(most), _) => Scheduling::Preemptions(most),
        (None, Scheduling::Random { policy, .. }) => Scheduling::Random { policy, seed: low.seed },
        (None, other) => other,
    }
}

/// Decides what to write.
pub fn output(low: OutputArguments) -> OutputPlan {
    let progress = drawn(low.no_progress || low.show.quiet);
    let (resume, dir) = (low.resume.is_some(), low.resume.unwrap_or(low.out));
    let show = show(&low.show, low.format == FormatArgument::Json);
    let (if_changed, began) = (low.if_changed, SystemTime::now());
    OutputPlan {
        resume,
        if_changed,
        dir,
        began,
        words: None,
        keep: low.keep_cases,
        reports: low.report,
        earlier: Vec::new(),
        profile: low.profile,
        progress,
        show,
    }
}

/// Decides how the results of a project are shown, and whether there is a progress line.
pub fn project(low: &ProjectArguments) -> (Show, Drawn) {
    let show = show(&low.show, low.format == FormatArgument::Json);
    (show, drawn(low.no_progress || show.quiet))
}

fn drawn(quiet: bool) -> Drawn {
    match (quiet, std::io::stderr().is_terminal()) {
        (true, _) => Drawn::Nothing,
        (false, true) => Drawn::Line,
        (false, false) => Drawn::Lines,
    }
}

/// Decides how results are shown.
pub fn show(low: &ShowArguments, json: bool) -> Show {
    let coloured = match low.color {
        ColorArgument::Always => true,
        ColorArgument::Never => false,
        ColorArgument::Auto => {
            let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            std::io::stdout().is_terminal() && !forbidden && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    };
    let width = terminal_size::terminal_size_of(std::io::stdout()).map_or(Style::PLAIN.width, |(width, _)| usize::from(width.0));
    let (quiet, verbose, ignore_unconfirmed) = (low.quiet, low.verbose, low.ignore_unconfirmed);
    Show { json, quiet, verbose, style: Style { coloured, width }, ignore_unconfirmed }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};
    use xcute_race::PolicyName;

    use super::*;

    fn plan(options: &[&str]) -> Result<SearchPlan> {
        let command = OutputArguments::augment_args(SearchArguments::augment_args(Command::new("xcute")));
        let matches = command.try_get_matches_from(["xcute"].iter().chain(options))?;
        search(&SearchArguments::from_arg_matches(&matches)?, &OutputArguments::from_arg_matches(&matches)?)
    }

    #[test]
    fn time_is_bounded_unless_something_else_says_how_far_to_go() {
        assert_eq!(plan(&[]).unwrap().time, Some(DEFAULT_TIME));
        assert_eq!(plan(&["--runs", "5"]).unwrap().time, None);
        assert_eq!(plan(&["--stop-at", "complete"]).unwrap().time, None);
        assert_eq!(plan(&["--stop-at", "first-failure"]).unwrap().time, Some(DEFAULT_TIME));
        assert_eq!(plan(&["--runs", "5", "--time", "2s"]).unwrap().time, Some(Duration::from_secs(2)));
    }

    #[test]
    fn memory_is_bounded_unless_nobody_wants_that() {
        let memory = |options: &[&str]| plan(options).unwrap().memory;
        assert_eq!((memory(&["--memory", "1G"]), memory(&["--memory", "none"])), (Some(1 << 30), None));
        assert!(memory(&[]).is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn schedules() {
        let scheduling = |options: &[&str]| plan(options).unwrap().options.scheduling;
        assert_eq!(scheduling(&[]), Scheduling::default());
        assert_eq!(scheduling(&["--schedules", "sleep"]).to_string(), "sleep");
        assert_eq!(scheduling(&["--schedules", "pct:3", "--seed", "7"]), Scheduling::Random { policy: PolicyName::Pct(3), seed: 7 });
        assert_eq!(scheduling(&["--preemptions", "2"]), Scheduling::Preemptions(2));
        for bad in [
            &["--schedules", "best"][..],
            &["--schedules", "pct:0"],
            &["--schedules", "all", "--preemptions", "1"],
            &["--preemptions", "-1"],
        ] {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn pruning() {
        let prune = |options: &[&str]| plan(options).unwrap().options.prune;
        assert_eq!(prune(&["--prune", "interpolation"]).prune, Prune::Interpolation);
        assert_eq!((prune(&[]).prune, prune(&["--keep-cases", "all"]).prune), (Prune::Auto, Prune::Off));
        assert_eq!(prune(&["--keep-cases", "all", "--prune", "auto"]).prune, Prune::Auto);
        assert_eq!(prune(&["--horizon", "30"]).prune, Prune::Interpolation);
        assert!(prune(&[]).greedy && !prune(&["--strategy", "dfs"]).greedy && prune(&["--strategy", "dfs", "--greedy", "on"]).greedy);
        assert!(!prune(&["--greedy", "off"]).greedy);
        let bounded = prune(&["--prune", "auto", "--horizon", "30"]);
        assert_eq!((bounded.prune, bounded.horizon), (Prune::Interpolation, Some(30)));
        for bad in [&["--prune", "best"][..], &["--prune", "off", "--horizon", "3"], &["--prune", "auto", "--horizon", "0"]] {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn layers_are_switched_off_one_by_one() {
        let on = Layers::ON;
        assert_eq!(plan(&[]).unwrap().layers, on);
        assert_eq!(plan(&["--no-opt2", "--no-cache"]).unwrap().layers, Layers { opt2: false, cache: false, ..on });
        let options = ["--no-opt1", "--no-opt3", "--no-shortcut", "--no-pointers", "--no-relaxed", "--no-lazy"];
        let others = Layers { opt1: false, opt3: false, shortcut: false, pointers: false, relaxed: false, lazy: false, ..on };
        assert_eq!(plan(&options).unwrap().layers, others);
        assert_eq!(plan(&["--cross-check"]).unwrap().layers, Layers { crossed: true, ..on });
    }
}
