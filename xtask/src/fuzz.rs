//! `./x fuzz TARGET [COUNT] [SEED]`: any number of generated programs against brute force.
//!
//! Arguments after `--` go to xcute.
//!
//! **Invariant.** A target is a line of [`TARGETS`]; nothing else names it.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{setup, shell};

/// What can be compared with brute force.
struct Target {
    name: &'static str,
    /// What it generates.
    about: &'static str,
    /// Compares, given its name and the numbers and arguments that the user typed.
    run: fn(&str, &[String]) -> Result<()>,
}

const TARGETS: &[Target] = &[
    Target { name: "c", about: "C programs, eight to a file", run: programs },
    Target {
        name: "prune",
        about: "the same with paths skipped, in every order, then as many files of each population of the test suite",
        run: |name, rest| programs(name, rest).and_then(|()| prune(rest)),
    },
    Target {
        name: "threads",
        about: "programs of the model language of xcute-race, then as many C programs with threads, with every algorithm for schedules",
        run: |_, rest| threads(rest),
    },
    Target { name: "truth", about: "C programs whose values leave what is followed and come back, four to a file", run: programs },
    Target { name: "clp", about: "logic programs, with and without builtin predicates and constraints", run: |_, rest| clp(rest) },
    Target { name: "java", about: "Java programs, eight to a class, then as many with threads", run: |_, rest| java(rest) },
    Target { name: "model", about: "state machines, four to a capsule", run: programs },
    Target { name: "erl", about: "Erlang modules, then as many programs of processes", run: |_, rest| erl(rest) },
    Target { name: "sat", about: "random formulas for our SAT solver and another", run: |_, rest| sat(rest) },
];

/// Files of C programs to compare if nobody says how many.
const DEFAULT_COUNT: &str = "100";

/// Programs with threads, and logic programs, to compare if nobody says how many.
const DEFAULT_THREADS: u64 = 1_000;

/// Random formulas to compare if nobody says how many.
const DEFAULT_FORMULAS: u64 = 10_000;

/// C programs with threads that share a file.
const THREADS_IN_FILE: u64 = 20;

/// Runs the named fuzz target.
pub fn run(arguments: &[String]) -> Result<()> {
    let all = || TARGETS.iter().map(|target| format!("\n  {:<8} {}", target.name, target.about)).collect::<String>();
    let Some((name, rest)) = arguments.split_first() else { bail!("which target? There is:{}", all()) };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        bail!("there is no fuzz target `{name}`. There is:{}", all())
    };
    setup::run()?;
    (target.run)(target.name, rest)
}

/// Programs that `xcute-oracle` generates.
fn programs(name: &str, rest: &[String]) -> Result<()> {
    let mut command = oracle(name)?;
    if rest.first().is_none_or(|word| word == "--") {
        command.arg(DEFAULT_COUNT);
    }
    shell::run(command.args(rest))
}

/// The random programs with assertions of the test suite, but more of them; not optimised, for what is asserted on the way.
fn prune(rest: &[String]) -> Result<()> {
    let numbers: Vec<&str> = rest.iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let mut test = shell::cargo(&["test", "--quiet", "--package", "xcute", "--test", "all", "prune::"]);
    test.env("XCUTE_PRUNE_FILES", numbers.first().unwrap_or(&DEFAULT_COUNT));
    test.env("XCUTE_PRUNE_SEED", numbers.get(1).unwrap_or(&"1"));
    shell::run(&mut test)
}

/// The command that compares the programs of a target.
fn oracle(name: &str) -> Result<Command> {
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute", "--package", "xcute-oracle"]))?;
    Ok(shell::command(&shell::release("xcute-oracle"), &[&shell::release("xcute"), name]))
}

/// The random logic programs of the test suite, but more of them.
fn clp(rest: &[String]) -> Result<()> {
    let (count, seed) = (number(rest, 0, DEFAULT_THREADS)?, number(rest, 1, 1)?);
    let mut tests = shell::cargo(&["test", "--release", "--package", "xcute-clp", "--test", "all", "oracle::"]);
    // What each comparison was worth is shown, and one program does not hold up the others.
    tests.args(["--", "--nocapture"]).env("XCUTE_CLP_SECONDS", std::env::var("XCUTE_CLP_SECONDS").unwrap_or_else(|_| "60".to_owned()));
    shell::run(tests.env("XCUTE_CLP_PROGRAMS", count.to_string()).env("XCUTE_CLP_SEED", seed.to_string()))
}

/// The random Java programs of the test suite, but more of them.
fn java(rest: &[String]) -> Result<()> {
    let (count, seed) = (number(rest, 0, DEFAULT_THREADS)?, number(rest, 1, 1)?);
    let mut test = shell::cargo(&["test", "--release", "--package", "xcute-java", "--test", "all", "--", "oracle::", "schedules::"]);
    let (count, seed) = (count.to_string(), seed.to_string());
    shell::run(test.env("XCUTE_JAVA_PROGRAMS", &count).env("XCUTE_JAVA_THREADS", &count).env("XCUTE_JAVA_SEED", &seed))
}

/// Erlang modules to compare if nobody says how many.
const DEFAULT_MODULES: u64 = 300;

/// The random Erlang modules and programs of processes of the test suite, but more of them.
fn erl(rest: &[String]) -> Result<()> {
    let (count, seed) = (number(rest, 0, DEFAULT_MODULES)?, number(rest, 1, 1)?);
    let mut tests = shell::cargo(&["test", "--release", "--package", "xcute-erl", "--test", "all", "--", "oracle::", "oracle_processes::"]);
    shell::run(tests.env("XCUTE_ERL_MODULES", count.to_string()).env("XCUTE_ERL_SEED", seed.to_string()))
}

/// The random formulas of the test suite, but more of them: our SAT solver against another.
fn sat(rest: &[String]) -> Result<()> {
    let (count, seed) = (number(rest, 0, DEFAULT_FORMULAS)?, number(rest, 1, 1)?);
    let mut test = shell::cargo(&["test", "--quiet", "--release", "--package", "xcute-solver-bits", "--lib", "agrees_with_another_solver"]);
    shell::run(test.env("XCUTE_SAT_FORMULAS", count.to_string()).env("XCUTE_SAT_SEED", seed.to_string()))
}

fn number(numbers: &[String], at: usize, default: u64) -> Result<u64> {
    numbers.get(at).map_or(Ok(default), |text| text.parse().with_context(|| format!("`{text}` is not a number")))
}

/// The random programs of the test suite, but more of them.
fn threads(rest: &[String]) -> Result<()> {
    let (numbers, arguments) = rest.split_at(rest.iter().position(|word| word == "--").unwrap_or(rest.len()));
    let (count, seed) = (number(numbers, 0, DEFAULT_THREADS)?, number(numbers, 1, 1)?);
    let mut models = shell::cargo(&["test", "--quiet", "--release", "--package", "xcute-race", "--test", "threads", "random_programs"]);
    shell::run(models.env("XCUTE_RACE_PROGRAMS", count.to_string()).env("XCUTE_RACE_SEED", seed.to_string()))?;
    let files = count.div_ceil(THREADS_IN_FILE);
    shell::run(oracle("threads")?.args([files.to_string(), seed.to_string()]).args(arguments))
}
