//! The names of the algorithms that open schedule arms, and what they stand for.

use std::str::FromStr;

use crate::algorithm::Algorithm;
use crate::all::All;
use crate::dpor::Dpor;
use crate::races::Races;
use crate::sleep::Sleep;

/// The exhaustive algorithms by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlgorithmName {
    /// Every interleaving.
    All,
    /// Race detection and flipping.
    Races,
    /// The same with sleep sets.
    Sleep,
    /// Source sets with sleep sets; the default.
    Dpor,
}

impl AlgorithmName {
    /// Every name, for help texts and tests.
    pub const ALL: [AlgorithmName; 4] = [AlgorithmName::Dpor, AlgorithmName::Sleep, AlgorithmName::Races, AlgorithmName::All];

    /// The name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AlgorithmName::All => "all",
            AlgorithmName::Races => "races",
            AlgorithmName::Sleep => "sleep",
            AlgorithmName::Dpor => "dpor",
        }
    }

    /// Makes the algorithm.
    #[must_use]
    pub fn build(self) -> Box<dyn Algorithm> {
        match self {
            AlgorithmName::All => Box::new(All),
            AlgorithmName::Races => Box::new(Races),
            AlgorithmName::Sleep => Box::new(Sleep),
            AlgorithmName::Dpor => Box::new(Dpor),
        }
    }
}

impl FromStr for AlgorithmName {
    type Err = String;

    fn from_str(text: &str) -> Result<AlgorithmName, String> {
        AlgorithmName::ALL.into_iter().find(|name| name.as_str() == text).ok_or_else(|| {
            let all: Vec<_> = AlgorithmName::ALL.iter().map(|name| name.as_str()).collect();
            format!("no way to explore schedules is called {text} (there are {})", all.join(", "))
        })
    }
}
