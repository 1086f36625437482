//! One file of programs: the plain search to its end, and searches that prune, in every order.
//!
//! The file is built once; each search has a subject of its own.
//!
//! **Invariant.** Every search is complete, or nothing is said about the file but that.

use std::collections::BTreeSet;
use std::sync::Mutex;

use tempfile::TempDir;
use xcute_c::inputs::Lengths;
use xcute_c::prepare::{COptions, prepare};
use xcute_c::subject::{CSubject, RunOptions};
use xcute_engine::{Campaign, Confirmation, Observer, Options, Prune, PruneOptions, Results, RunEvent, StopReason};
use xcute_solver::{Chain, ChainOptions, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::segments::Arm;
use xcute_trace::{Failure, Outcome, Subject, TestCase};

/// Search orders, with and without greedy confirmation.
pub const WAYS: [(StrategyName, bool); 6] = [
    (StrategyName::Dfs, false),
    (StrategyName::Dfs, true),
    (StrategyName::Random, false),
    (StrategyName::Random, true),
    (StrategyName::Cfg, false),
    (StrategyName::Cfg, true),
];

/// What came of all files together.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Runs of plain searches.
    pub plain: u64,
    /// Runs of searches that prune, and of greedy confirmation.
    pub runs: u64,
    pub confirmations: u64,
    pub files: u64,
    pub failures: usize,
    pub failing_paths: usize,
    pub skipped: u64,
    /// Why runs were not followed to their ends.
    pub reasons: BTreeSet<String>,
}

impl Sums {
    pub fn add(&mut self, other: Sums) {
        self.plain += other.plain;
        self.runs += other.runs;
        self.confirmations += other.confirmations;
        self.files += other.files;
        self.failures += other.failures;
        self.failing_paths += other.failing_paths;
        self.skipped += other.skipped;
        self.reasons.extend(other.reasons);
    }
}

/// Believes every failure, and keeps the cases that fail.
#[derive(Default)]
struct Log {
    failing: Mutex<Vec<TestCase>>,
}

impl Observer for Log {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if matches!(event.trace.outcome, Outcome::Failed(_)) {
            self.failing.lock().expect("nobody panics with it").push(event.case());
        }
    }
}

/// A place where something fails, and how.
type Failures = BTreeSet<(String, u32)>;

fn failures(results: &Results) -> Failures {
    let place = |failure: &Failure| failure.stack.iter().find(|frame| frame.file.ends_with("program.c")).map_or(0, |frame| frame.line);
    results.failures.iter().map(|found| (format!("{:?}", found.failure.kind), place(&found.failure))).collect()
}

fn solver() -> Box<dyn Solver> {
    Box::new(Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]))
}

fn subjects(text: &str, dir: &TempDir) -> Vec<CSubject> {
    let source = dir.path().join("program.c");
    std::fs::write(&source, text).expect("a scratch directory can be written");
    let options = COptions {
        sources: vec![source],
        entry: Some("subject".to_owned()),
        calls: None,
        pre: None,
        flags: vec!["-w".to_owned()],
        undefined: false,
        lengths: Lengths::default(),
        bytes: 8,
        run: RunOptions { fuel: 20_000, ..RunOptions::default() },
        dir: dir.path().to_owned(),
    };
    let subject = prepare(&options).unwrap_or_else(|error| panic!("{error}\n{text}")).subject;
    subject.times(2 + u32::try_from(WAYS.len()).expect("few")).expect("subjects start")
}

/// Holds all ways to prune against the plain search; what is wrong, if so. `None` where the plain search had to concretise a value, so that nobody
/// knows all failures, or would need more than `most` runs.
pub fn check(text: &str, seed: u64, most: u64) -> Result<Option<Sums>, String> {
    let dir = TempDir::new().expect("a scratch directory");
    let mut subjects = subjects(text, &dir).into_iter();
    let mut next = || subjects.next().expect("one for each search");
    let log = Log::default();
    let (truth, plain) = {
        let mut subject = next();
        let strategy = StrategyName::Dfs.build(subject.sites(), 0);
        let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { runs: most, ..Options::default() });
        let results = campaign.run(&log).map_err(|error| error.to_string())?;
        let concretised = results.limits.keys().any(|limit| limit.kind == "concretised");
        if concretised || results.stop == Some(StopReason::Runs) {
            return Ok(None);
        }
        if !results.complete {
            return Err(format!("the plain search is not complete: {:?}, {:?}, {:?}", results.stop, results.arms, results.limits));
        }
        (failures(results), results.runs)
    };
    let paths = failing_paths(next(), &log.failing.into_inner().expect("nobody panicked"))?;
    let mut sums = Sums { files: 1, failures: truth.len(), failing_paths: paths.len(), ..Sums::default() };
    for (strategy, greedy) in WAYS {
        let way = format!("{strategy:?}, greedy confirmation {greedy}");
        let mut subject = next();
        let strategy = strategy.build(subject.sites(), seed);
        let prune = PruneOptions { prune: Prune::Interpolation, greedy, ..PruneOptions::default() };
        let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { prune, ..Options::default() });
        campaign.prune_with(solver());
        let results = campaign.run(&Log::default()).map_err(|error| error.to_string())?.clone();
        let found = failures(&results);
        if found != truth {
            return Err(format!("{way}: failures {found:?} instead of {truth:?}"));
        }
        if !results.complete {
            return Err(format!("{way}: not complete: {:?}, {:?}", results.arms, results.limits));
        }
        let pruner = campaign.pruner().expect("it was asked for");
        if let Some(path) = paths.iter().find(|path| pruner.full_on_path(path).is_some()) {
            return Err(format!("{way}: a failing path passes a full node: {path:?}"));
        }
        let pruned = results.pruned.expect("it was asked for");
        if pruned.verified && !truth.is_empty() {
            return Err(format!("{way}: verified, though there is a failure"));
        }
        sums.add(Sums {
            plain,
            runs: results.runs,
            confirmations: pruned.counters.confirmations,
            skipped: pruned.counters.skipped,
            reasons: pruned.reasons,
            ..Sums::default()
        });
    }
    Ok(Some(sums))
}

/// The arms of failing runs, those included that no input decides.
fn failing_paths(mut subject: CSubject, cases: &[TestCase]) -> Result<BTreeSet<Vec<Arm>>, String> {
    let mut terms = Terms::new();
    subject.follow(true).map_err(|error| error.to_string())?;
    let mut paths = BTreeSet::new();
    for case in cases {
        let input = subject.import(&case.input, &mut terms);
        let trace = subject.run(&TestCase { input, ..case.clone() }, &[], &mut terms).map_err(|error| error.to_string())?;
        let followed = trace.segments.ok_or("a run was not followed")?;
        followed.run.replay(&terms)?;
        paths.insert(followed.run.decisions.iter().map(|decision| decision.taken).collect());
    }
    Ok(paths)
}
