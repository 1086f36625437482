//! Random schedules: policies that choose the next task while a run goes on, for programs with too many schedules.
//!
//! No policy wins everywhere, so campaigns rotate them. A run that a policy drove is recorded like any other and taken in by the
//! explorer: what it finds is kept, and its races open arms.
//!
//! **Invariant.** Same seed and same choices offered, same choices taken.

use std::fmt;
use std::str::FromStr;

use xcute_trace::DefaultChoice;

use crate::operation::Accesses;
use crate::task::Task;

/// A task that can run.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The task.
    pub task: Task,
    /// What its next operation accesses.
    pub accesses: Accesses,
}

/// Chooses the next task.
pub trait Policy: std::fmt::Debug {
    /// A run begins.
    fn begin(&mut self);

    /// The task to run next: a position in `ready`, which is not empty.
    fn choose(&mut self, ready: &[Ready]) -> usize;
}

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
            PolicyName::Walk => Box::new(crate::Walk::new(seed)),
            PolicyName::Pct(depth) => Box::new(crate::Pct::new(depth, seed)),
            PolicyName::Pos => Box::new(crate::Pos::new(seed)),
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
