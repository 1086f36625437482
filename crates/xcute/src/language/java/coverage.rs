//! What a campaign covered of a Java program: lines, methods, and the arms of branches and switches.

use std::collections::{BTreeMap, BTreeSet};

use xcute_java::JavaSubject;
use xcute_report::{FileCoverage, SourceCoverage};
use xcute_trace::Subject as _;

use super::super::covered::{self, Functions};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[JavaSubject], shown: impl Fn(&str) -> String) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    let program = first.program();
    let mut functions = Functions::new();
    let mut lines: BTreeMap<&str, FileCoverage> = BTreeMap::new();
    for at in program.lines().filter(|at| at.line > 0) {
        let ran = subjects.iter().any(|subject| subject.ran().get(at.instruction) == Some(&true));
        let file = lines.entry(at.file).or_default();
        file.line(at.line, ran);
        if ran {
            file.places.entry(at.line).or_default().push(at.instruction as u64);
        }
        covered::add(&mut functions, at.file, at.function, at.line, ran);
    }
    // Files that no run came to say nothing about the search.
    lines.retain(|_, file| !file.places.is_empty());
    functions.retain(|(file, _), _| lines.contains_key(file));
    let reached: BTreeSet<&str> = lines.keys().copied().collect();
    for (file, known) in lines {
        coverage.files.insert(shown(file), known);
    }
    let taken = subjects.iter().flat_map(JavaSubject::covered).collect();
    covered::arms(&mut coverage, first.sites(), &taken, &shown, |site| reached.contains(site.file.as_str()), |_, _| None);
    covered::finish(&mut coverage, functions, shown);
    coverage
}
