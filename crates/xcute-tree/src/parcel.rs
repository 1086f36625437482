//! Handing open arms over from one tree to another.
//!
//! Trees of different workers share no terms. What travels is an input that comes to the arms, the decisions it takes on its way, and where
//! the arms are; whoever receives it runs the input once and has the same decisions with conditions of its own.
//!
//! **Invariant.** An arm that is given is `Foreign` here and `Open` there; the way to it is `Foreign` there as well. `Foreign` arms count nowhere,
//! so sums over all trees are those of one tree.

use std::collections::{BTreeMap, VecDeque};

use xcute_term::{Model, Terms};
use xcute_trace::{Decision, DecisionKind, Known, Schedule, SiteId, Trace};

use crate::grow::{Growth, trivial};
use crate::tree::{Arm, ArmId, Child, Node, NodeId, Origin, PathTree};

/// An arm to be explored by another tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// How many decisions come before it.
    pub depth: u32,
    /// The site of its decision.
    pub site: SiteId,
    /// Which arm.
    pub arm: u32,
}

/// Open arms along the path of one run.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// The number of that run in the campaign.
    pub number: u64,
    /// Its input.
    pub input: Model,
    /// Who runs when, on the way to the deepest offer. Empty when given: the tree knows no tasks.
    pub schedule: Schedule,
    /// The runs that came to the decisions of the path first: from which depth on, and the number of the run.
    pub firsts: Vec<(u32, u64)>,
    /// What it decides before the deepest offer.
    pub path: Vec<Known>,
    /// The arms.
    pub offers: Vec<Offer>,
}

impl PathTree {
    /// Gives away up to `most` open arms, those with the fewest decisions before them. They are no longer explored here.
    pub fn give(&mut self, most: usize) -> Vec<Parcel> {
        let mut by_run: BTreeMap<u32, Vec<ArmId>> = BTreeMap::new();
        for arm in self.nearest(most) {
            by_run.entry(self.opener(arm)).or_default().push(arm);
        }
        by_run.into_values().map(|arms| self.parcel(&arms)).collect()
    }

    /// Open arms, breadth first.
    pub(crate) fn nearest(&self, most: usize) -> Vec<ArmId> {
        let mut found = Vec::new();
        let mut queue = VecDeque::new();
        let alive = |child: Option<Child>| match child {
            Some(Child::Node(node)) if self.node(node).open > 0 => Some(node),
            _ => None,
        };
        queue.extend(alive(self.root));
        while let Some(node) = queue.pop_front() {
            for arm in (0..self.node(node).arms).map(|arm| ArmId { node, arm }) {
                if self.arm(arm) == Arm::Open {
                    found.push(arm);
                }
                queue.extend(alive(self.behind(Some(arm))));
            }
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        found
    }

    /// Packs arms that the same run opened.
    fn parcel(&mut self, arms: &[ArmId]) -> Parcel {
        let deepest = arms.iter().map(|arm| arm.node).max_by_key(|&node| self.depth(node)).expect("a group has a member");
        let input = self.input(arms[0]).expect("an open arm keeps its input").clone();
        let mut path = Vec::new();
        if let Some(arm) = self.parent(deepest) {
            self.promise(arm, &mut path);
        }
        let number = self.runs[self.opener(arms[0]) as usize].number;
        let firsts = self.firsts(deepest);
        let offers = arms.iter().map(|a| Offer { depth: self.depth(a.node), site: self.site(a.node), arm: a.arm }).collect();
        for &arm in arms {
            self.settle(arm, Arm::Foreign(None));
        }
        Parcel { number, input, schedule: Schedule::default(), firsts, path, offers }
    }

    /// Which runs came to the decisions up to this one first.
    fn firsts(&self, node: NodeId) -> Vec<(u32, u64)> {
        let mut firsts: Vec<(u32, u64)> = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let (depth, number) = (self.depth(node), self.number_of(node));
            match firsts.last_mut() {
                Some(last) if last.1 == number => last.0 = depth,
                _ => firsts.push((depth, number)),
            }
            at = self.parent(node).map(|arm| arm.node);
        }
        firsts.reverse();
        firsts
    }

    /// Takes over the arms of a parcel, whose input did `trace`, without a promise. Arms that it did not come by are diverged.
    pub fn receive(&mut self, terms: &Terms, parcel: &Parcel, trace: &Trace) -> Growth {
        let mut growth = Growth { run: u32::try_from(self.runs.len()).expect("fewer than 2^32 runs"), kept: true, ..Growth::default() };
        self.runs.push(Origin { number: parcel.number, input: Some(Box::new(trace.input.clone())), open: 0 });
        let mut taken_over = 0;
        let mut at = None;
        let mut firsts = parcel.firsts.iter().peekable();
        let mut first = growth.run;
        for (depth, decision) in (0u32..).zip(&trace.decisions).take(parcel.path.len() + 1) {
            if let Some(&&(_, number)) = firsts.peek().filter(|(from, _)| *from == depth) {
                firsts.next();
                first = self.origin(number, growth.run);
            }
            let Some(node) = self.pass(terms, at, depth, decision, first) else {
                growth.contradiction = true;
                break;
            };
            for offer in parcel.offers.iter().filter(|o| o.depth == depth && o.site == decision.site) {
                let arm = ArmId { node, arm: offer.arm };
                if offer.arm < self.node(node).arms && self.nobody(arm) {
                    taken_over += 1;
                    growth.opened.extend(self.reopen(terms, arm, growth.run));
                }
            }
            let here = Known { site: decision.site, taken: decision.taken };
            if parcel.path.get(depth as usize).is_some_and(|known| *known != here) {
                break;
            }
            at = Some(ArmId { node, arm: decision.taken });
        }
        let lost = parcel.offers.len() - taken_over;
        self.counts.diverged += lost as u64;
        growth.kept = lost == 0;
        if self.runs[growth.run as usize].open == 0 {
            self.runs[growth.run as usize].input = None;
        }
        growth
    }

    /// The next decision on the way to an arm: known, or added with all its arms foreign. `None` where it contradicts the tree.
    fn pass(&mut self, terms: &Terms, at: Option<ArmId>, depth: u32, decision: &Decision, run: u32) -> Option<NodeId> {
        match self.behind(at) {
            Some(Child::Node(node)) => return self.agrees(node, decision).then_some(node),
            Some(Child::End(_)) => return None,
            None => {}
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 decisions"));
        match at {
            None => self.root = Some(Child::Node(id)),
            Some(arm) => {
                if !self.nobody(arm) {
                    return None;
                }
                let slot = self.slot(arm);
                self.arms[slot] = Arm::Foreign(Some(Child::Node(id)));
            }
        }
        let first = u32::try_from(self.arms.len()).expect("fewer than 2^32 arms");
        let arms = u32::try_from(decision.arms.len()).expect("few arms");
        let parent = at.unwrap_or(ArmId { node: id, arm: 0 });
        let trivial = trivial(terms, decision);
        self.nodes.push(Node { site: decision.site, parent, depth, first, arms, kind: decision.kind, run, open: 0, trivial });
        self.conds.extend_from_slice(&decision.arms);
        self.arms.extend(decision.arms.iter().map(|_| Arm::Foreign(None)));
        Some(id)
    }

    /// Whether nothing is known of an arm here: it is another tree's, or a schedule choice's that another tree may have asked for.
    fn nobody(&self, arm: ArmId) -> bool {
        match self.arm(arm) {
            Arm::Foreign(None) => true,
            Arm::Idle => self.kind(arm.node) == DecisionKind::Schedule,
            _ => false,
        }
    }

    /// A run by its number in the campaign, of which nothing but that is known here, unless it is the one at hand.
    fn origin(&mut self, number: u64, run: u32) -> u32 {
        if self.runs[run as usize].number == number {
            return run;
        }
        self.runs.push(Origin { number, input: None, open: 0 });
        u32::try_from(self.runs.len() - 1).expect("fewer than 2^32 runs")
    }

    /// Makes a foreign arm an open one of this tree, unless it cannot be taken. The run that brought it is the one whose input it keeps.
    fn reopen(&mut self, terms: &Terms, arm: ArmId, run: u32) -> Option<ArmId> {
        let slot = self.slot(arm);
        if self.conds[slot] == terms.bool(false) {
            self.arms[slot] = Arm::Infeasible;
            self.count(Arm::Infeasible, 1);
            return None;
        }
        if self.node(arm.node).run != run {
            self.openers.insert(arm, run);
        }
        self.arms[slot] = Arm::Open;
        self.count(Arm::Open, 1);
        self.runs[run as usize].open += 1;
        let mut at = Some(arm.node);
        while let Some(n) = at {
            self.nodes[n.0 as usize].open += 1;
            at = self.parent(n).map(|a| a.node);
        }
        Some(arm)
    }
}

#[cfg(test)]
pub(crate) mod tests;
