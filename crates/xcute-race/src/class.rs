//! Causal classes: one key for all runs that differ only in the order of independent events (`≡` of section 3.2).
//!
//! The key is the sum of the hashes of the events, each hashed with its task, number, arm, branches and clock. A sum does not depend on the order, and
//! the clocks hold the partial order; so two runs have the same key iff they are linearisations of the same relation (up to
//! a collision of 128 bits). Fork paths are hashed, not handles: keys of different campaigns can be compared.

use crate::causality::Causality;
use crate::task::Tasks;

/// Names a causal class, of a run or of a prefix of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassKey(pub u128);

impl ClassKey {
    /// The class of a whole run.
    #[must_use]
    pub fn of(causality: &Causality<'_>, tasks: &Tasks) -> ClassKey {
        (0..causality.events().len()).fold(ClassKey::default(), |key, at| key.then(causality, tasks, at))
    }

    /// The class of what this is the class of, followed by the event `at`.
    #[must_use]
    pub fn then(self, causality: &Causality<'_>, tasks: &Tasks, at: usize) -> ClassKey {
        let (event, step) = (&causality.events()[at], &causality.record().steps[at]);
        let own = [tasks.digest(event.task), u64::from(event.number), u64::from(step.arm), step.branches];
        let halves = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03].map(|seed| {
            // The entries of a clock are a set as well: the order of handles must not matter.
            let clock = event.clock.entries().fold(0u64, |sum, (task, count)| {
                sum.wrapping_add(mix(seed ^ mix(tasks.digest(task).wrapping_add(mix(u64::from(count) ^ seed)))))
            });
            own.into_iter().fold(mix(clock ^ seed), |hash, part| mix(hash ^ mix(part.wrapping_add(seed))))
        });
        ClassKey(self.0.wrapping_add(u128::from(halves[0]) << 64 | u128::from(halves[1])))
    }
}

/// The finaliser of splitmix64: every bit of the result depends on every bit of the argument.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
