//! Pins: variables that the path forces to one word.
//!
//! After `c == '('` every later condition on `c` is decided. A proof for one variable, the others keeping their values, is a proof
//! for good where the others cannot have any other value.

use xcute_term::{Op, TermId, Terms, VarId, VarWalk};

use crate::bound::{Bound, Side};
use crate::marks::Slots;

/// The pinned variables of a query.
#[derive(Default)]
pub(crate) struct Pins {
    /// Per pinned variable: the position of its constraint in the path.
    by: Slots,
    seen: Slots,
    /// The constraints of the core.
    members: Slots,
    walk: VarWalk,
    vars: Vec<VarId>,
}

impl Pins {
    /// Reads the path.
    pub(crate) fn load(&mut self, terms: &Terms, path: &[TermId]) {
        self.by.clear(terms.var_count());
        for (i, &c) in path.iter().enumerate() {
            if let Some(Bound { term, side: Side::Equal, .. }) = Bound::of(terms, c)
                && let Op::Var(v) = terms.op(term)
            {
                self.by.set(v.index(), u32::try_from(i).unwrap_or(0));
            }
        }
    }

    /// Completes a contradiction that was shown for `free` with all other variables fixed: adds what fixes them to `core`.
    /// False where something does not.
    pub(crate) fn complete(&mut self, terms: &Terms, path: &[TermId], free: Option<VarId>, core: &mut Vec<TermId>) -> bool {
        self.seen.clear(terms.var_count());
        self.members.clear(terms.len());
        self.walk.clear();
        for i in 0..core.len() {
            self.members.set(core[i].index(), 0);
            // Most often the first variable is free.
            let first = terms.vars(core[i]).first();
            if first.is_some_and(|v| Some(v) != free && self.by.get(v.index()).is_none()) {
                return false;
            }
            self.vars.clear();
            self.walk.visit(terms, core[i], |v| self.vars.push(v));
            for &v in self.vars.iter().filter(|&&v| Some(v) != free) {
                if !self.seen.set(v.index(), 0) {
                    continue;
                }
                let Some(pin) = self.by.get(v.index()) else { return false };
                if self.members.set(path[pin as usize].index(), 0) {
                    core.push(path[pin as usize]);
                }
            }
        }
        true
    }
}
