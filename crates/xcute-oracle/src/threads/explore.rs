//! Brute force: all states that a program can reach, whatever the input and the interleaving.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::machine::{Code, DOOMED, ENDED, Instruction, Machine, State};
use super::{BITS, GUARDED, Kind, THREADS};

/// Data races that are reported as one: the variable and both threads.
pub(super) type Group = (usize, usize, usize);

/// What can happen in a program until it ends, of itself or by its first failure.
#[derive(Clone, Debug, Default)]
pub(super) struct Truth {
    /// Lines of assertions that can fail.
    pub(super) failures: BTreeSet<u32>,
    pub(super) deadlock: bool,
    /// Digests of final states.
    pub(super) states: BTreeSet<i32>,
    /// Lines of plain accesses that race, the lower one first: in some state both come next.
    pub(super) races: BTreeSet<(u32, u32)>,
    /// Lines of plain accesses of two threads to one variable, one of them a write: where others race, these may as well, without being next at
    /// once, because one of them comes only if a racing read saw the other.
    pub(super) conflicts: BTreeMap<(u32, u32), Group>,
    /// Interleavings, over all inputs. One in which threads are doomed goes on as long as others can.
    pub(super) interleavings: u64,
}

impl Truth {
    /// In how many ways a run can end.
    pub(super) fn outcomes(&self) -> usize {
        self.states.len() + self.failures.len() + usize::from(self.deadlock)
    }
}

/// Explores a program.
pub(super) fn explore(threads: &[Code], permits: u8, kind: Kind) -> Truth {
    let mut truth = Truth { conflicts: conflicts(threads), ..Truth::default() };
    for bits in 0..1_i32 << BITS {
        let mut input = [0; BITS];
        for (i, bit) in input.iter_mut().enumerate() {
            *bit = bits >> i & 1;
        }
        let machine = Machine { threads, input, permits };
        let (start, failed) = machine.start();
        truth.failures.extend(failed);
        let mut search = Search { machine, races: kind == Kind::Racing, truth: &mut truth, seen: HashMap::new() };
        let interleavings = search.visit(&start);
        truth.interleavings = truth.interleavings.saturating_add(interleavings);
    }
    truth
}

/// The digest of a final state, as the C source computes it.
pub(super) fn digest(state: &State) -> i32 {
    let v = &state.variables;
    let r: i32 = state.registers.iter().enumerate().map(|(t, r)| (r[0] + 8 * r[1]) * (2 * t as i32 + 1)).sum();
    (v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3] + r) & 63
}

struct Search<'a> {
    machine: Machine<'a>,
    races: bool,
    truth: &'a mut Truth,
    /// States with the number of ways to an end.
    seen: HashMap<State, u64>,
}

impl Search<'_> {
    fn visit(&mut self, state: &State) -> u64 {
        if let Some(ways) = self.seen.get(state) {
            return *ways;
        }
        let threads = self.machine.threads.len();
        let mut ways = 0_u64;
        let mut can = usize::from(state.joined) < threads && state.at[usize::from(state.joined)] == ENDED;
        if can {
            let mut after = state.clone();
            after.joined += 1;
            ways += self.visit(&after);
        }
        for t in 0..threads {
            for arm in 0..THREADS {
                let Some((after, failure)) = self.machine.step(state, t, arm) else { break };
                can = true;
                self.truth.failures.extend(failure);
                ways = ways.saturating_add(self.visit(&after));
            }
        }
        if self.races {
            self.race(state);
        }
        if !can {
            ways = 1;
            self.end(state);
        }
        self.seen.insert(state.clone(), ways);
        ways
    }

    fn end(&mut self, state: &State) {
        if usize::from(state.joined) == self.machine.threads.len() {
            self.truth.states.insert(digest(state));
        } else if !state.at.contains(&DOOMED) && !self.assumes(state) {
            self.truth.deadlock = true;
        }
    }

    /// Whether a thread waits for what it assumes: such runs do not count.
    fn assumes(&self, state: &State) -> bool {
        (0..self.machine.threads.len()).any(|t| matches!(self.machine.next(state, t), Some((Instruction::Assume(..), _))))
    }

    /// Two threads that are about to access the same variable, one of them to write, race: nothing is between them.
    fn race(&mut self, state: &State) {
        let all: Vec<_> = (0..self.machine.threads.len()).filter_map(|t| plain(self.machine.next(state, t)?)).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                if a.0 == b.0 && (a.1 || b.1) {
                    self.truth.races.insert((a.2.min(b.2), a.2.max(b.2)));
                }
            }
        }
    }
}

/// The variable of an access that nothing guards, whether it is written, and the line.
fn plain((instruction, line): &(Instruction, u32)) -> Option<(usize, bool, u32)> {
    match instruction {
        Instruction::Load(_, x) if *x < GUARDED => Some((*x, false, *line)),
        Instruction::Store(x, _) if *x < GUARDED => Some((*x, true, *line)),
        _ => None,
    }
}

fn conflicts(threads: &[Code]) -> BTreeMap<(u32, u32), Group> {
    let mut all = BTreeMap::new();
    for (i, code) in threads.iter().enumerate() {
        for a in code.iter().filter_map(plain) {
            for (k, other) in threads.iter().enumerate().skip(i + 1) {
                let others = other.iter().filter_map(plain).filter(|b| a.0 == b.0 && (a.1 || b.1));
                all.extend(others.map(|b| ((a.2.min(b.2), a.2.max(b.2)), (a.0, i, k))));
            }
        }
    }
    all
}
