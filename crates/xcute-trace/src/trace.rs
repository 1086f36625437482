//! Traces: what a run did.

use serde::{Deserialize, Serialize};
use xcute_term::TermId;

use crate::case::Schedule;
use crate::failure::Failure;
use crate::schedule::Concurrent;
use crate::segments::Followed;
use crate::site::SiteId;

/// What a decision is, for the tree: which arms may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// Arms exclude each other and together cover everything: branches, switches, checks.
    /// Every arm that was not taken is open.
    Branch,
    /// Only the taken arm is allowed: an assumption that held. The others are closed from the start.
    Assume,
    /// Only the taken arm is followed, though others exist: a concretised value. Counted as a limit by the front end.
    Pin,
    /// Which task runs next, and in which arm. The others are idle until somebody asks for them; every condition is `true`.
    Schedule,
}

/// A place where the run could have gone another way, because an input (or a schedule) decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Where.
    pub site: SiteId,
    /// Which kind.
    pub kind: DecisionKind,
    /// The arm that was taken.
    pub taken: u32,
    /// The condition of each arm, over the inputs. For a two-armed branch this is `[not c, c]`; exactly one holds.
    pub arms: Vec<TermId>,
}

/// Which budget a run used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// Steps of the subject.
    Steps,
    /// Wall time.
    Time,
    /// Memory of the subject.
    Memory,
    /// Recorded events or terms.
    Trace,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned, or ended by itself.
    Passed,
    /// It failed.
    Failed(Failure),
    /// An assumption did not hold.
    Rejected,
    /// It was cut off.
    OutOfBudget(Budget),
}

/// Something that was not done exactly: it keeps a campaign from being complete, or at least must be reported.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limit {
    /// One word: `concretised`, `unsupported`, `uninstrumented`, `steps`, `trace` …
    pub kind: String,
    /// What exactly: an instruction, a function, a place.
    pub what: String,
    /// Whether paths may be missing because of it.
    pub incomplete: bool,
}

impl Limit {
    /// The kind of limit that tells of a task that failed when another one had failed before, and not in a run of its own.
    pub const LATER: &'static str = "later-failure";
    /// The kind of limit that says that nothing is an input, and what to do about it.
    pub const NO_INPUT: &'static str = "no-input";
}

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The decisions, in order. The first [`Trace::known`] of them are the promised ones and are left out here.
    pub decisions: Vec<Decision>,
    /// How many decisions of the promise the run followed; `decisions` starts after them.
    pub known: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// Arms of sites, decided by inputs or not, that no earlier run of this subject had covered.
    pub covered: Vec<(SiteId, u32)>,
    /// Places of the source, in numbers of the front end, to which no earlier run of this subject had come.
    pub reached: Vec<u64>,
    /// What was not exact in this run, each once.
    pub limits: Vec<Limit>,
    /// The whole input, defaults of new variables included.
    pub input: xcute_term::Model,
    /// What several tasks did; `None` if there was only one.
    pub concurrent: Option<Box<Concurrent>>,
    /// What it did to memory, if the subject was asked for it.
    pub segments: Option<Box<Followed>>,
}

impl Trace {
    /// The schedule that repeats this run.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let steps = self.concurrent.iter().flat_map(|concurrent| &concurrent.record.steps);
        let choices = steps.filter(|step| step.options() > 1).map(|step| (step.task(), step.arm)).collect();
        Schedule { choices, failing: self.concurrent.as_ref().and_then(|concurrent| concurrent.failed), ..Schedule::default() }
    }
}
