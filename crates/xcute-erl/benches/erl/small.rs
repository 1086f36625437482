//! How long it takes until the first run, runs per second with one worker and with two, what an event costs, and the time to the known failures of
//! `subjects/erl/known.erl`, each as if it were the only function: with the start of the emulator.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use xcute_engine::{Campaign, Confirmation, Observer, Options, RunEvent};
use xcute_erl::etf::Term;
use xcute_erl::program::{Modules, Program, Source};
use xcute_erl::subject::ErlSubject;
use xcute_erl::vm::{Home, Limits, Vm};
use xcute_solver::{Chain, ChainOptions, FloatSearch};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, Subject as _, TestCase};

/// Runs of the small function in a round.
const RUNS: u32 = 2_000;

/// One worker and two are measured in turn this often: on a machine that does other things one round says nothing.
const ROUNDS: usize = 9;

/// Elements of the lists that show what an event costs, and that it costs the same in a long run.
const ELEMENTS: [i64; 2] = [1_000, 10_000];

/// Notes when the first failure was found, in microseconds.
struct Clock {
    begin: Instant,
    failed: AtomicU64,
}

impl Observer for Clock {
    fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        let now = u64::try_from(self.begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.failed.fetch_min(now, Ordering::Relaxed);
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

fn subject(modules: &Arc<Modules>, function: &str, arity: u32, depth: Option<u32>) -> ErlSubject {
    let program = Arc::new(Program::new(modules, "known", function, arity).expect("it is exported"));
    let inputs = Arc::new(program.inputs(depth).expect("inputs of this depth"));
    ErlSubject::new(program, inputs, Limits::default())
}

/// Runs the same case many times with each of these workers at once; all their runs per second, until the last one has ended.
fn rate(workers: &mut [ErlSubject]) -> f64 {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for subject in &mut *workers {
            scope.spawn(|| {
                let (mut terms, case) = (Terms::new(), TestCase::default());
                for _ in 0..RUNS {
                    subject.run(&case, &[], &mut terms).expect("an emulator");
                }
            });
        }
    });
    let runs = RUNS * u32::try_from(workers.len()).expect("few workers");
    f64::from(runs) / begin.elapsed().as_secs_f64()
}

/// The median of some figures, with the smallest and the largest.
fn median(mut figures: Vec<f64>) -> [f64; 3] {
    figures.sort_by(f64::total_cmp);
    [figures[figures.len() / 2], figures[0], figures[figures.len() - 1]]
}

/// What an event costs, on the emulator and in the replay, in nanoseconds, in a run over a list of this length.
fn event_cost(modules: &Arc<Modules>, elements: i64) -> f64 {
    let mut long = subject(modules, "contains", 1, None);
    let mut terms = Terms::new();
    let list = Term::list((0..elements).map(|_| Term::Int(1)).collect());
    let case = long.case(&mut terms, &[list]).expect("a list is an input");
    long.run(&case, &[], &mut terms).expect("an emulator");
    let begin = Instant::now();
    long.run(&case, &[], &mut terms).expect("an emulator");
    let events = u32::try_from(long.last().events.len() / 4).expect("few events");
    begin.elapsed().as_secs_f64() * 1e9 / f64::from(events)
}

pub fn run() {
    let begin = Instant::now();
    let home = Arc::new(Home::find().expect("Erlang is installed (./x setup)"));
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/erl/known.erl");
    let load = || {
        let vm = Vm::start(&home).expect("Erlang starts");
        Arc::new(Modules::load(&home, vm, &[Source::File(file.clone(), Vec::new())], &[]).expect("it compiles"))
    };
    let modules = load();
    let mut small = subject(&modules, "twice", 1, None);
    small.run(&TestCase::default(), &[], &mut Terms::new()).expect("an emulator");
    println!("{:<24}{:>10.0} ms", "to the first run", begin.elapsed().as_secs_f64() * 1e3);
    let mut other = small.another();
    other.run(&TestCase::default(), &[], &mut Terms::new()).expect("an emulator");
    let mut alone = [small.another()];
    alone[0].run(&TestCase::default(), &[], &mut Terms::new()).expect("an emulator");
    let mut workers = [small, other];
    ErlSubject::spread(&mut workers);
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [rate(&mut alone), rate(&mut workers)]).collect();
    for (name, at) in [("one worker", 0), ("two workers", 1)] {
        let [middle, least, most] = median(rounds.iter().map(|round| round[at]).collect());
        println!("{name:<24}{middle:>10.0} runs/s ({least:.0} to {most:.0} in {ROUNDS} rounds)");
    }
    let [middle, least, most] = median(rounds.iter().map(|[one, two]| two / one).collect());
    println!("{:<24}{middle:>10.2} times as many ({least:.2} to {most:.2})", "two workers");
    for elements in ELEMENTS {
        let name = format!("an event, {elements} elements");
        println!("{name:<24}{:>10.0} ns", event_cost(&modules, elements));
    }
    drop((alone, workers));
    let module = &modules.followed[0].normal.module;
    let mut functions: Vec<(String, u32)> =
        module.exports.iter().map(|&(name, arity)| (modules.atoms.name(name).to_owned(), arity)).collect();
    functions.retain(|(name, _)| name != "module_info");
    functions.sort();
    let (mut times, mut runs, mut spent) = (Vec::new(), 0, 0.0);
    for (function, arity) in functions {
        let clock = Clock { begin: Instant::now(), failed: AtomicU64::new(u64::MAX) };
        let modules = load();
        let mut subject = subject(&modules, &function, arity, Some(3));
        let backends: Vec<Box<dyn xcute_solver::Solver>> =
            vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(Z3::new())];
        let strategy = StrategyName::Bfs.build(subject.sites(), 0);
        let options = Options { runs: 2_000, ..Options::default() };
        let mut campaign = Campaign::new(&mut subject, Box::new(Chain::build(ChainOptions::default(), backends)), strategy, options);
        let search = Instant::now();
        campaign.run(&clock).expect("an emulator");
        let failed = clock.failed.load(Ordering::Relaxed);
        let found = if failed == u64::MAX { "none".to_owned() } else { format!("{} ms", failed / 1000) };
        times.extend((failed != u64::MAX).then_some(failed));
        (runs, spent) = (runs + campaign.results().runs, spent + search.elapsed().as_secs_f64());
        let all = clock.begin.elapsed().as_secs_f64();
        println!("{:<24}{found:>10} to the failure {:>6} runs {all:>6.2} s", format!("{function}/{arity}"), campaign.results().runs);
    }
    times.sort_unstable();
    println!("{:<24}{:>10} ms", "median to the failure", times.get(times.len() / 2).copied().unwrap_or(0) / 1000);
    println!("{:<24}{:>10.0} cases/s", "searching", f64::from(u32::try_from(runs).unwrap_or(u32::MAX)) / spent);
}
