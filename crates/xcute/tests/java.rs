//! `xcute java` from the command line: JUnit tests, replay, resume, explain, and what is said when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const ACCOUNT: &str = include_str!("../../../subjects/java/Account.java");

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}", stderr(output)))
}

fn javac(arguments: &[&str], files: &[PathBuf]) {
    let all = ["-g", "-nowarn"].iter().chain(arguments).map(OsString::from).chain(files.iter().map(OsString::from));
    let output = xcute_java::javac(&xcute_java::Jdk::find().unwrap(), all).unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A folder with the source and the classes of the account.
fn account() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("Account.java");
    fs::write(&source, ACCOUNT).unwrap();
    javac(&["-d", place.path().join("classes").to_str().unwrap()], &[source]);
    place
}

/// What is made of inputs is made in the replay and in the tests, too.
#[test]
fn collections_are_made_for_replays_and_tests() {
    let place = tempfile::tempdir().unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/Baskets.java"), place.path().join("Baskets.java")).unwrap();
    let output = xcute(place.path(), &["java", "Baskets.java", "--method", "total", "--elements", "1", "--junit", "4"]);
    let text = stdout(&output);
    assert!(text.contains("= LinkedHashMap of new java.lang.String[1]"), "{text}{}", stderr(&output));
    let case = text.lines().filter_map(|line| line.split_once("xcute replay ")).next_back().expect("a failure").1;
    let replayed = xcute(place.path(), &["replay", case]);
    assert!(stdout(&replayed).contains("/ by zero"), "{}{}", stdout(&replayed), stderr(&replayed));
    let test = fs::read_to_string(place.path().join("xcute-out/Baskets_total_Test.java")).unwrap();
    assert!(test.contains("linkedHashMapOf(o"), "{test}");
    // JUnit itself is not needed to see that it compiles.
    fs::create_dir_all(place.path().join("org/junit")).unwrap();
    let annotation = place.path().join("org/junit/Test.java");
    fs::write(&annotation, "package org.junit;\npublic @interface Test {}\n").unwrap();
    let file = place.path().join("xcute-out/Baskets_total_Test.java");
    javac(&["-nowarn", "-d", place.path().join("all").to_str().unwrap()], &[annotation, place.path().join("Baskets.java"), file]);
}

/// Each file of a corpus runs before the search; what covers something new is added, once.
#[test]
fn a_corpus_is_read_and_added_to() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/Fuzzed.java"), place.join("Fuzzed.java")).unwrap();
    let (long, short) = (b"X\xfe\x00\x00\x00\x00\x00\x00\xff\x2d", b"X\xfe\x03\x7f\xad");
    fs::create_dir_all(place.join("seeds/more")).unwrap();
    fs::write(place.join("seeds/a"), long).unwrap();
    let fuzz = |options: &[&str]| {
        let fixed = ["java", "Fuzzed.java", "--method", "fuzzerTestOneInput", "--format", "json", "--tests", "0"];
        xcute(place, &[&fixed, options].concat())
    };
    let written = |folder: &str| {
        let mut all: Vec<Vec<u8>> = fs::read_dir(place.join(folder)).unwrap().flatten().map(|e| fs::read(e.path()).unwrap()).collect();
        all.sort();
        all
    };
    // The first run is that of null, and the second one reads ten bytes, which no option asks for.
    let ran = fuzz(&["--corpus", "seeds", "--export-corpus", "out", "--runs", "2", "--out", "first"]);
    assert_eq!((ran.status.code(), written("out")), (Some(0), vec![long.to_vec()]), "{}", stderr(&ran));
    // Files in folders come later; one that fails is a failure with its bytes, and is not added.
    fs::write(place.join("seeds/more/b"), short).unwrap();
    let ran = fuzz(&["--seeds", "seeds", "--export-corpus", "out", "--runs", "3", "--out", "second"]);
    let found = summary(&ran);
    let held = &found["failures"][0]["values"][0];
    assert_eq!((found["runs"].as_u64(), found["failures"][0]["kind"].as_str()), (Some(3), Some("uncaught-exception")), "{found}");
    assert_eq!((held["name"].as_str(), held["value"].as_str()), (Some("data"), Some("byte[5] {88, -2, 3, 127, -83}")), "{found}");
    assert_eq!(written("out"), [long.to_vec()]);
    // It goes on with the variables of the corpus, and comes to the same end as a search without one.
    let resumed = summary(&xcute(place, &["resume", "second", "--runs", "100000", "--format", "json"]));
    let plain = summary(&fuzz(&["--elements", "10", "--out", "plain"]));
    assert_eq!((&resumed["complete"], &resumed["paths"]), (&true.into(), &plain["paths"]), "{resumed} {plain}");
    let large = fuzz(&["--elements", "4", "--seed-case", "second/failures", "--out", "large"]);
    let said = stderr(&large);
    assert!(large.status.code() == Some(2) && said.contains("has more than 4 elements (say more with --elements)"), "{said}");
    let wrong = fs::read_to_string(place.join("second/failures/f1.json")).unwrap().replace(r#""Array": "B""#, r#""Array": "C""#);
    fs::write(place.join("wrong.json"), wrong).unwrap();
    let said = stderr(&fuzz(&["--seed-case", "wrong.json", "--out", "wrong"]));
    assert!(said.contains("cannot begin with wrong.json: char[] is not an input of this type"), "{said}");
    // Longer files are cut.
    let cut = fuzz(&["--corpus", "seeds", "--elements", "4", "--runs", "3", "--out", "cut"]);
    assert!(
        stderr(&cut).contains("only the first 4 bytes of 2 of the corpus's files are used (say more with --elements)"),
        "{}",
        stderr(&cut)
    );
    for (option, method) in [("--corpus", "Fuzzed.number"), ("--export-corpus", "Fuzzed.number")] {
        let refused = xcute(place, &["java", "Fuzzed.java", "--method", method, option, "seeds"]);
        let why = "a file of a corpus is the one parameter, a byte[], of a static method, and Fuzzed.number is not such a method";
        let said = stderr(&refused);
        assert!(refused.status.code() == Some(2) && said.contains(&format!("cannot use {option}: {why}")), "{said}");
    }
}

/// A search can begin with cases of another one: whatever objects they have are the same again.
#[test]
fn a_search_begins_with_cases_of_another() {
    const SEARCHES: &[(&str, &[&str])] = &[
        ("Account", &["--method", "withdraw"]),
        ("Lists", &["--method", "cycle"]),
        ("Enums", &["--method", "counted", "--elements", "2"]),
        ("Baskets", &["--method", "total", "--elements", "1"]),
        ("DoublyLinkedList", &["--calls", "addFirst,addLast,remove", "--length", "2", "--post", "repOk"]),
    ];
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    for (name, options) in SEARCHES {
        let file = format!("{name}.java");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java").join(&file), place.join(&file)).unwrap();
        let search = |out: &str, more: &[&str]| {
            let fixed = ["java", &file, "--format", "json", "--tests", "0", "--out", out];
            summary(&xcute(place, &[&fixed, *options, more].concat()))
        };
        let read = |case: &Value| serde_json::from_str::<Value>(&fs::read_to_string(place.join(case.as_str().unwrap())).unwrap()).unwrap();
        let first = search(name, &[]);
        for failure in first["failures"].as_array().unwrap() {
            // The first run is that of the smallest input.
            let out = format!("{name}-{}", failure["id"].as_str().unwrap());
            let again = search(&out, &["--seed-case", failure["case"].as_str().unwrap(), "--runs", "2"]);
            let same = |other: &&Value| (&other["kind"], &other["line"]) == (&failure["kind"], &failure["line"]);
            let found = again["failures"].as_array().unwrap().iter().find(same);
            let found = found.unwrap_or_else(|| panic!("{failure} is not among {again}"));
            assert_eq!(read(&found["case"])["inputs"], read(&failure["case"])["inputs"], "{out}");
        }
        let whole = search(&format!("{name}-whole"), &["--seed-case", &format!("{name}/failures")]);
        assert_eq!((&whole["complete"], &whole["paths"]), (&first["complete"], &first["paths"]), "{name}");
        assert!(!first["failures"].as_array().unwrap().is_empty(), "{name}");
    }
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/Cutes.java"), place.join("Cutes.java")).unwrap();
    let objects = |more: &[&str]| xcute(place, &[&["java", "Cutes.java", "--method", "objects", "--tests", "0"], more].concat());
    objects(&["--out", "asked"]);
    let said = stderr(&objects(&["--seed-case", "asked/failures", "--out", "no"]));
    assert!(said.contains("the program asks for an object itself, whose type only a run knows"), "{said}");
    let other = xcute(place, &["java", "Account.java", "--method", "idle", "--seed-case", "Account/failures"]);
    assert!(other.status.code() == Some(2) && stderr(&other).contains("and not of what is tested"), "{}", stderr(&other));
}

#[test]
fn a_failure_is_replayed_and_campaigns_are_resumed_and_explained() {
    let place = account();
    let output = xcute(place.path(), &["java", "classes", "--method", "Account.withdraw", "--runs", "3"]);
    assert!(stdout(&output).contains("it stopped after 3 runs"), "{}{}", stdout(&output), stderr(&output));
    let resumed = xcute(place.path(), &["resume", "xcute-out", "--runs", "1000", "--format", "json"]);
    let whole = summary(&resumed);
    let fresh = summary(&xcute(
        place.path(),
        &["java", "classes", "--method", "Account.withdraw", "--jobs", "2", "--format", "json", "--out", "fresh"],
    ));
    assert_eq!((&whole["complete"], &whole["paths"]), (&fresh["complete"], &fresh["paths"]), "{}", stderr(&resumed));
    assert_eq!((whole["failures"].as_array().unwrap().len(), fresh["failures"].as_array().unwrap().len()), (3, 3));
    let division = whole["failures"].as_array().unwrap().iter().find(|failure| failure["kind"] == "division-by-zero").unwrap();
    assert_eq!((division["file"].as_str(), division["line"].as_u64()), (Some("Account.java"), Some(19)));
    let replay = xcute(place.path(), &["replay", division["case"].as_str().unwrap()]);
    let told = stdout(&replay);
    assert_eq!(replay.status.code(), Some(1), "{told}{}", stderr(&replay));
    assert!(told.contains("throws java.lang.ArithmeticException: / by zero, on the recorded path\n"), "{told}");
    assert!(!told.contains("but the case"), "{told}");
    let explained = xcute(place.path(), &["explain", "xcute-out"]);
    assert!(stdout(&explained).contains("no run came to this part of Account.idle"), "{}{}", stdout(&explained), stderr(&explained));
    // Another program is not the one that was searched.
    fs::write(place.path().join("Account.java"), ACCOUNT.replace("balance - 7", "balance - 8")).unwrap();
    javac(&["-d", place.path().join("classes").to_str().unwrap()], &[place.path().join("Account.java")]);
    let refused = xcute(place.path(), &["resume", "xcute-out"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
}

#[test]
fn original_classes_that_take_another_path_are_noticed() {
    let text = "class Elsewhere {\n    static int f(int n) {\n        int more = 1;\n        \
                if (new Throwable().getStackTrace().length < 6) {\n            more = 2;\n        }\n        \
                return 10 / (n - 7) + more;\n    }\n}\n";
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("Elsewhere.java"), text).unwrap();
    let output = xcute(place.path(), &["java", "Elsewhere.java", "--method", "f"]);
    let strays = "the original classes take another path: they come to Elsewhere.java:7 where the search came to Elsewhere.java:5";
    assert!(stdout(&output).contains(strays) && stdout(&output).contains("not complete"), "{}{}", stdout(&output), stderr(&output));
    // It fails all the same.
    assert!(stdout(&output).contains("f1 division-by-zero"), "{}", stdout(&output));
    let replay = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
    assert!(stdout(&replay).contains("/ by zero, on another path than the recorded one\n"), "{}", stdout(&replay));
    // A path has digests of its beginnings.
    let case: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place.path().join("xcute-out/failures/f1.json")).unwrap()).unwrap();
    assert_eq!((case["path"]["1"]["blocks"].as_u64(), case["path"]["1"]["marks"].as_array().map(Vec::len)), (Some(3), Some(3)));
}

#[test]
fn tests_of_all_paths_and_of_failures_are_written() {
    let place = account();
    let output = xcute(place.path(), &["java", "Account.java", "--method", "withdraw", "--junit", "4"]);
    assert!(stderr(&output).contains("tests in xcute-out/Account_withdraw_Test.java"), "{}", stderr(&output));
    let suite = fs::read_to_string(place.path().join("xcute-out/Account_withdraw_Test.java")).unwrap();
    let failing = fs::read_to_string(place.path().join("xcute-out/failures/f1.java")).unwrap();
    for text in [&suite, &failing] {
        assert!(text.contains("import org.junit.Test;") && text.contains(".withdraw("), "{text}");
    }
    assert!(suite.contains("throwing(\"java.lang.ArithmeticException\""), "{suite}");
}

#[test]
fn mistakes_are_said_in_one_line() {
    let place = account();
    fs::write(place.path().join("Bad.java"), "class Bad {").unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("a.jar"), "no jar").unwrap();
    for (arguments, expected) in [
        (&["classes"][..], "no method is given (say which with --method CLASS.METHOD)"),
        (&["classes", "--method", "Acount.withdraw"], "did you mean Account.withdraw(int, String)?"),
        (&["classes", "--method", "twice"], "it can be Account.twice(int) or Account.twice(long)"),
        (&["gone", "--method", "f"], "cannot read gone"),
        (&["empty", "--method", "f"], "there is no class in"),
        (&["Bad.java", "--method", "f"], "javac cannot compile"),
        (&["a.jar", "--method", "f"], "cannot read"),
    ] {
        let arguments: Vec<&str> = ["java"].into_iter().chain(arguments.iter().copied()).collect();
        let output = xcute(place.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?} {}", stderr(&output));
    }
    assert!(stdout(&xcute(place.path(), &["java", "classes"])).contains("Account.twice(long)\n"));
    let missing = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .env("JAVA_HOME", place.path())
        .args(["java", "classes", "--method", "withdraw"])
        .output()
        .unwrap();
    assert!(stderr(&missing).contains("apt install openjdk-17-jdk-headless"), "{}", stderr(&missing));
}

/// Sequences of calls: the calls are shown, replayed, and written as tests, which fail as the case did.
#[test]
fn sequences_and_checkers_are_replayed_and_become_tests() {
    let place = tempfile::tempdir().unwrap();
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java");
    let at = |name: &str| subjects.join(name).to_str().unwrap().to_owned();
    let list = at("DoublyLinkedList.java");
    for (arguments, shown, test) in [
        (&["--calls", "DoublyLinkedList", "--length", "2", "--post", "repOk"][..], "  it.remove(0);", "it.remove(0);"),
        (&["--method", "remove", "--pre", "isSmall", "--post", "repOk"], "this.size", ".remove(0);"),
    ] {
        let output = xcute(place.path(), &[&["java", &list], arguments].concat());
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.contains("assertion: java.lang.AssertionError: repOk does not hold after DoublyLinkedList.remove"), "{text}");
        assert!(text.contains("every feasible path was run") && text.contains("in DoublyLinkedList.remove"), "{text}");
        let replay = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
        let told = stdout(&replay);
        assert!(replay.status.code() == Some(1) && told.contains(shown) && !told.contains("but the case"), "{told}{}", stderr(&replay));
        let failing = fs::read_to_string(place.path().join("xcute-out/failures/f1.java")).unwrap();
        let check = "holds(call(\"DoublyLinkedList\", \"repOk()Z\"";
        assert!(failing.contains(test) && failing.contains(check), "{failing}");
        fs::remove_dir_all(place.path().join("xcute-out")).unwrap();
    }
    for (arguments, expected) in [
        (&["--method", "remove", "--length", "3"][..], "--length is about sequences of calls"),
        (&["--method", "remove", "--pre", "addFirst"], "cannot be a checker"),
        (&["--calls", "add"], "there is no method add"),
        (&["--method", "remove", "--post", "repOkay"], "did you mean DoublyLinkedList.repOk()?"),
    ] {
        let output = xcute(place.path(), &[&["java", &list], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?} {}", stderr(&output));
    }
}

/// Threads are searched with inputs; what needs its order is unconfirmed, and replayed in it.
#[test]
fn threads_are_searched_and_replayed_in_their_order() {
    let place = account();
    let idle = summary(&xcute(place.path(), &["java", "classes", "--method", "idle", "--format", "json", "--tests", "0"]));
    assert_eq!((&idle["complete"], idle["paths"].as_u64()), (&Value::Bool(true), Some(2)), "{idle}");
    let subject = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/threads/RacyCounter.java");
    let output = xcute(place.path(), &["java", subject.to_str().unwrap(), "--method", "two", "--out", "racy"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("data-race: `RacyCounter.count` is") && text.contains("paths     4 in"), "{text}");
    let case = fs::read_dir(place.path().join("racy/failures")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = case.filter(|file| file.extension().is_some_and(|end| end == "json")).collect();
    cases.sort();
    assert!(!cases.is_empty(), "{text}");
    for case in cases {
        let replayed = xcute(place.path(), &["replay", case.to_str().unwrap()]);
        let told = stdout(&replayed);
        assert!(replayed.status.code() == Some(1) && !told.contains("but the case"), "{told}{}", stderr(&replayed));
    }
}

const EITHER: &str = r#"class Either {
    int n;

    static int thrown(int x) {
        if (x == 3) throw new IllegalStateException("three"); else if (x == 4) throw new UnsupportedOperationException(); else if (x == 5) throw new IllegalStateException("five");
        if (x > 5) throw new IllegalArgumentException("x is " + x);
        return x;
    }

    static int sum(Either a, Either b) { return a.n + b.n; }
}
"#;

/// Exceptions of one line are as many failures as there are, but for those that differ by a value only.
#[test]
fn exceptions_of_one_line_are_distinguished() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("Either.java"), EITHER).unwrap();
    for (method, expected) in [("thrown", &[5, 5, 5, 6][..]), ("sum", &[10, 10])] {
        let found = summary(&xcute(place.path(), &["java", "Either.java", "--method", method, "--format", "json", "--tests", "0"]));
        assert_eq!((&found["complete"], found["unconfirmed"].as_array().unwrap().len()), (&Value::Bool(true), 0), "{found}");
        let mut lines: Vec<u64> = found["failures"].as_array().unwrap().iter().map(|failure| failure["line"].as_u64().unwrap()).collect();
        lines.sort_unstable();
        assert_eq!(lines, expected, "{found}");
    }
}

const BANK: &str = r#"package acme;

class Bank {
    int money;
    final Object a = new Object(), b = new Object();

    static void both(Runnable one, Runnable other) throws InterruptedException {
        Thread first = new Thread(one), second = new Thread(other);
        first.start();
        second.start();
        first.join();
        second.join();
    }

    static void raced(int n) throws Exception {
        Bank bank = new Bank();
        both(() -> { if (n == 5) bank.money++; }, () -> bank.money = 3);
    }

    static void locked(int n) throws Exception {
        Bank bank = new Bank();
        both(() -> { synchronized (bank.a) { synchronized (bank.b) { bank.money++; } } },
            () -> { if (n > 100) synchronized (bank.b) { synchronized (bank.a) { bank.money--; } } });
    }

    static void lost(int n) throws Exception {
        Bank bank = new Bank();
        Runnable add = () -> {
            int money;
            synchronized (bank) { money = bank.money; }
            synchronized (bank) { bank.money = money + n; }
        };
        both(add, add);
        assert bank.money == 2 * n : "lost";
    }

    static void thrown(String s) throws Exception {
        Bank bank = new Bank();
        both(() -> { synchronized (bank) { bank.money = 1; } },
            () -> { synchronized (bank) { if (bank.money == 1 && s == null) throw new IllegalStateException("null\n\"s\""); } });
    }

    public static void main(String[] none) throws Exception {
        lost(1);
    }
}
"#;

/// Runs the test of each class that is named, and says what came of it.
const RUNNER: &str = r#"public class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            String said = "passed";
            Object test = Class.forName(name).getConstructor().newInstance();
            try {
                test.getClass().getMethod("fails").invoke(test);
            } catch (java.lang.reflect.InvocationTargetException e) {
                said = String.valueOf(e.getCause());
            }
            System.out.println(name + ": " + said.replace('\n', ' '));
        }
    }
}
"#;

/// Failures that need an order of threads become JUnit tests, which the agent holds to it, and which pass when the failure is mended.
#[test]
fn failures_of_threads_become_tests() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    };
    let bank = write("Bank.java", BANK);
    let mut files = vec![
        write("org/junit/jupiter/api/Test.java", "package org.junit.jupiter.api;\npublic @interface Test {}\n"),
        write("org/junit/Test.java", "package org.junit;\npublic @interface Test {}\n"),
        write("Runner.java", RUNNER),
    ];
    let methods = ["raced", "locked", "lost", "thrown", "main"];
    for (number, method) in methods.iter().enumerate() {
        let junit = if number % 2 == 0 { "5" } else { "4" };
        let output = xcute(place.path(), &["java", "Bank.java", "--method", method, "--out", method, "--junit", junit, "--tests", "0"]);
        assert!(stdout(&output).contains("1 failure in acme.Bank"), "{}{}", stdout(&output), stderr(&output));
        let text = fs::read_to_string(place.path().join(method).join("failures/f1.java")).unwrap();
        files.push(write(&format!("tests/{method}/Test{number}.java"), &text.replace("f1", &format!("Test{number}"))));
    }
    let agent = fs::read(place.path().join("lost/failures/xcute-agent.so")).unwrap();
    let ran = |out: &str, with: bool| {
        let out = place.path().join(out);
        javac(&["-d", out.to_str().unwrap()], &[std::slice::from_ref(&bank), &files].concat());
        if with {
            fs::write(out.join("acme/xcute-agent.so"), &agent).unwrap();
        }
        let names = (0..methods.len()).map(|number| format!("acme.Test{number}"));
        let output = Command::new(xcute_java::Jdk::find().unwrap().java()).arg("-cp").arg(&out).arg("Runner").args(names).output().unwrap();
        (stdout(&output), stderr(&output))
    };
    let (without, _) = ran("without", false);
    assert_eq!(without.matches("this test needs xcute-agent.so").count(), methods.len(), "{without}");
    let (failing, more) = ran("failing", true);
    for (number, expected) in [
        "two threads access the same memory at the same time (data-race: `Bank.money` is",
        "its threads wait, and nobody is left to wake them (deadlock: thread 1.1 waits for",
        "java.lang.AssertionError: lost",
        "java.lang.IllegalStateException: null \"s\"",
        "java.lang.AssertionError: lost",
    ]
    .iter()
    .enumerate()
    {
        let wanted = format!("acme.Test{number}: java.lang.AssertionError: {expected}");
        assert!(failing.contains(&wanted), "{wanted}\n{failing}{more}");
    }
    // The mended methods are others: threads are not held there, and nothing happens.
    let mended = BANK
        .replace("if (n == 5) bank.money++", "")
        .replace("synchronized (bank.b) { synchronized (bank.a) { bank.money--; } }", "return;")
        .replace("int money;\n            synchronized (bank) { money = bank.money; }\n", "")
        .replace("bank.money = money + n", "bank.money += n")
        .replace("&& s == null", "&& s == \"\"");
    fs::write(&bank, mended).unwrap();
    let (passing, said) = ran("passing", true);
    assert_eq!(passing.matches(": passed").count(), methods.len(), "{passing}{said}");
    assert!(said.contains("has changed since the order was recorded"), "{said}");
}

const TURNS: &str = r#"package acme;

class Turns {
    private String said = "";

    private synchronized void say(String what) {
        said += what;
    }

    static String order(String first) throws InterruptedException {
        Turns turns = new Turns();
        Bank.both(() -> turns.say("a"), () -> turns.say(first == null ? "none" : "b"));
        return turns.said;
    }
}
"#;

/// Orders of threads in which nothing goes wrong become tests, too: each expects what comes of its order, and is skipped where the order cannot be kept.
#[test]
fn orders_of_threads_become_tests() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    };
    let turns = write("Turns.java", TURNS);
    let assumptions = "package org.junit.jupiter.api;\npublic class Assumptions {\n    public static void assumeTrue(boolean holds, String why) { if (!holds) throw new RuntimeException(\"skipped: \" + why); }\n}\n";
    let assume = "package org.junit;\npublic class Assume {\n    public static void assumeTrue(String why, boolean holds) { if (!holds) throw new RuntimeException(\"skipped: \" + why); }\n}\n";
    let mut files = vec![
        turns.clone(),
        write("Bank.java", BANK),
        write("org/junit/jupiter/api/Test.java", "package org.junit.jupiter.api;\npublic @interface Test {}\n"),
        write("org/junit/jupiter/api/Assumptions.java", assumptions),
        write("org/junit/Test.java", "package org.junit;\npublic @interface Test {}\n"),
        write("org/junit/Assume.java", assume),
        write(
            "Runner.java",
            &RUNNER
                .replace("(\"fails\")", "(name.replaceFirst(\".*/\", \"\"))")
                .replace("forName(name)", "forName(name.replaceFirst(\"/.*\", \"\"))"),
        ),
    ];
    let mut names = Vec::new();
    for junit in ["5", "4"] {
        let options = ["--method", "order", "--elements", "1", "--junit", junit, "--out", junit];
        let output = xcute(place.path(), &[&["java", "Turns.java", "Bank.java"], &options[..]].concat());
        assert!(
            stdout(&output).contains("no failure in acme.Turns.order; every feasible path was run"),
            "{}{}",
            stdout(&output),
            stderr(&output)
        );
        let name = "Turns_order_Orders_Test";
        assert!(stderr(&output).contains(&format!("4 tests in {junit}/{name}.java")), "{}", stderr(&output));
        let text = fs::read_to_string(place.path().join(junit).join(format!("{name}.java"))).unwrap();
        // Both orders, with both inputs.
        for expected in ["\"ab\"", "\"ba\"", "\"anone\"", "\"nonea\""] {
            assert!(text.contains(&format!("same({expected}, ")), "{expected}: {text}");
        }
        files.push(write(&format!("tests/{name}{junit}.java"), &text.replace(name, &format!("{name}{junit}"))));
        names.extend((1..=4).map(|number| format!("acme.{name}{junit}/order{number}")));
    }
    let agent = fs::read(place.path().join("5/xcute-agent.so")).unwrap();
    let ran = |out: &str, files: &[PathBuf]| {
        let out = place.path().join(out);
        javac(&["-d", out.to_str().unwrap()], files);
        fs::write(out.join("acme/xcute-agent.so"), &agent).unwrap();
        let output =
            Command::new(xcute_java::Jdk::find().unwrap().java()).arg("-cp").arg(&out).arg("Runner").args(&names).output().unwrap();
        (stdout(&output), stderr(&output))
    };
    let (said, more) = ran("passing", &files);
    assert_eq!(said.matches(": passed").count(), names.len(), "{said}{more}");
    // What comes of an order is something else.
    fs::write(&turns, TURNS.replace("said = \"\"", "said = \"x\"")).unwrap();
    let (said, more) = ran("other", &files);
    assert_eq!(said.matches("AssertionError: expected ").count(), names.len(), "{said}{more}");
    // Its methods are others: nobody can be held there.
    fs::write(&turns, TURNS.replace("said += what;", "said += what; said += \"\";")).unwrap();
    let (said, more) = ran("changed", &files);
    assert_eq!(said.matches("skipped: its threads cannot be held to the order").count(), names.len(), "{said}{more}");
}

const SHOP: &str = r#"import jakarta.validation.constraints.*;
import java.util.List;

class Shop {
    static int share(@Positive int parts, @Min(10) @Max(Long.MAX_VALUE) long sum, @NotNull @Size(max = 2) String name, @NotEmpty List<Integer> all, @Max(3) Integer box) {
        if (parts == 0 || parts < 0 || sum < 10 || name.length() > 2 || all.isEmpty()) throw new Error("annotations forbid it");
        if (box != null && box > 3) throw new Error("too large");
        if (name.length() == 2 && parts == 7) throw new IllegalStateException("found");
        return (int) (sum / parts);
    }

    static int plain(@Positive(groups = Shop.class) int n, @NotNull int[] other) {
        return 10 / n + other.length;
    }
}
"#;

/// What annotations of Bean Validation forbid is not an input, unless it is asked for, and the verdict says so.
#[test]
fn annotations_of_parameters_are_assumed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("jakarta/validation/constraints");
    fs::create_dir_all(&folder).unwrap();
    let mut files = vec![place.path().join("Shop.java")];
    fs::write(&files[0], SHOP).unwrap();
    for (name, values) in [
        ("Positive", "Class<?>[] groups() default {};"),
        ("Min", "long value();"),
        ("Max", "long value();"),
        ("NotNull", ""),
        ("NotEmpty", ""),
        ("Size", "int min() default 0; int max() default Integer.MAX_VALUE;"),
    ] {
        let text = format!(
            "package jakarta.validation.constraints;\nimport java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME) public @interface {name} {{ {values} }}\n"
        );
        files.push(folder.join(format!("{name}.java")));
        fs::write(files.last().unwrap(), text).unwrap();
    }
    javac(&["-d", place.path().join("classes").to_str().unwrap()], &files);
    let kinds = |options: &[&str]| {
        let output = xcute(place.path(), &[&["java", "classes", "--elements", "3", "--tests", "0", "--method"], options].concat());
        let text = stdout(&output);
        (text.lines().next().unwrap_or_default().to_owned(), text, stderr(&output))
    };
    let (verdict, text, errors) = kinds(&["share"]);
    let allowed = "inputs that annotations allow (parts @Min(1), sum @Min(10) @Max(9223372036854775807), name @NotNull @Size(min = 0, max = 2), all @NotNull @Size(min = 1), box @Max(3))";
    assert!(
        verdict.starts_with("1 failure in Shop.share; every feasible path was run for") && verdict.ends_with(allowed),
        "{text}{errors}"
    );
    assert!(text.contains("IllegalStateException: found"), "{text}");
    let (verdict, text, errors) = kinds(&["share", "--no-annotations"]);
    assert!(!verdict.contains("annotations") && text.contains("Error: annotations forbid it"), "{text}{errors}");
    // One of a group of its own excludes nothing.
    let (verdict, text, errors) = kinds(&["plain"]);
    assert!(
        verdict.contains("1 failure in Shop.plain") && text.contains("/ by zero") && text.contains("(other @NotNull)"),
        "{text}{errors}"
    );
}
