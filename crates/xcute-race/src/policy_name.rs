//! The names of the random policies, and what they stand for.

use std::fmt;
use std::str::FromStr;

use xcute_trace::DefaultChoice;

use crate::pct::Pct;
use crate::policy::Policy;
use crate::pos::Pos;
use crate::walk::Walk;

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolicyName {
    /// Any task, each time.
    Walk,
    /// Probabilistic concurrency testing, for bugs of this depth.
    Pct(u32),
    /// Partial order sampling.
    Pos,
}

impl PolicyName {
    /// The same for executors that have the policies themselves: the choice of one run, of which this many steps are expected.
    #[must_use]
    pub fn choice(self, seed: u64, steps: u32) -> DefaultChoice {
        match self {
            PolicyName::Walk => DefaultChoice::Walk(seed),
            PolicyName::Pct(depth) => DefaultChoice::Pct { seed, depth, steps },
            PolicyName::Pos => DefaultChoice::Pos(seed),
        }
    }

    /// Makes the policy.
    #[must_use]
    pub fn build(self, seed: u64) -> Box<dyn Policy> {
        match self {
            PolicyName::Walk => Box::new(Walk::new(seed)),
            PolicyName::Pct(depth) => Box::new(Pct::new(depth, seed)),
            PolicyName::Pos => Box::new(Pos::new(seed)),
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyName::Walk => f.write_str("walk"),
            PolicyName::Pct(depth) => write!(f, "pct:{depth}"),
            PolicyName::Pos => f.write_str("pos"),
        }
    }
}

impl FromStr for PolicyName {
    type Err = String;

    fn from_str(text: &str) -> Result<PolicyName, String> {
        match (text, text.strip_prefix("pct:").map(str::parse)) {
            ("walk", _) => Ok(PolicyName::Walk),
            ("pos", _) => Ok(PolicyName::Pos),
            (_, Some(Ok(depth))) if depth > 0 => Ok(PolicyName::Pct(depth)),
            (_, Some(_)) => Err(format!("{text}: the depth of pct is a number from 1 on, as in pct:3")),
            _ => Err(format!("no random schedule is called {text} (there are walk, pct:D, pos)")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!("pct:3".parse(), Ok(PolicyName::Pct(3)));
        assert_eq!("pos".parse(), Ok(PolicyName::Pos));
        assert!("pct:0".parse::<PolicyName>().is_err_and(|message| message.contains("from 1 on")));
        assert!("pct:x".parse::<PolicyName>().is_err());
        assert!("best".parse::<PolicyName>().is_err_and(|message| message.contains("walk, pct:D, pos")));
    }
}
