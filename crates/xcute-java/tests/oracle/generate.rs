//! Random Java programs over small inputs.
//!
//! A program is a static method with numbers, a Boolean, a byte and a list cell as inputs; it masks the numbers, so that few inputs matter, and notes which
//! way it goes. Everything a program does is defined: what throws is part of it.

use std::fmt::Write as _;

use fastrand::Rng;

/// Statements nest so deep at most.
const DEPTH: u32 = 3;

/// Writes programs.
pub struct Generator {
    rng: Rng,
    out: String,
    /// Marks given so far.
    marks: u32,
    /// Local variables of type `int`.
    locals: u32,
}

impl Generator {
    /// A class with this many programs, and one method that chooses among them.
    pub fn class(name: &str, programs: u32, seed: u64) -> String {
        let mut generator = Generator { rng: Rng::with_seed(seed), out: String::new(), marks: 0, locals: 0 };
        let mut choice = String::new();
        for number in 0..programs {
            generator.program(number);
            writeln!(choice, "            case {number}: p{number}(a, b, c, d, p, h); break;").expect("a string");
        }
        let body = generator.out;
        format!(
            "import java.util.*;\nimport java.util.function.*;\n\nclass {name} {{\n{CLASSES}\n    static void f(int which, int a, int b, boolean c, byte d, Cell p) {{\n        long[] h = new long[1];\n        go(which, a, b, c, d, p, h);\n    }}\n\n    static void go(int which, int a, int b, boolean c, byte d, Cell p, long[] h) {{\n        switch (which) {{\n{choice}            default: break;\n        }}\n    }}\n\n{body}}}\n"
        )
    }

    fn program(&mut self, number: u32) {
        self.locals = 2;
        writeln!(self.out, "    static void p{number}(int a, int b, boolean c, byte e, Cell p, long[] h) {{").expect("a string");
        writeln!(self.out, "        int v0 = a & 7, v1 = b & 3;\n        int d = e & 3;\n        int[] t = {{3, v0, 1, v1}};")
            .expect("a string");
        writeln!(self.out, "        Animal z = c ? new Dog(v1) : new Cat();\n        List<Integer> list = new ArrayList<>();\n        Map<Integer, Integer> map = new HashMap<>();\n        StringBuilder s = new StringBuilder();").expect("a string");
        let count = self.rng.u32(2..5);
        for _ in 0..count {
            self.statement(2, DEPTH);
        }
        self.out.push_str("    }\n\n");
    }

    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.out, "{}{text}", "    ".repeat(indent)).expect("a string");
    }

    fn mark(&mut self, indent: usize) {
        self.marks += 1;
        let mark = self.marks;
        self.line(indent, &format!("h[0] = h[0] * 31 + {mark};"));
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        let choice = if depth == 0 { self.rng.u32(0..8) } else { self.rng.u32(0..15) };
        match choice {
            0 | 1 => {
                let (local, value) = (self.local(), self.int(2));
                self.line(indent, &format!("{local} = {value};"));
            }
            2 => {
                let (index, value) = (self.int(1), self.int(1));
                self.line(indent, &format!("t[{index}] = {value};"));
            }
            3 => {
                let value = self.int(1);
                self.line(indent, &format!("list.add({value});"));
            }
            4 => {
                let (key, value) = (self.int(1), self.int(1));
                self.line(indent, &format!("map.put({key}, {value});"));
            }
            5 => {
                let value = self.int(1);
                self.line(indent, &format!("s.append({value} & 15);"));
            }
            6 => {
                let value = self.int(1);
                self.line(indent, &format!("if (p != null) p.v = {value};"));
            }
            7 => {
                let value = self.int(2);
                let local = self.local();
                self.line(indent, &format!("{local} += z.sound({value});"));
            }
            8..=10 => self.conditional(indent, depth),
            11 => self.repeated(indent, depth),
            12 => self.guarded(indent, depth),
            13 => self.switched(indent, depth),
            _ => {
                let (test, name) = (self.bool(1), self.marks);
                self.line(indent, &format!("IntPredicate q{name} = y -> y > 2 && ({test});").replace("v0", "t[1]").replace("v1", "t[3]"));
                let value = self.int(1);
                self.line(indent, &format!("if (q{name}.test({value})) {{"));
                self.mark(indent + 1);
                self.line(indent, "}");
            }
        }
    }

    fn conditional(&mut self, indent: usize, depth: u32) {
        let test = self.bool(2);
        self.line(indent, &format!("if ({test}) {{"));
        self.mark(indent + 1);
        self.statement(indent + 1, depth - 1);
        if self.rng.u32(0..6) == 0 {
            let what = ["IllegalStateException", "IllegalArgumentException"][self.rng.usize(0..2)];
            self.line(indent + 1, &format!("if (v0 != 99) throw new {what}();"));
        }
        self.line(indent, "} else {");
        self.mark(indent + 1);
        self.statement(indent + 1, depth - 1);
        self.line(indent, "}");
    }

    fn repeated(&mut self, indent: usize, depth: u32) {
        let (bound, name) = (self.int(1), format!("i{depth}"));
        self.line(indent, &format!("for (int {name} = 0; {name} < ({bound} & 3); {name}++) {{"));
        self.mark(indent + 1);
        self.statement(indent + 1, depth - 1);
        self.line(indent, "}");
    }

    fn guarded(&mut self, indent: usize, depth: u32) {
        self.line(indent, "try {");
        self.statement(indent + 1, depth - 1);
        let what = ["RuntimeException", "ArithmeticException", "IndexOutOfBoundsException", "NullPointerException"][self.rng.usize(0..4)];
        self.line(indent, &format!("}} catch ({what} e{depth}) {{"));
        self.mark(indent + 1);
        if self.rng.bool() {
            self.line(indent, "} finally {");
            self.statement(indent + 1, depth - 1);
        }
        self.line(indent, "}");
    }

    fn switched(&mut self, indent: usize, depth: u32) {
        let value = self.int(1);
        self.line(indent, &format!("switch ({value}) {{"));
        for case in 0..self.rng.i32(1..4) {
            self.line(indent + 1, &format!("case {}:", case * 2 - 1));
            self.mark(indent + 2);
            self.statement(indent + 2, depth - 1);
            if self.rng.bool() {
                self.line(indent + 2, "break;");
            }
        }
        self.line(indent + 1, "default:");
        self.mark(indent + 2);
        self.line(indent, "}");
    }

    fn local(&mut self) -> String {
        format!("v{}", self.rng.u32(0..self.locals))
    }

    fn int(&mut self, depth: u32) -> String {
        let choice = if depth == 0 { self.rng.u32(0..5) } else { self.rng.u32(0..19) };
        let sub = depth.saturating_sub(1);
        match choice {
            0..=2 => self.local(),
            3 => self.rng.i32(-2..6).to_string(),
            4 => "d".to_owned(),
            5..=8 => {
                let op = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"][self.rng.usize(0..11)];
                format!("({} {op} {})", self.int(sub), self.int(sub))
            }
            9 => format!("t[{}]", self.int(sub)),
            10 => format!("(0 + (byte) ({} * 77))", self.int(sub)),
            11 => format!("(0 + (char) ({}))", self.int(sub)),
            12 => format!("(int) (({}) * 3L - {})", self.int(sub), self.int(sub)),
            13 => format!("(int) (({}) / 2.0 + 0.25)", self.int(sub)),
            14 => format!("({} ? {} : {})", self.bool(sub), self.int(sub), self.int(sub)),
            15 => ["list.size()", "map.size()", "s.length()", "t.length"][self.rng.usize(0..4)].to_owned(),
            16 => format!("(0 + map.getOrDefault({}, 4))", self.int(sub)),
            17 => format!("Math.max({}, {})", self.int(sub), self.int(sub)),
            _ => "(p == null ? 5 : p.v & 3)".to_owned(),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        let choice = if depth == 0 { self.rng.u32(0..4) } else { self.rng.u32(0..16) };
        let sub = depth.saturating_sub(1);
        match choice {
            0 => "c".to_owned(),
            1..=5 => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.rng.usize(0..6)];
                format!("{} {op} {}", self.int(sub), self.int(sub))
            }
            6 => format!("({} && {})", self.bool(sub), self.bool(sub)),
            7 => format!("({} || {})", self.bool(sub), self.bool(sub)),
            8 => format!("!({})", self.bool(sub)),
            9 => "p == null".to_owned(),
            10 => "p.next == null".to_owned(),
            11 => "(p != null && p.next == p)".to_owned(),
            12 => "z instanceof Dog".to_owned(),
            13 => format!("list.contains({})", self.int(sub)),
            14 => format!("s.toString().equals(\"{}\")", ["", "1", "13", "31"][self.rng.usize(0..4)]),
            _ => format!("({}) / 3.0f > {}", self.int(sub), self.int(sub)),
        }
    }
}

const CLASSES: &str = "    static class Cell {
        int v;
        Cell next;
    }

    interface Animal {
        int sound(int x);
    }

    static class Dog implements Animal {
        final int n;

        Dog(int n) {
            this.n = n;
        }

        public int sound(int x) {
            return x > n ? n : x + 1;
        }
    }

    static class Cat implements Animal {
        public int sound(int x) {
            return -x;
        }
    }
";
