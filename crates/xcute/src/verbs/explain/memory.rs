//! What is kept of the repeated runs: who covered an arm first, every input, and what was said of schedules.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use xcute_engine::{Confirmation, Observer, RunEvent};
use xcute_term::{Model, Terms};
use xcute_trace::{Failure, SiteId, Task, TestCase};

use super::schedules::{Run, Schedules, Wanted};
use crate::front::FrontEnd;

/// Listens to the repetition.
pub struct Memory<'a, F> {
    front: &'a F,
    inner: Mutex<Inner>,
    schedules: Mutex<Schedules>,
}

#[derive(Debug, Default)]
struct Inner {
    first: BTreeMap<(SiteId, u32), u64>,
    inputs: BTreeMap<u64, Model>,
}

impl<'a, F: FrontEnd> Memory<'a, F> {
    /// Knows nothing yet. `wanted` is the run whose choices between threads are asked about.
    pub fn new(front: &'a F, wanted: Option<u64>) -> Memory<'a, F> {
        Memory { front, inner: Mutex::default(), schedules: Mutex::new(Schedules::about(wanted)) }
    }

    /// What was said of schedules.
    pub fn schedules(&self) -> MutexGuard<'_, Schedules> {
        self.schedules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of what a run with several tasks did.
    fn interleaved(&self, event: &RunEvent<'_>) {
        let mut schedules = self.schedules();
        if event.growth.run == 0 {
            schedules.restart(event.number);
        }
        let Some(concurrent) = &event.trace.concurrent else { return };
        let tasks = event.tasks();
        let name = |task: Task| {
            let path = tasks.get(task.index()).map_or(&[][..], |id| &id.0);
            path.iter().map(u16::to_string).collect::<Vec<_>>().join(".")
        };
        let happening = |step: usize, task: Task| {
            let mut happening = event.happening(step, task)?;
            happening.at.file = self.front.file(&happening.at.file);
            Some(happening)
        };
        let asked: Vec<Wanted<'_>> =
            event.asked.iter().map(|asked| Wanted { step: asked.step, option: asked.arm.arm, race: asked.cause.as_ref() }).collect();
        let (number, last) = (event.number, event.growth.last);
        schedules.ran(&Run { number, concurrent, asked: &asked, last, name: &name, happening: &happening });
    }

    /// The number of the run that covered an arm first.
    pub fn first(&self, site: SiteId, arm: u32) -> Option<u64> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).first.get(&(site, arm)).copied()
    }

    /// The input of a run.
    pub fn input(&self, number: u64) -> Option<Model> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).inputs.get(&number).cloned()
    }
}

impl<F: FrontEnd> Observer for Memory<'_, F> {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::NotReproduced(String::new())
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        self.interleaved(event);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for &arm in &event.trace.covered {
            inner.first.entry(arm).or_insert(event.number);
        }
        inner.inputs.insert(event.number, event.case().input);
    }
}
