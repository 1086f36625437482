//! Elimination of the variables that only the constraints of a clause mention.
//!
//! Equations are solved (with a divisibility, as in Presburger's method, where a coefficient is not one), bounds are combined pairwise (Fourier & Motzkin, which is
//! exact over the integers for coefficients of one and for a single variable), disequations of a variable without two bounds are dropped.
//!
//! **Invariant.** What is answered is equivalent to `∃ variables. system`; otherwise the answer is `None`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use xcute_term::{Op, TermId, Value};

use super::linear::{Linear, Reading};
use super::store::Relation;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::number::Number;

/// Sums compared with zero.
#[derive(Debug, Default)]
pub(crate) struct System {
    rows: Vec<(Linear, Relation)>,
}

impl System {
    /// Adds a row.
    pub(crate) fn add(&mut self, sum: Linear, relation: Relation) {
        self.rows.push((sum, relation));
    }

    fn mentions(&self, variable: Cell) -> Vec<usize> {
        (0..self.rows.len()).filter(|&row| self.rows[row].0.terms.iter().any(|(_, x)| *x == variable)).collect()
    }
}

/// A bound: `coefficient · x ≤ rest`, the coefficient's sign says which.
struct Bound {
    coefficient: BigInt,
    rest: Linear,
}

impl Machine<'_> {
    /// The difference of two expressions as a row, without any decision: `None` if an operand is not known to be an integer, or no sum of the clause's own
    /// variables.
    pub(crate) fn local_sums(&mut self, name: &str, a: Cell, b: Cell, fresh: u32) -> Result<Option<(Linear, Relation)>, Stop> {
        let (Some(a), Some(b)) = (self.sum(a, Reading::Local(fresh))?, self.sum(b, Reading::Local(fresh))?) else { return Ok(None) };
        self.row(name, a, b).map(Some)
    }

    pub(super) fn row(&mut self, name: &str, a: Linear, b: Linear) -> Result<(Linear, Relation), Stop> {
        let (less, more, relation, shift) = super::post::oriented(name, a, b);
        let more = self.scaled(&more, &BigInt::from(-1))?;
        let mut sum = self.added(less, more)?;
        sum.constant = self.binary_number("+", sum.constant, Number::Small(shift))?;
        Ok((sum, relation))
    }

    /// The condition of a comparison between two numbers, in the form that clauses have it in.
    pub(crate) fn compared_sums(&mut self, name: &str, a: Linear, b: Linear) -> Result<TermId, Stop> {
        let (sum, relation) = self.row(name, a, b)?;
        Ok(self.row_condition(&sum.constant, relation))
    }

    /// The conditions under which the system has a solution; `None` if it is not known.
    pub(crate) fn eliminate(&mut self, mut system: System, fresh: u32) -> Result<Option<Vec<TermId>>, Stop> {
        let mut conditions = Vec::new();
        // Equations of the clause may have bound variables since the rows were made.
        for row in 0..system.rows.len() {
            let (sum, _) = system.rows[row].clone();
            for (_, cell) in &sum.terms {
                match self.heap.deref(*cell) {
                    Cell::Sym(e) if self.rec.facts.constructor(self.rec.terms, e) != self.universe.integer_ctor() => return Ok(None),
                    Cell::Var(variable) if variable < fresh => return Ok(None),
                    Cell::Var(_) | Cell::Sym(_) | Cell::Int(_) | Cell::Big(_) => {}
                    _ => return Ok(None),
                }
            }
            system.rows[row].0 = self.normal(&sum.terms, sum.constant)?;
        }
        loop {
            for (sum, relation) in std::mem::take(&mut system.rows) {
                if sum.terms.is_empty() {
                    conditions.push(self.row_condition(&sum.constant, relation));
                } else {
                    system.rows.push((sum, relation));
                }
            }
            let Some(variable) = system.rows.first().map(|(sum, _)| sum.terms[0].1) else { return Ok(Some(conditions)) };
            let progress = self.solve_equation(&mut system, &mut conditions)? || self.eliminate_variable(&mut system, variable)?;
            if !progress {
                self.undecided();
                return Ok(None);
            }
        }
    }

    pub(super) fn undecided(&mut self) {
        self.rec.limit("unknown", "constraints of clauses that are not decided with the head, but run as goals", false);
    }

    fn row_condition(&mut self, constant: &Number, relation: Relation) -> TermId {
        match self.comparison(relation.name(), constant.clone(), Number::Small(0)) {
            Ok(condition) => condition,
            Err(known) => self.rec.terms.bool(known),
        }
    }

    /// Uses an equation to remove a variable.
    fn solve_equation(&mut self, system: &mut System, conditions: &mut Vec<TermId>) -> Result<bool, Stop> {
        for row in 0..system.rows.len() {
            let (sum, Relation::Equal) = system.rows[row].clone() else { continue };
            let unit = sum.terms.iter().position(|(coefficient, _)| coefficient.abs().is_one());
            if let Some(at) = unit {
                let (coefficient, variable) = sum.terms[at].clone();
                let mut rest = sum.clone();
                rest.terms.remove(at);
                let value = self.scaled(&rest, &-coefficient)?;
                system.rows.remove(row);
                self.substitute(system, variable, &value)?;
                return Ok(true);
            }
            let alone = sum.terms.iter().all(|(_, variable)| system.mentions(*variable).len() == 1);
            if alone || sum.terms.len() == 1 {
                let divisor = sum.terms.iter().fold(BigInt::zero(), |gcd, (coefficient, _)| gcd.gcd(coefficient));
                let constant = self.number_term(&sum.constant).expect("no float");
                let by = self.rec.terms.value(Value::Int(divisor));
                let zero = self.rec.terms.value(Value::Int(BigInt::zero()));
                let remainder = self.rec.terms.mk(Op::IntMod, &[constant, by]);
                conditions.push(self.rec.terms.mk(Op::Eq, &[remainder, zero]));
                system.rows.remove(row);
                if !alone {
                    let (coefficient, variable) = sum.terms[0].clone();
                    let minus = self.rec.terms.value(Value::Int(-coefficient));
                    let quotient = self.rec.terms.mk(Op::IntDiv, &[constant, minus]);
                    let value = Linear { terms: Vec::new(), constant: self.known_number(quotient) };
                    self.substitute(system, variable, &value)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn substitute(&mut self, system: &mut System, variable: Cell, value: &Linear) -> Result<(), Stop> {
        for row in system.mentions(variable) {
            let sum = system.rows[row].0.clone();
            let (own, others): (Vec<_>, Vec<_>) = sum.terms.into_iter().partition(|(_, x)| *x == variable);
            let factor: BigInt = own.into_iter().map(|(coefficient, _)| coefficient).sum();
            let part = self.scaled(value, &factor)?;
            let whole = self.added(Linear { terms: others, constant: sum.constant }, part)?;
            system.rows[row].0 = self.normal(&whole.terms, whole.constant)?;
        }
        Ok(())
    }

    /// Removes a variable that only bounds and disequations mention.
    fn eliminate_variable(&mut self, system: &mut System, variable: Cell) -> Result<bool, Stop> {
        let rows = system.mentions(variable);
        let mut bounds: Vec<Bound> = Vec::new();
        let mut unequal = false;
        for &row in &rows {
            let (sum, relation) = system.rows[row].clone();
            match relation {
                Relation::Equal => return Ok(false),
                Relation::Unequal => unequal = true,
                Relation::AtMost => {
                    let (own, others): (Vec<_>, Vec<_>) = sum.terms.into_iter().partition(|(_, x)| *x == variable);
                    let rest = self.scaled(&Linear { terms: others, constant: sum.constant }, &BigInt::from(-1))?;
                    bounds.push(Bound { coefficient: own[0].0.clone(), rest });
                }
            }
        }
        let (upper, lower): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|bound| bound.coefficient.is_positive());
        let bounded = !upper.is_empty() && !lower.is_empty();
        if bounded && unequal {
            return Ok(false);
        }
        let mut new = Vec::new();
        if bounded {
            for high in &upper {
                for low in &lower {
                    let Some(row) = self.between_bounds(low, high)? else { return Ok(false) };
                    new.push((row, Relation::AtMost));
                }
            }
        }
        let mut number = 0;
        system.rows.retain(|_| {
            number += 1;
            !rows.contains(&(number - 1))
        });
        system.rows.append(&mut new);
        Ok(true)
    }

    /// `low - high ≤ 0` for the least and the greatest value that two bounds allow; `None` where that is not exact.
    fn between_bounds(&mut self, low: &Bound, high: &Bound) -> Result<Option<Linear>, Stop> {
        let units = low.coefficient.abs().is_one() && high.coefficient.is_one();
        if units {
            // -x ≤ l and x ≤ h: -l ≤ h.
            let (l, h) = (self.scaled(&low.rest, &BigInt::from(-1))?, self.scaled(&high.rest, &BigInt::from(-1))?);
            let sum = self.added(l, h)?;
            return Ok(Some(self.normal(&sum.terms, sum.constant)?));
        }
        if !low.rest.terms.is_empty() || !high.rest.terms.is_empty() {
            return Ok(None);
        }
        let ceiling = {
            let floor = self.binary_number("div", low.rest.constant.clone(), Number::integer(-low.coefficient.clone()))?;
            self.binary_number("-", Number::Small(0), floor)?
        };
        let floor = self.binary_number("div", high.rest.constant.clone(), Number::integer(high.coefficient.clone()))?;
        let constant = self.binary_number("-", ceiling, floor)?;
        Ok(Some(Linear { terms: Vec::new(), constant }))
    }
}
