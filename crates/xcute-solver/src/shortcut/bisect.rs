//! Bisection: solves a comparison for one variable that occurs in it more than once, as in `x * x == 2.25`.
//!
//! Nothing is known of the terms but that they can be evaluated. The variable's values are sampled in ascending order; where the
//! two sides change places between two samples, the place is closed in on. For continuous float terms and rising integer ones
//! this finds the solution in as many steps as there are bits.
//!
//! **Invariant.** It never answers that there is nothing: it may miss.

use std::cmp::Ordering;

use smallvec::SmallVec;
use xcute_term::{Op, Sort, TermId, Terms, VarId};

use super::allowed::allowed;
use super::floats::Patterns;
use crate::bound::{mask, sign_bit};
use crate::solver::Query;
use crate::trial::Trial;

/// How a variable's words are put in order.
#[derive(Clone, Copy)]
enum Order {
    Words(u64),
    Floats(Patterns),
}

impl Order {
    fn key(self, word: u64) -> u64 {
        match self {
            Order::Words(flip) => word ^ flip,
            Order::Floats(format) => format.key(word),
        }
    }

    fn word(self, key: u64) -> u64 {
        match self {
            Order::Words(flip) => key ^ flip,
            Order::Floats(format) => format.bits(key),
        }
    }
}

/// The comparison in a goal, possibly negated or first in a conjunction.
fn comparison(terms: &Terms, goal: TermId) -> Option<TermId> {
    let mut t = goal;
    loop {
        match terms.op(t) {
            Op::Not | Op::And => t = terms.args(t)[0],
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::FpEq | Op::FpLt | Op::FpLe => return Some(t),
            _ => return None,
        }
    }
}

/// Tries to satisfy the query by changing `var`.
pub(crate) fn bisect(terms: &Terms, trial: &mut Trial, query: &Query<'_>, var: VarId) -> bool {
    let Some(t) = comparison(terms, query.goal) else { return false };
    let sides = (terms.args(t)[0], terms.args(t)[1]);
    let (sort, width) = (terms.sort(sides.0), terms.info(var).sort.width().unwrap_or(0));
    if !(1..=64).contains(&width) || sort.width().is_none_or(|w| w > 64) {
        return false;
    }
    // The pattern of a float variable is a word; what it is compared with says how to order it.
    let order = match (sort, Patterns::of(sort).filter(|f| f.width() == width)) {
        (_, Some(format)) => Order::Floats(format),
        (Sort::BitVec(_), None) if matches!(terms.op(t), Op::BvUlt | Op::BvUle) => Order::Words(0),
        _ => Order::Words(sign_bit(width)),
    };
    let mut search =
        Search { terms, query, var, sides, order, result: Patterns::of(sort), signed: matches!(order, Order::Words(f) if f != 0) };
    let mut last: Option<(u64, Ordering)> = None;
    for key in search.samples(trial, width) {
        if query.interrupt.raised() {
            return false;
        }
        let Some(found) = search.at(trial, key) else { continue };
        match found {
            At::Solved => return true,
            At::Side(side) => {
                if let Some((before, other)) = last
                    && other != side
                    && search.close_in(trial, before, key, other)
                {
                    return true;
                }
                last = Some((key, side));
            }
        }
    }
    false
}

/// What is at a value of the variable.
enum At {
    /// The trial satisfies the query.
    Solved,
    /// How the two sides compare.
    Side(Ordering),
}

struct Search<'a> {
    terms: &'a Terms,
    query: &'a Query<'a>,
    var: VarId,
    sides: (TermId, TermId),
    order: Order,
    result: Option<Patterns>,
    signed: bool,
}

impl Search<'_> {
    /// Ascending keys: the ends of what the path allows, the old value, and some round numbers.
    fn samples(&self, trial: &mut Trial, width: u32) -> SmallVec<[u64; 16]> {
        let mut out = SmallVec::new();
        let m = mask(width);
        let (least, most) = match self.order {
            Order::Floats(format) => format.numbers(),
            Order::Words(_) => (0, m),
        };
        trial.reset(self.terms);
        let set = allowed(self.terms, &mut trial.eval, self.query.path, self.var, false);
        if let Some(set) = &set {
            out.extend(set.intervals().iter().take(4).flat_map(|&(a, b)| [self.order.key(a), self.order.key(b)]));
        }
        let zero = self.order.key(0);
        out.extend([self.order.key(trial.base(self.var)), zero, least, most, zero / 2 + least / 2, zero / 2 + most / 2]);
        out.retain(|key| (least..=most).contains(key) && set.as_ref().is_none_or(|s| s.contains(self.order.word(*key))));
        out.sort_unstable();
        out.dedup();
        out
    }

    fn at(&mut self, trial: &mut Trial, key: u64) -> Option<At> {
        if !trial.set(self.terms, self.var, self.order.word(key)) {
            return None;
        }
        if trial.eval.eval_bool(self.terms, self.query.goal) && trial.violated(self.terms, self.query).is_none() {
            return Some(At::Solved);
        }
        let a = trial.eval.eval_word(self.terms, self.sides.0);
        let b = trial.eval.eval_word(self.terms, self.sides.1);
        let width = self.terms.width(self.sides.0);
        let place = |w: u64| match self.result {
            Some(format) => format.key(w),
            None => w ^ if self.signed { sign_bit(width) } else { 0 },
        };
        Some(At::Side(place(a).cmp(&place(b))))
    }

    /// Halves the way from `low`, where the sides compare as `side`, to `high`, where they do not.
    fn close_in(&mut self, trial: &mut Trial, low: u64, high: u64, side: Ordering) -> bool {
        let (mut low, mut high) = (low, high);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.at(trial, middle) {
                None => return false,
                Some(At::Solved) => return true,
                Some(At::Side(s)) if s == side => low = middle,
                Some(At::Side(_)) => high = middle,
            }
        }
        false
    }
}
