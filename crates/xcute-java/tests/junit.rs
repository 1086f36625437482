//! Tests that are written: they compile without xcute, and do what they say.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use crate::support::*;
use xcute_engine::{Campaign, Confirmation, Observer, Options, RunEvent};
use xcute_java::junit::{self, Junit};
use xcute_java::{Checks, Confirmer, JavaSubject, Jdk, Recipe, Variables, shown};
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Failure, Subject as _, TestCase};

const SOURCE: &str = r#"
package acme;
public class Many {
    enum Colour { RED, GREEN }
    record Point(int x, Point next) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    static class Node { private int v; Node next; Object o; }
    private static int hidden(int x, String s) { if (s != null && s.length() == 2 && s.charAt(1) == '"' && x == 7) throw new IllegalStateException("7\n"); return x; }
    static int graph(Node n, int[] a, Node[] all) {
        if (n == null || n.next != n || n.v != 5 || a == null || a.length != 2 || a[1] != -3) return 1;
        if (all == null || all.length != 1 || all[0] != n) return 2;
        return 5 / (n.v - 5);
    }
    char kinds(Colour c, Integer i, Point p, double d) {
        if (c == Colour.GREEN && i != null && i == 1000) return 'g';
        if (p != null && p.next != null && p.next != p && p.next.x == 3) throw new UnsupportedOperationException();
        assert d != 2.5;
        return 'x';
    }
    static String echo(String s) {
        if (s == null || s.isEmpty()) return s;
        if (s.length() == 1) return s.charAt(0) == 0 ? s : s.charAt(0) > 0xd7ff && s.charAt(0) < 0xdc00 ? s + "a" : "b";
        if (s.charAt(1) == 'x') throw new IllegalStateException("x");
        return s;
    }
    static int applied(java.util.function.Function<String, Integer> f, String s) {
        if (f == null) return 0;
        Integer first = f.apply(s);
        if (first == null) return 1;
        if (first == 5) throw new IllegalStateException("five");
        return f.apply("y") == null ? 2 : 3;
    }
    static int count;
    static int counts(boolean b) { count += 2; return b ? count : -1; }
    int size, most;
    Many() { most = 1; }
    Many(int most) { this.most = most > 2 ? 2 : most; }
    public int push(int by, Node node) { if (node != null && node.v == 9) by = 2; if (by > 0) size += by; return size; }
    private boolean ok() { return size <= most; }
}
"#;

/// What JUnit has to have.
const STUB: &str = "import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) public @interface Test {}";

/// Runs all tests of classes; prints the exception of each.
const RUNNER: &str = r#"
public class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            for (var method : type.getMethods()) {
                boolean test = false;
                for (var annotation : method.getAnnotations()) test |= annotation.annotationType().getSimpleName().equals("Test");
                if (!test) continue;
                Object said = "passed";
                try { method.invoke(type.getConstructor().newInstance()); } catch (java.lang.reflect.InvocationTargetException e) { said = e.getCause(); }
                System.out.println(name + " " + String.valueOf(said).replace('\n', ' '));
            }
        }
    }
}
"#;

/// All first cases of paths, and all failures.
struct Cases {
    variables: Variables,
    paths: Mutex<Vec<Recipe>>,
    failures: Mutex<Vec<(Recipe, Failure)>>,
}

impl Observer for Cases {
    fn confirm(&self, _: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        self.failures.lock().unwrap().push((Recipe::of_model(&self.variables, &case.input), failure.clone()));
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if event.growth.new_path {
            self.paths.lock().unwrap().push(Recipe::of_model(&self.variables, &event.trace.input));
        }
    }
}

#[test]
fn written_tests_run_without_xcute() {
    let jdk = Jdk::find().unwrap();
    let folder = compile_text(&jdk, "Many", SOURCE);
    let (out, tests) = (folder.path().join("out"), folder.path().join("tests"));
    fs::create_dir(&tests).unwrap();
    let (mut expected, mut files, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let mut write = |name: &str, text: String| {
        let file = tests.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        files.push(file);
        names.push(format!("acme.{name}"));
    };
    let named = |method: &str| format!("acme.Many.{method}");
    let calls = Checks { post: Some(named("ok()Z")), calls: vec![named("push"), named("counts")], length: 2, ..Checks::default() };
    let plain = ["hidden", "graph", "kinds", "echo", "applied", "counts"].map(|method| (method, Checks::default()));
    for (number, (method, checks)) in plain.into_iter().chain([("push", calls)]).enumerate() {
        let program = program_with(&jdk, &out, ("acme.Many", method), checks);
        let mut subject = JavaSubject::start(program.clone(), &jdk, xcute_java::Options { longest: 2, ..Default::default() }).unwrap();
        let cases = Cases { variables: subject.variables(), paths: Mutex::default(), failures: Mutex::default() };
        let strategy = StrategyName::Bfs.build(subject.sites(), 0);
        let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { runs: 400, ..Options::default() });
        campaign.run(&cases).unwrap();
        let found = campaign.results().failures[0..].first().map(|found| shown(&program, &cases.variables, &found.case.input));
        println!("{method}: {found:?}");
        let (paths, failures) = (cases.paths.into_inner().unwrap(), cases.failures.into_inner().unwrap());
        assert_eq!(failures.is_empty(), method == "counts", "{method}");
        for (at, (recipe, failure)) in failures.iter().enumerate() {
            let (name, version) = (format!("Failure{number}{at}"), if at == 0 { Junit::Five } else { Junit::Four });
            write(&name, junit::failing(&program, recipe, failure, &name, version).unwrap());
            expected.push(format!("acme.{name} {}", failure.message.replace('\n', " ")));
        }
        let confirmer = Confirmer::new(&program, &jdk, Duration::from_secs(5)).unwrap();
        let repeated = confirmer.repeat_all(&program, &paths, Interrupt::never()).unwrap();
        let kept: Vec<_> = paths.into_iter().zip(repeated).filter_map(|(recipe, repeated)| Some((recipe, repeated?))).collect();
        let name = format!("Paths{number}");
        let (text, count) = junit::passing(&program, &kept, &name, Junit::Five).unwrap();
        // What depends on the tests before it is left out.
        assert!(if method == "counts" { count == 1 } else { count > 4 }, "{count} {text}");
        write(&name, text);
        expected.extend(vec![format!("acme.{name} passed"); count]);
    }
    for (package, import) in [("org/junit/jupiter/api", "org.junit.jupiter.api"), ("org/junit", "org.junit")] {
        let file = tests.join(package).join("Test.java");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, format!("package {import}; {STUB}")).unwrap();
        files.push(file);
    }
    files.push(tests.join("Runner.java"));
    fs::write(tests.join("Runner.java"), RUNNER).unwrap();
    assert_eq!(ran(&jdk, &files, &out, &tests, &names), {
        expected.sort();
        expected
    });
}

fn ran(jdk: &Jdk, files: &[PathBuf], classes: &Path, tests: &Path, names: &[String]) -> Vec<String> {
    compile(jdk, files, &tests.join("out"), &["-cp", classes.to_str().unwrap()]);
    let path = format!("{}:{}", classes.display(), tests.join("out").display());
    let output = Command::new(jdk.java()).args(["-cp", &path, "Runner"]).args(names).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}
