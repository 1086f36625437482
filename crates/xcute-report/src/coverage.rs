//! Coverage by source line, for lcov and the annotated source of the HTML page.

use std::collections::BTreeMap;

use crate::summary::{Coverage, MachineCoverage, Ratio};

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
}

/// What is known of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The lines that hold code, and whether they ran.
    pub lines: BTreeMap<u32, bool>,
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
    /// The elements of a state machine, where the subject is one.
    pub machine: Option<MachineCoverage>,
}

impl SourceCoverage {
    /// The figures of the summary.
    #[must_use]
    pub fn totals(&self) -> Coverage {
        let mut totals = Coverage { machine: self.machine, ..Coverage::default() };
        for file in self.files.values() {
            add(&mut totals.lines, file.lines.values().copied());
            add(&mut totals.functions, file.functions.iter().map(|function| function.entered));
            add(&mut totals.branches, file.branches.iter().map(|arm| arm.taken));
        }
        totals
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
        let coverage = SourceCoverage { files: BTreeMap::from([("a.c".into(), file)]), machine: None };
        assert_eq!(coverage.totals().lines, Ratio { covered: 1, total: 2 });
    }
}
