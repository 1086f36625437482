//! The world of the model language: shared state, what is enabled, and the causal key of what has run.
//!
//! It has its own account of enabledness, accesses and vector clocks, written from the definitions and not for speed, so that the crate
//! is compared with something it does not share.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use xcute_race::{Cells, ObjectId, Operation, Until};
use xcute_trace::TaskId;

use crate::thread::{Ask, Body, Change, Thread, Value};

/// Threads and the values that objects start with.
#[derive(Clone, Default)]
pub struct Program {
    pub threads: Vec<Body>,
    pub memory: Vec<(u64, i64)>,
    pub permits: Vec<(u64, u64)>,
}

/// A location and whether it is updated.
pub type Touch = ((u8, u64), bool);

/// A clock by task path.
pub type Clock = BTreeMap<Vec<u16>, u32>;

/// An event of the causal key: task, number, arms, clock.
pub type Mark = (Vec<u16>, u32, Vec<u32>, Clock);

#[derive(Clone)]
pub struct ThreadState {
    pub id: Vec<u16>,
    body: Body,
    log: Vec<Value>,
    pub next: Option<Ask>,
    forks: u16,
    clock: Clock,
    number: u32,
    /// It is in an atomic section.
    pub section: bool,
}

/// What other threads can see.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Shared {
    memory: BTreeMap<u64, Value>,
    owners: BTreeMap<u64, usize>,
    permits: BTreeMap<u64, u64>,
    readers: BTreeMap<u64, Vec<usize>>,
    waiting: BTreeMap<u64, Vec<usize>>,
    woken: BTreeSet<usize>,
    arrived: BTreeMap<u64, u64>,
    error: bool,
}

#[derive(Clone)]
pub struct World {
    pub threads: Vec<ThreadState>,
    shared: Shared,
    /// Inputs that take all branches so far, the smallest first.
    pub inputs: Rc<Vec<[i64; 2]>>,
    /// Threads whose local code is to be run.
    pub running: Vec<usize>,
    /// Forks since the last visible operation.
    pub forked: Vec<(usize, usize)>,
    /// Branch arms since the last visible operation.
    pub arms: Vec<u32>,
    pub marks: Vec<Mark>,
    /// Who is in an atomic section that nobody may interrupt, and what it has touched there.
    holder: Option<usize>,
    held: Vec<Touch>,
    access: BTreeMap<(u8, u64), Clock>,
    update: BTreeMap<(u8, u64), Clock>,
}

fn join(a: &mut Clock, b: &Clock) {
    for (task, count) in b {
        let own = a.entry(task.clone()).or_default();
        *own = (*own).max(*count);
    }
}

impl World {
    pub fn new(program: &Program, domain: i64) -> World {
        let mut inputs: Vec<[i64; 2]> = (-domain..=domain).flat_map(|a| (-domain..=domain).map(move |b| [a, b])).collect();
        inputs.sort_by_key(|[a, b]| (a.abs() + b.abs(), *a, *b));
        let mut world = World {
            threads: Vec::new(),
            shared: Shared::default(),
            inputs: Rc::new(inputs),
            running: Vec::new(),
            forked: Vec::new(),
            arms: Vec::new(),
            marks: vec![(Vec::new(), 0, Vec::new(), Clock::new())],
            holder: None,
            held: Vec::new(),
            access: BTreeMap::new(),
            update: BTreeMap::new(),
        };
        world.shared.memory.extend(program.memory.iter().map(|(x, value)| (*x, Value::from(*value))));
        world.shared.permits.extend(program.permits.iter().copied());
        for (number, body) in program.threads.iter().enumerate() {
            world.spawn(vec![number as u16 + 1], body.clone(), Clock::new());
        }
        world.running.reverse();
        world
    }

    fn spawn(&mut self, id: Vec<u16>, body: Body, clock: Clock) -> usize {
        let next = Thread::next(&body, &[]);
        self.threads.push(ThreadState { id, body, log: Vec::new(), next, forks: 0, clock, number: 0, section: false });
        self.running.push(self.threads.len() - 1);
        self.threads.len() - 1
    }

    pub fn task_id(&self, thread: usize) -> TaskId {
        TaskId(self.threads[thread].id.clone())
    }

    pub fn error(&self) -> bool {
        self.shared.error
    }

    fn answer(&mut self, thread: usize, value: Value) {
        let state = &mut self.threads[thread];
        state.log.push(value);
        state.next = Thread::next(&state.body, &state.log);
    }

    /// Runs local code up to the next branch that several arms can take, or until every thread stands before a visible operation.
    /// The arms of that branch, each with the inputs that remain; empty if there is none.
    pub fn settle(&mut self) -> Vec<(u32, Rc<Vec<[i64; 2]>>)> {
        while let Some(&thread) = self.running.last() {
            match self.threads[thread].next.clone() {
                None | Some(Ask::Visible(..)) => {
                    self.running.pop();
                }
                Some(Ask::Error) => {
                    self.shared.error = true;
                    self.answer(thread, 0.into());
                }
                Some(Ask::Fork(body)) => {
                    self.threads[thread].forks += 1;
                    let mut id = self.threads[thread].id.clone();
                    id.push(self.threads[thread].forks);
                    let child = self.spawn(id, body, self.threads[thread].clock.clone());
                    self.forked.push((thread, child));
                    self.answer(thread, (child as i64).into());
                }
                Some(Ask::End) => {
                    self.threads[thread].section = false;
                    self.holder = self.holder.filter(|holder| *holder != thread);
                    self.answer(thread, 0.into());
                }
                Some(Ask::Choose(arms)) => return (0..arms).map(|arm| (arm, self.inputs.clone())).collect(),
                Some(Ask::Zero(value)) => {
                    let (zero, other): (Vec<_>, Vec<_>) = self.inputs.iter().partition(|input| value.at(**input) == 0);
                    if zero.is_empty() || other.is_empty() {
                        // Which of two equal branches comes first depends on the schedule, so the arm is noted even if no other can be taken.
                        self.branch(u32::from(other.is_empty()), self.inputs.clone());
                    } else {
                        return vec![(0, Rc::new(other)), (1, Rc::new(zero))];
                    }
                }
            }
        }
        Vec::new()
    }

    /// Takes an arm of the branch at which `settle` stopped.
    pub fn branch(&mut self, arm: u32, inputs: Rc<Vec<[i64; 2]>>) {
        let thread = *self.running.last().expect("a branch is open");
        self.inputs = inputs;
        self.arms.push(arm);
        self.marks.last_mut().expect("never empty").2.push(arm);
        self.answer(thread, i64::from(arm).into());
    }

    /// The next visible operation of a thread.
    pub fn operation(&self, thread: usize) -> Option<Operation> {
        match &self.threads[thread].next {
            Some(Ask::Visible(operation, _)) => Some(*operation),
            _ => None,
        }
    }

    fn value(&self, at: Cells) -> Value {
        self.shared.memory.get(&at.first.0).copied().unwrap_or_default()
    }

    fn free(&self, m: ObjectId) -> bool {
        !self.shared.owners.contains_key(&m.0)
    }

    fn unread(&self, l: ObjectId) -> bool {
        self.shared.readers.get(&l.0).is_none_or(Vec::is_empty)
    }

    fn waiters(&self, c: ObjectId) -> &[usize] {
        self.shared.waiting.get(&c.0).map_or(&[], Vec::as_slice)
    }

    /// The value or the permits that an operation meets.
    pub fn before(&self, operation: &Operation) -> u64 {
        use Operation as O;
        match *operation {
            O::Read(at) | O::Write(at) | O::Load(at) | O::Store(at) | O::Update(at) => self.value(at).0[0] as u64,
            O::CompareExchange { at, .. } | O::Await { at, .. } | O::Park { at, .. } => self.value(at).constant() as u64,
            // Here, some of it has changed if some of it is not 0.
            O::AwaitAny(all) => u64::from(all.cells().iter().any(|one| self.value(Cells::one(*one)).constant() != 0)),
            O::SemaphoreWait(s) | O::SemaphorePost(s) | O::SemaphoreTryWait(s) => self.shared.permits.get(&s.0).copied().unwrap_or(0),
            _ => 0,
        }
    }

    pub fn arms_of(&self, operation: &Operation) -> u32 {
        match operation {
            Operation::Notify(c) => (self.waiters(*c).len() as u32).max(1),
            _ => 1,
        }
    }

    /// Whether what a thread does next belongs to the section that is under way.
    pub fn glued(&self, thread: usize) -> bool {
        self.holder == Some(thread)
    }

    pub fn enabled(&self, thread: usize) -> bool {
        let excluded = self.holder.is_some_and(|holder| holder != thread && self.possible(holder));
        !excluded && self.possible(thread)
    }

    /// Whether a thread could run if no section kept it from that.
    fn possible(&self, thread: usize) -> bool {
        use Operation as O;
        let Some(operation) = self.operation(thread) else { return false };
        match operation {
            O::Await { until: Until::Equal(value), .. } => self.before(&operation) == value,
            O::Await { until: Until::NotEqual(value), .. } => self.before(&operation) != value,
            O::AwaitAny(_) | O::SemaphoreWait(_) => self.before(&operation) > 0,
            O::Lock(m) | O::ReadLock(m) => self.free(m),
            O::WriteLock(l) => self.free(l) && self.unread(l),
            O::Reacquire { mutex, alone, .. } => self.free(mutex) && (alone || self.shared.woken.contains(&thread)),
            O::Resume { alone, .. } => alone || self.shared.woken.contains(&thread),
            O::Pass { barrier, arrivals } => self.shared.arrived.get(&barrier.0).is_some_and(|arrived| *arrived >= arrivals),
            O::Join(task) => self.threads[task.index()].next.is_none(),
            _ => true,
        }
    }

    /// What the next operation of a thread accesses: in one arm, or in any.
    pub fn touches(&self, thread: usize, arm: Option<u32>) -> Vec<Touch> {
        use Operation as O;
        let object = |o: ObjectId, update: bool| vec![((0, o.0), update)];
        let wake = |all: &[usize]| all.iter().map(|waiter| ((2, *waiter as u64), true)).collect::<Vec<Touch>>();
        let Some(operation) = self.operation(thread) else { return Vec::new() };
        match operation {
            O::Read(at) | O::Load(at) | O::Await { at, .. } => object(at.first, false),
            O::AwaitAny(all) => all.cells().iter().flat_map(|one| object(*one, false)).collect(),
            O::Write(at) | O::Store(at) | O::Update(at) => object(at.first, true),
            O::CompareExchange { at, expected } => object(at.first, self.before(&operation) == expected),
            O::SemaphoreTryWait(s) => object(s, self.before(&operation) > 0),
            O::TryLock(m) => object(m, self.free(m)),
            O::ReadLock(l) | O::TryReadLock(l) | O::ReadUnlock(l) | O::Pass { barrier: l, .. } => object(l, false),
            O::Wait { condition, mutex } => vec![((0, mutex.0), true), ((1, condition.0), true)],
            O::Reacquire { condition, mutex, .. } => {
                let mut all = vec![((0, mutex.0), true), ((2, thread as u64), false)];
                if !self.shared.woken.contains(&thread) {
                    all.push(((1, condition.0), true));
                }
                all
            }
            O::Park { at, expected, queue } => {
                let mut all = object(at.first, false);
                if self.before(&operation) == expected {
                    all.push(((1, queue.0), true));
                }
                all
            }
            O::Resume { queue, .. } => {
                let mut all = vec![((2, thread as u64), false)];
                if !self.shared.woken.contains(&thread) {
                    all.push(((1, queue.0), true));
                }
                all
            }
            O::Notify(c) => {
                let waiters = self.waiters(c);
                let chosen = arm.map_or(waiters, |arm| waiters.get(arm as usize..=arm as usize).unwrap_or(&[]));
                [vec![((1, c.0), !waiters.is_empty())], wake(chosen)].concat()
            }
            O::NotifyAll(c) => [vec![((1, c.0), true)], wake(self.waiters(c))].concat(),
            O::Wake { condition, task } if self.waiters(condition).contains(&task.index()) => {
                [vec![((1, condition.0), true)], wake(&[task.index()])].concat()
            }
            O::Wake { condition, .. } => vec![((1, condition.0), false)],
            O::Join(_) | O::Yield | O::Fence | O::Begin => Vec::new(),
            O::Lock(o) | O::Unlock(o) | O::SemaphoreWait(o) | O::SemaphorePost(o) | O::Arrive { barrier: o } => object(o, true),
            O::WriteLock(o) | O::TryWriteLock(o) | O::WriteUnlock(o) => object(o, true),
        }
    }

    /// Whether what a thread does next, all of the section that it begins included, may conflict with these accesses.
    pub fn disturbs(&self, thread: usize, touches: &[Touch]) -> bool {
        if self.threads[thread].section || self.operation(thread) == Some(Operation::Begin) {
            return !touches.is_empty();
        }
        self.touches(thread, None).iter().any(|a| touches.iter().any(|b| a.0 == b.0 && (a.1 || b.1)))
    }

    /// Executes the next operation of a thread; `settle` comes next.
    pub fn step(&mut self, thread: usize, arm: u32) {
        let Some(Ask::Visible(operation, change)) = self.threads[thread].next.clone() else { panic!("nothing visible to do") };
        self.mark(thread, arm, &operation);
        self.forked.clear();
        self.arms.clear();
        self.threads[thread].section |= operation == Operation::Begin;
        self.holder = Some(thread).filter(|thread| self.threads[*thread].section);
        let answer = self.execute(thread, arm, &operation, change);
        self.answer(thread, answer);
        self.running.push(thread);
    }

    fn mark(&mut self, thread: usize, arm: u32, operation: &Operation) {
        let (mut touches, glued) = (self.touches(thread, Some(arm)), self.glued(thread));
        let mut clock = self.threads[thread].clock.clone();
        if !glued {
            *clock.entry(self.threads[thread].id.clone()).or_default() += 1;
            self.held.clear();
        }
        if let Operation::Join(child) = operation {
            join(&mut clock, &self.threads[child.index()].clock);
        }
        for (location, update) in &touches {
            let of = if *update { &self.access } else { &self.update };
            of.get(location).iter().for_each(|other| join(&mut clock, other));
        }
        // Whoever comes after one step of a section comes after all of them.
        self.held.append(&mut touches);
        for (location, update) in &self.held {
            join(self.access.entry(*location).or_default(), &clock);
            if *update {
                self.update.insert(*location, clock.clone());
            }
        }
        let state = &mut self.threads[thread];
        state.clock = clock.clone();
        if let (true, Some(mark)) = (glued, self.marks.last_mut()) {
            mark.2.push(arm);
            mark.3 = clock;
            return;
        }
        state.number += 1;
        self.marks.push((state.id.clone(), state.number, vec![arm], clock));
    }

    fn execute(&mut self, thread: usize, arm: u32, operation: &Operation, change: Change) -> Value {
        use Operation as O;
        let before = self.before(operation);
        match *operation {
            O::Read(at) | O::Load(at) | O::Await { at, .. } => return self.value(at),
            O::Write(at) | O::Store(at) | O::Update(at) | O::CompareExchange { at, .. } => {
                let old = self.value(at);
                let fails = matches!(operation, O::CompareExchange { expected, .. } if before != *expected);
                let new = match change {
                    _ if fails => old,
                    Change::Nothing => old,
                    Change::Set(value) => value,
                    Change::Add(value) => old + value,
                    Change::Fill(value) => {
                        if old == Value::default() {
                            value.into()
                        } else {
                            old
                        }
                    }
                };
                self.shared.memory.insert(at.first.0, new);
                return old;
            }
            O::SemaphoreWait(s) => {
                self.shared.permits.insert(s.0, before - 1);
            }
            O::SemaphoreTryWait(s) => {
                self.shared.permits.insert(s.0, before.saturating_sub(1));
                return i64::from(before > 0).into();
            }
            O::SemaphorePost(s) => {
                self.shared.permits.insert(s.0, before + 1);
            }
            O::Lock(m) | O::WriteLock(m) => {
                self.shared.owners.insert(m.0, thread);
            }
            O::TryLock(m) | O::TryWriteLock(m) => {
                let free = self.free(m) && self.unread(m);
                if free {
                    self.shared.owners.insert(m.0, thread);
                }
                return i64::from(free).into();
            }
            O::Unlock(m) | O::WriteUnlock(m) => {
                self.shared.owners.remove(&m.0);
            }
            O::ReadLock(l) | O::TryReadLock(l) => {
                let free = self.free(l);
                if free {
                    self.shared.readers.entry(l.0).or_default().push(thread);
                    self.shared.readers.entry(l.0).or_default().sort_unstable();
                }
                return i64::from(free).into();
            }
            O::ReadUnlock(l) => {
                let readers = self.shared.readers.entry(l.0).or_default();
                readers.remove(readers.iter().position(|reader| *reader == thread).expect("it reads"));
            }
            O::Wait { condition, mutex } => {
                self.shared.owners.remove(&mutex.0);
                self.shared.waiting.entry(condition.0).or_default().push(thread);
            }
            O::Reacquire { condition, mutex, .. } => {
                self.shared.owners.insert(mutex.0, thread);
                self.shared.waiting.entry(condition.0).or_default().retain(|waiter| *waiter != thread);
                return i64::from(!self.shared.woken.remove(&thread)).into();
            }
            O::Park { expected, queue, .. } => {
                if before == expected {
                    self.shared.waiting.entry(queue.0).or_default().push(thread);
                }
                return i64::from(before == expected).into();
            }
            O::Resume { queue, .. } => {
                self.shared.waiting.entry(queue.0).or_default().retain(|waiter| *waiter != thread);
                self.shared.woken.remove(&thread);
            }
            O::Notify(c) => {
                let waiting = self.shared.waiting.entry(c.0).or_default();
                if !waiting.is_empty() {
                    self.shared.woken.insert(waiting.remove(arm as usize));
                }
            }
            O::NotifyAll(c) => {
                let all = std::mem::take(self.shared.waiting.entry(c.0).or_default());
                self.shared.woken.extend(all);
            }
            O::Wake { condition, task } => {
                let waiting = self.shared.waiting.entry(condition.0).or_default();
                if let Some(at) = waiting.iter().position(|waiter| *waiter == task.index()) {
                    let woken = waiting.remove(at);
                    self.shared.woken.insert(woken);
                }
            }
            O::Arrive { barrier } => {
                let arrived = self.shared.arrived.entry(barrier.0).or_default();
                *arrived += 1;
                return (*arrived as i64 - 1).into();
            }
            O::AwaitAny(_) | O::Pass { .. } | O::Join(_) | O::Yield | O::Fence | O::Begin => {}
        }
        Value::default()
    }

    /// Threads that have not ended.
    pub fn alive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.threads.len()).filter(|thread| self.threads[*thread].next.is_some())
    }

    /// The causal class of what has run.
    pub fn class(&self) -> Vec<Mark> {
        let mut marks = self.marks.clone();
        marks.sort_unstable();
        marks
    }

    /// A digest of all that the threads have seen, and of what they leave.
    pub fn outcome(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&self.seen(), &mut hasher);
        std::hash::Hasher::finish(&hasher)
    }

    /// All that the future depends on.
    pub fn state(&self) -> impl Eq + std::hash::Hash + use<> {
        (self.seen(), self.holder)
    }

    fn seen(&self) -> impl Eq + std::hash::Hash + use<> {
        let logs: Vec<(Vec<u16>, Vec<Value>)> = self.threads.iter().map(|thread| (thread.id.clone(), thread.log.clone())).collect();
        (logs, self.shared.clone(), self.inputs.len(), self.inputs.first().copied())
    }
}
