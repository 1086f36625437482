//! What may be assumed of the parts of an input, step by step.
//!
//! A type is not unrolled before a run. When a replay looks at a part of an input for the first time, what its type says about that part alone is assumed, as
//! a decision of the path tree whose other arm is closed; parts inside get their types from it when they are looked at themselves. So a list of a million
//! elements costs a condition for each element that somebody looked at.
//!
//! **Invariant.** What is assumed of a part depends on decisions before it only: its type, and which alternatives of the types around it are possible.

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use xcute_match::Recorder;
use xcute_term::{CtorId, Op, Sort, TermId, Terms, Value};
use xcute_trace::SiteId;

use super::layout::Slot;
use super::{Inputs, Type, TypeId, Types};
use crate::etf::{Atom, Atoms};
use crate::universe::{
    ATOM, BITS, CONS, ENTRY, FLOAT, FUN, INTEGER, MAP, MORE, NIL, NO_MORE, PRESENT, ROW, TABLED, TERM, TUPLE, Universe, is, select,
};

/// If a condition holds, a part of the input is of one of these types, which are not unions. Conditions of the obligations of a part exclude each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Obligation {
    guard: TermId,
    pub(super) of: Rc<[TypeId]>,
    depth: Option<u32>,
}

/// What is assumed so far.
pub struct Domain<'a> {
    pub(super) universe: &'a Universe,
    pub(super) inputs: &'a Inputs,
    pub(super) atoms: &'a Atoms,
    site: SiteId,
    one_zero: bool,
    obligations: FxHashMap<TermId, Rc<[Obligation]>>,
    pub(super) seen: FxHashSet<TermId>,
    /// Something that was assumed does not hold: the input is not of its type.
    pub violated: bool,
}

/// Parts of a term that are looked at when it is compared as a whole. Beyond that a solver may give terms of other types, which are made to fit.
const WHOLE: usize = 64;

impl<'a> Domain<'a> {
    /// The domain of inputs, which are these terms.
    #[must_use]
    pub fn new(universe: &'a Universe, inputs: &'a Inputs, atoms: &'a Atoms, site: SiteId, one_zero: bool) -> Domain<'a> {
        Domain { universe, inputs, atoms, site, one_zero, obligations: FxHashMap::default(), seen: FxHashSet::default(), violated: false }
    }

    /// Takes note of an assumption.
    pub(super) fn assume(&mut self, rec: &mut Recorder<'_>, conditions: &[TermId]) {
        self.violated |= !rec.assume(self.site, conditions);
    }

    /// Begins with these inputs.
    pub fn begin(&mut self, rec: &mut Recorder<'_>, inputs: &[TermId]) {
        let mut ways: Vec<(TermId, Vec<Vec<TypeId>>)> = Vec::new();
        for types in &self.inputs.clauses {
            let flat: Vec<Vec<TypeId>> = types.iter().map(|of| self.inputs.types.alternatives(*of)).collect();
            let all: Vec<TermId> =
                flat.iter().zip(inputs).map(|(of, &input)| self.local(rec.terms, input, of, self.inputs.depth)).collect();
            let mut guard = and(rec.terms, &all);
            let mut merged = flat;
            // Clauses that cannot be told apart allow together what each of them allows.
            while let Some(at) = ways.iter().position(|(other, _)| !exclude(rec.terms, *other, guard)) {
                let (other, types) = ways.swap_remove(at);
                guard = or(rec.terms, &[other, guard]);
                merged.iter_mut().zip(types).for_each(|(mine, theirs)| join(mine, &theirs));
            }
            ways.push((guard, merged));
        }
        let single = ways.len() == 1;
        for (i, &input) in inputs.iter().enumerate() {
            let list = ways.iter().map(|(guard, types)| Obligation {
                guard: if single { rec.terms.bool(true) } else { *guard },
                of: types[i].clone().into(),
                depth: self.inputs.depth,
            });
            let list: Rc<[Obligation]> = list.collect();
            self.obligations.insert(input, list);
        }
        let guards: Vec<TermId> = ways.iter().map(|(guard, _)| *guard).collect();
        let condition = or(rec.terms, &guards);
        if !single {
            self.assume(rec, &[condition]);
        }
    }

    /// Looks at a part of the input.
    pub fn look(&mut self, rec: &mut Recorder<'_>, part: TermId) {
        let mut conditions = Vec::new();
        self.conditions(rec, part, &mut conditions);
        if !conditions.is_empty() {
            self.assume(rec, &conditions);
        }
    }

    /// What is to be assumed of a part that nobody has looked at.
    fn conditions(&mut self, rec: &mut Recorder<'_>, part: TermId, conditions: &mut Vec<TermId>) {
        if !self.seen.insert(part) {
            return;
        }
        let obligations = self.of(rec.terms, part);
        for obligation in obligations.iter() {
            let guard = simplified(rec, obligation.guard);
            // What is not there need not be of any type.
            if rec.terms.as_u64(guard) == Some(0) || (*obligation.of == [Types::ANY] && obligation.depth.is_none()) {
                continue;
            }
            let local = self.local(rec.terms, part, &obligation.of, obligation.depth);
            let condition = implies(rec.terms, guard, local);
            if rec.terms.as_u64(condition) != Some(1) {
                conditions.push(condition);
            }
            if rec.terms.as_u64(guard) == Some(1) {
                self.exclude_kinds(rec, part, obligation);
            }
        }
    }

    /// Takes note of the kinds that a part cannot be.
    fn exclude_kinds(&self, rec: &mut Recorder<'_>, part: TermId, obligation: &Obligation) {
        let mut kinds = Vec::new();
        for of in obligation.of.iter().filter(|of| self.fits(**of, obligation.depth)) {
            kinds.push(match self.inputs.types.get(*of) {
                Type::Any | Type::Union(_) => return,
                Type::Atom | Type::AtomIs(_) => ATOM,
                Type::Integer(..) => INTEGER,
                Type::Float => FLOAT,
                Type::Nil => NIL,
                Type::Cons(..) => CONS,
                Type::Tuple(_) | Type::AnyTuple => TUPLE,
                Type::Map(_) => MAP,
                Type::Bits(..) => BITS,
                Type::Fun(..) => FUN,
                Type::Tabled(kind, _) => *kind,
            });
        }
        let all = [ATOM, INTEGER, FLOAT, NIL, CONS, TUPLE, MAP, BITS, FUN].into_iter().chain(TABLED);
        for kind in all.filter(|kind| !kinds.contains(kind)) {
            let test = is(rec.terms, kind, part);
            rec.facts.learn(rec.terms, test, false);
        }
    }

    /// Looks at a part and at what is inside, as far as the types are not plain and it is not too much: what is compared as a whole.
    pub fn look_inside(&mut self, rec: &mut Recorder<'_>, part: TermId) {
        let mut conditions = Vec::new();
        let mut parts = std::collections::VecDeque::from([part]);
        let mut left = WHOLE;
        while let Some(part) = parts.pop_front() {
            self.conditions(rec, part, &mut conditions);
            let obligations = self.of(rec.terms, part);
            let (mut cells, mut width, mut slots, mut bits) = (false, 0, Vec::new(), None);
            for obligation in obligations.iter() {
                let guard = simplified(rec, obligation.guard);
                let sized = obligation.of.iter().any(|of| matches!(self.inputs.types.get(*of), Type::Bits(..)));
                if sized && rec.terms.as_u64(guard) != Some(0) {
                    bits = bits.max(Some(obligation.depth.unwrap_or(u32::MAX)));
                }
                if rec.terms.as_u64(guard) == Some(0) || obligation.depth == Some(0) {
                    continue;
                }
                for of in obligation.of.iter().filter(|of| self.fits(**of, obligation.depth)) {
                    match self.inputs.types.get(*of) {
                        Type::Cons(..) => cells = true,
                        Type::Tuple(items) => width = width.max(items.len()),
                        Type::Map(_) => {
                            let layout = self.inputs.types.layout(*of);
                            let there = |slot: &Slot| !matches!(slot, Slot::Never);
                            slots.extend((0..).zip(&layout.slots).filter(|(_, slot)| there(slot)).map(|(key, _): (u32, _)| key));
                        }
                        Type::Any | Type::AnyTuple if obligation.depth.is_some() => {
                            cells |= *of == Types::ANY;
                            width = width.max(self.inputs.widest as usize);
                        }
                        _ => {}
                    }
                }
            }
            if let Some(bytes) = bits {
                self.look_at_all_bits(rec, part, bytes);
            }
            slots.sort_unstable();
            slots.dedup();
            let inside = 2 * usize::from(cells) + width + slots.len();
            if inside > left {
                break;
            }
            left -= inside;
            if cells {
                parts.extend([0, 1].map(|field| select(rec.terms, CONS, field, part)));
            }
            for key in slots {
                let slot = select(rec.terms, MAP, key, part);
                parts.push_back(select(rec.terms, PRESENT, 0, slot));
            }
            let mut rest = select(rec.terms, TUPLE, 0, part);
            for _ in 0..width {
                parts.push_back(select(rec.terms, MORE, 0, rest));
                rest = select(rec.terms, MORE, 1, rest);
            }
        }
        if !conditions.is_empty() {
            self.assume(rec, &conditions);
        }
    }

    /// Whether the smallest term of a type is within a depth.
    pub(super) fn fits(&self, of: TypeId, depth: Option<u32>) -> bool {
        self.inputs.types.depth(of).is_some_and(|least| depth.is_none_or(|depth| least <= depth))
    }

    /// Looks at the number or the bits of a part that is known, or about to be known, to be of a kind: not all of them are terms.
    pub fn look_at_constant(&mut self, rec: &mut Recorder<'_>, kind: CtorId, part: TermId) -> TermId {
        let constant = select(rec.terms, kind, 0, part);
        if rec.terms.is_const(constant) || !self.seen.insert(constant) {
            return constant;
        }
        let mut conditions = Vec::new();
        let number = |terms: &mut Terms, value: i64| terms.value(Value::Int(value.into()));
        match kind {
            FLOAT => {
                let exponent = rec.terms.mk(Op::Extract(62, 52), &[constant]);
                let ones = rec.terms.bv(11, 0x7ff);
                let infinite = rec.terms.mk(Op::Eq, &[exponent, ones]);
                conditions.push(rec.terms.not(infinite));
                if self.one_zero {
                    let negative = rec.terms.bv(64, 1 << 63);
                    let same = rec.terms.mk(Op::Eq, &[constant, negative]);
                    conditions.push(rec.terms.not(same));
                }
            }
            ATOM => {
                if let Some(lowest) = self.universe.atoms.lowest() {
                    let lowest = number(rec.terms, lowest);
                    conditions.push(rec.terms.mk(Op::Le, &[lowest, constant]));
                }
            }
            kind if TABLED.contains(&kind) => {
                let zero = number(rec.terms, 0);
                let last = number(rec.terms, i64::try_from(self.universe.table(kind).len()).unwrap_or(1) - 1);
                conditions.push(rec.terms.mk(Op::Le, &[zero, constant]));
                conditions.push(rec.terms.mk(Op::Le, &[constant, last]));
            }
            _ => {}
        }
        if !conditions.is_empty() {
            self.assume(rec, &conditions);
        }
        constant
    }

    /// Whether a part of an input may be this atom, as far as its types say.
    pub fn may_be_atom(&mut self, terms: &mut Terms, part: TermId, atom: Atom) -> bool {
        let obligations = self.of(terms, part);
        let allows = |of: TypeId| match self.inputs.types.get(of) {
            Type::Any | Type::Atom => true,
            Type::AtomIs(own) => *own == atom,
            _ => false,
        };
        let any = |of: &TypeId| self.inputs.types.alternatives(*of).into_iter().any(allows);
        obligations.is_empty() || obligations.iter().any(|obligation| obligation.of.iter().any(any))
    }

    /// What a part must be: that of an input, or what follows from the part that it is inside of.
    pub(super) fn of(&mut self, terms: &mut Terms, part: TermId) -> Rc<[Obligation]> {
        // From the outermost part that is known inwards, without recursion.
        let mut chain = vec![part];
        while let Some(&last) = chain.last() {
            if self.obligations.contains_key(&last) {
                break;
            }
            match around(terms, last) {
                Some((outer, _)) => chain.push(outer),
                None => {
                    // No part of an input: a choice between terms, say.
                    self.obligations.insert(last, Rc::from([]));
                    break;
                }
            }
        }
        while let Some(next) = chain.pop() {
            if self.obligations.contains_key(&next) {
                continue;
            }
            let (outer, place) = around(terms, next).expect("it was walked before");
            let outside = Rc::clone(&self.obligations[&outer]);
            let mut list = Vec::new();
            for obligation in outside.iter() {
                self.inside(terms, outer, obligation, place, &mut list);
            }
            self.obligations.insert(next, list.into());
        }
        Rc::clone(&self.obligations[&part])
    }

    /// What follows for a part of a part.
    fn inside(&self, terms: &mut Terms, outer: TermId, obligation: &Obligation, place: Part, list: &mut Vec<Obligation>) {
        let depth = obligation.depth.map(|depth| depth.saturating_sub(1));
        let mut ways: Vec<(TermId, Vec<TypeId>)> = Vec::new();
        for &alternative in obligation.of.iter() {
            let yes = terms.bool(true);
            let inside = match (self.inputs.types.get(alternative), place) {
                // Where the part is not there, a selector gives a constant, which is any term.
                (Type::Any, _) | (Type::AnyTuple, Part::Element(_)) => vec![(yes, Types::ANY)],
                (Type::Cons(head, _), Part::Head) => vec![(yes, *head)],
                (Type::Cons(_, tail), Part::Tail) => vec![(yes, *tail)],
                (Type::Tuple(items), Part::Element(n)) => items.get(n).map(|of| (yes, *of)).into_iter().collect(),
                (Type::Fun(_, result), Part::Result(_) | Part::Default) => vec![(yes, *result)],
                (Type::Map(_), place) => self.inside_map(terms, outer, alternative, place),
                _ => continue,
            };
            let shape = match self.inputs.types.get(alternative) {
                Type::Any => yes,
                _ if inside.is_empty() => continue,
                _ => self.shape(terms, outer, alternative, obligation.depth),
            };
            for (guard, of) in inside {
                let mut guard = and(terms, &[shape, guard]);
                let mut merged = self.inputs.types.alternatives(of);
                // Alternatives that cannot be told apart allow together what each of them allows.
                while let Some(at) = ways.iter().position(|(other, _)| !exclude(terms, *other, guard)) {
                    let (other, types) = ways.swap_remove(at);
                    guard = or(terms, &[other, guard]);
                    join(&mut merged, &types);
                }
                ways.push((guard, merged));
            }
        }
        for (guard, of) in ways {
            let guard = and(terms, &[obligation.guard, guard]);
            list.push(Obligation { guard, of: of.into(), depth });
        }
    }

    /// What a type says about a part by itself, constants directly inside included.
    pub(super) fn local(&self, terms: &mut Terms, part: TermId, alternatives: &[TypeId], depth: Option<u32>) -> TermId {
        let ways: Vec<TermId> =
            alternatives.iter().filter(|of| self.fits(**of, depth)).map(|of| self.shape(terms, part, *of, depth)).collect();
        or(terms, &ways)
    }

    /// Any term of a depth.
    fn any(&self, terms: &mut Terms, part: TermId, depth: Option<u32>) -> TermId {
        match depth {
            None => terms.bool(true),
            Some(0) => {
                let cell = is(terms, CONS, part);
                let elements = select(terms, TUPLE, 0, part);
                let element = is(terms, MORE, elements);
                let mut plain = vec![terms.not(cell), terms.not(element)];
                plain.extend(self.empty_map(terms, part));
                plain.extend(self.few_bytes(terms, part, depth));
                and(terms, &plain)
            }
            Some(_) => {
                let mut all = vec![self.narrow(terms, part)];
                all.extend(self.few_entries(terms, part, depth));
                all.extend(self.few_bytes(terms, part, depth));
                and(terms, &all)
            }
        }
    }

    /// A tuple, if it is one, is not too wide.
    fn narrow(&self, terms: &mut Terms, part: TermId) -> TermId {
        let mut rest = select(terms, TUPLE, 0, part);
        for _ in 0..self.inputs.widest {
            rest = select(terms, MORE, 1, rest);
        }
        let more = is(terms, MORE, rest);
        terms.not(more)
    }

    /// The shape of an alternative: constructor, size, constants directly inside.
    fn shape(&self, terms: &mut Terms, part: TermId, of: TypeId, depth: Option<u32>) -> TermId {
        match self.inputs.types.get(of) {
            Type::Any => self.any(terms, part, depth),
            Type::Cons(..) => is(terms, CONS, part),
            Type::AnyTuple => {
                let tuple = is(terms, TUPLE, part);
                let rest = self.any(terms, part, depth);
                and(terms, &[tuple, rest])
            }
            Type::Tuple(items) => {
                let mut all = vec![is(terms, TUPLE, part)];
                let mut rest = select(terms, TUPLE, 0, part);
                for item in items {
                    all.push(is(terms, MORE, rest));
                    let element = select(terms, MORE, 0, rest);
                    all.extend(self.constants(terms, element, *item).or_else(|| self.only_kind(terms, element, *item)));
                    rest = select(terms, MORE, 1, rest);
                }
                all.push(is(terms, NO_MORE, rest));
                and(terms, &all)
            }
            Type::Map(_) => self.map_shape(terms, part, of, depth),
            Type::Bits(least, unit) => self.bits_shape(terms, part, (*least, *unit), depth),
            Type::Fun(arity, _) => self.function_shape(terms, part, *arity),
            _ => self.constant(terms, part, of),
        }
    }

    /// What a type says about a part, if it is one of constants only.
    pub(super) fn constants(&self, terms: &mut Terms, part: TermId, of: TypeId) -> Option<TermId> {
        let alternatives = self.inputs.types.alternatives(of);
        let compound = |of: &TypeId| {
            matches!(
                self.inputs.types.get(*of),
                Type::Any | Type::Cons(..) | Type::Tuple(_) | Type::AnyTuple | Type::Map(_) | Type::Bits(..) | Type::Fun(..)
            )
        };
        if alternatives.iter().any(compound) {
            return None;
        }
        let ways: Vec<TermId> = alternatives.iter().map(|of| self.constant(terms, part, *of)).collect();
        Some(or(terms, &ways))
    }

    /// The kind of a part, if its type has one only that is compound.
    fn only_kind(&self, terms: &mut Terms, part: TermId, of: TypeId) -> Option<TermId> {
        match self.inputs.types.alternatives(of)[..] {
            [only] if matches!(self.inputs.types.get(only), Type::Cons(..)) => Some(is(terms, CONS, part)),
            _ => None,
        }
    }

    fn constant(&self, terms: &mut Terms, part: TermId, of: TypeId) -> TermId {
        let numbered = |terms: &mut Terms, ctor, value: BigInt| {
            let (is, number, value) = (is(terms, ctor, part), select(terms, ctor, 0, part), terms.value(Value::Int(value)));
            let same = terms.mk(Op::Eq, &[number, value]);
            and(terms, &[is, same])
        };
        match self.inputs.types.get(of) {
            Type::Atom => is(terms, ATOM, part),
            Type::AtomIs(atom) => match self.universe.atoms.number(self.atoms.name(*atom)) {
                Some(number) => numbered(terms, ATOM, number),
                None => terms.bool(false),
            },
            Type::Integer(low, high) => {
                let mut all = vec![is(terms, INTEGER, part)];
                let number = select(terms, INTEGER, 0, part);
                if let Some(low) = low {
                    let low = terms.value(Value::Int(low.clone()));
                    all.push(terms.mk(Op::Le, &[low, number]));
                }
                if let Some(high) = high {
                    let high = terms.value(Value::Int(high.clone()));
                    all.push(terms.mk(Op::Le, &[number, high]));
                }
                and(terms, &all)
            }
            Type::Float => is(terms, FLOAT, part),
            Type::Nil => is(terms, NIL, part),
            Type::Tabled(kind, None) => is(terms, *kind, part),
            Type::Tabled(kind, Some(places)) => {
                let ways: Vec<TermId> = places.iter().map(|&place| numbered(terms, *kind, place.into())).collect();
                or(terms, &ways)
            }
            Type::Any
            | Type::Cons(..)
            | Type::Tuple(_)
            | Type::AnyTuple
            | Type::Map(_)
            | Type::Bits(..)
            | Type::Fun(..)
            | Type::Union(_) => unreachable!("no constants"),
        }
    }
}

/// Which part of a part it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Head,
    Tail,
    Element(usize),
    /// The value of a named key.
    Slot(usize),
    /// The key of another entry.
    Key(usize),
    /// The value of another entry.
    Value(usize),
    /// What a function returns for the arguments of a row.
    Result(usize),
    /// What it returns for all others.
    Default,
}

/// What holds the chain that a link belongs to, and the place of the link in it: `next` selects the link after one, and the chain is a part of a `holder`.
fn held(terms: &Terms, mut link: TermId, next: (CtorId, u32), holder: CtorId) -> Option<(TermId, usize)> {
    let mut place = 0;
    loop {
        let Op::Select(ctor, field) = terms.op(link) else { return None };
        link = terms.args(link)[0];
        if (ctor, field) == next {
            place += 1;
        } else {
            return (ctor == holder).then_some((link, place));
        }
    }
}

/// The part that a part is directly inside of; `None` for inputs and for what is not part of one.
fn around(terms: &Terms, part: TermId) -> Option<(TermId, Part)> {
    let Op::Select(ctor, field) = terms.op(part) else { return None };
    let outer = terms.args(part)[0];
    match (ctor, field) {
        (CONS, 0) => Some((outer, Part::Head)),
        (CONS, 1) => Some((outer, Part::Tail)),
        (MORE, 0) => {
            let (tuple, place) = held(terms, outer, (MORE, 1), TUPLE)?;
            (terms.sort(tuple) == Sort::Data(TERM)).then_some((tuple, Part::Element(place)))
        }
        (FUN, 2) => Some((outer, Part::Default)),
        (ROW, 1) => {
            let (function, place) = held(terms, outer, (ROW, 2), FUN)?;
            Some((function, Part::Result(place)))
        }
        (PRESENT, 0) => match (terms.op(outer), terms.args(outer)) {
            (Op::Select(MAP, key), &[map]) => Some((map, Part::Slot(key as usize))),
            _ => None,
        },
        (ENTRY, field @ (0 | 1)) => {
            let (map, place) = held(terms, outer, (ENTRY, 2), MAP)?;
            Some((map, if field == 0 { Part::Key(place) } else { Part::Value(place) }))
        }
        _ => None,
    }
}

/// Adds types to a list; any type swallows all others.
fn join(types: &mut Vec<TypeId>, more: &[TypeId]) {
    for of in more {
        if !types.contains(of) {
            types.push(*of);
        }
    }
    if types.contains(&Types::ANY) {
        *types = vec![Types::ANY];
    }
}

/// A conjunction without the parts that are known to hold; `false` if one is known not to.
fn simplified(rec: &mut Recorder<'_>, condition: TermId) -> TermId {
    let parts = if rec.terms.op(condition) == Op::And { rec.terms.args(condition).to_vec() } else { vec![condition] };
    rec.facts.simplify(rec.terms, &parts)
}

/// Whether two conditions are seen to exclude each other: both test the same term for different constructors, or for different constants.
fn exclude(terms: &Terms, a: TermId, b: TermId) -> bool {
    let conjuncts = |t: TermId| if terms.op(t) == Op::And { terms.args(t).to_vec() } else { vec![t] };
    let tests = |t: TermId| -> Vec<(TermId, Result<CtorId, TermId>)> {
        let test = |c: TermId| match (terms.op(c), terms.args(c)) {
            (Op::IsCtor(ctor), &[of]) => Some((of, Ok(ctor))),
            (Op::Eq, &[of, value]) if terms.is_const(value) => Some((of, Err(value))),
            (Op::Eq, &[value, of]) if terms.is_const(value) => Some((of, Err(value))),
            _ => None,
        };
        conjuncts(t).into_iter().filter_map(test).collect()
    };
    let (first, second) = (tests(a), tests(b));
    let differ = |a: &Result<CtorId, TermId>, b: &Result<CtorId, TermId>| match (a, b) {
        (Ok(a), Ok(b)) => a != b,
        (Err(a), Err(b)) => a != b,
        _ => false,
    };
    first.iter().any(|(of, test)| second.iter().any(|(other, result)| of == other && differ(test, result)))
}

/// All of them.
pub(crate) fn and(terms: &mut Terms, all: &[TermId]) -> TermId {
    let all: Vec<TermId> = all.iter().copied().filter(|&one| terms.as_u64(one) != Some(1)).collect();
    match all[..] {
        [] => terms.bool(true),
        [one] => one,
        _ => terms.mk(Op::And, &all),
    }
}

/// One of them.
pub(crate) fn or(terms: &mut Terms, ways: &[TermId]) -> TermId {
    let none: Vec<TermId> = ways.iter().map(|&way| terms.not(way)).collect();
    let none = and(terms, &none);
    terms.not(none)
}

fn implies(terms: &mut Terms, guard: TermId, condition: TermId) -> TermId {
    let not = terms.not(guard);
    or(terms, &[not, condition])
}
