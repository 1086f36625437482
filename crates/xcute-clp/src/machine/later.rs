//! What is assumed of parts of inputs once a run has come to them: types of long lists are unrolled piece by piece.
//!
//! **Invariant.** When something is assumed depends on the decisions before it only.

use std::sync::Arc;

use xcute_term::{TermId, Terms};

use super::Machine;
use super::symbols::Symbols;
use super::universe::Universe;

/// Says what a part must be, and what is left for later.
pub(crate) type Unroll = Arc<dyn Fn(&Universe, &mut Terms, &mut Symbols, TermId) -> (Vec<TermId>, Vec<Later>) + Send + Sync>;

/// A part of an input of which nothing is assumed yet.
#[derive(Clone)]
pub(crate) struct Later {
    pub(crate) part: TermId,
    pub(crate) unroll: Unroll,
}

impl Machine<'_> {
    /// Assumes what is left for later of the parts that decisions have come to. Inputs are made to fit before a run, so it holds.
    pub(crate) fn assume_later(&mut self) {
        if self.later.is_empty() || self.looked == self.rec.met() {
            return;
        }
        let mut at = 0;
        while at < self.later.len() {
            let part = self.later[at].part;
            let compound = self.rec.facts.constructor(self.rec.terms, part).is_some_and(|ctor| self.universe.functor(ctor).is_some());
            if !compound {
                at += 1;
                continue;
            }
            let Later { unroll, .. } = self.later.swap_remove(at);
            let (conditions, more) = unroll(self.universe, self.rec.terms, self.symbols, part);
            let holds = self.rec.assume(self.program.code.assumption(), &conditions);
            debug_assert!(holds, "inputs are of their types");
            self.later.extend(more);
        }
        self.looked = self.rec.met();
    }
}
