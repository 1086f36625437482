//! What a search must never call complete: programs whose paths depend on something that is not an input.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

use crate::support::*;
use xcute_engine::{Options, Results};
use xcute_java::{JavaSubject, Jdk};

/// Statements, and what must be named because of each.
const OUTSIDE: &[(&str, &str)] = &[
    ("y(System.nanoTime() == 5)", "java.lang.System.nanoTime"),
    ("y(System.currentTimeMillis() % 2 == 7)", "java.lang.System.currentTimeMillis"),
    ("y(Math.random() > 2)", "java.lang.Math.random"),
    ("y(new Random().nextInt() == 5)", "java.lang.System.nanoTime"),
    ("y(java.util.concurrent.ThreadLocalRandom.current().nextInt() == 5)", "java.util.concurrent.ThreadLocalRandom.nextInt"),
    ("y(UUID.randomUUID().toString().equals(\"5\"))", "java.util.UUID.randomUUID"),
    ("y(new Object().hashCode() == 5)", "java.lang.Object.hashCode"),
    ("y(System.identityHashCode(new Object()) == 5)", "java.lang.System.identityHashCode"),
    ("y(new Object().toString().equals(\"5\"))", "java.lang.Object.toString"),
    ("y(System.getenv(\"XCUTE_NONE\") != null)", "java.lang.System.getenv"),
    ("y(System.getProperty(\"xcute.none\") != null)", "java.lang.System.getProperty"),
    ("y(Boolean.getBoolean(\"xcute.none\"))", "java.lang.Boolean.getBoolean"),
    ("y(new java.io.File(\"/xcute-none\").exists())", "java.io.File.exists"),
    ("y(System.in.read() == 5)", "java.io.BufferedInputStream.read"),
    ("y(new Scanner(System.in).hasNext())", "java.util.Scanner.hasNext"),
    ("y(new Date().getTime() == 5)", "java.util.Date.<init>"),
    ("y(java.time.LocalDate.now().getYear() == 5)", "java.lang.System.currentTimeMillis"),
    ("y(Runtime.getRuntime().availableProcessors() == 77)", "java.lang.Runtime.availableProcessors"),
    ("y(Locale.getDefault().getCountry().equals(\"XX\"))", "java.util.Locale.getDefault"),
    ("y(ProcessHandle.current().pid() == 5)", "java.lang.ProcessHandleImpl.pid"),
    ("y(new java.net.Socket().isBound())", "java.net.Socket.isBound"),
    ("y(new Throwable().getStackTrace().length == 5)", "java.lang.Throwable.getStackTrace"),
    ("for (int i : Set.of(1, 2, 3)) y(i == z)", "the order of the elements of Set.of and Map.of"),
];

/// Statements that compute.
const INSIDE: &[&str] = &[
    "y(new Random(7).nextInt() == 5)",
    "y(new HashMap<Integer, Integer>().containsKey(z))",
    "y(List.of(1, 2, z).get(2) == 7)",
    "y(Set.of(1, 2, 3).contains(5))",
    "try { throw new IllegalStateException(\"v\" + (z > 3)); } catch (IllegalStateException e) { y(e.getMessage().equals(\"vtrue\")); }",
    "y(new java.math.BigInteger(\"12\").intValue() == 12)",
    "y(java.time.LocalDate.of(2020, 1, 1).getYear() == 5)",
];

fn searched<'a>(statements: impl Iterator<Item = &'a str>) -> Results {
    let jdk = Jdk::find().unwrap();
    let cases: String = statements.enumerate().map(|(n, statement)| format!("case {n}: {statement}; break;\n")).collect();
    let text = format!(
        "import java.util.*;\nclass T {{\nstatic int n; static void y(boolean b) {{ if (b) n++; }}\n\
         static void f(int x, int z) throws Exception {{ switch (x) {{\n{cases}}} }} }}"
    );
    let folder = compile_text(&jdk, "T", &text);
    let program = program(&jdk, &folder.path().join("out"), "T", "f");
    let mut subject = JavaSubject::start(program, &jdk, xcute_java::Options::default()).unwrap();
    search(&mut subject, &jdk, Options { runs: 500, ..Options::default() }).0
}

#[test]
fn what_depends_on_anything_but_inputs_is_named() {
    let results = searched(OUTSIDE.iter().map(|outside| outside.0));
    let named: Vec<&str> = results.limits.keys().filter(|limit| limit.incomplete).map(|limit| limit.what.as_str()).collect();
    let missing: Vec<_> = OUTSIDE.iter().filter(|(_, name)| !named.iter().any(|what| what.starts_with(name))).collect();
    assert!(missing.is_empty() && !results.complete, "{missing:?}\n{named:?}");
}

#[test]
fn what_computes_keeps_no_search_from_being_complete() {
    let results = searched(INSIDE.iter().copied());
    assert!(results.complete, "{} runs, {:?} {:?}", results.runs, results.limits, results.arms);
}

/// Methods of one class; whether a search may be complete, and how many failures there are.
const CLASSES: &[(&str, bool, usize)] = &[
    ("(Object o) { if (o instanceof ArrayList) throw new Error(); }", false, 0),
    ("(CharSequence o) { if (o != null && o.length() == 1000) throw new Error(); }", false, 0),
    ("(Object o) { if (o != null && o.getClass() == Thread.class) throw new Error(); }", false, 0),
    // Nothing depends on the class here, and then all classes are there.
    ("(Object o, Object p) { if (o == p && o != null) throw new Error(); }", true, 1),
    ("(A a) { if (a != null && a.getClass() == B.class) throw new Error(); }", true, 1),
    // Objects whose end is noticed at some time.
    ("(int x) { if (x == 3) new Ends(); }", false, 0),
];

#[test]
fn classes_that_are_not_tried_are_named_where_they_matter() {
    let jdk = Jdk::find().unwrap();
    let methods: String = CLASSES.iter().enumerate().map(|(n, (body, ..))| format!("static void f{n}{body}\n")).collect();
    let nested = "static class A {} static class B extends A {} static class Ends { protected void finalize() { } }";
    let folder = compile_text(&jdk, "T", &format!("import java.util.*;\nclass T {{ {methods}{nested} }}"));
    for (n, (body, complete, failures)) in CLASSES.iter().enumerate() {
        let program = program(&jdk, &folder.path().join("out"), "T", &format!("f{n}"));
        let mut subject = JavaSubject::start(program, &jdk, xcute_java::Options::default()).unwrap();
        let (results, _) = search(&mut subject, &jdk, Options { runs: 100, ..Options::default() });
        assert_eq!((results.complete, results.failures.len()), (*complete, *failures), "{body} {:?}", results.limits);
    }
}
