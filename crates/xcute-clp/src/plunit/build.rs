//! One test as a clause of plunit: `test(Name, Options) :- Goal`.
//!
//! **Invariant.** Whatever the expectation, the test fails if the goal does anything else.

use super::{Expected, Suite, Test, conjunction, is_ground};
use crate::syntax::{Arena, Atom, Atoms, Term, TermRef};

/// Makes the clause.
pub(super) fn clause(test: &Test, suite: &Suite, atoms: &mut Atoms) -> (Arena, TermRef) {
    let mut builder = Builder { terms: test.terms.clone(), atoms, suite };
    let variables = variables(&test.terms, test.goal);
    let goal = builder.called(test.goal);
    let (options, body) = match &test.expected {
        Expected::Fails => (vec![builder.word("fail")], builder.isolated(goal)),
        Expected::Solutions { terms, solutions, more } => builder.solutions(goal, &variables, terms, solutions, *more),
        Expected::Error(terms, formal, before) => builder.thrown(goal, "error", terms, *formal, *before),
        Expected::Thrown(terms, ball, before) => builder.thrown(goal, "throws", terms, *ball, *before),
        Expected::Longer(inferences, before) => builder.longer(goal, *inferences, *before),
    };
    let name = builder.atoms.intern(&test.name);
    let name = builder.terms.atom(name);
    let nil = builder.terms.atom(Atom::NIL);
    let options = builder.terms.list(&options, nil);
    let head = builder.compound("test", &[name, options]);
    let clause = builder.terms.compound(Atom::NECK, &[head, body]);
    (builder.terms, clause)
}

/// The variables of a term in the order in which they first occur.
pub(super) fn variables(terms: &Arena, root: TermRef) -> Vec<u32> {
    let mut found = Vec::new();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        match *terms.get(term) {
            Term::Var(number) if !found.contains(&number) => found.push(number),
            Term::Compound(compound) => work.extend(terms.args(compound).iter().rev()),
            _ => {}
        }
    }
    found
}

type Clause = (Vec<TermRef>, TermRef);

struct Builder<'a> {
    terms: Arena,
    atoms: &'a mut Atoms,
    suite: &'a Suite,
}

impl Builder<'_> {
    fn word(&mut self, name: &str) -> TermRef {
        let atom = self.atoms.intern(name);
        self.terms.atom(atom)
    }

    fn compound(&mut self, name: &str, args: &[TermRef]) -> TermRef {
        let atom = self.atoms.intern(name);
        self.terms.compound(atom, args)
    }

    /// The first number that no variable has.
    fn unused(&self) -> u32 {
        let used = self.terms.refs().filter_map(|term| match self.terms.get(term) {
            Term::Var(number) => Some(*number + 1),
            _ => None,
        });
        used.max().unwrap_or(0)
    }

    fn fresh(&mut self) -> TermRef {
        let number = self.unused();
        self.terms.var(number)
    }

    /// The goal in its module.
    fn called(&mut self, goal: TermRef) -> TermRef {
        match &self.suite.module {
            Some(module) => {
                let module = self.atoms.intern(module);
                let module = self.terms.atom(module);
                self.terms.compound(Atom::COLON, &[module, goal])
            }
            None => goal,
        }
    }

    /// The goal, with what it changes in the program undone.
    fn isolated(&mut self, goal: TermRef) -> TermRef {
        if self.suite.stateful { self.compound("snapshot", &[goal]) } else { goal }
    }

    /// Takes terms over from elsewhere; their variables become new ones.
    fn import(&mut self, from: &Arena, root: TermRef) -> TermRef {
        let offset = self.unused();
        self.terms.import(from, root, offset)
    }

    fn list(&mut self, elements: &[TermRef]) -> TermRef {
        let nil = self.terms.atom(Atom::NIL);
        self.terms.list(elements, nil)
    }

    /// `left == right`, or `=@=` where variables are left.
    fn same(&mut self, left: TermRef, right: TermRef) -> TermRef {
        let name = if is_ground(&self.terms, right) { "==" } else { "=@=" };
        self.compound(name, &[left, right])
    }

    fn solutions(
        &mut self,
        goal: TermRef,
        variables: &[u32],
        from: &Arena,
        solutions: &[(Vec<TermRef>, Vec<TermRef>)],
        more: bool,
    ) -> Clause {
        let own: Vec<TermRef> = variables.iter().map(|&number| self.terms.var(number)).collect();
        let residual = solutions.iter().any(|(_, residual)| !residual.is_empty());
        let single = own.len() == 1 && !residual;
        // A template for all that is compared: one value, or a list of them, with the constraints that are left.
        let template = if single { own[0] } else { self.list(&own) };
        let mut shown = Vec::new();
        for (values, constraints) in solutions {
            let values = self.import_all(from, values, constraints);
            let (values, constraints) = values.split_at(values.len() - constraints.len());
            let value = if single { values[0] } else { self.list(values) };
            shown.push(if residual {
                let constraints = self.list(constraints);
                self.terms.compound(Atom::MINUS, &[value, constraints])
            } else {
                value
            });
        }
        if solutions.len() == 1 {
            let options = if more && !self.suite.stateful { vec![self.word("nondet")] } else { Vec::new() };
            let goal = self.isolated(goal);
            return self.first(goal, template, shown[0], options, (!own.is_empty(), residual));
        }
        // Several solutions are collected; with constraints, each with its own.
        let (copied, goal) = self.with_constraints(goal, template, residual);
        let goal = if more {
            let count = self.terms.integer(solutions.len());
            self.compound("limit", &[count, goal])
        } else {
            goal
        };
        let found = self.fresh();
        let collect = self.compound("findall", &[copied, goal, found]);
        let body = self.isolated(collect);
        let expected = self.list(&shown);
        let same = self.same(found, expected);
        (vec![self.compound("true", &[same])], body)
    }

    fn first(
        &mut self,
        goal: TermRef,
        template: TermRef,
        value: TermRef,
        mut options: Vec<TermRef>,
        (values, residual): (bool, bool),
    ) -> Clause {
        if !values {
            return (options, goal);
        }
        let (copied, body) = self.with_constraints(goal, template, residual);
        let same = self.same(copied, value);
        options.push(self.compound("true", &[same]));
        (options, body)
    }

    /// The goal and what is to be compared after it.
    fn with_constraints(&mut self, goal: TermRef, template: TermRef, residual: bool) -> (TermRef, TermRef) {
        if !residual {
            return (template, goal);
        }
        let (copy, constraints) = (self.fresh(), self.fresh());
        let copying = self.compound("copy_term", &[template, copy, constraints]);
        let compared = self.terms.compound(Atom::MINUS, &[copy, constraints]);
        (compared, conjunction(&mut self.terms, &[goal, copying]))
    }

    fn import_all(&mut self, from: &Arena, values: &[TermRef], constraints: &[TermRef]) -> Vec<TermRef> {
        let mut together = from.clone();
        let all: Vec<TermRef> = values.iter().chain(constraints).copied().collect();
        let root = together.compound(Atom::CURLY, &all);
        let root = self.import(&together, root);
        match *self.terms.get(root) {
            Term::Compound(compound) => self.terms.args(compound).to_vec(),
            _ => unreachable!("a compound was imported"),
        }
    }

    fn thrown(&mut self, goal: TermRef, option: &str, from: &Arena, ball: TermRef, before: usize) -> Clause {
        let ball = self.import(from, ball);
        let option = self.compound(option, &[ball]);
        let body = self.after(goal, before);
        (vec![option], self.isolated(body))
    }

    /// A goal that comes to what happens after this many solutions.
    fn after(&mut self, goal: TermRef, solutions: usize) -> TermRef {
        if solutions == 0 {
            return goal;
        }
        let fail = self.terms.atom(Atom::FAIL);
        conjunction(&mut self.terms, &[goal, fail])
    }

    fn longer(&mut self, goal: TermRef, inferences: u64, before: usize) -> Clause {
        let goal = self.after(goal, before);
        let (limit, result, word) = (self.terms.integer(inferences), self.fresh(), self.word("inference_limit_exceeded"));
        let body = self.compound("call_with_inference_limit", &[goal, limit, result]);
        let same = self.compound("==", &[result, word]);
        let body = self.isolated(body);
        (vec![self.compound("true", &[same])], body)
    }
}
