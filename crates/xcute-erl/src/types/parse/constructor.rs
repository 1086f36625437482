//! Opaque types of other modules of the program: their terms are what functions of these modules make.
//!
//! A definition may allow more than that: a sorted list is a list. So an input is a call of an exported function whose specification says that it returns the
//! type, alone or in a tuple with `ok`, with arguments that may be made in the same way. Inside of its own module a type is what its definition says.
//!
//! **Invariant.** Where no function makes a term of the type, its definition does, which is a limit, and a failure says so.

use super::{Reader, Variables, constraint};
use crate::etf::{Atom, Term};
use crate::types::{Type, TypeId};
use crate::universe::made::Constructor;

/// Constructors of a type at most: the simplest ones.
const MOST: usize = 6;

/// A function that returns the type: its name and arity, the clause that says so, and whether that is in a tuple with `ok`.
type Found<'a> = (Atom, usize, &'a Term, bool);

impl Reader<'_> {
    /// Makes `place` the terms that constructors of an opaque type make; whether there are such terms.
    pub(super) fn constructed(&mut self, (module, name): (Atom, Atom), args: &[TypeId], place: TypeId) -> bool {
        let of = format!("{}:{}()", self.atoms.name(module), self.atoms.name(name));
        let declarations = self.declarations;
        let callable = declarations.specs.iter().filter(|(of, _)| of.0 == module && declarations.exports.contains(of));
        let clauses = callable.flat_map(|(of, clauses)| clauses.iter().map(|clause| (of.1, of.2, clause)));
        let returning = |(function, arity, clause)| Some((function, arity, clause, self.returns((module, name), args.len(), clause)?));
        let mut found: Vec<Found<'_>> = clauses.filter_map(returning).collect();
        found.sort_by_key(|&(function, arity, _, _)| (arity, self.atoms.name(function).to_owned()));
        let all = found.len();
        found.truncate(MOST);
        let (mut ways, mut makers) = (Vec::new(), Vec::new());
        for (function, arity, clause, ok) in found {
            let Some(parts) = self.arguments((module, name), args, clause, arity) else { continue };
            let by = Constructor { module: self.atoms.name(module), function: self.atoms.name(function), ok };
            let (tag, maker) = (by.tag(arity), format!("{}/{arity}", by.function));
            let tag = Type::AtomIs(self.atoms.intern(&tag));
            let tag = self.types.add(tag);
            ways.push(self.types.add(Type::Tuple([tag].into_iter().chain(parts).collect())));
            if !makers.contains(&maker) {
                makers.push(maker);
            }
        }
        self.types.set(place, Type::Union(ways.into()));
        let mut whole = self.types.clone();
        whole.finish();
        if whole.depth(place).is_none() {
            self.note(format!("the opaque type {of} is made from its definition: no function of its module is known that makes it"));
            self.types.assumed.push(of);
            return false;
        }
        let names = makers.join(" and ");
        self.types.bound(&format!("{of} as {names} {} it", if makers.len() == 1 { "makes" } else { "make" }));
        if all > MOST {
            self.note(format!("the opaque type {of} is made by {names} only"));
        }
        true
    }

    /// Whether a clause of a specification returns the type, with parameters that are variables: `Some(true)` if in a tuple with `ok`.
    fn returns(&self, of: (Atom, Atom), parameters: usize, clause: &Term) -> Option<bool> {
        let result = result(self.function(clause)?)?;
        let direct = |form: &Term| self.names(of, parameters, self.resolved(clause, form)).is_some();
        let in_ok = |form: &Term| self.in_ok(self.resolved(clause, form)).is_some_and(direct);
        if direct(result) {
            return Some(false);
        }
        let ways = self.part("union", self.resolved(clause, result)).unwrap_or_else(|| std::slice::from_ref(result));
        ways.iter().any(in_ok).then_some(true)
    }

    /// The types of the arguments of a constructor; `None` if they are not known.
    fn arguments(&mut self, of: (Atom, Atom), args: &[TypeId], clause: &Term, arity: usize) -> Option<Vec<TypeId>> {
        let form = result(self.function(clause)?)?;
        let resolved = self.resolved(clause, form);
        let ways = self.part("union", resolved).unwrap_or(std::slice::from_ref(resolved));
        let inside = |way| self.in_ok(self.resolved(clause, way)).unwrap_or(way);
        let names = ways.iter().find_map(|way| self.names(of, args.len(), self.resolved(clause, inside(way))))?;
        let mut given = Variables::default();
        for (name, of) in names.iter().zip(args) {
            // What the type says nothing about is any term of the parameter.
            given.insert(variable(name)?, *of);
        }
        self.clause_with(of.0, clause, arity, given)
    }

    /// The form of the function in a clause, without its constraints.
    fn function<'t>(&self, clause: &'t Term) -> Option<&'t Term> {
        match clause.tuple() {
            Some([_, _, Term::Atom(kind), parts]) if self.atoms.name(*kind) == "bounded_fun" => parts.items()?.first(),
            Some(_) => Some(clause),
            None => None,
        }
    }

    /// What a variable of a clause is bounded by; any other form is itself.
    fn resolved<'t>(&self, clause: &'t Term, form: &'t Term) -> &'t Term {
        let form = self.part("ann_type", form).and_then(|parts| parts.get(1)).unwrap_or(form);
        let Some([_, _, Term::Atom(kind), parts]) = clause.tuple() else { return form };
        if self.atoms.name(*kind) != "bounded_fun" {
            return form;
        }
        let constraints = parts.items().and_then(|parts| parts.get(1)?.items()).unwrap_or_default();
        let Some(name) = variable(form).filter(|_| self.is(form, "var")) else { return form };
        constraints.iter().filter_map(constraint).find(|(of, _)| *of == name).map_or(form, |(_, bound)| bound)
    }

    /// The parameters with which a form names the type, if it does.
    fn names<'t>(&self, (module, name): (Atom, Atom), parameters: usize, form: &'t Term) -> Option<&'t [Term]> {
        let args = match form.tuple()? {
            [_, _, Term::Atom(own), args] if self.is(form, "user_type") && *own == name => args.items(),
            [_, _, parts] if self.is(form, "remote_type") => match parts.items()? {
                [of, own, args] if variable(of) == Some(module) && variable(own) == Some(name) => args.items(),
                _ => return None,
            },
            _ => return None,
        };
        let args = args.unwrap_or_default();
        (args.len() == parameters && args.iter().all(|arg| self.is(arg, "var"))).then_some(args)
    }

    /// What a tuple with `ok` has besides that.
    fn in_ok<'t>(&self, form: &'t Term) -> Option<&'t Term> {
        match self.part("tuple", form)? {
            [ok, of] if variable(ok) == Some(Atom::OK) => Some(of),
            _ => None,
        }
    }

    /// The parts of a built-in type of this name, or of an annotated one.
    fn part<'t>(&self, name: &str, form: &'t Term) -> Option<&'t [Term]> {
        match form.tuple()? {
            [_, _, Term::Atom(own), parts] if self.is(form, "type") && self.atoms.name(*own) == name => parts.items(),
            [_, _, parts] if self.is(form, name) => parts.items(),
            _ => None,
        }
    }

    fn is(&self, form: &Term, kind: &str) -> bool {
        form.tuple().and_then(|items| items.first()?.atom()).is_some_and(|own| self.atoms.name(own) == kind)
    }
}

/// The result of the form of a function.
fn result(fun: &Term) -> Option<&Term> {
    fun.tuple()?.get(3)?.items()?.get(1)
}

/// The name in the form of a variable or of an atom.
fn variable(form: &Term) -> Option<Atom> {
    form.tuple()?.get(2)?.atom()
}
