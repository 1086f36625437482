//! Programs with threads: their steps, tasks, cells and choices; data races and deadlocks as a user sees them.

use xcute_race::{Causality, data_races};
use xcute_term::Terms;
use xcute_trace::{
    DecisionKind, End, Failure, FailureKind, Known as Promised, Operation, Outcome, SiteKind, Subject as _, Task, TestCase, Trace,
};

use super::prepared;
use crate::run::subject::{CSubject, RunOptions};

struct Program {
    subject: CSubject,
    terms: Terms,
    _dir: tempfile::TempDir,
}

impl Program {
    fn new(text: &str) -> Program {
        Program::of("a.c", &format!("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n{text}"))
    }

    fn of(file: &str, text: &str) -> Program {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join(file);
        std::fs::write(&source, text).unwrap();
        let subject = prepared(source, "main", RunOptions::default(), &dir.path().join("build"));
        Program { subject, terms: Terms::new(), _dir: dir }
    }

    fn run(&mut self, choices: &[(u32, u32)], asleep: &[u32], promise: &[Promised]) -> Trace {
        let mut case = TestCase::default();
        case.schedule.choices = choices.iter().map(|&(task, arm)| (Task(task), arm)).collect();
        case.schedule.asleep = asleep.iter().map(|&task| Task(task)).collect();
        self.subject.run(&case, promise, &mut self.terms).unwrap()
    }

    /// The data races of the last run.
    fn races(&mut self, trace: &Trace) -> Vec<Failure> {
        let record = &trace.concurrent.as_ref().unwrap().record;
        let found = data_races(&Causality::new(record));
        found.iter().filter_map(|race| self.subject.data_race(race.first, race.second, [&race.held[0], &race.held[1]])).collect()
    }
}

/// The steps of a run: the task and the first letters of the operation.
fn steps(trace: &Trace) -> Vec<(u32, String)> {
    let steps = &trace.concurrent.as_ref().unwrap().record.steps;
    let name = |operation: &Operation| format!("{operation:?}").split(['(', ' ']).next().unwrap_or_default().to_owned();
    steps.iter().map(|step| (step.task().0, name(&step.next().operation))).collect()
}

const COUNTER: &str = "
int x;
void *work(void *a) { int v = x; x = v + 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}";

#[test]
fn steps_tasks_and_choices_are_those_of_the_run() {
    let mut program = Program::new(COUNTER);
    let first = program.run(&[], &[], &[]);
    let concurrent = first.concurrent.as_deref().unwrap();
    assert!(!concurrent.outdated, "nobody was told of a run before");
    assert_eq!((&first.outcome, concurrent.record.end), (&Outcome::Passed, End::Finished));
    let text = |steps: &[(u32, String)]| steps.iter().map(|(task, what)| format!("{task} {what}")).collect::<Vec<_>>().join(", ");
    assert_eq!(text(&steps(&first)), "1 Read, 1 Write, 0 Join, 2 Read, 2 Write, 0 Join");
    let paths: Vec<Vec<u16>> = program.subject.tasks().into_iter().map(|id| id.0).collect();
    assert_eq!(paths, [vec![1], vec![1, 1], vec![1, 2]]);
    let options: Vec<u32> = concurrent.record.steps.iter().map(|step| step.options()).collect();
    assert_eq!(options.iter().filter(|options| **options > 1).count(), first.decisions.len());
    let site = first.decisions[0].site;
    assert_eq!(program.subject.sites().get(site).kind, SiteKind::Schedule);
    assert!(first.decisions.iter().all(|decision| decision.kind == DecisionKind::Schedule && decision.site == site));
    assert_eq!(concurrent.before.len(), options.len());
    let again = program.run(&[], &[], &[]);
    assert_eq!(again, Trace { covered: Vec::new(), reached: Vec::new(), ..first.clone() }, "the same case gives the same trace");
    assert_eq!(first.schedule().choices.len(), first.decisions.len());
}

#[test]
fn a_schedule_is_followed_and_a_promise_compared() {
    let mut program = Program::new(COUNTER);
    let first = program.run(&[], &[], &[]);
    // 1.1 reads, 1.2 reads and writes, 1.1 writes.
    let lost = program.run(&[(1, 0), (2, 0), (2, 0)], &[], &[]);
    let Outcome::Failed(failure) = &lost.outcome else { panic!("{:?}", lost.outcome) };
    assert_eq!(failure.kind, FailureKind::Assertion);
    let told: Vec<String> = failure.interleaving.iter().map(|h| format!("{} {}", h.task, h.what)).collect();
    let accesses = ["1.1 reads `x` = 0", "1.2 reads `x` = 0", "1.2 writes `x` = 1", "1.1 writes `x` = 1"];
    let expected = [&["1.1 runs work", "1.2 runs work"][..], &accesses, &["1 joins 1.1", "1 joins 1.2"]].concat();
    assert_eq!(told[..8], expected, "{told:?}");
    assert!(failure.interleaving.iter().all(|h| h.at.file.ends_with("a.c") && h.at.line > 0), "{:?}", failure.interleaving);
    let promise: Vec<Promised> = lost.decisions.iter().map(|d| Promised { site: d.site, taken: d.taken }).collect();
    let schedule: Vec<(u32, u32)> = lost.schedule().choices.iter().map(|(task, arm)| (task.0, *arm)).collect();
    let again = program.run(&schedule, &[], &promise);
    assert_eq!((again.known, again.decisions.len(), &again.outcome), (promise.len(), 0, &lost.outcome));
    assert_eq!(again.concurrent, lost.concurrent);
    // Task 0 cannot run here: the run goes its own way and leaves its promise.
    let strayed = program.run(&[(0, 0)], &[], &[promise[0]]);
    assert_eq!((strayed.known, steps(&strayed)), (0, steps(&first)));
    // Whoever sleeps is not let run.
    let asleep = program.run(&[(2, 0)], &[1], &[]);
    let ran = steps(&asleep);
    assert_eq!((ran[0].0, ran[1].0), (2, 2), "{ran:?}");
}

#[test]
fn data_races_are_told_with_both_accesses() {
    let mut program = Program::new(COUNTER);
    let trace = program.run(&[], &[], &[]);
    let races = program.races(&trace);
    let messages: Vec<&str> = races.iter().map(|race| race.message.as_str()).collect();
    assert!(messages.contains(&"`x` is written by thread 1.1 and read by 1.2, and nothing orders them"), "{messages:?}");
    let race = &races[0];
    assert_eq!((race.kind, race.notes[0].what.as_str()), (FailureKind::DataRace, "other access"));
    assert_eq!(race.stack[0].function, "work");
    assert!(race.notes.iter().any(|note| note.what == "no lock is held at either"), "{:?}", race.notes);
    assert_eq!(race.interleaving.iter().filter(|h| h.marked).count(), 2);
}

#[test]
fn cells_are_the_pieces_of_what_is_accessed() {
    let mut program = Program::new(
        "union { int whole; short half[2]; } u; int y; _Atomic int z;
         void *work(void *a) { u.whole = 1; y = 1; z++; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); u.half[1] = 2; y = 3; z = 1; pthread_join(t, 0); return 0; }",
    );
    let trace = program.run(&[], &[], &[]);
    let steps = &trace.concurrent.as_ref().unwrap().record.steps;
    let cells: Vec<(u32, u32)> = steps
        .iter()
        .filter_map(|step| match step.next().operation {
            Operation::Write(at) | Operation::Store(at) | Operation::Update(at) => Some((step.task().0, at.count)),
            _ => None,
        })
        .collect();
    assert_eq!(cells, [(0, 1), (0, 1), (0, 1), (1, 2), (1, 1), (1, 1)], "{steps:?}");
    let races: Vec<String> = program.races(&trace).into_iter().map(|race| race.message).collect();
    assert_eq!(races.len(), 2, "not of the atomic: {races:?}");
}

#[test]
fn a_deadlock_names_who_waits_for_what_and_where() {
    let mut program = Program::new(
        "struct { int n; pthread_mutex_t lock; } account[2] = {{0, PTHREAD_MUTEX_INITIALIZER}, {0, PTHREAD_MUTEX_INITIALIZER}};
         void *work(void *a) {
           long from = (long)a;
           pthread_mutex_lock(&account[from].lock);
           pthread_mutex_lock(&account[1 - from].lock);
           pthread_mutex_unlock(&account[1 - from].lock);
           pthread_mutex_unlock(&account[from].lock);
           return 0;
         }
         int main(void) {
           pthread_t t, u;
           pthread_create(&t, 0, work, (void *)0);
           pthread_create(&u, 0, work, (void *)1);
           pthread_join(t, 0);
           pthread_join(u, 0);
           return 0;
         }",
    );
    assert_eq!(program.run(&[], &[], &[]).outcome, Outcome::Passed);
    let trace = program.run(&[(1, 0), (2, 0)], &[], &[]);
    let Outcome::Failed(failure) = &trace.outcome else { panic!("{:?}", trace.outcome) };
    assert_eq!(failure.kind, FailureKind::Deadlock);
    let message = "thread 1.1 waits for `account[1].lock`, which 1.2 has; 1.2 waits for `account[0].lock`, which 1.1 has";
    assert_eq!(failure.message, message);
    assert_eq!((failure.stack[0].function.as_str(), failure.stack[0].line), ("work", 8));
    let notes: Vec<(&str, u32)> = failure.notes.iter().map(|note| (note.what.as_str(), note.at.line)).collect();
    assert!(notes.contains(&("thread 1.1 holds `account[0].lock`", 7)), "{notes:?}");
    assert!(notes.contains(&("thread 1.2 waits for `account[0].lock`", 8)), "{notes:?}");
    assert_eq!(failure.interleaving.last().map(|h| (h.marked, h.at.line)), Some((true, 8)), "{:?}", failure.interleaving);
}

#[test]
fn a_loop_that_waits_is_one_step_and_a_livelock_if_nothing_changes() {
    let mut program = Program::new(
        "atomic_int ready; int never;
         void *work(void *a) { while (!ready); if (a) while (!never); return 0; }
         int run(void *a) { pthread_t t; pthread_create(&t, 0, work, a); ready = 1; pthread_join(t, 0); return 0; }
         int main(void) { run(0); return run(\"\"); }",
    );
    let trace = program.run(&[], &[], &[]);
    let Outcome::Failed(failure) = &trace.outcome else { panic!("{:?} {:?}", trace.outcome, steps(&trace)) };
    assert_eq!(failure.kind, FailureKind::Livelock, "{failure:?}");
    assert_eq!(failure.message, "thread 1.2 waits for a change of `never`");
    assert!(steps(&trace).len() < 12, "{:?}", steps(&trace));
}

#[test]
fn a_loop_that_tries_waits_between_two_attempts() {
    let lock = |body: &str| {
        format!(
            "atomic_flag flag = ATOMIC_FLAG_INIT; atomic_int word; int x;
             void *work(void *a) {{ {body} return 0; }}
             int main(void) {{ pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0);
               pthread_join(t, 0); pthread_join(u, 0); assert(x == 2); return 0; }}"
        )
    };
    let bodies = [
        "while (atomic_flag_test_and_set(&flag)); x++; atomic_flag_clear(&flag);",
        "int e = 0; while (!atomic_compare_exchange_weak(&word, &e, 1)) e = 0; x++; word = 0;",
    ];
    for body in bodies {
        let mut program = Program::new(&lock(body));
        // 1.1 takes the lock; 1.2 tries, and is not let run before it is free.
        program.run(&[], &[], &[]);
        let trace = program.run(&[(1, 0), (2, 0), (2, 0)], &[], &[]);
        assert_eq!(trace.outcome, Outcome::Passed, "{:?}", steps(&trace));
        let waits = steps(&trace).iter().filter(|step| **step == (2, "Await".to_owned())).count();
        assert_eq!(waits, 1, "{:?}", steps(&trace));
    }
}

#[test]
fn symbolic_values_go_from_thread_to_thread() {
    let mut program = Program::new(
        "#include <xcute.h>
         pthread_key_t key; _Thread_local int own = 5;
         void *work(void *a) { own++; pthread_setspecific(key, a); return pthread_getspecific(key); }
         int main(void) {
           long n; pthread_t t; void *result;
           xcute_input(n);
           pthread_key_create(&key, 0);
           pthread_create(&t, 0, work, (void *)n);
           pthread_join(t, &result);
           if ((long)result == 77) return 1;
           assert(own == 5);
           return 0;
         }",
    );
    let trace = program.run(&[], &[], &[]);
    assert_eq!((&trace.outcome, trace.limits.len()), (&Outcome::Passed, 0), "{:?}", trace.limits);
    let branches: Vec<_> = trace.decisions.iter().filter(|decision| decision.kind == DecisionKind::Branch).collect();
    assert_eq!(branches.len(), 1, "{:?}", trace.decisions);
    let before = &trace.concurrent.as_ref().unwrap().before;
    assert!(before.iter().all(|before| *before as usize <= trace.decisions.len()));
}

#[test]
fn threads_of_cpp_are_threads() {
    let mut program = Program::of(
        "a.cpp",
        "#include <atomic>
         #include <cassert>
         #include <mutex>
         #include <thread>
         int x; std::mutex m; thread_local int own = 3; std::atomic<bool> go;
         int main() {
           std::thread t([] {
             while (!go.load()) std::this_thread::yield();
             std::lock_guard<std::mutex> guard(m);
             x++, own++;
           });
           go = true;
           { std::lock_guard<std::mutex> guard(m); x += 2; own = 7; }
           t.join();
           assert(x == 3 && own == 7);
           return 0;
         }",
    );
    let first = program.run(&[], &[], &[]);
    assert_eq!(first.outcome, Outcome::Passed, "{:?}", steps(&first));
    assert!(program.races(&first).is_empty());
    // The thread looks once, and does not look again before something changed.
    let waits = program.run(&[(1, 0)], &[], &[]);
    let awaits = steps(&waits).iter().filter(|(task, what)| *task == 1 && what == "Await").count();
    assert_eq!((&waits.outcome, awaits), (&Outcome::Passed, 1), "{:?}", steps(&waits));
    assert_eq!(steps(&waits).len(), steps(&first).len() + 1);
}
