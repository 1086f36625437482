//! Random expressions and conditions of C.
//!
//! Everything is computed in `int` (with `-fwrapv`) or `long long`; operands are variables of many widths. A condition operand is
//! written `C(id, e)`, a division `DIV(id, a, b)`: plain C for xcute, recorded for the brute force.

use fastrand::Rng;

/// Gives out numbers for conditions and divisions, and random choices.
pub(crate) struct Source<'a> {
    pub(crate) random: &'a mut Rng,
    pub(crate) next: u32,
    /// Names that may be read here.
    pub(crate) readable: Vec<String>,
    /// Whether helper functions may be called.
    pub(crate) calls: bool,
}

impl Source<'_> {
    pub(crate) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    fn leaf(&mut self) -> String {
        if self.chance(35) {
            let small = self.random.i32(-3..20);
            return match self.random.u32(..6) {
                0 => self.random.i32(..).to_string().replace("-2147483648", "(-2147483647 - 1)"),
                1 => self.random.i32(-200..300).to_string(),
                _ => small.to_string(),
            };
        }
        let i = self.random.usize(..self.readable.len());
        self.readable[i].clone()
    }

    /// A term of type `int` or `long long`.
    pub(crate) fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(20) {
            return self.leaf();
        }
        match self.random.u32(..20) {
            0..=3 => self.binary("+", depth),
            4..=5 => self.binary("-", depth),
            6 => self.binary("*", depth),
            7 => self.binary("&", depth),
            8 => self.binary("|", depth),
            9 => self.binary("^", depth),
            10 => format!("({} << {})", self.expr(depth - 1), self.random.u32(..5)),
            11 => format!("({} >> {})", self.expr(depth - 1), self.random.u32(..5)),
            12 => format!("(~{})", self.leaf()),
            13 => self.division(depth),
            14 => self.ternary(depth),
            15 => self.cast(depth),
            16 => format!("(int)({})", self.comparison(depth - 1)),
            17 if self.calls => format!("helper{}({}, {})", self.random.u32(..2), self.expr(depth - 1), self.leaf()),
            18 => format!("arr[({}) & 3]", self.expr(depth - 1)),
            _ => self.binary("+", depth),
        }
    }

    fn binary(&mut self, op: &str, depth: u32) -> String {
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        format!("({a} {op} {b})")
    }

    fn division(&mut self, depth: u32) -> String {
        let macro_name = if self.chance(50) { "DIV" } else { "MOD" };
        let (a, b) = (self.expr(depth - 1), self.leaf());
        // Most divisors are made non-zero, so that paths go on.
        let b = if self.chance(70) { format!("(({b}) | 1)") } else { b };
        format!("{macro_name}({}, (int)({a}), (int)({b}))", self.id())
    }

    fn ternary(&mut self, depth: u32) -> String {
        let c = self.condition(1);
        let (a, b) = (self.expr(depth - 1), self.leaf());
        format!("({c} ? {a} : {b})")
    }

    fn cast(&mut self, depth: u32) -> String {
        const TYPES: [&str; 7] = ["unsigned char", "signed char", "short", "unsigned short", "unsigned", "long long", "int"];
        let t = TYPES[self.random.usize(..TYPES.len())];
        let e = self.expr(depth - 1);
        // Casts of the wide types come back to int, so that the type of an expression does not grow.
        format!("(int)({t})({e})")
    }

    fn comparison(&mut self, depth: u32) -> String {
        const OPS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
        let op = OPS[self.random.usize(..OPS.len())];
        let (a, b) = (self.expr(depth), self.leaf());
        if self.chance(20) { format!("(unsigned)({a}) {op} (unsigned)({b})") } else { format!("({a}) {op} ({b})") }
    }

    /// A condition: operands of `&&` and `||` are each recorded.
    pub(crate) fn condition(&mut self, depth: u32) -> String {
        match self.random.u32(..10) {
            0 if depth > 0 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 if depth > 0 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => {
                let e = self.expr(1);
                format!("C({}, ({e}) != 0)", self.id())
            }
            _ => {
                let c = self.comparison(2);
                format!("C({}, {c})", self.id())
            }
        }
    }
}
