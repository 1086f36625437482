//! Random programs over all built-in predicates against brute force on SWI-Prolog.
//!
//! Each case of a campaign must do on SWI-Prolog what it did on the plain machine and in the search: the same bindings, the same error, up to the names of variables.
//! Where the campaign calls itself complete, every outcome that SWI-Prolog has for some term of a large pool must be the outcome of a case: which clauses answer,
//! which way their conditions went, which kind of error is thrown.
//!
//! The goal with constraints of a path accepts a term of the pool only where SWI-Prolog does with that term what it does with the case of the path.
//!
//! What does not end agrees with what does not end, and with nothing else. A goal that ends on one side only gets twenty times as much there, and is undecided if that
//! is not enough: such goals are shown, counted, and must stay few.

use crate::support;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use crate::support::compared::{COLLECT, NO_END, NOT_SUPPORTED, answered, collected, kind, place};
use crate::support::generator::{Generator, name};
use crate::support::{alarm, attempted, campaign_until, show};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Answer;
use xcute_clp::swipl::{Ending, Limits, Session};
use xcute_clp::syntax::{Atoms, Operators, Style, Writer};
use xcute_solver::Effort;
use xcute_term::Terms;
use xcute_trace::TestCase;

/// How deep inputs are.
const DEPTH: u32 = 2;
/// A search has no more runs than this; one that would need more is not complete.
const RUNS: u64 = 40;
/// A question to the solver costs no more than this; one that would is not answered.
const EFFORT: Effort = Effort(100);
/// This many programs are run by one SWI-Prolog.
const BATCH: u64 = 25;
/// How much more a goal gets that does not end: SWI-Prolog gives as much.
const MORE: u64 = 20;
/// Of this many answers, one may be undecided.
const UNDECIDED: usize = 200;

/// Programs on which SWI-Prolog itself is wrong, and why. When it is mended they agree, and the test says so.
const NOT_OURS: &[(u64, &str)] = &[(476, TAIL)];

const TAIL: &str = "evaluates [X] only where the tail was written as [], and throws type_error([], [X]) where it became that";

/// Programs with numbers from here on are those of [`PROGRAMS`].
const WRITTEN: u64 = 1_000_000;

/// Small programs, one in each line.
const PROGRAMS: &str = include_str!("corpus/programs.pl");

fn written() -> Vec<&'static str> {
    PROGRAMS.lines().filter(|line| !line.starts_with('%')).collect()
}

/// The terms that every program is called with.
const POOL: &str = "
pool(X) :- atomic_one(X).
pool(X) :- member(F, [f(A), [A], g(A, b), A-b, [a|A], [A, b], t(A), g(a, A), f(f(A)), [f(A)], [[A]], f([A]), t([A]), g([A], 1), f(A, A, A), a-A, [1|A]]),
    few(A), \\+ ( A == [], F = [_|T], T == A ), X = F.
% Written: as_made below says why.
pool([a]).
pool([1]).
pool([[]]).
pool([a-1]).
pool([[1], 2]).
pool([2, 1]).
pool(\"zebra\").
pool([b-1]).
pool(t(k, v, <, t, t)).
atomic_one(X) :- member(X, [a, b, ab, f, zebra, '', '1', [], foo, 'B', ba, zz, '2.5', '\\u00e9', 0, 1, 2, 3, -1, -2, 4, 7, 48, 57, 97, 98, 1000, 1000000000000000000000,
    0.0, 1.0, 2.5, -1.5, -0.0, 3.0, 1.0e10, \"\", \"a\", \"b\", \"ab\", \"1\", \"foo\", \"B\", \"2.5\", true, false, (<), (-), {}]).
few(X) :- member(X, [a, b, [], 0, 1, 2, -1, 1.0, 2.5, \"a\", \"\", foo, zebra, 97]).
";

/// A case of a campaign.
struct Case {
    goal: String,
    ours: String,
    /// Its path as a goal with constraints, where that can be written.
    path: Option<String>,
}

/// Of this many terms of the pool, one is compared with the constraints of all paths.
const ACCEPTED: usize = 7;

/// What SWI-Prolog did, and where, if it is an error.
type Observed = (String, String);

/// A term of the pool, what SWI-Prolog did with it, and the cases whose paths accept it.
struct Pooled {
    term: String,
    theirs: Observed,
    accepted: Vec<usize>,
}

/// The answers of SWI-Prolog to terms of the pool, and to the cases.
type Answers = (Vec<Pooled>, Vec<Observed>);

/// What a campaign over a program says.
#[derive(Default)]
struct Said {
    number: u64,
    text: String,
    solutions: u64,
    complete: bool,
    /// Whether its search was ended by time.
    late: bool,
    /// Whether it has too many functors for a bound on the depth of terms.
    refused: bool,
    cases: Vec<Case>,
    /// What is wrong without looking at SWI-Prolog.
    faults: Vec<String>,
}

/// Searches a program.
fn search(number: u64) -> Said {
    if std::env::var_os("XCUTE_CLP_TEXTS").is_some() {
        support::follow_texts();
    }
    let text = match number.checked_sub(WRITTEN) {
        Some(at) => written()[usize::try_from(at).expect("a line")].replace('§', &number.to_string()) + "\n",
        None => Generator::program(number),
    };
    let solutions = if number.is_multiple_of(2) { 1 } else { 3 };
    let bounds = Bounds { solutions, steps: 20_000, cells: 400_000 };
    let Ok((source, mut subject)) = attempted(&text, (&format!("{}/2", name(number)), Some(&[1])), Some(DEPTH), bounds, true) else {
        return Said { number, text, refused: true, ..Said::default() };
    };
    let (mut again, mut plain) = (subject.another(), subject.another());

    let options = xcute_engine::Options { runs: RUNS, effort: EFFORT, ..xcute_engine::Options::default() };
    let (interrupt, alarm) = alarm();
    let (results, inputs) = campaign_until(&mut subject, options, &interrupt);
    drop(alarm);
    let mut said = Said { number, text, solutions, complete: results.complete, late: interrupt.raised(), ..Said::default() };
    let mut terms = Terms::new();
    for input in inputs {
        let case = TestCase { input: input.clone(), ..TestCase::default() };
        // That is a run with symbolic terms.
        let path = again.constrained(&mut terms, &case).map(|goal| {
            let mut atoms = again.symbols().atoms.clone();
            let operators = Operators::new(&mut atoms);
            Writer::new(&atoms, &operators, Style::Canonical).term(&goal.terms, goal.root, &[])
        });
        let goal = plain.goal(&terms, &input);
        let (answer, derivation) = plain.replay(&terms, &input, bounds);
        let goal = show(&source, &plain, &goal);
        // A budget may cut them at different steps: then one path is the beginning of the other.
        let (concrete, followed) = (support::sets(&derivation), support::sets(again.derivation()));
        let cut = answer == Answer::NoEnd && *again.answer() == Answer::NoEnd;
        if concrete != followed && !(cut && (concrete.starts_with(&followed) || followed.starts_with(&concrete))) {
            said.faults.push(format!("{goal} takes another path on the plain machine"));
        }
        let (mut ours, symbolic) = (answered(&answer, &plain.symbols().atoms), answered(again.answer(), &again.symbols().atoms));
        if ours != symbolic {
            said.faults.push(format!("{goal} is {symbolic} in the search, and {ours} on the plain machine"));
        }
        if said.complete && (answer == Answer::NoEnd || ours == NOT_SUPPORTED) {
            said.faults.push(format!("complete, and a case was not run to its end: {goal} {ours}"));
        }
        if answer == Answer::NoEnd {
            let bounds = Bounds { steps: bounds.steps * MORE, cells: bounds.cells * 10, ..bounds };
            ours = answered(&plain.replay(&terms, &input, bounds).0, &plain.symbols().atoms);
        }
        said.cases.push(Case { goal, ours, path });
    }
    if results.arms.diverged > 0 {
        said.faults.push(format!("{} inputs did not go where they should", results.arms.diverged));
    }
    said
}

/// The answers of SWI-Prolog: for each program, those to all terms of the pool, and those to all cases. `None` where SWI-Prolog did not survive them.
fn brute_force(all: &[Said]) -> Vec<Option<Answers>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("oracle.pl");
    let mut text = format!(":- style_check(-singleton).\n:- style_check(-discontiguous).\n{COLLECT}{POOL}");
    let mut paths = String::new();
    for said in all {
        text += &said.text;
        for (at, case) in said.cases.iter().enumerate() {
            let _ = writeln!(text, "case({}, ({})).", said.number, case.goal);
            if let Some(path) = &case.path {
                let _ = writeln!(paths, "path({}, {at}, ({path})).", said.number);
            }
        }
    }
    // Constraints are called in their library, which is loaded last: it expands goals.
    text += &format!(":- use_module(library(clpfd), []).\n:- dynamic path/3.\n{paths}");
    text += "
batch(N, Max, Every, Pool, Cases) :-
    atom_concat(p, N, Name),
    flag(pooled, _, N),
    flag(endless, _, 0),
    findall(pooled(X, A, Is), ( pool(X), collect(Max, R, call(Name, X, R), A), accepted(N, Every, X, Is) ), Pool),
    flag(endless, _, 0),
    findall(A, ( case(N, G), arg(2, G, R), collect(Max, R, G, A) ), Cases).
accepted(N, Every, X, Is) :-
    flag(pooled, At, At + 1),
    ( At mod Every =:= 0 -> findall(I, ( path(N, I, Path), constraints(Path, Goal, Cs), arg(1, Goal, X), accepts(Cs) ), Is) ; Is = [] ).
constraints((C, Path), Goal, (C, Cs)) :- !, constraints(Path, Goal, Cs).
constraints(Goal, Goal, true).
accepts(Cs) :- catch(call_with_inference_limit(once(clpfd:Cs), 100000, Limit), _, fail), Limit \\== inference_limit_exceeded.
";
    std::fs::write(&file, text).expect("a writable directory");
    let start = || {
        let session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
        assert!(session.messages().iter().all(|message| !message.starts_with("error")), "{:?}", session.messages());
        session
    };
    let mut session = start();
    let ask = |said| {
        let answers = answers(&mut session, said);
        if answers.is_none() {
            session = start();
        }
        answers
    };
    all.iter().map(ask).collect()
}

fn answers(session: &mut Session, said: &Said) -> Option<Answers> {
    if said.refused {
        return Some(Answers::default());
    }
    let mut atoms = Atoms::default();
    let limits = Limits { solutions: 1, inferences: 1_000_000_000, time: Duration::from_secs(60) };
    let goal = format!("batch({}, {}, {ACCEPTED}, Pool, Cases)", said.number, said.solutions);
    let answer = session.solve(&goal, limits, &mut atoms).expect("it answers");
    let found = match (answer.solutions.first(), &answer.ending) {
        (Some(found), _) => found,
        (None, Ending::Error(term)) => panic!("SWI-Prolog throws {} for\n{}", answer.show(&atoms, *term), said.text),
        // Numbers like 7 << 7 ** 1000 are more than its memory.
        (None, Ending::Died | Ending::Hung) => return None,
        (None, other) => panic!("{other:?} for\n{}", said.text),
    };
    let of = |term| answer.terms.proper_list(term).expect("a list");
    let observed = |term| (collected(&answer.terms, term, &atoms), place(&answer.terms, term, &atoms));
    let pooled = |term| {
        let (_, args) = answer.terms.callable(term).expect("a term of the pool");
        let mut own = atoms.clone();
        let operators = Operators::new(&mut own);
        let writer = Writer::new(&own, &operators, Style::Operators);
        let number = |term| match answer.terms.get(term) {
            xcute_clp::syntax::Term::Integer(at) => usize::try_from(at).expect("a number of a case"),
            other => panic!("{other:?} is not a number"),
        };
        let accepted = of(args[2]).into_iter().map(number).collect();
        Pooled { term: writer.term(&answer.terms, args[0], &[]), theirs: observed(args[1]), accepted }
    };
    let pool = of(found.values[0]).into_iter().map(pooled).collect();
    Some((pool, of(found.values[1]).into_iter().map(observed).collect()))
}

/// What came of the comparison of some programs.
#[derive(Default)]
struct Compared {
    count: usize,
    complete: usize,
    wrong: Vec<String>,
    /// The programs whose search was ended by time.
    late: Vec<u64>,
    /// The programs that SWI-Prolog did not survive: only what is wrong without it was looked for.
    deadly: Vec<u64>,
    /// The programs that are not searched.
    refused: Vec<u64>,
    /// How many answers were compared.
    answers: usize,
    /// How many cases ended where something is not supported: there is nothing to compare.
    unsupported: usize,
    /// How often the constraints of a path accepted a term of the pool.
    accepted: usize,
    /// What ends on one side only.
    undecided: Vec<String>,
}

impl Compared {
    /// Takes in what came of other programs.
    fn add(&mut self, other: Compared) {
        self.count += other.count;
        self.complete += other.complete;
        self.answers += other.answers;
        self.accepted += other.accepted;
        self.unsupported += other.unsupported;
        self.wrong.extend(other.wrong);
        self.late.extend(other.late);
        self.deadly.extend(other.deadly);
        self.refused.extend(other.refused);
        self.undecided.extend(other.undecided);
    }

    /// Compares what the cases of a program did.
    fn compare_cases(&mut self, said: &Said, theirs: &[Observed]) -> Vec<String> {
        let mut faults = Vec::new();
        for (Case { goal, ours, .. }, (theirs, _)) in said.cases.iter().zip(theirs) {
            self.answers += 1;
            match (ours.as_str(), theirs.as_str()) {
                (own, other) if own == other => {}
                (NOT_SUPPORTED, _) => self.unsupported += 1,
                (NO_END, _) | (_, NO_END) => {
                    self.undecided.push(format!("program {}: {goal} is {theirs} on SWI-Prolog, and {ours} here", said.number))
                }
                _ => faults.push(format!("{goal} is {theirs} on SWI-Prolog, and {ours} here")),
            }
        }
        faults
    }
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Compared { count, complete, wrong, late, deadly, refused, answers, accepted, unsupported, undecided } = self;
        write!(
            f,
            "{count} programs, {complete} complete, {} wrong; {answers} answers, {} undecided, {unsupported} not supported; {accepted} accepted; ended by time {late:?}, SWI-Prolog dies \
             in {deadly:?}, refused {refused:?}",
            wrong.len(),
            undecided.len()
        )
    }
}

/// Compares the campaigns over some programs with brute force.
fn compare(numbers: std::ops::Range<u64>) -> Compared {
    let all: Vec<Said> = numbers.map(search).collect();
    let those = |is: fn(&Said) -> bool| all.iter().filter(|said| is(said)).map(|said| said.number).collect();
    let (late, refused) = (those(|said| said.late), those(|said| said.refused));
    let mut compared = Compared { count: all.len(), late, refused, ..Compared::default() };
    for (said, answers) in all.iter().zip(brute_force(&all)) {
        let (pool, cases) = answers.unwrap_or_else(|| {
            compared.deadly.push(said.number);
            Answers::default()
        });
        let mut faults = said.faults.clone();
        faults.extend(compared.compare_cases(said, &cases));
        // Whether it was an expression that an error is about, only SWI-Prolog says.
        let found: BTreeSet<String> = said.cases.iter().zip(&cases).map(|(case, (_, place))| kind(&case.ours, place)).collect();
        let mut missing = BTreeSet::new();
        for Pooled { term, theirs: (theirs, place), accepted } in &pool {
            let theirs_kind = kind(theirs, place);
            // As in `NOT_OURS`: whether SWI-Prolog evaluates a list depends on how that was made, in the pool and in a case.
            let as_made = place == "expression" && theirs.starts_with("throws type_error([],[");
            for &at in accepted.iter().filter(|_| !as_made) {
                compared.accepted += 1;
                let (case, of_case) = (&said.cases[at], &cases[at]);
                if kind(&of_case.0, &of_case.1) != theirs_kind && ![&of_case.0, theirs].contains(&&NO_END.to_owned()) {
                    let path = case.path.as_deref().unwrap_or_default();
                    faults.push(format!("{path} accepts {term}, which is {theirs}, while {} is {}", case.goal, of_case.0));
                }
            }
            if !said.complete {
                continue;
            }
            compared.answers += 1;
            if !found.contains(&theirs_kind) && missing.insert(theirs_kind) {
                faults.push(format!("complete, and no case is like {term}, which is {theirs}"));
            }
        }
        compared.complete += usize::from(said.complete);
        if let Some((_, why)) = NOT_OURS.iter().find(|(number, _)| *number == said.number) {
            if faults.is_empty() {
                compared.wrong.push(format!("program {} agrees, and SWI-Prolog should be wrong: it {why}", said.number));
            }
        } else if !faults.is_empty() {
            compared.wrong.push(format!("program {}:\n{}{}", said.number, said.text, faults.join("\n")));
        }
    }
    compared
}

/// The same for a part of the programs: of `parts`, the one with this number.
fn part(number: u64, parts: u64) {
    let all = support::seeds(500);
    let size = (all.end - all.start).div_ceil(parts);
    compare_all(all.start + number * size..(all.start + (number + 1) * size).min(all.end));
}

/// Compares programs, as many as one SWI-Prolog takes at a time.
#[expect(clippy::print_stdout, reason = "how many are complete says what the comparison is worth")]
fn compare_all(own: std::ops::Range<u64>) {
    let (mut sum, mut from) = (Compared::default(), own.start);
    while from < own.end {
        let to = (from + BATCH).min(own.end);
        let found = compare(from..to);
        println!("programs {from} to {}: {found}", to - 1);
        found.wrong.iter().chain(&found.undecided).for_each(|fault| println!("{fault}"));
        sum.add(found);
        from = to;
    }
    println!("{sum}");
    assert!(sum.wrong.is_empty(), "{sum}:\n\n{}", sum.wrong.join("\n\n"));
    let allowed = 1 + sum.answers / UNDECIDED;
    assert!(sum.undecided.len() <= allowed, "{sum}: at most {allowed} answers may be undecided\n\n{}", sum.undecided.join("\n"));
    assert!(sum.complete > 0, "none of {} programs is complete: that cannot find what a complete search lacks", sum.count);
}

/// A fifth of the written programs.
fn written_part(number: u64) {
    let count = u64::try_from(written().len()).expect("few");
    compare_all(WRITTEN + number * count / 5..WRITTEN + (number + 1) * count / 5);
}

#[test]
fn written_programs_agree_with_swi_prolog_0() {
    written_part(0);
}

#[test]
fn written_programs_agree_with_swi_prolog_1() {
    written_part(1);
}

#[test]
fn written_programs_agree_with_swi_prolog_2() {
    written_part(2);
}

#[test]
fn written_programs_agree_with_swi_prolog_3() {
    written_part(3);
}

#[test]
fn written_programs_agree_with_swi_prolog_4() {
    written_part(4);
}

macro_rules! parts {
    ($($name:ident $number:literal),*) => {$(
        #[test]
        fn $name() {
            part($number, 20);
        }
    )*};
}

parts!(
    programs_agree_with_swi_prolog_0 0,
    programs_agree_with_swi_prolog_1 1,
    programs_agree_with_swi_prolog_2 2,
    programs_agree_with_swi_prolog_3 3,
    programs_agree_with_swi_prolog_4 4,
    programs_agree_with_swi_prolog_5 5,
    programs_agree_with_swi_prolog_6 6,
    programs_agree_with_swi_prolog_7 7,
    programs_agree_with_swi_prolog_8 8,
    programs_agree_with_swi_prolog_9 9,
    programs_agree_with_swi_prolog_10 10,
    programs_agree_with_swi_prolog_11 11,
    programs_agree_with_swi_prolog_12 12,
    programs_agree_with_swi_prolog_13 13,
    programs_agree_with_swi_prolog_14 14,
    programs_agree_with_swi_prolog_15 15,
    programs_agree_with_swi_prolog_16 16,
    programs_agree_with_swi_prolog_17 17,
    programs_agree_with_swi_prolog_18 18,
    programs_agree_with_swi_prolog_19 19
);
