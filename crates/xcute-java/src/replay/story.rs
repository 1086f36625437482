//! What a replay finds out: decisions, limits, coverage, and the input.
//!
//! Decisions that were promised are compared, not built. Which instructions decide depends on the run alone, never on what a condition
//! simplifies to, so that a promise of one run counts the same in the next.

use rustc_hash::FxHashSet;
use xcute_term::{Model, TermId, Terms};
use xcute_trace::{Decision, DecisionKind, Known as Promised, Limit, SiteId};

use super::nodes::{Node, Nodes};

/// What a replay found out.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) known: usize,
    pub(crate) limits: Vec<Limit>,
    pub(crate) input: Model,
    /// Arms that were taken, decided by inputs or not; not yet compared with earlier runs.
    pub(crate) covered: Vec<(SiteId, u32)>,
    astray: bool,
    /// The conditions of the arms taken so far in this run.
    held: FxHashSet<TermId>,
}

impl Story {
    /// Notes that an arm of a site was taken.
    pub(crate) fn cover(&mut self, site: u32, arm: u32) {
        self.covered.push((SiteId(site), arm));
    }

    /// How many decisions the run made.
    pub(crate) fn count(&self) -> usize {
        self.known + self.decisions.len()
    }

    /// A decision with these arms, whose conditions exclude each other.
    pub(crate) fn decide(
        &mut self,
        (nodes, terms, variables): (&mut Nodes, &mut Terms, &[TermId]),
        promise: &[Promised],
        (site, kind, taken): (u32, DecisionKind, u32),
        arms: &mut dyn FnMut(&mut Nodes) -> Vec<Node>,
    ) {
        let here = Promised { site: SiteId(site), taken };
        if !self.astray && promise.get(self.known) == Some(&here) {
            self.known += 1;
            return;
        }
        self.astray = true;
        let mut conditions: Vec<TermId> = arms(nodes).into_iter().map(|arm| nodes.term(terms, variables, arm)).collect();
        // A decision that an earlier one of the same run decides (a loop whose test does not change) has no other arms.
        if conditions.get(taken as usize).is_some_and(|&condition| !self.held.insert(condition)) {
            for (arm, condition) in conditions.iter_mut().enumerate().filter(|(arm, _)| *arm != taken as usize) {
                let _ = arm;
                *condition = terms.bool(false);
            }
        }
        self.decisions.push(Decision { site: here.site, kind, taken, arms: conditions });
    }

    /// A choice between this many ways to go on; `strayed`: it is not the one that was planned.
    pub(crate) fn choose(&mut self, terms: &mut Terms, promise: &[Promised], here: Promised, options: u32, strayed: bool) {
        self.astray |= strayed || promise.get(self.known) != Some(&here);
        if !self.astray {
            self.known += 1;
            return;
        }
        let arms = vec![terms.bool(true); options as usize];
        self.decisions.push(Decision { site: here.site, kind: DecisionKind::Schedule, taken: here.taken, arms });
    }

    /// Counts something that is not exact.
    pub(crate) fn limit(&mut self, kind: &str, what: impl Into<String>, incomplete: bool) {
        let limit = Limit { kind: kind.to_owned(), what: what.into(), incomplete };
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }

    /// Counts a method that is left out.
    pub(super) fn left_out(&mut self, method: &str) {
        self.limit("unsupported", format!("{method} is not followed: it would be too long"), true);
    }
}
