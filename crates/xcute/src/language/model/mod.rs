//! `xcute model`: state machines with action code in C++, lowered to C++ and searched by the front end of C.
//!
//! **Invariant.** Everything that runs is the C front end's: [`ModelFront`] owns one and says the same things in the words of the model.

mod arguments;
mod case;
mod compare;
mod coverage;
mod junit;
mod plan;
mod program;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use xcute_c::graph::InputGraph;
use xcute_c::subject::CSubject;
use xcute_engine::{Confirmation, Seed};
use xcute_model::diagram::Diagram;
use xcute_model::draw;
use xcute_model::elements::Elements;
use xcute_model::flat::Flat;
use xcute_model::lower::{BodyInfo, ENTRY, explored};
use xcute_model::picture;
use xcute_model::story;
use xcute_model::trace::Trace;
use xcute_report::{Figures, InputValue, Picture, SourceCoverage, Summary, Words};
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, Limit, Outcome, TestCase};

use super::c::plan::CPlan;
use super::c::{self, CFront, NO_BUILD};
use crate::front::{Case, CaseText, Conclusion, Files, FrontEnd, Language, Opened, Opening, Ready, Text, Write, case_file, outcome};
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::talk;
use arguments::ModelArguments;
use case::{LANGUAGE, ModelCase, ModelReplay, VERSION};
use compare::{Compare, Compared};
use plan::{Asked, ModelPlan, Origin};
use program::{PLAIN, SEARCHED, Written};

/// The picture of the state machine, in the results directory.
const PICTURE: &str = "machine";
/// Where there are several: the names of all pictures of state machines, one a line.
const PICTURES: &str = "machines.txt";
/// The results for tools that show tests.
const JUNIT: &str = "junit.xml";

/// UML-RT.
pub struct Model;

impl Language for Model {
    fn command(&self) -> Command {
        ModelArguments::augment_args(Command::new("model")).about("Test a capsule of a UML-RT model: a state machine with code in C++")
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        match plan::model(ModelArguments::from_arg_matches(matches)?)? {
            Asked::Search(plan) => Ok(Opening::one(move |search, output| open(*plan, search, output))),
            Asked::Show(text) => {
                talk::result(&text)?;
                Ok(Opening { parts: Vec::new(), several: None })
            }
        }
    }

    fn words(&self, summary: &Summary, files: Files<'_>) -> Result<Words> {
        Ok(Words { pictures: pictures(summary, files), ..coverage::words(summary) })
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(ModelReplay::new(text.parse(VERSION)?, text.path.clone(), text.care)))
    }
}

/// The pictures of the machines, and of the failures.
fn pictures(summary: &Summary, files: Files<'_>) -> Vec<Picture> {
    let machines = files(PICTURES).unwrap_or_else(|| format!("{PICTURE}.svg"));
    let machine = |name: &str| {
        let title = format!("The state machine {}", name.strip_suffix(".machine.svg").unwrap_or(&summary.subject));
        Some(Picture { of: None, title, svg: files(name)? })
    };
    let unconfirmed = summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    let failure = |failure: &xcute_report::Failure| {
        let (of, title) = (Some(failure.id.clone()), "The messages that lead there".to_owned());
        Some(Picture { of, title, svg: files(&format!("failures/{}.svg", failure.id))? })
    };
    let failures: Vec<Picture> = summary.failures.iter().chain(unconfirmed).filter_map(failure).collect();
    machines.lines().filter_map(machine).chain(failures).collect()
}

/// Makes a capsule ready.
fn open(plan: ModelPlan, search: &SearchPlan, output: &OutputPlan) -> Result<Box<dyn Opened>> {
    let ModelPlan { mut origin, flat, mut options, run, compare } = plan;
    let compared = compare.as_deref().map(|program| Compared::new(program, &output.dir)).transpose()?;
    // With these, inputs that nobody asked about are random.
    let random = matches!(search.strategy, StrategyName::Random | StrategyName::Testing);
    (origin.random, options.random) = (random, random);
    let build = tempfile::tempdir().context(NO_BUILD)?;
    let written = Written::new(&flat, &options, &origin, Path::new(""), build.path())?;
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let c = CPlan {
        files: vec![written.source.clone()],
        entry: Some(ENTRY.to_owned()),
        calls: None,
        pre: None,
        arrays: Vec::new(),
        elements: origin.text,
        string: origin.text,
        bytes: None,
        corpus: None,
        export_corpus: None,
        testcomp: None,
        run,
        undefined: false,
        flags: written.flags.clone(),
        searched: strings(&SEARCHED),
        plain: strings(&PLAIN),
    };
    let Ready { front, subjects } = match c::ready(&c, search, output, build) {
        Ok(ready) => ready,
        // What the compiler says is about code that nobody wrote; of the model it says the same once more, in its words.
        Err(error) => {
            let build = tempfile::tempdir().context(NO_BUILD)?;
            let written = Written::new(&flat, &options, &origin, Path::new(""), build.path())?;
            return Err(written.refused(&origin.flags).map_or(error, Into::into));
        }
    };
    let capsules = explored(&flat, options.capsule, options.system);
    let given = origin.files.iter().filter_map(|file| Some((file.canonicalize().ok()?, file.display().to_string())));
    let front = ModelFront {
        c: front,
        given: given.collect(),
        flat,
        capsules,
        bodies: written.bodies,
        fixed: written.fixed,
        elements: Mutex::default(),
        shown: Mutex::default(),
        complete: Mutex::default(),
        traced: Mutex::default(),
        compared: Mutex::new(compared),
        origin,
    };
    Ok(Box::new(Ready { front, subjects }))
}

/// A capsule made ready.
struct ModelFront {
    c: CFront,
    origin: Origin,
    /// The files of the model, as they are and as they were named.
    given: Vec<(PathBuf, String)>,
    flat: Flat,
    /// The capsules whose machines are explored.
    capsules: Vec<usize>,
    bodies: Vec<BodyInfo>,
    fixed: Vec<String>,
    /// What was covered in the end.
    elements: Mutex<Elements>,
    /// The failures that files were written for.
    shown: Mutex<Vec<junit::Failed>>,
    /// Whether the search was complete in the end.
    complete: Mutex<bool>,
    /// The program that another tool generated.
    compared: Mutex<Option<Compared>>,
    /// The last run that was repeated for its trace: several files are made of one.
    traced: Mutex<Option<(Arc<InputGraph>, Trace)>>,
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
        self.c.confirm(terms, failure, case, stop)
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
        let sequence = story::sequence(&self.trace(case), &self.origin.capsule, self.origin.mode());
        let text = serde_json::to_string_pretty(&sequence).unwrap_or_default() + "\n";
        let diagram = Diagram::of(&self.trace(case), &self.origin.capsule).failing(&self.origin.capsule, &failure.message);
        let steps = story::steps(&self.trace(case), &self.origin.capsule, true);
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push(junit::Failed { name: name.to_owned(), kind: failure.kind.name().to_owned(), message: failure.message.clone(), steps });
        vec![
            Text { extension: "sequence", text },
            Text { extension: "mermaid", text: diagram.mermaid() },
            Text { extension: "plantuml", text: diagram.plantuml() },
            Text { extension: "svg", text: diagram.svg() },
        ]
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
        write(JUNIT, &junit::text(&self.origin.capsule, &elements, &shown, &reason))?;
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
        Conclusion { figures: Figures::default(), files, found }
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

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_those_that_nobody_wrote() {
        assert_eq!(xcute_model::lower::GENERATED, xcute_c::system::GENERATED);
    }
}
