//! What only some languages have in their results: front ends fill it, renderers show it as it is.
//!
//! **Invariant.** No renderer knows a language: what a clause or a transition is, and how many of them were covered, is said here.

use crate::summary::Ratio;

/// A line of figures that a front end writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// One word: `choices`, `machine`.
    pub name: String,
    /// What it says.
    pub line: Line,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Plain words.
    Text(String),
    /// How much was covered.
    Counted(Vec<Counted>),
}

impl Line {
    /// In words; `ratio` is how the form of the report writes how much of something was covered.
    pub(crate) fn shown(&self, ratio: impl Fn(Ratio) -> String) -> String {
        match self {
            Line::Text(text) => text.clone(),
            Line::Counted(all) => all.iter().map(|of| format!("{} {}", of.what, ratio(of.ratio))).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Something that is covered or not, in the words of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What, in the plural: `clauses`.
    pub what: String,
    /// How much of it.
    pub ratio: Ratio,
}

impl Counted {
    /// What was covered of these.
    #[must_use]
    pub fn new(what: &str, ratio: Ratio) -> Counted {
        Counted { what: what.to_owned(), ratio }
    }
}

/// What a front end adds to the figures of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Lines of its own.
    pub sections: Vec<Section>,
    /// What it has in place of branches, lines and functions; empty where it has those.
    pub counted: Vec<Counted>,
}
