//! What a campaign covered of a logic program: predicates that were called, and clauses that matched a call.

use std::collections::BTreeSet;

use xcute_clp::subject::{ClpSubject, place};
use xcute_report::{FunctionCoverage, SourceCoverage};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[ClpSubject]) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    for (number, predicate) in (0..).zip(&first.program().code.predicates) {
        if predicate.library || predicate.clauses.is_empty() {
            continue;
        }
        let id = xcute_clp::machine::code::PredicateId(number);
        let subsets = || subjects.iter().filter_map(|subject| subject.subsets().get(&id));
        let matched: BTreeSet<u32> = subsets().flat_map(|subsets| subsets.keys().flatten().copied()).collect();
        let file = coverage.files.entry(predicate.file.clone()).or_default();
        for clause in predicate.clauses.iter() {
            let ran = matched.contains(&clause.number);
            file.line(clause.line, ran);
            if ran {
                file.places.entry(clause.line).or_default().push(place(id, clause.number));
            }
        }
        let line = predicate.clauses.first().map_or(0, |clause| clause.line);
        let (name, entered) = (predicate.name.clone(), subsets().next().is_some());
        file.functions.push(FunctionCoverage { name, line, entered, called: None });
    }
    coverage
}
