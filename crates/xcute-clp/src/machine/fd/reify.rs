//! Constraints as truth values: `#<==>`, `#==>`, `#\/`, `#/\`, `#\`.
//!
//! A comparison gets a variable that is 1 where it holds and 0 where it does not; a connective is again a comparison of the truth values of its parts (`P #\/ Q` is
//! `P + Q #>= 1`), so one propagator does for all. As in Carlsson, Ottosson & Carlson ("An open-ended finite domain constraint solver", 1997), a truth value is known
//! when its constraint is entailed or disentailed by the bounds, and posts the constraint or its negation when it is given.

use num_bigint::BigInt;
use num_traits::Signed;

use super::domain::Domain;
use super::linear::Linear;
use super::store::{Propagator, Relation};
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::number::Number;

enum Todo {
    /// An expression, and what is to blame if it is none.
    Visit(Cell, Cell),
    Apply(String, usize),
}

impl Machine<'_> {
    /// Posts that an expression of constraints holds.
    pub(crate) fn post_reified(&mut self, expression: Cell) -> Step {
        let truth = self.reified(expression)?;
        Ok(self.wake()? && self.unify_now(truth, Cell::Int(1))?)
    }

    /// The truth value of an expression of constraints.
    fn reified(&mut self, expression: Cell) -> Result<Cell, Stop> {
        let (mut todo, mut done) = (vec![Todo::Visit(expression, expression)], Vec::new());
        while let Some(next) = todo.pop() {
            match next {
                Todo::Visit(cell, blamed) => match self.heap.deref(cell) {
                    Cell::Struct(address) => {
                        let functor = self.heap.functor(address);
                        let (name, arity) = (self.symbols.atoms.name(self.symbols.name(functor)).to_owned(), self.symbols.arity(functor));
                        let args: Vec<Cell> = (0..arity).map(|i| self.heap.arg(address, i)).collect();
                        match (name.as_str(), &args[..]) {
                            ("#<==>" | "#==>" | "#<==" | "#\\/" | "#/\\" | "#\\", [_, _]) | ("#\\", [_]) => {
                                todo.push(Todo::Apply(name.clone(), args.len()));
                                // `P #\ Q` is `(P #\/ Q) #/\ …`, `P #<== Q` is `Q #==> P`: that decides what is to blame.
                                let whole = (name == "#\\" && args.len() == 2).then(|| {
                                    let either = self.symbols.functor_named("#\\/", 2);
                                    self.heap.compound(either, &args)
                                });
                                let mut parts: Vec<Todo> = args.iter().map(|&arg| Todo::Visit(arg, whole.unwrap_or(arg))).collect();
                                if name == "#<==" {
                                    let Some(Todo::Apply(last, _)) = todo.last_mut() else { unreachable!("just pushed") };
                                    "#==>".clone_into(last);
                                    parts.reverse();
                                }
                                todo.extend(parts.into_iter().rev());
                            }
                            ("#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=", &[a, b]) => {
                                let (a, b) = (self.linear(a)?, self.linear(b)?);
                                done.push(self.truth_of(&name, a, b)?);
                            }
                            ("in", &[variable, domain]) => done.push(self.truth_of_domain(variable, domain)?),
                            _ => return Err(self.domain_error("clpfd_reifiable_expression", blamed)),
                        }
                    }
                    Cell::Var(variable) => {
                        if !self.narrow(variable, boolean())? {
                            done.push(Cell::Int(2));
                        } else {
                            done.push(Cell::Var(variable));
                        }
                    }
                    other => {
                        let fits = match self.fd_number(other, "type_error") {
                            Ok(number) => self.inside(number, &boolean())?,
                            Err(Stop::Throw(_)) => false,
                            Err(stop) => return Err(stop),
                        };
                        if !fits {
                            return Err(self.domain_error("clpfd_reifiable_expression", blamed));
                        }
                        done.push(other);
                    }
                },
                Todo::Apply(name, arity) => {
                    let parts: Vec<Linear> = done.split_off(done.len() - arity).into_iter().map(single).collect();
                    done.push(self.connected(&name, parts)?);
                }
            }
        }
        Ok(done.pop().expect("one result"))
    }

    /// The truth value of a connective, by those of its parts.
    fn connected(&mut self, name: &str, mut parts: Vec<Linear>) -> Result<Cell, Stop> {
        let constant = |value| Linear { terms: Vec::new(), constant: Number::Small(value) };
        let q = parts.pop().expect("at least one");
        let Some(p) = parts.pop() else { return self.truth_of("#=", q, constant(0)) };
        match name {
            "#<==>" => self.truth_of("#=", p, q),
            "#==>" => self.truth_of("#=<", p, q),
            "#<==" => self.truth_of("#>=", p, q),
            "#\\" => self.truth_of("#\\=", p, q),
            _ => {
                let sum = self.added(p, q)?;
                self.truth_of("#>=", sum, constant(if name == "#\\/" { 1 } else { 2 }))
            }
        }
    }

    /// A new truth value for a comparison.
    fn truth_of(&mut self, name: &str, a: Linear, b: Linear) -> Result<Cell, Stop> {
        let (sum, relation) = self.row(name, a, b)?;
        let truth = self.heap.var();
        let Cell::Var(variable) = truth else { unreachable!("just made") };
        self.narrow(variable, boolean())?;
        let mut variables = vec![variable];
        variables.extend(sum.terms.iter().filter_map(|(_, cell)| if let Cell::Var(at) = self.heap.deref(*cell) { Some(at) } else { None }));
        let Linear { terms, constant } = sum;
        self.heap.store.add(Propagator::Reified { terms, constant, relation, truth }, variables.into_iter());
        Ok(truth)
    }

    /// Whether a variable is in one of the intervals of a domain.
    fn truth_of_domain(&mut self, variable: Cell, domain: Cell) -> Result<Cell, Stop> {
        let mut any: Option<Cell> = None;
        for (low, high) in self.intervals(domain)? {
            let bound = |number| Linear { terms: Vec::new(), constant: number };
            let mut both: Option<Cell> = None;
            for (name, number) in [("#>=", low), ("#=<", high)] {
                let Some(number) = number else { continue };
                let value = self.linear(variable)?;
                let truth = self.truth_of(name, value, bound(number))?;
                both = Some(match both {
                    Some(known) => self.connected("#/\\", vec![single(known), single(truth)])?,
                    None => truth,
                });
            }
            let inside = both.unwrap_or(Cell::Int(1));
            any = Some(match any {
                Some(known) => self.connected("#\\/", vec![single(known), single(inside)])?,
                None => inside,
            });
        }
        Ok(any.unwrap_or(Cell::Int(0)))
    }

    /// The propagator of a truth value.
    pub(super) fn reified_now(&mut self, sum: &Linear, relation: Relation, truth: Cell) -> Step {
        let truth = self.heap.deref(truth);
        if !matches!(truth, Cell::Var(_)) {
            let number = self.fd_number(truth, "type_error")?;
            if self.compare_now("=:=", number, Number::Small(1))? {
                return self.sum_now(sum.clone(), relation);
            }
            let (sum, relation) = self.negated(sum, relation)?;
            return self.sum_now(sum, relation);
        }
        let known =
            if sum.terms.is_empty() { Some(self.holds_now(relation, sum.constant.clone())?) } else { self.entailed(sum, relation)? };
        match known {
            Some(holds) => self.equal_now(truth, Cell::Int(i64::from(holds))),
            None => Ok(true),
        }
    }

    fn negated(&mut self, sum: &Linear, relation: Relation) -> Result<(Linear, Relation), Stop> {
        Ok(match relation {
            Relation::Equal => (sum.clone(), Relation::Unequal),
            Relation::Unequal => (sum.clone(), Relation::Equal),
            Relation::AtMost => {
                // Not s ≤ 0 is 1 - s ≤ 0.
                let mut sum = self.scaled(sum, &BigInt::from(-1))?;
                sum.constant = self.binary_number("+", sum.constant, Number::Small(1))?;
                (sum, Relation::AtMost)
            }
        })
    }

    /// Whether the bounds show that a comparison holds, or that it does not.
    fn entailed(&mut self, sum: &Linear, relation: Relation) -> Result<Option<bool>, Stop> {
        let zero = Number::Small(0);
        let (least, minus) = (self.least_of(sum, 1)?, self.least_of(sum, -1)?);
        let mut compare = |bound: &Option<Number>, name: &str| match bound {
            Some(bound) => self.compare_now(name, bound.clone(), zero.clone()),
            None => Ok(false),
        };
        if relation == Relation::AtMost {
            // The greatest value is the least of the negative, negated.
            return Ok(if compare(&least, ">")? { Some(false) } else { compare(&minus, ">=")?.then_some(true) });
        }
        let apart = compare(&least, ">")? || compare(&minus, ">")?;
        let equal = !apart && compare(&least, "=:=")? && compare(&minus, "=:=")?;
        let equal = if apart || !equal && self.left_out(sum)? { Some(false) } else { equal.then_some(true) };
        Ok(if relation == Relation::Equal { equal } else { equal.map(|equal| !equal) })
    }

    /// Whether the only value that makes a sum zero is left out of the domain of its only variable.
    fn left_out(&mut self, sum: &Linear) -> Step {
        let [(coefficient, Cell::Var(variable))] = &sum.terms[..] else { return Ok(false) };
        let value = self.binary_number("-", Number::Small(0), sum.constant.clone())?;
        let remainder = self.binary_number("mod", value.clone(), Number::integer(coefficient.abs()))?;
        if self.compare_now("=\\=", remainder, Number::Small(0))? {
            return Ok(true);
        }
        let quotient = self.binary_number("//", value, Number::integer(coefficient.clone()))?;
        for (from, to) in self.heap.store.holes(*variable) {
            if self.compare_now("=<", Number::integer(from), quotient.clone())?
                && self.compare_now("=<", quotient.clone(), Number::integer(to))?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn boolean() -> Domain {
    Domain { low: Some(Number::Small(0)), high: Some(Number::Small(1)), holes: Vec::new() }
}

fn single(cell: Cell) -> Linear {
    match cell {
        Cell::Int(value) => Linear { terms: Vec::new(), constant: Number::Small(value) },
        other => Linear { terms: vec![(BigInt::from(1), other)], constant: Number::Small(0) },
    }
}
