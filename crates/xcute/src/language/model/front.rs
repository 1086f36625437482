//! A capsule made ready: what the front end of C says, in the words of the model.
//!
//! **Invariant.** Everything that runs is the C front end's.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use xcute_c::graph::InputGraph;
use xcute_c::subject::CSubject;
use xcute_engine::{Confirmation, Seed};
use xcute_model::diagram::Diagram;
use xcute_model::draw;
use xcute_model::elements::Elements;
use xcute_model::flat::Flat;
use xcute_model::lower::{BodyInfo, CHOICES, ENTRY};
use xcute_model::picture;
use xcute_model::story;
use xcute_model::trace::Trace;
use xcute_report::{InputValue, SourceCoverage, Summary};
use xcute_strategy::{Strategy, TransitionSets};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, Limit, Outcome, Sites, TestCase};

use super::case::{LANGUAGE, ModelCase, VERSION, is_action};
use super::compare::{Compare, Compared};
use super::plan::Origin;
use super::{coverage, junit, program};
use crate::front::{Conclusion, FrontEnd, Text, Write, case_file, outcome};
use crate::language::c::CFront;
use crate::plan::{SearchPlan, Show};
use crate::talk;

/// The picture of the state machine, in the results directory.
pub(super) const PICTURE: &str = "machine";
/// Where there are several: the names of all pictures of state machines, one a line.
pub(super) const PICTURES: &str = "machines.txt";
/// What the picture of the states of a failure is called, after the name of the failure.
pub(super) const WAY: &str = "machine.svg";
/// The results for tools that show tests.
const JUNIT: &str = "junit.xml";

/// A capsule made ready.
pub(super) struct ModelFront {
    pub(super) c: CFront,
    pub(super) origin: Origin,
    /// The files of the model, as they are and as they were named.
    pub(super) given: Vec<(PathBuf, String)>,
    pub(super) flat: Flat,
    /// The capsules whose machines are explored.
    pub(super) capsules: Vec<usize>,
    pub(super) bodies: Vec<BodyInfo>,
    pub(super) fixed: Vec<String>,
    /// What was covered in the end.
    pub(super) elements: Mutex<Elements>,
    /// The failures that files were written for.
    pub(super) shown: Mutex<Vec<junit::Failed>>,
    /// Whether the search was complete in the end.
    pub(super) complete: Mutex<bool>,
    /// The program that another tool generated.
    pub(super) compared: Mutex<Option<Compared>>,
    /// How often a set of transitions is run before others.
    pub(super) iexec: Option<u32>,
    /// The last run that was repeated for its trace: several files are made of one.
    pub(super) traced: Mutex<Option<(Arc<InputGraph>, Trace)>>,
}

impl ModelFront {
    /// What a case does, as the uninstrumented program shows it; nothing if that cannot be run.
    fn trace(&self, case: &TestCase) -> Trace {
        let graph = self.c.graph(case);
        let mut last = self.traced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, trace)) = last.as_ref().filter(|(known, _)| *known == graph) {
            return trace.clone();
        }
        let trace = program::trace(self.c.replayer(), &graph).unwrap_or_default();
        *last = Some((graph, trace.clone()));
        trace
    }
}

impl FrontEnd for ModelFront {
    type Subject = CSubject;

    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn name(&self) -> &str {
        &self.origin.capsule
    }

    fn file(&self, path: &str) -> String {
        let given = self.given.iter().find(|(real, shown)| real == Path::new(path) || shown == path);
        match (given, path.strip_prefix("/xcute-model/")) {
            (Some((_, shown)), _) => shown.clone(),
            (None, Some(elements)) => format!("{elements} of {}", self.origin.capsule),
            (None, None) => self.c.file(path),
        }
    }

    fn function(&self, name: &str) -> String {
        let body = self.bodies.iter().find(|body| body.function == name);
        match body {
            Some(body) => format!("{} of {}", body.kind.name(), body.element),
            None if name.starts_with("xm_") => self.origin.capsule.clone(),
            None => self.c.function(name),
        }
    }

    fn readable(&self, condition: &str) -> String {
        self.c.readable(condition)
    }

    fn bounds(&self) -> Vec<Bound> {
        let length = self.origin.length;
        let own = match length {
            1 => Bound::new("messages", 1, "single messages"),
            _ => Bound::new("messages", length.into(), format!("sequences of up to {length} messages")),
        };
        let texec = self.origin.texec.map(|most| Bound::new("texec", most.into(), format!("each transition taken at most {most} times")));
        let fixed = self.fixed.iter().map(|what| Bound::new(what, 1, what));
        std::iter::once(own).chain(texec).chain(fixed).chain(self.c.bounds()).collect()
    }

    fn random_inputs(&self) -> bool {
        true
    }

    fn strategy(&self, strategy: Box<dyn Strategy>, sites: &Sites) -> Box<dyn Strategy> {
        let Some(most) = self.iexec else { return strategy };
        let choices = sites.sites.iter().map(|site| CHOICES.iter().any(|name| site.function.contains(name))).collect();
        Box::new(TransitionSets::new(strategy, choices, most))
    }

    fn no_input(&self) -> Option<Limit> {
        let what = format!("{} receives no message and sets no timer: it has one run", self.origin.capsule);
        Some(Limit { kind: Limit::NO_INPUT.to_owned(), what, incomplete: false })
    }

    fn seeds(&self) -> Vec<Seed> {
        self.c.seeds()
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase, stop: &Interrupt) -> Confirmation {
        // The uninstrumented program has one file for its inputs.
        let _alone = self.traced.lock().unwrap_or_else(PoisonError::into_inner);
        match self.c.confirm(terms, failure, case, stop) {
            Confirmation::ConfirmedWith(_) if !failure.stack.first().is_some_and(|at| is_action(&self.function(&at.function))) => {
                Confirmation::Confirmed
            }
            other => other,
        }
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let steps = story::steps(&self.trace(case), &self.origin.capsule, true);
        if steps.is_empty() {
            return self.c.inputs(terms, case);
        }
        steps.into_iter().map(|value| InputValue { name: String::new(), value }).collect()
    }

    fn case_file(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let mut inner = self.c.case(case, None);
        (inner.sources, inner.flags) = (Vec::new(), Vec::new());
        ENTRY.clone_into(&mut inner.entry);
        let file = ModelCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            directory: self.c.directory(),
            origin: self.origin.clone(),
            outcome: outcome(failure),
            failure: failure.cloned(),
            steps: story::steps(&self.trace(case), &self.origin.capsule, true),
            inputs: serde_json::to_value(&inner).unwrap_or_default(),
        };
        case_file(&file)
    }

    fn standalone(&self, _terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        let trace = self.trace(case);
        let sequence = story::sequence(&trace, &self.origin.capsule, self.origin.mode());
        let text = serde_json::to_string_pretty(&sequence).unwrap_or_default() + "\n";
        let diagram = Diagram::of(&trace, &self.origin.capsule).failing(&self.origin.capsule, &failure.message);
        let steps = story::steps(&trace, &self.origin.capsule, true);
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push(junit::Failed { name: name.to_owned(), kind: failure.kind.name().to_owned(), message: failure.message.clone(), steps });
        let mut texts = vec![
            Text { extension: "sequence", text },
            Text { extension: "mermaid", text: diagram.mermaid() },
            Text { extension: "plantuml", text: diagram.plantuml() },
            Text { extension: "svg", text: diagram.svg() },
        ];
        let machine = self.capsules.first().and_then(|at| self.flat.capsules[*at].machine.as_ref());
        let way = machine.map(|machine| Text { extension: WAY, text: picture::run(machine, &trace, &self.origin.capsule) });
        texts.extend(way);
        texts
    }

    fn path(&self, _terms: &Terms, case: &TestCase, outcome: &Outcome) {
        if *outcome == Outcome::Passed
            && let Some(compared) = self.compared.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
        {
            compared.add(case);
        }
    }

    fn last(&self, write: Write<'_>, show: Show) -> Result<()> {
        let elements = self.elements.lock().unwrap_or_else(PoisonError::into_inner);
        let complete = *self.complete.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = coverage::reason(complete, self.origin.length);
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        write(JUNIT, junit::text(&self.origin.capsule, &elements, &shown, &reason).as_bytes())?;
        if let Some(missing) = coverage::missing(&elements, &reason, |file| self.file(file)).filter(|_| !show.quiet) {
            talk::say(&missing);
        }
        Ok(())
    }

    fn conclude(&self, _: &[CSubject], _: &SearchPlan, stop: &(dyn Fn() -> bool + Sync)) -> Conclusion {
        let elements = self.elements.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut files, mut named) = (Vec::new(), Vec::new());
        for (nth, at) in self.capsules.iter().enumerate() {
            let capsule = &self.flat.capsules[*at];
            let Some(machine) = &capsule.machine else { continue };
            let name = if self.capsules.len() == 1 { PICTURE.to_owned() } else { format!("{}.{PICTURE}", capsule.name) };
            let own = elements.part(&self.flat, &self.capsules, nth);
            files.push((format!("{name}.mermaid"), draw::machine(machine, &own)));
            files.push((format!("{name}.svg"), picture::machine(machine, &own)));
            named.push(format!("{name}.svg\n"));
        }
        if self.capsules.len() > 1 {
            files.push((PICTURES.to_owned(), named.concat()));
        }
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        if let Some(compared) = compared.as_mut() {
            let place = &self.flat.capsules[self.capsules[0]].place;
            let run = Compare { capsule: &self.origin.capsule, mode: self.origin.mode(), at: (self.file(&place.file), place.line) };
            let cases = compared.cases();
            let differences = compared.all(&run, cases.iter().take_while(|_| !stop()).map(|case| self.trace(case)), cases.len());
            found = differences.found;
            files.extend(differences.files);
        }
        Conclusion { files, found, ..Conclusion::default() }
    }

    fn advice(&self, summary: &Summary) -> Option<String> {
        *self.complete.lock().unwrap_or_else(PoisonError::into_inner) = summary.complete;
        self.c.advice(summary)
    }

    fn identity(&self, subject: &CSubject) -> String {
        self.c.identity(subject)
    }

    fn variables(&self, known: usize) -> Option<(usize, Vec<u8>)> {
        self.c.variables(known)
    }

    fn recall(&self, variables: &[u8]) -> Result<()> {
        self.c.recall(variables)
    }

    fn speeds_up(&self) -> bool {
        self.c.speeds_up()
    }

    fn is_slow(&self) -> bool {
        self.c.is_slow()
    }

    fn speed_up(&self, subjects: &mut [CSubject]) {
        self.c.speed_up(subjects);
    }

    fn coverage(&self, subjects: &[CSubject]) -> SourceCoverage {
        let mut coverage = self.c.coverage(subjects);
        // Files are named as the user named them, those that stand for elements as they are.
        let files = std::mem::take(&mut coverage.files);
        let named = |path: &str| if path.starts_with("/xcute-model/") { path.to_owned() } else { self.file(path) };
        coverage.files = files.into_iter().map(|(path, file)| (named(&path), file)).collect();
        let elements = coverage::elements(&mut coverage, (&self.flat, &self.capsules), &self.bodies, |file| self.file(file));
        *self.elements.lock().unwrap_or_else(PoisonError::into_inner) = elements;
        coverage
    }
}
