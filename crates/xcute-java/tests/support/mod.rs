//! Campaigns over Java sources.

#![allow(dead_code, reason = "no test file needs all of it")]

pub mod announced;
pub mod gallery;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use gallery::compile_apart;
use xcute_engine::{Campaign, Confirmation, Observer, Options, Results, RunEvent};
use xcute_java::{Checks, Confirmer, JavaSubject, Jdk, Program, Recipe, Rerun, Variables, Wanted};
use xcute_solver::{Chain, ChainOptions, FloatSearch, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Failure, Subject, TestCase};

/// The solver that the binary has.
pub fn solver() -> Box<dyn Solver> {
    Box::new(Chain::build(ChainOptions::default(), vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(Z3::new())]))
}

/// A JDK that has virtual threads, if one is installed: that of `JAVA_HOME`, or the latest one in the usual place.
pub fn later() -> Option<Jdk> {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let usual = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let has = |home: PathBuf| Jdk::of(&home.join("bin/java")).ok().filter(|jdk| jdk.version() >= 21 && jdk.javac().is_file());
    home.and_then(has).or_else(|| usual.filter_map(has).max_by_key(Jdk::version))
}

/// Compiles sources into a folder.
pub fn compile(jdk: &Jdk, sources: &[PathBuf], out: &Path, options: &[&str]) {
    let mut arguments: Vec<OsString> = ["-g", "-nowarn", "-Xlint:none", "-proc:none"].iter().chain(options).map(OsString::from).collect();
    arguments.extend(["-d".into(), out.into()]);
    arguments.extend(sources.iter().map(OsString::from));
    let output = xcute_java::javac(jdk, arguments).expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles one source that is given as text.
pub fn compile_text(jdk: &Jdk, class: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join(format!("{class}.java"));
    std::fs::write(&source, text).expect("it can be written");
    let out = folder.path().join("out");
    compile(jdk, &[source], &out, &[]);
    folder
}

/// Compiles texts at once, by the names of their classes.
pub fn compile_texts(jdk: &Jdk, texts: &[(String, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(class, text): &(String, String)| {
        let source = folder.path().join(format!("{class}.java"));
        std::fs::write(&source, text).expect("it can be written");
        source
    };
    let sources: Vec<PathBuf> = texts.iter().map(write).collect();
    compile_apart(jdk, &sources, folder.path());
    folder
}

/// Keeps what runs did, and repeats failures on the original classes.
pub struct Log {
    pub lines: Mutex<Vec<String>>,
    program: Arc<Program>,
    variables: Variables,
    confirmer: Confirmer,
    /// Says which path a case takes, and in which order its threads run.
    again: Mutex<(JavaSubject, Terms)>,
}

impl Log {
    pub fn new(subject: &JavaSubject, jdk: &Jdk) -> Log {
        let program = subject.program();
        let confirmer = Confirmer::new(&program, jdk, Duration::from_secs(1)).expect("a temporary folder");
        let again = Mutex::new((subject.another().expect("a JVM"), Terms::new()));
        Log { lines: Mutex::default(), program, variables: subject.variables(), confirmer, again }
    }

    fn rerun(&self, failure: &Failure, case: &TestCase) -> Rerun {
        let mut again = self.again.lock().expect("no test panics here");
        let (subject, terms) = &mut *again;
        let case = TestCase { input: subject.import(&case.input, terms), schedule: case.schedule.clone() };
        subject.rerun(&case, Some(failure), terms).expect("a JVM")
    }
}

impl Observer for Log {
    fn confirm(&self, _: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        let (recipe, rerun) = (Recipe::of_model(&self.variables, &case.input), self.rerun(failure, case));
        let held = rerun.ordered.as_ref().map(|ordered| &ordered.held);
        let verdict = self.confirmer.confirm(&self.program, failure, (&recipe, held), Interrupt::never());
        let (repeated, verdict) = verdict.expect("a JVM starts").expect("nobody interrupts");
        let strays = self.confirmer.strays(&self.program, &rerun.followed, &repeated);
        assert_eq!(strays.filter(|_| held.is_none()), None, "{} {failure:?}", self.program.name());
        verdict.map_or_else(Confirmation::NotReproduced, |()| Confirmation::Confirmed)
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        let words: Vec<String> =
            event.trace.input.words().iter().map(|(var, word)| format!("{}={word:x}", terms.info(*var).name)).collect();
        let line = format!(
            "{} -> {:?} {} known {} new={}",
            words.join(" "),
            event.trace.outcome,
            event.trace.decisions.len(),
            event.trace.known,
            event.growth.new_path
        );
        self.lines.lock().expect("no test panics here").push(line);
    }
}

pub fn program(jdk: &Jdk, path: &Path, class: &str, method: &str) -> Arc<Program> {
    program_with(jdk, path, (class, method), Checks::default())
}

pub fn program_with(jdk: &Jdk, path: &Path, (class, method): (&str, &str), checks: Checks) -> Arc<Program> {
    let wanted = Wanted { path: vec![path.to_owned()], class: class.to_owned(), method: method.to_owned(), checks };
    Arc::new(Program::prepare(&wanted, &jdk.image()).unwrap_or_else(|error| panic!("{error}")))
}

/// Searches a subject.
pub fn search(subject: &mut JavaSubject, jdk: &Jdk, options: Options) -> (Results, Vec<String>) {
    let strategy = StrategyName::Bfs.build(subject.sites(), 0);
    let log = Log::new(subject, jdk);
    let mut campaign = Campaign::new(subject, solver(), strategy, options);
    campaign.run(&log).unwrap_or_else(|error| panic!("{error}"));
    let results = campaign.results().clone();
    (results, log.lines.into_inner().expect("no test panics there"))
}
