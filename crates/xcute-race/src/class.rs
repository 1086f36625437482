//! Causal classes: one key for all runs that differ only in the order of independent events (`≡` of [sen-marinov-agha-2006 §3.2]).
//!
//! The key is the sum of the hashes of the events, each hashed with its task, number, arm, branches and clock. A sum does not depend on the order, and
//! the clocks hold the partial order; so two runs have the same key iff they are linearisations of the same relation (up to
//! a collision of 128 bits). Fork paths are hashed, not handles: keys of different campaigns can be compared.

use crate::causality::Causality;
use crate::task::{Task, Tasks};

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
        let halves = FACTORS.map(|factors| {
            // The entries of a clock are a set as well: the order of handles must not matter.
            let entry = |(task, count): (Task, u32)| {
                mix(tasks.digest(task).wrapping_mul(factors[0]).wrapping_add(u64::from(count).wrapping_mul(factors[1])))
            };
            let clock = event.clock.entries().fold(0, |sum: u64, one| sum.wrapping_add(entry(one)));
            mix(own.iter().zip(factors).fold(clock, |sum, (part, factor)| sum.wrapping_add(part.wrapping_mul(factor))))
        });
        ClassKey(self.0.wrapping_add(u128::from(halves[0]) << 64 | u128::from(halves[1])))
    }
}

/// What the parts of an event are multiplied with, for each half of the key: odd, and at random.
const FACTORS: [[u64; 4]; 2] = [
    [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db],
    [0xd1b5_4a32_d192_ed03, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3, 0x1d8e_4e27_c47d_124f],
];

/// The finaliser of splitmix64: every bit of the result depends on every bit of the argument.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
