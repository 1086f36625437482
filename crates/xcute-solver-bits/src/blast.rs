//! From terms to literals: each term is translated once, and remembered by its number.
//!
//! **Invariant.** The memo is a vector indexed by `TermId` into one pool of literals; words are stored least significant bit
//! first. A term that cannot be translated is remembered as such, so asking again costs one look-up.

use xcute_term::{Interrupt, Op, Sort, TermId, Terms, Value, VarId};

use crate::circuit::Circuit;
use crate::float;
use crate::lit::Lit;
use crate::{arithmetic, compare, shift};

/// Not looked at yet.
const NEW: u32 = u32::MAX;
/// Has a sort or operator that is neither of Booleans, bit-vectors nor floats, here or below.
const FOREIGN: u32 = u32::MAX - 1;

/// The translation so far.
pub(crate) struct Blast {
    pub(crate) circuit: Circuit,
    memo: Vec<u32>,
    pool: Vec<Lit>,
    stack: Vec<TermId>,
    widest_product: u32,
}

impl Blast {
    /// Nothing translated yet; products and quotients of two unknowns wider than `widest_product` bits will be foreign.
    pub(crate) fn new(widest_product: u32) -> Blast {
        Blast { circuit: Circuit::new(), memo: Vec::new(), pool: Vec::new(), stack: Vec::new(), widest_product }
    }

    /// The literal of a Boolean term; `None` if it is foreign, or if the translation was broken off.
    pub(crate) fn literal(&mut self, terms: &Terms, t: TermId, interrupt: &Interrupt) -> Option<Lit> {
        match self.memo.get(t.index()) {
            Some(&FOREIGN) => return None,
            Some(&start) if start != NEW => return Some(self.pool[start as usize]),
            _ => self.translate(terms, t, interrupt),
        }
        match self.memo[t.index()] {
            FOREIGN | NEW => None,
            start => Some(self.pool[start as usize]),
        }
    }

    /// The literals of a variable that has been translated.
    pub(crate) fn variable(&self, terms: &Terms, var: VarId) -> Option<&[Lit]> {
        let t = terms.var_term(var);
        match *self.memo.get(t.index())? {
            NEW | FOREIGN => None,
            start => Some(&self.pool[start as usize..][..width(terms.sort(t))?]),
        }
    }

    /// Says which value each bit of a variable should be tried with first.
    pub(crate) fn hint(&mut self, terms: &Terms, var: VarId, bit: impl Fn(u32) -> bool) {
        let t = terms.var_term(var);
        let Some(&start) = self.memo.get(t.index()).filter(|&&start| start != NEW && start != FOREIGN) else { return };
        let lits = self.pool[start as usize..].iter().take(width(terms.sort(t)).unwrap_or(0));
        for (i, lit) in (0..).zip(lits) {
            self.circuit.sat.set_phase(lit.var(), bit(i));
        }
    }

    /// How many literals and gates are held: what grows.
    pub(crate) fn size(&self) -> usize {
        self.pool.len() + self.circuit.sat.var_count()
    }

    /// Translates bottom-up, without recursion because terms of long loops are deep. What was translated before it is broken off stays.
    fn translate(&mut self, terms: &Terms, root: TermId, interrupt: &Interrupt) {
        self.memo.resize(terms.len(), NEW);
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if interrupt.raised() {
                self.stack.clear();
                return;
            }
            if self.memo[t.index()] != NEW {
                self.stack.pop();
                continue;
            }
            if width(terms.sort(t)).is_none() || terms.args(t).iter().any(|a| self.memo[a.index()] == FOREIGN) {
                self.memo[t.index()] = FOREIGN;
                continue;
            }
            let waiting = self.stack.len();
            self.stack.extend(terms.args(t).iter().filter(|a| self.memo[a.index()] == NEW));
            if self.stack.len() == waiting {
                self.memo[t.index()] = match self.node(terms, t) {
                    Some(bits) => {
                        let start = u32::try_from(self.pool.len()).expect("the pool is dropped long before 2^32 literals");
                        self.pool.extend_from_slice(&bits);
                        start
                    }
                    None => FOREIGN,
                };
            }
        }
    }

    /// The literals of a term whose arguments are translated.
    fn node(&mut self, terms: &Terms, t: TermId) -> Option<Vec<Lit>> {
        let args = terms.args(t);
        let word = |i: usize| {
            let start = self.memo[args[i].index()] as usize;
            &self.pool[start..start + width(terms.sort(args[i])).expect("arguments are not foreign")]
        };
        let c = &mut self.circuit;
        let one = |lit: Lit| Some(vec![lit]);
        match terms.op(t) {
            Op::Var(_) => Some((0..width(terms.sort(t))?).map(|_| c.input()).collect()),
            Op::Const(_) => constant(terms.as_value(t)?),
            Op::Not => one(!word(0)[0]),
            Op::And => one(c.all((0..args.len()).map(|i| word(i)[0]))),
            Op::Or => one(c.any((0..args.len()).map(|i| word(i)[0]))),
            Op::Ite => Some(compare::choose(c, word(0)[0], word(1), word(2))),
            Op::Eq => one(match terms.sort(args[0]) {
                Sort::Float(format) => float::identical(c, format, word(0), word(1)),
                _ => compare::equal(c, word(0), word(1)),
            }),
            Op::BvUlt => one(compare::unsigned_less(c, word(0), word(1))),
            Op::BvUle => one(!compare::unsigned_less(c, word(1), word(0))),
            Op::BvSlt => one(compare::signed_less(c, word(0), word(1))),
            Op::BvSle => one(!compare::signed_less(c, word(1), word(0))),
            Op::BvNot => Some(arithmetic::complement(word(0))),
            Op::BvNeg => Some(arithmetic::negate(c, word(0))),
            Op::BvAnd => Some(bitwise(word(0), word(1), |x, y| c.and(x, y))),
            Op::BvOr => Some(bitwise(word(0), word(1), |x, y| c.or(x, y))),
            Op::BvXor => Some(bitwise(word(0), word(1), |x, y| c.xor(x, y))),
            Op::BvAdd => Some(arithmetic::add(c, word(0), word(1), Lit::FALSE)),
            Op::BvSub => Some(arithmetic::subtract(c, word(0), word(1))),
            Op::BvShl => Some(shift::left(c, word(0), word(1))),
            Op::BvLshr => Some(shift::right(c, word(0), word(1), Lit::FALSE)),
            Op::BvAshr => Some(shift::right(c, word(0), word(1), *word(0).last()?)),
            Op::Concat => Some([word(1), word(0)].concat()),
            Op::Extract(high, low) => Some(word(0)[low as usize..=high as usize].to_vec()),
            Op::ZeroExt(to) => Some(extended(word(0), to, Lit::FALSE)),
            Op::SignExt(to) => Some(extended(word(0), to, *word(0).last()?)),
            op @ (Op::BvMul | Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem) => {
                let (a, b) = (word(0), word(1));
                let unknown = |w: &[Lit]| w.iter().any(|l| !l.is_constant());
                if unknown(a) && unknown(b) && a.len() > self.widest_product as usize {
                    return None;
                }
                Some(match op {
                    Op::BvMul => arithmetic::multiply(c, a, b),
                    Op::BvUdiv => arithmetic::divide(c, a, b).0,
                    Op::BvUrem => arithmetic::divide(c, a, b).1,
                    Op::BvSdiv => arithmetic::divide_signed(c, a, b),
                    _ => arithmetic::remainder_signed(c, a, b),
                })
            }
            op => float_node(c, op, terms, args, word),
        }
    }
}

/// The literals of an operator that takes or gives a float; `None` for any other, and for those that have no circuit here
/// (`FpRem`, `FpFmod`, `FpFma`).
fn float_node<'a>(c: &mut Circuit, op: Op, terms: &Terms, args: &[TermId], word: impl Fn(usize) -> &'a [Lit]) -> Option<Vec<Lit>> {
    match op {
        Op::FpFromBits(..) | Op::FpToBits => return Some(word(0).to_vec()),
        Op::FpFromSbv(rounding, to) => return Some(float::from_integer(c, to, rounding, true, word(0))),
        Op::FpFromUbv(rounding, to) => return Some(float::from_integer(c, to, rounding, false, word(0))),
        _ => {}
    }
    let Sort::Float(format) = terms.sort(*args.first()?) else { return None };
    let one = |lit: Lit| Some(vec![lit]);
    match op {
        Op::FpAdd(rounding) => Some(float::add(c, format, rounding, word(0), word(1))),
        Op::FpSub(rounding) => Some(float::subtract(c, format, rounding, word(0), word(1))),
        Op::FpMul(rounding) => Some(float::multiply(c, format, rounding, word(0), word(1))),
        Op::FpDiv(rounding) => Some(float::divide(c, format, rounding, word(0), word(1))),
        Op::FpSqrt(rounding) => Some(float::square_root(c, format, rounding, word(0))),
        Op::FpRound(rounding) => Some(float::to_integral(c, format, rounding, word(0))),
        Op::FpNeg => Some(with_sign(word(0), |sign| !sign)),
        Op::FpAbs => Some(with_sign(word(0), |_| Lit::FALSE)),
        Op::FpMin => Some(float::extremum(c, format, false, word(0), word(1))),
        Op::FpMax => Some(float::extremum(c, format, true, word(0), word(1))),
        Op::FpEq => one(float::equal(c, format, word(0), word(1))),
        Op::FpLt => one(float::less(c, format, word(0), word(1))),
        Op::FpLe => one(float::less_or_equal(c, format, word(0), word(1))),
        Op::FpIsNan => one(float::classes(c, format, word(0)).0),
        Op::FpIsInf => one(float::classes(c, format, word(0)).1),
        Op::FpIsZero => one(float::classes(c, format, word(0)).2),
        Op::FpToFp(_, to) if to == format => Some(word(0).to_vec()),
        Op::FpToFp(rounding, to) => Some(float::to_float(c, format, to, rounding, word(0))),
        Op::FpToSbv(rounding, width) => Some(float::to_integer(c, format, rounding, true, width as usize, word(0))),
        Op::FpToUbv(rounding, width) => Some(float::to_integer(c, format, rounding, false, width as usize, word(0))),
        _ => None,
    }
}

fn with_sign(word: &[Lit], change: impl Fn(Lit) -> Lit) -> Vec<Lit> {
    let mut out = word.to_vec();
    let top = out.len() - 1;
    out[top] = change(out[top]);
    out
}

/// The number of literals of a sort; `None` for a foreign one.
fn width(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(1),
        _ => sort.width().map(|width| width as usize),
    }
}

fn constant(value: &Value) -> Option<Vec<Lit>> {
    match value {
        Value::Bool(b) => Some(vec![Lit::constant(*b)]),
        Value::Bits(bits) | Value::Float(_, bits) => Some((0..bits.width()).map(|i| Lit::constant(bits.bit(i))).collect()),
        _ => None,
    }
}

fn bitwise(a: &[Lit], b: &[Lit], mut gate: impl FnMut(Lit, Lit) -> Lit) -> Vec<Lit> {
    a.iter().zip(b).map(|(&x, &y)| gate(x, y)).collect()
}

fn extended(a: &[Lit], to: u32, fill: Lit) -> Vec<Lit> {
    let mut out = a.to_vec();
    out.resize(to as usize, fill);
    out
}
