//! The types that Erlang has by itself.

use num_bigint::BigInt;

use super::{Reader, Variables};
use crate::etf::{Atom, Atoms, Term};
use crate::types::{Association, Type, TypeId, Types};
use crate::universe::functions::MOST_PARAMETERS;
use crate::universe::{PID, PORT, REFERENCE};

/// The last code of a character.
const LAST_CHARACTER: u32 = 0x10_ffff;

/// The integer that a form stands for: a literal, or arithmetic on literals.
pub(super) fn constant(form: &Term, atoms: &Atoms) -> Option<BigInt> {
    let items = form.tuple()?;
    match (atoms.name(items.first()?.atom()?), items) {
        ("integer" | "char", [_, _, value]) => value.integer(),
        ("op", [_, _, Term::Atom(op), value]) => {
            let value = constant(value, atoms)?;
            match atoms.name(*op) {
                "-" => Some(-value),
                "+" => Some(value),
                "bnot" => Some(-value - 1),
                _ => None,
            }
        }
        ("op", [_, _, Term::Atom(op), a, b]) => {
            let (a, b) = (constant(a, atoms)?, constant(b, atoms)?);
            let zero = BigInt::from(0);
            match atoms.name(*op) {
                "+" => Some(a + b),
                "-" => Some(a - b),
                "*" => Some(a * b),
                "div" if b != zero => Some(a / b),
                "rem" if b != zero => Some(a % b),
                "band" => Some(a & b),
                "bor" => Some(a | b),
                "bxor" => Some(a ^ b),
                "bsl" => Some(a << u32::try_from(b).ok()?),
                "bsr" => Some(a >> u32::try_from(b).ok()?),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Reader<'_> {
    fn integer(&mut self, low: Option<i64>, high: Option<i64>) -> TypeId {
        self.types.add(Type::Integer(low.map(BigInt::from), high.map(BigInt::from)))
    }

    /// A list of such elements; with such an end where it may be improper.
    pub(super) fn list(&mut self, element: TypeId, end: TypeId) -> TypeId {
        let list = self.types.add(Type::Union([].into()));
        let cell = self.types.add(Type::Cons(element, list));
        self.types.set(list, Type::Union([end, cell].into()));
        list
    }

    fn nil(&mut self) -> TypeId {
        self.types.add(Type::Nil)
    }

    fn proper(&mut self, element: TypeId) -> TypeId {
        let nil = self.nil();
        self.list(element, nil)
    }

    /// The first argument of a type, or any term.
    fn argument(&mut self, module: Atom, args: &[Term], at: usize, variables: &Variables) -> TypeId {
        args.get(at).map_or(Types::ANY, |arg| self.of(module, arg, variables))
    }

    /// A built-in type.
    pub(super) fn builtin(&mut self, module: Atom, name: &str, args: &[Term], variables: &Variables) -> TypeId {
        match name {
            "any" | "term" | "dynamic" => Types::ANY,
            "none" | "no_return" => self.never(),
            "atom" | "module" | "node" => self.types.add(Type::Atom),
            "boolean" | "bool" => {
                let ways = [Atom::TRUE, Atom::FALSE].map(|atom| self.types.add(Type::AtomIs(atom)));
                self.union(ways.into())
            }
            "integer" => self.integer(None, None),
            "non_neg_integer" => self.integer(Some(0), None),
            "pos_integer" => self.integer(Some(1), None),
            "neg_integer" => self.integer(None, Some(-1)),
            "arity" | "byte" => self.integer(Some(0), Some(255)),
            "char" => self.integer(Some(0), Some(i64::from(LAST_CHARACTER))),
            "range" => {
                match (args.first().and_then(|low| constant(low, self.atoms)), args.get(1).and_then(|high| constant(high, self.atoms))) {
                    (Some(low), Some(high)) => self.types.add(Type::Integer(Some(low), Some(high))),
                    _ => self.integer(None, None),
                }
            }
            "float" => self.types.add(Type::Float),
            "number" => {
                let ways = vec![self.integer(None, None), self.types.add(Type::Float)];
                self.union(ways)
            }
            "timeout" => {
                let ways = vec![self.types.add(Type::AtomIs(Atom::INFINITY)), self.integer(Some(0), None)];
                self.union(ways)
            }
            "nil" => self.nil(),
            "list" => {
                let element = self.argument(module, args, 0, variables);
                self.proper(element)
            }
            "nonempty_list" => {
                let element = self.argument(module, args, 0, variables);
                let list = self.proper(element);
                self.types.add(Type::Cons(element, list))
            }
            "string" | "nonempty_string" => {
                let element = self.integer(Some(0), Some(i64::from(LAST_CHARACTER)));
                let list = self.proper(element);
                if name == "string" { list } else { self.types.add(Type::Cons(element, list)) }
            }
            "maybe_improper_list" | "nonempty_maybe_improper_list" | "nonempty_improper_list" => {
                self.improper(module, name, args, variables)
            }
            "iolist" | "iodata" => self.iolist(name == "iodata"),
            "mfa" => {
                let items = [self.types.add(Type::Atom), self.types.add(Type::Atom), self.integer(Some(0), Some(255))];
                self.types.add(Type::Tuple(items.into()))
            }
            "union" => {
                let ways = args.iter().map(|arg| self.of(module, arg, variables)).collect();
                self.union(ways)
            }
            "tuple" | "product" => self.tuple(module, args, variables),
            "record" => match args.split_first() {
                Some((name, fields)) => match name.tuple().and_then(|items| items.get(2)?.atom()) {
                    Some(name) => self.record(module, name, fields, variables),
                    None => Types::ANY,
                },
                None => Types::ANY,
            },
            "pid" => self.types.add(Type::Tabled(PID, None)),
            "port" => self.types.add(Type::Tabled(PORT, None)),
            "reference" => self.types.add(Type::Tabled(REFERENCE, None)),
            "identifier" => {
                let ways = [PID, PORT, REFERENCE].map(|kind| self.types.add(Type::Tabled(kind, None)));
                self.union(ways.into())
            }
            "bitstring" => self.types.add(Type::Bits(0, 1)),
            "binary" | "nonempty_binary" | "nonempty_bitstring" => self.bits(name, args),
            "function" => self.types.add(Type::Fun(None, Types::ANY)),
            "fun" => self.fun(module, args, variables),
            "map" => self.map(module, args, variables),
            other => {
                let what = format!("the type {other}() is taken for any()");
                self.note(what);
                Types::ANY
            }
        }
    }

    fn tuple(&mut self, module: Atom, args: &[Term], variables: &Variables) -> TypeId {
        let items: Vec<TypeId> = args.iter().map(|arg| self.of(module, arg, variables)).collect();
        self.types.add(Type::Tuple(items.into()))
    }

    fn improper(&mut self, module: Atom, name: &str, args: &[Term], variables: &Variables) -> TypeId {
        let (element, end) = (self.argument(module, args, 0, variables), self.argument(module, args, 1, variables));
        let nil = self.nil();
        let ends = match name {
            "nonempty_improper_list" => end,
            _ => self.union(vec![nil, end]),
        };
        let list = self.list(element, ends);
        match name {
            // Empty or not, but never the end alone.
            "maybe_improper_list" => {
                let cell = self.types.add(Type::Cons(element, list));
                self.union(vec![nil, cell])
            }
            _ => self.types.add(Type::Cons(element, list)),
        }
    }

    /// `maybe_improper_list(byte() | binary() | iolist(), binary() | [])`, or a binary as well.
    fn iolist(&mut self, data: bool) -> TypeId {
        let (byte, binary, nil) = (self.integer(Some(0), Some(255)), self.bits("binary", &[]), self.nil());
        let iolist = self.types.add(Type::Union([].into()));
        let element = self.types.add(Type::Union([byte, binary, iolist].into()));
        let end = self.types.add(Type::Union([nil, binary].into()));
        let tail = self.list(element, end);
        let cell = self.types.add(Type::Cons(element, tail));
        self.types.set(iolist, Type::Union([nil, cell].into()));
        if data { self.union(vec![iolist, binary]) } else { iolist }
    }

    /// Functions: `fun()`, `fun((...) -> R)`, `fun((A, B) -> R)`. What they are called with is up to the program.
    fn fun(&mut self, module: Atom, args: &[Term], variables: &Variables) -> TypeId {
        let [parameters, result] = args else { return self.types.add(Type::Fun(None, Types::ANY)) };
        let result = self.of(module, result, variables);
        if self.types.alternatives(result).is_empty() {
            self.note("functions that do not return are not made".to_owned());
        }
        let arity = match parameters.tuple() {
            Some([_, _, Term::Atom(product), list]) if self.atoms.name(*product) == "product" => {
                list.items().and_then(|list| u32::try_from(list.len()).ok())
            }
            _ => None,
        };
        if arity.is_some_and(|arity| arity > MOST_PARAMETERS) {
            self.note(format!("functions of more than {MOST_PARAMETERS} arguments are not made"));
            return self.never();
        }
        self.types.add(Type::Fun(arity, result))
    }

    /// Maps with these associations.
    fn map(&mut self, module: Atom, args: &[Term], variables: &Variables) -> TypeId {
        let mut associations = Vec::new();
        for arg in args {
            let Some([_, _, Term::Atom(kind), parts]) = arg.tuple() else { continue };
            let exact = self.atoms.name(*kind) == "map_field_exact";
            if let Some([key, value]) = parts.items() {
                let (key, value) = (self.of(module, key, variables), self.of(module, value, variables));
                associations.push(Association { exact, key, value });
            }
        }
        self.types.add(Type::Map(associations.into()))
    }
}
