//! What a campaign covered of an Erlang program: lines, functions, and the clauses of choices as branches.

use xcute_erl::subject::ErlSubject;
use xcute_report::SourceCoverage;
use xcute_trace::Subject as _;

use super::super::covered::{self, Functions};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[ErlSubject], shown: impl Fn(&str) -> String) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    let (sites, code) = (first.sites(), &first.program().code);
    let mut functions = Functions::new();
    for spot in &code.spots {
        let ran = subjects.iter().any(|subject| subject.ran()[spot.expr.0 as usize]);
        let file = &code.files[spot.file as usize];
        let known = coverage.files.entry(shown(file)).or_default();
        known.line(spot.line, ran);
        if ran {
            known.places.entry(spot.line).or_default().push(u64::from(spot.expr.0));
        }
        covered::add(&mut functions, file, sites.get(spot.function).function.clone(), spot.line, ran);
    }
    let taken = subjects.iter().flat_map(ErlSubject::covered).collect();
    // Clauses stand on lines of their own, but for one that the compiler added.
    let line = |site, arm: u32| code.clause_lines.get(&site)?.get(arm as usize).copied().filter(|line| *line > 0);
    covered::arms(&mut coverage, sites, &taken, &shown, |_| true, line);
    covered::finish(&mut coverage, functions, shown);
    coverage
}
