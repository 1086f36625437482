//! Erlang's order of terms, for values that do not depend on the input.
//!
//! number < atom < reference < fun < port < pid < tuple < map < nil < list < bitstring; numbers by their value, whatever their kind.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::value::{FunVal, Heap, Val};
use crate::etf::Atoms;

/// How values are compared.
#[derive(Clone, Copy)]
enum By<'a> {
    /// As the operators `<` and `==` do.
    Order(&'a Atoms),
    /// As maps order their keys: integers before floats.
    Keys(&'a Atoms),
    /// As `=:=` does: numbers of different kinds differ. Atoms in any order.
    Identity,
}

/// The place of a kind in the order.
pub(super) fn rank(heap: &Heap, value: Val) -> u8 {
    match value {
        Val::Int(_) | Val::Big(_) | Val::Float(_) | Val::SymInt(_) | Val::SymFloat(_) => 0,
        Val::Atom(_) | Val::Cond(_) => 1,
        Val::Other(other) => match heap.other(other).first() {
            Some(90 | 101 | 114) => 2,
            Some(89 | 102 | 120) => 4,
            Some(88 | 103) => 5,
            _ => 3,
        },
        Val::Fun(_) => 3,
        Val::Tuple(_) => 6,
        Val::Map(_) => 7,
        Val::Nil => 8,
        Val::Cons(_) => 9,
        Val::Bits(_) | Val::Fields(_) => 10,
        // Nobody compares these.
        Val::Raw(_) | Val::Stack(_) | Val::Sym(_) => 11,
    }
}

/// Compares an integer with a float by their values.
#[must_use]
pub fn integer_with_float(integer: &BigInt, float: f64) -> Ordering {
    if float.abs() < 9_007_199_254_740_992.0 {
        // All integers of this size are floats; the others are beyond them.
        return match integer.to_f64() {
            Some(value) if integer.bits() <= 53 => value.partial_cmp(&float).unwrap_or(Ordering::Equal),
            _ => integer.sign().cmp(&num_bigint::Sign::NoSign),
        };
    }
    integer.cmp(&whole(float))
}

/// The integer that a float without fraction is.
fn whole(float: f64) -> BigInt {
    use num_traits::FromPrimitive;
    BigInt::from_f64(float).unwrap_or_default()
}

impl Heap {
    /// Whether two values are the same (`=:=`).
    #[must_use]
    pub fn identical(&self, a: Val, b: Val) -> bool {
        self.compare_by(a, b, By::Identity) == Ordering::Equal
    }

    /// A total order in which only identical values are equal.
    #[must_use]
    pub fn compare_exactly(&self, a: Val, b: Val) -> Ordering {
        self.compare_by(a, b, By::Identity)
    }

    /// Erlang's order.
    #[must_use]
    pub fn compare(&self, a: Val, b: Val, atoms: &Atoms) -> Ordering {
        self.compare_by(a, b, By::Order(atoms))
    }

    fn compare_by(&self, a: Val, b: Val, by: By<'_>) -> Ordering {
        let mut pending = vec![(a, b, by)];
        while let Some((a, b, by)) = pending.pop() {
            let order = match (a, b) {
                (Val::Cons(x), Val::Cons(y)) if x == y => Ordering::Equal,
                (Val::Cons(x), Val::Cons(y)) => {
                    let ((head, tail), (other, rest)) = (self.cell(x), self.cell(y));
                    pending.push((tail, rest, by));
                    pending.push((head, other, by));
                    Ordering::Equal
                }
                (Val::Tuple(x), Val::Tuple(y)) => {
                    let (x, y) = (self.elements(x), self.elements(y));
                    if x.len() == y.len() {
                        pending.extend(x.iter().copied().zip(y.iter().copied()).map(|(x, y)| (x, y, by)).rev());
                    }
                    x.len().cmp(&y.len())
                }
                (Val::Map(x), Val::Map(y)) => {
                    let (x, y) = (self.pairs(x), self.pairs(y));
                    if x.len() == y.len() {
                        // All keys, then all values.
                        let keys = match by {
                            By::Order(atoms) => By::Keys(atoms),
                            other => other,
                        };
                        let (x, y) = (self.in_order(x, keys), self.in_order(y, keys));
                        pending.extend(x.iter().zip(&y).map(|(a, b)| (a[1], b[1], by)).rev());
                        pending.extend(x.iter().zip(&y).map(|(a, b)| (a[0], b[0], keys)).rev());
                    }
                    x.len().cmp(&y.len())
                }
                _ => self.compare_constants(a, b, by),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The pairs of a map in an order of their keys. On the heap they are by identity.
    fn in_order(&self, pairs: &[Val], by: By<'_>) -> Vec<[Val; 2]> {
        let mut pairs: Vec<[Val; 2]> = pairs.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        if !matches!(by, By::Identity) {
            pairs.sort_by(|a, b| self.compare_by(a[0], b[0], by));
        }
        pairs
    }

    fn compare_constants(&self, a: Val, b: Val, by: By<'_>) -> Ordering {
        let ranks = rank(self, a).cmp(&rank(self, b));
        if ranks != Ordering::Equal {
            return ranks;
        }
        match (a, b) {
            (Val::Int(x), Val::Int(y)) => x.cmp(&y),
            (Val::Float(x), Val::Float(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
            (Val::Int(_) | Val::Big(_), Val::Int(_) | Val::Big(_)) => self.to_big(a).cmp(&self.to_big(b)),
            (Val::Int(_) | Val::Big(_), Val::Float(y)) => match by {
                By::Identity | By::Keys(_) => Ordering::Less,
                By::Order(_) => integer_with_float(&self.to_big(a), y),
            },
            (Val::Float(x), Val::Int(_) | Val::Big(_)) => match by {
                By::Identity | By::Keys(_) => Ordering::Greater,
                By::Order(_) => integer_with_float(&self.to_big(b), x).reverse(),
            },
            (Val::Atom(x), Val::Atom(y)) => match by {
                By::Identity => x.cmp(&y),
                By::Order(_) | By::Keys(_) if x == y => Ordering::Equal,
                By::Order(atoms) | By::Keys(atoms) => atoms.name(x).cmp(atoms.name(y)),
            },
            (Val::Bits(x), Val::Bits(y)) => {
                let ((a, bits), (b, others)) = (self.bytes(x), self.bytes(y));
                a.cmp(b).then(bits.cmp(&others))
            }
            (Val::Other(x), Val::Other(y)) => self.other(x).cmp(self.other(y)),
            (Val::Fun(x), Val::Fun(y)) => self.compare_funs(x, y),
            _ => Ordering::Equal,
        }
    }

    fn compare_funs(&self, x: u32, y: u32) -> Ordering {
        match (self.function(x), self.function(y)) {
            (FunVal::Closure(f, start, length), FunVal::Closure(g, other, count)) => {
                let order = f.cmp(&g);
                let captured = || {
                    let (a, b) = (self.captured(start, length), self.captured(other, count));
                    let differs = a.iter().zip(b).position(|(a, b)| a != b);
                    differs.map_or(Ordering::Equal, |_| x.cmp(&y))
                };
                order.then_with(captured)
            }
            (FunVal::External(m, f, a), FunVal::External(n, g, b)) => (m, f, a).cmp(&(n, g, b)),
            (FunVal::Closure(..), FunVal::External(..)) => Ordering::Less,
            (FunVal::External(..), FunVal::Closure(..)) => Ordering::Greater,
        }
    }

    /// An integer as a large one.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn to_big(&self, value: Val) -> BigInt {
        match value {
            Val::Int(value) => value.into(),
            Val::Big(big) => self.big(big).clone(),
            other => panic!("{other:?} is not an integer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_are_compared_by_value() {
        let big = |text: &str| text.parse::<BigInt>().expect("digits");
        for (integer, float, order) in [
            ("1", 1.0, Ordering::Equal),
            ("1", 1.5, Ordering::Less),
            ("-2", -1.5, Ordering::Less),
            ("9007199254740993", 9_007_199_254_740_992.0, Ordering::Greater),
            ("9007199254740992", 9_007_199_254_740_992.0, Ordering::Equal),
            ("100000000000000000000000000", 0.5, Ordering::Greater),
            ("-100000000000000000000000000", -1e300, Ordering::Greater),
            ("0", 0.0, Ordering::Equal),
        ] {
            assert_eq!(integer_with_float(&big(integer), float), order, "{integer} and {float}");
        }
    }

    #[test]
    fn kinds_are_in_their_order_and_long_lists_do_no_harm() {
        let mut heap = Heap::default();
        let mut atoms = Atoms::new();
        let b = atoms.intern("b");
        let a = atoms.intern("a");
        let (empty, pair) = (heap.tuple(&[]), heap.tuple(&[Val::Int(1), Val::Float(2.0)]));
        let other = heap.tuple(&[Val::Int(1), Val::Int(2)]);
        let map = heap.map(&[]);
        let list = heap.list(&[Val::Int(1)], Val::Nil);
        let bits = heap.bitstring(&[1], 8);
        let sorted = [Val::Float(-1.0), Val::Int(3), Val::Atom(a), Val::Atom(b), empty, pair, map, Val::Nil, list, bits];
        for (i, &x) in sorted.iter().enumerate() {
            for (j, &y) in sorted.iter().enumerate() {
                assert_eq!(heap.compare(x, y, &atoms), i.cmp(&j), "{x:?} and {y:?}");
            }
        }
        assert_eq!((heap.compare(pair, other, &atoms), heap.identical(pair, other)), (Ordering::Equal, false));
        let items = vec![Val::Int(7); 300_000];
        let (x, y) = (heap.list(&items, Val::Nil), heap.list(&items, Val::Atom(a)));
        assert!(heap.identical(x, x) && !heap.identical(x, y));
    }
}
