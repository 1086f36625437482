//! The errors of ISO Prolog as terms, and what else ends a run before its time.

use xcute_trace::Budget;

use super::Machine;
use super::cell::Cell;
use super::heap::Frozen;
use crate::syntax::Atom;

/// Why a goal did neither succeed nor fail.
#[derive(Debug)]
pub enum Stop {
    /// It threw a ball.
    Throw(Frozen),
    /// A budget is used up.
    Budget(Budget),
    /// It asked for the end of everything.
    Halt,
    /// An input that is not allowed.
    Rejected,
}

/// What a goal does: it succeeds, fails, or stops.
pub type Step = Result<bool, Stop>;

impl Machine<'_> {
    /// A thrown `error(Formal, _)`.
    pub(crate) fn error(&mut self, formal: Cell) -> Stop {
        let context = self.heap.var();
        let functor = self.symbols.functor_named("error", 2);
        let ball = self.heap.compound(functor, &[formal, context]);
        self.throw(ball)
    }

    /// The end of the run: what would follow is not known.
    pub(crate) fn not_supported(&mut self, what: &str) -> Stop {
        self.rec.limit("unsupported", what, true);
        Stop::Rejected
    }

    /// A thrown term.
    pub(crate) fn throw(&mut self, ball: Cell) -> Stop {
        match self.keep(ball) {
            Ok(ball) => Stop::Throw(ball),
            Err(stop) => stop,
        }
    }

    /// `type_error(Type, Culprit)`.
    pub(crate) fn type_error(&mut self, of: &str, culprit: Cell) -> Stop {
        self.error_of("type_error", of, culprit)
    }

    /// `domain_error(Domain, Culprit)`.
    pub(crate) fn domain_error(&mut self, of: &str, culprit: Cell) -> Stop {
        self.error_of("domain_error", of, culprit)
    }

    fn error_of(&mut self, kind: &str, of: &str, culprit: Cell) -> Stop {
        let of = self.symbols.atom(of);
        let functor = self.symbols.functor_named(kind, 2);
        let formal = self.heap.compound(functor, &[of, culprit]);
        self.error(formal)
    }

    /// `instantiation_error`.
    pub(crate) fn instantiation_error(&mut self) -> Stop {
        let formal = self.symbols.atom("instantiation_error");
        self.error(formal)
    }

    /// `evaluation_error(What)`.
    pub(crate) fn evaluation_error(&mut self, what: &str) -> Stop {
        let what = self.symbols.atom(what);
        let functor = self.symbols.functor_named("evaluation_error", 1);
        let formal = self.heap.compound(functor, &[what]);
        self.error(formal)
    }

    /// `Name/Arity`.
    pub(crate) fn indicator(&mut self, name: Cell, arity: u32) -> Cell {
        let functor = self.symbols.functor_named("/", 2);
        self.heap.compound(functor, &[name, Cell::Int(arity.into())])
    }

    /// `permission_error(Action, Type, Culprit)`.
    pub(crate) fn permission_error(&mut self, action: &str, of: &str, culprit: Cell) -> Stop {
        let (action, of) = (self.symbols.atom(action), self.symbols.atom(of));
        let functor = self.symbols.functor_named("permission_error", 3);
        let formal = self.heap.compound(functor, &[action, of, culprit]);
        self.error(formal)
    }

    /// `existence_error(procedure, Name/Arity)`, with the module of the program, if it has one of its own.
    pub(crate) fn unknown_procedure(&mut self, name: Cell, arity: u32) -> Stop {
        let mut culprit = self.indicator(name, arity);
        if self.symbols.atoms.name(self.program.module) != "user" {
            let colon = self.symbols.functor(Atom::COLON, 2);
            culprit = self.heap.compound(colon, &[Cell::Atom(self.program.module), culprit]);
        }
        self.error_of("existence_error", "procedure", culprit)
    }
}
