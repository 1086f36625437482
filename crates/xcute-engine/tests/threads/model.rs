//! A subject that runs model programs, a solver that tries all inputs, and campaigns over them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use xcute_engine::{Equipment, Observer, Options, Place, Record, Results, RunEvent, Scheduling, run_all};
use xcute_race::{AlgorithmName, Causality, ClassKey, Objects, Policy, PolicyName, Ready, Tasks};
use xcute_solver::{Answer, Count, Query, Solver};
use xcute_strategy::StrategyName;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms};
use xcute_trace::{
    Concurrent, Decision, DecisionKind, DefaultChoice, End, Failure, FailureKind, Frame, Known, Next, NodeKey, Note, ObjectId, Operation,
    Outcome, Site, SiteId, SiteKind, Sites, Step, Subject, SubjectError, Task, TaskId, TestCase, Trace,
};
use xcute_tree::Arm;

use crate::thread::{Ask, Value};
use crate::world::{Program, World};

pub const DOMAIN: i64 = 8;
const BITS: u32 = 8;
const BRANCH: SiteId = SiteId(0);
const CHOICE: SiteId = SiteId(1);

/// What all subjects of a program share.
#[derive(Default)]
pub struct Shared {
    tasks: Vec<TaskId>,
    /// Cells that more than one task has touched; `None` if all count as such from the start.
    cells: Option<BTreeSet<u64>>,
}

pub struct ModelSubject {
    program: Make,
    sites: Sites,
    shared: Arc<Mutex<Shared>>,
    choice: DefaultChoice,
    covered: BTreeSet<(SiteId, u32)>,
    steps: Vec<Step>,
}

/// Makes a program.
pub type Make = fn() -> Program;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test panics there")
}

fn word(value: i64) -> u64 {
    (value as u64) & 0xff
}

impl ModelSubject {
    pub fn new(program: Make, shared: &Arc<Mutex<Shared>>) -> ModelSubject {
        let site = |kind, arms| Site {
            kind,
            file: "model".into(),
            line: 1,
            column: 1,
            function: "model".into(),
            ordinal: 0,
            arms,
            next: vec![vec![BRANCH]; arms as usize],
        };
        let sites = Sites { sites: vec![site(SiteKind::Branch, 2), site(SiteKind::Schedule, 1)] };
        let (shared, choice) = (Arc::clone(shared), DefaultChoice::Lowest);
        ModelSubject { program, sites, shared, choice, covered: BTreeSet::new(), steps: Vec::new() }
    }

    fn task(&self, world: &World, thread: usize) -> Task {
        let mut shared = lock(&self.shared);
        let id = world.task_id(thread);
        let at = shared.tasks.iter().position(|other| *other == id).unwrap_or_else(|| {
            shared.tasks.push(id);
            shared.tasks.len() - 1
        });
        Task(at as u32)
    }

    fn next(&self, world: &World, thread: usize) -> Next {
        let operation = world.operation(thread).expect("the thread is alive");
        let (before, arms) = (world.before(&operation), world.arms_of(&operation));
        let operation = match operation {
            Operation::Join(child) => Operation::Join(self.task(world, child.index())),
            other => other,
        };
        let section = world.threads[thread].section || operation == Operation::Begin;
        Next { before, arms, section, ..Next::of(self.task(world, thread), operation) }
    }

    /// Those who can run, by fork path.
    fn ready(&self, world: &World) -> Vec<usize> {
        let mut threads: Vec<usize> = world.alive().filter(|thread| world.enabled(*thread)).collect();
        threads.sort_by_key(|thread| world.task_id(*thread));
        threads
    }

    fn choose(
        &self,
        policy: &mut Option<Box<dyn Policy>>,
        objects: &Objects,
        enabled: &[Next],
        (asleep, last): (&[Task], Option<Task>),
    ) -> Option<usize> {
        if let (Some(policy), false) = (policy, enabled.is_empty()) {
            let ready = |next: &Next| Ready { task: next.task, accesses: objects.accesses(next, next.before, None) };
            return Some(policy.choose(&enabled.iter().map(ready).collect::<Vec<_>>()));
        }
        let awake = |at: &usize| !asleep.contains(&enabled[*at].task);
        let current = (0..enabled.len()).filter(awake).find(|at| Some(enabled[*at].task) == last);
        current.filter(|_| self.choice == DefaultChoice::Current).or_else(|| (0..enabled.len()).find(awake))
    }

    /// Whether an access to a cell is visible: it is shared. Notes who touches it.
    fn visible(&self, touched: &mut Vec<(u64, usize)>, operation: &Operation, thread: usize) -> bool {
        let cell = match operation {
            Operation::Read(at) | Operation::Write(at) => at.first.0,
            _ => return true,
        };
        if lock(&self.shared).cells.as_ref().is_none_or(|cells| cells.contains(&cell)) {
            return true;
        }
        touched.push((cell, thread));
        false
    }
}

/// What a run has decided so far, compared with its promise.
struct Path<'p> {
    promise: &'p [Known],
    known: usize,
    astray: bool,
    decisions: Vec<Decision>,
}

impl Path<'_> {
    fn decide(&mut self, site: SiteId, kind: DecisionKind, taken: u32, arms: impl FnOnce() -> Vec<TermId>) {
        if !self.astray && self.promise.get(self.known) == Some(&Known { site, taken }) {
            self.known += 1;
            return;
        }
        self.astray = true;
        self.decisions.push(Decision { site, kind, taken, arms: arms() });
    }

    fn len(&self) -> u32 {
        (self.known + self.decisions.len()) as u32
    }
}

fn condition(terms: &mut Terms, value: Value) -> Vec<TermId> {
    let mut sum = terms.bv(BITS, word(value.0[0]));
    for (name, factor) in ["a", "b"].into_iter().zip(&value.0[1..]) {
        let (x, k) = (terms.var(name, Sort::BitVec(BITS)), terms.bv(BITS, word(*factor)));
        let product = terms.mk(Op::BvMul, &[x, k]);
        sum = terms.mk(Op::BvAdd, &[sum, product]);
    }
    let zero = terms.bv(BITS, 0);
    let same = terms.mk(Op::Eq, &[sum, zero]);
    vec![terms.not(same), same]
}

impl Subject for ModelSubject {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn identity(&self) -> String {
        "threads".to_owned()
    }

    fn tasks(&self) -> Vec<TaskId> {
        lock(&self.shared).tasks.clone()
    }

    fn schedule_by(&mut self, choice: DefaultChoice) {
        self.choice = choice;
    }

    fn data_race(&mut self, first: usize, second: usize, _: [&[ObjectId]; 2]) -> Option<Failure> {
        let frame =
            |step: usize| Frame { function: "model".into(), file: "model".into(), line: self.steps[step].place, ..Frame::default() };
        let notes = vec![Note { what: "other access".into(), at: frame(first) }];
        Some(Failure {
            kind: FailureKind::DataRace,
            message: "race".into(),
            stack: vec![frame(second)],
            notes,
            interleaving: Vec::new(),
            values: Vec::new(),
        })
    }

    fn race_group(&mut self, first: usize, second: usize) -> u64 {
        let (a, b) = (self.steps[first].place, self.steps[second].place);
        u64::from(a.min(b)) << 32 | u64::from(a.max(b))
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let mut world = World::new(&(self.program)(), DOMAIN);
        let vars = ["a", "b"].map(|name| {
            terms.var(name, Sort::BitVec(BITS));
            terms.find_var(name).expect("declared above")
        });
        let words = vars.map(|var| case.input.word(var).unwrap_or(0));
        let input = words.map(|word| i64::from(word as u8 as i8));
        let mut path = Path { promise, known: 0, astray: false, decisions: Vec::new() };
        let (mut steps, mut before, mut choices) = (Vec::<Step>::new(), Vec::new(), case.schedule.choices.iter());
        let mut asleep = if case.schedule.choices.is_empty() { case.schedule.asleep.clone() } else { Vec::new() };
        let (mut touched, mut forked) = (Vec::new(), Vec::new());
        let (mut policy, mut objects) = (policy(self.choice), Objects::default());
        let record = loop {
            loop {
                let arms = world.settle();
                if arms.is_empty() {
                    break;
                }
                let asked = world.running.last().and_then(|thread| world.threads[*thread].next.clone());
                let Some(Ask::Zero(value)) = asked else { panic!("programs branch on inputs") };
                let arm = u32::from(value.at(input) == 0);
                path.decide(BRANCH, DecisionKind::Branch, arm, || condition(terms, value));
                self.covered.insert((BRANCH, arm));
                let inputs = arms.into_iter().find(|(other, _)| *other == arm).expect("the input takes it").1;
                world.branch(arm, inputs);
            }
            forked.extend(std::mem::take(&mut world.forked).into_iter().map(|(a, b)| (self.task(&world, a), self.task(&world, b))));
            let threads = self.ready(&world);
            // Private accesses are local code of whoever comes first.
            if let Some(thread) = threads.iter().find(|t| !self.visible(&mut touched, &world.operation(**t).expect("alive"), **t)) {
                world.step(*thread, 0);
                continue;
            }
            if let Some(step) = steps.last_mut() {
                step.forked.append(&mut forked);
            }
            forked.clear();
            let enabled: Vec<Next> = threads.iter().map(|thread| self.next(&world, *thread)).collect();
            let options = enabled.iter().map(|next| next.arms).sum::<u32>();
            let planned = if options > 1 { choices.next() } else { None };
            if planned.is_some() && choices.len() == 0 {
                asleep.clone_from(&case.schedule.asleep);
            }
            let (chosen, arm) = match planned {
                Some((task, arm)) => (enabled.iter().position(|next| next.task == *task), *arm),
                None => (self.choose(&mut policy, &objects, &enabled, (&asleep, steps.last().map(Step::task))), 0),
            };
            let Some(chosen) = chosen else {
                let end = if enabled.is_empty() { End::Finished } else { End::Asleep };
                let blocked: Vec<usize> = world.alive().filter(|thread| !world.enabled(*thread)).collect();
                let pending = blocked.into_iter().map(|thread| self.next(&world, thread)).collect();
                break xcute_trace::Record { steps, pending, end };
            };
            let touches = world.touches(threads[chosen], Some(arm));
            asleep.retain(|task| {
                let thread = world.alive().find(|thread| self.task(&world, *thread) == *task).expect("sleepers have not ended");
                !world.disturbs(thread, &touches)
            });
            let glued = world.glued(threads[chosen]);
            let place =
                enabled[chosen].task.0 * 100 + world.threads[threads[chosen]].id.len() as u32 * 1000 + kind(&enabled[chosen].operation);
            let step = Step {
                node: NodeKey(0),
                enabled: enabled.into(),
                chosen,
                arm,
                glued,
                outside: Default::default(),
                forked: Vec::new(),
                branches: 0,
                place,
            };
            before.push(path.len());
            if options > 1 {
                let yes = terms.bool(true);
                path.decide(CHOICE, DecisionKind::Schedule, step.option(), || vec![yes; options as usize]);
            }
            objects.execute(step.next(), arm);
            steps.push(step);
            world.step(threads[chosen], arm);
        };
        self.steps.clone_from(&record.steps);
        let outdated = self.learn(&touched);
        let outcome = if world.error() {
            failed(FailureKind::Assertion, 1)
        } else if record.end == End::Finished && !record.pending.is_empty() {
            failed(FailureKind::Deadlock, 2)
        } else {
            Outcome::Passed
        };
        let mut input = Model::new();
        vars.into_iter().zip(words).for_each(|(var, word)| input.set_word(var, word));
        let concurrent = Some(Box::new(Concurrent { record, before, outdated, failed: None, later: Vec::new() }));
        let Path { known, decisions, .. } = path;
        Ok(Trace {
            decisions,
            known,
            outcome,
            covered: Vec::new(),
            reached: Vec::new(),
            limits: Vec::new(),
            input,
            concurrent,
            segments: None,
        })
    }
}

impl ModelSubject {
    /// Whether cells that counted as private were touched by two threads.
    fn learn(&self, touched: &[(u64, usize)]) -> bool {
        let mut shared = lock(&self.shared);
        let Some(cells) = &mut shared.cells else { return false };
        let mut outdated = false;
        for (cell, thread) in touched {
            outdated |= touched.iter().any(|other| other.0 == *cell && other.1 != *thread) && cells.insert(*cell);
        }
        outdated
    }
}

/// What chooses after the schedule, if it is left to chance.
fn policy(choice: DefaultChoice) -> Option<Box<dyn Policy>> {
    let mut policy = match choice {
        DefaultChoice::Lowest | DefaultChoice::Current => return None,
        DefaultChoice::Walk(seed) => PolicyName::Walk.build(seed),
        DefaultChoice::Pct { seed, depth, .. } => PolicyName::Pct(depth).build(seed),
        DefaultChoice::Pos(seed) => PolicyName::Pos.build(seed),
    };
    policy.begin();
    Some(policy)
}

fn kind(operation: &Operation) -> u32 {
    match operation {
        Operation::Read(at) => 1 + 10 * at.first.0 as u32,
        Operation::Write(at) => 2 + 10 * at.first.0 as u32,
        _ => 0,
    }
}

fn failed(kind: FailureKind, line: u32) -> Outcome {
    let stack = vec![Frame { function: "model".into(), file: "model".into(), line, ..Frame::default() }];
    Outcome::Failed(Failure { kind, message: kind.name().into(), stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
}

/// Tries all inputs.
pub struct BruteForce;

impl Solver for BruteForce {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let vars = ["a", "b"].map(|name| terms.find_var(name).expect("declared by the first run"));
        let mut eval = Evaluator::new();
        for (a, b) in (-DOMAIN..=DOMAIN).flat_map(|a| (-DOMAIN..=DOMAIN).map(move |b| (a, b))) {
            let mut model = Model::new();
            model.set_word(vars[0], word(a));
            model.set_word(vars[1], word(b));
            eval.load(&model);
            if query.path.iter().chain([&query.goal]).all(|&c| eval.eval_bool(terms, c)) {
                return Answer::Sat(model);
            }
        }
        Answer::Unsat(vec![query.goal])
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

/// Believes every failure, and keeps the classes, the cases of failures and the records.
#[derive(Default)]
pub struct Log {
    shared: Arc<Mutex<Shared>>,
    classes: Mutex<Vec<ClassKey>>,
    records: Mutex<Vec<Record>>,
    /// The runs that failed, by number.
    pub failing: Mutex<Vec<u64>>,
    pub causes: Mutex<usize>,
}

impl Observer for Log {
    believing!();

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        let mut tasks = Tasks::default();
        lock(&self.shared).tasks.iter().for_each(|id| _ = tasks.intern(id));
        let record = &event.trace.concurrent.as_ref().expect("all have tasks").record;
        if event.growth.new_path {
            lock(&self.classes).push(ClassKey::of(&Causality::new(record), &tasks));
        }
        if matches!(event.trace.outcome, Outcome::Failed(_)) {
            lock(&self.failing).push(event.number);
        }
        *lock(&self.causes) += event.asked.iter().filter(|asked| asked.cause.is_some()).count();
        lock(&self.records).push(event.record());
    }

    fn settled(&self, place: Place, state: Arm) {
        lock(&self.records).push(Record::Settled { place, state });
    }

    fn restarted(&self, _: bool) {
        lock(&self.classes).clear();
        lock(&self.records).push(Record::Restart);
    }
}

/// What a campaign came to.
pub struct Outcomes {
    pub results: Results,
    /// The causal classes of the paths, sorted, with duplicates.
    pub classes: Vec<ClassKey>,
    pub records: Vec<Record>,
    pub failing: Vec<u64>,
    pub causes: usize,
}

/// How to search.
#[derive(Clone, Copy)]
pub struct How {
    pub strategy: StrategyName,
    pub scheduling: Scheduling,
    pub jobs: usize,
    pub depth: u32,
    /// Whether cells are private until two tasks have touched them.
    pub private: bool,
}

impl How {
    pub fn new(name: AlgorithmName, strategy: StrategyName) -> How {
        How { strategy, scheduling: Scheduling::Exhaustive(name), jobs: 1, depth: u32::MAX, private: false }
    }
}

pub fn search(program: Make, how: How, past: &[Record]) -> Outcomes {
    let log = Log::default();
    lock(&log.shared).cells = how.private.then(BTreeSet::new);
    let mut subjects: Vec<_> = std::iter::repeat_with(|| ModelSubject::new(program, &log.shared)).take(how.jobs).collect();
    let strategy = |sites: &Sites, worker: u64| how.strategy.build(sites, worker);
    let options = Options { scheduling: how.scheduling, depth: how.depth, ..Options::default() };
    let equipment = Equipment { solver: &|| Box::new(BruteForce), strategy: &strategy, options, seeds: &[], past };
    let (results, error) = run_all(&mut subjects, &equipment, &log);
    assert!(error.is_none());
    let mut classes = log.classes.into_inner().expect("no test panics there");
    classes.sort_unstable();
    let (records, failing, causes) = (log.records, log.failing, log.causes);
    let records = records.into_inner().expect("no test panics there");
    Outcomes {
        results,
        classes,
        records,
        failing: failing.into_inner().expect("no test panics there"),
        causes: causes.into_inner().expect("no test panics there"),
    }
}
