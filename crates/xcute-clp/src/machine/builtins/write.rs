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

/// Of the options only `quoted(true)` counts.
fn write_term(m: &mut Machine<'_>, call: Call) -> Step {
    let quoted = m.symbols.functor_named("quoted", 1);
    let mut style = Style::Plain;
    for option in m.proper_list(m.arg(call, 1))? {
        if let Cell::Struct(address) = option
            && m.heap.functor(address) == quoted
            && m.heap.arg(address, 0) == Cell::Atom(Atom::TRUE)
        {
            style = Style::Quoted;
        }
    }
    put(m, call, style, "")
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
    let number = m.evaluate(m.arg(call, 0))?;
    if let Number::Float(_) = number {
        return Err(m.type_error("integer_expression", m.arg(call, 0)));
    }
    if let Number::Big(_) = number {
        return Err(m.evaluation_error("int_overflow"));
    }
    if m.outputs.is_empty() {
        return Ok(true);
    }
    let count = m.fixed(number, "the number of tab/1").as_integer();
    let count = count.and_then(|count| usize::try_from(&count).ok()).unwrap_or(0).min(m.bounds.cells);
    m.collect(&" ".repeat(count))
}

fn put_char(m: &mut Machine<'_>, call: Call) -> Step {
    let text = match m.pinned(m.arg(call, 0), WHAT)? {
        Cell::Atom(name) if m.symbols.atoms.name(name).chars().count() == 1 => m.symbols.atoms.name(name).to_owned(),
        Cell::Int(code) if u32::try_from(code).ok().and_then(char::from_u32).is_some() => {
            u32::try_from(code).ok().and_then(char::from_u32).expect("just seen").to_string()
        }
        Cell::Var(_) => return Err(m.instantiation_error()),
        other => return Err(m.type_error("character", other)),
    };
    m.collect(&text)
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

    /// Where text is to go: `atom(A)`, `string(S)`, `codes(C)`, `chars(C)`.
    pub(crate) fn check_sink(&mut self, sink: Cell) -> Result<(Kind, Cell), Stop> {
        let Cell::Struct(address) = sink else {
            return Err(match sink {
                Cell::Var(_) => self.instantiation_error(),
                name @ Cell::Atom(_) => {
                    let (what, functor) = (self.symbols.atom("stream"), self.symbols.functor_named("existence_error", 2));
                    let formal = self.heap.compound(functor, &[what, name]);
                    self.error(formal)
                }
                other => self.type_error("output", other),
            });
        };
        let functor = self.heap.functor(address);
        let kind = match (self.symbols.name(functor), self.symbols.arity(functor)) {
            (Atom::ATOM, 1) => Kind::Atom,
            (Atom::STRING, 1) => Kind::String,
            (Atom::CODES, 1) => Kind::Codes,
            (Atom::CHARS, 1) => Kind::Chars,
            _ => return Err(self.type_error("output", sink)),
        };
        Ok((kind, self.heap.arg(address, 0)))
    }

    /// Gives a collected text to whom it is for.
    pub(crate) fn unify_sink(&mut self, sink: Cell, text: &str) -> Step {
        let (kind, to) = self.check_sink(sink)?;
        let made = self.text_cell(text, kind)?;
        self.unify_now(to, made)
    }
}
