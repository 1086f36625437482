//! The SAT solver below the circuit: conflict-driven clause learning that looks only at the part of the circuit a query is about.
//!
//! Eén & Sörensson, "An extensible SAT-solver" (MiniSat, 2003), with glue levels from Audemard & Simon (Glucose, 2009). Written
//! here rather than taken from a library for two things that a campaign needs and libraries do not offer:
//!
//! * *Focus.* One solver holds the circuits of all paths, but a query concerns few of them. Only the clauses whose variables are
//!   all *included* are watched, and only what the query needs is decided. This is sound because the clauses only define gates:
//!   whatever the inputs are, the gates that are left out have values.
//! * *Phases.* Before each query every variable of the cone gets the value it has under the hint, so that the first model tried
//!   is the hint as far as the assumptions allow, and most answers are found without a conflict.
//!
//! **Invariant.** Between queries nothing is assigned but facts (level 0). A learnt clause waits at one variable of its own that is
//! not included, or else is attached: watched, or true for good because of a fact.

mod analyze;
mod clauses;
mod focus;
mod heap;
mod propagate;
mod reduce;

use xcute_term::Interrupt;

use crate::lit::Lit;
use clauses::{ClauseId, Clauses, Watched};
use heap::Heap;

const TRUE: i8 = 1;
const FALSE: i8 = -1;
const UNKNOWN: i8 = 0;

/// Conflicts of the shortest restart; the others follow Luby's sequence.
const RESTART: u64 = 64;
/// Learnt clauses kept before the first reduction.
const FIRST_REDUCTION: usize = 1500;
/// By how much that number grows with each reduction.
const NEXT_REDUCTION: usize = 30;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A model; ask [`Sat::value`].
    Sat,
    /// None under these assumptions; ask [`Sat::in_core`].
    Unsat,
    /// The budget is used up.
    OutOfBudget,
    /// Somebody ended the search.
    Interrupted,
}

/// A clause that waits for a literal to become false, with another of its literals that may save looking at it. Propagation spends its time reading
/// these: eight bytes each.
#[derive(Clone, Copy)]
struct Watcher {
    clause: Watched,
    blocker: Lit,
}

/// An incremental SAT solver.
pub(crate) struct Sat {
    clauses: Clauses,
    /// By literal: the clauses to look at when it becomes false.
    watches: Vec<Vec<Watcher>>,
    /// By literal.
    values: Vec<i8>,
    /// By variable: the value to try first.
    phases: Vec<bool>,
    reasons: Vec<ClauseId>,
    levels: Vec<u32>,
    trail: Vec<Lit>,
    /// Where each decision level begins in the trail.
    limits: Vec<usize>,
    head: usize,
    heap: Heap,
    /// How many inputs at least are known to have a value.
    next_input: usize,
    /// By variable: its first defining clause, and how many there are.
    definitions: Vec<(ClauseId, u32)>,
    /// By variable: whether its definition is watched.
    included: Vec<bool>,
    /// All variables for which it is.
    cone: Vec<u32>,
    /// By variable: the learnt clauses that wait for it to be included.
    waiting: Vec<Vec<ClauseId>>,
    /// The learnt clauses that do not wait.
    attached: Vec<ClauseId>,
    core: Vec<Lit>,
    learnt: Vec<ClauseId>,
    allowed: usize,
    seen: Vec<bool>,
    to_clear: Vec<u32>,
    stack: Vec<Lit>,
    open: Vec<u32>,
    stamps: Vec<u64>,
    stamp: u64,
}

impl Sat {
    /// A solver that knows only the constant.
    pub(crate) fn new() -> Sat {
        let mut sat = Sat {
            clauses: Clauses::default(),
            watches: Vec::new(),
            values: Vec::new(),
            phases: Vec::new(),
            reasons: Vec::new(),
            levels: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            heap: Heap::new(),
            next_input: 0,
            definitions: Vec::new(),
            included: Vec::new(),
            cone: Vec::new(),
            waiting: Vec::new(),
            attached: Vec::new(),
            core: Vec::new(),
            learnt: Vec::new(),
            allowed: FIRST_REDUCTION,
            seen: Vec::new(),
            to_clear: Vec::new(),
            stack: Vec::new(),
            open: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
        };
        let constant = sat.new_var();
        debug_assert_eq!(constant, Lit::TRUE);
        sat.phases[0] = true;
        sat.assign(constant, ClauseId::NONE);
        sat
    }

    /// A fresh variable, which the clauses added next define.
    pub(crate) fn new_var(&mut self) -> Lit {
        let var = u32::try_from(self.phases.len()).expect("the circuit is dropped long before 2^31 gates");
        self.values.extend([UNKNOWN; 2]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.phases.push(false);
        self.reasons.push(ClauseId::NONE);
        self.levels.push(0);
        self.seen.push(false);
        self.definitions.push((self.clauses.end(), 0));
        self.included.push(false);
        self.waiting.push(Vec::new());
        self.heap.new_var();
        Lit::positive(var)
    }

    /// The clauses that define a variable.
    pub(crate) fn definition(&self, var: u32) -> impl Iterator<Item = &[Lit]> {
        let (first, count) = self.definitions[var as usize];
        let ids = std::iter::successors(Some(first), |id| Some(self.clauses.after(*id)));
        ids.take(count as usize).map(|id| self.clauses.lits(id))
    }

    /// Adds a clause for good. It must be part of the definition of the gate whose variable was made last.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        debug_assert!(lits.len() > 1 && lits.iter().any(|l| l.var() as usize + 1 == self.phases.len()), "part of a definition");
        self.clauses.add(lits, None);
        self.definitions.last_mut().expect("there is a variable").1 += 1;
    }

    /// Forgets the last query: its model and its assumptions.
    pub(crate) fn begin(&mut self) {
        if let Some(&start) = self.limits.first() {
            for lit in self.trail.drain(start..) {
                self.values[lit.index()] = UNKNOWN;
                self.values[(!lit).index()] = UNKNOWN;
            }
            self.limits.clear();
            self.head = start;
        }
        self.next_input = 0;
    }

    /// Sets the value to try first.
    pub(crate) fn set_phase(&mut self, var: u32, value: bool) {
        self.phases[var as usize] = value;
    }

    /// The value to try first, of a literal.
    pub(crate) fn phase(&self, lit: Lit) -> bool {
        self.phases[lit.var() as usize] ^ lit.negated()
    }

    /// Looks for values of the inputs with which all assumptions hold, with at most this many conflicts. The gates of the assumptions
    /// must be included, down to these inputs.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], inputs: &[u32], budget: u64, interrupt: &Interrupt) -> Verdict {
        self.core.clear();
        // There may be more levels than variables: an assumption that holds already has an empty one.
        self.stamps.resize(self.stamps.len().max(self.phases.len() + assumptions.len() + 1), 0);
        if self.propagate().is_some() {
            debug_assert!(false, "the definitions of gates contradict nothing");
            return Verdict::Unsat;
        }
        self.heap.clear();
        let (mut conflicts, mut restarts, mut next_restart) = (0, 0, RESTART);
        loop {
            if interrupt.raised() {
                return Verdict::Interrupted;
            }
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                if self.level() == 0 {
                    debug_assert!(false, "the definitions of gates contradict nothing");
                    return Verdict::Unsat;
                }
                self.learn(conflict);
                if conflicts >= budget {
                    return Verdict::OutOfBudget;
                }
                continue;
            }
            if conflicts >= next_restart && self.limits.len() > assumptions.len() {
                restarts += 1;
                next_restart = conflicts + RESTART * luby(restarts);
                self.backtrack(assumptions.len());
                if self.learnt.len() > self.allowed {
                    self.reduce();
                    self.allowed += NEXT_REDUCTION;
                }
            }
            match self.next_decision(assumptions, inputs) {
                Decision::Take(lit) => {
                    self.limits.push(self.trail.len());
                    self.assign(lit, ClauseId::NONE);
                }
                Decision::Contradiction(assumption) => {
                    self.explain(assumption);
                    self.core.sort_unstable();
                    return Verdict::Unsat;
                }
                Decision::Complete => return Verdict::Sat,
            }
        }
    }

    /// The value of a literal in the model just found; `None` if the query does not depend on it.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether an assumption takes part in the contradiction just found.
    pub(crate) fn in_core(&self, assumption: Lit) -> bool {
        self.core.binary_search(&assumption).is_ok()
    }

    /// How many variables there are.
    pub(crate) fn var_count(&self) -> usize {
        self.phases.len()
    }

    /// The next assumption; else the most active variable of the conflicts of this query; else the next input. When all inputs
    /// have values, propagation has given one to every gate.
    fn next_decision(&mut self, assumptions: &[Lit], inputs: &[u32]) -> Decision {
        while let Some(&assumption) = assumptions.get(self.limits.len()) {
            match self.values[assumption.index()] {
                // An empty level, so that level and position among the assumptions stay the same.
                TRUE => self.limits.push(self.trail.len()),
                FALSE => return Decision::Contradiction(assumption),
                _ => return Decision::Take(assumption),
            }
        }
        while let Some(var) = self.heap.pop() {
            let lit = Lit::positive(var);
            if self.values[lit.index()] == UNKNOWN {
                return Decision::Take(lit ^ !self.phases[var as usize]);
            }
        }
        while let Some(&var) = inputs.get(self.next_input) {
            let lit = Lit::positive(var);
            if self.values[lit.index()] == UNKNOWN {
                return Decision::Take(lit ^ !self.phases[var as usize]);
            }
            self.next_input += 1;
        }
        Decision::Complete
    }

    fn level(&self) -> u32 {
        u32::try_from(self.limits.len()).expect("fewer levels than variables")
    }

    fn assign(&mut self, lit: Lit, reason: ClauseId) {
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let var = lit.var() as usize;
        self.reasons[var] = reason;
        self.levels[var] = self.level();
        self.trail.push(lit);
    }

    /// Takes back everything after a level, remembering the values as phases.
    fn backtrack(&mut self, level: usize) {
        if self.limits.len() <= level {
            return;
        }
        let start = self.limits[level];
        for lit in self.trail.drain(start..) {
            self.values[lit.index()] = UNKNOWN;
            self.values[(!lit).index()] = UNKNOWN;
            self.phases[lit.var() as usize] = !lit.negated();
            self.heap.restore(lit.var());
        }
        self.next_input = 0;
        self.limits.truncate(level);
        self.head = start;
    }

    fn watch(&mut self, id: ClauseId) {
        let lits = self.clauses.lits(id);
        let (a, b, binary) = (lits[0], lits[1], lits.len() == 2);
        let clause = Watched::new(id, binary);
        self.watches[a.index()].push(Watcher { clause, blocker: b });
        self.watches[b.index()].push(Watcher { clause, blocker: a });
    }
}

enum Decision {
    Take(Lit),
    Contradiction(Lit),
    Complete,
}

/// Luby, Sinclair & Zuckerman (1993): 1 1 2 1 1 2 4 1 1 2 …, counted from 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let size = u64::BITS - i.leading_zeros();
        if i == (1 << size) - 1 {
            return 1 << (size - 1);
        }
        i -= (1 << (size - 1)) - 1;
    }
}

#[cfg(test)]
mod tests;
