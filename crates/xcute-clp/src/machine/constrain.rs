//! The leading constraints of a clause: d_r, as far as it is decided together with the head.
//!
//! neg_constr(C, H) of the paper is `∀V (s ≠ t ∨ ¬d)`. Variables of the head have determining expressions; those of `d` alone are eliminated: by equations, by
//! linear arithmetic ([`super::fd::eliminate`]), and, for variables of terms that occur in disequations only, because there is always another constant. Where that
//! does not decide it, the constraint is run as a goal after the head, and counted as unknown: never a guess.

use smallvec::smallvec;
use xcute_term::{Op, TermId};

use super::Machine;
use super::cell::Cell;
use super::error::Stop;
use super::fd::eliminate::System;

/// What became of the constraints.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Constrained {
    /// They can hold; the conditions are added.
    Can,
    /// No input makes them hold.
    Cannot,
}

impl Machine<'_> {
    /// Adds the conditions under which the constraints of a clause hold. Variables from `fresh` on are the clause's own.
    pub(crate) fn constrain(&mut self, constraints: &[Cell], fresh: u32, conditions: &mut Vec<TermId>) -> Result<Constrained, Stop> {
        let mut system = System::default();
        let mut later = false;
        for &constraint in constraints {
            let Cell::Struct(address) = constraint else { unreachable!("constraints are compounds") };
            let name = self.symbols.atoms.name(self.symbols.name(self.heap.functor(address))).to_owned();
            let (a, b) = (self.heap.arg(address, 0), self.heap.arg(address, 1));
            match name.as_str() {
                "=" => {
                    if !self.unify_all(smallvec![(a, b)], u32::MAX, conditions) {
                        return Ok(Constrained::Cannot);
                    }
                }
                "dif" => match self.different(a, b, fresh) {
                    Some(Some(condition)) => conditions.push(condition),
                    Some(None) => {}
                    None => later = true,
                },
                _ => match self.local_sums(&name, a, b, fresh)? {
                    Some((sum, relation)) => system.add(sum, relation),
                    // An operand is not known to be an integer: that is for the goal to find out.
                    None => later = true,
                },
            }
            if later {
                break;
            }
        }
        conditions.extend(self.eliminate(system, fresh)?.unwrap_or_default());
        Ok(Constrained::Can)
    }

    /// The condition that two terms differ: `None` if it is not known, `Some(None)` if they always can.
    #[expect(clippy::option_option, reason = "unknown, always, or under a condition")]
    fn different(&mut self, a: Cell, b: Cell, fresh: u32) -> Option<Option<TermId>> {
        let mark = self.heap.mark();
        let equal = self.unify(a, b);
        let (bound, older) = (!self.heap.bound_since(mark).is_empty(), self.bound_older(mark, fresh));
        self.heap.unbind(mark);
        let Some(equal) = equal else { return Some(None) };
        if older {
            return None;
        }
        if bound {
            // A variable of the clause alone: there is another constant for it.
            return Some(None);
        }
        let same = match equal[..] {
            [] => self.rec.terms.bool(true),
            _ => self.rec.terms.mk(Op::And, &equal),
        };
        Some(Some(self.rec.terms.not(same)))
    }
}
