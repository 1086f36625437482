//! Calls of functions that are not instrumented: they run concretely [sen-marinov-agha-2006 §4.3], and the run says so if something symbolic can be seen there.
//!
//! What a function does with memory is in [`super::library`]; the runtime looks at the memory before the call (`runtimes/c/reach.c`).
//!
//! **Invariant.** Before code that is not instrumented runs, all that it can look at was looked at: values that it gets, memory that it can come to. Where it may
//! call back, instrumented functions know that they return to it ([`Walker::called_back`]).

use super::flow;
use super::library::{self, Reach};
use super::llvm::Value;
use super::ours;
use super::output::{self, is_output};
use super::stateless;
use super::walk::{Walker, placed};

/// How functions are called of which only the address is known.
const BY_POINTER: &str = "a function called through a pointer";

/// What it keeps from being complete where several threads run: other threads may see what the function does, and nothing says what that is.
const AMONG_THREADS: &str = "a call through a pointer of a function without source, among threads";

/// A call that leaves the program: its number, and what may happen there.
#[derive(Clone, Copy)]
struct Departure {
    /// Of [`crate::build::compile::Compiled::departures`].
    index: u32,
    reach: Reach,
}

impl Walker<'_> {
    /// Says that something symbolic, or a pointer to it, goes where it cannot be followed.
    pub(super) fn foreign(&mut self, i: Value, name: &str, arguments: &[Value]) {
        self.program.foreign(name);
        let index = self.program.departure(i, name);
        let reach = library::reach(name, !self.program.linked, arguments.iter().any(|a| a.ty().is_pointer()));
        self.emit.before(i);
        self.emit.hook("xch_leaving", &[]);
        if self.program.own_files && output::may_look_at_files(name) && !ours::knows_files(&self.function.name()) {
            self.emit.hook("xch_foreign_files", &[self.emit.int(index)]);
        }
        let output = is_output(i, name, arguments);
        if !output && !stateless::contains(name) {
            self.emit.hook("xch_outside", &[]);
        }
        // Text that is not constant may be another one, or none at all, in other states.
        let text = |a: &&Value| a.ty().is_pointer() && !flow::root(**a).is_constant_global();
        match arguments.iter().filter(text).copied().collect::<Vec<_>>().as_slice() {
            [] if output => {}
            [only] if output && output::stream(name, arguments) == Some(*only) => self.follow_address(*only),
            _ => self.untold_call(name),
        }
        let stream = output::stream(name, arguments).filter(|_| output);
        let seen = arguments.iter().filter(|_| !output || stream.is_some());
        let handles: Vec<Value> = seen.filter_map(|v| self.handles.get(v)).flatten().copied().collect();
        // What is written to a standard stream is not lost: nobody looks at it again.
        let standard = match stream {
            Some(stream) => Some(self.emit.hook("xch_standard", &[self.emit.word(stream)])),
            None => self.writes_to_standard_stream(name, arguments),
        };
        let followed = standard.map(|standard| self.emit.negate(standard));
        for handle in handles.into_iter().filter(|&h| !self.emit.is_zero(h)) {
            let lost = followed.map_or(handle, |flag| self.emit.mask_by(handle, flag));
            self.emit.hook("xch_foreign", &[lost, self.emit.int(index)]);
        }
        if output && stream.is_none() {
            return;
        }
        let ours = standard.unwrap_or_else(|| self.emit.zero());
        self.depart(i, arguments, ours, Departure { index, reach });
    }

    /// A call through a pointer: `ours` says whether the callee is instrumented. The builder stands before the call, and stays there.
    pub(super) fn pointed(&mut self, i: Value, arguments: &[Value], ours: Value) {
        let index = self.program.departure(i, BY_POINTER);
        let handles: Vec<Value> = arguments.iter().filter_map(|v| self.handles.get(v)).flatten().copied().collect();
        if self.program.threads {
            let unseen = self.program.unsupported(&placed(i, AMONG_THREADS));
            self.emit.hook("xch_unseen", &[ours, self.emit.int(unseen)]);
        }
        let foreign = self.emit.negate(ours);
        for handle in handles.into_iter().filter(|&h| !self.emit.is_zero(h)) {
            let handle = self.emit.mask_by(handle, foreign);
            self.emit.hook("xch_foreign", &[handle, self.emit.int(index)]);
        }
        self.depart(i, arguments, ours, Departure { index, reach: Reach::ALL });
    }

    /// Has the memory looked at that a call can come to, unless the callee is `ours`. The builder stands before the call, and stays there.
    fn depart(&self, i: Value, arguments: &[Value], ours: Value, departure: Departure) {
        let Departure { index, reach } = departure;
        self.look(arguments, ours, departure);
        if reach.has(Reach::CALLS_BACK) && !i.is_must_tail() {
            self.emit.hook("xch_inside", &[ours, self.emit.int(index + 1)]);
            self.emit.after(i);
            self.emit.hook("xch_inside", &[ours, self.emit.zero()]);
            self.emit.before(i);
        }
    }

    /// The same without a call: inline assembly and the like.
    pub(super) fn departs(&mut self, i: Value, operands: &[Value], what: &str) {
        let index = self.program.unsupported(&placed(i, what));
        self.emit.before(i);
        self.emit.hook("xch_outside", &[]);
        self.look(operands, self.emit.zero(), Departure { index, reach: Reach::ALL | Reach::CONSTRUCT });
    }

    /// Has the memory looked at that arguments lead to, and what is remembered.
    fn look(&self, arguments: &[Value], ours: Value, Departure { index, reach }: Departure) {
        let mut first = Reach::FIRST;
        for argument in arguments.iter().filter(|a| may_point(**a, reach)) {
            let p = self.emit.word(*argument);
            self.emit.hook("xch_reach", &[ours, p, self.emit.int(index), self.emit.int((reach | first).bits())]);
            first = Reach::READS;
        }
        if reach.has(Reach::LOOKS_BACK) {
            self.emit.hook("xch_reach_back", &[ours, self.emit.int(index), self.emit.int((reach | first).bits())]);
        }
    }

    /// The start of a function that foreign code may call: whether it did.
    pub(super) fn called_back(&mut self) {
        if self.program.called_by_others.contains(&self.function) {
            self.inside = Some(self.emit.hook("xch_called", &[]));
        }
    }

    /// Its end: what it gives back is looked at there. The builder stands before the end.
    pub(super) fn goes_back(&self, handles: &[Value]) {
        let Some(inside) = self.inside else { return };
        for &handle in handles.iter().filter(|&&h| !self.emit.is_zero(h)) {
            self.emit.hook("xch_gives_back", &[inside, handle]);
        }
        self.emit.hook("xch_goes_back", &[inside]);
    }
}

/// Whether an argument may be an address of memory that can change. Code of which nothing is known may take a number for one.
fn may_point(argument: Value, reach: Reach) -> bool {
    let number = argument.ty().width() == Some(64) && !argument.ty().is_float() && !argument.is_constant_int();
    (argument.ty().is_pointer() || (number && reach.has(Reach::KEEPS))) && !flow::root(argument).is_constant_global()
}
