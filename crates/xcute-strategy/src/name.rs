//! The names of the strategies, and what they stand for.

use std::str::FromStr;

use xcute_trace::Sites;

use crate::bfs::Bfs;
use crate::cfg_directed::CfgDirected;
use crate::coverage::Coverage;
use crate::dfs::BoundedDfs;
use crate::generational::Generational;
use crate::strategy::Strategy;
use crate::testing::RandomTesting;
use crate::urs::UniformRandom;

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
    /// Random testing, without a solver.
    Testing,
}

impl StrategyName {
    /// The exhaustive ones: all but random testing.
    pub const EXHAUSTIVE: [StrategyName; 6] =
        [StrategyName::Coverage, StrategyName::Dfs, StrategyName::Bfs, StrategyName::Random, StrategyName::Cfg, StrategyName::Generational];

    /// The name as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            StrategyName::Dfs => "dfs",
            StrategyName::Bfs => "bfs",
            StrategyName::Random => "random",
            StrategyName::Cfg => "cfg",
            StrategyName::Generational => "generational",
            StrategyName::Coverage => "coverage",
            StrategyName::Testing => "testing",
        }
    }

    /// Makes the strategy.
    #[must_use]
    pub fn build(self, sites: &Sites, seed: u64) -> Box<dyn Strategy> {
        match self {
            StrategyName::Dfs => Box::new(BoundedDfs::new()),
            StrategyName::Bfs => Box::new(Bfs::new()),
            StrategyName::Random => Box::new(UniformRandom::new(seed)),
            StrategyName::Cfg => Box::new(CfgDirected::new(sites, seed)),
            StrategyName::Generational => Box::new(Generational::new()),
            StrategyName::Coverage => Box::new(Coverage::new(sites, seed)),
            StrategyName::Testing => Box::new(RandomTesting),
        }
    }
}

impl FromStr for StrategyName {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyName, String> {
        let all = || StrategyName::EXHAUSTIVE.into_iter().chain([StrategyName::Testing]);
        all().find(|name| name.as_str() == text).ok_or_else(|| {
            let all: Vec<_> = all().map(StrategyName::as_str).collect();
            format!("no strategy is called {text} (there are {})", all.join(", "))
        })
    }
}
