//! Results for people and for machines: one [`Summary`], and one file per form it takes.
//!
//! A [`Report`] is all that a renderer may look at. Renderers are functions from a report to text; who prints or writes the text is
//! not their business.
//!
//! **Invariant.** Nothing here runs a subject, reads a file or prints. What a renderer shows is in the report, so the same report
//! gives the same text.

mod choices;
mod coverage;
mod excerpt;
mod fold;
mod groups;
mod interleaving;
mod json;
mod pruning;
mod report;
mod section;
mod style;
mod summary;

pub mod html;
pub mod lanes;
pub mod lcov;
pub mod schedules;
pub mod terminal;

pub use choices::{Others, PredicateChoices, SeenSubset, counts as choice_counts, to_json as choices_json};
pub use coverage::{BranchArm, FileCoverage, FunctionCoverage, SourceCoverage};
pub use json::{parse, render as json};
pub use pruning::TreeNode;
pub use report::{InputValue, Report};
pub use section::{Counted, Line, Section, Words};
pub use style::Style;
pub use summary::{
    Arms, ChoiceCounts, Coverage, Failure, Flipped, Interleaved, LayerShare, Limit, MachineCoverage, Pruning, Ratio, Seconds, SolverShare,
    Summary, Unconfirmed,
};
