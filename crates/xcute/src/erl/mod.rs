//! `xcute erl`: Erlang functions as the binary needs them.

pub mod arguments;
pub mod case;
mod coverage;
pub mod plan;
pub mod replay;
mod suite;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use xcute_engine::Confirmation;
use xcute_erl::etf::{Atoms, Term};
use xcute_erl::paper;
use xcute_erl::program::Program;
use xcute_erl::subject::{ErlSubject, Original};
use xcute_erl::universe::shown;
use xcute_erl::vm::Limits;
use xcute_report::{InputValue, SourceCoverage};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, Limit, Subject as _, TestCase};

use crate::campaign;
use crate::exit::Exit;
use crate::front::{FrontEnd, Text};
use crate::hash::sha256;
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::{resume, talk};
use arguments::EventsArgument;
use case::{ErlCase, LANGUAGE, VERSION};
use plan::{ErlPlan, Origin};
use suite::{Call, Kept, Suite};

/// A replay on the original module may take longer than a run by this factor: it is slower only on a busy machine.
const PATIENCE: u32 = 2;

/// Tests the functions of a plan, one campaign each.
pub fn run(plan: ErlPlan) -> Result<Exit> {
    if let [(function, arity)] = &plan.functions[..]
        && plan.named
    {
        return one(&plan, (function, *arity), &plan.search, &plan.output);
    }
    let begin = Instant::now();
    let (mut failing, mut exit) = (Vec::new(), Exit::NoFailure);
    for (at, (function, arity)) in plan.functions.iter().enumerate() {
        // What is left of the time is shared by the functions that are left.
        let left = u32::try_from(plan.functions.len() - at).unwrap_or(u32::MAX);
        let time = plan.search.time.map(|time| time.saturating_sub(begin.elapsed()) / left);
        let search = SearchPlan { time, ..plan.search.clone() };
        let dir = plan.output.dir.join(format!("{}-{arity}", file_name(function)));
        let words = Some(words(&dir, &format!("{function}/{arity}")));
        let output = OutputPlan { dir, words, ..plan.output.clone() };
        if one(&plan, (function, *arity), &search, &output)? == Exit::Failures {
            failing.push(format!("{function}/{arity}"));
            exit = Exit::Failures;
        }
        talk::result("\n")?;
    }
    let count = plan.functions.len();
    let of = format!("{} function{}", count, if count == 1 { "" } else { "s" });
    talk::result(&match failing.len() {
        0 => format!("no failure in {of} of {}\n", plan.module),
        failed => format!("{failed} of {of} of {} can fail: {}\n", plan.module, failing.join(", ")),
    })?;
    Ok(exit)
}

/// The command line for one of several functions.
fn words(dir: &Path, function: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut typed = resume::typed().into_iter();
    while let Some(word) = typed.next() {
        if word == "--out" {
            typed.next();
        } else if !word.starts_with("--out=") {
            words.push(word);
        }
    }
    words.extend(["--out".to_owned(), dir.display().to_string(), function.to_owned()]);
    words
}

/// A function's name as a part of a file's name.
fn file_name(function: &str) -> String {
    function.chars().map(|c| if c.is_alphanumeric() || c == '_' || c == '@' { c } else { '-' }).collect()
}

/// Tests one function.
fn one(plan: &ErlPlan, (function, arity): (&str, u32), search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    let program = Program::new(&plan.modules, &plan.module, function, arity)?;
    let inputs = Arc::new(program.inputs(plan.term_depth)?);
    let program = Arc::new(program);
    let subject = ErlSubject::new(Arc::clone(&program), inputs, plan.limits);
    let mut subjects: Vec<ErlSubject> = (1..search.jobs).map(|_| subject.another()).collect();
    let patient = Limits { time: plan.limits.time * PATIENCE, ..plan.limits };
    let front = ErlFront {
        name: format!("{}:{function}/{arity}", plan.module),
        call: Call { module: plan.module.clone(), function: function.to_owned(), arity },
        origin: plan.origin.clone(),
        term_depth: plan.term_depth,
        limits: plan.limits,
        plain: Mutex::new(Plain { subject: subject.another(), original: Original::new(Arc::clone(&program), patient) }),
        suite: Mutex::new(Suite::new(plan.tests)),
        out: output.dir.clone(),
        events: plan.events,
        program,
    };
    subjects.insert(0, subject);
    campaign::run(&front, &mut subjects, search, output)
}

/// The arguments of a case file; `None` if it is of another language.
pub fn read_inputs(case: &Path) -> Option<Vec<InputValue>> {
    let case = ErlCase::read(case).ok()??;
    Some(vec![InputValue { name: "call".to_owned(), value: case.call() }])
}

/// A function made ready.
struct ErlFront {
    name: String,
    call: Call,
    origin: Origin,
    term_depth: Option<u32>,
    limits: Limits,
    program: Arc<Program>,
    /// Runs cases once more, outside of the search.
    plain: Mutex<Plain>,
    /// The first case of every path, as far as tests are written.
    suite: Mutex<Suite>,
    /// The results directory.
    out: PathBuf,
    /// Whether the events of each path are printed, and how.
    events: Option<EventsArgument>,
}

/// What runs cases outside of the search.
struct Plain {
    subject: ErlSubject,
    original: Original,
}

impl ErlFront {
    fn plain(&self) -> MutexGuard<'_, Plain> {
        self.plain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The arguments of a case, and the atoms they are made of.
    fn arguments(&self, terms: &Terms, case: &TestCase) -> (Vec<Term>, Atoms) {
        let mut plain = self.plain();
        let arguments = plain.subject.arguments(terms, &case.input);
        (arguments, plain.subject.atoms().clone())
    }

    /// Writes the tests of all paths, runs them, and prints what else was asked for.
    fn conclude(&self, show: Show) -> Result<()> {
        let suite = std::mem::replace(&mut *self.suite.lock().unwrap_or_else(PoisonError::into_inner), Suite::new(0));
        if self.events == Some(EventsArgument::Paper) && !show.json {
            for kept in suite.calls() {
                talk::result(&format!("\n{}\n{}", kept.text, self.paper(kept)?))?;
            }
        }
        let mut plain = self.plain();
        let written = suite.write(&self.call, &mut plain.original, &self.out)?;
        drop(plain);
        if let Some(written) = written {
            let ran = suite::run(&written.file, &self.origin, &self.program.modules)?;
            if !show.quiet {
                talk::say(&written.told(ran));
            }
        }
        Ok(())
    }

    /// The paper's events of a call, one a line.
    fn paper(&self, kept: &Kept) -> Result<String> {
        let mut plain = self.plain();
        let mut terms = Terms::new();
        let case = plain.subject.case_external(&mut terms, &kept.external).context("an argument cannot be an input")?;
        plain.subject.log(true);
        plain.subject.run(&case, &[], &mut terms).context("cannot run the function once more")?;
        let lines = plain.subject.last().paper.lines(&self.program.code, plain.subject.atoms(), paper::Bound::Lets);
        Ok(lines.iter().map(|line| format!("  {line}\n")).collect())
    }
}

impl FrontEnd for ErlFront {
    type Subject = ErlSubject;

    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self, path: &str) -> String {
        let here = std::env::current_dir().ok();
        let below = here.and_then(|here| Path::new(path).strip_prefix(here).ok().map(|below| below.display().to_string()));
        below.unwrap_or_else(|| path.to_owned())
    }

    fn bounds(&self) -> Vec<Bound> {
        let depth = self.term_depth;
        depth.map(|most| Bound::new("depth", most.into(), format!("terms of depth up to {most}"))).into_iter().collect()
    }

    fn no_input(&self) -> Option<Limit> {
        let what = "the function has no arguments: it has one path".to_owned();
        Some(Limit { kind: Limit::NO_INPUT.to_owned(), what, incomplete: false })
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase, interrupt: &Interrupt) -> Confirmation {
        let mut plain = self.plain();
        plain.original.interrupt_by(interrupt);
        match plain.original.run(terms, &case.input).map(|verdict| verdict.confirms(failure)) {
            Ok(Ok(())) => Confirmation::Confirmed,
            Ok(Err(why)) => Confirmation::NotReproduced(why),
            Err(error) => Confirmation::NotReproduced(error.to_string()),
        }
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let (arguments, atoms) = self.arguments(terms, case);
        vec![InputValue { name: "call".to_owned(), value: self.call.text(&arguments, &atoms) }]
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let (arguments, atoms) = self.arguments(terms, case);
        let file = ErlCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            origin: self.origin.clone(),
            module: self.call.module.clone(),
            function: self.call.function.clone(),
            arguments: arguments.iter().map(|term| shown(term, &atoms)).collect(),
            external: case::hex(&case::external(&arguments, &atoms)),
            milliseconds: u64::try_from(self.limits.time.as_millis()).unwrap_or(u64::MAX),
            outcome: if failure.is_some() { "failed" } else { "passed" }.to_owned(),
            failure: failure.cloned(),
        };
        Text { extension: "json", text: file.text() }
    }

    fn standalone(&self, terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        let (arguments, atoms) = self.arguments(terms, case);
        vec![Text { extension: "erl", text: suite::failing(&self.call, &arguments, &atoms, failure, name) }]
    }

    fn last(&self, show: Show) -> Result<()> {
        self.conclude(show)
    }

    fn path(&self, terms: &Terms, case: &TestCase) {
        let mut suite = self.suite.lock().unwrap_or_else(PoisonError::into_inner);
        if suite.wants_more() {
            let (arguments, atoms) = self.arguments(terms, case);
            suite.add(Kept { text: self.call.text(&arguments, &atoms), external: case::external(&arguments, &atoms) });
        }
    }

    fn fingerprint(&self, subject: &ErlSubject) -> String {
        let mut all = format!("{} {:?} {:?}\n", self.name, self.term_depth, self.limits).into_bytes();
        all.extend(format!("{:?}\n", subject.inputs()).into_bytes());
        for followed in &self.program.modules.followed {
            all.extend_from_slice(&followed.original);
            all.extend_from_slice(&followed.copy);
        }
        sha256(&all)
    }

    fn variables(&self, _known: usize) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn recall(&self, _variables: &[u8]) -> Result<()> {
        Ok(())
    }

    fn coverage(&self, subjects: &[ErlSubject]) -> SourceCoverage {
        coverage::of_all(subjects, |path| self.file(path))
    }
}
