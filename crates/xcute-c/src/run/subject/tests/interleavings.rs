//! Programs with threads, in all interleavings: as many as there are, and with the outcomes that there are.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use xcute_term::Terms;
use xcute_trace::{End, Outcome, Schedule, Subject as _, Task, TestCase, Trace};

use super::of_text;
use crate::run::subject::{CSubject, RunOptions};

fn subject(source: &str, dir: &Path) -> CSubject {
    of_text(source, "main", RunOptions { patience: Duration::from_secs(2), fuel: 1_000_000, ..RunOptions::default() }, dir)
}

fn run(subject: &mut CSubject, terms: &mut Terms, choices: &[Choice], asleep: &[Task]) -> Trace {
    let schedule = Schedule { choices: choices.to_vec(), asleep: asleep.to_vec(), ..Schedule::default() };
    subject.run(&TestCase { schedule, ..TestCase::default() }, &[], terms).unwrap()
}

/// A task and its arm.
type Choice = (Task, u32);

/// The choices that a run made where it could choose, and the ways it had at each.
fn choices(trace: &Trace) -> Vec<(Choice, Vec<Choice>)> {
    let Some(concurrent) = &trace.concurrent else { return Vec::new() };
    let steps = concurrent.record.steps.iter().filter(|step| step.options() > 1);
    let ways = |step: &xcute_trace::Step| step.enabled.iter().flat_map(|n| (0..n.arms.max(1)).map(move |arm| (n.task, arm))).collect();
    steps.map(|step| ((step.task(), step.arm), ways(step))).collect()
}

fn outcome(trace: &Trace) -> String {
    match &trace.outcome {
        Outcome::Failed(failure) => format!("{:?}", failure.kind),
        other => format!("{other:?}"),
    }
}

/// How many interleavings end in what way.
fn all(source: &str) -> BTreeMap<String, usize> {
    let dir = tempfile::tempdir().unwrap();
    let mut subject = subject(source, dir.path());
    let mut terms = Terms::new();
    // What is shared is known after some runs.
    while run(&mut subject, &mut terms, &[], &[]).concurrent.is_some_and(|c| c.outdated) {}
    let mut outcomes = BTreeMap::new();
    let mut open: Vec<Vec<Choice>> = vec![Vec::new()];
    while let Some(prefix) = open.pop() {
        let trace = run(&mut subject, &mut terms, &prefix, &[]);
        let made = choices(&trace);
        assert!(made.iter().map(|(choice, _)| choice).zip(&prefix).all(|(a, b)| a == b), "the plan is followed");
        assert!(!trace.concurrent.as_ref().is_some_and(|c| c.outdated || c.record.end != End::Finished), "{trace:?}");
        *outcomes.entry(outcome(&trace)).or_default() += 1;
        for (at, (choice, ways)) in made.iter().enumerate().skip(prefix.len()) {
            for other in ways.iter().filter(|way| *way != choice) {
                open.push(made[..at].iter().map(|(choice, _)| *choice).chain([*other]).collect());
            }
        }
        assert!(open.len() < 20_000, "there is an end");
    }
    assert_eq!(subject.processes(), 1, "no run costs a process");
    outcomes
}

fn expect(source: &str, outcomes: &[(&str, usize)]) {
    let expected: BTreeMap<String, usize> = outcomes.iter().map(|(what, n)| ((*what).to_owned(), *n)).collect();
    assert_eq!(all(source), expected);
}

/// Two threads with these bodies, and what main does after they are joined.
fn two(globals: &str, first: &str, second: &str, last: &str) -> String {
    format!(
        "#include <assert.h>
         #include <pthread.h>
         #include <stdlib.h>
         {globals}
         void *first(void *a) {{ {first} return a; }}
         void *second(void *a) {{ {second} return a; }}
         int main(void) {{
           pthread_t a, b;
           pthread_create(&a, 0, first, 0);
           pthread_create(&b, 0, second, 0);
           pthread_join(a, 0);
           pthread_join(b, 0);
           {last}
           return 0;
         }}"
    )
}

#[test]
fn a_racy_counter_is_wrong_in_four_of_six_interleavings() {
    // Main's first join comes before or after what the second thread does then: 10 in all.
    let add = "int x = c; c = x + 1;";
    expect(&two("int c;", add, add, "assert(c == 2);"), &[("Assertion", 6), ("Passed", 4)]);
}

#[test]
fn locks_in_opposite_order() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;";
    let take = |a: &str, b: &str| {
        format!("pthread_mutex_lock(&{a}); pthread_mutex_lock(&{b}); pthread_mutex_unlock(&{b}); pthread_mutex_unlock(&{a});")
    };
    expect(&two(globals, &take("m", "n"), &take("n", "m"), ""), &[("Deadlock", 2), ("Passed", 11)]);
}

#[test]
fn a_failure_ends_only_its_thread_and_frees_what_it_has() {
    let globals = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let first = "pthread_mutex_lock(&m); *(volatile int *)8 = 1;";
    let second = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);";
    let found = all(&two(globals, first, second, "abort();"));
    assert_eq!(found.keys().collect::<Vec<_>>(), ["NullAccess"], "{found:?}");
}

#[test]
fn misuse_is_a_failure() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let locked = "pthread_mutex_lock(&m);";
    let found = all(&two(globals, locked, "pthread_mutex_unlock(&m);", ""));
    assert_eq!(found.keys().collect::<Vec<_>>(), ["BadUnlock"], "{found:?}");
    expect(&two("", "", "", "pthread_join(a, 0);"), &[("BadJoin", 1)]);
    expect(&two(globals, locked, "", "pthread_mutex_destroy(&m);"), &[("DestroyedInUse", 1)]);
}

#[test]
fn main_waits_for_nobody() {
    let spawn = "#include <pthread.h>
         #include <stdlib.h>
         int x;
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *go(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); BODY; return a; }
         int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, go, 0); x = 2; END; }";
    expect(&spawn.replace("BODY", "").replace("END", "return 0"), &[("Passed", 1)]);
    expect(&spawn.replace("BODY", "abort()").replace("END", "pthread_mutex_unlock(&m); exit(3)"), &[("Abort", 1)]);
    // The unwinder, which pthread_exit calls, has a lock of its own: how many interleavings that makes is the library's affair.
    let left = all(&spawn.replace("BODY", "").replace("END", "pthread_mutex_unlock(&m); pthread_exit(0)"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["Passed"], "{left:?}");
    expect(&spawn.replace("BODY", "").replace("END", "pthread_exit(0)"), &[("Deadlock", 1)]);
}
