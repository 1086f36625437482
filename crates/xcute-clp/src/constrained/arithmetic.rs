//! Conditions over numbers, as constraints of `clpfd` and as tests with `is`-expressions.
//!
//! Division in conditions is SMT-LIB's, whose remainder is never negative: `m mod n` is Prolog's `m mod abs(n)`.

use num_traits::Signed;
use xcute_term::{Op, TermId, Value};

use super::DEPTH;
use super::scope::{Literal, Reading};
use crate::machine::cell::Cell;

/// A comparison with its sides exchanged.
fn turned(name: &str) -> &str {
    match name {
        "<" => ">",
        ">" => "<",
        "=<" => ">=",
        ">=" => "=<",
        same => same,
    }
}

/// How comparisons are spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `#<`: as constraints.
    Clpfd,
    /// `<`: on values.
    Plain,
}

impl Reading<'_> {
    pub(super) fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let functor = self.symbols.functor_named(name, u32::try_from(args.len()).expect("few arguments"));
        self.heap.compound(functor, args)
    }

    /// A comparison of numbers; `None` if it is another condition. Choices within expressions become goals in `before`, and cannot be constraints.
    pub(super) fn comparison(&mut self, (holds, term): Literal, spelling: Spelling, before: &mut Vec<Cell>) -> Option<Cell> {
        let &[a, b] = self.terms.args(term) else { return None };
        let (mut a, mut b) = (self.expression(a, spelling, before, 0)?, self.expression(b, spelling, before, 0)?);
        // Only `<` and `=<` exist in terms; a number is better read on the right.
        let mut name = match (self.terms.op(term), holds) {
            (Op::Eq, true) => "=",
            (Op::Eq, false) => "\\=",
            (Op::Lt, true) => "<",
            (Op::Lt, false) => ">=",
            (Op::Le, true) => "=<",
            (Op::Le, false) => ">",
            _ => return None,
        };
        if matches!(a, Cell::Int(_) | Cell::Big(_)) {
            (a, b, name) = (b, a, turned(name));
        }
        if let (Some(inner), Some(number)) = (self.negated(a), self.symbols.as_integer(b)) {
            (a, b, name) = (inner, self.symbols.integer(-number), turned(name));
        }
        let name = match (spelling, name) {
            (Spelling::Clpfd, name) => format!("#{name}"),
            (Spelling::Plain, "=") => "=:=".to_owned(),
            (Spelling::Plain, "\\=") => "=\\=".to_owned(),
            (Spelling::Plain, name) => name.to_owned(),
        };
        Some(self.compound(&name, &[a, b]))
    }

    pub(super) fn expression(&mut self, term: TermId, spelling: Spelling, before: &mut Vec<Cell>, depth: u32) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEPTH {
            return None;
        }
        if let Some(Value::Int(value)) = self.terms.as_value(term) {
            return Some(self.symbols.integer(value.clone()));
        }
        let (op, args) = (self.terms.op(term), self.terms.args(term).to_vec());
        if let (Op::Select(ctor, 0), &[of]) = (op, &args[..]) {
            let cell = self.place(of)?;
            let integer = Some(ctor) == self.universe.integer_ctor() && self.constructor(cell) == Some(ctor);
            return integer.then(|| self.resolve(cell));
        }
        if let (Op::Ite, &[condition, then, other]) = (op, &args[..]) {
            if spelling == Spelling::Clpfd {
                return None;
            }
            let mut inner = Vec::new();
            let (then, other) =
                (self.expression(then, spelling, &mut inner, depth + 1)?, self.expression(other, spelling, &mut inner, depth + 1)?);
            before.append(&mut inner);
            let condition = self.test((true, condition), depth + 1).ok()?;
            let value = self.heap.var();
            let (then, other) = (self.compound("=", &[value, then]), self.compound("=", &[value, other]));
            let then = self.compound("->", &[condition, then]);
            before.push(self.compound(";", &[then, other]));
            return Some(value);
        }
        if let (Op::IntDiv, &[a, b], Spelling::Clpfd) = (op, &args[..], spelling)
            && let Some((quotient, opposite)) = self.quotient(a, b)
        {
            return Some(if opposite { self.compound("-", &[quotient]) } else { quotient });
        }
        let mut cells = Vec::new();
        for arg in args {
            cells.push(self.expression(arg, spelling, before, depth + 1)?);
        }
        Some(match (op, &cells[..]) {
            (Op::Add, [first, rest @ ..]) => rest.iter().fold(*first, |sum, &next| self.added(sum, next)),
            (Op::Mul, [first, rest @ ..]) => rest.iter().fold(*first, |product, &next| self.compound("*", &[product, next])),
            (Op::Sub, &[a, b]) => self.compound("-", &[a, b]),
            (Op::Neg, &[a]) => self.compound("-", &[a]),
            (Op::IntMod, &[a, b]) => {
                let divisor = self.positive(b);
                self.compound("mod", &[a, divisor])
            }
            (Op::IntDiv, &[a, b]) => {
                let divisor = self.positive(b);
                if divisor == b {
                    self.compound("div", &[a, b])
                } else {
                    let rest = self.compound("mod", &[a, divisor]);
                    let multiple = self.compound("-", &[a, rest]);
                    self.compound("//", &[multiple, b])
                }
            }
            _ => return None,
        })
    }

    /// `X` of `-X`.
    fn negated(&self, cell: Cell) -> Option<Cell> {
        let Cell::Struct(address) = cell else { return None };
        let functor = self.heap.functor(address);
        let minus = self.symbols.arity(functor) == 1 && self.symbols.atoms.name(self.symbols.name(functor)) == "-";
        minus.then(|| self.heap.arg(address, 0))
    }

    /// A sum, or a difference where a term is negative.
    fn added(&mut self, sum: Cell, next: Cell) -> Cell {
        if let Some(inner) = self.negated(next) {
            return self.compound("-", &[sum, inner]);
        }
        match self.symbols.as_integer(next).filter(Signed::is_negative) {
            Some(number) => {
                let number = self.symbols.integer(-number);
                self.compound("-", &[sum, number])
            }
            None => self.compound("+", &[sum, next]),
        }
    }

    /// The absolute value: the number itself where it is known to be positive.
    fn positive(&mut self, divisor: Cell) -> Cell {
        match divisor {
            Cell::Int(value) if value > 0 => divisor,
            Cell::Int(value) if value > i64::MIN => Cell::Int(-value),
            _ => self.compound("abs", &[divisor]),
        }
    }
}
