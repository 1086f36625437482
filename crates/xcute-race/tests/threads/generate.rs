//! Random programs: two or three threads, a few statements, every primitive.

use fastrand::Rng;

use crate::programs::{M, N, O, X, program};
use crate::thread::{Body, Step, Thread, body};
use crate::world::Program;

#[derive(Clone, Debug)]
pub enum Statement {
    Read(u64),
    Write(u64, i64),
    Add(u64),
    CompareExchange(u64, i64),
    /// Reads, and goes on inside if the value is right.
    If(u64, i64, Vec<Statement>),
    /// The same, compared with an input.
    IfInput(u64, usize, Vec<Statement>),
    WriteInput(u64, usize),
    Choose(Vec<Statement>),
    Await(u64, i64),
    /// Waits until one of two cells is not 0.
    AwaitAny,
    Lock(u64, Vec<Statement>),
    Try(u64, Vec<Statement>),
    Permit(Vec<Statement>),
    TryPermit,
    Post,
    ReadLock(Vec<Statement>),
    WriteLock(Vec<Statement>),
    TryReadLock(Vec<Statement>),
    TryWriteLock(Vec<Statement>),
    Wait,
    /// A wait that may wake up once by itself.
    WaitAlone,
    Notify,
    NotifyAll,
    /// Ends the wait of the first thread, if it waits.
    Interrupt,
    /// What a forked thread does; joined or not.
    Fork(Vec<Statement>, bool),
    Barrier,
    Yield,
    /// An atomic section.
    Section(Vec<Statement>),
    /// Waits, as a futex does, while the memory has this value.
    Park(u64, i64),
    Wake(u64),
    WakeAll(u64),
}

/// Which statements a program may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Memory,
    Locks,
    Mixed,
    Inputs,
    /// Atomic sections, and waits as futexes do them.
    Sections,
}

const S: u64 = 200;
const L: u64 = 201;
const B: u64 = 202;

fn run(statements: &[Statement], t: &mut Thread<'_>) -> Step {
    statements.iter().try_for_each(|statement| one(statement, t))
}

fn one(statement: &Statement, t: &mut Thread<'_>) -> Step {
    use Statement as S_;
    match statement {
        S_::Read(x) => t.read(*x).map(drop),
        S_::Write(x, value) => t.write(*x, *value),
        S_::Add(x) => t.add(*x, 1).map(drop),
        S_::CompareExchange(x, value) => t.cas(*x, *value, 1 - *value).map(drop),
        S_::If(x, value, inner) => {
            let read = t.read(*x)?;
            if t.equal(read, *value)? { run(inner, t) } else { Ok(()) }
        }
        S_::IfInput(x, input, inner) => {
            let (read, input) = (t.read(*x)?, t.input(*input));
            if t.equal(read, input)? { run(inner, t) } else { Ok(()) }
        }
        S_::WriteInput(x, input) => {
            let input = t.input(*input);
            t.write(*x, input)
        }
        S_::Choose(inner) => {
            if t.choose(2)? == 1 {
                run(inner, t)
            } else {
                Ok(())
            }
        }
        S_::AwaitAny => t.until_any(X, X + 1),
        S_::Await(x, value) => {
            if *value == 2 {
                t.until_not(*x, 0)
            } else {
                t.until(*x, *value)
            }
        }
        S_::Lock(m, inner) => t.locked(*m, |t| run(inner, t)),
        S_::Try(m, inner) => {
            if t.try_lock(*m)? {
                run(inner, t)?;
                t.unlock(*m)?;
            }
            Ok(())
        }
        S_::Permit(inner) => {
            t.p(S)?;
            run(inner, t)?;
            t.v(S)
        }
        S_::TryPermit => t.try_p(S).map(drop),
        S_::Post => t.v(S),
        S_::ReadLock(inner) => {
            t.read_lock(L)?;
            run(inner, t)?;
            t.read_unlock(L)
        }
        S_::WriteLock(inner) => {
            t.write_lock(L)?;
            run(inner, t)?;
            t.write_unlock(L)
        }
        S_::TryReadLock(inner) => {
            if t.try_read_lock(L)? {
                run(inner, t)?;
                t.read_unlock(L)?;
            }
            Ok(())
        }
        S_::TryWriteLock(inner) => {
            if t.try_write_lock(L)? {
                run(inner, t)?;
                t.write_unlock(L)?;
            }
            Ok(())
        }
        S_::Wait => t.locked(M, |t| t.wait(M)),
        S_::WaitAlone => t.locked(M, |t| t.wait_alone(M, 1)),
        S_::Notify => t.notify(M),
        S_::NotifyAll => t.notify_all(M),
        S_::Interrupt => t.interrupt(M, 1),
        S_::Fork(inner, joined) => {
            let inner = inner.clone();
            let child = t.fork(&body(move |t| run(&inner, t)))?;
            if *joined { t.join(child) } else { Ok(()) }
        }
        S_::Barrier => t.barrier(B, 2),
        S_::Yield => t.pass_on(),
        S_::Section(inner) => t.section(|t| run(inner, t)),
        S_::Park(x, value) => t.park(*x, *value),
        S_::Wake(x) => t.notify(*x),
        S_::WakeAll(x) => t.notify_all(*x),
    }
}

/// Makes programs of one kind.
pub struct Generator {
    pub random: Rng,
    pub kind: Kind,
    left: usize,
}

impl Generator {
    pub fn new(seed: u64, kind: Kind) -> Generator {
        Generator { random: Rng::with_seed(seed), kind, left: 0 }
    }

    /// A program and how it reads.
    pub fn program(&mut self) -> (Program, String) {
        let threads = 2 + self.random.usize(..2);
        self.left = 7;
        let statements: Vec<Vec<Statement>> = (0..threads).map(|_| self.block(0)).collect();
        let text = statements.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>().join(" | ");
        let bodies: Vec<Body> = statements.into_iter().map(|inner| body(move |t| run(&inner, t))).collect();
        (Program { permits: vec![(S, self.random.u64(..2))], ..program(bodies) }, text)
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = 1 + self.random.usize(..3);
        let mut all = Vec::new();
        for _ in 0..count {
            if self.left > 0 {
                self.left -= 1;
                all.push(self.statement(depth));
            }
        }
        all
    }

    fn inner(&mut self, depth: usize) -> Vec<Statement> {
        if depth < 2 && self.left > 0 && self.random.u8(..4) > 0 { self.block(depth + 1) } else { Vec::new() }
    }

    fn memory(&mut self, depth: usize) -> Statement {
        let x = X + self.random.u64(..2);
        let value = self.random.i64(0..2);
        match self.random.u8(..7) {
            0 | 1 => Statement::Read(x),
            2..=4 => Statement::Write(x, self.random.i64(0..3)),
            _ => Statement::If(x, value, self.inner(depth)),
        }
    }

    fn lock(&mut self, depth: usize) -> Statement {
        let m = [M, N, O][self.random.usize(..3)];
        Statement::Lock(m, self.inner(depth))
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let x = X + self.random.u64(..2);
        let dice = self.random.u8(..24);
        match (self.kind, dice) {
            (Kind::Memory, _) => self.memory(depth),
            (Kind::Locks, 0..14) => self.lock(depth),
            (Kind::Locks, _) => self.memory(depth),
            (Kind::Inputs, 0..5) => Statement::IfInput(x, self.random.usize(..2), self.inner(depth)),
            (Kind::Inputs, 5..9) => Statement::WriteInput(x, self.random.usize(..2)),
            (Kind::Inputs, 9..12) => Statement::Choose(self.inner(depth)),
            (Kind::Inputs, 12..15) => self.lock(depth),
            (Kind::Inputs, _) => self.memory(depth),
            (Kind::Sections, 0..9) if depth == 0 => Statement::Section(self.inner(depth)),
            (Kind::Sections, 9 | 10) => Statement::Park(x, self.random.i64(0..2)),
            (Kind::Sections, 11) => Statement::Wake(x),
            (Kind::Sections, 12) => Statement::WakeAll(x),
            (Kind::Sections, 13) => Statement::Await(x, self.random.i64(0..3)),
            (Kind::Sections, 14) => Statement::IfInput(x, self.random.usize(..2), self.inner(depth)),
            (Kind::Sections, 15) => Statement::CompareExchange(x, self.random.i64(0..2)),
            (Kind::Sections, 16 | 17) => self.lock(depth),
            (Kind::Sections, 18) => Statement::Permit(self.inner(depth)),
            (Kind::Sections, 19) => Statement::AwaitAny,
            (Kind::Sections, _) => self.memory(depth),
            (Kind::Mixed, 0) => Statement::Add(x),
            (Kind::Mixed, 1) => Statement::CompareExchange(x, self.random.i64(0..2)),
            (Kind::Mixed, 2) => Statement::Await(x, self.random.i64(0..3)),
            (Kind::Mixed, 3 | 4) => Statement::Try([M, N][self.random.usize(..2)], self.inner(depth)),
            (Kind::Mixed, 5) => Statement::Permit(self.inner(depth)),
            (Kind::Mixed, 6) => Statement::TryPermit,
            (Kind::Mixed, 7) => Statement::Post,
            (Kind::Mixed, 8) => Statement::ReadLock(self.inner(depth)),
            (Kind::Mixed, 9) => Statement::WriteLock(self.inner(depth)),
            (Kind::Mixed, 10) => Statement::TryReadLock(self.inner(depth)),
            (Kind::Mixed, 11) => Statement::TryWriteLock(self.inner(depth)),
            (Kind::Mixed, 12) if depth == 0 => Statement::Wait,
            (Kind::Mixed, 13) if depth == 0 => Statement::WaitAlone,
            (Kind::Mixed, 14) => Statement::Notify,
            (Kind::Mixed, 15) => Statement::NotifyAll,
            (Kind::Mixed, 16) if depth == 0 => Statement::Fork(self.inner(depth), self.random.bool()),
            (Kind::Mixed, 17) => Statement::Barrier,
            (Kind::Mixed, 18) => [Statement::Yield, Statement::Interrupt][self.random.usize(..2)].clone(),
            (Kind::Mixed, 19 | 20) => self.lock(depth),
            (Kind::Mixed, 21) => Statement::AwaitAny,
            (Kind::Mixed, _) => self.memory(depth),
        }
    }
}
