//! Java programs that misbehave: the search goes on, says what happened, and leaves no JVM behind.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{left, marked};
use serde_json::Value;
use tempfile::TempDir;

/// Each method does something rude for one input, and fails in the usual way for the other.
const RUDE: &str = r#"
import java.io.*;
import java.util.*;

class Rude {
    static void found(boolean rude) { if (!rude) throw new IllegalStateException("found"); }
    static int sum;
    static final Object lock = new Object();

    static void closes(boolean rude) throws Exception {
        found(rude);
        System.out.close();
        System.err.close();
        System.in.close();
        new FileOutputStream(FileDescriptor.out).close();
        System.out.println("nobody hears this");
    }
    static void replaces(boolean rude) {
        found(rude);
        System.setOut(null);
        System.setErr(new PrintStream(new OutputStream() { public void write(int b) throws IOException { throw new IOException(); } }));
        System.err.println("nor this");
        throw new IllegalArgumentException("replaced");
    }
    static void shouts(boolean rude) {
        found(rude);
        for (int i = 0; i < 20; i++) System.out.write(200 + i);
        throw new IllegalArgumentException("\0\1\ud800 ]]> </script>");
    }
    static void many(boolean rude) throws InterruptedException {
        found(rude);
        Thread[] threads = new Thread[300];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> { synchronized (lock) { sum++; } });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
    static void endless(boolean rude) {
        found(rude);
        while (true) new Thread(() -> { synchronized (lock) { sum++; } }).start();
    }
    static void hoards(boolean rude) {
        found(rude);
        List<long[]> all = new ArrayList<>();
        while (true) all.add(new long[1 << 20]);
    }
    static void grows(boolean rude) {
        found(rude);
        int[] big = new int[Integer.MAX_VALUE];
    }
    static class Bad { static int v = new int[0].length / sum; }
    static void initialises(boolean rude) {
        found(rude);
        int v = Bad.v;
    }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n + 1); }
    static void recurses(boolean rude) {
        found(rude);
        deep(1);
    }
    static void loops(boolean rude) {
        found(rude);
        while (true) sum++;
    }
    static void handles(boolean rude) {
        found(rude);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> { while (true); });
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> { while (true); });
        Thread.currentThread().setName("\0");
        Thread.currentThread().setPriority(1);
        throw new IllegalArgumentException("handled");
    }
    static void exits(boolean rude) {
        found(rude);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true); }));
        System.exit(3);
    }
    static int long_(int[] a) {
        if (a == null) throw new IllegalStateException("found");
        int most = 0;
        for (int x : a) if (x > most) most = x;
        return most;
    }
}
"#;

/// A folder with the classes.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("Rude.java"), RUDE).unwrap();
    let arguments: Vec<OsString> =
        vec!["-g".into(), "-d".into(), place.path().join("classes").into(), place.path().join("Rude.java").into()];
    let output = xcute_java::javac(&xcute_java::Jdk::find().unwrap(), arguments).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    place
}

/// The command, for one of them.
fn command(place: &Path, method: &str) -> Command {
    let mut command = marked(place);
    command.args(["java", "classes", "--method", method, "--hang", "1s", "--steps", "200000", "--heap", "128", "--format", "json"]);
    command
}

/// What else was found than the usual failure, and what was cut.
fn run(place: &Path, method: &str) -> (Vec<String>, String) {
    let out = format!("out-{method}");
    let output = command(place, &format!("Rude.{method}")).args(["--runs", "8", "--out", &out]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{method}: {error}: {said}"));
    let usual = |failure: &&Value| failure["message"] == "java.lang.IllegalStateException: found";
    let failures = summary["failures"].as_array().unwrap();
    assert!(failures.iter().any(|failure| usual(&failure)) && output.status.code() == Some(1), "{method}: {summary} {said}");
    assert!(!left(place), "{method} leaves a JVM behind");
    let others = failures.iter().filter(|failure| !usual(failure)).map(|failure| failure["kind"].as_str().unwrap().to_owned()).collect();
    (others, format!("{} {}", summary["limits"], summary["unconfirmed"]))
}

#[test]
fn whatever_a_program_does_the_rest_is_found() {
    let place = place();
    let none: &[&str] = &[];
    for (method, expected, limit) in [
        ("closes", none, "java.io.FileOutputStream.close"),
        ("replaces", &["uncaught-exception"], "java.lang.System.setOut"),
        ("shouts", &["uncaught-exception"], ""),
        ("many", none, ""),
        ("hoards", none, "memory"),
        ("grows", none, "memory"),
        ("initialises", &["uncaught-exception"], ""),
        ("recurses", &["stack-overflow"], ""),
        ("loops", &["hang"], ""),
        ("handles", &["uncaught-exception"], "java.lang.Thread.setUncaughtExceptionHandler is not followed"),
        ("exits", none, "java.lang.Runtime.addShutdownHook"),
    ] {
        let (others, cut) = run(place.path(), method);
        assert_eq!(others, expected, "{method}: {cut}");
        assert!(cut.contains(limit), "{method}: {cut}");
    }
    // What starts threads for ever comes to the end of their number, or of its time.
    let (others, cut) = run(place.path(), "endless");
    let named = cut.contains("more than 1024 threads") || cut.contains("did not come to its next operation in time");
    assert!(others == ["hang"] || (others.is_empty() && named), "{others:?}: {cut}");
}

#[test]
fn classes_that_cannot_be_read_are_named() {
    let place = place();
    let class = place.path().join("classes/Rude$Bad.class");
    let bytes = fs::read(&class).unwrap();
    let newer: Vec<u8> = bytes.iter().enumerate().map(|(at, byte)| if at == 7 { 99 } else { *byte }).collect();
    for (bytes, expected) in [
        (&bytes[..100], "cannot follow the class Rude$Bad: the class file ends in the middle, at byte "),
        (b"", "cannot follow the class Rude$Bad: the class file ends in the middle, at byte 0"),
        (b"this is not a class", "cannot follow the class Rude$Bad: this is not a class file"),
        (&newer[..], "class version 99 is not supported (45 to 69 are: Java 1.1 to 25)"),
    ] {
        fs::write(&class, bytes).unwrap();
        let output = command(place.path(), "Rude.loops").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{said}");
        assert!(said.lines().count() == 1 && said.matches(expected).count() == 1, "{said}");
    }
    fs::write(&class, bytes).unwrap();
    let output = command(place.path(), "Rude.main").output().unwrap();
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("there is no method Rude.main"));
}

/// What the verifier refuses, it refuses in the original, too.
#[test]
fn classes_that_do_not_verify_fail_as_they_do() {
    let place = place();
    let class = place.path().join("classes/Rude.class");
    let mut bytes = fs::read(&class).unwrap();
    // 1 + deep(n + 1): the second addition becomes one of longs.
    let code = [0x1a, 0x04, 0x60, 0xb8];
    let at = bytes.windows(4).position(|part| part == code).unwrap();
    bytes[at + 2] = 0x61;
    fs::write(&class, bytes).unwrap();
    let output = command(place.path(), "Rude.recurses").output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let failures = summary["failures"].as_array().unwrap();
    let message = failures[0]["message"].as_str().unwrap();
    assert!(failures.len() == 1 && message.starts_with("java.lang.VerifyError: Bad type on operand stack"), "{summary}");
}

/// A search that does not end by itself, and has found something.
fn started(place: &Path) -> Child {
    let mut command = command(place, "Rude.long_");
    let child = command.args(["--elements", "40", "--time", "10m"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = place.join("xcute-out/failures/f1.json");
    let start = Instant::now();
    while !begun.exists() {
        assert!(start.elapsed().as_secs() < 120, "nothing is found");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn no_jvm_outlives_a_signal() {
    for signal in ["-INT", "-KILL"] {
        let place = place();
        let mut child = started(place.path());
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap();
        assert!(!left(place.path()), "a JVM is left after {signal}");
    }
}

/// A class with a method, a static initialiser and an overridden method that are too long for what xcute inserts.
fn long_methods() -> String {
    let mut text = "class Long {\n    static int sum(int x) {\n        int s = 0;\n".to_owned();
    (0..4600).for_each(|i| text += &format!("        if (x == {i}) s += {i};\n"));
    text += "        return s;\n    }\n    int twice(int x) {\n        int s = 0;\n";
    (0..4600).for_each(|i| text += &format!("        if (x == {i}) s += 2 * {i};\n"));
    text += "        return s;\n    }\n}\nclass Table {\n    static boolean large = true;\n    static final int[] ALL = {";
    (0..3400).for_each(|i| text += &format!("large ? {} : 0,", 300 + i));
    text += "};\n}\nclass Made {\n    static boolean large = true;\n    static final Object[] ALL = {";
    (0..2700).for_each(|_| text += "large ? new Made() : null,");
    text + "};\n}
class Short {
    static int alone(int x) { if (x == 42) throw new IllegalStateException(\"found\"); return x; }
    static int calls(int x) { return x == 7 ? 100 / Long.sum(x - 7) : x; }
    static int looks(int x) { return x == Table.ALL[5] ? 1 / (x - 305) : x; }
}
"
}

#[test]
fn methods_that_would_be_too_long_are_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let text = long_methods();
    let run = |text: &str, method: &str| {
        fs::write(place.path().join("Short.java"), text).unwrap();
        let mut command = marked(place.path());
        command.args(["java", "Short.java", "--method", method, "--runs", "50", "--format", "json", "--no-progress"]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default(), said)
    };
    // An initialiser that calls something has to be followed.
    let (_, said) = run(&text, "Short.alone");
    assert!(said.contains("Made.<clinit> is too long: ") && said.contains("let it only fill tables"), "{said}");

    let tables = text.split_once("class Made").map(|(before, rest)| before.to_owned() + rest.split_once("\n}\n").unwrap().1).unwrap();
    // Anybody may call the method of an object.
    let (summary, said) = run(&tables, "Short.alone");
    assert_eq!((&summary["complete"], &summary["failures"][0]["replayed"]), (&false.into(), &true.into()), "{said}{summary}");
    assert!(summary["limits"].to_string().contains("Long.twice is not followed: it would be too long"), "{summary}");

    let closed = tables.replace("    int twice", "    private int twice");
    let (summary, said) = run(&closed, "Short.alone");
    assert_eq!((&summary["complete"], summary["failures"].as_array().unwrap().len()), (&true.into(), 1), "{said}{summary}");
    let (summary, _) = run(&closed, "Short.calls");
    assert_eq!((&summary["complete"], &summary["failures"][0]["kind"]), (&false.into(), &"division-by-zero".into()), "{summary}");
    assert!(summary["limits"].to_string().contains("Long.sum is not followed: it would be too long"), "{summary}");
    let (summary, _) = run(&closed, "Short.looks");
    assert_eq!((&summary["complete"], &summary["failures"][0]["kind"]), (&true.into(), &"division-by-zero".into()), "{summary}");
    let (_, said) = run(&closed, "Long.sum");
    assert!(said.contains("Long.sum is too long: ") && said.contains("test the methods that it calls"), "{said}");
    let threads = closed.replace("int alone(int x) {", "int alone(int x) { new Thread(() -> {}).start();");
    let (_, said) = run(&threads, "Short.alone");
    assert!(said.contains("in a program with threads each step has to be followed"), "{said}");
}
