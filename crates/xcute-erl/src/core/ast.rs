//! The constructs of Core Erlang. Patterns are expressions, as in the compiler.

pub use super::location::Anno;
use crate::etf::{Atom, Term};

/// The name of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// One that the compiler made.
    Number(i64),
    /// One of the source.
    Atom(Atom),
    /// A function of the module or of a `letrec`.
    Function(Atom, u32),
}

/// The first of the numbers with which a place tells its events; [`SILENT`] where it tells none.
pub type EventId = u32;

/// A place without events.
pub const SILENT: EventId = u32::MAX;

/// A module.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its annotation.
    pub anno: Anno,
    /// Its name.
    pub name: Atom,
    /// What it exports.
    pub exports: Vec<(Atom, u32)>,
    /// Its attributes: two literals each.
    pub attributes: Vec<(Expr, Expr)>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// The event numbers in use.
    pub events: u32,
}

/// A function of a module or of a `letrec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The annotation of its name.
    pub anno: Anno,
    /// Its name.
    pub name: Atom,
    /// Its arity.
    pub arity: u32,
    /// What it is; a [`Expr::Fun`].
    pub fun: Expr,
}

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Its annotation.
    pub anno: Anno,
    /// A pattern for each value.
    pub patterns: Vec<Expr>,
    /// Its guard.
    pub guard: Expr,
    /// Its body.
    pub body: Expr,
}

/// An association of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Its annotation.
    pub anno: Anno,
    /// `=>` rather than `:=`.
    pub assoc: bool,
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
}

/// A segment of a bitstring.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Its annotation.
    pub anno: Anno,
    /// The value.
    pub value: Expr,
    /// The size; a literal `all` or `undefined` for some types.
    pub size: Expr,
    /// The unit, type and flags.
    pub rest: [Expr; 3],
}

/// An expression or a pattern.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the compiler's records")]
pub enum Expr {
    Literal(Anno, Term),
    Var(Anno, Name),
    Cons(Anno, Box<Expr>, Box<Expr>),
    Tuple(Anno, Vec<Expr>),
    Map { anno: Anno, arg: Box<Expr>, pairs: Vec<Pair>, pattern: bool, id: EventId },
    Binary { anno: Anno, segments: Vec<Segment>, id: EventId },
    Alias(Anno, Box<Expr>, Box<Expr>),
    Values(Anno, Vec<Expr>),
    Fun(Anno, Vec<Expr>, Box<Expr>),
    Let { anno: Anno, vars: Vec<Expr>, arg: Box<Expr>, body: Box<Expr> },
    Seq(Anno, Box<Expr>, Box<Expr>),
    Letrec { anno: Anno, functions: Vec<Function>, body: Box<Expr> },
    Case { anno: Anno, arg: Box<Expr>, clauses: Vec<Clause>, id: EventId },
    Apply { anno: Anno, op: Box<Expr>, args: Vec<Expr>, id: EventId },
    Call { anno: Anno, module: Box<Expr>, name: Box<Expr>, args: Vec<Expr>, id: EventId },
    Primop { anno: Anno, name: Atom, args: Vec<Expr>, id: EventId },
    Try { anno: Anno, arg: Box<Expr>, vars: Vec<Expr>, body: Box<Expr>, evars: Vec<Expr>, handler: Box<Expr>, id: EventId },
    Catch(Anno, Box<Expr>),
    Receive { anno: Anno, clauses: Vec<Clause>, timeout: Box<Expr>, action: Box<Expr> },
    Opaque(Anno, Term),
}

impl Expr {
    /// A literal atom without annotation.
    #[must_use]
    pub fn atom(atom: Atom) -> Expr {
        Expr::Literal(Anno::none(), Term::Atom(atom))
    }

    /// A literal number without annotation.
    #[must_use]
    pub fn int(value: i64) -> Expr {
        Expr::Literal(Anno::none(), Term::Int(value))
    }

    /// A variable without annotation.
    #[must_use]
    pub fn var(name: Name) -> Expr {
        Expr::Var(Anno::none(), name)
    }

    /// A call of a known function, as the compiler would add it.
    #[must_use]
    pub fn call(module: Atom, function: Atom, args: Vec<Expr>) -> Expr {
        let (module, name) = (Box::new(Expr::atom(module)), Box::new(Expr::atom(function)));
        Expr::Call { anno: Anno::generated(), module, name, args, id: SILENT }
    }

    /// Its annotation.
    #[must_use]
    pub fn anno(&self) -> &Anno {
        match self {
            Expr::Literal(anno, _)
            | Expr::Var(anno, _)
            | Expr::Cons(anno, ..)
            | Expr::Tuple(anno, _)
            | Expr::Map { anno, .. }
            | Expr::Binary { anno, .. }
            | Expr::Alias(anno, ..)
            | Expr::Values(anno, _)
            | Expr::Fun(anno, ..)
            | Expr::Let { anno, .. }
            | Expr::Seq(anno, ..)
            | Expr::Letrec { anno, .. }
            | Expr::Case { anno, .. }
            | Expr::Apply { anno, .. }
            | Expr::Call { anno, .. }
            | Expr::Primop { anno, .. }
            | Expr::Try { anno, .. }
            | Expr::Catch(anno, _)
            | Expr::Receive { anno, .. }
            | Expr::Opaque(anno, _) => anno,
        }
    }

    /// The atom that it is literally.
    #[must_use]
    pub fn literal_atom(&self) -> Option<Atom> {
        match self {
            Expr::Literal(_, Term::Atom(atom)) => Some(*atom),
            _ => None,
        }
    }

    /// The name of the variable that it is.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        match self {
            Expr::Var(_, name) => Some(*name),
            _ => None,
        }
    }
}

impl Clause {
    /// Whether it matches everything: variables only, and no guard.
    #[must_use]
    pub fn is_irrefutable(&self) -> bool {
        self.patterns.iter().all(|pattern| pattern.name().is_some()) && self.guard.literal_atom() == Some(Atom::TRUE)
    }

    /// Whether the compiler added it for values that no clause of the source matches.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        self.anno.has(Atom::COMPILER_GENERATED)
    }
}
