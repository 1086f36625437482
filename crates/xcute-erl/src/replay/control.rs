//! The loop of the replay: expressions, calls, exceptions.
//!
//! **Invariant.** Nothing here recurses: frames and what comes after a value are on stacks of their own, and a call in tail position leaves none behind, as on
//! the emulator.

use xcute_trace::Budget;

use super::value::{FunVal, Val};
use super::{Cont, Exception, Frame, Machine, Res, Stop};
use crate::core::ast::SILENT;
use crate::core::normalise::EventKind;
use crate::etf::Atom;
use crate::flat::{Case, Expr, ExprId, FunId, PatId, PlaceId, Primop};
use crate::processes::Calling;

/// How a replay ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The function returned this.
    Returned(Val),
    /// Nobody caught an exception.
    Raised(Exception),
    /// It can no longer be followed, for this reason.
    Lost(String),
    /// The run did something else than the replay.
    Diverged(String),
    /// A budget is used up.
    Budget(Budget),
    /// The events are over, because the run was cut off.
    Over,
}

/// What became of a process that went on.
pub(super) enum Ran {
    Ended(End),
    /// It waits for its next operation.
    Paused,
}

/// What happens next.
pub(super) enum Next {
    Eval(ExprId),
    /// The values are there.
    Return,
}

impl Machine<'_> {
    /// Runs a function on these arguments, and the processes that it starts.
    pub fn run(&mut self, entry: FunId, args: &[Val]) -> End {
        let next = self.enter(entry, args, &[]);
        let ran = self.go_on(next);
        self.lead(entry, ran)
    }

    /// Goes on in the current process, until it ends or pauses.
    pub(super) fn go_on(&mut self, mut next: Next) -> Ran {
        loop {
            let step = match next {
                Next::Eval(expr) => {
                    self.evaluating = Some(expr);
                    if !self.ran[expr.0 as usize] {
                        self.ran[expr.0 as usize] = true;
                        self.reached.push(u64::from(expr.0));
                    }
                    self.eval(expr)
                }
                Next::Return => match self.returned() {
                    Some(step) => step,
                    None => return Ran::Ended(End::Returned(self.values.first().copied().unwrap_or(Val::Nil))),
                },
            };
            next = match step {
                Ok(next) => next,
                Err(Stop::Pause) => return Ran::Paused,
                Err(Stop::Raise(exception)) => match self.unwind(exception) {
                    Some(Ok(next)) => next,
                    Some(Err(stop)) => return Ran::Ended(end(stop)),
                    None => return Ran::Ended(End::Raised(exception)),
                },
                Err(stop) => return Ran::Ended(end(stop)),
            };
        }
    }

    /// One more step of the replay itself.
    pub(crate) fn spend(&mut self) -> Res<()> {
        self.work += 1;
        if self.work > self.bounds.work || self.heap.size() > self.bounds.heap {
            return Err(Stop::Budget(Budget::Trace));
        }
        Ok(())
    }

    /// Takes the next event, which must be this one.
    pub(super) fn expect(&mut self, event: u32, what: impl FnOnce() -> String) -> Res<()> {
        match self.events.take() {
            Some(told) if told == event => {}
            Some(_) => return Err(Stop::Diverged(what())),
            None if self.events.whole => return Err(Stop::Diverged(what())),
            // The run was cut off, and its last events are lost: the replay knows the way by itself.
            None => {}
        }
        if self.events.read() > self.bounds.steps { Err(Stop::Budget(Budget::Steps)) } else { Ok(()) }
    }

    /// The same; where it is not this one, something else was to happen at this place.
    pub(super) fn expect_at(&mut self, event: u32, what: &str, place: PlaceId) -> Res<()> {
        let program = self.program;
        self.expect(event, || format!("{what} at {}", program.code.at(place)))
    }

    /// A new frame; a call in tail position takes the place of the one before.
    pub(super) fn enter(&mut self, function: FunId, args: &[Val], captured: &[Val]) -> Next {
        let calling = match (self.frames.last(), self.evaluating) {
            (Some(frame), Some(expr)) if self.is_own(frame.function) => Some(Calling { from: frame.function, expr, callee: function }),
            (Some(frame), _) => frame.calling,
            (None, _) => None,
        };
        if let Some(Cont::Return) = self.conts.last() {
            let frame = self.frames.pop().expect("a function runs");
            self.slots.truncate(frame.base);
        } else {
            self.conts.push(Cont::Return);
        }
        let code = self.program.code.function(function);
        let base = self.slots.len();
        self.slots.resize(base + code.slots as usize, Val::Nil);
        self.slots[base..base + args.len()].copy_from_slice(args);
        for (&slot, &value) in code.captured.iter().zip(captured) {
            self.slots[base + slot as usize] = value;
        }
        self.frames.push(Frame { function, base, calling });
        Next::Eval(code.body)
    }

    /// The values go to whoever waits for them; `None` if nobody does.
    fn returned(&mut self) -> Option<Res<Next>> {
        Some(Ok(match self.conts.pop()? {
            Cont::Return => {
                let frame = self.frames.pop().expect("a function ran");
                if let Some(paper) = &mut self.paper {
                    paper.exit(frame.function);
                }
                self.slots.truncate(frame.base);
                Next::Return
            }
            Cont::Let(expr) => {
                let Expr::Let { vars, body, .. } = self.program.code.expr(expr) else { unreachable!("a let waits") };
                if let Some(paper) = &mut self.paper {
                    let function = self.frames.last().expect("a function runs").function;
                    paper.bound(&self.program.code, function, expr);
                }
                if let Some(vars) = vars {
                    self.bind(vars);
                }
                Next::Eval(*body)
            }
            Cont::Try(expr) => {
                let Expr::Try { vars, body, .. } = self.program.code.expr(expr) else { unreachable!("a try waits") };
                self.bind(vars);
                Next::Eval(*body)
            }
        }))
    }

    fn bind(&mut self, vars: &[u32]) {
        for (i, &var) in vars.iter().enumerate() {
            let value = self.values.get(i).copied().unwrap_or(Val::Nil);
            self.set_slot(var, value);
        }
    }

    /// An exception goes to the innermost `try`; `None` if there is none.
    fn unwind(&mut self, exception: Exception) -> Option<Res<Next>> {
        if !self.conts.iter().any(|cont| matches!(cont, Cont::Try(_))) {
            self.note_arguments();
        }
        while let Some(cont) = self.conts.pop() {
            match cont {
                Cont::Let(_) => {}
                Cont::Return => {
                    let frame = self.frames.pop().expect("a function ran");
                    self.slots.truncate(frame.base);
                }
                Cont::Try(expr) => {
                    let Expr::Try { evars, handler, id, .. } = self.program.code.expr(expr) else { unreachable!("a try waits") };
                    if *id != SILENT
                        && let Err(stop) = self.expect(*id, || "an exception that is caught".to_owned())
                    {
                        return Some(Err(stop));
                    }
                    let values = [Val::Atom(exception.class), exception.reason, Val::Raw(exception.class)];
                    for (&var, value) in evars.iter().zip(values) {
                        self.set_slot(var, value);
                    }
                    return Some(Ok(Next::Eval(*handler)));
                }
            }
        }
        None
    }

    fn built(&mut self, args: &[PatId]) -> Vec<Val> {
        args.iter().map(|&arg| self.build(arg)).collect()
    }

    pub(super) fn give(&mut self, value: Val) -> Next {
        self.values.clear();
        self.values.push(value);
        Next::Return
    }

    fn eval(&mut self, id: ExprId) -> Res<Next> {
        self.spend()?;
        let code = &self.program.code;
        Ok(match code.expr(id) {
            Expr::Values(values) => {
                let values = self.built(values);
                self.values = values;
                if let Some(paper) = &mut self.paper {
                    paper.values(id);
                }
                Next::Return
            }
            Expr::Let { arg, .. } => {
                self.conts.push(Cont::Let(id));
                Next::Eval(*arg)
            }
            Expr::Call(function, args) => {
                let values = self.built(args);
                if let Some(paper) = &mut self.paper {
                    let caller = self.frames.last().expect("a function runs").function;
                    let waiting = self.conts.last().and_then(|cont| if let Cont::Let(expr) = cont { Some(*expr) } else { None });
                    paper.call(caller, waiting, args);
                }
                self.enter(*function, &values, &[])
            }
            Expr::Bif(bif, args, place) => {
                let values = self.built(args);
                let mut ctx = self.body(*place);
                let value = self.bif(&mut ctx, *bif, &values)?;
                self.give(value)
            }
            Expr::Case(case) => self.case(case)?,
            Expr::Fun(function, captured) => {
                let captured: Vec<Val> = captured.iter().map(|&slot| self.slot(slot)).collect();
                let closure = self.heap.closure(*function, &captured);
                self.give(closure)
            }
            Expr::Letrec(closures, body) => {
                self.letrec(closures);
                Next::Eval(*body)
            }
            Expr::Try { arg, .. } => {
                self.conts.push(Cont::Try(id));
                Next::Eval(*arg)
            }
            Expr::Apply { fun, args, id, place } => {
                let (fun, args) = (self.build(*fun), self.built(args));
                self.apply(fun, &args, *id, *place)?
            }
            Expr::ApplyList { fun, args, id, place } => {
                let (fun, args) = (self.build(*fun), self.build(*args));
                self.apply_list(fun, args, *id, *place)?
            }
            Expr::Remote { module, name, args, list, id, place } => {
                let (module, name, args) = (self.build(*module), self.build(*name), self.built(args));
                self.remote((module, name), &args, *list, *id, *place)?
            }
            Expr::Map(base, pairs, place) => {
                let base = self.build(*base);
                let mut ctx = self.body(*place);
                let map = self.build_map(&mut ctx, base, pairs)?;
                self.give(map)
            }
            Expr::Bits(segments, id, place) => {
                let value = self.write_bits(segments, *id, *place)?;
                self.give(value)
            }
            Expr::Primop(op, args, id, place) => {
                let args = self.built(args);
                self.primop(*op, &args, *id, *place)?
            }
            Expr::Unfollowed(what, place) => return Err(Stop::Lost(format!("{what} at {}", code.at(*place)))),
        })
    }

    fn letrec(&mut self, closures: &[(u32, FunId, Box<[u32]>)]) {
        for (slot, function, captured) in closures {
            let empty = vec![Val::Nil; captured.len()];
            let closure = self.heap.closure(*function, &empty);
            self.set_slot(*slot, closure);
        }
        let own: Vec<u32> = closures.iter().map(|closure| closure.0).collect();
        let all = closures.iter().flat_map(|(_, _, captured)| captured.iter()).filter(|slot| !own.contains(slot));
        let symbolic = all.map(|&slot| self.slot(slot)).any(|value| self.heap.is_symbolic(value));
        for (slot, _, captured) in closures {
            let values: Vec<Val> = captured.iter().map(|&slot| self.slot(slot)).collect();
            let closure = self.slot(*slot);
            self.heap.recapture(closure, &values, symbolic);
        }
    }

    fn case(&mut self, case: &Case) -> Res<Next> {
        let args = self.built(&case.args);
        match self.chosen_clause(case, &args)? {
            Some(clause) => {
                self.chose(case, clause)?;
                if let Some(paper) = &mut self.paper {
                    let function = self.frames.last().expect("a function runs").function;
                    paper.case(function, case, clause);
                }
                Ok(Next::Eval(case.clauses[clause].body))
            }
            None => {
                let value = args.first().copied().unwrap_or(Val::Nil);
                let reason = self.heap.tuple(&[Val::Atom(Atom::CASE_CLAUSE), value]);
                Err(Stop::Raise(Exception { class: Atom::ERROR, reason, place: Some(case.place) }))
            }
        }
    }

    fn primop(&mut self, op: Primop, args: &[Val], id: u32, place: PlaceId) -> Res<Next> {
        let raise = |class, reason| Err(Stop::Raise(Exception { class, reason, place: Some(place) }));
        match op {
            Primop::MatchFail => {
                let reason = self.match_failure(args[0]);
                raise(Atom::ERROR, reason)
            }
            Primop::Raise => match args[0] {
                Val::Raw(class) => raise(class, args[1]),
                _ => raise(Atom::ERROR, Val::Atom(Atom::BADARG)),
            },
            Primop::BuildStacktrace => {
                self.expect_at(id, "a stack trace", place)?;
                let frames = match self.events.value() {
                    Some(bytes) => self.decoded(bytes)?,
                    None => return Err(Stop::Over),
                };
                let stack = self.heap.stack(frames);
                Ok(self.give(stack))
            }
            Primop::PeekMessage => Ok(self.peek_message()),
            Primop::RemoveMessage => self.remove_message(id, place),
            Primop::NextMessage => Ok(self.next_message()),
            Primop::WaitTimeout => self.wait_message(args[0], place),
            Primop::TimedOut => {
                self.expect_at(id, "a timeout", place)?;
                Ok(self.give(Val::Atom(Atom::OK)))
            }
            Primop::BsInitWritable => {
                let empty = self.heap.bitstring(&[], 0);
                Ok(self.give(empty))
            }
        }
    }

    /// The reason of an error that the compiler made of clauses that do not match: that of a function does not name its arguments.
    fn match_failure(&mut self, value: Val) -> Val {
        if let Val::Tuple(tuple) = value
            && let Some(Val::Atom(Atom::FUNCTION_CLAUSE)) = self.heap.elements(tuple).first()
        {
            return Val::Atom(Atom::FUNCTION_CLAUSE);
        }
        value
    }

    /// What an event is.
    pub(super) fn kind(&self, event: u32) -> Option<EventKind> {
        self.program.modules.event(event)
    }

    /// A closure is called, if it has as many parameters.
    pub(super) fn call_closure(&mut self, fun: u32, args: &[Val]) -> Option<Next> {
        let FunVal::Closure(function, start, length) = self.heap.function(fun) else { return None };
        if self.program.code.function(function).arity as usize != args.len() {
            return None;
        }
        let captured = self.heap.captured(start, length).to_vec();
        Some(self.enter(function, args, &captured))
    }
}

pub(super) fn end(stop: Stop) -> End {
    match stop {
        Stop::Raise(exception) => End::Raised(exception),
        Stop::Split => End::Lost("a condition that cannot be decided".to_owned()),
        Stop::Lost(why) => End::Lost(why),
        Stop::Diverged(what) => End::Diverged(what),
        Stop::Budget(budget) => End::Budget(budget),
        Stop::Over | Stop::Pause => End::Over,
    }
}
