//! `./x bench erl`: how long it takes until the first run, runs per second, and the time to the known failures of `subjects/erl/known.erl`.

#![allow(clippy::print_stdout, missing_docs, reason = "a measuring program; its output is its purpose")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use xcute_engine::{Campaign, Confirmation, Observer, Options, RunEvent};
use xcute_erl::program::{Modules, Program, Source};
use xcute_erl::subject::ErlSubject;
use xcute_erl::vm::{Home, Limits, Vm};
use xcute_solver::{Chain, ChainOptions, FloatSearch};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, Subject as _, TestCase};

/// Runs of the small function.
const RUNS: u32 = 5_000;

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

fn subject(modules: &Arc<Modules>, module: &str, function: &str, arity: u32, depth: Option<u32>) -> ErlSubject {
    let program = Arc::new(Program::new(modules, module, function, arity).expect("it is exported"));
    let inputs = Arc::new(program.inputs(depth).expect("inputs of this depth"));
    ErlSubject::new(program, inputs, Limits::default())
}

fn main() {
    let begin = Instant::now();
    let home = Arc::new(Home::find().expect("Erlang is installed (./x setup)"));
    let mut vm = Vm::start(&home).expect("Erlang starts");
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/erl/known.erl");
    let modules = Arc::new(Modules::load(&home, &mut vm, &[Source::File(file, Vec::new())], &[]).expect("it compiles"));
    let mut small = subject(&modules, "known", "twice", 1, None);
    let mut terms = Terms::new();
    let case = TestCase::default();
    small.run(&case, &[], &mut terms).expect("an emulator");
    println!("{:<24}{:>10.0} ms", "to the first run", begin.elapsed().as_secs_f64() * 1e3);
    let begin = Instant::now();
    for _ in 0..RUNS {
        small.run(&case, &[], &mut terms).expect("an emulator");
    }
    println!("{:<24}{:>10.0} runs/s", "a small function", f64::from(RUNS) / begin.elapsed().as_secs_f64());
    let module = &modules.followed[0].normal.module;
    let mut functions: Vec<(String, u32)> =
        module.exports.iter().map(|&(name, arity)| (modules.atoms.name(name).to_owned(), arity)).collect();
    functions.retain(|(name, _)| name != "module_info");
    functions.sort();
    let mut times = Vec::new();
    for (function, arity) in functions {
        let clock = Clock { begin: Instant::now(), failed: AtomicU64::new(u64::MAX) };
        let mut subject = subject(&modules, "known", &function, arity, Some(3));
        let backends: Vec<Box<dyn xcute_solver::Solver>> =
            vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(Z3::new())];
        let strategy = StrategyName::Bfs.build(subject.sites(), 0);
        let options = Options { runs: 2_000, ..Options::default() };
        let mut campaign = Campaign::new(&mut subject, Box::new(Chain::build(ChainOptions::default(), backends)), strategy, options);
        campaign.run(&clock).expect("an emulator");
        let failed = clock.failed.load(Ordering::Relaxed);
        let found = if failed == u64::MAX { "none".to_owned() } else { format!("{} ms", failed / 1000) };
        times.extend((failed != u64::MAX).then_some(failed));
        let spent = clock.begin.elapsed().as_secs_f64();
        println!("{:<24}{found:>10} to the failure {:>6} runs {spent:>6.2} s", format!("{function}/{arity}"), campaign.results().runs);
    }
    times.sort_unstable();
    println!("{:<24}{:>10} ms", "median to the failure", times.get(times.len() / 2).copied().unwrap_or(0) / 1000);
}
