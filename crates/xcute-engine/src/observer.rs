//! What the engine asks of, and tells, the world outside.

use std::time::Duration;

use xcute_race::Race;
use xcute_term::{Interrupt, Model, Terms, VarId};
use xcute_trace::{Failure, Happening, Held, Subject, Task, TaskId, TestCase, Trace};
use xcute_tree::{Arm, ArmId, Growth};

use crate::crew::Figures;
use crate::record::{Place, Record};

/// Whether a failure showed again on the uninstrumented program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It did.
    Confirmed,
    /// It did, and variables held these values there.
    ConfirmedWith(Vec<Held>),
    /// It failed in another way, which is the truth.
    Instead(Box<Failure>),
    /// It did not; why, in one line.
    NotReproduced(String),
    /// It did as expected as long as it was looked at, and may do otherwise later; what it did, in one line.
    Undecided(String),
    /// There was no time to see; why, in one line.
    NotTried(String),
}

/// A schedule arm that a run asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The arm.
    pub arm: ArmId,
    /// The step of that run at which it stands.
    pub step: usize,
    /// The race that it turns round, by its steps in that run; `None` for arms that are run in any case.
    pub cause: Option<Race>,
}

/// A run that has just been inserted.
pub struct RunEvent<'a> {
    /// Its number, from 1, over all workers.
    pub number: u64,
    /// The arm that it was to take.
    pub place: Option<Place>,
    /// Whether an earlier campaign recorded it.
    pub repeated: bool,
    /// Its input as it was asked for, and what that changes in the input of the run at `place`.
    pub(crate) input: &'a Model,
    pub(crate) patch: &'a Model,
    /// Who ran it.
    pub(crate) subject: &'a dyn Subject,
    /// What it did; `covered` is what no worker had covered before.
    pub trace: &'a Trace,
    /// What it added to the tree.
    pub growth: &'a Growth,
    /// The schedule arms that it opened, with the races that gave the reason.
    pub asked: &'a [Asked],
    /// The figures so far, this run included.
    pub figures: &'a Figures,
}

/// A run of greedy confirmation: made alongside the search, and not recorded.
pub struct Aside<'a> {
    /// The number of the run of the search after which it was made.
    pub number: u64,
    /// Its own number among those made then, from 1.
    pub nth: usize,
    /// Whether an earlier campaign made it as well.
    pub repeated: bool,
    /// Who ran it.
    pub(crate) subject: &'a dyn Subject,
    /// What it did; `covered` is what no worker had covered before.
    pub trace: &'a Trace,
}

impl Aside<'_> {
    /// What was run: the whole input, in the numbering that all subjects share.
    #[must_use]
    pub fn case(&self) -> TestCase {
        TestCase { input: self.subject.export(&self.trace.input), schedule: self.trace.schedule() }
    }
}

impl RunEvent<'_> {
    /// What was run: the whole input, in the numbering that all subjects share.
    #[must_use]
    pub fn case(&self) -> TestCase {
        TestCase { input: self.subject.export(&self.trace.input), schedule: self.trace.schedule() }
    }

    /// The fork paths of all tasks met so far.
    #[must_use]
    pub fn tasks(&self) -> Vec<TaskId> {
        self.subject.tasks()
    }

    /// What a task did, or would have done, at a step ([`Subject::happening`]). Only where no failure was confirmed meanwhile, which
    /// takes other runs.
    #[must_use]
    pub fn happening(&self, step: usize, task: Task) -> Option<Happening> {
        self.subject.happening(step, task)
    }

    /// The run as a record.
    #[must_use]
    pub fn record(&self) -> Record {
        if self.place.is_none() {
            return Record::Run { number: self.number, place: None, patch: self.subject.export(&self.trace.input) };
        }
        // Defaults may be random: those of inputs that nobody had asked for are recorded as well. Both lists are sorted.
        let mut asked = self.input.words().iter().map(|(var, _)| *var).peekable();
        let unasked = |(var, _): &(VarId, u64)| {
            while asked.next_if(|known| known < var).is_some() {}
            asked.peek() != Some(var)
        };
        let mut defaults = Model::from_words(self.trace.input.words().iter().copied().filter(unasked).collect());
        for (var, value) in self.trace.input.others().iter().filter(|(var, _)| !self.input.has(*var)) {
            defaults.set(*var, value.clone());
        }
        let patch = self.subject.export(&self.patch.patched(&defaults));
        Record::Run { number: self.number, place: self.place, patch }
    }
}

/// The world outside: clock, cancellation, confirmation of failures, progress. All workers of a campaign share it.
pub trait Observer: Sync {
    /// Time since the campaign began, from a clock that does not go back. Who has no clock says that nothing takes time.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// The input of a failure is made smaller, which may take a while.
    fn minimising(&self) {}

    /// The program is built in another way, which may take a while.
    fn building(&self) {}

    /// A run is being pruned, or no longer: that takes a while now and then, so it is said of each run and has to cost nothing.
    fn pruning(&self, _now: bool) {}

    /// Whether to stop now; asked between runs.
    fn stop(&self) -> bool {
        false
    }

    /// What ends queries, runs and all else that takes long: it is raised when the campaign has to stop. What was broken off is not recorded.
    fn interrupt(&self) -> Interrupt {
        Interrupt::never().clone()
    }

    /// Replays a case, in the numbering that all subjects share, on the uninstrumented program. One call at a time.
    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation;

    /// Takes note of a failure that showed on the uninstrumented program.
    fn found(&self, _terms: &Terms, _failure: &Failure, _case: &TestCase) {}

    /// Takes note of a failure that did not, so far, and why; it may be found later.
    fn doubted(&self, _terms: &Terms, _failure: &Failure, _case: &TestCase, _why: &str) {}

    /// Takes note that a failure is no longer in doubt: another one that stands for it was found.
    fn cleared(&self, _failure: &Failure) {}

    /// Takes note of a run.
    fn ran(&self, terms: &Terms, event: &RunEvent<'_>);

    /// Takes note of a run of greedy confirmation.
    fn ran_aside(&self, _terms: &Terms, _event: &Aside<'_>) {}

    /// Takes note of an arm that no run will take, because the solver or the pruner says so.
    fn settled(&self, _place: Place, _state: Arm) {}

    /// Takes note that the search restarts ([`Record::Restart`]): arms and paths so far no longer mean anything. `repeated`: an earlier campaign
    /// recorded it.
    fn restarted(&self, _repeated: bool) {}

    /// All records of an earlier campaign are repeated; the search goes on.
    fn repeated(&self) {}
}
