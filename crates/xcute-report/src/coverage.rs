//! Coverage by source line, for lcov and the annotated source of the HTML page.

use std::collections::{BTreeMap, BTreeSet};

use xcute_trace::SiteId;

use crate::figures::Figures;
use crate::ratio::Ratio;
use crate::summary::Coverage;

/// One arm of a branch or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchArm {
    /// The line of the decision.
    pub line: u32,
    /// The number of the decision within its file, the same for all its arms.
    pub branch: u32,
    /// The arm.
    pub arm: u32,
    /// Whether a run took it.
    pub taken: bool,
    /// The place in the program, where it is known: what was read from a file has none.
    pub site: Option<SiteId>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Its name.
    pub name: String,
    /// The line where it begins; 0 where unknown.
    pub line: u32,
    /// Whether it was entered.
    pub entered: bool,
    /// Whether the calls of the program can come here from the entry; `None` where that is not known.
    pub called: Option<bool>,
}

/// What is known of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The lines that hold code, and whether they ran.
    pub lines: BTreeMap<u32, bool>,
    /// The places of the program, in numbers of the front end, that stand for a line and to which runs came.
    pub places: BTreeMap<u32, Vec<u64>>,
    /// The functions, by their place in the file.
    pub functions: Vec<FunctionCoverage>,
    /// The arms of branches and switches, by their place in the file.
    pub branches: Vec<BranchArm>,
}

impl FileCoverage {
    /// Notes that a line holds code, and whether it ran; once run, it stays so.
    pub fn line(&mut self, line: u32, ran: bool) {
        *self.lines.entry(line).or_default() |= ran;
    }
}

/// The coverage of all files of the subject, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCoverage {
    /// The files.
    pub files: BTreeMap<String, FileCoverage>,
    /// What only this language has that can be covered.
    pub own: Figures,
}

impl SourceCoverage {
    /// The figures of the summary.
    #[must_use]
    pub fn totals(&self) -> Coverage {
        let mut totals = Coverage { own: self.own.clone(), ..Coverage::default() };
        for file in self.files.values() {
            add(&mut totals.lines, file.lines.values().copied());
            add(&mut totals.functions, file.functions.iter().map(|function| function.entered));
            add(&mut totals.branches, file.branches.iter().map(|arm| arm.taken));
        }
        totals
    }

    /// The arms that no run took, of decisions that some run met.
    #[must_use]
    pub fn missed(&self) -> u64 {
        let of = |file: &FileCoverage| -> u64 {
            let met: BTreeSet<u32> = file.branches.iter().filter(|arm| arm.taken).map(|arm| arm.branch).collect();
            file.branches.iter().filter(|arm| !arm.taken && met.contains(&arm.branch)).count() as u64
        };
        self.files.values().map(of).sum()
    }
}

fn add(ratio: &mut Ratio, items: impl Iterator<Item = bool>) {
    for covered in items {
        ratio.total += 1;
        ratio.covered += u64::from(covered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_ran_stays_so() {
        let mut file = FileCoverage::default();
        file.line(3, true);
        file.line(3, false);
        file.line(4, false);
        let coverage = SourceCoverage { files: BTreeMap::from([("a.c".into(), file)]), own: Figures::default() };
        assert_eq!(coverage.totals().lines, Ratio { covered: 1, total: 2 });
    }

    #[test]
    fn only_arms_of_decisions_that_were_met_can_be_infeasible() {
        let arm = |branch: u32, arm: u32, taken: bool| BranchArm { line: 1, branch, arm, taken, site: None };
        let branches = vec![arm(0, 0, true), arm(0, 1, false), arm(1, 0, false), arm(1, 1, false), arm(2, 0, true), arm(2, 1, true)];
        let file = FileCoverage { branches, ..FileCoverage::default() };
        let coverage = SourceCoverage { files: BTreeMap::from([("a.c".into(), file)]), own: Figures::default() };
        assert_eq!(coverage.missed(), 1);
        let mut totals = coverage.totals();
        assert_eq!(totals.arms("/"), "3/6 (50 %)");
        totals.infeasible = coverage.missed();
        assert_eq!(totals.arms(" of "), "3 of 6 (1 infeasible, 60 % of the others)");
    }
}
