//! What a campaign covered of a Java program: lines, methods, and the arms of branches and switches.

use std::collections::{BTreeMap, BTreeSet};

use xcute_java::JavaSubject;
use xcute_report::{BranchArm, FunctionCoverage, SourceCoverage};
use xcute_trace::{SiteId, Subject as _};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[JavaSubject], shown: impl Fn(&str) -> String) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    let program = first.program();
    let mut functions: BTreeMap<(&str, String), (u32, bool)> = BTreeMap::new();
    let mut lines: BTreeMap<&str, BTreeMap<u32, bool>> = BTreeMap::new();
    for at in program.lines().filter(|at| at.line > 0) {
        let ran = subjects.iter().any(|subject| subject.ran().get(at.instruction) == Some(&true));
        *lines.entry(at.file).or_default().entry(at.line).or_default() |= ran;
        let function = functions.entry((at.file, at.function)).or_insert((at.line, false));
        *function = (function.0.min(at.line), function.1 | ran);
    }
    // Files that no run came to say nothing about the search.
    lines.retain(|_, lines| lines.values().any(|ran| *ran));
    functions.retain(|(file, _), _| lines.contains_key(file));
    let reached: BTreeSet<&str> = lines.keys().copied().collect();
    for (file, lines) in lines {
        coverage.files.entry(shown(file)).or_default().lines = lines;
    }
    let taken: BTreeSet<(SiteId, u32)> = subjects.iter().flat_map(JavaSubject::covered).collect();
    let mut branches: BTreeMap<&str, u32> = BTreeMap::new();
    for (id, site) in (0..).map(SiteId).zip(&first.sites().sites) {
        if !site.counts() || site.line == 0 || !reached.contains(site.file.as_str()) {
            continue;
        }
        let branch = branches.entry(&site.file).or_default();
        let arms = (0..site.arms).map(|arm| BranchArm { line: site.line, branch: *branch, arm, taken: taken.contains(&(id, arm)) });
        coverage.files.entry(shown(&site.file)).or_default().branches.extend(arms);
        *branch += 1;
    }
    for ((file, name), (line, entered)) in functions {
        coverage.files.entry(shown(file)).or_default().functions.push(FunctionCoverage { name, line, entered });
    }
    for file in coverage.files.values_mut() {
        file.functions.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        file.branches.sort_by_key(|arm| (arm.line, arm.branch, arm.arm));
    }
    coverage
}
