//! Functions of a program's own in expressions: after `:- arithmetic_function(double/1)`, `X is double(Y) + 1` becomes `double(Y, A), X is A + 1`.
//!
//! As in SWI-Prolog's `library(arithmetic)`, that happens when a clause is read: expressions that are made while the program runs are not looked at.

use std::sync::Arc;

use super::{Arena, Atom, Atoms, Indicator, Term, TermRef};

/// Expressions are not nested deeper.
const DEPTH: u32 = 500;

struct Expansion<'a> {
    terms: &'a mut Arena,
    variables: &'a mut Vec<Option<Arc<str>>>,
    functions: &'a [Indicator],
    is: Atom,
    /// Goals that compute what functions give.
    before: Vec<TermRef>,
}

/// What is to be done next.
enum Step {
    Goal(TermRef),
    Join(Atom, usize),
}

/// A body in which calls of functions are goals before those that have them in an expression.
pub(super) fn expand(
    terms: &mut Arena,
    atoms: &mut Atoms,
    variables: &mut Vec<Option<Arc<str>>>,
    functions: &[Indicator],
    body: TermRef,
) -> TermRef {
    let is = atoms.intern("is");
    let mut expansion = Expansion { terms, variables, functions, is, before: Vec::new() };
    let (mut todo, mut done) = (vec![Step::Goal(body)], Vec::new());
    while let Some(step) = todo.pop() {
        match step {
            Step::Join(name, count) => {
                let args = done.split_off(done.len() - count);
                done.push(expansion.terms.compound(name, &args));
            }
            Step::Goal(goal) => match expansion.terms.callable(goal).map(|(name, args)| (name, args.to_vec())) {
                Some((name, args)) if is_control(atoms.name(name), args.len()) => {
                    todo.push(Step::Join(name, args.len()));
                    todo.extend(args.into_iter().rev().map(Step::Goal));
                }
                Some((name, args)) if is_arithmetic(atoms.name(name), args.len()) => {
                    let first = usize::from(name == is);
                    done.push(expansion.goal(goal, name, &args, first));
                }
                _ => done.push(goal),
            },
        }
    }
    done.pop().unwrap_or(body)
}

fn is_control(name: &str, arity: usize) -> bool {
    matches!((name, arity), ("," | ";" | "->" | "*->", 2) | ("\\+" | "once" | "ignore" | "call", 1) | ("forall", 2))
}

fn is_arithmetic(name: &str, arity: usize) -> bool {
    arity == 2 && matches!(name, "is" | "<" | ">" | "=<" | ">=" | "=:=" | "=\\=")
}

impl Expansion<'_> {
    /// A goal with expressions from this argument on.
    fn goal(&mut self, goal: TermRef, name: Atom, args: &[TermRef], first: usize) -> TermRef {
        let mut plain = args.to_vec();
        for arg in &mut plain[first..] {
            *arg = self.expression(*arg, 0);
        }
        let before = std::mem::take(&mut self.before);
        if before.is_empty() {
            return goal;
        }
        let last = self.terms.compound(name, &plain);
        self.terms.copy_span(goal, last);
        before.into_iter().rev().fold(last, |rest, goal| self.terms.compound(Atom::COMMA, &[goal, rest]))
    }

    /// An expression without functions of the program.
    fn expression(&mut self, term: TermRef, depth: u32) -> TermRef {
        let Some((name, args)) = self.terms.callable(term).map(|(name, args)| (name, args.to_vec())) else { return term };
        if name == Atom::DOT || depth > DEPTH {
            return term;
        }
        let own = self.functions.iter().any(|function| function.name == name && function.arity as usize == args.len());
        let mut plain = Vec::with_capacity(args.len() + 1);
        for &arg in &args {
            let value = self.expression(arg, depth + 1);
            plain.push(if own && matches!(self.terms.get(value), Term::Compound(_) | Term::Atom(_)) {
                self.evaluated(value)
            } else {
                value
            });
        }
        if own {
            let result = self.fresh();
            plain.push(result);
            let call = self.terms.compound(name, &plain);
            self.before.push(call);
            return result;
        }
        if plain == args { term } else { self.terms.compound(name, &plain) }
    }

    /// A variable that is an expression.
    fn evaluated(&mut self, expression: TermRef) -> TermRef {
        let value = self.fresh();
        let goal = self.terms.compound(self.is, &[value, expression]);
        self.before.push(goal);
        value
    }

    fn fresh(&mut self) -> TermRef {
        let number = u32::try_from(self.variables.len()).expect("few variables");
        self.variables.push(None);
        self.terms.var(number)
    }
}
