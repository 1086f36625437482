//! The code of a thread and the state of a run, for brute force.
//!
//! An assertion that does not hold dooms its thread: it will fail, and end the program, but until it does others can go on; they find it with all
//! its mutexes. So the states are those of the program itself, before its end.
//!
//! **Invariant.** One step is one visible operation and the local code after it, as xcute takes them.

use super::generate::{Condition, Expr};
use super::{BITS, ENVIRONMENT, MUTEXES, NAMES, REGISTERS, THREADS};

/// An instruction; targets of jumps are positions in the code.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Load(usize, usize),
    Store(usize, Expr),
    Add(usize, usize, i32),
    Exchange(usize, usize, i32, Expr),
    Lock(usize),
    /// Goes on at the position if it is not free.
    TryLock(usize, usize),
    Unlock(usize),
    Wait,
    Post,
    Set(usize, Expr),
    /// Goes on at the position unless the condition holds.
    Unless(Condition, usize),
    Jump(usize),
    Assert(Condition),
    /// A section: all to its end is one step.
    Begin,
    End,
    /// Blocks unless the variable has this value.
    Assume(usize, i32),
    Park(usize, i32),
    /// Wakes one, or all.
    Wake(usize, bool),
    Put(i32),
    Get(usize),
}

/// What a thread waits for that was woken.
const WOKEN: u8 = 255;

/// An instruction and its line in the C source.
pub(super) type Code = Vec<(Instruction, u32)>;

/// Where a thread is that is about to fail.
pub(super) const DOOMED: u8 = 254;
/// Where a thread is that has ended.
pub(super) const ENDED: u8 = 255;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) at: [u8; THREADS],
    /// Threads the first one has joined.
    pub(super) joined: u8,
    pub(super) registers: [[i32; REGISTERS]; THREADS],
    pub(super) variables: [i32; NAMES.len()],
    /// Who has each mutex, counted from 1.
    owners: [u8; MUTEXES],
    permits: u8,
    /// The variable that each thread waits for as a futex, counted from 1; 0 for none.
    parked: [u8; THREADS],
}

/// One program with one input.
pub(super) struct Machine<'a> {
    pub(super) threads: &'a [Code],
    pub(super) input: [i32; BITS],
    pub(super) permits: u8,
}

/// The line of an assertion that dooms a thread.
pub(super) type Failure = Option<u32>;

impl Machine<'_> {
    /// All threads at their first visible operation.
    pub(super) fn start(&self) -> (State, Vec<u32>) {
        let mut state = State {
            at: [ENDED; THREADS],
            joined: 0,
            registers: [[0; REGISTERS]; THREADS],
            variables: [0; NAMES.len()],
            owners: [0; MUTEXES],
            permits: self.permits,
            parked: [0; THREADS],
        };
        let mut lines = Vec::new();
        for t in 0..self.threads.len() {
            state.at[t] = 0;
            lines.extend(self.local(&mut state, t));
        }
        (state, lines)
    }

    fn value(&self, state: &State, t: usize, e: Expr) -> i32 {
        match e {
            Expr::Constant(c) => c,
            Expr::Register(r, c) => state.registers[t][r] + c,
            Expr::Input(bit, r) => self.input[bit] + state.registers[t][r],
        }
    }

    fn holds(&self, state: &State, t: usize, c: Condition) -> bool {
        let r = &state.registers[t];
        match c {
            Condition::Is(a, k) => r[a] == k,
            Condition::Not(a, k) => r[a] != k,
            Condition::Less(a, b) => r[a] < r[b],
            Condition::Input(bit) => self.input[bit] == 1,
        }
    }

    /// Runs the code of a thread up to its next visible operation.
    fn local(&self, state: &mut State, t: usize) -> Failure {
        loop {
            let at = usize::from(state.at[t]);
            let Some((instruction, line)) = self.threads[t].get(at) else {
                state.at[t] = ENDED;
                return None;
            };
            let next = match *instruction {
                Instruction::Set(r, e) => {
                    state.registers[t][r] = self.value(state, t, e) & 7;
                    at + 1
                }
                Instruction::Unless(c, target) => {
                    if self.holds(state, t, c) {
                        at + 1
                    } else {
                        target
                    }
                }
                Instruction::Jump(target) => target,
                Instruction::Assert(c) if !self.holds(state, t, c) => {
                    state.at[t] = DOOMED;
                    return Some(*line);
                }
                Instruction::Assert(_) => at + 1,
                _ => return None,
            };
            state.at[t] = u8::try_from(next).expect("programs are short");
        }
    }

    /// The visible operation that a thread is at.
    pub(super) fn next(&self, state: &State, t: usize) -> Option<&(Instruction, u32)> {
        self.threads[t].get(usize::from(state.at[t]))
    }

    /// The state after one step of a thread, with the line of an assertion that dooms it; `None` if it cannot go on. `arm` says whom it wakes, of those
    /// it could.
    pub(super) fn step(&self, state: &State, t: usize, arm: usize) -> Option<(State, Failure)> {
        let mut after = state.clone();
        let (instruction, _) = self.next(state, t)?;
        if arm > 0 && !matches!(instruction, Instruction::Wake(_, false)) {
            return None;
        }
        let me = u8::try_from(t + 1).expect("there are few threads");
        match *instruction {
            Instruction::Load(r, x) => after.registers[t][r] = state.variables[x],
            Instruction::Store(x, e) => after.variables[x] = self.value(state, t, e) & 7,
            Instruction::Add(r, x, c) => {
                after.registers[t][r] = state.variables[x];
                after.variables[x] = state.variables[x] + c;
            }
            Instruction::Exchange(r, x, old, e) => {
                let same = state.variables[x] == old;
                if same {
                    after.variables[x] = self.value(state, t, e) & 7;
                }
                after.registers[t][r] = i32::from(same);
            }
            Instruction::Lock(m) => {
                if state.owners[m] != 0 {
                    return None;
                }
                after.owners[m] = me;
            }
            Instruction::TryLock(m, target) => {
                if state.owners[m] != 0 {
                    after.at[t] = u8::try_from(target).expect("programs are short");
                    let failure = self.local(&mut after, t);
                    return Some((after, failure));
                }
                after.owners[m] = me;
            }
            Instruction::Unlock(m) => after.owners[m] = 0,
            Instruction::Wait => {
                if state.permits == 0 {
                    return None;
                }
                after.permits -= 1;
            }
            Instruction::Post => after.permits += 1,
            Instruction::Begin => {
                after.at[t] += 1;
                self.local(&mut after, t);
                while !matches!(self.next(&after, t)?, (Instruction::End, _)) {
                    (after, _) = self.step(&after, t, 0)?;
                }
            }
            Instruction::Assume(x, value) => {
                if state.variables[x] != value {
                    return None;
                }
            }
            Instruction::Park(x, value) => match state.parked[t] {
                0 if state.variables[x] == value => {
                    after.parked[t] = u8::try_from(x + 1).expect("there are few variables");
                    return Some((after, None));
                }
                0 => {}
                WOKEN => after.parked[t] = 0,
                _ => return None,
            },
            Instruction::Wake(x, all) => {
                let waiting: Vec<usize> = (0..THREADS).filter(|other| usize::from(state.parked[*other]) == x + 1).collect();
                if arm > 0 && arm >= waiting.len() {
                    return None;
                }
                let woken = if all { &waiting[..] } else { waiting.get(arm..=arm).unwrap_or_default() };
                woken.iter().for_each(|other| after.parked[*other] = WOKEN);
            }
            Instruction::Put(value) => after.variables[ENVIRONMENT] = value,
            Instruction::Get(r) => after.registers[t][r] = state.variables[ENVIRONMENT],
            _ => unreachable!("local code does not wait"),
        }
        after.at[t] += 1;
        let failure = self.local(&mut after, t);
        Some((after, failure))
    }
}
