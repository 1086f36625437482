//! The explorer: takes in run records and says which schedule arms to open.
//!
//! It walks each record along the schedule tree, adds the choices that are new, looks for races where the run went where none had gone, and
//! lets the algorithm decide what they open. It never runs anything and has no queue: which opened arm is next is the business of
//! a search strategy.
//!
//! **Invariant.** Every arm is opened once, by the run that gave the reason. When every opened arm was taken and nothing given up, the
//! schedules are explored completely.

use crate::algorithm::{Algorithm, Arrival, DefaultChoice, Enter, Flip};
use crate::causality::Causality;
use crate::class::ClassKey;
use crate::operation::conflict;
use crate::race::{Race, races};
use crate::record::{End, NodeKey, Record, Step};
use crate::task::{Task, Tasks};
use crate::tree::{NodeIndex, ScheduleTree, enabled};

/// How to come to a schedule arm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The task and the arm at each choice from the start; the last is the arm itself.
    pub choices: Vec<(Task, u32)>,
    /// The tasks that sleep when the last choice is made. From that operation on, the executor drops those whose next operation conflicts with
    /// what is executed, lets none of the others run, and ends the run when no other can.
    pub asleep: Vec<Task>,
}

/// A schedule arm to be run.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The choice.
    pub node: NodeKey,
    /// Who is to run there.
    pub task: Task,
    /// In which arm.
    pub arm: u32,
    /// Why: the race to be flipped, by its steps in the run that opened the arm. `None` for arms that are run in any case.
    pub cause: Option<Race>,
}

/// What became of a record.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The arms it opened.
    pub opened: Vec<Opening>,
    /// The causal class of the run.
    pub class: ClassKey,
    /// From this step on nothing is opened, for an equal choice was seen; branches need not be opened either.
    pub cut: Option<usize>,
}

/// A record that contradicts earlier ones: the same key, but other tasks could run. The executor is not deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("schedule choice {} came up again with other tasks, at step {step}", .node.0)]
pub struct Diverged {
    /// The choice.
    pub node: NodeKey,
    /// The step of the run.
    pub step: usize,
}

/// The state of an exploration of schedules.
#[derive(Debug)]
pub struct Explorer {
    algorithm: Box<dyn Algorithm>,
    tasks: Tasks,
    tree: ScheduleTree,
    /// Arms opened and not yet taken.
    open: usize,
    given_up: usize,
}

impl Explorer {
    /// An exploration that has seen nothing.
    #[must_use]
    pub fn new(algorithm: Box<dyn Algorithm>) -> Explorer {
        Explorer { algorithm, tasks: Tasks::default(), tree: ScheduleTree::default(), open: 0, given_up: 0 }
    }

    /// The tasks.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// The tasks, to name new ones.
    pub fn tasks_mut(&mut self) -> &mut Tasks {
        &mut self.tasks
    }

    /// How runs go on after their plan.
    #[must_use]
    pub fn default_choice(&self) -> DefaultChoice {
        self.algorithm.default_choice()
    }

    /// How many schedule choices were seen.
    #[must_use]
    pub fn choices(&self) -> usize {
        self.tree.len()
    }

    /// Whether every opened arm was taken, and none was given up.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.open == 0 && self.given_up == 0
    }

    /// The plan that leads to an arm: one that was opened, or one that was taken and below which a branch is to be flipped. `None` for
    /// an arm nobody asked for.
    #[must_use]
    pub fn plan(&self, node: NodeKey, task: Task, arm: u32) -> Option<Plan> {
        let at = self.tree.find(node)?;
        let sibling = &self.tree.node(at).order[self.tree.node(at).position(task)?];
        let mut choices = self.tree.path(at);
        choices.push((task, arm));
        let asleep = if self.algorithm.sleeps() { sibling.asleep.clone() } else { Vec::new() };
        Some(Plan { choices, asleep })
    }

    /// Says that something below this task at this choice will not be explored: the solver does not know, a run was cut, it went another
    /// way. The exploration is no longer complete, and the task puts no later sibling to sleep.
    pub fn give_up(&mut self, node: NodeKey, task: Task) {
        self.given_up += 1;
        if let Some(at) = self.tree.find(node) {
            self.tree.give_up(at, task);
        }
    }

    /// Takes in a run.
    ///
    /// # Errors
    /// If the run contradicts an earlier one. What it added before that point stays.
    pub fn observe(&mut self, record: &Record) -> Result<Observed, Diverged> {
        let causality = Causality::new(record);
        let mut passage = Passage { causality: &causality, nodes: Vec::with_capacity(record.steps.len()), opened: Vec::new() };
        let mut cut = None;
        let mut come = Come { asleep: Vec::new(), class: ClassKey::default(), preemptions: 0 };
        for (at, step) in record.steps.iter().enumerate() {
            let node = self.arrive(&mut passage, at, step, &come)?;
            passage.nodes.push(node);
            if self.tree.node(node).cut {
                cut = Some(at);
                break;
            }
            let new = self.take(&mut passage, node, step);
            if record.end == End::Cut {
                // Before its races are looked at: what they open must not trust a run that was cut.
                self.tree.give_up(node, step.task());
            }
            if new {
                self.flip_all(&mut passage, races(&causality, at, step.next()));
            }
            come = self.leave(&passage, at, step, &come);
        }
        if cut.is_none() {
            for next in &record.pending {
                self.flip_all(&mut passage, races(&causality, record.steps.len(), next));
            }
        }
        self.given_up += usize::from(record.end == End::Cut);
        let class =
            (cut.unwrap_or(record.steps.len())..record.steps.len()).fold(come.class, |class, at| class.then(&causality, &self.tasks, at));
        Ok(Observed { opened: passage.opened, class, cut })
    }

    /// The node of a step, new or known.
    fn arrive(&mut self, passage: &mut Passage<'_>, at: usize, step: &Step, come: &Come) -> Result<NodeIndex, Diverged> {
        let parent = at.checked_sub(1).map(|last| (passage.nodes[last], passage.step(last).task(), passage.step(last).arm));
        if let Some(node) = self.tree.find(step.node) {
            let known = self.tree.node(node);
            return if known.is(parent, &step.enabled) { Ok(node) } else { Err(Diverged { node: step.node, step: at }) };
        }
        let enabled = enabled(&self.tasks, &step.enabled);
        let node = self.tree.insert(step.node, parent, enabled, come.asleep.clone());
        let last = parent.map(|(_, task, _)| task);
        let arrival = Arrival { node: self.tree.node(node), class: come.class, last, preemptions: come.preemptions };
        match self.algorithm.enter(&arrival) {
            Enter::Cut => self.tree.node_mut(node).cut = true,
            Enter::Open(tasks) => tasks.into_iter().for_each(|task| self.open(passage, node, task, None)),
        }
        Ok(node)
    }

    /// Asks for all arms of a task.
    fn open(&mut self, passage: &mut Passage<'_>, at: NodeIndex, task: Task, cause: Option<&Race>) {
        let node = self.tree.node_mut(at);
        node.append(task);
        for arm in 0..node.arms(task) {
            passage.opened.push(Opening { node: node.key, task, arm, cause: cause.cloned() });
            self.open += 1;
        }
    }

    /// Notes the arm of a step; whether no run took it before.
    fn take(&mut self, passage: &mut Passage<'_>, at: NodeIndex, step: &Step) -> bool {
        let taken = (step.task(), step.arm);
        if self.tree.node(at).taken.contains(&taken) {
            return false;
        }
        if self.tree.node(at).position(taken.0).is_none() {
            self.open(passage, at, taken.0, None);
        }
        let node = self.tree.node_mut(at);
        node.taken.push(taken);
        passage.opened.retain(|opening| (opening.node, opening.task, opening.arm) != (node.key, taken.0, taken.1));
        self.open -= 1;
        true
    }

    fn flip_all(&mut self, passage: &mut Passage<'_>, races: Vec<Race>) {
        for race in races {
            let at = passage.nodes[race.first];
            let flip = Flip { node: self.tree.node(at), race: &race, causality: passage.causality, tasks: &self.tasks };
            if let Some(task) = self.algorithm.flip(&flip) {
                self.open(passage, at, task, Some(&race));
            }
        }
    }

    /// What the choice after a step is told.
    fn leave(&self, passage: &Passage<'_>, at: usize, step: &Step, come: &Come) -> Come {
        let node = self.tree.node(passage.nodes[at]);
        let mut asleep = Vec::new();
        if self.algorithm.sleeps()
            && let Some(position) = node.position(step.task())
        {
            let event = &passage.causality.events()[at];
            let sleeps = |task: &&Task| {
                let next = step.next_of(**task);
                next.is_some_and(|next| !conflict(&passage.causality.accesses_ahead(at, next), &event.accesses))
            };
            asleep = node.order[position].asleep.iter().filter(sleeps).copied().collect();
        }
        let preempted = at > 0 && passage.step(at - 1).task() != step.task() && step.next_of(passage.step(at - 1).task()).is_some();
        Come { asleep, class: come.class.then(passage.causality, &self.tasks, at), preemptions: come.preemptions + u32::from(preempted) }
    }
}

/// A record on its way through the tree.
struct Passage<'a> {
    causality: &'a Causality<'a>,
    nodes: Vec<NodeIndex>,
    opened: Vec<Opening>,
}

impl Passage<'_> {
    fn step(&self, at: usize) -> &Step {
        &self.causality.record().steps[at]
    }
}

/// What a choice is told by the one before.
struct Come {
    asleep: Vec<Task>,
    class: ClassKey,
    preemptions: u32,
}
