//! From the events of a run to decisions.
//!
//! Decisions that were promised are compared, not built: their conditions are in the tree already. Which events are decisions depends on
//! the event alone, never on what its condition simplifies to, so that a promise of one run counts the same in the next.
//!
//! **Invariant.** What a damaged record says is not believed: it ends the list of decisions.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, Op, TermId, Terms, VarId};
use xcute_trace::{Concurrent, Decision, DecisionKind, End, Known as Promised, Limit, Record, Site, SiteId};

use super::variables::Known;
use crate::instrument::compiled::{Compiled, Departure};
use crate::instrument::ours;
use crate::run::import::{Importer, Recorded};
use crate::run::process::Block;
use crate::tools::demangle::demangled;
use crate::wire::{XcEvent, event, lost};

/// What the events of a run say.
#[derive(Debug, Default)]
pub(super) struct Story {
    pub(super) decisions: Vec<Decision>,
    pub(super) known: usize,
    pub(super) limits: Vec<Limit>,
    /// Limits whose place is a stack; whether that of the last one comes next.
    pub(super) placed: Vec<Placed>,
    placing: bool,
    pub(super) input: Model,
    pub(super) concurrent: Option<Box<Concurrent>>,
    /// The record is damaged.
    pub(super) damaged: bool,
}

/// The kind of limit that a call of foreign code is.
const UNINSTRUMENTED: &str = "uninstrumented";

/// A limit that was met where these return addresses lead, innermost first.
#[derive(Debug)]
pub(super) struct Placed {
    kind: &'static str,
    /// What is said before the place; if it is empty, the place is all.
    what: Cow<'static, str>,
    pub(super) returns: Vec<u64>,
}

impl Placed {
    /// Adds it to the limits.
    pub(super) fn add_to(&self, limits: &mut Vec<Limit>, place: Option<String>) {
        let what = match (&*self.what, place) {
            ("", None) => "in code without a place in the source".to_owned(),
            ("", Some(place)) => place,
            (what, None) => what.to_owned(),
            (what, Some(place)) if self.kind == UNINSTRUMENTED => format!("{what} at {place}"),
            (what, Some(place)) => format!("{what} ({place})"),
        };
        limit(limits, self.kind, || what, true);
    }
}

/// A run that is over.
pub(super) struct LastRun<'a> {
    /// The memory it left.
    pub(super) block: &'a Block,
    /// The decisions that it was to take.
    pub(super) promise: &'a [Promised],
    /// What its threads did, if there were several.
    pub(super) record: Option<Recording>,
}

/// Reads stories; keeps its tables from run to run.
pub(super) struct Reader {
    importer: Importer,
    evaluator: Evaluator,
    /// The conditions of the arms taken so far in this run.
    held: FxHashSet<TermId>,
    /// What was an input of this run.
    inputs: Vec<(VarId, u64)>,
    interrupt: Interrupt,
}

impl Default for Reader {
    fn default() -> Reader {
        let (importer, evaluator, held) = (Importer::default(), Evaluator::default(), FxHashSet::default());
        Reader { importer, evaluator, held, inputs: Vec::new(), interrupt: Interrupt::never().clone() }
    }
}

impl Reader {
    /// Breaks off what it reads when this flag is raised.
    pub(super) fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// Reads the events of the last run; `None` where that was broken off.
    pub(super) fn read(&mut self, terms: &mut Terms, compiled: &Compiled, known: &Known, run: LastRun<'_>) -> Option<Story> {
        let LastRun { block, promise, record } = run;
        let recorded = Recorded { nodes: block.nodes(), aux: block.aux(), vars: &known.terms, loads: None };
        self.importer.begin(recorded.nodes.len());
        self.held.clear();
        self.inputs.clear();
        let mut story = Story::default();
        let mut following = true;
        let mut steps = record.map(Steps::new);
        for e in block.events() {
            if self.interrupt.raised() {
                return None;
            }
            if e.kind == event::INPUT {
                let Some(id) = known.id(e.handle) else {
                    story.damaged = true;
                    break;
                };
                self.inputs.push((id, e.value));
                continue;
            }
            if e.kind == event::STEP {
                let Some((step, strayed)) = steps.as_mut().and_then(|steps| steps.next(e.handle, story.known + story.decisions.len()))
                else {
                    story.damaged = true;
                    break;
                };
                if let Some((site, options)) = schedule_site(compiled).zip(step) {
                    let (options, taken) = options;
                    following = following && !strayed && promise.get(story.known) == Some(&Promised { site, taken });
                    if following {
                        story.known += 1;
                    } else {
                        let arms = vec![terms.bool(true); options as usize];
                        story.decisions.push(Decision { site, kind: DecisionKind::Schedule, taken, arms });
                    }
                }
                continue;
            }
            if !matches!(e.kind, event::BRANCH | event::SWITCH | event::CHECK | event::ASSUME | event::PIN) {
                if note(compiled, e, &mut story).is_none() {
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
                pinned(compiled, e.site, &mut story);
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
        story.input = Model::from_words(std::mem::take(&mut self.inputs));
        story.concurrent = steps.map(Steps::concurrent).map(Box::new);
        if block.cut() {
            limit(&mut story.limits, "trace", || "the later decisions of a very long run were not recorded".to_owned(), true);
        }
        if cfg!(debug_assertions) {
            self.check(terms, compiled, &mut story);
        }
        Some(story)
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
        for decision in story.decisions.iter().filter(|decision| decision.kind != DecisionKind::Schedule) {
            let holds = |(arm, &t): (usize, &TermId)| self.evaluator.eval_bool(terms, t) == (arm == decision.taken as usize);
            if !decision.arms.iter().enumerate().all(holds) {
                limit(&mut story.limits, "inexact", || place(compiled, decision.site.0), true);
            }
        }
    }
}

/// What the threads of a run did, and the number of the first choice of its schedule that could not be made.
pub(super) type Recording = (Record, Option<u32>);

/// The steps of a run on their way through its events.
struct Steps {
    record: Record,
    before: Vec<u32>,
    /// Choices of the schedule that are still to come before the one that could not be made.
    sound: u32,
}

impl Steps {
    fn new((record, strayed): Recording) -> Steps {
        let before = Vec::with_capacity(record.steps.len());
        Steps { record, before, sound: strayed.unwrap_or(u32::MAX) }
    }

    /// The next step, after this many decisions: if it has more than one option, how many and which was taken; and whether it was not as
    /// planned. `None` if it is not the next one.
    fn next(&mut self, number: u32, decisions: usize) -> Option<(Option<(u32, u32)>, bool)> {
        let step = self.record.steps.get(number as usize).filter(|_| number as usize == self.before.len())?;
        self.before.push(u32::try_from(decisions).ok()?);
        let options = Some((step.options(), step.option())).filter(|(options, _)| *options > 1);
        let strayed = self.sound == 0;
        self.sound = self.sound.saturating_sub(u32::from(options.is_some()));
        Some((options, strayed))
    }

    fn concurrent(mut self) -> Concurrent {
        if self.before.len() < self.record.steps.len() {
            // The table of events was full before.
            self.record.steps.truncate(self.before.len());
            self.record.pending.clear();
            self.record.end = End::Cut;
        }
        Concurrent { record: self.record, before: self.before, outdated: false, failed: None, later: Vec::new() }
    }
}

/// The site of all choices of which thread runs next.
fn schedule_site(compiled: &Compiled) -> Option<SiteId> {
    let last = compiled.sites.sites.len().checked_sub(1).filter(|_| compiled.threads)?;
    u32::try_from(last).ok().map(SiteId)
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
pub(super) fn arm(compiled: &Compiled, e: &XcEvent) -> Option<u32> {
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
pub(super) fn switch(terms: &mut Terms, value: TermId, cases: &[Vec<u64>]) -> Vec<TermId> {
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

/// An event that is not a decision. `None` where it is none that a subject records.
fn note(compiled: &Compiled, e: &XcEvent, story: &mut Story) -> Option<()> {
    let limits = &mut story.limits;
    match e.kind {
        event::FOREIGN => {
            let Departure { function, file, line } = compiled.departures.get(e.site as usize)?;
            // A model has no places: what counts is where it was called.
            story.placing = *line == 0;
            if story.placing {
                story.placed.push(Placed { kind: UNINSTRUMENTED, what: demangled(function).into_owned().into(), returns: Vec::new() });
            } else {
                limit(limits, UNINSTRUMENTED, || format!("{} at {file}:{line}", demangled(function)), true);
            }
        }
        event::UNSUPPORTED if lost_file(e.site).is_some() => {
            story.placed.push(Placed { kind: "unsupported", what: lost_file(e.site)?.into(), returns: Vec::new() });
            story.placing = true;
        }
        event::PLACE => {
            if let Some(placed) = story.placed.last_mut().filter(|_| story.placing) {
                let returns = [e.value & 0xffff_ffff, e.value >> 32, u64::from(e.handle), u64::from(e.taken)];
                placed.returns.extend(returns.into_iter().filter(|&pc| pc != 0));
            }
        }
        event::UNSUPPORTED if e.site >= lost::THREAD => {
            let what = lost_by_runtime(e.site)?;
            limit(limits, "unsupported", || what.to_owned(), true);
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

/// What the runtime itself loses.
fn lost_by_runtime(what: u32) -> Option<&'static str> {
    match what {
        lost::THREAD => Some("threads: there are too many, so pthread_create fails"),
        lost::INPUT => Some("long double inputs are 0"),
        lost::FUTEX => Some("a futex operation other than waiting and waking"),
        lost::REACH => Some("uninstrumented code can reach more memory than is looked through"),
        lost::CHILD => Some("fork: what the child does is not explored, and its failures are not seen"),
        lost::MEMORY => Some("an allocation of more than 1 GiB fails"),
        _ => None,
    }
}

/// What models of files and streams cannot follow.
fn lost_file(index: u32) -> Option<&'static str> {
    Some(match index {
        lost::FILE => "a file in memory is used in a way that is not modelled",
        lost::NAME => "the name of a file is symbolic: other names are not tried",
        lost::MAPPING => "memory that is shared with a file is not followed into the file",
        lost::DIRECTORY => "a directory is looked at or changed: files in memory are not in it",
        lost::SIZE => "a file in memory has more than 64 MiB",
        lost::WIDE => "a conversion of scanf is not modelled for files in memory",
        lost::BUFFERED => "text that was printed before its stream was redirected is taken as it was",
        lost::PROCESS => "what is in a pipe cannot be shared with another process",
        _ => return None,
    })
}

/// A value that was taken as it was: where it is in the source, or, if a model did it, where the model was called.
fn pinned(compiled: &Compiled, site: u32, story: &mut Story) {
    let Site { function, line, .. } = &compiled.sites.sites[site as usize];
    story.placing = *line == 0 || ours::is_model(function);
    if story.placing {
        story.placed.push(Placed { kind: "concretised", what: "".into(), returns: Vec::new() });
    } else {
        limit(&mut story.limits, "concretised", || place(compiled, site), true);
    }
}

pub(super) fn place(compiled: &Compiled, site: u32) -> String {
    let site = &compiled.sites.sites[site as usize];
    format!("{}:{}", site.file, site.line)
}

fn limit(limits: &mut Vec<Limit>, kind: &str, what: impl FnOnce() -> String, incomplete: bool) {
    let what = what();
    if !limits.iter().any(|l| l.kind == kind && l.what == what) {
        limits.push(Limit { kind: kind.to_owned(), what, incomplete });
    }
}
