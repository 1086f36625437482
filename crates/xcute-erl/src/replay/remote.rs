//! Calls that may leave what is followed: values, functions whose name is computed, functions in other languages.
//!
//! **Invariant.** Whatever depends on the input and goes into a call that is not followed is counted: the search is not complete then.

use super::control::Next;
use super::tables::Called;
use super::value::{FunVal, Val, Values};
use super::{Exception, Machine, Res, Stop};
use crate::calls::Callee;
use crate::core::ast::SILENT;
use crate::etf::{Atom, Term, decode};
use crate::flat::PlaceId;

/// Modules of what all processes of an emulator share.
const SHARED: &[&str] = &["ets", "dets", "persistent_term", "atomics", "counters"];

/// The functions of the runtime that models call in place of one that writes something, and of one that they do not know enough of.
const WRITTEN: &str = "written";
const CALLED: &str = "called";

impl Machine<'_> {
    /// A value is applied.
    pub(super) fn apply(&mut self, fun: Val, args: &[Val], id: u32, place: PlaceId) -> Res<Next> {
        let ctx = self.body(place);
        let fun = self.known(fun);
        match fun {
            Val::Sym(term) => self.apply_input(term, args, place),
            Val::Fun(closure) => match self.heap.function(closure) {
                FunVal::Closure(..) => match self.call_closure(closure, args) {
                    Some(next) => Ok(next),
                    None => self.bad_arity(fun, args, place),
                },
                FunVal::External(_, _, arity) if arity as usize != args.len() => self.bad_arity(fun, args, place),
                FunVal::External(module, name, _) => self.target(module, name, args, id, place),
            },
            Val::Other(other) if self.heap.other(other).first() == Some(&112) => {
                if self.heap.other(other).get(5).map(|&arity| usize::from(arity)) != Some(args.len()) {
                    return self.bad_arity(fun, args, place);
                }
                let value = self.opaque(id, place, args, "a call of a function from elsewhere")?;
                Ok(self.give(value))
            }
            _ => {
                // The runtime takes the atom `opaque` for an answer of its own.
                if fun == Val::Atom(Atom::OPAQUE) && id != SILENT {
                    return self.opaque(id, place, &[], "a call of an atom").map(|value| self.give(value));
                }
                let reason = self.heap.tuple(&[Val::Atom(Atom::BADFUN), fun]);
                let mut ctx = ctx;
                self.fail(&mut ctx, reason, Next::Return)
            }
        }
    }

    fn bad_arity(&mut self, fun: Val, args: &[Val], place: PlaceId) -> Res<Next> {
        let args = self.heap.list(args, Val::Nil);
        let pair = self.heap.tuple(&[fun, args]);
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADARITY), pair]);
        Err(Stop::Raise(Exception { class: Atom::ERROR, reason, place: Some(place) }))
    }

    /// A value is applied to a list of arguments.
    pub(super) fn apply_list(&mut self, fun: Val, list: Val, id: u32, place: PlaceId) -> Res<Next> {
        let mut ctx = self.body(place);
        match self.list_items(&mut ctx, list) {
            Ok(args) => self.apply(fun, &args, id, place),
            Err(Stop::Raise(_)) => self.opaque(id, place, &[], "apply with no list").map(|value| self.give(value)),
            Err(stop) => Err(stop),
        }
    }

    /// A function is called by module and name; with `list`, the one argument is the list of arguments.
    pub(super) fn remote(&mut self, of: (Val, Val), args: &[Val], list: bool, id: u32, place: PlaceId) -> Res<Next> {
        let ctx = self.body(place);
        let args = if list {
            let mut ctx = ctx;
            match self.list_items(&mut ctx, args[0]) {
                Ok(args) => args,
                Err(Stop::Raise(_)) => return self.opaque(id, place, &[], "apply with no list").map(|value| self.give(value)),
                Err(stop) => return Err(stop),
            }
        } else {
            args.to_vec()
        };
        match self.called(&ctx, of, args.len())? {
            (Val::Atom(module), Val::Atom(name)) => self.target(module, name, &args, id, place),
            (Val::Atom(module), _) if self.is_followed(module) => {
                // No function has such a name, whatever it is.
                let what = format!("a call of {}", self.atoms.name(module));
                self.opaque(id, place, &[], &what).map(|value| self.give(value))
            }
            _ => self.opaque(id, place, &[], "a call of no function").map(|value| self.give(value)),
        }
    }

    /// Where a call of a known function goes.
    fn target(&mut self, module: Atom, name: Atom, args: &[Val], id: u32, place: PlaceId) -> Res<Next> {
        let linkage = &self.program.modules.linkage;
        let arity = u32::try_from(args.len()).expect("few arguments");
        let known = |module, name| self.program.functions.get(&(module, name, arity)).copied();
        match linkage.callee(module, name, arity) {
            Callee::Followed => match known(module, name) {
                Some(function) => return Ok(self.enter(function, args, &[])),
                None => return Err(Stop::Lost(format!("a function that is not there: {}", self.named(module, name, arity)))),
            },
            Callee::Model(model) => {
                if let Some(function) = known(linkage.models_module(), model) {
                    return Ok(self.enter(function, args, &[]));
                }
            }
            Callee::Bif(bif) if args.iter().any(|&arg| self.heap.is_symbolic(arg)) => {
                // On the emulator it is a call like others; here it is computed.
                self.skip(id, place)?;
                let mut ctx = self.body(place);
                let value = self.bif(&mut ctx, bif, args)?;
                return Ok(self.give(value));
            }
            Callee::Told(told) => {
                let what = self.named(module, name, arity);
                return self.told(told, args, &what, id, place);
            }
            Callee::Process(process) => {
                let what = self.named(module, name, arity);
                return self.process(process, args, &what, id, place);
            }
            Callee::Dictionary => return self.dictionary(name, args, id, place),
            _ => {}
        }
        if module == Atom::XCUTE_RT && self.atoms.name(name) == WRITTEN {
            // Nothing of it comes back.
            return self.opaque(id, place, &[], WRITTEN).map(|value| self.give(value));
        }
        let what = match args {
            &[Val::Atom(function), list] if module == Atom::XCUTE_RT && self.atoms.name(name) == CALLED => {
                let (mut length, mut at) = (0, list);
                while let Val::Cons(cell) = at {
                    (length, at) = (length + 1, self.heap.cell(cell).1);
                }
                format!("{}/{length}", self.atoms.name(function))
            }
            _ => self.named(module, name, arity),
        };
        let (module, name) = self.meant(module, name);
        let reads = module != Atom::ERLANG || linkage.callee(module, name, arity) == Callee::Runtime;
        if reads && !self.dictionary.is_empty() {
            // Whatever runs in the process can see its dictionary.
            let what = format!("{what} at {}, with inputs in the process dictionary", self.spot(place));
            self.rec.limit("uninstrumented", &what, true);
        }
        if self.strands.directed.is_some() && SHARED.contains(&self.atoms.name(module)) {
            let what = format!("{what} at {}: several processes may use what it is about, in other orders", self.spot(place));
            self.rec.limit("unsupported", &what, true);
        }
        if self.atoms.name(module) == "ets" {
            return self.table(name, args, Called { what: &what, id, place });
        }
        if linkage.may_start(module, name, self.atoms) {
            self.starts_programs |= matches!((self.atoms.name(module), self.atoms.name(name)), ("os", "cmd") | ("erlang", "open_port"));
            // Whatever runs can read a table, and change it.
            self.forget_tables(Called { what: &what, id, place });
        }
        let value = self.opaque(id, place, args, &what)?;
        Ok(self.give(value))
    }

    fn named(&self, module: Atom, name: Atom, arity: u32) -> String {
        // A model calls the original through the runtime, under its whole name.
        if module == Atom::XCUTE_RT {
            return format!("{}/{arity}", self.atoms.name(name));
        }
        let text = |atom| crate::universe::shown(&Term::Atom(atom), self.atoms);
        format!("{}:{}/{arity}", text(module), text(name))
    }

    /// A call that is not followed: its value, or its exception, comes with the events.
    pub(super) fn opaque(&mut self, id: u32, place: PlaceId, args: &[Val], what: &str) -> Res<Val> {
        if args.iter().any(|&arg| self.heap.is_symbolic(arg)) {
            let what = format!("{what} at {}", self.spot(place));
            self.rec.limit("uninstrumented", &what, true);
        }
        let told = self.skip(id, place)?;
        self.as_told(told, place)
    }

    /// What a call gave or raised, as the run told it.
    pub(super) fn as_told(&self, (raised, given): (bool, Val), place: PlaceId) -> Res<Val> {
        if !raised {
            return Ok(given);
        }
        if let Val::Tuple(pair) = given
            && let [Val::Atom(class), reason] = *self.heap.elements(pair)
        {
            return Err(Stop::Raise(Exception { class, reason, place: Some(place) }));
        }
        Err(Stop::Diverged(format!("an exception at {}", self.program.code.at(place))))
    }

    /// Takes the events of a call that is not followed: whether it raised something, and what it gave.
    pub(super) fn skip(&mut self, id: u32, place: PlaceId) -> Res<(bool, Val)> {
        if self.events.peek().is_none() && !self.events.whole {
            // What it gave is not known.
            return Err(Stop::Over);
        }
        self.expect_at(id, "a call", place)?;
        let program = self.program;
        let kinds = |event| program.modules.event(event);
        match self.events.skip_to_end(id, &kinds) {
            Some((event, bytes)) => {
                let value = self.decoded(bytes)?;
                Ok((event == id + 2, value))
            }
            None if self.events.whole => Err(Stop::Diverged(format!("a call at {}", self.program.code.at(place)))),
            None => Err(Stop::Over),
        }
    }

    /// A value that came with the events.
    pub(super) fn decoded(&mut self, bytes: &[u8]) -> Res<Val> {
        let mut make = Values { heap: self.heap, atoms: self.atoms };
        decode(bytes, &mut make).map_err(|error| Stop::Lost(format!("a value of the run cannot be read: {error}")))
    }

    /// `put`, `get` or `erase`: what the program put there comes back as it was, if the emulator says that it is still the same.
    fn dictionary(&mut self, name: Atom, args: &[Val], id: u32, place: PlaceId) -> Res<Next> {
        let ctx = self.body(place);
        let key = self.fixed(&ctx, args[0], "a key of the process dictionary")?;
        let (raised, old) = self.skip(id, place)?;
        if raised {
            return Err(Stop::Diverged(format!("an exception at {}", self.program.code.at(place))));
        }
        let at = self.dictionary.iter().position(|&(known, _)| self.heap.identical(known, key));
        let mut value = old;
        if let Some(at) = at {
            let own = self.dictionary[at].1;
            // Somebody else may have changed it meanwhile.
            if self.is_now(own, old) {
                value = own;
            }
        }
        let function = self.atoms.name(name);
        if function != "get" {
            if let Some(at) = at {
                self.dictionary.swap_remove(at);
            }
            if function == "put" && self.heap.is_symbolic(args[1]) {
                self.dictionary.push((key, args[1]));
            }
        }
        Ok(self.give(value))
    }

    /// Whether a value that may depend on the input is this one in the run.
    pub(crate) fn is_now(&mut self, value: Val, now: Val) -> bool {
        match self.same(value, now) {
            Ok(Some(conditions)) => conditions.into_iter().all(|condition| self.rec.holds(condition)),
            _ => false,
        }
    }
}
