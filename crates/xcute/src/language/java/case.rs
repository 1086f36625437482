//! Case files of Java methods: a method, the classes it is in, its input, and what happened. And how `xcute replay` repeats them.
//!
//! **Invariant.** The language is `java`: that tells these files from those of other languages. The inputs are there twice: by name, for people, and as what
//! a JVM builds, which is what is replayed.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use xcute_java::{Checks, Confirmer, JavaSubject, Jdk, Options, Ordered, PathDigest, Program, Recipe, Repeated, Wanted, agrees};
use xcute_report::InputValue;
use xcute_term::Interrupt;
use xcute_trace::{Failure, Outcome};

use super::plan::{JavaPlan, Origin};
use crate::exit::Exit;
use crate::front::{Case, recorded};
use crate::talk;
use crate::temporary;

/// What the field `language` holds.
pub const LANGUAGE: &str = "java";
/// The version of the format.
pub const VERSION: u32 = 1;

/// A case, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JavaCase {
    /// The version of the format.
    pub xcute: u32,
    /// [`LANGUAGE`].
    pub language: String,
    /// The classes.
    #[serde(flatten)]
    pub origin: Origin,
    /// The class of the method, as the JVM names it.
    pub class: String,
    /// The method with its descriptor; of a sequence, the first one.
    pub method: String,
    /// Checkers, and the calls of a sequence.
    #[serde(flatten)]
    pub checks: Checks,
    /// The inputs, for people.
    pub inputs: Vec<(String, String)>,
    /// The same, for a JVM.
    pub recipe: Recipe,
    /// Which thread ran when, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Ordered>,
    /// Names the path that it took through the program's own code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathDigest>,
    /// How long a run may take, in milliseconds.
    pub milliseconds: u64,
    /// `passed` or `failed`.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
}

impl Case for JavaCase {
    fn replay(&self, _debugger: bool) -> Result<Exit> {
        let jdk = Jdk::find()?;
        let opened = self.origin.load(&jdk)?;
        let wanted =
            Wanted { path: opened.path.clone(), class: self.class.clone(), method: self.method.clone(), checks: self.checks.clone() };
        let program = Program::prepare(&wanted, &jdk.image())?;
        if let Some(ordered) = &self.schedule {
            return self.replay_ordered(Arc::new(program), &jdk, ordered);
        }
        let confirmer = Confirmer::new(&program, &jdk, Duration::from_millis(self.milliseconds)).context(temporary::NO_PLACE)?;
        let repeated = confirmer.repeat(&program, &self.recipe, Interrupt::never())?.context("the replay was interrupted")?;
        let agrees = |failure: &Failure| agrees(failure, &repeated).is_ok();
        let what = told(&repeated) + &self.kept(&confirmer, &program, &repeated);
        self.show(&program.name(), &what, failure(&repeated.outcome), agrees)
    }

    fn inputs(&self) -> Vec<InputValue> {
        self.inputs.iter().map(|(name, value)| InputValue { name: name.clone(), value: value.clone() }).collect()
    }
}

impl JavaCase {
    /// Whether it is a case of what is tested: of the method, or of the same calls.
    pub fn is_of(&self, plan: &JavaPlan) -> bool {
        let calls = |checks: &Checks| (checks.calls.clone(), checks.length);
        (&self.class, &self.method) == (&plan.method.class, &plan.method_text()) && calls(&self.checks) == calls(&plan.checks)
    }

    /// Repeats a case of several threads in the order in which they ran: on the original classes; where these do not do it again, on the instrumented ones.
    fn replay_ordered(&self, program: Arc<Program>, jdk: &Jdk, ordered: &Ordered) -> Result<Exit> {
        let (name, patience) = (program.name(), Duration::from_millis(self.milliseconds));
        let confirmer = Confirmer::new(&program, jdk, patience).context(temporary::NO_PLACE)?;
        let held = (&self.recipe, Some(&ordered.held));
        let tried = match &self.failure {
            Some(failure) => confirmer.confirm(&program, failure, held, Interrupt::never())?,
            None => confirmer.repeat_held(&program, held, Interrupt::never())?.map(|repeated| (repeated, Ok(()))),
        };
        let (repeated, verdict) = tried.context("the replay was interrupted")?;
        if verdict.is_ok() {
            let kept = self.kept(&confirmer, &program, &repeated);
            let what = format!("{}, with its threads in the recorded order{kept}", told(&repeated));
            return self.show(&name, &what, failure(&repeated.outcome), |_| true);
        }
        let options = Options { patience, ..Options::default() };
        let again = JavaSubject::start(program, jdk, options)?.repeat(&self.recipe, ordered)?;
        let outcome = failure(&again.outcome);
        let same =
            |found: &&Failure| self.failure.as_ref().is_some_and(|failure| found.kind == failure.kind && found.message == failure.message);
        let found = outcome.into_iter().chain(&again.races).find(same).or(outcome);
        let what = "with its threads in the recorded order, instrumented";
        self.show(&name, what, found, |_| found.is_some_and(|found| same(&found)))
    }

    /// Whether a repetition took the recorded path, as an addition to what it did.
    fn kept(&self, confirmer: &Confirmer, program: &Program, repeated: &Repeated) -> String {
        match &self.path {
            Some(path) if confirmer.keeps(program, path, repeated) => ", on the recorded path".to_owned(),
            Some(_) => ", on another path than the recorded one".to_owned(),
            None => String::new(),
        }
    }

    /// Prints what a repetition did, and whether that agrees with the recorded failure.
    fn show(&self, name: &str, what: &str, found: Option<&Failure>, agrees: impl FnOnce(&Failure) -> bool) -> Result<Exit> {
        let mut out = format!("{name}\n");
        for (name, value) in &self.inputs {
            let _ = if name.is_empty() { writeln!(out, "  {value}") } else { writeln!(out, "  {name} = {value}") };
        }
        let _ = writeln!(out, "  {what}");
        for frame in found.iter().flat_map(|failure| &failure.stack) {
            let _ = writeln!(out, "    in {} at {}:{}", frame.function, frame.file, frame.line);
        }
        if let Some(failure) = &self.failure {
            out += &recorded(failure, agrees(failure));
        }
        talk::result(&out)?;
        Ok(if found.is_some() { Exit::Failures } else { Exit::NoFailure })
    }
}

fn failure(outcome: &Outcome) -> Option<&Failure> {
    match outcome {
        Outcome::Failed(failure) => Some(failure),
        _ => None,
    }
}

/// What the method did, as a clause of which it is the subject.
fn told(repeated: &Repeated) -> String {
    match (&repeated.exception, &repeated.returned, &repeated.outcome) {
        (Some(class), _, _) => {
            format!("throws {class}{}", repeated.message.as_ref().map_or(String::new(), |message| format!(": {message}")))
        }
        (_, Some(returned), _) => match returned.of.as_str() {
            "void" => "returns".to_owned(),
            "null" => "returns null".to_owned(),
            "String" => format!("returns \"{}\"", returned.text),
            of if returned.text.is_empty() => format!("returns an object of {of}"),
            _ => format!("returns {}", returned.text),
        },
        (_, _, Outcome::Rejected) => "does not accept the input".to_owned(),
        (_, _, Outcome::Failed(failure)) => failure.message.clone(),
        _ => "ends the JVM".to_owned(),
    }
}
