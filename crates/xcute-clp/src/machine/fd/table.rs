//! `tuples_in/2`: tuples of variables that are rows of a table.
//!
//! Rows that the domains rule out are dropped, and each variable keeps the values of the rows that are left: domain consistency, as for a table constraint it is cheap.

use num_bigint::BigInt;

use super::domain::Domain;
use super::store::Propagator;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::number::Number;

impl Machine<'_> {
    /// Posts that a tuple is a row.
    pub(crate) fn post_table(&mut self, tuple: &[Cell], rows: Vec<Vec<BigInt>>) -> Step {
        let variables: Vec<u32> = tuple.iter().filter_map(|cell| if let Cell::Var(at) = cell { Some(*at) } else { None }).collect();
        self.heap.store.add(Propagator::Table { tuple: tuple.into(), rows: rows.into() }, variables.into_iter());
        self.wake()
    }

    pub(super) fn table_now(&mut self, tuple: &[Cell], rows: &[Vec<BigInt>]) -> Step {
        let mut tuple: Vec<Cell> = tuple.iter().map(|&cell| self.heap.deref(cell)).collect();
        for (column, cell) in tuple.iter_mut().enumerate() {
            if let Cell::Var(_) = *cell {
                *cell = self.decided_value(*cell)?;
            }
            let Cell::Sym(e) = *cell else { continue };
            // Which rows are left depends on its value: one of the column, or none.
            let number = self.integer_of(e);
            let mut value = None;
            for row in rows {
                let known = self.known_number(number);
                if self.compare_now("=:=", known, Number::integer(row[column].clone()))? {
                    value = Some(row[column].clone());
                    break;
                }
            }
            match value {
                Some(value) => *cell = self.symbols.integer(value),
                None => return Ok(false),
            }
        }
        let left: Vec<&Vec<BigInt>> =
            rows.iter().filter(|row| tuple.iter().zip(*row).all(|(&cell, value)| self.may_be(cell, value))).collect();
        if left.is_empty() {
            return Ok(false);
        }
        for (column, &cell) in tuple.iter().enumerate() {
            let Cell::Var(variable) = cell else { continue };
            let mut values: Vec<&BigInt> = left.iter().map(|row| &row[column]).collect();
            values.sort_unstable();
            values.dedup();
            if !self.narrow(variable, Domain::of_values(&values))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a cell can have a value, as far as it is known.
    fn may_be(&self, cell: Cell, value: &BigInt) -> bool {
        match cell {
            Cell::Var(variable) => self.heap.store.domain(variable).is_none_or(|domain| {
                let (low, high) = domain.concrete();
                low.is_none_or(|low| low <= *value) && high.is_none_or(|high| *value <= high) && !domain.leaves_out(value)
            }),
            other => self.symbols.as_integer(other).is_some_and(|known| known == *value),
        }
    }
}

impl Domain {
    /// The domain of these values, which are sorted and at least one.
    pub(super) fn of_values(values: &[&BigInt]) -> Domain {
        let gap = |pair: &[&BigInt]| (pair[0] + 1 < *pair[1]).then(|| (pair[0] + 1, pair[1] - 1));
        let end = |value: Option<&&BigInt>| value.map(|&value| Number::integer(value.clone()));
        Domain { low: end(values.first()), high: end(values.last()), holes: values.windows(2).filter_map(gap).collect() }
    }
}
