//! Programs that do what programs should not: the search goes on, and says what happened.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

use crate::support::*;
use xcute_engine::{Options, Results};
use xcute_java::{JavaSubject, Jdk};

/// Classes that are compiled at once: T0, T1, and so on.
struct Classes {
    jdk: Jdk,
    folder: tempfile::TempDir,
}

impl Classes {
    fn new(bodies: &[&str]) -> Classes {
        let jdk = Jdk::find().unwrap();
        let text = |(n, body): (usize, &&str)| (format!("T{n}"), format!("import java.util.*;\nclass T{n} {{\n{body}\n}}"));
        let texts: Vec<_> = bodies.iter().enumerate().map(text).collect();
        let folder = compile_texts(&jdk, &texts);
        Classes { jdk, folder }
    }

    /// Searches a method of a class; how many JVMs that took.
    fn search(&self, class: usize, method: &str, options: &xcute_java::Options) -> (Results, u32) {
        let (results, subject) = self.searched(class, method, options);
        (results, subject.jvms())
    }

    /// The subject has run what the search asked for.
    fn searched(&self, class: usize, method: &str, options: &xcute_java::Options) -> (Results, JavaSubject) {
        let name = format!("T{class}");
        let program = program(&self.jdk, &self.folder.path().join(&name), &name, method);
        let mut subject = JavaSubject::start(program, &self.jdk, options.clone()).unwrap();
        let (results, log) = search(&mut subject, &self.jdk, Options { runs: 200, ..Options::default() });
        if std::env::var_os("VERBOSE").is_some() {
            println!("{}\n{:?}\n{:?}", log.join("\n"), results.limits, results.arms);
        }
        (results, subject)
    }
}

/// Searches a method of a class; how many JVMs that took.
fn searched(method: &str, body: &str, options: &xcute_java::Options) -> (Results, u32) {
    Classes::new(&[body]).search(0, method, options)
}

fn quick() -> xcute_java::Options {
    xcute_java::Options { events: 1 << 17, patience: std::time::Duration::from_millis(700), ..xcute_java::Options::default() }
}

fn kinds(results: &Results) -> Vec<(&str, bool)> {
    let mut kinds: Vec<_> = results.failures.iter().map(|f| (f.failure.kind.name(), f.confirmed)).collect();
    kinds.sort_unstable();
    kinds
}

fn limits(results: &Results) -> Vec<&str> {
    results.limits.keys().map(|limit| limit.kind.as_str()).collect()
}

#[test]
fn exits_end_a_run_and_nothing_else() {
    let body = "static int f(int x) { try { if (x == 3) System.exit(1); if (x == 4) Runtime.getRuntime().halt(2); } catch (Throwable t) { while (true); }
        finally { if (x == 9) throw new Error(); } return 1; }";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!((results.paths, results.complete, jvms), (4, true, 1), "{:?}", results.limits);
    assert_eq!(kinds(&results), [("uncaught-exception", true)]);
}

#[test]
fn exits_of_code_that_is_not_followed_take_the_jvm_along() {
    let body = "static int f(int x) throws Exception { if (x == 3) System.class.getMethod(\"exit\", int.class).invoke(null, 5); return x == 7 ? 1 : 2; }";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!((results.paths, kinds(&results), jvms), (3, vec![], 2), "{:?}", results.limits);
}

#[test]
fn endless_loops_are_hangs() {
    let body = "static int f(int x) { int n = 0; if (x == 5) while (true) n++;
 if (x == 6) while (true) { try { n++; } catch (Throwable t) { n--; } } return n; }";
    let (results, _) = searched("f", body, &quick());
    assert_eq!((results.paths, kinds(&results)), (3, vec![("hang", true), ("hang", true)]), "{:?}", results.limits);
}

#[test]
fn waiting_for_ever_is_a_hang_and_costs_a_jvm() {
    let body = "static void f(int x) throws Exception { Object o = new Object(); if (x == 5) synchronized (o) { Object.class.getMethod(\"wait\").invoke(o); } if (x == 6) n++; } static int n;";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!((kinds(&results), jvms), (vec![("hang", true)], 2), "{:?}", results.limits);
    // What is followed is known to wait for ever.
    let body = "static void f(int x) throws Exception { if (x == 5) new java.util.concurrent.PriorityBlockingQueue<Integer>().take(); if (x == 6) n++; } static int n;";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!((kinds(&results), jvms), (vec![("deadlock", true)], 1), "{:?}", results.limits);
}

#[test]
fn exhausted_stacks_are_found() {
    let body = "static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
        static int f(int x) { if (x == 5) return deep(-1); return deep(3); }
        static int caught(int x) { try { return f(x); } catch (StackOverflowError e) { return x == 8 ? 1 : 2; } }";
    let options = xcute_java::Options { events: 1 << 22, ..quick() };
    let classes = Classes::new(&[body]);
    let (results, _) = classes.search(0, "f", &options);
    assert_eq!((results.paths, results.complete, kinds(&results)), (2, true, vec![("stack-overflow", true)]), "{:?}", results.limits);
    let (results, _) = classes.search(0, "caught", &options);
    assert_eq!((kinds(&results), limits(&results)), (vec![], vec!["unsupported"]), "{:?}", results.limits);
}

#[test]
fn deep_recursion_is_followed() {
    let body = "static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); } static int f(int x) { return deep(4000) + x == 4077 ? 10 / (x - 77) : 1; }";
    let (results, _) = searched("f", body, &xcute_java::Options::default());
    assert_eq!((results.paths, results.complete, kinds(&results)), (2, true, vec![("division-by-zero", true)]), "{:?}", results.limits);
}

#[test]
fn exhausted_memory_is_a_budget() {
    let body = "static int f(int x) { if (x == 5) { List<int[]> all = new ArrayList<>(); while (true) all.add(new int[1 << 24]); } return x == 6 ? 1 : 2; }";
    let options = xcute_java::Options { heap: 128, garbage: 32 << 20, ..xcute_java::Options::default() };
    let (results, _) = searched("f", body, &options);
    assert_eq!((results.runs, kinds(&results), limits(&results)), (3, vec![], vec!["cut"]), "{:?}", results.limits);
}

#[test]
fn garbage_collections_in_a_run_change_nothing() {
    let body = "static class N { N next; int v; }
        static int f(int x) { N keep = null; for (int i = 0; i < 60; i++) { byte[] b = new byte[1 << 20]; N n = new N(); n.v = x + b[7]; n.next = keep; keep = n; }
        int s = 0; for (N n = keep; n != null; n = n.next) s += n.v; if (s == 600) throw new IllegalStateException(); return s; }";
    let options = xcute_java::Options { heap: 64, garbage: 16 << 20, ..xcute_java::Options::default() };
    let (results, jvms) = searched("f", body, &options);
    assert_eq!(
        (results.paths, results.complete, kinds(&results), jvms),
        (2, true, vec![("uncaught-exception", true)], 1),
        "{:?}",
        results.limits
    );
}

#[test]
fn a_jvm_that_crashes_is_replaced() {
    let body = "static int f(int x) throws Exception { if (x == 5) { java.lang.reflect.Field u = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
        u.setAccessible(true); ((sun.misc.Unsafe) u.get(null)).putLong(8, 1); } return x == 6 ? 1 : 2; }";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!((results.paths, kinds(&results), jvms), (3, vec![("signal", true)], 2), "{:?}", results.limits);
}

#[test]
fn static_state_is_fresh_in_every_run() {
    let body = "static int count; static final List<Integer> seen = new ArrayList<>(); static int[] table = {1, 2, 3};
        static void f(int x) { count++; seen.add(x); table[0]++; if (count != 1 || seen.size() != 1 || table[0] != 2) throw new Error(\"stale\");
        if (x == 5) throw new IllegalStateException(); if (x > 100) return; }";
    let (results, jvms) = searched("f", body, &quick());
    assert_eq!(
        (results.paths, results.complete, kinds(&results), jvms),
        (3, true, vec![("uncaught-exception", true)], 1),
        "{:?}",
        results.limits
    );
}

#[test]
fn static_initialisers_may_throw_and_may_depend_on_their_order() {
    let body = "static class Bad { static int v = Integer.parseInt(\"x\"); }
        static class A { static int x = B.y + 1; } static class B { static int y = A.x + 1; }
        static void f(int i) { if (i == 1) { int n = Bad.v; } }
        static void g(int i) { int s = i == 1 ? A.x * 10 + B.y : B.y * 100 + A.x; if (s == 21) throw new IllegalStateException(\"A first\");\n if (s == 201) throw new Error(\"B first\"); }";
    let classes = Classes::new(&[body]);
    let (results, _) = classes.search(0, "f", &quick());
    assert_eq!((results.paths, results.complete, kinds(&results)), (2, true, vec![("uncaught-exception", true)]), "{:?}", results.limits);
    let (results, _) = classes.search(0, "g", &quick());
    assert_eq!((results.paths, results.complete, results.confirmed().count()), (2, true, 2), "{:?} {:?}", results.limits, results.failures);
}

#[test]
fn a_loop_that_another_thread_ends_is_not_endless() {
    let locks = "static java.util.concurrent.atomic.AtomicBoolean a = new java.util.concurrent.atomic.AtomicBoolean(), b = new java.util.concurrent.atomic.AtomicBoolean();
        static void run(Runnable one, Runnable other) throws Exception { Thread t = new Thread(one), u = new Thread(other); t.start(); u.start(); t.join(); u.join(); }
        static void take() { while (!a.compareAndSet(false, true)) Thread.onSpinWait(); a.set(false); }
        static void swaps() throws Exception { run(T0::take, T0::take); }
        static void enter(java.util.concurrent.atomic.AtomicBoolean own, java.util.concurrent.atomic.AtomicBoolean other) {
            while (true) { own.set(true); if (!other.get()) break; own.set(false); } own.set(false); }
        static void polite() throws Exception { run(() -> enter(a, b), () -> enter(b, a)); }
        static boolean ready; static int n;
        static void plain() throws Exception { Thread t = new Thread(() -> { int i = 0; while (!ready && n == 0) i++; }); t.start(); ready = true; t.join(); }";
    let classes = Classes::new(&[locks]);
    for method in ["swaps", "polite", "plain"] {
        let (results, _) = classes.search(0, method, &quick());
        let endless = results.failures.iter().filter(|found| matches!(found.failure.kind.name(), "hang" | "livelock")).count();
        assert_eq!(endless, 0, "{method} {:?} {:?}", results.failures, results.limits);
        assert!(!results.complete || method != "polite", "{method}");
    }
}

#[test]
fn classes_are_loaded_again_only_where_initialisers_depend_on_each_other() {
    // As in java.util.regex: what an initialiser calls looks at the class that is initialised, inside of another initialiser.
    let own = "static int n; static class Node { Node next; Node() { next = Ends.last; } }
        static class Ends { static final Node last = new Node(), other = new Node(); }
        static class Outer { static final Node first = Ends.other; }
        static void f(int x) { if (Outer.first.next != Ends.last || n != 0) throw new Error(); n++; if (x > 3) n++; if (x > 5) Outer.first.next = null; if (x > 7) Ends.last.next = Ends.other; }";
    // Here it decides who was first, though nobody reads what is not there yet.
    let order =
        "static class A { static int x = B.y; static void touch() {} } static class B { static int y; static { A.touch(); y = 5; } }
        static void f(int i) { int s = i == 1 ? A.x * 10 + B.y : B.y * 100 + A.x; if (s == 55) throw new IllegalStateException(\"A first\");
        if (s == 500) throw new Error(\"B first\"); }";
    let classes = Classes::new(&[own, order]);
    let (results, subject) = classes.searched(0, "f", &quick());
    assert_eq!((results.paths, results.complete, kinds(&results)), (4, true, vec![]), "{:?}", results.limits);
    assert_eq!((subject.jvms(), subject.loads()), (1, 1));
    let (results, subject) = classes.searched(1, "f", &quick());
    assert_eq!((results.paths, results.complete, results.confirmed().count()), (2, true, 2), "{:?} {:?}", results.limits, results.failures);
    assert!(subject.loads() > 1);
}

#[test]
fn threads_are_followed_or_counted() {
    let joined = "static int n; static void f(int x) throws Exception { Thread t = new Thread(() -> n += x); t.start(); t.join(); if (n == 5) throw new Error(); }";
    let left = "static void f(int x) { if (x == 3) new Thread(() -> {}).start(); }";
    let future = "static void f(int x) { if (x == 3) java.util.concurrent.CompletableFuture.runAsync(() -> {}); }";
    let pooled = "static void f(int x) { if (x == 3) java.util.concurrent.ForkJoinPool.commonPool().submit(() -> {}); }";
    let other = "static class U extends Thread { public void start() { throw new Error(); } }
        static void f(int x) { Thread t = new U(); if (x == 3) t.start(); }";
    let timed = "static void f(int x) { if (x == 3) new java.util.concurrent.ScheduledThreadPoolExecutor(1).submit(() -> {}); }";
    let classes = Classes::new(&[joined, left, future, pooled, other, timed]);
    let (results, _) = classes.search(0, "f", &quick());
    assert_eq!((results.paths, results.complete, kinds(&results)), (2, true, vec![("uncaught-exception", true)]), "{:?}", results.limits);
    let (results, _) = classes.search(1, "f", &quick());
    assert_eq!((results.paths, results.complete, kinds(&results)), (2, true, vec![]), "{:?}", results.limits);
    let (results, _) = classes.search(2, "f", &quick());
    assert_eq!((results.complete, kinds(&results)), (true, vec![]), "{:?}", results.limits);
    let (results, _) = classes.search(3, "f", &quick());
    assert_eq!((results.complete, kinds(&results)), (true, vec![]), "{:?}", results.limits);
    let (results, _) = classes.search(5, "f", &quick());
    assert_eq!((results.complete, kinds(&results)), (true, vec![]), "{:?}", results.limits);
    let (results, _) = classes.search(4, "f", &quick());
    assert!(!results.complete && limits(&results).contains(&"unsupported"), "{:?}", results.limits);
}

#[test]
fn output_keeps_no_search_from_being_complete() {
    let body = "public String toString() { return \"T\" + n; } int n;
        static void f(int x) { T t = new T(); t.n = x; System.out.println(\"x = \" + x); System.out.println(t); System.out.printf(\"%d %s%n\", x, t); if (x == 7) throw new Error(\"\" + x * 1.5); }";
    let replaced = "static void g(int x) { var bytes = new java.io.ByteArrayOutputStream(); System.setOut(new java.io.PrintStream(bytes)); System.out.print(x); if (bytes.toString().equals(\"7\")) throw new Error(); }";
    let classes = Classes::new(&[&body.replace("T t = new T()", "T0 t = new T0()"), replaced]);
    let (results, _) = classes.search(0, "f", &quick());
    assert_eq!((results.complete, kinds(&results)), (true, vec![("uncaught-exception", true)]), "{:?}", results.limits);
    let (results, _) = classes.search(1, "g", &quick());
    assert!(!results.complete && limits(&results).contains(&"uninstrumented"), "{:?}", results.limits);
}

#[test]
fn what_reflection_does_is_counted() {
    let body = "int v; static int f(int x) throws Exception { T0 t = new T0(); t.v = x; int y = T0.class.getDeclaredField(\"v\").getInt(t); return y == 7 ? 1 : 2; }
        static int g(int x) throws Exception { return (Integer) T0.class.getDeclaredMethod(\"h\", int.class).invoke(null, x); } static int h(int x) { return x == 7 ? 1 : 2; }";
    let classes = Classes::new(&[body]);
    for method in ["f", "g"] {
        let (results, _) = classes.search(0, method, &quick());
        assert!(
            !results.complete && limits(&results).iter().any(|l| matches!(*l, "uninstrumented" | "unsupported")),
            "{:?}",
            results.limits
        );
    }
}
