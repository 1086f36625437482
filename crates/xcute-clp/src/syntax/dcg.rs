//! Definite clause grammars: `a --> b` becomes `a(S0, S) :- b(S0, S)` (Pereira and Warren 1980).
//!
//! The translation is SWI-Prolog's `dcg_translate_rule/2` goal by goal: terminals are unified in the body and never in the head, so that a cut before
//! them cuts. Two rare forms are written differently and mean the same: `{}` is `S0 = S`, and a list with an open tail is appended by `append/3`.
//!
//! **Invariant.** No recursion: grammar bodies may be nested to any depth.

use std::sync::Arc;

use super::error::Problem;
use super::{Arena, Atom, Atoms, Term, TermRef};

/// What is to be done next.
enum Step {
    /// Translate a body between two states.
    Body(TermRef, TermRef, TermRef),
    /// Put the last two goals together.
    Join(Atom),
    /// The last goal must fail, and nothing is consumed.
    Not(TermRef, TermRef),
    /// Call the last goal in a module.
    Qualify(TermRef),
}

struct Translation<'a> {
    terms: &'a mut Arena,
    atoms: &'a mut Atoms,
    variables: &'a mut Vec<Option<Arc<str>>>,
}

/// Translates `head --> body`; gives head and body of the clause.
pub(super) fn translate(
    terms: &mut Arena,
    atoms: &mut Atoms,
    variables: &mut Vec<Option<Arc<str>>>,
    head: TermRef,
    body: TermRef,
) -> Result<(TermRef, TermRef), Problem> {
    let mut translation = Translation { terms, atoms, variables };
    let (first, last) = (translation.fresh(), translation.fresh());
    // `head, pushback --> body` leaves the pushback before what follows.
    if let Some([head, pushback]) = translation.terms.matches(head, Atom::COMMA) {
        let middle = translation.fresh();
        let head = translation.extend(head, first, last)?;
        let body = translation.body(body, first, middle)?;
        let Some(pushback) = translation.terminals(pushback, last, middle) else { return Err(translation.refuse(pushback)) };
        let body = translation.terms.compound(Atom::COMMA, &[body, pushback]);
        return Ok((head, body));
    }
    let head = match translation.terms.matches(head, Atom::COLON) {
        Some([module, inner]) => {
            let inner = translation.extend(inner, first, last)?;
            translation.terms.compound(Atom::COLON, &[module, inner])
        }
        None => translation.extend(head, first, last)?,
    };
    let body = translation.body(body, first, last)?;
    Ok((head, body))
}

impl Translation<'_> {
    fn fresh(&mut self) -> TermRef {
        let number = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        self.variables.push(None);
        self.terms.var(number)
    }

    fn body(&mut self, body: TermRef, first: TermRef, last: TermRef) -> Result<TermRef, Problem> {
        let mut goals = Vec::new();
        let mut steps = vec![Step::Body(body, first, last)];
        while let Some(step) = steps.pop() {
            let goal = match step {
                Step::Body(body, from, to) => match self.step(body, from, to, &mut steps)? {
                    Some(goal) => goal,
                    None => continue,
                },
                Step::Join(name) => {
                    let [left, right] = [goals.len() - 2, goals.len() - 1].map(|at| goals[at]);
                    goals.truncate(goals.len() - 2);
                    self.terms.compound(name, &[left, right])
                }
                Step::Not(from, to) => {
                    let goal = goals.pop().expect("the negated goal was translated");
                    let goal = self.terms.compound(Atom::NOT, &[goal]);
                    self.nothing(Some(goal), from, to)
                }
                Step::Qualify(module) => {
                    let goal = goals.pop().expect("the qualified goal was translated");
                    self.terms.compound(Atom::COLON, &[module, goal])
                }
            };
            goals.push(goal);
        }
        Ok(goals.pop().expect("every body is translated to one goal"))
    }

    /// Translates what needs no further step.
    fn step(&mut self, body: TermRef, from: TermRef, to: TermRef, steps: &mut Vec<Step>) -> Result<Option<TermRef>, Problem> {
        if let Some(goal) = self.terminals(body, from, to) {
            return Ok(Some(goal));
        }
        let compound = match *self.terms.get(body) {
            Term::Var(_) => return Ok(Some(self.terms.compound(Atom::PHRASE, &[body, from, to]))),
            Term::Atom(Atom::CUT) => return Ok(Some(self.nothing(Some(body), from, to))),
            Term::Atom(Atom::CURLY) => return Ok(Some(self.nothing(None, from, to))),
            Term::Atom(_) => return self.extend(body, from, to).map(Some),
            Term::Compound(compound) => compound,
            _ => return Err(self.refuse(body)),
        };
        match (compound.name, self.terms.args(compound)) {
            (name @ (Atom::COMMA | Atom::IF_THEN | Atom::SOFT_IF), &[left, right]) => {
                let middle = self.fresh();
                steps.extend([Step::Join(name), Step::Body(right, middle, to), Step::Body(left, from, middle)]);
                Ok(None)
            }
            (Atom::SEMICOLON | Atom::BAR, &[left, right]) => {
                steps.extend([Step::Join(Atom::SEMICOLON), Step::Body(right, from, to), Step::Body(left, from, to)]);
                Ok(None)
            }
            (Atom::NOT, &[inner]) => {
                let rest = self.fresh();
                steps.extend([Step::Not(from, to), Step::Body(inner, from, rest)]);
                Ok(None)
            }
            (Atom::COLON, &[module, inner]) => {
                steps.extend([Step::Qualify(module), Step::Body(inner, from, to)]);
                Ok(None)
            }
            (Atom::CURLY, &[goal]) => Ok(Some(self.nothing(Some(goal), from, to))),
            _ => self.extend(body, from, to).map(Some),
        }
    }

    /// A goal that consumes nothing.
    fn nothing(&mut self, goal: Option<TermRef>, from: TermRef, to: TermRef) -> TermRef {
        match goal {
            Some(goal) => {
                let same = self.terms.compound(Atom::EQUALS, &[to, from]);
                self.terms.compound(Atom::COMMA, &[goal, same])
            }
            None => self.terms.compound(Atom::EQUALS, &[from, to]),
        }
    }

    /// The goal for a list or string; `None` for everything else.
    fn terminals(&mut self, body: TermRef, from: TermRef, to: TermRef) -> Option<TermRef> {
        let elements = match self.terms.get(body) {
            Term::String(text) => {
                let codes: Vec<u32> = text.chars().map(u32::from).collect();
                codes.into_iter().map(|code| self.terms.integer(code)).collect()
            }
            Term::Atom(Atom::NIL) => Vec::new(),
            Term::Compound(compound) if compound.name == Atom::DOT && compound.arity() == 2 => match self.terms.proper_list(body) {
                Some(elements) => elements,
                None => {
                    let append = self.atoms.intern("append");
                    return Some(self.terms.compound(append, &[body, to, from]));
                }
            },
            _ => return None,
        };
        let list = self.terms.list(&elements, to);
        Some(self.terms.compound(Atom::EQUALS, &[from, list]))
    }

    /// A nonterminal with the two states as last arguments.
    fn extend(&mut self, term: TermRef, from: TermRef, to: TermRef) -> Result<TermRef, Problem> {
        let Some((name, args)) = self.terms.callable(term).filter(|&(name, _)| name != Atom::NIL) else { return Err(self.refuse(term)) };
        let args: Vec<TermRef> = args.iter().copied().chain([from, to]).collect();
        let goal = self.terms.compound(name, &args);
        self.terms.copy_span(term, goal);
        Ok(goal)
    }

    fn refuse(&self, term: TermRef) -> Problem {
        let what = match self.terms.get(term) {
            Term::Var(_) => "a variable",
            Term::Integer(_) | Term::Float(_) => "a number",
            Term::String(_) => "a string",
            _ => "this term",
        };
        Problem::Grammar(what.to_owned())
    }
}
