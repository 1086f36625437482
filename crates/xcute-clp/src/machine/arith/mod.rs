//! Arithmetic: expressions are evaluated to numbers, which may be expressions over the integers of the input.
//!
//! As in SWI-Prolog, the last operand is evaluated first, and all of them before their functor is looked at: that decides which error is thrown.
//!
//! **Invariant.** What cannot be said over the integers or in IEEE arithmetic (functions of floats, for example) is computed with the values of the run,
//! which are fixed by decisions and counted.

mod bits;
mod bitwise;
mod compute;
mod infinite;
mod mixed;
mod reals;

use std::cmp::Ordering;

use xcute_term::{Op, TermId, Value};

use super::Machine;
use super::cell::{Cell, FunctorId};
use super::error::Stop;
use super::number::Number;
use super::shape::ListView;
use crate::syntax::Atom;

/// The last code of Unicode.
const LAST_CODE: i64 = 0x10_ffff;

enum Todo {
    Visit(Cell),
    Apply(FunctorId),
}

impl Machine<'_> {
    /// Evaluates an expression.
    pub(crate) fn evaluate(&mut self, expression: Cell) -> Result<Number, Stop> {
        match self.heap.deref(expression) {
            Cell::Int(value) => return Ok(Number::Small(value)),
            Cell::Sym(_) | Cell::Struct(_) => {}
            other => return self.number(other),
        }
        let (mut todo, mut done) = (vec![Todo::Visit(expression)], Vec::new());
        while let Some(next) = todo.pop() {
            self.walk()?;
            match next {
                Todo::Visit(cell) => match self.heap.deref(cell) {
                    Cell::Struct(address) => self.visit(address, &mut todo, &mut done)?,
                    Cell::Sym(e) => match self.input_number(e)? {
                        Ok(number) => done.push(number),
                        Err(functor) => {
                            let Cell::Struct(address) = self.expand(e, functor) else { unreachable!("a compound") };
                            self.visit(address, &mut todo, &mut done)?;
                        }
                    },
                    other => done.push(self.number(other)?),
                },
                Todo::Apply(functor) => {
                    let operands = done.len() - self.symbols.arity(functor) as usize;
                    // The last was evaluated first.
                    let result = match done.split_off(operands).as_slice() {
                        [a] => self.unary(self.symbols.name(functor), a.clone())?,
                        [b, a] => self.binary(self.symbols.name(functor), a.clone(), b.clone())?,
                        [c, b, a] => self.ternary(functor, [a, b, c])?,
                        _ => return Err(self.not_evaluable(functor)),
                    };
                    done.push(result);
                }
            }
        }
        Ok(done.pop().expect("one result"))
    }

    fn visit(&mut self, address: u32, todo: &mut Vec<Todo>, done: &mut Vec<Number>) -> Result<(), Stop> {
        let functor = self.heap.functor(address);
        if (self.symbols.name(functor), self.symbols.arity(functor)) == (Atom::DOT, 2) {
            done.push(self.character(address, false)?);
            return Ok(());
        }
        if self.symbols.atoms.name(self.symbols.name(functor)) == "roundtoward" {
            // Its second operand is not an expression.
            return Err(self.no_function(self.symbols.name(functor), 2));
        }
        todo.push(Todo::Apply(functor));
        todo.extend((0..self.symbols.arity(functor)).map(|i| Todo::Visit(self.heap.arg(address, i))));
        Ok(())
    }

    /// `[X]` is the code of a character, or a code itself. Where it was open whether this is a list at all, a code stands for all characters, as it does for all
    /// that evaluates to a number.
    fn character(&mut self, address: u32, open: bool) -> Result<Number, Stop> {
        let item = self.heap.arg(address, 0);
        let code = match item {
            Cell::Var(_) => return Err(self.instantiation_error()),
            Cell::Int(code @ 0..=LAST_CODE) => Some(Number::Small(code)),
            Cell::Atom(name) => single(self.symbols.atoms.name(name)),
            Cell::Sym(e) => self.input_character(e, open)?,
            _ => None,
        };
        let Some(code) = code else { return Err(self.type_error("character", item)) };
        if self.list_view(self.heap.arg(address, 1)) == ListView::Nil {
            Ok(code)
        } else {
            Err(self.not_one_character(Cell::Struct(address)))
        }
    }

    /// `type_error([], Text)`.
    pub(crate) fn not_one_character(&mut self, text: Cell) -> Stop {
        let functor = self.symbols.functor_named("type_error", 2);
        let formal = self.heap.compound(functor, &[Cell::Atom(Atom::NIL), text]);
        self.error(formal)
    }

    fn input_character(&mut self, e: TermId, open: bool) -> Result<Option<Number>, Stop> {
        if let Some(is) = self.is_integer(e)
            && self.check(&[is])
        {
            let number = self.integer_of(e);
            let (first, last) = (self.rec.terms.value(Value::Int(0.into())), self.rec.terms.value(Value::Int(LAST_CODE.into())));
            let range = [self.rec.terms.mk(Op::Le, &[first, number]), self.rec.terms.mk(Op::Le, &[number, last])];
            if open {
                self.taken_for_characters.insert(e);
            }
            return Ok(self.check(&range).then(|| self.known_number(number)));
        }
        if let Some(code) = self.spelled_element(e) {
            return Ok(code);
        }
        for constant in self.universe.constants().to_vec() {
            if let Cell::Atom(name) = constant
                && let Some(code) = single(self.symbols.atoms.name(name))
                && self.is_the_constant(e, constant)
            {
                return Ok(Some(code));
            }
        }
        if !open && !self.is_of_the_program(e) {
            self.may_be_a_character();
        }
        Ok(None)
    }

    fn may_be_a_character(&mut self) {
        self.rec.limit("universe", "the element of a list that is evaluated: it may be a character", true);
    }

    fn is_the_constant(&mut self, e: TermId, constant: Cell) -> bool {
        let term = self.universe.constant(self.rec.terms, self.symbols, constant).expect("a constant");
        let is = self.rec.terms.mk(Op::Eq, &[e, term]);
        self.check(&[is])
    }

    /// The error for a functor that is not a function; a few are functions that this machine does not have.
    fn not_evaluable(&mut self, functor: FunctorId) -> Stop {
        let (name, arity) = (self.symbols.name(functor), self.symbols.arity(functor));
        self.no_function(name, arity)
    }

    pub(super) fn no_function(&mut self, name: Atom, arity: u32) -> Stop {
        let text = self.symbols.atoms.name(name);
        if compute::MISSING.contains(&(text, arity)) {
            let what = format!("{text}/{arity} in an expression");
            return self.not_supported(&what);
        }
        let culprit = if name == Atom::NIL { Cell::Atom(name) } else { self.indicator(Cell::Atom(name), arity) };
        self.type_error("evaluable", culprit)
    }

    fn number(&mut self, cell: Cell) -> Result<Number, Stop> {
        match cell {
            Cell::Int(value) => Ok(Number::Small(value)),
            Cell::Big(_) => Ok(Number::Big(self.symbols.as_integer(cell).expect("an integer"))),
            Cell::Float(bits) => Ok(Number::Float(f64::from_bits(bits))),
            Cell::Var(_) => Err(self.instantiation_error()),
            Cell::Atom(name) => match compute::constant(self.symbols.atoms.name(name)) {
                Some(value) => Ok(value),
                None => Err(self.no_function(name, 0)),
            },
            Cell::Str(id) => match single(self.symbols.text(id)) {
                Some(code) => Ok(code),
                None => Err(self.not_one_character(cell)),
            },
            other => Err(self.type_error("evaluable", other)),
        }
    }

    /// The number that an input is; `Err` with the functor if it is a compound expression.
    fn input_number(&mut self, e: TermId) -> Result<Result<Number, FunctorId>, Stop> {
        let open = self.rec.facts.constructor(self.rec.terms, e).is_none();
        if self.taken_for_characters.contains(&e) {
            self.may_be_a_character();
        }
        if let Some(is) = self.is_integer(e)
            && self.check(&[is])
        {
            self.take_for_number(e, open);
            let number = self.integer_of(e);
            return Ok(Ok(self.known_number(number)));
        }
        if let Some(real) = self.input_real(e)? {
            self.take_for_number(e, open);
            return Ok(Ok(real));
        }
        for index in 0..self.universe.functors().len() {
            let (functor, arity) = self.universe.functors()[index];
            if compute::evaluable(self.symbols.atoms.name(self.symbols.name(functor)), arity)
                && let Some(is) = self.has_functor(e, functor)
                && self.check(&[is])
            {
                return Ok(Err(functor));
            }
        }
        if let Some(code) = self.spelled_code(e)? {
            return Ok(Ok(code));
        }
        for constant in self.universe.constants().iter().chain(self.universe.strings()).copied().collect::<Vec<Cell>>() {
            let evaluable = match constant {
                Cell::Atom(name) => compute::constant(self.symbols.atoms.name(name)).is_some(),
                Cell::Str(id) => self.symbols.text(id).chars().count() == 1,
                _ => false,
            };
            if evaluable && self.is_the_constant(e, constant) {
                return self.number(constant).map(Ok);
            }
        }
        let dot = self.symbols.functor(Atom::DOT, 2);
        if let Some(is) = self.has_functor(e, dot)
            && self.check(&[is])
        {
            let Cell::Struct(address) = self.expand(e, dot) else { unreachable!("just made") };
            let code = self.character(address, open);
            if code.is_err() {
                self.not_numbers.push(e);
            }
            return code.map(Ok);
        }
        if self.looked_at.contains(&e) && !self.is_of_the_program(e) {
            let what = "an input that is evaluated after its kind was looked at: it may be an expression other than a number";
            self.rec.limit("universe", what, true);
        }
        if self.universe.blamed() {
            self.rec.limit("universe", "what is not a number in an expression, where the program looks at the error", true);
        }
        self.not_numbers.push(e);
        // What it is makes no difference: it is not a number. Which part of it is to blame is not decided, either: there would be a path for each, without end.
        match self.valued(Cell::Sym(e)) {
            value @ Cell::Struct(_) => self.evaluate(value).map(Ok),
            constant => self.number(constant).map(Ok),
        }
    }

    /// Whether an input is known to be a constant, or to have a functor of the program; the fresh one, all of `t`, stands for all others.
    fn is_of_the_program(&mut self, e: TermId) -> bool {
        if self.rec.facts.constant(self.rec.terms, e).is_some() {
            return true;
        }
        let functor = self.rec.facts.constructor(self.rec.terms, e).and_then(|ctor| self.universe.functor(ctor));
        functor.is_some_and(|(functor, _)| self.symbols.atoms.name(self.symbols.name(functor)).chars().any(|c| c != 't'))
    }

    /// Whatever evaluates to a number stands for all that do, unless it is looked at later.
    fn take_for_number(&mut self, e: TermId, open: bool) {
        if open {
            self.taken_for_numbers.insert(e);
        }
    }

    /// The kind of an input is looked at. One that was evaluated could be an expression that the program does not write: `1+1`, `pi`, `[a]`.
    pub(crate) fn look_at_kind(&mut self, e: TermId) {
        self.looked_at.insert(e);
        if self.taken_for_characters.contains(&e) {
            self.may_be_a_character();
        }
        if self.taken_for_numbers.contains(&e) {
            self.rec.limit("universe", "the kind of an input after it was evaluated: it may be an expression other than a number", true);
        }
    }

    /// A term of sort Int as a number.
    pub(crate) fn known_number(&mut self, term: TermId) -> Number {
        match self.rec.terms.as_value(term) {
            Some(Value::Int(value)) => Number::integer(value.clone()),
            _ => match self.rec.facts.bounds(self.rec.terms, term) {
                (Some(low), Some(high)) if low == high => Number::integer(low),
                _ => Number::Sym(term),
            },
        }
    }

    /// The result of a binary operator.
    pub(crate) fn binary_number(&mut self, name: &str, a: Number, b: Number) -> Result<Number, Stop> {
        let name = self.symbols.atoms.intern(name);
        self.binary(name, a, b)
    }

    /// A number as a cell.
    pub(crate) fn number_cell(&mut self, number: Number) -> Cell {
        match number {
            Number::Small(value) => Cell::Int(value),
            Number::Big(value) => self.symbols.integer(value),
            Number::Float(value) => Cell::Float(value.to_bits()),
            Number::Sym(term) => self.integer_cell(term),
            Number::Real(term) => self.real_cell(term),
        }
    }

    /// An integer as a term of sort Int; `None` for a float.
    pub(crate) fn number_term(&mut self, number: &Number) -> Option<TermId> {
        match number {
            Number::Sym(term) => Some(*term),
            Number::Float(_) | Number::Real(_) => None,
            other => {
                let value = other.as_integer().expect("an integer");
                Some(self.rec.terms.value(Value::Int(value)))
            }
        }
    }

    /// A number that does not depend on the input: fixed to its value where it did.
    pub(crate) fn fixed(&mut self, number: Number, what: &str) -> Number {
        match number {
            Number::Sym(_) | Number::Real(_) if let Some(trial) = self.trial.as_mut().filter(|trial| !trial.deciding) => {
                trial.undecided = true;
                Number::Small(0)
            }
            Number::Sym(term) => {
                let site = self.sites_here().pin;
                match self.rec.pin(site, term, what) {
                    Value::Int(value) => Number::integer(value),
                    _ => unreachable!("a term of sort Int"),
                }
            }
            Number::Real(term) => {
                let site = self.sites_here().pin;
                Number::Float(f64::from_bits(self.rec.pin(site, term, what).as_u64().expect("a float")))
            }
            other => other,
        }
    }

    /// The condition that two numbers compare so; `Err` with the answer where it does not depend on the input.
    pub(crate) fn comparison(&mut self, name: &str, a: Number, b: Number) -> Result<TermId, bool> {
        if a.is_float() || b.is_float() {
            let (a, b) = match self.real_comparison(name, a, b) {
                Ok(condition) => return Ok(condition),
                Err(both) => both,
            };
            if let Some(decided) = self.against_a_constant(name, &a, &b) {
                return decided;
            }
            let what = "an integer compared with a float";
            let (a, b) = (self.fixed(a, what), self.fixed(b, what));
            return Err(compared(name, compute::compare(&a, &b)));
        }
        if !a.is_open() && !b.is_open() {
            return Err(compared(name, compute::compare(&a, &b)));
        }
        let (a, b) = (self.number_term(&a).expect("no float"), self.number_term(&b).expect("no float"));
        let terms = &mut self.rec.terms;
        Ok(match name {
            "<" => terms.mk(Op::Lt, &[a, b]),
            ">" => terms.mk(Op::Lt, &[b, a]),
            "=<" => terms.mk(Op::Le, &[a, b]),
            ">=" => terms.mk(Op::Le, &[b, a]),
            "=:=" => terms.mk(Op::Eq, &[a, b]),
            _ => {
                let same = terms.mk(Op::Eq, &[a, b]);
                terms.not(same)
            }
        })
    }
}

/// Whether a functor is evaluable.
pub(crate) fn is_evaluable(name: &str, arity: u32) -> bool {
    compute::evaluable(name, arity)
}

/// Whether a comparison holds of numbers in this order.
fn compared(name: &str, order: Option<Ordering>) -> bool {
    match name {
        "<" => order == Some(Ordering::Less),
        ">" => order == Some(Ordering::Greater),
        "=<" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "=:=" => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

/// The code of the only character of a text.
fn single(text: &str) -> Option<Number> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => Some(Number::Small(i64::from(u32::from(one)))),
        _ => None,
    }
}

/// The order of two numbers that do not depend on the input.
pub(crate) fn order(a: &Number, b: &Number) -> Ordering {
    compute::compare_exactly(a, b).unwrap_or(Ordering::Equal)
}
