//! Schedule choices: idle until asked for, by whichever run.

use super::*;
use crate::grow::Insertion;
use crate::tree::{Child, End, NodeId};
use xcute_term::{Op, Sort, Terms};
use xcute_trace::{Concurrent, Decision, DecisionKind, Outcome, Record, SiteId, Trace};

/// A run that makes schedule choices among three tasks, and before each a branch on a Boolean input of its own.
fn trace(terms: &mut Terms, known: usize, taken: &[u32], end: xcute_trace::End) -> Trace {
    let mut input = Model::new();
    let decisions = taken.iter().enumerate().map(|(at, &taken)| match at % 2 {
        0 => {
            let x = terms.var(&format!("x{at}"), Sort::Bool);
            input.set_word(terms.find_var(&format!("x{at}")).unwrap(), u64::from(taken));
            let not = terms.mk(Op::Not, &[x]);
            Decision { site: SiteId(0), kind: DecisionKind::Branch, taken, arms: vec![not, x] }
        }
        _ => Decision { site: SiteId(1), kind: DecisionKind::Schedule, taken, arms: vec![terms.bool(true); 3] },
    });
    let decisions = decisions.skip(known).collect();
    let record = Record { steps: Vec::new(), pending: Vec::new(), end };
    let concurrent = Some(Box::new(Concurrent { record, before: Vec::new(), outdated: false, failed: None, later: Vec::new() }));
    Trace {
        decisions,
        known,
        outcome: Outcome::Passed,
        covered: vec![],
        reached: Vec::new(),
        limits: vec![],
        input,
        concurrent,
        segments: None,
    }
}

fn grow(terms: &mut Terms, tree: &mut PathTree, promised: Option<ArmId>, known: usize, taken: &[u32]) -> (Growth, Model) {
    let trace = trace(terms, known, taken, xcute_trace::End::Finished);
    (tree.grow(terms, &Insertion { promised, trace: &trace, number: 0, depth: 99 }), trace.input)
}

#[test]
fn schedule_arms_are_idle_until_they_are_asked_for() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let (mut growth, input) = grow(&mut terms, &mut tree, None, 0, &[0, 0, 0, 1]);
    assert_eq!((tree.counts().open, tree.counts().taken, growth.opened.len()), (2, 4, 2), "the branches");
    let path = tree.path(&growth);
    assert_eq!(path.iter().map(|arm| arm.arm).collect::<Vec<_>>(), [0, 0, 0, 1]);
    let (early, late) = (ArmId { arm: 2, ..path[1] }, ArmId { arm: 0, ..path[3] });
    assert_eq!(tree.arm(early), Arm::Idle);
    tree.open(&mut growth, &[late, early], &input);
    assert_eq!((tree.arm(early), tree.arm(late), tree.counts().open), (Arm::Open, Arm::Open, 4));
    assert!(growth.opened.is_sorted_by_key(|arm| tree.depth(arm.node)), "from the root on");
    assert_eq!(path.iter().map(|arm| tree.open_below(arm.node)).collect::<Vec<_>>(), [4, 3, 2, 1]);
    let mut conditions = Vec::new();
    tree.condition(late.node, &mut conditions);
    assert_eq!(conditions.len(), 2, "choices are not conditions");
    let (second, _) = grow(&mut terms, &mut tree, Some(late), 4, &[0, 0, 0, 0]);
    assert!(second.kept && second.new_path);
    assert_eq!((tree.counts().open, tree.open_below(path[0].node), tree.open_below(late.node)), (3, 3, 0));
}

#[test]
fn a_later_run_opens_an_arm_with_its_own_input() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let (first, _) = grow(&mut terms, &mut tree, None, 0, &[0, 0, 0, 0]);
    let branch = first.opened[1];
    let (mut second, input) = grow(&mut terms, &mut tree, Some(branch), 3, &[0, 0, 1, 1]);
    let choice = ArmId { arm: 1, ..tree.path(&second)[1] };
    assert_eq!(tree.number_of(choice.node), 0);
    tree.open(&mut second, &[choice], &input);
    assert_eq!(tree.input(choice), Some(&input), "and not that of the first run");
    assert_ne!(tree.input(first.opened[0]), Some(&input));
    tree.settle(choice, Arm::Diverged);
    tree.settle(first.opened[0], Arm::Infeasible);
    assert_eq!((tree.counts().open, tree.open_below(NodeId(0))), (0, 0));
    assert!(tree.openers.is_empty() && tree.runs.iter().all(|run| run.open == 0 && run.input.is_none()));
}

#[test]
fn asleep_is_no_path() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let trace = trace(&mut terms, 0, &[0, 0], xcute_trace::End::Asleep);
    let growth = tree.grow(&terms, &Insertion { promised: None, trace: &trace, number: 0, depth: 99 });
    assert!(growth.asleep && !growth.new_path && tree.paths() == 0);
    assert_eq!(tree.arm(growth.last.unwrap()), Arm::Taken(Child::End(End::Asleep)));
}

#[test]
fn schedule_arms_wander_and_are_opened_where_they_are_foreign() {
    let (mut terms_a, mut terms_b) = (Terms::new(), Terms::new());
    let (mut a, mut b) = (PathTree::new(), PathTree::new());
    let (mut growth, input) = grow(&mut terms_a, &mut a, None, 0, &[0, 0, 0, 0]);
    let arm = ArmId { arm: 1, ..a.path(&growth)[3] };
    a.open(&mut growth, &[arm], &input);
    let parcels = a.give(99);
    assert_eq!((parcels.len(), parcels[0].offers.len(), parcels[0].firsts.len()), (1, 3, 1));
    let run = trace(&mut terms_b, 0, &[0, 0, 0, 2], xcute_trace::End::Finished);
    assert!(b.receive(&terms_b, &parcels[0], &run).kept, "whoever runs next, the choice is there");
    let there = b.nearest(99).into_iter().find(|arm| arm.arm == 1 && b.depth(arm.node) == 3).expect("it is open there");
    let (mut growth, input) = grow(&mut terms_b, &mut b, Some(there), 4, &[0, 0, 0, 1]);
    assert!(growth.kept && growth.new_path);
    let above = ArmId { arm: 2, ..b.path(&growth)[1] };
    assert_eq!(b.arm(above), Arm::Foreign(None));
    b.open(&mut growth, &[above], &input);
    assert_eq!((b.arm(above), b.counts().open, a.counts().open), (Arm::Open, 3, 0));
    // What was opened there, and what lies below, comes back to the tree whose decision it is.
    let (mut taken, input) = grow(&mut terms_b, &mut b, Some(above), 2, &[0, 2, 0, 0]);
    let below = ArmId { arm: 1, ..b.path(&taken)[3] };
    let idle = ArmId { arm: 1, ..b.path(&taken)[1] };
    b.open(&mut taken, &[below, idle], &input);
    let given = b.give(99);
    let offers: usize = given.iter().map(|parcel| parcel.offers.len()).sum();
    assert_eq!(a.counts().open, 0);
    for parcel in given {
        let way: Vec<u32> = parcel.path.iter().map(|known| known.taken).chain([0; 4]).take(4).collect();
        let run = trace(&mut terms_a, 0, &way, xcute_trace::End::Finished);
        assert!(a.receive(&terms_a, &parcel, &run).kept, "{:?}", parcel.offers);
    }
    assert_eq!((a.counts().open, a.counts().diverged, b.counts().open), (offers as u64, 0, 0));
}
