//! A language goes through all verbs by what it says of itself.

use std::fs;
use std::path::{Path, PathBuf};

use clap::FromArgMatches as _;

use super::*;
use crate::arguments::{ExplainArguments, FormatArgument, ReplayArguments, ReportArguments, ResumeArguments, ShowArguments};
use crate::plan;

fn show() -> ShowArguments {
    let command = <ShowArguments as clap::Args>::augment_args(clap::Command::new("show"));
    ShowArguments::from_arg_matches(&command.get_matches_from(["show", "-q"])).unwrap()
}

fn resumed(dir: &Path) -> Result<Exit> {
    let (time, memory, runs, stop_at, jobs) = (None, None, None, None, None);
    resume::run(ResumeArguments {
        dir: dir.to_owned(),
        time,
        memory,
        runs,
        stop_at,
        jobs,
        no_progress: true,
        format: FormatArgument::Text,
        show: show(),
    })
}

/// The report in this form.
fn reported_as(dir: &Path, form: &str) -> (Result<Exit>, String) {
    let file = dir.with_extension(form);
    let command = <ReportArguments as clap::Args>::augment_args(clap::Command::new("report"));
    let words = ["report", dir.to_str().unwrap(), "--format", form, "--output", file.to_str().unwrap(), "-q"];
    let low = ReportArguments::from_arg_matches(&command.get_matches_from(words)).unwrap();
    let exit = report::run(&low);
    (exit, fs::read_to_string(file).unwrap_or_default())
}

fn reported(dir: &Path) -> Result<Exit> {
    reported_as(dir, "text").0
}

#[test]
fn help_says_what_xcute_is_and_shows_every_language() {
    let help = command::command().render_help().to_string();
    assert!(help.starts_with("Concolic unit testing"), "{help}");
    for language in crate::language::ALL.iter().map(|language| language.command()).filter(|command| command.get_name() != "toy") {
        assert!(help.contains(&format!("  xcute {} ", language.get_name())), "{}", language.get_name());
    }
}

/// Searches a toy, with these words more; the results directory.
fn searched(program: &Path, name: &str, more: &[&str]) -> (PathBuf, Exit) {
    let dir = program.with_file_name(name);
    let words = [&["toy", program.to_str().unwrap(), "--out", dir.to_str().unwrap(), "-q"], more].concat();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let chosen = command::parse(&words).unwrap().unwrap();
    let search = plan::search(&chosen.search, &chosen.output).unwrap();
    let output = OutputPlan { words: Some(words), ..plan::output(chosen.output) };
    let opening = chosen.language.open(&chosen.matches).unwrap();
    (dir, search::all(opening, &search, &output).unwrap())
}

fn replayed(case: PathBuf) -> Exit {
    replay::run(&ReplayArguments { case, debugger: false, no_sandbox: false, trust: false }).unwrap()
}

#[test]
fn a_program_that_is_no_toy() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("a.toy");
    fs::write(&program, "[1, 2]").unwrap();
    let words = ["toy", program.to_str().unwrap()].map(str::to_owned);
    let chosen = command::parse(&words).unwrap().unwrap();
    let error = chosen.language.open(&chosen.matches).err().unwrap();
    assert!(format!("{error:#}").contains("the file holds neither a number nor a text"), "{error:#}");
}

/// A program with a number, and one with a text: an input that is not a word.
const SECRETS: [(&str, &str); 2] = [("77", "78"), ("\"open sesame\"", "\"open\"")];

#[test]
fn a_toy_language_goes_through_all_verbs() {
    for (secret, other) in SECRETS {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("a.toy");
        fs::write(&program, secret).unwrap();
        let (dir, exit) = searched(&program, "out", &["--runs", "1"]);
        assert_eq!(exit, Exit::NoFailure);

        // The rest of the runs finds it.
        let (time, memory, stop_at, jobs) = (None, None, None, None);
        let more = ResumeArguments {
            dir: dir.clone(),
            time,
            memory,
            runs: Some(10),
            stop_at,
            jobs,
            no_progress: true,
            format: FormatArgument::Text,
            show: show(),
        };
        assert_eq!(resume::run(more).unwrap(), Exit::Failures);
        assert_eq!(resumed(&dir).unwrap(), Exit::Failures);
        assert_eq!(reported(&dir).unwrap(), Exit::Failures);
        assert_eq!((replayed(dir.join("failures/f1.json")), replayed(dir.join("cases/000001.json"))), (Exit::Failures, Exit::NoFailure));
        assert_eq!(explain::run(&ExplainArguments { dir: dir.clone(), arm: None }).unwrap(), Exit::NoFailure);
        let summary = xcute_report::parse(&fs::read_to_string(dir.join("summary.json")).unwrap()).unwrap();
        assert_eq!((summary.failures[0].kind.name(), summary.complete), ("secret-found", true), "a kind of the toy's own");

        let page = fs::read_to_string(dir.join("index.html")).unwrap();
        assert!(page.contains("<th>secret</th><td>found</td>") && page.contains(" guesses"), "a section and words of the toy's own");
        assert_eq!(summary.own.within("toy").unwrap().count("length"), secret.len() as u64, "figures of the toy's own");
        assert_eq!(fs::read_to_string(dir.join("secret.json")).unwrap(), secret, "a file of the toy's own");
        assert!(page.contains("<h2>Secrets</h2>") && page.contains(&format!("<td>{}</td></tr>", secret.len())), "a table of the toy's own");

        // Other tools learn what a kind of the toy's own means.
        let (exit, sarif) = reported_as(&dir, "sarif");
        assert_eq!(exit.unwrap(), Exit::Failures);
        assert!(sarif.contains("Choose another secret."), "{sarif}");

        // What was found is a seed, and is in the journal.
        let case = dir.join("failures/f1.json");
        let (seeded, exit) = searched(&program, "seeded", &["--runs", "2", "--seed-case", case.to_str().unwrap()]);
        assert_eq!((exit, resumed(&seeded).unwrap()), (Exit::Failures, Exit::Failures));

        // Nothing is said about another program, though the campaign is complete.
        fs::write(&program, other).unwrap();
        for refused in [resumed(&dir), explain::run(&ExplainArguments { dir: dir.clone(), arm: None })] {
            assert!(refused.unwrap_err().to_string().contains("changed since the campaign began"));
        }
    }
}
