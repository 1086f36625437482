//! From the compiler's records to [`ast`](super::ast).
//!
//! **Invariant.** Recursion is as deep as the program is nested; whoever calls has a stack for that ([`crate::program`] reads on a thread with a large one).

use thiserror::Error;

use super::ast::{Anno, Clause, Expr, Function, Module, Name, Pair, SILENT, Segment};
use crate::etf::{Atom, Atoms, Term};

/// A record that is none of Core Erlang's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot read Core Erlang: {0} (is this version of OTP supported?)")]
pub struct CoreError(pub String);

/// Reads a module.
///
/// # Errors
/// Where the term is not a module, or has a record that is not known.
pub fn read(term: Term, atoms: &Atoms) -> Result<Module, CoreError> {
    let reader = Reader { atoms };
    let [anno, name, exports, attributes, functions] = reader.record(term, Atom::C_MODULE)?;
    let name = match reader.expr(name)? {
        Expr::Literal(_, Term::Atom(name)) => name,
        other => return Err(reader.unknown("the name of a module", &other)),
    };
    let exports = reader.list(exports)?.into_iter().map(|export| reader.function_name(export).map(|(_, name, arity)| (name, arity)));
    let exports = exports.collect::<Result<_, _>>()?;
    let attributes = reader.list(attributes)?.into_iter().map(|attribute| {
        let [name, value] = reader.tuple(attribute)?;
        Ok((reader.expr(name)?, reader.expr(value)?))
    });
    let attributes = attributes.collect::<Result<_, CoreError>>()?;
    let functions = reader.functions(functions)?;
    Ok(Module { anno: Anno(anno), name, exports, attributes, functions, events: 0 })
}

struct Reader<'a> {
    atoms: &'a Atoms,
}

impl Reader<'_> {
    fn unknown(&self, what: &str, term: &impl std::fmt::Debug) -> CoreError {
        let mut text = format!("{term:?}");
        text.truncate(120);
        CoreError(format!("{what} is {text}"))
    }

    fn tuple<const N: usize>(&self, term: Term) -> Result<[Term; N], CoreError> {
        match term {
            Term::Tuple(items) => items.try_into().map_err(|items: Vec<Term>| self.unknown("a tuple", &items)),
            other => Err(self.unknown("a tuple", &other)),
        }
    }

    /// The fields of a record after its name.
    fn record<const N: usize>(&self, term: Term, name: Atom) -> Result<[Term; N], CoreError> {
        match term {
            Term::Tuple(mut items) if items.first() == Some(&Term::Atom(name)) && items.len() == N + 1 => {
                items.remove(0);
                Ok(items.try_into().expect("it was counted"))
            }
            other => Err(self.unknown(self.atoms.name(name), &other)),
        }
    }

    fn list(&self, term: Term) -> Result<Vec<Term>, CoreError> {
        match term {
            Term::Nil => Ok(Vec::new()),
            Term::List(items, tail) if *tail == Term::Nil => Ok(items),
            other => Err(self.unknown("a list", &other)),
        }
    }

    fn exprs(&self, term: Term) -> Result<Vec<Expr>, CoreError> {
        self.list(term)?.into_iter().map(|item| self.expr(item)).collect()
    }

    fn boxed(&self, term: Term) -> Result<Box<Expr>, CoreError> {
        self.expr(term).map(Box::new)
    }

    fn function_name(&self, term: Term) -> Result<(Anno, Atom, u32), CoreError> {
        match self.expr(term)? {
            Expr::Var(anno, Name::Function(name, arity)) => Ok((anno, name, arity)),
            other => Err(self.unknown("the name of a function", &other)),
        }
    }

    fn functions(&self, term: Term) -> Result<Vec<Function>, CoreError> {
        let function = |term| {
            let [name, fun] = self.tuple(term)?;
            let (anno, name, arity) = self.function_name(name)?;
            Ok(Function { anno, name, arity, fun: self.expr(fun)? })
        };
        self.list(term)?.into_iter().map(function).collect()
    }

    fn clauses(&self, term: Term) -> Result<Vec<Clause>, CoreError> {
        let clause = |term| {
            let [anno, patterns, guard, body] = self.record(term, Atom::C_CLAUSE)?;
            Ok(Clause { anno: Anno(anno), patterns: self.exprs(patterns)?, guard: self.expr(guard)?, body: self.expr(body)? })
        };
        self.list(term)?.into_iter().map(clause).collect()
    }

    fn pair(&self, term: Term) -> Result<Pair, CoreError> {
        let [anno, op, key, value] = self.record(term, Atom::C_MAP_PAIR)?;
        let assoc = self.expr(op)?.literal_atom() == Some(Atom::ASSOC);
        Ok(Pair { anno: Anno(anno), assoc, key: self.expr(key)?, value: self.expr(value)? })
    }

    fn segment(&self, term: Term) -> Result<Segment, CoreError> {
        let [anno, value, size, unit, of, flags] = self.record(term, Atom::C_BITSTR)?;
        let rest = [self.expr(unit)?, self.expr(of)?, self.expr(flags)?];
        Ok(Segment { anno: Anno(anno), value: self.expr(value)?, size: self.expr(size)?, rest })
    }

    fn expr(&self, term: Term) -> Result<Expr, CoreError> {
        let Term::Tuple(mut items) = term else { return Err(self.unknown("an expression", &term)) };
        let Some(&Term::Atom(tag)) = items.first() else { return Err(self.unknown("an expression", &items)) };
        if items.len() < 3 {
            return Err(self.unknown("an expression", &items));
        }
        let anno = Anno(std::mem::replace(&mut items[1], Term::Nil));
        let mut fields = items.into_iter().skip(2);
        let missing = || CoreError(format!("a record {} with too few fields", self.atoms.name(tag)));
        let mut next = || fields.next().ok_or_else(missing);
        Ok(match tag {
            Atom::C_LITERAL => Expr::Literal(anno, next()?),
            Atom::C_VAR => Expr::Var(anno, self.variable(next()?)?),
            Atom::C_CONS => Expr::Cons(anno, self.boxed(next()?)?, self.boxed(next()?)?),
            Atom::C_TUPLE => Expr::Tuple(anno, self.exprs(next()?)?),
            Atom::C_MAP => {
                let (arg, pairs, pattern) = (self.boxed(next()?)?, self.list(next()?)?, next()? == Term::Atom(Atom::TRUE));
                let pairs = pairs.into_iter().map(|pair| self.pair(pair)).collect::<Result<_, _>>()?;
                Expr::Map { anno, arg, pairs, pattern, id: SILENT }
            }
            Atom::C_BINARY => {
                let segments = self.list(next()?)?.into_iter().map(|segment| self.segment(segment)).collect::<Result<_, _>>()?;
                Expr::Binary { anno, segments, id: SILENT }
            }
            Atom::C_ALIAS => Expr::Alias(anno, self.boxed(next()?)?, self.boxed(next()?)?),
            Atom::C_VALUES => Expr::Values(anno, self.exprs(next()?)?),
            Atom::C_FUN => Expr::Fun(anno, self.exprs(next()?)?, self.boxed(next()?)?),
            Atom::C_LET => Expr::Let { anno, vars: self.exprs(next()?)?, arg: self.boxed(next()?)?, body: self.boxed(next()?)? },
            Atom::C_SEQ => Expr::Seq(anno, self.boxed(next()?)?, self.boxed(next()?)?),
            Atom::C_LETREC => Expr::Letrec { anno, functions: self.functions(next()?)?, body: self.boxed(next()?)? },
            Atom::C_CASE => Expr::Case { anno, arg: self.boxed(next()?)?, clauses: self.clauses(next()?)?, id: SILENT },
            Atom::C_APPLY => Expr::Apply { anno, op: self.boxed(next()?)?, args: self.exprs(next()?)?, id: SILENT },
            Atom::C_CALL => {
                let (module, name, args) = (self.boxed(next()?)?, self.boxed(next()?)?, self.exprs(next()?)?);
                Expr::Call { anno, module, name, args, id: SILENT }
            }
            Atom::C_PRIMOP => {
                let name = self.expr(next()?)?;
                let name = name.literal_atom().ok_or_else(|| self.unknown("the name of a primitive operation", &name))?;
                Expr::Primop { anno, name, args: self.exprs(next()?)?, id: SILENT }
            }
            Atom::C_TRY => Expr::Try {
                anno,
                arg: self.boxed(next()?)?,
                vars: self.exprs(next()?)?,
                body: self.boxed(next()?)?,
                evars: self.exprs(next()?)?,
                handler: self.boxed(next()?)?,
                id: SILENT,
            },
            Atom::C_CATCH => Expr::Catch(anno, self.boxed(next()?)?),
            Atom::C_RECEIVE => {
                Expr::Receive { anno, clauses: self.clauses(next()?)?, timeout: self.boxed(next()?)?, action: self.boxed(next()?)? }
            }
            Atom::C_OPAQUE => Expr::Opaque(anno, next()?),
            tag => return Err(CoreError(format!("an unknown record {}", self.atoms.name(tag)))),
        })
    }

    fn variable(&self, term: Term) -> Result<Name, CoreError> {
        match &term {
            Term::Int(number) => Ok(Name::Number(*number)),
            Term::Atom(atom) => Ok(Name::Atom(*atom)),
            Term::Tuple(pair) => match pair[..] {
                [Term::Atom(name), Term::Int(arity)] => Ok(Name::Function(name, u32::try_from(arity).unwrap_or(u32::MAX))),
                _ => Err(self.unknown("a variable", &term)),
            },
            _ => Err(self.unknown("a variable", &term)),
        }
    }
}
