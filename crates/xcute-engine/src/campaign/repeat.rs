//! Repeating what an earlier campaign recorded: its runs once more, its solver's answers as they were.
//!
//! **Invariant.** What cannot be repeated (the run came elsewhere, the arm is not open) is left out: its arm stays open and is searched again.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use xcute_trace::{SubjectError, TestCase};
use xcute_tree::{Arm, ArmId, NodeId};

use super::Campaign;
use super::run::Step;
use crate::observer::Observer;
use crate::record::{Place, Record};

/// By the number of a run: the first decision that it came to first, and how many come before that one. The others follow it.
type Firsts = BTreeMap<u64, (NodeId, u32)>;

impl Campaign<'_> {
    /// Repeats the records.
    pub(super) fn repeat(&mut self, observer: &dyn Observer, records: Vec<Record>) -> Result<(), SubjectError> {
        let mut firsts = Firsts::new();
        for record in records {
            if self.runner.interrupt.raised() {
                return Err(SubjectError::Interrupted);
            }
            match record {
                Record::Run { number, place, patch } => {
                    let arm = place.map(|place| self.find(&firsts, place));
                    if arm == Some(None) {
                        continue;
                    }
                    let arm = arm.flatten();
                    let patch = self.runner.subject.import(&patch, &mut self.runner.terms);
                    let hint = arm.and_then(|arm| self.tree.input(arm));
                    let input = hint.map_or_else(|| patch.clone(), |hint| hint.patched(&patch));
                    self.promise.clear();
                    if let Some(arm) = arm {
                        self.tree.promise(arm, &mut self.promise);
                    }
                    let Some(schedule) = self.schedule(&self.promise) else { continue };
                    let (before, version) = (self.tree.len(), self.version);
                    let case = TestCase { input, schedule };
                    self.begin = false;
                    self.runner.crew.figures.runs.fetch_max(number, Relaxed);
                    self.run_step(observer, &Step { number, promised: arm, place, patch, repeated: true }, &case)?;
                    if self.version != version {
                        firsts.clear();
                    } else if self.tree.len() > before {
                        let first = NodeId(u32::try_from(before).expect("fewer than 2^32 decisions"));
                        firsts.insert(number, (first, self.tree.depth(first)));
                    }
                }
                Record::Settled { place, state } => {
                    if let Some(arm) = self.find(&firsts, place) {
                        self.tree.settle(arm, state);
                        if state == Arm::Unknown {
                            self.give_up(arm);
                        }
                    }
                }
                Record::Restart => {
                    // Found again by the run before it, or in a run that was not recorded.
                    if self.tree.root().is_some() {
                        self.restart(observer, true);
                        firsts.clear();
                    }
                }
            }
        }
        self.count_open();
        Ok(())
    }

    /// The open arm at a place.
    fn find(&self, firsts: &Firsts, place: Place) -> Option<ArmId> {
        let (first, depth) = *firsts.get(&place.run)?;
        let node = NodeId(first.0.checked_add(place.depth.checked_sub(depth)?)?);
        if node.0 as usize >= self.tree.len() || self.tree.depth(node) != place.depth || place.arm >= self.tree.arm_count(node) {
            return None;
        }
        let arm = ArmId { node, arm: place.arm };
        (self.tree.number_of(node) == place.run && self.tree.arm(arm) == Arm::Open).then_some(arm)
    }
}
