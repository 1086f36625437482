//! Runs whose memory is followed: the same program, instrumented once more, runs each case a second time and records what happened to memory.
//!
//! The ordinary trace comes from the ordinary program, whatever happens here. The other one ([`crate::build::compile::compile_followed`]) keeps its state in memory,
//! where every access is recorded ([`segments`]); [`places`] cuts memory into cells, [`memory`] is what they hold, [`views`] what loads are.
//!
//! **Invariant.** What this says of a run is exact, or it is not said.

mod memory;
mod mutant;
mod places;
mod pointers;
mod segments;
mod shapes;
mod views;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use xcute_term::{Interrupt, Terms};
use xcute_trace::segments::{Choice, End, Followed, Points, Run};
use xcute_trace::{Outcome, SubjectError};

use self::memory::{Lost, Memory};
use self::mutant::Broken;
use self::places::Places;
use self::pointers::Functions;
use self::segments::{Reading, Source};
use super::names::Names;
use super::trace::Story;
use super::variables::Known;
use crate::build::compile::compile_followed;
use crate::instrument::compiled::Compiled;
use crate::run::import::Recorded;
use crate::run::process::{Ended, Inherited, Options, Tables, Worker};
use crate::tools::toolchain::Toolchain;
use crate::types::inputs::{TypeTable, addresses};
use crate::wire::{event, flag, outcome};

pub use self::mutant::FollowMutant;

/// The other program, built when it is asked for; all subjects of a program share it.
pub(super) type Shared = Arc<OnceLock<Result<Arc<Compiled>, String>>>;

/// What follows runs.
pub(super) struct Following {
    compiled: Arc<Compiled>,
    worker: Worker,
    /// How many variables its process knows.
    told: usize,
    run: u32,
    places: Places,
    names: Names,
    pub(super) points: Points,
    functions: Functions,
    broken: Broken,
    interrupt: Interrupt,
}

/// The ordinary run.
pub(super) struct Ordinary<'a> {
    pub(super) story: &'a Story,
    pub(super) promise: &'a [xcute_trace::Known],
    pub(super) outcome: &'a Outcome,
}

impl Following {
    /// Makes ready to follow runs of a program.
    pub(super) fn start(
        shared: &Shared,
        compiled: &Arc<Compiled>,
        types: &TypeTable,
        names: &Names,
        options: Options,
        interrupt: &Interrupt,
    ) -> Result<Following, SubjectError> {
        let cannot = |why: String| SubjectError::Segments(why);
        if compiled.threads {
            return Err(cannot("the program can create threads".to_owned()));
        }
        let followed = built(shared, compiled, interrupt)?.map_err(cannot)?;
        if followed.sites != compiled.sites {
            return Err(cannot("the program has other decisions when it is followed".to_owned()));
        }
        let known = addresses(&followed.exe).map_err(|error| cannot(error.to_string()))?;
        let found = Functions::find(types, |name| known.get(name).copied());
        let (functions, fields) = found.ok_or_else(|| cannot("an input is a pointer to a function".to_owned()))?;
        let coverage = followed.coverage.len();
        let tables = Tables { types: &types.types, fields: &fields, inputs: &types.inputs, coverage, threads: false };
        let options = Options { flags: options.flags | flag::FOLLOW, output: false, random: None, ..options };
        let worker = Worker::new(&followed.exe, &tables, options).map_err(|error| cannot(error.to_string()))?;
        let own = names.of_executable(&followed.exe);
        let (places, points) = (Places::default(), Points::default());
        let (broken, interrupt) = (Broken::default(), Interrupt::never().clone());
        Ok(Following { compiled: followed, worker, told: 0, run: 0, places, names: own, points, functions, broken, interrupt })
    }

    /// Breaks off runs, and what is made of them, when this flag is raised.
    pub(super) fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        self.worker.interrupt_by(interrupt);
    }

    /// Breaks what is said of runs.
    #[cfg(feature = "mutants")]
    pub(super) fn break_by(&mut self, mutant: FollowMutant) {
        self.broken.by = Some(mutant);
    }

    /// Follows a run that was just made.
    pub(super) fn follow(
        &mut self,
        terms: &mut Terms,
        known: &Known,
        types: &TypeTable,
        ordinary: &Ordinary<'_>,
    ) -> Result<Followed, SubjectError> {
        let ended = self.repeat(known, types, ordinary)?;
        if ended == Ended::Interrupted {
            return Err(SubjectError::Interrupted);
        }
        let result = self.read(terms, known, types, ordinary, ended);
        if ended != Ended::Answered || !self.worker.block.intact() {
            self.worker.stop();
        }
        Ok(result)
    }

    /// Runs the case in the other program.
    fn repeat(&mut self, known: &Known, types: &TypeTable, ordinary: &Ordinary<'_>) -> Result<Ended, SubjectError> {
        let before = self.worker.starts();
        let inherited = Inherited { variables: &known.wire, ..Inherited::default() };
        self.worker.ready(&inherited).map_err(|error| SubjectError::Start(error.to_string()))?;
        if self.worker.starts() == before && self.told < known.wire.len() {
            self.worker.block.add_variables(self.told, &known.wire[self.told..]);
        }
        self.told = known.wire.len();
        self.run += 1;
        for &(var, word) in ordinary.story.input.words() {
            if let Some(number) = known.number(var) {
                let of = known.wire[number as usize].of;
                self.worker.block.set_value(number, self.run, self.functions.there(types, of, word));
            }
        }
        Ok(self.worker.run(self.run))
    }

    fn read(&mut self, terms: &mut Terms, known: &Known, types: &TypeTable, ordinary: &Ordinary<'_>, ended: Ended) -> Followed {
        let block = &self.worker.block;
        let sound = ended == Ended::Answered && block.intact() && block.variables() as usize == known.wire.len();
        let events = if sound { block.events() } else { &[] };
        let told = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let recorded = Recorded { nodes: block.nodes(), aux: block.aux(), vars: &known.terms, loads: None };
        let source = Source {
            compiled: &self.compiled,
            types,
            known,
            nodes: recorded.nodes,
            recorded,
            functions: &self.functions,
            broken: self.broken,
        };
        segments::cut(&mut self.places, &source, events);
        let most = self.worker.options().decisions;
        let (finished, mut lost) = loop {
            let memory = Memory::new(&mut self.places, &mut self.names, &self.compiled.objects, self.broken);
            let mut reading = Reading::new(&source, memory, &mut self.points);
            let mut lost: Option<Lost> = (!sound).then(|| "the second run does not answer".to_owned());
            let (mut decided, mut cut) = (0, false);
            for e in events {
                if self.interrupt.raised() {
                    lost = Some("there was no time left".to_owned());
                    break;
                }
                if let Err(why) = reading.event(terms, e) {
                    lost = Some(why);
                    break;
                }
                decided += u32::from(matches!(e.kind, event::BRANCH..=event::PIN) && e.more == 0);
                cut = decided == most && block.cut();
                if cut {
                    break;
                }
            }
            cut |= block.full();
            let end = if cut { End::Cut } else { end(ordinary.outcome) };
            if lost.is_none() && !cut && end != end_of(block.outcome()) {
                lost = Some("the two runs differ".to_owned());
            }
            let leaks = self.worker.options().flags & flag::LEAKS != 0;
            if lost.is_none() && leaks && reading.memory.has_heap() {
                lost = Some("memory may be lost".to_owned());
            }
            let finished = reading.finish(terms, if lost.is_some() { End::Lost } else { end });
            if !self.places.told_too_little() {
                break (finished, lost);
            }
        };
        let mut expected = ordinary.promise[..ordinary.story.known].iter().map(|known| (known.site.0, known.taken)).collect::<Vec<_>>();
        expected.extend(ordinary.story.decisions.iter().map(|decision| (decision.site.0, decision.taken)));
        let mut finished = finished;
        let (mut same, mut met, mut stranger) = (Vec::new(), 0, None);
        for (n, &(_, site, taken)) in finished.passed.iter().enumerate().filter(|(_, passed)| passed.0) {
            let both = expected.get(met) == Some(&(site, taken));
            met += usize::from(both);
            if both && stranger.is_none() {
                same.extend(u32::try_from(n));
            }
            finished.decisions[n].in_trace = both;
            // An arm of the trace below a decision that the trace does not have could lead past it; but nothing is below the other arm of an assumption.
            if !both && !matches!(finished.decisions[n].choice, Choice::Assume(..)) {
                stranger.get_or_insert(n);
            }
        }
        let shaped = finished.decisions.iter().any(|decision| matches!(decision.choice, Choice::Shape(_)));
        if let Some(n) = stranger.filter(|_| shaped) {
            finished.last = std::mem::take(&mut finished.decisions[n].segment);
            finished.decisions.truncate(n);
        }
        if lost.is_none() && (finished.end != End::Cut && met < expected.len() || shaped && stranger.is_some()) {
            // What is decided there was not seen here: nothing may be said of what comes after it.
            finished.end = End::Lost;
            lost = Some("the two runs differ".to_owned());
        }
        let segments::Finished { partition, initial, decisions, last, end, .. } = finished;
        let run = Run { partition, input: ordinary.story.input.clone(), initial, foreign: Vec::new(), decisions, last, end };
        Followed { run, ordinary: same, lost, told }
    }
}

/// Builds the other program, or takes the one that was built. It is built by a thread of its own, which is left alone where we are interrupted.
fn built(shared: &Shared, compiled: &Arc<Compiled>, interrupt: &Interrupt) -> Result<Result<Arc<Compiled>, String>, SubjectError> {
    const NAP: Duration = Duration::from_millis(5);
    if shared.get().is_none() {
        let (shared, compiled) = (Arc::clone(shared), Arc::clone(compiled));
        let build = move || {
            shared.get_or_init(|| {
                let tools = Toolchain::find().map_err(|error| error.to_string())?;
                compile_followed(&tools, &compiled).map(Arc::new).map_err(|error| error.to_string())
            });
        };
        let work = std::thread::spawn(build);
        while !work.is_finished() {
            if interrupt.raised() {
                return Err(SubjectError::Interrupted);
            }
            std::thread::sleep(NAP);
        }
    }
    Ok(shared.get().cloned().unwrap_or_else(|| Err("the program could not be built a second time".to_owned())))
}

/// How an outcome ends a run.
fn end(outcome: &Outcome) -> End {
    match outcome {
        Outcome::Passed => End::Passed,
        Outcome::Rejected => End::Rejected,
        Outcome::Failed(_) => End::Failed,
        Outcome::OutOfBudget(_) => End::Cut,
    }
}

fn end_of(code: u32) -> End {
    match code {
        outcome::RETURNED | outcome::EXITED => End::Passed,
        outcome::REJECTED => End::Rejected,
        outcome::OUT_OF_FUEL | outcome::OUT_OF_MEMORY | outcome::OUT_OF_TRACE | outcome::TIMED_OUT => End::Cut,
        _ => End::Failed,
    }
}
