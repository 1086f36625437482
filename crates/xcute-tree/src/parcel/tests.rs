//! Trees that hand arms over to each other, over a program with one decision per Boolean input.

use super::*;
use crate::grow::Insertion;
use xcute_term::{Op, Sort};
use xcute_trace::{DecisionKind, Outcome};

const INPUTS: u32 = 5;

/// The run of an input: decision `i` asks for bit `i`; a set bit 1 ends the run at once.
pub(crate) fn run(terms: &mut Terms, input: &Model) -> Trace {
    let mut decisions = Vec::new();
    let mut all = Model::new();
    for i in 0..INPUTS {
        let x = terms.var(&format!("x{i}"), Sort::Bool);
        let var = terms.find_var(&format!("x{i}")).unwrap();
        let word = input.word(var).unwrap_or(0);
        all.set_word(var, word);
        let not = terms.mk(Op::Not, &[x]);
        decisions.push(Decision { site: SiteId(i), kind: DecisionKind::Branch, taken: u32::try_from(word).unwrap(), arms: vec![not, x] });
        if i == 1 && word == 1 {
            break;
        }
    }
    Trace {
        decisions,
        known: 0,
        outcome: Outcome::Passed,
        covered: vec![],
        reached: Vec::new(),
        limits: vec![],
        input: all,
        concurrent: None,
        segments: None,
    }
}

/// Takes an open arm of the tree.
pub(crate) fn explore(terms: &mut Terms, tree: &mut PathTree, arm: ArmId) {
    let depth = tree.depth(arm.node);
    let mut input = tree.input(arm).unwrap().clone();
    let var = terms.find_var(&format!("x{depth}")).unwrap();
    input.set_word(var, u64::from(arm.arm));
    let mut trace = run(terms, &input);
    trace.known = depth as usize + 1;
    trace.decisions.drain(..trace.known);
    let growth = tree.grow(terms, &Insertion { promised: Some(arm), trace: &trace, number: 0, depth: 99 });
    assert!(growth.kept && growth.new_path && !growth.strayed);
}

#[test]
fn arms_that_wander_are_explored_once() {
    let (mut terms_a, mut terms_b) = (Terms::new(), Terms::new());
    let (mut a, mut b) = (PathTree::new(), PathTree::new());
    let first = run(&mut terms_a, &Model::new());
    a.grow(&terms_a, &Insertion { promised: None, trace: &first, number: 0, depth: 99 });
    let mut turn = 0;
    while a.counts().open + b.counts().open > 0 {
        turn += 1;
        for parcel in a.give(1 + turn % 3) {
            let trace = run(&mut terms_b, &parcel.input);
            let growth = b.receive(&terms_b, &parcel, &trace);
            assert!(growth.kept && growth.opened.len() == parcel.offers.len());
        }
        for (terms, tree) in [(&mut terms_a, &mut a), (&mut terms_b, &mut b)] {
            if let Some(&arm) = tree.nearest(1).first() {
                explore(terms, tree, arm);
            }
        }
        for parcel in b.give(turn % 4) {
            let trace = run(&mut terms_a, &parcel.input);
            assert!(a.receive(&terms_a, &parcel, &trace).kept);
        }
    }
    assert!(b.paths() > 0, "both worked");
    assert_eq!(a.paths() + b.paths(), 18);
    assert_eq!(a.counts().taken + b.counts().taken, 34, "each arm counts once");
    assert_eq!((a.counts().diverged, b.counts().diverged), (0, 0));
}

#[test]
fn an_arm_that_the_input_does_not_come_by_is_diverged() {
    let (mut terms_a, mut terms_b) = (Terms::new(), Terms::new());
    let (mut a, mut b) = (PathTree::new(), PathTree::new());
    let first = run(&mut terms_a, &Model::new());
    a.grow(&terms_a, &Insertion { promised: None, trace: &first, number: 0, depth: 99 });
    let parcel = a.give(99).pop().unwrap();
    assert_eq!((parcel.offers.len(), a.counts().open), (5, 0));
    let mut other = Model::new();
    let var = terms_a.find_var("x2").unwrap();
    other.set_word(var, 1);
    let trace = run(&mut terms_b, &other);
    // The decision at x2 is met, though the run takes its other arm; what comes below it is not.
    let growth = b.receive(&terms_b, &parcel, &trace);
    assert_eq!((growth.kept, growth.opened.len(), b.counts().open, b.counts().diverged), (false, 3, 3, 2));
}
