//! `./x bench java`: paths per second on small sequential drivers, schedules per second on small drivers with threads, and Tables VI and VII of the paper.
//! `./x bench java tables`: these tables alone. `./x bench java real`: methods of libraries.

#![allow(clippy::print_stdout, missing_docs, reason = "a measuring program; its output is its purpose")]

mod collections;
mod packages;
mod real;
mod studies;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use xcute_engine::{Campaign, Confirmation, Observer, Options, Results, RunEvent, Scheduling};
use xcute_java::{Checks, JavaSubject, Jdk, Program, Wanted};
use xcute_solver::{Chain, ChainOptions, FloatSearch, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, Subject, TestCase};

struct Clock(Instant);

impl Observer for Clock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

const DRIVERS: &str = r"
class Drivers {
    static int bits(int x) {
        int n = 0;
        for (int i = 0; i < 12; i++) if ((x >> i & 1) == 1) n++;
        if (n == 7 && x > 10000000) throw new IllegalStateException();
        return n;
    }

    static int triangle(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) return 4;
        if (a + b <= c || a + c <= b || b + c <= a) return 4;
        if (a == b && b == c) return 1;
        if (a == b || b == c || a == c) return 2;
        return 3;
    }

    static int sorted(int[] a) {
        if (a == null || a.length != 6) return -1;
        int swaps = 0;
        for (int i = 0; i < a.length; i++)
            for (int j = 1; j < a.length; j++)
                if (a[j - 1] > a[j]) {
                    int t = a[j];
                    a[j] = a[j - 1];
                    a[j - 1] = t;
                    swaps++;
                }
        return swaps;
    }

    static final int[] a = new int[7];

    static void lastzero() throws InterruptedException {
        Thread[] threads = new Thread[6];
        threads[0] = new Thread(() -> {
            int i = 5;
            while (a[i] != 0) i--;
        });
        for (int j = 1; j < 6; j++) {
            int at = j;
            threads[j] = new Thread(() -> a[at] = a[at - 1] + 1);
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static int n;

    static synchronized void count() {
        n++;
    }

    static void counter() throws InterruptedException {
        Thread[] threads = new Thread[6];
        for (int i = 0; i < 6; i++) threads[i] = new Thread(Drivers::count);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
";

fn main() {
    let jdk = Jdk::find().expect("a JDK");
    if std::env::args().any(|word| word == "real") {
        return real::run(&jdk);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    if !std::env::args().any(|word| word == "tables") {
        rates(&jdk, &out);
    }
    collections::table(&jdk, &compiled(&jdk, &out.join("Driver"), collections::DRIVER));
    studies::table(&jdk, &out);
}

/// Prints paths and schedules per second.
fn rates(jdk: &Jdk, out: &Path) {
    let drivers = compiled(jdk, &out.join("Drivers"), DRIVERS);
    println!("{:<12} {:>8} {:>8} {:>10} {:>10} {:>10} {:>10}", "driver", "paths", "runs", "runs/s", "subject", "solver", "total");
    for method in ["bits", "triangle", "sorted", "lastzero", "counter"] {
        let scheduling: Scheduling = "dpor".parse().expect("an algorithm");
        let r = searched(jdk, &drivers, ("Drivers", method), Options { runs: 20_000, scheduling, ..Options::default() });
        let rate = r.runs as f64 / r.total_time.as_secs_f64();
        println!(
            "{method:<12} {:>8} {:>8} {rate:>10.0} {:>10.3} {:>10.3} {:>10.3}",
            r.paths,
            r.runs,
            r.subject_time.as_secs_f64(),
            r.solver_time.as_secs_f64(),
            r.total_time.as_secs_f64()
        );
    }
}

/// Compiles a source, named as its folder is; the folder with the classes.
fn compiled(jdk: &Jdk, folder: &Path, text: &str) -> std::path::PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    let source = folder.with_extension("java");
    std::fs::write(&source, text).expect("it can be written");
    let status = std::process::Command::new(jdk.javac()).arg("-g").arg("-d").arg(folder).arg(&source).status().expect("javac runs");
    assert!(status.success());
    folder.to_owned()
}

/// Searches a method.
fn searched(jdk: &Jdk, out: &Path, (class, method): (&str, &str), options: Options) -> Results {
    let wanted = Wanted { path: vec![out.to_owned()], class: class.into(), method: method.into(), checks: Checks::default() };
    let program = Arc::new(Program::prepare(&wanted, &jdk.image()).expect("it is prepared"));
    let mut subject = JavaSubject::start(program, jdk, xcute_java::Options::default()).expect("a JVM starts");
    let strategy = StrategyName::Bfs.build(subject.sites(), 0);
    let clock = Clock(Instant::now());
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, options);
    campaign.run(&clock).expect("it runs");
    campaign.results().clone()
}

fn solver() -> Box<dyn Solver> {
    let solvers: Vec<Box<dyn Solver>> = vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(Z3::new())];
    Box::new(Chain::build(ChainOptions::default(), solvers))
}
