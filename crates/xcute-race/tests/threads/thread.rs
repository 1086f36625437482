//! Threads of the model language: plain closures that are run again from the start for each step.
//!
//! Each primitive asks the world. While the log of the thread has an answer it goes on; at the first question without an answer it
//! pauses, and the question is what the thread will do next. So programs are written as ordinary Rust, and threads need no stacks.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::rc::Rc;

use xcute_race::{Cells, ObjectId, Operation, Several, Task, Until};

/// A value: a constant plus multiples of the two inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Value(pub [i64; 3]);

impl Value {
    pub fn constant(self) -> i64 {
        assert!(self.0[1] == 0 && self.0[2] == 0, "a concrete value is needed here");
        self.0[0]
    }
    pub fn is_constant(self) -> bool {
        self.0[1] == 0 && self.0[2] == 0
    }
    pub fn at(self, input: [i64; 2]) -> i64 {
        self.0[0] + self.0[1] * input[0] + self.0[2] * input[1]
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value([value, 0, 0])
    }
}

impl<V: Into<Value>> Add<V> for Value {
    type Output = Value;
    fn add(self, other: V) -> Value {
        let other = other.into();
        Value(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Value {
    type Output = Value;
    fn sub(self, other: Value) -> Value {
        self + other * -1
    }
}

impl Mul<i64> for Value {
    type Output = Value;
    fn mul(self, factor: i64) -> Value {
        Value(self.0.map(|part| part * factor))
    }
}

/// The thread asked something that has no answer yet.
#[derive(Debug)]
pub struct Pause;

/// What a primitive gives.
pub type Step<T = ()> = Result<T, Pause>;

/// What a thread does.
pub type Body = Rc<dyn Fn(&mut Thread<'_>) -> Step>;

pub fn body(code: impl Fn(&mut Thread<'_>) -> Step + 'static) -> Body {
    Rc::new(code)
}

/// What an operation does to memory.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Nothing,
    Set(Value),
    Add(i64),
    /// Only if it is 0.
    Fill(i64),
}

/// A question to the world.
#[derive(Clone)]
pub enum Ask {
    /// A visible operation, with what it does to memory.
    Visible(Operation, Change),
    Fork(Body),
    /// Whether the value is 0, which the inputs decide.
    Zero(Value),
    Choose(u32),
    /// The end of an atomic section.
    End,
    Error,
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Visible(operation, value) => write!(f, "{operation:?} {value:?}"),
            Ask::Fork(_) => write!(f, "fork"),
            Ask::Zero(value) => write!(f, "zero {value:?}"),
            Ask::Choose(arms) => write!(f, "choose {arms}"),
            Ask::End => write!(f, "end"),
            Ask::Error => write!(f, "error"),
        }
    }
}

/// A thread that is run up to its next question.
pub struct Thread<'l> {
    log: &'l [Value],
    at: usize,
    asked: Option<Ask>,
    held: BTreeMap<u64, u32>,
    spurious: u32,
}

fn cell(x: u64) -> Cells {
    Cells::one(ObjectId(x))
}

impl<'l> Thread<'l> {
    /// The next question of a thread with this log; `None` when it has ended.
    pub fn next(body: &Body, log: &'l [Value]) -> Option<Ask> {
        let mut thread = Thread { log, at: 0, asked: None, held: BTreeMap::new(), spurious: 0 };
        match body(&mut thread) {
            Ok(()) => None,
            Err(Pause) => thread.asked,
        }
    }

    fn ask(&mut self, ask: impl FnOnce() -> Ask) -> Step<Value> {
        match self.log.get(self.at) {
            Some(answer) => {
                self.at += 1;
                Ok(*answer)
            }
            None => {
                self.asked = Some(ask());
                Err(Pause)
            }
        }
    }

    fn change(&mut self, operation: Operation, change: Change) -> Step<Value> {
        self.ask(|| Ask::Visible(operation, change))
    }
    fn visible(&mut self, operation: Operation) -> Step<Value> {
        self.change(operation, Change::Nothing)
    }

    pub fn input(&self, number: usize) -> Value {
        let mut value = Value::default();
        value.0[number + 1] = 1;
        value
    }

    pub fn read(&mut self, x: u64) -> Step<Value> {
        self.visible(Operation::Read(cell(x)))
    }
    pub fn write(&mut self, x: u64, value: impl Into<Value>) -> Step {
        self.change(Operation::Write(cell(x)), Change::Set(value.into())).map(drop)
    }
    pub fn load(&mut self, x: u64) -> Step<Value> {
        self.visible(Operation::Load(cell(x)))
    }
    pub fn store(&mut self, x: u64, value: impl Into<Value>) -> Step {
        self.change(Operation::Store(cell(x)), Change::Set(value.into())).map(drop)
    }
    /// Adds to an atomic and gives the old value.
    pub fn add(&mut self, x: u64, value: i64) -> Step<Value> {
        self.change(Operation::Update(cell(x)), Change::Add(value))
    }
    /// Sets an atomic that is 0, and gives the old value. Always an update.
    pub fn fill(&mut self, x: u64, value: i64) -> Step<i64> {
        Ok(self.change(Operation::Update(cell(x)), Change::Fill(value))?.constant())
    }
    /// Whether it succeeded.
    pub fn cas(&mut self, x: u64, expected: i64, value: i64) -> Step<bool> {
        Ok(self.change(Operation::CompareExchange { at: cell(x), expected: expected as u64 }, Change::Set(value.into()))?.constant()
            == expected)
    }
    pub fn until(&mut self, x: u64, value: i64) -> Step {
        self.visible(Operation::Await { at: cell(x), until: Until::Equal(value as u64) }).map(drop)
    }
    /// Until one of two cells is not 0.
    pub fn until_any(&mut self, x: u64, y: u64) -> Step {
        self.visible(Operation::AwaitAny(Several::of(&[cell(x).first, cell(y).first]))).map(drop)
    }
    pub fn until_not(&mut self, x: u64, value: i64) -> Step {
        self.visible(Operation::Await { at: cell(x), until: Until::NotEqual(value as u64) }).map(drop)
    }

    pub fn lock(&mut self, m: u64) -> Step {
        if self.held.get(&m).copied().unwrap_or(0) == 0 {
            self.visible(Operation::Lock(ObjectId(m)))?;
        }
        *self.held.entry(m).or_default() += 1;
        Ok(())
    }
    pub fn try_lock(&mut self, m: u64) -> Step<bool> {
        let got = self.visible(Operation::TryLock(ObjectId(m)))?.constant() == 1;
        if got {
            self.held.insert(m, 1);
        }
        Ok(got)
    }
    pub fn unlock(&mut self, m: u64) -> Step {
        if self.held.get(&m) == Some(&1) {
            self.visible(Operation::Unlock(ObjectId(m)))?;
        }
        self.held.entry(m).and_modify(|depth| *depth -= 1);
        Ok(())
    }
    pub fn locked(&mut self, m: u64, inner: impl FnOnce(&mut Self) -> Step) -> Step {
        self.lock(m)?;
        inner(self)?;
        self.unlock(m)
    }
    pub fn p(&mut self, s: u64) -> Step {
        self.visible(Operation::SemaphoreWait(ObjectId(s))).map(drop)
    }
    pub fn try_p(&mut self, s: u64) -> Step<bool> {
        Ok(self.visible(Operation::SemaphoreTryWait(ObjectId(s)))?.constant() == 1)
    }
    pub fn v(&mut self, s: u64) -> Step {
        self.visible(Operation::SemaphorePost(ObjectId(s))).map(drop)
    }
    pub fn read_lock(&mut self, l: u64) -> Step {
        self.visible(Operation::ReadLock(ObjectId(l))).map(drop)
    }
    pub fn try_read_lock(&mut self, l: u64) -> Step<bool> {
        Ok(self.visible(Operation::TryReadLock(ObjectId(l)))?.constant() == 1)
    }
    pub fn read_unlock(&mut self, l: u64) -> Step {
        self.visible(Operation::ReadUnlock(ObjectId(l))).map(drop)
    }
    pub fn write_lock(&mut self, l: u64) -> Step {
        self.visible(Operation::WriteLock(ObjectId(l))).map(drop)
    }
    pub fn try_write_lock(&mut self, l: u64) -> Step<bool> {
        Ok(self.visible(Operation::TryWriteLock(ObjectId(l)))?.constant() == 1)
    }
    pub fn write_unlock(&mut self, l: u64) -> Step {
        self.visible(Operation::WriteUnlock(ObjectId(l))).map(drop)
    }

    /// A Java wait: the condition of the mutex.
    pub fn wait(&mut self, m: u64) -> Step {
        self.wait_alone(m, 0)
    }
    /// A wait in a thread that may wake up by itself this many times.
    pub fn wait_alone(&mut self, m: u64, budget: u32) -> Step {
        let (condition, mutex) = (ObjectId(m), ObjectId(m));
        self.visible(Operation::Wait { condition, mutex })?;
        let alone = self.spurious < budget;
        self.spurious += self.visible(Operation::Reacquire { condition, mutex, alone })?.constant() as u32;
        Ok(())
    }
    pub fn notify(&mut self, m: u64) -> Step {
        self.visible(Operation::Notify(ObjectId(m))).map(drop)
    }
    pub fn notify_all(&mut self, m: u64) -> Step {
        self.visible(Operation::NotifyAll(ObjectId(m))).map(drop)
    }
    /// Ends the wait of a thread, by its number.
    pub fn interrupt(&mut self, m: u64, thread: u32) -> Step {
        self.visible(Operation::Wake { condition: ObjectId(m), task: Task(thread) }).map(drop)
    }
    /// Runs the rest without anybody in between.
    pub fn section(&mut self, inner: impl FnOnce(&mut Self) -> Step) -> Step {
        self.visible(Operation::Begin)?;
        inner(self)?;
        self.ask(|| Ask::End).map(drop)
    }
    /// Waits, as a futex does, for a wake-up while the memory has this value.
    pub fn park(&mut self, x: u64, value: i64) -> Step {
        let queue = ObjectId(x);
        if self.visible(Operation::Park { at: cell(x), expected: value as u64, queue })?.constant() == 1 {
            self.visible(Operation::Resume { queue, alone: false })?;
        }
        Ok(())
    }
    pub fn barrier(&mut self, b: u64, parties: u64) -> Step {
        let barrier = ObjectId(b);
        let before = self.visible(Operation::Arrive { barrier })?.constant() as u64;
        let arrivals = (before / parties + 1) * parties;
        self.visible(Operation::Pass { barrier, arrivals }).map(drop)
    }

    /// The number of the new thread, for `join`.
    pub fn fork(&mut self, body: &Body) -> Step<i64> {
        Ok(self.ask(|| Ask::Fork(body.clone()))?.constant())
    }
    pub fn join(&mut self, thread: i64) -> Step {
        self.visible(Operation::Join(xcute_race::Task(thread as u32))).map(drop)
    }
    pub fn pass_on(&mut self) -> Step {
        self.visible(Operation::Yield).map(drop)
    }
    pub fn choose(&mut self, arms: u32) -> Step<i64> {
        Ok(self.ask(|| Ask::Choose(arms))?.constant())
    }
    pub fn equal(&mut self, a: impl Into<Value>, b: impl Into<Value>) -> Step<bool> {
        let difference = a.into() - b.into();
        if difference.is_constant() {
            return Ok(difference == Value::default());
        }
        Ok(self.ask(|| Ask::Zero(difference))?.constant() == 1)
    }
    pub fn error(&mut self) -> Step {
        self.ask(|| Ask::Error).map(drop)
    }
}
