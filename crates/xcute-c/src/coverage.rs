//! Coverage: what the bytes of the coverage map say about lines, branches and functions.
//!
//! **Invariant.** Files and lines come in order; the harness, which is ours, is left out.

use std::collections::BTreeMap;

use xcute_trace::SiteId;

use crate::compile::Compiled;
use crate::harness::{HARNESS, shown};

/// What was covered, by source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageReport {
    /// The files.
    pub files: BTreeMap<String, FileCoverage>,
}

/// What was covered of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// Each line with code, and whether it ran.
    pub lines: BTreeMap<u32, bool>,
    /// Each function: its line, and whether it was entered.
    pub functions: BTreeMap<String, (u32, bool)>,
    /// Each arm of each decision.
    pub branches: Vec<BranchCoverage>,
}

/// An arm of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// The line of the decision.
    pub line: u32,
    /// The decision.
    pub site: SiteId,
    /// The arm.
    pub arm: u32,
    /// Whether it was taken.
    pub taken: bool,
}

/// Covered and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many were covered.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

impl CoverageReport {
    /// The report of a coverage map: byte `i` stands for [`Compiled::coverage`]`[i]`; bytes that are missing count as not set.
    #[must_use]
    pub fn new(compiled: &Compiled, bytes: &[u8]) -> CoverageReport {
        let mut report = CoverageReport::default();
        let mut arms: BTreeMap<(SiteId, u32), bool> = BTreeMap::new();
        for (index, item) in compiled.coverage.iter().enumerate() {
            let hit = bytes.get(index).is_some_and(|&b| b != 0);
            let Some(function) = compiled.functions.get(item.function as usize).filter(|f| f.name != HARNESS) else { continue };
            for &(file, line) in item.lines.iter().filter(|&&(_, line)| line != 0) {
                let Some(file) = compiled.files.get(file as usize) else { continue };
                *report.file(file).lines.entry(line).or_default() |= hit;
            }
            for &arm in &item.arms {
                *arms.entry(arm).or_default() |= hit;
            }
            if item.entry {
                let entered =
                    report.file(&function.file).functions.entry(shown(&function.name).to_owned()).or_insert((function.line, false));
                entered.1 |= hit;
            }
        }
        for (index, site) in compiled.sites.sites.iter().enumerate().filter(|(_, s)| s.counts() && s.function != HARNESS) {
            let id = SiteId(index as u32);
            for arm in 0..site.arms {
                let taken = arms.get(&(id, arm)).copied().unwrap_or(false);
                report.file(&site.file).branches.push(BranchCoverage { line: site.line, site: id, arm, taken });
            }
        }
        report
    }

    fn file(&mut self, name: &str) -> &mut FileCoverage {
        self.files.entry(name.to_owned()).or_default()
    }

    /// Lines of all files.
    #[must_use]
    pub fn lines(&self) -> Share {
        share(self.files.values().flat_map(|f| f.lines.values().copied()))
    }

    /// Functions of all files.
    #[must_use]
    pub fn functions(&self) -> Share {
        share(self.files.values().flat_map(|f| f.functions.values().map(|&(_, hit)| hit)))
    }

    /// Arms of all files.
    #[must_use]
    pub fn branches(&self) -> Share {
        share(self.files.values().flat_map(|f| f.branches.iter().map(|b| b.taken)))
    }
}

fn share(hits: impl Iterator<Item = bool>) -> Share {
    hits.fold(Share::default(), |s, hit| Share { covered: s.covered + u64::from(hit), total: s.total + 1 })
}

#[cfg(test)]
mod tests {
    use xcute_trace::{Site, SiteKind};

    use super::*;
    use crate::compile::{CoverageItem, FunctionInfo};

    fn compiled() -> Compiled {
        let site = |kind, function: &str, line, arms| Site {
            kind,
            file: "a.c".into(),
            line,
            column: 1,
            function: function.into(),
            ordinal: 0,
            arms,
            next: vec![],
        };
        let function = |name: &str, line| FunctionInfo { name: name.into(), file: "a.c".into(), line };
        let item = |function, entry, arms: &[(u32, u32)], lines: &[u32]| CoverageItem {
            function,
            entry,
            arms: arms.iter().map(|&(s, a)| (SiteId(s), a)).collect(),
            lines: lines.iter().map(|&l| (0, l)).collect(),
        };
        let mut out = Compiled { files: vec!["a.c".into()], ..Compiled::default() };
        out.sites.sites = vec![site(SiteKind::Branch, "f", 2, 2), site(SiteKind::Check, "f", 3, 2), site(SiteKind::Switch, HARNESS, 9, 3)];
        out.functions = vec![function("f", 1), function(HARNESS, 8), function("xcute_subject_main", 5)];
        out.coverage = vec![
            item(0, true, &[], &[1, 2]),
            item(0, false, &[(0, 1)], &[3]),
            item(0, false, &[(0, 0)], &[4, 0]),
            item(1, true, &[(2, 0)], &[9]),
            item(2, true, &[], &[5]),
        ];
        out
    }

    #[test]
    fn bytes_become_lines_branches_and_functions() {
        let report = CoverageReport::new(&compiled(), &[1, 0, 1, 1]);
        let file = &report.files["a.c"];
        assert_eq!(file.lines, BTreeMap::from([(1, true), (2, true), (3, false), (4, true), (5, false)]));
        assert_eq!(file.functions, BTreeMap::from([("f".to_owned(), (1, true)), ("main".to_owned(), (5, false))]));
        let taken: Vec<_> = file.branches.iter().map(|b| (b.line, b.arm, b.taken)).collect();
        assert_eq!(taken, [(2, 0, true), (2, 1, false)]);
        assert_eq!(report.lines(), Share { covered: 3, total: 5 });
        assert_eq!(report.branches(), Share { covered: 1, total: 2 });
        assert_eq!(report.functions(), Share { covered: 1, total: 2 });
    }
}
