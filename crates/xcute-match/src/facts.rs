//! What the decisions of a run imply, so that nothing is asked twice.
//!
//! **Invariant.** A fact holds for every input that takes the decisions so far: facts are about inputs, so backtracking of the subject
//! does not undo them.

use rustc_hash::FxHashMap;
use xcute_term::{CtorId, Op, TermId, Terms, Value};

use crate::bounds::{Bounds, Interval};

/// Conditions that are decided, and constructors that are known.
#[derive(Default)]
pub struct Facts {
    known: FxHashMap<TermId, bool>,
    constructors: FxHashMap<TermId, CtorId>,
    /// Terms that equal a constant.
    constants: FxHashMap<TermId, TermId>,
    /// What integers are between.
    bounds: Bounds,
}

impl Facts {
    /// The constructor of a data term, if the decisions so far determine it.
    #[must_use]
    pub fn constructor(&self, terms: &Terms, term: TermId) -> Option<CtorId> {
        match (terms.op(term), terms.as_value(term)) {
            (Op::Construct(ctor), _) => Some(ctor),
            (_, Some(Value::Data(data))) => Some(data.ctor),
            _ => self.constructors.get(&term).copied(),
        }
    }

    /// The constant that a term equals, if the decisions so far determine it.
    #[must_use]
    pub fn constant(&self, terms: &Terms, term: TermId) -> Option<TermId> {
        if terms.is_const(term) { Some(term) } else { self.constants.get(&term).copied() }
    }

    /// What an integer term is between, as far as the decisions tell.
    #[must_use]
    pub fn bounds(&self, terms: &Terms, term: TermId) -> Interval {
        self.bounds.interval(terms, term)
    }

    /// Whether a condition holds, if the decisions so far tell.
    #[must_use]
    pub fn holds(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        if let Some(value) = terms.as_u64(condition) {
            return Some(value == 1);
        }
        if let Some(&value) = self.known.get(&condition) {
            return Some(value);
        }
        match (terms.op(condition), terms.args(condition)) {
            (Op::Not, &[inner]) => self.holds(terms, inner).map(|value| !value),
            (Op::And, args) => {
                let mut all = true;
                for &arg in args {
                    match self.known.get(&arg).copied().or_else(|| self.literal(terms, arg)) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = false,
                    }
                }
                all.then_some(true)
            }
            _ => self.literal(terms, condition),
        }
    }

    fn literal(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        match (terms.op(condition), terms.args(condition)) {
            (Op::Not, &[inner]) => self.known.get(&inner).copied().or_else(|| self.literal(terms, inner)).map(|value| !value),
            (Op::IsCtor(ctor), &[of]) => self.constructor(terms, of).map(|known| known == ctor),
            (Op::Eq, &[a, b]) => {
                if let (Some(a), Some(b)) = (self.constant(terms, a), self.constant(terms, b)) {
                    return Some(a == b);
                }
                match (self.constructor(terms, a), self.constructor(terms, b)) {
                    (Some(a), Some(b)) if a != b => Some(false),
                    _ => self.bounds.holds(terms, Op::Eq, a, b),
                }
            }
            (op @ (Op::Le | Op::Lt), &[a, b]) => self.bounds.holds(terms, op, a, b),
            _ => None,
        }
    }

    /// A conjunction without the parts that are known to hold; `false` if one is known not to.
    pub fn simplify(&self, terms: &mut Terms, conjuncts: &[TermId]) -> TermId {
        let mut open = Vec::with_capacity(conjuncts.len());
        let mut constructors: FxHashMap<TermId, CtorId> = FxHashMap::default();
        for &conjunct in conjuncts {
            match self.holds(terms, conjunct) {
                Some(true) => {}
                Some(false) => return terms.bool(false),
                None => open.push(conjunct),
            }
            if let (Op::IsCtor(ctor), &[of]) = (terms.op(conjunct), terms.args(conjunct))
                && *constructors.entry(of).or_insert(ctor) != ctor
            {
                return terms.bool(false);
            }
        }
        match open[..] {
            [] => terms.bool(true),
            [one] => one,
            _ => terms.mk(Op::And, &open),
        }
    }

    /// Takes note that a condition holds, or that it does not.
    pub fn learn(&mut self, terms: &Terms, condition: TermId, value: bool) {
        let mut pending = vec![(condition, value)];
        while let Some((condition, value)) = pending.pop() {
            if self.known.insert(condition, value) == Some(value) || terms.is_const(condition) {
                continue;
            }
            match (terms.op(condition), terms.args(condition)) {
                (Op::Not, &[inner]) => pending.push((inner, !value)),
                (Op::And, args) if value => pending.extend(args.iter().map(|&arg| (arg, true))),
                (Op::And, args) => {
                    let mut open = args.iter().copied().filter(|&arg| self.holds(terms, arg) != Some(true));
                    if let (Some(last), None) = (open.next(), open.next()) {
                        pending.push((last, false));
                    }
                }
                (op @ (Op::Le | Op::Lt), &[a, b]) => self.bounds.learn(terms, op, a, b, value),
                (Op::Eq, &[a, b]) if !value => self.bounds.learn(terms, Op::Eq, a, b, false),
                (Op::IsCtor(ctor), &[of]) if value => {
                    self.constructors.insert(of, ctor);
                }
                (Op::Eq, &[a, b]) if value => {
                    self.bounds.learn(terms, Op::Eq, a, b, true);
                    for (term, other) in [(a, b), (b, a)] {
                        if let Some(ctor) = self.constructor(terms, other) {
                            self.constructors.insert(term, ctor);
                        }
                        if let Some(constant) = self.constant(terms, other) {
                            self.constants.insert(term, constant);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
