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
mod tests {
    use xcute_term::Terms;
    use xcute_trace::SiteId;
    use xcute_tree::{Arm, PathTree};

    use crate::StrategyName;
    use crate::grown::{grow, sites};
    use crate::strategy::{Seen, Strategy};

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
