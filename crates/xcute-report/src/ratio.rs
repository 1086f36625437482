//! How much of something was covered.

use serde::{Deserialize, Serialize};

/// Covered of total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratio {
    /// How many were reached.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

impl Ratio {
    /// The share in per cent, rounded down so that 100 means all; 100 where there is nothing to cover.
    #[must_use]
    pub fn percent(self) -> u64 {
        (self.covered * 100).checked_div(self.total).unwrap_or(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_is_100_only_for_all() {
        assert_eq!(Ratio { covered: 999, total: 1000 }.percent(), 99);
        assert_eq!(Ratio { covered: 3, total: 3 }.percent(), 100);
        assert_eq!(Ratio::default().percent(), 100);
    }
}
