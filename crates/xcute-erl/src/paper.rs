//! The events of the paper, put back together from a replay.
//!
//! [palacios-vidal-2015 §3]: `call`, `exit`, `bind`, `case` and
//! `exitcase`, each with the parameters and the bound variables of the function it happens in. Our runs tell only what the paper's events do not
//! have in common with the text of the program; everything else is known where they are replayed. A call in tail position, which the flat language of the paper
//! does not have, has `_` for the pattern of its value.

use std::fmt::Write as _;

use crate::core::ast::Name;
use crate::etf::Atoms;
use crate::flat::{Case, Clause, Code, Expr, ExprId, FunId, Pat, PatId, Slot};
use crate::universe::shown;

/// Which variables of a function count as bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Those of `let` only, as Example 2 prints them.
    Lets,
    /// Those of patterns as well, as Definition 1 says and [palacios-vidal-2015 Fig. 9] prints them.
    All,
}

/// An event, as it happened.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    Call { caller: FunId, waiting: Option<ExprId>, args: Box<[PatId]> },
    Exit { function: FunId, value: Option<ExprId> },
    Bind { function: FunId, at: ExprId, value: Option<ExprId> },
    Case { function: FunId, args: Box<[PatId]>, clauses: Vec<Box<[PatId]>>, taken: usize },
    ExitCase { function: FunId, at: ExprId, value: Option<ExprId> },
}

/// The events of a replay.
#[derive(Clone, Debug, Default)]
pub struct Log {
    events: Vec<Event>,
    /// The values that were computed last.
    last: Option<ExprId>,
}

impl Log {
    pub(crate) fn values(&mut self, expr: ExprId) {
        self.last = Some(expr);
    }

    pub(crate) fn call(&mut self, caller: FunId, waiting: Option<ExprId>, args: &[PatId]) {
        self.events.push(Event::Call { caller, waiting, args: args.into() });
    }

    pub(crate) fn exit(&mut self, function: FunId) {
        self.events.push(Event::Exit { function, value: self.last });
    }

    /// A `let` is about to bind.
    pub(crate) fn bound(&mut self, code: &Code, function: FunId, at: ExprId) {
        let Expr::Let { arg, .. } = code.expr(at) else { return };
        match code.expr(*arg) {
            Expr::Case(_) => self.events.push(Event::ExitCase { function, at, value: self.last }),
            Expr::Call(..) | Expr::Apply { .. } => {}
            _ => self.events.push(Event::Bind { function, at, value: self.last }),
        }
    }

    pub(crate) fn case(&mut self, function: FunId, case: &Case, taken: usize) {
        let clauses = case.clauses.iter().map(|clause: &Clause| clause.patterns.clone()).collect();
        self.events.push(Event::Case { function, args: case.args.clone(), clauses, taken });
    }

    /// The events as the paper writes them, one after the other.
    #[must_use]
    pub fn lines(&self, code: &Code, atoms: &Atoms, bound: Bound) -> Vec<String> {
        let printer = Printer { code, atoms, bound };
        self.events.iter().map(|event| printer.event(event)).collect()
    }

    /// The trace of Definition 5: the numbers of the clauses that were chosen, from 1.
    #[must_use]
    pub fn trace(&self) -> Vec<usize> {
        let chosen = |event: &Event| match event {
            Event::Case { taken, .. } => Some(taken + 1),
            _ => None,
        };
        self.events.iter().filter_map(chosen).collect()
    }
}

struct Printer<'a> {
    code: &'a Code,
    atoms: &'a Atoms,
    bound: Bound,
}

impl Printer<'_> {
    fn event(&self, event: &Event) -> String {
        match event {
            Event::Call { caller, waiting, args } => {
                let to = waiting.map_or_else(|| "_".to_owned(), |at| self.vars(*caller, at));
                let args: Vec<String> = args.iter().map(|&arg| self.pat(*caller, arg)).collect();
                format!("call({},{to},[{}])", self.context(*caller), args.join(","))
            }
            Event::Exit { function, value } => format!("exit({},{})", self.context(*function), self.value(*function, *value)),
            Event::Bind { function, at, value } => {
                format!("bind({},{},{})", self.context(*function), self.vars(*function, *at), self.value(*function, *value))
            }
            Event::ExitCase { function, at, value } => {
                format!("exitcase({},{},{})", self.context(*function), self.vars(*function, *at), self.value(*function, *value))
            }
            Event::Case { function, args, clauses, taken } => {
                let values = |list: &[PatId]| match list {
                    [one] => self.pat(*function, *one),
                    several => format!("<{}>", several.iter().map(|&pat| self.pat(*function, pat)).collect::<Vec<_>>().join(",")),
                };
                let arg = values(args);
                let alternatives: Vec<String> = (1..).zip(clauses).map(|(n, clause)| format!("({n},{arg},{})", values(clause))).collect();
                let context = self.context(*function);
                format!("case({context},{},{arg},{},[{}])", taken + 1, values(&clauses[*taken]), alternatives.join(","))
            }
        }
    }

    /// Parameters and bound variables of a function.
    fn context(&self, function: FunId) -> String {
        let of = self.code.function(function);
        let params: Vec<String> = (0..of.arity).map(|slot| self.name(function, slot)).collect();
        let (mut lets, mut patterns) = (Vec::new(), Vec::new());
        self.collect(of.body, &mut lets, &mut patterns);
        if self.bound == Bound::All {
            lets.extend(patterns);
        }
        let bound: Vec<String> = lets.into_iter().map(|slot| self.name(function, slot)).collect();
        format!("[{}],[{}]", params.join(","), bound.join(","))
    }

    fn collect(&self, root: ExprId, lets: &mut Vec<Slot>, patterns: &mut Vec<Slot>) {
        let mut pending = vec![root];
        while let Some(next) = pending.pop() {
            match self.code.expr(next) {
                Expr::Let { vars, arg, body } => {
                    lets.extend(vars.iter().flat_map(|vars| vars.iter()));
                    pending.push(*body);
                    pending.push(*arg);
                }
                Expr::Case(case) => {
                    for clause in case.clauses.iter().rev() {
                        pending.push(clause.body);
                    }
                    for &pattern in case.clauses.iter().flat_map(|clause| clause.patterns.iter()) {
                        self.variables(pattern, patterns);
                    }
                }
                Expr::Letrec(_, body) => pending.push(*body),
                Expr::Try { arg, vars, body, evars, handler, .. } => {
                    lets.extend(vars.iter().chain(evars));
                    pending.extend([*handler, *body, *arg]);
                }
                _ => {}
            }
        }
    }

    fn variables(&self, pattern: PatId, found: &mut Vec<Slot>) {
        match self.code.pat(pattern) {
            Pat::Var(slot) => found.push(*slot),
            Pat::Cons(a, b) | Pat::Alias(a, b) => {
                self.variables(*a, found);
                self.variables(*b, found);
            }
            Pat::Tuple(items) => items.iter().for_each(|item| self.variables(*item, found)),
            Pat::Map(pairs) => pairs.iter().for_each(|(_, value)| self.variables(*value, found)),
            Pat::Bits(segments) => segments.iter().for_each(|segment| self.variables(segment.value, found)),
            Pat::Lit(_) | Pat::Function(_) => {}
        }
    }

    fn vars(&self, function: FunId, at: ExprId) -> String {
        match self.code.expr(at) {
            Expr::Let { vars: Some(vars), .. } => {
                let names: Vec<String> = vars.iter().map(|&slot| self.name(function, slot)).collect();
                if names.len() == 1 { names.concat() } else { format!("<{}>", names.join(",")) }
            }
            _ => "_".to_owned(),
        }
    }

    fn value(&self, function: FunId, value: Option<ExprId>) -> String {
        match value.map(|value| self.code.expr(value)) {
            Some(Expr::Values(values)) => values.iter().map(|&pat| self.pat(function, pat)).collect::<Vec<_>>().join(","),
            _ => "_".to_owned(),
        }
    }

    fn name(&self, function: FunId, slot: Slot) -> String {
        match self.code.function(function).names.get(slot as usize) {
            Some(Name::Atom(atom)) => self.atoms.name(*atom).to_owned(),
            Some(Name::Number(number)) => format!("_{number}"),
            Some(Name::Function(name, arity)) => format!("{}/{arity}", self.atoms.name(*name)),
            None => "_".to_owned(),
        }
    }

    fn pat(&self, function: FunId, pattern: PatId) -> String {
        match self.code.pat(pattern) {
            Pat::Var(slot) => self.name(function, *slot),
            Pat::Lit(literal) => shown(&self.code.literals[literal.0 as usize], self.atoms),
            Pat::Function(fun) => {
                let of = self.code.function(*fun);
                format!("{}/{}", self.atoms.name(of.name), of.arity)
            }
            Pat::Cons(head, tail) => format!("[{}|{}]", self.pat(function, *head), self.pat(function, *tail)),
            Pat::Alias(name, inner) => format!("{} = {}", self.pat(function, *name), self.pat(function, *inner)),
            Pat::Tuple(items) => format!("{{{}}}", items.iter().map(|&item| self.pat(function, item)).collect::<Vec<_>>().join(",")),
            Pat::Map(pairs) => {
                let mut out = "#{".to_owned();
                for (i, (key, value)) in pairs.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(out, "{comma}{} := {}", self.pat(function, *key), self.pat(function, *value)).expect("a string");
                }
                out + "}"
            }
            Pat::Bits(segments) => {
                let parts: Vec<String> = segments.iter().map(|segment| self.pat(function, segment.value)).collect();
                format!("<<{}>>", parts.join(","))
            }
        }
    }
}
