//! Programs whose threads are many, endless or stuck: the tool does not hang, and says what it saw.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{told, xcute};

const HEAD: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#define EACH(i, n) for (long i = 0; i < (n); i++)
";

/// Runs `main` of a program; it must come back in time, with exit code 1 iff there are failures.
fn run(body: &str, arguments: &[&str], most: Duration) -> Value {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), format!("{HEAD}{body}")).unwrap();
    let start = Instant::now();
    let output = xcute(&place, &[arguments, &["--", "-w"]].concat());
    let summary = told(&output);
    assert!(start.elapsed() < most, "{:?}: {summary}", start.elapsed());
    let failures = summary["failures"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!failures.is_empty())), "{summary}");
    summary
}

fn kinds(summary: &Value) -> BTreeSet<&str> {
    summary["failures"].as_array().unwrap().iter().filter_map(|failure| failure["kind"].as_str()).collect()
}

const MINUTE: Duration = Duration::from_secs(60);

/// Far too many interleavings for any search: it is cut off by its budget, and says so.
#[test]
fn ten_threads_of_a_thousand_accesses() {
    let summary = run(
        "static _Atomic int n;
         static void *count(void *unused) { EACH(i, 1000) n++; return 0; }
         int main(void) { pthread_t t[10]; EACH(i, 10) pthread_create(&t[i], 0, count, 0); EACH(i, 10) pthread_join(t[i], 0); assert(n == 10000); }",
        &["--time", "5s"],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"]), (BTreeSet::new(), &false.into()), "{summary}");
    assert!(summary["paths"].as_u64() >= Some(2), "{summary}");
    // The same without order in it: the race is found in the first run.
    let summary = run(
        "static int n;
         static void *count(void *unused) { EACH(i, 500) n++; return 0; }
         int main(void) { pthread_t t[10]; EACH(i, 10) pthread_create(&t[i], 0, count, 0); EACH(i, 10) pthread_join(t[i], 0); }",
        &["--time", "5s", "--stop-at", "first-failure"],
        MINUTE,
    );
    assert_eq!(kinds(&summary), BTreeSet::from(["data-race"]), "{summary}");
}

#[test]
fn two_hundred_threads() {
    let body = "static _Atomic int n;
         static void *once(void *unused) { n++; return 0; }";
    // One after the other: there is one order.
    let summary = run(
        &format!(
            "{body} int main(void) {{ EACH(i, 200) {{ pthread_t t; pthread_create(&t, 0, once, 0); pthread_join(t, 0); }} assert(n == 200); }}"
        ),
        &[],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"], &summary["paths"]), (BTreeSet::new(), &true.into(), &1.into()), "{summary}");
    // All at once: 200! orders.
    let summary = run(
        &format!(
            "{body} int main(void) {{ static pthread_t t[200]; EACH(i, 200) pthread_create(&t[i], 0, once, 0); EACH(i, 200) pthread_join(t[i], 0); assert(n == 200); }}"
        ),
        &["--runs", "300"],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"], &summary["runs"]), (BTreeSet::new(), &false.into(), &300.into()), "{summary}");
}

#[test]
fn more_threads_than_there_can_be() {
    let summary = run(
        "static void *nothing(void *unused) { return 0; }
         int main(void) { int made = 0; pthread_t t; while (made < 100000 && pthread_create(&t, 0, nothing, 0) == 0) made++; assert(made > 100); }",
        &["--runs", "5"],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"]), (BTreeSet::new(), &false.into()), "{summary}");
}

#[test]
fn threads_that_never_end() {
    // By itself.
    let summary = run(
        "static void *turn(void *unused) { volatile long i = 0; for (;;) i++; }
         int main(void) { pthread_t t; pthread_create(&t, 0, turn, 0); pthread_join(t, 0); }",
        &["--steps", "200000"],
        MINUTE,
    );
    assert_eq!(kinds(&summary), BTreeSet::from(["hang"]), "{summary}");
    // While main returns: what others do then is over with it, and no failure.
    let summary = run(
        "static _Atomic int n;
         static void *turn(void *unused) { for (;;) n++; }
         int main(void) { pthread_t t; pthread_create(&t, 0, turn, 0); return n > 3; }",
        &["--runs", "20", "--steps", "200000"],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"]), (BTreeSet::new(), &false.into()), "{summary}");
    // Waiting for what nobody does.
    let summary = run(
        "static _Atomic int go;
         static void *turn(void *unused) { while (!go) {} return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, turn, 0); pthread_join(t, 0); }",
        &[],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"]), (BTreeSet::from(["livelock"]), &true.into()), "{summary}");
}

#[test]
fn a_deadlock_in_the_first_step() {
    let summary = run(
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         static void *lock(void *unused) { pthread_mutex_lock(&m); return 0; }
         int main(void) { pthread_mutex_lock(&m); pthread_t t; pthread_create(&t, 0, lock, 0); pthread_join(t, 0); }",
        &[],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"]), (BTreeSet::from(["deadlock"]), &true.into()), "{summary}");
    // Without any thread but the first.
    let summary = run(
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         static void *nothing(void *unused) { return 0; }
         int main(int argc, char **argv) { pthread_t t; pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_create(&t, 0, nothing, 0); }",
        &[],
        MINUTE,
    );
    assert_eq!(kinds(&summary), BTreeSet::from(["deadlock"]), "{summary}");
}

#[test]
fn mutexes_destroyed_and_used_again() {
    let summary = run(
        "static int n;
         static void *count(void *m) { pthread_mutex_lock(m); n++; pthread_mutex_unlock(m); return 0; }
         int main(void) {
           pthread_mutex_t *m = malloc(sizeof *m);
           EACH(round, 20) {
             pthread_t t;
             pthread_mutex_init(m, 0);
             pthread_create(&t, 0, count, m);
             pthread_join(t, 0);
             pthread_mutex_destroy(m);
           }
           free(m);
           EACH(round, 3) {
             pthread_t t[2];
             m = malloc(sizeof *m);
             pthread_mutex_init(m, 0);
             EACH(i, 2) pthread_create(&t[i], 0, count, m);
             EACH(i, 2) pthread_join(t[i], 0);
             pthread_mutex_destroy(m);
             free(m);
           }
           assert(n == 26);
         }",
        &[],
        MINUTE,
    );
    assert_eq!((kinds(&summary), &summary["complete"], &summary["paths"]), (BTreeSet::new(), &true.into(), &8.into()), "{summary}");
}

/// Threads that end in every way there is.
#[test]
fn ends() {
    let summary = run(
        "static int how;
         static void *end(void *unused) {
           switch (how) {
             case 1: pthread_exit(0);
             case 2: exit(0);
             case 3: _exit(0);
             case 4: abort();
             case 5: *(volatile int *)0 = 1;
             case 6: return (void *)(long)(1 / (how - 6));
             case 7: pthread_cancel(pthread_self()); pthread_testcancel();
             case 8: assert(how != 8);
           }
           return 0;
         }
         int f(int x) { how = x; pthread_t t; pthread_create(&t, 0, end, 0); pthread_join(t, 0); return 0; }
         int main(void) { return 0; }",
        &["--entry", "f"],
        MINUTE,
    );
    assert_eq!(kinds(&summary), BTreeSet::from(["abort", "assertion", "division-by-zero", "null-access"]), "{summary}");
    // Eight cases and none of them.
    assert_eq!((&summary["complete"], &summary["paths"]), (&true.into(), &9.into()), "{summary}");
}
