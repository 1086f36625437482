//! Comparing values that depend on the input: `==` and Erlang's order.
//!
//! Where a comparison can be written as one condition, it is one, so that it costs one decision. Before that it is decided only what no condition of a
//! bounded size can say: whether both are lists, or both tuples, or both maps (then they are compared part by part), whether a float is compared with an integer,
//! and whether both are constants of a kind that nobody looks into.

use std::cmp::Ordering;

use xcute_term::{FloatFormat, Op, TermId};

use super::look::Kind;
use super::maps::Found;
use super::order::rank;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::universe::{ATOM, BITS, CONS, FLOAT, FUN, INTEGER, MAP, NIL, PID, PORT, REFERENCE, TABLED, TUPLE, is, select};

/// The constructors in Erlang's order, with the rank of each.
const RANKS: [(xcute_term::CtorId, u8); 12] = [
    (INTEGER, 0),
    (FLOAT, 0),
    (ATOM, 1),
    (REFERENCE, 2),
    (FUN, 3),
    (PORT, 4),
    (PID, 5),
    (TUPLE, 6),
    (MAP, 7),
    (NIL, 8),
    (CONS, 9),
    (BITS, 10),
];

/// More parts than this are not compared.
const LARGEST: usize = 1 << 14;

/// What two values have in common, once decided.
enum Pair {
    /// Two lists, head and tail each.
    Cells((Val, Val), (Val, Val)),
    /// Two tuples.
    Tuples(Vec<Val>, Vec<Val>),
    /// Two maps: their pairs.
    Maps(Vec<[Val; 2]>, Vec<[Val; 2]>),
    /// Two bitstrings.
    Bits(Val, Val),
    /// Two values whose comparison is a condition.
    Plain(Val, Val),
}

impl Machine<'_> {
    /// The condition that two values are equal (`==`).
    pub(crate) fn equal(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        let mut conditions = Vec::new();
        let mut pending = vec![(a, b)];
        let mut walked = 0;
        while let Some((a, b)) = pending.pop() {
            walked += 1;
            if walked > LARGEST {
                return Err(Stop::Lost("two large terms are compared".to_owned()));
            }
            match self.pair(ctx, a, b)? {
                Pair::Cells(x, y) => {
                    pending.push((x.1, y.1));
                    pending.push((x.0, y.0));
                }
                Pair::Tuples(x, y) if x.len() == y.len() => pending.extend(x.into_iter().zip(y).rev()),
                Pair::Tuples(..) => return Ok(self.no()),
                Pair::Maps(x, y) => {
                    // Keys are the same, values may be equal only.
                    if x.len() != y.len() {
                        return Ok(self.no());
                    }
                    let y = self.map_of(&y);
                    for [key, value] in x {
                        match self.find(ctx, y, key)? {
                            Found::Yes(other) => pending.push((value, other)),
                            _ => return Ok(self.no()),
                        }
                    }
                }
                Pair::Bits(x, y) => match self.same(x, y)? {
                    Some(same) => conditions.extend(same),
                    None => return Ok(self.no()),
                },
                Pair::Plain(x, y) => {
                    let condition = self.equal_plain(ctx, x, y)?;
                    if self.rec.facts.holds(self.rec.terms, condition) == Some(false) {
                        return Ok(self.no());
                    }
                    conditions.push(condition);
                }
            }
        }
        Ok(self.and(&conditions))
    }

    /// The condition that a value comes before another one.
    pub(crate) fn less(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        self.less_by(ctx, a, b, false)
    }

    /// The condition that a value comes before another one; with `exact` as keys of maps are ordered, where integers come before floats.
    fn less_by(&mut self, ctx: &mut Ctx, a: Val, b: Val, exact: bool) -> Res<TermId> {
        let mut pending = vec![(a, b, exact)];
        let mut walked = 0;
        while let Some((a, b, exact)) = pending.pop() {
            walked += 1;
            if walked > LARGEST {
                return Err(Stop::Lost("two large terms are compared".to_owned()));
            }
            let (x, y) = match self.pair(ctx, a, b)? {
                Pair::Cells(x, y) => {
                    pending.push((x.1, y.1, exact));
                    pending.push((x.0, y.0, exact));
                    continue;
                }
                Pair::Tuples(x, y) => {
                    match x.len().cmp(&y.len()) {
                        Ordering::Equal => pending.extend(x.into_iter().zip(y).map(|(x, y)| (x, y, exact)).rev()),
                        order => return Ok(self.rec.terms.bool(order == Ordering::Less)),
                    }
                    continue;
                }
                Pair::Maps(x, y) => {
                    match x.len().cmp(&y.len()) {
                        Ordering::Equal => {
                            // All keys, then all values.
                            let (x, y) = (self.sorted_pairs(ctx, x)?, self.sorted_pairs(ctx, y)?);
                            pending.extend(x.iter().zip(&y).map(|(x, y)| (x[1], y[1], exact)).rev());
                            pending.extend(x.iter().zip(&y).map(|(x, y)| (x[0], y[0], true)).rev());
                        }
                        order => return Ok(self.rec.terms.bool(order == Ordering::Less)),
                    }
                    continue;
                }
                Pair::Bits(x, y) => {
                    let less = self.bits_less(ctx, x, y)?;
                    if pending.is_empty() {
                        return Ok(less);
                    }
                    let (x, y) = (self.fields(ctx, x)?, self.fields(ctx, y)?);
                    let Some(same) = self.same_fields(&x, &y) else { return Ok(less) };
                    let same = self.and(&same);
                    let differ = self.not(same);
                    if self.choose(ctx, &[same, differ])? == 1 {
                        return Ok(less);
                    }
                    continue;
                }
                Pair::Plain(x, y) => (x, y),
            };
            if exact && let Some(less) = self.other_kind_of_number(ctx, x, y)? {
                return Ok(self.rec.terms.bool(less));
            }
            if pending.is_empty() {
                return self.less_plain(ctx, x, y);
            }
            // The first difference decides.
            let equal = self.equal_plain(ctx, x, y)?;
            let differ = self.not(equal);
            if self.choose(ctx, &[equal, differ])? == 1 {
                return self.less_plain(ctx, x, y);
            }
        }
        // All parts are equal.
        Ok(self.no())
    }

    /// Whether an integer is compared with a float, decided; and if so, whether the integer is the first.
    fn other_kind_of_number(&mut self, ctx: &Ctx, a: Val, b: Val) -> Res<Option<bool>> {
        let mut kinds = [None; 2];
        for (kind, value) in kinds.iter_mut().zip([a, b]) {
            let ways = [self.is_kind(value, Kind::Integer), self.is_kind(value, Kind::Float)];
            let either = self.or(&ways);
            let other = self.not(either);
            *kind = Some(self.choose(ctx, &[other, ways[0], ways[1]])?);
        }
        Ok(match kinds {
            [Some(1), Some(2)] => Some(true),
            [Some(2), Some(1)] => Some(false),
            _ => None,
        })
    }

    /// Pairs by their keys, as maps order them; what depends on the input is decided.
    pub(super) fn sorted_pairs(&mut self, ctx: &mut Ctx, pairs: Vec<[Val; 2]>) -> Res<Vec<[Val; 2]>> {
        let mut sorted: Vec<[Val; 2]> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let mut at = sorted.len();
            while at > 0 {
                let less = self.less_by(ctx, pair[0], sorted[at - 1][0], true)?;
                let not = self.not(less);
                if self.choose(ctx, &[not, less])? == 0 {
                    break;
                }
                at -= 1;
            }
            sorted.insert(at, pair);
        }
        Ok(sorted)
    }

    /// Decides what two values have in common.
    fn pair(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<Pair> {
        let (a, b) = (self.known(a), self.known(b));
        match (a, b) {
            (Val::Cons(x), Val::Cons(y)) => return Ok(Pair::Cells(self.heap.cell(x), self.heap.cell(y))),
            (Val::Tuple(x), Val::Tuple(y)) => return Ok(Pair::Tuples(self.heap.elements(x).to_vec(), self.heap.elements(y).to_vec())),
            (Val::Map(_), Val::Map(_)) if self.heap.is_symbolic(a) || self.heap.is_symbolic(b) => {
                return Ok(Pair::Maps(self.all_pairs(ctx, a)?, self.all_pairs(ctx, b)?));
            }
            (Val::Bits(_) | Val::Fields(_), Val::Bits(_) | Val::Fields(_)) => return Ok(Pair::Bits(a, b)),
            _ => {}
        }
        let unknown = |value| matches!(value, Val::Sym(_));
        if !unknown(a) && !unknown(b) || a == b {
            return Ok(Pair::Plain(a, b));
        }
        let both = |machine: &mut Self, kind| {
            let all = [machine.is_kind(a, kind), machine.is_kind(b, kind)];
            machine.and(&all)
        };
        let (cells, tuples, maps) = (both(self, Kind::Cons), both(self, Kind::Tuple), both(self, Kind::Map));
        let bits = both(self, Kind::Bitstring);
        let mixed = self.mixed_numbers(a, b);
        let opaque = self.same_table(a, b);
        let any = self.or(&[cells, tuples, mixed, maps, bits, opaque]);
        let plain = self.not(any);
        match self.choose(ctx, &[plain, cells, tuples, mixed, maps, bits, opaque])? {
            0 => Ok(Pair::Plain(a, b)),
            1 => {
                let parts = |machine: &mut Self, value| match machine.known(value) {
                    Val::Cons(cell) => Ok(machine.heap.cell(cell)),
                    _ => Err(Stop::Lost("a list is none".to_owned())),
                };
                Ok(Pair::Cells(parts(self, a)?, parts(self, b)?))
            }
            2 => Ok(Pair::Tuples(self.elements(ctx, a)?, self.elements(ctx, b)?)),
            3 => {
                // Which of them is the float.
                for value in [a, b] {
                    let ways = [self.is_kind(value, Kind::Integer), self.is_kind(value, Kind::Float)];
                    self.choose(ctx, &ways)?;
                }
                Ok(Pair::Plain(self.known(a), self.known(b)))
            }
            4 => Ok(Pair::Maps(self.all_pairs(ctx, a)?, self.all_pairs(ctx, b)?)),
            5 => Ok(Pair::Bits(a, b)),
            _ => {
                let (a, b) = (self.fixed(ctx, a, "a constant is compared")?, self.fixed(ctx, b, "a constant is compared")?);
                Ok(Pair::Plain(a, b))
            }
        }
    }

    /// Both are numbers, a float is among them, and the other one depends on the input as well: no condition without arithmetic compares them.
    fn mixed_numbers(&mut self, a: Val, b: Val) -> TermId {
        let constant = |value| matches!(value, Val::Int(_) | Val::Big(_) | Val::Float(_));
        if constant(a) || constant(b) {
            return self.no();
        }
        let numbers = [self.is_kind(a, Kind::Number), self.is_kind(b, Kind::Number)];
        let floats = [self.is_kind(a, Kind::Float), self.is_kind(b, Kind::Float)];
        let (numbers, floats) = (self.and(&numbers), self.or(&floats));
        self.and(&[numbers, floats])
    }

    /// Both are constants of the same kind that nobody looks into.
    fn same_table(&mut self, a: Val, b: Val) -> TermId {
        let kinds = [Kind::Fun, Kind::Pid, Kind::Reference, Kind::Port];
        let ways = kinds.map(|kind| {
            let all = [self.is_kind(a, kind), self.is_kind(b, kind)];
            self.and(&all)
        });
        self.or(&ways)
    }

    fn equal_plain(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        if a == b {
            return Ok(self.yes());
        }
        let number = |value| rank_of_number(value);
        match (a, b) {
            _ if number(a) && number(b) => self.numbers_equal(ctx, a, b),
            (Val::Sym(term), other) | (other, Val::Sym(term)) if number(other) => {
                let ways = self.number_ways(ctx, term, other, |machine, ctx, own| machine.numbers_equal(ctx, own, other))?;
                Ok(self.or(&ways))
            }
            _ if !self.heap.is_symbolic(a) && !self.heap.is_symbolic(b) => {
                let equal = self.heap.compare(a, b, self.atoms) == Ordering::Equal;
                Ok(self.rec.terms.bool(equal))
            }
            _ => Ok(match self.same(a, b)? {
                Some(conditions) => self.and(&conditions),
                None => self.no(),
            }),
        }
    }

    /// A condition for a part of the input that is an integer, and one for a float, compared with a number.
    fn number_ways(
        &mut self,
        ctx: &mut Ctx,
        term: TermId,
        _other: Val,
        compare: impl Fn(&mut Self, &mut Ctx, Val) -> Res<TermId>,
    ) -> Res<[TermId; 2]> {
        let number = select(self.rec.terms, INTEGER, 0, term);
        let (integer, own) = (is(self.rec.terms, INTEGER, term), self.integer_value(number));
        let same = compare(self, ctx, own)?;
        let first = self.and(&[integer, same]);
        let float = is(self.rec.terms, FLOAT, term);
        if self.rec.facts.holds(self.rec.terms, float) == Some(false) {
            return Ok([first, self.no()]);
        }
        let bits = self.domain.look_at_constant(&mut self.rec, FLOAT, term);
        let own = self.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
        let same = compare(self, ctx, Val::SymFloat(own))?;
        Ok([first, self.and(&[float, same])])
    }

    fn less_plain(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        if a == b {
            return Ok(self.no());
        }
        if rank_of_number(a) && rank_of_number(b) {
            return self.numbers_less(ctx, a, b);
        }
        if !self.heap.is_symbolic(a) && !self.heap.is_symbolic(b) {
            let less = self.heap.compare(a, b, self.atoms) == Ordering::Less;
            return Ok(self.rec.terms.bool(less));
        }
        let before = self.rank_before(a, b);
        let mut ways = vec![before];
        match (a, b) {
            (Val::Sym(term), number) if rank_of_number(number) => {
                ways.extend(self.number_ways(ctx, term, number, |machine, ctx, own| machine.numbers_less(ctx, own, number))?);
            }
            (number, Val::Sym(term)) if rank_of_number(number) => {
                ways.extend(self.number_ways(ctx, term, number, |machine, ctx, own| machine.numbers_less(ctx, number, own))?);
            }
            (Val::Sym(x), Val::Sym(y)) => {
                let integers = [is(self.rec.terms, INTEGER, x), is(self.rec.terms, INTEGER, y)];
                let (m, n) = (select(self.rec.terms, INTEGER, 0, x), select(self.rec.terms, INTEGER, 0, y));
                let less = self.mk(Op::Lt, &[m, n]);
                ways.push(self.and(&[integers[0], integers[1], less]));
            }
            _ => {}
        }
        if let (Some((is_atom, x)), Some((is_other, y))) = (self.atom_part(a), self.atom_part(b)) {
            let less = self.mk(Op::Lt, &[x, y]);
            ways.push(self.and(&[is_atom, is_other, less]));
        }
        Ok(self.or(&ways))
    }

    /// When a value is an atom, and its number then; `None` if it never is.
    fn atom_part(&mut self, value: Val) -> Option<(TermId, TermId)> {
        match value {
            Val::Sym(term) => {
                let number = self.domain.look_at_constant(&mut self.rec, ATOM, term);
                Some((is(self.rec.terms, ATOM, term), number))
            }
            Val::Atom(atom) => match self.atom_number(atom) {
                Some(number) => Some((self.yes(), number)),
                None => {
                    self.rec.limit("unsupported", "the order of atoms that only exist at run time", true);
                    None
                }
            },
            Val::Cond(_) => {
                let term = self.term(value)?;
                let number = select(self.rec.terms, ATOM, 0, term);
                Some((self.yes(), number))
            }
            _ => None,
        }
    }

    /// The condition that the kind of a value comes before that of another one.
    fn rank_before(&mut self, a: Val, b: Val) -> TermId {
        match (a, b) {
            (Val::Sym(x), Val::Sym(y)) => {
                // Testers only: solvers are quick with these, and slow with numbers that depend on them.
                let mut ways = Vec::new();
                for rank in 0..10 {
                    let both = [self.one_of(x, |of| of == rank), self.one_of(y, |of| of > rank)];
                    ways.push(self.and(&both));
                }
                self.or(&ways)
            }
            (Val::Sym(x), other) => {
                let rank = rank(self.heap, other);
                self.one_of(x, |of| of < rank)
            }
            (other, Val::Sym(y)) => {
                let rank = rank(self.heap, other);
                self.one_of(y, |of| of > rank)
            }
            _ => {
                let before = rank(self.heap, a) < rank(self.heap, b);
                self.rec.terms.bool(before)
            }
        }
    }

    fn one_of(&mut self, term: TermId, test: impl Fn(u8) -> bool) -> TermId {
        let ways: Vec<TermId> = RANKS.iter().filter(|(_, rank)| test(*rank)).map(|(ctor, _)| is(self.rec.terms, *ctor, term)).collect();
        self.or(&ways)
    }
}

fn rank_of_number(value: Val) -> bool {
    matches!(value, Val::Int(_) | Val::Big(_) | Val::Float(_) | Val::SymInt(_) | Val::SymFloat(_))
}

const _: () = assert!(TABLED.len() == 3, "same_table names all kinds of constants");
