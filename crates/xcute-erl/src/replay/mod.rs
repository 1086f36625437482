//! The symbolic replay: what a run did, with the input as variables.
//!
//! The flat program is run again in Rust, on values that may depend on the input, along the events that the run told on the emulator. Each choice that
//! depends on the input is a decision: the chosen clause, and no earlier one. What the emulator computed and nobody can compute from the program (time,
//! other processes, functions in other languages) comes with the events.
//!
//! **Invariant.** A decision depends on decisions before it only. What the replay chooses is what the run chose: each event is compared, and where they
//! differ the replay ends, with a limit that says so.

mod arguments;
mod bags;
mod bif;
mod bits;
mod bitwise;
mod choice;
mod compare;
mod control;
mod counters;
mod equal;
mod events;
mod function;
mod guard;
mod hashes;
mod look;
mod mailbox;
mod maps;
mod matching;
mod monotone;
mod names;
mod number;
mod order;
mod process;
mod reading;
mod remote;
mod same_term;
mod segments;
mod strands;
mod structure;
mod tables;
mod told;
mod told_atoms;
mod value;
mod writing;

pub use control::End;
pub use events::Events;
pub(crate) use strands::Strands;
pub use value::{Field, FunVal, Heap, Mark, Val};

use xcute_match::Recorder;
use xcute_term::{Op, TermId};
use xcute_trace::{Budget, SiteId};

use crate::etf::{Atom, Atoms};
use crate::flat::{ExprId, FunId, PlaceId, Slot};
use crate::processes::Calling;
use crate::program::{OWN_NUMBERS, Program};
use crate::types::Domain;
use crate::types::domain::{and, or};

/// Why the replay does not just go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// An exception.
    Raise(Exception),
    /// A condition cannot be written without deciding something first.
    Split,
    /// It can no longer be followed.
    Lost(String),
    /// The run did something else.
    Diverged(String),
    /// It waits until the record of the run comes to its next operation.
    Pause,
    /// A budget is used up.
    Budget(Budget),
    /// The events end here, and the run did, too.
    Over,
}

/// An exception.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exception {
    /// `error`, `exit` or `throw`.
    pub class: Atom,
    /// The reason.
    pub reason: Val,
    /// Where it was raised, if that is known.
    pub place: Option<PlaceId>,
}

pub(crate) type Res<T> = Result<T, Stop>;

/// Where a computation happens: what it may decide, and what happens when it fails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// In a body: failing is a decision at the check of this place.
    Body(PlaceId),
    /// In a guard, as a condition: nothing is decided.
    Pure,
    /// In a guard that cannot be written as a condition: parts of it are decided.
    Guard,
}

/// The context of a computation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ctx {
    pub mode: Mode,
    /// In a pure guard: when it fails.
    pub fails: TermId,
}

/// A frame: a function and where its variables begin.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: FunId,
    base: usize,
    /// In the library: where the program called into it, tail calls included.
    calling: Option<Calling>,
}

/// What comes after a value.
#[derive(Clone, Copy, Debug)]
enum Cont {
    /// A `let` binds it and goes on.
    Let(ExprId),
    /// A `try` leaves its protected part.
    Try(ExprId),
    /// A call returns.
    Return,
}

/// Bounds of a replay.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Events.
    pub steps: u64,
    /// Steps of the replay itself: code without events.
    pub work: u64,
    /// Words of its heap.
    pub heap: usize,
}

/// A replay.
pub struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) atoms: &'a mut Atoms,
    pub(crate) heap: &'a mut Heap,
    pub(crate) literals: &'a [Val],
    /// The keys of maps that the program names.
    pub(crate) keys: &'a [Val],
    pub(crate) rec: Recorder<'a>,
    pub(crate) domain: Domain<'a>,
    pub(crate) events: Events<'a>,
    pub(crate) covered: Vec<(SiteId, u32)>,
    /// The expressions that were evaluated, by number.
    ran: &'a mut [bool],
    /// Those that no earlier run evaluated.
    pub reached: Vec<u64>,
    /// Where nobody catches an exception: the innermost of the program's own functions that run, and its arguments.
    raised_in: Option<(FunId, Vec<Val>)>,
    pub(crate) one_zero: bool,
    bounds: Bounds,
    frames: Vec<Frame>,
    slots: Vec<Val>,
    conts: Vec<Cont>,
    /// The values of what was computed last.
    values: Vec<Val>,
    work: u64,
    /// The process dictionary, as far as the program put something symbolic there.
    dictionary: Vec<(Val, Val)>,
    /// The tables of `ets` that the program made.
    tables: tables::Tables,
    /// Terms whose hash was asked for.
    hashed: Vec<Val>,
    /// The calls of functions of the input.
    pub(crate) calls: function::Calls,
    /// The other processes of the run, and what the current one has beside its stacks.
    pub(crate) strands: Strands<'a>,
    /// The run started programs of the system, which may go on.
    pub(crate) starts_programs: bool,
    /// What is evaluated now.
    evaluating: Option<ExprId>,
    /// What the paper's instrumentation would have told, if somebody wants to know.
    pub(crate) paper: Option<crate::paper::Log>,
}

impl<'a> Machine<'a> {
    /// A replay of a run with these events.
    pub(crate) fn new(
        program: &'a Program,
        (atoms, heap, literals, keys): (&'a mut Atoms, &'a mut Heap, &'a [Val], &'a [Val]),
        (rec, domain): (Recorder<'a>, Domain<'a>),
        (events, strands, ran): (Events<'a>, Strands<'a>, &'a mut [bool]),
        bounds: Bounds,
        one_zero: bool,
    ) -> Machine<'a> {
        Machine {
            program,
            atoms,
            heap,
            literals,
            keys,
            rec,
            domain,
            events,
            covered: Vec::new(),
            ran,
            reached: Vec::new(),
            raised_in: None,
            one_zero,
            bounds,
            frames: Vec::new(),
            slots: Vec::new(),
            conts: Vec::new(),
            values: Vec::new(),
            work: 0,
            dictionary: Vec::new(),
            tables: tables::Tables::default(),
            hashed: Vec::new(),
            calls: function::Calls::default(),
            strands,
            starts_programs: false,
            evaluating: None,
            paper: None,
        }
    }

    pub(crate) fn yes(&self) -> TermId {
        self.rec.terms.bool(true)
    }

    pub(crate) fn no(&self) -> TermId {
        self.rec.terms.bool(false)
    }

    pub(crate) fn and(&mut self, all: &[TermId]) -> TermId {
        and(self.rec.terms, all)
    }

    pub(crate) fn or(&mut self, ways: &[TermId]) -> TermId {
        or(self.rec.terms, ways)
    }

    pub(crate) fn not(&mut self, condition: TermId) -> TermId {
        self.rec.terms.not(condition)
    }

    pub(crate) fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.rec.terms.mk(op, args)
    }

    /// A context in a body.
    pub(crate) fn body(&self, place: PlaceId) -> Ctx {
        Ctx { mode: Mode::Body(place), fails: self.no() }
    }

    fn frame(&self) -> Frame {
        *self.frames.last().expect("a function runs")
    }

    /// Whether a function is one of the program's own modules.
    fn is_own(&self, function: FunId) -> bool {
        self.program.code.function(function).module >= OWN_NUMBERS
    }

    /// The function that runs.
    pub(crate) fn current(&self) -> &'a crate::flat::Function {
        self.program.code.function(self.frame().function)
    }

    pub(crate) fn slot(&self, slot: Slot) -> Val {
        self.slots[self.frame().base + slot as usize]
    }

    pub(crate) fn set_slot(&mut self, slot: Slot, value: Val) {
        let base = self.frame().base;
        self.slots[base + slot as usize] = value;
    }

    /// What must hold lest a computation fails, with an error of this reason.
    pub(crate) fn require(&mut self, ctx: &mut Ctx, condition: TermId, reason: Val) -> Res<()> {
        let known = self.rec.facts.holds(self.rec.terms, condition);
        let error = |place| Stop::Raise(Exception { class: Atom::ERROR, reason, place });
        let holds = match (known, ctx.mode) {
            (Some(true), _) => return Ok(()),
            (Some(false), Mode::Body(place)) => return Err(error(Some(place))),
            (Some(false), Mode::Guard) => return Err(error(None)),
            (_, Mode::Pure) => {
                let not = self.not(condition);
                ctx.fails = self.or(&[ctx.fails, not]);
                return Ok(());
            }
            (None, Mode::Body(place)) => {
                let site = self.program.code.place(place).check.unwrap_or(self.current().split);
                self.rec.decide(site, &[condition])
            }
            (None, Mode::Guard) => {
                let site = self.current().split;
                self.rec.decide(site, &[condition])
            }
        };
        let place = match ctx.mode {
            Mode::Body(place) => Some(place),
            _ => None,
        };
        if holds { Ok(()) } else { Err(error(place)) }
    }

    /// A computation that fails for all inputs that come here.
    pub(crate) fn fail<T>(&mut self, ctx: &mut Ctx, reason: Val, otherwise: T) -> Res<T> {
        let no = self.no();
        self.require(ctx, no, reason)?;
        Ok(otherwise)
    }

    /// Decides which of these conditions holds; exactly one does under every input that comes here.
    pub(crate) fn choose(&mut self, ctx: &Ctx, ways: &[TermId]) -> Res<usize> {
        let known: Vec<Option<bool>> = ways.iter().map(|&way| self.rec.facts.holds(self.rec.terms, way)).collect();
        if let Some(way) = known.iter().position(|known| *known == Some(true)) {
            return Ok(way);
        }
        let open: Vec<usize> = (0..ways.len()).filter(|&way| known[way].is_none()).collect();
        if let [only] = open[..] {
            // It follows from what is known; next time it is known itself. A condition may be about inputs that never came here.
            if !matches!(ctx.mode, Mode::Pure) {
                self.rec.facts.learn(self.rec.terms, ways[only], true);
            }
            return Ok(only);
        }
        if matches!(ctx.mode, Mode::Pure) {
            return Err(Stop::Split);
        }
        let taken = open.iter().copied().find(|&way| self.rec.holds(ways[way]));
        let Some(taken) = taken else { return Err(Stop::Lost("a value is none of its kinds".to_owned())) };
        let site = self.current().split;
        let kind = xcute_trace::DecisionKind::Branch;
        let number = u32::try_from(taken).expect("few ways");
        self.rec.record(site, kind, number, |terms| {
            let arm = |(way, &condition): (usize, &TermId)| if known[way] == Some(false) { terms.bool(false) } else { condition };
            ways.iter().enumerate().map(arm).collect()
        });
        for &way in &open {
            self.rec.facts.learn(self.rec.terms, ways[way], way == taken);
        }
        Ok(taken)
    }

    /// A place in the source, for people: in the library, the call of the program that led there.
    pub(crate) fn spot(&self, place: PlaceId) -> String {
        let frame = self.frames.last().filter(|frame| !self.is_own(frame.function));
        let call = frame.and_then(|frame| self.program.code.place_of(frame.calling?.expr));
        call.map_or_else(|| self.program.code.at(place), |(file, line)| format!("{}:{line}", self.program.code.files[file as usize]))
    }

    /// The place of a context in the source, for people.
    pub(crate) fn at(&self, ctx: &Ctx) -> String {
        match ctx.mode {
            Mode::Body(place) => self.spot(place),
            _ => {
                let site = self.program.sites.get(self.current().pin);
                format!("a guard of {} ({}:{})", site.function, site.file, site.line)
            }
        }
    }

    /// Fixes a part of the input to the value that it has, which is a limit.
    pub(crate) fn pin(&mut self, ctx: &Ctx, term: TermId, what: &str) -> Res<xcute_term::Value> {
        if matches!(ctx.mode, Mode::Pure) {
            return Err(Stop::Split);
        }
        let what = format!("{what} at {}", self.at(ctx));
        let site = self.current().pin;
        Ok(self.rec.pin(site, term, &what))
    }
}
