//! What is kept of the repeated runs: who covered an arm first, and every input.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use xcute_engine::{Confirmation, Observer, RunEvent};
use xcute_term::{Model, Terms};
use xcute_trace::{Failure, SiteId, TestCase};

/// Listens to the repetition.
#[derive(Debug, Default)]
pub struct Memory {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    first: BTreeMap<(SiteId, u32), u64>,
    inputs: BTreeMap<u64, Model>,
}

impl Memory {
    /// The number of the run that covered an arm first.
    pub fn first(&self, site: SiteId, arm: u32) -> Option<u64> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).first.get(&(site, arm)).copied()
    }

    /// The input of a run.
    pub fn input(&self, number: u64) -> Option<Model> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).inputs.get(&number).cloned()
    }
}

impl Observer for Memory {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn stop(&self) -> bool {
        false
    }

    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::NotReproduced(String::new())
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for &arm in &event.trace.covered {
            inner.first.entry(arm).or_insert(event.number);
        }
        inner.inputs.insert(event.number, event.case().input);
    }
}
