//! Tries the parts of this crate on model files: `cargo run -p xcute-model --example model -- run SEQUENCE.json FILES…`.
//!
//! A tool for developers; users have `xcute model`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xcute_model::flat::Flat;
use xcute_model::ir::Model;
use xcute_model::lower::{Lowered, SEARCH, SearchOptions, lower, search};
use xcute_model::run::Program;
use xcute_model::{art, load, run};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    match args {
        [command, files @ ..] if command == "print" => print!("{}", art::print(&read(files)?)),
        [command, files @ ..] if command == "check" => check(files),
        [command, directory, files @ ..] if command == "write" => run::write(&lowered(files)?, Path::new(directory))?,
        [command, directory, capsule, length, files @ ..] if command == "search" => {
            let flat = Flat::new(read(files)?)?;
            let (capsule, length) = (flat.capsule(capsule)?, length.parse()?);
            let options = SearchOptions { capsule, length, texec: None, text: 4, unexpected: true, any_message: false, random: false, system: false, properties: Vec::new(), monitors: Vec::new() };
            run::write(&lower(&flat), Path::new(directory))?;
            std::fs::write(Path::new(directory).join(SEARCH), search(&flat, &options).text)?;
        }
        [command, sequence, files @ ..] if command == "run" => {
            let sequence = serde_json::from_str(&std::fs::read_to_string(sequence)?)?;
            let directory = tempfile::tempdir()?;
            let run = build(files, directory.path())?.run(&sequence)?;
            print!("{}", run.trace);
            println!("{:?}", run.end);
            print!("{}{}", run.output, run.errors);
        }
        _ => return Err("usage: model print FILES… | check FILES… | write DIRECTORY FILES… | search DIRECTORY CAPSULE LENGTH FILES… | run SEQUENCE.json FILES…".into()),
    }
    Ok(())
}

fn read(files: &[String]) -> Result<Model> {
    Ok(load::read(&files.iter().map(PathBuf::from).collect::<Vec<_>>())?)
}

/// Reads each file as a model of its own, prints it, reads that again, and lowers it.
fn check(files: &[String]) {
    let mut counts = std::collections::BTreeMap::new();
    for file in files {
        let start = std::time::Instant::now();
        let outcome = match load::read(&[PathBuf::from(file)]) {
            Err(error) => format!("refused: {}", error.message),
            Ok(model) => {
                let mut again = Model::default();
                match art::read(&mut again, "printed.art", &art::print(&model)) {
                    Err(error) => format!("UNREADABLE: {error}"),
                    Ok(()) if again != model => "DIFFERENT".to_owned(),
                    Ok(()) => match Flat::new(model) {
                        Err(error) => format!("refused: {} at {}", error.message, error.place),
                        Ok(flat) => {
                            let _ = lower(&flat);
                            "loads".to_owned()
                        }
                    },
                }
            }
        };
        *counts.entry(outcome.split(':').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
        if outcome != "loads" || start.elapsed().as_millis() > 500 {
            println!("{file}: {outcome} ({} ms)", start.elapsed().as_millis());
        }
    }
    println!("{counts:?}");
}

fn lowered(files: &[String]) -> Result<Lowered> {
    Ok(lower(&Flat::new(read(files)?)?))
}

fn build(files: &[String], directory: &Path) -> Result<Program> {
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let include: Vec<PathBuf> = files.iter().filter_map(|file| Path::new(file).parent().map(Path::to_owned)).collect();
    Ok(Program::build(&lowered(files)?, directory, Path::new(&clang), &include)?)
}
