//! Runs with concrete inputs, to see whether a case does anything new: nothing becomes a node or a decision, so they cost what the code costs.
//!
//! **Invariant.** A glance leaves no trace: what it covers is new for the run that follows, and variables that it meets are those that any run would meet.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_term::{Terms, VarId};
use xcute_trace::{Glance, SubjectError, TestCase};

use super::variables::Known;
use super::{CSubject, PROCESSES, start_error};
use crate::run::process::{Ended, Inherited};
use crate::wire::{XcVar, outcome};

/// The digest of a run whose process did what cannot be told apart.
const SCRIBBLED: u64 = 1;

impl CSubject {
    /// Runs a case once, without a record.
    pub(super) fn look_at(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Glance, SubjectError> {
        let mut ended = Ended::NotBegun;
        for _ in 0..PROCESSES {
            let inherited = Inherited { variables: &self.known.wire, coverage: &self.covered, ..Inherited::default() };
            self.worker.ready(&inherited).map_err(|error| start_error(&self.interrupt, &error))?;
            self.run += 1;
            self.give_values(case);
            ended = self.worker.glance(self.run);
            match ended {
                Ended::Interrupted => return Err(SubjectError::Interrupted),
                Ended::NotBegun => {}
                _ => break,
            }
        }
        // What was refused to a run that is not recorded limits nothing in the search.
        self.worker.refused();
        if !self.worker.block.intact() {
            self.worker.stop();
            return Ok(Glance { news: false, failure: Some(SCRIBBLED), steps: 0 });
        }
        let steps = self.worker.block.steps();
        self.patience.spend(steps);
        self.learn(case, terms)?;
        let news = self.worker.block.covers_more(&self.covered);
        if news {
            self.worker.block.set_coverage(&self.covered);
        }
        Ok(Glance { news, failure: self.digest(ended), steps })
    }

    /// How and where a run failed, as far as two failures are told apart.
    fn digest(&self, ended: Ended) -> Option<u64> {
        let block = &self.worker.block;
        let how = block.outcome();
        if ended == Ended::Answered && matches!(how, outcome::RETURNED | outcome::EXITED | outcome::REJECTED) {
            return None;
        }
        let head = block.control();
        let place = match how {
            // It may be cut off anywhere.
            outcome::OUT_OF_FUEL | outcome::TIMED_OUT | outcome::STACK_OVERFLOW => (0, 0),
            _ if ended != Ended::Answered => (0, 0),
            _ => (head.pc, if head.n_frames > 0 { head.frames[0] } else { 0 }),
        };
        let answered = ended == Ended::Answered;
        Some(FxBuildHasher.hash_one((answered, how, head.signal, head.check, head.site, place)) | 2)
    }
}

impl Known {
    /// Runs of byte variables that follow each other in the same object.
    pub(super) fn texts(&self) -> Vec<Vec<VarId>> {
        let byte = |var: &XcVar| var.bits == 8 && var.bit == 0;
        let mut bytes: Vec<(u32, u32, u64, VarId)> =
            self.wire.iter().zip(&self.ids).filter(|(var, _)| byte(var)).map(|(var, &id)| (var.parent, var.nth, var.offset, id)).collect();
        bytes.sort_unstable();
        let follows = |a: &(u32, u32, u64, VarId), b: &(u32, u32, u64, VarId)| (a.0, a.1, a.2 + 1) == (b.0, b.1, b.2);
        let texts = bytes.chunk_by(follows).filter(|text| text.len() > 1);
        texts.map(|text| text.iter().map(|byte| byte.3).collect()).collect()
    }
}
