//! Table VI of the paper on the collections of the JDK that runs: two synchronized collections, two threads, each with a call that
//! inputs choose: which method it is, and with which element.

use std::path::Path;

use xcute_engine::{Options, Results, Scheduling};
use xcute_java::Jdk;
use xcute_trace::FailureKind;

use crate::searched;

/// The driver. What is called is as in the paper's: the methods of `Collection`, with an element or with the other collection. The element is that of the own
/// collection, that of the other one, or neither: nothing else makes a difference to them.
pub const DRIVER: &str = r"
import java.util.*;

class Driver {
    static Integer element(int which) {
        switch (which) {
            case 0: return 1;
            case 1: return 2;
            default: return 3;
        }
    }

    static void call(Collection<Integer> own, Collection<Integer> other, int which, int element) {
        switch (which) {
            case 0: own.add(element(element)); break;
            case 1: own.remove(element(element)); break;
            case 2: own.contains(element(element)); break;
            case 3: own.addAll(other); break;
            case 4: own.removeAll(other); break;
            case 5: own.retainAll(other); break;
            case 6: own.containsAll(other); break;
            case 7: own.clear(); break;
            case 8: own.size(); break;
            case 9: own.isEmpty(); break;
            case 10: own.toArray(); break;
            case 11: own.hashCode(); break;
            case 12: own.equals(other); break;
            default:
        }
    }

    static void drive(Collection<Integer> one, Collection<Integer> two, int p, int x, int q, int y) throws InterruptedException {
        one.add(1);
        two.add(2);
        Thread a = new Thread(() -> call(one, two, p, x)), b = new Thread(() -> call(two, one, q, y));
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static void vector(int p, int x, int q, int y) throws InterruptedException {
        drive(new Vector<>(), new Vector<>(), p, x, q, y);
    }

    static void arrayList(int p, int x, int q, int y) throws InterruptedException {
        drive(Collections.synchronizedList(new ArrayList<>()), Collections.synchronizedList(new ArrayList<>()), p, x, q, y);
    }

    static void linkedList(int p, int x, int q, int y) throws InterruptedException {
        drive(Collections.synchronizedList(new LinkedList<>()), Collections.synchronizedList(new LinkedList<>()), p, x, q, y);
    }

    static void linkedHashSet(int p, int x, int q, int y) throws InterruptedException {
        drive(Collections.synchronizedSet(new LinkedHashSet<>()), Collections.synchronizedSet(new LinkedHashSet<>()), p, x, q, y);
    }

    static void treeSet(int p, int x, int q, int y) throws InterruptedException {
        drive(Collections.synchronizedSet(new TreeSet<>()), Collections.synchronizedSet(new TreeSet<>()), p, x, q, y);
    }

    static void hashSet(int p, int x, int q, int y) throws InterruptedException {
        drive(Collections.synchronizedSet(new HashSet<>()), Collections.synchronizedSet(new HashSet<>()), p, x, q, y);
    }
}
";

/// Method, class, and the paper's paths, seconds, and data races, deadlocks, endless loops, exceptions.
const CLASSES: [(&str, &str, u32, u32, &str); 6] = [
    ("vector", "Vector", 20_000, 5519, "1/9/0/2"),
    ("arrayList", "ArrayList", 20_000, 6811, "3/9/0/3"),
    ("linkedList", "LinkedList", 11_523, 4401, "3/3/1/1"),
    ("linkedHashSet", "LinkedHashSet", 20_000, 7303, "3/9/0/2"),
    ("treeSet", "TreeSet", 20_000, 7333, "4/9/0/2"),
    ("hashSet", "HashSet", 20_000, 7449, "19/9/0/2"),
];

/// Prints the table, as the documentation has it.
pub fn table(jdk: &Jdk, out: &Path) {
    println!("\n| collection | paths | seconds | every path | found | jCUTE on JDK 1.4: paths | seconds | found |");
    println!("|---|---|---|---|---|---|---|---|");
    for (method, class, paths, seconds, found) in CLASSES {
        let scheduling: Scheduling = "dpor".parse().expect("an algorithm");
        let r = searched(jdk, out, ("Driver", method), Options { scheduling, runs: 20_000, ..Options::default() });
        let (ours, time, [paths, seconds]) =
            (thousands(r.paths), r.total_time.as_secs_f64(), [paths, seconds].map(|n| thousands(n.into())));
        let complete = if r.complete { "yes" } else { "no" };
        println!("| `{class}` | {ours} | {time:.1} | {complete} | {} | {paths} | {seconds} | {found} |", found_in(&r));
    }
}

/// A number with a comma before its last three digits.
fn thousands(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// Data races, deadlocks, endless loops, exceptions.
fn found_in(r: &Results) -> String {
    let count = |is: fn(FailureKind) -> bool| r.failures.iter().filter(|found| is(found.failure.kind)).count();
    let races = count(|kind| kind == FailureKind::DataRace);
    let deadlocks = count(|kind| matches!(kind, FailureKind::Deadlock | FailureKind::LostWakeup));
    let loops = count(|kind| matches!(kind, FailureKind::Hang | FailureKind::Livelock));
    format!("{races}/{deadlocks}/{loops}/{}", r.failures.len() - races - deadlocks - loops)
}
