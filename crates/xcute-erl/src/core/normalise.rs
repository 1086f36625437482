//! Fewer constructs, and numbers for the places that tell events.
//!
//! `catch` becomes `try`, clauses after one that matches everything go. Then every place gets the numbers of its events, in the order of the text: so a
//! number depends on the module only. Guards tell nothing, since they must not call anything. Nor does code between the look at a message and its
//! removal from the mailbox: what `receive` is compiled to (`letrec_goto`, primitive operations `recv_…`) must not call anything there either, because
//! such a message may move.
//!
//! **Invariant.** The program means what it meant before, but for stack traces.

use rustc_hash::FxHashSet;

use super::ast::{Anno, Clause, EventId, Expr, Function, Module, Name, SILENT};
use crate::etf::{Atom, Atoms};

/// The number of the runtime, in the numbers of its own events.
pub const RUNTIME_NUMBER: u32 = 62;

/// The events of the runtime itself, in the order of their numbers.
pub const RUNTIME_EVENTS: [EventKind; 7] =
    [EventKind::Step, EventKind::Fetched, EventKind::Notice, EventKind::Sent, EventKind::Killed, EventKind::Itself, EventKind::Flushed];

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A clause of a `case` was chosen: this one.
    Arm(u32),
    /// An exception came to a `try`.
    Caught,
    /// A call begins that is not followed.
    Enter,
    /// Its value follows.
    Value,
    /// Its exception follows.
    Raised,
    /// The message that was received follows.
    Received,
    /// No message came in time.
    TimedOut,
    /// An operation was granted that other processes can notice.
    Step,
    /// The next message of the mailbox, which follows, is looked at from now on.
    Fetched,
    /// The process to which a message goes follows.
    Sent,
    /// A process and the message follow that a signal makes there: of an end.
    Notice,
    /// The process follows that an exit signal ended.
    Killed,
    /// The process itself follows.
    Itself,
    /// The message follows that is taken out of the mailbox and thrown away.
    Flushed,
}

/// A module that is ready to be instrumented and followed.
#[derive(Debug)]
pub struct Normal {
    /// The module.
    pub module: Module,
    /// What each event number means.
    pub events: Vec<EventKind>,
}

/// Normalises a module. Its own `stubs`, which are written in another language, are called from outside, and do nothing but that themselves.
pub fn normalise(mut module: Module, stubs: &FxHashSet<(Atom, u32)>, atoms: &mut Atoms) -> Normal {
    let mut pass = Pass { atoms, module: module.name, stubs, events: Vec::new(), fresh: 0, receive: Anno::none(), near: Anno::none() };
    for function in &mut module.functions {
        pass.fresh = 0;
        if let Expr::Fun(anno, ..) = &function.fun {
            pass.near = anno.clone();
        }
        if stubs.contains(&(function.name, function.arity))
            && let Expr::Fun(_, vars, body) = &mut function.fun
        {
            **body = Expr::call(module.name, function.name, vars.clone());
        }
        pass.function(function);
    }
    module.events = u32::try_from(pass.events.len()).expect("fewer than 2^32 events");
    Normal { module, events: pass.events }
}

struct Pass<'a> {
    atoms: &'a mut Atoms,
    module: Atom,
    stubs: &'a FxHashSet<(Atom, u32)>,
    events: Vec<EventKind>,
    fresh: u32,
    /// Where the receive is that is looked at.
    receive: Anno,
    /// The last place before: that of a clause or a call.
    near: Anno,
}

impl Pass<'_> {
    fn number(&mut self, kinds: &[EventKind]) -> EventId {
        let id = u32::try_from(self.events.len()).expect("fewer than 2^32 events");
        self.events.extend_from_slice(kinds);
        id
    }

    fn opaque(&mut self) -> EventId {
        self.number(&[EventKind::Enter, EventKind::Value, EventKind::Raised])
    }

    fn fresh(&mut self) -> Expr {
        self.fresh += 1;
        let name = self.atoms.intern(&format!("xcute{}", self.fresh));
        Expr::Var(Anno::generated(), Name::Atom(name))
    }

    fn function(&mut self, function: &mut Function) {
        if let Expr::Fun(_, _, body) = &mut function.fun {
            self.expr(body);
        }
    }

    /// Takes note of where an expression is, if that is known.
    fn pass_by(&mut self, anno: &Anno) {
        if anno.location().line != 0 {
            self.near = anno.clone();
        }
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Catch(..) = expr {
            self.uncatch(expr);
        }
        self.leave_stub(expr);
        match expr {
            Expr::Literal(..) | Expr::Var(..) | Expr::Opaque(..) => {}
            Expr::Cons(_, a, b) | Expr::Alias(_, a, b) | Expr::Seq(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Tuple(_, items) | Expr::Values(_, items) => self.exprs(items),
            Expr::Map { arg, pairs, .. } => {
                self.expr(arg);
                for pair in pairs {
                    self.expr(&mut pair.key);
                    self.expr(&mut pair.value);
                }
            }
            Expr::Binary { segments, id, .. } => {
                for segment in segments {
                    self.expr(&mut segment.value);
                    self.expr(&mut segment.size);
                }
                *id = self.opaque();
            }
            Expr::Fun(_, _, body) => self.expr(body),
            Expr::Let { arg, body, .. } => {
                self.expr(arg);
                self.expr(body);
            }
            Expr::Letrec { anno, functions, body } => {
                let goto = anno.has(Atom::LETREC_GOTO);
                // One without clauses looks at no message, and says nowhere where it is.
                self.pass_by(anno);
                self.receive = self.near.clone();
                for function in functions {
                    match &mut function.fun {
                        Expr::Fun(_, _, body) if goto && peeks(body) => self.fragile(body),
                        _ => self.function(function),
                    }
                }
                self.expr(body);
            }
            Expr::Case { arg, clauses, id, .. } => {
                self.expr(arg);
                reachable(clauses);
                *id = self.arms(clauses);
                for clause in clauses {
                    self.pass_by(&clause.anno);
                    self.expr(&mut clause.body);
                }
            }
            Expr::Apply { op, args, id, .. } => {
                self.exprs(args);
                if !matches!(op.name(), Some(Name::Function(..))) {
                    self.expr(op);
                    *id = self.opaque();
                }
            }
            Expr::Call { module, name, args, id, anno, .. } => {
                self.pass_by(anno);
                self.expr(module);
                self.expr(name);
                self.exprs(args);
                *id = self.opaque();
            }
            Expr::Primop { name, args, id, .. } => {
                self.exprs(args);
                if *name == Atom::BUILD_STACKTRACE {
                    *id = self.number(&[EventKind::Value]);
                }
            }
            Expr::Try { arg, body, handler, id, .. } => {
                self.expr(arg);
                *id = self.number(&[EventKind::Caught]);
                self.expr(body);
                self.expr(handler);
            }
            Expr::Catch(..) => unreachable!("it has become a try"),
            Expr::Receive { clauses, timeout, action, .. } => {
                self.expr(timeout);
                clauses.iter_mut().for_each(|clause| self.expr(&mut clause.body));
                self.expr(action);
            }
        }
    }

    /// The events of a choice; none where there is nothing to choose.
    fn arms(&mut self, clauses: &[Clause]) -> EventId {
        if let [only] = clauses
            && only.is_irrefutable()
        {
            return SILENT;
        }
        let arms: Vec<EventKind> = (0..clauses.len()).map(|arm| EventKind::Arm(u32::try_from(arm).expect("few clauses"))).collect();
        self.number(&arms)
    }

    /// Code that runs while a message is looked at: silent up to where it is removed, or where there is none.
    fn fragile(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Seq(_, first, rest) => match &mut **first {
                Expr::Primop { name: Atom::REMOVE_MESSAGE, id, .. } => {
                    *id = self.number(&[EventKind::Received]);
                    self.expr(rest);
                }
                _ => self.fragile(rest),
            },
            Expr::Let { arg, body, .. } => match (&mut **arg, &mut **body) {
                (Expr::Primop { name: Atom::RECV_PEEK_MESSAGE, anno, .. }, body) => {
                    self.receive = anno.clone();
                    self.fragile(body);
                }
                (Expr::Primop { name: Atom::RECV_WAIT_TIMEOUT, args, anno, .. }, Expr::Case { clauses, .. }) => {
                    // The compiler says where a receive is at its first part only.
                    if anno.location().line == 0 {
                        *anno = self.receive.clone();
                    }
                    // Waiting for ever is an instruction of its own, which allows no event after it, and what comes after it never runs.
                    let forever = args.first().and_then(Expr::literal_atom) == Some(Atom::INFINITY);
                    if let Some(timed_out) = clauses.first_mut() {
                        if forever {
                            timed_out.body = Expr::atom(Atom::OK);
                            return;
                        }
                        self.expr(&mut timed_out.body);
                        let id = self.number(&[EventKind::TimedOut]);
                        let tell = Expr::Primop { anno: Anno::generated(), name: Atom::XCUTE_TIMED_OUT, args: Vec::new(), id };
                        let body = std::mem::replace(&mut timed_out.body, Expr::atom(Atom::OK));
                        timed_out.body = Expr::Seq(Anno::generated(), Box::new(tell), Box::new(body));
                    }
                }
                (_, body) => self.fragile(body),
            },
            Expr::Case { clauses, .. } => {
                reachable(clauses);
                clauses.iter_mut().for_each(|clause| self.fragile(&mut clause.body));
            }
            _ => {}
        }
    }

    /// A stub is called, or made a value, by the name of its module.
    fn leave_stub(&self, expr: &mut Expr) {
        let stub = |of: &Expr| match of.name() {
            Some(Name::Function(name, arity)) if self.stubs.contains(&(name, arity)) => Some((name, arity)),
            _ => None,
        };
        if let Some((name, arity)) = stub(expr) {
            let args = vec![Expr::atom(self.module), Expr::atom(name), Expr::int(i64::from(arity))];
            *expr = Expr::call(Atom::ERLANG, Atom::MAKE_FUN, args);
        } else if let Expr::Apply { anno, op, args, .. } = expr
            && let Some((name, _)) = stub(op)
        {
            let (module, name) = (Box::new(Expr::atom(self.module)), Box::new(Expr::atom(name)));
            *expr = Expr::Call { anno: anno.clone(), module, name, args: std::mem::take(args), id: SILENT };
        }
    }

    /// `catch E` is a `try` that makes a value of the exception.
    fn uncatch(&mut self, expr: &mut Expr) {
        let Expr::Catch(anno, body) = std::mem::replace(expr, Expr::atom(Atom::OK)) else { unreachable!("only called for catch") };
        let [value, class, reason, raw, stack] = std::array::from_fn(|_| self.fresh());
        let generated = Anno::generated;
        let tuple = |items| Expr::Tuple(generated(), items);
        let clause = |pattern, body| Clause { anno: generated(), patterns: vec![pattern], guard: Expr::atom(Atom::TRUE), body };
        let exit = |value| tuple(vec![Expr::atom(Atom::EXIT_TUPLE), value]);
        let build = Expr::Primop { anno: generated(), name: Atom::BUILD_STACKTRACE, args: vec![raw.clone()], id: SILENT };
        let error = Expr::Let {
            anno: generated(),
            vars: vec![stack.clone()],
            arg: Box::new(build),
            body: Box::new(exit(tuple(vec![reason.clone(), stack]))),
        };
        let clauses = vec![
            clause(Expr::atom(Atom::THROW), reason.clone()),
            clause(Expr::atom(Atom::EXIT), exit(reason.clone())),
            clause(self.fresh(), error),
        ];
        let handler = Expr::Case { anno: generated(), arg: Box::new(class.clone()), clauses, id: SILENT };
        *expr = Expr::Try {
            anno,
            arg: body,
            vars: vec![value.clone()],
            body: Box::new(value),
            evars: vec![class, reason, raw],
            handler: Box::new(handler),
            id: SILENT,
        };
    }
}

/// Drops clauses after one that matches everything.
fn reachable(clauses: &mut Vec<Clause>) {
    if let Some(last) = clauses.iter().position(Clause::is_irrefutable) {
        clauses.truncate(last + 1);
    }
}

/// Whether the body of a function begins with a look at a message, or waits without one (`receive after …`).
pub(crate) fn peeks(body: &Expr) -> bool {
    match body {
        Expr::Let { arg, .. } => matches!(**arg, Expr::Primop { name: Atom::RECV_PEEK_MESSAGE | Atom::RECV_WAIT_TIMEOUT, .. }),
        _ => false,
    }
}
