//! The search: a concolic tester over the machine, with or without pruning. Its own tree knows nothing of the pruner's.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use xcute_prune::{Arm, Choice, End, Next, Options, Pruner};
use xcute_solver::{Answer, Chain, ChainOptions, Effort, Query, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_term::{Model, Op, TermId};

use crate::code::compile;
use crate::machine::{Fault, Trace, World};
use crate::order::{Order, Picker};
use crate::syntax::Source;

/// How to search.
#[derive(Clone, Copy)]
pub struct Setting {
    pub order: Order,
    pub seed: u64,
    pub prune: Option<Options>,
    pub bound: Option<usize>,
    pub fault: Option<Fault>,
    /// Paths are looked up but run all the same: the paper's way to measure.
    pub measure: bool,
    pub assumes: bool,
    pub bytes: bool,
    /// Values of the first input.
    pub first: u64,
    /// Runs after which the search gives up.
    pub most: usize,
}

impl Setting {
    pub fn naive() -> Setting {
        Setting {
            order: Order::Dfs,
            seed: 1,
            prune: None,
            bound: None,
            fault: None,
            measure: false,
            assumes: false,
            bytes: false,
            first: 0,
            most: 6000,
        }
    }

    pub fn pruned(greedy: bool) -> Setting {
        Setting { prune: Some(Options { greedy, ..Options::default() }), ..Setting::naive() }
    }

    pub fn bounded(mut self, bound: usize) -> Setting {
        self.bound = Some(bound);
        if let Some(options) = &mut self.prune {
            options.bound = Some(bound);
        }
        self
    }
}

/// An arm that was not run.
pub struct Open {
    pub path: Vec<Arm>,
    pub site: u32,
    constraints: Rc<[TermId]>,
    depth: usize,
    goal: TermId,
    input: Rc<Model>,
}

pub struct Outcome {
    pub runs: usize,
    pub confirmations: usize,
    /// The paths on which runs failed.
    pub failures: BTreeSet<Vec<Arm>>,
    /// The paths of the search's own runs, in their order, and whether each met something full.
    pub paths: Vec<(Vec<Arm>, bool)>,
    pub pruner: Option<Pruner>,
    pub world: World,
    pub gave_up: bool,
    /// Whether a value was concretised, so that what is found depends on the inputs that happen to be run.
    pub pinned: bool,
}

impl Outcome {
    pub fn counts(&self) -> (usize, usize) {
        (self.runs, self.confirmations)
    }

    pub fn verified(&self) -> bool {
        self.pruner.as_ref().is_some_and(Pruner::verified)
    }
}

pub fn solver() -> Chain {
    Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())])
}

pub fn search(source: &Source, setting: &Setting) -> Outcome {
    search_with(source, setting, &mut solver(), &mut solver())
}

pub fn search_with(source: &Source, setting: &Setting, own: &mut dyn Solver, pruners: &mut dyn Solver) -> Outcome {
    let mut world = World::new(compile(source));
    (world.bound, world.fault, world.assumes, world.bytes) = (setting.bound, setting.fault, setting.assumes, setting.bytes);
    let mut picker = Picker::new(setting.order, &world.program, setting.seed);
    let pruner = setting.prune.map(Pruner::new);
    let mut outcome =
        Outcome { runs: 0, confirmations: 0, failures: BTreeSet::new(), paths: Vec::new(), pruner, world, gave_up: false, pinned: false };
    let mut open: Vec<Open> = Vec::new();
    // Per address: its values.
    let mut values: BTreeMap<Vec<Arm>, BTreeSet<u64>> = BTreeMap::new();
    let mut known: BTreeSet<Vec<Arm>> = BTreeSet::new();
    let mut next = Some(first(&mut outcome.world, setting.first));
    while let Some(input) = next.take() {
        if outcome.runs >= setting.most {
            outcome.gave_up = true;
            break;
        }
        let trace = outcome.world.run(&input);
        outcome.runs += 1;
        outcome.pinned |= trace.run.decisions.iter().any(|decision| matches!(decision.choice, Choice::Pin(_)));
        let path: Vec<Arm> = trace.run.decisions.iter().map(|decision| decision.taken).collect();
        for (decision, taken) in trace.run.decisions.iter().zip(&trace.taken) {
            picker.covered.insert((taken.0, decision.taken));
        }
        extend(&mut open, &mut known, &mut values, &trace, &path);
        if trace.run.end == End::Failed {
            outcome.failures.insert(path.clone());
        }
        let mut covered = false;
        if let Some(pruner) = &mut outcome.pruner {
            let before = pruner.counters().covered;
            let mut wants = pruner.observe(&mut outcome.world.terms, pruners, trace.run);
            covered = pruner.counters().covered > before;
            while let Next::Confirm(input) = wants {
                outcome.confirmations += 1;
                let trace = outcome.world.run(&input);
                wants = pruner.confirm(&mut outcome.world.terms, pruners, trace.run);
            }
        }
        outcome.paths.push((path, covered));
        while next.is_none() && !open.is_empty() {
            let item = picker.pick(&mut open);
            next = attempt(&mut outcome, own, &mut open, &values, item, setting.measure);
        }
    }
    outcome
}

/// The first input: zeros, or the same value everywhere.
fn first(world: &mut World, value: u64) -> Model {
    let mut input = Model::new();
    for n in (0..40).filter(|_| value != 0) {
        let term = world.terms.var(&format!("in{n}"), xcute_term::Sort::BitVec(32));
        let Op::Var(var) = world.terms.op(term) else { unreachable!("a variable") };
        input.set_word(var, value);
    }
    input
}

/// Enters a run into the search's tree.
fn extend(
    open: &mut Vec<Open>,
    known: &mut BTreeSet<Vec<Arm>>,
    values: &mut BTreeMap<Vec<Arm>, BTreeSet<u64>>,
    trace: &Trace,
    path: &[Arm],
) {
    let constraints: Rc<[TermId]> = trace.taken.iter().map(|taken| taken.1).collect();
    let input = Rc::new(trace.run.input.clone());
    for depth in 0..path.len() {
        if let Arm::Value(value) = path[depth] {
            values.entry(path[..depth].to_vec()).or_default().insert(value);
        }
        let new = known.insert(path[..=depth].to_vec());
        for &(arm, goal) in trace.others[depth].iter().filter(|_| new) {
            let mut other = path[..depth].to_vec();
            other.push(arm);
            if known.contains(&other) || open.iter().any(|item| item.path == other) {
                continue;
            }
            open.push(Open {
                path: other,
                site: trace.taken[depth].0,
                constraints: constraints.clone(),
                depth,
                goal,
                input: input.clone(),
            });
        }
    }
}

/// The input that takes an open arm, unless it is pruned or impossible.
fn attempt(
    outcome: &mut Outcome,
    own: &mut dyn Solver,
    open: &mut Vec<Open>,
    values: &BTreeMap<Vec<Arm>, BTreeSet<u64>>,
    item: Open,
    measure: bool,
) -> Option<Model> {
    if !measure && outcome.pruner.as_mut().is_some_and(|pruner| pruner.is_subsumed_path(&item.path)) {
        return None;
    }
    let terms = &mut outcome.world.terms;
    let mut goal = item.goal;
    let rest = item.path.last() == Some(&Arm::Rest);
    if rest {
        let mut others = Vec::new();
        for &value in &values[&item.path[..item.depth]] {
            let value = terms.bv(32, value);
            let same = terms.mk(Op::Eq, &[item.goal, value]);
            others.push(terms.not(same));
        }
        goal = terms.mk(Op::And, &others);
    }
    let path = &item.constraints[..item.depth];
    match own.solve(terms, &Query::new(path, goal, &item.input, Effort(10_000))) {
        Answer::Sat(patch) => {
            let input = item.input.patched(&patch);
            if rest {
                open.push(item);
            }
            Some(input)
        }
        Answer::Unsat(_) | Answer::Unknown(_) => None,
    }
}
