//! Random programs over the built-in predicates and those of the library: `p(X, R)` says in `R` which clause answered, and which way its conditions went.
//!
//! Goals are templates whose places are filled: `$t` is a term, `$x` an input or a part of one, `$v` a variable that was made before or is new, `$i` a number, `$e` an expression,
//! `$s` a text, `$l` a list, `$g` a goal that only tests.

/// Goals that make or take apart something, by kind.
const GOALS: &[&str] = &[
    // Texts.
    "atom_length($x, $v)",
    "atom_codes($x, $v)",
    "atom_chars($x, $v)",
    "atom_chars($v, $l)",
    "char_code($x, $v)",
    "atom_number($x, $v)",
    "number_codes($v, $l)",
    "atom_string($x, $v)",
    "atom_concat($s, $x, $v)",
    "string_concat($x, $s, $v)",
    "sub_atom($x, $n, 1, _, $v)",
    "sub_atom($x, $v, _, 0, b)",
    "sub_string($x, $n, 1, $v, _)",
    "upcase_atom($x, $v)",
    "string_upper($x, $v)",
    "string_chars($x, $v)",
    "string_codes($x, $v)",
    "string_to_atom($x, $v)",
    "string_length($x, $v)",
    "string_code(1, $x, $v)",
    "split_string($x, \"b\", \"\", $v)",
    "term_to_atom($x, $v)",
    "number_string($v, $x)",
    "text_concat($x, $s, $v)",
    "atomic_list_concat([$x, $s], $v)",
    "atomic_list_concat($l, '-', $v)",
    "atomic_list_concat($v, '-', $s)",
    "text_to_string($x, $v)",
    // Numbers.
    "$v is $e",
    "$v is $e",
    "$v is $e",
    "succ($x, $v)",
    "succ($v, $x)",
    "plus($x, $n, $v)",
    "between($n, 3, $x)",
    "between(0, $n, $v)",
    // Terms.
    "functor($x, $v, $v)",
    "functor($v, $a, $n)",
    "arg($n, $x, $v)",
    "$x =.. $v",
    "copy_term($x, $v)",
    "term_variables($x, $v)",
    "$v = $t",
    "$x = $t",
    "length($x, $v)",
    "length($l, $v)",
    // Order.
    "compare($v, $x, $t)",
    "msort($x, $v)",
    "msort($l, $v)",
    "sort($l, $v)",
    "sort(0, @>=, $l, $v)",
    "sort(0, @>=, $x, $v)",
    "sort(1, @<, [f($x), f($t)], $v)",
    "keysort([$x-1, $t-2], $v)",
    "predsort([O, A, B]>>compare(O, A, B), $l, $v)",
    // Lists.
    "append($v, $v, $x)",
    "append($l, $x, $v)",
    "append($x, $l, $v)",
    "nth0($n, $x, $v)",
    "nth1($n, $x, $v)",
    "reverse($x, $v)",
    "sum_list($x, $v)",
    "max_list($x, $v)",
    "min_member($v, $l)",
    "last($x, $v)",
    "delete($l, $t, $v)",
    "subtract($l, $x, $v)",
    "exclude([E]>>(E == $t), $l, $v)",
    "list_to_set($l, $v)",
    "select($t, $x, $v)",
    "maplist([E, F]>>(F = f(E)), $x, $v)",
    "foldl([E, S0, S1]>>(S1 = [E|S0]), $x, [], $v)",
    "sumlist($l, $v)",
    "exclude([E]>>atom(E), $x, $v)",
    // Association lists, pairs, ordered sets.
    "list_to_assoc([$a-($t), k-($x)], A$k), get_assoc($a, A$k, $v)",
    "empty_assoc(A$k), put_assoc($x, A$k, 1, B$k), assoc_to_keys(B$k, $v)",
    "pairs_keys_values($v, $l, $l)",
    "pairs_keys($x, $v)",
    "list_to_ord_set($l, $v)",
    "ord_union([$t], [b], $v)",
    "ord_subtract([a, b], [$a], $v)",
    // Solutions.
    "findall(S, member(S, $x), $v)",
    "findall(S, (member(S, $l), S \\== $t), $v)",
    "bagof(S, member(S, $l), $v)",
    "setof(S, member(S, $l), $v)",
    "setof(S-T, member(S-T, [$x-1, $t-2]), $v)",
    "aggregate_all(count, member($x, $l), $v)",
    "aggregate_all(max(S), member(S, $l), $v)",
    "forall(member(S, $l), $q)",
    // State.
    "assertz(d$k($x)), d$k($v)",
    "assertz(d$k($t)), ( retract(d$k($x)) -> $v = gone ; true )",
    "retractall(d$k(_)), assertz(d$k($x)), findall(S, d$k(S), $v)",
    "b_setval(g$k, $x), b_getval(g$k, $v)",
    // Errors.
    "catch(($g), error(type_error($v, _), _), true)",
    "catch(($g), error($v, _), true)",
    "catch(throw(ball($x)), ball($v), true)",
    "must_be($y, $x)",
    "( $x == $t -> throw(thrown) ; true )",
];

/// Goals that succeed or do not.
const TESTS: &[&str] = &[
    "atom($x)",
    "integer($x)",
    "float($x)",
    "number($x)",
    "string($x)",
    "compound($x)",
    "atomic($x)",
    "callable($x)",
    "is_list($x)",
    "is_assoc($x)",
    "ground($x)",
    "var($v)",
    "$x == $t",
    "$x \\== $t",
    "$x = $t",
    "$x \\= $t",
    "$x =@= $t",
    "$x @< $t",
    "$x @>= $t",
    "$e < $e",
    "$e =:= $e",
    "$e >= $n",
    "$e =\\= $e",
    "member($x, $l)",
    "memberchk($t, $x)",
    "memberchk($x, $l)",
    "subset($l, $x)",
    "is_set($x)",
    "ord_memberchk($x, [a, b])",
    "atom_length($x, $n)",
    "atom_codes($x, [_|_])",
    "sub_atom($x, _, _, _, b)",
    "functor($x, $a, $n)",
    "functor($x, _, $n)",
    "arg($n, $x, $t)",
    "$x =.. [$a|_]",
    "length($x, $n)",
    "char_type($x, alpha)",
    "code_type($x, digit)",
    "between(0, 2, $x)",
    "forall(member(S, $l), S @< $x)",
    "catch($e > 0, _, fail)",
    "sumlist($x, $n)",
    "maplist(integer, $x)",
    "maplist(=($t), $x)",
    "subsumes_term($t, $x)",
    "last($x, $t)",
    "nth0($n, $x, $t)",
    "string_concat($s, _, $x)",
    "atom_number($x, $n)",
    "same_length($x, $l)",
];

const OPERATORS: &[&str] = &["+", "-", "*", "//", "mod", "rem", "/", "/\\", "\\/", "xor", "<<", ">>", "**", "^", "div"];
const FUNCTIONS: &[&str] =
    &["abs", "sign", "-", "\\", "truncate", "round", "ceiling", "floor", "float", "integer", "sqrt", "float_integer_part", "msb"];
const PAIRED: &[&str] = &["min", "max", "gcd", "copysign", "truncate"];
const ATOMS: &[&str] = &["a", "b", "ab", "[]", "f", "zebra", "''", "'1'"];
const TYPES: &[&str] =
    &["integer", "atom", "list", "boolean", "positive_integer", "callable", "oneof([a, b])", "list(integer)", "number", "text"];

/// A program that is being made.
pub struct Generator {
    random: fastrand::Rng,
    /// Sets its names apart from those of other programs.
    number: u64,
    /// Variables of the clause that have been made.
    variables: usize,
    /// Ways that conditions of the clause went.
    ways: usize,
}

/// The name of the predicate of a program.
pub fn name(number: u64) -> String {
    format!("p{number}")
}

impl Generator {
    /// The program with a number.
    pub fn program(number: u64) -> String {
        let mut generator = Generator { random: fastrand::Rng::with_seed(number), number, variables: 0, ways: 0 };
        let mut text = format!(":- set_prolog_flag(occurs_check, true).\n:- dynamic d{number}/1.\n");
        for clause in 1..=generator.random.usize(2..=4) {
            text += &generator.clause(clause);
        }
        text
    }

    fn clause(&mut self, clause: usize) -> String {
        (self.variables, self.ways) = (0, 0);
        let head = match self.random.u8(0..8) {
            0 => self.random.choice(["f(X)", "[X|_]", "X-_", "g(X, _)"]).unwrap_or("X"),
            _ => "X",
        };
        let mut goals = Vec::new();
        for _ in 0..self.random.usize(1..=3) {
            goals.push(self.goal(1));
        }
        if self.random.u8(0..3) > 0 {
            goals.push("!".to_owned());
        }
        let ways: Vec<String> = (0..self.ways).map(|way| format!("W{way}")).collect();
        let values: Vec<String> = (0..self.variables).map(|made| format!("V{made}")).collect();
        goals.push(format!("R = r({clause}, [{}], values([{}]))", ways.join(", "), values.join(", ")));
        format!("p{}({head}, R) :- {}.\n", self.number, goals.join(", "))
    }

    fn goal(&mut self, depth: u32) -> String {
        match self.random.u8(0..12) {
            0 if depth > 0 => format!("\\+ ({})", self.test()),
            1 | 2 if depth > 0 => {
                let way = self.ways;
                self.ways += 1;
                let (test, yes, no) = (self.test(), self.goal(depth - 1), self.goal(depth - 1));
                format!("( {test} -> W{way} = 1, {yes} ; W{way} = 2, {no} )")
            }
            3 if depth > 0 => {
                let way = self.ways;
                self.ways += 1;
                let (first, second) = (self.goal(depth - 1), self.goal(depth - 1));
                format!("( {first}, W{way} = 1 ; {second}, W{way} = 2 )")
            }
            4..7 => self.test(),
            _ => {
                let template = GOALS[self.random.usize(0..GOALS.len())];
                self.filled(template)
            }
        }
    }

    fn test(&mut self) -> String {
        let template = TESTS[self.random.usize(0..TESTS.len())];
        self.filled(template)
    }

    fn filled(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('$') {
            let (place, after) = after.split_at(1);
            out += before;
            out += &match place {
                "x" => self.input(),
                "t" => self.term(2),
                "v" => self.made(),
                "n" => self.random.u8(0..3).to_string(),
                "e" => self.expression(2),
                "s" => self.random.choice(["a", "b", "''", "\"a\"", "'1'", "\"b\""]).unwrap_or("a").to_owned(),
                "a" => ATOMS[self.random.usize(0..ATOMS.len())].to_owned(),
                "l" => self.list(),
                "y" => TYPES[self.random.usize(0..TYPES.len())].to_owned(),
                "k" => self.number.to_string(),
                "q" => {
                    let of = self.term(1);
                    format!("S \\== {of}")
                }
                "g" => self.test(),
                other => panic!("there is no place ${other}"),
            };
            rest = after;
        }
        out + rest
    }

    /// Mostly the input itself.
    fn input(&mut self) -> String {
        match self.random.u8(0..8) {
            0 if self.variables > 0 => format!("V{}", self.random.usize(0..self.variables)),
            1 => self.term(1),
            _ => "X".to_owned(),
        }
    }

    /// Mostly a new variable.
    fn made(&mut self) -> String {
        if self.variables > 0 && self.random.u8(0..6) == 0 {
            return format!("V{}", self.random.usize(0..self.variables));
        }
        self.variables += 1;
        format!("V{}", self.variables - 1)
    }

    fn term(&mut self, depth: u32) -> String {
        match self.random.u8(0..16) {
            0..3 => "X".to_owned(),
            3 if self.variables > 0 => format!("V{}", self.random.usize(0..self.variables)),
            4 if depth > 0 => format!("f({})", self.term(depth - 1)),
            5 if depth > 0 => format!("g({}, {})", self.term(depth - 1), self.term(depth - 1)),
            6 if depth > 0 => format!("[{}]", self.term(depth - 1)),
            7 if depth > 0 => format!("[{}, {}]", self.term(0), self.term(0)),
            8 | 9 => self.random.choice(["0", "1", "2", "-1", "3"]).unwrap_or("0").to_owned(),
            10 => self.random.choice(["1.0", "2.5", "0.0"]).unwrap_or("0.0").to_owned(),
            11 => self.random.choice(["\"a\"", "\"\"", "\"ab\""]).unwrap_or("\"\"").to_owned(),
            _ => ATOMS[self.random.usize(0..ATOMS.len())].to_owned(),
        }
    }

    fn list(&mut self) -> String {
        let items: Vec<String> = (0..self.random.usize(0..4)).map(|_| self.term(1)).collect();
        format!("[{}]", items.join(", "))
    }

    fn expression(&mut self, depth: u32) -> String {
        match self.random.u8(0..10) {
            0..4 => self.input_number(),
            4..7 if depth > 0 => {
                let operator = OPERATORS[self.random.usize(0..OPERATORS.len())];
                format!("({} {operator} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            7 if depth > 0 => {
                let function = FUNCTIONS[self.random.usize(0..FUNCTIONS.len())];
                format!("{function}({})", self.expression(depth - 1))
            }
            8 if depth > 0 => {
                let function = PAIRED[self.random.usize(0..PAIRED.len() - 1)];
                format!("{function}({}, {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            _ => self.random.choice(["0", "1", "2", "3", "1.5", "2.0", "7"]).unwrap_or("0").to_owned(),
        }
    }

    fn input_number(&mut self) -> String {
        if self.variables > 0 && self.random.u8(0..4) == 0 { format!("V{}", self.random.usize(0..self.variables)) } else { "X".to_owned() }
    }
}
