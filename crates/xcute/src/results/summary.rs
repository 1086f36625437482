//! From the engine's results to the summary that is shown and written.

use std::collections::BTreeMap;

use xcute_engine::{AnnotatedNode, NodeState, Prune, PruneOptions, Results, StopReason};
use xcute_prune::Half;
use xcute_report::{
    Arms, Coverage, Figures, Fuzzed, Interleaved, LayerShare, Limit, Moment, PathArm, PathSite, PathState, Paths, Pruning, Seconds,
    SolverShare, Summary, TreeNode,
};
use xcute_trace::segments::{Arm, End};
use xcute_trace::{Bound, FailureKind, SiteId, SiteKind, Sites};
use xcute_tree::Fate;

use crate::front::FrontEnd;
use crate::plan::SearchPlan;

/// Why the observer stops a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The time is used.
    Time,
    /// The memory is.
    Memory,
    /// Results cannot be written.
    Unwritten,
    /// There was a signal.
    Interrupted,
    /// The search panicked.
    Broken,
    /// It goes on at once, with faster subjects.
    Faster,
}

/// How a summary says that a signal ended the campaign.
pub const INTERRUPTED: &str = "interrupted";

/// What the engine does not know.
pub struct Frame<'a> {
    pub language: &'a str,
    pub subject: &'a str,
    pub strategy: &'a str,
    /// How schedules are explored.
    pub schedules: String,
    /// How paths are pruned.
    pub prune: PruneOptions,
    /// Up to which sizes inputs are made.
    pub bounds: Vec<Bound>,
    pub seed: u64,
    pub jobs: u64,
    /// Why the observer stopped, if it did.
    pub asked: Asked,
    pub coverage: Coverage,
    /// What only this language counts.
    pub own: Figures,
    pub failures: Vec<xcute_report::Failure>,
    pub unconfirmed: Vec<xcute_report::Unconfirmed>,
    pub timeline: Vec<Moment>,
}

impl<'a> Frame<'a> {
    /// What is known before the first run.
    pub fn of<F: FrontEnd>(front: &'a F, search: &'a SearchPlan, jobs: u64, asked: Asked) -> Frame<'a> {
        Frame {
            language: front.language(),
            subject: front.name(),
            strategy: search.strategy.as_str(),
            schedules: search.options.scheduling.to_string(),
            prune: search.options.prune,
            bounds: front.bounds(),
            seed: search.seed,
            jobs,
            asked,
            coverage: Coverage::default(),
            own: Figures::default(),
            failures: Vec::new(),
            unconfirmed: Vec::new(),
            timeline: Vec::new(),
        }
    }
}

/// Makes the summary.
pub fn of(results: &Results, frame: Frame<'_>) -> Summary {
    let arms = &results.arms;
    let mut coverage = frame.coverage;
    // The engine's figure counts every arm there is; the front end's map may lack lines for some.
    (coverage.branches.covered, coverage.branches.total) = results.branches;
    Summary {
        version: Summary::VERSION,
        language: frame.language.to_owned(),
        subject: frame.subject.to_owned(),
        strategy: frame.strategy.to_owned(),
        seed: frame.seed,
        jobs: frame.jobs,
        stop: stop(results, frame.asked).to_owned(),
        complete: results.complete,
        bounds: frame.bounds,
        inputs: results.inputs,
        runs: results.runs,
        fuzzed: (results.glances > 0).then_some(Fuzzed { runs: results.glances, joined: results.joined }),
        paths: results.paths,
        rejected: results.rejected,
        interleaved: interleaved(results, &frame.schedules),
        handovers: results.handovers,
        failures: frame.failures,
        unconfirmed: frame.unconfirmed,
        arms: Arms {
            taken: arms.taken,
            infeasible: arms.infeasible,
            open: arms.open,
            unknown: arms.unknown,
            diverged: arms.diverged,
            pruned: arms.pruned,
            subsumed: arms.subsumed,
        },
        own: frame.own,
        pruning: pruning(results, frame.prune),
        coverage,
        solver: solver(results),
        seconds: Seconds {
            total: results.total_time.as_secs_f64(),
            subject: results.subject_time.as_secs_f64(),
            solver: results.solver_time.as_secs_f64(),
            confirming: results.confirm_time.as_secs_f64(),
        },
        limits: results
            .limits
            .iter()
            .map(|(limit, count)| Limit { kind: limit.kind.clone(), what: limit.what.clone(), count: *count, incomplete: limit.incomplete })
            .chain(contradicted(results))
            .collect(),
        timeline: frame.timeline,
    }
}

/// What `--cross-check` found.
fn contradicted(results: &Results) -> Option<Limit> {
    let count = xcute_solver::contradicted(&results.layers);
    let what = "the solver calls conditions infeasible that Z3 has an input for";
    (count > 0).then(|| Limit { kind: "solvers".to_owned(), what: what.to_owned(), count, incomplete: true })
}

fn interleaved(results: &Results, schedules: &str) -> Option<Interleaved> {
    let races = results.confirmed().filter(|found| found.failure.kind == FailureKind::DataRace).count() as u64;
    let any = results.choices > 0 || results.restarts > 0 || races > 0;
    any.then(|| Interleaved {
        schedules: schedules.to_owned(),
        choices: results.choices,
        sleep_blocked: results.sleep_blocked,
        data_races: races,
        restarts: results.restarts,
    })
}

/// What pruning did. Nothing is said where it had no reason to begin.
fn pruning(results: &Results, options: PruneOptions) -> Option<Pruning> {
    let pruned = results.pruned.as_ref()?;
    let counters = &pruned.counters;
    if options.prune == Prune::Auto && counters.runs == 0 {
        return None;
    }
    let (subsumed, all) = (counters.skipped + counters.covered, results.runs + counters.skipped);
    let half = Half::ALL.into_iter().filter(|&why| counters.halted(why) > 0);
    Some(Pruning {
        prune: options.prune.to_string(),
        greedy: options.greedy,
        runs: counters.runs,
        covered: counters.covered,
        skipped: counters.skipped,
        spared: counters.spared,
        share: if all == 0 { 0.0 } else { subsumed as f64 / all as f64 },
        confirmations: counters.confirmations,
        confirmed: counters.greedy,
        not_confirmed: counters.greedy_failed,
        full: counters.full,
        subsumed: counters.subsumed,
        kept: counters.stored,
        forgotten: counters.forgotten,
        given_up: counters.dropped,
        half: half.map(|why| (why.name().to_owned(), counters.halted(why))).collect(),
        queries: counters.all_queries(),
        verified: pruned.verified,
        reasons: pruned.reasons.iter().cloned().collect(),
        seconds: pruned.time.as_secs_f64(),
        build_seconds: pruned.build.as_secs_f64(),
    })
}

/// The annotated tree for the page.
pub fn tree<F: FrontEnd>(front: &F, results: &Results, sites: &Sites) -> Vec<TreeNode> {
    let nodes = results.pruned.as_ref().map_or(&[][..], |pruned| &pruned.tree);
    let site = |at: usize| nodes[at].site.and_then(|id| sites.sites.get(id.0 as usize));
    let node = |(at, node): (usize, &AnnotatedNode)| {
        let arm = |parent: usize, arm: Arm| match arm {
            Arm::Nth(n) => site(parent).map_or_else(|| n.to_string(), |site| site.arm_name(n)),
            Arm::Value(value) => format!("{value:#x}"),
            Arm::Rest => "other".to_owned(),
        };
        TreeNode {
            parent: node.parent.map(|(parent, taken)| (parent, arm(parent, taken))),
            place: site(at).map_or((String::new(), 0), |site| (front.file(&site.file), site.line)),
            state: state(node.state).to_owned(),
            interpolant: node.interpolant.as_ref().map(|text| front.readable(text)),
        }
    };
    nodes.iter().enumerate().map(node).collect()
}

/// The path tree for the page.
pub fn paths<F: FrontEnd>(front: &F, results: &Results, sites: &Sites) -> Paths {
    let mut numbers: BTreeMap<SiteId, u32> = BTreeMap::new();
    let mut paths = Paths::with_room(results.outline.nodes.len());
    for node in &results.outline.nodes {
        let site = *numbers.entry(node.site).or_insert_with(|| {
            let (site, at) = (sites.get(node.site), paths.sites.len());
            let file = if site.file.is_empty() { nowhere(site.kind).to_owned() } else { front.file(&site.file) };
            let (place, arms) = ((file, site.line), (0..site.arms).map(|arm| site.arm_name(arm)).collect());
            paths.sites.push(PathSite { place, function: front.function(&site.function), arms });
            u32::try_from(at).expect("fewer than 2^32 sites")
        });
        paths.push(site, node.run, results.outline.arms(node).iter().map(fate));
    }
    paths
}

/// What a decision is about that has no place in the source.
fn nowhere(kind: SiteKind) -> &'static str {
    if kind == SiteKind::Schedule { "which thread runs next" } else { "what an input is made of" }
}

fn fate(fate: &Fate) -> PathArm {
    use xcute_tree::{Arm, End};
    PathArm::Is(match fate {
        Fate::Decision(at) => return PathArm::Decision(*at),
        Fate::End(End::Passed) => PathState::Passed,
        Fate::End(End::Failed) => PathState::Failed,
        Fate::End(End::Rejected) => PathState::Rejected,
        Fate::End(End::Cut) => PathState::Cut,
        Fate::End(End::Asleep) => PathState::Asleep,
        Fate::Beyond => PathState::Beyond,
        Fate::Not(Arm::Open) => PathState::Open,
        Fate::Not(Arm::Infeasible) => PathState::Infeasible,
        Fate::Not(Arm::Unknown) => PathState::Unknown,
        Fate::Not(Arm::Diverged) => PathState::Diverged,
        Fate::Not(Arm::Pruned) => PathState::Pruned,
        Fate::Not(Arm::Subsumed) => PathState::Subsumed,
        Fate::Not(Arm::Idle) => PathState::Idle,
        Fate::Not(Arm::Foreign(_) | Arm::Taken(_)) => PathState::Elsewhere,
    })
}

fn state(state: NodeState) -> &'static str {
    match state {
        NodeState::Full => "full",
        NodeState::Subsumed => "subsumed",
        NodeState::Half => "half",
        NodeState::Ended(End::Passed) => "passed",
        NodeState::Ended(End::Rejected) => "rejected",
        NodeState::Ended(End::Failed) => "failed",
        NodeState::Ended(End::Bound | End::Cut | End::Lost) => "cut",
        NodeState::Infeasible => "infeasible",
        NodeState::Unknown => "unknown",
    }
}

fn stop(results: &Results, asked: Asked) -> &'static str {
    match results.stop {
        Some(StopReason::Exhausted) if results.complete => "complete",
        Some(StopReason::Exhausted) | None => "exhausted",
        Some(StopReason::Runs) => "runs",
        Some(StopReason::Asked) => match asked {
            // What asks for faster subjects goes on.
            Asked::Time | Asked::Faster => "time",
            Asked::Memory => "memory",
            Asked::Unwritten => "unwritten",
            Asked::Broken => "broken",
            Asked::Interrupted => INTERRUPTED,
        },
        Some(StopReason::FirstFailure) => "first-failure",
        Some(StopReason::FullCoverage) => "full-coverage",
        Some(StopReason::Subject) => "subject",
    }
}

fn solver(results: &Results) -> SolverShare {
    let (sat, unsat, unknown) = results.queries;
    let queries = sat + unsat + unknown;
    let layers = results.layers.iter().map(|count| {
        let answered = count.sat + count.unsat;
        LayerShare {
            layer: count.layer.to_owned(),
            seen: count.seen,
            sat: count.sat,
            unsat: count.unsat,
            unknown: count.unknown,
            share: if queries == 0 { 0.0 } else { answered as f64 / queries as f64 },
            constraints_in: count.constraints.0,
            constraints_out: count.constraints.1,
        }
    });
    SolverShare { queries, layers: layers.collect(), sat, unsat, unknown, seconds: results.solver_time.as_secs_f64() }
}
