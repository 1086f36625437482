//! Which data races are reported: each variable once for two methods of the program, whatever was found first, and also where the JDK's own code accesses it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

use std::collections::BTreeSet;

use crate::support::*;
use xcute_engine::{Campaign, Options, Scheduling, StopReason};
use xcute_java::{JavaSubject, Jdk};
use xcute_strategy::StrategyName;
use xcute_trace::{FailureKind, Subject};

/// The lines of data races, and the variables; elements have no names.
fn races(jdk: &Jdk, (class, method): (&str, &str), text: &str, strategy: StrategyName) -> BTreeSet<(u32, String)> {
    let folder = compile_text(jdk, class, text);
    let program = program(jdk, &folder.path().join("out"), class, method);
    let mut subject = JavaSubject::start(program, jdk, xcute_java::Options::default()).unwrap();
    let strategy = strategy.build(subject.sites(), 3);
    let scheduling: Scheduling = "dpor".parse().unwrap();
    let log = Log::new(&subject, jdk);
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options { scheduling, runs: 20_000, ..Options::default() });
    campaign.run(&log).unwrap();
    let results = campaign.results();
    // Some of them may be too deep in the JDK to show on the original classes.
    assert_eq!(results.stop, Some(StopReason::Exhausted), "{:?}", results.limits);
    let races = results.failures.iter().filter(|found| found.failure.kind == FailureKind::DataRace);
    let named = |message: &str| message.split('`').nth(1).unwrap_or("elements").to_owned();
    let all: Vec<(u32, String)> = races.map(|found| (found.failure.stack[0].line, named(&found.failure.message))).collect();
    let once: BTreeSet<(u32, String)> = all.iter().cloned().collect();
    assert_eq!(all.len(), once.len(), "{all:?}");
    once
}

#[test]
fn each_variable_is_reported_for_each_two_methods() {
    let text = r"
import java.util.ArrayList;

class Two {
    static final ArrayList<Integer> one = new ArrayList<>(), other = new ArrayList<>();

    static void first() {
        one.add(1);
    }

    static void second() {
        other.add(2);
    }

    static void both() throws InterruptedException {
        one.add(0);
        other.add(0);
        run(Two::first);
        run(Two::second);
    }

    static void run(Runnable body) throws InterruptedException {
        Thread a = new Thread(body), b = new Thread(body);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
";
    let jdk = Jdk::find().unwrap();
    let variables = ["AbstractList.modCount", "ArrayList.size", "elements"];
    let expected: BTreeSet<(u32, String)> = [8, 12].iter().flat_map(|line| variables.map(|name| (*line, name.to_owned()))).collect();
    assert_eq!(races(&jdk, ("Two", "both"), text, StrategyName::Bfs), expected);
}

/// The table of the paper counts what this finds: the same variables, whatever comes first.
#[test]
fn the_races_of_a_collection_do_not_depend_on_the_order_of_runs() {
    let text = r"
import java.util.*;

class Calls {
    static void call(Collection<Integer> own, Collection<Integer> other, int which) {
        switch (which) {
            case 0: own.add(3); break;
            case 1: own.remove(own.size()); break;
            case 2: own.addAll(other); break;
            case 3: own.containsAll(other); break;
            case 4: own.hashCode(); break;
            default: own.clear();
        }
    }

    static void lists(int p, int q) throws InterruptedException {
        Collection<Integer> one = Collections.synchronizedList(new ArrayList<>()), two = Collections.synchronizedList(new ArrayList<>());
        one.add(1);
        two.add(2);
        Thread a = new Thread(() -> call(one, two, p)), b = new Thread(() -> call(two, one, q));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
";
    let jdk = Jdk::find().unwrap();
    for strategy in [StrategyName::Bfs, StrategyName::Dfs, StrategyName::Random] {
        let variables: BTreeSet<String> = races(&jdk, ("Calls", "lists"), text, strategy).into_iter().map(|(_, name)| name).collect();
        assert_eq!(variables.into_iter().collect::<Vec<_>>(), ["AbstractList.modCount", "ArrayList.size", "elements"], "{strategy:?}");
    }
}
