//! What a campaign takes along when its subjects are replaced by faster ones ([`crate::front::FrontEnd::speed_up`]).
//!
//! The runs so far are repeated on the new subjects as `xcute resume` would. What the world outside has heard of them, it does not hear again.
//!
//! **Invariant.** Time goes on: what is spent before and during the change counts as spent by the search.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use xcute_engine::Confirmation;
use xcute_report::Timeline;

/// What stays of a watch.
#[derive(Debug)]
pub struct Earlier {
    /// When the campaign began.
    pub start: Instant,
    /// When its search did, in nanoseconds after that.
    pub begun: u64,
    pub timeline: Timeline,
    pub confirmed: Confirmed,
}

/// By the text of a case that failed: what came of its repetition on the uninstrumented program.
#[derive(Debug, Default)]
pub struct Confirmed(Mutex<BTreeMap<String, Confirmation>>);

impl Confirmed {
    /// What is known of a case, or what `confirm` finds out.
    pub fn or(&self, text: String, confirm: impl FnOnce() -> Confirmation) -> Confirmation {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&text) {
            return known.clone();
        }
        let confirmation = confirm();
        if !matches!(confirmation, Confirmation::NotTried(_)) {
            known().insert(text, confirmation.clone());
        }
        confirmation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_is_not_tried_again() {
        let confirmed = Confirmed::default();
        let not = || Confirmation::NotTried("no time".to_owned());
        assert_eq!(confirmed.or("a".to_owned(), not), not());
        assert_eq!(confirmed.or("a".to_owned(), || Confirmation::Confirmed), Confirmation::Confirmed);
        assert_eq!(confirmed.or("a".to_owned(), not), Confirmation::Confirmed);
        assert_eq!(confirmed.or("b".to_owned(), not), not());
    }
}
