//! The models of `subjects/model`: both formats give the expected traces, and what is printed as Art is read as the same model. Each is a test of its own, named by its file:
//! `cargo nextest run --test gallery printed_lift`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use xcute_model::ir::Model;
use xcute_model::lower::lower;
use xcute_model::run::{End, Program};
use xcute_model::sequence::Sequence;
use xcute_model::{art, load};

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/model")
}

fn models(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "art" || end == "uml")).collect();
    models.sort();
    models
}

/// A model of the folder that says how its traces are.
fn gives_the_expected_traces(model: &PathBuf) -> Result<(), Failed> {
    let directory = model.parent().unwrap();
    let sequences: Vec<Sequence> = serde_json::from_str(&std::fs::read_to_string(directory.join("sequences.json"))?)?;
    let expected = std::fs::read_to_string(directory.join("traces.txt"))?;
    let build = tempfile::tempdir()?;
    let flat = load::load(std::slice::from_ref(model))?;
    let clang = std::env::var_os("XCUTE_CLANG").map_or_else(|| "clang-19".into(), PathBuf::from);
    let program = Program::build(&lower(&flat), build.path(), &clang, &[])?;
    let traces = sequences.iter().map(|sequence| {
        let run = program.run(sequence).unwrap();
        assert_eq!(run.end, End::Ended, "{}", run.errors);
        // Parameters of Art have no names.
        run.trace.to_string().replace("(n=", "(")
    });
    assert_eq!(traces.collect::<Vec<_>>().join("\n"), expected);
    Ok(())
}

fn is_read_as_it_is_printed(path: &PathBuf) -> Result<(), Failed> {
    let model = load::read(std::slice::from_ref(path))?;
    let printed = art::print(&model);
    let mut again = Model::default();
    art::read(&mut again, "printed.art", &printed).map_err(|error| Failed::from(format!("{error}\n{printed}")))?;
    assert_eq!(again, model);
    assert_eq!(art::print(&again), printed);
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (semantics, others) = (models(&subjects().join("semantics")), models(&subjects()));
    assert!(semantics.len() == 2 && others.len() >= 4, "{semantics:?} {others:?}");
    let name = |what: &str, path: &Path| format!("{what}_{}", path.file_name().unwrap().to_string_lossy().replace('.', "_"));
    let mut tests = Vec::new();
    for path in semantics {
        let same = path.clone();
        tests.push(Trial::test(name("traces", &path), move || gives_the_expected_traces(&same)));
        tests.push(Trial::test(name("printed_semantics", &path), move || is_read_as_it_is_printed(&path)));
    }
    tests.extend(others.into_iter().map(|path| Trial::test(name("printed", &path), move || is_read_as_it_is_printed(&path))));
    libtest_mimic::run(&arguments, tests).exit_code()
}
