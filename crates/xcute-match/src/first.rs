//! The first clause that matches: the choice of functional languages, as one decision.
//!
//! An arm of the decision says that its clause matches and no earlier one does ("the bindings should ensure not only that the pattern of the branch is
//! matched, but also that no previous patterns are matched", [palacios-vidal-2015 §5]).
//! Clauses that are seen to exclude each other do not mention each other, so a table of facts costs no more than it has entries.

use rustc_hash::FxHashSet;
use xcute_term::{Op, TermId};
use xcute_trace::{DecisionKind, SiteId};

use crate::exclusive::groups;
use crate::recorder::Recorder;
use crate::vector::Candidate;

impl Recorder<'_> {
    /// Decides which candidate is the first that matches; `None` if none does. The site has this many arms: one for each clause, and the last one stands for
    /// none of the candidates unless one of them matches everything.
    pub fn first_match(&mut self, site: SiteId, arms: u32, candidates: &[Candidate]) -> Option<usize> {
        let mut open: Vec<(usize, TermId)> = Vec::with_capacity(candidates.len());
        let mut total = None;
        for (i, candidate) in candidates.iter().enumerate() {
            let condition = self.facts.simplify(self.terms, &candidate.conjuncts);
            match self.facts.holds(self.terms, condition) {
                Some(true) => {
                    total = Some(i);
                    break;
                }
                Some(false) => {}
                None => open.push((i, condition)),
            }
        }
        if open.is_empty() {
            return total;
        }
        let excluding = self.excluding(&open);
        let taken = open.iter().position(|&(_, condition)| self.holds(condition));
        let otherwise = total.map_or(arms - 1, |total| candidates[total].clause);
        let number = taken.map_or(otherwise, |taken| candidates[open[taken].0].clause);
        self.record(site, DecisionKind::Branch, number, |terms| {
            let mut all = vec![terms.bool(false); arms as usize];
            let (mut none, mut overlapping, mut seen) = (Vec::with_capacity(open.len()), Vec::new(), FxHashSet::default());
            for (i, &(candidate, condition)) in open.iter().enumerate() {
                let not = terms.not(condition);
                // An equal condition before it leaves nothing.
                if seen.insert(condition) {
                    let earlier = if excluding[i] { &overlapping } else { &none };
                    let parts: Vec<TermId> = earlier.iter().copied().chain([condition]).collect();
                    all[candidates[candidate].clause as usize] = terms.mk(Op::And, &parts);
                }
                none.push(not);
                if !excluding[i] {
                    overlapping.push(not);
                }
            }
            let rest = terms.mk(Op::And, &none);
            let place = &mut all[otherwise as usize];
            // A clause of its own may stand there already: then either way leads to it.
            *place = terms.mk(Op::Or, &[*place, rest]);
            all
        });
        match taken {
            Some(taken) => {
                self.facts.learn(self.terms, open[taken].1, true);
                let before: Vec<TermId> =
                    open[..taken].iter().enumerate().filter(|(j, _)| !(excluding[taken] && excluding[*j])).map(|(_, o)| o.1).collect();
                before.into_iter().for_each(|condition| self.facts.learn(self.terms, condition, false));
                Some(open[taken].0)
            }
            None => {
                open.iter().for_each(|&(_, condition)| self.facts.learn(self.terms, condition, false));
                total
            }
        }
    }

    /// Which of these exclude all others that do.
    fn excluding(&self, open: &[(usize, TermId)]) -> Vec<bool> {
        let conjuncts: Vec<(TermId, Vec<TermId>)> = open
            .iter()
            .map(|&(_, condition)| {
                let parts = if self.terms.op(condition) == Op::And { self.terms.args(condition).to_vec() } else { vec![condition] };
                (condition, parts)
            })
            .collect();
        let slices: Vec<(TermId, &[TermId])> = conjuncts.iter().map(|(condition, list)| (*condition, &list[..])).collect();
        let mut excluding = vec![false; open.len()];
        for group in groups(self.terms, &slices) {
            // Of equal conditions the first: the others are dead.
            excluding[group[0]] = true;
        }
        excluding
    }
}
