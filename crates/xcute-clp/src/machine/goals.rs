//! Goals and choices: what a run still has to do, and what it can go back to.

use std::sync::Arc;

use super::Place;
use super::cell::Cell;
use super::code::{ClauseCode, PredicateId};
use super::heap::Mark;
use super::number::Number;
use crate::syntax::{Atom, Indicator};

/// No frame.
pub(crate) const NONE: u32 = u32::MAX;

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Call a term; a cut in it removes the choices above the barrier.
    Call { goal: Cell, barrier: u32, place: Place },
    /// Remove the choices above a height.
    CutTo(u32),
    /// Forget the choice at a height, but not those above it.
    SoftCut(u32),
    /// Leave a catch, which is the choice at this height.
    LeaveCatch(u32),
    /// Leave a goal that is cleaned up after, which is the choice at this height.
    LeaveCleanup(u32),
    /// Leave a predicate that must be deterministic: the choice at this height is the last.
    LeaveDet { height: u32, of: Indicator },
    /// Remove the choices above a height, and unify what was written since with a text.
    LeaveOutput { height: u32, sink: Cell },
    /// Keep a copy of a term as the next finding, and fail.
    Keep { term: Cell, list: u32 },
    /// Keep an answer of a table, and fail.
    TableAnswer { table: u32, answer: Cell },
    /// The same as `Keep` until there are this many findings, or no more can come: then they are the result of the choice at this height.
    KeepSome { term: Cell, list: u32, count: u32, height: u32 },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) goal: Goal,
    pub(crate) next: u32,
}

/// What to go back to.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) kind: ChoiceKind,
    pub(crate) mark: Mark,
    pub(crate) frames: usize,
    pub(crate) goals: u32,
    pub(crate) here: Place,
    pub(crate) outputs: usize,
}

#[derive(Debug)]
pub(crate) enum ChoiceKind {
    /// The states Q^{r2} … Q^{rn} of rule choice.
    Clauses { predicate: Option<PredicateId>, goal: Cell, clauses: Arc<Vec<Arc<ClauseCode>>>, rq: Arc<[u32]>, next: usize },
    /// Another goal.
    Goal { goal: Cell, barrier: u32, place: Place },
    /// Goes on with what follows.
    Proceed,
    /// Nothing: a barrier, or a choice that a soft cut removed.
    Fail,
    /// A catch whose goal is running.
    Catch { catcher: Cell, recovery: Cell, barrier: u32, place: Place },
    /// A goal that is to be called when the choices above are gone.
    Cleanup { goal: Cell, place: Place },
    /// The end of a findall: its findings are unified with the result.
    Findings { list: u32, result: Cell, tail: Cell },
    /// The solutions of a builtin predicate: each is a pair of terms to be unified.
    Pairs { pairs: std::vec::IntoIter<Cell> },
    /// The end of a pass over the clauses of a tabled predicate.
    Table { goal: Cell },
    /// Numbers after this one, up to the last, if there is one.
    Between { variable: Cell, next: Number, last: Option<Number> },
    /// Lists with this many more elements, and longer ones.
    Lengths { list: Cell, length: Cell, next: i64, extra: usize },
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The goal.
    pub goal: Cell,
    /// Its name.
    pub name: Atom,
    /// Its arity.
    pub arity: u32,
    pub(crate) barrier: u32,
    pub(crate) place: Place,
}
