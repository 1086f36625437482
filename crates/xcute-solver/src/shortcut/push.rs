//! Pushing: makes a condition true by pushing wanted values down its terms to several variables at once.
//!
//! A word that is put together from input bytes needs all of them changed to become 0x1234. The wanted value of a term is split
//! among the arguments of concatenations (and of additions and disjunctions that only put bits side by side), undone on the
//! others, one argument keeping its value. It is the backward step of propagation-based local search (Niemetz, Preiner & Biere,
//! "Propagation based local search for bit-precise reasoning", 2017) without the search: a handful of `variants` is
//! tried and each is checked by evaluation.
//!
//! **Invariant.** Nothing here is trusted: the caller evaluates goal and path under the trial.

use xcute_term::{Op, Sort, TermId, Terms};

use super::invert::wanted;
use super::preimage::{self, Open};
use super::ranges::Ranges;
use crate::bound::mask;
use crate::trial::Trial;

/// How many variants differ: which side of a comparison moves, and to which of the admitted words.
pub(crate) const VARIANTS: u32 = 6;

/// Changes variables of the trial so that `goal` may hold; false where it does not know how.
pub(crate) fn push(terms: &Terms, trial: &mut Trial, goal: TermId, variant: u32) -> bool {
    Push { terms, trial, variant, fuel: 128 }.truth(goal, true)
}

struct Push<'a> {
    terms: &'a Terms,
    trial: &'a mut Trial,
    variant: u32,
    fuel: u32,
}

impl Push<'_> {
    fn truth(&mut self, t: TermId, want: bool) -> bool {
        let terms = self.terms;
        if self.trial.eval.eval_bool(terms, t) == want {
            return true;
        }
        if self.fuel == 0 || terms.vars(t).is_empty() {
            return false;
        }
        self.fuel -= 1;
        let args = terms.args(t);
        match terms.op(t) {
            Op::Var(v) => self.trial.set_to(v).is_none() && self.trial.set(terms, v, u64::from(want)),
            Op::Not => self.truth(args[0], !want),
            Op::And | Op::Or if (terms.op(t) == Op::And) == want => args.iter().all(|&a| self.truth(a, want)),
            Op::And | Op::Or => {
                let first = self.variant as usize % args.len();
                (0..args.len()).any(|i| self.truth(args[(first + i) % args.len()], want))
            }
            Op::Ite => {
                let arm = if self.trial.eval.eval_bool(terms, args[0]) { args[1] } else { args[2] };
                self.truth(arm, want)
            }
            Op::Eq if terms.sort(args[0]) == Sort::Bool => {
                let (moved, fixed) = self.sides(args[0], args[1]);
                let value = self.trial.eval.eval_bool(terms, fixed);
                self.truth(moved, value == want)
            }
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => self.comparison(t, want),
            _ => false,
        }
    }

    /// Which of two terms is changed and which one stays: the variant chooses where both can be changed.
    fn sides(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let (fixed_a, fixed_b) = (self.terms.vars(a).is_empty(), self.terms.vars(b).is_empty());
        if fixed_a || (!fixed_b && self.variant % 2 == 1) { (b, a) } else { (a, b) }
    }

    fn comparison(&mut self, t: TermId, want: bool) -> bool {
        let terms = self.terms;
        let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
        let Sort::BitVec(width @ 1..=64) = terms.sort(a) else { return false };
        let (moved, fixed) = self.sides(a, b);
        let k = self.trial.eval.eval_word(terms, fixed);
        let set = wanted(terms.op(t), width, k, moved == a, want);
        let now = self.trial.eval.eval_word(terms, moved);
        let word = match self.variant / 2 {
            0 => set.nearest(now, !matches!(terms.op(t), Op::BvUlt | Op::BvUle)),
            1 => set.intervals().first().map(|i| i.0),
            _ => set.intervals().last().map(|i| i.1),
        };
        word.is_some_and(|w| self.word(moved, w))
    }

    fn word(&mut self, t: TermId, word: u64) -> bool {
        let (mut t, mut word, terms) = (t, word, self.terms);
        loop {
            let now = self.trial.eval.eval_word(terms, t);
            if now == word {
                return true;
            }
            if self.fuel == 0 || terms.vars(t).is_empty() {
                return false;
            }
            self.fuel -= 1;
            let (op, args) = (terms.op(t), terms.args(t));
            match op {
                Op::Var(v) => return self.trial.set_to(v).is_none() && self.trial.set(terms, v, word),
                Op::Concat => {
                    let low = terms.width(args[1]);
                    return self.word(args[1], word & mask(low)) && self.word(args[0], word >> low);
                }
                Op::Ite => {
                    t = if self.trial.eval.eval_bool(terms, args[0]) { args[1] } else { args[2] };
                    continue;
                }
                Op::BvOr | Op::BvAdd | Op::BvXor => {
                    let (a, b) = (possible(terms, args[0], 8), possible(terms, args[1], 8));
                    if a & b == 0 {
                        return word & !(a | b) == 0 && self.word(args[0], word & a) && self.word(args[1], word & b);
                    }
                }
                _ => {}
            }
            match self.undo(op, args, word) {
                Some(next) => (t, word) = next,
                None => return false,
            }
        }
    }

    fn undo(&mut self, op: Op, args: &[TermId], word: u64) -> Option<(TermId, u64)> {
        let terms = self.terms;
        let small = |t: TermId| terms.sort(t).width().filter(|&w| w <= 64);
        let (open, preimage) = match *args {
            [a] => {
                let old = small(a).map(|_| self.trial.eval.eval_word(terms, a))?;
                let target = Ranges::point(result_width(terms, op, a), word);
                (a, preimage::unary(op, terms.width(a), old, &target)?)
            }
            [a, b] => {
                let (open, fixed) = self.sides(a, b);
                let width = small(open)?;
                small(fixed)?;
                let (old, k) = (self.trial.eval.eval_word(terms, open), self.trial.eval.eval_word(terms, fixed));
                let target = Ranges::point(width, word);
                (open, preimage::binary(op, &Open { left: open == a, width, old }, k, &target)?)
            }
            _ => return None,
        };
        let old = self.trial.eval.eval_word(terms, open);
        Some((open, preimage.set.nearest(old, true)?))
    }
}

/// The width of a unary operator's result.
fn result_width(terms: &Terms, op: Op, arg: TermId) -> u32 {
    match op {
        Op::ZeroExt(w) | Op::SignExt(w) => w,
        Op::Extract(high, low) => high - low + 1,
        _ => terms.width(arg),
    }
}

/// The bits that can be one, looking `depth` operators deep.
fn possible(terms: &Terms, t: TermId, depth: u32) -> u64 {
    if let Some(word) = terms.as_u64(t) {
        return word;
    }
    let all = mask(terms.width(t).min(64));
    if depth == 0 {
        return all;
    }
    let args = terms.args(t);
    let of = |i: usize| possible(terms, args[i], depth - 1);
    match terms.op(t) {
        Op::ZeroExt(_) => of(0),
        Op::Concat => (of(0) << terms.width(args[1])) | of(1),
        Op::BvAnd => of(0) & of(1),
        Op::BvOr | Op::BvXor => of(0) | of(1),
        Op::BvShl => terms.as_u64(args[1]).map_or(all, |by| if by < 64 { (of(0) << by) & all } else { 0 }),
        Op::BvLshr => terms.as_u64(args[1]).map_or(all, |by| if by < 64 { of(0) >> by } else { 0 }),
        Op::Ite => of(1) | of(2),
        _ => all,
    }
}
