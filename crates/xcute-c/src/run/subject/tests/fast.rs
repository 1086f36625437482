//! Quick code and fast code are one program.

use xcute_term::{Op, Sort, Terms};
use xcute_trace::{Outcome, Subject as _, TestCase, Trace};

use super::of_text;
use crate::run::subject::{CSubject, RunOptions};

const PROGRAM: &str = r#"
#include <stdlib.h>
#include <string.h>
static int table[4] = {3, 1, 4, 1};
static int odd(unsigned n) { return n == 0 ? 0 : n == 1 ? 1 : odd(n - 2); }
int go(unsigned what) {
  unsigned h = 0;
  char text[8] = "abcdefg";
  for (unsigned i = 0; i < 500; i++) h = h * 31 + (i ^ what % 7);
  if (table[what & 3] == 4) h++;
  if (odd(what & 15)) text[what & 7] = 'x';
  if (strchr(text, 'x') && what > 40) abort();
  if (what == 33) return 100 / (int)(what - 33);
  double part = what / 3.0;
  return part > 4.5 ? (int)h : 0;
}
"#;

fn runs(subject: &mut CSubject, terms: &mut Terms) -> Vec<Trace> {
    let var = terms.var("what", Sort::BitVec(32));
    let Op::Var(id) = terms.op(var) else { unreachable!("a variable") };
    let case = |what| {
        let mut case = TestCase::default();
        case.input.set_word(id, what);
        case
    };
    (0..50).map(|what| subject.run(&case(what), &[], terms).unwrap()).collect()
}

#[test]
fn both_codes_make_the_same_decisions() {
    let dir = tempfile::tempdir().unwrap();
    let mut subjects = [of_text(PROGRAM, "go", RunOptions::default(), dir.path())];
    let mut terms = Terms::new();
    assert!(!subjects[0].patience().is_over());
    let quick = runs(&mut subjects[0], &mut terms);
    while !subjects[0].patience().is_over() {
        runs(&mut subjects[0], &mut terms);
    }
    let exe = subjects[0].compiled().exe.clone();
    CSubject::speed_up(&mut subjects);
    assert_ne!(subjects[0].compiled().exe, exe);
    assert!(!subjects[0].patience().is_over(), "it is asked for once");
    let fast = runs(&mut subjects[0], &mut terms);
    assert!(quick.iter().any(|trace| matches!(trace.outcome, Outcome::Failed(_))));
    for (what, (quick, fast)) in quick.iter().zip(&fast).enumerate() {
        assert_eq!(quick.decisions, fast.decisions, "what = {what}");
        assert_eq!(quick.outcome, fast.outcome, "what = {what}");
        assert_eq!(quick.covered, fast.covered, "what = {what}");
    }
}

#[test]
fn addresses_and_threads_keep_the_code() {
    let called =
        "int go(int (*f)(int), int n) { for (int i = 0; i < 1000; i++) n += i; return f ? f(n) : n; } int inc(int n) { return n + 1; }";
    let threads = "#include <pthread.h>\nstatic void *run(void *p) { return p; }\nint go(int n) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return n; }";
    for text in [called, threads] {
        let dir = tempfile::tempdir().unwrap();
        assert!(!of_text(text, "go", RunOptions::default(), dir.path()).patience().ends(), "{text}");
    }
}
