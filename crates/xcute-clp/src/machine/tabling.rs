//! Tabled predicates: each variant of a call is evaluated once, to a fixpoint, and its answers are a set.
//!
//! As in linear tabling [zhou-sato-2003], a call that meets itself gets the answers that are known so far, and the leader of a component, the oldest call that the
//! others depend on, is evaluated again until a pass brings nothing new: then all tables of the component are complete. That ends wherever the answers are finite,
//! and finds what SLG resolution [chen-warren-1996] finds. The order of answers is not specified, here as in SWI-Prolog.
//!
//! **Invariant.** Only complete tables outlive their evaluation. Whether two calls or two answers are variants is a decision where it depends on the input.

use rustc_hash::FxHashMap;

use super::Machine;
use super::cell::Cell;
use super::code::PredicateId;
use super::error::{Step, Stop};
use super::goals::{ChoiceKind, Goal, NONE};
use super::heap::Frozen;
use crate::syntax::{Atom, TableMode};

/// The answers of one variant of a call.
#[derive(Debug)]
struct Table {
    predicate: PredicateId,
    variant: Frozen,
    answers: Vec<Frozen>,
    complete: bool,
    /// The pass in which it was evaluated last.
    pass: u64,
    /// Where it is among the evaluations that are going on.
    running: Option<usize>,
    /// The oldest evaluation that it depends on.
    lowest: usize,
}

/// An evaluation that is going on.
#[derive(Debug)]
struct Evaluation {
    table: usize,
    lowest: usize,
    /// Whether answers of a table that is not complete were used.
    consumed: bool,
    changed: bool,
    /// The answers before this pass.
    before: Vec<Vec<Cell>>,
    /// Tables that are complete when this one is.
    members: Vec<usize>,
}

/// The tables of a run.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    all: Vec<Table>,
    /// Those whose variant does not depend on the input.
    known: FxHashMap<(PredicateId, Vec<Cell>), usize>,
    running: Vec<Evaluation>,
    pass: u64,
}

impl Tables {
    /// Whether what is going on may change when it is done again.
    pub(crate) fn is_tentative(&self) -> bool {
        self.running.last().is_some_and(|evaluation| evaluation.consumed)
    }

    /// Forgets evaluations from this one on, and what they found.
    pub(crate) fn abandon(&mut self, from: usize) {
        self.running.truncate(from);
        for table in &mut self.all {
            table.running = table.running.filter(|&at| at < from);
            if !table.complete && table.running.is_none() {
                table.pass = 0;
            }
        }
    }
}

impl Machine<'_> {
    /// Forgets all tables.
    pub(crate) fn abolish_tables(&mut self) -> Step {
        if !self.tables.running.is_empty() {
            return self.unsupported("abolish_all_tables/0 while tables are made");
        }
        self.tables = Tables::default();
        Ok(true)
    }

    /// An answer takes the place of the one that it was aggregated with.
    pub(crate) fn replace_answer(&mut self, table: i64, number: i64, answer: Cell) -> Step {
        let answer = self.freeze(answer)?;
        let place = |n: i64| usize::try_from(n).expect("made for an answer");
        self.tables.all[place(table)].answers[place(number)] = answer;
        Ok(false)
    }

    /// Calls a tabled predicate.
    pub(crate) fn tabled_call(&mut self, id: PredicateId, goal: Cell) -> Step {
        let of = self.program.code.predicate(id);
        let modes = of.tabled.clone().unwrap_or_default();
        if modes.contains(&TableMode::Other) {
            let what = format!("the mode of tabling of {}", of.name);
            return self.unsupported(&what);
        }
        if !self.heap.store.is_empty() && self.variables(goal).into_iter().any(|variable| self.has_constraints(variable)) {
            return self.unsupported("constraints in a call of a tabled predicate");
        }
        if let Cell::Struct(address) = goal {
            let bound = (0..).zip(&modes).filter(|(_, mode)| **mode != TableMode::Index).map(|(i, _)| self.heap.arg(address, i));
            if let Some(bound) = bound.into_iter().find(|cell| !matches!(cell, Cell::Var(_))) {
                let functor = self.symbols.functor_named("uninstantiation_error", 1);
                let formal = self.heap.compound(functor, &[bound]);
                return Err(self.error(formal));
            }
        }
        let variant = self.with_moded(goal, &modes);
        let number = self.table_of(id, variant)?;
        let (complete, running, pass, lowest) = {
            let table = &self.tables.all[number];
            (table.complete, table.running, table.pass, table.lowest)
        };
        if complete {
            return self.give(number, goal);
        }
        if running.is_none() && (pass == 0 || pass != self.tables.pass) {
            return self.evaluate_table(number, goal);
        }
        // Its answers so far; the evaluation that it depends on does it again.
        if self.used_once() {
            self.rec.limit("unsupported", &format!("a cut, a condition or a collection over {} while its table is made", of.name), true);
        }
        let top = self.tables.running.last_mut().expect("a table that is not complete belongs to an evaluation");
        top.consumed = true;
        top.lowest = top.lowest.min(running.unwrap_or(lowest));
        self.give(number, goal)
    }

    /// A goal with new variables for what is aggregated.
    fn with_moded(&mut self, goal: Cell, modes: &[TableMode]) -> Cell {
        let Cell::Struct(address) = goal else { return goal };
        let functor = self.heap.functor(address);
        let args: Vec<Cell> = (0..self.symbols.arity(functor))
            .map(|i| match modes.get(i as usize) {
                None | Some(TableMode::Index) => self.heap.arg(address, i),
                Some(_) => self.heap.var(),
            })
            .collect();
        self.heap.compound(functor, &args)
    }

    /// The table of a variant, made when there is none.
    fn table_of(&mut self, predicate: PredicateId, variant: Cell) -> Result<usize, Stop> {
        let frozen = self.freeze(variant)?;
        let symbolic = depends(&frozen);
        let key = (predicate, frozen.cells.clone());
        if let Some(&number) = self.tables.known.get(&key).filter(|_| !symbolic) {
            return Ok(number);
        }
        for number in 0..self.tables.all.len() {
            let other = &self.tables.all[number];
            if other.predicate == predicate && (symbolic || depends(&other.variant)) {
                let other = other.variant.clone();
                if self.same_variant(variant, &other) {
                    return Ok(number);
                }
            }
        }
        let number = self.tables.all.len();
        if !symbolic {
            self.tables.known.insert(key, number);
        }
        let table = Table { predicate, variant: frozen, answers: Vec::new(), complete: false, pass: 0, running: None, lowest: 0 };
        self.tables.all.push(table);
        Ok(number)
    }

    /// Whether a term is the same as a kept one up to variables: decided, if it depends on the input.
    fn same_variant(&mut self, term: Cell, kept: &Frozen) -> bool {
        let other = self.heap.thaw(kept);
        match self.variant_conditions(term, other) {
            Some(conditions) => conditions.is_empty() || self.check(&conditions),
            None => false,
        }
    }

    fn evaluate_table(&mut self, number: usize, goal: Cell) -> Step {
        let at = self.tables.running.len();
        if at == 0 || self.tables.pass == 0 {
            self.tables.pass += 1;
        }
        let (table, evaluation) = (
            &mut self.tables.all[number],
            Evaluation { table: number, lowest: at, consumed: false, changed: false, before: Vec::new(), members: Vec::new() },
        );
        table.running = Some(at);
        self.tables.running.push(evaluation);
        self.start_pass(goal)
    }

    /// Calls the clauses for the evaluation that was begun last.
    fn start_pass(&mut self, goal: Cell) -> Step {
        let pass = self.tables.pass;
        let evaluation = self.tables.running.last_mut().expect("one was begun");
        let number = evaluation.table;
        let table = &mut self.tables.all[number];
        evaluation.before = table.answers.iter().map(|answer| answer.cells.clone()).collect();
        table.pass = pass;
        let (predicate, variant) = (table.predicate, table.variant.clone());
        self.push_choice(ChoiceKind::Table { goal });
        let called = self.heap.thaw(&variant);
        self.push(Goal::TableAnswer { table: u32::try_from(number).expect("fewer than 2^32 tables"), answer: called });
        let indicator = self.program.code.predicate(predicate).indicator;
        let Some((id, current)) = self.predicate(indicator) else { return Ok(false) };
        self.choice(id, &current, called)
    }

    /// An answer was found.
    pub(crate) fn table_answer(&mut self, number: u32, answer: Cell) -> Step {
        let index = number as usize;
        if !self.heap.store.is_empty() && self.variables(answer).into_iter().any(|variable| self.has_constraints(variable)) {
            return self.unsupported("constraints in an answer of a tabled predicate");
        }
        let modes = self.program.code.predicate(self.tables.all[index].predicate).tabled.clone().unwrap_or_default();
        let frozen = self.freeze(answer)?;
        if modes.iter().all(|mode| *mode == TableMode::Index) {
            if !self.is_known(index, answer, &frozen) {
                self.tables.all[index].answers.push(frozen);
            }
            return Ok(false);
        }
        let bare = self.with_moded(answer, &modes);
        for other in 0..self.tables.all[index].answers.len() {
            let kept = self.tables.all[index].answers[other].clone();
            let kept = self.heap.thaw(&kept);
            let pattern = self.with_moded(kept, &modes);
            let pattern = self.freeze(pattern)?;
            if self.same_variant(bare, &pattern) {
                return self.aggregate(number, other, kept, answer);
            }
        }
        self.tables.all[index].answers.push(frozen);
        Ok(false)
    }

    fn is_known(&mut self, index: usize, answer: Cell, frozen: &Frozen) -> bool {
        let symbolic = depends(frozen);
        for other in 0..self.tables.all[index].answers.len() {
            let kept = &self.tables.all[index].answers[other];
            if kept.cells == frozen.cells {
                return true;
            }
            if symbolic || depends(kept) {
                let kept = kept.clone();
                if self.same_variant(answer, &kept) {
                    return true;
                }
            }
        }
        false
    }

    /// Goals that make one answer of two, and put it in the place of the old one.
    fn aggregate(&mut self, table: u32, number: usize, old: Cell, new: Cell) -> Step {
        let (Cell::Struct(a), Cell::Struct(b)) = (old, new) else { unreachable!("modes are of arguments") };
        let predicate = self.tables.all[table as usize].predicate;
        let modes = self.program.code.predicate(predicate).tabled.clone().unwrap_or_default();
        let functor = self.heap.functor(a);
        let (mut args, mut goals) = (Vec::new(), Vec::new());
        for i in 0..self.symbols.arity(functor) {
            let (x, y) = (self.heap.arg(a, i), self.heap.arg(b, i));
            let mode = modes.get(i as usize).copied().unwrap_or(TableMode::Index);
            args.push(match mode {
                TableMode::Index | TableMode::Last | TableMode::Other => y,
                TableMode::First => x,
                TableMode::Min | TableMode::Max | TableMode::Po(_) | TableMode::Lattice(_) => {
                    let result = self.heap.var();
                    goals.push(self.update(mode, x, y, result));
                    result
                }
            });
        }
        if self.tables.is_tentative() && modes.iter().any(|mode| matches!(mode, TableMode::First | TableMode::Last)) {
            let what = "the first or last answer of a recursive tabled predicate";
            self.rec.limit("unsupported", what, true);
        }
        let answer = self.heap.compound(functor, &args);
        let merge = self.symbols.functor_named("$table_merge", 3);
        let number = Cell::Int(i64::try_from(number).expect("fewer than 2^63 answers"));
        let last = self.heap.compound(merge, &[Cell::Int(table.into()), number, answer]);
        let (place, barrier) = (self.here, self.height());
        self.push(Goal::Call { goal: last, barrier, place });
        for goal in goals.into_iter().rev() {
            self.push(Goal::Call { goal, barrier, place });
        }
        Ok(true)
    }

    /// The goal that makes one value of two, as SWI-Prolog has it.
    fn update(&mut self, mode: TableMode, old: Cell, new: Cell, result: Cell) -> Cell {
        let (condition, kept, other) = match mode {
            TableMode::Lattice(name) => {
                let functor = self.symbols.functor(name, 3);
                return self.heap.compound(functor, &[old, new, result]);
            }
            TableMode::Po(name) => (self.symbols.functor(name, 2), old, new),
            TableMode::Max => (self.symbols.functor_named("@>", 2), old, new),
            _ => (self.symbols.functor_named("@<", 2), old, new),
        };
        let [equals, then, or] = [Atom::EQUALS, Atom::IF_THEN, Atom::SEMICOLON].map(|name| self.symbols.functor(name, 2));
        let condition = self.heap.compound(condition, &[old, new]);
        let (keep, replace) = (self.heap.compound(equals, &[result, kept]), self.heap.compound(equals, &[result, other]));
        let then = self.heap.compound(then, &[condition, keep]);
        self.heap.compound(or, &[then, replace])
    }

    /// A pass has found all it can find: another one, or the answers.
    pub(crate) fn pass_ended(&mut self, goal: Cell) -> Step {
        let at = self.tables.running.len() - 1;
        let evaluation = self.tables.running.last_mut().expect("its choice was there");
        let number = evaluation.table;
        let answers = &self.tables.all[number].answers;
        let same =
            answers.len() == evaluation.before.len() && answers.iter().zip(&evaluation.before).all(|(now, before)| now.cells == *before);
        evaluation.changed |= !same;
        if evaluation.lowest == at && evaluation.consumed && evaluation.changed {
            evaluation.changed = false;
            self.tables.pass += 1;
            self.spend()?;
            return self.start_pass(goal);
        }
        let evaluation = self.tables.running.pop().expect("seen above");
        self.tables.all[number].running = None;
        if evaluation.lowest == at {
            self.tables.all[number].complete = true;
            for member in evaluation.members {
                self.tables.all[member].complete = true;
            }
        } else {
            self.tables.all[number].lowest = evaluation.lowest;
            let parent = self.tables.running.last_mut().expect("it depends on an older one");
            parent.lowest = parent.lowest.min(evaluation.lowest);
            parent.consumed = true;
            parent.changed |= evaluation.changed;
            parent.members.push(number);
            parent.members.extend(evaluation.members);
        }
        self.give(number, goal)
    }

    /// Unifies a goal with the answers of a table.
    fn give(&mut self, number: usize, goal: Cell) -> Step {
        let answers = self.tables.all[number].answers.clone();
        if answers.len() > 1 && self.tables.running.is_empty() {
            let name = self.program.code.predicate(self.tables.all[number].predicate).name.clone();
            self.rec.limit("order", &format!("the order of the answers of {name}, which is tabled"), false);
        }
        let answers: Vec<Cell> = answers.iter().map(|answer| self.heap.thaw(answer)).collect();
        self.one_of(goal, &answers)
    }

    /// Whether something between the evaluation and this goal removes choices or collects answers: doing it again is then not the same.
    fn used_once(&self) -> bool {
        let mut at = self.goals;
        while at != NONE {
            let frame = self.frames[at as usize];
            match frame.goal {
                Goal::TableAnswer { .. } => return false,
                Goal::CutTo(_) | Goal::SoftCut(_) | Goal::Keep { .. } | Goal::KeepSome { .. } | Goal::LeaveOutput { .. } => return true,
                _ => at = frame.next,
            }
        }
        false
    }
}

fn depends(frozen: &Frozen) -> bool {
    frozen.cells.iter().any(|cell| matches!(cell, Cell::Sym(_)))
}
