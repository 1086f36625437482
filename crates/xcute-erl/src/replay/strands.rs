//! Several processes in one replay: each has stacks, events and a mailbox of its own, and the record of the run says which goes on when.
//!
//! Between two operations that others can notice a process is followed without a break; at an operation it pauses until the record comes to it. So decisions
//! are made in the order of the record, whatever the emulator did side by side.
//!
//! **Invariant.** The fields of the machine are those of the current strand; all others are stored away.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use xcute_trace::{SiteId, Step};

use super::control::{End, Next, Ran};
use super::{Cont, Events, Frame, Machine, Stop, Val};
use crate::core::normalise::EventKind;
use crate::etf::Atom;
use crate::flat::{ExprId, FunId, PlaceId};
use crate::processes::{Directed, Standing, Steps};
use crate::vm::Other;

/// A process that does not run now.
pub(crate) struct Strand<'a> {
    frames: Vec<Frame>,
    slots: Vec<Val>,
    conts: Vec<Cont>,
    values: Vec<Val>,
    dictionary: Vec<(Val, Val)>,
    events: Events<'a>,
    own: Own,
}

/// What a process has that processes alone need.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// Its number in the run.
    number: usize,
    /// How many processes it started.
    forks: u16,
    pub(super) mailbox: super::mailbox::Mailbox,
    /// The call of a function about processes that it is in.
    pub(super) inside: Option<u32>,
    /// Its next operation was granted.
    pub(super) granted: bool,
    /// Where it goes on.
    resume: Option<ExprId>,
    /// Where it stands.
    pub(super) place: Option<PlaceId>,
    /// Its function is over, with this; what comes then is its end.
    over: Option<End>,
    /// It is not followed.
    lost: bool,
}

/// What a process runs: a function, its arguments, and what it captured.
pub(super) type Code = (FunId, Vec<Val>, Vec<Val>);

/// What is known of the other processes of a run.
pub(crate) struct Strands<'a> {
    pub(super) directed: Option<&'a Directed>,
    others: &'a [Other],
    site: SiteId,
    stored: Vec<Strand<'a>>,
    /// Where strands are stored, by their numbers.
    places: FxHashMap<usize, usize>,
    /// Numbers of strands, by what they are called.
    pids: FxHashMap<Box<[u8]>, usize>,
    /// Strands that have not begun.
    fresh: VecDeque<(usize, Code)>,
    pub(super) own: Own,
    told: Steps,
}

impl<'a> Strands<'a> {
    /// The processes of a run.
    pub(crate) fn new(directed: Option<&'a Directed>, others: &'a [Other], site: SiteId) -> Strands<'a> {
        Strands {
            directed,
            others,
            site,
            stored: Vec::new(),
            places: FxHashMap::default(),
            pids: FxHashMap::default(),
            fresh: VecDeque::new(),
            own: Own::default(),
            told: Steps::default(),
        }
    }

    /// What is said about the steps.
    pub(crate) fn steps(&mut self) -> Steps {
        std::mem::take(&mut self.told)
    }
}

impl<'a> Machine<'a> {
    /// Whether the run had processes that were led.
    pub(crate) fn is_led(&self) -> bool {
        self.strands.directed.is_some()
    }

    /// The call in one of the program's own modules that a run without other processes did not return from.
    pub(crate) fn last_call(&self) -> Option<(FunId, ExprId)> {
        let frame = self.frames.last().filter(|_| !self.is_led())?;
        if self.is_own(frame.function) {
            return Some((frame.function, self.evaluating?));
        }
        frame.calling.map(|calling| (calling.from, calling.expr))
    }

    /// Where the current process stands.
    fn standing(&self) -> Option<Standing> {
        let frame = self.frames.last()?;
        match frame.calling.filter(|_| !self.is_own(frame.function)) {
            Some(calling) => Some(Standing::Calls(calling)),
            None => Some(Standing::At(frame.function, self.strands.own.place?)),
        }
    }

    /// Follows all processes to the end; the end of the first one.
    pub(super) fn lead(&mut self, entry: FunId, first: Ran) -> End {
        let Some(directed) = self.strands.directed else {
            return match first {
                Ran::Ended(end) => end,
                Ran::Paused => End::Over,
            };
        };
        self.strands.told.standing.resize(directed.tasks.len(), None);
        self.strands.told.runs.resize(directed.tasks.len(), None);
        self.strands.told.runs[0] = Some(entry);
        if let Some(end) = self.pause(first).or_else(|| self.begin_all()) {
            return end;
        }
        let mut choices = 0;
        for step in &directed.record.steps {
            if let Some(end) = self.follow(directed, step, &mut choices).or_else(|| self.begin_all()) {
                return end;
            }
        }
        self.switch(0);
        match self.strands.own.over.take() {
            Some(end) => end,
            None => End::Over,
        }
    }

    /// One step of the run, and what its process does up to the next.
    fn follow(&mut self, directed: &Directed, step: &Step, choices: &mut u32) -> Option<End> {
        let number = directed.number(step.task())?;
        let known = self.switch(number);
        self.strands.told.before.push(u32::try_from(self.rec.met()).expect("few decisions"));
        let place = if known { self.standing() } else { None };
        self.strands.told.places.push(place);
        if step.options() > 1 {
            let strayed = directed.strayed.is_some_and(|choice| *choices >= choice);
            *choices += 1;
            self.rec.schedule(self.strands.site, step.option(), step.options(), strayed);
        }
        if !known || self.strands.own.lost {
            return None;
        }
        self.strands.own.granted = true;
        let ran = match self.strands.own.resume.take() {
            Some(expr) => self.go_on(Next::Eval(expr)),
            None if self.strands.own.over.is_some() => return self.end_on(),
            None => return Some(End::Diverged("an operation of a process that does not wait".to_owned())),
        };
        self.pause(ran)
    }

    /// Begins the processes that were started.
    fn begin_all(&mut self) -> Option<End> {
        while let Some((number, (function, args, captured))) = self.strands.fresh.pop_front() {
            self.switch(number);
            self.strands.told.runs[number] = Some(function);
            let next = self.enter(function, &args, &captured);
            let ran = self.go_on(next);
            if let Some(end) = self.pause(ran) {
                return Some(end);
            }
        }
        None
    }

    /// The current process pauses, or its function is over; the end of the whole replay if it cannot go on.
    fn pause(&mut self, ran: Ran) -> Option<End> {
        let number = self.strands.own.number;
        match ran {
            Ran::Paused => {
                self.strands.own.resume = self.evaluating;
                self.strands.told.standing[number] = self.standing();
                None
            }
            Ran::Ended(end @ (End::Lost(_) | End::Diverged(_) | End::Budget(_))) => Some(end),
            Ran::Ended(end) => {
                self.strands.told.standing[number] = None;
                self.strands.own.over = Some(end);
                if number == 0 { None } else { self.end_on() }
            }
        }
    }

    /// A process ends: others may hear of it, which are operations, too.
    fn end_on(&mut self) -> Option<End> {
        while let Some(event) = self.events.peek() {
            match self.kind(event) {
                Some(EventKind::Step) if self.strands.own.granted => {
                    self.events.take();
                    self.strands.own.granted = false;
                }
                Some(EventKind::Step) => return None,
                Some(EventKind::Notice | EventKind::Killed) => {
                    if let Err(stop) = self.signal() {
                        return Some(super::control::end(stop));
                    }
                }
                _ => return Some(End::Diverged("the end of a process".to_owned())),
            }
        }
        None
    }

    /// The reason with which the current process ends, as others hear of it, if that depends on the input; `heard` is what they heard in the run. That of an error has
    /// the stack with it, and that of a throw says that nobody caught it.
    pub(super) fn symbolic_reason(&mut self, heard: Val) -> Option<Val> {
        let Some(End::Raised(exception)) = self.strands.own.over else { return None };
        if !self.heap.is_symbolic(exception.reason) {
            return None;
        }
        if exception.class == Atom::EXIT {
            return Some(exception.reason);
        }
        let Val::Tuple(pair) = heard else { return None };
        let [_, stack] = *self.heap.elements(pair) else { return None };
        let mut reason = exception.reason;
        if exception.class == Atom::THROW {
            reason = self.heap.tuple(&[Val::Atom(Atom::NOCATCH), reason]);
        }
        Some(self.heap.tuple(&[reason, stack]))
    }

    /// A process was started; whether it is followed.
    pub(super) fn start(&mut self, pid: Val, code: Option<Code>) -> bool {
        self.strands.own.forks += 1;
        let (parent, nth) = (self.strands.own.number, self.strands.own.forks);
        let Some(number) = self.strands.directed.and_then(|directed| directed.child(parent, nth)) else { return false };
        let Some(other) = self.strands.others.get(number - 1) else { return false };
        let whole = false;
        self.call_process(number, pid);
        let own = Own { number, lost: code.is_none(), ..Own::default() };
        self.strands.places.insert(number, self.strands.stored.len());
        self.strands.stored.push(Strand {
            frames: Vec::new(),
            slots: Vec::new(),
            conts: Vec::new(),
            values: Vec::new(),
            dictionary: Vec::new(),
            events: Events::new(&other.events, whole),
            own,
        });
        match code {
            Some(code) => self.strands.fresh.push_back((number, code)),
            None => return false,
        }
        true
    }

    /// Makes a process the current one; whether there is such a process.
    fn switch(&mut self, number: usize) -> bool {
        if self.strands.own.number == number {
            return true;
        }
        // The strand that runs now takes the place of the one that is to run.
        let Some(at) = self.strands.places.remove(&number) else { return false };
        self.strands.places.insert(self.strands.own.number, at);
        let strand = &mut self.strands.stored[at];
        std::mem::swap(&mut strand.frames, &mut self.frames);
        std::mem::swap(&mut strand.slots, &mut self.slots);
        std::mem::swap(&mut strand.conts, &mut self.conts);
        std::mem::swap(&mut strand.values, &mut self.values);
        std::mem::swap(&mut strand.dictionary, &mut self.dictionary);
        std::mem::swap(&mut strand.events, &mut self.events);
        std::mem::swap(&mut strand.own, &mut self.strands.own);
        true
    }

    /// Takes note of what a process is called.
    pub(super) fn call_process(&mut self, number: usize, pid: Val) {
        if let Val::Other(other) = pid {
            self.strands.pids.insert(self.heap.other(other).into(), number);
        }
    }

    /// What the current process is called.
    pub(super) fn call_itself(&mut self, pid: Val) {
        self.call_process(self.strands.own.number, pid);
    }

    /// What a process has that processes alone need; `None` if nobody follows it.
    fn own_of(&mut self, pid: Val) -> Option<&mut Own> {
        let Val::Other(other) = pid else { return None };
        let number = *self.strands.pids.get(self.heap.other(other))?;
        if number == self.strands.own.number {
            return Some(&mut self.strands.own);
        }
        let at = *self.strands.places.get(&number)?;
        Some(&mut self.strands.stored[at].own)
    }

    /// The mailbox of a process that is followed.
    pub(super) fn mailbox_of(&mut self, pid: Val) -> Option<&mut super::mailbox::Mailbox> {
        self.own_of(pid).filter(|own| !own.lost).map(|own| &mut own.mailbox)
    }

    /// A process was ended by a signal: it does nothing any longer.
    pub(super) fn lose(&mut self, pid: Val) {
        if let Some(own) = self.own_of(pid) {
            own.resume = None;
            own.lost = true;
        }
    }

    /// The current process cannot go on before its operation is granted.
    pub(super) fn granted(&mut self, place: PlaceId) -> Result<bool, Stop> {
        match self.events.peek().map(|event| self.kind(event)) {
            Some(Some(EventKind::Step)) if self.strands.own.granted => {
                self.events.take();
                self.strands.own.granted = false;
                Ok(true)
            }
            Some(Some(EventKind::Step)) => {
                self.strands.own.place = Some(place);
                Err(Stop::Pause)
            }
            Some(_) => Ok(false),
            None if self.events.whole => Ok(false),
            None => {
                self.strands.own.place = Some(place);
                Err(Stop::Pause)
            }
        }
    }
}
