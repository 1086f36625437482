//! What is said of runs of C programs, broken on purpose: the oracle notices each mistake, on random programs or on the trap for it.
//!
//! **Invariant.** On the same programs nothing is noticed where nothing is broken.

use xcute_c::subject::FollowMutant;
use xcute_oracle::prune::{Population, file};

use super::campaigns::{Built, notices, plain};

/// Programs that share a file.
const PROGRAMS: u32 = 12;
/// Files with more paths are left out.
const RUNS: u64 = 300;

/// Traps: programs for mistakes that random programs hardly show.
const TRAPS: [(FollowMutant, &str); 4] = [
    // An address that is a number: one value is followed, the other is not.
    (
        FollowMutant::PinForgotten,
        "static int g, h = 9;
         int subject(void) {
           unsigned long u = 0;
           xcute_input(u);
           xcute_assume((u == (unsigned long)&g) | (u == (unsigned long)&h));
           return *(int *)u;
         }",
    ),
    // What is compared is what was there before: s - 1 <= 0 is not enough.
    (
        FollowMutant::StaleCondition,
        "static int s;
         int subject(void) {
           if (in()) s = 1;
           if (in()) s = s + 0;
           if (s-- > 0) { if (in() == 3) xcute_assert(0); }
           return 0;
         }",
    ),
    // Both point to one object, or to two.
    (
        FollowMutant::AliasForgotten,
        "static int *number(void) { int *p; xcute_input(p); return p; }
         int subject(void) {
           int *p = number(), *q = number();
           if (!p || !q) return 0;
           *p = 1;
           *q = 2;
           if (in()) *q = 3;
           if (*p == 2) { if (in() == 3) xcute_assert(0); }
           return 0;
         }",
    ),
    (
        FollowMutant::BlankForgotten,
        "static void set(int *p) { *p = 0; }
         int subject(void) {
           int z, y = 0;
           if (!in()) set(&z);
           if (in()) set(&y);
           return z ? y : 0;
         }",
    ),
];

const READ: &str = "#include <xcute.h>\nstatic int in(void) { int x; xcute_input(x); return x; }\n";

#[test]
fn every_mutant_is_noticed() {
    use FollowMutant as M;
    let mut left =
        vec![M::StoreForgotten, M::CopyForgotten, M::AddressForgotten, M::StackForgotten, M::ConcreteForgotten, M::ObjectForgotten];
    let kinds = [Population::Addresses, Population::Calls, Population::Records, Population::Heap, Population::Loops];
    for (seed, kind) in (1..=6).flat_map(|seed| kinds.map(|kind| (seed, kind))) {
        if left.is_empty() {
            break;
        }
        let mut built = Built::new(&file(kind, seed, PROGRAMS));
        let Some(truth) = plain(&mut built, RUNS).expect("a plain search") else { continue };
        assert_eq!(notices(&mut built, &truth, None), Ok(false), "{kind:?}, seed {seed}");
        left.retain(|&mutant| notices(&mut built, &truth, Some(mutant)) == Ok(false));
    }
    assert_eq!(left, [], "not noticed");
}

#[test]
fn traps_notice_what_is_hardly_met() {
    for (mutant, text) in TRAPS {
        let mut built = Built::new(&format!("{READ}{text}"));
        let truth = plain(&mut built, RUNS).expect("a plain search").expect("few paths");
        assert_eq!(notices(&mut built, &truth, None), Ok(false), "{mutant:?}");
        assert_eq!(notices(&mut built, &truth, Some(mutant)), Ok(true), "{mutant:?}");
    }
}
