//! Outlines of one tree, of a part of it, and of two trees that share the work.

use xcute_term::{Model, Terms};

use super::*;
use crate::grow::Insertion;
use crate::parcel::tests::{explore, run};

/// How many arms of an outline were taken, how many paths ended, and how many arms it does not know.
fn counted(outline: &Outline) -> (usize, usize, usize) {
    let arms = || outline.nodes.iter().flat_map(|node| outline.arms(node));
    let ended = arms().filter(|fate| matches!(fate, Fate::End(End::Passed))).count();
    let unknown = arms().filter(|fate| matches!(fate, Fate::Not(_) | Fate::Beyond)).count();
    (arms().count() - unknown, ended, unknown)
}

/// A tree with all paths of the program.
fn whole() -> PathTree {
    let (mut terms, mut tree) = (Terms::new(), PathTree::new());
    let first = run(&mut terms, &Model::new());
    tree.grow(&terms, &Insertion { promised: None, trace: &first, number: 1, depth: 99 });
    while let Some(&arm) = tree.nearest(1).first() {
        explore(&mut terms, &mut tree, arm);
    }
    tree
}

#[test]
fn an_outline_has_all_paths_or_as_many_decisions_as_asked_for() {
    let tree = whole();
    let all = tree.outline(99);
    assert_eq!((counted(&all), all.nodes.len()), ((34, 18, 0), 17));
    assert_eq!((all.nodes[0].site, all.nodes[0].run), (SiteId(0), 1));
    let below = |fate: &Fate| if let Fate::Decision(at) = fate { Some(*at as usize) } else { None };
    assert!((0..).zip(&all.nodes).all(|(at, node)| all.arms(node).iter().filter_map(below).all(|child| child > at)), "parents come first");
    let some = tree.outline(5);
    assert_eq!(some.nodes.len(), 5);
    assert!(some.nodes.iter().any(|node| some.arms(node).contains(&Fate::Beyond)));
    assert_eq!(PathTree::new().outline(9), Outline::default());
}

#[test]
fn the_trees_of_two_workers_are_one() {
    let (mut terms_a, mut terms_b) = (Terms::new(), Terms::new());
    let (mut a, mut b) = (PathTree::new(), PathTree::new());
    let first = run(&mut terms_a, &Model::new());
    a.grow(&terms_a, &Insertion { promised: None, trace: &first, number: 1, depth: 99 });
    for parcel in a.give(2) {
        let trace = run(&mut terms_b, &parcel.input);
        assert!(b.receive(&terms_b, &parcel, &trace).kept);
    }
    for (terms, tree) in [(&mut terms_a, &mut a), (&mut terms_b, &mut b)] {
        while let Some(&arm) = tree.nearest(1).first() {
            explore(terms, tree, arm);
        }
    }
    for (mine, other) in [(&a, &b), (&b, &a)] {
        let mut merged = mine.outline(99);
        assert!(counted(&merged).2 > 0, "each knows only a part");
        merged.merge(&other.outline(99), 99);
        assert_eq!((counted(&merged), merged.nodes.len()), ((34, 18, 0), 17));
        let mut nothing = Outline::default();
        nothing.merge(&merged, 99);
        assert_eq!((counted(&nothing), nothing.nodes.len()), ((34, 18, 0), 17));
        let mut few = mine.outline(4);
        few.merge(&other.outline(99), 6);
        assert_eq!(few.nodes.len(), 6);
    }
}
