//! The loop: takes the next goal, and rules `backtrack` and `next` of [mesnard-payet-vidal-2020 Fig. 1].
//!
//! Goals are a linked list of frames that is shared by all choice points; a cut removes choice points down to a height (the barriers of the linear
//! semantics of Ströder et al., which the paper follows).

use xcute_trace::Budget;

use super::builtins::Builtin;
use super::cell::Cell;
use super::choice::Transition;
use super::error::{Step, Stop};
use super::goals::{Call, Choice, ChoiceKind, Frame, Goal, NONE};
use super::heap::Frozen;
use super::shape::WALKED;
use super::{Machine, Place};
use crate::elsewhere::is_elsewhere;
use crate::syntax::{Atom, Indicator};

/// How often a builtin predicate asks whether the run is to end.
const BREATH: u64 = 1024;

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// All solutions that were asked for were found, or there are no more.
    Finished {
        /// How many were found.
        solutions: u64,
        /// Whether there may be more.
        more: bool,
    },
    /// A ball was not caught.
    Error(Frozen),
    /// A budget is used up.
    Budget(Budget),
    /// `halt` was called.
    Halt,
    /// The input is not allowed.
    Rejected,
}

impl Machine<'_> {
    /// Runs a goal; calls `found` at each solution.
    pub fn run(&mut self, goal: Cell, mut found: impl FnMut(&mut Machine<'_>)) -> End {
        let place = Place { clause: 0, base: 0 };
        self.push(Goal::Call { goal, barrier: 0, place });
        let mut solutions = 0;
        loop {
            let step = if self.goals == NONE {
                solutions += 1;
                if solutions == 1 {
                    self.first_left_choices = self.leaves_choices();
                }
                found(self);
                if solutions >= self.bounds.solutions {
                    return End::Finished { solutions, more: self.leaves_choices() };
                }
                self.derivation.push(Transition::Next);
                Ok(false)
            } else {
                self.step()
            };
            if self.too_large {
                return End::Budget(Budget::Memory);
            }
            if self.cyclic {
                return End::Rejected;
            }
            let step = match step {
                Ok(true) => continue,
                Ok(false) => self.backtrack(),
                Err(stop) => Err(stop),
            };
            let mut outcome = step;
            // A ball may be caught, and the recovery may throw another.
            loop {
                match outcome {
                    Ok(true) => break,
                    Ok(false) => return End::Finished { solutions, more: false },
                    Err(Stop::Throw(ball)) => match self.unwind(&ball) {
                        Ok(true) => outcome = Ok(true),
                        Ok(false) => return End::Error(ball),
                        Err(stop) => outcome = Err(stop),
                    },
                    Err(Stop::Budget(budget)) => return End::Budget(budget),
                    Err(Stop::Halt) => return End::Halt,
                    Err(Stop::Rejected) => return End::Rejected,
                }
            }
        }
    }

    /// Makes the choice of a goal among the clauses of its predicate, and ends.
    pub fn choose(&mut self, goal: Cell, indicator: Indicator) -> End {
        let Some((id, current)) = self.predicate(indicator) else { return End::Rejected };
        match self.choice(id, &current, goal) {
            Ok(_) if self.cyclic => End::Rejected,
            Ok(_) | Err(Stop::Throw(_)) => End::Finished { solutions: 0, more: false },
            Err(Stop::Budget(budget)) => End::Budget(budget),
            Err(Stop::Halt | Stop::Rejected) => End::Rejected,
        }
    }

    /// Whether there is something to go back to.
    pub(crate) fn leaves_choices(&self) -> bool {
        let none = |kind: &ChoiceKind| matches!(kind, ChoiceKind::Fail | ChoiceKind::Catch { .. } | ChoiceKind::Cleanup { .. });
        self.choices.iter().any(|choice| !none(&choice.kind))
    }

    /// Counts a step. The run ends where there are too many, or where it is interrupted: nothing of it counts then.
    pub(crate) fn spend(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        let over = self.steps > self.bounds.steps || self.interrupt.raised();
        if over { Err(Stop::Budget(Budget::Steps)) } else { Ok(()) }
    }

    /// A part of a builtin predicate that goes through something large: it takes a step now and then.
    pub(crate) fn walk(&mut self) -> Result<(), Stop> {
        self.walked += 1;
        if self.walked.is_multiple_of(WALKED) { self.spend() } else { Ok(()) }
    }

    /// The same where steps are counted by what is walked through: it only ends where the run is interrupted.
    pub(crate) fn breathe(&mut self) -> Result<(), Stop> {
        self.walked += 1;
        let over = self.walked.is_multiple_of(BREATH) && self.interrupt.raised();
        if over { Err(Stop::Budget(Budget::Steps)) } else { Ok(()) }
    }

    fn step(&mut self) -> Step {
        self.spend()?;
        self.assume_later();
        self.room_for(0)?;
        let Frame { goal, next } = self.frames[self.goals as usize];
        self.goals = next;
        match goal {
            Goal::Call { goal, barrier, place } => self.call(goal, barrier, place),
            Goal::CutTo(height) => {
                self.cut_to(height);
                Ok(true)
            }
            Goal::SoftCut(height) => {
                self.choices[height as usize].kind = ChoiceKind::Fail;
                Ok(true)
            }
            Goal::LeaveCatch(height) => {
                if self.choices.len() == height as usize + 1 {
                    self.choices.pop();
                }
                Ok(true)
            }
            Goal::LeaveCleanup(height) => {
                if self.choices.len() == height as usize + 1 {
                    self.cut_to(height);
                }
                Ok(true)
            }
            Goal::LeaveDet { height, of } => {
                if self.choices.len() != height as usize + 1 {
                    let ball = self.determinism_error(of, "nondet");
                    return Err(self.throw(ball));
                }
                self.cut_to(height);
                Ok(true)
            }
            Goal::LeaveOutput { height, sink } => {
                self.cut_to(height);
                let text = self.outputs.pop().expect("pushed with this goal");
                self.unify_sink(sink, &text)
            }
            Goal::Keep { term, list } => {
                let copy = self.keep(term)?;
                self.found_cells += copy.cells.len();
                self.findings[list as usize].push(copy);
                Ok(false)
            }
            Goal::TableAnswer { table, answer } => self.table_answer(table, answer),
            Goal::KeepSome { term, list, count, height } => {
                let copy = self.keep(term)?;
                self.found_cells += copy.cells.len();
                let found = &mut self.findings[list as usize];
                found.push(copy);
                let last = self.choices.len() == height as usize + 1;
                if found.len() < count as usize && !last {
                    return Ok(false);
                }
                let ChoiceKind::Findings { result, tail, .. } = self.choices[height as usize].kind else {
                    unreachable!("made with this goal")
                };
                if last {
                    self.cut_to(height);
                }
                self.found(list, result, tail)
            }
        }
    }

    /// Calls a goal.
    pub(crate) fn call(&mut self, goal: Cell, barrier: u32, place: Place) -> Step {
        self.here = place;
        let mut goal = self.heap.deref(goal);
        if let Cell::Sym(_) = goal {
            goal = self.pinned(goal, "a goal that is an input")?;
        }
        let (name, arity) = match goal {
            Cell::Atom(name) => (name, 0),
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                (self.symbols.name(functor), self.symbols.arity(functor))
            }
            Cell::Var(_) => return Err(self.instantiation_error()),
            other => return Err(self.type_error("callable", other)),
        };
        let call = Call { goal, name, arity, barrier, place };
        let indicator = Indicator { name, arity };
        if let Some(&builtin) = self.program.builtins.get(indicator) {
            return match builtin {
                Builtin::Control(control) => self.control(control, call),
                Builtin::Plain(run) => run(self, call),
                Builtin::Test(test) => {
                    let holds = test(self, call)?;
                    let site = self.test_site(call);
                    self.covered.push((site, u32::from(holds)));
                    Ok(holds)
                }
            };
        }
        match self.predicate(indicator) {
            Some((id, current)) if id.is_some_and(|id| self.program.code.predicate(id).det) => {
                self.enter_det(indicator, place);
                self.choice(id, &current, goal)
            }
            Some((id, current)) => match id.filter(|&id| self.program.code.predicate(id).tabled.is_some()) {
                Some(id) => self.tabled_call(id, goal),
                None => self.choice(id, &current, goal),
            },
            None if is_elsewhere(self.symbols.atoms.name(name), arity) => {
                let what = format!("{}/{arity}", self.symbols.atoms.name(name));
                self.unsupported(&what)
            }
            None => Err(self.unknown_procedure(Cell::Atom(name), arity)),
        }
    }

    /// A predicate that must be deterministic is called: where it fails, it throws.
    fn enter_det(&mut self, of: Indicator, place: Place) {
        let height = self.height();
        let ball = self.determinism_error(of, "fail");
        let throw = self.symbols.functor_named("throw", 1);
        let goal = self.heap.compound(throw, &[ball]);
        self.push_choice(ChoiceKind::Goal { goal, barrier: height, place });
        self.push(Goal::LeaveDet { height, of });
    }

    /// What SWI-Prolog throws where a predicate is not deterministic.
    fn determinism_error(&mut self, of: Indicator, found: &str) -> Cell {
        let mut culprit = self.indicator(Cell::Atom(of.name), of.arity);
        if self.symbols.atoms.name(self.program.module) != "user" {
            let colon = self.symbols.functor(Atom::COLON, 2);
            culprit = self.heap.compound(colon, &[Cell::Atom(self.program.module), culprit]);
        }
        let [det, found, property] = ["det", found, "property"].map(|name| self.symbols.atom(name));
        let (functor, error) = (self.symbols.functor_named("determinism_error", 4), self.symbols.functor_named("error", 2));
        let formal = self.heap.compound(functor, &[culprit, det, found, property]);
        let context = self.heap.var();
        self.heap.compound(error, &[formal, context])
    }

    /// Rule backtrack: goes on with the youngest choice; `false` where there is none.
    fn backtrack(&mut self) -> Step {
        self.derivation.push(Transition::Backtrack);
        loop {
            let Some(choice) = self.choices.last() else { return Ok(false) };
            let index = self.choices.len() - 1;
            self.heap.undo(choice.mark);
            self.frames.truncate(choice.frames);
            self.goals = choice.goals;
            self.here = choice.here;
            self.outputs.truncate(choice.outputs);
            let resumed = if choice.is_clauses() { self.retry(index)? } else { self.resume(index)? };
            if resumed {
                return Ok(true);
            }
            // A generator may go on for ever without an answer that fits.
            self.spend()?;
        }
    }

    /// Goes on with a choice that is not one among clauses.
    fn resume(&mut self, index: usize) -> Step {
        if let ChoiceKind::Pairs { pairs } = &mut self.choices[index].kind {
            let pair = pairs.next();
            if pairs.len() == 0 {
                self.choices.truncate(index);
            }
            let Some(Cell::Struct(address)) = pair else { return Ok(false) };
            return self.unify_now(self.heap.arg(address, 0), self.heap.arg(address, 1));
        }
        let choice = self.choices.pop().expect("the last one");
        match choice.kind {
            ChoiceKind::Goal { goal, barrier, place } => {
                self.push(Goal::Call { goal, barrier, place });
                Ok(true)
            }
            ChoiceKind::Proceed => Ok(true),
            ChoiceKind::Cleanup { goal, place } => {
                self.push(Goal::Call { goal: Cell::Atom(Atom::FAIL), barrier: 0, place });
                self.push_cleanup(goal, place);
                Ok(true)
            }
            ChoiceKind::Findings { list, result, tail } => self.found(list, result, tail),
            ChoiceKind::Table { goal } => self.pass_ended(goal),
            ChoiceKind::Between { variable, next, last } => self.enumerate_on(variable, next, last),
            ChoiceKind::Lengths { list, length, next, extra } => self.longer(list, length, next, extra),
            ChoiceKind::Fail | ChoiceKind::Catch { .. } => Ok(false),
            ChoiceKind::Clauses { .. } | ChoiceKind::Pairs { .. } => unreachable!("handled above"),
        }
    }

    /// Unifies a result with the list of all findings, which are gone then.
    fn found(&mut self, list: u32, result: Cell, tail: Cell) -> Step {
        let findings = std::mem::take(&mut self.findings[list as usize]);
        self.found_cells -= findings.iter().map(|finding| finding.cells.len()).sum::<usize>();
        let items: Vec<Cell> = findings.iter().map(|finding| self.restore(finding)).collect();
        let found = self.list(&items, tail);
        self.unify_now(result, found)
    }

    /// Goes back to the youngest catch that is running and whose catcher unifies with the ball; `false` where there is none.
    fn unwind(&mut self, ball: &Frozen) -> Step {
        let mut running = Vec::new();
        let mut at = self.goals;
        while at != NONE {
            let frame = self.frames[at as usize];
            if let Goal::LeaveCatch(height) = frame.goal {
                running.push(height);
            }
            at = frame.next;
        }
        while let Some(choice) = self.choices.pop() {
            if let ChoiceKind::Table { .. } = choice.kind {
                let at = self.choices.iter().filter(|choice| matches!(choice.kind, ChoiceKind::Table { .. })).count();
                self.tables.abandon(at);
            }
            if let ChoiceKind::Cleanup { goal, place } = choice.kind {
                self.heap.undo(choice.mark);
                self.frames.truncate(choice.frames);
                self.goals = choice.goals;
                self.outputs.truncate(choice.outputs);
                let thrown = self.restore(ball);
                let throw = self.symbols.functor_named("throw", 1);
                let again = self.heap.compound(throw, &[thrown]);
                self.push(Goal::Call { goal: again, barrier: 0, place });
                let quiet = self.less_urgent(goal, thrown);
                self.push_cleanup(quiet, place);
                return Ok(true);
            }
            let ChoiceKind::Catch { catcher, recovery, barrier, place } = choice.kind else { continue };
            if !running.contains(&u32::try_from(self.choices.len()).expect("fewer than 2^32 choices")) {
                continue;
            }
            self.heap.undo(choice.mark);
            self.frames.truncate(choice.frames);
            self.goals = choice.goals;
            self.here = choice.here;
            self.outputs.truncate(choice.outputs);
            let mark = self.heap.mark();
            let thrown = self.restore(ball);
            if self.unify_now(catcher, thrown)? {
                self.push(Goal::Call { goal: recovery, barrier, place });
                return Ok(true);
            }
            self.heap.undo(mark);
        }
        Ok(false)
    }

    pub(crate) fn push(&mut self, goal: Goal) {
        self.frames.push(Frame { goal, next: self.goals });
        self.goals = u32::try_from(self.frames.len() - 1).expect("the budget of memory is smaller");
    }

    pub(crate) fn push_choice(&mut self, kind: ChoiceKind) {
        let choice = Choice {
            kind,
            mark: self.heap.mark(),
            frames: self.frames.len(),
            goals: self.goals,
            here: self.here,
            outputs: self.outputs.len(),
        };
        self.choices.push(choice);
    }

    pub(crate) fn height(&self) -> u32 {
        u32::try_from(self.choices.len()).expect("fewer than 2^32 choices")
    }

    pub(crate) fn cut_to(&mut self, height: u32) {
        if !self.cleans_up {
            return self.choices.truncate(height as usize);
        }
        while self.choices.len() > height as usize {
            if let Some(Choice { kind: ChoiceKind::Cleanup { goal, place }, .. }) = self.choices.pop() {
                self.push_cleanup(goal, place);
            }
        }
    }

    /// A cleanup while something is thrown: what it throws itself counts only if it is an error and the other is not.
    fn less_urgent(&mut self, cleanup: Cell, thrown: Cell) -> Cell {
        let [catch, error] = [("catch", 3), ("error", 2)].map(|(name, arity)| self.symbols.functor_named(name, arity));
        let (own, truth) = (self.heap.var(), Cell::Atom(Atom::TRUE));
        let recovery = if matches!(self.heap.deref(thrown), Cell::Struct(address) if self.heap.functor(address) == error) {
            truth
        } else {
            let pattern = [self.heap.var(), self.heap.var()];
            let pattern = self.heap.compound(error, &pattern);
            let (equals, throw) = (self.symbols.functor(Atom::EQUALS, 2), self.symbols.functor_named("throw", 1));
            let (is, again) = (self.heap.compound(equals, &[own, pattern]), self.heap.compound(throw, &[own]));
            let [then, or] = [Atom::IF_THEN, Atom::SEMICOLON].map(|name| self.symbols.functor(name, 2));
            let condition = self.heap.compound(then, &[is, again]);
            self.heap.compound(or, &[condition, truth])
        };
        self.heap.compound(catch, &[cleanup, own, recovery])
    }

    /// Whether a cleanup succeeds or not is nobody's concern.
    fn push_cleanup(&mut self, goal: Cell, place: Place) {
        let ignore = self.symbols.functor_named("ignore", 1);
        let goal = self.heap.compound(ignore, &[goal]);
        self.push(Goal::Call { goal, barrier: self.height(), place });
    }
}
