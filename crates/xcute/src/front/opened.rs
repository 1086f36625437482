//! A program that is ready for a campaign, whatever its language is.

use anyhow::Result;

use super::FrontEnd;
use crate::exit::Exit;
use crate::plan::{OutputPlan, SearchPlan};

/// What can be done with a program that is ready. The verbs say how, for every front end at once.
pub trait Opened {
    /// Searches, writes the results directory and prints the summary.
    fn search(self: Box<Self>, search: &SearchPlan, output: &OutputPlan) -> Result<Exit>;

    /// Explains an arm of the campaign in the results directory; with an empty name all that were not taken.
    fn explain(self: Box<Self>, search: &SearchPlan, output: &OutputPlan, arm: &str) -> Result<Exit>;
}

/// A front end and its subjects, one for each worker.
pub struct Ready<F: FrontEnd> {
    pub front: F,
    pub subjects: Vec<F::Subject>,
}
