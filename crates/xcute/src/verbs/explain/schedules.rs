//! What the repeated runs tell of schedules: who asked for which arm, and who took it.
//!
//! **Invariant.** An arm is known by its choice's key and its number among the ways to go on, so that all runs that come there mean the same.

use std::collections::BTreeMap;

use xcute_race::{NodeKey, Race};
use xcute_report::schedules::{Asked, Choice, Racing, Way, WayState};
use xcute_trace::{Concurrent, Frame, Happening, Operation, Step, Task};
use xcute_tree::{Arm, ArmId, PathTree};

/// An arm: its choice, and its number among the ways to go on.
type Name = (NodeKey, u32);

/// An arm that a run asked for.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The step at which it stands.
    pub step: usize,
    /// Its number among the ways to go on.
    pub option: u32,
    /// The race that it turns around.
    pub race: Option<&'a Race>,
}

/// A run, as far as schedules go.
pub struct Run<'a> {
    pub number: u64,
    pub concurrent: &'a Concurrent,
    /// The arms it asked for.
    pub asked: &'a [Wanted<'a>],
    /// The last arm on its path in the tree.
    pub last: Option<ArmId>,
    /// The fork path of a task.
    pub name: &'a dyn Fn(Task) -> String,
    /// What a task did, or would have done, at a step.
    pub happening: &'a dyn Fn(usize, Task) -> Option<Happening>,
}

/// All that was found.
#[derive(Debug, Default)]
pub struct Schedules {
    /// The run whose choices are kept.
    wanted: Option<u64>,
    /// The choices of that run, with the depth of each in the tree, and how many steps it had.
    choices: Vec<(u32, NodeKey, Choice)>,
    steps: usize,
    last: Option<ArmId>,
    /// The run with which the search restarted; those before it no longer mean anything.
    restarted: u64,
    asked: BTreeMap<Name, Wish>,
    taken: BTreeMap<Name, u64>,
}

/// An arm that was asked for.
#[derive(Debug)]
struct Wish {
    run: u64,
    step: usize,
    /// Where it is in the tree: so deep on the path that ends here.
    last: Option<ArmId>,
    depth: u32,
    way: Way,
}

impl Schedules {
    /// Nothing yet; the choices of this run are to be kept.
    pub fn about(wanted: Option<u64>) -> Schedules {
        Schedules { wanted, ..Schedules::default() }
    }

    /// Takes note of a run.
    pub fn ran(&mut self, run: &Run<'_>) {
        let steps = &run.concurrent.record.steps;
        for step in steps.iter().filter(|step| step.options() > 1) {
            self.taken.entry((step.node, step.option())).or_insert(run.number);
        }
        for asked in run.asked {
            let step = &steps[asked.step];
            let ways = run.choice(asked.step, step).ways;
            let Some(way) = ways.into_iter().nth(asked.option as usize) else { continue };
            let reason = Asked { run: run.number, race: asked.race.map(|race| run.race(race)) };
            let way = Way { asked: Some(reason), ..way };
            let depth = run.concurrent.before[asked.step];
            let wish = Wish { run: run.number, step: asked.step + 1, last: run.last, depth, way };
            self.asked.entry((step.node, asked.option)).or_insert(wish);
        }
        if self.wanted == Some(run.number) {
            self.steps = steps.len();
            self.last = run.last;
            let choices = steps.iter().enumerate().filter(|(_, step)| step.options() > 1);
            self.choices = choices.map(|(at, step)| (run.concurrent.before[at], step.node, run.choice(at, step))).collect();
        }
    }

    /// Forgets everything: the search restarted with this run.
    pub fn restart(&mut self, run: u64) {
        *self = Schedules { wanted: self.wanted, restarted: run, ..Schedules::default() };
    }

    /// Why the wanted run no longer means anything, if it does not.
    pub fn void(&self) -> Option<String> {
        let run = self.wanted.filter(|run| *run < self.restarted)?;
        Some(format!("run {run} was discarded: the search restarted at run {} because more memory proved to be shared", self.restarted))
    }

    /// Whether there was anything to tell.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Why the arms of all runs were asked for.
    pub fn overview(&self, tree: &PathTree) -> String {
        let arms = self.asked.iter().map(|(&name, wish)| {
            let state = self.state(tree, name, wish.last, wish.depth);
            ((wish.run, wish.step), Way { state, ..wish.way.clone() })
        });
        let mut arms: Vec<_> = arms.collect();
        arms.sort_by_key(|(at, _)| *at);
        xcute_report::schedules::overview(&arms.iter().map(|(at, way)| (*at, way)).collect::<Vec<_>>())
    }

    /// The choices of the wanted run.
    pub fn run(&self, tree: &PathTree) -> String {
        let choices: Vec<Choice> = self.choices.iter().map(|(depth, node, choice)| self.settled(tree, *depth, *node, choice)).collect();
        xcute_report::schedules::run(self.wanted.unwrap_or(0), self.steps, &choices)
    }

    /// One choice of the wanted run. An error says what there is instead.
    pub fn choice(&self, tree: &PathTree, step: usize) -> Result<String, String> {
        if let Some((depth, node, choice)) = self.choices.iter().find(|(_, _, choice)| choice.step == step) {
            return Ok(xcute_report::schedules::choice(&self.settled(tree, *depth, *node, choice)));
        }
        let known: Vec<String> = self.choices.iter().map(|(_, _, choice)| choice.step.to_string()).collect();
        let run = self.wanted.unwrap_or(0);
        if known.is_empty() {
            return Err(format!("run {run} had no choice between threads"));
        }
        Err(format!("run {run} had no choice between threads at step {step}, but at {}", known.join(", ")))
    }

    /// A choice with what became of its ways.
    fn settled(&self, tree: &PathTree, depth: u32, node: NodeKey, choice: &Choice) -> Choice {
        let mut choice = choice.clone();
        for (option, way) in (0..).zip(&mut choice.ways) {
            way.state = self.state(tree, (node, option), self.last, depth);
            way.asked = self.asked.get(&(node, option)).and_then(|wish| wish.way.asked.clone());
        }
        choice
    }

    fn state(&self, tree: &PathTree, name: Name, last: Option<ArmId>, depth: u32) -> WayState {
        if let Some(&run) = self.taken.get(&name) {
            return WayState::Taken(run);
        }
        let mut at = last;
        while let Some(arm) = at.filter(|arm| tree.depth(arm.node) > depth) {
            at = tree.parent(arm.node);
        }
        match at.map(|arm| tree.arm(ArmId { node: arm.node, arm: name.1 })) {
            Some(Arm::Diverged | Arm::Unknown) => WayState::Diverged,
            Some(Arm::Idle) | None if !self.asked.contains_key(&name) => WayState::Idle,
            _ => WayState::Open,
        }
    }
}

impl Run<'_> {
    fn choice(&self, at: usize, step: &Step) -> Choice {
        let mut ways = Vec::new();
        for next in &step.enabled {
            for arm in 0..next.arms.max(1) {
                let number = (next.arms > 1).then_some(arm + 1);
                ways.push(Way { next: self.doing(at, next.task), arm: number, state: WayState::Idle, asked: None });
            }
        }
        Choice { run: self.number, step: at + 1, ways, chosen: step.option() as usize }
    }

    fn race(&self, race: &Race) -> [Racing; 2] {
        let steps = &self.concurrent.record.steps;
        let racing = |at: usize, task: Task| Racing { step: (at < steps.len()).then_some(at + 1), happening: self.doing(at, task) };
        [racing(race.first, steps[race.first].task()), racing(race.second, race.task)]
    }

    /// What a task does at a step, or could not do at the end.
    fn doing(&self, at: usize, task: Task) -> Happening {
        (self.happening)(at, task).unwrap_or_else(|| {
            let record = &self.concurrent.record;
            let next = match record.steps.get(at) {
                Some(step) => step.next_of(task),
                None => record.pending.iter().find(|next| next.task == task),
            };
            let what = next.map_or("goes on", |next| word(&next.operation)).to_owned();
            let at = Frame { function: String::new(), file: String::new(), line: 0, ..Frame::default() };
            Happening { task: (self.name)(task), what, at, marked: false }
        })
    }
}

/// An operation in a word or two, where the front end says nothing.
fn word(operation: &Operation) -> &'static str {
    use Operation as O;
    match operation {
        O::Read(_) | O::Load(_) => "reads memory",
        O::Write(_) | O::Store(_) => "writes memory",
        O::Update(_) | O::CompareExchange { .. } => "updates memory",
        O::Await { .. } | O::AwaitAny(_) => "waits for a value",
        O::Fence => "passes a fence",
        O::Park { .. } | O::Resume { .. } => "waits for a notification",
        O::Begin => "begins an atomic section",
        O::Lock(_) | O::TryLock(_) | O::ReadLock(_) | O::TryReadLock(_) | O::WriteLock(_) | O::TryWriteLock(_) => "locks",
        O::Unlock(_) | O::ReadUnlock(_) | O::WriteUnlock(_) => "unlocks",
        O::SemaphoreWait(_) | O::SemaphoreTryWait(_) => "takes a permit",
        O::SemaphorePost(_) => "returns a permit",
        O::Wait { .. } => "begins to wait",
        O::Reacquire { .. } => "wakes up",
        O::Notify(_) | O::NotifyAll(_) | O::Wake { .. } => "signals",
        O::Arrive { .. } | O::Pass { .. } => "is at a barrier",
        O::Join(_) => "joins",
        O::Yield => "yields",
    }
}

#[cfg(test)]
mod tests;
