//! Reading: terms from texts, and from an input that is empty, as it is for the tests.

use super::Builtin;
use super::text::Kind;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::choice::relocated;
use crate::machine::code;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::shape::ListView;
use crate::syntax::{Atom, Problem, Reader, SourceId, Style, SyntaxError};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("read", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Atom(Atom::END_OF_FILE)))),
    ("read", 2, Builtin::Plain(|m, c| from_input(m, c, Cell::Atom(Atom::END_OF_FILE)))),
    ("read_term", 2, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Atom(Atom::END_OF_FILE)))),
    ("read_term", 3, Builtin::Plain(|m, c| from_input(m, c, Cell::Atom(Atom::END_OF_FILE)))),
    ("get_char", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Atom(Atom::END_OF_FILE)))),
    ("get_char", 2, Builtin::Plain(|m, c| from_input(m, c, Cell::Atom(Atom::END_OF_FILE)))),
    ("peek_char", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Atom(Atom::END_OF_FILE)))),
    ("get_code", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Int(-1)))),
    ("peek_code", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Int(-1)))),
    ("get_byte", 1, Builtin::Plain(|m, c| m.unify_now(m.arg(c, 0), Cell::Int(-1)))),
    ("read_line_to_string", 2, Builtin::Plain(|m, c| from_input(m, c, Cell::Atom(Atom::END_OF_FILE)))),
    ("read_line_to_codes", 2, Builtin::Plain(|m, c| from_input(m, c, Cell::Int(-1)))),
    ("term_to_atom", 2, Builtin::Plain(|m, c| convert(m, c, Kind::Atom))),
    ("term_string", 2, Builtin::Plain(|m, c| convert(m, c, Kind::String))),
    ("atom_to_term", 3, Builtin::Plain(atom_to_term)),
    ("read_term_from_atom", 3, Builtin::Plain(read_term_from_atom)),
];

/// Reads from the stream that is the first argument.
fn from_input(m: &mut Machine<'_>, call: Call, end: Cell) -> Step {
    match m.arg(call, 0) {
        Cell::Atom(name) if m.symbols.atoms.name(name) == "user_input" => m.unify_now(m.arg(call, 1), end),
        _ => m.unsupported("reading from a stream"),
    }
}

fn convert(m: &mut Machine<'_>, call: Call, kind: Kind) -> Step {
    let term = m.arg(call, 0);
    if !matches!(m.arg(call, 1), Cell::Var(_)) {
        let text = m.text(m.arg(call, 1))?;
        let (read, _) = m.read_text(&text)?;
        return m.unify_now(term, read);
    }
    let text = m.term_text(term, Style::Quoted)?;
    let made = m.text_cell(&text, kind)?;
    m.unify_now(m.arg(call, 1), made)
}

fn atom_to_term(m: &mut Machine<'_>, call: Call) -> Step {
    let text = m.text(m.arg(call, 0))?;
    if let ListView::Other(other) = m.list_view(m.arg(call, 2)) {
        return Err(m.type_error("list", other));
    }
    let (read, names) = m.read_text(&text)?;
    let equals = m.symbols.functor(Atom::EQUALS, 2);
    let mut items = Vec::new();
    for (name, variable) in names {
        let name = m.symbols.atom(&name);
        items.push(m.heap.compound(equals, &[name, variable]));
    }
    let list = m.list(&items, Cell::Atom(Atom::NIL));
    Ok(m.unify_now(m.arg(call, 1), read)? && m.unify_now(m.arg(call, 2), list)?)
}

fn read_term_from_atom(m: &mut Machine<'_>, call: Call) -> Step {
    let text = m.words(m.arg(call, 0))?;
    let (read, _) = m.read_text(&text)?;
    m.unify_now(m.arg(call, 1), read)
}

impl Machine<'_> {
    /// The term that a text is, and its variables by name.
    fn read_text(&mut self, text: &str) -> Result<(Cell, Vec<(String, Cell)>), Stop> {
        if text.trim().is_empty() {
            return Ok((Cell::Atom(Atom::END_OF_FILE), Vec::new()));
        }
        let ended = format!("{text} .");
        let operators = self.own_operators.as_deref().unwrap_or(&self.program.operators);
        let sentence = match Reader::new(SourceId(0), &ended).next(&mut self.symbols.atoms, operators, self.flags) {
            Some(Ok(sentence)) => sentence,
            Some(Err(SyntaxError { problem: Problem::EndOfFileInQuotes, span })) => {
                let (functor, quote) = (self.symbols.functor_named("end_of_file_in_quoted", 1), &ended[span.start as usize..]);
                let quote = self.symbols.atom(&quote[..quote.len().min(1)]);
                let what = self.heap.compound(functor, &[quote]);
                return Err(self.malformed(what));
            }
            Some(Err(SyntaxError { problem: Problem::MissingTerm(before), span })) if before == "|" => {
                let list = ended[..span.start as usize].trim_end().ends_with('[');
                return Err(self.syntax_error(if list { "double_bar_outside_quasiquotation" } else { "quoted_punctuation" }));
            }
            Some(Err(error)) => return Err(self.syntax_error(syntax_error(&error.problem))),
            None => return Ok((Cell::Atom(Atom::END_OF_FILE), Vec::new())),
        };
        let (cells, root) = code::relative(&sentence.terms, sentence.root, sentence.variables.len(), self.symbols);
        let base = self.heap.instantiate(&cells);
        let names = (base..).zip(&sentence.variables).filter_map(|(at, name)| Some((name.as_deref()?.to_owned(), Cell::Var(at)))).collect();
        Ok((relocated(root, base), names))
    }

    pub(super) fn syntax_error(&mut self, what: &str) -> Stop {
        let what = self.symbols.atom(what);
        self.malformed(what)
    }

    fn malformed(&mut self, what: Cell) -> Stop {
        let functor = self.symbols.functor_named("syntax_error", 1);
        let formal = self.heap.compound(functor, &[what]);
        self.error(formal)
    }
}

/// What SWI-Prolog calls an error of syntax.
fn syntax_error(problem: &Problem) -> &'static str {
    match problem {
        Problem::EndOfFile | Problem::MissingTerm(_) | Problem::NeverClosed(_) => "end_of_clause",
        Problem::MissingOperator(_) => "operator_expected",
        Problem::OperatorClash(_) => "operator_clash",
        Problem::MissingArgument(_) => "operator_balance",
        Problem::Unbalanced(..) => "cannot_start_term",
        Problem::Character(_) => "illegal_character",
        _ => "illegal_syntax",
    }
}
