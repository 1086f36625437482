//! Table VII of the paper: programs after the case studies of Java PathFinder, all of whose paths are searched.

use std::path::Path;

use xcute_engine::{Options, Results, Scheduling};
use xcute_java::Jdk;
use xcute_trace::FailureKind;

use crate::{compiled, searched};

/// Class, method, the name in the paper where it is another one, and the paper's paths, seconds, and data races, deadlocks, assertions, exceptions.
const STUDIES: [(&str, &str, &str, u32, &str, &str); 7] = [
    ("Buffers", "one", "`Buffers.one` (BoundedBuffer)", 43, "11.41", "0/1/0/0"),
    ("NestedMonitor", "main", "`NestedMonitor`", 2, "0.46", "0/1/0/0"),
    ("Pipeline", "main", "`Pipeline`", 3, "0.70", "1/0/1/0"),
    ("RemoteAgent", "main", "`RemoteAgent`", 2, "0.45", "1/1/0/0"),
    ("ReadWriteFramework", "main", "`ReadWriteFramework` (RWVSN)", 8, "2.19", "1/0/1/0"),
    ("ReplicatedWorkers", "main", "`ReplicatedWorkers`", 1, "0.34", "0/0/1/0"),
    ("Scheduler", "run", "`Scheduler` (DEOS)", 111, "35.23", "0/0/1/0"),
];

/// Prints the table, as the documentation has it.
pub fn table(jdk: &Jdk, out: &Path) {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/threads");
    println!("\n| program | paths | seconds | every path | found | jCUTE: paths | seconds | found |");
    println!("|---|---|---|---|---|---|---|---|");
    for (class, method, name, paths, seconds, found) in STUDIES {
        let text = std::fs::read_to_string(subjects.join(class).with_extension("java")).expect("a subject");
        let classes = compiled(jdk, &out.join(class), &text);
        let scheduling: Scheduling = "dpor".parse().expect("an algorithm");
        let r = searched(jdk, &classes, (class, method), Options { scheduling, runs: 20_000, ..Options::default() });
        let (time, complete) = (r.total_time.as_secs_f64(), if r.complete { "yes" } else { "no" });
        println!("| {name} | {} | {time:.2} | {complete} | {} | {paths} | {seconds} | {found} |", r.paths, found_in(&r));
    }
}

/// Data races, deadlocks, assertions, exceptions.
fn found_in(r: &Results) -> String {
    let count = |is: fn(FailureKind) -> bool| r.failures.iter().filter(|found| is(found.failure.kind)).count();
    let races = count(|kind| kind == FailureKind::DataRace);
    let deadlocks = count(|kind| matches!(kind, FailureKind::Deadlock | FailureKind::LostWakeup));
    let assertions = count(|kind| kind == FailureKind::Assertion);
    format!("{races}/{deadlocks}/{assertions}/{}", r.failures.len() - races - deadlocks - assertions)
}
