//! Unit propagation with two watched literals (Moskewicz et al., "Chaff", 2001).

use super::clauses::ClauseId;
use super::{FALSE, Sat, TRUE, Watcher};

impl Sat {
    /// Assigns everything that follows; answers a clause that is false, if one is.
    pub(super) fn propagate(&mut self) -> Option<ClauseId> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut watchers = std::mem::take(&mut self.watches[falsified.index()]);
            let conflict = self.visit(falsified, &mut watchers);
            // Nothing is added to this list meanwhile: a new watch is never false.
            self.watches[falsified.index()] = watchers;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn visit(&mut self, falsified: crate::lit::Lit, watchers: &mut Vec<Watcher>) -> Option<ClauseId> {
        let (mut kept, mut conflict) = (0, None);
        let mut i = 0;
        'clauses: while i < watchers.len() {
            let Watcher { clause: watched, blocker } = watchers[i];
            watchers[kept] = watchers[i];
            i += 1;
            kept += 1;
            let value = self.values[blocker.index()];
            if value == TRUE {
                continue;
            }
            let clause = watched.id();
            if watched.binary() {
                if value == FALSE {
                    conflict = Some(clause);
                    break;
                }
                self.assign(blocker, clause);
                continue;
            }
            let lits = self.clauses.lits_mut(clause);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let value = self.values[first.index()];
            if value == TRUE {
                watchers[kept - 1].blocker = first;
                continue;
            }
            for k in 2..lits.len() {
                if self.values[lits[k].index()] != FALSE {
                    lits.swap(1, k);
                    self.watches[lits[1].index()].push(Watcher { clause: watched, blocker: first });
                    kept -= 1;
                    continue 'clauses;
                }
            }
            if value == FALSE {
                conflict = Some(clause);
                break;
            }
            self.assign(first, clause);
        }
        watchers.drain(kept..i);
        conflict
    }
}
