//! Expressions as sums of variables with coefficients; what is not a sum becomes a variable of its own.

use num_bigint::BigInt;
use num_traits::Zero;

use super::store::Propagator;
use crate::machine::Machine;
use crate::machine::cell::{Cell, FunctorId};
use crate::machine::error::Stop;
use crate::machine::number::Number;
use crate::syntax::Atom;

/// A sum.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<(BigInt, Cell)>,
    pub(crate) constant: Number,
}

/// How an expression is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// What is not a sum becomes a variable with a constraint; inputs are decided to be integers.
    Post,
    /// Nothing is posted or decided: variables must be at this address or after it, inputs known to be integers.
    Local(u32),
}

enum Todo {
    Visit(Cell),
    Apply(FunctorId),
}

impl Machine<'_> {
    /// The sum that an expression is. Operations that are none are posted.
    pub(crate) fn linear(&mut self, expression: Cell) -> Result<Linear, Stop> {
        Ok(self.sum(expression, Reading::Post)?.expect("everything can be posted"))
    }

    /// The sum that an expression is, in one of two readings; `None` where nothing may be posted or decided, and it would have to be.
    pub(super) fn sum(&mut self, expression: Cell, reading: Reading) -> Result<Option<Linear>, Stop> {
        let (mut todo, mut done): (_, Vec<Linear>) = (vec![Todo::Visit(expression)], Vec::new());
        while let Some(next) = todo.pop() {
            let part = match next {
                Todo::Visit(cell) => match self.heap.deref(cell) {
                    Cell::Struct(address) => {
                        let functor = self.heap.functor(address);
                        let arity = self.symbols.arity(functor);
                        if !is_operation(self.symbols.atoms.name(self.symbols.name(functor)), arity) {
                            if reading != Reading::Post {
                                self.undecided();
                                return Ok(None);
                            }
                            return Err(self.domain_error("clpfd_expression", Cell::Struct(address)));
                        }
                        todo.push(Todo::Apply(functor));
                        todo.extend((0..arity).rev().map(|i| Todo::Visit(self.heap.arg(address, i))));
                        continue;
                    }
                    Cell::Var(variable) if matches!(reading, Reading::Local(fresh) if variable < fresh) => None,
                    variable @ Cell::Var(_) => Some(Linear { terms: vec![(BigInt::from(1), variable)], constant: Number::Small(0) }),
                    other => self.operand(other, reading)?.map(|constant| Linear { terms: Vec::new(), constant }),
                },
                Todo::Apply(functor) => {
                    let args = done.split_off(done.len() - self.symbols.arity(functor) as usize);
                    self.apply_linear(functor, args, reading)?
                }
            };
            match part {
                Some(part) => done.push(part),
                None => return Ok(None),
            }
        }
        Ok(done.pop())
    }

    fn operand(&mut self, cell: Cell, reading: Reading) -> Result<Option<Number>, Stop> {
        match (reading, cell) {
            (Reading::Post, _) => self.fd_number(cell, "domain_error").map(Some),
            (_, Cell::Int(_) | Cell::Big(_)) => Ok(self.symbols.as_integer(cell).map(Number::integer)),
            (_, Cell::Sym(e)) => {
                let known = self.rec.facts.constructor(self.rec.terms, e);
                if known.is_none() || known != self.universe.integer_ctor() {
                    return Ok(None);
                }
                let number = self.integer_of(e);
                Ok(Some(self.known_number(number)))
            }
            _ => Ok(None),
        }
    }

    /// An integer operand: inputs are decided to be integers.
    pub(crate) fn fd_number(&mut self, cell: Cell, error: &str) -> Result<Number, Stop> {
        let holds = match cell {
            Cell::Int(value) => return Ok(Number::Small(value)),
            Cell::Big(_) => return Ok(Number::Big(self.symbols.as_integer(cell).expect("an integer"))),
            Cell::Sym(e) => match self.is_integer(e) {
                Some(is) => self.check(&[is]),
                None => false,
            },
            _ => false,
        };
        match cell {
            Cell::Sym(e) if holds => {
                let number = self.integer_of(e);
                Ok(self.known_number(number))
            }
            _ if error == "type_error" => Err(self.type_error("integer", cell)),
            _ => Err(self.domain_error("clpfd_expression", cell)),
        }
    }

    fn apply_linear(&mut self, functor: FunctorId, mut args: Vec<Linear>, reading: Reading) -> Result<Option<Linear>, Stop> {
        let name = self.symbols.name(functor);
        if args.len() == 1 {
            let a = args.pop().expect("one");
            if name == Atom::MINUS {
                return self.scaled(&a, &BigInt::from(-1)).map(Some);
            }
            return self.function(functor, vec![a], reading);
        }
        let b = args.pop().expect("two");
        let a = args.pop().expect("two");
        match name {
            Atom::PLUS => self.added(a, b).map(Some),
            Atom::MINUS => {
                let b = self.scaled(&b, &BigInt::from(-1))?;
                self.added(a, b).map(Some)
            }
            Atom::STAR => match (a.value(), b.value()) {
                (Some(factor), _) => self.scaled(&b, &factor).map(Some),
                (_, Some(factor)) => self.scaled(&a, &factor).map(Some),
                _ if a.terms.is_empty() && b.terms.is_empty() => {
                    let constant = self.binary_number("*", a.constant, b.constant)?;
                    Ok(Some(Linear { terms: Vec::new(), constant }))
                }
                _ if reading == Reading::Post && (a.terms.is_empty() || b.terms.is_empty()) => {
                    // A factor that depends on the input: a sum for each of its values, if they are few.
                    let (factor, of) = if a.terms.is_empty() { (&a, &b) } else { (&b, &a) };
                    match self.decided_number(factor.constant.clone())?.as_integer() {
                        Some(factor) => self.scaled(of, &factor).map(Some),
                        None => self.function(functor, vec![a, b], reading),
                    }
                }
                _ => self.function(functor, vec![a, b], reading),
            },
            _ => self.function(functor, vec![a, b], reading),
        }
    }

    pub(crate) fn added(&mut self, mut a: Linear, b: Linear) -> Result<Linear, Stop> {
        a.terms.extend(b.terms);
        a.constant = self.binary_number("+", a.constant, b.constant)?;
        Ok(a)
    }

    pub(crate) fn scaled(&mut self, a: &Linear, factor: &BigInt) -> Result<Linear, Stop> {
        let terms = a.terms.iter().map(|(c, x)| (c * factor, *x)).collect();
        let constant = self.binary_number("*", a.constant.clone(), Number::integer(factor.clone()))?;
        Ok(Linear { terms, constant })
    }

    /// A new variable for the result of an operation; its value, if the arguments have values.
    fn function(&mut self, functor: FunctorId, args: Vec<Linear>, reading: Reading) -> Result<Option<Linear>, Stop> {
        if reading != Reading::Post {
            self.undecided();
            return Ok(None);
        }
        let mut cells = Vec::new();
        for arg in args {
            cells.push(self.linear_cell(arg)?);
        }
        let result = self.heap.var();
        let variables: Vec<u32> =
            cells.iter().chain([&result]).filter_map(|cell| if let Cell::Var(at) = cell { Some(*at) } else { None }).collect();
        self.heap.store.add(Propagator::Function { functor, args: cells, result }, variables.into_iter());
        Ok(Some(Linear { terms: vec![(BigInt::from(1), result)], constant: Number::Small(0) }))
    }

    /// A sum as one cell: a new variable, if it is not one or a number.
    fn linear_cell(&mut self, sum: Linear) -> Result<Cell, Stop> {
        if sum.terms.is_empty() {
            return Ok(self.number_cell(sum.constant));
        }
        if let ([(one, variable)], Number::Small(0)) = (&sum.terms[..], &sum.constant)
            && *one == BigInt::from(1)
        {
            return Ok(*variable);
        }
        let variable = self.heap.var();
        let mut terms = sum.terms;
        terms.push((BigInt::from(-1), variable));
        self.post_linear(Linear { terms, constant: sum.constant }, super::store::Relation::Equal);
        Ok(variable)
    }

    /// Folds what is known into the constant, and variables that occur twice into one.
    pub(crate) fn normal(&mut self, terms: &[(BigInt, Cell)], constant: Number) -> Result<Linear, Stop> {
        let mut sum = Linear { terms: Vec::new(), constant };
        for (coefficient, cell) in terms {
            match self.heap.deref(*cell) {
                variable @ Cell::Var(_) => match sum.terms.iter_mut().find(|(_, known)| *known == variable) {
                    Some((known, _)) => *known += coefficient,
                    None => sum.terms.push((coefficient.clone(), variable)),
                },
                other => {
                    let number = self.fd_number(other, "type_error")?;
                    let product = self.binary_number("*", number, Number::integer(coefficient.clone()))?;
                    sum.constant = self.binary_number("+", sum.constant, product)?;
                }
            }
        }
        sum.terms.retain(|(coefficient, _)| !coefficient.is_zero());
        Ok(sum)
    }
}

impl Linear {
    /// Its value, if it is one that does not depend on the input.
    fn value(&self) -> Option<BigInt> {
        if self.terms.is_empty() { self.constant.as_integer() } else { None }
    }
}

fn is_operation(name: &str, arity: u32) -> bool {
    match arity {
        1 => matches!(name, "-" | "abs"),
        2 => matches!(name, "+" | "-" | "*" | "//" | "div" | "mod" | "rem" | "min" | "max" | "^"),
        _ => false,
    }
}
