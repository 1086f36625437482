//! `./x bench clp real`: predicates of SWI-Prolog's own library, as it is installed: how many are searched to their end at term depth 2, what fails and why, and
//! whether SWI-Prolog passes the tests.
//!
//! A failure is classified by its goal. The documentation of the library names its arguments after their types (`+List`, `+Set`, `+Pairs`, `+Assoc`): a goal with an argument
//! that is none is outside of the declared type. What is left is shown with its goal, for people to judge.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// Modules whose predicates are tested, in this order, until there are enough.
const MODULES: &[&str] = &[
    "lists",
    "pairs",
    "ordsets",
    "ugraphs",
    "assoc",
    "apply",
    "option",
    "heaps",
    "occurs",
    "terms",
    "varnumbers",
    "rbtrees",
    "nb_set",
    "oset",
];
/// At most this many predicates.
const MOST: usize = 100;
/// At least this many of them must be complete.
const LEAST: usize = 60;
/// For each predicate, on the average of its module.
const SECONDS: usize = 5;

/// What became of all predicates.
#[derive(Default)]
struct Total {
    searched: usize,
    complete: usize,
    refused: usize,
    out_of_time: usize,
    failing: usize,
    outside: usize,
    closures: usize,
    inside: Vec<String>,
    disagreeing: usize,
    suites: usize,
    passed: usize,
}

fn main() -> ExitCode {
    let Some(library) = library() else {
        println!("clp_real: SWI-Prolog is not installed (apt-get install swi-prolog-nox)");
        return ExitCode::FAILURE;
    };
    let place = tempfile::tempdir().expect("a directory");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--") && word != "real").collect();
    let mut total = Total::default();
    println!("{:<34} {:>6} {:>9}  what", "predicate", "paths", "complete");
    for module in MODULES.iter().filter(|module| wanted.is_empty() || wanted.iter().any(|name| name == *module)) {
        if total.searched >= MOST {
            break;
        }
        one(&library.join(format!("{module}.pl")), module, place.path(), &mut total);
    }
    total.report();
    let holds = total.refused == 0 && total.disagreeing == 0 && total.passed == total.suites;
    let enough = !wanted.is_empty() || (total.searched == MOST && total.complete >= LEAST);
    if holds && enough { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Total {
    fn report(&self) {
        let Total { searched, complete, refused, out_of_time, failing, outside, closures, inside, disagreeing, suites, passed } = self;
        println!(
            "\n{searched} predicates searched, {complete} complete at term depth 2, {out_of_time} out of time, {refused} modules refused, {disagreeing} disagree with SWI-Prolog"
        );
        println!(
            "{failing} can fail: {outside} only outside of their documented types, {closures} only with closures that do not exist, {} otherwise",
            inside.len()
        );
        for line in inside {
            println!("  {line}");
        }
        println!("{passed} of {suites} suites pass on SWI-Prolog");
    }
}

/// Where SWI-Prolog keeps its library.
fn library() -> Option<PathBuf> {
    let output = Command::new("swipl").arg("--dump-runtime-variables").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let base = text.lines().find_map(|line| line.strip_prefix("PLBASE=\""))?;
    Some(Path::new(base.trim_end_matches([';', '"'])).join("library"))
}

/// Searches all predicates of a module.
fn one(file: &Path, module: &str, place: &Path, total: &mut Total) {
    let Ok(text) = fs::read(file) else { return };
    let count = String::from_utf8_lossy(&text).matches("%!").count().max(4);
    let (out, time) = (place.join(module), format!("{}s", SECONDS * count));
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).arg("clp").arg(file).args(["--term-depth", "2", "--time", &time, "--out"]).arg(&out);
    let output = command.output().expect("xcute starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(2) {
        println!("{module:<34} {:>6} {:>9}  {}", "-", "refused", said.lines().last().unwrap_or_default());
        total.refused += 1;
        return;
    }
    total.suites += said.lines().filter(|line| line.contains(" tests in ")).count();
    total.passed += said.lines().filter(|line| line.contains(": SWI-Prolog passes")).count();
    let mut parts: Vec<PathBuf> = fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    parts.sort();
    for part in parts {
        let summary = fs::read_to_string(part.join("summary.json")).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        if let Some(summary) = summary.filter(|_| total.searched < MOST) {
            row(module, &summary, &String::from_utf8_lossy(&text), total);
        }
    }
}

fn row(module: &str, summary: &Value, text: &str, total: &mut Total) {
    let complete = summary["complete"] == true;
    let failures: Vec<&Value> = summary["failures"].as_array().into_iter().flatten().collect();
    let disagrees = summary["limits"].as_array().into_iter().flatten().any(|limit| limit["kind"] == "disagreement");
    let (disagreements, own): (Vec<&Value>, Vec<&Value>) =
        failures.into_iter().partition(|failure| failure["id"].as_str().unwrap_or("").starts_with('s'));
    total.searched += 1;
    total.complete += usize::from(complete);
    total.out_of_time += usize::from(summary["stop"] == "time");
    if let Some(classes) =
        own.iter().map(|failure| class(failure, summary["subject"].as_str().unwrap_or_default(), text)).reduce(Class::worse)
    {
        total.failing += 1;
        match classes {
            Class::Outside => total.outside += 1,
            Class::Closure => total.closures += 1,
            Class::Inside(goal) => total.inside.push(format!("{module}: {goal}")),
        }
    }
    total.disagreeing += usize::from(disagrees);
    let first = disagreements.first().or(own.first()).and_then(|failure| failure["message"].as_str()).unwrap_or_default();
    let cut = summary["limits"].as_array().into_iter().flatten().find(|limit| limit["incomplete"] == true);
    let cut =
        cut.map(|limit| format!("{}: {}", limit["kind"].as_str().unwrap_or(""), limit["what"].as_str().unwrap_or(""))).unwrap_or_default();
    let what = if first.is_empty() { cut } else { first.to_owned() };
    let name = format!("{module}:{}", summary["subject"].as_str().unwrap_or("?"));
    let stop = summary["stop"].as_str().unwrap_or_default();
    println!(
        "{name:<34} {:>6} {:>9}  {}",
        summary["paths"],
        if complete { "yes" } else { stop },
        what.chars().take(110).collect::<String>()
    );
}

/// Why a predicate fails.
enum Class {
    /// An argument is not of the type that it is named after.
    Outside,
    /// A closure that is an input is not the name of a predicate.
    Closure,
    /// None of these, with the goal and what it does.
    Inside(String),
}

impl Class {
    fn worse(self, other: Class) -> Class {
        match (self, other) {
            (inside @ Class::Inside(_), _) | (_, inside @ Class::Inside(_)) => inside,
            (Class::Closure, _) | (_, Class::Closure) => Class::Closure,
            _ => Class::Outside,
        }
    }
}

/// Names of arguments that stand for types, how they end, and the test for these.
const NAMED: &[(&str, &str)] = &[
    ("Assoc", "is_assoc"),
    ("Heap", "is_heap"),
    ("Pairs", "pairs"),
    ("Lists", "lists"),
    ("Sets", "lists"),
    ("SetOfSets", "lists"),
    ("PowerSet", "lists"),
    ("Graph", "graph"),
    ("UGraph", "graph"),
    ("Edges", "pairs"),
    ("List", "is_list"),
    ("Set", "is_list"),
    ("Sub", "is_list"),
    ("Super", "is_list"),
    ("Delete", "is_list"),
    ("Vertices", "is_list"),
    ("Keys", "is_list"),
    ("Values", "is_list"),
    ("Rest", "is_list"),
    ("Options", "is_list"),
    ("N", "integer"),
    ("Low", "integer"),
    ("High", "integer"),
];

/// The tests, for SWI-Prolog.
const TESTS: &str = "
:- use_module([library(lists), library(apply), library(assoc), library(heaps), library(ugraphs), library(ordsets)]).
pairs(X) :- is_list(X), forall(member(P, X), P = _-_).
lists(X) :- is_list(X), forall(member(L, X), is_list(L)).
graph(X) :- pairs(X), forall(member(_-L, X), is_ordset(L)), pairs_keys(X, Ks), is_ordset(Ks), forall((member(_-L, X), member(V, L)), memberchk(V, Ks)).
checked(Test, X) :- ( var(X) -> true ; call(Test, X) ).
";

/// Classifies a failure by its goal and the comment that declares its predicate.
fn class(failure: &Value, subject: &str, text: &str) -> Class {
    let message = failure["message"].as_str().unwrap_or_default();
    let case = failure["case"].as_str().and_then(|path| fs::read_to_string(path).ok());
    let case = case.and_then(|text| serde_json::from_str::<Value>(&text).ok()).unwrap_or_default();
    let goal = case["goal"].as_str().unwrap_or_default();
    let (name, arity) = subject.rsplit_once('/').unwrap_or((subject, ""));
    let heads = text.lines().filter_map(|line| line.trim_start().strip_prefix("%!"));
    let heads: Vec<&str> = heads.filter_map(|head| head.trim().strip_prefix(name)?.strip_prefix('(')).collect();
    let count = |list: &str| list.split(')').next().unwrap_or_default().split(',').count();
    let head = heads.iter().find(|head| arity == count(head).to_string());
    let names: Vec<String> = head
        .map(|head| head.split(')').next().unwrap_or_default().split(',').map(|arg| arg.trim().to_owned()).collect())
        .unwrap_or_default();
    if message.contains("existence_error(procedure") && names.iter().any(|name| name.starts_with(':')) {
        return Class::Closure;
    }
    let tests = names.iter().enumerate().filter_map(|(number, name)| {
        let plain = name.split(':').find(|part| !part.is_empty()).unwrap_or_default();
        let plain = plain.trim_start_matches(['+', '-', '?', '@']).trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches("In");
        NAMED
            .iter()
            .find(|(end, _)| plain.ends_with(end))
            .map(|(_, test)| format!("arg({}, G, A{number}), checked({test}, A{number})", number + 1))
    });
    let body: Vec<String> = tests.collect();
    let typed = !body.is_empty() && holds(&format!("G = {goal}, {}", body.join(", ")));
    if typed || body.is_empty() { Class::Inside(format!("{goal}: {message}")) } else { Class::Outside }
}

/// Whether SWI-Prolog proves a goal.
fn holds(goal: &str) -> bool {
    let file = tempfile::Builder::new().suffix(".pl").tempfile().expect("a file");
    fs::write(file.path(), format!("{TESTS}\n:- initialization(main, main).\nmain :- ( {goal} -> true ; halt(1) ).\n"))
        .expect("it can be written");
    Command::new("swipl").arg(file.path()).output().is_ok_and(|output| output.status.success())
}
