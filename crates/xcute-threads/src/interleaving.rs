//! The interleaving that led to a failure: what the threads did, in order.
//!
//! **Invariant.** The steps that a failure is about are always in it; of the others, the last ones.

use xcute_trace::{Frame, Happening, Task};

use crate::narrator::Narrator;

/// The most steps that are shown besides those that are marked.
const MOST: usize = 200;

/// What a picture shows.
#[derive(Debug, Default)]
pub struct Picture<'a> {
    /// The steps, in the order in which they are shown.
    pub steps: Vec<usize>,
    /// Those that the failure is about.
    pub marked: &'a [usize],
    /// In the end all threads that wait: the failure is about them.
    pub stuck: bool,
    /// The thread that fails in the end, and where.
    pub fails: Option<(Task, Frame)>,
}

impl Picture<'_> {
    /// All steps of a run.
    #[must_use]
    pub fn all(narrator: &Narrator<'_>) -> Picture<'static> {
        Picture { steps: (0..narrator.record.steps.len()).collect(), ..Picture::default() }
    }

    /// The picture, row by row.
    pub fn rows(&self, narrator: &mut Narrator<'_>) -> Vec<Happening> {
        let from = self.steps.len().saturating_sub(MOST);
        let mut all = if from == 0 { narrator.beginning(0) } else { Vec::new() };
        for (at, &step) in self.steps.iter().enumerate() {
            let marked = self.marked.contains(&step);
            if at >= from || marked {
                all.extend(narrator.happening(step, marked));
            }
            if at >= from {
                all.extend(narrator.beginning(step + 1));
            }
        }
        if self.stuck {
            let waiting = 0..narrator.record.pending.len();
            all.extend(waiting.filter_map(|at| narrator.waiting(at, true)));
        }
        if let Some((task, at)) = &self.fails {
            all.push(Happening { task: narrator.task(*task), what: "fails here".into(), at: at.clone(), marked: true });
        }
        all
    }
}
