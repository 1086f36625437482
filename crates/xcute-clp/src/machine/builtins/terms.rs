//! Taking terms apart and building them; numbers and lengths that are enumerated.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use xcute_trace::Budget;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::{Call, ChoiceKind};
use crate::machine::number::Number;
use crate::machine::shape::ListView;
use crate::machine::unify::Shared;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("functor", 3, Builtin::Plain(functor)),
    ("arg", 3, Builtin::Plain(arg)),
    ("=..", 2, Builtin::Plain(univ)),
    ("copy_term", 2, Builtin::Plain(copy_term)),
    ("term_variables", 2, Builtin::Plain(term_variables)),
    ("between", 3, Builtin::Plain(between)),
    ("succ", 2, Builtin::Plain(succ)),
    ("plus", 3, Builtin::Plain(plus)),
    ("divmod", 4, Builtin::Plain(divmod)),
    ("$must_be_word", 1, Builtin::Plain(must_be_word)),
    ("length", 2, Builtin::Plain(length)),
];

/// The places of a compound with at most this many arguments are told apart where an input says which.
const TOLD_APART: u32 = 16;

/// `functor/3` makes no compounds with more arguments.
const MOST_ARGUMENTS: u32 = 1 << 20;

/// The words of SWI-Prolog's stacks, of a gigabyte as it is started.
const STACK: u64 = 1 << 27;

fn functor(m: &mut Machine<'_>, call: Call) -> Step {
    let term = m.arg(call, 0);
    if let Cell::Var(_) = term {
        let name = m.pinned(m.arg(call, 1), "the name of functor/3")?;
        if let Cell::Struct(_) = name {
            return Err(m.type_error("atomic", name));
        }
        if let Cell::Var(_) = name {
            return Err(m.instantiation_error());
        }
        let arity = m.integer_argument(m.arg(call, 2))?;
        let arity = m.pinned_integer(arity, "the arity of functor/3")?;
        if arity == BigInt::from(0) {
            return m.unify_now(term, name);
        }
        if arity < BigInt::from(0) {
            let culprit = m.symbols.integer(arity);
            return Err(m.domain_error("not_less_than_zero", culprit));
        }
        m.fits_size(&arity)?;
        let Cell::Atom(atom) = name else { return Err(m.type_error("atom", name)) };
        let Some(count) = arity.to_u32().filter(|&count| count < MOST_ARGUMENTS) else { return Err(m.no_room(&arity)) };
        let args: Vec<Cell> = (0..count).map(|_| m.heap.var()).collect();
        let functor = m.symbols.functor(atom, count);
        let made = m.heap.compound(functor, &args);
        return m.unify_now(term, made);
    }
    m.any_functor(term, matches!(m.arg(call, 2), Cell::Int(_)), "functor/3");
    let (name, arity) = match m.opened(term) {
        Cell::Struct(address) => {
            let functor = m.heap.functor(address);
            (Cell::Atom(m.symbols.name(functor)), m.symbols.arity(functor))
        }
        atomic => (atomic, 0),
    };
    Ok(m.unify_now(m.arg(call, 1), name)? && m.unify_now(m.arg(call, 2), Cell::Int(arity.into()))?)
}

fn arg(m: &mut Machine<'_>, call: Call) -> Step {
    let term = m.opened(m.arg(call, 1));
    let Cell::Struct(address) = term else {
        return Err(match term {
            Cell::Var(_) => m.instantiation_error(),
            other => m.type_error("compound", other),
        });
    };
    let arity = m.symbols.arity(m.heap.functor(address));
    if let Cell::Var(_) = m.arg(call, 0) {
        let pair = m.symbols.functor(Atom::MINUS, 2);
        let pattern = m.heap.compound(pair, &[m.arg(call, 0), m.arg(call, 2)]);
        let answers: Vec<Cell> =
            (0..arity).map(|i| m.heap.compound(pair, &[Cell::Int(i64::from(i) + 1), m.heap.at(address + 1 + i)])).collect();
        return m.one_of(pattern, &answers);
    }
    let number = m.integer_argument(m.arg(call, 0))?;
    if m.compare_now("<", number.clone(), Number::Small(0))? {
        return Err(m.domain_error("not_less_than_zero", m.arg(call, 0)));
    }
    if number.as_integer().is_none() && arity <= TOLD_APART {
        for place in 0..arity {
            if m.compare_now("=:=", number.clone(), Number::Small(i64::from(place) + 1))? {
                return m.unify_now(m.arg(call, 2), m.heap.arg(address, place));
            }
        }
        return Ok(false);
    }
    let number = m.pinned_integer(number, "the number of arg/3")?;
    match number.to_u32().filter(|&number| number >= 1 && number <= arity) {
        Some(number) => m.unify_now(m.arg(call, 2), m.heap.arg(address, number - 1)),
        None => Ok(false),
    }
}

fn univ(m: &mut Machine<'_>, call: Call) -> Step {
    let term = m.arg(call, 0);
    let nil = Cell::Atom(Atom::NIL);
    if let Cell::Var(_) = term {
        let items = match m.elements(m.arg(call, 1)) {
            Ok(items) => items,
            Err(ListView::Open(_)) => return Err(m.instantiation_error()),
            Err(_) => return Err(m.type_error("list", m.arg(call, 1))),
        };
        let Some((&name, args)) = items.split_first() else { return Err(m.domain_error("non_empty_list", nil)) };
        let name = m.pinned(name, "the name of =../2")?;
        let made = match (name, args) {
            (Cell::Var(_), _) => return Err(m.instantiation_error()),
            (Cell::Struct(_), []) => return Err(m.type_error("atomic", name)),
            (_, []) => name,
            (Cell::Atom(atom), _) => {
                let functor = m.symbols.functor(atom, u32::try_from(args.len()).expect("few arguments"));
                m.heap.compound(functor, args)
            }
            (other, _) => return Err(m.type_error("atom", other)),
        };
        return m.unify_now(term, made);
    }
    if !matches!(m.arg(call, 1), Cell::Var(_))
        && let ListView::Other(_) = m.list_view(m.arg(call, 1))
    {
        return Err(m.type_error("list", m.arg(call, 1)));
    }
    let proper = m.is_proper(m.arg(call, 1));
    m.any_functor(term, proper, "=../2");
    let list = match m.opened(term) {
        Cell::Struct(address) => {
            let functor = m.heap.functor(address);
            let mut items = vec![Cell::Atom(m.symbols.name(functor))];
            items.extend((0..m.symbols.arity(functor)).map(|i| m.heap.arg(address, i)));
            m.list(&items, nil)
        }
        atomic => m.list(&[atomic], nil),
    };
    match m.improper(m.arg(call, 1)) {
        None => m.unify_now(m.arg(call, 1), list),
        // What is there instead of a list is to blame only where everything before it fits.
        Some((items, tail)) => {
            let rest = m.heap.var();
            let start = m.list(&items, rest);
            if m.unify_now(start, list)? { Err(m.type_error("list", tail)) } else { Ok(false) }
        }
    }
}

impl Machine<'_> {
    /// The items of what ends as no list does, and its end; `None` where that is not known without a decision.
    fn improper(&self, list: Cell) -> Option<(Vec<Cell>, Cell)> {
        let (mut items, mut rest) = (Vec::new(), self.heap.deref(list));
        loop {
            match rest {
                Cell::Struct(address)
                    if (self.symbols.name(self.heap.functor(address)), self.symbols.arity(self.heap.functor(address)))
                        == (Atom::DOT, 2) =>
                {
                    items.push(self.heap.arg(address, 0));
                    rest = self.heap.deref(self.heap.arg(address, 1));
                }
                Cell::Var(_) | Cell::Sym(_) | Cell::Atom(Atom::NIL) => return None,
                _ => return Some((items, rest)),
            }
        }
    }
}

pub(super) fn copy_term(m: &mut Machine<'_>, call: Call) -> Step {
    let copy = m.keep(m.arg(call, 0))?;
    let copy = m.restore(&copy);
    m.unify_now(m.arg(call, 1), copy)
}

/// `copy_term_nat/2`: without the constraints.
pub(super) fn copy_plainly(m: &mut Machine<'_>, call: Call) -> Step {
    let copy = m.freeze(m.arg(call, 0))?;
    let copy = m.heap.thaw(&copy);
    m.unify_now(m.arg(call, 1), copy)
}

fn term_variables(m: &mut Machine<'_>, call: Call) -> Step {
    let variables = m.variables(m.arg(call, 0));
    let list = m.list(&variables, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 1), list)
}

fn between(m: &mut Machine<'_>, call: Call) -> Step {
    let first = m.integer_argument(m.arg(call, 0))?;
    let last = match m.arg(call, 1) {
        Cell::Atom(atom) if matches!(m.symbols.atoms.name(atom), "inf" | "infinite") => None,
        other => Some(m.integer_argument(other)?),
    };
    let value = m.arg(call, 2);
    if let Cell::Var(_) = value {
        return m.enumerate(value, first, last);
    }
    let value = m.integer_argument(value)?;
    Ok(m.compare_now("=<", first, value.clone())? && last.map_or(Ok(true), |last| m.compare_now("=<", value, last))?)
}

fn succ(m: &mut Machine<'_>, call: Call) -> Step {
    let (less, more) = (m.arg(call, 0), m.arg(call, 1));
    let zero = Number::Small(0);
    if let Cell::Var(_) = less {
        let number = m.integer_argument(more)?;
        if m.compare_now("<", number.clone(), zero.clone())? {
            return Err(m.domain_error("not_less_than_zero", more));
        }
        if m.compare_now("=:=", number.clone(), zero)? {
            return Ok(false);
        }
        let result = m.combined("-", number, Number::Small(1))?;
        return m.unify_now(less, result);
    }
    let number = m.integer_argument(less)?;
    if m.compare_now("<", number.clone(), zero.clone())? {
        return Err(m.domain_error("not_less_than_zero", less));
    }
    if !matches!(more, Cell::Var(_)) {
        let number = m.integer_argument(more)?;
        if m.compare_now("<", number, zero)? {
            return Err(m.domain_error("not_less_than_zero", more));
        }
    }
    let result = m.combined("+", number, Number::Small(1))?;
    m.unify_now(more, result)
}

fn plus(m: &mut Machine<'_>, call: Call) -> Step {
    let args = [0, 1, 2].map(|i| m.arg(call, i));
    for arg in args {
        if !matches!(arg, Cell::Var(_)) {
            m.integer_argument(arg)?;
        }
    }
    let open = args.iter().position(|arg| matches!(arg, Cell::Var(_))).unwrap_or(2);
    let (a, b, op) = match open {
        0 => (args[2], args[1], "-"),
        1 => (args[2], args[0], "-"),
        _ => (args[0], args[1], "+"),
    };
    let (a, b) = (m.integer_argument(a)?, m.integer_argument(b)?);
    let result = m.combined(op, a, b)?;
    m.unify_now(args[open], result)
}

/// `divmod(Dividend, Divisor, Quotient, Remainder)`, rounding down.
fn divmod(m: &mut Machine<'_>, call: Call) -> Step {
    let (a, b) = (m.integer_argument(m.arg(call, 0))?, m.integer_argument(m.arg(call, 1))?);
    let (quotient, remainder) = (m.combined("div", a.clone(), b.clone())?, m.combined("mod", a, b)?);
    Ok(m.unify_now(m.arg(call, 2), quotient)? && m.unify_now(m.arg(call, 3), remainder)?)
}

/// `'$must_be_word'(Integer)`: what the library of SWI-Prolog counts with fits into 64 bits; that it does is one decision.
fn must_be_word(m: &mut Machine<'_>, call: Call) -> Step {
    let fits = match m.integer_argument(m.arg(call, 0))? {
        Number::Sym(number) => m.is_within(number, i64::MIN, i64::MAX),
        number => !matches!(number, Number::Big(_)),
    };
    if fits { Ok(true) } else { Err(m.representation_error("int64_t")) }
}

fn length(m: &mut Machine<'_>, call: Call) -> Step {
    let (list, number) = (m.arg(call, 0), m.arg(call, 1));
    if !matches!(number, Cell::Var(_)) {
        let wanted = m.integer_argument(number)?;
        if m.compare_now("<", wanted, Number::Small(0))? {
            return Err(m.domain_error("not_less_than_zero", number));
        }
    }
    let (mut count, mut at) = (0i64, list);
    let open = loop {
        match m.list_view(at) {
            ListView::Nil => return m.unify_now(number, Cell::Int(count)),
            ListView::Cons(_, tail) => {
                (count, at) = (count + 1, tail);
            }
            ListView::Open(address) => break Cell::Var(address),
            ListView::Other(_) => return Err(m.type_error("list", list)),
        }
    };
    if open == number {
        return Ok(false);
    }
    if let Cell::Var(_) = number {
        return m.lengths(open, number, count);
    }
    let wanted = m.integer_argument(number)?;
    if m.compare_now("<", wanted.clone(), Number::Small(count))? {
        return Ok(false);
    }
    let wanted = m.counted_to(wanted, count)?;
    let more = wanted - count;
    let words: BigInt = &more * 3;
    let Some(more) = more.to_usize().filter(|_| words.to_usize().is_some_and(|words| !m.is_too_large(words))) else {
        return Err(m.no_room(&words));
    };
    let items: Vec<Cell> = (0..more).map(|_| m.heap.var()).collect();
    let rest = m.list(&items, Cell::Atom(Atom::NIL));
    m.unify_now(open, rest)
}

impl Machine<'_> {
    /// Something of this many words cannot be made: where SWI-Prolog has no room for it, either, it is an error, and otherwise the run ends.
    pub(crate) fn no_room(&mut self, words: &BigInt) -> Stop {
        if *words > BigInt::from(STACK) { self.error_resource() } else { Stop::Budget(Budget::Memory) }
    }

    /// A size, as SWI-Prolog has it: a number of more than 64 bits is not one.
    pub(crate) fn fits_size(&mut self, size: &BigInt) -> Result<(), Stop> {
        if size.bits() > u64::BITS.into() { Err(self.representation_error("size_t")) } else { Ok(()) }
    }

    fn error_resource(&mut self) -> Stop {
        let what = self.symbols.atom("stack");
        let functor = self.symbols.functor_named("resource_error", 1);
        let formal = self.heap.compound(functor, &[what]);
        self.error(formal)
    }

    /// The value of a number that is at least `from`: decided one after the other, if it depends on the input.
    fn counted_to(&mut self, number: Number, from: i64) -> Result<BigInt, Stop> {
        if let Some(value) = number.as_integer() {
            return Ok(value);
        }
        let mut next = from;
        while !self.compare_now("=:=", number.clone(), Number::Small(next))? {
            self.spend()?;
            next += 1;
        }
        Ok(next.into())
    }

    /// Lists of this length and longer ones.
    pub(crate) fn lengths(&mut self, list: Cell, length: Cell, count: i64) -> Step {
        self.push_choice(ChoiceKind::Lengths { list, length, next: count + 1, extra: 1 });
        let nil = Cell::Atom(Atom::NIL);
        Ok(self.unify_now(list, nil)? && self.unify_now(length, Cell::Int(count))?)
    }

    /// The same, when it is asked again: with `extra` elements more.
    pub(crate) fn longer(&mut self, list: Cell, length: Cell, next: i64, extra: usize) -> Step {
        self.push_choice(ChoiceKind::Lengths { list, length, next: next + 1, extra: extra + 1 });
        let items: Vec<Cell> = (0..extra).map(|_| self.heap.var()).collect();
        let rest = self.list(&items, Cell::Atom(Atom::NIL));
        Ok(self.unify_now(list, rest)? && self.unify_now(length, Cell::Int(next))?)
    }

    /// Binds a variable to a number, and to all up to the last when it is asked again.
    pub(crate) fn enumerate(&mut self, variable: Cell, next: Number, last: Option<Number>) -> Step {
        if let Some(last) = &last
            && !self.compare_now("=<", next.clone(), last.clone())?
        {
            return Ok(false);
        }
        let only = match &last {
            Some(last) => self.compare_now("=:=", next.clone(), last.clone())?,
            None => false,
        };
        let value = self.number_cell(next.clone());
        if !only {
            self.push_choice(ChoiceKind::Between { variable, next, last });
        }
        self.unify_now(variable, value)
    }

    /// The next number of an enumeration.
    pub(crate) fn enumerate_on(&mut self, variable: Cell, last_one: Number, last: Option<Number>) -> Step {
        let next = self.binary_number("+", last_one, Number::Small(1))?;
        self.enumerate(variable, next, last)
    }

    /// Compares two numbers where a builtin predicate depends on it.
    pub(crate) fn compare_now(&mut self, name: &str, a: Number, b: Number) -> Step {
        Ok(match self.comparison(name, a, b) {
            Ok(condition) => self.check(&[condition]),
            Err(known) => known,
        })
    }

    fn combined(&mut self, name: &str, a: Number, b: Number) -> Result<Cell, Stop> {
        let number = self.binary_number(name, a, b)?;
        Ok(self.number_cell(number))
    }

    /// An argument that must be an integer.
    pub(crate) fn integer_argument(&mut self, cell: Cell) -> Result<Number, Stop> {
        match self.heap.deref(cell) {
            Cell::Int(value) => Ok(Number::Small(value)),
            big @ Cell::Big(_) => Ok(Number::Big(self.symbols.as_integer(big).expect("an integer"))),
            Cell::Sym(e) => {
                let holds = match self.is_integer(e) {
                    Some(is) => self.check(&[is]),
                    None => false,
                };
                if !holds {
                    return Err(self.type_error("integer", Cell::Sym(e)));
                }
                let number = self.integer_of(e);
                Ok(self.known_number(number))
            }
            Cell::Var(_) => Err(self.instantiation_error()),
            other => Err(self.type_error("integer", other)),
        }
    }

    /// The value of an integer, fixed if it depends on the input.
    pub(crate) fn pinned_integer(&mut self, number: Number, what: &str) -> Result<BigInt, Stop> {
        Ok(self.fixed(number, what).as_integer().expect("an integer"))
    }

    /// The variables of a term in the order in which they are met.
    pub(crate) fn variables(&self, term: Cell) -> Vec<Cell> {
        let (mut found, mut pending) = (Vec::new(), vec![term]);
        let (mut seen, mut shared) = (rustc_hash::FxHashSet::default(), Shared::default());
        while let Some(cell) = pending.pop() {
            match self.heap.deref(cell) {
                variable @ Cell::Var(_) if seen.insert(variable) => found.push(variable),
                Cell::Struct(address) if !shared.seen(address, address) => {
                    let arity = self.symbols.arity(self.heap.functor(address));
                    pending.extend((0..arity).rev().map(|i| self.heap.at(address + 1 + i)));
                }
                _ => {}
            }
        }
        found
    }

    /// Unifies a pattern with the first of some terms, and with the others when it is asked again.
    pub(crate) fn one_of(&mut self, pattern: Cell, answers: &[Cell]) -> Step {
        let pair = self.symbols.functor(Atom::MINUS, 2);
        // Answers may share variables with the pattern, so both are kept together on the heap.
        let mut later: Vec<Cell> = Vec::new();
        for &answer in answers {
            later.push(self.heap.compound(pair, &[pattern, answer]));
        }
        self.push_choice(ChoiceKind::Pairs { pairs: later.into_iter() });
        Ok(false)
    }
}
