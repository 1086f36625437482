//! The current path: the one that was run last, and its arms that are still open.
//!
//! The strategies of CREST turn round at a branch *of the path that was executed last*; only where it has no open arm left do they look elsewhere.
//!
//! **Invariant.** Every arm that is given is open and on the path of the run that was observed last.

use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::Seen;

/// The path that was run last.
#[derive(Debug, Default)]
pub(crate) struct Current {
    last: Option<ArmId>,
}

impl Current {
    /// Takes note of a run. What is not a run of this worker leaves the path as it was.
    pub(crate) fn observe(&mut self, seen: &Seen<'_>) {
        self.last = seen.growth.last.or(self.last);
    }

    /// The open arms along the path, the deepest first.
    pub(crate) fn open<'a>(&self, tree: &'a PathTree) -> impl Iterator<Item = ArmId> + 'a {
        let up = move |arm: &ArmId| tree.parent(arm.node);
        let arms = move |on: ArmId| (0..tree.arm_count(on.node)).map(move |arm| ArmId { node: on.node, arm });
        std::iter::successors(self.last, up).flat_map(arms).filter(|&arm| tree.arm(arm) == Arm::Open)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use xcute_term::{Model, Sort, Terms};
    use xcute_trace::{Decision, DecisionKind, Outcome, SiteId, Sites, Trace};
    use xcute_tree::{Growth, Insertion, PathTree};

    use super::*;
    use crate::StrategyName;
    use crate::strategy::Strategy;

    /// Inserts a run that decides so, at the sites one after the other, after a promise.
    pub(crate) fn grow(tree: &mut PathTree, terms: &mut Terms, promised: Option<ArmId>, taken: &[u32]) -> Growth {
        let known = promised.map_or(0, |arm| tree.depth(arm.node) as usize + 1);
        let decision = |(depth, &taken): (usize, &u32)| {
            let condition = terms.var(&format!("c{}", known + depth), Sort::Bool);
            let arms = vec![terms.not(condition), condition];
            Decision { site: SiteId(u32::try_from(known + depth).unwrap() % 4), kind: DecisionKind::Branch, taken, arms }
        };
        let decisions = taken.iter().enumerate().map(decision).collect();
        let (covered, limits, input) = (Vec::new(), Vec::new(), Model::new());
        let trace = Trace {
            decisions,
            known,
            outcome: Outcome::Passed,
            covered,
            reached: Vec::new(),
            limits,
            input,
            concurrent: None,
            segments: None,
        };
        tree.grow(terms, &Insertion { promised, trace: &trace, number: u64::from(promised.is_some()), depth: 100 })
    }

    pub(crate) fn sites() -> Sites {
        let site = |ordinal: u32| xcute_trace::Site {
            kind: xcute_trace::SiteKind::Branch,
            file: "f".into(),
            line: ordinal + 1,
            column: 1,
            function: "f".into(),
            ordinal,
            arms: 2,
            next: vec![vec![SiteId((ordinal + 1) % 4)]; 2],
        };
        Sites { sites: (0..4).map(site).collect() }
    }

    /// After a first run and one below its first arm, what comes next is an arm of the second path as long as that has one.
    fn second_path_first(strategy: &mut dyn Strategy) {
        let (mut terms, mut tree) = (Terms::new(), PathTree::new());
        let growth = grow(&mut tree, &mut terms, None, &[0, 0, 0]);
        strategy.observe(&Seen { tree: &tree, growth: &growth, covered: &[(SiteId(0), 0)] });
        let first = growth.opened[0];
        let growth = grow(&mut tree, &mut terms, Some(first), &[0, 0]);
        strategy.observe(&Seen { tree: &tree, growth: &growth, covered: &[] });
        let mut picked = Vec::new();
        while let Some(arm) = strategy.pick(&tree) {
            tree.settle(arm, Arm::Infeasible);
            picked.push(tree.number_of(arm.node));
        }
        assert_eq!(picked, [1, 1, 0, 0], "the runs that came to the picked arms first");
    }

    #[test]
    fn strategies_turn_round_on_the_path_that_was_run_last() {
        for seed in 0..20 {
            second_path_first(StrategyName::Random.build(&sites(), seed).as_mut());
            second_path_first(StrategyName::Cfg.build(&sites(), seed).as_mut());
        }
    }

    #[test]
    fn the_nearest_to_the_target_comes_first() {
        // Of the last site only arm 1 is not covered: the deeper an arm, the nearer it is.
        let sites = sites();
        let covered: Vec<_> = (0..4).flat_map(|site| [(SiteId(site), 0), (SiteId(site), 1)]).take(7).collect();
        let mut strategy = StrategyName::Cfg.build(&sites, 3);
        let (mut terms, mut tree) = (Terms::new(), PathTree::new());
        let growth = grow(&mut tree, &mut terms, None, &[0, 0, 0]);
        strategy.observe(&Seen { tree: &tree, growth: &growth, covered: &covered });
        let mut picked = Vec::new();
        while let Some(arm) = strategy.pick(&tree) {
            tree.settle(arm, Arm::Infeasible);
            picked.push(tree.depth(arm.node));
        }
        assert_eq!(picked, [2, 1, 0]);
    }
}
