//! Control constructs: conjunction, disjunction, conditionals, negation, cut, call/N, catch, findall.
//!
//! **Invariant.** A construct that is opaque to cuts calls its goal with the height of its own choices as barrier.

use super::Machine;
use super::cell::Cell;
use super::error::Step;
use super::goals::{Call, ChoiceKind, Goal};
use crate::syntax::Atom;

/// Control constructs by what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `true`.
    True,
    /// `fail`.
    Fail,
    /// `,`.
    And,
    /// `;` and `|`, also around `->` and `*->`.
    Or,
    /// `->` without an else.
    IfThen,
    /// `*->` without an else.
    SoftIfThen,
    /// `\+`.
    Not,
    /// `!`.
    Cut,
    /// `call/N`.
    Call,
    /// `once/1`.
    Once,
    /// `ignore/1`.
    Ignore,
    /// `forall/2`.
    Forall,
    /// `findall/3`.
    Findall,
    /// `findall/4`.
    FindallTail,
    /// This many solutions at a time.
    Findnsols,
    /// `catch/3`.
    Catch,
    /// `throw/1`.
    Throw,
    /// `Module:Goal`: modules are not kept apart.
    Module,
    /// `halt/0` and `halt/1`.
    Halt,
    /// `repeat/0`.
    Repeat,
    /// `setup_call_cleanup/3`.
    Cleanup,
    /// `call_cleanup/2`.
    CallCleanup,
    /// `with_output_to/2`.
    OutputTo,
}

impl Machine<'_> {
    /// An argument of a call, from 0.
    pub(crate) fn arg(&self, call: Call, index: u32) -> Cell {
        match call.goal {
            Cell::Struct(address) => self.heap.arg(address, index),
            _ => unreachable!("a call with arguments is a compound"),
        }
    }

    pub(crate) fn control(&mut self, control: Control, call: Call) -> Step {
        let Call { barrier, place, .. } = call;
        let height = self.height();
        match control {
            Control::True => {}
            Control::Fail => return Ok(false),
            Control::And => {
                self.push(Goal::Call { goal: self.arg(call, 1), barrier, place });
                self.push(Goal::Call { goal: self.arg(call, 0), barrier, place });
            }
            Control::Or => self.disjunction(call),
            Control::IfThen => {
                self.push_choice(ChoiceKind::Fail);
                self.if_then(call, self.arg(call, 0), self.arg(call, 1), height);
            }
            Control::SoftIfThen => {
                self.push(Goal::Call { goal: self.arg(call, 1), barrier, place });
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height, place });
            }
            Control::Not => {
                self.check_body(self.arg(call, 0))?;
                self.push_choice(ChoiceKind::Proceed);
                let fail = Cell::Atom(Atom::FAIL);
                self.if_then(call, self.arg(call, 0), fail, height);
            }
            Control::Cut => {
                if self.tables.is_tentative() {
                    self.rec.limit("unsupported", "a cut in a recursive tabled predicate", true);
                }
                self.cut_to(barrier);
            }
            Control::Call => {
                let goal = self.closure(call)?;
                self.check_body(goal)?;
                self.push(Goal::Call { goal, barrier: height, place });
            }
            Control::Once => {
                self.check_body(self.arg(call, 0))?;
                self.push(Goal::CutTo(height));
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height, place });
            }
            Control::Ignore => {
                self.check_body(self.arg(call, 0))?;
                self.push_choice(ChoiceKind::Proceed);
                self.push(Goal::CutTo(height));
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height + 1, place });
            }
            Control::Forall => {
                self.check_body(self.arg(call, 0))?;
                self.check_body(self.arg(call, 1))?;
                // \+ (C, \+ A).
                let not = self.symbols.functor(Atom::NOT, 1);
                let inner = self.heap.compound(not, &[self.arg(call, 1)]);
                self.push_choice(ChoiceKind::Proceed);
                self.push(Goal::Call { goal: Cell::Atom(Atom::FAIL), barrier, place });
                self.push(Goal::CutTo(height));
                self.push(Goal::Call { goal: inner, barrier: height + 1, place });
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height + 1, place });
            }
            Control::Findall | Control::FindallTail => {
                self.check_body(self.arg(call, 1))?;
                let list = u32::try_from(self.findings.len()).expect("the budget of steps is smaller");
                self.findings.push(Vec::new());
                let tail = if control == Control::Findall { Cell::Atom(Atom::NIL) } else { self.arg(call, 3) };
                self.push_choice(ChoiceKind::Findings { list, result: self.arg(call, 2), tail });
                self.push(Goal::Keep { term: self.arg(call, 0), list });
                self.push(Goal::Call { goal: self.arg(call, 1), barrier: height + 1, place });
            }
            Control::Findnsols => {
                // What the goal binds is undone when its solutions are collected: a copy is called.
                let pair = self.symbols.functor(Atom::MINUS, 2);
                let both = self.heap.compound(pair, &[self.arg(call, 1), self.arg(call, 2)]);
                let kept = self.keep(both)?;
                let Cell::Struct(copy) = self.restore(&kept) else { unreachable!("a pair") };
                let (template, goal) = (self.heap.arg(copy, 0), self.heap.arg(copy, 1));
                let count = self.integer_argument(self.arg(call, 0))?;
                let count = self.pinned_integer(count, "the number of findnsols/4")?;
                if count.sign() == num_bigint::Sign::Minus {
                    let culprit = self.symbols.integer(count);
                    return Err(self.domain_error("not_less_than_zero", culprit));
                }
                let tail = if call.arity == 5 { self.arg(call, 4) } else { Cell::Atom(Atom::NIL) };
                let result = self.arg(call, 3);
                if count.sign() == num_bigint::Sign::NoSign {
                    return self.unify_now(result, tail);
                }
                let list = u32::try_from(self.findings.len()).expect("the budget of steps is smaller");
                self.findings.push(Vec::new());
                self.push_choice(ChoiceKind::Findings { list, result, tail });
                let count = u32::try_from(&count).unwrap_or(u32::MAX);
                self.push(Goal::KeepSome { term: template, list, count, height });
                self.push(Goal::Call { goal, barrier: height + 1, place });
            }
            Control::Catch => {
                let (catcher, recovery) = (self.arg(call, 1), self.arg(call, 2));
                self.push_choice(ChoiceKind::Catch { catcher, recovery, barrier, place });
                self.push(Goal::LeaveCatch(height));
                self.check_body(self.arg(call, 0))?;
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height + 1, place });
            }
            Control::Throw => {
                let ball = self.arg(call, 0);
                if let Cell::Var(_) = ball {
                    return Err(self.instantiation_error());
                }
                return Err(self.throw(ball));
            }
            Control::Module => {
                self.check_module(call)?;
                self.check_body(self.arg(call, 1))?;
                self.push(Goal::Call { goal: self.arg(call, 1), barrier, place });
            }
            Control::Halt => return Err(super::error::Stop::Halt),
            Control::Repeat => self.push_choice(ChoiceKind::Goal { goal: call.goal, barrier, place }),
            Control::Cleanup => {
                self.check_body(self.arg(call, 0))?;
                let cleanup = self.symbols.functor_named("$cleanup", 2);
                let rest = self.heap.compound(cleanup, &[self.arg(call, 1), self.arg(call, 2)]);
                self.push(Goal::Call { goal: rest, barrier, place });
                self.push(Goal::CutTo(height));
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height, place });
            }
            Control::OutputTo => {
                let sink = self.arg(call, 0);
                self.check_sink(sink)?;
                // Choices of the goal know that somebody collects what is written, those from before do not.
                self.outputs.push(String::new());
                self.push(Goal::LeaveOutput { height, sink });
                self.push(Goal::Call { goal: self.arg(call, 1), barrier: height, place });
            }
            Control::CallCleanup => {
                self.check_body(self.arg(call, 0))?;
                self.check_cleanup(self.arg(call, 1))?;
                self.cleans_up = true;
                self.push_choice(ChoiceKind::Cleanup { goal: self.arg(call, 1), place });
                self.push(Goal::LeaveCleanup(height));
                self.push(Goal::Call { goal: self.arg(call, 0), barrier: height + 1, place });
            }
        }
        Ok(true)
    }

    /// Condition, cut to `height`, consequence. The choice for what follows a failed condition is there already.
    fn if_then(&mut self, call: Call, condition: Cell, consequence: Cell, height: u32) {
        let Call { barrier, place, .. } = call;
        self.push(Goal::Call { goal: consequence, barrier, place });
        self.push(Goal::CutTo(height));
        self.push(Goal::Call { goal: condition, barrier: height + 1, place });
    }

    fn disjunction(&mut self, call: Call) {
        let Call { barrier, place, .. } = call;
        let (left, right) = (self.arg(call, 0), self.arg(call, 1));
        let height = self.height();
        self.push_choice(ChoiceKind::Goal { goal: right, barrier, place });
        if let Cell::Struct(address) = left {
            let functor = self.heap.functor(address);
            let (condition, consequence) = (self.heap.arg(address, 0), self.heap.at(address + 1));
            match (self.symbols.name(functor), self.symbols.arity(functor)) {
                (Atom::IF_THEN, 2) => {
                    debug_assert_eq!(self.heap.deref(consequence), condition);
                    return self.if_then(call, condition, self.heap.arg(address, 1), height);
                }
                (Atom::SOFT_IF, 2) => {
                    self.push(Goal::Call { goal: self.heap.arg(address, 1), barrier, place });
                    self.push(Goal::SoftCut(height));
                    self.push(Goal::Call { goal: condition, barrier: height + 1, place });
                    return;
                }
                _ => {}
            }
        }
        self.push(Goal::Call { goal: left, barrier, place });
    }

    /// A body that is called must be one: no number may stand where a goal is expected.
    pub(crate) fn check_body(&mut self, body: Cell) -> Result<(), super::error::Stop> {
        let mut pending = vec![body];
        while let Some(goal) = pending.pop() {
            match self.heap.deref(goal) {
                Cell::Struct(address) => {
                    let functor = self.heap.functor(address);
                    let control = matches!(
                        (self.symbols.name(functor), self.symbols.arity(functor)),
                        (Atom::COMMA | Atom::SEMICOLON | Atom::IF_THEN | Atom::SOFT_IF, 2) | (Atom::NOT, 1)
                    ) || self.symbols.arity(functor) == 2 && self.symbols.atoms.name(self.symbols.name(functor)) == "|";
                    if control {
                        pending.extend((0..self.symbols.arity(functor)).map(|i| self.heap.arg(address, i)));
                    }
                }
                Cell::Int(_) | Cell::Big(_) | Cell::Float(_) | Cell::Str(_) => return Err(self.type_error("callable", body)),
                nil @ Cell::Atom(Atom::NIL) if nil != self.heap.deref(body) => return Err(self.type_error("callable", body)),
                _ => {}
            }
        }
        Ok(())
    }

    /// What cleans up is checked before the goal is called; the empty list cannot clean up.
    fn check_cleanup(&mut self, cleanup: Cell) -> Result<(), super::error::Stop> {
        match self.heap.deref(cleanup) {
            Cell::Var(_) => Err(self.instantiation_error()),
            nil @ Cell::Atom(Atom::NIL) => Err(self.type_error("callable", nil)),
            other => self.check_body(other),
        }
    }

    /// Modules are not kept apart, but what no module has is said to be missing in the one that was named.
    fn check_module(&mut self, call: Call) -> Result<(), super::error::Stop> {
        let module = match self.arg(call, 0) {
            Cell::Atom(name) if name != Atom::NIL => name,
            Cell::Var(_) => return Err(self.instantiation_error()),
            Cell::Sym(_) => return Ok(()),
            other => return Err(self.type_error("atom", other)),
        };
        let (name, arity) = match self.arg(call, 1) {
            Cell::Atom(name) => (name, 0),
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                (self.symbols.name(functor), self.symbols.arity(functor))
            }
            _ => return Ok(()),
        };
        let indicator = crate::syntax::Indicator { name, arity };
        let known = self.program.builtins.get(indicator).is_some() || self.predicate(indicator).is_some();
        let own = module == self.program.module || self.symbols.atoms.name(module) == "user";
        if known || own || crate::elsewhere::is_elsewhere(self.symbols.atoms.name(name), arity) {
            return Ok(());
        }
        let (indicator, colon) = (self.indicator(Cell::Atom(name), arity), self.symbols.functor(Atom::COLON, 2));
        let culprit = self.heap.compound(colon, &[Cell::Atom(module), indicator]);
        let (functor, procedure) = (self.symbols.functor_named("existence_error", 2), self.symbols.atom("procedure"));
        let formal = self.heap.compound(functor, &[procedure, culprit]);
        Err(self.error(formal))
    }

    /// The goal of `call(Closure, Args…)`.
    fn closure(&mut self, call: Call) -> Result<Cell, super::error::Stop> {
        let closure = self.arg(call, 0);
        let more: Vec<Cell> = (1..call.arity).map(|i| self.arg(call, i)).collect();
        self.extended(closure, &more)
    }

    /// A closure with further arguments.
    pub(crate) fn extended(&mut self, closure: Cell, more: &[Cell]) -> Result<Cell, super::error::Stop> {
        if more.is_empty() {
            return Ok(closure);
        }
        let closure = if let Cell::Sym(_) = closure { self.pinned(closure, "a goal that is an input")? } else { closure };
        let (name, mut args) = match closure {
            Cell::Atom(name) => (name, Vec::new()),
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                if self.symbols.name(functor) == Atom::COLON && self.symbols.arity(functor) == 2 {
                    let inner = self.heap.arg(address, 1);
                    return self.extended(inner, more);
                }
                let args = (0..self.symbols.arity(functor)).map(|i| self.heap.arg(address, i)).collect();
                (self.symbols.name(functor), args)
            }
            Cell::Var(_) => return Err(self.instantiation_error()),
            other => return Err(self.type_error("callable", other)),
        };
        args.extend_from_slice(more);
        let functor = self.symbols.functor(name, u32::try_from(args.len()).expect("few arguments"));
        Ok(self.heap.compound(functor, &args))
    }
}
