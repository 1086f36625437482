//! Places in model files, and C++ text with the place it came from.
//!
//! **Invariant.** Places do not take part in comparisons: two models that were read from different files, or in different formats, are
//! equal if they say the same. The round trip through Art relies on that.

use std::fmt;
use std::sync::Arc;

/// Where something stands in a model file.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The file as it was named by the caller.
    pub file: Arc<str>,
    /// Counted from 1; 0 if there is no line to name.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// The `xmi:id` of the element, where the format has one.
    pub id: Option<Arc<str>>,
}

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}

/// A piece of C++ as the modeller wrote it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Code {
    /// The text, with `\n` between lines.
    pub text: Arc<str>,
    /// Where its first character stands.
    pub place: Place,
    /// How the lines of the text lie in the file.
    pub lines: Lines,
}

/// How the lines of a text lie in the file it came from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lines {
    /// One below the other.
    #[default]
    Below,
    /// All in one line of the file: the text was an XML attribute with escaped line ends.
    Folded,
    /// Nowhere: the text was composed by a reader, from an element that stands at the place.
    Composed,
}

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Eq for Lines {}

impl Code {
    /// Code that stands in a file as it is.
    #[must_use]
    pub fn new(text: &str, place: Place) -> Code {
        Code { text: unix(text).into(), place, lines: Lines::Below }
    }

    /// Code that a reader composed from an element.
    #[must_use]
    pub fn composed(text: &str, place: Place) -> Code {
        Code { text: unix(text).into(), place, lines: Lines::Composed }
    }

    /// Whether there is nothing but space.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether this is the guard `else`: it holds where no other guard does.
    #[must_use]
    pub fn is_else(&self) -> bool {
        matches!(self.text.trim().trim_end_matches(';').trim(), "else" | "return else")
    }
}

fn unix(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// What a snippet of C++ is for, as Art names it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum SnippetKind {
    /// Before the class.
    HeaderPreface,
    /// After the class.
    HeaderEnding,
    /// Before the definitions of its members.
    ImplPreface,
    /// After them.
    ImplEnding,
    /// Inside the class; of a file: in its header.
    Decl,
    /// Among the definitions of its members; of a file: in its source.
    Impl,
}

impl SnippetKind {
    /// All of them, in the order they are printed.
    pub const ALL: [SnippetKind; 6] = [
        SnippetKind::HeaderPreface,
        SnippetKind::HeaderEnding,
        SnippetKind::ImplPreface,
        SnippetKind::ImplEnding,
        SnippetKind::Decl,
        SnippetKind::Impl,
    ];

    /// The name after `rt::`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SnippetKind::HeaderPreface => "header_preface",
            SnippetKind::HeaderEnding => "header_ending",
            SnippetKind::ImplPreface => "impl_preface",
            SnippetKind::ImplEnding => "impl_ending",
            SnippetKind::Decl => "decl",
            SnippetKind::Impl => "impl",
        }
    }
}

/// C++ that belongs to a file, a protocol, a capsule or a class as a whole.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Snippet {
    /// What it is for.
    pub kind: SnippetKind,
    /// The text.
    pub code: Code,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_those_of_unix() {
        assert_eq!(&*Code::new("a\r\nb\rc\n", Place::default()).text, "a\nb\nc\n");
    }

    #[test]
    fn else_is_recognised_as_people_write_it() {
        for (text, expected) in [("else", true), (" else ; ", true), ("return else;", true), ("otherwise", false), ("x == else_", false)] {
            assert_eq!(Code::new(text, Place::default()).is_else(), expected, "{text}");
        }
    }

    #[test]
    fn equal_texts_are_equal_wherever_they_stand() {
        let there = Place { file: "b.art".into(), line: 7, column: 3, id: None };
        assert_eq!(Code::new("x", Place::default()), Code::new("x", there));
    }
}
