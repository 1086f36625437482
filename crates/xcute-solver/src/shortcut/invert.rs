//! Inversion: the values of one variable under which a condition holds, all other variables keeping theirs.
//!
//! A condition over one occurrence of the variable is undone operator by operator, from the comparison down to the variable,
//! by mapping the set of wanted results to the set of arguments that give them. Conjunctions intersect, disjunctions and
//! conditional terms unite. It is the inversion of a linear constraint, widened to every operator whose preimage is a few
//! intervals.
//!
//! **Invariant.** [`Inverted::over`] is set only if no value that satisfies the condition is missing, so an empty set then
//! proves that no value does.

use xcute_term::eval::Evaluator;
use xcute_term::{Op, Sort, TermId, Terms, VarId};

use super::floats::{self, Patterns};
use super::preimage;
use super::ranges::Ranges;
use crate::bound::{mask, sign_bit};

/// The values found.
pub(crate) struct Inverted {
    pub(crate) set: Ranges,
    /// Whether `set` has every satisfying value.
    pub(crate) over: bool,
}

/// Inverts `condition` for `var`; `None` where it is not of an invertible form.
pub(crate) fn invert(terms: &Terms, eval: &mut Evaluator, var: VarId, condition: TermId) -> Option<Inverted> {
    let width = match terms.info(var).sort {
        Sort::Bool => 1,
        Sort::BitVec(w) if w <= 64 => w,
        sort => Patterns::of(sort)?.width(),
    };
    let mut inverter = Inverter { terms, eval, var, width, over: true, fuel: 64 };
    let set = inverter.truth(condition, true)?;
    Some(Inverted { set, over: inverter.over })
}

struct Inverter<'a> {
    terms: &'a Terms,
    eval: &'a mut Evaluator,
    var: VarId,
    width: u32,
    over: bool,
    /// How many more operators may be undone: deep terms are the solver's.
    fuel: u32,
}

impl Inverter<'_> {
    fn depends(&self, t: TermId) -> bool {
        self.terms.vars(t).contains(self.var)
    }

    fn burn(&mut self) -> Option<()> {
        self.fuel = self.fuel.checked_sub(1)?;
        Some(())
    }

    /// The values under which the Boolean `t` is `want`.
    fn truth(&mut self, t: TermId, want: bool) -> Option<Ranges> {
        if !self.depends(t) {
            let holds = self.eval.eval_bool(self.terms, t) == want;
            return Some(Ranges::all_if(self.width, holds));
        }
        self.burn()?;
        let terms = self.terms;
        let args = terms.args(t);
        match terms.op(t) {
            Op::Var(_) => Some(Ranges::point(1, u64::from(want))),
            Op::Not => self.truth(args[0], !want),
            Op::And | Op::Or => {
                if (terms.op(t) == Op::And) == want {
                    self.all(args, want)
                } else {
                    self.any(args, want)
                }
            }
            Op::Ite => {
                let (yes, no) = (self.truth(args[0], true)?, self.truth(args[0], false)?);
                let (a, b) = (self.truth(args[1], want), self.truth(args[2], want));
                Some(self.either(&yes, a, &no, b))
            }
            Op::Eq if terms.sort(args[0]) == Sort::Bool => {
                let (open, fixed) = if self.depends(args[0]) { (args[0], args[1]) } else { (args[1], args[0]) };
                if self.depends(fixed) {
                    return None;
                }
                let value = self.eval.eval_bool(terms, fixed);
                self.truth(open, value == want)
            }
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => self.comparison(t, want),
            Op::FpEq | Op::FpLt | Op::FpLe => self.comparison(t, want),
            op => {
                let target = floats::tested(op, Patterns::of(terms.sort(*args.first()?))?, want)?;
                self.word(args[0], target)
            }
        }
    }

    /// Conjunction. A part that cannot be inverted is left out: what remains still has every solution.
    fn all(&mut self, args: &[TermId], want: bool) -> Option<Ranges> {
        let mut out: Option<Ranges> = None;
        for &a in args {
            if let Some(set) = self.truth(a, want) {
                out = Some(out.map_or(set.clone(), |o| o.intersect(&set)));
            }
        }
        out
    }

    /// Disjunction. A part that cannot be inverted may have more solutions.
    fn any(&mut self, args: &[TermId], want: bool) -> Option<Ranges> {
        let mut out: Option<Ranges> = None;
        for &a in args {
            match self.truth(a, want) {
                Some(set) => out = Some(out.map_or(set.clone(), |o| o.union(&set))),
                None => self.over = false,
            }
        }
        out
    }

    fn either(&mut self, yes: &Ranges, a: Option<Ranges>, no: &Ranges, b: Option<Ranges>) -> Ranges {
        let mut out = Ranges::empty(self.width);
        for (condition, set) in [(yes, a), (no, b)] {
            match set {
                Some(set) => out = out.union(&condition.intersect(&set)),
                None => self.over = false,
            }
        }
        out
    }

    fn comparison(&mut self, t: TermId, want: bool) -> Option<Ranges> {
        let terms = self.terms;
        let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
        let (sort, op) = (terms.sort(a), terms.op(t));
        let width = sort.width().filter(|&w| w <= 64)?;
        if a == b && matches!(op, Op::FpEq | Op::FpLe) {
            // Only what is not a number differs from itself.
            return self.word(a, floats::tested(Op::FpIsNan, Patterns::of(sort)?, !want)?);
        }
        let left = self.depends(a);
        let (open, fixed) = if left { (a, b) } else { (b, a) };
        if self.depends(fixed) {
            return None;
        }
        let k = self.eval.eval_word(terms, fixed);
        let target = match op {
            Op::FpEq | Op::FpLt | Op::FpLe => floats::wanted(op, Patterns::of(sort)?, k, left, want),
            _ => wanted(op, width, k, left, want),
        };
        self.word(open, target)
    }

    /// The values under which the bit-vector `t` is in `target`.
    fn word(&mut self, t: TermId, target: Ranges) -> Option<Ranges> {
        if !self.depends(t) {
            let inside = target.contains(self.eval.eval_word(self.terms, t));
            return Some(Ranges::all_if(self.width, inside));
        }
        let (mut t, mut target) = (t, target);
        loop {
            self.burn()?;
            match self.terms.op(t) {
                Op::Var(_) => return Some(target),
                Op::Ite => return self.conditional(t, &target),
                _ => (t, target) = self.undo(t, &target)?,
            }
        }
    }

    fn conditional(&mut self, t: TermId, target: &Ranges) -> Option<Ranges> {
        let args = self.terms.args(t);
        if !self.depends(args[0]) {
            let arm = if self.eval.eval_bool(self.terms, args[0]) { args[1] } else { args[2] };
            return self.word(arm, target.clone());
        }
        let (yes, no) = (self.truth(args[0], true)?, self.truth(args[0], false)?);
        let (a, b) = (self.word(args[1], target.clone()), self.word(args[2], target.clone()));
        Some(self.either(&yes, a, &no, b))
    }

    /// One operator: the argument that depends on the variable and the set it must be in.
    fn undo(&mut self, t: TermId, target: &Ranges) -> Option<(TermId, Ranges)> {
        let terms = self.terms;
        let (op, args) = (terms.op(t), terms.args(t));
        let left = self.depends(args[0]);
        let open = if left { args[0] } else { args[1] };
        let width = terms.sort(open).width().filter(|&w| w <= 64)?;
        if Patterns::of(terms.sort(t)).or(Patterns::of(terms.sort(open))).is_some() {
            return self.undo_float(t, open, target);
        }
        let preimage = match *args {
            [_] => {
                let old = self.eval.eval_word(terms, open);
                preimage::unary(op, width, old, target)?
            }
            [a, b] => {
                let fixed = if left { b } else { a };
                if self.depends(fixed) {
                    return None;
                }
                let (k, old) = (self.eval.eval_word(terms, fixed), self.eval.eval_word(terms, open));
                preimage::binary(op, &preimage::Open { left, width, old }, k, target)?
            }
            _ => return None,
        };
        self.over &= !preimage.partial;
        Some((open, preimage.set))
    }
}

impl Inverter<'_> {
    /// One operator on floats, or between floats and words.
    fn undo_float(&mut self, t: TermId, open: TermId, target: &Ranges) -> Option<(TermId, Ranges)> {
        let terms = self.terms;
        let (op, args) = (terms.op(t), terms.args(t));
        if let Some(set) = floats::moved(op, target) {
            return Some((open, set));
        }
        let fixed = match *args {
            [_] => None,
            [a, b] => Some(if open == a { b } else { a }),
            _ => return None,
        };
        if fixed.is_some_and(|f| self.depends(f)) {
            return None;
        }
        let fixed = fixed.map(|f| self.eval.eval(terms, f));
        let step = floats::Step { terms, op, result: terms.sort(t), open: terms.sort(open), left: open == args[0], fixed };
        let preimage = step.undo(target)?;
        self.over &= !preimage.partial;
        Some((open, preimage.set))
    }
}

/// The words `w` for which `w op k` (or `k op w` where `left` is false) is `want`.
pub(crate) fn wanted(op: Op, width: u32, k: u64, left: bool, want: bool) -> Ranges {
    let m = mask(width);
    if op == Op::Eq {
        let mut set = if want { Ranges::point(width, k) } else { Ranges::full(width) };
        if !want {
            set.remove(k);
        }
        return set;
    }
    let signed = matches!(op, Op::BvSlt | Op::BvSle);
    let (bottom, top) = if signed { (sign_bit(width), sign_bit(width) - 1) } else { (0, m) };
    // `w < k`, `k <= w` and so on: below or above k, with or without k itself.
    let below = left == want;
    let with = matches!(op, Op::BvUle | Op::BvSle) == want;
    match (below, with) {
        (true, true) => Ranges::wrapping(width, bottom, k),
        (false, true) => Ranges::wrapping(width, k, top),
        (true, false) if k == bottom => Ranges::empty(width),
        (false, false) if k == top => Ranges::empty(width),
        (true, false) => Ranges::wrapping(width, bottom, k.wrapping_sub(1) & m),
        (false, false) => Ranges::wrapping(width, k.wrapping_add(1) & m, top),
    }
}
