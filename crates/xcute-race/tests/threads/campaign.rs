//! A small engine around the explorer: executor, path tree of moves, frontier.
//!
//! Branch arms and schedule arms share one frontier, as they will in the real engine; the key of a schedule choice is the list of
//! moves before it.

use std::collections::{BTreeSet, HashMap, HashSet};

use xcute_race::{
    Algorithm, Causality, ClassKey, DefaultChoice, End, Explorer, Next, NodeKey, Objects, Operation, Policy, Ready, Record, Step, Task,
};

use crate::world::{Mark, Program, World};

/// Whether tasks wait for something that will never happen.
pub fn deadlocked(record: &Record) -> bool {
    record.end == End::Finished && !record.pending.is_empty()
}

/// One arm of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A schedule arm.
    Run(Task, u32),
    /// A step that could go one way only.
    Only,
    /// A branch arm.
    Arm(u32),
}

/// Which open arm is next.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Dfs,
    Bfs,
    Random(u64),
}

pub struct Job {
    moves: Vec<Move>,
    asleep: Vec<Task>,
}

/// A run as the tests see it.
pub struct Run {
    pub record: Record,
    /// The moves with the thread's number: `1`, `2`, `F`, `T`.
    pub text: String,
    pub error: bool,
    pub class: Vec<Mark>,
    /// What the threads have seen.
    pub outcome: u64,
    /// The branches: the moves before each, and the arms that were not taken.
    branches: Vec<(Vec<Move>, Vec<u32>)>,
}

#[derive(Default)]
pub struct Outcome {
    pub full: usize,
    pub asleep: usize,
    /// Sampled runs with an error or a deadlock.
    pub failed: usize,
    pub classes: HashMap<Vec<Mark>, ClassKey>,
    /// All that threads saw in runs that were not cut short.
    pub seen: BTreeSet<u64>,
    pub deadlocks: BTreeSet<ClassKey>,
    pub errors: BTreeSet<ClassKey>,
    pub texts: Vec<String>,
    pub records: Vec<Record>,
    pub complete: bool,
}

pub struct Campaign<'p> {
    program: &'p Program,
    pub explorer: Explorer,
    keys: HashMap<Vec<Move>, NodeKey>,
    paths: Vec<Vec<Move>>,
    pub domain: i64,
    pub limit: usize,
    /// Branches whose arms were opened.
    points: HashSet<Vec<Move>>,
    /// Chooses after the moves of a job, instead of the default.
    policy: Option<Box<dyn Policy>>,
}

impl<'p> Campaign<'p> {
    pub fn new(program: &'p Program, algorithm: Box<dyn Algorithm>) -> Campaign<'p> {
        let explorer = Explorer::new(algorithm);
        let (keys, paths, points) = (HashMap::new(), Vec::new(), HashSet::new());
        Campaign { program, explorer, keys, paths, domain: 8, limit: usize::MAX, points, policy: None }
    }

    fn key(&mut self, moves: &[Move]) -> NodeKey {
        if let Some(key) = self.keys.get(moves) {
            return *key;
        }
        let key = NodeKey(self.paths.len() as u64);
        self.keys.insert(moves.to_vec(), key);
        self.paths.push(moves.to_vec());
        key
    }

    fn task(&mut self, world: &World, thread: usize) -> Task {
        self.explorer.tasks_mut().intern(&world.task_id(thread))
    }

    fn next(&mut self, world: &World, thread: usize) -> Next {
        let operation = world.operation(thread).expect("the thread is alive");
        let task = self.task(world, thread);
        let (before, arms) = (world.before(&operation), world.arms_of(&operation));
        let operation = match operation {
            Operation::Join(child) => Operation::Join(self.task(world, child.index())),
            other => other,
        };
        let section = world.threads[thread].section || operation == Operation::Begin;
        Next { before, arms, section, ..Next::of(task, operation) }
    }

    /// Whom to run after the plan: the choice of the policy, or the default among those awake.
    fn choose(&mut self, objects: &Objects, enabled: &[Next], asleep: &[Task], last: Option<Task>) -> Option<usize> {
        if let (Some(policy), false) = (&mut self.policy, enabled.is_empty()) {
            let ready = |next: &Next| Ready { task: next.task, accesses: objects.accesses(next, next.before, None) };
            return Some(policy.choose(&enabled.iter().map(ready).collect::<Vec<_>>()));
        }
        let awake = |at: &usize| !asleep.contains(&enabled[*at].task);
        let current = (0..enabled.len()).filter(awake).find(|at| Some(enabled[*at].task) == last);
        if let (DefaultChoice::Current, Some(at)) = (self.explorer.default_choice(), current) {
            return Some(at);
        }
        (0..enabled.len()).filter(awake).min_by(|a, b| self.explorer.tasks().compare(enabled[*a].task, enabled[*b].task))
    }

    /// Runs a job.
    pub fn run(&mut self, job: &Job) -> Run {
        let mut world = World::new(self.program, self.domain);
        let (mut moves, mut objects) = (Vec::<Move>::new(), Objects::default());
        let last_run = job.moves.iter().rposition(|one| matches!(one, Move::Run(..)));
        let (mut steps, mut asleep, mut text, mut branches) = (Vec::<Step>::new(), Vec::new(), String::new(), Vec::new());
        loop {
            loop {
                let arms = world.settle();
                if arms.is_empty() {
                    break;
                }
                let arm = match job.moves.get(moves.len()) {
                    Some(Move::Arm(arm)) => *arm,
                    Some(Move::Run(..) | Move::Only) => panic!("diverged: a branch where a step was"),
                    // The concrete input decides: the smallest that takes the path, and what it takes here.
                    None => arms.iter().find(|(_, inputs)| inputs.first() == world.inputs.first()).map_or(0, |(arm, _)| *arm),
                };
                branches.push((moves.clone(), arms.iter().map(|(other, _)| *other).filter(|other| *other != arm).collect()));
                let inputs = arms.into_iter().find(|(other, _)| *other == arm).expect("a feasible arm").1;
                world.branch(arm, inputs);
                moves.push(Move::Arm(arm));
                text.push(if arm == 0 { 'F' } else { 'T' });
            }
            if let Some(step) = steps.last_mut() {
                step.forked = world.forked.clone().into_iter().map(|(a, b)| (self.task(&world, a), self.task(&world, b))).collect();
                step.branches = world.arms.iter().fold(1, |digest, arm| digest * 3 + u64::from(*arm));
            }
            let threads: Vec<usize> = world.alive().filter(|thread| world.enabled(*thread)).collect();
            let enabled: Vec<Next> = threads.iter().map(|thread| self.next(&world, *thread)).collect();
            if Some(moves.len()) == last_run {
                asleep = job.asleep.clone();
            }
            let (chosen, arm) = match job.moves.get(moves.len()) {
                Some(Move::Run(task, arm)) => (enabled.iter().position(|next| next.task == *task), *arm),
                Some(Move::Only) => (Some(0), 0),
                Some(Move::Arm(_)) => panic!("diverged: a step where a branch was"),
                None => (self.choose(&objects, &enabled, &asleep, steps.last().map(Step::task)), 0),
            };
            let Some(chosen) = chosen else {
                let end = if enabled.is_empty() { End::Finished } else { End::Asleep };
                let blocked: Vec<usize> = world.alive().filter(|thread| !world.enabled(*thread)).collect();
                let pending = blocked.into_iter().map(|thread| self.next(&world, thread)).collect();
                let record = Record { steps, pending, end };
                let class = world.class();
                return Run { record, text, error: world.error(), class, outcome: world.outcome(), branches };
            };
            let touches = world.touches(threads[chosen], Some(arm));
            let sleeps = |task: &Task| {
                let path = self.explorer.tasks().id(*task);
                let thread = world.alive().find(|thread| world.task_id(*thread) == *path).expect("sleepers have not ended");
                !world.disturbs(thread, &touches)
            };
            asleep.retain(sleeps);
            let glued = world.glued(threads[chosen]);
            let node = self.key(&moves);
            text += &format!(" {}", world.threads[threads[chosen]].id.iter().map(u16::to_string).collect::<Vec<_>>().join("."));
            let choice = enabled.iter().map(|next| next.arms).sum::<u32>() > 1;
            moves.push(if choice { Move::Run(enabled[chosen].task, arm) } else { Move::Only });
            steps.push(Step {
                node,
                enabled: enabled.into(),
                chosen,
                arm,
                glued,
                outside: Default::default(),
                forked: Vec::new(),
                branches: 1,
                place: 0,
            });
            objects.execute(steps[steps.len() - 1].next(), arm);
            world.step(threads[chosen], arm);
        }
    }

    pub fn explore(&mut self, order: Order) -> Outcome {
        let mut frontier = vec![Job { moves: Vec::new(), asleep: Vec::new() }];
        self.work_off(&mut frontier, order)
    }

    fn work_off(&mut self, frontier: &mut Vec<Job>, order: Order) -> Outcome {
        let mut random = fastrand::Rng::with_seed(if let Order::Random(seed) = order { seed } else { 0 });
        let mut outcome = Outcome::default();
        while !frontier.is_empty() && outcome.full + outcome.asleep < self.limit {
            let at = match order {
                Order::Bfs => 0,
                Order::Random(_) => random.usize(..frontier.len()),
                // The deepest, and of those the first.
                Order::Dfs => (0..frontier.len()).rev().max_by_key(|at| frontier[*at].moves.len()).expect("not empty"),
            };
            let run = self.run(&frontier.remove(at));
            self.take_in(run, frontier, &mut outcome);
        }
        outcome.complete = frontier.is_empty() && self.explorer.complete();
        outcome
    }

    /// Hands a run to the explorer, and what it opens to the frontier.
    fn take_in(&mut self, run: Run, frontier: &mut Vec<Job>, outcome: &mut Outcome) {
        let observed = self.explorer.observe(&run.record).expect("the model is deterministic");
        for opening in observed.opened {
            let mut moves = self.paths[opening.node.0 as usize].clone();
            moves.push(Move::Run(opening.task, opening.arm));
            let plan = self.explorer.plan(opening.node, opening.task, opening.arm).expect("it was opened");
            let choices: Vec<Move> = plan.choices.iter().map(|(task, arm)| Move::Run(*task, *arm)).collect();
            assert!(choices.iter().eq(moves.iter().filter(|one| matches!(one, Move::Run(..)))), "the plan leads to the arm");
            frontier.push(Job { moves, asleep: plan.asleep });
        }
        for (before, arms) in &run.branches {
            if self.points.insert(before.clone()) {
                let moves = arms.iter().map(|arm| [&before[..], &[Move::Arm(*arm)]].concat());
                frontier.extend(moves.map(|moves| Job { asleep: self.asleep(&moves), moves }));
            }
        }
        let class = ClassKey::of(&Causality::new(&run.record), self.explorer.tasks());
        outcome.add(run, class);
    }

    /// Makes this many runs that a policy drives.
    pub fn sample(&mut self, policy: Box<dyn Policy>, runs: usize) -> Outcome {
        let mut outcome = Outcome::default();
        self.sample_into(policy, runs, &mut Vec::new(), &mut outcome);
        outcome
    }

    /// The same, and then all that they opened.
    pub fn sample_then_explore(&mut self, policy: Box<dyn Policy>, runs: usize) -> Outcome {
        let (mut frontier, mut sampled) = (Vec::new(), Outcome::default());
        self.sample_into(policy, runs, &mut frontier, &mut sampled);
        let mut outcome = self.work_off(&mut frontier, Order::Random(1));
        outcome.classes.extend(sampled.classes);
        outcome
    }

    fn sample_into(&mut self, mut policy: Box<dyn Policy>, runs: usize, frontier: &mut Vec<Job>, outcome: &mut Outcome) {
        for _ in 0..runs {
            policy.begin();
            self.policy = Some(policy);
            let run = self.run(&Job { moves: Vec::new(), asleep: Vec::new() });
            policy = self.policy.take().expect("it was lent");
            outcome.failed += usize::from(run.error || deadlocked(&run.record));
            self.take_in(run, frontier, outcome);
        }
    }

    /// Who sleeps at the last schedule choice of these moves.
    fn asleep(&self, moves: &[Move]) -> Vec<Task> {
        let Some(at) = moves.iter().rposition(|one| matches!(one, Move::Run(..))) else { return Vec::new() };
        let Move::Run(task, arm) = moves[at] else { unreachable!("it was looked for") };
        let node = self.keys[&moves[..at]];
        self.explorer.plan(node, task, arm).expect("it was taken").asleep
    }
}

impl Outcome {
    fn add(&mut self, run: Run, class: ClassKey) {
        self.texts.push(run.text.trim_start().to_owned() + if run.error { " !" } else { "" });
        if run.record.end == End::Asleep {
            self.asleep += 1;
            return;
        }
        self.full += 1;
        self.seen.insert(run.outcome);
        if deadlocked(&run.record) {
            self.deadlocks.insert(class);
        }
        if run.error {
            self.errors.insert(class);
        }
        let known = self.classes.entry(run.class).or_insert(class);
        assert_eq!(*known, class, "one class, one key");
        self.records.push(run.record);
    }
}
