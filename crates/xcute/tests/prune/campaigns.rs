//! One file of programs: the plain search to its end, and searches that prune, in every order.
//!
//! The file is built once; each search has a subject of its own.
//!
//! **Invariant.** Every search is complete, or explores no more than a horizon, or nothing is said about the file.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use tempfile::TempDir;
use xcute_c::inputs::Lengths;
use xcute_c::prepare::{COptions, prepare};
use xcute_c::subject::{CSubject, FollowMutant, RunOptions};
use xcute_engine::{Campaign, Confirmation, Equipment, Observer, Options, Prune, PruneOptions, Results, RunEvent, StopReason, run_all};
use xcute_solver::{Chain, ChainOptions, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::segments::Arm;
use xcute_trace::{Failure, Limit, Outcome, Sites, Subject, TestCase};

/// A way to search.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    strategy: StrategyName,
    prune: PruneOptions,
    jobs: usize,
}

impl Way {
    fn new(strategy: StrategyName, greedy: bool) -> Way {
        let prune = PruneOptions { prune: Prune::Interpolation, greedy, ..PruneOptions::default() };
        Way { strategy, prune, jobs: 1 }
    }

    /// Search orders, with and without greedy confirmation; and one of those that are rarer, by turns.
    fn all(seed: u64) -> Vec<Way> {
        let orders = [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg];
        let mut ways: Vec<Way> = orders.into_iter().flat_map(|order| [false, true].map(|greedy| Way::new(order, greedy))).collect();
        let turn = usize::try_from(seed).unwrap_or(0);
        let way = Way::new(orders[turn % 3], !seed.is_multiple_of(4));
        let prune = way.prune;
        ways.push(match turn % 5 {
            0 => Way { jobs: 2, ..way },
            1 => Way { prune: PruneOptions { horizon: Some(9), ..prune }, ..way },
            2 => Way { prune: PruneOptions { cap: 6, ..prune }, ..way },
            3 => Way { prune: PruneOptions { horizon: Some(16), cap: 16, ..prune }, ..way },
            _ => Way { prune: PruneOptions { cap: 16, per_point: 1, ..prune }, jobs: 2, ..way },
        });
        ways
    }
}

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
    results.failures.iter().map(|found| key(&found.failure)).collect()
}

fn key(failure: &Failure) -> (String, u32) {
    let place = failure.stack.iter().find(|frame| frame.file.ends_with("program.c")).map_or(0, |frame| frame.line);
    (format!("{:?}", failure.kind), place)
}

fn solver() -> Box<dyn Solver> {
    Box::new(Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]))
}

/// A file of programs, built.
pub struct Built {
    first: Option<CSubject>,
    _dir: TempDir,
}

impl Built {
    pub fn new(text: &str) -> Built {
        let dir = TempDir::new().expect("a scratch directory");
        Built { first: Some(subject(text, &dir)), _dir: dir }
    }

    /// A subject of its own.
    fn another(&mut self) -> CSubject {
        let first = self.first.take().expect("it is put back");
        let mut all = first.times(2).expect("subjects start");
        let other = all.pop().expect("two");
        self.first = all.pop();
        other
    }
}

fn subject(text: &str, dir: &TempDir) -> CSubject {
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
    prepare(&options).unwrap_or_else(|error| panic!("{error}\n{text}")).subject
}

/// What the plain search finds.
pub struct Truth {
    failures: Failures,
    paths: FailingPaths,
    runs: u64,
    /// Branch arms covered, and all there are.
    branches: (u64, u64),
    /// A value was concretised, so that nobody knows all failures.
    concretised: bool,
}

/// Searches without pruning. `None` if that takes more than `most` runs.
pub fn plain(built: &mut Built, most: u64) -> Result<Option<Truth>, String> {
    let log = Log::default();
    let (mut subject, options) = (built.another(), Options { runs: most, ..Options::default() });
    let strategy = StrategyName::Dfs.build(subject.sites(), 0);
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, options);
    let results = campaign.run(&log).map_err(|error| error.to_string())?;
    let concretised = results.limits.keys().any(|limit| limit.kind == "concretised");
    if results.stop == Some(StopReason::Runs) {
        return Ok(None);
    }
    if !is_whole(results) && !concretised {
        return Err(format!("the plain search is not complete: {:?}, {:?}, {:?}", results.stop, results.arms, results.limits));
    }
    let (failures, runs, branches) = (failures(results), results.runs, results.branches);
    let paths = failing_paths(built.another(), &log.failing.into_inner().expect("nobody panicked"))?;
    Ok(Some(Truth { failures, paths, runs, branches, concretised }))
}

/// Whether everything was explored, but for what comes after an uninitialised value decides something: that ends a run in every search.
fn is_whole(results: &Results) -> bool {
    let settled = results.arms.open == 0 && results.arms.unknown == 0 && results.arms.diverged == 0;
    let ends = |limit: &Limit| limit.kind == "cut" && limit.what.contains("used an uninitialised value");
    results.complete
        || (results.stop == Some(StopReason::Exhausted) && settled && results.limits.keys().all(|limit| !limit.incomplete || ends(limit)))
}

/// Compares all ways to prune with the plain search; what is wrong, if so. `None` where the plain search had to concretise a value, or would need more
/// than `most` runs.
pub fn check(text: &str, seed: u64, most: u64) -> Result<Option<Sums>, String> {
    let mut built = Built::new(text);
    let Some(truth) = plain(&mut built, most)?.filter(|truth| !truth.concretised) else { return Ok(None) };
    let mut sums = Sums { files: 1, failures: truth.failures.len(), failing_paths: truth.paths.len(), ..Sums::default() };
    for way in Way::all(seed) {
        let subjects: Vec<CSubject> = (0..way.jobs).map(|_| built.another()).collect();
        let more = prune(way, subjects, seed, &truth).map_err(|what| format!("{way:?}: {what}"))?;
        sums.add(Sums { plain: truth.runs, ..more });
    }
    Ok(Some(sums))
}

/// Whether something is found to be wrong when what is said of runs is broken; an assertion may find it, too.
pub fn notices(built: &mut Built, truth: &Truth, mutant: Option<FollowMutant>) -> Result<bool, String> {
    for greedy in [false, true] {
        let mut subject = built.another();
        if let Some(mutant) = mutant {
            subject.follow_broken(mutant).map_err(|error| error.to_string())?;
        }
        let way = Way::new(StrategyName::Dfs, greedy);
        let outcome = catch_unwind(AssertUnwindSafe(|| prune(way, vec![subject], 0, truth)));
        if !matches!(outcome, Ok(Ok(_))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Searches in one way.
fn prune(way: Way, mut subjects: Vec<CSubject>, seed: u64, truth: &Truth) -> Result<Sums, String> {
    let options = Options { prune: way.prune, ..Options::default() };
    // A failure that is further away than the horizon is found by luck, if at all.
    let near = |counted: usize| way.prune.horizon.is_none_or(|horizon| counted <= horizon as usize);
    let results = if let [subject] = &mut subjects[..] {
        let strategy = way.strategy.build(subject.sites(), seed);
        let mut campaign = Campaign::new(subject, solver(), strategy, options);
        campaign.prune_with(solver());
        let results = campaign.run(&Log::default()).map_err(|error| error.to_string())?.clone();
        let pruner = campaign.pruner().expect("it was asked for");
        let passes = |(path, (_, counted)): &(&Vec<Arm>, &(_, usize))| near(*counted) && pruner.full_on_path(path).is_some();
        if let Some((path, _)) = truth.paths.iter().find(passes) {
            return Err(format!("a failing path passes a full node: {path:?}"));
        }
        results
    } else {
        let strategy = |sites: &Sites, worker: u64| way.strategy.build(sites, seed + worker);
        let equipment = Equipment { solver: &solver, strategy: &strategy, options, seeds: &[], past: &[] };
        let (results, error) = run_all(&mut subjects, &equipment, &Log::default());
        error.map_or(Ok(results), |error| Err(error.to_string()))?
    };
    let found = failures(&results);
    let must: Failures = truth.paths.values().filter(|(_, counted)| near(*counted)).map(|(failure, _)| failure.clone()).collect();
    if !must.is_subset(&found) || !found.is_subset(&truth.failures) {
        return Err(format!("failures {found:?} instead of {must:?}"));
    }
    if way.prune.horizon.is_none() && !truth.concretised {
        if !is_whole(&results) {
            return Err(format!("not complete: {:?}, {:?}", results.arms, results.limits));
        }
        // An interpolant keeps what cannot be taken from being taken: nothing behind a subsumed node is new.
        if results.branches != truth.branches {
            return Err(format!("covers {:?} arms instead of {:?}", results.branches, truth.branches));
        }
    }
    let pruned = results.pruned.expect("it was asked for");
    if pruned.verified && (truth.concretised || !truth.failures.is_empty()) {
        return Err("verified, though something may fail".to_owned());
    }
    let (confirmations, skipped) = (pruned.counters.confirmations, pruned.counters.skipped);
    Ok(Sums { runs: results.runs, confirmations, skipped, reasons: pruned.reasons, ..Sums::default() })
}

/// The arms of failing runs, those included that no input decides; how each fails, and after how many decisions that horizons count.
type FailingPaths = BTreeMap<Vec<Arm>, ((String, u32), usize)>;

fn failing_paths(mut subject: CSubject, cases: &[TestCase]) -> Result<FailingPaths, String> {
    let mut terms = Terms::new();
    subject.follow(true).map_err(|error| error.to_string())?;
    let mut paths = FailingPaths::new();
    for case in cases {
        let input = subject.import(&case.input, &mut terms);
        let trace = subject.run(&TestCase { input, ..case.clone() }, &[], &mut terms).map_err(|error| error.to_string())?;
        let followed = trace.segments.ok_or("a run was not followed")?;
        followed.run.replay(&terms)?;
        let Outcome::Failed(failure) = &trace.outcome else { return Err(format!("a case that failed is {:?}", trace.outcome)) };
        let counted = followed.run.decisions.iter().filter(|decision| decision.counted).count();
        paths.insert(followed.run.decisions.iter().map(|decision| decision.taken).collect(), (key(failure), counted));
    }
    Ok(paths)
}
