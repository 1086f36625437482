//! Looking at values: what is known of a term that depends on the input, and conditions about its kind.
//!
//! **Invariant.** Looking decides nothing: it only uses what decisions before it imply, and what the type of an input says.

use num_traits::ToPrimitive;
use xcute_term::{CtorId, FloatFormat, Op, TermId, Value};

use super::value::{Heap, Val, length};
use super::{Ctx, Machine, Res, Stop};
use crate::etf::{Atom, Term};
use crate::universe::{
    ABSENT, ATOM, BITS, CONS, ENTRY, FLOAT, FUN, INTEGER, MAP, MORE, NIL, NO_ENTRY, NO_MORE, PID, PORT, PRESENT, REFERENCE, TUPLE, data,
    functions, is, numbered, select,
};

/// The kinds of terms that type tests ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Atom,
    Boolean,
    Integer,
    Float,
    Number,
    Nil,
    Cons,
    List,
    Tuple,
    Map,
    Bitstring,
    Binary,
    Fun,
    Pid,
    Reference,
    Port,
}

impl Machine<'_> {
    /// A value with its outermost constructor, as far as that is known.
    pub(crate) fn known(&mut self, value: Val) -> Val {
        let Val::Sym(term) = value else { return value };
        let mut term = term;
        if let Some(constant) = self.rec.facts.constant(self.rec.terms, term) {
            match self.constant(constant) {
                Some(constant) => return constant,
                // A function in it has no other form than a term.
                None => term = constant,
            }
        }
        self.domain.look(&mut self.rec, term);
        let Some(ctor) = self.rec.facts.constructor(self.rec.terms, term) else { return value };
        match ctor {
            NIL => Val::Nil,
            CONS => {
                let (head, tail) = (select(self.rec.terms, CONS, 0, term), select(self.rec.terms, CONS, 1, term));
                self.heap.cons(Val::Sym(head), Val::Sym(tail))
            }
            INTEGER => {
                let number = select(self.rec.terms, INTEGER, 0, term);
                self.integer_value(number)
            }
            FLOAT => {
                let bits = self.domain.look_at_constant(&mut self.rec, FLOAT, term);
                let float = self.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
                self.float_value(float)
            }
            ATOM => {
                let number = self.domain.look_at_constant(&mut self.rec, ATOM, term);
                match self.rec.facts.constant(self.rec.terms, number).and_then(|number| self.rec.terms.as_value(number)) {
                    Some(Value::Int(number)) => Val::Atom(self.atoms.intern(&self.program.universe.atom_name(&number.clone()))),
                    _ => value,
                }
            }
            TUPLE => self.known_tuple(term).unwrap_or(value),
            MAP | BITS | FUN => value,
            kind => {
                let number = self.domain.look_at_constant(&mut self.rec, kind, term);
                match self.rec.facts.constant(self.rec.terms, number).and_then(|number| self.rec.terms.as_value(number)) {
                    Some(Value::Int(number)) => {
                        let term = self.program.universe.tabled(kind, &number.clone());
                        self.heap.literal(&term)
                    }
                    _ => value,
                }
            }
        }
    }

    /// A value with all its parts as far as they are known. As deep as the value is nested, lists aside.
    pub(crate) fn resolved(&mut self, value: Val) -> Val {
        let (mut items, mut at) = (Vec::new(), self.known(value));
        while let Val::Cons(cell) = at {
            let (head, tail) = self.heap.cell(cell);
            items.push(self.resolved(head));
            at = self.known(tail);
        }
        if let Val::Tuple(tuple) = at {
            let elements: Vec<Val> = self.heap.elements(tuple).to_vec();
            let elements: Vec<Val> = elements.into_iter().map(|element| self.resolved(element)).collect();
            at = self.heap.tuple(&elements);
        }
        if let Val::Map(map) = at
            && self.heap.is_symbolic(at)
        {
            let pairs: Vec<Val> = self.heap.pairs(map).to_vec();
            let pairs: Vec<[Val; 2]> = pairs.chunks_exact(2).map(|pair| [pair[0], self.resolved(pair[1])]).collect();
            at = self.map_of(&pairs);
        }
        if let Val::Fields(row) = at {
            let fields = self.heap.field_row(row).to_vec();
            at = self.bits_value(fields);
        }
        self.heap.list(&items, at)
    }

    /// A tuple whose size is known.
    fn known_tuple(&mut self, term: TermId) -> Option<Val> {
        let mut items = Vec::new();
        let mut rest = select(self.rec.terms, TUPLE, 0, term);
        loop {
            match self.rec.facts.constructor(self.rec.terms, rest)? {
                NO_MORE => break,
                _ => {
                    items.push(Val::Sym(select(self.rec.terms, MORE, 0, rest)));
                    rest = select(self.rec.terms, MORE, 1, rest);
                }
            }
        }
        Some(self.heap.tuple(&items))
    }

    /// A constant term as a value; `None` if it is none, or holds a function of the input.
    fn constant(&mut self, term: TermId) -> Option<Val> {
        let value = self.rec.terms.as_value(term).filter(|value| !functions::is_inside(value))?.clone();
        let term = self.program.universe.term(&value, self.atoms);
        Some(self.heap.literal(&term))
    }

    /// An integer term as a value.
    pub(crate) fn integer_value(&mut self, number: TermId) -> Val {
        let constant = self.rec.facts.constant(self.rec.terms, number).unwrap_or(number);
        match self.rec.terms.as_value(constant) {
            Some(Value::Int(value)) => {
                let value = value.clone();
                self.heap.integer(value)
            }
            _ => Val::SymInt(number),
        }
    }

    /// A float term as a value.
    pub(crate) fn float_value(&mut self, float: TermId) -> Val {
        let constant = self.rec.facts.constant(self.rec.terms, float).unwrap_or(float);
        match self.rec.terms.as_value(constant) {
            Some(Value::Float(_, bits)) => Val::Float(f64::from_bits(bits.as_u64().unwrap_or(0))),
            _ => Val::SymFloat(float),
        }
    }

    /// A condition as a value.
    pub(crate) fn truth(&self, condition: TermId) -> Val {
        match self.rec.facts.holds(self.rec.terms, condition) {
            Some(true) => Val::Atom(Atom::TRUE),
            Some(false) => Val::Atom(Atom::FALSE),
            None => Val::Cond(condition),
        }
    }

    /// The number of an atom of the program.
    pub(crate) fn atom_number(&mut self, atom: Atom) -> Option<TermId> {
        let number = self.program.universe.atoms.number(self.atoms.name(atom))?;
        Some(self.rec.terms.value(Value::Int(number)))
    }

    /// The condition that a part of the input is this atom.
    pub(crate) fn is_atom(&mut self, term: TermId, atom: Atom) -> TermId {
        let Some(number) = self.atom_number(atom) else {
            if self.domain.may_be_atom(self.rec.terms, term, atom) {
                let what = format!("inputs that equal the atom {}, which only exists at run time", self.atoms.name(atom));
                self.rec.limit("unsupported", &what, true);
            }
            return self.no();
        };
        let own = self.domain.look_at_constant(&mut self.rec, ATOM, term);
        let test = is(self.rec.terms, ATOM, term);
        let same = self.mk(Op::Eq, &[own, number]);
        self.and(&[test, same])
    }

    /// The condition that a value is of a kind.
    pub(crate) fn is_kind(&mut self, value: Val, kind: Kind) -> TermId {
        let value = self.known(value);
        let Val::Sym(term) = value else {
            let holds = has_kind(self.heap, value, kind);
            return self.rec.terms.bool(holds);
        };
        let ctor = match kind {
            Kind::Atom => ATOM,
            Kind::Integer => INTEGER,
            Kind::Float => FLOAT,
            Kind::Nil => NIL,
            Kind::Cons => CONS,
            Kind::Tuple => TUPLE,
            Kind::Map => MAP,
            Kind::Bitstring => BITS,
            Kind::Fun => FUN,
            Kind::Pid => PID,
            Kind::Reference => REFERENCE,
            Kind::Port => PORT,
            Kind::Number => return self.either(term, INTEGER, FLOAT),
            Kind::List => return self.either(term, NIL, CONS),
            Kind::Boolean => {
                let ways = [self.is_atom(term, Atom::TRUE), self.is_atom(term, Atom::FALSE)];
                return self.or(&ways);
            }
            Kind::Binary => {
                self.domain.look_at_bits(&mut self.rec, term);
                let (extra, zero) = (select(self.rec.terms, BITS, 1, term), self.number_term(0));
                let all = [is(self.rec.terms, BITS, term), self.mk(Op::Eq, &[extra, zero])];
                return self.and(&all);
            }
        };
        is(self.rec.terms, ctor, term)
    }

    fn either(&mut self, term: TermId, a: CtorId, b: CtorId) -> TermId {
        let ways = [is(self.rec.terms, a, term), is(self.rec.terms, b, term)];
        self.or(&ways)
    }

    /// A value as a term of the universe; `None` if it is none: a function of the program, or something from outside.
    pub(crate) fn term(&mut self, value: Val) -> Option<TermId> {
        enum Todo {
            Visit(Val),
            Cell,
            Tuple(usize),
            /// A map: the slot or the key of each value.
            Map(Vec<Result<usize, TermId>>),
        }
        let (mut todo, mut done): (Vec<Todo>, Vec<TermId>) = (vec![Todo::Visit(value)], Vec::new());
        while let Some(next) = todo.pop() {
            match next {
                Todo::Visit(Val::Cons(cell)) => {
                    let (head, tail) = self.heap.cell(cell);
                    todo.extend([Todo::Cell, Todo::Visit(tail), Todo::Visit(head)]);
                }
                Todo::Visit(Val::Tuple(tuple)) => {
                    let items = self.heap.elements(tuple);
                    todo.push(Todo::Tuple(items.len()));
                    todo.extend(items.iter().rev().map(|&item| Todo::Visit(item)));
                }
                Todo::Visit(Val::Map(map)) => {
                    let pairs = self.heap.pairs(map).to_vec();
                    let keys = pairs.iter().step_by(2).map(|&key| self.key_place(key)).collect::<Option<_>>()?;
                    todo.push(Todo::Map(keys));
                    todo.extend(pairs.iter().skip(1).step_by(2).rev().map(|&value| Todo::Visit(value)));
                }
                Todo::Visit(constant) => done.push(self.constant_term(constant)?),
                Todo::Cell => {
                    let (tail, head) = (done.pop()?, done.pop()?);
                    done.push(self.mk(Op::Construct(CONS), &[head, tail]));
                }
                Todo::Tuple(size) => {
                    let items = done.split_off(done.len() - size);
                    let none = self.rec.terms.value(data(NO_MORE, vec![]));
                    let items = items.into_iter().rev().fold(none, |rest, item| self.rec.terms.mk(Op::Construct(MORE), &[item, rest]));
                    done.push(self.mk(Op::Construct(TUPLE), &[items]));
                }
                Todo::Map(keys) => {
                    let values = done.split_off(done.len() - keys.len());
                    done.push(self.map_term(keys, values));
                }
            }
        }
        done.pop()
    }

    /// Where a key goes in a map that is a term: its slot, or itself; `None` if it depends on the input, or no term has it.
    pub(super) fn key_place(&mut self, key: Val) -> Option<Result<usize, TermId>> {
        let key = self.resolved(key);
        if self.heap.is_symbolic(key) {
            return None;
        }
        if let Some(slot) = self.keys.iter().position(|&named| self.identical(named, key)) {
            return Some(Ok(slot));
        }
        match key {
            Val::Int(_) | Val::Big(_) | Val::Atom(_) => self.constant_term(key).map(Err),
            _ => None,
        }
    }

    fn map_term(&mut self, keys: Vec<Result<usize, TermId>>, values: Vec<TermId>) -> TermId {
        let absent = self.rec.terms.value(data(ABSENT, vec![]));
        let mut fields = vec![absent; self.keys.len()];
        let mut others = Vec::new();
        for (key, value) in keys.into_iter().zip(values) {
            match key {
                Ok(slot) => fields[slot] = self.mk(Op::Construct(PRESENT), &[value]),
                Err(key) => others.push((key, value)),
            }
        }
        let order =
            |key: &TermId| self.rec.terms.as_value(*key).and_then(crate::universe::map::order).map(|(atom, number)| (atom, number.clone()));
        others.sort_by_cached_key(|(key, _)| order(key));
        let none = self.rec.terms.value(data(NO_ENTRY, vec![]));
        let rest = others.into_iter().rev().fold(none, |rest, (key, value)| self.rec.terms.mk(Op::Construct(ENTRY), &[key, value, rest]));
        fields.push(rest);
        self.mk(Op::Construct(MAP), &fields)
    }

    fn constant_term(&mut self, value: Val) -> Option<TermId> {
        Some(match value {
            Val::Sym(term) => term,
            Val::SymInt(number) => self.mk(Op::Construct(INTEGER), &[number]),
            Val::SymFloat(float) => {
                let bits = self.mk(Op::FpToBits, &[float]);
                self.mk(Op::Construct(FLOAT), &[bits])
            }
            Val::Cond(condition) => {
                let (yes, no) = (self.constant_term(Val::Atom(Atom::TRUE))?, self.constant_term(Val::Atom(Atom::FALSE))?);
                self.mk(Op::Ite, &[condition, yes, no])
            }
            Val::Int(value) => self.rec.terms.value(numbered(INTEGER, value)),
            Val::Big(_) => {
                let value = self.heap.to_big(value);
                self.rec.terms.value(numbered(INTEGER, value))
            }
            Val::Float(value) => {
                let bits = if self.one_zero && value == 0.0 { 0 } else { value.to_bits() };
                self.rec.terms.value(data(FLOAT, vec![Value::bits(64, bits)]))
            }
            Val::Atom(atom) => {
                let number = self.program.universe.atoms.number(self.atoms.name(atom))?;
                self.rec.terms.value(numbered(ATOM, number))
            }
            Val::Nil => self.rec.terms.value(data(NIL, vec![])),
            Val::Bits(bits) => {
                let (bytes, length) = self.heap.bytes(bits);
                let value = crate::universe::bits::unpacked(bytes, length);
                self.rec.terms.value(value)
            }
            Val::Fields(row) => {
                let fields = self.heap.field_row(row).to_vec();
                self.bits_term(&fields)
            }
            _ => {
                let (kind, place) = self.place(value)?;
                self.rec.terms.value(numbered(kind, place))
            }
        })
    }

    /// Kind and place in its table of a constant that nobody looks into; `None` if it is none of the universe.
    pub(crate) fn place(&mut self, value: Val) -> Option<(CtorId, usize)> {
        let (kind, term) = match value {
            Val::Other(other) => {
                let bytes = self.heap.other(other);
                let kind = match bytes.first()? {
                    88 | 103 => PID,
                    90 | 101 | 114 => REFERENCE,
                    89 | 102 | 120 => PORT,
                    _ => return None,
                };
                (kind, Term::Other(bytes.into()))
            }
            _ => return None,
        };
        self.program.universe.place(kind, &term).map(|place| (kind, place))
    }

    /// The integer that a value is, if it is a small one that does not depend on the input; what depends on it is fixed.
    pub(crate) fn fixed_integer(&mut self, ctx: &Ctx, value: Val, what: &str) -> Res<Val> {
        match self.known(value) {
            Val::SymInt(number) => match self.pin(ctx, number, what)? {
                Value::Int(value) => Ok(self.heap.integer(value)),
                _ => Err(Stop::Lost("an integer is none".to_owned())),
            },
            other => Ok(other),
        }
    }

    /// A value with all that depends on the input fixed; what holds a function of the input stays a term.
    pub(crate) fn fixed(&mut self, ctx: &Ctx, value: Val, what: &str) -> Res<Val> {
        if !self.heap.is_symbolic(value) {
            return Ok(value);
        }
        let Some(term) = self.term(value) else {
            return Err(Stop::Lost(format!("{what}: a value that holds functions and depends on the input, at {}", self.at(ctx))));
        };
        let value = self.pin(ctx, term, what)?;
        if functions::is_inside(&value) {
            return Ok(Val::Sym(self.rec.terms.value(value)));
        }
        let term = self.program.universe.term(&value, self.atoms);
        Ok(self.heap.literal(&term))
    }

    /// A small number.
    pub(crate) fn small(&self, value: Val) -> Option<i64> {
        match value {
            Val::Int(value) => Some(value),
            Val::Big(big) => self.heap.big(big).to_i64(),
            _ => None,
        }
    }
}

/// Whether a value that does not depend on the input is of a kind.
pub(super) fn has_kind(heap: &Heap, value: Val, kind: Kind) -> bool {
    let tag = |other: u32| heap.other(other).first().copied().unwrap_or(0);
    match kind {
        Kind::Atom => matches!(value, Val::Atom(_) | Val::Cond(_)),
        Kind::Boolean => matches!(value, Val::Atom(Atom::TRUE | Atom::FALSE) | Val::Cond(_)),
        Kind::Integer => matches!(value, Val::Int(_) | Val::Big(_) | Val::SymInt(_)),
        Kind::Float => matches!(value, Val::Float(_) | Val::SymFloat(_)),
        Kind::Number => has_kind(heap, value, Kind::Integer) || has_kind(heap, value, Kind::Float),
        Kind::Nil => matches!(value, Val::Nil),
        Kind::Cons => matches!(value, Val::Cons(_)),
        Kind::List => matches!(value, Val::Nil | Val::Cons(_)),
        Kind::Tuple => matches!(value, Val::Tuple(_)),
        Kind::Map => matches!(value, Val::Map(_)),
        Kind::Bitstring => matches!(value, Val::Bits(_) | Val::Fields(_)),
        Kind::Binary => match value {
            Val::Bits(bits) => heap.bytes(bits).1.is_multiple_of(8),
            Val::Fields(row) => length(heap.field_row(row)).is_multiple_of(8),
            _ => false,
        },
        Kind::Fun => match value {
            Val::Fun(_) => true,
            Val::Other(other) => tag(other) == 112,
            _ => false,
        },
        Kind::Pid => matches!(value, Val::Other(other) if matches!(tag(other), 88 | 103)),
        Kind::Reference => matches!(value, Val::Other(other) if matches!(tag(other), 90 | 101 | 114)),
        Kind::Port => matches!(value, Val::Other(other) if matches!(tag(other), 89 | 102 | 120)),
    }
}
