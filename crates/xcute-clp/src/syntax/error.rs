//! Syntax errors: what is wrong, where, and the line it stands in.
//!
//! **Invariant.** [`Diagnostic`] prints one message line that can be clicked on, `file:line:column: …`, then the line and a mark under it.

use std::fmt;

use thiserror::Error;

use super::{OperatorError, Source, Span};

/// What is wrong with a text.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "the messages say what they are")]
pub enum Problem {
    #[error("end of file inside a clause (is a full stop missing?)")]
    EndOfFile,
    #[error("end of file in a comment that begins here")]
    EndOfFileInComment,
    #[error("end of file in quotes that begin here")]
    EndOfFileInQuotes,
    #[error("unknown escape sequence \\{0}")]
    Escape(char),
    #[error("no character has this code")]
    CharacterCode,
    #[error("a character is missing after 0'")]
    MissingCharacter,
    #[error("{0} is not a number")]
    Number(String),
    #[error("rational numbers are not supported")]
    Rational,
    #[error("dicts are not supported")]
    Dict,
    #[error("quasi quotations are not supported")]
    QuasiQuotation,
    #[error("unexpected character {0:?}")]
    Character(char),
    #[error("a term is missing before {0}")]
    MissingTerm(String),
    #[error("an operator is missing before {0}")]
    MissingOperator(String),
    #[error("operators clash: {0} cannot take this argument without brackets")]
    OperatorClash(String),
    #[error("an argument of operator {0} is missing")]
    MissingArgument(String),
    #[error("{0} is closed by {1}")]
    Unbalanced(char, String),
    #[error("{0} is never closed")]
    NeverClosed(char),
    #[error("the tail of a list is one term")]
    ListTail,
    #[error("a variable cannot be called like this (use call/N)")]
    VariableFunctor,
    #[error("{0}")]
    Operator(#[from] OperatorError),
    #[error("{0} cannot be the head of a clause")]
    Head(String),
    #[error("cannot expand this grammar rule: {0} is not a grammar body")]
    Grammar(String),
    #[error("the declaration must look like p(+list(int), -int) is det")]
    Declaration,
    #[error("no type is called {0}{1}")]
    Type(String, String),
    #[error("the condition of this :- if cannot be decided without running it")]
    Condition,
    #[error("{0} without :- if")]
    Unconditional(String),
    #[error(":- if without :- endif")]
    Unended,
    #[error("cannot read {0}: {1}")]
    File(String, String),
    #[error("the file is larger than 4 GiB")]
    TooLarge,
}

/// A problem and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub span: Span,
}

impl SyntaxError {
    /// The error with its source, to be shown.
    pub fn show<'a>(&'a self, source: &'a Source) -> Diagnostic<'a> {
        Diagnostic { error: self, source }
    }
}

/// A syntax error as people read it.
#[derive(Debug)]
pub struct Diagnostic<'a> {
    error: &'a SyntaxError,
    source: &'a Source,
}

/// Longer lines are cut around the place.
const WIDTH: usize = 100;

impl fmt::Display for Diagnostic<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { start, end, .. } = self.error.span;
        let (line, column) = self.source.position(start);
        writeln!(out, "{}:{line}:{column}: {}", self.source.path, self.error.problem)?;
        let before = column as usize - 1;
        let skip = before.saturating_sub(WIDTH / 2);
        let text: String = self.source.line(line).chars().skip(skip).take(WIDTH).map(|c| if c == '\t' { ' ' } else { c }).collect();
        let (last, last_column) = self.source.position(end.max(start));
        let length = if last == line {
            (last_column.saturating_sub(column)).max(1) as usize
        } else {
            text.chars().count().saturating_sub(before - skip).max(1)
        };
        let number = line.to_string();
        writeln!(out, " {number} | {text}")?;
        write!(out, " {} | {}{}", " ".repeat(number.len()), " ".repeat(before - skip), "^".repeat(length.min(WIDTH)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::SourceId;

    #[test]
    fn a_mark_stands_under_the_place() {
        let source = Source::new("p.pl", "p(a).\n\tq(a b).\n");
        let error = SyntaxError { problem: Problem::MissingOperator("b".into()), span: Span { source: SourceId(0), start: 11, end: 12 } };
        let shown = error.show(&source).to_string();
        assert_eq!(shown, "p.pl:2:6: an operator is missing before b\n 2 |  q(a b).\n   |      ^");
    }

    #[test]
    fn a_place_at_the_end_of_the_file_is_shown() {
        let source = Source::new("p.pl", "p(a)");
        let error = SyntaxError { problem: Problem::EndOfFile, span: Span { source: SourceId(0), start: 4, end: 4 } };
        assert!(error.show(&source).to_string().ends_with("1 | p(a)\n   |     ^"));
    }
}
