//! A language goes through all verbs by what it says of itself.

use std::fs;
use std::path::Path;

use clap::FromArgMatches as _;

use super::*;
use crate::arguments::{ExplainArguments, ReplayArguments, ResumeArguments, ShowArguments};
use crate::plan;

fn show() -> ShowArguments {
    let command = <ShowArguments as clap::Args>::augment_args(clap::Command::new("show"));
    ShowArguments::from_arg_matches(&command.get_matches_from(["show", "-q"])).unwrap()
}

fn resumed(dir: &Path) -> Result<Exit> {
    let (time, memory, runs, stop_at, jobs) = (None, None, None, None, None);
    resume::run(ResumeArguments { dir: dir.to_owned(), time, memory, runs, stop_at, jobs, no_progress: true, show: show() })
}

#[test]
fn help_says_what_xcute_is_and_shows_every_language() {
    let help = command::command().render_help().to_string();
    assert!(help.starts_with("Concolic unit testing"), "{help}");
    for language in crate::language::ALL.iter().map(|language| language.command()).filter(|command| command.get_name() != "toy") {
        assert!(help.contains(&format!("  xcute {} ", language.get_name())), "{}", language.get_name());
    }
}

#[test]
fn a_toy_language_goes_through_all_verbs() {
    let place = tempfile::tempdir().unwrap();
    let (program, dir) = (place.path().join("a.toy"), place.path().join("out"));
    fs::write(&program, "77\n").unwrap();
    let words = ["toy", program.to_str().unwrap(), "--out", dir.to_str().unwrap(), "-q", "--runs", "1"].map(str::to_owned);
    let chosen = command::parse(&words).unwrap().unwrap();
    let search = plan::search(&chosen.search, &chosen.output).unwrap();
    let output = OutputPlan { words: Some(words.to_vec()), ..plan::output(chosen.output) };
    let opening = chosen.language.open(&chosen.matches).unwrap();
    assert_eq!(search::all(opening, &search, &output).unwrap(), Exit::NoFailure);

    // The rest of the runs finds it.
    let (time, memory, stop_at, jobs) = (None, None, None, None);
    let more = ResumeArguments { dir: dir.clone(), time, memory, runs: Some(10), stop_at, jobs, no_progress: true, show: show() };
    assert_eq!(resume::run(more).unwrap(), Exit::Failures);
    assert_eq!(resumed(&dir).unwrap(), Exit::Failures);
    assert_eq!(report::run(&dir, &show()).unwrap(), Exit::Failures);
    let replayed =
        |name: &str| replay::run(&ReplayArguments { case: dir.join(name), debugger: false, no_sandbox: false, trust: false }).unwrap();
    assert_eq!((replayed("failures/f1.json"), replayed("cases/000001.json")), (Exit::Failures, Exit::NoFailure));
    assert_eq!(explain::run(&ExplainArguments { dir: dir.clone(), arm: None }).unwrap(), Exit::NoFailure);

    // Nothing is said about another program, though the campaign is complete.
    fs::write(&program, "78\n").unwrap();
    for refused in [resumed(&dir), explain::run(&ExplainArguments { dir: dir.clone(), arm: None })] {
        assert!(refused.unwrap_err().to_string().contains("changed since the campaign began"));
    }
}
