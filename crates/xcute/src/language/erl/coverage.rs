//! What a campaign covered of an Erlang program: the clauses of its functions, as lines and as branches.

use xcute_erl::subject::ErlSubject;
use xcute_report::SourceCoverage;
use xcute_trace::Subject as _;

use super::super::covered::{self, Functions};

/// What all runs of these subjects of one program covered.
pub fn of_all(subjects: &[ErlSubject], shown: impl Fn(&str) -> String) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let Some(first) = subjects.first() else { return coverage };
    let taken = subjects.iter().flat_map(ErlSubject::covered).collect();
    let mut functions = Functions::new();
    covered::arms(
        &mut coverage,
        first.sites(),
        &taken,
        &shown,
        |_| true,
        |file, site, reached| {
            file.line(site.line, reached);
            covered::add(&mut functions, &site.file, site.function.clone(), site.line, reached);
        },
    );
    covered::finish(&mut coverage, functions, shown);
    coverage
}
