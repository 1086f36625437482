//! Forgetting: learnt clauses of many levels rarely help again (Audemard & Simon, "Predicting learnt clauses quality", 2009).

use super::Sat;
use super::clauses::{ClauseId, Watched};

/// Clauses of so few levels are kept for good.
const GOOD_GLUE: u32 = 2;

impl Sat {
    /// Drops the half of the learnt clauses that has more levels, except reasons of what is assigned.
    pub(super) fn reduce(&mut self) {
        let mut by_glue: Vec<(u32, usize)> =
            self.learnt.iter().enumerate().map(|(age, &id)| (self.clauses.glue(id), self.learnt.len() - age)).collect();
        by_glue.sort_unstable();
        let (worst_glue, oldest) = by_glue[by_glue.len() / 2];
        let mut reasons: Vec<ClauseId> =
            self.trail.iter().map(|l| self.reasons[l.var() as usize]).filter(|&r| r != ClauseId::NONE).collect();
        reasons.sort_unstable();
        let total = self.learnt.len();
        let mut dropped: Vec<ClauseId> = Vec::with_capacity(total / 2);
        for (age, &id) in self.learnt.iter().enumerate() {
            let glue = self.clauses.glue(id);
            if glue > GOOD_GLUE && (glue, total - age) > (worst_glue, oldest) && reasons.binary_search(&id).is_err() {
                dropped.push(id);
            }
        }
        // Clauses are only ever appended, so their names are sorted by age.
        let moved = self.clauses.retain(|id| dropped.binary_search(&id).is_err());
        for (id, count) in &mut self.definitions {
            if *count > 0 {
                *id = moved.to(*id);
            }
        }
        for list in self.waiting.iter_mut().chain([&mut self.learnt, &mut self.attached]) {
            list.iter_mut().for_each(|id| *id = moved.to(*id));
            list.retain(|&id| id != ClauseId::NONE);
        }
        for list in &mut self.watches {
            list.retain_mut(|watcher| {
                let id = moved.to(watcher.clause.id());
                watcher.clause = Watched::new(id, watcher.clause.binary());
                id != ClauseId::NONE
            });
        }
        for lit in &self.trail {
            let reason = &mut self.reasons[lit.var() as usize];
            if *reason != ClauseId::NONE {
                *reason = moved.to(*reason);
            }
        }
    }
}
