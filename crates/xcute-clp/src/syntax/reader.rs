//! Reading terms one after another, going on after errors.
//!
//! **Invariant.** After an error, reading goes on after the next full stop, so one mistake hides at most the clause it is in.

use std::sync::Arc;

use super::lexer::Lexer;
use super::parser::{self, Context};
use super::token::Token;
use super::{Arena, Atom, Atoms, Flags, Operators, SourceId, Span, SyntaxError, TermRef};

/// A term that stood before a full stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Its terms.
    pub terms: Arena,
    /// The whole of it.
    pub root: TermRef,
    /// The names of its variables by number; `None` for `_`.
    pub variables: Vec<Option<Arc<str>>>,
    /// From its first character to its full stop.
    pub span: Span,
}

/// Reads the terms of a text. The tables come with each call, because directives change them in between.
#[derive(Debug)]
pub struct Reader<'t> {
    lexer: Lexer<'t>,
    source: SourceId,
}

impl<'t> Reader<'t> {
    /// Begins with a text.
    pub fn new(source: SourceId, text: &'t str) -> Reader<'t> {
        Reader { lexer: Lexer::new(text), source }
    }

    /// How much of the text is read, in bytes.
    pub fn offset(&self) -> usize {
        self.lexer.offset()
    }

    /// Whether the next term is a directive `:- pred …`, `:- mode …`, `:- type …` or `:- regtype …`, which has operators of its own.
    pub(super) fn declares(&self, atoms: &mut Atoms) -> bool {
        let mut ahead = self.lexer.clone();
        let mut name = || match ahead.next(atoms, true).map(|placed| placed.token) {
            Ok(Token::Name { atom, .. }) => Some(atom),
            _ => None,
        };
        name() == Some(Atom::NECK) && matches!(name(), Some(Atom::PRED | Atom::MODE | Atom::TYPE | Atom::REGTYPE))
    }

    /// The next term; `None` at the end.
    pub fn next(&mut self, atoms: &mut Atoms, operators: &Operators, flags: Flags) -> Option<Result<Sentence, SyntaxError>> {
        let before = self.lexer.offset();
        let mut context = Context { atoms, operators, flags };
        match parser::read(&mut self.lexer, &mut context) {
            Ok(parsed) => {
                let parsed = parsed?;
                let span = Span { source: self.source, start: parsed.start, end: parsed.end };
                Some(Ok(Sentence { terms: parsed.terms, root: parsed.root, variables: parsed.variables, span }))
            }
            Err(error) => {
                self.recover(before, context.atoms);
                let span = Span { source: self.source, start: error.start, end: error.end };
                Some(Err(SyntaxError { problem: error.problem, span }))
            }
        }
    }

    fn recover(&mut self, before: usize, atoms: &mut Atoms) {
        // The offending token may have been the full stop itself.
        if self.lexer.text(before as u32, self.lexer.offset() as u32).ends_with('.') && self.lexer.at_layout() {
            return;
        }
        loop {
            match self.lexer.next(atoms, true) {
                Ok(placed) if matches!(placed.token, Token::End | Token::EndOfFile) => return,
                Ok(_) | Err(_) => {}
            }
        }
    }
}
