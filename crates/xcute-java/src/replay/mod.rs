//! The replay: follows the bytecode of a run by its events, with numbers and symbolic values side by side.
//!
//! The JVM has run the case; here the same instructions are gone through once more. What the code computes by itself is computed here, too; what it
//! got from memory or from code that is not followed comes with the events. So the replay knows every number that the run had, and of each
//! what it depends on. CUTE executes symbolically next to the program [sen-marinov-agha-2006 §4.1.3]; doing it afterwards, in another
//! process, keeps the program fast and the search safe.
//!
//! **Invariant.** Events decide: a block, a method or a value that is not the one the replay expects ends it with a limit that is named. It never
//! goes on by a guess.

mod access;
mod arith;
mod arrays;
mod calls;
pub(crate) mod classes;
mod coarse;
mod early;
mod enter;
mod environment;
mod events;
mod exec;
mod foreign;
mod frames;
mod heap;
mod held;
mod inputs;
mod locals;
mod marks;
mod models;
pub(crate) mod nodes;
mod refs;
mod story;
mod tangled;
mod text;
mod threads;
mod throw;
mod value;

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Terms};
use xcute_trace::{DecisionKind, Frame, Known as Promised};

use crate::inputs::candidate::Finder;
use crate::inputs::known::Known;
use crate::inputs::recipe::Recipe;
use crate::program::body::{Method, MethodId};
use crate::program::names;
use crate::program::{Program, is_made};
use crate::threads::director::Directed;
use crate::threads::tasks::Shareable;
use classes::{ClassIdx, Classes};
use events::Events;
use frames::Frames;
use heap::Heap;
use locals::Exceptions;
pub(crate) use locals::Locals;

pub(crate) use models::Chars;
use nodes::{Node, Nodes};
use refs::Uses;
pub(crate) use story::Story;
use threads::Strands;
pub(crate) use threads::{Steps, Stood};

/// Frames of a stack that are shown at most.
const DEEPEST: usize = 200;

/// Why a replay ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// There are no more events.
    End,
    /// Events are not those that the code should have written; what was expected and found.
    Lost(String),
    /// An exception is on its way. Only inside of the replay.
    Thrown,
    /// What comes is not followed; the limit says why.
    Unfollowed,
    /// The case must run again: a reference leads to an object that the run has not met; this address is what it means.
    Again(u32, u32),
    /// The case must run again and report what strings hold.
    Texts,
    /// The case must run again and report what arrays hold.
    Arrays,
    /// The JVM must be asked for the properties of characters first.
    Chars,
}

/// What a replay keeps from run to run.
pub(crate) struct State {
    pub(crate) classes: Classes,
    nodes: Nodes,
    heap: Heap,
    frames: Frames,
    uses: Uses,
    finder: Finder,
    evaluator: Evaluator,
    /// Variables that are fields and elements, by owner and slot.
    parts: FxHashMap<(u32, u32), u32>,
    models: FxHashMap<(MethodId, u32, ClassIdx), Option<models::Model>>,
    /// Classes of objects: the enum of the program that they belong to.
    enums: FxHashMap<ClassIdx, Option<String>>,
    pub(crate) chars: Option<Chars>,
    /// By instruction of the program: whether any run came to it.
    pub(crate) ran: Vec<bool>,
    /// Those to which the last run came first.
    pub(crate) reached: Vec<u64>,
    /// Where it is asked for: the blocks that the last run came to, and methods that it entered, by number of the task, outside of static initialisers.
    pub(crate) blocks: Option<Vec<(u32, MethodId, u32)>>,
}

impl State {
    pub(crate) fn new(finder: Finder, program: &Program) -> State {
        let (classes, nodes, heap, frames, uses) = Default::default();
        let (parts, models, enums) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let ran = vec![false; program.instructions()];
        State {
            classes,
            nodes,
            heap,
            frames,
            uses,
            finder,
            reached: Vec::new(),
            evaluator: Evaluator::new(),
            parts,
            models,
            enums,
            chars: None,
            ran,
            blocks: None,
        }
    }
}

/// The arena and the variables of a subject.
pub(crate) struct World<'a> {
    pub(crate) program: &'a Program,
    pub(crate) terms: &'a mut Terms,
    pub(crate) known: &'a mut Known,
}

/// What is replayed.
pub(crate) struct Run<'a> {
    pub(crate) events: &'a [u64],
    pub(crate) recipe: &'a Recipe,
    pub(crate) input: &'a Model,
    pub(crate) promise: &'a [Promised],
    /// Strings report what they hold, and arrays.
    pub(crate) texts: bool,
    pub(crate) arrays: bool,
    /// Decisions at most; what comes after them was run, but is not explored.
    pub(crate) decisions: usize,
    /// What its tasks did, if it had several.
    pub(crate) directed: Option<&'a Directed>,
    /// What was known to be shared by tasks.
    pub(crate) shared: &'a FxHashSet<Shareable>,
}

/// What a replay says, besides its story.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) story: Story,
    pub(crate) stop: Stop,
    /// Static state of the program changed, and that of copies of JDK classes.
    pub(crate) dirty: [bool; 2],
    /// An initialiser has left what the next run cannot use.
    pub(crate) tangled: bool,
    /// Static initialisers that began.
    pub(crate) initialisers: u32,
    /// Where it ended, innermost first, in the program's own code.
    pub(crate) stack: Vec<Frame>,
    /// What the locals held where an exception was raised that nobody caught.
    pub(crate) locals: Option<Locals>,
    /// What is said of the steps of its tasks.
    pub(crate) steps: Steps,
}

/// Replays a run.
pub(crate) fn replay(state: &mut State, world: World<'_>, run: &Run<'_>) -> Told {
    state.nodes.begin();
    state.heap.begin();
    state.frames.begin();
    state.uses.begin();
    state.blocks.iter_mut().for_each(Vec::clear);
    let World { program, terms, known } = world;
    let events = Events::new(run.events);
    let mut replay = Replay {
        s: state,
        program,
        terms,
        known,
        run,
        events,
        story: Story::default(),
        dirty: [false; 2],
        tangled: false,
        initialisers: 0,
        born: FxHashSet::default(),
        taken: 0,
        initialising: 0,
        leaked: false,
        strands: Strands::default(),
        choices: 0,
        exceptions: Exceptions::default(),
    };
    for method in program.left_out.open() {
        replay.story.left_out(method);
    }
    let stop = replay.all();
    let (stack, locals) = (replay.stack(), replay.locals());
    let Replay { story, dirty, tangled, initialisers, strands, .. } = replay;
    Told { story, stop, dirty, tangled, initialisers, stack, locals, steps: strands.told }
}

/// A replay in progress.
struct Replay<'a> {
    s: &'a mut State,
    program: &'a Program,
    terms: &'a mut Terms,
    known: &'a mut Known,
    run: &'a Run<'a>,
    events: Events<'a>,
    story: Story,
    dirty: [bool; 2],
    tangled: bool,
    initialisers: u32,
    /// What static initialisers that are running have made.
    born: FxHashSet<u32>,
    /// Inputs that were taken.
    taken: u32,
    /// Static initialisers that are running.
    initialising: u32,
    /// Something that an input decides lies in an array that code which is not followed has.
    leaked: bool,
    strands: Strands,
    /// Choices between tasks so far.
    choices: u32,
    exceptions: Exceptions,
}

impl Replay<'_> {
    fn all(&mut self) -> Stop {
        if let Err(stop) = self.begin() {
            return stop;
        }
        loop {
            let done = match self.threads() {
                Ok(true) => Ok(()),
                Ok(false) if self.strands.throwing => self.throw(),
                Ok(false) => self.step(),
                Err(stop) => Err(stop),
            };
            match done {
                // Nothing may be left over.
                Err(Stop::End) if self.run.directed.is_some() && self.events.peek().is_some() => return self.lost("the end"),
                Err(stop) => return stop,
                Ok(()) => {}
            }
            if self.story.count() > self.run.decisions {
                self.story.limit("trace", "the later decisions of a very long run were not recorded", true);
                return Stop::Unfollowed;
            }
        }
    }

    /// A decision with two arms: whether a condition that an input decides holds.
    fn decide(&mut self, site: u32, kind: DecisionKind, condition: Node, holds: bool) {
        let taken = u32::from(holds);
        let arms = &mut |nodes: &mut Nodes| vec![nodes.not(condition), condition];
        let context = (&mut self.s.nodes, &mut *self.terms, self.known.terms.as_slice());
        self.story.decide(context, self.run.promise, (site, kind, taken), arms);
    }

    /// A branch, or another decision that opens its other arm.
    fn branch(&mut self, site: u32, condition: Node, holds: bool) {
        self.decide(site, DecisionKind::Branch, condition, holds);
    }

    /// The value of a node in this run.
    fn evaluate(&mut self, node: Node) -> u64 {
        let term = self.s.nodes.term(self.terms, &self.known.terms, node);
        self.s.evaluator.load(&self.story.input);
        self.s.evaluator.eval_word(self.terms, term)
    }

    /// The frames of the program itself, innermost first.
    fn stack(&self) -> Vec<Frame> {
        let frames = self.s.frames.all().iter().rev().map(|frame| (self.program.method(frame.method), frame.at));
        let own = frames.filter(|(method, _)| self.program.is_own(&method.class) && !is_made(method));
        let frame = |(method, at): (&Method, u32)| {
            let pc = method.body.insns.get(at as usize).map_or(0, |insn| insn.pc);
            let function = format!("{}.{}", names::readable(&method.class), method.name);
            Frame { function, file: method.file.clone(), line: method.body.line(pc), ..Frame::default() }
        };
        own.map(frame).take(DEEPEST).collect()
    }

    /// Where the replay is, for people.
    fn place(&self) -> String {
        let Some(frame) = self.s.frames.top() else { return String::new() };
        let method = self.program.method(frame.method);
        let pc = method.body.insns.get(frame.at as usize).map_or(0, |insn| insn.pc);
        format!("{}:{}", method.file, method.body.line(pc))
    }

    fn lost(&self, what: &str) -> Stop {
        let found = self.events.peek();
        Stop::Lost(format!("{}: {what}, found {found:?} at {}", self.place(), self.events.position()))
    }
}
