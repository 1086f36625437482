//! The match vector of a choice: one Boolean per clause.
//!
//! The alternatives of a choice in the sense of [mesnard-payet-vidal-2020 Def. 8] are the subsets of
//! its clauses that some input matches exactly. They are not enumerated here: clauses that exclude each other become one decision with an arm for
//! each and one for none, every other clause a decision of its own, and the solver of the campaign refutes the arms that no input takes. The paths
//! through these decisions are the feasible vectors, each once.

use xcute_term::{Op, TermId, Terms};
use xcute_trace::{DecisionKind, SiteId};

use crate::exclusive::groups;
use crate::recorder::Recorder;

/// A clause that may match.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its number among the clauses of the choice.
    pub clause: u32,
    /// Its own site, with two arms: 0 if it does not match, 1 if it does.
    pub site: SiteId,
    /// What must hold for it to match.
    pub conjuncts: Vec<TermId>,
}

/// The site of choices among exclusive clauses: an arm for each clause, and a last one for none of them.
#[derive(Clone, Copy, Debug)]
pub struct Sites {
    /// The site; `None` where the clauses are not the same in all runs: then each is decided on its own.
    pub index: Option<SiteId>,
    /// How many clauses there are.
    pub clauses: u32,
}

impl Recorder<'_> {
    /// Decides which candidates match: one Boolean for each.
    pub fn match_vector(&mut self, sites: Sites, candidates: &[Candidate]) -> Vec<bool> {
        let conditions: Vec<TermId> = candidates.iter().map(|c| self.facts.simplify(self.terms, &c.conjuncts)).collect();
        let mut vector: Vec<Option<bool>> = conditions.iter().map(|&c| self.terms.as_u64(c).map(|value| value == 1)).collect();
        let open: Vec<usize> = (0..candidates.len()).filter(|&i| vector[i].is_none()).collect();
        if let Some(index) = sites.index.filter(|_| open.len() > 1) {
            self.decide_exclusive((index, sites.clauses), candidates, &conditions, &open, &mut vector);
        }
        for i in open {
            if vector[i].is_none() {
                vector[i] = Some(self.decide(candidates[i].site, &[conditions[i]]));
            }
        }
        vector.into_iter().map(|value| value == Some(true)).collect()
    }

    /// Decides a group of clauses that exclude each other, if there is one, with one decision.
    fn decide_exclusive(
        &mut self,
        (index, clauses): (SiteId, u32),
        candidates: &[Candidate],
        conditions: &[TermId],
        open: &[usize],
        vector: &mut [Option<bool>],
    ) {
        let conjuncts: Vec<(TermId, Vec<TermId>)> = open.iter().map(|&i| (conditions[i], conjuncts(self.terms, conditions[i]))).collect();
        let slices: Vec<(TermId, &[TermId])> = conjuncts.iter().map(|(condition, list)| (*condition, &list[..])).collect();
        let groups = groups(self.terms, &slices);
        if groups.is_empty() {
            return;
        }
        let taken = groups.iter().position(|group| self.holds(slices[group[0]].0));
        for (number, group) in groups.iter().enumerate() {
            for &member in group {
                vector[open[member]] = Some(taken == Some(number));
            }
        }
        let arm = |group: &[usize]| candidates[open[group[0]]].clause;
        let number = taken.map_or(clauses, |taken| arm(&groups[taken]));
        self.record(index, DecisionKind::Branch, number, |terms| {
            let mut arms = vec![terms.bool(false); clauses as usize + 1];
            let mut none = Vec::with_capacity(groups.len());
            for group in &groups {
                let condition = slices[group[0]].0;
                arms[arm(group) as usize] = condition;
                none.push(terms.not(condition));
            }
            arms[clauses as usize] = terms.mk(Op::And, &none);
            arms
        });
        match taken {
            Some(taken) => self.facts.learn(self.terms, slices[groups[taken][0]].0, true),
            None => groups.iter().for_each(|group| self.facts.learn(self.terms, slices[group[0]].0, false)),
        }
    }
}

fn conjuncts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    if terms.op(condition) == Op::And { terms.args(condition).to_vec() } else { vec![condition] }
}
