//! Case files of models: a capsule, the messages that it got, and what happened.
//!
//! A person reads the steps; the inputs of the program that was explored repeat them exactly.
//!
//! **Invariant.** The language is `model`: that tells these files from those of other languages.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xcute_c::casefile::{CaseError, CaseFile, base};
use xcute_c::flags;
use xcute_c::native;
use xcute_c::replay::Replayer;
use xcute_model::story;
use xcute_report::InputValue;
use xcute_trace::Failure;

use super::plan::Origin;
use super::program::{self, PLAIN, Written};
use crate::exit::Exit;
use crate::front::{Care, Case, held};
use crate::language::c::replay::{debug, refused, verdict};
use crate::temporary;
use crate::{sandbox, talk};

/// What the field `language` holds.
pub const LANGUAGE: &str = "model";
/// The version of the format.
pub const VERSION: u32 = 1;

/// A case, as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelCase {
    /// The version of the format.
    pub xcute: u32,
    /// [`LANGUAGE`].
    pub language: String,
    /// The directory that paths are meant in, seen from this file.
    pub directory: PathBuf,
    /// What was explored.
    #[serde(flatten)]
    pub origin: Origin,
    /// `passed` or `failed`.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// What the environment did, in words.
    pub steps: Vec<String>,
    /// The same for the program.
    pub inputs: Value,
}

/// A case that was read from a file.
pub struct ModelReplay {
    case: ModelCase,
    path: PathBuf,
    care: Care,
}

impl ModelReplay {
    /// The case that was read from a file.
    pub fn new(case: ModelCase, path: PathBuf, care: Care) -> ModelReplay {
        ModelReplay { case, path, care }
    }
}

impl Case for ModelReplay {
    fn replay(&self, debugger: bool) -> Result<Exit> {
        let cannot = || format!("cannot replay {}", self.path.display());
        let (case, base) = (&self.case, base(&self.case.directory, &self.path));
        let build = temporary::directory()?;
        let (flat, options) = case.origin.load(&base).with_context(cannot)?;
        let written = Written::new(&flat, &options, &case.origin, &base, build.path())?;
        // The user's flags; the others are ours.
        if let Some(flag) = flags::wild(&case.origin.flags).filter(|_| self.care.checked) {
            return Err(CaseError::Wild { flag: flag.to_owned() }).with_context(cannot);
        }
        let mut inner: CaseFile = serde_json::from_value(case.inputs.clone()).with_context(cannot)?;
        inner.sources = vec![written.source.clone()];
        inner.flags = written.flags.iter().cloned().chain(PLAIN.map(str::to_owned)).collect();
        let (mut replayer, graph) = Replayer::of_case(&inner, &base, build.path(), true).with_context(cannot)?;
        replayer.sandbox = sandbox::wanted(!self.care.confined);
        if debugger {
            return debug(&inner, &replayer, &graph);
        }
        // Names for people are not those of the program.
        let expected = case.failure.clone().map(|failure| Failure { stack: Vec::new(), ..failure });
        let replayed = replayer.run(&graph, expected.as_ref(), None).with_context(cannot)?;
        let trace = program::trace(&replayer, &graph).with_context(cannot)?;
        let mut out = format!("{} with\n", case.origin.capsule);
        for step in story::steps(&trace, &case.origin.capsule, true) {
            let _ = writeln!(out, "  {step}");
        }
        for line in native::shown(&replayed.run) {
            let _ = writeln!(out, "| {line}");
        }
        out += &verdict(case.failure.as_ref(), replayed.failure, &replayed.how);
        if case.failure.as_ref().and_then(|failure| failure.stack.first()).is_some_and(|at| is_action(&at.function)) {
            out += &held(&replayed.values);
        }
        out += &refused(&replayed.run);
        talk::result(&out)?;
        Ok(if replayed.failure.is_some() { Exit::Failures } else { Exit::NoFailure })
    }

    fn inputs(&self) -> Vec<InputValue> {
        self.case.steps.iter().map(|step| InputValue { name: String::new(), value: step.clone() }).collect()
    }
}

/// Whether a place is action code of the model or a function of it. Generated code has variables of its own, which mean nothing to a reader of the model.
pub fn is_action(function: &str) -> bool {
    function.contains(" of ") || function.contains("::")
}
