//! Programs with threads are held to orders that are given by hand.
//!
//! Counting: while there are several threads, every load and store of memory that may be shared is a hook, also those of the handles that
//! `main` joins and of where `pthread_create` puts them.

use xcute_trace::{Frame, Note};

use super::super::tests::with;
use super::*;

fn frame(line: u32) -> Frame {
    Frame { function: "f".into(), file: "/somewhere/test.c".into(), line, ..Frame::default() }
}

fn failure(kind: FailureKind, lines: &[u32]) -> Failure {
    let note = |&line| Note { what: "other access".into(), at: frame(line) };
    let stack = lines.first().map(|&line| frame(line)).into_iter().collect();
    Failure {
        kind,
        message: String::new(),
        stack,
        notes: lines.iter().skip(1).map(note).collect(),
        interleaving: Vec::new(),
        values: Vec::new(),
    }
}

/// Steps as `"1.1 3"`, after `|` where threads are left.
fn schedule(order: &str) -> CaseSchedule {
    let (steps, waits) = order.split_once('|').unwrap_or((order, ""));
    let rows = |text: &str| -> Vec<(crate::cases::casefile::TaskName, u32)> {
        let pairs: Vec<&str> = text.split_whitespace().collect();
        let json: Vec<String> = pairs.chunks(2).map(|p| format!("[{:?}, {}]", p[0], p[1])).collect();
        serde_json::from_str(&format!("[{}]", json.join(","))).unwrap()
    };
    let step = |(task, hook)| xcute_threads::CaseStep { task, hook, arm: 0 };
    CaseSchedule { steps: rows(steps).into_iter().map(step).collect(), waits: rows(waits), ..CaseSchedule::default() }
}

/// The verdicts of this many replays.
fn replay(text: &str, failure: &Failure, order: &str, times: usize) -> Vec<Verdict> {
    with(text, |again| (0..times).map(|_| verdict(again, failure, &schedule(order))).collect())
}

fn verdict(again: &Again<'_>, failure: &Failure, schedule: &CaseSchedule) -> Verdict {
    let dir = again.program.dir.clone();
    confirm(&mut Ordered { again }, failure, schedule, &dir).unwrap().1
}

fn all(verdicts: &[Verdict], reproduced: bool) {
    for verdict in verdicts {
        assert_eq!(verdict.reproduced, reproduced, "{}", verdict.how);
    }
}

const START: &str = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\nint counter;\n";
const MAIN: &str = "\nint main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); check(); }\n";

const LOST: &str = "void *f(void *x) {\n  int old = counter;\n  counter = old + 1;\n  return x; }\nvoid *g(void *x) { return f(x); }\nvoid check(void) { assert(counter == 2); }";
const LOST_ORDER: &str = "1.1 1  1.2 1  1.1 2  1.2 2  1 3  1 5";

#[test]
fn a_lost_update_is_lost_every_time() {
    let text = format!("{START}{LOST}{MAIN}");
    all(&replay(&text, &failure(FailureKind::Assertion, &[]), LOST_ORDER, 20), true);
    // The same threads one after the other.
    let fine = replay(&text, &failure(FailureKind::Assertion, &[]), "1.1 1  1.1 2  1.2 1  1.2 2  1 3  1 5", 5);
    all(&fine, false);
    assert!(fine[0].how.contains("returns instead"), "{}", fine[0].how);
}

#[test]
fn a_race_is_reported_by_the_sanitizer_if_it_is_this_race() {
    let text = format!("{START}{LOST}{MAIN}");
    let verdict = &replay(&text, &failure(FailureKind::DataRace, &[7, 6]), LOST_ORDER, 1)[0];
    assert!(
        verdict.reproduced && verdict.how.contains("thread sanitizer reports it, with the threads in the recorded order"),
        "{}",
        verdict.how
    );
    all(&replay(&text, &failure(FailureKind::DataRace, &[7, 10]), LOST_ORDER, 1), false);
}

/// The same with the accesses of a race: the positions of two steps.
fn replay_race(text: &str, lines: &[u32], order: &str, race: (usize, usize)) -> Verdict {
    let schedule = CaseSchedule { race: Some(race), ..schedule(order) };
    with(text, |again| verdict(again, &failure(FailureKind::DataRace, lines), &schedule))
}

#[test]
fn threads_of_a_race_stand_before_their_accesses() {
    let text = format!("{START}{LOST}{MAIN}");
    let verdict = replay_race(&text, &[7, 6], LOST_ORDER, (1, 2));
    assert!(verdict.reproduced && verdict.how.contains("stand right before their accesses"), "{}", verdict.how);
    // Two reads, and two accesses of different memory.
    assert!(!replay_race(&text, &[6, 6], LOST_ORDER, (0, 1)).reproduced);
    let apart = "int other;\nvoid *f(void *x) { counter = 1; return x; }\nvoid *g(void *x) { other = 1; return x; }\nvoid check(void) {}";
    let verdict = replay_race(&format!("{START}{apart}{MAIN}"), &[6, 7], "1.1 1  1.2 1  1 3  1 5", (0, 1));
    assert!(!verdict.reproduced && verdict.how.contains("no memory in common"), "{}", verdict.how);
}

/// The sanitizer has long forgotten the first access when the second comes: the same thread, and others, went on to write there.
const FORGOTTEN: &str = "int flag;\nvoid *f(void *x) {\n  counter = 1;\n  counter = 2; counter = 3; counter = 4; counter = 5; counter = 6;\n  GUARD flag = 1; END return x; }\nvoid *g(void *x) { GUARD int seen = flag; END\n  if (seen) return (void *)(long)counter;\n  return x; }\nvoid check(void) {}";

#[test]
fn a_race_that_is_behind_a_flag_is_not_forgotten() {
    let plain = format!("#define GUARD\n#define END\n{START}{FORGOTTEN}{MAIN}");
    let order = "1.1 1  1.1 2  1.1 3  1.1 4  1.1 5  1.1 6  1.1 7  1.2 1  1.2 2  1 3  1 5";
    let verdict = replay_race(&plain, &[13, 9], order, (0, 8));
    assert!(verdict.reproduced && verdict.how.contains("finds nothing that orders the two accesses"), "{}", verdict.how);
    let guarded = format!("#define GUARD pthread_mutex_lock(&a);\n#define END pthread_mutex_unlock(&a);\n{START}{FORGOTTEN}{MAIN}");
    let order = "1.1 1  1.1 2  1.1 3  1.1 4  1.1 5  1.1 6  1.1 7  1.1 8  1.1 9  1.2 1  1.2 2  1.2 3  1.2 4  1 3  1 5";
    let verdict = replay_race(&guarded, &[13, 9], order, (0, 12));
    assert!(!verdict.reproduced && verdict.how.contains("are ordered"), "{}", verdict.how);
}

const DEADLOCK: &str = "void *f(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return x; }\nvoid *g(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return x; }\nvoid check(void) {}";

#[test]
fn a_deadlock_really_hangs() {
    let text = format!("{START}{DEADLOCK}{MAIN}");
    all(&replay(&text, &failure(FailureKind::Deadlock, &[]), "1.1 1  1.2 1 | 1 3  1.1 2  1.2 2", 3), true);
    let fine = "1.1 1  1.1 2  1.1 3  1.1 4  1.2 1  1.2 2  1.2 3  1.2 4  1 3  1 5";
    all(&replay(&text, &failure(FailureKind::Deadlock, &[]), fine, 1), false);
}

const WITHDRAW: &str = "int balance = 100;\nvoid *f(void *x) {\n  pthread_mutex_lock(&a); int seen = balance; pthread_mutex_unlock(&a);\n  if (seen >= 100) { pthread_mutex_lock(&a); balance -= 100; pthread_mutex_unlock(&a); }\n  return x; }\nvoid *g(void *x) { return f(x); }\nvoid check(void) { assert(balance >= 0); }";

#[test]
fn one_preemption_is_enough_and_is_repeated() {
    let text = format!("{START}{WITHDRAW}{MAIN}");
    let order = "1.1 1  1.1 2  1.1 3  1.2 1  1.2 2  1.2 3  1.2 4  1.2 5  1.2 6  1.2 7  1.1 4  1.1 5  1.1 6  1.1 7  1 3  1 5";
    all(&replay(&text, &failure(FailureKind::Assertion, &[]), order, 20), true);
}

const SIGNAL: &str = "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nvoid *f(void *x) { pthread_mutex_lock(&a); pthread_cond_wait(&c, &a); pthread_mutex_unlock(&a); return x; }\nvoid *g(void *x) { pthread_cond_signal(&c); return x; }\nvoid check(void) {}";

#[test]
fn a_signal_that_comes_too_early_is_lost() {
    let text = format!("{START}{SIGNAL}{MAIN}");
    all(&replay(&text, &failure(FailureKind::LostWakeup, &[]), "1.2 1  1.1 1  1.1 2 | 1.1 3  1 3", 1), true);
    let in_time = "1.1 1  1.1 2  1.2 1  1.1 3  1.1 4  1 3  1 5";
    all(&replay(&text, &failure(FailureKind::LostWakeup, &[]), in_time, 1), false);
}

#[test]
fn misused_locks_and_threads_are_seen() {
    let cases = [
        (
            FailureKind::BadUnlock,
            "void *f(void *x) { pthread_mutex_lock(&a); return x; }\nvoid *g(void *x) { pthread_mutex_unlock(&a); return x; }\nvoid check(void) {}",
            "1.1 1  1 3",
        ),
        (
            FailureKind::DestroyedInUse,
            "void *f(void *x) { pthread_mutex_lock(&a); return x; }\nvoid *g(void *x) { pthread_mutex_destroy(&a); return x; }\nvoid check(void) {}",
            "1.1 1  1.2 1 | 1 3",
        ),
        (
            FailureKind::BadJoin,
            "pthread_t s;\nvoid *f(void *x) { s = pthread_self(); return x; }\nvoid *g(void *x) { return x; }\nvoid check(void) { pthread_join(s, 0); }",
            "1 3  1 5",
        ),
    ];
    for (kind, text, order) in cases {
        all(&replay(&format!("{START}{text}{MAIN}"), &failure(kind, &[]), order, 1), true);
        all(&replay(&format!("{START}{LOST}{MAIN}"), &failure(kind, &[]), LOST_ORDER, 1), false);
    }
}

const CORRECT: &str = "void *f(void *x) { pthread_mutex_lock(&a); counter++; pthread_mutex_unlock(&a); return x; }\nvoid *g(void *x) { return f(x); }\nvoid check(void) { assert(counter == 2); }";

#[test]
fn a_correct_program_never_fails_and_a_wrong_order_is_told() {
    let text = format!("{START}{CORRECT}{MAIN}");
    for kind in [FailureKind::Assertion, FailureKind::DataRace, FailureKind::Deadlock] {
        all(&replay(&text, &failure(kind, &[]), "1.2 1  1.2 2  1.2 3  1.2 4  1.1 1  1.1 2  1.1 3  1.1 4  1 3  1 5", 1), false);
    }
    // Both threads have the lock at once: that cannot be.
    let wrong = replay(&text, &failure(FailureKind::Assertion, &[]), "1.1 1  1.2 1  1.1 2  1.2 2", 1);
    all(&wrong, false);
    assert!(wrong[0].how.contains("could not be kept"), "{}", wrong[0].how);
}

#[test]
fn what_others_did_after_the_end_of_main_is_repeated() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint done;\nvoid *f(void *x) { assert(!done); return x; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); done = 1; return 0; }\n";
    all(&replay(text, &failure(FailureKind::Assertion, &[]), "1 1  1.1 1", 5), true);
    all(&replay(text, &failure(FailureKind::Assertion, &[]), "1.1 1  1 1", 1), false);
}
