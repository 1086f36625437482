//! The directives of a program that are goals: they run before each run, as they run after loading in SWI-Prolog.
//!
//! Each becomes a predicate, and a run begins with calling these: what they assert and assign is the state that the goal finds.
//!
//! **Invariant.** Directives see no input, so they decide nothing; what they cannot do here is counted, and does not keep the others from running.

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::step::End;
use crate::syntax::{Atom, Clause, Directive, Indicator, Program};

/// How their names begin; their numbers follow.
const LOAD: &str = "$load ";

/// Makes predicates of the directives of a program, in the order in which they run: `initialization(G)` comes after all others.
pub(crate) fn as_predicates(program: &mut Program) {
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for directive in std::mem::take(&mut program.directives) {
        match directive.terms.callable(directive.goal) {
            Some((Atom::INITIALIZATION, &[goal])) => later.push(Directive { goal, ..directive }),
            // It is for programs that are run from the command line.
            Some((Atom::INITIALIZATION, _)) => {}
            _ => now.push(directive),
        }
    }
    now.append(&mut later);
    for (number, directive) in now.into_iter().enumerate() {
        let name = program.atoms.intern(&format!("{LOAD}{number}"));
        program.predicate_mut(Indicator { name, arity: 0 }).clauses = vec![clause(directive, name)];
    }
}

fn clause(directive: Directive, name: Atom) -> Clause {
    let Directive { mut terms, goal, variables, span } = directive;
    let head = terms.atom(name);
    Clause { terms, head, body: goal, single_sided: false, guard: None, variables, span }
}

/// Whether a predicate is one of these.
pub(crate) fn is_load(program: &Program, indicator: Indicator) -> bool {
    indicator.arity == 0 && program.atoms.name(indicator.name).starts_with(LOAD)
}

impl Machine<'_> {
    /// Runs the directives; nothing is left of it but what they changed. Whether they fail or throw is nobody's concern, as in SWI-Prolog, which only warns.
    pub(crate) fn run_directives(&mut self) {
        for number in 0.. {
            let name = self.symbols.atoms.get(&format!("{LOAD}{number}"));
            let Some(name) = name.filter(|&name| self.program.code.find(Indicator { name, arity: 0 }).is_some()) else { break };
            let solutions = std::mem::replace(&mut self.bounds.solutions, 1);
            let end = self.run(Cell::Atom(name), |_| {});
            self.bounds.solutions = solutions;
            if let End::Budget(_) = end {
                self.rec.limit("unsupported", "a directive that does not end within its budget", true);
            }
            self.start_over();
        }
    }
}
