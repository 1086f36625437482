//! Choices: which clause of a `case` was chosen, as a decision: this one, and no earlier one.
//!
//! Clauses whose conditions can be written are decided together, by `xcute-match`. A clause whose guard needs decisions of its own is decided by itself, after
//! those before it: its patterns first, then its guard.

use xcute_match::Candidate;

use super::value::Val;
use super::{Machine, Res, Stop};
use crate::core::ast::SILENT;
use crate::flat::Case;

impl Machine<'_> {
    /// The clause that is chosen; `None` if none matches. Its variables are bound.
    pub(super) fn chosen_clause(&mut self, case: &Case, args: &[Val]) -> Res<Option<usize>> {
        let arms = self.program.sites.get(case.site).arms;
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut total = false;
        for (number, clause) in case.clauses.iter().enumerate() {
            let Some(mut conjuncts) = self.matches(&clause.patterns, args)? else { continue };
            if let Some(guard) = clause.guard {
                match self.guard_condition(guard) {
                    Ok(condition) => conjuncts.push(condition),
                    Err(Stop::Split) => {
                        if let Some(chosen) = self.first(case, arms, &candidates, false) {
                            return Ok(Some(chosen));
                        }
                        candidates.clear();
                        let site = self.current().split;
                        if self.rec.decide(site, &conjuncts) && self.guard_holds(guard)? {
                            return Ok(Some(number));
                        }
                        continue;
                    }
                    Err(stop) => return Err(stop),
                }
            }
            let condition = self.and(&conjuncts);
            match self.rec.facts.holds(self.rec.terms, condition) {
                Some(false) => continue,
                known => total = known == Some(true),
            }
            let clause = u32::try_from(number).expect("few clauses");
            candidates.push(Candidate { clause, site: case.site, conjuncts });
            if total {
                break;
            }
        }
        Ok(self.first(case, arms, &candidates, total))
    }

    fn first(&mut self, case: &Case, arms: u32, candidates: &[Candidate], total: bool) -> Option<usize> {
        debug_assert!(!total || !candidates.is_empty(), "a clause matches everything");
        let chosen = self.rec.first_match(case.site, arms, candidates)?;
        Some(candidates[chosen].clause as usize)
    }

    /// Compares the choice with the event that the run told, and takes note of the coverage.
    pub(super) fn chose(&mut self, case: &Case, clause: usize) -> Res<()> {
        let arm = u32::try_from(clause).expect("few clauses");
        if case.id != SILENT {
            self.expect(case.id + arm, || {
                let site = self.program.sites.get(case.site);
                format!("the choice of {} at {}:{}", site.function, site.file, site.line)
            })?;
        }
        self.covered.push((case.site, arm));
        Ok(())
    }
}
