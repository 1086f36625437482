//! `xcute erl`: Erlang functions as the binary needs them.

mod application;
mod arguments;
mod case;
mod corpus;
mod coverage;
mod erlang_mk;
mod plan;
mod propose;
mod quoted;
mod replay;
mod shell;
mod suite;
mod together;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use xcute_engine::{Confirmation, Seed};
use xcute_erl::etf::{Atoms, Term, encode_list};
use xcute_erl::paper;
use xcute_erl::program::Program;
use xcute_erl::subject::{CaseSchedule, ErlSubject, Original};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Home, Limits};
use xcute_report::{InputValue, SourceCoverage};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, FailureKind, Limit, Outcome, Subject as _, TestCase};

use super::kept::{Kept, told};
use crate::front::{
    Case, CaseText, FrontEnd, Language, NO_TIME, Need, Opened, Opening, Part, Proposal, Ready, Several, Testable, Text, Write, case_file,
    outcome, version,
};
use crate::hash::{hexadecimal, sha256};
use crate::here::seen_from_here;
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::talk;
use arguments::{ErlArguments, EventsArgument};
use case::{ErlCase, LANGUAGE, VERSION};
use corpus::Corpora;
use plan::{ErlPlan, Origin, Tested};
use suite::{Call, KeptCall, Ran};
use together::{Together, Written};

/// A replay on the original module may take longer than a run by this factor: it is slower only on a busy machine.
const PATIENCE: u32 = 2;

/// Erlang.
pub struct Erl;

impl Language for Erl {
    fn command(&self) -> Command {
        ErlArguments::augment_args(Command::new("erl")).about("Test functions of an Erlang module")
    }

    fn example(&self) -> &'static str {
        "erl src/shop.erl total/2"
    }

    fn propose(&self, root: &Path) -> Result<Option<Proposal>> {
        propose::propose(root)
    }

    fn testable(&self, root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
        propose::in_file(root, file)
    }

    fn needs(&self) -> Vec<Need> {
        let home = Home::find().map_err(|error| error.to_string());
        let ask = ["-noshell", "-eval", "io:format(\"Erlang/OTP ~s~n\", [erlang:system_info(otp_release)]), halt()."];
        let erl = home.as_ref().map_err(String::clone).and_then(|home| version(home.erl(), &ask));
        let ask = ["-noshell", "-eval", "case code:which(eunit) of non_existing -> halt(1); _ -> halt(0) end."];
        let eunit = home.as_ref().map_err(String::clone).and_then(|home| version(home.erl(), &ask));
        vec![
            Need::new("erl", "running the modules under test", "apt-get install erlang-base", erl),
            Need::new("eunit", "running the tests that are written", "apt-get install erlang-eunit", eunit).optional(),
        ]
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let mut low = ErlArguments::from_arg_matches(matches)?;
        let seeds = std::mem::take(&mut low.seeds).read(LANGUAGE)?;
        let corpora = std::mem::take(&mut low.corpora);
        let plan = Arc::new(plan::erl(low)?);
        let seeds = Arc::new((chosen(seeds, &plan.functions)?, Corpora::of(corpora, &plan.functions)?));
        let modules: std::collections::BTreeSet<&String> = plan.functions.iter().map(|tested| &tested.module).collect();
        let together = if plan.named { std::collections::BTreeMap::new() } else { together::of(&plan.functions) };
        let part = |tested: &Tested| {
            let (plan, seeds, tested, name) = (Arc::clone(&plan), Arc::clone(&seeds), tested.clone(), tested.name(modules.len() > 1));
            let together = together.get(&tested.module).map(Arc::clone);
            let open = move |search: &SearchPlan, output: &OutputPlan| {
                let together = together.map(|together| (together, output.dir.parent().unwrap_or(&output.dir).to_owned()));
                open(&plan, &seeds, &tested, search, together)
            };
            Part { words: vec![name.clone()], name, open: Box::new(open) }
        };
        let several = (!plan.named).then(|| Several { what: "function", of: plan.of.clone() });
        Ok(Opening { parts: plan.functions.iter().map(part).collect(), several })
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(text.parse::<ErlCase>(VERSION)?))
    }
}

/// Makes a function ready.
fn open(
    plan: &ErlPlan,
    (seeds, corpora): &(Vec<SeedCase>, Corpora),
    tested: &Tested,
    search: &SearchPlan,
    together: Option<(Arc<Together>, PathBuf)>,
) -> Result<Box<dyn Opened>> {
    let Tested { module, function, arity } = tested;
    let program = Program::new(&plan.modules, module, function, *arity)?;
    let inputs = Arc::new(program.inputs(plan.term_depth)?);
    let program = Arc::new(program);
    let mut subject = ErlSubject::new(Arc::clone(&program), inputs, plan.limits);
    subject.start()?;
    let mut subjects: Vec<ErlSubject> = (1..search.jobs).map(|_| subject.another()).collect();
    let patient = Limits { time: plan.limits.time * PATIENCE, ..plan.limits };
    let front = ErlFront {
        name: format!("{module}:{function}/{arity}"),
        call: Call { module: module.clone(), function: function.clone(), arity: *arity },
        origin: plan.origin.clone(),
        term_depth: plan.term_depth,
        limits: plan.limits,
        plain: Mutex::new(Plain { subject: subject.another(), original: Original::new(Arc::clone(&program), patient) }),
        kept: Mutex::new(Kept::new(plan.tests)),
        events: plan.events,
        several: subject.several(),
        calls_input: subject.calls_input(),
        seeds: [planted(seeds, tested, &mut subject.another())?, corpora.seeds(&mut subject.another())].concat(),
        export: corpora.export.clone(),
        together,
        program,
    };
    subjects.insert(0, subject);
    ErlSubject::spread(&mut subjects);
    Ok(Box::new(Ready { front, subjects }))
}

/// A case to begin with, and its file.
type SeedCase = (PathBuf, ErlCase);

/// The cases to begin with. Each is of one of the functions that are tested.
fn chosen(texts: Vec<CaseText>, functions: &[Tested]) -> Result<Vec<SeedCase>> {
    let case = |text: CaseText| {
        let case = text.parse::<ErlCase>(VERSION)?;
        if !functions.iter().any(|tested| case.is_of(tested)) {
            bail!("cannot begin with {}: {} is not a call of a function that is tested", text.path.display(), case.call());
        }
        Ok((text.path, case))
    };
    texts.into_iter().map(case).collect()
}

/// Those of this function, as seeds.
fn planted(seeds: &[SeedCase], tested: &Tested, subject: &mut ErlSubject) -> Result<Vec<Seed>> {
    let mut terms = Terms::new();
    let mut planted = Vec::new();
    for (file, case) in seeds.iter().filter(|(_, case)| case.is_of(tested)) {
        let cannot = || format!("cannot begin with {}", file.display());
        let external = case.external().with_context(cannot)?;
        let case = subject.case_external(&mut terms, &external).context("an argument cannot be an input").with_context(cannot)?;
        planted.push(Seed::of(&terms, &case));
    }
    Ok(planted)
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
    kept: Mutex<Kept<KeptCall>>,
    /// Whether the events of each path are printed, and how.
    events: Option<EventsArgument>,
    /// Whether some run had several processes.
    several: Box<dyn Fn() -> bool + Send + Sync>,
    /// Whether some run called a function of the input.
    calls_input: Arc<AtomicBool>,
    /// Cases to begin with.
    seeds: Vec<Seed>,
    /// A corpus to add to.
    export: Option<PathBuf>,
    /// The tests of all functions of the module, and the directory that these go to, where it is tested as a whole.
    together: Option<(Arc<Together>, PathBuf)>,
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

    /// Something made of the arguments of a case and the atoms they are made of.
    fn with_arguments<T>(&self, terms: &Terms, case: &TestCase, make: impl FnOnce(&[Term], &Atoms) -> T) -> T {
        let mut plain = self.plain();
        let arguments = plain.subject.arguments(terms, &case.input);
        make(&arguments, plain.subject.atoms())
    }

    /// Which process did what when in a case; `None` if there was one only.
    fn ordered(&self, case: &TestCase, external: &[u8]) -> Option<CaseSchedule> {
        self.program.schedule?;
        let mut plain = self.plain();
        let mut terms = Terms::new();
        let again = plain.subject.case_external(&mut terms, external)?;
        plain.subject.ordered(&TestCase { schedule: case.schedule.clone(), ..again }, &mut terms)
    }

    /// Writes the tests of all paths, runs them, and prints what else was asked for.
    fn conclude(&self, write: Write<'_>, show: Show) -> Result<()> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.events == Some(EventsArgument::Paper) && !show.json {
            for call in &kept.cases {
                talk::result(&format!("\n{}\n{}", call.text, self.paper(call)?))?;
            }
        }
        let mut plain = self.plain();
        plain.original.interrupt_by(Interrupt::never());
        let tests = suite::tests(&kept, &self.call, &mut plain.original)?;
        drop(plain);
        let written = match (&self.together, tests) {
            (Some((together, directory)), tests) => together.add(tests, directory)?,
            (None, None) => None,
            (None, Some(tests)) => {
                let tests = [tests];
                let file = write(&suite::name(&self.call.module), suite::file(&self.call.module, &tests).as_bytes())?;
                Some(Written { file, tests: tests.into() })
            }
        };
        let Some(written) = written else { return Ok(()) };
        let said = self.checked(written)?;
        if !show.quiet {
            talk::say(&said);
        }
        Ok(())
    }

    /// Runs tests that are in a file, and leaves out those that fail: what the original did a moment ago is not what it does now. What to say of it.
    fn checked(&self, Written { file, mut tests }: Written) -> Result<String> {
        let run = || suite::run(&file, &self.origin, &self.program.modules);
        let (mut ran, mut left_out) = (run()?, 0);
        if let Ran::Fails(failing) = &ran {
            left_out = suite::leave_out(&mut tests, failing);
            std::fs::write(&file, suite::file(&self.call.module, &tests)).with_context(|| format!("cannot write {}", file.display()))?;
            ran = run()?;
        }
        let passed = match ran {
            Ran::Passes => Some(true),
            Ran::Fails(_) => Some(false),
            Ran::NotInstalled => None,
        };
        let more = match left_out {
            0 => String::new(),
            1 => " (1 more is left out: what it expects changes from run to run)".to_owned(),
            count => format!(" ({count} more are left out: what they expect changes from run to run)"),
        };
        Ok(told(&file, suite::count(&tests), "EUnit", passed) + &more)
    }

    /// The paper's events of a call, one a line.
    fn paper(&self, kept: &KeptCall) -> Result<String> {
        let mut plain = self.plain();
        let mut terms = Terms::new();
        let case = plain.subject.case_external(&mut terms, &kept.external).context("an argument cannot be an input")?;
        plain.subject.log(true);
        plain.subject.run(&case, &[], &mut terms)?;
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
        seen_from_here(Path::new(path)).display().to_string()
    }

    fn bounds(&self) -> Vec<Bound> {
        let depth = self.term_depth;
        let depth = depth.map(|most| Bound::new("depth", most.into(), format!("terms of depth up to {most}")));
        let calls = self.calls_input.load(Ordering::Relaxed);
        let tables = calls.then(|| Bound::new("functions", 1, "functions that are finite tables".to_owned()));
        let servers = self.program.calls_servers.then(|| Bound::new("servers", 1, "servers that answer in time".to_owned()));
        let made = self.program.specified.types.bounds.iter().map(|what| Bound::new("library", 1, what.clone()));
        depth.into_iter().chain(tables).chain(servers).chain(made).collect()
    }

    fn no_input(&self) -> Option<Limit> {
        let what = "the function has no arguments: it has one path".to_owned();
        // Processes have orders.
        self.program.schedule.is_none().then_some(Limit { kind: Limit::NO_INPUT.to_owned(), what, incomplete: false })
    }

    fn seeds(&self) -> Vec<Seed> {
        self.seeds.clone()
    }

    fn export(&self, terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Result<()> {
        let Some(directory) = self.export.as_deref().filter(|_| failure.is_none()) else { return Ok(()) };
        let bytes = self.with_arguments(terms, case, |arguments, _| corpus::bytes(arguments));
        bytes.map_or(Ok(()), |bytes| super::corpus::add(directory, &bytes))
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase, interrupt: &Interrupt) -> Confirmation {
        let mut plain = self.plain();
        plain.original.interrupt_by(interrupt);
        match plain.original.repeats(terms, &case.input, failure) {
            Ok(Ok(())) => Confirmation::Confirmed,
            // A run that was broken off says nothing.
            _ if interrupt.raised() => Confirmation::NotTried(NO_TIME.to_owned()),
            Ok(Err(why)) => Confirmation::NotReproduced(why),
            Err(error) => Confirmation::NotReproduced(error.to_string()),
        }
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let value = self.with_arguments(terms, case, |arguments, atoms| self.call.text(arguments, atoms));
        vec![InputValue { name: "call".to_owned(), value }]
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let (arguments, external) = self.with_arguments(terms, case, |arguments, atoms| {
            (arguments.iter().map(|term| shown(term, atoms)).collect(), encode_list(arguments, atoms))
        });
        let file = ErlCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            origin: self.origin.clone(),
            module: self.call.module.clone(),
            function: self.call.function.clone(),
            arguments,
            schedule: self.ordered(case, &external),
            external: hexadecimal(&external),
            milliseconds: u64::try_from(self.limits.time.as_millis()).unwrap_or(u64::MAX),
            outcome: outcome(failure),
            failure: failure.cloned(),
        };
        case_file(&file)
    }

    fn standalone(&self, terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        // A test cannot say in which order processes run.
        if !failure.interleaving.is_empty() {
            return Vec::new();
        }
        let text = self.with_arguments(terms, case, |arguments, atoms| suite::failing(&self.call, arguments, atoms, failure, name));
        vec![Text { extension: "erl", text }]
    }

    fn last(&self, write: Write<'_>, show: Show) -> Result<()> {
        self.conclude(write, show)
    }

    fn path(&self, terms: &Terms, case: &TestCase, outcome: &Outcome) {
        // No test says what a call does that does not end.
        let ends = match outcome {
            // What several processes do may be something else the next time.
            _ if (self.several)() => false,
            Outcome::OutOfBudget(_) => false,
            Outcome::Failed(failure) => !matches!(failure.kind, FailureKind::Hang | FailureKind::Deadlock),
            Outcome::Rejected => !self.program.rejects,
            Outcome::Passed => true,
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.wants_more() && ends {
            let call = self.with_arguments(terms, case, |arguments, atoms| KeptCall {
                text: self.call.text(arguments, atoms),
                arguments: suite::listed(arguments, atoms),
                external: encode_list(arguments, atoms),
            });
            kept.cases.push(call);
        }
    }

    fn identity(&self, subject: &ErlSubject) -> String {
        sha256(format!("{} {:?}\n{}", self.name, self.term_depth, subject.identity()).as_bytes())
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
