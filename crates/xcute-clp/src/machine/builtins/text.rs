//! Atoms and strings as texts. Texts of inputs are [followed](super::spelled) where they can be; otherwise they are fixed to what they are in the run, and counted.

use num_bigint::BigInt;
use xcute_trace::Budget;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::machine::shape::ListView;
use crate::syntax::{Atom, Flags, Reader, SourceId, Term, float};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("atom_codes", 2, Builtin::Plain(|m, c| m.convert(c, Kind::Atom, Kind::Codes))),
    ("atom_chars", 2, Builtin::Plain(|m, c| m.convert(c, Kind::Atom, Kind::Chars))),
    ("char_code", 2, Builtin::Plain(char_code)),
    ("number_codes", 2, Builtin::Plain(|m, c| m.convert(c, Kind::Number, Kind::Codes))),
    ("number_chars", 2, Builtin::Plain(|m, c| m.convert(c, Kind::Number, Kind::Chars))),
    ("atom_number", 2, Builtin::Plain(atom_number)),
    ("atom_string", 2, Builtin::Plain(|m, c| m.convert(c, Kind::Atom, Kind::String))),
    ("number_string", 2, Builtin::Plain(number_string)),
    ("string_chars", 2, Builtin::Plain(|m, c| m.convert(c, Kind::String, Kind::Chars))),
    ("string_codes", 2, Builtin::Plain(|m, c| m.convert(c, Kind::String, Kind::Codes))),
    ("string_to_atom", 2, Builtin::Plain(|m, c| m.convert(c, Kind::String, Kind::Atom))),
    ("text_to_string", 2, Builtin::Plain(text_to_string)),
    ("get_string_code", 3, Builtin::Plain(string_code)),
    ("string_code", 3, Builtin::Plain(string_code)),
    ("atom_length", 2, Builtin::Plain(text_length)),
    ("string_length", 2, Builtin::Plain(text_length)),
    ("upcase_atom", 2, Builtin::Plain(|m, c| m.mapped(c, Kind::Atom, true))),
    ("downcase_atom", 2, Builtin::Plain(|m, c| m.mapped(c, Kind::Atom, false))),
    ("string_upper", 2, Builtin::Plain(|m, c| m.mapped(c, Kind::String, true))),
    ("string_lower", 2, Builtin::Plain(|m, c| m.mapped(c, Kind::String, false))),
    ("atom_concat", 3, Builtin::Plain(|m, c| m.concat(c, Kind::Atom))),
    ("string_concat", 3, Builtin::Plain(|m, c| m.concat(c, Kind::String))),
    ("atomic_list_concat", 2, Builtin::Plain(join)),
    ("atomic_list_concat", 3, Builtin::Plain(join)),
    ("sub_atom", 5, Builtin::Plain(|m, c| m.sub_text(c, Kind::Atom))),
    ("sub_string", 5, Builtin::Plain(|m, c| m.sub_text(c, Kind::String))),
    ("split_string", 4, Builtin::Plain(split_string)),
];

/// What a text is a term as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Atom,
    String,
    Number,
    Codes,
    Chars,
}

pub(super) const WHAT: &str = crate::machine::shape::OF_A_TEXT;

/// Longer texts are not read as numbers.
const DIGITS: usize = 400_000;

/// What the errors of a conversion call the one of its arguments that is of the first kind.
fn expected(kind: Kind, other: Kind) -> &'static str {
    match (kind, other) {
        (Kind::Atom, _) => "atom",
        (Kind::String, Kind::Atom) => "string",
        _ => "text",
    }
}

fn char_code(m: &mut Machine<'_>, call: Call) -> Step {
    if let Some(done) = m.follow_char_code(call)? {
        return Ok(done);
    }
    let (character, code) = (m.pinned(m.arg(call, 0), WHAT)?, m.arg(call, 1));
    let known = match character {
        Cell::Var(_) => None,
        Cell::Atom(name) => {
            let mut all = m.symbols.atoms.name(name).chars();
            match (all.next(), all.next()) {
                (Some(c), None) => Some(c),
                _ => return Err(m.type_error("character", character)),
            }
        }
        _ => return Err(m.type_error("character", character)),
    };
    if let (Some(found), Cell::Var(_)) = (known, code) {
        return m.unify_now(code, Cell::Int(u32::from(found).into()));
    }
    let number = m.integer_argument(code)?;
    let fits = match number {
        Number::Sym(number) => m.is_within(number, i32::MIN.into(), i32::MAX.into()),
        Number::Small(number) => i32::try_from(number).is_ok(),
        _ => false,
    };
    if !fits {
        return Err(m.representation_error("int"));
    }
    if m.compare_now("<", number.clone(), Number::Small(0))? {
        return Err(m.type_error("character_code", code));
    }
    if let Some(found) = known {
        return m.compare_now("=:=", number, Number::Small(u32::from(found).into()));
    }
    let number = m.pinned_integer(number, WHAT)?;
    let Some(found) = u32::try_from(&number).ok().and_then(char::from_u32) else {
        let culprit = m.symbols.integer(number);
        return Err(m.type_error("character_code", culprit));
    };
    let atom = m.symbols.atom(&found.to_string());
    m.unify_now(character, atom)
}

fn atom_number(m: &mut Machine<'_>, call: Call) -> Step {
    if let Some(done) = m.follow_atom_number(call)? {
        return Ok(done);
    }
    let (given, number) = (m.pinned(m.arg(call, 0), WHAT)?, m.pinned(m.arg(call, 1), WHAT)?);
    let text = match given {
        Cell::Atom(name) if name != Atom::NIL => m.symbols.atoms.name(name).to_owned(),
        Cell::Str(id) => m.symbols.text(id).to_owned(),
        _ => {
            return match number {
                Cell::Int(_) | Cell::Big(_) | Cell::Float(_) => {
                    let text = m.text(number)?;
                    let atom = m.symbols.atom(&text);
                    m.unify_now(given, atom)
                }
                Cell::Var(_) if matches!(given, Cell::Var(_)) => Err(m.instantiation_error()),
                Cell::Var(_) => Err(m.type_error("atom", given)),
                other => Err(m.type_error("number", other)),
            };
        }
    };
    match m.read_number(&text)?.filter(|_| !text.starts_with(char::is_whitespace)) {
        Some(found) => m.unify_now(number, found),
        None => Ok(false),
    }
}

fn number_string(m: &mut Machine<'_>, call: Call) -> Step {
    if let (Cell::Var(_), true) = (m.arg(call, 1), !matches!(m.arg(call, 0), Cell::Var(_))) {
        return m.convert(call, Kind::Number, Kind::String);
    }
    let given = m.pinned(m.arg(call, 1), WHAT)?;
    let number = m.pinned(m.arg(call, 0), WHAT)?;
    if !matches!(number, Cell::Var(_) | Cell::Int(_) | Cell::Big(_) | Cell::Float(_)) {
        return Err(m.type_error("number", number));
    }
    if given != Cell::Atom(Atom::NIL)
        && let Cell::Atom(_) | Cell::Int(_) | Cell::Big(_) | Cell::Float(_) = given
    {
        return Err(m.type_error("list", given));
    }
    if !matches!(number, Cell::Var(_)) && !m.is_ground(given) && matches!(m.list_view(given), ListView::Cons(..)) {
        return Ok(false);
    }
    let text = m.text_of(given, "list")?;
    match m.read_number(&text)?.filter(|_| !text.starts_with(char::is_whitespace)) {
        Some(number) => m.unify_now(m.arg(call, 0), number),
        None => Ok(false),
    }
}

fn text_to_string(m: &mut Machine<'_>, call: Call) -> Step {
    if let Some(done) = m.follow_string(call)? {
        return Ok(done);
    }
    let text = m.words(m.arg(call, 0))?;
    m.unify_text(m.arg(call, 1), &text, &[Kind::String, Kind::Atom, Kind::Number, Kind::Codes, Kind::Chars])
}

/// `string_code(Index, String, Code)`, from 1.
fn string_code(m: &mut Machine<'_>, call: Call) -> Step {
    if let Some(done) = m.follow_string_code(call)? {
        return Ok(done);
    }
    let get = m.symbols.atoms.name(call.name) == "get_string_code";
    let text = if get { m.text(m.arg(call, 1))? } else { m.words(m.arg(call, 1))? };
    let codes = text.chars().map(|c| Cell::Int(u32::from(c).into()));
    if let (Cell::Var(_), false) = (m.arg(call, 0), get) {
        let wanted = m.character_code(m.arg(call, 2))?;
        let pair = m.symbols.functor(Atom::MINUS, 2);
        let pattern = m.heap.compound(pair, &[m.arg(call, 0), wanted]);
        let answers: Vec<Cell> = (1..).zip(codes).map(|(index, code)| m.heap.compound(pair, &[Cell::Int(index), code])).collect();
        return m.one_of(pattern, &answers);
    }
    let index = m.integer_argument(m.arg(call, 0))?;
    let index = m.pinned_integer(index, WHAT)?;
    if get && i64::try_from(&index).is_err() {
        return Err(m.representation_error("int64_t"));
    }
    let length = text.chars().count();
    if get && (index < 1.into() || index > length.into()) {
        let (range, culprit) = (m.symbols.functor_named("range", 2), m.symbols.integer(index));
        let length = Cell::Int(i64::try_from(length).expect("texts are small"));
        let (domain, functor) = (m.heap.compound(range, &[Cell::Int(1), length]), m.symbols.functor_named("domain_error", 2));
        let formal = m.heap.compound(functor, &[domain, culprit]);
        return Err(m.error(formal));
    }
    if index < 0.into() {
        let culprit = m.symbols.integer(index);
        return Err(m.domain_error("not_less_than_zero", culprit));
    }
    m.fits_size(&index)?;
    let found = usize::try_from(&index).ok().and_then(|index| codes.clone().nth(index.checked_sub(1)?));
    match found {
        Some(code) => m.unify_now(m.arg(call, 2), code),
        None => Ok(false),
    }
}

fn text_length(m: &mut Machine<'_>, call: Call) -> Step {
    if let Some(done) = m.follow_length(call)? {
        return Ok(done);
    }
    let text = m.text(m.arg(call, 0))?;
    if !matches!(m.arg(call, 1), Cell::Var(_)) {
        m.integer_argument(m.arg(call, 1))?;
    }
    let length = i64::try_from(text.chars().count()).expect("texts are small");
    m.unify_now(m.arg(call, 1), Cell::Int(length))
}

/// `atomic_list_concat(List, Atom)` and, with a separator, `atomic_list_concat(List, Separator, Atom)`, which also splits.
fn join(m: &mut Machine<'_>, call: Call) -> Step {
    // Where the separator is an input, it is followed if nothing is split.
    let given = m.arg(call, 1);
    let input = if call.arity == 3 && m.is_input(given) { m.spelling(given) } else { None };
    let mut separator = if call.arity == 3 && input.is_none() { m.atomic_text(given, "text")? } else { String::new() };
    let whole = m.arg(call, call.arity - 1);
    let (mut items, mut at) = (Vec::new(), m.arg(call, 0));
    let end = loop {
        match m.list_view(at) {
            ListView::Cons(head, tail) if !matches!(m.heap.deref(head), Cell::Var(_)) => {
                items.push(head);
                at = tail;
            }
            end => break end,
        }
    };
    if end != ListView::Nil {
        // What is not a text is to blame before what comes after it.
        for &item in &items {
            m.atomic_text(item, "text")?;
        }
    }
    if let ListView::Other(tail) = end {
        return Err(m.type_error("list", tail));
    }
    if end == ListView::Nil {
        let term = input.unwrap_or_else(|| m.text_value(&separator));
        if let Some(done) = m.follow_join(&items, term, whole)? {
            return Ok(done);
        }
    }
    if input.is_some() {
        separator = m.atomic_text(given, "text")?;
    }
    if end == ListView::Nil {
        let mut texts = Vec::new();
        for item in items {
            texts.push(m.atomic_text(item, "text")?);
        }
        let atom = m.symbols.atom(&texts.join(&separator));
        return m.unify_now(whole, atom);
    }
    if separator.is_empty() && call.arity == 3 && !matches!(whole, Cell::Var(_)) {
        return Err(m.domain_error("non_empty_atom", m.arg(call, 1)));
    }
    if separator.is_empty() || matches!(whole, Cell::Var(_)) {
        return Err(m.instantiation_error());
    }
    if let Some(done) = m.follow_split(m.arg(call, 0), &separator, whole)? {
        return Ok(done);
    }
    let text = m.atomic_text(whole, "atomic")?;
    m.room_for(text.len())?;
    let parts: Vec<Cell> = text.split(&separator).map(|part| m.symbols.atom(part)).collect();
    let list = m.list(&parts, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 0), list)
}

fn split_string(m: &mut Machine<'_>, call: Call) -> Step {
    let [text, separators, pad, pieces] = [0, 1, 2, 3].map(|i| m.arg(call, i));
    if ![separators, pad].into_iter().any(|cell| m.is_input(cell))
        && let (Ok(separators), Ok(pad)) = (m.words(separators), m.words(pad))
        && let Some(followed) = m.follow_pieces(text, &separators, &pad, pieces)
    {
        let Ok(parts) = followed else { return Ok(false) };
        return unify_pieces(m, &parts, pieces);
    }
    // SWI-Prolog takes the character 0 for one of each: it ends its own texts.
    let (text, separators, pad) = (m.words(text)?, m.words(separators)? + "\0", m.words(pad)? + "\0");
    m.room_for(text.len())?;
    let parts: Vec<Cell> = super::pieces::pieces(&text, &separators, &pad).iter().map(|piece| m.symbols.string(piece)).collect();
    unify_pieces(m, &parts, pieces)
}

/// Unifies pieces with what is given, which need not be a list where it differs before its end.
fn unify_pieces(m: &mut Machine<'_>, parts: &[Cell], mut given: Cell) -> Step {
    let nil = Cell::Atom(Atom::NIL);
    for (at, &part) in parts.iter().enumerate() {
        match m.list_view(given) {
            ListView::Open(_) => {
                let rest = m.list(&parts[at..], nil);
                return m.unify_now(given, rest);
            }
            ListView::Cons(head, tail) => {
                if !m.unify_now(head, part)? {
                    return Ok(false);
                }
                given = tail;
            }
            ListView::Nil => return Ok(false),
            ListView::Other(rest) => return Err(m.type_error("list", rest)),
        }
    }
    m.unify_now(given, nil)
}

impl Machine<'_> {
    /// The text of an atom, string, number, or list of codes or characters.
    pub(super) fn text(&mut self, cell: Cell) -> Result<String, Stop> {
        self.text_of(cell, "text")
    }

    /// The same without numbers.
    pub(super) fn words(&mut self, cell: Cell) -> Result<String, Stop> {
        let cell = self.pinned(cell, WHAT)?;
        match cell {
            Cell::Int(_) | Cell::Big(_) | Cell::Float(_) => Err(self.type_error("text", cell)),
            _ => self.text(cell),
        }
    }

    pub(super) fn representation_error(&mut self, of: &str) -> Stop {
        let (what, functor) = (self.symbols.atom(of), self.symbols.functor_named("representation_error", 1));
        let formal = self.heap.compound(functor, &[what]);
        self.error(formal)
    }

    /// The same; what is none is said to be no `expected`.
    fn text_of(&mut self, cell: Cell, expected: &str) -> Result<String, Stop> {
        self.refuse_compound(cell, expected, true)?;
        let cell = self.pinned(cell, WHAT)?;
        match cell {
            Cell::Atom(name) if name != Atom::NIL => Ok(self.symbols.atoms.name(name).to_owned()),
            Cell::Str(id) => Ok(self.symbols.text(id).to_owned()),
            Cell::Int(_) | Cell::Big(_) => Ok(self.symbols.as_integer(cell).expect("an integer").to_string()),
            Cell::Float(bits) => Ok(float(f64::from_bits(bits))),
            Cell::Var(_) => Err(self.instantiation_error()),
            _ => self.listed(cell, expected),
        }
    }

    /// The text of a term that is neither a compound nor the empty list.
    fn atomic_text(&mut self, cell: Cell, expected: &str) -> Result<String, Stop> {
        self.refuse_compound(cell, expected, false)?;
        match self.pinned(cell, WHAT)? {
            nil @ Cell::Atom(Atom::NIL) => Err(self.type_error(if expected == "atomic" { "atom" } else { expected }, nil)),
            compound @ Cell::Struct(_) => Err(self.type_error(expected, compound)),
            other => self.text_of(other, expected),
        }
    }

    /// The number that a text is, as Prolog reads it, after white space and a sign.
    fn read_number(&mut self, text: &str) -> Result<Option<Cell>, Stop> {
        if text.len() > DIGITS && !text.starts_with(char::is_alphabetic) {
            return Err(Stop::Budget(Budget::Memory));
        }
        Ok(self.number_of_text(text))
    }

    fn number_of_text(&mut self, text: &str) -> Option<Cell> {
        let trimmed = text.trim_start();
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        if !digits.starts_with(|c: char| c.is_ascii_digit()) || digits.ends_with(char::is_whitespace) {
            return None;
        }
        let ended = format!("{digits} .");
        let sentence = Reader::new(SourceId(0), &ended).next(&mut self.symbols.atoms, &self.program.operators, Flags::default())?.ok()?;
        match sentence.terms.get(sentence.root) {
            Term::Integer(value) => {
                Some(self.number_cell(Number::integer(if negative { -BigInt::clone(value) } else { BigInt::clone(value) })))
            }
            Term::Float(value) => Some(Cell::Float(if negative { -value } else { *value }.to_bits())),
            _ => None,
        }
    }

    pub(super) fn text_cell(&mut self, text: &str, kind: Kind) -> Result<Cell, Stop> {
        let nil = Cell::Atom(Atom::NIL);
        if matches!(kind, Kind::Codes | Kind::Chars) {
            self.room_for(text.len().saturating_mul(3))?;
        }
        Ok(match kind {
            Kind::Atom => self.symbols.atom(text),
            Kind::String => self.symbols.string(text),
            Kind::Number => match self.read_number(text)? {
                Some(number) => number,
                None => return Err(self.syntax_error("illegal_number")),
            },
            Kind::Codes => {
                let items: Vec<Cell> = text.chars().map(|c| Cell::Int(u32::from(c).into())).collect();
                self.list(&items, nil)
            }
            Kind::Chars => {
                let items: Vec<Cell> = text.chars().map(|c| self.symbols.atom(&c.to_string())).collect();
                self.list(&items, nil)
            }
        })
    }

    /// The first argument as one kind, the second as the other.
    fn convert(&mut self, call: Call, first: Kind, second: Kind) -> Step {
        if let Some(done) = self.follow_conversion(call, first, second)? {
            return Ok(done);
        }
        let list = matches!(second, Kind::Codes | Kind::Chars);
        if list && first == Kind::Atom {
            self.refuse_compound(self.arg(call, 0), "atom", false)?;
        }
        let (a, b) = (self.pinned(self.arg(call, 0), WHAT)?, self.arg(call, 1));
        let number = matches!(a, Cell::Int(_) | Cell::Big(_) | Cell::Float(_));
        if first == Kind::Number && !number && !matches!(a, Cell::Var(_)) {
            return Err(self.type_error("number", a));
        }
        if matches!(a, Cell::Var(_)) || number && first == Kind::Number && self.is_ground(b) {
            let text = if list || first == Kind::Number { self.second_text(b, list)? } else { self.text_of(b, expected(second, first))? };
            let made = self.text_cell(&text, first)?;
            return self.unify_now(a, made);
        }
        if let (Cell::Atom(Atom::NIL), Kind::Atom, true) = (a, first, list) {
            return Err(self.type_error("atom", a));
        }
        if let (Cell::Struct(_), Kind::Atom, true) = (a, first, list) {
            return Err(self.type_error("atom", a));
        }
        let text = match self.text_of(a, expected(first, second)) {
            // What is not a text is an error only where the other is unknown, too.
            Err(Stop::Throw(_)) if (first, second) == (Kind::Atom, Kind::String) && !matches!(b, Cell::Var(_)) => {
                self.text_of(b, "string")?;
                return Ok(false);
            }
            Err(Stop::Throw(_)) if (first, second) == (Kind::String, Kind::Atom) => {
                let given = !matches!(b, Cell::Var(_)) && !matches!(self.text_of(b, "atom"), Err(Stop::Throw(_)));
                return if given { Ok(false) } else { Err(self.type_error("string", a)) };
            }
            text => text?,
        };
        if !list || first == Kind::String {
            let kinds = [second, Kind::Atom, Kind::String, Kind::Number, Kind::Codes, Kind::Chars];
            return self.unify_text(b, &text, &kinds);
        }
        let made = self.text_cell(&text, second)?;
        if self.unify_now(b, made)? {
            return Ok(true);
        }
        // The same text may be given in another way for an atom; what is not a text is an error.
        if self.is_ground(b) {
            return Ok(self.second_text(b, list)? == text && matches!(a, Cell::Atom(_)));
        }
        match self.list_view(b) {
            ListView::Other(other) => Err(self.type_error("list", other)),
            _ => Ok(false),
        }
    }

    /// The text that the second argument of a conversion is.
    pub(super) fn second_text(&mut self, cell: Cell, list: bool) -> Result<String, Stop> {
        let cell = self.pinned(cell, WHAT)?;
        match cell {
            Cell::Int(_) | Cell::Big(_) | Cell::Float(_) if list => Err(self.type_error("list", cell)),
            Cell::Atom(name) if list && name != Atom::NIL => Err(self.type_error("list", cell)),
            _ => self.text_of(cell, if list { "list" } else { "text" }),
        }
    }

    fn mapped(&mut self, call: Call, kind: Kind, upper: bool) -> Step {
        if let Some(done) = self.follow_case(call, kind, upper)? {
            return Ok(done);
        }
        let text = self.atomic_text(self.arg(call, 0), "atomic")?;
        let text = if upper { text.to_uppercase() } else { text.to_lowercase() };
        let expected = if kind == Kind::Atom { "atom" } else { "string" };
        self.unify_atomic(self.arg(call, 1), &text, kind, [expected; 2])
    }

    /// Unifies a text with what is given, in whichever of these kinds that is.
    fn unify_text(&mut self, given: Cell, text: &str, kinds: &[Kind]) -> Step {
        let mut open = !self.is_ground(given);
        for &kind in kinds {
            let made = match kind {
                Kind::Number => match self.read_number(text)? {
                    Some(number) if self.text(number)? == text => number,
                    _ => continue,
                },
                _ => self.text_cell(text, kind)?,
            };
            if self.unify_now(given, made)? {
                return Ok(true);
            }
            if std::mem::take(&mut open) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The same for atoms, strings and numbers: what is none of these is an error, which expects the first of a compound and the second of the empty list.
    fn unify_atomic(&mut self, given: Cell, text: &str, kind: Kind, expected: [&str; 2]) -> Step {
        let others: Vec<Kind> = [kind, Kind::Atom, Kind::String, Kind::Number].into_iter().collect();
        if self.unify_text(given, text, &others)? {
            return Ok(true);
        }
        let given = self.heap.deref(given);
        let (compound, empty) = match given {
            Cell::Sym(e) => {
                let atomic = self.atomic_test(e);
                let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
                let same = self.rec.terms.mk(xcute_term::Op::Eq, &[e, nil]);
                let compound = !self.check(&[atomic]);
                (compound, !compound && self.check(&[same]))
            }
            other => (matches!(other, Cell::Struct(_)), other == Cell::Atom(Atom::NIL)),
        };
        match (compound, empty) {
            (true, _) => Err(self.type_error(expected[0], given)),
            (_, true) => Err(self.type_error(expected[1], given)),
            _ => Ok(false),
        }
    }

    /// A code that may be given as a character.
    fn character_code(&mut self, given: Cell) -> Result<Cell, Stop> {
        if let Cell::Sym(e) = given
            && let Some(is) = self.is_integer(e)
            && self.check(&[is])
        {
            return Ok(given);
        }
        let given = self.pinned(given, WHAT)?;
        match given {
            Cell::Var(_) | Cell::Int(0..=0x10_ffff) => Ok(given),
            Cell::Int(0x11_0000..) => Err(self.domain_error("character", given)),
            Cell::Atom(_) | Cell::Str(_) if given != Cell::Atom(Atom::NIL) => {
                let text = self.text(given)?;
                let mut all = text.chars();
                match (all.next(), all.next()) {
                    (Some(c), None) => Ok(Cell::Int(u32::from(c).into())),
                    _ => Err(self.type_error("character", given)),
                }
            }
            _ => Err(self.type_error("character", given)),
        }
    }

    fn concat(&mut self, call: Call, kind: Kind) -> Step {
        if let Some(done) = self.follow_concat(call, kind)? {
            return Ok(done);
        }
        let [a, b, whole] = [0, 1, 2].map(|i| self.arg(call, i));
        let open = |cell| matches!(cell, Cell::Var(_));
        if !open(a) && !open(b) {
            let text = self.atomic_text(a, "atomic")? + &self.atomic_text(b, "atomic")?;
            return self.unify_atomic(whole, &text, kind, ["atomic", "atom"]);
        }
        for side in [a, b] {
            if !open(side) {
                self.atomic_text(side, "atomic")?;
            }
        }
        let text = self.atomic_text(whole, "atomic")?;
        let functor = self.symbols.functor(Atom::MINUS, 2);
        let mut answers = Vec::new();
        for at in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
            self.breathe()?;
            self.room_for(0)?;
            let (left, right) = (self.text_cell(&text[..at], kind)?, self.text_cell(&text[at..], kind)?);
            // A side that is given must be the same text, whatever kind it is.
            let fits = (open(a) || self.text(a)? == text[..at]) && (open(b) || self.text(b)? == text[at..]);
            if fits {
                let (left, right) = (if open(a) { left } else { a }, if open(b) { right } else { b });
                answers.push(self.heap.compound(functor, &[left, right]));
            }
        }
        let pattern = self.heap.compound(functor, &[a, b]);
        self.one_of(pattern, &answers)
    }

    /// `sub_atom(Atom, Before, Length, After, Sub)`.
    fn sub_text(&mut self, call: Call, kind: Kind) -> Step {
        if let Some(done) = self.follow_part(call, kind)? {
            return Ok(done);
        }
        let expected = if kind == Kind::Atom { "atom" } else { "string" };
        let text: Vec<char> = self.atomic_text(self.arg(call, 0), expected)?.chars().collect();
        let mut fixed = [None; 3];
        for (place, i) in fixed.iter_mut().zip(1..) {
            if !matches!(self.arg(call, i), Cell::Var(_)) {
                let number = self.integer_argument(self.arg(call, i))?;
                let number = self.pinned_integer(number, WHAT)?;
                if number.sign() == num_bigint::Sign::Minus {
                    let culprit = self.symbols.integer(number);
                    return Err(self.domain_error("not_less_than_zero", culprit));
                }
                let Ok(number) = usize::try_from(&number) else { return Err(self.representation_error("size_t")) };
                *place = Some(number);
            }
        }
        let known = match self.arg(call, 4) {
            Cell::Var(_) => None,
            sub => Some(self.atomic_text(sub, expected)?.chars().collect::<Vec<char>>()),
        };
        let functor = self.symbols.functor_named("sub", 4);
        let args: Vec<Cell> = (1..5).map(|i| self.arg(call, i)).collect();
        let pattern = self.heap.compound(functor, &args);
        let mut answers = Vec::new();
        let [before, length, after] = fixed;
        let length = length.or(known.as_ref().map(Vec::len));
        let known_start = before.or_else(|| text.len().checked_sub(length?)?.checked_sub(after?));
        for start in known_start.map_or(0..=text.len(), |start| start..=start) {
            let known_end = length.map(|length| start.saturating_add(length)).or_else(|| text.len().checked_sub(after?));
            for end in known_end.map_or(start..=text.len(), |end| end..=end) {
                self.breathe()?;
                if start > end || end > text.len() {
                    continue;
                }
                let numbers = [start, end - start, text.len() - end];
                let fits = fixed.iter().zip(numbers).all(|(fixed, number)| fixed.is_none_or(|fixed| fixed == number));
                if !fits || known.as_ref().is_some_and(|known| known[..] != text[start..end]) {
                    continue;
                }
                let sub = match &known {
                    Some(_) => self.arg(call, 4),
                    None => self.text_cell(&text[start..end].iter().collect::<String>(), kind)?,
                };
                let number = |n: usize| Cell::Int(i64::try_from(n).expect("texts are small"));
                let answer = [number(numbers[0]), number(numbers[1]), number(numbers[2]), sub];
                answers.push(self.heap.compound(functor, &answer));
                self.room_for(0)?;
            }
        }
        self.one_of(pattern, &answers)
    }
}
