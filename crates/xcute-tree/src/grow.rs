//! Growing the tree by a run.
//!
//! Prediction checking [sen-marinov-agha-2006 Fig. 10]: the run's decisions are compared with what the tree knows. A run that leaves its promise is
//! inserted where it really went; the promised arm is settled as `Diverged` by the caller. A run whose decisions contradict the
//! tree (another site where one was known, an end where a decision was known) is not inserted any further: the subject is
//! not deterministic there.
//!
//! On long paths a condition that was decided before on the same path (an endless loop asks the same thing for ever) has no other
//! arm: CUTE's OPT 1, but without a query for each of them, which would cost the square of the path's length.

use rustc_hash::FxHashSet;
use xcute_term::{TermId, Terms};
use xcute_trace::{Decision, DecisionKind, Outcome, Trace};

use crate::tree::{Arm, ArmId, Child, End, Node, NodeId, Origin, PathTree};

/// What to insert.
#[derive(Clone, Copy, Debug)]
pub struct Insertion<'a> {
    /// The arm that the run was promised to take; `None` for a run without a promise.
    pub promised: Option<ArmId>,
    /// What it did.
    pub trace: &'a Trace,
    /// Its number in the campaign.
    pub number: u64,
    /// Decisions deeper than this are not inserted.
    pub depth: u32,
}

/// What a run added.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    /// The number of the run, from 0.
    pub run: u32,
    /// New open arms, from the root to the end of the path.
    pub opened: Vec<ArmId>,
    /// New decisions, likewise, with the arm the run took.
    pub new: Vec<ArmId>,
    /// Whether the path is one that no run had taken before.
    pub new_path: bool,
    /// Whether the promised arm was taken.
    pub kept: bool,
    /// Whether the run contradicted the tree.
    pub contradiction: bool,
    /// Whether decisions were left out because of the depth.
    pub cut: bool,
    /// Whether the run left its promise and went where another tree explores.
    pub strayed: bool,
    /// Whether only sleeping tasks could have gone on at its end.
    pub asleep: bool,
    /// The last arm of its path, as far as that is in the tree.
    pub last: Option<ArmId>,
}

impl PathTree {
    /// Inserts a run.
    pub fn grow(&mut self, terms: &Terms, insertion: &Insertion<'_>) -> Growth {
        let trace = insertion.trace;
        let mut growth = Growth { run: u32::try_from(self.runs.len()).expect("fewer than 2^32 runs"), ..Growth::default() };
        self.runs.push(Origin { number: insertion.number, input: None, open: 0 });
        let mut at = self.start(insertion, &mut growth);
        let mut decided = self.decided(at, trace.decisions.len());
        for decision in &trace.decisions {
            let node = match self.behind(at) {
                Some(Child::Node(node)) if self.agrees(node, decision) => node,
                Some(_) => {
                    growth.contradiction = true;
                    break;
                }
                None if at.is_some_and(|arm| matches!(self.arm(arm), Arm::Foreign(_))) => {
                    growth.strayed = true;
                    break;
                }
                None => {
                    let depth = at.map_or(0, |arm| self.node(arm.node).depth + 1);
                    if depth >= insertion.depth {
                        growth.cut = true;
                        break;
                    }
                    let node = self.add(terms, at, depth, decision, &mut growth);
                    let repeats = |seen: &mut FxHashSet<TermId>| !seen.insert(decision.arms[decision.taken as usize]);
                    if decision.kind != DecisionKind::Schedule && decided.as_mut().is_some_and(repeats) {
                        self.close_others(node, decision.taken, &mut growth);
                    }
                    growth.new.push(ArmId { node, arm: decision.taken });
                    node
                }
            };
            at = Some(ArmId { node, arm: decision.taken });
        }
        growth.last = at;
        self.finish(at, trace, &mut growth);
        self.account(&growth, trace);
        growth
    }

    /// Follows the promise as far as the run kept it.
    fn start(&self, insertion: &Insertion<'_>, growth: &mut Growth) -> Option<ArmId> {
        let Some(promised) = insertion.promised else {
            growth.kept = true;
            return None;
        };
        let length = self.node(promised.node).depth as usize + 1;
        let known = insertion.trace.known.min(length);
        growth.kept = known == length;
        let mut at = Some(promised);
        for _ in known..length {
            at = at.and_then(|arm| self.parent(arm.node));
        }
        at
    }

    /// The conditions that hold on the path so far, where it is or becomes long.
    fn decided(&self, at: Option<ArmId>, more: usize) -> Option<FxHashSet<TermId>> {
        const LONG: usize = 200;
        let depth = at.map_or(0, |arm| self.node(arm.node).depth as usize + 1);
        if more == 0 || depth + more < LONG {
            return None;
        }
        let mut seen = FxHashSet::default();
        let mut next = at;
        while let Some(arm) = next {
            seen.insert(self.cond(arm));
            next = self.parent(arm.node);
        }
        Some(seen)
    }

    /// Settles the open arms of a new decision whose taken condition held before.
    fn close_others(&mut self, node: NodeId, taken: u32, growth: &mut Growth) {
        while growth.opened.pop_if(|arm| arm.node == node).is_some() {}
        for arm in (0..self.node(node).arms).filter(|&arm| arm != taken) {
            let slot = self.slot(ArmId { node, arm });
            if self.arms[slot] == Arm::Open {
                self.arms[slot] = Arm::Infeasible;
                debug_assert!(!self.node(node).trivial, "constants are not open");
                self.count(Arm::Open, -1);
                self.count(Arm::Infeasible, 1);
            }
        }
    }

    pub(crate) fn behind(&self, at: Option<ArmId>) -> Option<Child> {
        match at {
            None => self.root,
            Some(arm) => match self.arm(arm) {
                Arm::Taken(child) => Some(child),
                Arm::Foreign(child) => child,
                _ => None,
            },
        }
    }

    pub(crate) fn agrees(&self, node: NodeId, decision: &Decision) -> bool {
        let known = self.node(node);
        known.site == decision.site && known.arms as usize == decision.arms.len() && decision.taken < known.arms
    }

    fn add(&mut self, terms: &Terms, at: Option<ArmId>, depth: u32, decision: &Decision, growth: &mut Growth) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 decisions"));
        let first = u32::try_from(self.arms.len()).expect("fewer than 2^32 arms");
        let arms = u32::try_from(decision.arms.len()).expect("few arms");
        let parent = at.unwrap_or(ArmId { node: id, arm: 0 });
        let trivial = trivial(terms, decision);
        self.nodes.push(Node { site: decision.site, parent, depth, first, arms, kind: decision.kind, run: growth.run, open: 0, trivial });
        for (i, &cond) in (0..).zip(&decision.arms) {
            let state = first_state(terms, decision, i, cond);
            if state == Arm::Open && i != decision.taken {
                growth.opened.push(ArmId { node: id, arm: i });
            }
            self.conds.push(cond);
            self.arms.push(state);
            if !trivial {
                self.count(state, 1);
            }
        }
        self.take(at, Child::Node(id));
        id
    }

    /// Marks the arm as taken and hangs the child below it.
    fn take(&mut self, at: Option<ArmId>, child: Child) {
        let Some(arm) = at else {
            self.root = Some(child);
            return;
        };
        let slot = self.slot(arm);
        let before = std::mem::replace(&mut self.arms[slot], Arm::Taken(child));
        if !self.node(arm.node).trivial {
            self.count(before, -1);
            self.count(Arm::Taken(child), 1);
        }
        // Arms of this very run's new nodes are not yet accounted for.
        if before == Arm::Open && self.runs.len() - 1 != self.node(arm.node).run as usize {
            self.close_one(arm);
        }
    }

    fn finish(&mut self, at: Option<ArmId>, trace: &Trace, growth: &mut Growth) {
        if growth.contradiction || growth.strayed {
            return;
        }
        if self.behind(at).is_some() {
            growth.contradiction = matches!(self.behind(at), Some(Child::Node(_)));
            return;
        }
        if at.is_some_and(|arm| matches!(self.arm(arm), Arm::Foreign(_))) {
            growth.strayed = true;
            return;
        }
        growth.asleep = trace.concurrent.as_ref().is_some_and(|concurrent| concurrent.record.end == xcute_trace::End::Asleep);
        let end = match trace.outcome {
            _ if growth.cut => End::Cut,
            _ if growth.asleep => End::Asleep,
            Outcome::Passed => End::Passed,
            Outcome::Failed(_) => End::Failed,
            Outcome::Rejected => End::Rejected,
            Outcome::OutOfBudget(_) => End::Cut,
        };
        self.take(at, Child::End(end));
        growth.new_path = matches!(end, End::Passed | End::Failed);
        self.paths += u64::from(growth.new_path);
    }

    /// Adds the new open arms to the counts of their ancestors, once for the whole path, and keeps the input if they need it.
    fn account(&mut self, growth: &Growth, trace: &Trace) {
        let open = u32::try_from(growth.opened.len()).expect("few arms");
        if open == 0 {
            return;
        }
        let origin = &mut self.runs[growth.run as usize];
        origin.open = open;
        origin.input = Some(Box::new(trace.input.clone()));
        let mut pending = growth.opened.iter().rev().peekable();
        let mut below = 0;
        let mut at = growth.new.last().map(|arm| arm.node);
        while let Some(node) = at {
            while pending.next_if(|arm| arm.node == node).is_some() {
                below += 1;
            }
            self.nodes[node.0 as usize].open += below;
            at = self.parent(node).map(|arm| arm.node);
        }
    }
}

/// Whether nothing is decided: the conditions are constants, and it is not a schedule choice, whose conditions always are.
pub(crate) fn trivial(terms: &Terms, decision: &Decision) -> bool {
    decision.kind != DecisionKind::Schedule && decision.arms.iter().all(|&cond| terms.is_const(cond))
}

fn first_state(terms: &Terms, decision: &Decision, arm: u32, cond: TermId) -> Arm {
    if arm == decision.taken || decision.kind == DecisionKind::Branch && cond != terms.bool(false) {
        return Arm::Open;
    }
    if decision.kind == DecisionKind::Branch { Arm::Infeasible } else { Arm::Idle }
}

#[cfg(test)]
mod tests;
