//! Random modules: functions over the type `t()`, with patterns, guards, exceptions, closures and the usual functions.
//!
//! Of three modules one has pairs, one maps, and one bitstrings.

use std::fmt::Write as _;

/// Makes a module.
pub struct Random {
    rng: fastrand::Rng,
    /// Variables in use, for fresh names.
    variables: u32,
    scope: Vec<String>,
    /// Functions that may be called: their arities; only later ones, so that everything ends.
    functions: Vec<u32>,
    current: usize,
    kind: Kind,
}

/// What the inputs of a module have besides tuples of one element and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pairs,
    Maps,
    Bits,
}

/// The kind of the module of a seed.
pub fn kind(seed: u64) -> Kind {
    [Kind::Pairs, Kind::Maps, Kind::Bits][usize::try_from(seed % 3).expect("less than 3")]
}

impl Random {
    pub fn new(seed: u64) -> Random {
        let kind = kind(seed);
        Random { rng: fastrand::Rng::with_seed(seed), variables: 0, scope: Vec::new(), functions: Vec::new(), current: 0, kind }
    }

    /// The text of a module whose entry is `f0/1`.
    pub fn module(&mut self) -> String {
        self.functions = vec![1, self.rng.u32(1..=2), self.rng.u32(1..=2)];
        let mut out = String::from("-compile(nowarn_unused_vars).\n-compile(nowarn_shadow_vars).\n");
        out.push_str(match self.kind {
            Kind::Maps => "-type t() :: a | 0 | [] | {t()} | #{a => t(), 0 => t()} | nonempty_maybe_improper_list(t(), t()).\n",
            Kind::Pairs => "-type t() :: a | 0..1 | [] | {t()} | {t(), t()} | nonempty_maybe_improper_list(t(), t()).\n",
            Kind::Bits => "-type t() :: a | 0 | [] | {} | {t()} | <<>> | <<_:1>> | <<_:2>> | nonempty_maybe_improper_list(t(), t()).\n",
        });
        out.push_str("-spec f0(t()) -> term().\n");
        for number in 0..self.functions.len() {
            self.current = number;
            let mut clauses: Vec<String> = (0..self.rng.u32(2..=4)).map(|_| self.clause(number)).collect();
            if self.rng.u8(0..3) > 0 {
                let rest: Vec<String> = (0..self.functions[number]).map(|_| self.fresh()).collect();
                self.scope.clone_from(&rest);
                clauses.push(format!("f{number}({}) -> {}", rest.join(", "), self.expr(3)));
            }
            writeln!(out, "{}.", clauses.join(";\n")).expect("a string");
        }
        out
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.usize(0..from.len())]
    }

    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("V{}", self.variables)
    }

    fn clause(&mut self, number: usize) -> String {
        self.scope.clear();
        let patterns: Vec<String> = (0..self.functions[number]).map(|n| if n == 0 { self.refutable() } else { self.pattern(2) }).collect();
        let guard = self.maybe_guard();
        let body = self.expr(3);
        format!("f{number}({}){guard} -> {body}", patterns.join(", "))
    }

    fn maybe_guard(&mut self) -> String {
        if self.scope.is_empty() || self.rng.u8(0..3) > 0 { String::new() } else { format!(" when {}", self.guard(2)) }
    }

    fn constant(&mut self) -> String {
        self.pick(&["a", "a", "0", "0", "1", "1", "[]", "[]", "2", "b", "{}", "1.0"]).to_owned()
    }

    fn pattern(&mut self, depth: u32) -> String {
        match self.rng.u8(0..if depth == 0 { 5 } else { 9 }) {
            0..=2 => {
                let name = self.fresh();
                self.scope.push(name.clone());
                name
            }
            3 => "_".to_owned(),
            4 => self.constant(),
            5 | 6 => format!("[{} | {}]", self.pattern(depth - 1), self.pattern(depth - 1)),
            7 => format!("{{{}}}", self.pattern(depth - 1)),
            _ if self.kind == Kind::Maps => self.map_pattern(depth - 1),
            _ if self.kind == Kind::Bits => self.bits_pattern(),
            _ => format!("{{{}, {}}}", self.pattern(depth - 1), self.pattern(depth - 1)),
        }
    }

    /// A pattern that does not match everything.
    fn refutable(&mut self) -> String {
        match self.rng.u8(0..8) {
            0 => self.constant(),
            1..=3 => format!("[{} | {}]", self.pattern(1), self.pattern(1)),
            4 => format!("{{{}}}", self.pattern(1)),
            5 if self.kind == Kind::Maps => self.map_pattern(1),
            5 if self.kind == Kind::Bits => self.bits_pattern(),
            5 => format!("{{{}, {}}}", self.pattern(1), self.pattern(1)),
            6 => {
                let name = self.fresh();
                self.scope.push(name.clone());
                format!("{name} = {}", self.refutable())
            }
            _ => self.pattern(2),
        }
    }

    /// A pattern of bits.
    fn bits_pattern(&mut self) -> String {
        let (first, second) = (self.fresh(), self.fresh());
        let (pattern, bound) = match self.rng.u8(0..8) {
            0 => (format!("<<{first}:1, {second}/bitstring>>"), vec![first, second]),
            1 => (format!("<<1:1, {first}/bitstring>>"), vec![first]),
            2 => (format!("<<{first}:2>>"), vec![first]),
            3 => (format!("<<{first}:1>>"), vec![first]),
            4 => (format!("<<{first}:1, {second}:{first}, _/bitstring>>"), vec![first, second]),
            5 => (format!("<<{first}:2/signed>>"), vec![first]),
            6 => (format!("<<{first}:1/bitstring, {second}:1>>"), vec![first, second]),
            _ => ("<<>>".to_owned(), vec![]),
        };
        self.scope.extend(bound);
        pattern
    }

    /// An expression over bits.
    fn bits_expr(&mut self, depth: u32) -> String {
        let (value, other) = (self.expr(depth), self.expr(depth));
        match self.rng.u8(0..9) {
            0 => format!("<<({value})/bitstring, 1:1>>"),
            1 => format!("<<({value})/bitstring, ({other})/bitstring>>"),
            2 => format!("<<({value}):2>>"),
            3 => format!("bit_size({value})"),
            4 => format!("byte_size({value})"),
            5 => format!("[B || <<B:1>> <= {value}]"),
            6 => format!("<< <<(1 - B):1>> || <<B:1>> <= {value} >>"),
            7 => format!("<< <<B:1>> || B <- {value} >>"),
            _ => format!("bitstring_to_list({value})"),
        }
    }

    /// A key: one of the type, or another constant.
    fn key(&mut self) -> &'static str {
        self.pick(&["a", "a", "0", "0", "b", "1.0", "{0}"])
    }

    fn map_pattern(&mut self, depth: u32) -> String {
        let (key, value) = (self.key(), self.pattern(depth));
        if self.rng.bool() {
            format!("#{{{key} := {value}}}")
        } else {
            format!("#{{{key} := {value}, {} := {}}}", self.key(), self.pattern(depth))
        }
    }

    /// An expression over maps.
    fn map_expr(&mut self, depth: u32) -> String {
        let (map, key, value) = (self.expr(depth), self.expr(0), self.expr(depth));
        let (named, other) = (self.key(), self.expr(depth));
        match self.rng.u8(0..17) {
            0 => format!("#{{{named} => {value}}}"),
            1 => format!("#{{{key} => {value}, {named} => {other}}}"),
            2 => format!("({map})#{{{named} => {value}}}"),
            3 => format!("({map})#{{{named} := {value}}}"),
            4 => format!("({map})#{{{key} => {value}}}"),
            5 => format!("maps:get({key}, {map})"),
            6 => format!("map_get({named}, {map})"),
            7 => format!("maps:get({named}, {map}, {value})"),
            8 => format!("maps:{}({named}, {map})", self.pick(&["find", "remove", "take", "is_key"])),
            9 => format!("maps:{}({map})", self.pick(&["keys", "values", "to_list", "size"])),
            10 => format!("map_size({map})"),
            11 => format!("maps:merge({map}, {other})"),
            12 => format!("maps:fold(fun(_, V, A) -> [V | A] end, {value}, {map})"),
            13 => format!("maps:map(fun(K, V) -> {{K, V}} end, {map})"),
            14 => format!("maps:from_list([{{{named}, {value}}}, {{{key}, {other}}}])"),
            15 => format!("maps:remove({key}, {map})"),
            _ => format!("maps:filter(fun(_, V) -> V =/= {key} end, {map})"),
        }
    }

    /// A variable, or a constant where there is none.
    fn variable(&mut self) -> String {
        if self.scope.is_empty() || self.rng.u8(0..8) == 0 {
            return self.constant();
        }
        let at = self.rng.usize(0..self.scope.len());
        self.scope[at].clone()
    }

    fn guard(&mut self, depth: u32) -> String {
        if depth > 0 && self.rng.u8(0..3) == 0 {
            let (a, b) = (self.guard(depth - 1), self.guard(depth - 1));
            return match self.rng.u8(0..5) {
                0 => format!("({a}) andalso ({b})"),
                1 => format!("({a}) orelse ({b})"),
                2 => format!("({a}) and ({b})"),
                3 => format!("({a}) or ({b})"),
                _ => format!("not ({a})"),
            };
        }
        let (x, y) = (self.guard_operand(), self.guard_operand());
        match self.rng.u8(0..10) {
            0..=3 => {
                let test =
                    self.pick(&["is_atom", "is_integer", "is_list", "is_tuple", "is_number", "is_boolean", "is_float", "is_function"]);
                format!("{test}({x})")
            }
            _ => format!("{x} {} {y}", self.pick(&["=:=", "=/=", "==", "/=", "<", ">", "=<", ">="])),
        }
    }

    fn guard_operand(&mut self) -> String {
        let x = self.variable();
        match self.rng.u8(0..14) {
            0 => format!("hd({x})"),
            1 => format!("length({x})"),
            2 => format!("element({}, {x})", self.rng.u8(1..3)),
            3 => format!("tuple_size({x})"),
            4 => format!("({x} + {})", self.rng.u8(0..3)),
            5 => format!("({x} rem 2)"),
            6 => format!("abs({x})"),
            7 if self.kind == Kind::Bits => format!("bit_size({x})"),
            8 if self.kind == Kind::Bits => format!("is_bitstring({x})"),
            9 if self.kind == Kind::Bits => format!("is_binary({x})"),
            7 if self.kind == Kind::Maps => format!("map_size({x})"),
            8 if self.kind == Kind::Maps => format!("map_get({}, {x})", self.key()),
            9 if self.kind == Kind::Maps => format!("is_map_key({}, {x})", self.key()),
            _ => x,
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(0..6) == 0 {
            return self.variable();
        }
        let d = depth - 1;
        if self.kind != Kind::Pairs && self.rng.u8(0..4) == 0 {
            return if self.kind == Kind::Maps { self.map_expr(d) } else { self.bits_expr(d) };
        }
        match self.rng.u8(0..40) {
            30..=36 => self.case(d),
            37..=39 => self.call(d),
            0 | 1 => format!("[{} | {}]", self.expr(d), self.expr(d)),
            2 => format!("{{{}, {}}}", self.expr(d), self.expr(d)),
            3..=5 => {
                let op = self.pick(&["+", "-", "*", "div", "rem", "/", "band", "bor", "bxor"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            6..=9 => self.case(d),
            10 => {
                let (guard, yes, no) = (self.guard(1), self.expr(d), self.expr(d));
                let otherwise = if self.rng.bool() { "true".to_owned() } else { self.guard(1) };
                format!("if {guard} -> {yes}; {otherwise} -> {no} end")
            }
            11..=13 => self.try_(d),
            14 => format!("(catch {})", self.expr(d)),
            15 => format!("{}({})", self.pick(&["throw", "error", "exit"]), self.expr(d)),
            16..=18 => self.call(d),
            19 => {
                let argument = self.variable();
                let mark = self.scope.len();
                let pattern = self.pattern(1);
                let body = self.expr(d);
                self.scope.truncate(mark);
                format!("(fun({pattern}) -> {body} end)({argument})")
            }
            20 => {
                let list = self.expr(d);
                let mark = self.scope.len();
                let pattern = self.pattern(1);
                let body = self.expr(d);
                self.scope.truncate(mark);
                format!("{}(fun({pattern}) -> {body} end, {list})", self.pick(&["lists:map", "lists:filter", "lists:any"]))
            }
            21 => {
                let list = self.expr(d);
                let mark = self.scope.len();
                let pattern = self.pattern(1);
                let guard = self.guard(1);
                let body = self.expr(d);
                self.scope.truncate(mark);
                format!("[{body} || {pattern} <- {list}, {guard}]")
            }
            22 => {
                let value = self.expr(d);
                let mark = self.scope.len();
                let pattern = self.pattern(1);
                let body = self.expr(d);
                self.scope.truncate(mark);
                format!("begin {pattern} = {value}, {body} end")
            }
            23 => format!(
                "{}({})",
                self.pick(&["hd", "tl", "length", "tuple_to_list", "list_to_tuple", "abs", "not", "tuple_size"]),
                self.expr(d)
            ),
            24 => format!("element({}, {})", self.expr(0), self.expr(d)),
            25 => format!("({} {} {})", self.expr(d), self.pick(&["++", "--"]), self.expr(d)),
            26 => format!("lists:{}({}, {})", self.pick(&["member", "delete", "append", "reverse"]), self.expr(d), self.expr(d)),
            27 => format!("({} {} {})", self.expr(d), self.pick(&["=:=", "==", "<", "=<", "/="]), self.expr(d)),
            28 => format!("({} {} {})", self.expr(d), self.pick(&["andalso", "orelse", "and", "or", "xor"]), self.expr(d)),
            _ => format!("setelement({}, {}, {})", self.expr(0), self.expr(d), self.expr(0)),
        }
    }

    fn clauses(&mut self, depth: u32, count: u32) -> String {
        let mut clauses = Vec::new();
        for _ in 0..count {
            let mark = self.scope.len();
            let pattern = self.pattern(2);
            let guard = self.maybe_guard();
            let body = self.expr(depth);
            self.scope.truncate(mark);
            clauses.push(format!("{pattern}{guard} -> {body}"));
        }
        clauses.join("; ")
    }

    fn case(&mut self, depth: u32) -> String {
        let value = if self.rng.bool() { self.variable() } else { self.expr(depth) };
        let count = self.rng.u32(1..=3);
        let clauses = self.clauses(depth, count);
        let rest = if self.rng.bool() { format!("; _ -> {}", self.expr(depth)) } else { String::new() };
        format!("case {value} of {clauses}{rest} end")
    }

    fn try_(&mut self, depth: u32) -> String {
        let value = self.expr(depth);
        let of = if self.rng.u8(0..3) == 0 { format!(" of {}", self.clauses(depth, 1)) } else { String::new() };
        let mark = self.scope.len();
        let class = self.pick(&["_", "error", "throw", "exit"]);
        let (pattern, guard, handler) = (self.pattern(1), self.maybe_guard(), self.expr(depth));
        self.scope.truncate(mark);
        let after = if self.rng.u8(0..5) == 0 { format!(" after {}", self.expr(0)) } else { String::new() };
        format!("try {value}{of} catch {class}:{pattern}{guard} -> {handler}{after} end")
    }

    fn call(&mut self, depth: u32) -> String {
        if self.current + 1 >= self.functions.len() {
            return self.expr(depth);
        }
        let callee = self.rng.usize(self.current + 1..self.functions.len());
        let args: Vec<String> =
            (0..self.functions[callee]).map(|_| if self.rng.bool() { self.variable() } else { self.expr(depth) }).collect();
        format!("f{callee}({})", args.join(", "))
    }
}
