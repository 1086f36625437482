//! Full interpolants by program point, and SUBSUME (Definition 3).
//!
//! **Invariant.** I3: only nodes that are full by their own arms are here; copies at subsumed nodes are not. I4: a node is not full before it is finished,
//! so it never subsumes what is below it; a finished descendant may subsume its ancestor's other paths, since its proof does not need the ancestor.

use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Annotation, Horizon};
use crate::options::Mutant;
use crate::tree::NodeId;
use xcute_trace::segments::PointId;

/// The interpolants.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// Each with the node that it is of.
    points: FxHashMap<PointId, Vec<(Annotation, NodeId)>>,
}

impl Store {
    /// Keeps an annotation; whether it is new and there was room.
    pub(crate) fn keep(&mut self, point: PointId, annotation: &Annotation, of: NodeId, room: usize) -> bool {
        let Some(interpolant) = &annotation.interpolant else { return false };
        let known = self.points.entry(point).or_default();
        let covered = |(other, _): &(Annotation, NodeId)| {
            other.horizon >= annotation.horizon && other.interpolant.as_deref().is_some_and(|other| other == interpolant.as_ref())
        };
        if known.len() >= room || known.iter().any(covered) {
            return false;
        }
        known.push((annotation.clone(), of));
        true
    }

    /// How many there are at a point.
    pub(crate) fn count(&self, point: PointId) -> usize {
        self.points.get(&point).map_or(0, Vec::len)
    }

    /// An annotation, from number `from` on, that subsumes the state at decision `k` with so many decisions to go, and whose it is.
    pub(crate) fn subsume(
        &self,
        context: &mut Context<'_>,
        walk: &Walk,
        k: usize,
        from: usize,
        to_go: Horizon,
    ) -> Option<(Annotation, NodeId)> {
        let known = self.points.get(&walk.run.decisions[k].point)?;
        // The latest first: a search is often near to where it was.
        for (annotation, of) in known.get(from..)?.iter().rev() {
            if annotation.horizon < to_go && !context.options.broken(Mutant::HorizonIgnored) {
                continue;
            }
            context.counters.checks += 1;
            if let Some(interpolant) = &annotation.interpolant
                && context.implies_all(Purpose::Subsumption, walk, k, interpolant)
            {
                return Some((annotation.clone(), *of));
            }
        }
        None
    }
}
