//! Time for several entries: what is left is shared by those that are left.

use std::time::Duration;

/// The time that all entries have together.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// `None`: each has what it asks for.
    left: Option<Duration>,
    entries: u32,
}

impl Budget {
    /// This much time for this many entries.
    pub fn new(time: Option<Duration>, entries: usize) -> Budget {
        Budget { left: time, entries: u32::try_from(entries).unwrap_or(u32::MAX) }
    }

    /// What the next entry has at most; `None` where nothing bounds it.
    pub fn share(&self) -> Option<Duration> {
        self.left.map(|left| left / self.entries.max(1))
    }

    /// An entry was searched for this long.
    pub fn spent(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
        self.entries = self.entries.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_leaves_goes_to_the_others() {
        let seconds = Duration::from_secs;
        let mut budget = Budget::new(Some(seconds(30)), 3);
        assert_eq!(budget.share(), Some(seconds(10)));
        budget.spent(seconds(2));
        assert_eq!(budget.share(), Some(seconds(14)));
        budget.spent(seconds(40));
        assert_eq!(budget.share(), Some(Duration::ZERO));
        budget.spent(seconds(1));
        assert_eq!((budget.share(), Budget::new(None, 2).share()), (Some(Duration::ZERO), None));
    }
}
