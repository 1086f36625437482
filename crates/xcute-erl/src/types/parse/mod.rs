//! From `-spec`, `-type`, `-opaque` and `-record` to types.
//!
//! Declarations come as abstract forms ("The Abstract Format", section 8.7, types). User types are read where they are used, with their parameters in
//! place, each once for the same parameters, so recursive types end in cycles. What cannot be an input yet is left out of unions and named.
//!
//! **Invariant.** A type here has no term that the declaration does not allow.

mod bits;
mod builtin;
mod constructor;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Association, Inputs, Type, TypeId, Types};
use crate::etf::{Atom, Atoms, Term};

/// A field of a record, with its type if it has one.
type FieldType = (Atom, Option<Term>);

/// What modules declare.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    types: FxHashMap<(Atom, Atom, usize), (Vec<Atom>, Term)>,
    records: FxHashMap<(Atom, Atom), Vec<FieldType>>,
    specs: FxHashMap<(Atom, Atom, usize), Vec<Term>>,
    opaque: FxHashSet<(Atom, Atom, usize)>,
    exports: FxHashSet<(Atom, Atom, usize)>,
}

/// User types that are nested deeper, by parameters that grow, are any terms.
const DEEPEST: usize = 100;

impl Declarations {
    /// Takes in an attribute of a module.
    pub fn add(&mut self, module: Atom, form: &Term, atoms: &Atoms) {
        let Some([_, _, Term::Atom(kind), value]) = form.tuple() else { return };
        match (atoms.name(*kind), value.tuple()) {
            ("type" | "opaque" | "nominal", Some([Term::Atom(name), body, params])) => {
                let params: Vec<Atom> =
                    params.items().unwrap_or_default().iter().filter_map(|param| param.tuple()?.get(2)?.atom()).collect();
                let of = (module, *name, params.len());
                if atoms.name(*kind) == "opaque" {
                    self.opaque.insert(of);
                }
                self.types.insert(of, (params, body.clone()));
            }
            ("record", Some([Term::Atom(name), fields])) => {
                let fields = fields.items().unwrap_or_default().iter().filter_map(|field| record_field(field, atoms)).collect();
                self.records.insert((module, *name), fields);
            }
            ("spec", Some([function, clauses])) => {
                let (of, name, arity) = match function.tuple() {
                    Some([Term::Atom(name), Term::Int(arity)]) => (module, *name, *arity),
                    Some([Term::Atom(of), Term::Atom(name), Term::Int(arity)]) => (*of, *name, *arity),
                    _ => return,
                };
                let clauses = clauses.items().unwrap_or_default().to_vec();
                self.specs.insert((of, name, usize::try_from(arity).unwrap_or(0)), clauses);
            }
            _ => {}
        }
    }

    /// Takes in a function of the program's own modules that others can call.
    pub fn export(&mut self, module: Atom, (name, arity): (Atom, u32)) {
        self.exports.insert((module, name, arity as usize));
    }

    /// Whether one of the program's own modules has an opaque type.
    #[must_use]
    pub fn hides(&self) -> bool {
        self.opaque.iter().any(|of| self.exports.iter().any(|function| function.0 == of.0))
    }

    /// Whether a module declares types.
    #[must_use]
    pub fn knows(&self, module: Atom) -> bool {
        self.types.keys().any(|of| of.0 == module)
    }

    /// The modules whose types are mentioned.
    #[must_use]
    pub fn mentioned(form: &Term, atoms: &Atoms) -> Vec<Atom> {
        let (mut found, mut pending) = (Vec::new(), vec![form]);
        while let Some(next) = pending.pop() {
            match next {
                Term::Tuple(items) => {
                    if let [Term::Atom(kind), _, parts] = &items[..]
                        && atoms.name(*kind) == "remote_type"
                        && let Some(module) = parts.items().and_then(|parts| parts.first()?.tuple()?.get(2)?.atom())
                    {
                        found.push(module);
                    }
                    pending.extend(items);
                }
                Term::List(items, _) => pending.extend(items),
                _ => {}
            }
        }
        found
    }

    /// What the arguments of a function may be; any terms if nothing is declared.
    #[must_use]
    pub fn inputs(&self, function: (Atom, Atom, usize), atoms: &mut Atoms) -> Inputs {
        let Some(clauses) = self.specs.get(&function) else { return Inputs::any(function.2) };
        let mut reader = Reader {
            declarations: self,
            home: function.0,
            atoms,
            types: Types::new(),
            memo: FxHashMap::default(),
            records: Vec::new(),
            depth: 0,
        };
        let clauses: Vec<Vec<TypeId>> = clauses.iter().filter_map(|clause| reader.clause(function.0, clause, function.2)).collect();
        let mut types = reader.types;
        types.without_makers(atoms);
        types.finish();
        if clauses.is_empty() {
            return Inputs::any(function.2);
        }
        Inputs { types, clauses, depth: None, widest: u32::MAX }
    }
}

fn record_field(field: &Term, atoms: &Atoms) -> Option<(Atom, Option<Term>)> {
    let items = field.tuple()?;
    match atoms.name(items.first()?.atom()?) {
        "typed_record_field" => Some((record_field(items.get(1)?, atoms)?.0, Some(items.get(2)?.clone()))),
        "record_field" => Some((items.get(2)?.tuple()?.get(2)?.atom()?, None)),
        _ => None,
    }
}

/// Variables of types and what they stand for.
type Variables = FxHashMap<Atom, TypeId>;

struct Reader<'a> {
    declarations: &'a Declarations,
    /// The module of the function whose inputs these are: there its own opaque types are what they are.
    home: Atom,
    atoms: &'a mut Atoms,
    types: Types,
    memo: FxHashMap<(Atom, Atom, Vec<TypeId>), TypeId>,
    /// The same for records: with the fields that are refined, and what their variables stand for.
    records: Vec<(RecordKey, TypeId)>,
    depth: usize,
}

/// The module and name of a record, what refines it, and with which variables.
type RecordKey = (Atom, Atom, Vec<Term>, Variables);

impl Reader<'_> {
    /// The arguments of one clause of a specification.
    fn clause(&mut self, module: Atom, clause: &Term, arity: usize) -> Option<Vec<TypeId>> {
        self.clause_with(module, clause, arity, Variables::default())
    }

    /// The same where it is known what some variables stand for.
    fn clause_with(&mut self, module: Atom, clause: &Term, arity: usize, given: Variables) -> Option<Vec<TypeId>> {
        let mut variables = given.clone();
        let mut fun = clause;
        if let Some([_, _, Term::Atom(kind), parts]) = clause.tuple()
            && self.atoms.name(*kind) == "bounded_fun"
        {
            let [inner, constraints] = parts.items()? else { return None };
            fun = inner;
            let bounds = constraints.items()?.iter().filter_map(constraint);
            let bounds: Vec<(Atom, &Term)> = bounds.filter(|(variable, _)| !given.contains_key(variable)).collect();
            // All of them first: bounds may mention each other.
            for (variable, _) in &bounds {
                let place = self.types.add(Type::Union([].into()));
                variables.insert(*variable, place);
            }
            for (variable, bound) in bounds {
                let of = self.of(module, bound, &variables);
                self.types.set(variables[&variable], Type::Union([of].into()));
            }
        }
        let [_, _, _, parts] = fun.tuple()? else { return None };
        let args = parts.items()?.first()?.tuple()?.get(3)?.items()?;
        let args: Vec<TypeId> = args.iter().map(|arg| self.of(module, arg, &variables)).collect();
        (args.len() == arity).then_some(args)
    }

    fn union(&mut self, of: Vec<TypeId>) -> TypeId {
        if let [one] = of[..] { one } else { self.types.add(Type::Union(of.into())) }
    }

    /// No term: what cannot be an input is left out.
    fn never(&mut self) -> TypeId {
        self.types.add(Type::Union([].into()))
    }

    /// The type that a form stands for.
    fn of(&mut self, module: Atom, form: &Term, variables: &Variables) -> TypeId {
        let Some(items) = form.tuple() else { return Types::ANY };
        let Some(kind) = items.first().and_then(Term::atom) else { return Types::ANY };
        let kind = self.atoms.name(kind).to_owned();
        match (kind.as_str(), items) {
            ("ann_type", [_, _, parts]) => match parts.items() {
                Some([_, of]) => self.of(module, of, variables),
                _ => Types::ANY,
            },
            ("atom", [_, _, Term::Atom(atom)]) => self.types.add(Type::AtomIs(*atom)),
            ("integer" | "char" | "op", _) => match builtin::constant(form, self.atoms) {
                Some(value) => self.types.add(Type::Integer(Some(value.clone()), Some(value))),
                None => Types::ANY,
            },
            ("var", [_, _, Term::Atom(name)]) => variables.get(name).copied().unwrap_or(Types::ANY),
            ("remote_type", [_, _, parts]) => match parts.items() {
                Some([of, name, args]) => {
                    let atom = |form: &Term| form.tuple().and_then(|items| items.get(2)?.atom());
                    let args: Vec<TypeId> = args.items().unwrap_or_default().iter().map(|arg| self.of(module, arg, variables)).collect();
                    match (atom(of), atom(name)) {
                        (Some(of), Some(name)) => self.user(of, name, args),
                        _ => Types::ANY,
                    }
                }
                _ => Types::ANY,
            },
            ("user_type", [_, _, Term::Atom(name), args]) => {
                let args = args.items().unwrap_or_default().iter().map(|arg| self.of(module, arg, variables)).collect();
                self.user(module, *name, args)
            }
            ("type", [_, _, Term::Atom(name), args]) => {
                let name = self.atoms.name(*name).to_owned();
                match (name.as_str(), args.items()) {
                    // `tuple()` and `map()` have the atom `any` in place of a list.
                    ("tuple", None) => self.types.add(Type::AnyTuple),
                    ("map", None) => {
                        let any = Association { exact: false, key: Types::ANY, value: Types::ANY };
                        self.types.add(Type::Map([any].into()))
                    }
                    (name, args) => self.builtin(module, name, args.unwrap_or_default(), variables),
                }
            }
            _ => Types::ANY,
        }
    }

    /// A type that a module declares, with its parameters.
    fn user(&mut self, module: Atom, name: Atom, args: Vec<TypeId>) -> TypeId {
        let key = (module, name, args);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let names = (self.atoms.name(module).to_owned(), self.atoms.name(name).to_owned());
        let declared = self.declarations.types.contains_key(&(module, name, key.2.len()));
        if declared && let Some(made) = self.types.of_library((&names.0, &names.1), &key.2, self.atoms) {
            self.memo.insert(key, made);
            return made;
        }
        let declarations = self.declarations;
        let Some((params, body)) = declarations.types.get(&(module, name, key.2.len())) else {
            let what = format!(
                "the type {}:{}/{}, which is not declared, is taken for any()",
                self.atoms.name(module),
                self.atoms.name(name),
                key.2.len()
            );
            self.note(what);
            return Types::ANY;
        };
        if self.depth > DEEPEST {
            self.note(format!("the type {} is nested too deep and is taken for any()", self.atoms.name(name)));
            return Types::ANY;
        }
        let variables: Variables = params.iter().copied().zip(key.2.iter().copied()).collect();
        let place = self.types.add(Type::Union([].into()));
        self.memo.insert(key.clone(), place);
        self.depth += 1;
        let hidden = module != self.home && declarations.opaque.contains(&(module, name, key.2.len()));
        if hidden && self.constructed((module, name), &key.2, place) {
            self.depth -= 1;
            return place;
        }
        let of = self.of(module, body, &variables);
        self.depth -= 1;
        self.types.set(place, Type::Union([of].into()));
        place
    }

    /// A record, which may have records of its own kind in it.
    fn record(&mut self, module: Atom, name: Atom, refined: &[Term], variables: &Variables) -> TypeId {
        let variables = if refined.is_empty() { Variables::default() } else { variables.clone() };
        let key: RecordKey = (module, name, refined.to_vec(), variables);
        if let Some((_, known)) = self.records.iter().find(|(known, _)| *known == key) {
            return *known;
        }
        let place = self.types.add(Type::Union([].into()));
        self.records.push((key.clone(), place));
        let of = self.fields(module, name, refined, &key.3);
        self.types.set(place, Type::Union([of].into()));
        place
    }

    /// A record's tuple with its name, and its fields as they are declared or, in the type, refined.
    fn fields(&mut self, module: Atom, name: Atom, refined: &[Term], variables: &Variables) -> TypeId {
        let declarations = self.declarations;
        let Some(fields) = declarations.records.get(&(module, name)) else {
            self.note(format!("the record {}, which is not declared, is taken for any tuple", self.atoms.name(name)));
            return self.types.add(Type::AnyTuple);
        };
        let refined: Vec<(Atom, &Term)> = refined
            .iter()
            .filter_map(|field| match field.tuple()?.get(3)?.items()? {
                [field, of] => Some((field.tuple()?.get(2)?.atom()?, of)),
                _ => None,
            })
            .collect();
        let mut items = vec![self.types.add(Type::AtomIs(name))];
        for (field, declared) in fields {
            let of = refined.iter().find(|(of, _)| of == field).map(|(_, of)| *of).or(declared.as_ref());
            items.push(of.map_or(Types::ANY, |of| self.of(module, of, variables)));
        }
        self.types.add(Type::Tuple(items.into()))
    }

    fn note(&mut self, note: String) {
        if !self.types.notes.contains(&note) {
            self.types.notes.push(note);
        }
    }
}

/// A constraint: a variable and what it is a subtype of.
fn constraint(form: &Term) -> Option<(Atom, &Term)> {
    match form.tuple()?.get(3)?.items()? {
        [_, parts] => match parts.items()? {
            [variable, of] => Some((variable.tuple()?.get(2)?.atom()?, of)),
            _ => None,
        },
        _ => None,
    }
}
