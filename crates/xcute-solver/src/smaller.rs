//! Smaller cores: constraints that contradict each other, with those left out that are not needed, so that the cache can use them for
//! other queries.

use xcute_term::TermId;

/// Longer cores are not made smaller.
const MINIMISED: usize = 16;

/// Leaves out what is not needed for the contradiction. The last one stays.
pub(crate) fn shrink(core: &mut Vec<TermId>, mut contradict: impl FnMut(&[TermId]) -> bool) {
    let mut i = 0;
    while core.len() <= MINIMISED && i + 1 < core.len() {
        let left_out = core.remove(i);
        if !contradict(core) {
            core.insert(i, left_out);
            i += 1;
        }
    }
}
