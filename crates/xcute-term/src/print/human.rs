//! Terms for people: C-like infix.
//!
//! Signed operators are plain (`<`, `/`, `>>`), unsigned ones end in `u` (`<u`, `/u`, `>>u`); `(u32)x` and `(i32)x` are zero and
//! sign extension or the conversion of a number, `x[7:0]` bits, `a ++ b` concatenation, `f === g` identity of floats. What rewriting made of shifts, masks
//! and disjunctions is shown as shifts, masks and disjunctions again.
//!
//! **Invariant.** The output is bounded: what is too deep or too long is printed as `…`.

use num_bigint::BigInt;
use num_traits::Signed;

use crate::bits::mask;
use crate::print::symbols::{function, infix};
use crate::{Bits, FloatFormat, Op, Rounding, Sort, TermId, Terms, Value};

/// Longest output in bytes, roughly.
const MAX_LENGTH: usize = 8000;
/// Deepest nesting that is shown.
const MAX_DEPTH: u32 = 100;

/// How tightly an expression binds: an argument with less than what its place asks is put in parentheses.
pub(super) type Binding = u8;
const CHOICE: Binding = 1;
const OR: Binding = 2;
const AND: Binding = 3;
const PREFIX: Binding = 14;
const CLOSED: Binding = 15;

/// The term as a person would write it.
#[must_use]
pub fn human(terms: &Terms, t: TermId) -> String {
    let mut printer = Printer { terms, out: String::new() };
    printer.term(t, 0, 0);
    printer.out
}

struct Printer<'a> {
    terms: &'a Terms,
    out: String,
}

impl Printer<'_> {
    fn term(&mut self, t: TermId, outer: Binding, depth: u32) {
        if depth > MAX_DEPTH || self.out.len() > MAX_LENGTH {
            self.out.push('…');
            return;
        }
        let start = self.out.len();
        let binding = self.open(t, depth + 1);
        if binding < outer {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }

    /// Prints without parentheses and says how tightly the result binds.
    fn open(&mut self, t: TermId, depth: u32) -> Binding {
        let terms = self.terms;
        let (op, args) = (terms.op(t), terms.args(t));
        match (op, args) {
            (Op::Var(var), _) => self.text(&terms.info(var).name),
            (Op::Const(_), _) => self.constant(t, true),
            (Op::Not, &[a]) => self.negation(a, depth),
            (Op::And, _) => self.list(args, " && ", AND, depth),
            (Op::Or, _) => self.list(args, " || ", OR, depth),
            (Op::Ite, &[c, a, b]) => {
                self.term(c, CHOICE + 1, depth);
                self.out.push_str(" ? ");
                self.term(a, CHOICE + 1, depth);
                self.out.push_str(" : ");
                self.term(b, CHOICE, depth);
                CHOICE
            }
            (Op::BvAdd | Op::Add, &[a, k]) => match self.negative(k) {
                Some(minus) => {
                    self.term(a, infix(op).map_or(0, |i| i.1), depth);
                    self.out.push_str(&format!(" - {minus}"));
                    infix(op).map_or(0, |i| i.1)
                }
                None => self.infix(op, a, k, depth),
            },
            // A constant on the left of a comparison reads better on the right.
            (Op::BvUle | Op::BvSle | Op::Le, &[k, a]) if terms.is_const(k) => {
                let sign = if op == Op::BvUle { " >=u " } else { " >= " };
                self.comparison(a, sign, k, op != Op::BvUle, depth)
            }
            (Op::BvUlt | Op::BvUle, &[a, b]) => self.comparison(a, if op == Op::BvUlt { " <u " } else { " <=u " }, b, false, depth),
            // Identity of floats, which is not what C's `==` compares.
            (Op::Eq, &[a, b]) if matches!(terms.sort(a), Sort::Float(..)) => {
                self.term(a, CLOSED, depth);
                self.out.push_str(" === ");
                self.term(b, CLOSED, depth);
                infix(op).map_or(0, |i| i.1)
            }
            (Op::Extract(hi, lo), &[a]) => {
                self.term(a, CLOSED, depth);
                self.text(&if hi == lo { format!("[{hi}]") } else { format!("[{hi}:{lo}]") })
            }
            (Op::ZeroExt(_) | Op::SignExt(_) | Op::Concat, _) => self.resized(t, depth),
            _ => match (infix(op), args) {
                (Some(_), &[a, b]) => self.infix(op, a, b, depth),
                _ => self.prefix(t, depth),
            },
        }
    }

    fn text(&mut self, text: &str) -> Binding {
        self.out.push_str(text);
        CLOSED
    }

    fn infix(&mut self, op: Op, a: TermId, b: TermId, depth: u32) -> Binding {
        let Some((sign, binding)) = infix(op) else { return self.text("?") };
        // C would not need parentheses in `c == (x < 5)`, people do.
        let (left, right) = if matches!(op, Op::Eq) { (binding + 2, binding + 2) } else { (binding, binding + 1) };
        self.term(a, left, depth);
        self.out.push_str(sign);
        self.term(b, right, depth);
        binding
    }

    fn comparison(&mut self, a: TermId, sign: &str, b: TermId, signed: bool, depth: u32) -> Binding {
        let binding = infix(Op::BvUlt).map_or(0, |i| i.1);
        self.term(a, binding + 1, depth);
        self.out.push_str(sign);
        if self.terms.is_const(b) {
            self.constant(b, signed)
        } else {
            self.infix_argument(b, binding + 1, depth)
        };
        binding
    }

    fn infix_argument(&mut self, t: TermId, outer: Binding, depth: u32) -> Binding {
        self.term(t, outer, depth);
        outer
    }

    fn list(&mut self, args: &[TermId], sign: &str, binding: Binding, depth: u32) -> Binding {
        for (i, &a) in args.iter().enumerate() {
            if i > 0 {
                self.out.push_str(sign);
            }
            self.term(a, binding + 1, depth);
        }
        binding
    }

    fn negation(&mut self, a: TermId, depth: u32) -> Binding {
        let terms = self.terms;
        match (terms.op(a), terms.args(a)) {
            (Op::Eq | Op::FpEq, &[x, y]) if terms.op(a) == Op::FpEq || !matches!(terms.sort(x), Sort::Float(..)) => {
                let binding = infix(Op::Eq).map_or(0, |i| i.1);
                self.term(x, binding + 2, depth);
                self.out.push_str(" != ");
                self.term(y, binding + 2, depth);
                binding
            }
            (Op::And, args) => {
                for (i, &x) in args.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(" || ");
                    }
                    self.negated(x, depth);
                }
                OR
            }
            _ => {
                self.out.push('!');
                self.term(a, PREFIX, depth);
                PREFIX
            }
        }
    }

    /// The negation of a term that has no node of its own.
    fn negated(&mut self, t: TermId, depth: u32) {
        let terms = self.terms;
        let flipped = match terms.op(t) {
            Op::BvUlt => " >=u ",
            Op::BvUle => " >u ",
            Op::BvSlt | Op::Lt | Op::StrLt => " >= ",
            Op::BvSle | Op::Le | Op::StrLe => " > ",
            Op::Not => return self.term(terms.args(t)[0], OR + 1, depth),
            _ => {
                let start = self.out.len();
                if self.negation(t, depth) <= OR {
                    self.out.insert(start, '(');
                    self.out.push(')');
                }
                return;
            }
        };
        let &[x, y] = terms.args(t) else { return };
        let signed = !matches!(terms.op(t), Op::BvUlt | Op::BvUle);
        if terms.is_const(x) && !terms.is_const(y) {
            let turned = flipped.replace('>', "<");
            self.comparison(y, &turned, x, signed, depth);
        } else {
            self.comparison(x, flipped, y, signed, depth);
        }
    }

    /// Extensions and concatenations, as casts, shifts and masks where they are that.
    fn resized(&mut self, t: TermId, depth: u32) -> Binding {
        let terms = self.terms;
        let width = terms.width(t);
        let &[first, ref rest @ ..] = terms.args(t) else { return CLOSED };
        let shift = infix(Op::BvShl).map_or(0, |i| i.1);
        if let (Op::Extract(hi, lo), &[x]) = (terms.op(first), terms.args(first))
            && terms.width(x) == width
        {
            let low = rest.first().and_then(|&l| terms.as_u64(l));
            let sign = match terms.op(t) {
                Op::Concat if lo == 0 && low == Some(0) => format!(" << {}", width - 1 - hi),
                Op::ZeroExt(_) if hi == width - 1 => format!(" >>u {lo}"),
                Op::SignExt(_) if hi == width - 1 => format!(" >> {lo}"),
                Op::ZeroExt(_) if lo == 0 && hi < 63 => format!(" & {:#x}", mask(hi + 1)),
                _ => String::new(),
            };
            if !sign.is_empty() {
                self.term(x, shift, depth);
                self.out.push_str(&sign);
                return if sign.starts_with(" &") { infix(Op::BvAnd).map_or(0, |i| i.1) } else { shift };
            }
        }
        match (terms.op(t), rest) {
            (Op::Concat, &[low]) => self.infix(Op::Concat, first, low, depth),
            (op, _) => {
                self.out.push_str(&format!("({}{width})", if matches!(op, Op::ZeroExt(_)) { 'u' } else { 'i' }));
                self.term(first, PREFIX, depth);
                PREFIX
            }
        }
    }

    fn prefix(&mut self, t: TermId, depth: u32) -> Binding {
        let terms = self.terms;
        let (op, args) = (terms.op(t), terms.args(t));
        let cast = match op {
            Op::BvNot => "~".to_owned(),
            Op::BvNeg | Op::Neg | Op::FpNeg => "-".to_owned(),
            Op::FpToFp(Rounding::NearestEven, to) | Op::FpFromSbv(Rounding::NearestEven, to) => format!("(f{})", to.width()),
            Op::FpFromUbv(Rounding::NearestEven, to) => format!("(f{})(unsigned)", to.width()),
            Op::FpToSbv(Rounding::Zero, w) => format!("(i{w})"),
            Op::FpToUbv(Rounding::Zero, w) => format!("(u{w})"),
            _ => String::new(),
        };
        if let (false, &[a]) = (cast.is_empty(), args) {
            self.out.push_str(&cast);
            self.term(a, PREFIX, depth);
            return PREFIX;
        }
        self.out.push_str(&function(terms, op));
        self.out.push('(');
        for (i, &a) in args.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.term(a, 0, depth);
        }
        self.text(")")
    }

    /// The magnitude of a negative constant that is added: `x + -1` is `x - 1`.
    fn negative(&self, t: TermId) -> Option<BigInt> {
        let value = match self.terms.as_value(t)? {
            Value::Bits(bits) if bits.width() > 1 => bits.to_signed(),
            Value::Int(value) => value.clone(),
            _ => return None,
        };
        value.is_negative().then(|| -value)
    }

    fn constant(&mut self, t: TermId, signed: bool) -> Binding {
        let Some(value) = self.terms.as_value(t) else { return self.text("?") };
        let text = show(self.terms, value, signed);
        self.out.push_str(&text);
        if text.starts_with('-') { PREFIX } else { CLOSED }
    }
}

fn show(terms: &Terms, value: &Value, signed: bool) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Bits(bits) => show_bits(bits, signed),
        Value::Float(format, bits) => match (*format, bits.as_u64()) {
            (FloatFormat::SINGLE, Some(word)) => match f32::from_bits(word as u32) {
                value if value.is_finite() => format!("{value:?}f"),
                value => format!("{value:?}"),
            },
            (FloatFormat::DOUBLE, Some(word)) => format!("{:?}", f64::from_bits(word)),
            _ => format!("f{}:{:#x}", format.width(), bits.to_big()),
        },
        Value::Int(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        Value::Str(s) => format!("{s:?}"),
        Value::Data(data) => {
            let name = &terms.data(data.ctor.sort).ctors[data.ctor.index as usize].0;
            let fields: Vec<String> = data.fields.iter().map(|f| show(terms, f, true)).collect();
            if fields.is_empty() { name.clone() } else { format!("{name}({})", fields.join(", ")) }
        }
    }
}

/// Decimal, and hexadecimal where it is large.
fn show_bits(bits: &Bits, signed: bool) -> String {
    let value = if signed && bits.width() > 1 { bits.to_signed() } else { bits.to_big().into() };
    if value.magnitude().bits() <= 32 { value.to_string() } else { format!("{:#x}", bits.to_big()) }
}
