//! Coverage of programs whose branches are the sites of their subjects.

use std::collections::{BTreeMap, BTreeSet};

use xcute_report::{BranchArm, FunctionCoverage, SourceCoverage};
use xcute_trace::{Site, SiteId, Sites};

/// Functions by file and name: the first line, and whether a run came to it.
pub type Functions<'a> = BTreeMap<(&'a str, String), (u32, bool)>;

/// Adds a line of a function, and whether a run came to it.
pub fn add<'a>(functions: &mut Functions<'a>, file: &'a str, name: String, line: u32, reached: bool) {
    let function = functions.entry((file, name)).or_insert((line, false));
    *function = (function.0.min(line), function.1 | reached);
}

/// Adds the arms of all branches that count and are `wanted`, as one branch each, numbered within their file; `line` says where an arm stands that does not stand
/// where its branch does.
pub fn arms(
    coverage: &mut SourceCoverage,
    sites: &Sites,
    taken: &BTreeSet<(SiteId, u32)>,
    shown: impl Fn(&str) -> String,
    wanted: impl Fn(&Site) -> bool,
    line: impl Fn(SiteId, u32) -> Option<u32>,
) {
    let mut branches: BTreeMap<&str, u32> = BTreeMap::new();
    for (id, site) in (0..).map(SiteId).zip(&sites.sites) {
        if !site.counts() || site.line == 0 || !wanted(site) {
            continue;
        }
        let branch = branches.entry(&site.file).or_default();
        let arms = (0..site.arms).map(|arm| {
            let line = line(id, arm).unwrap_or(site.line);
            BranchArm { line, branch: *branch, arm, taken: taken.contains(&(id, arm)), site: Some(id) }
        });
        coverage.files.entry(shown(&site.file)).or_default().branches.extend(arms);
        *branch += 1;
    }
}

/// Adds the functions, and puts everything in the order of the source.
pub fn finish(coverage: &mut SourceCoverage, functions: Functions<'_>, shown: impl Fn(&str) -> String) {
    for ((file, name), (line, entered)) in functions {
        coverage.files.entry(shown(file)).or_default().functions.push(FunctionCoverage { name, line, entered, called: None });
    }
    for file in coverage.files.values_mut() {
        file.functions.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        file.branches.sort_by_key(|arm| (arm.line, arm.branch, arm.arm));
    }
}
