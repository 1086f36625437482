//! The bytes of the coverage map as lines, functions and branches of source files.

use xcute_c::compile::Compiled;
use xcute_c::demangle::demangled;
use xcute_c::harness::shown as shown_name;
use xcute_c::subject::CSubject;
use xcute_report::{BranchArm, FileCoverage, FunctionCoverage, SourceCoverage};
use xcute_trace::SiteId;

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[CSubject], shown: impl Fn(&str) -> Option<String>) -> SourceCoverage {
    let [first, others @ ..] = subjects else { return SourceCoverage::default() };
    let mut map = first.coverage();
    for subject in others {
        map.iter_mut().zip(subject.coverage()).for_each(|(all, own)| *all |= own);
    }
    of(first.compiled(), &map, shown)
}

/// What a map with one byte per item says. Only files that `shown` names are reported: system headers are not the subject.
fn of(compiled: &Compiled, map: &[u8], shown: impl Fn(&str) -> Option<String>) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let mut entered = vec![false; compiled.functions.len()];
    let mut taken: Vec<Vec<bool>> = compiled.sites.sites.iter().map(|site| vec![false; site.arms as usize]).collect();
    for (at, item) in compiled.coverage.iter().enumerate() {
        let ran = map.get(at).is_some_and(|byte| *byte != 0);
        if item.entry
            && let Some(function) = entered.get_mut(item.function as usize)
        {
            *function |= ran;
        }
        for (site, arm) in &item.arms {
            if let Some(known) = taken.get_mut(site.0 as usize).and_then(|arms| arms.get_mut(*arm as usize)) {
                *known |= ran;
            }
        }
        for (file, line) in &item.lines {
            if let Some(path) = compiled.files.get(*file as usize).and_then(|path| shown(path)) {
                let known = coverage.files.entry(path).or_default();
                known.line(*line, ran);
                if ran {
                    known.places.entry(*line).or_default().push(at as u64);
                }
            }
        }
    }
    let called = called(compiled, &entered);
    for ((function, entered), called) in compiled.functions.iter().zip(entered).zip(called) {
        if let Some(path) = shown(&function.file) {
            let (name, line) = (shown_name(&demangled(&function.name)).to_owned(), function.line);
            coverage.files.entry(path).or_default().functions.push(FunctionCoverage { name, line, entered, called: Some(called) });
        }
    }
    for ((id, site), taken) in (0..).map(SiteId).zip(&compiled.sites.sites).zip(taken) {
        if !site.counts() {
            continue;
        }
        let Some(path) = shown(&site.file) else { continue };
        let file = coverage.files.entry(path).or_default();
        let branch = file.branches.iter().map(|arm| arm.branch + 1).max().unwrap_or(0);
        file.branches.extend((0..).zip(taken).map(|(arm, taken)| BranchArm { line: site.line, branch, arm, taken, site: Some(id) }));
    }
    coverage.files.values_mut().for_each(sort);
    coverage
}

/// Which functions the entry can come to, by the calls of the program: those that were entered, those that something outside may call, and what these call.
fn called(compiled: &Compiled, entered: &[bool]) -> Vec<bool> {
    let mut called: Vec<bool> = compiled.functions.iter().zip(entered).map(|(function, entered)| *entered || function.outside).collect();
    let mut open: Vec<usize> = (0..called.len()).filter(|at| called[*at]).collect();
    while let Some(at) = open.pop() {
        for callee in compiled.functions[at].calls.iter().map(|callee| *callee as usize) {
            if !std::mem::replace(&mut called[callee], true) {
                open.push(callee);
            }
        }
    }
    called
}

fn sort(file: &mut FileCoverage) {
    file.functions.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    file.branches.sort_by_key(|arm| (arm.line, arm.branch, arm.arm));
}

#[cfg(test)]
mod tests {
    use xcute_c::compile::{CoverageItem, FunctionInfo};
    use xcute_report::Ratio;
    use xcute_trace::{Site, SiteKind, Sites};

    use super::*;

    fn site(kind: SiteKind, line: u32) -> Site {
        Site { kind, file: "a.c".into(), line, column: 1, function: "f".into(), ordinal: 0, arms: 2, next: Vec::new() }
    }

    #[test]
    fn calls_lead_from_the_entry() {
        let function =
            |calls: &[u32], outside| FunctionInfo { name: "f".into(), file: "a.c".into(), line: 1, calls: calls.to_vec(), outside };
        let functions =
            vec![function(&[1], false), function(&[1, 2], false), function(&[], false), function(&[2, 4], false), function(&[], true)];
        let compiled = Compiled { functions, ..Compiled::default() };
        assert_eq!(called(&compiled, &[true, false, false, false, false]), [true, true, true, false, true]);
        assert_eq!(called(&compiled, &[false; 5]), [false, false, false, false, true]);
    }

    #[test]
    fn bytes_become_lines_functions_and_arms() {
        let item = |entry, arms: &[(u32, u32)], lines: &[u32]| CoverageItem {
            function: 0,
            entry,
            arms: arms.iter().map(|(site, arm)| (SiteId(*site), *arm)).collect(),
            lines: lines.iter().map(|line| (0, *line)).collect(),
        };
        let compiled = Compiled {
            sites: Sites { sites: vec![site(SiteKind::Branch, 2), site(SiteKind::Check, 3)] },
            coverage: vec![item(true, &[], &[1, 2]), item(false, &[(0, 1)], &[3]), item(false, &[(0, 0), (1, 1)], &[4])],
            functions: vec![FunctionInfo { name: "f".into(), file: "a.c".into(), line: 1, calls: Vec::new(), outside: true }],
            files: vec!["a.c".into()],
            ..Compiled::default()
        };
        let totals = of(&compiled, &[1, 0, 1], |path| Some(path.to_owned())).totals();
        assert_eq!(totals.lines, Ratio { covered: 3, total: 4 });
        assert_eq!(totals.functions, Ratio { covered: 1, total: 1 });
        assert_eq!(totals.branches, Ratio { covered: 1, total: 2 }, "checks are not branches");
        assert!(of(&compiled, &[1, 1, 1], |_| None).files.is_empty());
    }
}
