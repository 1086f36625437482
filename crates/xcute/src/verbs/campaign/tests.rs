//! Campaigns over the toy language.

use std::path::Path;

use xcute_engine::Options;
use xcute_strategy::StrategyName;

use super::*;
use crate::language::{Secret, ToyFront, ToySubject};
use crate::plan::{Drawn, Keep, Show};
use crate::solvers::Layers;

fn campaign(confirms: bool, place: &Path) -> (Exit, xcute_report::Summary) {
    let (exit, summary) = ended(confirms, false, place);
    (exit.unwrap(), summary)
}

fn ended(confirms: bool, panics: bool, place: &Path) -> (Result<Exit>, xcute_report::Summary) {
    let search = SearchPlan {
        strategy: StrategyName::Dfs,
        seed: 0,
        options: Options::default(),
        time: None,
        memory: None,
        layers: Layers::ON,
        log: None,
        jobs: 1,
    };
    let show = Show { json: true, quiet: false, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: false };
    let output = OutputPlan {
        dir: place.join("out"),
        began: std::time::SystemTime::now(),
        resume: false,
        if_changed: false,
        words: None,
        keep: Keep::New,
        reports: Vec::new(),
        earlier: Vec::new(),
        profile: false,
        progress: Drawn::Nothing,
        show,
    };
    let secret = Secret::Number(77);
    let front = ToyFront { secret: secret.clone(), seeds: Vec::new(), confirms, panics };
    let exit = run(&front, &mut [ToySubject::new(secret)], &search, &output);
    let text = std::fs::read_to_string(place.join("out/summary.json")).unwrap();
    (exit, xcute_report::parse(&text).unwrap())
}

#[test]
fn a_confirmed_failure_is_reported_with_its_files() {
    let place = tempfile::tempdir().unwrap();
    let (exit, summary) = campaign(true, place.path());
    assert_eq!(exit, Exit::Failures);
    assert_eq!((summary.runs, summary.paths, summary.complete, summary.stop.as_str()), (2, 2, true, "complete"));
    assert_eq!(summary.failures.len(), 1);
    assert_eq!((summary.failures[0].line, summary.failures[0].replayed), (2, true));
    for (file, text) in [
        ("failures/f1.json", "\"x\":77"),
        ("failures/f1.c", "int main;"),
        ("cases/000001.json", "\"x\":0"),
        ("cases/000002.json", "\"x\":77"),
    ] {
        assert!(std::fs::read_to_string(place.path().join("out").join(file)).unwrap().contains(text), "{file}");
    }
}

/// A panic is a mistake of ours: what was found is written all the same, and the search can go on.
#[test]
fn a_panic_leaves_results_that_can_be_read() {
    let place = tempfile::tempdir().unwrap();
    let (exit, summary) = ended(true, true, place.path());
    let said = format!("{:#}", exit.unwrap_err());
    assert!(said.contains("what was found so far is in ") && said.ends_with("xcute has a mistake, and cannot go on"), "{said}");
    assert_eq!((summary.stop.as_str(), summary.complete, summary.failures.len()), ("broken", false, 1));
    let report = Report::of(summary);
    let show = Show { json: false, quiet: true, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: false };
    let shown = crate::verbs::show::rendered(&report, show);
    assert_eq!(shown, "1 failure in toy; the search is not complete: xcute itself failed\n");
    for file in ["index.html", "failures/f1.json", "failures/f1.c", "journal", "cases/000001.json"] {
        assert!(place.path().join("out").join(file).exists(), "{file}");
    }
}

#[test]
fn what_is_not_confirmed_is_shown_apart_and_counts() {
    let place = tempfile::tempdir().unwrap();
    let (exit, summary) = campaign(false, place.path());
    assert_eq!(exit, Exit::Failures);
    assert!(summary.failures.is_empty());
    assert!(!summary.complete);
    let [unconfirmed] = &summary.unconfirmed[..] else { panic!("{:?}", summary.unconfirmed) };
    assert_eq!((unconfirmed.failure.id.as_str(), unconfirmed.failure.replayed, unconfirmed.why.as_str()), ("u1", false, "it passed"));
    assert_eq!(summary.limits[0].kind, "not-reproduced");
    assert!(std::fs::read_to_string(place.path().join("out/failures/u1.json")).unwrap().contains("\"x\":77"));
    let report = Report::of(summary);
    let show = Show { json: false, quiet: true, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: true };
    assert_eq!(super::exit(&report, show), Exit::NoFailure);
}
