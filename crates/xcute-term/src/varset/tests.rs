//! Sets of variables against sets of the standard library.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::{Op, Sort, TermId, Terms, VarId, VarSearch, VarWalk};

/// Terms with these variables: sums, so that each has the union of what it is built from.
fn term(terms: &mut Terms, vars: &[TermId], of: &BTreeSet<usize>) -> TermId {
    let zero = terms.bv(32, 0);
    of.iter().fold(zero, |sum, &at| terms.mk(Op::BvAdd, &[sum, vars[at]]))
}

fn arena(count: usize) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let vars = (0..count).map(|at| terms.var(&format!("v{at}"), Sort::BitVec(32))).collect();
    (terms, vars)
}

fn set() -> impl Strategy<Value = BTreeSet<usize>> {
    prop_oneof![
        prop::collection::btree_set(0..400usize, 0..8),
        prop::collection::btree_set(0..400usize, 20..50),
        prop::collection::btree_set(0..400usize, 50..300),
        (0..300usize, 1..100usize).prop_map(|(from, len)| (from..from + len).collect()),
    ]
}

proptest! {
    #[test]
    fn sets_are_what_they_should_be(sets in prop::collection::vec(set(), 1..12)) {
        let (mut terms, vars) = arena(400);
        let mut all: Vec<(BTreeSet<usize>, TermId)> = Vec::new();
        for set in sets {
            let t = term(&mut terms, &vars, &set);
            if let Some((before, other)) = all.last().cloned() {
                all.push((before.union(&set).copied().collect(), terms.mk(Op::BvXor, &[other, t])));
            }
            all.push((set, t));
        }
        let ids = |set: &BTreeSet<usize>| set.iter().map(|&at| VarId(u32::try_from(at).unwrap())).collect::<Vec<_>>();
        for (set, t) in &all {
            let (expected, found) = (ids(set), terms.vars(*t));
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!((found.len(), found.first(), found.is_empty()), (set.len(), expected.first().copied(), set.is_empty()));
            for at in [0, 1, 63, 64, 65, 127, 128, 300, 399] {
                prop_assert_eq!(found.contains(VarId(at)), set.contains(&(at as usize)));
            }
            for (other, u) in &all {
                prop_assert_eq!(terms.vars(*t) == terms.vars(*u), set == other);
            }
        }
        let (mut walk, mut met, mut joined) = (VarWalk::default(), BTreeSet::new(), Classes::default());
        for (set, t) in &all {
            let mut handed = Vec::new();
            walk.visit(&terms, *t, |var| handed.push(var));
            met.extend(handed.iter().copied());
            handed.windows(2).for_each(|two| joined.join(two[0], two[1]));
            prop_assert!(ids(set).iter().all(|var| met.contains(var)), "all were handed out");
            prop_assert!(ids(set).windows(2).all(|two| joined.find(two[0]) == joined.find(two[1])), "and are joined");
        }
        let mut search = VarSearch::default();
        for wanted in [3, 64, 250] {
            search.clear();
            for (set, t) in &all {
                prop_assert_eq!(search.any(&terms, *t, |var| var.0 >= wanted && var.0 < wanted + 5), (wanted..wanted + 5).any(|at| set.contains(&(at as usize))));
            }
        }
    }
}

/// Union-find without any cleverness.
#[derive(Default)]
struct Classes(std::collections::BTreeMap<VarId, VarId>);

impl Classes {
    fn find(&self, var: VarId) -> VarId {
        self.0.get(&var).map_or(var, |&parent| self.find(parent))
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a, b);
        }
    }
}

#[test]
fn a_long_sum_shares_the_sets_of_its_parts() {
    let (mut terms, vars) = arena(20_000);
    let mut sum = terms.bv(32, 0);
    let mut walk = VarWalk::default();
    let mut handed = 0u64;
    for &var in &vars {
        let twice = terms.mk(Op::BvMul, &[var, vars[0]]);
        sum = terms.mk(Op::BvAdd, &[sum, twice]);
        walk.visit(&terms, sum, |_| handed += 1);
    }
    assert_eq!(terms.vars(sum).len(), vars.len());
    assert!(handed < 20_000 * 100, "{handed} variables were looked at");
}
