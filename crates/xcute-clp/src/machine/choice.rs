//! Rules `choice` and `unfold` of [mesnard-payet-vidal-2020 Fig. 1], and the functions they are made of: `rules(Q)`, `rules(S)`, `neg_constr`, `alts`.
//!
//! For each clause `r` of a call, `b_r = M_r ∧ d_r` says under which inputs it matches: M_r from unifying its head, d_r from its leading constraints, both
//! without quantifiers because every variable of the clause has a determining expression. `rules(S)` are the clauses whose b_r is not refuted by
//! what is known; deciding the vector of the b_r under the input gives `rules(Q)`; for the others, `neg_constr` is ¬b_r.

use std::sync::Arc;

use xcute_match::{Candidate, ChoiceSites};
use xcute_term::{Op, TermId};

use super::cell::Cell;
use super::code::{ClauseCode, Key, PredicateId};
use super::constrain::Constrained;
use super::error::Step;
use super::goals::{Choice, ChoiceKind, Goal};
use super::heap::Mark;
use super::{Current, Machine, Place};
use crate::syntax::Atom;

/// A step of the semantics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Rule choice, or backtrack where no rule matches.
    Choice {
        /// The predicate; `None` for one that exists in this run only.
        predicate: Option<PredicateId>,
        /// rules(Q): the clauses that match, from 0.
        rq: Arc<[u32]>,
        /// rules(S): the clauses that may match for what is known of the input.
        rs: Arc<[u32]>,
        /// γ = neg_constr(S, rules(S) \ rules(Q)).
        gamma: Option<TermId>,
    },
    /// Rule unfold: with this clause.
    Unfold {
        /// The predicate.
        predicate: Option<PredicateId>,
        /// The clause.
        clause: u32,
    },
    /// Rule backtrack.
    Backtrack,
    /// Rule next: a solution was found, and another one is asked for.
    Next,
}

/// Whether a clause matches, as far as it is known.
enum Match {
    Never,
    Under(Vec<TermId>),
}

impl Machine<'_> {
    /// Rule choice: finds the clauses that match, and goes on with the first.
    pub(crate) fn choice(&mut self, predicate: Option<PredicateId>, current: &Current, goal: Cell) -> Step {
        let clauses = Arc::clone(&current.clauses);
        let candidates = self.rules_s(&clauses, goal)?;
        let sites = ChoiceSites { index: current.index, clauses: u32::try_from(clauses.len()).expect("fewer than 2^32 clauses") };
        let vector = self.rec.match_vector(sites, &candidates);
        let rs: Arc<[u32]> = candidates.iter().map(|candidate| candidate.clause).collect();
        let rq: Arc<[u32]> = rs.iter().zip(&vector).filter(|(_, matches)| **matches).map(|(&clause, _)| clause).collect();
        self.cover_choice(&clauses, &rq);
        let gamma = self.neg_constr(&candidates, &vector);
        self.derivation.push(Transition::Choice { predicate, rq: Arc::clone(&rq), rs, gamma });
        let Some(&first) = rq.first() else {
            return match clauses.first().filter(|clause| clause.single_sided) {
                Some(clause) => {
                    let error = self.no_rule(clause, goal);
                    self.call(error, self.height(), self.here)
                }
                None => Ok(false),
            };
        };
        let barrier = self.height();
        let chosen = &clauses[first as usize];
        if chosen.single_sided && !chosen.commits {
            // Guards may fail. The rule that is chosen cuts this away.
            let goal = self.no_rule(chosen, goal);
            self.push_choice(ChoiceKind::Goal { goal, barrier, place: self.here });
        }
        if rq.len() > 1 {
            let kind = ChoiceKind::Clauses { predicate, goal, clauses: Arc::clone(&clauses), rq, next: 1 };
            self.push_choice(kind);
        }
        self.unfold(predicate, &clauses[first as usize], goal, barrier)
    }

    /// rules(S): the clauses that some input matches for what is known, each with the condition b_r.
    fn rules_s(&mut self, clauses: &[Arc<ClauseCode>], goal: Cell) -> Result<Vec<Candidate>, super::error::Stop> {
        let mut candidates = Vec::new();
        for (number, clause) in (0..).zip(clauses) {
            if !self.may_match(clause, goal) {
                continue;
            }
            if let Match::Under(conjuncts) = self.match_clause(clause, goal)? {
                candidates.push(Candidate { clause: number, site: clause.sites.matches, conjuncts });
            }
        }
        Ok(candidates)
    }

    /// neg_constr(S, rules(S) \ rules(Q)), Definition 4: what keeps the symbolic state from matching more clauses than the concrete one.
    /// `None` where it is `true`.
    fn neg_constr(&mut self, rs: &[Candidate], rq: &[bool]) -> Option<TermId> {
        let mut all = Vec::new();
        for (candidate, _) in rs.iter().zip(rq).filter(|(_, matches)| !**matches) {
            let matches = match candidate.conjuncts[..] {
                [] => self.rec.terms.bool(true),
                [one] => one,
                _ => self.rec.terms.mk(Op::And, &candidate.conjuncts),
            };
            all.push(self.rec.terms.not(matches));
        }
        match all[..] {
            [] => None,
            [one] => Some(one),
            // A table of facts has as many as it has rows; nobody reads them.
            _ if all.len() > 64 => None,
            _ => Some(self.rec.terms.mk(Op::And, &all)),
        }
    }

    /// A glance at the outermost symbols.
    fn may_match(&self, clause: &ClauseCode, goal: Cell) -> bool {
        let Cell::Struct(address) = goal else { return true };
        clause.keys.iter().zip(1..).all(|(key, i)| match (key, self.heap.deref(self.heap.at(address + i))) {
            (Key::Any, _) | (_, Cell::Var(_) | Cell::Sym(_)) => true,
            (Key::Functor(functor), Cell::Struct(at)) => self.heap.functor(at) == *functor,
            (Key::Functor(_), _) => false,
            (Key::Atomic(atomic), cell) => *atomic == cell,
        })
    }

    /// b_r: under which inputs a clause matches a goal.
    fn match_clause(&mut self, clause: &ClauseCode, goal: Cell) -> Result<Match, super::error::Stop> {
        let mark = self.heap.mark();
        let base = self.heap.instantiate(&clause.cells[..clause.constraints_end]);
        let result = self.match_instance(clause, goal, base, mark);
        self.heap.undo(mark);
        result
    }

    fn match_instance(&mut self, clause: &ClauseCode, goal: Cell, base: u32, mark: Mark) -> Result<Match, super::error::Stop> {
        let mut conditions = Vec::new();
        if !self.unify_head(clause, goal, base, &mut conditions) || clause.single_sided && self.bound_older(mark, base) {
            return Ok(Match::Never);
        }
        if !self.wake_on_trial(&mut conditions)? {
            return Ok(Match::Never);
        }
        if !clause.constraints.is_empty() {
            let constraints: Vec<Cell> = clause.constraints.iter().map(|&constraint| relocated(constraint, base)).collect();
            if self.constrain(&constraints, base, &mut conditions)? == Constrained::Cannot {
                return Ok(Match::Never);
            }
        }
        Ok(Match::Under(conditions))
    }

    fn unify_head(&mut self, clause: &ClauseCode, goal: Cell, base: u32, conditions: &mut Vec<TermId>) -> bool {
        let (Some(head), Cell::Struct(address)) = (clause.head, goal) else { return true };
        let arity = u32::try_from(clause.keys.len()).expect("few arguments");
        let pairs = (0..arity).rev().map(|i| (self.heap.at(address + 1 + i), self.heap.at(base + head + 1 + i))).collect();
        self.unify_all(pairs, base, conditions)
    }

    /// Rule unfold: replaces a goal by the body of a clause that is known to match.
    pub(crate) fn unfold(&mut self, predicate: Option<PredicateId>, clause: &Arc<ClauseCode>, goal: Cell, barrier: u32) -> Step {
        self.derivation.push(Transition::Unfold { predicate, clause: clause.number });
        let base = self.heap.instantiate(&clause.cells);
        let mut conditions = Vec::new();
        let mut matches = self.unify_head(clause, goal, base, &mut conditions);
        // Equations are solved now. What follows the first constraint of another kind is run as goals: what was decided of it is known.
        let equations = clause.constraints.iter().take_while(|&&constraint| self.is_equation(relocated(constraint, base))).count();
        let solved: Vec<Cell> = clause.constraints[..equations].iter().map(|&constraint| relocated(constraint, base)).collect();
        matches = matches && self.constrain(&solved, base, &mut conditions)? == Constrained::Can;
        debug_assert!(matches, "only clauses that match are unfolded");
        if clause.commits {
            self.cut_to(barrier);
        }
        let place = Place { clause: self.place_number(clause), base };
        if clause.body != Cell::Atom(Atom::TRUE) {
            self.push(Goal::Call { goal: relocated(clause.body, base), barrier, place });
        }
        for &constraint in clause.constraints[equations..].iter().rev() {
            self.push(Goal::Call { goal: relocated(constraint, base), barrier, place });
        }
        self.wake()
    }

    fn is_equation(&self, constraint: Cell) -> bool {
        matches!(constraint, Cell::Struct(address) if self.symbols.name(self.heap.functor(address)) == Atom::EQUALS)
    }

    /// Takes note of which clauses matched and which did not.
    fn cover_choice(&mut self, clauses: &[Arc<ClauseCode>], rq: &[u32]) {
        let mut matching = rq.iter().copied().peekable();
        for (number, clause) in (0..).zip(clauses) {
            let matches = matching.next_if_eq(&number).is_some();
            self.covered.push((clause.sites.matches, u32::from(matches)));
        }
    }

    /// Goes on with the next clause of a choice.
    pub(crate) fn retry(&mut self, index: usize) -> Step {
        let ChoiceKind::Clauses { predicate, goal, clauses, rq, next } = &mut self.choices[index].kind else {
            unreachable!("a choice among clauses")
        };
        let (predicate, goal, clauses) = (*predicate, *goal, Arc::clone(clauses));
        let clause = rq[*next] as usize;
        *next += 1;
        if *next == rq.len() {
            self.choices.truncate(index);
        }
        // Below the choices of rules there is what happens if none is chosen.
        let barrier = index - usize::from(clauses[clause].single_sided);
        self.unfold(predicate, &clauses[clause], goal, u32::try_from(barrier).expect("fewer than 2^32 choices"))
    }

    /// The goal that throws what SWI-Prolog throws where no rule `Head => Body` matches. Helpers of the library have there the names without `$`.
    fn no_rule(&mut self, clause: &ClauseCode, goal: Cell) -> Cell {
        let of = self.program.code.predicate(clause.predicate);
        let module = match of.file.strip_prefix("library(").and_then(|rest| rest.strip_suffix(')')).filter(|_| of.library) {
            Some(library) => self.symbols.atom(library),
            None => Cell::Atom(self.program.module),
        };
        let goal = self.qualified(goal, &of.meta, Cell::Atom(self.program.module));
        let culprit = match (goal, self.symbols.atoms.name(of.indicator.name).strip_prefix('$').map(str::to_owned)) {
            (Cell::Struct(address), Some(name)) => {
                let functor = self.symbols.functor_named(&name, of.indicator.arity);
                let args: Vec<Cell> = (0..of.indicator.arity).map(|i| self.heap.arg(address, i)).collect();
                self.heap.compound(functor, &args)
            }
            _ => goal,
        };
        let culprit = match module {
            Cell::Atom(name) if self.symbols.atoms.name(name) == "user" => culprit,
            module => {
                let colon = self.symbols.functor(Atom::COLON, 2);
                self.heap.compound(colon, &[module, culprit])
            }
        };
        let (functor, rule) = (self.symbols.functor_named("existence_error", 2), self.symbols.atom("matching_rule"));
        let formal = self.heap.compound(functor, &[rule, culprit]);
        let (error, throw) = (self.symbols.functor_named("error", 2), self.symbols.functor_named("throw", 1));
        let context = self.heap.var();
        let ball = self.heap.compound(error, &[formal, context]);
        self.heap.compound(throw, &[ball])
    }

    /// A call with its goals and closures as SWI-Prolog passes them on.
    fn qualified(&mut self, goal: Cell, meta: &[bool], module: Cell) -> Cell {
        let (Cell::Struct(address), true) = (goal, meta.contains(&true)) else { return goal };
        let colon = self.symbols.functor(Atom::COLON, 2);
        let mut args = Vec::new();
        for (&meta, i) in meta.iter().zip(0..) {
            let arg = self.heap.arg(address, i);
            let known = matches!(arg, Cell::Struct(at) if self.heap.functor(at) == colon);
            args.push(if meta && !known { self.heap.compound(colon, &[module, arg]) } else { arg });
        }
        self.heap.compound(self.heap.functor(address), &args)
    }
}

/// A relative cell in an instance.
pub(crate) fn relocated(cell: Cell, base: u32) -> Cell {
    match cell {
        Cell::Var(at) => Cell::Var(base + at),
        Cell::Struct(at) => Cell::Struct(base + at),
        other => other,
    }
}

impl Choice {
    /// Whether it is one among clauses of user predicates.
    pub(crate) fn is_clauses(&self) -> bool {
        matches!(self.kind, ChoiceKind::Clauses { .. })
    }
}
