//! What single layers do, seen through the chain: who answers, what is passed on, what is remembered.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::{Brute, ask};
use xcute_solver::{Answer, Cached, Chain, ChainOptions, Checked, Count, Effort, Fallback, Query, Solver, Why};
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

/// The layers that answered something.
fn answered(solver: &dyn Solver) -> Vec<(&'static str, u64)> {
    let mut out = Vec::new();
    solver.count(&mut |c| {
        if c.sat + c.unsat + c.unknown > 0 {
            out.push((c.layer, c.sat + c.unsat + c.unknown));
        }
    });
    out
}

fn only(set: impl FnOnce(&mut ChainOptions)) -> ChainOptions {
    let mut options = ChainOptions::all(false);
    set(&mut options);
    options
}

fn var(terms: &mut Terms, name: &str, width: u32) -> (TermId, VarId) {
    let t = terms.var(name, Sort::BitVec(width));
    (t, terms.vars(t).first().expect("a variable"))
}

#[test]
fn counts_come_in_the_order_of_the_chain() {
    let chain = Chain::logged(ChainOptions::default(), vec![Box::new(Brute)], Some(Box::new(|_, _| {})));
    let mut names = Vec::new();
    chain.count(&mut |c| names.push(c.layer));
    let expect = [
        "opt1",
        "opt3",
        "opt2",
        "pointers",
        "orders",
        "shortcut",
        "cached",
        "exhausted",
        "implied",
        "logged",
        "relaxed",
        "domains",
        "lazy",
        "float ranges",
        "checked",
        "brute",
    ];
    assert_eq!(names, expect);
}

#[test]
fn opt1_finds_the_negation_in_the_path() {
    let mut terms = Terms::new();
    let ((x, _), (y, _)) = (var(&mut terms, "x", 4), var(&mut terms, "y", 4));
    let less = terms.mk(Op::BvUlt, &[x, y]);
    let equal = terms.mk(Op::Eq, &[x, y]);
    let (not_less, not_equal) = (terms.not(less), terms.not(equal));
    let both = terms.mk(Op::And, &[less, not_equal]);
    let mut chain = Chain::build(only(|o| o.opt1 = true), vec![]);
    let hint = Model::new();
    for goal in [less, both] {
        let answer = ask(&mut chain, &mut terms, &[not_less, equal], goal, &hint);
        assert!(matches!(answer, Answer::Unsat(core) if core.len() == 2 && core.contains(&goal)));
    }
    assert_eq!(answered(&chain), [("opt1", 2)]);
}

#[test]
fn opt2_leaves_out_what_is_implied() {
    let mut terms = Terms::new();
    let ((x, v), (y, _)) = (var(&mut terms, "x", 8), var(&mut terms, "y", 8));
    let product = terms.mk(Op::BvMul, &[x, y]);
    let bound = |terms: &mut Terms, op, k| {
        let k = terms.bv(8, k);
        terms.mk(op, &[product, k])
    };
    let path = [bound(&mut terms, Op::BvUlt, 90), bound(&mut terms, Op::BvUle, 50), bound(&mut terms, Op::BvUlt, 120)];
    let equal = bound(&mut terms, Op::Eq, 200);
    let hole = terms.not(equal);
    let pair = terms.mk(Op::And, &[path[0], hole]);
    let goal = terms.mk(Op::BvUlt, &[y, product]);
    let mut hint = Model::new();
    hint.set_word(v, 3);
    let mut chain = Chain::build(only(|o| o.opt2 = true), vec![Box::new(Brute)]);
    ask(&mut chain, &mut terms, &[path[0], path[1], path[1], path[2], pair], goal, &hint);
    chain.count(&mut |c| {
        if c.layer == "opt2" {
            assert_eq!(c.constraints, (5, 1), "only the strongest bound is left");
        }
    });
    let contradiction = bound(&mut terms, Op::Eq, 60);
    let answer = ask(&mut chain, &mut terms, &path, contradiction, &hint);
    assert!(matches!(answer, Answer::Unsat(core) if core.len() == 2 && core.contains(&contradiction)));
    assert_eq!(answered(&chain), [("opt2", 1)]);
}

#[test]
fn opt3_counts_what_it_passes_on() {
    let mut terms = Terms::new();
    let mut path = Vec::new();
    for i in 0..10 {
        let (x, _) = var(&mut terms, &format!("x{i}"), 3);
        let k = terms.bv(3, 5);
        path.push(terms.mk(Op::BvUlt, &[x, k]));
    }
    let goal = terms.not(path[4]);
    let seven = terms.bv(3, 7);
    let (x4, _) = var(&mut terms, "x4", 3);
    path[4] = terms.mk(Op::BvUlt, &[x4, seven]);
    let mut chain = Chain::build(only(|o| o.opt3 = true), vec![Box::new(Brute)]);
    let hint = Model::new();
    let query = Query::new(&path, goal, &hint, Effort(1));
    assert!(matches!(chain.solve(&mut terms, &query), Answer::Sat(_)));
    chain.count(&mut |c| {
        if c.layer == "opt3" {
            assert_eq!(c.constraints, (10, 1));
        }
    });
}

/// Answers once, then not at all.
struct Once(Option<Answer>);

impl Solver for Once {
    fn solve(&mut self, _: &mut Terms, _: &Query<'_>) -> Answer {
        self.0.take().unwrap_or(Answer::Unknown(Why::Effort))
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

#[test]
fn the_cache_knows_answers_contradictions_models_and_failures() {
    let mut terms = Terms::new();
    let ((x, v), (y, _)) = (var(&mut terms, "x", 32), var(&mut terms, "y", 32));
    let k = terms.bv(32, 1000);
    let (a, b) = (terms.mk(Op::BvUlt, &[x, y]), terms.mk(Op::BvUlt, &[y, k]));
    let (c, d) = (terms.mk(Op::BvUlt, &[k, x]), terms.mk(Op::BvUlt, &[x, k]));
    let hint = Model::new();
    let ask = |chain: &mut Chain, terms: &mut Terms, path: &[TermId], goal, effort| {
        chain.solve(terms, &Query::new(path, goal, &hint, Effort(effort)))
    };
    let options = only(|o| o.cached = true);

    let mut chain = Chain::build(options, vec![Box::new(Once(Some(Answer::Unsat(vec![a, b, c]))))]);
    ask(&mut chain, &mut terms, &[a, b], c, 9);
    assert_eq!(ask(&mut chain, &mut terms, &[c, b], a, 9), Answer::Unsat(vec![a, b, c]), "the same set");
    assert_eq!(ask(&mut chain, &mut terms, &[c, d, b], a, 9), Answer::Unsat(vec![a, b, c]), "a superset");

    let mut patch = Model::new();
    patch.set_word(v, 2000);
    let mut chain = Chain::build(options, vec![Box::new(Once(Some(Answer::Sat(patch.clone()))))]);
    ask(&mut chain, &mut terms, &[], c, 9);
    assert_eq!(ask(&mut chain, &mut terms, &[], c, 9), Answer::Sat(patch.clone()), "the same set");
    let other = terms.not(d);
    assert_eq!(ask(&mut chain, &mut terms, &[], other, 9), Answer::Sat(patch), "a recent model");

    let mut chain = Chain::build(options, vec![Box::new(Once(None))]);
    for effort in [9, 9, 3] {
        assert_eq!(ask(&mut chain, &mut terms, &[], c, effort), Answer::Unknown(Why::Effort));
    }
    assert_eq!(answered(&chain), [("cached", 2)], "given up once, remembered twice");
}

#[test]
fn a_cached_contradiction_holds_only_for_the_domains_it_was_found_under() {
    let mut terms = Terms::new();
    let (p, v) = var(&mut terms, "p", 64);
    terms.set_domain(v, vec![0, 8]);
    let k = terms.bv(64, 16);
    let goal = terms.mk(Op::Eq, &[p, k]);
    let mut chain = Chain::build(only(|o| o.cached = true), vec![Box::new(Brute)]);
    for _ in 0..2 {
        assert!(matches!(ask(&mut chain, &mut terms, &[], goal, &Model::new()), Answer::Unsat(_)));
    }
    terms.set_domain(v, vec![0, 8, 16]);
    assert!(matches!(ask(&mut chain, &mut terms, &[], goal, &Model::new()), Answer::Sat(_)));
}

#[test]
fn wrong_models_are_not_used() {
    let mut terms = Terms::new();
    let ((x, v), (y, w)) = (var(&mut terms, "x", 4), var(&mut terms, "y", 4));
    terms.set_domain(w, vec![0, 3]);
    let (five, three) = (terms.bv(4, 5), terms.bv(4, 3));
    let low = terms.mk(Op::BvUlt, &[x, five]);
    let goal = terms.mk(Op::Eq, &[y, three]);
    let hint = Model::new();
    let path = [low];
    let query = Query::new(&path, goal, &hint, Effort(1));
    let model = |words: &[(VarId, u64)]| {
        let mut model = Model::new();
        words.iter().for_each(|&(v, word)| model.set_word(v, word));
        Answer::Sat(model)
    };
    let wrong = [model(&[]), model(&[(w, 2)]), model(&[(w, 3), (v, 5)]), model(&[(w, 3), (v, 16)]), model(&[(w, 19)])];
    for answer in wrong {
        let mut checked = Checked::new(Box::new(Once(Some(answer))));
        assert_eq!(checked.solve(&mut terms, &query), Answer::Unknown(Why::WrongModel));
        assert_eq!(answered(&checked), [("checked", 1)]);
    }
    let elsewhere = VarId(w.0 + 1);
    terms.var("z", Sort::BitVec(4));
    let right = model(&[(w, 3), (v, 0), (elsewhere, 9)]);
    let mut checked = Checked::new(Box::new(Once(Some(right))));
    assert_eq!(checked.solve(&mut terms, &query), model(&[(w, 3)]), "only what the query has and what changed");

    let liar = || Box::new(Checked::new(Box::new(Once(Some(model(&[])))))) as Box<dyn Solver>;
    let mut both = Fallback::new(vec![liar(), Box::new(Brute)]);
    assert!(matches!(both.solve(&mut terms, &query), Answer::Sat(_)), "the next is asked");
}

#[test]
fn the_log_has_what_is_left_for_the_backends() {
    let mut terms = Terms::new();
    let ((x, _), (y, _)) = (var(&mut terms, "x", 8), var(&mut terms, "y", 8));
    let product = terms.mk(Op::BvMul, &[x, y]);
    let k = terms.bv(8, 221);
    let goal = terms.mk(Op::Eq, &[product, k]);
    let texts = Rc::new(RefCell::new(Vec::new()));
    let sink = { Rc::clone(&texts) };
    let sink = Box::new(move |text: &str, answer: &Answer| sink.borrow_mut().push((text.to_owned(), answer.clone())));
    let options = ChainOptions { shortcut: false, ..ChainOptions::default() };
    let mut chain = Chain::logged(options, vec![Box::new(Brute)], Some(sink));
    ask(&mut chain, &mut terms, &[], goal, &Model::new());
    ask(&mut chain, &mut terms, &[], goal, &Model::new());
    let texts = texts.borrow();
    assert_eq!(texts.len(), 1, "the second one is the cache's");
    assert!(texts[0].0.contains("(assert") && texts[0].0.contains("bvmul"), "{}", texts[0].0);
    assert!(matches!(texts[0].1, Answer::Sat(_)));
}

/// The values near the old one that end in 5 are one, and that one is excluded: there are others further away.
#[test]
fn a_partial_inversion_proves_nothing() {
    let mut terms = Terms::new();
    let (x, v) = var(&mut terms, "x", 8);
    let (low, five, hole, limit) = (terms.bv(8, 15), terms.bv(8, 5), terms.bv(8, 0x65), terms.bv(8, 0x60));
    let digit = terms.mk(Op::BvAnd, &[x, low]);
    let ends = terms.mk(Op::Eq, &[digit, five]);
    let equal = terms.mk(Op::Eq, &[x, hole]);
    let goal = terms.mk(Op::BvUlt, &[limit, x]);
    let path = [ends, terms.not(equal)];
    let mut hint = Model::new();
    hint.set_word(v, 5);
    let mut chain = Chain::build(only(|o| o.shortcut = true), vec![Box::new(Brute)]);
    assert!(matches!(ask(&mut chain, &mut terms, &path, goal, &hint), Answer::Sat(_)));
}

/// Small changes that a person would make: from 0, or from where the value is.
#[test]
fn answers_are_near_the_hint() {
    let mut terms = Terms::new();
    let (x, v) = var(&mut terms, "x", 32);
    let (two, one) = (terms.bv(32, 2), terms.bv(32, 1));
    let double = terms.mk(Op::BvMul, &[two, x]);
    let odd = terms.mk(Op::BvAdd, &[double, one]);
    let rest = terms.mk(Op::BvUrem, &[x, two]);
    let minus = |n: u64| n.wrapping_neg() & 0xffff_ffff;
    for (op, term, k, holds, hint, expect) in [
        (Op::BvUlt, x, 11, false, 0, 11),
        (Op::BvSlt, x, 0, true, 0, minus(1)),
        (Op::BvSlt, x, minus(5), true, 3, minus(6)),
        (Op::Eq, x, 0, false, 0, 1),
        (Op::Eq, x, 42, true, 7, 42),
        (Op::Eq, odd, 21, true, 0, 10),
        (Op::Eq, rest, 1, true, 8, 9),
        (Op::BvSle, x, 100, false, 7, 101),
    ] {
        let k = terms.bv(32, k);
        let comparison = terms.mk(op, &[term, k]);
        let goal = if holds { comparison } else { terms.not(comparison) };
        let (mut old, mut patch) = (Model::new(), Model::new());
        old.set_word(v, hint);
        patch.set_word(v, expect);
        let mut chain = Chain::build(ChainOptions::default(), vec![]);
        let query = Query::new(&[], goal, &old, Effort(0));
        assert_eq!(chain.solve(&mut terms, &query), Answer::Sat(patch), "{op:?} {holds} from {hint}");
    }
}

/// A cache of two answers forgets the oldest, keeps what is asked again, and never answers wrongly.
#[test]
fn the_cache_is_bounded() {
    let mut terms = Terms::new();
    let (x, v) = var(&mut terms, "x", 8);
    let mut cache = Cached::new(Box::new(Brute), 2);
    let mut seen = |round: u64, terms: &mut Terms| {
        let k = terms.bv(8, round);
        let goal = terms.mk(Op::BvUlt, &[k, x]);
        let mut hint = Model::new();
        hint.set_word(v, round % 3);
        ask(&mut cache, terms, &[], goal, &hint);
        let mut hits = 0;
        cache.count(&mut |c| hits += c.sat + c.unsat);
        hits
    };
    assert_eq!(seen(200, &mut terms), 0);
    assert_eq!(seen(200, &mut terms), 1, "asked again");
    for round in 201..230 {
        seen(round, &mut terms);
    }
    let before = seen(255, &mut terms);
    assert_eq!(seen(255, &mut terms), before + 1, "a contradiction, asked again");
}
