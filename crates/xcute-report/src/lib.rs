//! Results for people and for machines: one [`Summary`], and one file per form it takes.
//!
//! A [`Report`] is all that a renderer may look at. Renderers are functions from a report to text; who prints or writes the text is
//! not their business.
//!
//! **Invariant.** Nothing here runs a subject, reads a file or prints. What a renderer shows is in the report, so the same report
//! gives the same text.

mod coverage;
mod excerpt;
mod figures;
mod fold;
mod groups;
mod interleaving;
mod json;
mod limit_kinds;
mod paths;
mod profile;
mod provenance;
mod pruning;
mod ratio;
mod report;
mod section;
mod style;
mod summary;
mod timeline;

pub mod exchange;
pub mod html;
pub mod lanes;
pub mod lcov;
pub mod schedules;
pub mod terminal;

pub use coverage::{BranchArm, FileCoverage, FunctionCoverage, SourceCoverage};
pub use figures::{Figure, Figures};
pub use json::{parse, render as json};
pub use limit_kinds::{LIMIT_KINDS, LimitKind};
pub use paths::{PathArm, PathNode, PathSite, PathState, Paths};
pub use profile::{flame_graph, folded, table as profile_table};
pub use provenance::Provenance;
pub use pruning::TreeNode;
pub use ratio::Ratio;
pub use report::{ArmCase, InputValue, Report};
pub use section::{Cell, Counted, Ends, Line, Picture, Row, Section, Table, Units, Words};
pub use style::Style;
pub use summary::{
    Arms, Coverage, Failure, Flipped, Fuzzed, Interleaved, LayerShare, Limit, Pruning, Seconds, SolverShare, Summary, Unconfirmed,
};
pub use timeline::{Moment, Timeline};
