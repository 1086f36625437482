//! Waking on trial: whether the store admits the bindings of a head, before the clause is chosen.
//!
//! A clause matches a call only if the constraints on the variables that its head binds can go on (rules(Q) of the paper are those whose constraint is satisfiable
//! together with that of the state). So the propagators run once while clauses are matched. What they demand of the input becomes a condition of the match;
//! where they would have to branch on it, they run a second time, and decide.
//!
//! **Invariant.** A trial leaves nothing behind once its bindings are undone, but for what was decided.

use num_bigint::BigInt;
use num_integer::Integer;
use xcute_term::TermId;

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::fd::domain::Domain;
use crate::machine::number::Number;

/// Inputs with at most this many values are decided one by one,
const FEW: u32 = 64;

/// and those with at most this many after their domain was halved until it is that small.
const SOME: u32 = 1024;

/// What a trial has found so far.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    /// What the input must satisfy.
    demanded: Vec<TermId>,
    /// Whether it would have had to branch.
    pub(crate) undecided: bool,
    /// Whether it may.
    pub(crate) deciding: bool,
}

impl Machine<'_> {
    /// Wakes the constraints of what was bound: `false` if no input lets them go on. What they demand of it is added to what must hold for the bindings.
    pub(crate) fn wake_on_trial(&mut self, conditions: &mut Vec<TermId>) -> Step {
        if self.heap.store.woken.is_empty() {
            return Ok(true);
        }
        let (mark, woken) = (self.heap.mark(), self.heap.store.woken.clone());
        let (holds, trial) = self.tried(Trial::default())?;
        if !trial.undecided {
            conditions.extend(trial.demanded);
            return Ok(holds);
        }
        // Only for inputs that make the bindings possible there is something to decide.
        if !self.check(conditions) {
            return Ok(false);
        }
        self.heap.undo(mark);
        self.heap.store.woken = woken;
        Ok(self.tried(Trial { deciding: true, ..Trial::default() })?.0)
    }

    fn tried(&mut self, trial: Trial) -> Result<(bool, Trial), Stop> {
        self.trial = Some(trial);
        let woken = self.wake();
        let trial = self.trial.take().expect("set above");
        self.resumed.clear();
        match woken {
            Err(Stop::Budget(budget)) => Err(Stop::Budget(budget)),
            // It will throw again after the head.
            Err(_) => Ok((true, Trial::default())),
            Ok(holds) => Ok((holds, trial)),
        }
    }

    /// Decides what a constraint demands of the input; on trial, takes note of it.
    pub(crate) fn demand(&mut self, conjuncts: &[TermId]) -> bool {
        let Some(trial) = self.trial.as_mut().filter(|trial| !trial.deciding) else { return self.check(conjuncts) };
        let condition = self.rec.facts.simplify(self.rec.terms, conjuncts);
        self.rec.facts.holds(self.rec.terms, condition).unwrap_or_else(|| {
            trial.demanded.push(condition);
            true
        })
    }

    /// The same for a comparison.
    pub(crate) fn demand_comparison(&mut self, name: &str, a: Number, b: Number) -> Step {
        Ok(match self.comparison(name, a, b) {
            Ok(condition) => self.demand(&[condition]),
            Err(known) => known,
        })
    }

    /// A cell with its value decided, if it is an input that is known to be one of a few numbers, or a variable with bounds that are. What filters
    /// domains by values needs it.
    pub(super) fn decided_value(&mut self, cell: Cell) -> Result<Cell, Stop> {
        match self.heap.deref(cell) {
            Cell::Sym(e) => {
                let number = self.integer_of(e);
                let number = self.known_number(number);
                let value = self.decided_number(number)?;
                Ok(self.number_cell(value))
            }
            Cell::Var(variable) => {
                let Some(domain) = self.heap.store.domain(variable).cloned() else { return Ok(Cell::Var(variable)) };
                if [&domain.low, &domain.high].into_iter().any(|end| matches!(end, Some(Number::Sym(_)))) {
                    let low = domain.low.clone().map(|low| self.decided_number(low)).transpose()?;
                    let high = domain.high.clone().map(|high| self.decided_number(high)).transpose()?;
                    self.heap.store.set_domain(variable, Domain { low, high, holes: domain.holes });
                }
                Ok(Cell::Var(variable))
            }
            other => Ok(other),
        }
    }

    pub(super) fn decided_number(&mut self, number: Number) -> Result<Number, Stop> {
        let Number::Sym(term) = number else { return Ok(number) };
        let (low, high) = self.rec.facts.bounds(self.rec.terms, term);
        let (Some(mut low), Some(mut high)) = (low, high) else { return Ok(self.left_open(term)) };
        if &high - &low > BigInt::from(SOME) {
            return Ok(self.left_open(term));
        }
        while &high - &low > BigInt::from(FEW) {
            let middle = (&low + &high).div_floor(&BigInt::from(2));
            if self.compare_now("=<", Number::Sym(term), Number::integer(middle.clone()))? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        while low < high {
            if self.compare_now("=:=", Number::Sym(term), Number::integer(low.clone()))? {
                break;
            }
            low += 1;
        }
        Ok(Number::integer(low))
    }

    fn left_open(&mut self, term: TermId) -> Number {
        self.rec.limit("unknown", "an input without a small domain in a constraint on values", false);
        Number::Sym(term)
    }
}
