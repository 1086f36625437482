//! Goals on the plain machine and on SWI-Prolog: the same values in the same order, the same errors.

use crate::support::{show, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Answer;
use xcute_clp::swipl::{Ending, Limits, Session};
use xcute_clp::syntax::{Arena, Atoms, Operators, Style, TermRef, Writer};
use xcute_term::{Model, Terms};

/// Clauses, then goals with X, one in each line.
const CORPUS: &str = include_str!("corpus/goals.pl");

const SOLUTIONS: u64 = 12;

/// The values of X, in which variables are not told apart, or the error.
fn ours(clauses: &str, goal: &str) -> String {
    let text = format!("{clauses}\nmain(X) :- {goal}.\n");
    let (_, errors) = xcute_clp::syntax::Program::read("goal", &text);
    if let Some(error) = errors.first() {
        return format!("cannot be read: {error:?}");
    }
    let bounds = Bounds { solutions: SOLUTIONS, steps: 2_000_000, ..Bounds::default() };
    let (program, mut subject) = subject(&text, "main/1", Some(&[]), None, bounds);
    let (answer, _) = subject.replay(&Terms::new(), &Model::new(), bounds);
    match answer {
        Answer::Solutions(solutions, _) => {
            solutions.iter().map(|solution| show(&program, &subject, solution)).collect::<Vec<String>>().join(" ; ")
        }
        Answer::Error(ball) => {
            let text = show(&program, &subject, &ball);
            let formal = text.strip_prefix("error(").and_then(|rest| rest.rsplit_once(',')).map(|(formal, _)| formal);
            format!("throws {}", formal.unwrap_or(&text))
        }
        Answer::NoEnd => "no end".to_owned(),
        Answer::Rejected => "not supported".to_owned(),
    }
}

fn theirs(session: &mut Session, number: usize) -> String {
    let mut atoms = Atoms::default();
    let limits = Limits { solutions: SOLUTIONS, inferences: 10_000_000, time: std::time::Duration::from_secs(120) };
    let answer = session.solve(&format!("main{number}(X)"), limits, &mut atoms).expect("it answers");
    match &answer.ending {
        Ending::Error(term) | Ending::Thrown(term) => format!("throws {}", written(&answer.terms, *term, &atoms)),
        _ => {
            let values = answer.solutions.iter().map(|solution| written(&answer.terms, solution.values[0], &atoms));
            values.collect::<Vec<String>>().join(" ; ")
        }
    }
}

fn written(terms: &Arena, root: TermRef, atoms: &Atoms) -> String {
    let mut atoms = atoms.clone();
    let mut operators = Operators::new(&mut atoms);
    for (priority, name) in [(450, ".."), (700, "in"), (700, "#=")] {
        let atom = atoms.intern(name);
        operators.add(&atoms, priority, xcute_clp::syntax::Fixity::Xfx, atom).expect("no reserved name");
    }
    Writer::new(&atoms, &operators, Style::Operators).term(terms, root, &[])
}

#[test]
fn goals_have_the_answers_of_swi_prolog() {
    let at = CORPUS.find("\n% ").expect("the goals begin with a comment");
    let (clauses, goals) = CORPUS.split_at(at);
    let clauses = format!(":- set_prolog_flag(occurs_check, true).\n:- use_module(library(clpfd)).\n{clauses}");
    let goals: Vec<&str> = goals.lines().filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
    let mut text = clauses.clone();
    for (number, goal) in goals.iter().enumerate() {
        text += &format!("\nmain{number}(X) :- {goal}.");
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("goals.pl");
    std::fs::write(&file, text + "\n").expect("a writable directory");
    let mut session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
    let mut differences = Vec::new();
    for (number, goal) in goals.iter().enumerate() {
        let (ours, theirs) = (ours(&clauses, goal), theirs(&mut session, number));
        if ours.replace(", ", ",") != theirs.replace(", ", ",") {
            differences.push(format!("?- {goal}.\n  SWI-Prolog: {theirs}\n  xcute:      {ours}"));
        }
    }
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), goals.len(), differences.join("\n"));
    assert!(goals.len() > 200, "{} goals are few", goals.len());
}
