//! Gates: a circuit that is translated to clauses as it grows.
//!
//! Tseitin, "On the complexity of derivation in propositional calculus" (1968): each gate gets a variable and the clauses that
//! define it. Constants and equal or opposite inputs are folded, and a gate that exists is found again (structural hashing,
//! Kuehlmann et al., "Robust Boolean reasoning", TCAD 2002), so equal subcircuits of different terms share their clauses.

use rustc_hash::FxHashMap;

use crate::lit::Lit;
use crate::sat::Sat;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Xor3,
    Majority,
    Mux,
}

/// The gates made so far, and the SAT solver that holds their clauses.
pub(crate) struct Circuit {
    pub(crate) sat: Sat,
    gates: FxHashMap<(Kind, Lit, Lit, Lit), Lit>,
    wide: FxHashMap<Box<[Lit]>, Lit>,
    inputs: Vec<Lit>,
}

impl Circuit {
    /// A circuit without gates.
    pub(crate) fn new() -> Circuit {
        Circuit { sat: Sat::new(), gates: FxHashMap::default(), wide: FxHashMap::default(), inputs: Vec::new() }
    }

    /// A fresh input.
    pub(crate) fn input(&mut self) -> Lit {
        self.sat.new_var()
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
        self.gate((Kind::And, a, b, Lit::TRUE), |sat, g| {
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
        let out = self.gate((Kind::Xor, a, b, Lit::TRUE), |sat, g| {
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
        let out = self.gate((Kind::Xor3, a, b, c), |sat, g| {
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
        // Sorted literals put a variable beside its negation.
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
        let out = self.gate((Kind::Majority, a, b, c), |sat, g| {
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
        let out = self.gate((Kind::Mux, c, t, e), |sat, g| {
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
        if let Some(&g) = self.wide.get(&*inputs) {
            return g;
        }
        let g = self.sat.new_var();
        self.wide.insert((&*inputs).into(), g);
        for &a in &*inputs {
            self.sat.clause(&[!g, a]);
        }
        let long: Vec<Lit> = inputs.iter().map(|&a| !a).chain([g]).collect();
        self.sat.clause(&long);
        g
    }

    fn gate(&mut self, key: (Kind, Lit, Lit, Lit), define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&g) = self.gates.get(&key) {
            return g;
        }
        let g = self.sat.new_var();
        self.gates.insert(key, g);
        define(&mut self.sat, g);
        g
    }
}
