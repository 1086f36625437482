//! Whether pruning pays, by counting.
//!
//! The unit is a short run of the plain search with its question to the solver; a long one counts as several. A run with segments costs much more, and so do questions of the
//! pruner; what is saved are the paths that need not be run, as the pruner counts them. A short search is over before it could pay, and before the subject was made ready for runs with segments;
//! that takes the longer the larger the program is.
//! In a longer one pruning is tried for a share of what the search has cost so far; if it did not save at least as much as it cost, it is tried
//! again when the search is four times as long, or twice as long if paths were subsumed.
//!
//! **Invariant.** Only counts decide, never a clock: the same search comes to the same decisions. What failed trials cost together is a fixed
//! share of the search.

use super::options::Prune;

/// This many decisions of a run cost as much as a short run.
const DECISIONS: u64 = 40;
/// Short runs before the first trial: about four times as long as it takes to make a small program ready for runs with segments.
const SHORT: u64 = 16_384;
/// The same for each site of a larger one.
const SITE: u64 = 32;
/// A trial may cost this share of the search so far.
const SHARE: u64 = 8;
/// After a trial that did not pay the search goes on to this many times its cost.
const PATIENCE: u64 = 4;
/// The same where nodes were subsumed: what a trial learns stays, and most of what it saves comes when it has arrived near the root.
const PROMISING: u64 = 2;
/// A trial is promising if one in this many of its runs was subsumed somewhere.
const SUBSUMED: u64 = 4;
/// What a run with segments costs at least: it runs twice.
const FOLLOWED: u64 = 8;
/// This many accesses to memory that it tells cost as much as a short run; those of a long one cost less than it does itself.
const TOLD: u64 = 32;

/// What runs of the plain search cost that make this many decisions together.
pub(crate) fn cost(runs: u64, decisions: u64) -> u64 {
    runs + decisions / DECISIONS
}

/// What pruning did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Balance {
    /// Runs with segments, of the search or beside it.
    pub(crate) followed: u64,
    /// How much they recorded.
    pub(crate) told: u64,
    /// The work of the pruner itself, in the same unit.
    pub(crate) work: u64,
    /// What the paths would have cost that need not be run.
    pub(crate) saved: u64,
    /// Nodes that others subsume.
    pub(crate) subsumed: u64,
}

impl Balance {
    fn spent(self) -> u64 {
        self.followed * FOLLOWED + self.told / TOLD + self.work
    }
}

/// Decides, run by run.
#[derive(Debug)]
pub(crate) struct Worth {
    way: Prune,
    /// The trial under way: the balance at its begin, and what it may cost.
    trial: Option<(Balance, u64)>,
    /// When to try next.
    due: u64,
}

impl Worth {
    /// For a program of this many sites.
    pub(crate) fn new(way: Prune, sites: usize) -> Worth {
        Worth { way, trial: None, due: SHORT.max(sites as u64 * SITE) }
    }

    /// How much more work the pruner may do now; `None`: as much as it likes.
    pub(crate) fn allowance(&self, balance: Balance) -> Option<u64> {
        let (begin, budget) = self.trial.filter(|_| self.way == Prune::Auto)?;
        Some((begin.spent() + budget).saturating_sub(balance.spent()))
    }

    /// Whether the next run is to have segments, after a search that cost as much as this many short runs.
    pub(crate) fn follow(&mut self, runs: u64, balance: Balance) -> bool {
        match self.way {
            Prune::Off => return false,
            Prune::Interpolation | Prune::Measure => return true,
            Prune::Auto => {}
        }
        if let Some((begin, budget)) = self.trial
            && balance.spent() - begin.spent() >= budget
        {
            let paid = balance.saved.saturating_sub(begin.saved) >= budget;
            self.trial = paid.then_some((balance, budget * 2));
            let promising = (balance.subsumed - begin.subsumed) * SUBSUMED >= balance.followed - begin.followed;
            self.due = runs * if promising { PROMISING } else { PATIENCE };
        }
        if self.trial.is_none() && runs >= self.due {
            self.trial = Some((balance, runs / SHARE));
        }
        self.trial.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search in which each run with segments saves this many; how many of its runs had segments.
    fn search(way: Prune, runs: u64, saves: u64) -> u64 {
        let (mut worth, mut balance) = (Worth::new(way, 100), Balance::default());
        for run in 0..runs {
            if worth.follow(run, balance) {
                balance.followed += 1;
                balance.told += 160;
                balance.work += 32;
                balance.saved += saves;
            }
        }
        balance.followed
    }

    #[test]
    fn a_short_search_is_left_alone() {
        assert_eq!(search(Prune::Auto, SHORT, 100), 0);
        assert_eq!(search(Prune::Interpolation, SHORT, 0), SHORT);
        assert_eq!(search(Prune::Off, 100_000, 100), 0);
    }

    #[test]
    fn a_large_program_must_be_worth_its_second_build() {
        let mut worth = Worth::new(Prune::Auto, 10_000);
        assert!(!worth.follow(10_000 * SITE - 1, Balance::default()));
        assert!(worth.follow(10_000 * SITE, Balance::default()));
    }

    #[test]
    fn what_pays_goes_on() {
        assert_eq!(search(Prune::Auto, 100_000, 100), 100_000 - SHORT);
    }

    #[test]
    fn what_promises_to_pay_costs_a_larger_share() {
        let (mut worth, mut balance) = (Worth::new(Prune::Auto, 100), Balance::default());
        for run in 0..400_000 {
            if worth.follow(run, balance) {
                balance.followed += 1;
                balance.work += 32;
                balance.subsumed += 1;
            }
        }
        let cost = balance.spent() * 100 / 400_000;
        assert!((14..30).contains(&cost), "{cost} %");
        assert!(2 * balance.followed > 3 * search(Prune::Auto, 400_000, 0));
    }

    #[test]
    fn what_does_not_pay_costs_a_share() {
        for runs in [SHORT + 100, 40_000, 400_000] {
            let followed = search(Prune::Auto, runs, 1);
            let cost = followed * (FOLLOWED + 160 / TOLD + 32);
            assert!(followed > 0 && cost * 5 <= runs, "{followed} of {runs} runs with segments cost {cost}");
        }
    }
}
