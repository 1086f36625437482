//! `xcute java`: Java methods as the binary needs them.

mod arguments;
mod case;
mod coverage;
mod plan;
mod propose;
mod starts;
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use xcute_engine::{Confirmation, Seed};
use xcute_java::{Confirmer, JavaSubject, Jdk, Program, Recipe, Rerun, Variables, junit, shown};
use xcute_report::{InputValue, LimitKind, SourceCoverage, Summary, Units, Words};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, FailureKind, Limit, Outcome, Subject as _, TestCase};

use super::kept::Kept;
use super::orders::{Ordering, Orders};
use crate::front::{
    Beside, Case, CaseText, Conclusion, Files, FrontEnd, Language, NO_TIME, Need, Opened, Opening, Proposal, Ready, Testable, Text, Write,
    case_file, outcome, version,
};
use crate::hash::sha256;
use crate::here::seen_from_here;
use crate::plan::{SearchPlan, Show};
use crate::temporary;
use arguments::JavaArguments;
use case::{JavaCase, LANGUAGE, VERSION};
use plan::JavaPlan;
use starts::{Asked, Starts};

/// Java.
pub struct Java;

impl Language for Java {
    fn command(&self) -> Command {
        JavaArguments::augment_args(Command::new("java")).about("Test a method of a Java program")
    }

    fn example(&self) -> &'static str {
        "java build/classes --method com.acme.Foo.bar"
    }

    fn words(&self, _summary: &Summary, _files: Files<'_>) -> Result<Words> {
        Ok(Words { units: Units { functions: "methods", function: "method", ..Units::USUAL }, ..Words::default() })
    }

    fn limits(&self) -> &'static [LimitKind] {
        &[LimitKind {
            name: "environment",
            meaning: "The program asked for something that is not an input: the time, a random number, the environment, an identity hash.",
            advice: "Hand the value in as a parameter.",
        }]
    }

    fn propose(&self, root: &Path) -> Result<Option<Proposal>> {
        propose::propose(root)
    }

    fn testable(&self, root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
        propose::in_file(root, file)
    }

    fn needs(&self) -> Vec<Need> {
        let jdk = Jdk::find().map_err(|error| error.to_string());
        let java = jdk.as_ref().map(|jdk| format!("{} ({})", jdk.release(), jdk.java().display())).map_err(String::clone);
        let javac = jdk.and_then(|jdk| version(&jdk.javac(), &["-version"]));
        let install = "apt-get install openjdk-17-jdk-headless";
        vec![
            Need::new("java", "running the classes under test", install, java),
            Need::new("javac", "testing sources, and the tests that are written", install, javac),
        ]
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let low = JavaArguments::from_arg_matches(matches)?;
        let asked = Asked::read(&low.corpora, &low.seeds)?;
        let plan = plan::java(&low, asked.elements())?;
        Ok(Opening::one(move |search, _| open(plan, asked, search)))
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(text.parse::<JavaCase>(VERSION)?))
    }
}

/// Makes a method ready.
fn open(plan: JavaPlan, asked: Asked, search: &SearchPlan) -> Result<Box<dyn Opened>> {
    let program = Arc::new(Program::prepare(&plan.wanted(), &plan.jdk.image())?);
    let subject = JavaSubject::start(Arc::clone(&program), &plan.jdk, plan.options.clone())?;
    let variables = subject.variables();
    let several = subject.several();
    let starts = Starts::of(asked, &plan, &subject)?;
    let (orders, subjects) = Orders::with(true, search.jobs, |count| subject.times(count))?;
    let confirmer = Confirmer::new(&program, &plan.jdk, plan.options.patience).context(temporary::NO_PLACE)?;
    let front = JavaFront {
        name: program.name(),
        confirmer: Mutex::new(confirmer),
        kept: Mutex::new(Kept::new(plan.tests)),
        threads: Mutex::new(Kept::new(if plan.orders > 0 { plan.tests } else { 0 })),
        files: Mutex::default(),
        orders,
        strayed: Mutex::default(),
        several,
        starts,
        program,
        variables,
        plan,
    };
    Ok(Box::new(Ready { front, subjects }))
}

/// A method made ready.
struct JavaFront {
    name: String,
    plan: JavaPlan,
    program: Arc<Program>,
    variables: Variables,
    /// Repeats cases on the original classes.
    confirmer: Mutex<Confirmer>,
    /// The first case of every path, as far as tests are written.
    kept: Mutex<Kept<Recipe>>,
    /// The same, of the paths of several threads that pass.
    threads: Mutex<Kept<TestCase>>,
    /// Source files, by what classes call them.
    files: Mutex<BTreeMap<String, String>>,
    /// Repeats cases, to say which path they took, and in which order their threads ran.
    orders: Orders<JavaSubject>,
    /// Where the original classes strayed from the path that the search followed.
    strayed: Mutex<BTreeSet<String>>,
    /// Whether some run had several threads.
    several: Box<dyn Fn() -> bool + Send + Sync>,
    /// What the search begins with.
    starts: Starts,
}

impl JavaFront {
    fn confirmer(&self) -> MutexGuard<'_, Confirmer> {
        self.confirmer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recipe(&self, case: &TestCase) -> Recipe {
        Recipe::of_model(&self.variables, &case.input)
    }

    /// A word that names tests of the method.
    fn word(&self, what: &str) -> String {
        let class = self.plan.method.class.rsplit('.').next().unwrap_or_default();
        let method = if self.plan.checks.calls.is_empty() { &self.plan.method.name } else { "calls" };
        format!("{class}_{method}_{what}").chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    /// Where a source file is, seen from here.
    fn located(&self, path: &str) -> String {
        let Some(file) = self.plan.opened.source(path) else { return path.to_owned() };
        seen_from_here(&file).display().to_string()
    }
}

impl Ordering for JavaSubject {
    type Order = Rerun;

    fn order(&mut self, case: &TestCase, failure: Option<&Failure>, terms: &mut Terms) -> Option<Rerun> {
        self.rerun(case, failure, terms)
    }
}

impl FrontEnd for JavaFront {
    type Subject = JavaSubject;

    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self, path: &str) -> String {
        if path.is_empty() {
            return String::new();
        }
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.entry(path.to_owned()).or_insert_with(|| self.located(path)).clone()
    }

    fn bounds(&self) -> Vec<Bound> {
        // Only where an array or string was an input: lengths are variables then.
        let most = self.plan.options.longest;
        let bounded = self.variables.lock().all().iter().any(|variable| matches!(variable.key, xcute_java::Key::Length(_)));
        let bound = Bound::new("elements", most.into(), format!("arrays and strings of up to {most} elements"));
        let length = self.plan.checks.length;
        let calls = Bound::new("calls", length.into(), format!("sequences of {length} {}", if length == 1 { "call" } else { "calls" }));
        let sequences = !self.plan.checks.calls.is_empty();
        let made = self.program.made();
        let made = (!made.is_empty()).then(|| Bound::new("made", 1, format!("parameters made as {}", made.join(" or "))));
        let assumed = self.program.assumed();
        let assumed =
            (!assumed.is_empty()).then(|| Bound::new("annotations", 1, format!("inputs that annotations allow ({})", assumed.join(", "))));
        bounded.then_some(bound).into_iter().chain(sequences.then_some(calls)).chain(made).chain(assumed).collect()
    }

    fn no_input(&self) -> Option<Limit> {
        let what = "the method has no parameters and asks for no input: it has one path".to_owned();
        // Threads have orders.
        (!self.program.has_threads()).then_some(Limit { kind: Limit::NO_INPUT.to_owned(), what, incomplete: false })
    }

    fn seeds(&self) -> Vec<Seed> {
        self.starts.seeds(&self.variables)
    }

    fn export(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Result<()> {
        let directory = self.starts.export.as_deref().filter(|_| failure.is_none());
        let bytes = directory.and_then(|directory| Some((directory, self.recipe(case).bytes()?)));
        bytes.map_or(Ok(()), |(directory, bytes)| super::corpus::add(directory, &bytes))
    }

    fn confirm(&self, _terms: &Terms, failure: &Failure, case: &TestCase, interrupt: &Interrupt) -> Confirmation {
        let (recipe, rerun) = (self.recipe(case), self.orders.order(case, Some(failure)));
        let held = rerun.as_ref().and_then(|rerun| rerun.ordered.as_ref()).map(|ordered| &ordered.held);
        let confirmer = self.confirmer();
        let (repeated, verdict) = match confirmer.confirm(&self.program, failure, (&recipe, held), interrupt) {
            Ok(Some(done)) => done,
            Ok(None) => return Confirmation::NotTried(NO_TIME.to_owned()),
            Err(error) => return Confirmation::NotReproduced(error.to_string()),
        };
        // Threads that lose their order may take another path.
        if let Some(rerun) = rerun.as_ref().filter(|rerun| rerun.ordered.is_none())
            && let Some(strays) = confirmer.strays(&self.program, &rerun.followed, &repeated)
        {
            self.strayed.lock().unwrap_or_else(PoisonError::into_inner).insert(strays);
        }
        verdict.map_or_else(Confirmation::NotReproduced, |()| Confirmation::Confirmed)
    }

    fn inputs(&self, _terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let values = shown(&self.program, &self.variables, &case.input);
        values.into_iter().map(|(name, value)| InputValue { name, value }).collect()
    }

    fn case_file(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        // One that passes in one thread need not run once more.
        let rerun = (failure.is_some() || self.program.has_threads()).then(|| self.orders.order(case, failure)).flatten();
        let path = rerun.as_ref().map(|rerun| self.confirmer().digest(&self.program, &rerun.followed));
        let file = JavaCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            origin: self.plan.origin.clone(),
            class: self.plan.method.class.clone(),
            method: self.plan.method_text(),
            checks: self.plan.checks.clone(),
            inputs: shown(&self.program, &self.variables, &case.input),
            recipe: self.recipe(case),
            schedule: rerun.and_then(|rerun| rerun.ordered),
            path,
            milliseconds: u64::try_from(self.plan.options.patience.as_millis()).unwrap_or(u64::MAX),
            outcome: outcome(failure),
            failure: failure.cloned(),
        };
        case_file(&file)
    }

    fn standalone(&self, _terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        let (recipe, junit) = (self.recipe(case), self.plan.junit);
        let text = if failure.interleaving.is_empty() {
            junit::failing(&self.program, &recipe, failure, name, junit)
        } else {
            let ordered = self.orders.order(case, Some(failure)).and_then(|rerun| rerun.ordered);
            ordered.and_then(|ordered| junit::in_order(&self.program, (&recipe, &ordered.held), failure, name, junit))
        };
        text.map(|text| Text { extension: "java", text }).into_iter().collect()
    }

    fn beside(&self) -> Vec<Beside> {
        let agent = Beside { name: junit::AGENT_FILE.to_owned(), contents: junit::AGENT.to_vec() };
        if (self.several)() { vec![agent] } else { Vec::new() }
    }

    fn last(&self, write: Write<'_>, show: Show) -> Result<()> {
        suite::write(self, write, show)
    }

    fn path(&self, _terms: &Terms, case: &TestCase, outcome: &Outcome) {
        if (self.several)() {
            // What they do may be something else the next time, unless they are held to their order.
            let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            if threads.wants_more() && *outcome == Outcome::Passed {
                threads.cases.push(case.clone());
            }
            return;
        }
        // No test says what a call does that does not end, or that assumes more than the method does.
        let tells = match outcome {
            Outcome::OutOfBudget(_) | Outcome::Rejected => false,
            Outcome::Failed(failure) => !matches!(failure.kind, FailureKind::Hang | FailureKind::Signal),
            Outcome::Passed => true,
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.wants_more() && tells {
            let recipe = self.recipe(case);
            kept.cases.push(recipe);
        }
    }

    fn identity(&self, subject: &JavaSubject) -> String {
        let (method, options) = (&self.plan.method, &self.plan.options);
        let limits = (options.events, options.patience, options.heap, options.longest);
        let limits = (limits, &self.plan.checks);
        let all = format!("{} {} {limits:?}\n{}\n{}\n", self.name, method.descriptor, self.plan.jdk.release(), subject.identity());
        sha256(all.as_bytes())
    }

    fn variables(&self, known: usize) -> Option<(usize, Vec<u8>)> {
        self.variables.since(known)
    }

    fn recall(&self, variables: &[u8]) -> Result<()> {
        self.variables.recall(variables).context("its variables cannot be read")
    }

    fn conclude(&self, _: &[JavaSubject], _: &SearchPlan, _: &(dyn Fn() -> bool + Sync)) -> Conclusion {
        let strayed = self.strayed.lock().unwrap_or_else(PoisonError::into_inner);
        let what = |strays: &String| format!("the original classes take another path: {strays}");
        let limit = |strays| Limit { kind: "inexact".to_owned(), what: what(strays), incomplete: true };
        Conclusion { limits: strayed.iter().map(limit).collect(), ..Conclusion::default() }
    }

    fn coverage(&self, subjects: &[JavaSubject]) -> SourceCoverage {
        coverage::of_all(subjects, |path| self.file(path))
    }

    fn counts_reached_files(&self) -> bool {
        true
    }
}
