//! From the events of a run to decisions.
//!
//! Decisions that were promised are compared, not built: their conditions are in the tree already. Which events are decisions depends on
//! the event alone, never on what its condition simplifies to, so that a promise of one run counts the same in the next.
//!
//! **Invariant.** What a damaged record says is not believed: it ends the list of decisions.

use rustc_hash::FxHashSet;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, TermId, Terms};
use xcute_trace::{Decision, DecisionKind, Known as Promised, Limit, SiteId};

use super::variables::Known;
use crate::compile::Compiled;
use crate::import::{Importer, Recorded};
use crate::process::Block;
use crate::wire::{XcEvent, event, lost};

/// What the events of a run say.
#[derive(Debug, Default)]
pub(super) struct Story {
    pub(super) decisions: Vec<Decision>,
    pub(super) known: usize,
    pub(super) limits: Vec<Limit>,
    pub(super) input: Model,
    /// The record is damaged.
    pub(super) damaged: bool,
}

/// Reads stories; keeps its tables from run to run.
#[derive(Default)]
pub(super) struct Reader {
    importer: Importer,
    evaluator: Evaluator,
    /// The conditions of the arms taken so far in this run.
    held: FxHashSet<TermId>,
}

impl Reader {
    /// Reads the events of the last run.
    pub(super) fn read(&mut self, terms: &mut Terms, compiled: &Compiled, known: &Known, block: &Block, promise: &[Promised]) -> Story {
        let recorded = Recorded { nodes: block.nodes(), aux: block.aux(), vars: &known.terms };
        self.importer.begin(recorded.nodes.len());
        self.held.clear();
        let mut story = Story::default();
        let mut following = true;
        for e in block.events() {
            if !matches!(e.kind, event::BRANCH | event::SWITCH | event::CHECK | event::ASSUME | event::PIN) {
                if note(compiled, known, e, &mut story).is_none() {
                    story.damaged = true;
                    break;
                }
                continue;
            }
            let Some(taken) = arm(compiled, e) else {
                story.damaged = true;
                break;
            };
            if e.kind == event::PIN {
                limit(&mut story.limits, "concretised", || place(compiled, e.site), true);
            }
            following = following && promise.get(story.known) == Some(&Promised { site: SiteId(e.site), taken });
            if following {
                story.known += 1;
                continue;
            }
            let Some(decision) = self.decision(terms, compiled, &recorded, e, taken) else {
                story.damaged = true;
                break;
            };
            story.decisions.push(self.settled(terms, decision));
        }
        if block.cut() {
            limit(&mut story.limits, "trace", || "the later decisions of a very long run were not recorded".to_owned(), true);
        }
        if cfg!(debug_assertions) {
            self.check(terms, compiled, &mut story);
        }
        story
    }

    fn decision(&mut self, terms: &mut Terms, compiled: &Compiled, recorded: &Recorded<'_>, e: &XcEvent, taken: u32) -> Option<Decision> {
        let (site, kind) = (SiteId(e.site), kind(e));
        let arms = match e.kind {
            // The runtime has said it before in this run: nothing is left to decide.
            _ if e.handle == 0 => (0..compiled.sites.get(site).arms.max(taken + 1)).map(|arm| terms.bool(arm == taken)).collect(),
            event::SWITCH => {
                let value = self.importer.bits(terms, recorded, e.handle)?;
                switch(terms, value, compiled.switches.get(&site)?)
            }
            event::PIN => {
                let value = self.importer.bits(terms, recorded, e.handle)?;
                let pinned = terms.bv(terms.width(value), e.value);
                let same = terms.mk(Op::Eq, &[value, pinned]);
                vec![terms.not(same), same]
            }
            _ => {
                let condition = self.importer.condition(terms, recorded, e.handle)?;
                vec![terms.not(condition), condition]
            }
        };
        Some(Decision { site, kind, taken, arms })
    }

    /// A decision that an earlier one of the same run decides (a loop whose test does not change) has no other arms.
    fn settled(&mut self, terms: &Terms, mut decision: Decision) -> Decision {
        let taken = decision.taken as usize;
        if decision.arms.get(taken).is_some_and(|&condition| !self.held.insert(condition)) {
            for (arm, condition) in decision.arms.iter_mut().enumerate() {
                if arm != taken {
                    *condition = terms.bool(false);
                }
            }
        }
        decision
    }

    /// Every condition must agree with the run it comes from.
    fn check(&mut self, terms: &Terms, compiled: &Compiled, story: &mut Story) {
        self.evaluator.load(&story.input);
        for decision in &story.decisions {
            let holds = |(arm, &t): (usize, &TermId)| self.evaluator.eval_bool(terms, t) == (arm == decision.taken as usize);
            if !decision.arms.iter().enumerate().all(holds) {
                limit(&mut story.limits, "inexact", || place(compiled, decision.site.0), true);
            }
        }
    }
}

/// An assumption that was violated is an open branch, so that the search can satisfy it.
fn kind(e: &XcEvent) -> DecisionKind {
    match e.kind {
        event::ASSUME if e.taken != 0 => DecisionKind::Assume,
        event::PIN => DecisionKind::Pin,
        _ => DecisionKind::Branch,
    }
}

/// The arm that an event says was taken. `None` for an event that no subject records.
fn arm(compiled: &Compiled, e: &XcEvent) -> Option<u32> {
    compiled.sites.sites.get(e.site as usize)?;
    match e.kind {
        event::PIN => Some(1),
        event::SWITCH => {
            let cases = compiled.switches.get(&SiteId(e.site))?;
            let found = cases.iter().position(|values| values.contains(&e.value));
            u32::try_from(found.unwrap_or(cases.len())).ok()
        }
        _ => (e.taken < 2).then_some(e.taken),
    }
}

/// The condition of each arm; the last one is the default.
fn switch(terms: &mut Terms, value: TermId, cases: &[Vec<u64>]) -> Vec<TermId> {
    let width = terms.width(value);
    let mut arms = Vec::with_capacity(cases.len() + 1);
    for values in cases {
        let equal: Vec<TermId> = values.iter().map(|&v| equals(terms, value, width, v)).collect();
        arms.push(any(terms, &equal));
    }
    let some = any(terms, &arms);
    arms.push(terms.not(some));
    arms
}

fn equals(terms: &mut Terms, value: TermId, width: u32, case: u64) -> TermId {
    let case = terms.bv(width, case);
    terms.mk(Op::Eq, &[value, case])
}

fn any(terms: &mut Terms, of: &[TermId]) -> TermId {
    match of {
        [] => terms.bool(false),
        [one] => *one,
        more => terms.mk(Op::Or, more),
    }
}

/// An event that is no decision. `None` where it is none that a subject records.
fn note(compiled: &Compiled, known: &Known, e: &XcEvent, story: &mut Story) -> Option<()> {
    let limits = &mut story.limits;
    match e.kind {
        event::INPUT => story.input.set_word(known.id(e.handle)?, e.value),
        event::FOREIGN => {
            let name = compiled.foreign.get(e.site as usize)?;
            limit(limits, "uninstrumented", || name.clone(), true);
        }
        event::UNSUPPORTED if e.site == lost::THREAD => limit(limits, "unsupported", || "threads: pthread_create fails".into(), true),
        event::UNSUPPORTED if e.site == lost::INPUT => limit(limits, "unsupported", || "long double inputs are 0".into(), true),
        event::UNSUPPORTED if e.site == lost::FILE => {
            limit(limits, "unsupported", || "a symbolic file is read in a way that is not modelled".into(), true);
        }
        event::UNSUPPORTED => {
            let what = compiled.unsupported.get(e.site as usize)?;
            limit(limits, "unsupported", || what.clone(), true);
        }
        event::STALE => limit(limits, "overwritten", || "uninstrumented code wrote over an input".into(), true),
        _ => return None,
    }
    Some(())
}

fn place(compiled: &Compiled, site: u32) -> String {
    let site = &compiled.sites.sites[site as usize];
    format!("{}:{}", site.file, site.line)
}

fn limit(limits: &mut Vec<Limit>, kind: &str, what: impl FnOnce() -> String, incomplete: bool) {
    let what = what();
    if !limits.iter().any(|l| l.kind == kind && l.what == what) {
        limits.push(Limit { kind: kind.to_owned(), what, incomplete });
    }
}
