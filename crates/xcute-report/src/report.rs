//! What a renderer may look at: the summary, and what it takes to explain it.

use std::collections::BTreeMap;

use xcute_trace::{Frame, SiteId};

use crate::coverage::SourceCoverage;
use crate::paths::Paths;
use crate::provenance::Provenance;
use crate::pruning::TreeNode;
use crate::ratio::Ratio;
use crate::section::Words;
use crate::summary::Summary;

/// One input of a case, readable: `p->next` = `NULL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    /// The name in the language of the subject; empty for a statement, such as a call of a sequence.
    pub name: String,
    /// The value in the language of the subject.
    pub value: String,
}

/// An arm of a decision, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmCase {
    /// Its name: `true`.
    pub name: String,
    /// The file of the case that took it first, seen from the page.
    pub case: Option<String>,
}

/// The results of a campaign with everything needed to show them.
#[derive(Clone, Debug)]
pub struct Report {
    /// The summary.
    pub summary: Summary,
    /// The input of each failure, by the failure's id.
    pub inputs: BTreeMap<String, Vec<InputValue>>,
    /// Coverage by source line; empty where it is no longer known.
    pub coverage: SourceCoverage,
    /// What the language says of itself.
    pub words: Words,
    /// Where it comes from; `None` where that is not known.
    pub provenance: Option<Provenance>,
    /// The files of each failure besides its case, seen from the page, by the failure's id.
    pub files: BTreeMap<String, Vec<String>>,
    /// The arms that count as branches.
    pub arms: BTreeMap<(SiteId, u32), ArmCase>,
    /// By file and line: the case that came there first, seen from the page.
    pub reached: BTreeMap<String, BTreeMap<u32, String>>,
    /// The path tree.
    pub paths: Paths,
    /// The annotated tree of a small program; empty where there is none.
    pub tree: Vec<TreeNode>,
    /// The texts of the source files by path, as far as they could be read.
    pub sources: BTreeMap<String, String>,
}

impl Report {
    /// A report of a summary alone.
    #[must_use]
    pub fn of(summary: Summary) -> Report {
        Report {
            summary,
            inputs: BTreeMap::new(),
            coverage: SourceCoverage::default(),
            words: Words::default(),
            provenance: None,
            files: BTreeMap::new(),
            arms: BTreeMap::new(),
            reached: BTreeMap::new(),
            paths: Paths::default(),
            tree: Vec::new(),
            sources: BTreeMap::new(),
        }
    }

    /// What is covered besides branches, in the words of the language.
    pub(crate) fn counted(&self) -> Vec<(&str, Ratio)> {
        let own = self.words.counted.iter().map(|counted| (counted.what.as_str(), counted.ratio));
        let coverage = &self.summary.coverage;
        let usual = [(self.words.units.lines, coverage.lines), (self.words.units.functions, coverage.functions)]
            .into_iter()
            .filter(|_| self.words.counted.is_empty());
        own.chain(usual).collect()
    }

    /// The source line of a place, if its file could be read.
    pub(crate) fn line(&self, at: &Frame) -> Option<&str> {
        self.sources.get(&at.file)?.lines().nth((at.line as usize).checked_sub(1)?)
    }
}
