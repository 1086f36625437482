//! `./x bench sat`: our SAT solver against BatSat on the queries of campaigns, as the files given say (see `xcute_solver_bits::record`).
//!
//! Both get the same clauses in the same order and answer the same queries under assumptions, each with one solver for all of them, as in a campaign.
//! Each recording is done three times, and the fastest counts.

#![allow(clippy::print_stdout, missing_docs, reason = "a measuring program; its output is its purpose")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use batsat::{BasicSolver, Lit, SolverInterface as _, Var, lbool};
use xcute_solver_bits::record::{Literal, Replay, Step, read};

const REPETITIONS: usize = 3;

/// What answers the queries.
trait Rival: Default {
    fn clause(&mut self, clause: &[Literal]);
    fn solve(&mut self, assumptions: &[Literal], hint: &[Literal]) -> bool;
}

impl Rival for Replay {
    fn clause(&mut self, clause: &[Literal]) {
        Replay::clause(self, clause);
    }

    fn solve(&mut self, assumptions: &[Literal], hint: &[Literal]) -> bool {
        Replay::solve(self, assumptions, hint)
    }
}

#[derive(Default)]
struct Bat {
    solver: BasicSolver,
    clause: Vec<Lit>,
}

impl Bat {
    fn lit(&mut self, literal: Literal) -> Lit {
        let var = literal.unsigned_abs() - 1;
        while self.solver.num_vars() <= var {
            self.solver.new_var_default();
        }
        Lit::new(Var::unsafe_from_idx(var), literal > 0)
    }
}

impl Rival for Bat {
    fn clause(&mut self, clause: &[Literal]) {
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        lits.extend(clause.iter().map(|&literal| self.lit(literal)));
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
    }

    fn solve(&mut self, assumptions: &[Literal], _hint: &[Literal]) -> bool {
        let lits: Vec<Lit> = assumptions.iter().map(|&literal| self.lit(literal)).collect();
        self.solver.solve_limited(&lits) == lbool::TRUE
    }
}

/// Answers all queries; how long it took, and how many answers differ from the recorded ones.
fn run<R: Rival>(steps: &[Step]) -> (Duration, usize) {
    let (mut solver, mut wrong) = (R::default(), 0);
    let start = Instant::now();
    for step in steps {
        match step {
            Step::Begin => solver = R::default(),
            Step::Clause(clause) => solver.clause(clause),
            Step::Query { assumptions, hint, sat } => wrong += usize::from(solver.solve(assumptions, hint) != *sat),
        }
    }
    (start.elapsed(), wrong)
}

fn best<R: Rival>(steps: &[Step]) -> (f64, usize) {
    let runs: Vec<(Duration, usize)> = (0..REPETITIONS).map(|_| run::<R>(steps)).collect();
    let fastest = runs.iter().map(|run| run.0).min().unwrap_or_default();
    (fastest.as_secs_f64() * 1e3, runs.iter().map(|run| run.1).sum())
}

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).filter(|word| word != "--bench").map(PathBuf::from).collect();
    println!("{:<16} {:>8} {:>8} {:>8} {:>11} {:>11} {:>7}", "recording", "clauses", "sat", "unsat", "xcute", "BatSat", "ratio");
    let (mut all, mut failed) = ([0.0; 2], files.is_empty());
    for file in files {
        let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let Some(steps) = std::fs::read_to_string(&file).ok().as_deref().and_then(read) else {
            println!("{name:<16} cannot be read");
            failed = true;
            continue;
        };
        let count = |fits: fn(&Step) -> bool| steps.iter().filter(|step| fits(step)).count();
        let clauses = count(|step| matches!(step, Step::Clause(_)));
        let (sat, unsat) =
            (count(|step| matches!(step, Step::Query { sat: true, .. })), count(|step| matches!(step, Step::Query { sat: false, .. })));
        let ((ours, wrong), (theirs, also_wrong)) = (best::<Replay>(&steps), best::<Bat>(&steps));
        println!("{name:<16} {clauses:>8} {sat:>8} {unsat:>8} {ours:>8.1} ms {theirs:>8.1} ms {:>7.2}", theirs / ours);
        if wrong + also_wrong > 0 {
            println!("WRONG {name}: {wrong} answers of xcute and {also_wrong} of BatSat are not the recorded ones");
            failed = true;
        }
        all = [all[0] + ours, all[1] + theirs];
    }
    println!("{:<16} {:>8} {:>8} {:>8} {:>8.1} ms {:>8.1} ms {:>7.2}", "all", "", "", "", all[0], all[1], all[1] / all[0]);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
