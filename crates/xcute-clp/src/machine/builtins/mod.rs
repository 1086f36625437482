//! Builtin predicates by name. One file per kind.

mod characters;
mod clpfd;
mod compare;
mod database;
mod directives;
mod flags;
mod format;
mod labeling;
mod listed;
mod order;
mod output;
mod parted;
mod pieces;
mod reading;
mod reflect;
mod residual;
mod sorted;
mod spelled;
mod spelling;
mod split;
mod state;
mod tables;
mod terms;
mod text;
mod types;
mod variants;
mod write;

use rustc_hash::FxHashMap;

use super::Machine;
use super::control::Control;
use super::error::Step;
use super::goals::Call;
use crate::syntax::{Atoms, Indicator};

/// What a builtin predicate does.
pub(crate) type Run = for<'a, 'b> fn(&'a mut Machine<'b>, Call) -> Step;

/// A builtin predicate.
#[derive(Clone, Copy)]
pub enum Builtin {
    /// A control construct.
    Control(Control),
    /// A predicate whose outcome is a branch of the program.
    Test(Run),
    /// Any other.
    Plain(Run),
}

/// All builtin predicates.
pub struct Builtins {
    known: FxHashMap<Indicator, Builtin>,
}

const CONTROL: &[(&str, u32, Control)] = &[
    ("true", 0, Control::True),
    ("otherwise", 0, Control::True),
    ("fail", 0, Control::Fail),
    ("false", 0, Control::Fail),
    (",", 2, Control::And),
    (";", 2, Control::Or),
    ("|", 2, Control::Or),
    ("->", 2, Control::IfThen),
    ("*->", 2, Control::SoftIfThen),
    ("\\+", 1, Control::Not),
    ("not", 1, Control::Not),
    ("!", 0, Control::Cut),
    ("call", 1, Control::Call),
    ("call", 2, Control::Call),
    ("call", 3, Control::Call),
    ("call", 4, Control::Call),
    ("call", 5, Control::Call),
    ("call", 6, Control::Call),
    ("call", 7, Control::Call),
    ("call", 8, Control::Call),
    ("once", 1, Control::Once),
    ("ignore", 1, Control::Ignore),
    ("forall", 2, Control::Forall),
    ("findall", 3, Control::Findall),
    ("findall", 4, Control::FindallTail),
    ("findnsols", 4, Control::Findnsols),
    ("findnsols", 5, Control::Findnsols),
    ("catch", 3, Control::Catch),
    ("throw", 1, Control::Throw),
    (":", 2, Control::Module),
    ("halt", 0, Control::Halt),
    ("halt", 1, Control::Halt),
    ("repeat", 0, Control::Repeat),
    ("setup_call_cleanup", 3, Control::Cleanup),
    ("call_cleanup", 2, Control::CallCleanup),
    ("$cleanup", 2, Control::CallCleanup),
    ("with_output_to", 2, Control::OutputTo),
];

/// All other builtin predicates.
const TABLES: &[&[(&str, u32, Builtin)]] = &[
    types::TABLE,
    compare::TABLE,
    terms::TABLE,
    variants::TABLE,
    clpfd::TABLE,
    labeling::TABLE,
    text::TABLE,
    characters::TABLE,
    sorted::TABLE,
    database::TABLE,
    state::TABLE,
    flags::TABLE,
    reflect::TABLE,
    residual::TABLE,
    reading::TABLE,
    write::TABLE,
    format::TABLE,
    output::TABLE,
    tables::TABLE,
];

impl Builtins {
    /// The builtin predicates, with their names in this table. Those that the program defines itself are left out, as SWI-Prolog does
    /// with all that are not ISO's.
    #[must_use]
    pub fn new(atoms: &mut Atoms, defined: impl Fn(Indicator) -> bool) -> Builtins {
        let mut builtins = Builtins { known: FxHashMap::default() };
        for &(name, arity, control) in CONTROL {
            builtins.known.insert(Indicator { name: atoms.intern(name), arity }, Builtin::Control(control));
        }
        for list in TABLES {
            for &(name, arity, builtin) in *list {
                let indicator = Indicator { name: atoms.intern(name), arity };
                if !defined(indicator) {
                    builtins.known.insert(indicator, builtin);
                }
            }
        }
        builtins
    }

    /// Whether the machine itself has a predicate of this name and arity.
    #[must_use]
    pub fn has(name: &str, arity: u32) -> bool {
        let control = CONTROL.iter().any(|&(known, of, _)| known == name && of == arity);
        control || TABLES.iter().any(|table| table.iter().any(|&(known, of, _)| known == name && of == arity))
    }

    /// The builtin predicate with this name and arity.
    #[must_use]
    pub fn get(&self, indicator: Indicator) -> Option<&Builtin> {
        self.known.get(&indicator)
    }
}
