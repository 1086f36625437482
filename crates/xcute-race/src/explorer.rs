//! The explorer: takes in run records and says which schedule arms to open.
//!
//! It walks each record along the schedule tree, adds the choices that are new, looks for races where the run went where none had gone, and
//! lets the algorithm decide what they open. It never runs anything and has no queue: which opened arm is next is the business of
//! a search strategy.
//!
//! **Invariant.** Every arm is opened once, by the run that gave the reason, and lies on the path of that run. When every opened arm was
//! taken and nothing given up, the schedules are explored completely.

use smallvec::SmallVec;

use crate::algorithm::{Algorithm, Arrival, DefaultChoice, Enter, Flip};
use crate::causality::Causality;
use crate::class::ClassKey;
use crate::opening::{Diverged, Observed, Opening, Plan};
use crate::operation::conflict;
use crate::passage::{Come, Passage};
use crate::race::{Race, races};
use crate::record::{End, NodeKey, Record};
use crate::task::{Task, Tasks};
use crate::tree::{Edge, NodeIndex, ScheduleTree};

/// The state of an exploration of schedules.
#[derive(Debug)]
pub struct Explorer {
    algorithm: Box<dyn Algorithm>,
    tasks: Tasks,
    tree: ScheduleTree,
    /// The choices of the last run, by step: the next often begins like it, and the tree is large.
    last: Vec<Option<(NodeKey, NodeIndex)>>,
    /// Arms opened and not yet taken.
    open: usize,
    given_up: usize,
}

impl Explorer {
    /// An exploration that has seen nothing.
    #[must_use]
    pub fn new(algorithm: Box<dyn Algorithm>) -> Explorer {
        Explorer { algorithm, tasks: Tasks::default(), tree: ScheduleTree::default(), last: Vec::new(), open: 0, given_up: 0 }
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

    /// Whether races ask for arms.
    #[must_use]
    pub fn flips(&self) -> bool {
        self.algorithm.flips()
    }

    /// Whether the algorithm left out schedules that it does not think superfluous.
    #[must_use]
    pub fn left_out(&self) -> bool {
        self.algorithm.left_out()
    }

    /// The plan that leads to an arm: one that was opened, or one that was taken and below which a branch is to be flipped. `None` for
    /// an arm nobody asked for.
    #[must_use]
    pub fn plan(&self, node: NodeKey, task: Task, arm: u32) -> Option<Plan> {
        let at = self.tree.find(node)?;
        self.plan_for((at, self.tree.node(at).sibling(task, arm)?))
    }

    /// The same by its number among all ways to go on.
    #[must_use]
    pub fn plan_by_option(&self, node: NodeKey, option: u32) -> Option<Plan> {
        let at = self.tree.find(node)?;
        self.plan_for((at, self.tree.node(at).by_option(option)?))
    }

    fn plan_for(&self, edge: Edge) -> Option<Plan> {
        let choices = self.tree.path(edge);
        let (task, _) = *choices.last()?;
        let asleep = if self.algorithm.sleeps() { self.tree.node(edge.0).asleep(task).to_vec() } else { Vec::new() };
        Some(Plan { choices, asleep, ..Plan::default() })
    }

    /// Says that something below this task at this choice will not be explored: the solver does not know, a run was cut, it went another
    /// way. The exploration is no longer complete, and the task puts no later sibling to sleep.
    pub fn give_up(&mut self, node: NodeKey, task: Task) {
        self.given_up += 1;
        if let Some(at) = self.tree.find(node) {
            self.tree.give_up(at, task);
        }
    }

    /// The same for an arm by its number among all ways to go on.
    pub fn give_up_option(&mut self, node: NodeKey, option: u32) {
        let at = self.tree.find(node);
        let task = at.and_then(|at| self.tree.node(at).by_option(option).map(|sibling| self.tree.node(at).order[sibling as usize].task));
        match task {
            Some(task) => self.give_up(node, task),
            None => self.given_up += 1,
        }
    }

    /// Takes in a run.
    ///
    /// # Errors
    /// If the run contradicts an earlier one. What it added before that point stays.
    pub fn observe(&mut self, record: &Record) -> Result<Observed, Diverged> {
        self.observe_run(&Causality::new(record), 0)
    }

    /// Takes in a run whose causal relation is known already. The steps before `fresh` were taken in with an earlier run.
    ///
    /// # Errors
    /// As for [`Explorer::observe`].
    pub fn observe_run(&mut self, causality: &Causality<'_>, fresh: usize) -> Result<Observed, Diverged> {
        let record = causality.record();
        let mut passage = Passage { causality, nodes: Vec::with_capacity(record.steps.len()), opened: Vec::new() };
        let (mut cut, flips) = (None, self.algorithm.flips());
        let mut come = Come { edge: None, asleep: SmallVec::new(), class: ClassKey::default(), preemptions: 0 };
        for (at, step) in record.steps.iter().enumerate() {
            let choice = if step.options() > 1 { Some(self.arrive(&mut passage, at, &come)?) } else { None };
            passage.nodes.push(choice);
            self.last.resize(self.last.len().max(at + 1), None);
            self.last[at] = choice.map(|node| (step.node, node));
            if choice.is_some_and(|node| self.tree.node(node).cut) {
                cut = Some(at);
                break;
            }
            let new = match choice {
                Some(node) => self.take(&mut passage, at, node, &mut come),
                None => at >= fresh,
            };
            if let (Some(node), End::Cut) = (choice, record.end) {
                // Before its races are looked at: what they open must not trust a run that was cut.
                self.tree.give_up(node, step.task());
            }
            if new && flips {
                self.flip_all(&mut passage, races(causality, at, step.next()));
            }
            self.leave(&passage, at, &mut come);
        }
        if cut.is_none() && flips {
            for next in &record.pending {
                self.flip_all(&mut passage, races(causality, record.steps.len(), next));
            }
        }
        self.given_up += usize::from(record.end == End::Cut);
        Ok(Observed { opened: passage.opened, cut })
    }

    /// The node of a step with a choice, new or known.
    fn arrive(&mut self, passage: &mut Passage<'_>, at: usize, come: &Come) -> Result<NodeIndex, Diverged> {
        let step = passage.step(at);
        let last = self.last.get(at).copied().flatten().filter(|(key, _)| *key == step.node);
        if let Some(node) = last.map(|(_, node)| node).or_else(|| self.tree.find(step.node)) {
            let same = self.tree.is(node, come.edge, &self.tasks, &step.enabled);
            return if same { Ok(node) } else { Err(Diverged { node: step.node, step: at }) };
        }
        let node = self.tree.insert(step, come.edge, &self.tasks, &come.asleep);
        let last = at.checked_sub(1).map(|last| passage.step(last).task());
        let arrival = Arrival { enabled: &step.enabled, tasks: &self.tasks, class: come.class, last, preemptions: come.preemptions };
        match self.algorithm.enter(&arrival) {
            Enter::Cut => self.tree.node_mut(node).cut = true,
            Enter::Open(tasks) => tasks.into_iter().for_each(|task| self.open(passage, at, node, task, None)),
        }
        Ok(node)
    }

    /// Asks for all arms of a task at the choice before a step; what the step takes needs no run of its own.
    fn open(&mut self, passage: &mut Passage<'_>, at: usize, node: NodeIndex, task: Task, cause: Option<&Race>) {
        let step = passage.step(at);
        let (taken, mut option) = (step.option(), 0);
        for next in &step.enabled {
            for arm in 0..next.arms.max(1) {
                if next.task == task {
                    self.tree.node_mut(node).append(task, arm, option);
                    self.open += 1;
                    if option != taken {
                        passage.opened.push(Opening { node: step.node, step: at, task, arm, option, cause: cause.cloned() });
                    }
                }
                option += 1;
            }
        }
    }

    /// Notes the arm of a step; whether no run took it before.
    fn take(&mut self, passage: &mut Passage<'_>, at: usize, node: NodeIndex, come: &mut Come) -> bool {
        let (task, arm) = (passage.step(at).task(), passage.step(at).arm);
        if !self.tree.node(node).asked(task) {
            self.open(passage, at, node, task, None);
        }
        let sibling = self.tree.node(node).sibling(task, arm).expect("all arms of a task are asked for together");
        come.edge = Some((node, sibling));
        let new = self.tree.node_mut(node).take(sibling);
        self.open -= usize::from(new);
        new
    }

    fn flip_all(&mut self, passage: &mut Passage<'_>, races: Vec<Race>) {
        for race in races {
            let Some(at) = passage.nodes[race.first] else { continue };
            let enabled = &passage.step(race.first).enabled;
            let flip = Flip { node: self.tree.node(at), enabled, race: &race, causality: passage.causality, tasks: &self.tasks };
            if let Some(task) = self.algorithm.flip(&flip) {
                self.open(passage, race.first, at, task, Some(&race));
            }
        }
    }

    /// What the choice after a step learns.
    fn leave(&self, passage: &Passage<'_>, at: usize, come: &mut Come) {
        let step = passage.step(at);
        if self.algorithm.sleeps() {
            let asleep = passage.nodes[at].map_or_else(|| come.asleep.clone(), |node| self.tree.node(node).asleep(step.task()));
            let event = &passage.causality.events()[at];
            // In the middle of a section only its own task is listed.
            let could = passage.step(event.head);
            let sleeps = |task: &Task| {
                let next = could.next_of(*task);
                next.is_some_and(|next| !conflict(&passage.causality.accesses_ahead(at, next), &event.accesses))
            };
            come.asleep = asleep.into_iter().filter(sleeps).collect();
        }
        let preempted = at > 0 && passage.step(at - 1).task() != step.task() && step.next_of(passage.step(at - 1).task()).is_some();
        if self.algorithm.classes() {
            come.class = come.class.then(passage.causality, &self.tasks, at);
        }
        come.preemptions += u32::from(preempted);
    }
}
