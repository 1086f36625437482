//! Annotations: where a construct stands in the source, and what the compiler says about it.

use crate::etf::{Atom, Term};

/// The annotation of a node, as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Anno(pub Term);

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// The file, where the annotation says it.
    pub file: Option<String>,
    /// The line; 0 where unknown.
    pub line: u32,
    /// The column; 0 where unknown.
    pub column: u32,
}

impl Anno {
    /// No annotation.
    #[must_use]
    pub fn none() -> Anno {
        Anno(Term::Nil)
    }

    /// The annotation of something we add: no warnings about it.
    #[must_use]
    pub fn generated() -> Anno {
        Anno(Term::list(vec![Term::Atom(Atom::COMPILER_GENERATED)]))
    }

    /// The annotation without this atom.
    #[must_use]
    pub fn without(&self, atom: Atom) -> Anno {
        let items = self.0.items().unwrap_or_default();
        Anno(Term::list(items.iter().filter(|item| **item != Term::Atom(atom)).cloned().collect()))
    }

    /// Whether it has this atom.
    #[must_use]
    pub fn has(&self, atom: Atom) -> bool {
        self.0.items().is_some_and(|items| items.contains(&Term::Atom(atom)))
    }

    /// The place; line and column are numbers or a pair, also inside `{location, …}`.
    #[must_use]
    pub fn location(&self) -> Location {
        let mut location = Location::default();
        for item in self.0.items().unwrap_or_default() {
            match item {
                Term::Int(line) => location.line = u32::try_from(*line).unwrap_or(0),
                Term::Tuple(pair) => match &pair[..] {
                    [Term::Int(line), Term::Int(column)] => {
                        location.line = u32::try_from(*line).unwrap_or(0);
                        location.column = u32::try_from(*column).unwrap_or(0);
                    }
                    [Term::Atom(Atom::FILE), file] => location.file = file.text(),
                    _ => {}
                },
                _ => {}
            }
        }
        location
    }
}
