//! Calls about processes: starting them, sending, names, links and monitors.
//!
//! The events of such a call are its own event, then the operations that were granted and what they did, then its value or its exception.
//!
//! **Invariant.** Whatever depends on the input and goes where nobody follows it is counted.

use super::control::Next;
use super::strands::Code;
use super::value::{FunVal, Val};
use super::{Machine, Res, Stop};
use crate::calls::{Callee, Process};
use crate::core::normalise::EventKind;
use crate::etf::Atom;
use crate::flat::PlaceId;

impl Machine<'_> {
    /// A call about processes.
    pub(super) fn process(&mut self, process: Process, args: &[Val], what: &str, id: u32, place: PlaceId) -> Res<Next> {
        if self.strands.own.inside != Some(id) {
            if self.events.peek().is_none() && !self.events.whole {
                return Err(Stop::Over);
            }
            self.expect_at(id, "a call", place)?;
            self.strands.own.inside = Some(id);
        }
        let mut followed = false;
        loop {
            if self.granted(place)? {
                continue;
            }
            let Some(event) = self.events.peek() else { return Err(Stop::Over) };
            match self.kind(event) {
                Some(EventKind::Sent) => {
                    self.events.take();
                    let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
                    let to = self.decoded(bytes)?;
                    let message = args.get(1).copied().unwrap_or(Val::Nil);
                    if let Some(mailbox) = self.mailbox_of(to) {
                        mailbox.send(message);
                        followed = true;
                    }
                }
                Some(EventKind::Itself) => {
                    self.events.take();
                    let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
                    let pid = self.decoded(bytes)?;
                    self.call_itself(pid);
                }
                Some(EventKind::Fetched) => self.fetch(place)?,
                Some(EventKind::Flushed) => self.flush()?,
                Some(EventKind::Notice | EventKind::Killed) => {
                    // What others hear may be all that comes of it: a process can end itself.
                    self.leaves(args, what, place);
                    self.signal()?;
                }
                Some(EventKind::Value | EventKind::Raised) if event == id + 1 || event == id + 2 => {
                    self.events.take();
                    let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
                    let value = self.decoded(bytes)?;
                    self.strands.own.inside = None;
                    if event == id + 2 {
                        // A send that fails does so because of where it goes, and its message goes nowhere.
                        let of: &[Val] = if process == Process::Send { &args[..1] } else { args };
                        self.leaves(of, what, place);
                        return Err(self.raised(value, place));
                    }
                    return self.done(process, args, (value, followed), what, place);
                }
                _ => return Err(Stop::Diverged(format!("{what} at {}", self.program.code.at(place)))),
            }
        }
    }

    /// Something that depends on the input goes where nobody follows it.
    fn leaves(&mut self, args: &[Val], what: &str, place: PlaceId) {
        if args.iter().any(|&arg| self.heap.is_symbolic(arg)) {
            let what = format!("{what} at {}", self.spot(place));
            self.rec.limit("uninstrumented", &what, true);
        }
    }

    fn done(&mut self, process: Process, args: &[Val], (value, followed): (Val, bool), what: &str, place: PlaceId) -> Res<Next> {
        match process {
            Process::SpawnFun | Process::SpawnCall => {
                let code = self.spawned(process, args, place)?;
                let pid = match value {
                    Val::Tuple(pair) => self.heap.elements(pair).first().copied().unwrap_or(value),
                    pid => pid,
                };
                if !self.start(pid, code) {
                    let what = format!("a process that {what} starts at {}: what it does is not followed", self.spot(place));
                    self.rec.limit("unsupported", &what, true);
                }
                Ok(self.give(value))
            }
            Process::Send => {
                if !followed {
                    self.leaves(&args[1..2], what, place);
                }
                // The value of a send is its message, but for the form with options.
                let value = if args.len() == 2 { args[1] } else { value };
                Ok(self.give(value))
            }
            Process::Other => {
                self.leaves(args, what, place);
                Ok(self.give(value))
            }
        }
    }

    /// What a process runs; `None` if that is not followed.
    fn spawned(&mut self, process: Process, args: &[Val], place: PlaceId) -> Res<Option<Code>> {
        let named = |machine: &Self, module: Atom, name: Atom, args: Vec<Val>| {
            let arity = u32::try_from(args.len()).ok()?;
            let followed = machine.program.modules.linkage.callee(module, name, arity) == Callee::Followed;
            let function = machine.program.functions.get(&(module, name, arity)).filter(|_| followed)?;
            Some((*function, args, Vec::new()))
        };
        let ctx = self.body(place);
        if process == Process::SpawnCall {
            let (module, name) =
                (self.fixed(&ctx, args[0], "the module of a process")?, self.fixed(&ctx, args[1], "the function of a process")?);
            let mut ctx = ctx;
            let list = self.list_items(&mut ctx, args[2])?;
            return Ok(match (module, name) {
                (Val::Atom(module), Val::Atom(name)) => named(self, module, name, list),
                _ => None,
            });
        }
        let fun = match self.known(args[0]) {
            input @ Val::Sym(_) => self.fixed(&ctx, input, "the function of a process")?,
            known => known,
        };
        let Val::Fun(fun) = fun else { return Ok(None) };
        Ok(match self.heap.function(fun) {
            FunVal::Closure(function, start, length) if self.program.code.function(function).arity == 0 => {
                let captured = self.heap.captured(start, length).to_vec();
                Some((function, Vec::new(), captured))
            }
            FunVal::External(module, name, 0) => named(self, module, name, Vec::new()),
            _ => None,
        })
    }
}
