//! Conditions that no constraint says: goals that wait until all that they are about is known, and then test it.
//!
//! **Invariant.** A goal is run when its inputs are ground, so `=` takes them apart and `\+` negates.

use xcute_term::Op;

use super::DEPTH;
use super::arithmetic::Spelling;
use super::scope::{Literal, Reading, Scope, Stop};
use crate::machine::cell::Cell;

impl Reading<'_> {
    /// A condition that is tested when all that it is about is known; `None` if it holds anyway.
    pub(super) fn delayed(&mut self, (holds, term): Literal) -> Result<Option<Cell>, Stop> {
        self.open();
        let read = self.conjunction(vec![(true, term)], 0);
        let scope = self.close();
        let tests = match read {
            Err(Stop::Contradiction) if !holds => return Ok(None),
            other => other?,
        };
        let older: Vec<Cell> = scope.twins.keys().map(|&address| Cell::Var(address)).collect();
        let twins: Vec<Cell> = scope.twins.values().map(|&twin| self.resolve(twin)).collect();
        if tests.is_empty() && !older.is_empty() && !holds {
            let (left, right) = (self.pair(&older), self.pair(&twins));
            // Without variables of its own it is a plain disequation.
            if self.variables(&twins, u32::MAX).iter().all(|&address| address < scope.floor) {
                return Ok(Some(self.compound("dif", &[left, right])));
            }
            let (ground, test) = (self.ground(&[left, right], scope.floor), self.compound("\\=", &[left, right]));
            return Ok(Some(self.compound("when", &[ground, test])));
        }
        let goal = self.goals(&scope, &tests);
        let ground = self.ground(&[goal], scope.floor);
        let goal = if holds { goal } else { self.compound("\\+", &[goal]) };
        Ok(Some(self.compound("when", &[ground, goal])))
    }

    /// Reads a conjunction in the scope that was opened for it: the tests that it needs beside its twins.
    fn conjunction(&mut self, literals: Vec<Literal>, depth: u32) -> Result<Vec<Cell>, Stop> {
        let mut rest = self.absorb(literals)?;
        let (integers, atomic) = (self.scope().integers.clone(), self.scope().atomic.clone());
        let mut tests = Vec::new();
        for cell in integers {
            let cell = self.resolve(cell);
            tests.push(self.compound("integer", &[cell]));
        }
        for (cell, ctor) in atomic {
            let cell = self.resolve(cell);
            tests.push(self.is_atomic(cell, ctor));
        }
        tests.extend(self.compounds(&mut rest));
        for literal in rest {
            match self.known(literal) {
                Some(true) => {}
                Some(false) => return Err(Stop::Contradiction),
                None => {
                    let mut before = Vec::new();
                    match self.comparison(literal, Spelling::Plain, &mut before) {
                        Some(comparison) => {
                            tests.append(&mut before);
                            tests.push(comparison);
                        }
                        // What is said about a part whose shape nobody knows cannot be tested.
                        None if literal.0 && self.terms.op(literal.1) != Op::Ite => return Err(Stop::Inexpressible),
                        None => tests.push(self.test(literal, depth + 1)?),
                    }
                }
            }
        }
        Ok(tests)
    }

    /// A condition as a goal, when all that it is about is known.
    pub(super) fn test(&mut self, (holds, term): Literal, depth: u32) -> Result<Cell, Stop> {
        if depth > DEPTH {
            return Err(Stop::Inexpressible);
        }
        self.left = self.left.checked_sub(1).ok_or(Stop::Inexpressible)?;
        if let (Op::Ite, &[condition, then, other]) = (self.terms.op(term), self.terms.args(term)) {
            let condition = self.test((true, condition), depth + 1)?;
            let (then, other) = (self.test((holds, then), depth + 1)?, self.test((holds, other), depth + 1)?);
            let then = self.compound("->", &[condition, then]);
            return Ok(self.compound(";", &[then, other]));
        }
        self.open();
        let read = self.conjunction(vec![(true, term)], depth + 1);
        let scope = self.close();
        let goal = match read {
            Err(Stop::Contradiction) => self.symbols.atom("fail"),
            other => {
                let tests = other?;
                self.goals(&scope, &tests)
            }
        };
        Ok(if holds { goal } else { self.compound("\\+", &[goal]) })
    }

    /// `X = twin` for each variable from outside, and the tests.
    fn goals(&mut self, scope: &Scope, tests: &[Cell]) -> Cell {
        let mut goals: Vec<Cell> = Vec::new();
        for (&address, &twin) in &scope.twins {
            goals.push(self.compound("=", &[Cell::Var(address), twin]));
        }
        goals.extend(tests);
        match goals.split_last() {
            Some((&last, first)) => first.iter().rev().fold(last, |rest, &goal| self.compound(",", &[goal, rest])),
            None => self.symbols.atom("true"),
        }
    }

    /// `A-B-C`.
    fn pair(&mut self, cells: &[Cell]) -> Cell {
        let (&first, rest) = cells.split_first().expect("there is one");
        rest.iter().fold(first, |all, &next| self.compound("-", &[all, next]))
    }

    /// When all variables before an address are ground.
    fn ground(&mut self, cells: &[Cell], floor: u32) -> Cell {
        let variables: Vec<Cell> = self.variables(cells, floor).into_iter().map(Cell::Var).collect();
        match variables.is_empty() {
            true => self.symbols.atom("true"),
            false => {
                let all = self.pair(&variables);
                self.compound("ground", &[all])
            }
        }
    }
}
