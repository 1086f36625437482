//! `xcute clp`: logic programs as the binary needs them.

mod arguments;
mod behaviour;
mod case;
mod choices;
mod coverage;
mod observed;
mod plan;
mod prolog;
mod propose;
mod replay;
mod subsets;
mod suite;
mod together;

use std::path::Path;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use xcute_clp::constrained::ConstrainedGoal;
use xcute_clp::inferred;
use xcute_clp::plunit::{Suite, Test};
use xcute_clp::subject::{ClpSubject, Options, Written};
use xcute_clp::swipl::goal_text;
use xcute_clp::syntax::{Atoms, Program};
use xcute_clp::{DETERMINISM, OUT_OF_MEMORY};
use xcute_engine::{Confirmation, Seed};
use xcute_report::exchange::Rule;
use xcute_report::{InputValue, LimitKind, SourceCoverage, Summary, Words};
use xcute_term::{Interrupt, Model, Terms};
use xcute_trace::{Bound, Failure, FailureKind, Frame, Limit, Outcome, Subject as _, TestCase};

use super::kept::Kept;
use crate::front::{
    Case, CaseText, Conclusion, Files, FrontEnd, Language, Need, Opened, Opening, Part, Proposal, Ready, Several, Testable, Text, Write,
    case_file, outcome, version,
};
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::talk;
use crate::until::until;
use arguments::ClpArguments;
use behaviour::Behaviour;
use case::{ClpCase, LANGUAGE, VERSION};
use observed::{DISAGREEMENT, KeptCase, UNDECIDED};
use plan::ClpPlan;
use prolog::Prolog;
use together::{Together, Where};

/// What SWI-Prolog may take at least to run the tests of a search that had to end.
const A_MOMENT: Duration = Duration::from_secs(2);

/// Prolog and CLP.
pub struct Clp;

impl Language for Clp {
    fn command(&self) -> Command {
        ClpArguments::augment_args(Command::new("clp")).about("Test a predicate of Prolog or CLP")
    }

    fn example(&self) -> &'static str {
        "clp program.pl --goal path/3"
    }

    fn kinds(&self) -> &'static [Rule] {
        &[
            Rule {
                kind: DETERMINISM,
                about: "A goal has another number of solutions than it is declared to have.",
                help: "Cut the clauses that must not be tried, or correct the declaration.",
            },
            Rule {
                kind: DISAGREEMENT,
                about: "SWI-Prolog does something else than xcute's machine.",
                help: "It is a bug of xcute, or of the version of SWI-Prolog: please report it with the case.",
            },
        ]
    }

    fn limits(&self) -> &'static [LimitKind] {
        &[
            LimitKind {
                name: "disagreement",
                meaning: "SWI-Prolog, or without it a run with values, did something else than the run of the search.",
                advice: "The failures of this kind say what. Please report them: that is a bug of xcute.",
            },
            LimitKind {
                name: "order",
                meaning: "A tabled predicate of Prolog has several answers, whose order SWI-Prolog leaves open. The search can be complete all the same.",
                advice: "Nothing.",
            },
            LimitKind {
                name: "type",
                meaning: "A predicate of Prolog refused inputs whose types are not declared, with a type error. The search can be complete all the same.",
                advice: "Declare the types. --strict makes failures of such errors.",
            },
            LimitKind {
                name: UNDECIDED,
                meaning: "Whether SWI-Prolog does the same as the run of the search is not known: one of them did not end within its limits, or there was no time.",
                advice: "More --steps, or more --time.",
            },
            LimitKind {
                name: "universe",
                meaning: "A program of Prolog compared an input with something that inputs are not made of, or took terms of any functor apart.",
                advice: "Declare the types of its arguments.",
            },
        ]
    }

    fn propose(&self, root: &Path) -> Result<Option<Proposal>> {
        propose::propose(root)
    }

    fn testable(&self, root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
        propose::in_file(root, file)
    }

    fn needs(&self) -> Vec<Need> {
        let missing = "SWI-Prolog is not found (XCUTE_SWIPL names another)".to_owned();
        let found = xcute_clp::swipl::find().ok_or(missing).and_then(|swipl| version(&swipl, &["--version"]));
        vec![Need::new("swipl", "repeating failures and running tests on SWI-Prolog", "apt-get install swi-prolog-nox", found)]
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let low = ClpArguments::from_arg_matches(matches)?;
        let (mut plans, all) = plan::clp(&low)?;
        if low.types {
            let texts: Vec<String> = plans.iter().map(|plan| inferred(&plan.program, plan.options.goal)).collect();
            talk::result(&texts.join("\n"))?;
            return Ok(Opening { parts: Vec::new(), several: None });
        }
        if !all && plans.len() == 1 {
            let plan = plans.remove(0);
            return Ok(Opening::one(move |search, output| open(&plan, None, search, output)));
        }
        let several = Some(Several { what: "predicate", of: low.file.display().to_string() });
        let directory = low.file.is_dir();
        let root = if directory { low.file.clone() } else { low.file.parent().unwrap_or(&low.file).to_owned() };
        let together = together::of(&plans, &if low.beside { Where::Beside } else { Where::Below(root) })?;
        let parts = plans.into_iter().map(|plan| {
            let together = together.get(&plan.file).map(Arc::clone);
            part(plan, together, directory)
        });
        Ok(Opening { parts: parts.collect(), several })
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(text.parse::<ClpCase>(VERSION)?))
    }

    fn words(&self, summary: &Summary, files: Files<'_>) -> Result<Words> {
        choices::words(summary, files)
    }
}

/// One predicate of several.
fn part(plan: ClpPlan, together: Option<Arc<Together>>, directory: bool) -> Part {
    let goal = plan.program.show(plan.options.goal);
    let name = if directory { format!("{}:{goal}", plan::stem(&plan.file)) } else { goal };
    let words = vec!["--goal".to_owned(), name.clone()];
    Part { name, words, open: Box::new(move |search, output| open(&plan, together, search, output)) }
}

/// Makes a predicate ready.
fn open(plan: &ClpPlan, together: Option<Arc<Together>>, search: &SearchPlan, output: &OutputPlan) -> Result<Box<dyn Opened>> {
    let name = plan.program.show(plan.options.goal);
    let subject = ClpSubject::new(&plan.program, plan.options.clone()).with_context(|| format!("cannot test {}", plan.file.display()))?;
    let mut subjects: Vec<ClpSubject> = (1..search.jobs).map(|_| subject.another()).collect();
    let plain = Mutex::new(Plain {
        subject: subject.another(),
        terms: Terms::new(),
        last: None,
        begun: Instant::now(),
        over: Interrupt::new(),
        unrepeated: 0,
    });
    let seeds = seeds(plan, &mut subject.another())?;
    subjects.insert(0, subject);
    let path = plan.file.canonicalize().with_context(|| format!("cannot read {}", plan.file.display()))?;
    let title = format!("Tests of {name} in {}, written by xcute clp", plan.file.display());
    let suite = Suite::of(&plan.program, &path, title);
    let front = ClpFront {
        name,
        program: plan.program.clone(),
        options: plan.options.clone(),
        out: output.dir.clone(),
        plain,
        prolog: Mutex::new(Prolog::new(&suite, plan.options.bounds)),
        suite,
        together,
        kept: Mutex::new(Kept::new(plan.tests)),
        goals: plan.goals,
        seeds,
    };
    Ok(Box::new(Ready { front, subjects }))
}

/// The cases to begin with.
fn seeds(plan: &ClpPlan, subject: &mut ClpSubject) -> Result<Vec<Seed>> {
    let mut terms = Terms::new();
    let mut seeds = Vec::new();
    for (file, goal) in &plan.seeds {
        let Some(case) = subject.case(&mut terms, &plan.program.operators, goal) else {
            let name = plan.program.show(plan.options.goal);
            bail!("cannot begin with {}: {goal} is not a call of {name} with arguments that can be inputs", file.display());
        };
        seeds.push(Seed::of(&terms, &case));
    }
    Ok(seeds)
}

/// A logic program made ready.
struct ClpFront {
    name: String,
    program: Program,
    options: Options,
    suite: Suite,
    /// The tests of all predicates of the file, where they are tested one after the other.
    together: Option<Arc<Together>>,
    /// The results directory.
    out: PathBuf,
    /// Runs cases once more, outside of the search.
    plain: Mutex<Plain>,
    prolog: Mutex<Prolog>,
    /// The first case of every path, as far as tests are written.
    kept: Mutex<Kept<KeptCase>>,
    /// Whether goals with constraints are shown.
    goals: bool,
    /// Cases to begin with.
    seeds: Vec<Seed>,
}

/// A subject of its own, and the terms of its conditions.
struct Plain {
    subject: ClpSubject,
    terms: Terms,
    /// The goal with constraints that was made last: the file and the test of a case follow each other.
    last: Option<(Model, Option<ConstrainedGoal>)>,
    /// When the search began.
    begun: Instant,
    /// Raised when the search is to end.
    over: Interrupt,
    /// Paths whose cases were not repeated before that.
    unrepeated: usize,
}

impl Plain {
    /// The goal of a case.
    fn goal(&mut self, terms: &Terms, case: &TestCase) -> Written {
        self.subject.goal(terms, &case.input)
    }

    /// The path of a case as a goal with constraints.
    fn constrained(&mut self, terms: &Terms, case: &TestCase) -> Option<ConstrainedGoal> {
        let input = self.subject.moved(terms, &case.input, &mut self.terms);
        if let Some((_, made)) = self.last.as_ref().filter(|(last, _)| *last == input) {
            return made.clone();
        }
        let made = self.subject.constrained(&mut self.terms, &TestCase { input: input.clone(), ..TestCase::default() });
        self.last = Some((input, made.clone()));
        made
    }

    fn atoms(&self) -> &Atoms {
        &self.subject.symbols().atoms
    }
}

impl ClpFront {
    fn plain(&self) -> MutexGuard<'_, Plain> {
        self.plain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prolog(&self) -> MutexGuard<'_, Prolog> {
        self.prolog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, Kept<KeptCase>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long something may take when the search is over; `None` where it was not asked to end.
    fn haste(&self) -> Option<Duration> {
        let plain = self.plain();
        plain.over.raised().then(|| (plain.begun.elapsed() / 2).max(A_MOMENT))
    }

    /// Where the goal is defined.
    fn place(&self) -> Vec<Frame> {
        self.plain().subject.place()
    }

    /// The goal of a case, and its text with all variables named.
    fn goal(&self, terms: &Terms, case: &TestCase) -> (Written, String) {
        let mut plain = self.plain();
        let goal = plain.goal(terms, case);
        let text = goal_text(&goal.terms, goal.roots[0], plain.atoms());
        (goal, text)
    }

    /// A test for a case, and what the goal does: on SWI-Prolog, or without it on the plain machine.
    fn test(&self, terms: &Terms, case: &TestCase, name: &str) -> (Option<Test>, Behaviour, Atoms) {
        let (goal, text) = self.goal(terms, case);
        let mut plain = self.plain();
        let (answer, _) = plain.subject.replay(terms, &case.input, self.options.bounds);
        let mut atoms = plain.atoms().clone();
        let mut prolog = self.prolog();
        let (behaviour, expected) = match prolog.observe(&self.suite, &text, &mut atoms) {
            Some(observed) => observed,
            None => (Behaviour::of_machine(&answer, &atoms), behaviour::expected(&answer)),
        };
        let comment = plain.constrained(terms, case).map(|goal| goal.text(plain.atoms()));
        let test = expected.map(|expected| Test { name: name.to_owned(), terms: goal.terms, goal: goal.roots[0], expected, comment });
        (test, behaviour, atoms)
    }
}

/// What a run that was ended by its bounds does on SWI-Prolog, which comes further, or has no room for more.
fn other_end(failure: &Failure, behaviour: &Behaviour) -> Option<Failure> {
    let memory = failure.message == OUT_OF_MEMORY;
    let (kind, message) = match (failure.kind, behaviour) {
        (FailureKind::Hang, other) => (FailureKind::UncaughtException, format!("uncaught {}", other.error()?)),
        (FailureKind::UncaughtException, other) if memory => (failure.kind, format!("uncaught {}", other.error()?)),
        _ => return None,
    };
    Some(Failure { kind, message, ..failure.clone() }).filter(|other| other.message != failure.message)
}

impl FrontEnd for ClpFront {
    type Subject = ClpSubject;

    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self, path: &str) -> String {
        path.to_owned()
    }

    fn bounds(&self) -> Vec<Bound> {
        let depth = self.options.term_depth;
        depth.map(|most| Bound::new("depth", most.into(), format!("terms of depth up to {most}"))).into_iter().collect()
    }

    fn no_input(&self) -> Option<Limit> {
        let what = match self.options.goal.arity {
            0 => "the goal has no arguments: it has one path (test another predicate with --goal)",
            _ => "no argument of the goal is ground (say which with --ground, or test another predicate with --goal)",
        };
        Some(Limit { kind: Limit::NO_INPUT.to_owned(), what: what.to_owned(), incomplete: false })
    }

    fn seeds(&self) -> Vec<Seed> {
        self.seeds.clone()
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase, interrupt: &Interrupt) -> Confirmation {
        self.prolog().interrupt_by(interrupt);
        let (_, behaviour, _) = self.test(terms, case, "");
        let declared = self.program.declaration(self.options.goal).and_then(|declaration| declaration.determinism);
        // What was broken off has not ended; that says nothing.
        let broken_off = interrupt.raised() && behaviour == Behaviour::NoEnd;
        if !broken_off && let Some(other) = other_end(failure, &behaviour) {
            return Confirmation::Instead(Box::new(other));
        }
        if behaviour.is_failure(failure.kind, declared) && !broken_off {
            return Confirmation::Confirmed;
        }
        if interrupt.raised() {
            return Confirmation::NotTried("the search had to end before it could be repeated".to_owned());
        }
        Confirmation::NotReproduced(format!("outside of the search {} {behaviour}", self.goal(terms, case).1))
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        vec![InputValue { name: "goal".to_owned(), value: self.goal(terms, case).1 }]
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let constrained = {
            let mut plain = self.plain();
            plain.constrained(terms, case).map(|goal| goal.text(plain.atoms()))
        };
        let file = ClpCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            program: self.suite.program.clone(),
            goal: self.goal(terms, case).1,
            constrained,
            solutions: self.options.bounds.solutions,
            steps: self.options.bounds.steps,
            outcome: outcome(failure),
            failure: failure.cloned(),
        };
        case_file(&file)
    }

    fn standalone(&self, terms: &Terms, case: &TestCase, _failure: &Failure, name: &str) -> Vec<Text> {
        let (test, _, atoms) = self.test(terms, case, name);
        let title = format!("Failure {name} of {}, written by xcute clp", self.name);
        let suite = Suite { title, file: name.to_owned(), ..self.suite.clone() };
        let text = |test| suite.text(&[test], &self.out.join("failures"), &atoms, &self.program.operators);
        test.map(|test| Text { extension: "plt", text: text(test) }).into_iter().collect()
    }

    fn last(&self, write: Write<'_>, show: Show) -> Result<()> {
        suite::write(self, write, show)
    }

    fn begins(&self, over: &Interrupt) {
        let mut plain = self.plain();
        plain.subject.interrupt_by(over);
        plain.over = over.clone();
        plain.begun = Instant::now();
    }

    fn path(&self, terms: &Terms, case: &TestCase, outcome: &Outcome) {
        if *outcome == Outcome::Rejected || !self.kept().wants_more() {
            return;
        }
        let (goal, text) = self.goal(terms, case);
        let mut plain = self.plain();
        let (answer, _) = plain.subject.replay(terms, &case.input, self.options.bounds);
        let constrained = plain.constrained(terms, case);
        if plain.over.raised() {
            plain.unrepeated += 1;
            return;
        }
        // That was a run with symbolic terms.
        let symbolic = plain.subject.answer().clone();
        self.kept().cases.push(KeptCase {
            goal,
            text,
            answer,
            symbolic,
            constrained,
            failed: matches!(outcome, Outcome::Failed(_)),
            seen: None,
        });
    }

    fn variables(&self, _known: usize) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn recall(&self, _variables: &[u8]) -> Result<()> {
        Ok(())
    }

    fn coverage(&self, subjects: &[ClpSubject]) -> SourceCoverage {
        coverage::of_all(subjects)
    }

    fn conclude(&self, subjects: &[ClpSubject], search: &SearchPlan, stop: &(dyn Fn() -> bool + Sync)) -> Conclusion {
        let mut conclusion = choices::conclude(subjects, search, stop);
        let unrepeated = self.plain().unrepeated;
        if unrepeated > 0 {
            let what = "a path was found when the search had to end: its case was not compared".to_owned();
            let limit = Limit { kind: UNDECIDED.to_owned(), what, incomplete: true };
            conclusion.limits.extend(std::iter::repeat_n(limit, unrepeated));
        }
        let declared = self.program.declaration(self.options.goal);
        let typed = declared.is_some_and(|declared| declared.arguments.iter().any(|argument| argument.type_.is_some()));
        if typed && subjects.iter().all(|subject| subject.subsets().is_empty()) {
            let what = "no input of the declared types was found".to_owned();
            conclusion.limits.push(Limit { kind: "type".to_owned(), what, incomplete: true });
        }
        let over = Interrupt::new();
        self.prolog().interrupt_by(&over);
        // What does not end here ends with SWI-Prolog's process.
        until(stop, &over, || {}, || observed::all(self, &|| over.raised() || stop(), &mut conclusion));
        self.plain().over = over;
        conclusion
    }
}
