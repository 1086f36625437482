//! Functions as inputs: finite tables.
//!
//! A function of the input is a table of arguments and results, with a default for arguments that are in no row; it returns, and does nothing else. In the
//! emulator it is a closure of `xcute_input` over its table, so equal tables are equal functions. As an external term it is a tuple with a tag of its own.
//!
//! **Invariant.** The first row with the arguments counts. What a table is does not depend on who calls it.

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use xcute_term::{DataValue, Value};

use super::elements::{elements, row_of};
use super::{FUN, NO_ROW, ROW, Universe, data, parts};
use crate::etf::{Atoms, Encoder, Term};

/// Functions of inputs have no more parameters.
pub const MOST_PARAMETERS: u32 = 20;

/// What stands before the parts of a function in an external term.
pub const TAG: &str = "$xcute_fun";

/// A run whose arguments hold functions is a packet that begins with this byte.
pub(crate) const PACKET: u8 = 4;

/// A function as a term: how many arguments, rows of arguments and result, default.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// How many arguments it takes.
    pub arity: usize,
    /// Arguments and results.
    pub rows: Vec<(&'a [Term], &'a Term)>,
    /// The result for all other arguments.
    pub default: &'a Term,
}

impl<'a> Table<'a> {
    /// The function that a term stands for.
    #[must_use]
    pub fn of(term: &'a Term, atoms: &Atoms) -> Option<Table<'a>> {
        let Some([Term::Atom(tag), Term::Int(arity), rows, default]) = term.tuple() else { return None };
        if atoms.name(*tag) != TAG {
            return None;
        }
        let row = |row: &'a Term| match row.tuple()? {
            [arguments, result] => Some((arguments.tuple()?, result)),
            _ => None,
        };
        let rows = rows.items()?.iter().map(row).collect::<Option<_>>()?;
        Some(Table { arity: usize::try_from(*arity).ok()?, rows, default })
    }
}

/// Whether there is a function in a term.
#[must_use]
pub fn holds_function(term: &Term, atoms: &Atoms) -> bool {
    match term {
        Term::List(items, tail) => items.iter().any(|item| holds_function(item, atoms)) || holds_function(tail, atoms),
        Term::Tuple(items) => Table::of(term, atoms).is_some() || items.iter().any(|item| holds_function(item, atoms)),
        Term::Map(pairs) => pairs.iter().any(|(key, value)| holds_function(key, atoms) || holds_function(value, atoms)),
        _ => false,
    }
}

/// The rows of a function: arguments and results.
pub(crate) fn rows(function: &DataValue) -> Vec<(&Value, &Value)> {
    let mut all = Vec::new();
    let mut at = parts(&function.fields[1]);
    while at.ctor == ROW {
        all.push((&at.fields[0], &at.fields[1]));
        at = parts(&at.fields[2]);
    }
    all
}

/// How many arguments a function takes; `None` for a number that no function has.
pub(crate) fn arity(function: &DataValue) -> Option<u32> {
    match &function.fields[0] {
        Value::Int(arity) => arity.to_u32().filter(|arity| *arity <= MOST_PARAMETERS),
        _ => None,
    }
}

/// A function.
pub(crate) fn function(arity: u32, rows: Vec<(Value, Value)>, default: Value) -> Value {
    let none = data(NO_ROW, vec![]);
    let rows = rows.into_iter().rev().fold(none, |rest, (arguments, result)| data(ROW, vec![arguments, result, rest]));
    data(FUN, vec![Value::Int(BigInt::from(arity)), rows, default])
}

/// What a function returns for these arguments.
pub(crate) fn result<'a>(function: &'a DataValue, arguments: &Value) -> &'a Value {
    rows(function).into_iter().find(|row| row.0 == arguments).map_or(&function.fields[2], |row| row.1)
}

/// Whether there is a function in a value. Lists of any length are walked without recursion.
pub(crate) fn is_inside(value: &Value) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if let Value::Data(data) = value {
            if data.ctor == FUN {
                return true;
            }
            pending.extend(&data.fields);
        }
    }
    false
}

/// Marks a packet whose arguments hold functions, so that the emulator makes them.
pub(crate) fn mark(packet: &mut [u8]) {
    if packet.windows(TAG.len()).any(|bytes| bytes == TAG.as_bytes()) {
        packet[0] = PACKET;
    }
}

impl Universe {
    /// A function as a term.
    pub(super) fn function_term(&self, function: &DataValue, atoms: &mut Atoms) -> Term {
        let mut all = Vec::new();
        for (arguments, result) in rows(function) {
            let arguments = elements(arguments).into_iter().map(|argument| self.term(argument, atoms)).collect();
            all.push(Term::Tuple(vec![Term::Tuple(arguments), self.term(result, atoms)]));
        }
        let default = self.term(&function.fields[2], atoms);
        Term::Tuple(vec![Term::Atom(atoms.intern(TAG)), Term::Int(arity(function).unwrap_or(0).into()), Term::list(all), default])
    }

    /// A function as a value; `None` if it is not of the universe.
    pub(super) fn function_value(&self, table: &Table<'_>, atoms: &Atoms) -> Option<Value> {
        let arity = u32::try_from(table.arity).ok().filter(|arity| *arity <= MOST_PARAMETERS)?;
        let mut all = Vec::new();
        for (arguments, result) in &table.rows {
            let arguments = arguments.iter().map(|argument| self.value(argument, atoms)).collect::<Option<_>>()?;
            all.push((row_of(arguments), self.value(result, atoms)?));
        }
        Some(function(arity, all, self.value(table.default, atoms)?))
    }
}

/// Appends the head of a function; its rows, each as a pair of a tuple of arguments and a result, and its default come after it.
pub(super) fn encode_head(function: &DataValue, out: &mut Encoder) {
    out.tuple(4);
    out.atom(TAG);
    out.int(arity(function).unwrap_or(0).into());
}
