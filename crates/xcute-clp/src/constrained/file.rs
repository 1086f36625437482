//! Goals with constraints as a file that Prolog reads: a fact `case(Number, Goal, Instance)` for each path.
//!
//! **Invariant.** The file needs nothing of the program, nor its operators.

use std::fmt::Write;

use super::ConstrainedGoal;
use crate::syntax::{Arena, Atom, Atoms, Operators, Style, Term, TermRef, Writer};

/// One path.
#[derive(Clone, Debug)]
pub struct GoalCase {
    /// The goal with its constraints, where they can be written.
    pub constrained: Option<ConstrainedGoal>,
    /// The terms of the instance.
    pub terms: Arena,
    /// A goal that takes the path.
    pub instance: TermRef,
}

impl GoalCase {
    /// A goal for [`Session::solve`](crate::swipl::Session::solve) that succeeds if the constraints accept the instance; `None` where there are none.
    pub fn acceptance(&self, atoms: &mut Atoms) -> Option<String> {
        let constrained = self.constrained.as_ref().filter(|goal| !goal.constraints.is_empty())?;
        let (mut terms, instance) = self.beside(constrained);
        let equation = terms.compound(Atom::EQUALS, &[constrained.goal, instance]);
        let all = constrained.constraints.iter().rev().fold(equation, |rest, &constraint| terms.compound(Atom::COMMA, &[constraint, rest]));
        let operators = Operators::new(atoms);
        // Canonically, since nobody knows which operators the program has; within the library, since the program may not have imported it.
        let text = Writer::new(atoms, &operators, Style::Canonical).term(&terms, all, &[]);
        Some(if constrained.clpfd { format!("use_module(library(clpfd), []), clpfd:({text})") } else { text })
    }

    /// The instance in the terms of the goal, with other variables.
    fn beside(&self, constrained: &ConstrainedGoal) -> (Arena, TermRef) {
        let mut terms = constrained.terms.clone();
        let unused = terms.refs().filter_map(|term| if let Term::Var(number) = *terms.get(term) { Some(number + 1) } else { None }).max();
        let instance = terms.import(&self.terms, self.instance, unused.unwrap_or(0));
        (terms, instance)
    }
}

/// The text of the file. `title` says in one line what it holds.
#[must_use]
pub fn file(title: &str, cases: &[GoalCase], atoms: &Atoms) -> String {
    let mut atoms = atoms.clone();
    let operators = Operators::with_library(&mut atoms, "clpfd");
    let mut out = format!(
        "% {title}\n% case(Number, Goal, Instance): Goal has the constraints of a path before its call; Instance takes that path.\n\n"
    );
    if cases.iter().filter_map(|case| case.constrained.as_ref()).any(|goal| goal.clpfd) {
        out.push_str(":- use_module(library(clpfd)).\n\n");
    }
    let name = atoms.intern("case");
    for (number, case) in (1_u32..).zip(cases) {
        let Some(constrained) = &case.constrained else {
            let instance = Writer::new(&atoms, &operators, Style::Operators).term(&case.terms, case.instance, &[]);
            // Writing to a string cannot fail.
            let _ =
                writeln!(out, "% case {number}, {}: its constraints are too many, or have no form in Prolog.", instance.replace('\n', " "));
            continue;
        };
        let (mut terms, instance) = case.beside(constrained);
        let number = terms.integer(number);
        let fact = terms.compound(name, &[number, constrained.root, instance]);
        let _ = writeln!(out, "{}.", Writer::new(&atoms, &operators, Style::Operators).bounded(&terms, fact, &constrained.names, 999));
    }
    out
}
