//! Campaigns over Erlang functions that are given as text or as subject programs.

pub mod random;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use xcute_engine::{Campaign, Confirmation, Observer, Results, RunEvent};
use xcute_erl::etf::Term;
use xcute_erl::program::{Modules, Program, ProgramError, Source};
use xcute_erl::subject::{ErlSubject, Original};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Home, Limits, Vm};
use xcute_solver::{Chain, ChainOptions, FloatSearch, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::{Model, Terms};
use xcute_trace::{Failure, Outcome, TestCase};

/// Where Erlang is; found once.
pub fn home() -> Arc<Home> {
    static HOME: std::sync::OnceLock<Arc<Home>> = std::sync::OnceLock::new();
    Arc::clone(HOME.get_or_init(|| Arc::new(Home::find().expect("Erlang is installed (./x setup)"))))
}

/// A subject program of the repository.
pub fn subject_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/erl").join(name)
}

/// Modules that are given as text: the name of a module, and its text without the module attribute.
pub fn modules(texts: &[(&str, &str)]) -> Arc<Modules> {
    try_modules(texts).unwrap_or_else(|error| panic!("{error}"))
}

/// As [`modules`]; or why the compiler does not take them.
pub fn try_modules(texts: &[(&str, &str)]) -> Result<Arc<Modules>, ProgramError> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut sources = Vec::new();
    for (name, text) in texts {
        let file = directory.path().join(format!("{name}.erl"));
        std::fs::write(&file, format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n{text}")).expect("a file");
        sources.push(Source::File(file, Vec::new()));
    }
    try_load(&sources)
}

/// Modules from elsewhere.
pub fn load(sources: &[Source]) -> Arc<Modules> {
    try_load(sources).unwrap_or_else(|error| panic!("{error}"))
}

fn try_load(sources: &[Source]) -> Result<Arc<Modules>, ProgramError> {
    let home = home();
    let vm = Vm::start(&home).expect("Erlang starts");
    Modules::load(&home, vm, sources, &[]).map(Arc::new)
}

/// Limits that tests can wait for.
pub fn limits() -> Limits {
    Limits { steps: 20_000, time: std::time::Duration::from_secs(5), heap: 1 << 22 }
}

/// A subject for a function, with inputs as its specification says.
pub fn subject(modules: &Arc<Modules>, module: &str, function: &str, arity: u32, depth: Option<u32>) -> ErlSubject {
    let program = Arc::new(Program::new(modules, module, function, arity).unwrap_or_else(|error| panic!("{error}")));
    let inputs = program.inputs(depth).unwrap_or_else(|error| panic!("{error}"));
    ErlSubject::new(program, Arc::new(inputs), limits())
}

/// The solver of a campaign, as the binary has it.
pub fn solver() -> Box<dyn Solver> {
    let backends: Vec<Box<dyn Solver>> = vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(Z3::new())];
    Box::new(Chain::build(ChainOptions::default(), backends))
}

/// A path: its input as Erlang writes it, and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub input: Model,
    pub outcome: Outcome,
}

/// Keeps all paths, and repeats failures on the original program.
pub struct Log {
    pub paths: Mutex<Vec<Path>>,
    original: Mutex<Original>,
}

impl Log {
    pub fn new(subject: &ErlSubject) -> Log {
        let limits = Limits { time: std::time::Duration::from_secs(2), ..limits() };
        Log { paths: Mutex::default(), original: Mutex::new(Original::new(Arc::clone(subject.program()), limits)) }
    }
}

impl Observer for Log {
    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        let mut original = self.original.lock().expect("no test panics here");
        match original.repeats(terms, &case.input, failure).expect("an emulator") {
            Ok(()) => Confirmation::Confirmed,
            Err(why) => Confirmation::NotReproduced(why),
        }
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if event.growth.new_path {
            let path = Path { input: event.trace.input.clone(), outcome: event.trace.outcome.clone() };
            self.paths.lock().expect("no test panics here").push(path);
        }
    }
}

/// What a campaign found.
pub struct Found {
    pub results: Results,
    /// The arguments of all paths, in the order in which they were found, with the failure of each.
    pub cases: Vec<(String, Option<String>)>,
}

impl Found {
    /// All inputs, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        let mut inputs: Vec<&str> = self.cases.iter().map(|case| case.0.as_str()).collect();
        inputs.sort_unstable();
        inputs
    }

    /// The messages of all failures that were confirmed, sorted.
    pub fn failures(&self) -> Vec<String> {
        let mut all: Vec<String> = self.results.confirmed().map(|found| found.failure.message.clone()).collect();
        all.sort();
        all
    }

    /// What kept the search from being complete.
    pub fn incomplete(&self) -> Vec<String> {
        self.results.limits.keys().filter(|limit| limit.incomplete).map(|limit| format!("{}: {}", limit.kind, limit.what)).collect()
    }

    /// The first input that failed with a message that contains this text.
    pub fn failing(&self, text: &str) -> Option<&str> {
        self.cases.iter().find(|(_, failure)| failure.as_ref().is_some_and(|message| message.contains(text))).map(|case| case.0.as_str())
    }
}

/// Searches, by default to the end.
pub fn search(subject: &mut ErlSubject, runs: u64) -> Found {
    let log = Log::new(subject);
    let strategy = StrategyName::Bfs.build(xcute_trace::Subject::sites(subject), 0);
    let options = xcute_engine::Options { runs, ..xcute_engine::Options::default() };
    let mut printer = subject.another();
    let (results, paths) = {
        let mut campaign = Campaign::new(subject, solver(), strategy, options);
        campaign.run(&log).expect("an emulator");
        let paths = std::mem::take(&mut *log.paths.lock().expect("no test panics there"));
        let show = |path: Path| {
            let arguments: Vec<Term> = printer.arguments(campaign.terms(), &path.input);
            let text: Vec<String> = arguments.iter().map(|term| shown(term, printer.atoms())).collect();
            let failure = match path.outcome {
                Outcome::Failed(failure) => Some(failure.message),
                _ => None,
            };
            (text.join(","), failure)
        };
        let paths: Vec<(String, Option<String>)> = paths.into_iter().map(show).collect();
        (campaign.results().clone(), paths)
    };
    Found { results, cases: paths }
}

/// Searches a function of a module that is given as text.
pub fn search_text(text: &str, function: &str, arity: u32, depth: Option<u32>, runs: u64) -> Found {
    let modules = modules(&[("t", text)]);
    search(&mut subject(&modules, "t", function, arity, depth), runs)
}
