//! Smaller inputs for a failure: the same path with simpler values.
//!
//! A value is simpler if it is zero, a small number, a printable character, NULL. Whether a change keeps to the path is seen by evaluating the
//! conditions that the run met, so it costs no run; the result is run once and must fail in the same way, at the same place.
//!
//! We deviate from delta debugging (Zeller & Hildebrandt) in that the path is kept: what is covered, and with it the tree, does not change.
//!
//! **Invariant.** Deterministic. What does not fail in the same way when it is run is thrown away, and the input stays as it was found.

use rustc_hash::FxHashMap;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, TermId, Terms, VarId};
use xcute_trace::{Failure, Outcome, Shape, TestCase, Trace};
use xcute_tree::ArmId;

use crate::campaign::Campaign;

/// Paths with more conditions than this are left as they are.
const LONG: usize = 20_000;
/// How often all variables are gone through: a simpler value of one may allow a simpler one of another.
const PASSES: usize = 3;

impl Campaign<'_> {
    /// A simpler input with which the run of `trace`, which kept to its promise, fails again; `None` where there is none.
    pub(crate) fn minimised(&mut self, promised: Option<ArmId>, trace: &Trace, failure: &Failure) -> Option<(Failure, Model)> {
        let mut path = Vec::new();
        if let Some(arm) = promised {
            self.tree.condition(arm.node, &mut path);
            path.push(self.tree.cond(arm));
        }
        path.extend(trace.decisions.iter().filter_map(|decision| decision.arms.get(decision.taken as usize)));
        if path.len() > LONG {
            return None;
        }
        let shapes = trace.input.words().iter().map(|&(var, _)| (var, self.subject.shape(var))).collect();
        let mut search = Search::new(&self.terms, &path, trace.input.clone(), shapes);
        search.run();
        let input = search.input;
        if input == trace.input {
            return None;
        }
        let case = TestCase { input, schedule: trace.schedule() };
        let mut again = self.subject.run(&case, &[], &mut self.terms).ok()?;
        self.outdated |= again.concurrent.as_ref().is_some_and(|concurrent| concurrent.outdated);
        let strange = !again.covered.is_empty();
        self.cover(&mut again);
        match again.outcome {
            Outcome::Failed(seen) if seen.key() == failure.key() && !strange => Some((seen, again.input)),
            _ => None,
        }
    }
}

struct Search<'a> {
    terms: &'a Terms,
    eval: Evaluator,
    /// The conditions that a variable is part of.
    about: FxHashMap<VarId, Vec<TermId>>,
    input: Model,
    shapes: Vec<(VarId, Shape)>,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Terms, path: &[TermId], input: Model, shapes: Vec<(VarId, Shape)>) -> Search<'a> {
        let mut about: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
        for &condition in path {
            for &var in terms.vars(condition) {
                about.entry(var).or_default().push(condition);
            }
        }
        Search { terms, eval: Evaluator::new(), about, input, shapes }
    }

    fn run(&mut self) {
        for _ in 0..PASSES {
            let before = self.input.clone();
            self.together();
            for (var, shape) in self.shapes.clone() {
                self.simplify(var, shape);
            }
            if self.input == before {
                break;
            }
        }
    }

    /// Variables of the same value may have to stay equal: they are made zero, or one, together.
    fn together(&mut self) {
        let mut groups: std::collections::BTreeMap<u64, Vec<VarId>> = std::collections::BTreeMap::new();
        for &(var, word) in self.input.words() {
            groups.entry(word).or_default().push(var);
        }
        groups.remove(&0);
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let _ = [0, 1].into_iter().any(|word| self.try_all(&group, word));
        }
    }

    fn simplify(&mut self, var: VarId, shape: Shape) {
        let now = self.input.word(var).unwrap_or(0);
        if now == 0 || self.try_word(var, 0) {
            return;
        }
        match shape {
            Shape::Pointer => {}
            Shape::Character => self.character(var, now),
            Shape::Float(bits) => self.float(var, now, bits),
            Shape::Unsigned => self.shrink(var, now, |magnitude| magnitude),
            Shape::Signed(bits) => {
                let value = sign_extended(now, bits);
                let negative = value < 0;
                let back = move |magnitude: u64| (if negative { magnitude.wrapping_neg() } else { magnitude }) & mask(bits);
                if !negative || !self.try_word(var, 1) {
                    self.shrink(var, value.unsigned_abs(), back);
                }
            }
        }
    }

    /// The smallest magnitude between zero, which does not do, and the present one, as far as bisection finds it.
    fn shrink(&mut self, var: VarId, now: u64, back: impl Fn(u64) -> u64) {
        let (mut fails, mut works) = (0, now);
        for small in 1..=9 {
            if small < works && self.try_word(var, back(small)) {
                return;
            }
        }
        while works - fails > 1 {
            let middle = fails + (works - fails) / 2;
            if self.try_word(var, back(middle)) {
                works = middle;
            } else {
                fails = middle;
            }
        }
    }

    fn character(&mut self, var: VarId, now: u64) {
        let printable = |word: u64| (0x20..0x7f).contains(&word);
        let favourites = [b'a', b'0', b' ', b'A', b'1'];
        let others = (0x21..0x7f).filter(|_| !printable(now));
        let _ = favourites.into_iter().chain(others).map(u64::from).take_while(|&word| word != now).any(|word| self.try_word(var, word));
    }

    fn float(&mut self, var: VarId, now: u64, bits: u32) {
        let value = if bits == 32 { f64::from(f32::from_bits(now as u32)) } else { f64::from_bits(now) };
        let words = [1.0, -1.0, 2.0, 0.5, 10.0, 100.0, value.trunc()];
        for word in words.map(|f| if bits == 32 { u64::from((f as f32).to_bits()) } else { f.to_bits() }) {
            if word == now || self.try_word(var, word) {
                return;
            }
        }
    }

    fn try_word(&mut self, var: VarId, word: u64) -> bool {
        self.try_all(&[var], word)
    }

    /// Gives the variables a value if the path allows it.
    fn try_all(&mut self, vars: &[VarId], word: u64) -> bool {
        let admissible = |var: &VarId| self.terms.info(*var).domain.as_ref().is_none_or(|domain| domain.contains(&word));
        if !vars.iter().all(admissible) {
            return false;
        }
        let mut changed = self.input.clone();
        for &var in vars {
            changed.set_word(var, word);
        }
        self.eval.load(&changed);
        let conditions = vars.iter().filter_map(|var| self.about.get(var)).flatten();
        if !conditions.into_iter().all(|&condition| self.eval.eval_bool(self.terms, condition)) {
            return false;
        }
        self.input = changed;
        true
    }
}

fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn sign_extended(word: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((word << shift).cast_signed()) >> shift
}

#[cfg(test)]
mod tests;
