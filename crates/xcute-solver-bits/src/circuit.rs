//! Gates: a circuit that is translated to clauses as it grows.
//!
//! Tseitin, "On the complexity of derivation in propositional calculus" (1968): each gate gets a variable and the clauses that
//! define it. Constants and equal or opposite inputs are folded, and a gate that exists is found again (structural hashing,
//! Kuehlmann et al., "Robust Boolean reasoning", TCAD 2002), so equal subcircuits of different terms share their clauses.

use rustc_hash::FxHashMap;
use xcute_term::Interrupt;

use crate::lit::Lit;
use crate::record::Recorder;
use crate::sat::{Sat, Verdict};

/// How many gates too many may always stay included.
const SLACK: usize = 256;

/// What defines a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    Input,
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Mux(Lit, Lit, Lit),
    /// The conjunction of this many literals of the pool, from a position on.
    Wide(u32, u32),
}

/// The gates made so far, and the SAT solver that holds their clauses.
pub(crate) struct Circuit {
    pub(crate) sat: Sat,
    /// By variable.
    gates: Vec<Gate>,
    known: FxHashMap<Gate, Lit>,
    known_wide: FxHashMap<Box<[Lit]>, Lit>,
    pool: Vec<Lit>,
    inputs: Vec<Lit>,
    /// By variable: the last query that needed it.
    visited: Vec<u32>,
    query: u32,
    /// The gates that the current query needs, each after those it is made of.
    needed: Vec<u32>,
    needed_inputs: Vec<u32>,
    stack: Vec<Visit>,
    /// Writes down queries, if that is wanted.
    pub(crate) recorder: Option<Recorder>,
}

#[derive(Clone, Copy)]
enum Visit {
    Enter(u32),
    Leave(u32),
}

impl Circuit {
    /// A circuit without gates.
    pub(crate) fn new() -> Circuit {
        Circuit {
            sat: Sat::new(),
            gates: vec![Gate::Input],
            known: FxHashMap::default(),
            known_wide: FxHashMap::default(),
            pool: Vec::new(),
            inputs: Vec::new(),
            visited: vec![0],
            query: 0,
            needed: Vec::new(),
            needed_inputs: Vec::new(),
            stack: Vec::new(),
            recorder: None,
        }
    }

    /// A fresh input.
    pub(crate) fn input(&mut self) -> Lit {
        self.new_var(Gate::Input)
    }

    /// Looks for a model in which the assumptions hold. The phases of the inputs are tried first.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], budget: u64, interrupt: &Interrupt) -> Verdict {
        self.find_needed(assumptions);
        // What earlier queries included stays while it is not the greater part: neighbours on a path need much the same.
        if self.sat.included() > 2 * self.needed.len() + SLACK {
            self.sat.exclude_all();
        }
        for &var in &self.needed_inputs {
            self.sat.include(var);
        }
        for i in 0..self.needed.len() {
            let var = self.needed[i];
            self.sat.include(var);
            let phase = self.phase(var);
            self.sat.set_phase(var, phase);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.asked(&self.sat, assumptions, &self.needed_inputs);
        }
        let verdict = self.sat.solve(assumptions, &self.needed_inputs, budget, interrupt);
        if let Some(recorder) = &mut self.recorder {
            recorder.answered(verdict);
        }
        verdict
    }

    fn find_needed(&mut self, roots: &[Lit]) {
        self.query += 1;
        self.needed.clear();
        self.needed_inputs.clear();
        let mut stack = std::mem::take(&mut self.stack);
        for root in roots {
            stack.push(Visit::Enter(root.var()));
            while let Some(visit) = stack.pop() {
                match visit {
                    Visit::Enter(var) if self.visited[var as usize] != self.query => {
                        self.visited[var as usize] = self.query;
                        match self.gates[var as usize] {
                            Gate::Input => self.needed_inputs.push(var),
                            gate => self.enter(var, gate, &mut stack),
                        }
                    }
                    Visit::Enter(_) => {}
                    Visit::Leave(var) => self.needed.push(var),
                }
            }
        }
        self.stack = stack;
    }

    fn enter(&self, var: u32, gate: Gate, stack: &mut Vec<Visit>) {
        stack.push(Visit::Leave(var));
        let mut push = |lits: &[Lit]| {
            stack.extend(lits.iter().filter(|l| self.visited[l.var() as usize] != self.query).map(|l| Visit::Enter(l.var())));
        };
        match gate {
            Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => push(&[a, b]),
            Gate::Xor3(a, b, c) | Gate::Majority(a, b, c) | Gate::Mux(a, b, c) => push(&[a, b, c]),
            Gate::Wide(start, length) => push(&self.pool[start as usize..][..length as usize]),
        }
    }

    /// The value of a gate where its inputs have their phases.
    fn phase(&self, var: u32) -> bool {
        let value = |lit: Lit| self.sat.phase(lit);
        match self.gates[var as usize] {
            Gate::Input => value(Lit::positive(var)),
            Gate::And(a, b) => value(a) & value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Xor3(a, b, c) => value(a) ^ value(b) ^ value(c),
            Gate::Majority(a, b, c) => u8::from(value(a)) + u8::from(value(b)) + u8::from(value(c)) > 1,
            Gate::Mux(a, b, c) => value(if value(a) { b } else { c }),
            Gate::Wide(start, length) => self.pool[start as usize..][..length as usize].iter().all(|&l| value(l)),
        }
    }

    /// `a ∧ b`.
    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Lit::TRUE || a == b {
            return b;
        }
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        self.gate(Gate::And(a, b), |sat, g| {
            sat.clause(&[!g, a]);
            sat.clause(&[!g, b]);
            sat.clause(&[g, !a, !b]);
        })
    }

    /// `a ∨ b`.
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.negated() ^ b.negated();
        let (a, b) = (a ^ a.negated(), b ^ b.negated());
        let (a, b) = (a.min(b), a.max(b));
        if a == Lit::TRUE {
            return b ^ !negate;
        }
        if a == b {
            return Lit::constant(negate);
        }
        let out = self.gate(Gate::Xor(a, b), |sat, g| {
            sat.clause(&[!g, a, b]);
            sat.clause(&[!g, !a, !b]);
            sat.clause(&[g, !a, b]);
            sat.clause(&[g, a, !b]);
        });
        out ^ negate
    }

    /// `a ⊕ b ⊕ c`: the sum of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let negate = a.negated() ^ b.negated() ^ c.negated();
        let mut abc = [a ^ a.negated(), b ^ b.negated(), c ^ c.negated()];
        abc.sort_unstable();
        let [a, b, c] = abc;
        if a == Lit::TRUE {
            return self.xor(b, c) ^ !negate;
        }
        if a == b {
            return c ^ negate;
        }
        if b == c {
            return a ^ negate;
        }
        let out = self.gate(Gate::Xor3(a, b, c), |sat, g| {
            for flips in 0..8u8 {
                let (x, y, z) = (flips & 1 != 0, flips & 2 != 0, flips & 4 != 0);
                // The clause excludes the inputs (x, y, z) with the wrong output.
                sat.clause(&[a ^ x, b ^ y, c ^ z, g ^ !(x ^ y ^ z)]);
            }
        });
        out ^ negate
    }

    /// At least two of three: the carry of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut abc = [a, b, c];
        abc.sort_unstable();
        let [a, b, c] = abc;
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        // Sorted literals put a variable next to its negation.
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // Self-dual: majority(¬a, ¬b, ¬c) = ¬majority(a, b, c).
        let negate = a.negated();
        let (a, b, c) = (a ^ negate, b ^ negate, c ^ negate);
        let out = self.gate(Gate::Majority(a, b, c), |sat, g| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.clause(&[!x, !y, g]);
                sat.clause(&[x, y, !g]);
            }
        });
        out ^ negate
    }

    /// `if c then t else e`.
    pub(crate) fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if c == Lit::TRUE || t == e {
            return t;
        }
        if c == Lit::FALSE {
            return e;
        }
        if t == !e {
            return !self.xor(c, t);
        }
        if t == Lit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Lit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Lit::TRUE || e == !c {
            return self.or(!c, t);
        }
        if e == Lit::FALSE || e == c {
            return self.and(c, t);
        }
        let (c, t, e) = if c.negated() { (!c, e, t) } else { (c, t, e) };
        let negate = t.negated();
        let (t, e) = (t ^ negate, e ^ negate);
        let out = self.gate(Gate::Mux(c, t, e), |sat, g| {
            sat.clause(&[!c, !t, g]);
            sat.clause(&[!c, t, !g]);
            sat.clause(&[c, !e, g]);
            sat.clause(&[c, e, !g]);
            // Implied, but lets the output propagate before the condition is known.
            sat.clause(&[!t, !e, g]);
            sat.clause(&[t, e, !g]);
        });
        out ^ negate
    }

    /// The conjunction of any number of literals, as one gate.
    pub(crate) fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.clear();
        inputs.extend(lits.into_iter().filter(|&l| l != Lit::TRUE));
        inputs.sort_unstable();
        inputs.dedup();
        let opposite = inputs.windows(2).any(|w| w[0] == !w[1]);
        let out = match inputs[..] {
            [] => Lit::TRUE,
            _ if opposite || inputs[0] == Lit::FALSE => Lit::FALSE,
            [a] => a,
            [a, b] => self.and(a, b),
            _ => self.wide_and(&mut inputs),
        };
        self.inputs = inputs;
        out
    }

    /// The disjunction of any number of literals.
    pub(crate) fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|l| !l))
    }

    fn wide_and(&mut self, inputs: &mut [Lit]) -> Lit {
        if let Some(&g) = self.known_wide.get(&*inputs) {
            return g;
        }
        let position = |n: usize| u32::try_from(n).expect("the circuit is dropped long before 2^32 inputs of gates");
        let g = self.new_var(Gate::Wide(position(self.pool.len()), position(inputs.len())));
        self.pool.extend_from_slice(inputs);
        self.known_wide.insert((&*inputs).into(), g);
        for &a in &*inputs {
            self.sat.clause(&[!g, a]);
        }
        let long: Vec<Lit> = inputs.iter().map(|&a| !a).chain([g]).collect();
        self.sat.clause(&long);
        g
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&g) = self.known.get(&gate) {
            return g;
        }
        let g = self.new_var(gate);
        self.known.insert(gate, g);
        define(&mut self.sat, g);
        g
    }

    fn new_var(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        self.visited.push(0);
        self.sat.new_var()
    }
}
