//! The checked plan (high): what was typed, with every default filled in and every mistake found before work begins.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use xcute_c::harness::Calls;
use xcute_c::inputs::ArrayLength;
use xcute_c::subject::RunOptions;
use xcute_c::wire::flag::LEAKS;
use xcute_engine::{Options, Prune, PruneOptions, Races, Scheduling, StopAt};
use xcute_report::Style;
use xcute_solver::Effort;
use xcute_strategy::StrategyName;

use crate::arguments::{
    CArguments, CheckArgument, ColorArgument, FormatArgument, IsolationArgument, KeepArgument, OutputArguments, RacesArgument,
    RunningArguments, SearchArguments, ShowArguments, StopArgument, StrategyArgument, SwitchArgument,
};
use crate::memory;
use crate::solvers::Layers;

/// The time a search may take if nobody says how far it should go.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// How many calls a sequence has if nobody says.
const LENGTH: u32 = 3;

/// A campaign over a C function.
#[derive(Debug)]
pub struct CPlan {
    pub files: Vec<PathBuf>,
    pub entry: Option<String>,
    pub calls: Option<Calls>,
    pub pre: Option<String>,
    pub arrays: Vec<(String, ArrayLength)>,
    /// Elements, at most, of arrays whose length is a parameter.
    pub elements: u32,
    pub string: u32,
    /// `None`: 16, or as many as the corpus needs.
    pub bytes: Option<u32>,
    pub corpus: Option<PathBuf>,
    pub export_corpus: Option<PathBuf>,
    pub testcomp: Option<PathBuf>,
    pub run: RunningPlan,
    /// Whether undefined behaviour is a failure.
    pub undefined: bool,
    pub flags: Vec<String>,
    pub search: SearchPlan,
    pub output: OutputPlan,
}

/// How a program written in C or C++ is run.
#[derive(Debug)]
pub struct RunningPlan {
    pub steps: u64,
    pub exact: u32,
    /// Whether each run has a process of its own.
    pub isolated: bool,
    /// Whether lost memory is a failure.
    pub leaks: bool,
    /// How often a wait for a condition may wake up by itself.
    pub spurious: u32,
    /// The time of the processor after which a run hangs.
    pub hang: Duration,
}

impl RunningPlan {
    /// The same for the front end, in a search of this kind.
    pub fn options(&self, search: &SearchPlan) -> RunOptions {
        let random = (search.strategy == StrategyName::Random).then_some(search.seed);
        let flags = if self.leaks { LEAKS } else { 0 };
        let (fuel, exact_object, spurious) = (self.steps, self.exact, self.spurious);
        RunOptions { fuel, exact_object, spurious, random, flags, isolated: self.isolated, patience: self.hang, ..RunOptions::default() }
    }
}

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
    /// How many workers search together.
    pub jobs: u32,
}

/// Which cases go to the results directory, beside those of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    New,
    All,
    None,
}

/// What to write and show.
#[derive(Clone, Debug)]
pub struct OutputPlan {
    pub dir: PathBuf,
    /// Whether to go on with the campaign in `dir`.
    pub resume: bool,
    /// Explain this arm of the campaign in `dir`, or with an empty name all, and do not search.
    pub explain: Option<String>,
    /// The command line that this campaign alone would have, where the process runs several.
    pub words: Option<Vec<String>>,
    pub keep: Keep,
    /// Whether to draw a progress line on stderr.
    pub progress: bool,
    pub show: Show,
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

/// Checks a `xcute c`.
pub fn c(low: Box<CArguments>) -> Result<CPlan> {
    let low = *low;
    for file in &low.files {
        if !file.is_file() {
            bail!("cannot read {}: no such file", file.display());
        }
    }
    let arrays = low.arrays.iter().map(|text| array(text)).collect::<Result<Vec<_>>>()?;
    for (at, (name, _)) in arrays.iter().enumerate() {
        if arrays[..at].iter().any(|(other, _)| other == name) {
            bail!("cannot give the array {name} two lengths (use --array once for it)");
        }
    }
    let calls = calls(&low)?;
    Ok(CPlan {
        files: low.files,
        entry: low.entry,
        calls,
        pre: low.pre,
        arrays,
        elements: low.elements,
        string: low.string,
        bytes: low.bytes,
        corpus: low.corpus,
        export_corpus: low.export_corpus,
        testcomp: low.testcomp,
        run: running(&low.run),
        undefined: low.check.contains(&CheckArgument::Ub),
        flags: low.flags,
        search: search(&low.search, &low.output)?,
        output: output(low.output),
    })
}

/// The sequences of calls that were asked for.
fn calls(low: &CArguments) -> Result<Option<Calls>> {
    if low.calls.is_empty() {
        let about = [("--length", low.length.is_some()), ("--post", low.post.is_some()), ("--no-null", low.no_null)];
        if let Some((option, _)) = about.iter().find(|(_, given)| *given) {
            bail!("{option} is about sequences of calls (say which functions with --calls)");
        }
        return Ok(None);
    }
    let (functions, length) = (low.calls.clone(), low.length.unwrap_or(LENGTH));
    Ok(Some(Calls { functions, length, post: low.post.clone(), pre: low.pre.clone(), nulls: !low.no_null }))
}

/// Reads `P=N`.
fn array(text: &str) -> Result<(String, ArrayLength)> {
    let usage = || format!("cannot understand --array {text} (write it as in --array p=8, or --array p=n for a parameter n)");
    let Some((name, length)) = text.split_once('=') else { bail!(usage()) };
    if name.is_empty() || length.is_empty() {
        bail!(usage());
    }
    let length = if length.starts_with(|c: char| c.is_ascii_digit()) {
        match length.parse() {
            Ok(count) if count > 0 => ArrayLength::Fixed(count),
            _ => bail!(usage()),
        }
    } else {
        ArrayLength::Parameter(length.to_owned())
    };
    Ok((name.to_owned(), length))
}

/// Decides how a program is run.
pub fn running(low: &RunningArguments) -> RunningPlan {
    RunningPlan {
        steps: low.steps,
        exact: low.exact,
        isolated: low.isolation == IsolationArgument::Fork,
        leaks: low.leaks,
        spurious: low.spurious,
        hang: low.hang,
    }
}

/// Decides how to search.
pub fn search(low: &SearchArguments, output: &OutputArguments) -> Result<SearchPlan> {
    let unbounded = low.runs.is_some() || low.stop_at == Some(StopArgument::Complete);
    let stop_at = match low.stop_at {
        Some(StopArgument::FirstFailure) => StopAt::FirstFailure,
        Some(StopArgument::FullCoverage) => StopAt::FullCoverage,
        Some(StopArgument::Complete) | None => StopAt::Complete,
    };
    let strategy = match low.strategy {
        StrategyArgument::Dfs => StrategyName::Dfs,
        StrategyArgument::Bfs => StrategyName::Bfs,
        StrategyArgument::Random => StrategyName::Random,
        StrategyArgument::Cfg => StrategyName::Cfg,
        StrategyArgument::Generational => StrategyName::Generational,
        StrategyArgument::Coverage => StrategyName::Coverage,
    };
    let prune = prune(low, strategy, output.keep_cases)?;
    Ok(SearchPlan {
        strategy,
        seed: low.seed,
        options: Options {
            runs: low.runs.unwrap_or(u64::MAX),
            depth: low.depth.unwrap_or(u32::MAX),
            effort: Effort(low.solver_effort),
            stop_at,
            scheduling: scheduling(low),
            races: match low.races {
                RacesArgument::Off => Races::Off,
                RacesArgument::On => Races::On,
                RacesArgument::Only => Races::Only,
            },
            prune,
            ..Options::default()
        },
        time: low.time.or(if unbounded { None } else { Some(DEFAULT_TIME) }),
        memory: memory::bound(low.memory),
        layers: Layers { opt1: !low.no_opt1, opt2: !low.no_opt2, opt3: !low.no_opt3, cache: !low.no_cache, shortcut: !low.no_shortcut },
        jobs: low.jobs,
    })
}

/// Decides whether and how to prune.
fn prune(low: &SearchArguments, strategy: StrategyName, keep: KeepArgument) -> Result<PruneOptions> {
    // Who wants a case of every path does not want paths to be skipped.
    let default = if keep == KeepArgument::All { Prune::Off } else { Prune::Auto };
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
    let greedy = low.greedy.map_or(strategy != StrategyName::Dfs, |switch| switch == SwitchArgument::On);
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
    let keep = match low.keep_cases {
        KeepArgument::New => Keep::New,
        KeepArgument::All => Keep::All,
        KeepArgument::None => Keep::None,
    };
    let progress = !low.no_progress && !low.show.quiet && std::io::stderr().is_terminal();
    let (resume, dir) = (low.resume.is_some(), low.resume.unwrap_or(low.out));
    OutputPlan { resume, explain: None, dir, words: None, keep, progress, show: show(&low.show) }
}

/// Decides how results are shown.
pub fn show(low: &ShowArguments) -> Show {
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
    Show { json: low.format == FormatArgument::Json, quiet, verbose, style: Style { coloured, width }, ignore_unconfirmed }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use xcute_race::PolicyName;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn plan(options: &[&str]) -> Result<CPlan> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let words = ["xcute", "c", file].into_iter().chain(options.iter().copied());
        let Command::C(low) = Arguments::try_parse_from(words)?.command else { bail!("not c") };
        c(low)
    }

    #[test]
    fn time_is_bounded_unless_something_else_says_how_far_to_go() {
        assert_eq!(plan(&[]).unwrap().search.time, Some(DEFAULT_TIME));
        assert_eq!(plan(&["--runs", "5"]).unwrap().search.time, None);
        assert_eq!(plan(&["--stop-at", "complete"]).unwrap().search.time, None);
        assert_eq!(plan(&["--stop-at", "first-failure"]).unwrap().search.time, Some(DEFAULT_TIME));
        assert_eq!(plan(&["--runs", "5", "--time", "2s"]).unwrap().search.time, Some(Duration::from_secs(2)));
    }

    #[test]
    fn memory_is_bounded_unless_nobody_wants_that() {
        let memory = |options: &[&str]| plan(options).unwrap().search.memory;
        assert_eq!((memory(&["--memory", "1G"]), memory(&["--memory", "none"])), (Some(1 << 30), None));
        assert!(memory(&[]).is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn arrays() {
        assert_eq!(
            plan(&["--array", "p=8", "--array", "q=n"]).unwrap().arrays,
            [("p".into(), ArrayLength::Fixed(8)), ("q".into(), ArrayLength::Parameter("n".into()))]
        );
        for bad in
            [&["--array", "p"][..], &["--array", "=3"], &["--array", "p=0"], &["--array", "p=3x"], &["--array", "p=1", "--array", "p=2"]]
        {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sequences_of_calls() {
        let calls = plan(&["--calls", "init,add,remove"]).unwrap().calls.unwrap();
        assert_eq!((calls.functions.len(), calls.length, calls.post), (3, LENGTH, None));
        for bad in [
            &["--length", "3"][..],
            &["--post", "ok"],
            &["--no-null"],
            &["--calls", "f", "--entry", "g"],
            &["--calls", "f", "--length", "0"],
        ] {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn schedules() {
        let scheduling = |options: &[&str]| plan(options).unwrap().search.options.scheduling;
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
        let prune = |options: &[&str]| plan(options).unwrap().search.options.prune;
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
    fn files_must_be_there() {
        let Command::C(low) = Arguments::try_parse_from(["xcute", "c", "no-such-file.c"]).unwrap().command else { panic!("not c") };
        assert_eq!(c(low).unwrap_err().to_string(), "cannot read no-such-file.c: no such file");
    }

    #[test]
    fn layers_are_switched_off_one_by_one() {
        let layers = plan(&["--no-opt2", "--no-cache"]).unwrap().search.layers;
        assert_eq!(layers, Layers { opt1: true, opt2: false, opt3: true, cache: false, shortcut: true });
    }
}
