//! The interleaving that led to a failure: what the threads did, in order.
//!
//! **Invariant.** The steps that a failure is about are always in it; of the others, the last ones.

use xcute_trace::{Frame, Happening};

use super::telling::Teller;

/// So many steps are told, and those that are marked.
const MOST: usize = 200;

/// What a picture shows.
pub(super) struct Shown<'a> {
    /// The steps, in the order in which they are told.
    pub(super) steps: Vec<usize>,
    /// Those that the failure is about.
    pub(super) marked: &'a [usize],
    /// In the end all who wait: the failure is about them.
    pub(super) stuck: bool,
    /// Who fails in the end, and where.
    pub(super) fails: Option<(u32, Frame)>,
}

impl Shown<'_> {
    /// All steps of a run.
    pub(super) fn all(teller: &Teller<'_>) -> Shown<'static> {
        Shown { steps: (0..teller.recorded.steps.len()).collect(), marked: &[], stuck: false, fails: None }
    }

    /// The picture.
    pub(super) fn tell(&self, teller: &mut Teller<'_>) -> Vec<Happening> {
        let from = self.steps.len().saturating_sub(MOST);
        let mut all = if from == 0 { teller.beginning(0) } else { Vec::new() };
        for (at, &step) in self.steps.iter().enumerate() {
            let marked = self.marked.contains(&step);
            if at >= from || marked {
                all.extend(teller.happening(step, marked));
            }
            if at >= from {
                all.extend(teller.beginning(step + 1));
            }
        }
        if self.stuck {
            let waiting = 0..teller.recorded.pending.len();
            all.extend(waiting.filter_map(|at| teller.waiting(at, true)));
        }
        if let Some((task, at)) = &self.fails {
            all.push(Happening { task: teller.task(*task), what: "fails here".into(), at: at.clone(), marked: true });
        }
        all
    }
}
