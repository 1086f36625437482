//! Smaller inputs for a failure: the same path with simpler values.
//!
//! A value is simpler if it is zero, a small number, a printable character, NULL, a term with fewer parts. Whether a change keeps to the path is seen by evaluating the
//! conditions that the run met, so it costs no run; the result is run once and must fail in the same way, at the same place.
//!
//! We deviate from delta debugging (Zeller & Hildebrandt) in that the path is kept: what is covered, and with it the tree, does not change.
//!
//! **Invariant.** Deterministic, unless it is interrupted. It ends after a bounded number of evaluated terms ([`WORK`]), with what it has by then. What does not fail in
//! the same way when it is run is thrown away, and the input stays as it was found.

use rustc_hash::FxHashMap;
use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, TermId, Terms, VarId, profile};
use xcute_trace::{Failure, Outcome, Shape, TestCase, Trace};
use xcute_tree::{ArmId, PathTree};

use crate::runner::Runner;

mod values;

/// Paths with more conditions than this are left as they are.
const LONG: usize = 20_000;
/// At most this many terms may be evaluated: a few hundredths of a second.
const WORK: u64 = 4_000_000;
/// Conditions with more variables than this are evaluated for each of their variables and for all others as well: listing them would cost more.
const WIDE: usize = 64;
/// How often all variables are gone through: a simpler value of one may allow a simpler one of another.
const PASSES: usize = 3;

/// A simpler input with which the run of `trace`, which kept to its promise, fails again; `None` where there is none.
pub(crate) fn minimised(
    runner: &mut Runner<'_>,
    way: Option<(&PathTree, ArmId)>,
    trace: &Trace,
    failure: &Failure,
) -> Option<(Failure, Model)> {
    let _phase = profile::phase("minimising");
    let mut path = Vec::new();
    if let Some((tree, arm)) = way {
        tree.condition(arm.node, &mut path);
        path.push(tree.cond(arm));
    }
    path.extend(trace.decisions.iter().filter_map(|decision| decision.arms.get(decision.taken as usize)));
    if path.len() > LONG {
        return None;
    }
    let shapes = trace.input.words().iter().map(|&(var, _)| (var, runner.subject.shape(var))).collect();
    let mut search = Search::new(&runner.terms, &path, trace.input.clone(), shapes, &runner.interrupt);
    search.run();
    let input = search.input;
    if input == trace.input {
        return None;
    }
    let case = TestCase { input, schedule: trace.schedule() };
    let again = runner.run_again(&case).ok()?;
    let strange = !again.covered.is_empty();
    match again.outcome {
        Outcome::Failed(seen) if seen.key() == failure.key() && !strange => Some((seen, again.input)),
        _ => None,
    }
}

struct Search<'a> {
    terms: &'a Terms,
    eval: Evaluator,
    /// The conditions that a variable is part of, but for those in `wide`.
    about: FxHashMap<VarId, Vec<TermId>>,
    /// Conditions with many variables.
    wide: Vec<TermId>,
    input: Model,
    shapes: Vec<(VarId, Shape)>,
    interrupt: &'a Interrupt,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Terms, path: &[TermId], input: Model, shapes: Vec<(VarId, Shape)>, interrupt: &'a Interrupt) -> Search<'a> {
        let mut about: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
        let mut wide = Vec::new();
        for &condition in path {
            let vars = terms.vars(condition);
            if vars.len() > WIDE {
                wide.push(condition);
                continue;
            }
            for var in vars {
                about.entry(var).or_default().push(condition);
            }
        }
        let mut eval = Evaluator::new();
        eval.load(&input);
        Search { terms, eval, about, wide, input, shapes, interrupt }
    }

    /// Whether to leave it at what there is.
    fn over(&self) -> bool {
        self.eval.work() > WORK || self.interrupt.raised()
    }

    fn run(&mut self) {
        for _ in 0..PASSES {
            let before = self.input.clone();
            self.together();
            for i in 0..self.shapes.len() {
                let (var, shape) = self.shapes[i];
                self.simplify(var, shape);
            }
            self.simplify_values();
            if self.input == before || self.over() {
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
        let admissible = |var: &VarId| self.terms.domain(*var).is_none_or(|domain| domain.binary_search(&word).is_ok());
        if self.over() || !vars.iter().all(admissible) {
            return false;
        }
        vars.iter().for_each(|&var| self.eval.set_word(var, word));
        let conditions = vars.iter().filter_map(|var| self.about.get(var)).flatten().chain(&self.wide);
        let holds = conditions.into_iter().all(|&condition| self.eval.eval_bool(self.terms, condition));
        for &var in vars {
            if holds {
                self.input.set_word(var, word);
            } else {
                self.eval.set_word(var, self.input.word(var).unwrap_or(0));
            }
        }
        holds
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
