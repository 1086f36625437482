//! Who runs next: the plan, the sleep set, the default. Every choice is recorded as a step.
//!
//! The JVM asks before each operation that others can see, and only one of its threads runs until it asks again. Here are the states of monitors and of
//! whoever waits ([`Objects`], the very rules by which the engine finds races), so no other side has to agree with them.
//!
//! A step with more than one option uses up one entry of the plan, whether or not somebody sleeps; of a strict plan, every step does. Tasks of the
//! plan's sleep set sleep from its last entry on, until an operation is executed that conflicts with theirs (Godefroid 1996).
//!
//! **Invariant.** Same plan and same program, same steps: nothing here depends on time, or on how the JVM names its threads.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_race::{Objects, Pct, Policy, PolicyName, Ready, conflict};
use xcute_trace::{DefaultChoice, End, Next, Nexts, NodeKey, ObjectId, Operation, Outside, Record, Schedule, Step, Task, TaskId};

use super::operation;
use super::tasks::Tasks;
use super::written::{self, Written};
use crate::program::Program;
use crate::wire::{Row, how, operation as op, task as state};

/// Steps that daemons may make when all others have ended.
const DAEMONS: usize = 10_000;

/// Steps of a run at most.
const STEPS: usize = 20_000;
/// A task that only read for this many steps gives way to others, where the plan says nothing: it may wait for one of them.
const PATIENCE: u32 = 50;
/// The same for one that made this many steps of any kind. So whoever can go on has its turn again and again, whatever the others do.
const SLICE: u32 = 200;
/// A run is endless if this many steps at its end show nothing new.
const NOTHING_NEW: usize = STEPS / 2;

/// What a run is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) choice: DefaultChoice,
}

/// Leads a run, and remembers what it did.
#[derive(Debug)]
pub(crate) struct Director<'a> {
    program: &'a Program,
    tasks: &'a Tasks,
    plan: Plan<'a>,
    policy: Option<Box<dyn Policy>>,
    objects: Objects,
    /// By number in the run: the task and its fork path.
    met: Vec<(Task, TaskId)>,
    /// Tasks by fork path: their numbers in the run.
    order: Vec<usize>,
    asleep: Vec<Task>,
    /// Choices of the plan that were made.
    made: usize,
    last: Option<Task>,
    /// Steps that this task made in a row which only read.
    looks: u32,
    /// Steps of any kind that it made in a row.
    row: u32,
    /// The one that others gave way to because they had run for long: it may do the same.
    turn: Option<Task>,
    /// Who did something where, and how many steps there were when that was new for the last time.
    places: FxHashSet<(Task, u32)>,
    news: usize,
    forked: Vec<(Task, Task)>,
    written: Written,
    /// Of tasks that wait for a change of several cells: whether each of these had one value only in their looks.
    steady: FxHashMap<Task, bool>,
    told: Directed,
}

/// What a run did.
#[derive(Clone, Debug)]
pub(crate) struct Directed {
    pub(crate) record: Record,
    /// The first choice of the plan that could not be made.
    pub(crate) strayed: Option<u32>,
    /// By number in the run: the task.
    pub(crate) tasks: Vec<Task>,
    /// Of each step: how many its task had made by then, itself included.
    pub(crate) ordinals: Vec<u32>,
    /// By number in the run: how many steps the task made.
    pub(crate) made: Vec<u32>,
    /// By number in the run: where it was started.
    pub(crate) started: Vec<u32>,
    /// By number in the run: how many steps there were when the task had ended or halted.
    pub(crate) ended: Vec<Option<usize>>,
    /// Where the tasks that are pending stand.
    pub(crate) standing: Vec<u32>,
    /// Somebody halted: who waits for it does not wait for ever.
    pub(crate) halted: bool,
    /// Of those who are pending, somebody is neither a daemon nor a thread of a pool that has nothing to do.
    pub(crate) stuck: bool,
    /// Of those who are pending, somebody tries to take a lock again and again.
    pub(crate) insists: bool,
    /// Daemons were stopped.
    pub(crate) daemons: bool,
    /// There were too many steps.
    pub(crate) endless: bool,
    /// After this many steps nobody did anything new, though all had their turns.
    pub(crate) turns: Option<usize>,
    /// Where threads stand in a line may make a difference, and none stood in one.
    pub(crate) lines: bool,
    /// The JVM wants something that cannot be.
    pub(crate) damaged: bool,
}

impl Directed {
    /// Whether some task was stopped before its end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.halted || self.record.end != End::Finished || !self.record.pending.is_empty()
    }
}

impl<'a> Director<'a> {
    pub(crate) fn new(program: &'a Program, tasks: &'a Tasks, plan: Plan<'a>) -> Director<'a> {
        let policy = policy(plan.choice);
        let asleep = if plan.schedule.choices.is_empty() { plan.schedule.asleep.clone() } else { Vec::new() };
        let told = Directed {
            record: Record { steps: Vec::new(), pending: Vec::new(), end: End::Cut },
            strayed: None,
            tasks: Vec::new(),
            ordinals: Vec::new(),
            made: Vec::new(),
            started: Vec::new(),
            ended: Vec::new(),
            standing: Vec::new(),
            halted: false,
            stuck: false,
            insists: false,
            daemons: false,
            endless: false,
            turns: None,
            lines: false,
            damaged: false,
        };
        let (objects, met, order, forked, written) = (Objects::default(), Vec::new(), Vec::new(), Vec::new(), Written::default());
        Director {
            program,
            tasks,
            plan,
            policy,
            objects,
            met,
            order,
            asleep,
            made: 0,
            last: None,
            looks: 0,
            row: 0,
            turn: None,
            places: FxHashSet::default(),
            news: 0,
            forked,
            written,
            steady: FxHashMap::default(),
            told,
        }
    }

    /// What the run did, given its tasks in the end; `None` if it had one task only.
    pub(crate) fn directed(mut self, rows: &[Row]) -> Option<Directed> {
        self.told.damaged |= self.meet(rows).is_none();
        self.told.lines |= rows.iter().any(|row| row.how & how::LINES != 0);
        // One that has a lock for reading may go on for ever because others wait.
        self.told.lines |= self.told.record.end == End::Cut && rows.iter().any(|row| row.how & how::READING != 0);
        (!self.told.record.steps.is_empty() || self.met.len() > 1).then_some(self.told)
    }

    /// Takes over tasks that are new.
    fn meet(&mut self, rows: &[Row]) -> Option<()> {
        for row in rows.iter().skip(self.met.len()) {
            let mut path = Vec::new();
            if let Some((_, parent)) = self.met.get(row.parent as usize).filter(|_| !self.met.is_empty()) {
                path.clone_from(&parent.0);
                path.push(u16::try_from(row.nth).ok()?);
            } else {
                path.push(1);
            }
            let id = TaskId(path);
            let task = self.tasks.intern(&id);
            if let Some((parent, _)) = self.met.get(row.parent as usize) {
                self.forked.push((*parent, task));
            }
            let number = self.met.len();
            let at = self.order.partition_point(|&other| self.met[other].1 < id);
            self.order.insert(at, number);
            self.met.push((task, id));
            self.told.tasks.push(task);
            self.told.made.push(0);
            self.told.started.push(row.place);
            self.told.ended.push(None);
        }
        let steps = self.told.record.steps.len();
        for (row, ended) in rows.iter().zip(&mut self.told.ended) {
            if matches!(row.state, state::ENDED | state::HALTED) && ended.is_none() {
                *ended = Some(steps);
            }
            self.told.halted |= row.state == state::HALTED;
        }
        match self.told.record.steps.last_mut() {
            Some(step) => step.forked.append(&mut self.forked),
            None => self.forked.clear(),
        }
        Some(())
    }

    /// Who goes on, by its number in the run, and which way; `None` ends the run.
    pub(crate) fn pick(&mut self, rows: &[Row]) -> Option<(u32, u32)> {
        if self.meet(rows).is_none() {
            self.told.damaged = true;
            return None;
        }
        self.settle(rows);
        let (mut enabled, mut numbers, mut blocked, mut standing) = (Nexts::new(), Vec::new(), Vec::new(), Vec::new());
        let mut late = Vec::new();
        for at in 0..self.order.len() {
            let number = self.order[at];
            let row = &rows[number];
            if row.state != state::WANTS {
                continue;
            }
            let task = self.met[number].0;
            let other = |other: u32| self.met.get(other as usize).map(|met| met.0);
            let Some(mut next) = operation::next(self.program, task, (row, rows), other).map(|next| self.written.valued(next)) else {
                self.told.damaged = true;
                return None;
            };
            if matches!(next.operation, Operation::AwaitAny(_)) && !self.is_steady(task, (row.looks >> 16) as usize) {
                next.before = 1;
            }
            let ended = |other: u32| rows.get(other as usize).is_some_and(|row| row.state == state::ENDED);
            let can = match next.operation {
                Operation::Join(_) => ended(row.other),
                _ => self.objects.enabled(task, &next.operation, next.before),
            };
            if let Operation::Notify(condition) = next.operation {
                next.arms = u32::try_from(self.objects.waiting(condition).len()).expect("few tasks").max(1);
            }
            if can && row.how & how::LATE != 0 && self.is_by_itself(&next) {
                late.push((next, number));
            } else if can {
                enabled.push(next);
                numbers.push(number);
            } else {
                blocked.push((next, row.how & (how::DAEMON | how::IDLE) != 0));
                standing.push(row.place);
            }
        }
        // Their time comes when somebody waits, and nobody else can go on.
        let comes = enabled.is_empty() && blocked.iter().any(|(_, may)| !may);
        for (next, number) in late {
            if comes {
                enabled.push(next);
                numbers.push(number);
            } else {
                blocked.push((next, true));
                standing.push(rows[number].place);
            }
        }
        if enabled.is_empty() {
            self.told.stuck = blocked.iter().any(|(_, may)| !may);
            self.told.insists = rows
                .iter()
                .any(|row| row.state == state::WANTS && matches!(row.operation, op::LOCK | op::ACQUIRE) && row.how & how::AWAITS != 0);
            self.told.standing = standing;
            return self.end(End::Finished, blocked.into_iter().map(|(next, _)| next).collect());
        }
        let everybody = standing.iter().copied().chain(numbers.iter().map(|&number| rows[number].place)).collect();
        let pending = |enabled: &Nexts| blocked.iter().map(|(next, _)| *next).chain(enabled.iter().copied()).collect();
        if self.only_daemons(rows) {
            self.told.daemons = true;
            return self.end(End::Cut, pending(&enabled));
        }
        if self.told.record.steps.len() >= STEPS {
            self.told.endless = true;
            self.told.turns = Some(self.news).filter(|_| self.is_fair(&enabled));
            self.told.standing = everybody;
            return self.end(End::Cut, pending(&enabled));
        }
        let options: u32 = enabled.iter().map(|next| next.arms).sum();
        let planned = if options > 1 || self.plan.schedule.strict { self.planned(&enabled) } else { None };
        let Some((chosen, arm)) = planned.or_else(|| self.by_default(&enabled).map(|chosen| (chosen, 0))) else {
            return self.end(End::Asleep, pending(&enabled));
        };
        let executed = enabled[chosen];
        // A thread that goes on without having been woken learns so: its time is over.
        let by_itself = self.is_by_itself(&executed);
        let interrupts = match executed.operation {
            Operation::Wake { condition, task } => self.objects.waiting(condition).contains(&task),
            _ => false,
        };
        self.wake(&executed, arm, rows);
        self.objects.execute(&executed, arm);
        self.written.execute(&executed);
        self.steady.remove(&executed.task);
        let looks = matches!(executed.operation, Operation::Read(_) | Operation::Load(_));
        self.looks = if looks { 1 + if self.last == Some(executed.task) { self.looks } else { 0 } } else { 0 };
        self.row = 1 + if self.last == Some(executed.task) { self.row } else { 0 };
        self.last = Some(executed.task);
        let place = rows[numbers[chosen]].place;
        if self.places.insert((executed.task, place)) {
            self.news = self.told.record.steps.len() + 1;
        }
        let (node, outside, forked) = (NodeKey(0), Outside::default(), Vec::new());
        self.told.record.steps.push(Step { node, enabled, chosen, arm, glued: false, outside, forked, branches: 0, place });
        let made = &mut self.told.made[numbers[chosen]];
        *made += 1;
        self.told.ordinals.push(*made);
        Some((u32::try_from(numbers[chosen]).expect("few tasks"), if by_itself || interrupts { 1 } else { arm }))
    }

    /// Whether a task would go on without having been woken.
    fn is_by_itself(&self, next: &Next) -> bool {
        matches!(next.operation, Operation::Reacquire { condition, .. } if self.objects.waiting(condition).contains(&next.task))
    }

    /// Learns what the last step left in memory, if its task says so.
    fn settle(&mut self, rows: &[Row]) {
        let Some(step) = self.told.record.steps.last() else { return };
        let own = (0..self.met.len()).find(|number| self.met[*number].0 == step.task());
        let Some(row) = own.map(|number| &rows[number]).filter(|row| row.state != state::RUNS) else { return };
        if row.how & how::UNCHANGED != 0 {
            self.written.unchanged(step.next());
        } else if row.how & how::VALUED != 0 {
            self.written.settle(step.next(), row.value);
        }
    }

    /// Whether a task that waits for a change saw one value only of each thing, in as many looks.
    fn is_steady(&mut self, task: Task, looks: usize) -> bool {
        // Its own steps say so, and it makes none while it waits.
        if let Some(&steady) = self.steady.get(&task) {
            return steady;
        }
        let mut seen: FxHashMap<ObjectId, u64> = FxHashMap::default();
        let own = self.told.record.steps.iter().rev().filter(|step| step.task() == task).map(Step::next);
        let looked = own.filter_map(|next| Some((written::memory(&next.operation)?.first, next.before))).take(looks);
        let steady = looked.into_iter().all(|(cell, before)| *seen.entry(cell).or_insert(before) == before);
        self.steady.insert(task, steady);
        steady
    }

    /// Whether nothing new has happened for long, while all who can go on had their turns.
    fn is_fair(&self, enabled: &[Next]) -> bool {
        let steps = &self.told.record.steps;
        let from = steps.len() - NOTHING_NEW;
        let turns = |next: &Next| steps[from..].iter().filter(|step| step.task() == next.task).count() > PATIENCE as usize;
        self.news <= from && self.made >= self.plan.schedule.choices.len() && enabled.iter().all(turns)
    }

    fn end(&mut self, end: End, pending: Vec<Next>) -> Option<(u32, u32)> {
        self.told.record.end = end;
        self.told.record.pending = pending;
        None
    }

    /// Whether only daemons are left, and had their time.
    fn only_daemons(&self, rows: &[Row]) -> bool {
        let lives = |row: &Row| matches!(row.state, state::WANTS | state::RUNS);
        let left = rows.iter().any(|row| lives(row) && row.how & how::DAEMON == 0);
        let since = self.told.ended.iter().flatten().max().copied().unwrap_or(0);
        !left && self.told.record.steps.len() - since > DAEMONS
    }

    /// The plan's choice; `None` if there is none, or it cannot be made.
    fn planned(&mut self, enabled: &[Next]) -> Option<(usize, u32)> {
        let schedule = self.plan.schedule;
        let &(task, arm) = schedule.choices.get(self.made)?;
        self.made += 1;
        if self.made == schedule.choices.len() {
            self.asleep.clone_from(&schedule.asleep);
        }
        let found = enabled.iter().position(|next| next.task == task && arm < next.arms);
        if found.is_none() {
            self.told.strayed.get_or_insert(u32::try_from(self.made).expect("few choices") - 1);
            self.made = schedule.choices.len();
        }
        found.map(|found| (found, arm))
    }

    /// Who runs where the plan says nothing; `None` if all sleep.
    fn by_default(&mut self, enabled: &[Next]) -> Option<usize> {
        let mut awake: Vec<usize> = (0..enabled.len()).filter(|at| !self.asleep.contains(&enabled[*at].task)).collect();
        // Whoever can go on only now and then, because of a lock that is taken again and again, has its turn as soon as it can.
        let long = self.row >= SLICE;
        if long && !self.asleep.is_empty() && awake.iter().all(|at| Some(enabled[*at].task) == self.last) {
            // Those that sleep are left out because other runs do what they would do. These may never come to it.
            self.asleep.clear();
            awake = (0..enabled.len()).collect();
        }
        if let (Some(policy), false) = (&mut self.policy, awake.is_empty()) {
            let ready =
                |at: &usize| Ready { task: enabled[*at].task, accesses: self.objects.accesses(&enabled[*at], enabled[*at].before, None) };
            return Some(awake[policy.choose(&awake.iter().map(ready).collect::<Vec<_>>())]);
        }
        if self.looks >= PATIENCE || long {
            // The next one in their order, so that nobody is left out.
            let is_last = |at: &usize| Some(enabled[*at].task) == self.last;
            let after = (0..enabled.len()).find(is_last).map_or(0, |last| last + 1);
            if let Some(other) = awake.iter().filter(|at| **at >= after).chain(&awake).find(|at| !is_last(at)) {
                self.turn = long.then(|| enabled[*other].task);
                return Some(*other);
            }
        }
        if let Some(at) = awake.iter().find(|at| Some(enabled[**at].task) == self.turn && self.turn == self.last) {
            return Some(*at);
        }
        let current = awake.iter().find(|at| Some(enabled[**at].task) == self.last).copied();
        current.filter(|_| self.plan.choice == DefaultChoice::Current).or_else(|| awake.first().copied())
    }

    /// Those whose next operation conflicts with what is executed now wake up.
    fn wake(&mut self, executed: &Next, arm: u32, rows: &[Row]) {
        if self.asleep.is_empty() {
            return;
        }
        let done = self.objects.accesses(executed, executed.before, Some(arm));
        let (objects, met, program, written) = (&self.objects, &self.met, self.program, &self.written);
        self.asleep.retain(|task| {
            let Some(number) = met.iter().position(|other| other.0 == *task) else { return true };
            let row = &rows[number];
            let other = |other: u32| met.get(other as usize).map(|met| met.0);
            let next = (row.state == state::WANTS)
                .then(|| operation::next(program, *task, (row, rows), other))
                .flatten()
                .map(|next| written.valued(next));
            let disturbed = next.is_some_and(|next| conflict(&objects.accesses(&next, next.before, None), &done));
            *task != executed.task && !disturbed
        });
    }
}

/// What chooses where the plan says nothing, if it is left to chance.
fn policy(choice: DefaultChoice) -> Option<Box<dyn Policy>> {
    let mut policy = match choice {
        DefaultChoice::Lowest | DefaultChoice::Current => return None,
        DefaultChoice::Walk(seed) => PolicyName::Walk.build(seed),
        DefaultChoice::Pct { seed, depth, steps } => Box::new(Pct::new(depth, seed).expecting(steps)),
        DefaultChoice::Pos(seed) => PolicyName::Pos.build(seed),
    };
    policy.begin();
    Some(policy)
}
