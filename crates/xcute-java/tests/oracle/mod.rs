//! Random programs against brute force: a plain JVM runs every input that matters and says which way each goes; the search must find exactly these.
//!
//! `XCUTE_JAVA_PROGRAMS` and `XCUTE_JAVA_SEED` choose how many programs, and which.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod generate;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

use crate::support::*;
use generate::Generator;
use xcute_engine::{Campaign, Options, RunEvent};
use xcute_java::{JavaSubject, Jdk};
use xcute_strategy::StrategyName;
use xcute_trace::Subject;

/// Programs that share a class.
const IN_CLASS: u32 = 8;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The inputs that matter: program, a, b, c, d, and the shape of p with its numbers.
type Key = (u32, u32, u32, u32, u32, String);

/// A class that runs all inputs of the classes, and prints for each which way it goes and how it ends.
fn brute(classes: &[String]) -> String {
    let mut text = String::from("class Brute {\n    public static void main(String[] args) {\n");
    for class in classes {
        writeln!(
            text,
            "        for (int w = 0; w < {IN_CLASS}; w++) for (int a = 0; a < 8; a++) for (int b = 0; b < 4; b++) for (int c = 0; c < 2; c++) for (int d = 0; d < 4; d++) for (int s = 0; s < 25; s++) {{
            {class}.Cell p = null;
            String shape = \"null\";
            if (s > 0) {{
                p = new {class}.Cell();
                p.v = (s - 1) & 3;
                int next = (s - 1) >> 2;
                if (next == 1) p.next = p;
                if (next > 1) {{ p.next = new {class}.Cell(); p.next.v = next - 2; }}
                shape = p.v + (next == 0 ? \".null\" : next == 1 ? \".self\" : \".\" + p.next.v);
            }}
            long[] h = new long[1];
            String end = \"ok\";
            try {{ {class}.go(w, a, b, c == 1, (byte) d, p, h); }} catch (Throwable t) {{ end = t.getClass().getName(); }}
            System.out.println(\"{class} \" + w + \" \" + a + \" \" + b + \" \" + c + \" \" + d + \" \" + shape + \" \" + h[0] + \" \" + end);
        }}"
        )
        .expect("a string");
    }
    text + "    }\n}\n"
}

/// The input of a run, as brute force names it.
fn key(event: &RunEvent<'_>, terms: &xcute_term::Terms) -> Key {
    let word = |name: &str| terms.find_var(name).and_then(|var| event.trace.input.word(var)).unwrap_or(0) as u32;
    let p = word("p");
    let next = word("p.next");
    let shape = match (p, next) {
        (0, _) => "null".to_owned(),
        (_, 0) => format!("{}.null", word("p.v") & 3),
        (p, next) if p == next => format!("{}.self", word("p.v") & 3),
        _ => format!("{}.{}", word("p.v") & 3, word("p.next.v") & 3),
    };
    (word("which"), word("a") & 7, word("b") & 3, word("c"), word("d") & 3, shape)
}

#[test]
fn random_programs_agree_with_brute_force() {
    share(0);
}

#[test]
fn other_random_programs_agree_with_brute_force() {
    share(1);
}

/// Tests that share the programs.
const TESTS: u64 = 2;

fn share(which: u64) {
    let jdk = Jdk::find().unwrap();
    let programs = number("XCUTE_JAVA_PROGRAMS", 200);
    let count = programs.div_ceil(u64::from(IN_CLASS) * TESTS);
    let seed = number("XCUTE_JAVA_SEED", 1) + which * count;
    let folder = tempfile::tempdir().unwrap();
    let classes: Vec<String> = (0..count).map(|n| format!("P{n}")).collect();
    let mut sources = Vec::new();
    for (class, n) in classes.iter().zip(0..) {
        let source = folder.path().join(format!("{class}.java"));
        std::fs::write(&source, Generator::class(class, IN_CLASS, seed + n)).unwrap();
        sources.push(source);
    }
    let source = folder.path().join("Brute.java");
    std::fs::write(&source, brute(&classes)).unwrap();
    sources.push(source);
    compile_apart(&jdk, &sources, folder.path());
    let places = classes.iter().map(String::as_str).chain(["Brute"]).map(|class| folder.path().join(class).display().to_string());
    let path = places.collect::<Vec<_>>().join(":");
    let run = Command::new(jdk.java()).args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", &path, "Brute"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut expected: BTreeMap<&str, BTreeMap<Key, (String, String)>> = BTreeMap::new();
    let text = String::from_utf8_lossy(&run.stdout);
    for line in text.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let n = |at: usize| parts[at].parse().unwrap();
        let key = (n(1), n(2), n(3), n(4), n(5), parts[6].to_owned());
        expected.entry(parts[0]).or_default().insert(key, (parts[7].to_owned(), parts[8].to_owned()));
    }
    let mut complaints = Vec::new();
    for class in &classes {
        complaints.extend(compare(&jdk, class, &folder.path().join(class), &expected[class.as_str()]));
    }
    assert!(complaints.is_empty(), "seed {seed}:\n{}", complaints.join("\n"));
}

/// Searches a class and compares.
fn compare(jdk: &Jdk, class: &str, path: &std::path::Path, expected: &BTreeMap<Key, (String, String)>) -> Vec<String> {
    let mut subject = JavaSubject::start(program(jdk, path, class, "f"), jdk, xcute_java::Options::default()).unwrap();
    let strategy = StrategyName::Dfs.build(subject.sites(), 0);
    let ways = std::sync::Mutex::new(Vec::new());
    struct Ways<'a>(&'a std::sync::Mutex<Vec<(Key, String)>>);
    impl xcute_engine::Observer for Ways<'_> {
        fn confirm(&self, _: &xcute_term::Terms, _: &xcute_trace::Failure, _: &xcute_trace::TestCase) -> xcute_engine::Confirmation {
            xcute_engine::Confirmation::Confirmed
        }

        fn ran(&self, terms: &xcute_term::Terms, event: &RunEvent<'_>) {
            let end = match &event.trace.outcome {
                xcute_trace::Outcome::Passed => "ok".to_owned(),
                xcute_trace::Outcome::Failed(failure) => failure.message.split(':').next().unwrap_or_default().to_owned(),
                other => format!("{other:?}"),
            };
            self.0.lock().unwrap().push((key(event, terms), end));
        }
    }
    let observer = Ways(&ways);
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { runs: 60_000, ..Options::default() });
    campaign.run(&observer).unwrap();
    let results = campaign.results().clone();
    let mut complaints = Vec::new();
    if !results.complete {
        complaints.push(format!("{class}: not complete: {:?} {:?} {:?}", results.limits, results.arms, results.stop));
    }
    let mut found = BTreeSet::new();
    for (key, end) in ways.into_inner().unwrap() {
        if key.0 >= IN_CLASS {
            continue;
        }
        let Some((way, expected_end)) = expected.get(&key) else {
            complaints.push(format!("{class}: {key:?} is not an input that matters"));
            continue;
        };
        if *expected_end != end {
            complaints.push(format!("{class}: {key:?} ends with {end}, not {expected_end}"));
        }
        found.insert((key.0, way.clone(), end));
    }
    let all: BTreeSet<_> = expected.iter().map(|(key, (way, end))| (key.0, way.clone(), end.clone())).collect();
    for missing in all.difference(&found) {
        let example = expected.iter().find(|(key, (way, _))| (key.0, way) == (missing.0, &missing.1));
        complaints.push(format!("{class}: nobody goes {missing:?}, as {example:?} does"));
    }
    if std::env::var_os("VERBOSE").is_some() {
        println!("{class}: {} ways, {} runs, {} paths, {:?}", all.len(), results.runs, results.paths, results.queries);
    }
    complaints.truncate(10);
    complaints
}
