//! How coverage grew: the moments at which a run covered a branch that no earlier one had.
//!
//! **Invariant.** As many moments as a curve can show: however long a campaign is, their number is bounded.

use serde::{Deserialize, Serialize};

/// More moments than this are thinned out.
const MOST: usize = 400;

/// A run that covered something new.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// When it ended, from the beginning of the search.
    pub seconds: f64,
    /// How many runs there were by then.
    pub runs: u64,
    /// How many branches were covered by then.
    pub branches: u64,
    /// How many paths ran to an end by then; 0 in summaries from before they were counted.
    #[serde(default)]
    pub paths: u64,
}

/// The moments of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Timeline(Vec<Moment>);

impl Timeline {
    /// Takes note of a run.
    pub fn note(&mut self, moment: Moment) {
        if self.0.last().is_some_and(|last| last.branches >= moment.branches) {
            return;
        }
        if self.0.len() >= 2 * MOST {
            // Every other one; the first stays.
            let mut nth = 0;
            self.0.retain(|_| {
                nth += 1;
                nth % 2 == 1
            });
        }
        self.0.push(moment);
    }

    /// All of them.
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_growth_is_kept_and_not_all_of_it() {
        let mut timeline = Timeline::default();
        for run in 0..100_000u32 {
            timeline.note(Moment { seconds: f64::from(run), runs: run.into(), branches: (run / 2).into(), paths: run.into() });
        }
        let moments = timeline.moments();
        assert!(moments.len() <= 2 * MOST, "{}", moments.len());
        assert!(moments.windows(2).all(|two| two[0].branches < two[1].branches && two[0].runs < two[1].runs));
        assert_eq!(moments.first().map(|moment| moment.runs), Some(0));
        assert_eq!(moments.last().map(|moment| moment.branches), Some(49_999));
    }
}
