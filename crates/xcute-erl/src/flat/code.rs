//! The constructs of flat programs, in arenas.

use rustc_hash::FxHashMap;
use xcute_trace::SiteId;

use crate::calls::Bif;
use crate::core::ast::{EventId, Name};
use crate::etf::{Atom, Term};

/// A function, a closure's body included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunId(pub u32);
/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);
/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatId(pub u32);
/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LitId(pub u32);
/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceId(pub u32);
/// A variable of a frame.
pub type Slot = u32;

/// A pattern: what values are matched with, and what they are built from.
#[derive(Clone, Debug, PartialEq)]
pub enum Pat {
    /// A variable.
    Var(Slot),
    /// A literal.
    Lit(LitId),
    /// A list cell.
    Cons(PatId, PatId),
    /// A tuple.
    Tuple(Box<[PatId]>),
    /// A function of a module.
    Function(FunId),
    /// Both. Only matched.
    Alias(PatId, PatId),
    /// A map with these keys and values. Only matched.
    Map(Box<[(PatId, PatId)]>),
    /// A bitstring of these segments. Only matched.
    Bits(Box<[Segment]>),
}

/// A segment of a bitstring.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Its value.
    pub value: PatId,
    /// Its size in units; `None` for all that is left, and for types that have none.
    pub size: Option<PatId>,
    /// The unit.
    pub unit: u32,
    /// `integer`, `float`, `binary`, `utf8`, `utf16` or `utf32`.
    pub of: Atom,
    /// Least significant byte first.
    pub little: bool,
    /// With a sign.
    pub signed: bool,
}

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// A pattern for each value.
    pub patterns: Box<[PatId]>,
    /// The guard; `None` if there is none.
    pub guard: Option<ExprId>,
    /// The body.
    pub body: ExprId,
}

/// A choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The values.
    pub args: Box<[PatId]>,
    /// The clauses.
    pub clauses: Box<[Clause]>,
    /// The site: an arm for each clause, and one for none where that is possible.
    pub site: SiteId,
    /// The event of the first clause.
    pub id: EventId,
    /// Where.
    pub place: PlaceId,
}

/// A primitive operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the compiler's")]
pub enum Primop {
    MatchFail,
    Raise,
    BuildStacktrace,
    PeekMessage,
    RemoveMessage,
    NextMessage,
    WaitTimeout,
    TimedOut,
    BsInitWritable,
}

/// A closure of a `letrec`: where it is kept, its function, and the variables it captures.
pub type Local = (Slot, FunId, Box<[Slot]>);

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Values: the end of a body.
    Values(Box<[PatId]>),
    /// `let <vars> = arg in body`; without variables, `do arg body`.
    Let {
        /// Whether the value counts, as in `let`, or not, as in `do`.
        vars: Option<Box<[Slot]>>,
        /// The right-hand side.
        arg: ExprId,
        /// What comes then.
        body: ExprId,
    },
    /// A call of a function that is followed.
    Call(FunId, Box<[PatId]>),
    /// A call of a value.
    Apply {
        /// The value.
        fun: PatId,
        /// The arguments.
        args: Box<[PatId]>,
        /// Its events, in case it is not followed; silent for functions of a `letrec`.
        id: EventId,
        /// Where.
        place: PlaceId,
    },
    /// A call of a function whose module or name is computed, or of one that is not followed. The list says that the last argument is the list
    /// of arguments (`apply/3`).
    Remote {
        /// The module.
        module: PatId,
        /// The function.
        name: PatId,
        /// The arguments.
        args: Box<[PatId]>,
        /// Whether the last argument is a list of arguments.
        list: bool,
        /// Its events.
        id: EventId,
        /// Where.
        place: PlaceId,
    },
    /// `apply/2`.
    ApplyList {
        /// The value.
        fun: PatId,
        /// The list of arguments.
        args: PatId,
        /// Its events.
        id: EventId,
        /// Where.
        place: PlaceId,
    },
    /// A function that the replay computes.
    Bif(Bif, Box<[PatId]>, PlaceId),
    /// A map: a base, and keys and values, each with `=>` or `:=`.
    Map(PatId, Box<[(bool, PatId, PatId)]>, PlaceId),
    /// A bitstring of segments; its value comes with the events, if there are any.
    Bits(Box<[Segment]>, EventId, PlaceId),
    /// A closure of a function over these variables.
    Fun(FunId, Box<[Slot]>),
    /// Closures that know each other.
    Letrec(Box<[Local]>, ExprId),
    /// A choice.
    Case(Box<Case>),
    /// `try arg of <vars> -> body catch <evars> -> handler`.
    Try {
        /// What may fail.
        arg: ExprId,
        /// Its values.
        vars: Box<[Slot]>,
        /// What comes then.
        body: ExprId,
        /// Class, reason and raw stack.
        evars: Box<[Slot]>,
        /// What comes if it fails.
        handler: ExprId,
        /// The event at the beginning of the handler.
        id: EventId,
    },
    /// A primitive operation.
    Primop(Primop, Box<[PatId]>, EventId, PlaceId),
    /// Something that cannot be followed.
    Unfollowed(&'static str, PlaceId),
}

/// A function, or the body of a closure.
#[derive(Clone, Debug)]
pub struct Function {
    /// The module, by its number.
    pub module: u32,
    /// The name; of a closure, that of the function it stands in.
    pub name: Atom,
    /// How many parameters it has: its first slots.
    pub arity: u32,
    /// Where captured variables go.
    pub captured: Box<[Slot]>,
    /// How many slots its frames have.
    pub slots: u32,
    /// What the variables are called.
    pub names: Vec<Name>,
    /// The body.
    pub body: ExprId,
    /// Decisions of its own that no clause makes: which kind of number a value is.
    pub split: SiteId,
    /// Values that are fixed.
    pub pin: SiteId,
    /// Whether it is a function of its module, rather than a closure.
    pub top: bool,
}

/// A place of the source that may fail, or limit a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The check that it is; `None` where nothing is checked.
    pub check: Option<SiteId>,
}

/// An expression of the source that counts in coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The expression.
    pub expr: ExprId,
    /// The file.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// A site of its function.
    pub function: SiteId,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The functions.
    pub functions: Vec<Function>,
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// The patterns.
    pub pats: Vec<Pat>,
    /// The literals.
    pub literals: Vec<Term>,
    /// The places.
    pub places: Vec<Place>,
    /// The files that places are in.
    pub files: Vec<String>,
    /// What coverage counts.
    pub spots: Vec<Spot>,
    /// The lines of the clauses of choices that count in coverage; 0 for those that the compiler added.
    pub clause_lines: FxHashMap<SiteId, Box<[u32]>>,
}

impl Code {
    /// A function.
    #[must_use]
    pub fn function(&self, id: FunId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A pattern.
    #[must_use]
    pub fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// A place.
    #[must_use]
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// The file and the line of a call, if they are known.
    #[must_use]
    pub fn place_of(&self, expr: ExprId) -> Option<(u32, u32)> {
        let place = match self.expr(expr) {
            Expr::Apply { place, .. } | Expr::ApplyList { place, .. } | Expr::Remote { place, .. } => Some(self.place(*place)),
            _ => None,
        };
        let spot = || self.spots.iter().find(|spot| spot.expr == expr).map(|spot| (spot.file, spot.line));
        place.map(|place| (place.file, place.line)).or_else(spot)
    }

    /// A place for people.
    #[must_use]
    pub fn at(&self, id: PlaceId) -> String {
        let place = self.place(id);
        format!("{}:{}", self.files[place.file as usize], place.line)
    }
}
