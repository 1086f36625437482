//! The conformance suite for front ends: what every [`Subject`] must get right, whatever its language.
//!
//! A front end instantiates it in one line, [`subject_conformance!`](crate::subject_conformance), with a program of its own that has some
//! paths (the more unusual, the better: one that ends the process; one has to fail), one that never ends, and the first one made ready again and changed. The program is
//! searched to the end, and with every run the laws are checked:
//!
//! - *repeatable*: the same case gives the same trace, after whatever other runs, and covers nothing new the second time;
//! - *exact*: of the arms of a decision exactly the taken one has a condition that the input meets, and its site has that many arms;
//! - *promises*: with a promise, the rest of the trace is the same; a promise that is broken is left at the very decision that breaks it;
//! - *predictions*: an input that was made for an arm takes it;
//! - *shared names*: export and import are inverses, also between two subjects of the program;
//! - *crash-safe*: a run that fails is an outcome, and the runs after it are what they were before;
//! - *budgets*: a run that never ends is ended, and the next run is as before;
//! - *stable sites*: two subjects of the program have the same sites, and so has the program when it is made ready again;
//! - *identity*: the program made ready again is the same one, and is another one where anything of it changed.
//!
//! **Invariant.** The suite knows no language and no solver: both come from outside.

use xcute_term::eval::Evaluator;
use xcute_term::{Model, TermId, Terms};

use crate::case::TestCase;
use crate::subject::{Known, Subject};
use crate::trace::{Decision, DecisionKind, Outcome, Trace};

/// Finds values with which all conditions hold, as a change of an input that meets all but the last; `None` where there are none.
pub type Solve<'a> = &'a mut dyn FnMut(&mut Terms, &[TermId], &Model) -> Option<Model>;

/// More runs than this are not a small program.
const MOST: usize = 200;

/// Instantiates the suite: two subjects of one program as a pair, the number of its paths, a solver, a subject whose program never ends, and three subjects: of a program, of
/// the same made ready again, and of one that differs from it.
#[macro_export]
macro_rules! subject_conformance {
    ($pair:expr, $paths:expr, $solve:expr, $endless:expr, $changed:expr) => {
        #[test]
        fn conforms_on_every_path() {
            let found = $crate::conformance::explore($pair, &mut $solve);
            assert_eq!(found, Ok($paths), "the paths of the program, or the law that is broken");
        }
        #[test]
        fn conforms_on_a_program_that_never_ends() {
            assert_eq!($crate::conformance::ends($endless), Ok(()));
        }
        #[test]
        fn conforms_when_the_program_changes() {
            assert_eq!($crate::conformance::recognised($changed), Ok(()));
        }
    };
}

/// Searches a program to the end; how many paths it has, or which law is broken.
///
/// # Errors
/// The law, and the decisions of the run that breaks it.
pub fn explore<S: Subject>((first, second): (S, S), solve: Solve<'_>) -> Result<usize, String> {
    let mut exam = Exam { subject: first, terms: Terms::new(), other: second, others: Terms::new() };
    let mut open = vec![(Model::new(), Vec::new())];
    let mut paths = 0;
    let mut failed = false;
    let mut begun = None;
    exam.stable()?;
    while let Some((input, promise)) = open.pop() {
        if paths == MOST {
            return Err(format!("the program has more than {MOST} paths"));
        }
        let trace = exam.run(&input, &promise)?;
        let begun: &Trace = begun.get_or_insert_with(|| trace.clone());
        if matches!(trace.outcome, Outcome::Failed(_)) {
            failed = true;
            exam.as_begun(begun, "crash-safe: the first run, after one that failed")?;
        }
        paths += 1;
        for at in promise.len()..trace.decisions.len() {
            let decision = &trace.decisions[at];
            if decision.kind != DecisionKind::Branch {
                continue;
            }
            for arm in (0..).zip(&decision.arms).filter(|(arm, _)| *arm != decision.taken) {
                let mut path: Vec<TermId> = trace.decisions[..at].iter().map(|made| made.arms[made.taken as usize]).collect();
                path.push(*arm.1);
                if let Some(patch) = solve(&mut exam.terms, &path, &trace.input) {
                    let mut promise = known(&trace.decisions[..at]);
                    promise.push(Known { site: decision.site, taken: arm.0 });
                    open.push((trace.input.patched(&patch), promise));
                }
            }
        }
    }
    exam.as_begun(&begun.ok_or("there was no run")?, "repeatable: the first run, after all others")?;
    exam.stable()?;
    if failed { Ok(paths) } else { Err("crash-safe: no run of the program fails, so nothing is known".to_owned()) }
}

/// Runs a program that never ends; the law that is broken.
///
/// # Errors
/// The law.
pub fn ends<S: Subject>(mut subject: S) -> Result<(), String> {
    let mut terms = Terms::new();
    let mut run = || subject.run(&TestCase::default(), &[], &mut terms).map_err(|error| format!("budgets: the run is an error: {error}"));
    let (first, second) = (run()?, run()?);
    law(!matches!(first.outcome, Outcome::Passed | Outcome::Rejected), "budgets: a run that never ends is said to end", &first)?;
    law(first.outcome == second.outcome, "budgets: it ends in another way the next time", &second)
}

/// Compares a program with the same one made ready again, and with a changed one; the law that is broken.
///
/// # Errors
/// The law.
pub fn recognised<S: Subject>((program, again, changed): (S, S, S)) -> Result<(), String> {
    let law = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    law(program.sites() == again.sites(), "stable sites: the program made ready again has others")?;
    law(program.identity() == again.identity(), "identity: the program made ready again is another one")?;
    law(program.identity() != changed.identity(), "identity: a changed program is the same one")
}

/// One front end under examination.
struct Exam<S> {
    subject: S,
    terms: Terms,
    other: S,
    others: Terms,
}

impl<S: Subject> Exam<S> {
    fn trace(&mut self, input: &Model, promise: &[Known]) -> Result<Trace, String> {
        let case = TestCase { input: input.clone(), ..TestCase::default() };
        self.subject.run(&case, promise, &mut self.terms).map_err(|error| format!("crash-safe: a run is an error: {error}"))
    }

    /// Both subjects have the same sites.
    fn stable(&self) -> Result<(), String> {
        if self.subject.sites() == self.other.sites() { Ok(()) } else { Err("stable sites: another subject has others".to_owned()) }
    }

    /// The first run does again what it did.
    fn as_begun(&mut self, begun: &Trace, what: &str) -> Result<(), String> {
        let again = self.trace(&Model::new(), &[])?;
        law(again.decisions == begun.decisions && again.outcome == begun.outcome, what, &again)
    }

    /// Runs an input in all ways and checks all laws; the whole trace.
    fn run(&mut self, input: &Model, promise: &[Known]) -> Result<Trace, String> {
        let promised = self.trace(input, promise)?;
        law(promised.known == promise.len(), "predictions: the input does not take the arm that it was made for", &promised)?;
        let whole = self.trace(input, &[])?;
        law(whole.known == 0 && known(&whole.decisions).starts_with(promise), "promises: the whole run does not have them", &whole)?;
        // Conditions may be simpler where more of the path is at hand, but they hold alike.
        law(known(&whole.decisions[promise.len()..]) == known(&promised.decisions), "promises: the rest of the trace differs", &whole)?;
        self.exact(&promised)?;
        law(whole.outcome == promised.outcome && whole.input == promised.input, "repeatable: outcome and input", &whole)?;
        law(whole.covered.is_empty(), "repeatable: the second run covers something new", &whole)?;
        self.exact(&whole)?;
        self.broken(input, &whole)?;
        self.shared(&whole)?;
        Ok(whole)
    }

    /// Exactly the taken arms hold.
    fn exact(&mut self, trace: &Trace) -> Result<(), String> {
        let mut evaluator = Evaluator::new();
        evaluator.load(&trace.input);
        for Decision { site, kind, taken, arms } in &trace.decisions {
            let there = self.subject.sites().sites.get(site.0 as usize);
            law(there.is_some_and(|there| there.arms as usize >= arms.len()), "exact: a site has other arms", trace)?;
            if *kind == DecisionKind::Branch {
                let holds = arms.iter().map(|arm| evaluator.eval_bool(&self.terms, *arm));
                law(holds.eq((0..arms.len()).map(|arm| arm == *taken as usize)), "exact: another arm holds than was taken", trace)?;
            }
        }
        Ok(())
    }

    /// A promise that the last decision breaks is left there.
    fn broken(&mut self, input: &Model, whole: &Trace) -> Result<(), String> {
        let Some(last) = whole.decisions.last().filter(|last| last.arms.len() > 1) else { return Ok(()) };
        let at = whole.decisions.len() - 1;
        let mut promise = known(&whole.decisions);
        promise[at].taken = if last.taken == 0 { 1 } else { 0 };
        let left = self.trace(input, &promise)?;
        law(
            left.known == at && known(&left.decisions) == known(&whole.decisions[at..]),
            "promises: a broken one is not left where it breaks",
            &left,
        )
    }

    /// The input means the same to another subject of the program.
    fn shared(&mut self, whole: &Trace) -> Result<(), String> {
        let exported = self.subject.export(&whole.input);
        let back = self.subject.import(&exported, &mut self.terms);
        law(back == whole.input, "shared names: import does not undo export", whole)?;
        let case = TestCase { input: self.other.import(&exported, &mut self.others), ..TestCase::default() };
        let theirs = self.other.run(&case, &[], &mut self.others).map_err(|error| format!("crash-safe: a run is an error: {error}"))?;
        law(known(&theirs.decisions) == known(&whole.decisions), "shared names: another subject takes another path", &theirs)?;
        law(self.other.export(&theirs.input) == exported, "shared names: the exported inputs differ", &theirs)
    }
}

/// The decisions as a promise.
fn known(decisions: &[Decision]) -> Vec<Known> {
    decisions.iter().map(|decision| Known { site: decision.site, taken: decision.taken }).collect()
}

fn law(holds: bool, what: &str, trace: &Trace) -> Result<(), String> {
    if holds {
        return Ok(());
    }
    let path: Vec<String> = trace.decisions.iter().map(|decision| format!("{}:{}", decision.site.0, decision.taken)).collect();
    Err(format!("{what} (known {}, decisions {}, {:?})", trace.known, path.join(" "), trace.outcome))
}
