//! Terms as texts: `write/1` and its like. What is written is nobody's business unless somebody collects it, as `with_output_to/2` does.
//!
//! **Invariant.** Inputs are looked at only where their text is collected; they are then fixed to what they are in the run, and counted.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Builtin;
use super::text::{Kind, WHAT};
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::export::to_arena;
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::machine::shape::ListView;
use crate::syntax::{Arena, Atom, Style, Writer};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("write", 1, Builtin::Plain(|m, c| put(m, c, Style::Plain, ""))),
    ("print", 1, Builtin::Plain(|m, c| put(m, c, Style::Quoted, ""))),
    ("writeln", 1, Builtin::Plain(|m, c| put(m, c, Style::Plain, "\n"))),
    ("writeq", 1, Builtin::Plain(|m, c| put(m, c, Style::Quoted, ""))),
    ("write_canonical", 1, Builtin::Plain(|m, c| put(m, c, Style::Canonical, ""))),
    ("write_term", 2, Builtin::Plain(write_term)),
    ("portray_clause", 1, Builtin::Plain(portray_clause)),
    ("nl", 0, Builtin::Plain(|m, _| m.collect("\n"))),
    ("tab", 1, Builtin::Plain(tab)),
    ("put_char", 1, Builtin::Plain(put_char)),
];

fn put(m: &mut Machine<'_>, call: Call, style: Style, end: &str) -> Step {
    if m.outputs.is_empty() {
        return Ok(true);
    }
    let text = m.term_text(m.arg(call, 0), style)?;
    m.collect(&(text + end))
}

/// Options that are true or false, and those that are numbers.
const BOOLEAN: &[&str] =
    &["quoted", "ignore_ops", "numbervars", "cycles", "fullstop", "dotlists", "brace_terms", "portray", "nl", "attributes_portray"];
const NUMERIC: &[&str] = &["max_depth", "priority"];

/// Of the options only `quoted` and `numbervars` count; all of them are checked.
fn write_term(m: &mut Machine<'_>, call: Call) -> Step {
    let (mut style, mut letters, mut at, mut depth) = (Style::Plain, false, m.arg(call, 1), 0);
    loop {
        let option = match m.list_view(at) {
            ListView::Nil if m.outputs.is_empty() => return Ok(true),
            // Nothing is within such a depth.
            ListView::Nil if depth < 0 => return m.collect("..."),
            ListView::Nil => {
                let (terms, root, names) = m.term_to_write(m.arg(call, 0))?;
                let writer = Writer::new(&m.symbols.atoms, m.operators(), style);
                let writer = if letters { writer } else { writer.without_letters() };
                let text = writer.term(&terms, root, &names);
                return m.collect(&text);
            }
            ListView::Cons(option, rest) => {
                at = rest;
                m.heap.deref(option)
            }
            ListView::Open(_) => return Err(m.instantiation_error()),
            ListView::Other(other) => return Err(m.type_error("list", other)),
        };
        let option = m.pinned(option, "an option of write_term/2")?;
        let Cell::Struct(address) = option else {
            return Err(if let Cell::Var(_) = option { m.instantiation_error() } else { m.type_error("option", option) });
        };
        let functor = m.heap.functor(address);
        let (name, value) = match (m.symbols.name(functor), m.symbols.arity(functor)) {
            (name, 1) => (Cell::Atom(name), m.heap.arg(address, 0)),
            (Atom::EQUALS, 2) => (m.heap.arg(address, 0), m.heap.arg(address, 1)),
            _ => return Err(m.type_error("option", option)),
        };
        let Cell::Atom(name) = name else { return Err(m.type_error("option", option)) };
        let name = m.symbols.atoms.name(name).to_owned();
        let truth = match value {
            Cell::Atom(value) => Some(m.symbols.atoms.name(value).to_owned()),
            Cell::Int(_) => Some(String::new()),
            _ => None,
        };
        let known = |names: &[&str]| names.contains(&name.as_str());
        match value {
            Cell::Var(_) if known(BOOLEAN) || known(NUMERIC) => return Err(m.instantiation_error()),
            _ if known(BOOLEAN) && !matches!(truth.as_deref(), Some("true" | "false" | "on" | "off" | "")) => {
                return Err(m.type_error("bool", value));
            }
            Cell::Int(number) if known(NUMERIC) && i32::try_from(number).is_err() => return Err(m.representation_error("int")),
            Cell::Big(_) if known(NUMERIC) => return Err(m.representation_error("int")),
            _ if known(NUMERIC) && !matches!(value, Cell::Int(_)) => return Err(m.type_error("integer", value)),
            Cell::Int(number @ 1..) if name == "max_depth" && !m.outputs.is_empty() && !m.is_shallow(m.arg(call, 0), number) => {
                return m.unsupported("max_depth(N) of write_term/2, where it leaves something out");
            }
            _ => {}
        }
        let on = matches!(truth.as_deref(), Some("true" | "on"));
        match name.as_str() {
            "quoted" if on => style = Style::Quoted,
            "numbervars" => letters = on,
            "max_depth" => depth = if let Cell::Int(number) = value { number } else { 0 },
            _ => {}
        }
    }
}

fn portray_clause(m: &mut Machine<'_>, call: Call) -> Step {
    if m.outputs.is_empty() {
        return Ok(true);
    }
    let (terms, root, _) = m.term_to_write(m.arg(call, 0))?;
    let text = Writer::new(&m.symbols.atoms, m.operators(), Style::Operators).clause(&terms, root, &[]);
    m.collect(&text)
}

fn tab(m: &mut Machine<'_>, call: Call) -> Step {
    let number = m.spaces(m.arg(call, 0))?;
    if m.outputs.is_empty() {
        return Ok(true);
    }
    let count = m.fixed(number, "the number of tab/1").as_integer();
    let count = count.and_then(|count| usize::try_from(&count).ok()).unwrap_or(0).min(m.bounds.cells);
    m.collect(&" ".repeat(count))
}

fn put_char(m: &mut Machine<'_>, call: Call) -> Step {
    let character = m.one_character(m.arg(call, 0))?;
    m.collect(&character.to_string())
}

impl Machine<'_> {
    /// Adds text to what is collected.
    pub(super) fn collect(&mut self, text: &str) -> Step {
        if let Some(output) = self.outputs.last_mut() {
            output.push_str(text);
            if output.len() > self.bounds.cells {
                return Err(Stop::Budget(xcute_trace::Budget::Memory));
            }
        }
        Ok(true)
    }

    /// A term as it is written.
    pub(super) fn term_text(&mut self, cell: Cell, style: Style) -> Result<String, Stop> {
        let (terms, root, names) = self.term_to_write(cell)?;
        let names: &[Option<Arc<str>>] = if style == Style::Canonical { &[] } else { &names };
        Ok(Writer::new(&self.symbols.atoms, self.operators(), style).term(&terms, root, names))
    }

    /// A copy that can be written, and names for its variables.
    #[expect(clippy::type_complexity, reason = "the term, its root, and its names")]
    fn term_to_write(&mut self, cell: Cell) -> Result<(Arena, crate::syntax::TermRef, Vec<Option<Arc<str>>>), Stop> {
        let cell = self.pinned(cell, WHAT)?;
        let (mut terms, mut variables) = (Arena::default(), FxHashMap::default());
        let root = to_arena(&self.heap, self.symbols, cell, &mut terms, &mut variables);
        let mut named: Vec<(u32, u32)> = variables.into_iter().map(|(address, number)| (number, address)).collect();
        named.sort_unstable();
        let names = named.into_iter().map(|(_, address)| Some(Arc::from(format!("_{address}")))).collect();
        Ok((terms, root, names))
    }

    /// Where text is to go: `atom(A)`, `string(S)`, `codes(C)`, `chars(C)`, the last two also with what follows.
    pub(crate) fn check_sink(&mut self, sink: Cell) -> Result<(Kind, Cell, Option<Cell>), Stop> {
        let sink = if self.is_input(sink) { self.pinned(sink, "where output goes")? } else { sink };
        let Cell::Struct(address) = sink else {
            return Err(match sink {
                Cell::Var(_) => self.instantiation_error(),
                name @ Cell::Atom(_) => self.no_stream(name),
                other => self.type_error("output", other),
            });
        };
        let functor = self.heap.functor(address);
        let kind = match (self.symbols.name(functor), self.symbols.arity(functor)) {
            (Atom::ATOM, 1) => Kind::Atom,
            (Atom::STRING, 1) => Kind::String,
            (Atom::CODES, 1 | 2) => Kind::Codes,
            (Atom::CHARS, 1 | 2) => Kind::Chars,
            _ => return Err(self.type_error("output", sink)),
        };
        let tail = (self.symbols.arity(functor) == 2).then(|| self.heap.arg(address, 1));
        Ok((kind, self.heap.arg(address, 0), tail))
    }

    pub(super) fn no_stream(&mut self, name: Cell) -> Stop {
        let (what, functor) = (self.symbols.atom("stream"), self.symbols.functor_named("existence_error", 2));
        let formal = self.heap.compound(functor, &[what, name]);
        self.error(formal)
    }

    /// The number of spaces that an expression says.
    pub(super) fn spaces(&mut self, expression: Cell) -> Result<Number, Stop> {
        let number = self.evaluate(expression)?;
        if number.is_float() {
            return Err(self.type_error("integer_expression", expression));
        }
        let fits = match number {
            Number::Sym(term) => self.is_within(term, i64::MIN, i64::MAX),
            Number::Big(_) => false,
            _ => true,
        };
        if fits { Ok(number) } else { Err(self.evaluation_error("int_overflow")) }
    }

    /// Whether a term is written as a whole within a depth: each element of a list is one deeper than the one before.
    fn is_shallow(&mut self, term: Cell, depth: i64) -> bool {
        let mut pending = vec![(term, depth)];
        while let Some((term, depth)) = pending.pop() {
            match self.heap.deref(term) {
                _ if depth < 1 => return false,
                Cell::Sym(_) => return false,
                Cell::Struct(address) => {
                    let arity = self.symbols.arity(self.heap.functor(address));
                    pending.extend((0..arity).map(|at| (self.heap.arg(address, at), depth - 1)));
                }
                _ => {}
            }
        }
        true
    }

    /// A character, or its code.
    pub(super) fn one_character(&mut self, cell: Cell) -> Result<char, Stop> {
        let single = |text: &str| {
            let mut all = text.chars();
            all.next().filter(|_| all.next().is_none())
        };
        let cell = self.pinned(cell, WHAT)?;
        let found = match cell {
            Cell::Var(_) => return Err(self.instantiation_error()),
            Cell::Atom(name) => single(self.symbols.atoms.name(name)),
            Cell::Str(id) => single(self.symbols.text(id)),
            Cell::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
            _ => None,
        };
        found.ok_or_else(|| self.type_error("character", cell))
    }

    /// Gives a collected text to whom it is for.
    pub(crate) fn unify_sink(&mut self, sink: Cell, text: &str) -> Step {
        let (kind, to, tail) = self.check_sink(sink)?;
        let mut made = self.text_cell(text, kind)?;
        if let Some(tail) = tail {
            let items = self.proper_list(made)?;
            made = self.list(&items, tail);
        }
        self.unify_now(to, made)
    }
}
