//! Which clauses are watched: those whose variables are all included.

use super::clauses::ClauseId;
use super::{FALSE, Sat, TRUE};
use crate::lit::Lit;

impl Sat {
    /// How many variables are included.
    pub(crate) fn included(&self) -> usize {
        self.cone.len()
    }

    /// Stops watching everything.
    pub(crate) fn exclude_all(&mut self) {
        debug_assert!(self.limits.is_empty(), "between queries");
        for var in self.cone.drain(..) {
            self.included[var as usize] = false;
            let lit = Lit::positive(var);
            self.watches[lit.index()].clear();
            self.watches[(!lit).index()].clear();
        }
        for id in self.attached.drain(..) {
            let var = self.clauses.lits(id)[0].var();
            self.waiting[var as usize].push(id);
        }
    }

    /// Watches the definition of a variable, and the learnt clauses that waited only for it.
    pub(crate) fn include(&mut self, var: u32) {
        debug_assert!(self.limits.is_empty(), "between queries");
        if std::mem::replace(&mut self.included[var as usize], true) {
            return;
        }
        self.cone.push(var);
        let (mut id, count) = self.definitions[var as usize];
        for _ in 0..count {
            self.attach(id);
            id = self.clauses.after(id);
        }
        for id in std::mem::take(&mut self.waiting[var as usize]) {
            let outside = self.clauses.lits(id).iter().find(|l| !self.included[l.var() as usize]);
            match outside {
                Some(lit) => self.waiting[lit.var() as usize].push(id),
                None => {
                    self.attached.push(id);
                    self.attach(id);
                }
            }
        }
    }

    /// Watches a clause, or draws the fact that it has become.
    fn attach(&mut self, id: ClauseId) {
        let lits = self.clauses.lits_mut(id);
        let mut open = 0;
        for i in 0..lits.len() {
            match self.values[lits[i].index()] {
                TRUE => return,
                FALSE => {}
                _ => {
                    lits.swap(open, i);
                    open += 1;
                    if open == 2 {
                        break;
                    }
                }
            }
        }
        match open {
            0 => debug_assert!(false, "the definitions of gates contradict nothing"),
            1 => {
                let fact = lits[0];
                self.assign(fact, ClauseId::NONE);
            }
            _ => self.watch(id),
        }
    }
}
