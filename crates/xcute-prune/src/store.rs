//! Full interpolants by program point, and SUBSUME (Definition 3).
//!
//! **Invariant.** I3: only nodes that are full by their own arms are here; copies at subsumed nodes are not. I4: a node is not full before it is finished,
//! so it never subsumes what is below it; a finished descendant may subsume its ancestor's other paths, since its proof does not need the ancestor.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use xcute_term::eval::is_word;

use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Annotation, Horizon};
use crate::options::Mutant;
use crate::shelf::{Entry, Shelf};
use crate::tree::NodeId;
use xcute_trace::segments::PointId;

/// The interpolants.
#[derive(Debug, Default)]
pub(crate) struct Store {
    points: FxHashMap<PointId, AtPoint>,
}

#[derive(Debug, Default)]
struct AtPoint {
    shelf: Shelf,
    /// How many there ever were.
    count: usize,
}

impl Store {
    /// Keeps an annotation, unless one like it is there; whether it did. Where there is no room another one goes, and is counted.
    pub(crate) fn keep(&mut self, context: &mut Context<'_>, point: PointId, annotation: &Annotation, of: NodeId) -> bool {
        let Some(interpolant) = &annotation.interpolant else { return false };
        let here = self.points.entry(point).or_default();
        let entry = Entry::new(context.terms, context.symbols, here.count, annotation.clone(), of);
        let same = |other: &Entry| {
            let (other, horizon) = (&other.annotation.interpolant, other.annotation.horizon);
            horizon >= annotation.horizon && other.as_deref().is_some_and(|other| other == interpolant.as_ref())
        };
        if here.shelf.any(&entry, &same) {
            return false;
        }
        here.count += 1;
        context.counters.forgotten += u64::from(here.shelf.insert(entry, context.options.per_point, 0));
        true
    }

    /// How many there ever were at a point.
    pub(crate) fn count(&self, point: PointId) -> usize {
        self.points.get(&point).map_or(0, |here| here.count)
    }

    /// An annotation, from number `from` on, that subsumes the state at decision `k` with this many decisions to go, and whose it is.
    pub(crate) fn subsume(
        &mut self,
        context: &mut Context<'_>,
        walk: &Walk,
        k: usize,
        from: usize,
        to_go: Horizon,
    ) -> Option<(Annotation, NodeId)> {
        let here = self.points.get_mut(&walk.run.decisions[k].point).filter(|here| here.count > from)?;
        let context = RefCell::new(context);
        let mut held = |cell| {
            let context = &mut *context.borrow_mut();
            let term = context.terms.var_term(cell);
            let value = walk.history.at(context.terms, context.symbols, k, term);
            if let Some(word) = context.terms.as_u64(value) {
                return Some(word);
            }
            // If the path allows one value only, it is the one of this run.
            is_word(context.terms.sort(value)).then(|| {
                context.eval.load(&walk.run.input);
                context.eval.eval_word(context.terms, value)
            })
        };
        let mut implied = |entry: &Entry| {
            let context = &mut *context.borrow_mut();
            if context.over() || entry.annotation.horizon < to_go && !context.options.broken(Mutant::HorizonIgnored) {
                return false;
            }
            context.counters.checks += 1;
            let interpolant = entry.annotation.interpolant.as_ref();
            interpolant.is_some_and(|interpolant| context.implies_all(Purpose::Subsumption, walk, k, interpolant))
        };
        // The latest first: a search is often near to where it was.
        here.shelf.find(from, &mut held, &mut implied)
    }
}
