//! Weakest preconditions: interpolants on their way back.
//!
//! Through a segment by substitution: what is read there becomes universally quantified. Through an arm a clause `p` becomes `not c or p`, where `c`
//! is the arm's condition; where the state implies `p` anyway, `p` itself is taken, which is stronger and keeps formulas from doubling.
//!
//! **Invariant.** From a state that satisfies the result, every execution of the segment (the arm) ends in one that satisfies the argument.

use rustc_hash::FxHashMap;
use xcute_solver::Answer;
use xcute_term::{Model, Op, TermId, VarId};

use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};
use crate::options::{Guards, Mutant};
use crate::substitution::Substitution;
use crate::symbols::Kind;
use xcute_trace::segments::Segment;

impl Context<'_> {
    /// What must hold before a segment for the interpolant to hold after it. `input` is that of the run.
    pub(crate) fn wp_segment(&mut self, interpolant: &Interpolant, segment: &Segment, input: &Model) -> Interpolant {
        if interpolant.clauses().is_empty() && segment.equalities.is_empty() {
            return Interpolant::default();
        }
        let written: FxHashMap<VarId, TermId> = segment.writes.iter().copied().collect();
        let mut substitution = Substitution::new(|var| written.get(&var).copied());
        let mut result = Interpolant::default();
        for clause in interpolant.clauses() {
            let literals: Vec<TermId> = clause.literals().iter().map(|&literal| substitution.apply(self.terms, literal)).collect();
            self.quantify(&mut result, literals, input);
        }
        if !self.options.broken(Mutant::EqualitiesForgotten) {
            for &equality in &segment.equalities {
                self.quantify(&mut result, vec![equality], input);
            }
        }
        result
    }

    /// What must hold before an arm with this condition (at decision `k`) for the interpolant to hold after it.
    pub(crate) fn wp_arm(&mut self, walk: &Walk, k: usize, condition: TermId, interpolant: &Interpolant) -> Interpolant {
        let mut result = Interpolant::default();
        let other = self.terms.not(condition);
        for clause in interpolant.clauses() {
            if self.options.guards == Guards::Drop && self.implies(Purpose::Implied, walk, k, clause) {
                result.add(clause.clone());
            } else if !self.options.broken(Mutant::ClauseDropped) {
                let literals: Vec<TermId> = clause.literals().iter().copied().chain([other]).collect();
                self.quantify(&mut result, literals, &walk.run.input);
            }
        }
        result
    }

    /// What holds of an infeasible arm: its condition does not.
    pub(crate) fn wp_infeasible(&mut self, condition: TermId, input: &Model) -> Interpolant {
        let mut result = Interpolant::default();
        let other = self.terms.not(condition);
        self.quantify(&mut result, vec![other], input);
        result
    }

    /// Adds a clause whose symbols are to be quantified.
    pub(crate) fn quantify(&mut self, result: &mut Interpolant, mut literals: Vec<TermId>, input: &Model) {
        if let [only] = *literals
            && self.terms.op(only) == Op::And
        {
            for part in self.terms.args(only).to_vec() {
                self.quantify(result, vec![part], input);
            }
            return;
        }
        if self.options.broken(Mutant::SymbolAsValue) {
            literals = self.by_value(&literals, input);
        }
        let literals = self.renamed(&literals);
        let Some(clause) = Clause::new(self.terms, literals) else { return };
        let Some(mut literals) = self.project(&clause) else { return };
        if literals.len() < clause.literals().len() {
            literals = self.renamed(&literals);
        }
        result.add_literals(self.terms, &literals);
    }

    /// Drops groups of literals that have no cell and share no symbol with one that has, and are false for some values of their symbols.
    /// `None` where a group is true for all.
    fn project(&mut self, clause: &Clause) -> Option<Vec<TermId>> {
        let mut kept = Vec::new();
        for group in self.groups(clause) {
            if group.iter().any(|&literal| self.symbols.has_cell(self.terms, literal)) {
                kept.extend(group);
                continue;
            }
            let negations: Vec<TermId> = group.iter().map(|&literal| self.terms.not(literal)).collect();
            let goal = self.terms.mk(Op::And, &negations);
            match self.ask(Purpose::Literals, &[], goal, &Model::new()) {
                Answer::Sat(_) => {}
                Answer::Unsat(_) => return None,
                Answer::Unknown(_) => kept.extend(group),
            }
        }
        Some(kept)
    }

    /// The literals, those together that share a quantified symbol.
    fn groups(&self, clause: &Clause) -> Vec<Vec<TermId>> {
        let mut groups: Vec<(Vec<VarId>, Vec<TermId>)> = Vec::new();
        for &literal in clause.literals() {
            let mut symbols: Vec<VarId> = self.terms.vars(literal).iter().filter(|&var| !self.symbols.is_cell(var)).collect();
            let mut members = vec![literal];
            groups.retain_mut(|group| {
                let apart = group.0.iter().all(|symbol| !symbols.contains(symbol));
                if !apart {
                    symbols.append(&mut group.0);
                    members.append(&mut group.1);
                }
                apart
            });
            groups.push((symbols, members));
        }
        groups.into_iter().map(|group| group.1).collect()
    }

    /// The literals with canonical names of their symbols, so that equal clauses are equal terms.
    fn renamed(&mut self, literals: &[TermId]) -> Vec<TermId> {
        let mut names: Vec<(VarId, TermId)> = Vec::new();
        let mut counts: Vec<(Kind, usize)> = Vec::new();
        for &literal in literals {
            for var in self.terms.vars(literal).iter().collect::<Vec<_>>() {
                if self.symbols.is_cell(var) || names.iter().any(|name| name.0 == var) {
                    continue;
                }
                let kind = (self.terms.info(var).sort, self.terms.domain(var).map(Box::from));
                let at = counts.iter().position(|count| count.0 == kind).unwrap_or_else(|| {
                    counts.push((kind.clone(), 0));
                    counts.len() - 1
                });
                names.push((var, self.symbols.quantified(self.terms, &kind, counts[at].1)));
                counts[at].1 += 1;
            }
        }
        if names.is_empty() {
            return literals.to_vec();
        }
        let mut substitution = Substitution::new(|var| names.iter().find(|name| name.0 == var).map(|name| name.1));
        literals.iter().map(|&literal| substitution.apply(self.terms, literal)).collect()
    }

    /// The mutant: symbols as they were in the run.
    fn by_value(&mut self, literals: &[TermId], input: &Model) -> Vec<TermId> {
        let symbols: Vec<VarId> = literals.iter().flat_map(|&literal| self.terms.vars(literal)).collect();
        let mut values = Vec::new();
        for symbol in symbols.into_iter().filter(|&symbol| input.has(symbol) && !self.symbols.is_cell(symbol)) {
            let value = input.value(self.terms, symbol);
            values.push((symbol, self.terms.value(value)));
        }
        let mut substitution = Substitution::new(|var| values.iter().find(|value| value.0 == var).map(|value| value.1));
        literals.iter().map(|&literal| substitution.apply(self.terms, literal)).collect()
    }
}
