//! The reasons, in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use xcute_engine::Campaign;
use xcute_term::print::human;
use xcute_term::{TermId, Terms};
use xcute_trace::{SiteId, Sites};
use xcute_tree::{Arm, ArmId, NodeId};

use super::memory::Memory;
use crate::front::FrontEnd;

/// At most this many different contradictions are shown.
const TOLD: usize = 3;
/// At most this many paths are looked at for them.
const TRIED: usize = 50;

/// Knows why.
pub struct Reasons<'a, 'c, F> {
    pub front: &'a F,
    pub sites: &'a Sites,
    pub memory: &'a Memory<'a, F>,
    pub campaign: &'a mut Campaign<'c>,
    pub dir: &'a Path,
}

impl<F: FrontEnd> Reasons<'_, '_, F> {
    /// All that can be said of an arm.
    pub fn explain(&mut self, site: SiteId, arm: u32) -> String {
        let mut out = format!("{}: {}\n", self.name(site, arm), self.state(site, arm));
        if self.memory.first(site, arm).is_some() {
            return out;
        }
        let places = self.places(site, arm);
        if places.is_empty() && !self.reached(site) {
            if let Some((guard, by)) = self.guard(site) {
                out += &self.explain(guard, by);
            }
            return out;
        }
        self.contradictions(&places, &mut out);
        out
    }

    /// What became of an arm, in one line.
    pub fn state(&self, site: SiteId, arm: u32) -> String {
        if let Some(number) = self.memory.first(site, arm) {
            let case = format!("cases/{number:06}.json");
            let file = if self.dir.join(&case).is_file() { format!(" ({case})") } else { String::new() };
            return format!("taken, first by run {number}{file}");
        }
        let places = self.places(site, arm);
        if places.is_empty() {
            return self.without_places(site, arm);
        }
        let mut counts = BTreeMap::new();
        for &place in &places {
            let word = match self.campaign.tree().arm(place) {
                Arm::Infeasible => "infeasible",
                Arm::Open => "open: the search ended before it was tried; xcute resume continues it",
                Arm::Unknown => "unknown: the solver gave up, --solver-effort lets it try harder",
                Arm::Diverged => "diverged: a run that should have taken it went elsewhere",
                Arm::Idle => "not asked for: the value was fixed to what the run had",
                Arm::Subsumed => "subsumed: it cannot lead to a failure, because paths like it did not",
                Arm::Pruned => "left out: an equal choice is explored elsewhere",
                Arm::Taken(_) | Arm::Foreign(_) => "taken",
            };
            *counts.entry(word).or_insert(0) += 1;
        }
        if let (1, Some((word, count))) = (counts.len(), counts.iter().next()) {
            let paths = if *count == 1 { "the one path that comes".to_owned() } else { format!("all {count} paths that come") };
            return format!("{word} (on {paths} to it)");
        }
        let of = |(word, count): (&&str, &i32)| format!("on {count} path{} {word}", if *count == 1 { "" } else { "s" });
        counts.iter().map(of).collect::<Vec<_>>().join("; ")
    }

    fn without_places(&self, site: SiteId, arm: u32) -> String {
        let others: Vec<_> =
            (0..self.sites.get(site).arms).filter(|&other| other != arm && self.memory.first(site, other).is_some()).collect();
        if let [other] = others[..] {
            return format!("not taken: no input decides it, it was always {}", self.sites.get(site).arm_name(other));
        }
        if !others.is_empty() {
            return "not taken: no input decides it".to_owned();
        }
        match self.guard(site) {
            Some((guard, by)) => format!("never reached: the nearest decision that guards it is {}", self.name(guard, by)),
            None => format!("never reached: no run came to this part of {}", self.sites.get(site).function),
        }
    }

    /// The arms of the tree that are this arm.
    fn places(&self, site: SiteId, arm: u32) -> Vec<ArmId> {
        let tree = self.campaign.tree();
        let nodes = (0..u32::try_from(tree.len()).unwrap_or(u32::MAX)).map(NodeId).filter(|&node| tree.site(node) == site);
        nodes.filter(|&node| arm < tree.arm_count(node)).map(|node| ArmId { node, arm }).collect()
    }

    fn reached(&self, site: SiteId) -> bool {
        (0..self.sites.get(site).arms).any(|arm| self.memory.first(site, arm).is_some())
    }

    /// The nearest arm before a site, against the flow of control, that nobody took though its decision was reached.
    fn guard(&self, site: SiteId) -> Option<(SiteId, u32)> {
        let mut seen = BTreeSet::from([site]);
        let mut near = vec![site];
        while !near.is_empty() {
            let mut far = Vec::new();
            for (id, before) in (0..).map(SiteId).zip(&self.sites.sites) {
                for (arm, next) in (0..).zip(&before.next) {
                    if !next.iter().any(|n| near.contains(n)) {
                        continue;
                    }
                    if before.counts() && self.reached(id) && self.memory.first(id, arm).is_none() {
                        return Some((id, arm));
                    }
                    if seen.insert(id) {
                        far.push(id);
                    }
                }
            }
            near = far;
        }
        None
    }

    /// Why it is infeasible: a few of the contradictions, each once.
    fn contradictions(&mut self, places: &[ArmId], out: &mut String) {
        let mut told = BTreeSet::new();
        let infeasible: Vec<ArmId> = places.iter().copied().filter(|&p| self.campaign.tree().arm(p) == Arm::Infeasible).collect();
        for &place in infeasible.iter().take(TRIED) {
            if told.len() >= TOLD {
                break;
            }
            let number = self.campaign.tree().number_of(place.node);
            let Some(input) = self.memory.input(number) else { continue };
            let (why, text) = if self.campaign.terms().is_const(self.campaign.tree().cond(place)) {
                ("the same was decided before", String::new())
            } else {
                match self.campaign.core(place, &input) {
                    Some(core) if core.len() == 1 => ("nothing fulfils", self.core(place, &core)),
                    Some(core) => ("these exclude each other:", self.core(place, &core)),
                    None => continue,
                }
            };
            if told.insert(text.clone()) {
                let _ = writeln!(out, "on the path of run {number} {why}");
                *out += &text;
            }
        }
    }

    /// The conditions of a contradiction, in the order of the path.
    fn core(&self, place: ArmId, core: &[TermId]) -> String {
        let tree = self.campaign.tree();
        let mut way = vec![place];
        while let Some(arm) = way.last().and_then(|arm| tree.parent(arm.node)) {
            way.push(arm);
        }
        way.reverse();
        let mut left: BTreeSet<TermId> = core.iter().copied().collect();
        let mut lines = Vec::new();
        for arm in way {
            let term = tree.cond(arm);
            if left.remove(&term) {
                lines.push((self.name(tree.site(arm.node), arm.arm), shown(self.campaign.terms(), term)));
            }
        }
        let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        lines.into_iter().fold(String::new(), |text, (name, term)| text + &format!("  {name:width$}  {term}\n"))
    }

    fn name(&self, site: SiteId, arm: u32) -> String {
        super::name(self.front, self.sites, site, arm)
    }
}

/// A condition for people; very long ones are cut.
fn shown(terms: &Terms, term: TermId) -> String {
    const LONG: usize = 160;
    let text = human(terms, term);
    if text.chars().count() <= LONG { text } else { text.chars().take(LONG).collect::<String>() + " …" }
}
