//! Programs of the model language as subjects, and campaigns over them.

use std::collections::BTreeSet;
use std::sync::Mutex;

use xcute_engine::{Aside, Campaign, Observer, Options, Place, Prune, PruneOptions, Record, Results, RunEvent};
use xcute_solver::{Chain, ChainOptions, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_strategy::StrategyName;
use xcute_term::{Terms, VarId};
use xcute_trace::segments::{Arm, Choice, End, Followed, Points};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Known, Limit, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError,
    TestCase, Trace,
};

use crate::code::{Instr, Program, compile};
use crate::machine::{self, World};
use crate::syntax::Source;

pub struct Model {
    world: World,
    sites: Sites,
    covered: BTreeSet<(SiteId, u32)>,
    following: bool,
    /// The variables of this arena, by the number of the read.
    inputs: Vec<VarId>,
    /// Whether it can give segments at all.
    pub segments: bool,
}

impl Model {
    pub fn new(source: &Source) -> Model {
        let world = World::new(compile(source));
        let sites = sites(&world.program);
        Model { world, sites, covered: BTreeSet::new(), following: false, inputs: Vec::new(), segments: true }
    }

    fn trace(&mut self, run: machine::Trace, promise: &[Known]) -> Trace {
        let (mut decisions, mut ordinary, mut known, mut astray) = (Vec::new(), Vec::new(), 0, false);
        let mut limits = Vec::new();
        for (k, decision) in run.run.decisions.iter().enumerate() {
            let (site, condition) = run.taken[k];
            let Some(ordinal) = self.ordinal(decision, condition, &run.others[k]) else { continue };
            let (kind, taken, arms) = ordinal;
            if kind == DecisionKind::Pin {
                limits.push(Limit { kind: "concretised".into(), what: format!("{site}"), incomplete: true });
            }
            ordinary.push(u32::try_from(k).unwrap());
            let here = Known { site: SiteId(site), taken };
            if !astray && promise.get(known) == Some(&here) {
                known += 1;
                continue;
            }
            astray = true;
            decisions.push(Decision { site: here.site, kind, taken, arms });
        }
        let arms = run.run.decisions.iter().zip(&run.taken).filter_map(|(decision, (site, _))| match decision.taken {
            Arm::Nth(n) => Some((SiteId(*site), n)),
            _ => None,
        });
        let covered: BTreeSet<_> = arms.filter(|arm| !self.covered.contains(arm)).collect();
        let last = run.taken.last().map_or(0, |(site, _)| *site);
        let outcome = match run.run.end {
            End::Failed => Outcome::Failed(Failure {
                kind: FailureKind::Abort,
                message: "bug".into(),
                stack: vec![Frame { function: "main".into(), file: "model".into(), line: last, ..Frame::default() }],
                notes: Vec::new(),
                interleaving: Vec::new(),
                values: Vec::new(),
            }),
            End::Rejected => Outcome::Rejected,
            End::Passed => Outcome::Passed,
            End::Bound | End::Cut | End::Lost => Outcome::OutOfBudget(xcute_trace::Budget::Steps),
        };
        let input = run.run.input.clone();
        let segments = self.following.then(|| Box::new(Followed { run: run.run, ordinary, lost: None, told: 0 }));
        Trace {
            decisions,
            known,
            outcome,
            covered: covered.into_iter().collect(),
            reached: Vec::new(),
            limits,
            input,
            concurrent: None,
            segments,
        }
    }

    /// The decision as the search sees it; `None` where no input decides.
    fn ordinal(
        &mut self,
        decision: &xcute_trace::segments::Decision,
        taken: xcute_term::TermId,
        others: &[(Arm, xcute_term::TermId)],
    ) -> Option<(DecisionKind, u32, Vec<xcute_term::TermId>)> {
        let terms = &mut self.world.terms;
        if terms.is_const(taken) {
            return None;
        }
        match (&decision.choice, decision.taken) {
            (Choice::Address(_), _) => Some((DecisionKind::Pin, 1, vec![terms.not(taken), taken])),
            (Choice::Pin(_), _) => Some((DecisionKind::Pin, 1, vec![terms.not(taken), taken])),
            (Choice::Branch(arms) | Choice::Assume(arms, _), Arm::Nth(n)) => {
                let mut all = vec![terms.bool(false); arms.len()];
                all[n as usize] = taken;
                for (arm, condition) in others {
                    if let Arm::Nth(n) = arm {
                        all[*n as usize] = *condition;
                    }
                }
                let holds = matches!(decision.choice, Choice::Assume(_, holds) if holds == n);
                Some((if holds { DecisionKind::Assume } else { DecisionKind::Branch }, n, all))
            }
            (choice, arm) => panic!("{choice:?} has no arm {arm:?}"),
        }
    }
}

impl Subject for Model {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn identity(&self) -> String {
        "model".to_owned()
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let trace = self.run_once(case, promise, terms);
        self.covered.extend(trace.covered.iter().copied());
        Ok(trace)
    }

    fn run_aside(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Trace, SubjectError> {
        Ok(self.run_once(case, &[], terms))
    }

    fn follow(&mut self, on: bool) -> Result<(), SubjectError> {
        if !self.segments {
            return Err(SubjectError::Segments("it has none".into()));
        }
        self.following = on;
        Ok(())
    }

    fn export(&self, model: &xcute_term::Model) -> xcute_term::Model {
        let mut out = xcute_term::Model::new();
        for &(var, word) in model.words() {
            let number = self.inputs.iter().position(|known| *known == var).expect("an input");
            out.set_word(VarId(u32::try_from(number).unwrap()), word);
        }
        out
    }

    fn import(&mut self, model: &xcute_term::Model, terms: &mut Terms) -> xcute_term::Model {
        let mut out = xcute_term::Model::new();
        for &(number, word) in model.words() {
            self.declare(terms, number.index() + 1);
            out.set_word(self.inputs[number.index()], word);
        }
        out
    }

    fn points(&self) -> Option<&Points> {
        Some(&self.world.points)
    }
}

impl Model {
    fn run_once(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Trace {
        // The machine builds terms in its own arena: for a run that is the campaign's.
        std::mem::swap(&mut self.world.terms, terms);
        let run = self.world.run(&case.input);
        let trace = self.trace(run, promise);
        std::mem::swap(&mut self.world.terms, terms);
        self.declare(terms, trace.input.words().len());
        trace
    }

    /// Knows the variables of at least this many reads.
    fn declare(&mut self, terms: &mut Terms, count: usize) {
        for n in self.inputs.len()..count {
            let term = terms.var(&format!("in{n}"), machine::INT);
            self.inputs.push(terms.vars(term).first().expect("a variable"));
        }
    }
}

/// A site for each instruction; those that decide nothing have one arm and count nowhere.
fn sites(program: &Program) -> Sites {
    let next = |mut pc: usize| {
        for _ in 0..program.code.len() {
            match &program.code[pc] {
                Instr::Jump(target) => pc = *target,
                Instr::Branch(..) | Instr::Switch(..) | Instr::Assume(_) => return vec![SiteId(u32::try_from(pc).unwrap())],
                Instr::Return(_) | Instr::Bug => return vec![],
                _ => pc += 1,
            }
        }
        vec![]
    };
    let site = |(pc, instr): (usize, &Instr)| {
        let (kind, arms) = match instr {
            Instr::Branch(_, target) => (SiteKind::Branch, vec![*target, pc + 1]),
            Instr::Switch(_, targets) => (SiteKind::Switch, targets.clone()),
            _ => (SiteKind::Assume, vec![pc + 1; 2]),
        };
        let line = u32::try_from(pc).unwrap();
        let next = arms.iter().map(|&pc| if pc < program.code.len() { next(pc) } else { vec![] }).collect();
        let (file, function) = ("model".into(), "main".into());
        Site { kind, file, line, column: 1, function, ordinal: line, arms: u32::try_from(arms.len()).unwrap(), next }
    };
    Sites { sites: program.code.iter().enumerate().map(site).collect() }
}

/// Believes every failure, has no clock, and keeps the inputs of the search's runs and the records.
#[derive(Default)]
pub struct Log {
    pub runs: Mutex<Vec<Vec<u64>>>,
    pub records: Mutex<Vec<Record>>,
    pub asides: Mutex<usize>,
}

impl Observer for Log {
    believing!();

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        self.runs.lock().unwrap().push(event.case().input.words().iter().map(|word| word.1).collect());
        self.records.lock().unwrap().push(event.record());
    }

    fn ran_aside(&self, _: &Terms, event: &Aside<'_>) {
        assert!(event.number > 0 && event.nth > 0);
        *self.asides.lock().unwrap() += 1;
    }

    fn settled(&self, place: Place, state: xcute_tree::Arm) {
        self.records.lock().unwrap().push(Record::Settled { place, state });
    }
}

pub fn solver() -> Box<dyn Solver> {
    Box::new(Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]))
}

/// Prunes from the first run on.
pub fn pruned(greedy: bool) -> Options {
    Options { prune: PruneOptions { prune: Prune::Interpolation, greedy, ..PruneOptions::default() }, ..Options::default() }
}

/// A campaign.
pub fn campaign(source: &Source, strategy: StrategyName, seed: u64, options: Options) -> (Results, Log) {
    let mut subject = Model::new(source);
    let strategy = strategy.build(&subject.sites, seed);
    let log = Log::default();
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, options);
    campaign.prune_with(solver());
    let results = campaign.run(&log).expect("it can always be run").clone();
    (results, log)
}

/// Runs of the search, and of greedy confirmation.
pub fn counts(results: &Results) -> (u64, u64) {
    (results.runs, results.pruned.as_ref().map_or(0, |pruned| pruned.counters.confirmations))
}

/// Where it failed.
pub fn failures(results: &Results) -> BTreeSet<u32> {
    results.failures.iter().map(|found| found.failure.stack[0].line).collect()
}
