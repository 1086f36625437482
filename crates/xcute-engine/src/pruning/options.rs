//! Whether and how to prune.

use std::fmt;
use std::str::FromStr;

/// Whether to prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Prune {
    /// Never.
    #[default]
    Off,
    /// From the first run on.
    Interpolation,
    /// In a long search, as long as it pays.
    Auto,
    /// From the first run on, but what could be skipped is counted and run all the same: the paper's way to measure.
    Measure,
}

impl Prune {
    /// Every way, for help texts.
    pub const ALL: [Prune; 4] = [Prune::Off, Prune::Interpolation, Prune::Auto, Prune::Measure];

    /// The name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Prune::Off => "off",
            Prune::Interpolation => "interpolation",
            Prune::Auto => "auto",
            Prune::Measure => "measure",
        }
    }
}

impl fmt::Display for Prune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Prune {
    type Err = String;

    fn from_str(text: &str) -> Result<Prune, String> {
        Prune::ALL.into_iter().find(|way| way.as_str() == text).ok_or_else(|| {
            let all: Vec<_> = Prune::ALL.iter().map(|way| way.as_str()).collect();
            format!("no way to prune is called {text} (there are {})", all.join(", "))
        })
    }
}

/// How to prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PruneOptions {
    /// Whether.
    pub prune: Prune,
    /// Greedy confirmation.
    pub greedy: bool,
    /// Explore only the first this many decisions of a path, those included that no input decides; what holds up to there is used as well.
    pub horizon: Option<u32>,
    /// How many different terms an interpolant may be built from before it is strengthened.
    pub cap: usize,
    /// How many interpolants a program point keeps.
    pub per_point: usize,
}

impl Default for PruneOptions {
    fn default() -> PruneOptions {
        PruneOptions { prune: Prune::Off, greedy: true, horizon: None, cap: 400, per_point: 50 }
    }
}

impl PruneOptions {
    /// That a path was not explored beyond the horizon.
    pub(crate) fn beyond_horizon(&self) -> String {
        format!("branches beyond {} were not explored", self.horizon.unwrap_or(u32::MAX))
    }
}
