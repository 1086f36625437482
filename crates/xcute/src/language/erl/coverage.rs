//! What a campaign covered of an Erlang program: the clauses of its functions, as lines and as branches.

use std::collections::{BTreeMap, BTreeSet};

use xcute_erl::subject::ErlSubject;
use xcute_report::{BranchArm, FunctionCoverage, SourceCoverage};
use xcute_trace::{SiteId, Subject as _};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[ErlSubject], shown: impl Fn(&str) -> String) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    let taken: BTreeSet<(SiteId, u32)> = subjects.iter().flat_map(ErlSubject::covered).collect();
    let mut branches: BTreeMap<&str, u32> = BTreeMap::new();
    let mut functions: BTreeMap<(&str, &str), (u32, bool)> = BTreeMap::new();
    for (id, site) in (0..).map(SiteId).zip(&first.sites().sites) {
        if !site.counts() || site.line == 0 {
            continue;
        }
        let file = coverage.files.entry(shown(&site.file)).or_default();
        let branch = branches.entry(&site.file).or_default();
        let arms = (0..site.arms).map(|arm| BranchArm { line: site.line, branch: *branch, arm, taken: taken.contains(&(id, arm)) });
        file.branches.extend(arms);
        *branch += 1;
        let reached = (0..site.arms).any(|arm| taken.contains(&(id, arm)));
        file.line(site.line, reached);
        let function = functions.entry((&site.file, &site.function)).or_insert((site.line, false));
        *function = (function.0.min(site.line), function.1 | reached);
    }
    for ((file, name), (line, entered)) in functions {
        let file = coverage.files.entry(shown(file)).or_default();
        file.functions.push(FunctionCoverage { name: name.to_owned(), line, entered });
    }
    for file in coverage.files.values_mut() {
        file.functions.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        file.branches.sort_by_key(|arm| (arm.line, arm.branch, arm.arm));
    }
    coverage
}
