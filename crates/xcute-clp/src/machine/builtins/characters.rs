//! Kinds of characters: `char_type/2`, `code_type/2`.
//!
//! The code of an input is of a kind by a condition on it, as long as it is one of ASCII; beyond that it is fixed.

use num_bigint::BigInt;
use xcute_term::{Op, TermId, Value as Constant};

use super::Builtin;
use super::text::WHAT;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] =
    &[("char_type", 2, Builtin::Plain(|m, c| char_type(m, c, false))), ("code_type", 2, Builtin::Plain(|m, c| char_type(m, c, true)))];

/// Where the character is not given, those of Latin-1 are tried.
const TRIED: std::ops::RangeInclusive<char> = '\0'..='\u{ff}';

fn char_type(m: &mut Machine<'_>, call: Call, code: bool) -> Step {
    if code && let Some(holds) = of_input(m, call)? {
        return Ok(holds);
    }
    let (given, kind) = (m.pinned(m.arg(call, 0), WHAT)?, m.pinned(m.arg(call, 1), "the kind of a character")?);
    let open = matches!(given, Cell::Var(_));
    let Some(characters) = m.characters_of(given)? else { return Ok(false) };
    let (name, argument) = match kind {
        Cell::Atom(name) => (name, None),
        Cell::Struct(address) if m.symbols.arity(m.heap.functor(address)) == 1 => {
            (m.symbols.name(m.heap.functor(address)), Some(m.heap.arg(address, 0)))
        }
        Cell::Var(_) => return m.unsupported("char_type/2 without a kind"),
        other => return Err(m.type_error("char_type", other)),
    };
    let name = m.symbols.atoms.name(name).to_owned();
    if takes_argument(&name).is_some_and(|takes| takes != argument.is_some()) || !is_kind(&name) {
        return Err(m.type_error("char_type", kind));
    }
    if open && matches!(name.as_str(), "to_lower" | "to_upper") {
        return m.unsupported("characters that become another one, in char_type/2");
    }
    if open && !matches!(name.as_str(), "digit" | "xdigit" | "ascii" | "white" | "newline" | "period" | "quote") {
        m.rec.limit("unsupported", "characters beyond Latin-1 in char_type/2", true);
    }
    let pair = m.symbols.functor(Atom::MINUS, 2);
    let mut answers = Vec::new();
    for c in characters {
        let made = |m: &mut Machine<'_>, c: char| if code { Cell::Int(u32::from(c).into()) } else { m.symbols.atom(&c.to_string()) };
        for value in values(&name, argument.is_some(), c) {
            let of = match value {
                Value::Holds => Cell::Atom(Atom::NIL),
                Value::Number(number) => Cell::Int(number.into()),
                Value::Char(other) => made(m, other),
            };
            let character = if open { made(m, c) } else { given };
            answers.push(m.heap.compound(pair, &[character, of]));
        }
    }
    // Only where there is something to compare with is the argument looked at.
    if let (Some(argument), false) = (argument, answers.is_empty()) {
        let argument = m.pinned(argument, "the argument of a kind of a character")?;
        let end = argument == Cell::Int(-1);
        if end || (!matches!(argument, Cell::Var(_)) && m.characters_of(argument)?.is_none()) {
            return if end { Err(m.type_error("character", argument)) } else { Ok(false) };
        }
    }
    let pattern = m.heap.compound(pair, &[given, argument.unwrap_or(Cell::Atom(Atom::NIL))]);
    if let ([answer], false) = (&answers[..], open) {
        return m.unify_now(pattern, *answer);
    }
    m.one_of(pattern, &answers)
}

impl Machine<'_> {
    /// The characters that a term may stand for: the one it is, or all that are tried; `None` for codes of none.
    fn characters_of(&mut self, given: Cell) -> Result<Option<Vec<char>>, Stop> {
        let text = match given {
            Cell::Var(_) => return Ok(Some(TRIED.collect())),
            Cell::Int(number) => {
                return match (u32::try_from(number).ok().and_then(char::from_u32), number) {
                    (Some(c), _) => Ok(Some(vec![c])),
                    // The end of a file; halves of pairs of UTF-16.
                    (None, -1 | 0xd800..=0xdfff) => Ok(None),
                    (None, ..=-2 | 0x8000_0000..) => Err(self.type_error("character", given)),
                    _ => Err(self.domain_error("character", given)),
                };
            }
            Cell::Atom(Atom::NIL) | Cell::Float(_) | Cell::Big(_) => String::new(),
            Cell::Struct(_) => self.characters(given),
            _ => self.text(given)?,
        };
        let mut all = text.chars();
        match (all.next(), all.next()) {
            (Some(c), None) => Ok(Some(vec![c])),
            _ => Err(self.type_error("character", given)),
        }
    }
}

/// Whether the code of an input is of a kind; `None` where that is not a matter of ranges.
fn of_input(m: &mut Machine<'_>, call: Call) -> Result<Option<bool>, Stop> {
    let Cell::Sym(e) = m.arg(call, 0) else { return Ok(None) };
    let (name, weight) = match m.arg(call, 1) {
        Cell::Atom(name) => (m.symbols.atoms.name(name).to_owned(), None),
        Cell::Struct(address) => {
            let functor = m.heap.functor(address);
            match (m.symbols.atoms.name(m.symbols.name(functor)), m.symbols.arity(functor)) {
                ("digit", 1) => ("digit".to_owned(), Some(m.heap.arg(address, 0))),
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    let Some(integer) = m.is_integer(e).filter(|_| is_kind(&name) && takes_argument(&name) != Some(true)) else { return Ok(None) };
    if !m.check(&[integer]) {
        return Ok(None);
    }
    let number = m.integer_of(e);
    if m.rec.terms.as_value(number).is_some() {
        return Ok(None);
    }
    let ascii = within(m, number, 0, 127);
    if !m.check(&[ascii]) {
        return Ok(None);
    }
    let of_kind = |c: &u8| !values(&name, false, char::from(*c)).is_empty();
    let (mut ranges, mut from) = (Vec::new(), 0);
    while let Some(first) = (from..128).find(of_kind) {
        let last = (first..128).take_while(of_kind).last().unwrap_or(first);
        ranges.push(within(m, number, first, last));
        from = last + 1;
    }
    let condition = match ranges[..] {
        [] => return Ok(Some(false)),
        [one] => one,
        _ => m.rec.terms.mk(Op::Or, &ranges),
    };
    if !m.check(&[condition]) {
        return Ok(Some(false));
    }
    let Some(weight) = weight else { return Ok(Some(true)) };
    let (code, zero) = (m.known_number(number), Number::Small(i64::from(b'0')));
    let digit = m.binary_number("-", code, zero)?;
    let digit = m.number_cell(digit);
    m.unify_now(weight, digit).map(Some)
}

/// The condition that a number is between two.
fn within(m: &mut Machine<'_>, number: TermId, first: u8, last: u8) -> TermId {
    let terms = &mut *m.rec.terms;
    let (first, last) = (terms.value(Constant::Int(BigInt::from(first))), terms.value(Constant::Int(BigInt::from(last))));
    let (low, high) = (terms.mk(Op::Le, &[first, number]), terms.mk(Op::Le, &[number, last]));
    terms.mk(Op::And, &[low, high])
}

enum Value {
    Holds,
    Number(u32),
    Char(char),
}

/// Whether a kind has an argument; `None` if it may.
fn takes_argument(name: &str) -> Option<bool> {
    match name {
        "digit" | "upper" | "lower" => None,
        "xdigit" | "to_lower" | "to_upper" => Some(true),
        _ => Some(false),
    }
}

fn is_kind(name: &str) -> bool {
    takes_argument(name) != Some(false)
        || matches!(
            name,
            "alnum"
                | "alpha"
                | "csym"
                | "csymf"
                | "ascii"
                | "white"
                | "cntrl"
                | "space"
                | "end_of_line"
                | "newline"
                | "punct"
                | "graph"
                | "print"
                | "period"
                | "quote"
                | "prolog_var_start"
                | "prolog_atom_start"
                | "prolog_identifier_continue"
                | "prolog_symbol"
        )
}

/// What a character is of a kind: the values of its argument, or that it is.
fn values(name: &str, argument: bool, c: char) -> Vec<Value> {
    let punctuation =
        |c: char| c.is_ascii_punctuation() || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_control() && !c.is_whitespace());
    let one = |c: &mut dyn Iterator<Item = char>| c.next();
    let holds = match name {
        "xdigit" => return c.to_digit(16).map(Value::Number).into_iter().collect(),
        "digit" if argument => return c.to_digit(10).map(Value::Number).into_iter().collect(),
        // SWI-Prolog has these two the other way round than their names say.
        "to_lower" => return one(&mut c.to_uppercase()).map(Value::Char).into_iter().collect(),
        "to_upper" => return one(&mut c.to_lowercase()).map(Value::Char).into_iter().collect(),
        "upper" if argument => return one(&mut c.to_lowercase()).filter(|_| c.is_uppercase()).map(Value::Char).into_iter().collect(),
        "lower" if argument => return one(&mut c.to_uppercase()).filter(|_| c.is_lowercase()).map(Value::Char).into_iter().collect(),
        "alnum" => c.is_alphanumeric(),
        "alpha" => c.is_alphabetic(),
        "csym" | "prolog_identifier_continue" => c.is_alphanumeric() || c == '_',
        "csymf" => c.is_alphabetic() || c == '_',
        "ascii" => c.is_ascii(),
        "white" => c == ' ' || c == '\t',
        "cntrl" => c.is_control(),
        "space" => c.is_whitespace(),
        "end_of_line" => ('\n'..='\r').contains(&c),
        "newline" => c == '\n',
        "digit" => c.is_ascii_digit(),
        "lower" | "prolog_atom_start" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "punct" => punctuation(c),
        "graph" => c.is_alphanumeric() || punctuation(c),
        "print" => c == ' ' || c.is_alphanumeric() || punctuation(c),
        "period" => matches!(c, '.' | '?' | '!'),
        "quote" => matches!(c, '\'' | '"' | '`'),
        "prolog_var_start" => c.is_uppercase() || c == '_',
        _ => "#$&*+-./:<=>?@\\^~".contains(c),
    };
    if holds { vec![Value::Holds] } else { Vec::new() }
}
