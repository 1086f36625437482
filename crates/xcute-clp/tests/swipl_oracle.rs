//! Random programs over all built-in predicates against brute force on SWI-Prolog.
//!
//! Each case of a campaign must do on SWI-Prolog what it did on the plain machine and in the search: the same bindings, the same error. Where the campaign calls
//! itself complete, every outcome that SWI-Prolog has for some term of a large pool must be the outcome of a case: which clauses answer, which way their
//! conditions went, which kind of error is thrown.

mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use support::compared::{COLLECT, answered, collected};
use support::generator::{Generator, name};
use support::{alarm, attempted, campaign_until, show};
use xcute_clp::machine::Bounds;
use xcute_clp::swipl::{Ending, Limits, Session};
use xcute_clp::syntax::Atoms;
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

/// Programs on which SWI-Prolog itself is wrong, and why. When it is mended they agree, and the test says so.
const NOT_OURS: &[(u64, &str)] =
    &[(476, "evaluates [X] only where the tail was written as [], and throws type_error([], [X]) where it became that")];

/// The terms that every program is called with.
const POOL: &str = "
pool(X) :- atomic_one(X).
pool(X) :- member(F, [f(A), [A], g(A, b), A-b, [a|A], [A, b], t(A), g(a, A), f(f(A)), [f(A)], [[A]], f([A]), t([A]), g([A], 1), f(A, A, A), a-A, [1|A]]),
    few(A), X = F.
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
}

/// The answers of SWI-Prolog to terms of the pool, each after the term, and to the cases.
type Answers = (Vec<(String, String)>, Vec<String>);

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
    let text = Generator::program(number);
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
        xcute_trace::Subject::run(&mut again, &case, &[], &mut terms).expect("it ran before");
        let goal = plain.goal(&terms, &input);
        let (answer, derivation) = plain.replay(&terms, &input, bounds);
        let goal = show(&source, &plain, &goal);
        if support::sets(&derivation) != support::sets(again.derivation()) {
            said.faults.push(format!("{goal} takes another path on the plain machine"));
        }
        let (ours, symbolic) = (answered(&answer, &plain.symbols().atoms), answered(again.answer(), &again.symbols().atoms));
        if ours != symbolic {
            said.faults.push(format!("{goal} is {symbolic} in the search, and {ours} on the plain machine"));
        }
        said.cases.push(Case { goal, ours });
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
    for said in all {
        text += &said.text;
        for case in &said.cases {
            let _ = writeln!(text, "case({}, ({})).", said.number, case.goal);
        }
    }
    text += "
batch(N, Max, Pool, Cases) :-
    atom_concat(p, N, Name),
    findall(X-A, ( pool(X), collect(Max, R, call(Name, X, R), A) ), Pool),
    findall(A, ( case(N, G), arg(2, G, R), collect(Max, R, G, A) ), Cases).
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
    let goal = format!("batch({}, {}, Pool, Cases)", said.number, said.solutions);
    let answer = session.solve(&goal, limits, &mut atoms).expect("it answers");
    let found = match (answer.solutions.first(), &answer.ending) {
        (Some(found), _) => found,
        (None, Ending::Error(term)) => panic!("SWI-Prolog throws {} for\n{}", answer.show(&atoms, *term), said.text),
        // Numbers like 7 << 7 ** 1000 are more than its memory.
        (None, Ending::Died | Ending::Hung) => return None,
        (None, other) => panic!("{other:?} for\n{}", said.text),
    };
    let of = |term| answer.terms.proper_list(term).expect("a list");
    let pair = |term| {
        let (_, args) = answer.terms.callable(term).expect("a pair");
        let mut own = atoms.clone();
        let operators = xcute_clp::syntax::Operators::new(&mut own);
        let writer = xcute_clp::syntax::Writer::new(&own, &operators, xcute_clp::syntax::Style::Operators);
        (writer.term(&answer.terms, args[0], &[]), collected(&answer.terms, args[1], &atoms))
    };
    let pool = of(found.values[0]).into_iter().map(pair).collect();
    Some((pool, of(found.values[1]).into_iter().map(|term| collected(&answer.terms, term, &atoms)).collect()))
}

/// What a search must tell apart in an answer: clauses and ways of solutions, and the kind of an error.
fn outcome(answer: &str) -> String {
    match answer.strip_prefix("throws ") {
        Some(error) => {
            let kind = error.split([',', ')']).next().unwrap_or(error);
            // What is thrown with a term of the program may have any term in it.
            let any = ["existence_error", "ball"].into_iter().find(|any| kind.split('(').next() == Some(any));
            let kind = any.unwrap_or(kind);
            // Strings and lists in arithmetic are to blame in another way than what else is not a number; no input is made for that alone.
            let kind = if matches!(kind, "type_error([]" | "type_error(character") { "type_error(evaluable" } else { kind };
            format!("throws {kind}")
        }
        None => answer.split(" ; ").map(|solution| solution.split(",values(").next().unwrap_or(solution)).collect::<Vec<_>>().join(" ; "),
    }
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
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Compared { count, complete, wrong, late, deadly, refused } = self;
        write!(
            f,
            "{count} programs, {complete} complete, {} wrong, ended by time {late:?}, SWI-Prolog dies in {deadly:?}, refused {refused:?}",
            wrong.len()
        )
    }
}

/// Compares the campaigns over some programs with brute force.
fn compare(numbers: std::ops::Range<u64>) -> Compared {
    let all: Vec<Said> = numbers.map(search).collect();
    let those = |is: fn(&Said) -> bool| all.iter().filter(|said| is(said)).map(|said| said.number).collect();
    let (late, refused) = (those(|said| said.late), those(|said| said.refused));
    let (mut wrong, mut complete, mut deadly) = (Vec::new(), 0, Vec::new());
    for (said, answers) in all.iter().zip(brute_force(&all)) {
        let (pool, cases) = answers.unwrap_or_else(|| {
            deadly.push(said.number);
            Answers::default()
        });
        let mut faults = said.faults.clone();
        for (case, theirs) in said.cases.iter().zip(&cases) {
            let ends = case.ours != "no end" && theirs != "no end" && case.ours != "is not supported";
            if case.ours != *theirs && ends {
                faults.push(format!("{} is {theirs} on SWI-Prolog, and {} here", case.goal, case.ours));
            }
        }
        let found: BTreeSet<String> = said.cases.iter().map(|case| outcome(&case.ours)).collect();
        let mut missing = BTreeSet::new();
        for (input, theirs) in pool.iter().filter(|(_, answer)| answer != "no end") {
            if said.complete && !found.contains(&outcome(theirs)) && missing.insert(outcome(theirs)) {
                faults.push(format!("complete, and no case is like {input}, which is {theirs}"));
            }
        }
        complete += usize::from(said.complete);
        if let Some((_, why)) = NOT_OURS.iter().find(|(number, _)| *number == said.number) {
            if faults.is_empty() {
                wrong.push(format!("program {} agrees, and SWI-Prolog should be wrong: it {why}", said.number));
            }
        } else if !faults.is_empty() {
            wrong.push(format!("program {}:\n{}{}", said.number, said.text, faults.join("\n")));
        }
    }
    Compared { count: all.len(), complete, wrong, late, deadly, refused }
}

/// The same for a part of the programs: of `parts`, the one with this number.
#[expect(clippy::print_stdout, reason = "how many are complete says what the comparison is worth")]
fn part(number: u64, parts: u64) {
    let all = support::seeds(500);
    let size = (all.end - all.start).div_ceil(parts);
    let own = all.start + number * size..(all.start + (number + 1) * size).min(all.end);
    let (mut sum, mut from) = (Compared::default(), own.start);
    while from < own.end {
        let to = (from + BATCH).min(own.end);
        let found = compare(from..to);
        println!("programs {from} to {}: {found}", to - 1);
        found.wrong.iter().for_each(|fault| println!("{fault}"));
        sum.count += found.count;
        sum.complete += found.complete;
        sum.wrong.extend(found.wrong);
        sum.late.extend(found.late);
        sum.deadly.extend(found.deadly);
        sum.refused.extend(found.refused);
        from = to;
    }
    println!("{sum}");
    assert!(sum.wrong.is_empty(), "{sum}:\n\n{}", sum.wrong.join("\n\n"));
    assert!(sum.complete > 0, "none of {} programs is complete: that cannot find what a complete search lacks", sum.count);
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
