//! What only some languages have in their results: front ends fill it, renderers show it as it is.
//!
//! **Invariant.** No renderer knows a language: what a clause or a transition is, and how many of them were covered, is said here.

use crate::limit_kinds::LimitKind;
use crate::ratio::Ratio;

/// A part of the report that a front end fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// One word: `choices`, `machine`.
    pub name: String,
    /// What it says among the figures of the search.
    pub line: Line,
    /// The same in detail; `None` where the line says it all.
    pub table: Option<Table>,
}

/// A section in detail: a table of the page, and lines of the verbose text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its title on the page.
    pub title: String,
    /// What it shows, on the page.
    pub about: String,
    /// The same in a few words, in the text.
    pub brief: String,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about: the first column.
    pub name: String,
    /// Where that is: file and line.
    pub place: (String, u32),
    /// The other columns.
    pub cells: Vec<Cell>,
    /// What the text says of it.
    pub text: String,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Whether it asks for attention.
    pub warning: bool,
}

impl Cell {
    /// A cell that says this.
    pub fn new(text: impl ToString) -> Cell {
        Cell { text: text.to_string(), warning: false }
    }
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
    /// Parts of its own.
    pub sections: Vec<Section>,
    /// What it has in place of branches, lines and functions; empty where it has those.
    pub counted: Vec<Counted>,
    /// Pictures for the page.
    pub pictures: Vec<Picture>,
    /// What its lines, branches and functions are called.
    pub units: Units,
    /// How it calls the ends of runs.
    pub ends: Ends,
    /// The kinds of limits that only it has.
    pub limits: &'static [LimitKind],
}

/// What is covered, as heads of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// What a line of the coverage stands for: `lines`, `clauses`.
    pub lines: &'static str,
    /// What its branches are.
    pub branches: &'static str,
    /// What its functions are: `functions`, `predicates`.
    pub functions: &'static str,
    /// One of them: `function`, `predicate`.
    pub function: &'static str,
}

impl Units {
    /// The usual ones.
    pub const USUAL: Units = Units { lines: "lines", branches: "branches", functions: "functions", function: "function" };
}

impl Default for Units {
    fn default() -> Units {
        Units::USUAL
    }
}

/// What the end of a run is called, where the usual words mean something else to those who write the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Nothing was wrong: `passed`.
    pub passed: &'static str,
    /// Something was: `failed`.
    pub failed: &'static str,
}

impl Default for Ends {
    fn default() -> Ends {
        Ends { passed: "passed", failed: "failed" }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The failure that it is about, by its id; none where it is about all of the search.
    pub of: Option<String>,
    /// What it shows.
    pub title: String,
    /// As SVG.
    pub svg: String,
}
