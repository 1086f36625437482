//! Random programs with threads against brute force: all schedules, by an enumeration that knows nothing of xcute. The search must be complete, and come to
//! exactly the same ends.
//!
//! `XCUTE_JAVA_THREADS` and `XCUTE_JAVA_SEED` choose how many programs, and which.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod enumerate;
mod program;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use crate::support::*;
use program::Program;
use xcute_engine::{Campaign, Confirmation, Observer, Options, RunEvent, Scheduling, StopReason};
use xcute_java::{JavaSubject, Jdk};
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, Limit, Outcome, Subject, TestCase};

/// Programs that share a JVM.
const TOGETHER: usize = 10;
/// Classes that are compiled at once.
const COMPILED: usize = 10;
/// Tests that share the programs.
const TESTS: u64 = 2;
/// Programs with more states are left out.
const STATES: usize = 3_000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What a program comes to, for each input.
type Expected = [BTreeSet<String>; 2];

/// The programs of a class, with what they come to; then also where waits end without a notification.
struct Sheet {
    programs: Vec<(Program, Expected, Expected)>,
}

impl Sheet {
    /// Takes programs from this seed on that have more than one end. Where one interrupts, loops of none are followed as waits: so there are two kinds of sheets.
    fn new(seed: &mut u64) -> Sheet {
        let mut programs = Vec::new();
        let spinning = (*seed / 7).is_multiple_of(2);
        while programs.len() < TOGETHER {
            *seed += 1;
            let program = Program::random(*seed);
            let text = format!("{program:?}");
            if text.contains(if spinning { "Interrupt(" } else { "Spin" }) {
                continue;
            }
            // Nor do threads stand in the lines of locks, unless one that reads waits for something.
            if spinning && program.waits_while_it_reads() {
                continue;
            }
            let ends = |early| [0, 1].map(|input| enumerate::ends(&program, (input, early), STATES));
            if let ([Some(one), Some(other)], [Some(early), Some(earlier)]) = (ends(false), ends(true))
                && one.len() + other.len() > 2
            {
                programs.push((program, [one, other], [early, earlier]));
            }
        }
        Sheet { programs }
    }

    fn java(&self, class: &str) -> String {
        let mut text =
            String::from("import java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\nimport java.util.concurrent.locks.*;\n\n");
        let _ = writeln!(text, "class {class} {{");
        text += "    static void f(int which, boolean input) throws InterruptedException {\n        int in = input ? 1 : 0;\n        switch (which) {\n";
        for number in 0..self.programs.len() {
            let _ = writeln!(text, "            case {number}: P{number}.run(in); break;");
        }
        text += "            default:\n        }\n    }\n\n";
        for (number, (program, ..)) in self.programs.iter().enumerate() {
            text += &program.java(&format!("P{number}"));
        }
        text + "}\n"
    }
}

impl Sheet {
    /// The program that a limit names: its line in the class.
    fn of(&self, class: &str, limit: &Limit) -> Option<usize> {
        let line: usize = limit.what.split(':').nth(1)?.parse().ok()?;
        self.java(class).lines().take(line).filter(|line| line.starts_with("    static class P")).count().checked_sub(1)
    }
}

/// What the runs came to: program, input, end.
#[derive(Default)]
struct Ends(Mutex<BTreeMap<(u64, u64), BTreeSet<String>>>);

impl Observer for Ends {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        let word = |name: &str| terms.find_var(name).and_then(|var| event.trace.input.word(var)).unwrap_or(0);
        let end = match &event.trace.outcome {
            Outcome::Failed(failure) => match failure.message.strip_prefix("java.lang.RuntimeException: P") {
                Some(message) => message.split_once(' ').unwrap().1.to_owned(),
                None => "stuck".to_owned(),
            },
            Outcome::Passed => return,
            other => format!("{other:?}"),
        };
        // A run that led to nothing new was not run to its end.
        self.0.lock().unwrap().entry((word("which"), word("input"))).or_default().insert(end);
    }
}

fn compare(jdk: &Jdk, (folder, class): (&Path, &str), sheet: &Sheet, seed: u64) -> Vec<String> {
    let program = program(jdk, &folder.join(class), class, "f");
    let mut subject = JavaSubject::start(program, jdk, xcute_java::Options::default()).unwrap();
    let strategy = StrategyName::Dfs.build(subject.sites(), 0);
    let (scheduling, ends): (Scheduling, Ends) = ("dpor".parse().unwrap(), Ends::default());
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { scheduling, runs: 60_000, ..Options::default() });
    campaign.run(&ends).unwrap();
    let (results, mut found) = (campaign.results().clone(), ends.0.into_inner().unwrap());
    let mut complaints = Vec::new();
    let early = |limit: &Limit| limit.what.ends_with("may end without a notification");
    // Some loops that spin go round and round: their ends are the same, but there is no end of schedules.
    let spins = sheet.programs.iter().any(|(program, ..)| format!("{program:?}").contains("Spin"));
    let counts = |limit: &Limit| limit.incomplete && !early(limit) && !(spins && limit.kind == "cut");
    let named: BTreeSet<usize> = results.limits.keys().filter(|limit| early(limit)).filter_map(|limit| sheet.of(class, limit)).collect();
    if results.stop != Some(StopReason::Exhausted) || results.limits.keys().any(counts) {
        complaints.push(format!("before {seed}: not complete: {:?} {:?}", results.limits, results.stop));
    }
    for (number, (program, expected, early)) in sheet.programs.iter().enumerate() {
        for (input, (expected, early)) in (0..).zip(expected.iter().zip(early)) {
            let found = found.remove(&(number as u64, input)).unwrap_or_default();
            // The two inputs are one path where the program does not ask.
            let (missing, wrong): (Vec<_>, Vec<_>) = (expected.difference(&found).collect(), found.difference(expected).collect());
            let elsewhere = found.is_empty() && !format!("{program:?}").contains("IfInput");
            // Where nothing is said of it, a wait that ends without a notification makes no difference.
            let unseen: Vec<_> = early.difference(&found).filter(|_| !elsewhere && !named.contains(&number)).collect();
            if !unseen.is_empty() {
                let text = program.java(&format!("P{number}"));
                complaints.push(format!("{text}input {input}: {unseen:?} without a notification, {:?}", results.limits));
            }
            if !(elsewhere || missing.is_empty() && wrong.is_empty()) {
                complaints.push(format!("{}input {input}: missing {missing:?}, wrong {wrong:?}", program.java(&format!("P{number}"))));
            }
        }
    }
    if std::env::var_os("VERBOSE").is_some() {
        println!("before {seed}: {} runs, {} paths", results.runs, results.paths);
    }
    complaints.truncate(2);
    complaints
}

fn share(which: u64) {
    let jdk = Jdk::find().unwrap();
    let (programs, first) = (number("XCUTE_JAVA_THREADS", 100), number("XCUTE_JAVA_SEED", 1));
    let mut seed = first * 1_000_000 + which * 100_000;
    let mut complaints = Vec::new();
    let sheets = programs.div_ceil(TESTS * TOGETHER as u64);
    for first in (0..sheets).step_by(COMPILED) {
        let sheets: Vec<(String, Sheet, u64)> = (first..sheets.min(first + COMPILED as u64))
            .map(|number| {
                let sheet = Sheet::new(&mut seed);
                (format!("Sheet{number}"), sheet, seed)
            })
            .collect();
        let texts: Vec<(String, String)> = sheets.iter().map(|(class, sheet, _)| (class.clone(), sheet.java(class))).collect();
        let folder = compile_texts(&jdk, &texts);
        for (class, sheet, seed) in &sheets {
            complaints.extend(compare(&jdk, (folder.path(), class), sheet, *seed));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn random_threads_agree_with_all_schedules() {
    share(0);
}

#[test]
fn other_random_threads_agree_with_all_schedules() {
    share(1);
}
