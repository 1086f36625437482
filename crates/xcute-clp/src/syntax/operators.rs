//! The operator table, as SWI-Prolog 9 has it at start, and as `op/3` changes it.
//!
//! **Invariant.** Priorities are 1 to 1200; an operator is never infix and postfix at once.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{Atom, Atoms};

/// One meaning of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator {
    /// 1 binds tightest, 1200 is a clause.
    pub priority: u16,
    /// Where its arguments stand.
    pub fixity: Fixity,
}

/// Where the arguments of an operator stand: `f` is the operator, `y` an argument of its own priority, `x` one of a smaller priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the standard")]
pub enum Fixity {
    Xfx,
    Xfy,
    Yfx,
    Fy,
    Fx,
    Xf,
    Yf,
}

impl Operator {
    /// The greatest priority that its left argument may have.
    pub fn left(self) -> u16 {
        self.priority - u16::from(matches!(self.fixity, Fixity::Xfx | Fixity::Xfy | Fixity::Xf))
    }

    /// The greatest priority that its right argument may have.
    pub fn right(self) -> u16 {
        self.priority - u16::from(matches!(self.fixity, Fixity::Xfx | Fixity::Yfx | Fixity::Fx))
    }
}

impl Fixity {
    /// By the name it has in `op/3`.
    pub fn named(name: &str) -> Option<Fixity> {
        let found = match name {
            "xfx" => Fixity::Xfx,
            "xfy" => Fixity::Xfy,
            "yfx" => Fixity::Yfx,
            "fy" => Fixity::Fy,
            "fx" => Fixity::Fx,
            "xf" => Fixity::Xf,
            "yf" => Fixity::Yf,
            _ => return None,
        };
        Some(found)
    }
}

/// Why `op/3` is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OperatorError {
    /// Not 0 to 1200.
    #[error("the priority {0} is not between 0 and 1200")]
    Priority(String),
    /// Not one of the seven.
    #[error("{0} is not a kind of operator (xfx, xfy, yfx, fy, fx, xf or yf)")]
    Fixity(String),
    /// The language needs it as it is.
    #[error("{0} cannot be made an operator")]
    Reserved(String),
}

#[derive(Clone, Copy, Debug, Default)]
struct Meanings {
    prefix: Option<Operator>,
    infix: Option<Operator>,
    postfix: Option<Operator>,
}

/// The operators that are in force.
#[derive(Clone, Debug)]
pub struct Operators {
    table: FxHashMap<Atom, Meanings>,
}

impl Operators {
    /// The operators of SWI-Prolog when it starts.
    pub fn new(atoms: &mut Atoms) -> Operators {
        let mut operators = Operators { table: FxHashMap::default() };
        for &(priority, fixity, names) in INITIAL {
            for name in names.split(' ') {
                operators.insert(atoms.intern(name), Operator { priority, fixity });
            }
        }
        operators
    }

    /// The same after a library was imported.
    pub(crate) fn with_library(atoms: &mut Atoms, library: &str) -> Operators {
        let mut operators = Operators::new(atoms);
        for &(_, priority, fixity, names) in LIBRARY_OPERATORS.iter().filter(|row| row.0 == library) {
            for name in names.split(' ') {
                operators.insert(atoms.intern(name), Operator { priority, fixity });
            }
        }
        operators
    }

    /// `:- op(priority, fixity, name)`; priority 0 takes the meaning away.
    pub fn add(&mut self, atoms: &Atoms, priority: u16, fixity: Fixity, name: Atom) -> Result<(), OperatorError> {
        if priority > 1200 {
            return Err(OperatorError::Priority(priority.to_string()));
        }
        let infix = matches!(fixity, Fixity::Xfx | Fixity::Xfy | Fixity::Yfx);
        // The bar may be infix above the arguments of a term only, where it cannot be taken for the one of a list (ISO Cor. 2).
        let bar = name == Atom::BAR && (!infix || (1..1001).contains(&priority));
        if name == Atom::COMMA || name == Atom::NIL || name == Atom::CURLY || bar {
            return Err(OperatorError::Reserved(atoms.name(name).to_owned()));
        }
        if priority == 0 {
            if let Some(meanings) = self.table.get_mut(&name) {
                *slot(meanings, fixity) = None;
            }
            return Ok(());
        }
        self.insert(name, Operator { priority, fixity });
        Ok(())
    }

    fn insert(&mut self, name: Atom, operator: Operator) {
        *slot(self.table.entry(name).or_default(), operator.fixity) = Some(operator);
    }

    /// As a prefix operator.
    pub fn prefix(&self, name: Atom) -> Option<Operator> {
        self.table.get(&name)?.prefix
    }

    /// As an infix operator.
    pub fn infix(&self, name: Atom) -> Option<Operator> {
        self.table.get(&name)?.infix
    }

    /// As a postfix operator.
    pub fn postfix(&self, name: Atom) -> Option<Operator> {
        self.table.get(&name)?.postfix
    }

    /// All of them, sorted by number of their atoms.
    pub fn all(&self) -> Vec<(Atom, Operator)> {
        let meanings = |(&name, of): (&Atom, &Meanings)| {
            [of.prefix, of.infix, of.postfix].into_iter().flatten().map(move |operator| (name, operator)).collect::<Vec<_>>()
        };
        let mut all: Vec<(Atom, Operator)> = self.table.iter().flat_map(meanings).collect();
        all.sort_by_key(|(name, operator)| (*name, operator.priority));
        all
    }

    /// Whether it has any meaning.
    pub(crate) fn is_operator(&self, name: Atom) -> bool {
        self.table.get(&name).is_some_and(|meanings| meanings.prefix.is_some() || meanings.infix.is_some() || meanings.postfix.is_some())
    }
}

fn slot(meanings: &mut Meanings, fixity: Fixity) -> &mut Option<Operator> {
    match fixity {
        Fixity::Fy | Fixity::Fx => &mut meanings.prefix,
        Fixity::Xf | Fixity::Yf => &mut meanings.postfix,
        Fixity::Xfx | Fixity::Xfy | Fixity::Yfx => &mut meanings.infix,
    }
}

/// What importing a library does to the operators, as SWI-Prolog 9 has it.
pub(super) const LIBRARY_OPERATORS: &[(&str, u16, Fixity, &str)] = &[
    ("clpfd", 760, Fixity::Yfx, "#<==>"),
    ("clpfd", 750, Fixity::Xfy, "#==>"),
    ("clpfd", 750, Fixity::Yfx, "#<=="),
    ("clpfd", 740, Fixity::Yfx, "#\\/"),
    ("clpfd", 730, Fixity::Yfx, "#\\"),
    ("clpfd", 720, Fixity::Yfx, "#/\\"),
    ("clpfd", 710, Fixity::Fy, "#\\"),
    ("clpfd", 700, Fixity::Xfx, "#> #< #>= #=< #= #\\= in ins in_set"),
    ("clpfd", 450, Fixity::Xfx, ".."),
    ("clpb", 300, Fixity::Fy, "~"),
    ("clpb", 500, Fixity::Yfx, "#"),
    ("record", 1150, Fixity::Fx, "record"),
    ("chr", 1180, Fixity::Xfx, "==> <=>"),
    ("chr", 1150, Fixity::Fx, "chr_constraint chr_type"),
];

const INITIAL: &[(u16, Fixity, &str)] = &[
    (1200, Fixity::Xfx, ":- --> =>"),
    (1200, Fixity::Fx, ":- ?-"),
    (1100, Fixity::Xfy, ";"),
    (1105, Fixity::Xfy, "|"),
    (1050, Fixity::Xfy, "-> *->"),
    (1000, Fixity::Xfy, ","),
    (800, Fixity::Xfx, ":="),
    (900, Fixity::Fy, "\\+"),
    (700, Fixity::Xfx, "< = =.. =@= \\=@= =:= =< == =\\= > >= @< @=< @> @>= \\= \\== as is >:< :<"),
    (600, Fixity::Xfy, ":"),
    (500, Fixity::Yfx, "+ - /\\ \\/"),
    (400, Fixity::Yfx, "* / // mod rdiv << >> div rem xor"),
    (200, Fixity::Xfx, "**"),
    (200, Fixity::Xfy, "^"),
    (200, Fixity::Fy, "- + \\"),
    (100, Fixity::Yfx, "."),
    (1, Fixity::Fx, "$"),
    (
        1150,
        Fixity::Fx,
        "dynamic discontiguous initialization meta_predicate module_transparent multifile public thread_local thread_initialization volatile table",
    ),
];
