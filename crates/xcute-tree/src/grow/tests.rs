//! The growth of a tree, run by run.

use super::*;
use xcute_term::{Model, Op, Sort};
use xcute_trace::SiteId;

/// A run over Boolean inputs `x0, x1, …`: decision `i` is at site `i`.
fn trace(terms: &mut Terms, known: usize, taken: &[u32]) -> Trace {
    let decisions = taken
        .iter()
        .zip(known..)
        .map(|(&taken, i)| {
            let x = terms.var(&format!("x{i}"), Sort::Bool);
            let not = terms.mk(Op::Not, &[x]);
            let site = SiteId(u32::try_from(i).expect("small"));
            Decision { site, kind: DecisionKind::Branch, taken, arms: vec![not, x] }
        })
        .collect();
    passed(decisions, known)
}

fn passed(decisions: Vec<Decision>, known: usize) -> Trace {
    let (covered, limits, input) = (vec![], vec![], Model::new());
    Trace { decisions, known, outcome: Outcome::Passed, covered, reached: Vec::new(), limits, input, concurrent: None, segments: None }
}

#[test]
fn two_runs_share_their_prefix_and_close_the_tree() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let first = trace(&mut terms, 0, &[0, 1]);
    let g = tree.grow(&terms, &Insertion { promised: None, trace: &first, number: 0, depth: 10 });
    assert_eq!((g.opened.len(), g.new_path, tree.counts().open), (2, true, 2));
    assert_eq!(tree.open_below(g.opened[0].node), 2);

    let deep = g.opened[1];
    let mut promise = vec![];
    tree.promise(deep, &mut promise);
    assert_eq!(promise.iter().map(|k| k.taken).collect::<Vec<_>>(), [0, 0]);
    let second = trace(&mut terms, 2, &[]);
    let g2 = tree.grow(&terms, &Insertion { promised: Some(deep), trace: &second, number: 0, depth: 10 });
    assert!(g2.kept && g2.new_path && g2.opened.is_empty());
    assert_eq!((tree.paths(), tree.counts().open, tree.open_below(g.opened[0].node)), (2, 1, 1));
    tree.settle(g.opened[0], Arm::Infeasible);
    assert_eq!((tree.counts().open, tree.counts().infeasible, tree.counts().taken), (0, 1, 3));
    assert!(tree.input(deep).is_none(), "an input goes with the last open arm that needs it");
}

#[test]
fn a_run_that_leaves_its_promise_is_inserted_where_it_went() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let first = trace(&mut terms, 0, &[0, 0]);
    let g = tree.grow(&terms, &Insertion { promised: None, trace: &first, number: 0, depth: 10 });
    let astray = trace(&mut terms, 0, &[1]);
    let g2 = tree.grow(&terms, &Insertion { promised: Some(g.opened[1]), trace: &astray, number: 0, depth: 10 });
    assert!(!g2.kept && g2.new_path && !g2.contradiction);
    assert!(matches!(tree.arm(g.opened[0]), Arm::Taken(_)));
    assert_eq!(tree.arm(g.opened[1]), Arm::Open);
}

#[test]
fn a_long_path_that_asks_the_same_again_opens_nothing() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let x = terms.var("x", Sort::Bool);
    let not = terms.not(x);
    let decision = Decision { site: SiteId(0), kind: DecisionKind::Branch, taken: 1, arms: vec![not, x] };
    let run = passed(vec![decision; 300], 0);
    let g = tree.grow(&terms, &Insertion { promised: None, trace: &run, number: 0, depth: 1000 });
    assert_eq!((g.opened.len(), tree.counts().open, tree.counts().infeasible), (1, 1, 299));
    assert_eq!(tree.open_below(g.opened[0].node), 1);
}

#[test]
fn depth_cuts_and_says_so() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let run = trace(&mut terms, 0, &[0, 0, 0]);
    let g = tree.grow(&terms, &Insertion { promised: None, trace: &run, number: 0, depth: 2 });
    assert!(g.cut && !g.new_path);
    assert_eq!((tree.len(), g.opened.len()), (2, 2));
}

#[test]
fn an_end_where_a_decision_was_known_is_a_contradiction() {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let run = trace(&mut terms, 0, &[0, 0]);
    tree.grow(&terms, &Insertion { promised: None, trace: &run, number: 0, depth: 9 });
    let shorter = trace(&mut terms, 0, &[0]);
    assert!(tree.grow(&terms, &Insertion { promised: None, trace: &shorter, number: 0, depth: 9 }).contradiction);
}
