//! Instrumentation: the copy of a module that tells its events.
//!
//! Of the paper's events [palacios-vidal-2015 Fig. 8] only what a run decides is
//! told: the number of the clause that was chosen, where exceptions are caught, and values that nobody can compute from the program. `call`,
//! `exit`, `bind` and `exitcase` follow from the text, so no call loses its place at the end of a function. Constants of the program (parameters,
//! patterns) are not told either: [`crate::paper`] puts them back.
//!
//! **Invariant.** The copy behaves as the original does: same values, same exceptions but for their stacks, and calls in tail position stay there unless they
//! leave what is followed.

mod opaque;
mod receive;

use crate::calls::{Callee, Linkage};
use crate::core::ast::{Anno, EventId, Expr, Function, Module, Name, SILENT};
use crate::etf::{Atom, Atoms};
use receive::is_receive;

/// Bits of an event number that tell the event; the others tell the module.
pub const EVENT_BITS: u32 = 22;

/// The copy of a module: other calls, and events with this number of the module.
pub fn instrument(module: &Module, number: u32, linkage: &Linkage, atoms: &mut Atoms) -> Module {
    let names = Names::new(atoms);
    let mut pass = Pass { linkage, atoms, base: number << EVENT_BITS, names, fresh: 0, message: None, receives: false };
    let mut copy = module.clone();
    copy.name = linkage.copy(module.name).expect("a module that is followed");
    copy.attributes.clear();
    for function in &mut copy.functions {
        pass.fresh = 0;
        pass.function(function);
    }
    copy
}

/// The functions of the runtime.
struct Names {
    event: Atom,
    left: Atom,
    value: Atom,
    raised: Atom,
    remove: Atom,
    peek: Atom,
    next: Atom,
    wait: Atom,
    target: Atom,
    callee: Atom,
    applied: Atom,
}

impl Names {
    fn new(atoms: &mut Atoms) -> Names {
        Names {
            event: atoms.intern("event"),
            left: atoms.intern("left"),
            value: atoms.intern("value"),
            raised: atoms.intern("raised"),
            remove: atoms.intern("remove"),
            peek: atoms.intern("peek"),
            next: atoms.intern("next"),
            wait: atoms.intern("wait"),
            target: atoms.intern("target"),
            callee: atoms.intern("callee"),
            applied: atoms.intern("applied"),
        }
    }
}

impl Names {
    /// The function that stands for a primitive operation on the mailbox.
    fn mailbox(&self, primop: Atom) -> Option<Atom> {
        match primop {
            Atom::RECV_PEEK_MESSAGE => Some(self.peek),
            Atom::RECV_NEXT => Some(self.next),
            Atom::RECV_WAIT_TIMEOUT => Some(self.wait),
            _ => None,
        }
    }
}

struct Pass<'a> {
    linkage: &'a Linkage,
    atoms: &'a mut Atoms,
    base: u32,
    names: Names,
    fresh: u32,
    /// The variable of the message that is looked at.
    message: Option<Name>,
    /// Whether this is in a receive that becomes a function.
    receives: bool,
}

fn take(expr: &mut Expr) -> Expr {
    std::mem::replace(expr, Expr::atom(Atom::OK))
}

impl Pass<'_> {
    fn fresh(&mut self) -> Expr {
        self.fresh += 1;
        let name = self.atoms.intern(&format!("xcuted{}", self.fresh));
        Expr::Var(Anno::generated(), Name::Atom(name))
    }

    fn number(&self, id: EventId) -> Expr {
        Expr::int(i64::from(self.base | id))
    }

    /// The expression after telling an event.
    fn after_event(&mut self, id: EventId, expr: &mut Expr) {
        let tell = Expr::call(Atom::XCUTE_RT, self.names.event, vec![self.number(id)]);
        *expr = Expr::Seq(Anno::generated(), Box::new(tell), Box::new(take(expr)));
    }

    fn function(&mut self, function: &mut Function) {
        if let Expr::Fun(_, _, body) = &mut function.fun {
            self.expr(body);
        }
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Literal(..) | Expr::Var(..) | Expr::Opaque(..) => {}
            Expr::Seq(_, first, rest) => {
                if let Expr::Primop { name: Atom::REMOVE_MESSAGE, id, .. } = **first
                    && let Some(message) = self.message.filter(|_| id != SILENT && self.receives)
                {
                    **first = Expr::call(Atom::XCUTE_TASKS, self.names.remove, vec![self.number(id), Expr::var(message)]);
                }
                self.expr(first);
                self.expr(rest);
            }
            Expr::Cons(_, a, b) | Expr::Alias(_, a, b) => {
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
                let id = *id;
                self.opaque(id, expr);
            }
            Expr::Fun(_, _, body) => self.expr(body),
            Expr::Let { arg, body, vars, .. } => {
                let outer = self.message;
                if let Expr::Primop { name: Atom::RECV_PEEK_MESSAGE, .. } = **arg {
                    self.message = vars.get(1).and_then(Expr::name);
                }
                self.expr(arg);
                self.expr(body);
                self.message = outer;
            }
            Expr::Letrec { anno, functions, body } => {
                let outer = self.receives;
                let receive = is_receive(anno, functions, body, self.atoms);
                self.receives |= receive;
                functions.iter_mut().for_each(|function| self.function(function));
                self.expr(body);
                self.receives = outer;
                if receive {
                    self.receive(expr);
                }
            }
            Expr::Case { arg, clauses, id, .. } => {
                self.expr(arg);
                for (arm, clause) in (0..).zip(clauses) {
                    self.expr(&mut clause.body);
                    if *id != SILENT {
                        self.after_event(*id + arm, &mut clause.body);
                    }
                }
            }
            Expr::Try { arg, body, handler, id, .. } => {
                self.expr(arg);
                self.expr(body);
                self.expr(handler);
                if *id != SILENT {
                    self.after_event(*id, handler);
                }
            }
            Expr::Apply { args, op, id, .. } => {
                self.exprs(args);
                if *id != SILENT {
                    self.expr(op);
                    self.applied(expr);
                }
            }
            Expr::Call { module, name, args, id, .. } => {
                self.exprs(args);
                match (module.literal_atom(), name.literal_atom(), *id) {
                    // What we added ourselves.
                    (_, _, SILENT) => {}
                    (Some(of), Some(function), id) => self.called(expr, id, of, function),
                    (_, _, id) => {
                        self.expr(module);
                        self.expr(name);
                        self.dispatched(expr, id);
                    }
                }
            }
            Expr::Primop { args, id, .. } => {
                self.exprs(args);
                let id = *id;
                if let Expr::Primop { name, args, .. } = expr
                    && let Some(function) = self.names.mailbox(*name).filter(|_| self.receives)
                {
                    let args = std::mem::take(args);
                    let call = Expr::call(Atom::XCUTE_TASKS, function, args);
                    *expr = if *name == Atom::RECV_PEEK_MESSAGE { self.pair(call) } else { call };
                } else if let Expr::Primop { name: Atom::XCUTE_TIMED_OUT, .. } = expr {
                    *expr = Expr::call(Atom::XCUTE_RT, self.names.event, vec![self.number(id)]);
                } else if id != SILENT && matches!(expr, Expr::Primop { name: Atom::BUILD_STACKTRACE, .. }) {
                    let (var, number) = (self.fresh(), self.number(id));
                    let tell = Expr::call(Atom::XCUTE_RT, self.names.value, vec![number, var.clone()]);
                    *expr = Expr::Let { anno: Anno::generated(), vars: vec![var], arg: Box::new(take(expr)), body: Box::new(tell) };
                }
            }
            Expr::Catch(_, body) => self.expr(body),
            Expr::Receive { clauses, timeout, action, .. } => {
                self.expr(timeout);
                clauses.iter_mut().for_each(|clause| self.expr(&mut clause.body));
                self.expr(action);
            }
        }
    }

    /// The two elements of a pair as two values.
    fn pair(&mut self, pair: Expr) -> Expr {
        let var = self.fresh();
        let element = self.atoms.intern("element");
        let part = |n| Expr::call(Atom::ERLANG, element, vec![Expr::int(n), var.clone()]);
        let values = Expr::Values(Anno::generated(), vec![part(1), part(2)]);
        Expr::Let { anno: Anno::generated(), vars: vec![var.clone()], arg: Box::new(pair), body: Box::new(values) }
    }

    /// A call of a known function.
    fn called(&mut self, expr: &mut Expr, id: EventId, of: Atom, function: Atom) {
        let Expr::Call { module, name, args, .. } = expr else { unreachable!("only called for calls") };
        let arity = u32::try_from(args.len()).expect("few arguments");
        match self.linkage.callee(of, function, arity) {
            Callee::Bif(_) => {}
            Callee::Followed => **module = Expr::atom(self.linkage.copy(of).expect("it is followed")),
            Callee::Model(model) => (**module, **name) = (Expr::atom(self.linkage.models_copy()), Expr::atom(model)),
            Callee::Apply2 | Callee::Apply3 => self.applied_list(expr, id),
            Callee::Runtime => {
                **module = Expr::atom(Atom::XCUTE_RT);
                self.opaque(id, expr);
            }
            Callee::Process(_) => {
                **module = Expr::atom(Atom::XCUTE_TASKS);
                self.opaque(id, expr);
            }
            Callee::Opaque if self.linkage.may_start(of, function, self.atoms) => self.leaving(id, expr),
            Callee::Told(_) | Callee::Dictionary | Callee::Opaque => self.opaque(id, expr),
        }
    }
}
