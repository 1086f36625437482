//! Random constraints over an input: against the plain machine for all its values, and, for the variables that only a clause mentions, against brute force.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::support::{Sets, explore, seeds, sets, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_term::{CtorId, DataSortId, DataValue, Model, Sort, Terms, Value};

/// The values of the input that are tried.
const INPUTS: std::ops::RangeInclusive<i64> = -7..=9;

fn operand(random: &mut fastrand::Rng) -> String {
    match random.u8(0..10) {
        0..3 => "N".to_owned(),
        3..5 => "X".to_owned(),
        5..7 => "Y".to_owned(),
        7 => "Z".to_owned(),
        _ => format!("({})", random.i8(-1..4)),
    }
}

fn expression(random: &mut fastrand::Rng) -> String {
    let (a, b) = (operand(random), operand(random));
    match random.u8(0..14) {
        0..5 => a,
        5..8 => format!("{a} + {b}"),
        8..10 => format!("{a} - {b}"),
        10 => format!("{}*{a} + {b}", random.i8(2..4)),
        11 => format!("{a} * {b}"),
        12 => format!("abs({a})"),
        _ => format!("{}({a}, {b})", ["min", "max"][random.usize(0..2)]),
    }
}

fn comparison(random: &mut fastrand::Rng) -> String {
    let name = ["#=", "#\\=", "#<", "#>", "#=<", "#>="][random.usize(0..6)];
    format!("{} {name} {}", expression(random), expression(random))
}

fn constraint(random: &mut fastrand::Rng) -> String {
    match random.u8(0..14) {
        0..8 => comparison(random),
        8 => format!("(({}) #\\/ ({}))", comparison(random), comparison(random)),
        9 => format!("(({}) #==> ({}))", comparison(random), comparison(random)),
        10 => format!("(Y #<==> ({}))", comparison(random)),
        11 => "all_distinct([N, X, Y, Z])".to_owned(),
        12 => "tuples_in([[X, N]], [[0, 1], [1, 1], [2, 3], [3, 0]])".to_owned(),
        _ => "element(X, [N, 2, Y], Z)".to_owned(),
    }
}

fn program(random: &mut fastrand::Rng) -> String {
    let mut text = ":- use_module(library(clpfd)).\n:- pred p(+int).\np(N) :- N in -7..9, [X, Y, Z] ins 0..3".to_owned();
    for _ in 0..random.usize(1..=3) {
        write!(text, ", {}", constraint(random)).expect("a string");
        if random.bool() {
            write!(text, ", q({})", ["X", "Y", "Z"][random.usize(0..3)]).expect("a string");
        }
    }
    text + ", label([X, Y, Z]), q(X).\nq(0).\nq(1).\nq(2).\nq(_).\n"
}

/// The input that a number is.
fn input(subject: &ClpSubject, terms: &mut Terms) -> impl Fn(i64) -> Model + use<> {
    let universe = &subject.program().universe;
    let sort = Sort::Data(universe.declare(terms));
    terms.var(&ClpSubject::input_name(0), sort);
    let var = terms.find_var(&ClpSubject::input_name(0)).expect("declared above");
    let index = universe.integer_ctor().expect("it calculates").index;
    move |n: i64| {
        let mut model = Model::new();
        let ctor = CtorId { sort: DataSortId(0), index };
        model.set(var, Value::Data(std::sync::Arc::new(DataValue { ctor, fields: vec![Value::Int(n.into())] })));
        model
    }
}

#[test]
fn random_constraints_are_decided_as_for_each_value() {
    let (mut total, mut complete) = (0, 0);
    let bounds = Bounds { solutions: 2, ..Bounds::default() };
    for seed in seeds(100) {
        let mut random = fastrand::Rng::with_seed(seed);
        let text = program(&mut random);
        // Shown where a case takes another path.
        println!("seed {seed}:\n{text}");
        let (source, mut subject) = subject(&text, "p/1", None, None, bounds);
        let mut plain = subject.another();
        let mut terms = Terms::new();
        let model = input(&plain, &mut terms);
        let expected: BTreeSet<Sets> = INPUTS.map(|n| sets(&plain.replay(&terms, &model(n), bounds).1)).collect();
        let outcome = explore(&source, &mut subject, xcute_engine::Options { runs: 300, ..xcute_engine::Options::default() });
        let mut found: BTreeSet<Sets> = outcome.traces().into_iter().collect();
        // What is outside the domain of the input fails at once.
        found.remove(&vec![vec![1]]);
        let what = format!("seed {seed}:\n{text}{:?} {:?}", outcome.goals(), outcome.results.limits);
        let extra: Vec<_> = found.difference(&expected).collect();
        assert!(extra.is_empty(), "{what}: {extra:?} too many");
        let missing: Vec<_> = expected.iter().filter(|trace| **trace != vec![vec![1]] && !found.contains(*trace)).collect();
        assert!(missing.is_empty() || !outcome.results.complete, "{what}: {missing:?} are missing");
        assert_eq!(outcome.results.arms.diverged, 0, "{what}");
        total += found.len();
        complete += u64::from(outcome.results.complete);
    }
    assert!(total > 150 && complete > 50 || seeds(0) != (0..0), "{total} traces, {complete} complete");
}

/// A row: factors of N and of two variables, a constant, and how it compares with zero, by its number in `NAMES`.
type Row = ([i64; 4], usize);

const NAMES: [&str; 4] = ["#=", "#\\=", "#<", "#>="];

fn holds((factors, name): &Row, [n, x, y]: [i64; 3]) -> bool {
    let sum = factors[0] * n + factors[1] * x + factors[2] * y + factors[3];
    match name {
        0 => sum == 0,
        1 => sum != 0,
        2 => sum < 0,
        _ => sum >= 0,
    }
}

/// Elimination of local variables (neg_constr without quantifiers) against a search for values, far beyond what rows with such small numbers need.
#[test]
fn random_systems_have_solutions_where_elimination_says_so() {
    let mut decided = 0;
    for seed in seeds(150) {
        let mut random = fastrand::Rng::with_seed(seed);
        let rows: Vec<Row> = (0..random.usize(1..=3))
            .map(|_| {
                let factors = [random.i64(-2..=2), random.i64(-3..=3), random.i64(-2..=2), random.i64(-4..=4)];
                (factors, random.usize(0..4))
            })
            .collect();
        let goals: Vec<String> =
            rows.iter().map(|([n, x, y, k], name)| format!("{n}*N + {x}*X + {y}*Y + {k} {} 0", NAMES[*name])).collect();
        let text = format!(":- use_module(library(clpfd)).\n:- pred p(+int).\np(N) :- {}.\np(_).\n", goals.join(", "));
        println!("seed {seed}:\n{text}");
        let (source, mut subject) = subject(&text, "p/1", None, None, Bounds::default());
        let mut plain = subject.another();
        let mut terms = Terms::new();
        let model = input(&plain, &mut terms);
        let outcome = explore(&source, &mut subject, xcute_engine::Options { runs: 20, ..xcute_engine::Options::default() });
        if outcome.results.limits.keys().any(|limit| limit.kind == "unknown") {
            continue;
        }
        decided += 1;
        for n in INPUTS {
            let found = sets(&plain.replay(&terms, &model(n), Bounds::default()).1)[0].contains(&1);
            let range = -130..=130;
            let expected = range.clone().any(|x| range.clone().any(|y| rows.iter().all(|row| holds(row, [n, x, y]))));
            assert_eq!(found, expected, "seed {seed}, N = {n}:\n{text}");
        }
        // The search finds both outcomes where there are both.
        let outcomes: BTreeSet<Vec<u32>> = outcome.traces().into_iter().map(|trace| trace[0].clone()).collect();
        let all: BTreeSet<Vec<u32>> = INPUTS.map(|n| sets(&plain.replay(&terms, &model(n), Bounds::default()).1)[0].clone()).collect();
        assert!(all.is_subset(&outcomes), "seed {seed}: {outcomes:?}\n{text}");
    }
    assert!(decided > 90 || seeds(0) != (0..0), "{decided} systems were decided");
}
