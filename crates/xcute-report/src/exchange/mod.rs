//! Results for other tools: code scanners (SARIF), test reports (JUnit), coverage (Cobertura, lcov), annotations of GitHub, remarks in editors.
//!
//! All of them are made of the same [`Campaign`]s: what a results directory holds. Several campaigns give one document.
//!
//! **Invariant.** No form knows a language. Every failure of every campaign is in each form that shows failures, confirmed or not, and a search that is not
//! complete is never shown as one that is.

mod brief;
pub mod cobertura;
mod combined;
mod fingerprint;
mod flow;
pub mod github;
pub mod junit;
mod project;
mod remarks;
mod rules;
pub mod sarif;

use crate::report::{InputValue, Report};
use crate::summary::Failure;

pub use combined::Combined;
pub use fingerprint::all as fingerprints;
pub use project::{Project, address};
pub use remarks::{Change, Level, Remark, remarks};
pub use rules::Rule;

/// A campaign as its results directory shows it.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The results directory.
    pub directory: String,
    /// Its results. The coverage is that of `coverage.lcov`.
    pub report: Report,
    /// The cases that passed, as far as they were kept and asked for.
    pub cases: Vec<Passed>,
    /// What the campaign ended with.
    pub exit: u8,
    /// The command line, without the name of the tool.
    pub arguments: Vec<String>,
    /// The working directory, absolute: where its paths begin.
    pub origin: String,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
}

/// A case that passed.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The name of its file, without the ending.
    pub name: String,
    /// Its input.
    pub inputs: Vec<InputValue>,
}

/// What a document is made of.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// The campaigns.
    pub campaigns: &'a [Campaign],
    /// What paths are relative to.
    pub project: &'a Project,
    /// What languages say of kinds of failures that only they have.
    pub rules: &'a [Rule],
    /// The version of the tool.
    pub version: &'a str,
    /// Whether failures that could not be confirmed do not count.
    pub ignore_unconfirmed: bool,
}

impl Campaign {
    /// All failures, with the reason why one could not be confirmed.
    pub fn failures(&self) -> impl Iterator<Item = (&Failure, Option<&str>)> {
        let unconfirmed = self.report.summary.unconfirmed.iter().map(|open| (&open.failure, Some(open.why.as_str())));
        self.report.summary.failures.iter().map(|failure| (failure, None)).chain(unconfirmed)
    }

    /// The input of a failure.
    pub(crate) fn inputs(&self, failure: &Failure) -> &[InputValue] {
        self.report.inputs.get(&failure.id).map_or(&[], Vec::as_slice)
    }
}
