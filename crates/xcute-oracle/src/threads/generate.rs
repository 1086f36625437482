//! Random programs, as trees.

use fastrand::Rng;

use super::{BITS, GUARDED, Kind, MUTEXES, REGISTERS, THREADS};

/// A value; it is cut to three bits where it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expr {
    Constant(i32),
    /// A register plus a constant.
    Register(usize, i32),
    /// A bit of the input, plus a register.
    Input(usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    Is(usize, i32),
    Not(usize, i32),
    Less(usize, usize),
    Input(usize),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Load(usize, usize),
    Store(usize, Expr),
    /// Adds to an atomic variable; the register gets what was there.
    Add(usize, usize, i32),
    /// Puts a value where a constant is; the register tells whether it was.
    Exchange(usize, usize, i32, Expr),
    Set(usize, Expr),
    Locked(usize, Vec<Statement>),
    /// The block runs if the mutex was free.
    Tried(usize, Vec<Statement>),
    /// Takes and returns a permit.
    Permitted(Vec<Statement>),
    Post,
    If(Condition, Vec<Statement>, Vec<Statement>),
    Assert(Condition),
    /// Accesses to atomic variables that are one step.
    Section(Vec<Statement>),
    /// A variable is assumed to have a value.
    Assume(usize, i32),
    /// Waits as a futex does, if the variable has this value.
    Park(usize, i32),
    /// Wakes one of those who wait for a variable, or all.
    Wake(usize, bool),
    /// Sets the variable of the environment, and reads it.
    Put(i32),
    Get(usize),
}

/// The threads of a random program. With races there are only plain accesses to the variables that nothing guards.
pub(super) fn program(random: &mut Rng, kind: Kind) -> Vec<Vec<Statement>> {
    let threads = random.usize(2..=THREADS);
    let mut left = random.u32(5..=8);
    (0..threads)
        .map(|i| {
            // What is left is shared fairly; every thread has a first statement.
            let mut share = (left / (threads - i) as u32).max(1);
            left = left.saturating_sub(share);
            let mut source = Source { random, kind, held: Vec::new(), left: &mut share };
            let mut body = Vec::new();
            while *source.left > 0 {
                source.statement(&mut body, 2);
            }
            body
        })
        .collect()
}

struct Source<'a> {
    random: &'a mut Rng,
    kind: Kind,
    held: Vec<usize>,
    /// Accesses that may still be made.
    left: &'a mut u32,
}

impl Source<'_> {
    fn register(&mut self) -> usize {
        self.random.usize(..REGISTERS)
    }

    fn expr(&mut self) -> Expr {
        match self.random.u32(..8) {
            0..=3 => Expr::Constant(self.random.i32(0..4)),
            4..=6 => Expr::Register(self.register(), self.random.i32(0..3)),
            _ => Expr::Input(self.random.usize(..BITS), self.register()),
        }
    }

    fn condition(&mut self) -> Condition {
        match self.random.u32(..8) {
            0..=3 => Condition::Is(self.register(), self.random.i32(0..3)),
            4 => Condition::Not(self.register(), self.random.i32(0..3)),
            5 => Condition::Less(self.register(), self.register()),
            _ => Condition::Input(self.random.usize(..BITS)),
        }
    }

    /// A variable that may be accessed here.
    fn variable(&mut self) -> usize {
        if !self.held.is_empty() && self.random.bool() {
            let at = self.random.usize(..self.held.len());
            return GUARDED + self.held[at];
        }
        usize::from(self.random.u32(..4) == 0)
    }

    fn block(&mut self, depth: u32) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..self.random.u32(1..=2) {
            if *self.left > 0 {
                self.statement(&mut body, depth);
            }
        }
        body
    }

    /// What only files of [`Kind::Waiting`] have.
    fn special(&mut self) -> Statement {
        let (x, value) = (self.random.usize(..GUARDED), self.random.i32(0..3));
        *self.left = self.left.saturating_sub(1);
        match self.random.u32(..9) {
            0..=2 => {
                let body = (0..self.random.u32(1..=3)).map(|_| self.access()).collect();
                Statement::Section(body)
            }
            3 => Statement::Assume(x, value),
            4 => Statement::Park(x, value),
            5..=6 => Statement::Wake(x, self.random.bool()),
            7 => Statement::Put(value),
            _ => Statement::Get(self.register()),
        }
    }

    /// An access to an atomic variable, in a section.
    fn access(&mut self) -> Statement {
        let x = self.random.usize(..GUARDED);
        match self.random.u32(..4) {
            0..=1 => Statement::Load(self.register(), x),
            2 => Statement::Store(x, self.expr()),
            _ => Statement::Add(self.register(), x, 1),
        }
    }

    fn statement(&mut self, out: &mut Vec<Statement>, depth: u32) {
        if self.kind == Kind::Waiting && self.random.u32(..3) == 0 {
            let made = self.special();
            out.push(made);
            return;
        }
        let free = (0..MUTEXES).filter(|m| !self.held.contains(m)).collect::<Vec<_>>();
        let made = match self.random.u32(..24) {
            0..=4 if depth > 0 && !free.is_empty() => {
                let mutex = free[self.random.usize(..free.len())];
                *self.left -= 1;
                self.held.push(mutex);
                let mut body = Vec::new();
                // Nests are what deadlocks are made of.
                if free.len() > 1 && *self.left > 0 && self.random.bool() {
                    let inner = free[usize::from(free[0] == mutex)];
                    *self.left -= 1;
                    self.held.push(inner);
                    body.push(Statement::Locked(inner, self.block(depth - 1)));
                    self.held.pop();
                }
                body.extend(self.block(depth - 1));
                self.held.pop();
                if self.random.u32(..6) == 0 { Statement::Tried(mutex, body) } else { Statement::Locked(mutex, body) }
            }
            5..=6 if depth > 0 => {
                let condition = self.condition();
                let then = self.block(depth - 1);
                let other = if self.random.bool() { self.block(depth - 1) } else { Vec::new() };
                Statement::If(condition, then, other)
            }
            7 if depth > 0 => {
                *self.left -= 1;
                Statement::Permitted(self.block(depth - 1))
            }
            8 => Statement::Post,
            9 => Statement::Assert(Condition::Not(self.register(), self.random.i32(1..4))),
            10 => Statement::Assert(self.condition()),
            11 => Statement::Set(self.register(), self.expr()),
            12..=17 => Statement::Load(self.register(), self.variable()),
            18 if self.kind != Kind::Racing => Statement::Add(self.register(), self.random.usize(..GUARDED), self.random.i32(1..3)),
            19 if self.kind != Kind::Racing => {
                Statement::Exchange(self.register(), self.random.usize(..GUARDED), self.random.i32(0..2), self.expr())
            }
            _ => Statement::Store(self.variable(), self.expr()),
        };
        let access =
            matches!(made, Statement::Load(..) | Statement::Store(..) | Statement::Add(..) | Statement::Exchange(..) | Statement::Post);
        *self.left = self.left.saturating_sub(u32::from(access));
        let read = if let Statement::Load(r, _) | Statement::Add(r, ..) = made { Some(r) } else { None };
        out.push(made);
        // What was read should matter.
        if let Some(r) = read {
            match self.random.u32(..4) {
                0 => out.push(Statement::Assert(Condition::Not(r, self.random.i32(0..4)))),
                1 if depth > 0 => out.push(Statement::If(Condition::Is(r, self.random.i32(0..3)), self.block(depth - 1), Vec::new())),
                _ => {}
            }
        }
    }
}
