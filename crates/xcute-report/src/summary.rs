//! The summary of a campaign: the one JSON object of `--format json` and of `summary.json`.
//!
//! **Invariant.** The field names are an interface that scripts rely on: they are the same for every language, in this order, and
//! none is ever left out. What only some languages count has names of its own ([`Figures`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xcute_trace::{Bound, FailureKind, Frame, Happening, Held, Note};

use crate::figures::Figures;
use crate::ratio::Ratio;
use crate::timeline::Moment;

/// What a campaign found and how far it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this format, [`Summary::VERSION`]; 0 for those that were written before there was one.
    #[serde(default)]
    pub version: u32,
    /// The language of the subject: `c`.
    pub language: String,
    /// What was tested: the entry function, or the program.
    pub subject: String,
    /// The name of the strategy.
    pub strategy: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// How many workers searched together.
    pub jobs: u64,
    /// Why the campaign stopped, in kebab case: `complete`, `runs`, `time`, `first-failure`, `full-coverage`, `exhausted`, `interrupted`, `unwritten`.
    pub stop: String,
    /// Whether every feasible path was run and nothing could have hidden one.
    pub complete: bool,
    /// Up to which sizes inputs were made: what a complete search covers.
    #[serde(default)]
    pub bounds: Vec<Bound>,
    /// Inputs that a run asked for, at most; 0 where nothing is an input.
    #[serde(default = "some")]
    pub inputs: u64,
    /// Executions of the subject.
    pub runs: u64,
    /// What came of inputs that were changed at random; left out where none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuzzed: Option<Fuzzed>,
    /// Distinct paths that ran to an end, failing ones included.
    pub paths: u64,
    /// Runs that ended because an assumption did not hold.
    pub rejected: u64,
    /// How schedules were explored; left out where no two tasks could ever run.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub interleaved: Option<Interleaved>,
    /// Runs, besides `runs`, that a worker made to take over work of another.
    pub handovers: u64,
    /// What went wrong, each once, in the order of discovery: all of it was repeated on the uninstrumented program.
    pub failures: Vec<Failure>,
    /// What seemed to go wrong and could not be repeated there.
    #[serde(default)]
    pub unconfirmed: Vec<Unconfirmed>,
    /// The arms of the path tree by state.
    pub arms: Arms,
    /// What only this language counts.
    #[serde(flatten)]
    pub own: Figures,
    /// What pruning did; left out where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pruning: Option<Pruning>,
    /// How much of the subject's source ran.
    pub coverage: Coverage,
    /// What the solver did.
    pub solver: SolverShare,
    /// Where the time went.
    pub seconds: Seconds,
    /// What was concretised, unsupported or cut.
    pub limits: Vec<Limit>,
    /// How coverage grew; left out where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Moment>,
}

impl Summary {
    /// The version that is written. `docs/summary.schema.json` describes it. Fields may be added to it; where one goes away or changes its meaning, the version is another.
    pub const VERSION: u32 = 1;

    /// Whether what no run reached cannot be reached: every feasible path was run, and none was left to another.
    pub(crate) fn settled(&self) -> bool {
        let left = self.pruning.as_ref().is_some_and(|pruning| pruning.skipped + pruning.covered > 0);
        self.complete && self.arms.subsumed == 0 && !left
    }

    /// Where nothing is an input: what to do about it.
    pub(crate) fn no_input(&self) -> Option<&str> {
        self.limits.iter().find(|limit| limit.kind == xcute_trace::Limit::NO_INPUT).map(|limit| limit.what.as_str())
    }
}

/// A summary of an earlier version did not count inputs.
fn some() -> u64 {
    1
}

/// How the schedules of a program with several tasks were explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interleaved {
    /// By which algorithm: `dpor`, `sleep`, `races`, `all`, `preemptions`.
    pub schedules: String,
    /// Schedule choices that runs came to.
    pub choices: u64,
    /// Runs, besides `paths`, that ended where only sleeping tasks could have gone on.
    pub sleep_blocked: u64,
    /// Pairs of places with a data race.
    pub data_races: u64,
    /// How often the search restarted, because memory turned out to be shared.
    pub restarts: u64,
}

/// A failure that could not be repeated on the uninstrumented program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unconfirmed {
    /// The failure; its `replayed` is false.
    #[serde(flatten)]
    pub failure: Failure,
    /// What the uninstrumented program did, or why it was not asked.
    pub why: String,
}

/// A failure, deduplicated by kind, place, and the calls that lead there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Names it within the campaign.
    pub id: String,
    /// What kind of failure.
    pub kind: FailureKind,
    /// One line for a person.
    pub message: String,
    /// The file of the failing statement; empty where unknown.
    pub file: String,
    /// Its line, from 1; 0 where unknown.
    pub line: u32,
    /// Its column, from 1; 0 where unknown.
    #[serde(default)]
    pub column: u32,
    /// Its function.
    pub function: String,
    /// The calls that led there, innermost first.
    pub stack: Vec<Frame>,
    /// Other places that matter: where an object was allocated and freed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What the threads did, in order, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interleaving: Vec<Happening>,
    /// What variables in scope held where it failed, as far as it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Held>,
    /// For a data race, what came of its accesses in the other order; left out where that was not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flipped: Option<Flipped>,
    /// The path of the case file.
    pub case: String,
    /// The command that repeats it.
    pub replay: String,
    /// Whether the uninstrumented program failed in the same way on this input.
    pub replayed: bool,
}

/// What came of the accesses of a data race in the other order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Flipped {
    /// The run passed.
    Passed,
    /// It failed.
    Failed {
        /// What kind of failure.
        kind: FailureKind,
        /// One line for a person.
        message: String,
    },
}

impl Failure {
    /// Of a data race, in one line: what came of its accesses in the other order.
    pub(crate) fn other_order(&self) -> Option<String> {
        let said = match &self.flipped {
            Some(Flipped::Passed) => "no failure".to_owned(),
            Some(Flipped::Failed { kind, message }) => format!("{}: {message}", kind.name()),
            None => "not run".to_owned(),
        };
        (self.kind == FailureKind::DataRace).then_some(said)
    }

    /// The files that it has to do with, for their source.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        let notes = self.notes.iter().map(|note| &note.at.file);
        [&self.file].into_iter().chain(notes).chain(self.interleaving.iter().map(|step| &step.at.file))
    }
}

/// How many arms are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arms {
    /// A run took it.
    pub taken: u64,
    /// The solver proved that no input takes it.
    pub infeasible: u64,
    /// Nobody has tried it.
    pub open: u64,
    /// The solver gave up on it.
    pub unknown: u64,
    /// A run that should have taken it went elsewhere.
    pub diverged: u64,
    /// Left to an equal one.
    pub pruned: u64,
    /// Shown not to lead to a failure.
    #[serde(default)]
    pub subsumed: u64,
}

/// What pruning by interpolation did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pruning {
    /// `interpolation` or `auto`.
    pub prune: String,
    /// Whether with greedy confirmation.
    pub greedy: bool,
    /// Runs of the search that were looked at.
    pub runs: u64,
    /// Those of them that came to where nothing can fail.
    pub covered: u64,
    /// Arms that were not tried, because nothing can fail below them.
    pub skipped: u64,
    /// Paths below subsumed nodes that need not be run, by the count of what subsumes them: an estimate.
    pub spared: u64,
    /// Runs covered and arms skipped, as a share of all runs and all arms skipped, from 0 to 1.
    pub share: f64,
    /// Runs of greedy confirmation; not among the runs of the summary.
    pub confirmations: u64,
    /// Arms that they finished.
    pub confirmed: u64,
    /// Attempts that failed.
    pub not_confirmed: u64,
    /// Nodes with a full interpolant.
    pub full: u64,
    /// Those of them that another node subsumes.
    pub subsumed: u64,
    /// Different interpolants, kept to subsume others.
    pub kept: u64,
    /// Of these, those that were forgotten for newer ones: a program point keeps a limited number.
    #[serde(default)]
    pub forgotten: u64,
    /// Full nodes whose interpolant was given up for its size: they subsume nothing.
    #[serde(default)]
    pub given_up: u64,
    /// Why nodes stayed half, and how often that was met.
    pub half: BTreeMap<String, u64>,
    /// Questions to the solver.
    pub queries: u64,
    /// Whether the whole program was shown not to fail.
    pub verified: bool,
    /// Why nothing, or not all, could be looked at.
    pub reasons: Vec<String>,
    /// Time spent, runs of greedy confirmation included.
    pub seconds: f64,
    /// Time it took to make the program ready for it, besides `seconds`.
    pub build_seconds: f64,
}

/// Runs of inputs that were changed at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fuzzed {
    /// How many, besides the runs of the search.
    pub runs: u64,
    /// How many of them did something new: they were made once more as runs of the search.
    pub joined: u64,
}

/// How much of the subject's source ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Arms of branches and switches.
    pub branches: Ratio,
    /// Lines with code.
    pub lines: Ratio,
    /// Functions.
    pub functions: Ratio,
    /// Of [`Coverage::branches`], the arms that no input takes: a complete search met their decisions, and never took them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub infeasible: u64,
    /// What only this language has that can be covered.
    #[serde(flatten)]
    pub own: Figures,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Coverage {
    /// The arms of branches for people: how many were taken, of all, and the share of those that can be.
    pub(crate) fn arms(&self, of: &str) -> String {
        let Ratio { covered, total } = self.branches;
        let feasible = Ratio { covered, total: total.saturating_sub(self.infeasible) };
        match self.infeasible {
            0 => format!("{covered}{of}{total} ({} %)", feasible.percent()),
            infeasible => format!("{covered}{of}{total} ({infeasible} infeasible, {} % of the others)", feasible.percent()),
        }
    }
}

/// What the solver did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverShare {
    /// Questions asked.
    pub queries: u64,
    /// Who answered them, from the outermost layer to the real solver.
    pub layers: Vec<LayerShare>,
    /// Answered with a model.
    pub sat: u64,
    /// Answered with a contradiction.
    pub unsat: u64,
    /// Given up.
    pub unknown: u64,
    /// Time spent.
    pub seconds: f64,
}

/// The figures of one layer of the solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerShare {
    /// Its name.
    pub layer: String,
    /// Queries that came to it.
    pub seen: u64,
    /// Those it answered itself with a model.
    pub sat: u64,
    /// Those it answered itself with a contradiction.
    pub unsat: u64,
    /// Those it gave up.
    pub unknown: u64,
    /// The share of all queries that it answered itself, from 0 to 1.
    pub share: f64,
    /// Constraints that came in.
    pub constraints_in: u64,
    /// Constraints that it passed on.
    pub constraints_out: u64,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// The whole campaign.
    pub total: f64,
    /// Running the subject.
    pub subject: f64,
    /// Solving.
    pub solver: f64,
    /// Repeating failures on the uninstrumented program.
    #[serde(default)]
    pub confirming: f64,
}

/// Something that was not done exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limit {
    /// One word: `concretised`, `unsupported`, `uninstrumented`, `steps`, `depth` …
    pub kind: String,
    /// What exactly.
    pub what: String,
    /// In how many runs.
    pub count: u64,
    /// Whether paths may be missing because of it.
    pub incomplete: bool,
}
