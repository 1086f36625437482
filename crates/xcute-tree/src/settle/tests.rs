//! A subtree settled at once is what settling its arms one by one makes of it.

use super::*;
use crate::grow::{Growth, Insertion};
use xcute_term::{Model, Op, Sort, Terms};
use xcute_trace::{Decision, DecisionKind, Outcome, SiteId, Trace};

/// A run that decides Booleans, each an input of its own.
fn grow(terms: &mut Terms, tree: &mut PathTree, promised: Option<ArmId>, known: usize, taken: &[u32]) -> Growth {
    let decisions = taken.iter().enumerate().skip(known).map(|(at, &taken)| {
        let x = terms.var(&format!("x{at}"), Sort::Bool);
        let arms = vec![terms.mk(Op::Not, &[x]), x];
        Decision { site: SiteId(0), kind: DecisionKind::Branch, taken, arms }
    });
    let decisions = decisions.collect();
    let (outcome, input) = (Outcome::Passed, Model::new());
    let trace =
        Trace { decisions, known, outcome, covered: vec![], reached: Vec::new(), limits: vec![], input, concurrent: None, segments: None };
    tree.grow(terms, &Insertion { promised, trace: &trace, number: 0, depth: 99 })
}

/// Four runs: below the second decision two arms are open, in all five.
fn sample() -> (PathTree, Growth) {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let first = grow(&mut terms, &mut tree, None, 0, &[0, 0, 0, 0]);
    let third = first.opened[2];
    grow(&mut terms, &mut tree, Some(third), 3, &[0, 0, 1, 0]);
    let root = first.opened[0];
    grow(&mut terms, &mut tree, Some(root), 1, &[1, 0, 0, 0]);
    (tree, first)
}

#[test]
fn a_subtree_is_settled_as_its_arms_would_be() {
    let (mut at_once, first) = sample();
    let (mut one_by_one, _) = sample();
    let top = first.new[2].node;
    assert_eq!((at_once.counts().open, at_once.open_below(top)), (6, 2));
    let settled = at_once.settle_below(top, Arm::Subsumed);
    settled.iter().for_each(|&arm| one_by_one.settle(arm, Arm::Subsumed));
    assert_eq!(settled.len(), 2);
    assert_eq!(at_once.counts(), one_by_one.counts());
    assert_eq!((at_once.counts().open, at_once.counts().subsumed), (4, 2));
    for node in (0..u32::try_from(at_once.len()).unwrap()).map(NodeId) {
        assert_eq!(at_once.open_below(node), one_by_one.open_below(node), "{node:?}");
        for arm in (0..at_once.arm_count(node)).map(|arm| ArmId { node, arm }) {
            assert_eq!(at_once.arm(arm), one_by_one.arm(arm), "{arm:?}");
            assert_eq!(at_once.input(arm).is_some(), one_by_one.input(arm).is_some(), "{arm:?}");
        }
    }
}

#[test]
fn nothing_open_is_nothing_to_settle() {
    let (mut tree, first) = sample();
    let root = first.new[0].node;
    assert_eq!(tree.settle_below(root, Arm::Subsumed).len(), 6);
    assert_eq!((tree.counts().open, tree.open_below(root)), (0, 0));
    assert!(tree.settle_below(root, Arm::Subsumed).is_empty());
}
