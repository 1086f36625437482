//! `all_distinct/1`: domain consistency by matchings (Régin, "A filtering algorithm for constraints of difference in CSPs", 1994).
//!
//! Variables and values are the two sides of a graph. Without a matching of all variables the constraint fails; an edge that is in no such matching, because it lies neither
//! in the one that was found nor on an alternating path to a free value nor in a strongly connected component, is taken out of its domain. Terms that depend on the input
//! and domains without bounds take no part: the disequations that are posted beside do for them.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::domain::Domain;
use super::store::Propagator;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::number::Number;

/// Domains with more values than this take no part.
const LARGEST: usize = 1_000;

impl Machine<'_> {
    /// Posts that all differ.
    pub(crate) fn post_distinct(&mut self, cells: &[Cell]) -> Step {
        let variables: Vec<u32> = cells.iter().filter_map(|cell| if let Cell::Var(at) = cell { Some(*at) } else { None }).collect();
        self.heap.store.add(Propagator::Distinct { cells: cells.into() }, variables.into_iter());
        self.wake()
    }

    pub(super) fn distinct_now(&mut self, cells: &[Cell]) -> Step {
        let mut graph = Graph::default();
        let mut variables = Vec::new();
        let (inputs, others): (Vec<Cell>, Vec<Cell>) =
            cells.iter().map(|&cell| self.heap.deref(cell)).partition(|cell| matches!(cell, Cell::Sym(_)));
        for cell in others {
            let cell = self.decided_value(cell)?;
            let Some(values) = self.values_of(cell) else { continue };
            variables.push(cell);
            graph.add(values);
        }
        for input in inputs {
            // Of an input that is beyond the values of all others nothing more needs to be known.
            if self.is_beyond(input, &graph.values)? {
                continue;
            }
            let cell = self.decided_value(input)?;
            let Some(values) = self.values_of(cell) else { continue };
            variables.push(cell);
            graph.add(values);
        }
        if !graph.match_all() {
            return Ok(false);
        }
        let kept = graph.consistent();
        for (number, &cell) in variables.iter().enumerate() {
            let Cell::Var(variable) = cell else { continue };
            let mut values: Vec<&BigInt> = kept[number].iter().map(|&value| &graph.values[value]).collect();
            values.sort_unstable();
            if values.len() < graph.edges[number].len() && !self.narrow(variable, Domain::of_values(&values))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an input is less than all of some values, or greater. Where there are none, that is not asked.
    fn is_beyond(&mut self, input: Cell, values: &[BigInt]) -> Step {
        let (Cell::Sym(e), Some(least), Some(greatest)) = (input, values.iter().min(), values.iter().max()) else { return Ok(false) };
        let number = self.integer_of(e);
        let number = self.known_number(number);
        Ok(self.compare_now("<", number.clone(), Number::integer(least.clone()))?
            || self.compare_now("<", Number::integer(greatest.clone()), number)?)
    }

    /// The values of a cell, if they are known and not too many.
    fn values_of(&self, cell: Cell) -> Option<Vec<BigInt>> {
        let Cell::Var(variable) = cell else { return self.symbols.as_integer(cell).map(|value| vec![value]) };
        let domain = self.heap.store.domain(variable)?;
        let (Some(low), Some(high)) = domain.concrete() else { return None };
        if &high - &low > BigInt::from(LARGEST) {
            return None;
        }
        let (mut values, mut next) = (Vec::new(), low);
        while next <= high {
            if !domain.leaves_out(&next) {
                values.push(next.clone());
            }
            next += 1;
        }
        Some(values)
    }
}

/// Variables, their values, and a matching.
#[derive(Default)]
struct Graph {
    values: Vec<BigInt>,
    numbers: FxHashMap<BigInt, usize>,
    edges: Vec<Vec<usize>>,
    value_of: Vec<Option<usize>>,
    variable_of: Vec<Option<usize>>,
}

impl Graph {
    fn add(&mut self, values: Vec<BigInt>) {
        let numbers = values.into_iter().map(|value| {
            *self.numbers.entry(value.clone()).or_insert_with(|| {
                self.values.push(value);
                self.values.len() - 1
            })
        });
        let numbers = numbers.collect();
        self.edges.push(numbers);
    }

    /// Finds a matching of all variables by augmenting paths, breadth first.
    fn match_all(&mut self) -> bool {
        self.value_of = vec![None; self.edges.len()];
        self.variable_of = vec![None; self.values.len()];
        (0..self.edges.len()).all(|variable| self.augment(variable))
    }

    fn augment(&mut self, start: usize) -> bool {
        let mut from: Vec<Option<usize>> = vec![None; self.values.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(variable) = queue.pop_front() {
            for &value in &self.edges[variable] {
                if from[value].is_some() {
                    continue;
                }
                from[value] = Some(variable);
                match self.variable_of[value] {
                    Some(other) => queue.push_back(other),
                    None => {
                        self.flip(value, &from, start);
                        return true;
                    }
                }
            }
        }
        false
    }

    fn flip(&mut self, mut value: usize, from: &[Option<usize>], start: usize) {
        loop {
            let variable = from[value].expect("on the path");
            let next = self.value_of[variable].replace(value);
            self.variable_of[value] = Some(variable);
            match next {
                Some(next) if variable != start => value = next,
                _ => return,
            }
        }
    }

    /// The values of each variable that are in some matching of all.
    fn consistent(&self) -> Vec<Vec<usize>> {
        // From a value to the variable that has it, from a variable to the other values it may have: an edge stays if its ends are in one component,
        // or if a free value is reached from it.
        let free = self.reaches_free();
        let component = self.components();
        let kept = |(variable, values): (usize, &Vec<usize>)| {
            let stays = |&&value: &&usize| {
                self.value_of[variable] == Some(value)
                    || free[value]
                    || self.variable_of[value].is_some_and(|other| component[other] == component[variable])
            };
            values.iter().filter(stays).copied().collect()
        };
        self.edges.iter().enumerate().map(kept).collect()
    }

    /// Values from which an alternating path leads to a free one.
    fn reaches_free(&self) -> Vec<bool> {
        let mut reaches: Vec<bool> = self.variable_of.iter().map(Option::is_none).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.values.len()];
        for (variable, values) in self.edges.iter().enumerate() {
            values.iter().for_each(|&value| users[value].push(variable));
        }
        let mut pending: Vec<usize> = (0..self.values.len()).filter(|&value| reaches[value]).collect();
        while let Some(value) = pending.pop() {
            for &variable in &users[value] {
                // Its own value could be given up for this one.
                if let Some(own) = self.value_of[variable]
                    && !std::mem::replace(&mut reaches[own], true)
                {
                    pending.push(own);
                }
            }
        }
        reaches
    }

    /// Strongly connected components of the variables: one follows another if it may take the other's value (Tarjan 1972, without recursion).
    fn components(&self) -> Vec<usize> {
        let count = self.edges.len();
        let (mut index, mut low, mut component) = (vec![usize::MAX; count], vec![0; count], vec![usize::MAX; count]);
        let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
        for root in 0..count {
            if index[root] != usize::MAX {
                continue;
            }
            let mut work = vec![(root, 0)];
            while let Some((variable, edge)) = work.pop() {
                if edge == 0 {
                    index[variable] = next;
                    low[variable] = next;
                    next += 1;
                    stack.push(variable);
                }
                match self.edges[variable].get(edge) {
                    Some(&value) => {
                        work.push((variable, edge + 1));
                        match self.variable_of[value] {
                            Some(other) if index[other] == usize::MAX => work.push((other, 0)),
                            Some(other) if component[other] == usize::MAX => low[variable] = low[variable].min(index[other]),
                            _ => {}
                        }
                    }
                    None => {
                        if low[variable] == index[variable] {
                            while let Some(member) = stack.pop() {
                                component[member] = found;
                                if member == variable {
                                    break;
                                }
                            }
                            found += 1;
                        }
                        if let Some(&(parent, _)) = work.last() {
                            low[parent] = low[parent].min(low[variable]);
                        }
                    }
                }
            }
        }
        component
    }
}
