//! From a conflict to a learnt clause (first unique implication point, Zhang et al. 2001) or to a core.

use super::Sat;
use super::clauses::ClauseId;
use crate::lit::Lit;

impl Sat {
    /// Learns a clause from a conflict, takes back what contradicts it, and assigns what it implies.
    pub(super) fn learn(&mut self, conflict: ClauseId) {
        let mut learnt = std::mem::take(&mut self.stack);
        learnt.clear();
        learnt.push(Lit::TRUE);
        let implied = self.resolve(conflict, &mut learnt);
        learnt[0] = !implied;
        self.minimize(&mut learnt);
        for var in self.to_clear.drain(..) {
            self.seen[var as usize] = false;
        }
        // The literal of the highest level but the first is watched too, and says how far to go back.
        let second = (1..learnt.len()).max_by_key(|&i| self.levels[learnt[i].var() as usize]);
        let level = second.map_or(0, |i| {
            learnt.swap(1, i);
            self.levels[learnt[1].var() as usize]
        });
        let glue = self.glue_of(&learnt);
        self.backtrack(level as usize);
        let reason = if learnt.len() == 1 {
            ClauseId::NONE
        } else {
            let id = self.clauses.add(&learnt, Some(glue));
            self.learnt.push(id);
            self.attached.push(id);
            self.watch(id);
            id
        };
        self.assign(learnt[0], reason);
        self.heap.decay();
        self.stack = learnt;
    }

    /// Resolves backwards until one literal of the current level is left; answers it and collects those of lower levels.
    fn resolve(&mut self, conflict: ClauseId, learnt: &mut Vec<Lit>) -> Lit {
        let current = self.level();
        let (mut clause, mut open, mut at) = (conflict, 0, self.trail.len());
        loop {
            for i in 0..self.clauses.lits(clause).len() {
                let lit = self.clauses.lits(clause)[i];
                let var = lit.var() as usize;
                // The literal just resolved is seen already.
                if self.seen[var] || self.levels[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                self.to_clear.push(lit.var());
                self.heap.bump(lit.var());
                if self.levels[var] == current {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                return lit;
            }
            clause = self.reasons[lit.var() as usize];
        }
    }

    /// Drops literals that follow from others of the clause (Sörensson & Biere, "Minimizing learned clauses", 2009, the recursive form).
    fn minimize(&mut self, learnt: &mut Vec<Lit>) {
        let levels = learnt[1..].iter().fold(0, |levels, lit| levels | self.level_bit(*lit));
        let mut kept = 1;
        for i in 1..learnt.len() {
            let lit = learnt[i];
            if !self.follows(lit, levels) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
    }

    /// Whether a literal of the clause follows from the others: all that its reasons lead to is in the clause. What was found to follow stays marked
    /// as seen. Levels that the clause does not have end the search at once.
    fn follows(&mut self, lit: Lit, levels: u64) -> bool {
        if self.reasons[lit.var() as usize] == ClauseId::NONE {
            return false;
        }
        let marked = self.to_clear.len();
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        open.push(lit.var());
        let mut follows = true;
        'search: while let Some(var) = open.pop() {
            let reason = self.reasons[var as usize];
            for i in 0..self.clauses.lits(reason).len() {
                let other = self.clauses.lits(reason)[i];
                let index = other.var() as usize;
                if self.seen[index] || self.levels[index] == 0 {
                    continue;
                }
                if self.reasons[index] == ClauseId::NONE || self.level_bit(other) & levels == 0 {
                    follows = false;
                    break 'search;
                }
                self.seen[index] = true;
                self.to_clear.push(other.var());
                open.push(other.var());
            }
        }
        if !follows {
            for var in self.to_clear.drain(marked..) {
                self.seen[var as usize] = false;
            }
        }
        self.open = open;
        follows
    }

    /// One of 64 bits for the level of a literal.
    fn level_bit(&self, lit: Lit) -> u64 {
        1 << (self.levels[lit.var() as usize] % u64::BITS)
    }

    /// The number of decision levels of a clause.
    fn glue_of(&mut self, lits: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut glue = 0;
        for lit in lits {
            let level = self.levels[lit.var() as usize] as usize;
            if self.stamps[level] != self.stamp {
                self.stamps[level] = self.stamp;
                glue += 1;
            }
        }
        glue
    }

    /// Finds the assumptions from which the negation of this one followed.
    pub(super) fn explain(&mut self, assumption: Lit) {
        self.core.push(assumption);
        if self.levels[assumption.var() as usize] == 0 {
            return;
        }
        self.seen[assumption.var() as usize] = true;
        let start = self.limits.first().copied().unwrap_or(self.trail.len());
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::take(&mut self.seen[lit.var() as usize]) {
                continue;
            }
            let reason = self.reasons[lit.var() as usize];
            if reason == ClauseId::NONE {
                // Below the level of the assumptions every decision is one.
                self.core.push(lit);
                continue;
            }
            for &other in self.clauses.lits(reason) {
                let var = other.var();
                if var != lit.var() && self.levels[var as usize] > 0 {
                    self.seen[var as usize] = true;
                }
            }
        }
    }
}
