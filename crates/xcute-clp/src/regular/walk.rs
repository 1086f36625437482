//! The clauses that a goal can come to, read as equations between classes of terms.
//!
//! Every variable of a clause is a class, and so is every argument of a predicate. A call merges the two. Predicates of the library are read again for each call of the
//! program: lists of one kind do not meet lists of another only because both are appended.
//!
//! **Invariant.** No Rust recursion over terms or goals.

use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::blame;
use super::graph::{Class, Graph, Looks};
use super::roles::{Role, roles};
use crate::directives;
use crate::machine::cell::Cell;
use crate::machine::code::atomic_cell;
use crate::machine::symbols::Symbols;
use crate::syntax::{Arena, Atom, Clause, Indicator, Program, Term, TermRef};

/// Numbers up to this one may be arities of functors.
const ARITY: i64 = 8;

/// This many calls of the library are read on their own.
const CONTEXTS: Context = 64;

/// Whose predicates are meant: 0 is the program, every other number one call of the library.
type Context = u32;

/// A closure or clause whose form is known only when all is read.
#[derive(Clone)]
struct Later {
    context: Context,
    term: Class,
    /// The arguments that are added; `None` for a clause that is asserted.
    added: Option<Vec<Class>>,
    /// What was done already.
    done: FxHashSet<(Cell, usize)>,
}

/// Reads clauses.
pub(crate) struct Walk<'a> {
    pub(crate) graph: Graph,
    pub(crate) symbols: &'a mut Symbols,
    program: &'a Program,
    predicates: FxHashMap<(Context, Indicator), Vec<Class>>,
    work: Vec<(Context, Indicator)>,
    contexts: Context,
    later: Vec<Later>,
    waiting: FxHashSet<(Context, Class, Option<Vec<Class>>)>,
    /// Terms that `functor/3` and its like make or take apart, with what they have as parts.
    opened: Vec<(Class, Class)>,
    named: Vec<(Class, Class, Class)>,
    /// What the program itself throws, and what it catches.
    pub(super) thrown: Class,
    /// Whether texts are strings of the solver.
    pub(super) texts: bool,
    /// Whether the program looks at what type errors blame.
    pub(super) blamed: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(program: &'a Program, symbols: &'a mut Symbols) -> Walk<'a> {
        let mut graph = Graph::default();
        Walk {
            thrown: graph.fresh(),
            graph,
            symbols,
            program,
            predicates: FxHashMap::default(),
            work: Vec::new(),
            contexts: 0,
            later: Vec::new(),
            waiting: FxHashSet::default(),
            opened: Vec::new(),
            named: Vec::new(),
            texts: false,
            blamed: false,
        }
    }

    /// The classes of the arguments of a predicate of the program, which is read.
    pub(crate) fn goal(&mut self, goal: Indicator) -> Vec<Class> {
        let args = self.arguments(0, goal);
        self.finish();
        args
    }

    /// Reads the directives, which run before the goal does.
    pub(crate) fn directives(&mut self) {
        let program = self.program;
        for predicate in program.predicates.iter().filter(|predicate| directives::is_load(program, predicate.indicator)) {
            self.goal(predicate.indicator);
        }
    }

    /// Reads all that is waiting, until nothing changes.
    pub(crate) fn finish(&mut self) {
        loop {
            while let Some((context, indicator)) = self.work.pop() {
                let program = self.program;
                let args = self.predicates[&(context, indicator)].clone();
                for clause in program.predicate(indicator).into_iter().flat_map(|predicate| &predicate.clauses) {
                    self.clause(clause, &args, context);
                }
            }
            let before = (self.graph.changes, self.later.len());
            self.take_apart();
            for at in 0..self.later.len() {
                self.call_known(at);
            }
            self.evaluate_parts();
            self.order_parts();
            if self.work.is_empty() && (self.graph.changes, self.later.len()) == before {
                return;
            }
        }
    }

    /// The predicates that were come to.
    pub(crate) fn reached(&self) -> FxHashSet<Indicator> {
        self.predicates.keys().map(|&(_, indicator)| indicator).collect()
    }

    fn arguments(&mut self, context: Context, indicator: Indicator) -> Vec<Class> {
        if let Some(args) = self.predicates.get(&(context, indicator)) {
            return args.clone();
        }
        let args: Vec<Class> = (0..indicator.arity).map(|_| self.graph.fresh()).collect();
        self.predicates.insert((context, indicator), args.clone());
        self.work.push((context, indicator));
        args
    }

    fn clause(&mut self, clause: &Clause, args: &[Class], context: Context) {
        let count =
            clause.terms.refs().filter_map(|term| if let Term::Var(n) = *clause.terms.get(term) { Some(n + 1) } else { None }).max();
        let variables: Vec<Class> = (0..count.unwrap_or(0)).map(|_| self.graph.fresh()).collect();
        if let Some((_, terms)) = clause.terms.callable(clause.head) {
            for (&class, &term) in args.iter().zip(terms) {
                self.is_in(&clause.terms, term, class, &variables, context);
            }
        }
        for goal in [Some(clause.body), clause.guard].into_iter().flatten() {
            self.body(&clause.terms, goal, &variables, context);
        }
    }

    /// A term is of a class.
    fn is_in(&mut self, arena: &Arena, term: TermRef, class: Class, variables: &[Class], context: Context) {
        let mut pending = vec![(term, class)];
        while let Some((term, class)) = pending.pop() {
            match arena.get(term) {
                Term::Var(number) => self.graph.merge(class, variables[*number as usize]),
                Term::Compound(compound) => {
                    let functor = self.symbols.functor(compound.name, u32::try_from(compound.arity()).expect("few arguments"));
                    let parts = self.graph.functor(class, functor, self.symbols.arity(functor));
                    pending.extend(arena.args(*compound).iter().copied().zip(parts));
                    // The body of a lambda expression is a goal wherever it is called.
                    if compound.arity() == 2 && self.symbols.atoms.name(compound.name) == ">>" {
                        self.body(arena, arena.args(*compound)[1], variables, context);
                    }
                }
                Term::Integer(value) => {
                    self.graph.look(class, Looks::INTEGER);
                    if let Some(small) = value.to_i64().filter(|value| (0..=ARITY).contains(value)) {
                        self.graph.constant(class, Cell::Int(small));
                    }
                }
                Term::Float(_) => self.graph.look(class, Looks::FLOAT),
                atomic => {
                    let cell = atomic_cell(self.symbols, atomic);
                    if let Cell::Str(_) = cell {
                        self.graph.look(class, Looks::STRING);
                    }
                    self.graph.constant(class, cell);
                }
            }
        }
    }

    fn class_of(&mut self, arena: &Arena, term: TermRef, variables: &[Class], context: Context) -> Class {
        let class = self.graph.fresh();
        self.is_in(arena, term, class, variables, context);
        class
    }

    /// Reads a goal.
    fn body(&mut self, arena: &Arena, goal: TermRef, variables: &[Class], context: Context) {
        let mut pending = vec![goal];
        while let Some(goal) = pending.pop() {
            let Some((name, args)) = arena.callable(goal) else {
                if let Term::Var(number) = arena.get(goal) {
                    self.call_later(context, variables[*number as usize], Some(Vec::new()));
                }
                continue;
            };
            let indicator = Indicator { name, arity: u32::try_from(args.len()).expect("few arguments") };
            let text = self.symbols.atoms.name(name).to_owned();
            if text == ":" && args.len() == 2 {
                pending.push(args[1]);
                continue;
            }
            let own = self.program.predicate(indicator).is_some();
            let kinds = if own && !meta(&text, args.len()) { vec![Role::Data; args.len()] } else { roles(&text, args.len()) };
            let mut classes = Vec::new();
            for (&arg, &role) in args.iter().zip(&kinds) {
                let class = match role {
                    Role::Goal => {
                        pending.push(arg);
                        self.graph.fresh()
                    }
                    Role::Nothing if text == "throw" => self.class_of(arena, arg, variables, context),
                    Role::Nothing => self.graph.fresh(),
                    Role::Expression => {
                        self.expression(arena, arg, variables, &text);
                        self.graph.fresh()
                    }
                    Role::Data | Role::Closure(_) | Role::Clause => self.class_of(arena, arg, variables, context),
                };
                classes.push(class);
            }
            for (&class, role) in classes.iter().zip(&kinds) {
                let added = match role {
                    Role::Closure(count) => Some(classes[classes.len() - count..].to_vec()),
                    Role::Clause => None,
                    _ => continue,
                };
                self.call_later(context, class, added);
            }
            match (text.as_str(), args) {
                ("=..", &[_, list]) => self.made_of(arena, list, classes[0], variables, context),
                ("catch", &[_, catcher, recovery]) => {
                    if context == 0 {
                        self.graph.merge(classes[1], self.thrown);
                    }
                    self.blamed = self.blamed || context == 0 && blame::is_looked_at(arena, self.program, catcher, recovery);
                }
                _ => {}
            }
            self.call(indicator, &text, &classes, context);
        }
    }

    /// A term is made of the elements of a list, or gives them: its functor, if the list is written out.
    fn made_of(&mut self, arena: &Arena, list: TermRef, term: Class, variables: &[Class], context: Context) {
        let Some((first, rest)) = arena.proper_list(list).and_then(|items| items.split_first().map(|(first, rest)| (*first, rest.len())))
        else {
            return;
        };
        let (name, arity) = (self.graph.fresh(), self.graph.fresh());
        if let Term::Atom(text) = *arena.get(first) {
            self.graph.constant(name, Cell::Atom(text));
            let items = arena.proper_list(list).expect("it was one above");
            let functor = self.symbols.functor(text, u32::try_from(rest).expect("few arguments"));
            if rest > 0 {
                let parts = self.graph.functor(term, functor, self.symbols.arity(functor));
                for (&item, part) in items[1..].iter().zip(parts) {
                    self.is_in(arena, item, part, variables, context);
                }
            }
        }
        self.graph.constant(arity, Cell::Int(i64::try_from(rest).unwrap_or(0)));
        self.made(term, name, arity);
    }

    /// The variables of an expression are evaluated.
    fn expression(&mut self, arena: &Arena, term: TermRef, variables: &[Class], name: &str) {
        let looks = if name.starts_with('#') { Looks { evaluated: true, ..Looks::INTEGER } } else { Looks::EVALUATED };
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match arena.get(term) {
                Term::Var(number) => self.graph.look(variables[*number as usize], looks),
                Term::Compound(compound) => pending.extend(arena.args(*compound)),
                _ => {}
            }
        }
    }

    fn call(&mut self, indicator: Indicator, name: &str, args: &[Class], context: Context) {
        // Texts that only the library looks into, for `must_be(char, X)` say, are not worth their spelling.
        let Some(predicate) = self.program.predicate(indicator) else { return self.tells(name, args, context == 0) };
        let context = match (predicate.library, context) {
            (false, _) => 0,
            (true, 0) => {
                // Very many calls share their contexts: that is less exact, and costs no more.
                self.contexts += 1;
                1 + (self.contexts - 1) % CONTEXTS
            }
            (true, inner) => inner,
        };
        for (own, &arg) in self.arguments(context, indicator).into_iter().zip(args) {
            self.graph.merge(own, arg);
        }
    }

    /// Waits until it is known what a closure or clause may be, once for each.
    fn call_later(&mut self, context: Context, term: Class, added: Option<Vec<Class>>) {
        let roots = added.as_ref().map(|added| added.iter().map(|&arg| self.graph.find(arg)).collect());
        let root = self.graph.find(term);
        if self.waiting.insert((context, root, roots)) {
            self.later.push(Later { context, term, added, done: FxHashSet::default() });
        }
    }

    /// Calls what a closure is known to be, or adds what a clause is known to be.
    fn call_known(&mut self, at: usize) {
        let Later { context, term, added, .. } = self.later[at].clone();
        let constants = self.graph.constants(term).into_iter().map(|cell| (cell, Vec::new()));
        let functors: Vec<(Cell, Vec<Class>)> =
            constants.chain(self.graph.functors(term).into_iter().map(|(f, args)| (Cell::Functor(f), args))).collect();
        for (symbol, args) in functors {
            if !self.later[at].done.insert((symbol, args.len())) {
                continue;
            }
            let name = match symbol {
                Cell::Atom(name) => name,
                Cell::Functor(functor) => self.symbols.name(functor),
                _ => continue,
            };
            let text = self.symbols.atoms.name(name).to_owned();
            match (&added, args.len()) {
                (None, 2) if text == ":-" => {
                    self.call_later(context, args[0], None);
                    self.call_later(context, args[1], Some(Vec::new()));
                }
                (None, count) => {
                    let indicator = Indicator { name, arity: u32::try_from(count).expect("few arguments") };
                    if self.program.predicate(indicator).is_some() {
                        self.call(indicator, &text, &args, 0);
                    }
                }
                (Some(added), 2) if text == ">>" => {
                    let item = self.items(args[0]);
                    added.iter().for_each(|&arg| self.graph.merge(item, arg));
                }
                (Some(added), 2) if added.is_empty() && matches!(text.as_str(), "," | ";" | "->" | "*->" | "|") => {
                    for goal in args {
                        self.call_later(context, goal, Some(Vec::new()));
                    }
                }
                (Some(added), _) => {
                    // What such a goal catches is not written out.
                    self.blamed |= text == "catch";
                    let all = [args, added.clone()].concat();
                    let indicator = Indicator { name, arity: u32::try_from(all.len()).expect("few arguments") };
                    for (&class, role) in all.iter().zip(roles(&text, all.len())) {
                        match role {
                            Role::Expression => self.graph.look(class, Looks::EVALUATED),
                            Role::Goal => self.call_later(context, class, Some(Vec::new())),
                            Role::Closure(count) => self.call_later(context, class, Some(all[all.len() - count..].to_vec())),
                            Role::Clause => self.call_later(context, class, None),
                            Role::Data | Role::Nothing => {}
                        }
                    }
                    if text == "catch" && all.len() == 3 && context == 0 {
                        self.graph.merge(all[1], self.thrown);
                    }
                    self.call(indicator, &text, &all, context);
                }
            }
        }
    }

    /// What a term that is taken apart has as parts, or is made of.
    pub(super) fn taken_apart(&mut self, term: Class, part: Class) {
        self.opened.push((term, part));
    }

    /// A term is made of a name and a number of arguments, or has them.
    pub(super) fn made(&mut self, term: Class, name: Class, arity: Class) {
        self.named.push((term, name, arity));
    }

    fn take_apart(&mut self) {
        for (term, part) in self.opened.clone() {
            for (_, args) in self.graph.functors(term) {
                args.into_iter().for_each(|arg| self.graph.merge(arg, part));
            }
        }
    }

    /// Operands of what is evaluated are evaluated.
    fn evaluate_parts(&mut self) {
        let all: Vec<Class> = self.predicates.values().flatten().copied().collect();
        for class in self.graph.parts(&all) {
            if self.graph.looks(class).evaluated {
                for (functor, args) in self.graph.functors(class) {
                    if crate::machine::arith::is_evaluable(self.symbols.atoms.name(self.symbols.name(functor)), self.symbols.arity(functor))
                    {
                        args.into_iter().for_each(|arg| self.graph.look(arg, Looks::EVALUATED));
                    }
                }
            }
        }
    }

    /// Parts of what is compared by the standard order are compared by it.
    fn order_parts(&mut self) {
        let all: Vec<Class> = self.predicates.values().flatten().copied().collect();
        for class in self.graph.parts(&all) {
            let looks = self.graph.looks(class);
            if looks.ordered || looks.keyed {
                for arg in self.graph.functors(class).into_iter().flat_map(|(_, args)| args) {
                    self.graph.look(arg, Looks::ORDERED);
                }
            }
        }
    }

    /// A term is looked at as a list: the class of its elements.
    pub(super) fn items(&mut self, list: Class) -> Class {
        let dot = self.symbols.functor(Atom::DOT, 2);
        self.graph.constant(list, Cell::Atom(Atom::NIL));
        let parts = self.graph.functor(list, dot, 2);
        self.graph.merge(parts[1], list);
        parts[0]
    }

    /// An atom may be there.
    pub(super) fn name(&mut self, class: Class, text: &str) {
        let cell = self.symbols.atom(text);
        self.graph.constant(class, cell);
    }

    /// The functors that are asked for by name and number of arguments in terms of these classes; those without a name are of any.
    pub(crate) fn named(&mut self, classes: &[Class]) -> Vec<(Option<Atom>, u32)> {
        let mut found = Vec::new();
        for (term, name, arity) in self.named.clone() {
            if !classes.contains(&self.graph.find(term)) {
                continue;
            }
            let arities: Vec<u32> = self
                .graph
                .constants(arity)
                .into_iter()
                .filter_map(|cell| if let Cell::Int(n) = cell { u32::try_from(n).ok() } else { None })
                .collect();
            let names: Vec<Atom> = self
                .graph
                .constants(name)
                .into_iter()
                .filter_map(|cell| if let Cell::Atom(name) = cell { Some(name) } else { None })
                .collect();
            for arity in arities.into_iter().filter(|&arity| arity > 0) {
                found.extend(names.iter().map(|&name| (Some(name), arity)));
                found.push((None, arity));
            }
        }
        found
    }
}

/// Predicates of the library whose arguments are goals or closures all the same.
fn meta(name: &str, arity: usize) -> bool {
    matches!((name, arity), ("forall", 2) | ("aggregate_all", 3) | ("once" | "ignore" | "assertion", 1) | ("when", 2))
}
