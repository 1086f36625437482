//! The trait, and the names of the strategies.

use std::str::FromStr;

use xcute_trace::{SiteId, Sites};
use xcute_tree::{ArmId, Growth, PathTree};

/// What a strategy is told after each run.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The tree, the run included.
    pub tree: &'a PathTree,
    /// What the run added.
    pub growth: &'a Growth,
    /// Arms of sites that no earlier run had covered.
    pub covered: &'a [(SiteId, u32)],
}

/// Chooses the next arm.
pub trait Strategy {
    /// The name, as it is given on the command line.
    fn name(&self) -> &'static str;

    /// Takes note of a run.
    fn observe(&mut self, seen: &Seen<'_>);

    /// Forgets all arms: the tree restarts. What is covered stays so.
    fn restart(&mut self);

    /// The arm to try next; `None` when no arm is open. An arm is handed out once: whoever takes it settles it.
    fn pick(&mut self, tree: &PathTree) -> Option<ArmId>;
}

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    /// Bounded depth-first search, the paper's.
    Dfs,
    /// Breadth-first search.
    Bfs,
    /// Uniform random search.
    Random,
    /// Directed by the control-flow graph.
    Cfg,
    /// Generational search.
    Generational,
    /// Coverage first; the default.
    Coverage,
}

impl StrategyName {
    /// Every name, for help texts and tests.
    pub const ALL: [StrategyName; 6] =
        [StrategyName::Coverage, StrategyName::Dfs, StrategyName::Bfs, StrategyName::Random, StrategyName::Cfg, StrategyName::Generational];

    /// The name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StrategyName::Dfs => "dfs",
            StrategyName::Bfs => "bfs",
            StrategyName::Random => "random",
            StrategyName::Cfg => "cfg",
            StrategyName::Generational => "generational",
            StrategyName::Coverage => "coverage",
        }
    }

    /// Makes the strategy.
    #[must_use]
    pub fn build(self, sites: &Sites, seed: u64) -> Box<dyn Strategy> {
        match self {
            StrategyName::Dfs => Box::new(crate::BoundedDfs::new()),
            StrategyName::Bfs => Box::new(crate::Bfs::new()),
            StrategyName::Random => Box::new(crate::UniformRandom::new(seed)),
            StrategyName::Cfg => Box::new(crate::CfgDirected::new(sites, seed)),
            StrategyName::Generational => Box::new(crate::Generational::new()),
            StrategyName::Coverage => Box::new(crate::Coverage::new(sites, seed)),
        }
    }
}

impl FromStr for StrategyName {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyName, String> {
        StrategyName::ALL.into_iter().find(|n| n.as_str() == text).ok_or_else(|| {
            let all: Vec<_> = StrategyName::ALL.iter().map(|n| n.as_str()).collect();
            format!("no strategy is called {text} (there are {})", all.join(", "))
        })
    }
}
