//! Where the time went, phase by phase: as text, as a flame graph, and as stacks that other tools draw.
//!
//! With several workers times are sums over all of them.

mod flame;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use xcute_term::profile::Profile;

pub use flame::flame_graph;
pub use table::table;

/// A phase with those inside it.
#[derive(Debug, Default)]
struct Node<'a> {
    inside: BTreeMap<&'a str, Node<'a>>,
    /// With the phases inside.
    whole: Duration,
    own: Duration,
    times: u64,
}

impl<'a> Node<'a> {
    /// All phases, below one that stands for the process.
    fn root(profile: &Profile) -> Node<'_> {
        let mut root = Node::default();
        for (way, cost) in &profile.phases {
            root.whole += cost.own;
            let mut at = &mut root;
            for name in way {
                at = at.inside.entry(name).or_default();
                at.whole += cost.own;
            }
            (at.own, at.times) = (cost.own, cost.times);
        }
        root
    }

    /// The phases inside, the longest first.
    fn longest_first(&self) -> Vec<(&'a str, &Node<'a>)> {
        let mut inside: Vec<_> = self.inside.iter().map(|(name, node)| (*name, node)).collect();
        inside.sort_by_key(|(_, node)| std::cmp::Reverse(node.whole));
        inside
    }

    /// Its part of another one, from 0 to 1.
    fn part_of(&self, all: Duration) -> f64 {
        if all.is_zero() { 0.0 } else { self.whole.as_secs_f64() / all.as_secs_f64() }
    }
}

/// `search;solver;bits 1234`: a line for each phase, with its own microseconds, as flamegraph.pl, inferno and speedscope read it.
#[must_use]
pub fn folded(profile: &Profile) -> String {
    let mut text = String::new();
    for (way, cost) in profile.phases.iter().filter(|(_, cost)| cost.own.as_micros() > 0) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}", way.join(";"), cost.own.as_micros());
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use xcute_term::profile::Cost;

    use super::*;

    pub(crate) fn sample() -> Profile {
        let cost = |millis, times| Cost { own: Duration::from_millis(millis), times };
        let phases = [
            (vec!["building"], cost(100, 1)),
            (vec!["building", "clang"], cost(300, 2)),
            (vec!["searching"], cost(0, 1)),
            (vec!["searching", "subject"], cost(500, 1000)),
            (vec!["searching", "subject", "terms"], cost(99, 20_000)),
            (vec!["searching", "tree"], cost(1, 1000)),
        ];
        Profile { phases: phases.into_iter().collect() }
    }

    #[test]
    fn stacks_have_their_own_time() {
        let expected =
            "building 100000\nbuilding;clang 300000\nsearching;subject 500000\nsearching;subject;terms 99000\nsearching;tree 1000\n";
        assert_eq!(folded(&sample()), expected);
    }

    #[test]
    fn a_phase_has_the_time_of_those_inside() {
        let profile = sample();
        let root = Node::root(&profile);
        assert_eq!(root.whole, Duration::from_secs(1));
        assert_eq!(root.inside["searching"].inside["subject"].whole, Duration::from_millis(599));
        assert_eq!(root.longest_first().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["searching", "building"]);
    }
}
