//! C passes the conformance suite for front ends.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use xcute_solver::{Answer, Chain, ChainOptions, Effort, Query, Solver as _};
use xcute_solver_bits::BitBlaster;
use xcute_term::{Model, TermId, Terms};

use crate::prepare::{COptions, prepare};
use crate::run::subject::{CSubject, RunOptions};
use crate::types::inputs::Lengths;

/// Pointers that grow, and ends of all kinds: a return, an abort, a wild access, an exit.
const PATHS: &str = "
#include <stdlib.h>
struct cell { int v; struct cell *next; };
int f(struct cell *p, unsigned char x) {
  switch (x) {
    case 1: return 1;
    case 2: abort();
    case 3: *(volatile int *)8 = 1;
    case 4: exit(3);
  }
  if (p && p->v == 2 * x + 1)
    if (p->next == p) return 7;
  return 0;
}";

const ENDLESS: &str = "volatile int n; int f(int x) { for (;;) n = x; }";

fn subject(text: &str, dir: &Path) -> CSubject {
    let file = dir.join("program.c");
    std::fs::write(&file, text).unwrap();
    let run = RunOptions { patience: Duration::from_secs(2), fuel: 100_000, ..RunOptions::default() };
    let (sources, entry, flags, lengths) = (vec![file], Some("f".to_owned()), vec!["-w".to_owned()], Lengths::default());
    let dir = dir.to_owned();
    prepare(&COptions { sources, entry, calls: None, pre: None, flags, undefined: false, lengths, bytes: 16, run, dir }).unwrap().subject
}

fn pair(dir: &Path) -> (CSubject, CSubject) {
    let mut both = subject(PATHS, dir).times(2).unwrap();
    let second = both.pop().unwrap();
    (both.pop().unwrap(), second)
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    let mut solver = Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]);
    let (goal, path) = conditions.split_last()?;
    match solver.solve(terms, &Query::new(path, *goal, input, Effort(1_000_000))) {
        Answer::Sat(patch) => Some(patch),
        Answer::Unsat(_) => None,
        Answer::Unknown(why) => panic!("{why:?}"),
    }
}

xcute_trace::subject_conformance!(pair(TempDir::new().unwrap().path()), 8, solve, subject(ENDLESS, TempDir::new().unwrap().path()));
