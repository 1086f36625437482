//! Runs: what a front end hands over.
//!
//! A run is cut into segments by its decisions. Between two of them a [`Segment`] says what became of memory, in terms over *cells*: variables
//! of the arena that stand for places of memory, as they were when the segment began. Every variable that is not a cell is a symbol: an input that
//! was read there, or the result of code that was not followed.
//!
//! What a front end owes: every conditional branch is a decision, also those that no input decides; wherever a place of memory was used whose address is
//! not a constant over cells, the equation of the address with its value is among the equalities; anything that could fail for other values is a decision;
//! where an input is read that has only some values, the equalities leave no other input for that place.
//!
//! **Invariant.** Every cell that a run mentions is in its `initial`, and what it held at the start is the same in all runs.
//! A decision's terms are over cells at that decision, a segment's over cells at the segment's begin.

use xcute_term::{Model, Op, TermId, Terms, Value, VarId};

use super::point::PointId;

/// What happened between two decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The cells that were written and what they hold at the end. All at once: every term is over cells at the begin.
    pub writes: Vec<(VarId, TermId)>,
    /// What must hold for `writes` to be right: equations of addresses, over cells at the begin.
    pub equalities: Vec<TermId>,
}

/// An arm of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arm {
    /// The n-th condition.
    Nth(u32),
    /// This value of an address.
    Value(u64),
    /// The values of an address that no run has had. No run takes this arm.
    Rest,
}

/// What is decided, in terms over cells at the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Exactly one of the conditions holds. Every arm can be asked for.
    Branch(Vec<TermId>),
    /// The same, where a run that does not take the arm of this number is rejected: nothing is below the others.
    Assume(Vec<TermId>, u32),
    /// The same, where only the arm that was taken can be followed: a concretised value.
    Pin(Vec<TermId>),
    /// A symbolic address: an arm for each of its values.
    Address(TermId),
    /// The value of an input that has only some: exactly one of the conditions holds, whatever came before. No trace has such a decision.
    Shape(Vec<TermId>),
}

/// A place where the run could have gone another way, for other values of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The program point.
    pub point: PointId,
    /// What happened since the decision before.
    pub segment: Segment,
    /// What must hold for the conditions to be right: equations of addresses that they read, over cells at the decision.
    pub own: Vec<TermId>,
    /// What is decided.
    pub choice: Choice,
    /// The arm that was taken.
    pub taken: Arm,
    /// Whether the trace has this decision, too.
    pub in_trace: bool,
    /// Whether all runs that pass this place of the program have this decision, whatever memory holds. Bounds count those: they would not be comparable
    /// otherwise.
    pub counted: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// By itself.
    Passed,
    /// An assumption did not hold.
    Rejected,
    /// It failed.
    Failed,
    /// It came to a decision beyond the bound on decisions that are counted.
    Bound,
    /// It was cut off between decisions, by a budget.
    Cut,
    /// It did something that segments cannot say; what came after it is not here.
    Lost,
}

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the partition of memory into cells. Runs of different partitions have nothing to do with each other; a subject only ever goes on to a
    /// finer one.
    pub partition: u32,
    /// The input.
    pub input: Model,
    /// Every cell that is mentioned, with what it held at the start: a constant, or a term over inputs.
    pub initial: Vec<(VarId, TermId)>,
    /// Symbols that are not inputs, with their values: results of code that was not followed and that depend on nothing symbolic.
    pub foreign: Vec<(VarId, Value)>,
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// What happened after the last of them.
    pub last: Segment,
    /// How it ended.
    pub end: End,
}

impl Run {
    /// The number of the decision that is the first beyond a bound, or how many there are.
    #[must_use]
    pub fn beyond(&self, bound: usize) -> usize {
        let counted = (0..).zip(&self.decisions).filter(|(_, decision)| decision.counted).nth(bound);
        counted.map_or(self.decisions.len(), |(at, _)| at)
    }
}

impl Decision {
    /// The condition of an arm, over cells. `Rest` needs the values that were `seen`.
    ///
    /// # Panics
    /// Where the decision has no such arm.
    pub fn condition(&self, terms: &mut Terms, arm: Arm, seen: &[Arm]) -> TermId {
        match (&self.choice, arm) {
            (Choice::Branch(arms) | Choice::Assume(arms, _) | Choice::Pin(arms) | Choice::Shape(arms), Arm::Nth(n)) => arms[n as usize],
            (&Choice::Address(address), Arm::Value(value)) => equal(terms, address, value),
            (&Choice::Address(address), Arm::Rest) => {
                let others = values(seen).map(|value| {
                    let same = equal(terms, address, value);
                    terms.not(same)
                });
                let others: Vec<TermId> = others.collect();
                terms.mk(Op::And, &others)
            }
            (choice, arm) => panic!("{choice:?} has no arm {arm:?}"),
        }
    }

    /// All arms; those of an address are the values that were `seen`, and the rest.
    #[must_use]
    pub fn arms(&self, seen: &[Arm]) -> Vec<Arm> {
        match &self.choice {
            Choice::Branch(arms) | Choice::Assume(arms, _) | Choice::Pin(arms) | Choice::Shape(arms) => {
                (0..).zip(arms).map(|(n, _)| Arm::Nth(n)).collect()
            }
            Choice::Address(_) => values(seen).map(Arm::Value).chain([Arm::Rest]).collect(),
        }
    }
}

fn values(seen: &[Arm]) -> impl Iterator<Item = u64> {
    seen.iter().filter_map(|arm| if let Arm::Value(value) = arm { Some(*value) } else { None })
}

fn equal(terms: &mut Terms, address: TermId, value: u64) -> TermId {
    let value = terms.bv(terms.width(address), value);
    terms.mk(Op::Eq, &[address, value])
}
