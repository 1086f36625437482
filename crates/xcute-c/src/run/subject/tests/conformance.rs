//! C passes the conformance suite for front ends.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use xcute_solver::conformance::witness;
use xcute_solver::{Chain, ChainOptions};
use xcute_solver_bits::BitBlaster;
use xcute_term::{Model, TermId, Terms};

use super::{of_text, prepared};
use crate::run::subject::{CSubject, RunOptions};

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
    of_text(text, "f", RunOptions { patience: Duration::from_secs(2), fuel: 100_000, ..RunOptions::default() }, dir)
}

/// The program, the same built again, and one in which a constant is another one.
fn changed(dir: &Path) -> (CSubject, CSubject, CSubject) {
    let source = dir.join("program.c");
    let built = |name: &str, text: &str| {
        let place = dir.join(name);
        std::fs::create_dir(&place).unwrap();
        std::fs::write(&source, text).unwrap();
        prepared(source.clone(), "f", RunOptions::default(), &place)
    };
    (built("first", PATHS), built("again", PATHS), built("changed", &PATHS.replace("2 * x + 1", "2 * x + 3")))
}

fn pair(dir: &Path) -> (CSubject, CSubject) {
    let mut both = subject(PATHS, dir).times(2).unwrap();
    let second = both.pop().unwrap();
    (both.pop().unwrap(), second)
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    witness(&mut Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]), terms, conditions, input)
}

xcute_trace::subject_conformance!(
    pair(TempDir::new().unwrap().path()),
    8,
    solve,
    subject(ENDLESS, TempDir::new().unwrap().path()),
    changed(TempDir::new().unwrap().path())
);
