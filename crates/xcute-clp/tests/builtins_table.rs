//! Every predicate that is supported, with arguments that fit, that do not, that are partial and that are shared, on the plain machine and on SWI-Prolog: the same
//! solutions up to names of variables, the same domains of what is constrained, the same errors.
//!
//! The goals come from `corpus/builtins.txt`: goals with places, and pools of arguments for the places. What differs, and why, is in `corpus/differences.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use crate::support::compared::{COLLECT, answered, collected};
use crate::support::subject;
use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_clp::swipl::{Limits, Session};
use xcute_clp::syntax::{Atoms, Operators};
use xcute_term::{CtorId, DataSortId, DataValue, Model, Sort, Terms, Value};

const CORPUS: &str = include_str!("corpus/builtins.txt");

/// Goals that may differ, each after the reason.
const DIFFERENCES: &str = include_str!("corpus/differences.txt");

/// The stream of random arguments that the suite uses, and that the differences are of.
const STREAM: u64 = 18;

/// What the goals call, and how they are run: constrained variables are shown with their domains.
const CLAUSES: &str = "
:- set_prolog_flag(occurs_check, true).
:- use_module(library(clpfd)).
:- dynamic dyn/1.
dyn(1). dyn(2).
fact(a). fact(b).
fact2(a, 1). fact2(b, 2).
add(X, Y, Z) :- Z is X + Y.
add4(X, Y, A, B) :- B is X + Y + A.
succ_or_zero(X, Y) :- ( integer(X) -> Y is X + 1 ; Y = 0 ).
order(O, X, Y) :- compare(O, X, Y).
badorder(maybe, _, _).
sign(X, O) :- compare(O, X, b).
badsign(_, maybe).
dcg --> [a], dcgrest(_).
dcgrest(X) --> [X].
dcgrest(none) --> [].
main(N, Shown) :- goal(N, Vars, Goal), call(Goal), shown(Vars, Shown).
shown(Vars, Shown) :- term_variables(Vars, All), domains(All, Domains), ( Domains == [] -> constrained(All, Vars, Shown) ; Shown = Vars-Domains ).
domains([], []).
domains([X|Xs], Domains) :- ( fd_var(X) -> fd_dom(X, Dom), Domains = [X in Dom|Rest] ; Domains = Rest ), domains(Xs, Rest).
constrained(All, Vars, Shown) :- ( member(X, All), attvar(X) -> Shown = Vars-constrained ; Shown = Vars ).
";

/// How SWI-Prolog runs many goals at once.
const BATCHES: &str = "
batch(Count, Answers) :- findall(Answer, ( between(1, Count, N1), N is N1 - 1, one(N, Answer) ), Answers).
one(N, Answer) :- collect(20000, 4, S, main(N, S), Answer).
";

const SOLUTIONS: u64 = 4;
/// How many goals a program of the plain machine has.
const PART: usize = 2_000;

/// The pools by name: how many fit, and all.
type Pools = BTreeMap<&'static str, (usize, Vec<&'static str>)>;

fn corpus() -> (Pools, Vec<&'static str>) {
    let (mut pools, mut templates) = (Pools::new(), Vec::new());
    for line in CORPUS.lines().filter(|line| !line.is_empty() && !line.starts_with('%')) {
        match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')).filter(|(name, _)| name.chars().all(char::is_alphanumeric)) {
            Some((name, values)) => {
                let (fit, others) = values.split_once(" !! ").unwrap_or((values, ""));
                let fit: Vec<&str> = fit.split(" ;; ").collect();
                let count = fit.len();
                let others = others.split(" ;; ").filter(|value| !value.is_empty());
                pools.insert(name, (count, fit.into_iter().chain(others).collect()));
            }
            None => templates.push(line),
        }
    }
    let junk = pools.remove("junk").expect("the pool of junk").1;
    for (&name, (_, values)) in &mut pools {
        for &value in &junk {
            // A list that is called is a list of files.
            let files = matches!(name, "goal" | "gen") && value.starts_with("[a");
            if !files && !values.contains(&value) {
                values.push(value);
            }
        }
    }
    (pools, templates)
}

/// The parts of a template between its places, and the pools of these.
fn places(template: &'static str, pools: &Pools) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut texts, mut names, mut rest) = (Vec::new(), Vec::new(), template);
    let mut from = 0;
    while let Some(at) = rest[from..].find('$').map(|at| at + from) {
        let name = &rest[at + 1..];
        let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
        if pools.contains_key(&name[..end]) {
            texts.push(&rest[..at]);
            names.push(&name[..end]);
            (rest, from) = (&name[end..], 0);
        } else {
            from = at + 1;
        }
    }
    texts.push(rest);
    (texts, names)
}

/// Goals of a template: what fits at all places, everything at each place, and random combinations.
fn instances(template: &'static str, pools: &Pools, random: &mut fastrand::Rng) -> Vec<String> {
    let (texts, names) = places(template, pools);
    let pool: Vec<&(usize, Vec<&str>)> = names.iter().map(|name| &pools[name]).collect();
    let mut chosen: Vec<Vec<usize>> = vec![vec![0; pool.len()]];
    for _ in 0..3 * pool.len() {
        chosen.push(pool.iter().map(|(fit, _)| random.usize(0..*fit)).collect());
    }
    for place in 0..pool.len() {
        // The more places there are, the fewer values are tried at each.
        let step = match pool.len() {
            1 => 1,
            2 => 4,
            _ => 7,
        };
        for value in (random.usize(0..step)..pool[place].1.len()).step_by(step) {
            let mut choice: Vec<usize> = pool.iter().map(|(fit, _)| random.usize(0..*fit)).collect();
            choice[place] = value;
            chosen.push(choice);
        }
    }
    for _ in 0..3 * pool.len().saturating_sub(1) {
        chosen.push(pool.iter().map(|(_, values)| random.usize(0..values.len())).collect());
    }
    let mut seen = BTreeSet::new();
    let goals = chosen.into_iter().map(|choice| {
        let mut goal = texts[0].to_owned();
        for (place, &value) in choice.iter().enumerate() {
            let value = own_variables(pool[place].1[value], place);
            let _ = write!(goal, "{}{}", if value.starts_with('-') && goal.ends_with(['-', '+', '*', '/', '^']) { " " } else { "" }, value);
            goal.push_str(texts[place + 1]);
        }
        goal
    });
    goals.filter(|goal| seen.insert(goal.clone())).collect()
}

/// A value with its variable V named after the place.
fn own_variables(value: &str, place: usize) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        out.push(c);
        let alone = !before.is_alphanumeric()
            && !matches!(before, '_' | '$' | '~' | '\'')
            && !characters.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_');
        if c == 'V' && alone {
            let _ = write!(out, "{place}");
        }
        before = c;
    }
    // Operators and operands of lower priority stand alone.
    let bare = matches!(
        value,
        "-" | "\\"
            | "+"
            | "->"
            | "dynamic"
            | "is"
            | "mod"
            | "="
            | "<"
            | ">"
            | "=="
            | ">>"
            | "#="
            | "#<"
            | "#>="
            | "#\\="
            | "@=<"
            | "@<"
            | "@>"
            | "@>="
    );
    let open = value.contains([' ', '=', ':', '>', '^', '#', '/', ',', ';', '+', '*', '\\', '-']) && !value.starts_with(['"', '[', '\'']);
    let negative = value.starts_with('-') && value[1..].starts_with(|c: char| c.is_ascii_digit());
    if (bare || open) && !negative { format!("({out})") } else { out }
}

/// The variables of a goal, as they are written.
fn variables(goal: &str) -> Vec<String> {
    let mut atoms = Atoms::default();
    let mut operators = Operators::new(&mut atoms);
    clpfd_operators(&mut atoms, &mut operators);
    let text = format!("{goal} .");
    let read = xcute_clp::syntax::Reader::new(xcute_clp::syntax::SourceId(0), &text).next(
        &mut atoms,
        &operators,
        xcute_clp::syntax::Flags::default(),
    );
    let sentence = read.expect("a term").unwrap_or_else(|error| panic!("{goal}: {error:?}"));
    sentence.variables.iter().flatten().filter(|name| !name.starts_with('_')).map(|name| name.to_string()).collect()
}

fn clpfd_operators(atoms: &mut Atoms, operators: &mut Operators) {
    use xcute_clp::syntax::Fixity::{Fy, Xfx, Xfy, Yfx};
    for (priority, fixity, name) in [
        (450, Xfx, ".."),
        (700, Xfx, "in"),
        (700, Xfx, "ins"),
        (700, Xfx, "#="),
        (700, Xfx, "#\\="),
        (700, Xfx, "#<"),
        (700, Xfx, "#>"),
        (700, Xfx, "#=<"),
        (700, Xfx, "#>="),
        (760, Yfx, "#<==>"),
        (750, Xfy, "#==>"),
        (750, Yfx, "#<=="),
        (740, Yfx, "#\\/"),
        (730, Yfx, "#\\"),
        (720, Yfx, "#/\\"),
        (710, Fy, "#\\"),
    ] {
        let atom = atoms.intern(name);
        operators.add(atoms, priority, fixity, atom).expect("no reserved name");
    }
}

fn ours(subject: &mut ClpSubject, number: usize) -> String {
    let bounds = Bounds { solutions: SOLUTIONS, steps: 20_000, cells: 400_000 };
    let mut terms = Terms::new();
    let sort = Sort::Data(subject.program().universe.declare(&mut terms));
    terms.var(&ClpSubject::input_name(0), sort);
    let var = terms.find_var(&ClpSubject::input_name(0)).expect("declared above");
    let ctor = CtorId { sort: DataSortId(0), index: 1 };
    let mut input = Model::new();
    input.set(var, Value::Data(Arc::new(DataValue { ctor, fields: vec![Value::Int(i64::try_from(number).expect("small").into())] })));
    let (answer, _) = subject.replay(&terms, &input, bounds);
    answered(&answer, &subject.symbols().atoms)
}

/// The answers of SWI-Prolog to goals 0 to `count`, in one request.
fn theirs(session: &mut Session, count: usize) -> Vec<String> {
    let mut atoms = Atoms::default();
    let limits = Limits { solutions: 1, inferences: 1_000_000_000, time: Duration::from_secs(100) };
    let answer = session.solve(&format!("batch({count}, Answers)"), limits, &mut atoms).expect("it answers");
    let list = answer
        .solutions
        .first()
        .unwrap_or_else(|| match answer.ending {
            xcute_clp::swipl::Ending::Error(term) => panic!("SWI-Prolog throws {}", answer.show(&atoms, term)),
            ref other => panic!("{other:?}"),
        })
        .values[0];
    let outcome = |term| collected(&answer.terms, term, &atoms);
    answer.terms.proper_list(list).expect("a list").into_iter().map(outcome).collect()
}

/// The clauses, and goals from 0 on.
fn program(goals: &[String]) -> String {
    let mut text = CLAUSES.to_owned();
    for (number, goal) in goals.iter().enumerate() {
        let _ = writeln!(text, "goal({number}, [{}], ({goal})).", variables(goal).join(", "));
    }
    text
}

/// Runs the goals on both; those that differ.
fn compare(goals: &[String]) -> Vec<(String, String, String)> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("table.pl");
    std::fs::write(&file, format!("{}{COLLECT}{BATCHES}", program(goals))).expect("a writable directory");
    let mut session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
    assert!(session.messages().iter().all(|message| !message.starts_with("error")), "{:?}", session.messages());
    let mut answers = theirs(&mut session, goals.len()).into_iter();
    let mut differences = Vec::new();
    for part in goals.chunks(PART) {
        let bounds = Bounds { solutions: SOLUTIONS, ..Bounds::default() };
        let (_, mut subject) = subject(&program(part), "main/2", Some(&[1]), None, bounds);
        for ((number, goal), theirs) in part.iter().enumerate().zip(answers.by_ref()) {
            let ours = ours(&mut subject, number);
            if ours != theirs {
                differences.push((goal.clone(), theirs, ours));
            }
        }
    }
    differences
}

/// Which random arguments: those of the suite, or others that `XCUTE_CLP_STREAM` asks for.
fn stream() -> u64 {
    std::env::var("XCUTE_CLP_STREAM").ok().and_then(|text| text.parse().ok()).unwrap_or(STREAM)
}

/// All goals, in the order of the templates.
fn goals() -> Vec<String> {
    let (pools, templates) = corpus();
    let mut random = fastrand::Rng::with_seed(stream());
    let only = std::env::var("XCUTE_CLP_GOAL").ok();
    let wanted = templates.into_iter().filter(|template| only.as_ref().is_none_or(|only| template.contains(only.as_str())));
    wanted.flat_map(|template| instances(template, &pools, &mut random)).collect()
}

#[test]
fn supported_predicates_do_what_those_of_swi_prolog_do() {
    let goals = goals();
    let differences = compare(&goals);
    let known: BTreeSet<&str> = DIFFERENCES.lines().filter(|line| !line.starts_with('%')).collect();
    let (allowed, new): (Vec<_>, Vec<_>) = differences.into_iter().partition(|(goal, ..)| known.contains(goal.as_str()));
    println!("{} goals, {} known differences", goals.len(), allowed.len());
    let texts: Vec<String> =
        new.iter().map(|(goal, theirs, ours)| format!("?- {goal}.\n  SWI-Prolog: {theirs}\n  xcute:      {ours}")).collect();
    assert!(texts.is_empty(), "{} of {} goals differ:\n{}", texts.len(), goals.len(), texts.join("\n"));
    if std::env::var("XCUTE_CLP_GOAL").is_err() && stream() == STREAM {
        let found: BTreeSet<&str> = allowed.iter().map(|(goal, ..)| goal.as_str()).collect();
        let agree: Vec<&&str> = known.difference(&found).collect();
        assert!(agree.is_empty(), "these goals no longer differ, and are to leave the list:\n{agree:#?}");
    }
    assert!(goals.len() > 5_000 || std::env::var("XCUTE_CLP_GOAL").is_ok(), "{} goals are few", goals.len());
}
