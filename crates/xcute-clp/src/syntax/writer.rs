//! Writing terms so that they can be read again: with operators and as few brackets as needed, or canonically.
//!
//! Work is kept on a stack of its own, so terms of any depth can be written. Tokens that would grow together are kept apart by one space, which is decided
//! where they meet and nowhere else.
//!
//! **Invariant.** What is written is read as the same term, under the same operators, by this crate's reader and by SWI-Prolog.

use std::borrow::Cow;
use std::sync::Arc;

use super::lexer::{is_identifier, is_symbol};
use super::names::{Names, letter};
use super::quoting::{self, atom_text};
use super::{Arena, Atom, Atoms, Fixity, Operator, Operators, Term, TermRef};

/// How terms are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As `write_canonical/1`: lists in brackets, everything else as `name(argument, …)`, variables `A`, `B`, and `_` for those that occur once.
    Canonical,
    /// As `portray_clause/1`: with operators.
    Operators,
    /// As `writeq/1` and `print/1`: with operators, and as few spaces as can be.
    Quoted,
    /// As `write/1`: the same, without quotes.
    Plain,
}

/// Writes terms.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    atoms: &'a Atoms,
    operators: &'a Operators,
    style: Style,
    letters: bool,
}

/// Operators of this priority and above get spaces.
const LOOSE: u16 = 700;

/// The greatest priority of an argument.
const ARGUMENT: u16 = 999;

enum Work {
    /// A term in a place of its own, between brackets or commas.
    Alone(TermRef, u16),
    /// An operand.
    Operand(TermRef, u16),
    /// The rest of a list after an element.
    Rest(TermRef),
    Text(&'static str),
    /// An infix operator with the spaces it gets.
    Infix(Atom),
    Postfix(Atom),
}

impl<'a> Writer<'a> {
    /// A writer for terms with these atoms.
    pub fn new(atoms: &'a Atoms, operators: &'a Operators, style: Style) -> Writer<'a> {
        Writer { atoms, operators, style, letters: true }
    }

    /// The same without letters for `'$VAR'(N)`.
    #[must_use]
    pub(crate) fn without_letters(self) -> Writer<'a> {
        Writer { letters: false, ..self }
    }

    /// A term whose variables have these names.
    pub fn term(&self, terms: &Arena, root: TermRef, variables: &[Option<Arc<str>>]) -> String {
        self.bounded(terms, root, variables, 1200)
    }

    /// A term that may stand where only this priority may.
    pub(crate) fn bounded(&self, terms: &Arena, root: TermRef, variables: &[Option<Arc<str>>], priority: u16) -> String {
        let names = match self.style {
            Style::Canonical => Names::canonical(terms, root),
            _ => Names::given(terms, root, variables),
        };
        self.named(terms, root, &names, priority)
    }

    fn atom(&self, atom: Atom) -> Cow<'a, str> {
        if self.style == Style::Plain { Cow::Borrowed(self.atoms.name(atom)) } else { atom_text(self.atoms, atom) }
    }

    /// A term with names that may be those of other terms too.
    pub(super) fn named(&self, terms: &Arena, root: TermRef, names: &Names, priority: u16) -> String {
        let mut writing = Writing { writer: *self, terms, names, out: Output::default(), work: vec![Work::Alone(root, priority)] };
        while let Some(next) = writing.work.pop() {
            match next {
                Work::Text(text) => writing.out.glue(text),
                Work::Infix(atom) => writing.infix(atom),
                Work::Postfix(atom) => writing.out.token(&self.atom(atom)),
                Work::Rest(list) => writing.rest(list),
                Work::Alone(term, priority) => writing.term(term, priority, true),
                Work::Operand(term, priority) => writing.term(term, priority, false),
            }
        }
        writing.out.text
    }
}

struct Writing<'a> {
    writer: Writer<'a>,
    terms: &'a Arena,
    names: &'a Names,
    out: Output,
    work: Vec<Work>,
}

impl Writing<'_> {
    fn term(&mut self, term: TermRef, priority: u16, alone: bool) {
        let Writer { operators, style, .. } = self.writer;
        match self.terms.get(term) {
            Term::Var(number) => self.out.token(self.names.name(*number)),
            Term::Integer(value) => self.out.token(&value.to_string()),
            Term::Float(value) => self.out.token(&quoting::float(*value)),
            Term::String(text) if style == Style::Plain => self.out.token(text),
            Term::String(text) => self.out.token(&quoting::quoted(text, '"')),
            Term::Atom(atom) => {
                // An operator alone is an argument as it is, but an operand only in brackets.
                let bare = alone || style == Style::Canonical || !operators.is_operator(*atom);
                let text = self.writer.atom(*atom);
                if bare { self.out.token(&text) } else { self.out.token(&format!("({text})")) }
            }
            Term::Compound(compound) => self.compound(compound.name, self.terms.args(*compound), priority),
        }
    }

    fn compound(&mut self, name: Atom, args: &[TermRef], priority: u16) {
        if let (Atom::DOT, &[head, tail]) = (name, args) {
            self.out.token("[");
            self.work.extend([Work::Rest(tail), Work::Alone(head, ARGUMENT)]);
            return;
        }
        if self.writer.style != Style::Canonical {
            if let Some(letter) = self.numbered(name, args) {
                self.out.token(&letter);
                return;
            }
            if let (Atom::CURLY, &[inner]) = (name, args) {
                self.out.token("{");
                self.work.extend([Work::Text("}"), Work::Alone(inner, 1200)]);
                return;
            }
            // A dot between operands would be taken for a dict's.
            if name != Atom::PERIOD && self.operator(name, args, priority) {
                return;
            }
        }
        self.out.token(&self.writer.atom(name));
        self.out.glue("(");
        self.work.push(Work::Text(")"));
        for (number, &arg) in args.iter().enumerate().rev() {
            self.work.push(Work::Alone(arg, ARGUMENT));
            if number > 0 {
                self.work.push(Work::Text(if self.writer.style == Style::Operators { ", " } else { "," }));
            }
        }
    }

    fn operator(&mut self, name: Atom, args: &[TermRef], priority: u16) -> bool {
        let operators = self.writer.operators;
        let (operator, parts) = match *args {
            [left, right] => {
                let Some(operator) = operators.infix(name) else { return false };
                (operator, vec![Work::Operand(right, operator.right()), Work::Infix(name), Work::Operand(left, operator.left())])
            }
            [arg] => match (operators.prefix(name), operators.postfix(name)) {
                // A sign before a number would become part of it.
                (Some(operator), _) if self.writer.style != Style::Operators || !self.sign(name, arg) => {
                    (operator, vec![Work::Operand(arg, operator.right())])
                }
                // One that is infix too would wait for its second argument.
                (None, Some(operator)) if operators.infix(name).is_none() => {
                    (operator, vec![Work::Postfix(name), Work::Operand(arg, operator.left())])
                }
                _ => return false,
            },
            _ => return false,
        };
        if operator.priority > priority {
            self.out.token("(");
            self.work.push(Work::Text(")"));
        }
        if is_prefix(operator) {
            self.out.token(&self.writer.atom(name));
            self.out.prefix = true;
            if operator.priority >= LOOSE && self.writer.style == Style::Operators || self.sign(name, args[0]) {
                self.out.glue(" ");
            }
        }
        self.work.extend(parts);
        true
    }

    /// The letter that `'$VAR'(N)` stands for, where it does.
    fn numbered(&self, name: Atom, args: &[TermRef]) -> Option<String> {
        let compact = self.writer.letters && matches!(self.writer.style, Style::Quoted | Style::Plain);
        match *args {
            [arg] if compact && self.writer.atoms.name(name) == "$VAR" => match self.terms.get(arg) {
                Term::Integer(number) => match i64::try_from(number).ok()? {
                    number @ ..0 => Some(format!("S_{}", number.unsigned_abs())),
                    number => usize::try_from(number).ok().map(letter),
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether this would be a sign before a number.
    fn sign(&self, name: Atom, arg: TermRef) -> bool {
        matches!(name, Atom::MINUS | Atom::PLUS) && matches!(self.terms.get(arg), Term::Integer(_) | Term::Float(_))
    }

    fn infix(&mut self, atom: Atom) {
        let text = self.writer.atom(atom);
        let spaced = self.writer.style == Style::Operators;
        let loose = spaced && self.writer.operators.infix(atom).is_some_and(|operator| operator.priority >= LOOSE);
        if atom == Atom::COMMA {
            self.out.glue(if spaced { ", " } else { "," });
        } else if loose || text.starts_with(is_identifier) {
            self.out.glue(" ");
            self.out.token(if atom == Atom::BAR { "|" } else { &text });
            self.out.glue(" ");
        } else {
            self.out.token(&text);
        }
    }

    /// The part of a list after an element: another one, the tail, or the end.
    fn rest(&mut self, list: TermRef) {
        if let Some([head, tail]) = self.terms.matches(list, Atom::DOT) {
            self.out.glue(",");
            self.work.extend([Work::Rest(tail), Work::Alone(head, ARGUMENT)]);
        } else if *self.terms.get(list) == Term::Atom(Atom::NIL) {
            self.out.glue("]");
        } else {
            self.out.glue("|");
            self.work.extend([Work::Text("]"), Work::Alone(list, ARGUMENT)]);
        }
    }
}

fn is_prefix(operator: Operator) -> bool {
    matches!(operator.fixity, Fixity::Fx | Fixity::Fy)
}

/// The text so far, which knows what the next token would grow together with.
#[derive(Default)]
struct Output {
    text: String,
    /// Whether a prefix operator stands last: a bracket after it would make it a functor.
    prefix: bool,
}

impl Output {
    fn token(&mut self, token: &str) {
        let (last, first) = (self.text.chars().next_back(), token.chars().next());
        let apart = match (last, first) {
            (Some(last), Some(first)) => {
                (is_identifier(last) && is_identifier(first))
                    || (is_symbol(last) && is_symbol(first))
                    // A bracket after a name would make it a functor, a brace the tag of a dict.
                    || (self.prefix && first == '(')
                    || (first == '{' && (is_identifier(last) || is_symbol(last) || last == '\''))
                    // Two quotes are one, and `0` with a quote is a character code.
                    || (matches!(first, '\'' | '"') && (last == first || is_identifier(last)))
            }
            _ => false,
        };
        if apart {
            self.text.push(' ');
        }
        self.text.push_str(token);
        self.prefix = false;
    }

    /// Adds text that never grows together with what is there.
    fn glue(&mut self, text: &str) {
        self.text.push_str(text);
        self.prefix = false;
    }
}
