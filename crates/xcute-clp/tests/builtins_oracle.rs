//! Random programs with cuts, conditionals, negation and tests, against the plain machine over all ground inputs: what is decided symbolically must be what the values
//! decide. The plain machine has no symbolic cells; that it is right is the matter of `language` and `oracle`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::support::{Sets, explore, seeds, sets, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_term::{CtorId, DataSortId, DataValue, Model, Sort, Terms, Value};

fn term(random: &mut fastrand::Rng, depth: u32) -> String {
    match random.u8(0..10) {
        0..4 => format!("X{}", random.u8(0..3)),
        4..6 if depth > 0 => format!("f({})", term(random, depth - 1)),
        6..7 if depth > 0 => format!("g({},{})", term(random, depth - 1), term(random, depth - 1)),
        7 => random.u8(0..3).to_string(),
        _ => ["a", "b"][random.usize(0..2)].to_owned(),
    }
}

fn goal(random: &mut fastrand::Rng, callee: usize, depth: u32) -> String {
    let x = format!("X{}", random.u8(0..5).saturating_sub(2));
    match random.u8(0..16) {
        0 => format!("{x} == {}", term(random, 1)),
        1 => format!("{x} \\== {}", term(random, 1)),
        2 => format!("{x} \\= {}", term(random, 1)),
        3 => format!("{x} = {}", term(random, 1)),
        4 => format!("atom({x})"),
        5 => format!("compound({x})"),
        6 => format!("integer({x}), {x} > {}", random.u8(0..3)),
        7 => format!("catch(({x} =< 1), _, fail)"),
        8 => format!("functor({x}, N{callee}, _), N{callee} \\== f"),
        9 => format!("dif({x}, {})", term(random, 1)),
        10 => "!".to_owned(),
        11 if depth > 0 => format!("\\+ ({})", goal(random, callee, depth - 1)),
        12 if depth > 0 => {
            let parts: Vec<String> = (0..3).map(|_| goal(random, callee, depth - 1)).collect();
            format!("({} -> {} ; {})", parts[0], parts[1], parts[2])
        }
        13 if depth > 0 => format!("({} ; {})", goal(random, callee, depth - 1), goal(random, callee, depth - 1)),
        _ => format!("p{callee}({x})"),
    }
}

fn program(random: &mut fastrand::Rng) -> String {
    let mut text = ":- set_prolog_flag(occurs_check, true).\n".to_owned();
    for predicate in 0..2 {
        for _ in 0..random.usize(1..=4) {
            let head = ["X0".to_owned(), "f(X0)".to_owned(), "g(X0,X1)".to_owned(), term(random, 2)];
            write!(text, "p{predicate}({})", head[random.usize(0..4)]).expect("a string");
            let goals: Vec<String> = (0..random.usize(0..=3)).map(|_| goal(random, predicate + 1, 1)).collect();
            writeln!(text, "{}{}.", if goals.is_empty() { "" } else { " :- " }, goals.join(", ")).expect("a string");
        }
    }
    text + "p2(a).\np2(f(_)).\np2(1).\n"
}

/// All values up to a depth: constants of the program and two more, integers from 0 to 3, all functors.
fn values(subject: &ClpSubject, depth: u32) -> Vec<Value> {
    let universe = &subject.program().universe;
    let make = |index: u32, fields: Vec<Value>| Value::Data(Arc::new(DataValue { ctor: CtorId { sort: DataSortId(0), index }, fields }));
    let mut terms = Terms::new();
    universe.declare(&mut terms);
    let known = universe.constants().iter().map(|&cell| universe.constant(&mut terms, subject.symbols(), cell).expect("a constant"));
    let known: Vec<_> = known.collect();
    let mut atomic: Vec<Value> = known.into_iter().filter_map(|constant| terms.as_value(constant).cloned()).collect();
    atomic.extend((1..=2).map(|n: i64| make(0, vec![Value::Int(n.into())])));
    // Besides the functors there are the constants, and the integers if something looks at them.
    if universe.constructors() as usize > universe.functors().len() + 1 {
        atomic.extend((0..=3).map(|n: i64| make(1, vec![Value::Int(n.into())])));
    }
    let mut all = atomic.clone();
    for _ in 0..depth {
        let below = std::mem::replace(&mut all, atomic.clone());
        for &(functor, arity) in universe.functors() {
            let index = universe.ctor(functor).expect("its own").index;
            match arity {
                1 => all.extend(below.iter().map(|a| make(index, vec![a.clone()]))),
                2 => all.extend(below.iter().flat_map(|a| below.iter().map(move |b| make(index, vec![a.clone(), b.clone()])))),
                other => panic!("no functors of arity {other} here"),
            }
        }
    }
    all
}

#[test]
fn what_is_decided_symbolically_is_what_the_values_decide() {
    let mut total = 0;
    for seed in seeds(100) {
        let mut random = fastrand::Rng::with_seed(seed);
        let text = program(&mut random);
        let (source, mut subject) = subject(&text, "p0/1", None, Some(2), Bounds::default());
        let mut plain = subject.another();
        let mut terms = Terms::new();
        let sort = Sort::Data(plain.program().universe.declare(&mut terms));
        terms.var(&ClpSubject::input_name(0), sort);
        let var = terms.find_var(&ClpSubject::input_name(0)).expect("declared above");
        let mut expected: BTreeSet<Sets> = BTreeSet::new();
        for value in values(&plain, 2) {
            let mut input = Model::new();
            input.set(var, value);
            let (_, derivation) = plain.replay(&terms, &input, Bounds::default());
            expected.insert(sets(&derivation));
        }
        let outcome = explore(&source, &mut subject, xcute_engine::Options::default());
        let found: BTreeSet<Sets> = outcome.traces().into_iter().collect();
        let limits = &outcome.results.limits;
        let missing: Vec<_> = expected.difference(&found).collect();
        let what = format!("seed {seed}:\n{text}{:?} {limits:?}", outcome.goals());
        // The values do not have inputs with other functors than those of the program, which are tried where the program looks for them.
        let extra: Vec<_> = found.difference(&expected).collect();
        assert!(extra.is_empty() || limits.keys().any(|limit| limit.kind == "universe"), "{what}: {extra:?} too many");
        assert!(missing.is_empty() || !outcome.results.complete, "{what}: {missing:?} are missing");
        assert_eq!(outcome.results.arms.diverged, 0, "{what}");
        total += found.len();
    }
    assert!(total > 250 || seeds(0) != (0..0), "{total} traces are few");
}
