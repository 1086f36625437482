//! Java passes the conformance suite for front ends.

use std::time::Duration;

use crate::support::{compile_text, program, solver};
use xcute_java::{JavaSubject, Jdk, Options};
use xcute_solver::conformance::witness;
use xcute_term::{Model, TermId, Terms};

/// A list that grows, and ends of all kinds: a return, an exception, the end of the JVM.
const PATHS: &str = "
class Paths {
    static class Cell { int v; Cell next; }
    static int f(Cell p, byte x) {
        switch (x) {
            case 1: return 1;
            case 2: throw new IllegalStateException();
            case 3: System.exit(3);
        }
        if (p != null && p.v == 2 * x + 1)
            if (p.next == p) return 7;
        return 0;
    }
    static int g(int x) {
        for (;;) x++;
    }
}";

fn subject(method: &str, folder: &tempfile::TempDir) -> JavaSubject {
    let jdk = Jdk::find().expect("a JDK is installed (./x setup)");
    let options = Options { events: 1 << 16, patience: Duration::from_secs(5), ..Options::default() };
    JavaSubject::start(program(&jdk, &folder.path().join("out"), "Paths", method), &jdk, options).expect("a JVM starts")
}

fn folder() -> tempfile::TempDir {
    folder_of(PATHS)
}

fn folder_of(text: &str) -> tempfile::TempDir {
    compile_text(&Jdk::find().expect("a JDK is installed (./x setup)"), "Paths", text)
}

/// The program, the same compiled again, and one in which a constant is another one.
fn changed() -> (JavaSubject, JavaSubject, JavaSubject) {
    let of = |text: &str| subject("f", &folder_of(text));
    (of(PATHS), of(PATHS), of(&PATHS.replace("2 * x + 1", "2 * x + 3")))
}

fn pair(folder: &tempfile::TempDir) -> (JavaSubject, JavaSubject) {
    let mut both = subject("f", folder).times(2).expect("JVMs start");
    let second = both.pop().expect("two");
    (both.pop().expect("two"), second)
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    witness(&mut *solver(), terms, conditions, input)
}

xcute_trace::subject_conformance!(pair(&folder()), 7, solve, subject("g", &folder()), changed());
