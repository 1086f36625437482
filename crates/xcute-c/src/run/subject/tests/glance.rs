//! Runs without a record against runs with one: they cover and fail alike, and leave nothing behind.

use fastrand::Rng;
use tempfile::TempDir;
use xcute_term::{Model, Terms};
use xcute_trace::{Outcome, Subject as _, TestCase};

use super::of_text;
use crate::run::subject::RunOptions;

/// Inputs of all kinds, and failures that depend on them.
const PROGRAM: &str = r#"
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
struct node { int value; struct node *next; };
struct bits { unsigned a : 3; int b : 7; unsigned c : 13; };
int f(bool flag, struct bits bits, char *text, struct node *list, double number, long wide, unsigned char bytes[4]) {
  int sum = 0, array[4] = {0};
  if (flag) sum++;
  if (bits.a == 5 && bits.b < 0) sum += 2;
  if (bits.c > 4000) sum += 4;
  for (; list && sum < 40; list = list->next) sum += list->value > 100 ? 8 : 1;
  if (text && text[0] == 'x') sum += strlen(text) > 1 ? 16 : 3;
  if (number > 2.5) sum += 5;
  if (wide % 7 == 3) array[wide % 5 + 5] = 1;
  if (sum == 9) abort();
  if (sum > 30) return 100 / (bytes[0] & 3);
  return sum + array[0];
}
"#;

/// A value for each input that is known, often one that matters.
fn changed(random: &mut Rng, input: &Model, terms: &Terms) -> Model {
    let mut changed = Model::new();
    for &(var, word) in input.words() {
        let bits = terms.info(var).sort.width().unwrap_or(1);
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let word = match terms.domain(var) {
            Some(domain) => domain[random.usize(..domain.len())],
            None if random.u32(..3) == 0 => word,
            None => [random.u64(..), random.u64(..8), 5, u64::from(b'x'), 4.0f64.to_bits()][random.usize(..5)] & mask,
        };
        changed.set_word(var, word);
    }
    changed
}

#[test]
fn a_glance_sees_what_a_run_does_and_leaves_nothing_behind() {
    let dir = TempDir::new().unwrap();
    let both = of_text(PROGRAM, "f", RunOptions::default(), dir.path()).times(2).unwrap();
    let [mut subject, mut plain] = both.try_into().ok().expect("two of them");
    let (mut terms, mut plain_terms) = (Terms::new(), Terms::new());
    let mut random = Rng::with_seed(3);
    let (mut input, mut failed, mut news) = (Model::new(), 0, 0);
    for _ in 0..400 {
        let case = TestCase { input: changed(&mut random, &input, &terms), ..TestCase::default() };
        let glance = subject.glance(&case, &mut terms).unwrap().expect("a program without threads");
        let twice = subject.glance(&case, &mut terms).unwrap().expect("a program without threads");
        assert_eq!(glance, twice);
        let trace = subject.run(&case, &[], &mut terms).unwrap();
        assert_eq!(glance.news, !trace.covered.is_empty());
        assert_eq!(glance.failure.is_some(), matches!(trace.outcome, Outcome::Failed(_)), "{:?}", trace.outcome);
        // The same case in a subject that makes no such runs.
        let renamed = plain.import(&subject.export(&case.input), &mut plain_terms);
        let alone = plain.run(&TestCase { input: renamed, ..TestCase::default() }, &[], &mut plain_terms).unwrap();
        assert_eq!((alone.outcome, alone.covered, alone.limits), (trace.outcome.clone(), trace.covered.clone(), trace.limits));
        let sites = |decisions: &[xcute_trace::Decision]| decisions.iter().map(|d| (d.site, d.kind, d.taken)).collect::<Vec<_>>();
        assert_eq!(sites(&alone.decisions), sites(&trace.decisions));
        (failed, news) = (failed + u32::from(glance.failure.is_some()), news + u32::from(glance.news));
        input = trace.input;
    }
    assert!(failed > 20 && news > 5, "{failed} failures, {news} times something new");
    assert!(subject.texts().iter().any(|text| text.len() == 8), "the characters of the string follow each other");
}
