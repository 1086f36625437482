//! Invariants that cost questions or walks to check: asserted in debug builds ([`crate::Options::check`]), and not where something is broken on purpose.
//!
//! I1: an interpolant is only ever strengthened on the way to its node. I2: the state of a node implies its own interpolant. I4: nothing is subsumed by a node that
//! is not finished, or that is above it. I3 and I5 are asserted where nodes become full and where they are tainted, I6 where greedy confirmation is run.
//!
//! **Invariant.** A check changes nothing, and its questions are not counted.

use xcute_solver::Answer;
use xcute_term::{Model, Op, TermId};

use crate::context::Context;
use crate::implied::Walk;
use crate::interpolant::{Annotation, Interpolant};
use crate::sym_exec::Annotated;
use crate::tree::NodeId;

impl Context<'_> {
    /// I1: what generalisation and the cap made of an interpolant implies it. Only asked where no symbol is quantified, which a question cannot say.
    pub(crate) fn check_stronger(&mut self, before: Option<&Interpolant>, after: Option<&Interpolant>) {
        let (true, Some(before), Some(after)) = (self.options.check, before, after) else { return };
        let literals =
            [before, after].into_iter().flat_map(|side| side.clauses().iter().flat_map(|clause| clause.literals().iter().copied()));
        let quantified = literals.flat_map(|literal| self.terms.vars(literal)).any(|var| !self.symbols.is_cell(var));
        if quantified {
            return;
        }
        let all: Vec<TermId> = after.clauses().iter().map(|clause| clause.term(self.terms)).collect();
        for clause in before.clauses().iter().filter(|clause| !after.clauses().contains(clause)) {
            let term = clause.term(self.terms);
            // No path: nothing of this need hold under an input.
            let violated: Vec<TermId> = all.iter().copied().chain([self.terms.not(term)]).collect();
            let goal = self.terms.mk(Op::And, &violated);
            let weaker = matches!(self.ask_uncounted(&[], goal, &Model::new()), Answer::Sat(_));
            assert!(!weaker, "I1: {} does not imply {}", after.human(self.terms), before.human(self.terms));
        }
    }

    /// I2: the state of a node implies its own interpolant, or it would be of no use. Not where values of symbols are restricted: when they are
    /// quantified they are not.
    pub(crate) fn check_useful(&mut self, walk: &Walk, k: usize, annotation: &Annotation) {
        if !self.options.check || self.symbols.restricted() {
            return;
        }
        let Some(interpolant) = &annotation.interpolant else { return };
        for clause in interpolant.clauses() {
            let term = clause.term(self.terms);
            let term = walk.history.at(self.terms, self.symbols, k, term);
            let goal = self.terms.not(term);
            let useless = matches!(self.ask_uncounted(walk.history.path(k), goal, &walk.run.input), Answer::Sat(_));
            assert!(!useless, "I2: the state of a node does not imply its interpolant {}", interpolant.human(self.terms));
        }
    }
}

impl Annotated {
    /// I4: who subsumes a node is finished, and not above it.
    pub(crate) fn check_subsumer(&self, context: &Context<'_>, by: NodeId, node: NodeId) {
        if !context.options.check {
            return;
        }
        let subsumer = self.tree.get(by);
        assert!(subsumer.full.is_some() && !subsumer.subsumed, "I4: a node that is not full by its own arms subsumes another");
        let above = |node: &NodeId| self.tree.get(*node).parent.map(|parent| parent.0);
        assert!(std::iter::successors(Some(node), above).all(|node| node != by), "I4: a node subsumes what is below it");
    }
}
