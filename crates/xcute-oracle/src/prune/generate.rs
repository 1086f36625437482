//! Random programs with assertions, in several populations: each reaches faults that are invisible to the others.
//!
//! Programs read as many inputs as they like, in the middle of what they do, so that whole subtrees look alike; they fail by assertions, and by what is
//! wrong in C itself: accesses out of bounds, NULL, memory that was freed or is not initialised, divisions by zero. Several share a file; an input selects one.
//!
//! **Invariant.** Every program ends on every path, after few decisions.

use std::fmt::Write;

use fastrand::Rng;

/// What the programs of a file are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// Counters, bounded inputs, assumptions.
    Counters,
    /// Indices and pointers that differ from path to path.
    Addresses,
    /// Structs, unions, and copies of them.
    Records,
    /// Objects of the heap.
    Heap,
    /// Calls, by pointers too, and recursion.
    Calls,
    /// Loops with bounds.
    Loops,
    /// Inputs that are pointers: NULL, fresh objects, shared ones, functions.
    Shapes,
    /// A bit of everything.
    Mixed,
}

impl Population {
    /// All of them.
    pub const ALL: [Population; 8] = [
        Population::Counters,
        Population::Addresses,
        Population::Records,
        Population::Heap,
        Population::Calls,
        Population::Loops,
        Population::Shapes,
        Population::Mixed,
    ];

    fn words(self) -> &'static [Words] {
        match self {
            Population::Counters => &[COUNTERS],
            Population::Addresses => &[COUNTERS, ADDRESSES, ADDRESSES],
            Population::Records => &[COUNTERS, RECORDS, RECORDS],
            Population::Heap => &[COUNTERS, HEAP, HEAP],
            Population::Calls => &[COUNTERS, CALLS, CALLS],
            Population::Loops => &[COUNTERS, LOOPS],
            Population::Shapes => &[COUNTERS, SHAPES, SHAPES],
            Population::Mixed => &[COUNTERS, ADDRESSES, RECORDS, HEAP, CALLS, LOOPS],
        }
    }
}

/// What a population says. `N` is a small number, `I` an index that is now and then one too large, `K` a
/// variable of its own, and `{}` a block.
#[derive(Clone, Copy)]
struct Words {
    statements: &'static [&'static str],
    conditions: &'static [&'static str],
    assertions: &'static [&'static str],
}

const COUNTERS: Words = Words {
    statements: &[
        "s = s + N;",
        "s += x;",
        "x = N;",
        "x = y;",
        "g += N;",
        "x = in();",
        "y = x + 1;",
        "h = N;",
        "s--;",
        "x = small(N + 1);",
        "if (in()) s++;",
        "if (in()) { x = N; } else { x = y; }",
        "xcute_assume(x != N);",
        "s += (short)x; c = (char)s;",
        "switch (x) { case N: s++; break; case 5: s = 0; break; default: y = N; }",
        "x = in() ? N : s;",
        "d = x - N; if (d) s = 6 / d;",
        "if (in() == N) return N;",
    ],
    conditions: &[
        "in()",
        "in()",
        "in() > N",
        "x > N",
        "s == N",
        "y != N",
        "x < y + N",
        "g + h > N",
        "c == N",
        "x && in()",
        "x > N || in()",
    ],
    assertions: &[
        "if (s > N) FAIL;",
        "if (s + x > N) FAIL;",
        "if (g == N) FAIL;",
        "if (x == N) { if (in() == 3) FAIL; }",
        "if (y == N && in() == 3) FAIL;",
        "xcute_assert(s <= N);",
        "x = 9 / (s - N);",
    ],
};

const ADDRESSES: Words = Words {
    statements: &[
        "i = I;",
        "if (in()) i = I;",
        "i = small(3);",
        "x = a[i];",
        "a[i] = N;",
        "a[i] = x;",
        "x = t[i];",
        "p = &g;",
        "p = &s;",
        "p = &a[i];",
        "p = a + i;",
        "if (in()) p = &h;",
        "*p = *p + 1;",
        "*p = N;",
        "x = *p;",
        "p = t; x = p[i];",
        "pp = in() ? &p : &gp;",
        "**pp = N;",
        "*pp = &x;",
        "x = a[a[0] & 1];",
        "((char *)&x)[i & 3] = N;",
        "t[small(4)] = N;",
    ],
    conditions: &["a[i] > 5", "*p > N", "p == &g", "i == N", "t[i] == 7", "**pp == N", "a[0] == a[i]"],
    assertions: &[
        "if (a[i] > N) { if (in() == N) FAIL; }",
        "x = a[i]; if (x > N) { if (in() == N) FAIL; }",
        "if (*p > N) FAIL;",
        "if (**pp == N && in()) FAIL;",
        "if (p == &h && t[i] == 7) FAIL;",
        "s += a[i];",
    ],
};

const RECORDS: Words = Words {
    statements: &[
        "m.v = N;",
        "m.w = x;",
        "q = &m;",
        "q = &n1;",
        "if (in()) q = &n2;",
        "q->next = &n1;",
        "q->next = &n2;",
        "n1.next = in() ? &m : &n2;",
        "if (q->next) q = q->next;",
        "q->v += N;",
        "q->w = q->v;",
        "n1 = m;",
        "n2 = *q;",
        "x = q->v;",
        "x = q->w + m.v;",
        "memcpy(&n1, &n2, sizeof n1);",
        "u.i = x;",
        "u.c[1] = N;",
        "x = u.c[0];",
        "m.b = x;",
        "pair = (struct pair){ x, N }; y = pair.a;",
        "pair = swapped(pair);",
        "if (in()) n1 = z;",
        "z.v = N;",
        "if (in()) m = z;",
        "q = small(2) ? q : &r[small(2)];",
    ],
    conditions: &["q->v == N", "q->next == &n2", "m.v > n1.v", "u.i > N", "q == &m", "m.b == N", "pair.a < pair.b"],
    assertions: &[
        "if (q->v > N) FAIL;",
        "if (n1.v + n2.w == N) { if (in() == N) FAIL; }",
        "if (u.i == 256) FAIL;",
        "x = q->next->v;",
        "if (pair.a == N && q->w == N) FAIL;",
    ],
};

const HEAP: Words = Words {
    statements: &[
        "b = malloc(8);",
        "if (!b) b = calloc(2, 4);",
        "if (b) b[0] = N;",
        "if (b) b[1] = x;",
        "if (b) x = b[0];",
        "if (in()) { free(b); b = 0; }",
        "if (in()) b = malloc(4 + 4 * small(2));",
        "e = malloc(sizeof *e); e->v = N; e->next = q; q = e;",
        "if (q->next) { e = q; q = q->next; }",
        "q->v = N;",
        "x = q->v;",
        "if (b) { b = realloc(b, 12); b[2] = N; }",
        "if (b) memset(b, N, 4);",
        "p = b ? b : &s;",
        "*p = N;",
    ],
    conditions: &["b != 0", "b && b[0] > N", "q->v == N", "q == &m", "e == q", "p == &s"],
    assertions: &[
        "if (b && b[0] == N) FAIL;",
        "if (b && b[1] == N && in()) FAIL;",
        "if (in() == 1) { free(b); x = N; }",
        "if (q->v == N && q != &m) FAIL;",
        "x = *b;",
        "if (*p == N) { if (in() == N) FAIL; }",
    ],
};

const CALLS: Words = Words {
    statements: &[
        "x = f(x);",
        "f(in());",
        "s += f(y);",
        "w(x);",
        "x = w(in());",
        "s += down(N);",
        "add(&x, N);",
        "add(in() ? &s : &y, 1);",
        "p = either(&x, &s, in());",
        "*p += N;",
        "fp = w;",
        "fp = in() ? f : w;",
        "x = fp(x);",
        "s = fp(N);",
        "climb(&s, N);",
        "g = max(s, x);",
        "x = kept(N);",
    ],
    conditions: &["f(x) > N", "fp == w", "max(x, s) == N", "down(in() & 1) > N", "*p == N"],
    assertions: &[
        "if (f(s) == N) FAIL;",
        "if (fp(x) > N && in() == N) FAIL;",
        "check(s, N);",
        "if (*p == N) { if (in() == 3) FAIL; }",
        "if (kept(1) > N) FAIL;",
    ],
};

const LOOPS: Words = Words {
    statements: &[
        "for (int K = 0; K < N; K++) {}",
        "for (k = 0; k < 2; k++) { if (in()) s += k + 1; }",
        "k = 0; while (k < 2 && in()) { s++; k++; }",
        "k = 3; do { s += N; k--; } while (k > 0 && s < 4);",
        "for (k = 0; k < 3; k++) { if (a[k] == N) break; x++; }",
        "for (k = 0; k < 2; k++) { if (k == N) continue; a[k] = in() ? 1 : 2; }",
        "for (k = small(3); k; k--) { s++; }",
        "for (int K = 0; K < 2; K++) {}",
        "while (s > 0 && s < 4) { s += 2; }",
    ],
    conditions: &["a[1] == 1", "k > N"],
    assertions: &[
        "for (k = 0; k < 3; k++) { if (a[k] > 6 + s) FAIL; }",
        "if (k == N && s > N) FAIL;",
        "if (a[0] + a[1] + a[2] == 10 + N) FAIL;",
    ],
};

const SHAPES: Words = Words {
    statements: &[
        "l = some();",
        "if (!l) l = some();",
        "q = some(); if (!q) q = &m;",
        "if (in()) l = some();",
        "if (l) l->v = N;",
        "if (l) x = l->v;",
        "if (l && l->next) l = l->next;",
        "if (l) l->next = q;",
        "q = l ? l : &m;",
        "q->v = N;",
        "x = q->v + q->w;",
        "if (l == q) s++;",
        "p = number(); if (!p) p = &s;",
        "if (in()) p = number();",
        "if (p) *p = N;",
        "if (p) x = *p;",
        "fp = function(); if (!fp) fp = f;",
        "x = fp(x);",
        "if (in()) { l = 0; } else { l = &n1; }",
    ],
    conditions: &["l == q", "l && l->v > N", "l && l->next == l", "l && l->next", "p && *p == N", "fp == w", "q->v == s"],
    assertions: &[
        "if (l && l->v == N) FAIL;",
        "if (l && l->next && l->next->v == N) FAIL;",
        "if (l && q == l && q->v > N) FAIL;",
        "if (l) { if (l->w == s && in() == N) FAIL; }",
        "x = l->v;",
        "if (p && *p == N) { if (in() == 3) FAIL; }",
        "if (fp(x) == N) FAIL;",
    ],
};

const OUTSIDE: &str = r"#include <stdlib.h>
#include <string.h>
#include <xcute.h>
#define FAIL abort()
struct node { int v; short w; unsigned char b : 3; struct node *next; };
struct pair { int a, b; };
static int g, h, t[4] = { 0, 7, 3, 5 }, *gp = &g;
static struct node n1 = { 2, 1, 0, 0 }, n2 = { 0, 3, 1, &n1 }, r[2];
static int in(void) { int x; xcute_input(x); return x; }
static int small(int n) { int x; xcute_input(x); xcute_assume(x >= 0 && x < n); return x; }
static void add(int *to, int n) { if (n > 1) *to += n; else *to += 1; }
static int *either(int *a, int *b, int which) { if (which) return a; return b; }
static int max(int a, int b) { return a > b ? a : b; }
static int down(int n) { if (n <= 0) return 0; if (in()) g++; return down(n - 1) + 1; }
static void climb(int *to, int n) { int mine = n; if (n <= 0) { *to += 1; return; } climb(&mine, n - 1); *to += mine; }
static void check(int a, int n) { if (a == n) { if (in() == n) FAIL; } }
static int kept(int n) { static int sum; if (in()) sum += n; return sum; }
static struct node *some(void) { struct node *p; xcute_input(p); return p; }
static int *number(void) { int *p; xcute_input(p); return p; }
static int (*function(void))(int) { int (*p)(int); xcute_input(p); return p; }
static struct pair swapped(struct pair of) { struct pair back = { of.b, of.a }; return back; }
";

/// A file with this many programs and the entry `subject`.
#[must_use]
pub fn file(population: Population, seed: u64, programs: u32) -> String {
    let mut random = Rng::with_seed(seed);
    let n = |random: &mut Rng| random.i32(-1..3);
    let mut out = OUTSIDE.to_owned();
    let callee = ["if (u > N) return 1;", "if (u == N) g++;", "if (g > N) return 2; else g += u;", "h++;"][random.usize(..4)];
    let back = ["u", "g", "0", "u + 1"][random.usize(..4)];
    let (a, b) = (n(&mut random).to_string(), n(&mut random));
    let _ = writeln!(out, "static int f(int u) {{ {} return {back}; }}", callee.replace('N', &a));
    let _ = writeln!(out, "static int w(int u) {{ if (u > {b}) g++; return f(u); }}");
    for number in 0..programs {
        let _ = writeln!(out, "static int program{number}(void) {{");
        out.push_str("  int x = 0, y = 1, s = 0, i = 0, d = 1, k = 0, a[3] = { 0, 7, 3 }, *p = &h, **pp = &p, *b = 0;\n  char c = 0;\n");
        out.push_str("  struct node m = { 1, 2, 3, 0 }, *q = &m, *e = 0, *l = 0, z;\n  struct pair pair = { 1, 0 };\n  union { int i; unsigned char c[4]; } u = { 1 };\n");
        out.push_str("  int (*fp)(int) = f;\n");
        let mut body = Body { random: &mut random, words: population.words(), out: &mut out, branches: 0 };
        for _ in 0..body.random.u32(4..9) {
            body.statement(1, 2);
        }
        body.assertion(1);
        out.push_str("  return s;\n}\n");
    }
    let cases: String = (1..programs).map(|n| format!("    case {n}: return program{n}();\n")).collect();
    let _ = write!(out, "int subject(unsigned char k) {{\n  switch (k) {{\n{cases}    default: return program0();\n  }}\n}}\n");
    out
}

/// Writes one program.
struct Body<'a> {
    random: &'a mut Rng,
    words: &'static [Words],
    out: &'a mut String,
    /// Statements with blocks so far: each doubles the paths, or worse.
    branches: u32,
}

impl Body<'_> {
    /// One of these, with its numbers.
    fn of(&mut self, which: impl Fn(&Words) -> &'static [&'static str]) -> String {
        let words = which(&self.words[self.random.usize(..self.words.len())]);
        let mut text = String::new();
        let word = words[self.random.usize(..words.len())];
        let letters: Vec<char> = word.chars().collect();
        for (at, &letter) in letters.iter().enumerate() {
            let alone = |other: Option<&char>| other.is_none_or(|c| !c.is_ascii_alphanumeric());
            let single = alone(letters.get(at + 1)) && alone(at.checked_sub(1).and_then(|before| letters.get(before)));
            match letter {
                'N' if single => text.push_str(&self.random.u32(..4).to_string()),
                'I' if single => text.push_str(["0", "1", "2", "1", "2", "3"][self.random.usize(..6)]),
                _ => text.push(letter),
            }
        }
        text
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(indent));
    }

    fn assertion(&mut self, indent: usize) {
        let text = self.of(|words| words.assertions);
        self.line(indent, &text);
    }

    fn block(&mut self, indent: usize, depth: u32) {
        for _ in 0..self.random.u32(1..3) {
            self.statement(indent + 1, depth - 1);
        }
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        match self.random.u32(..10) {
            0..3 if depth > 0 && self.branches < 4 => {
                self.branches += 1;
                let condition = self.of(|words| words.conditions);
                self.line(indent, &format!("if ({condition}) {{"));
                self.block(indent, depth);
                if self.random.bool() {
                    self.line(indent, "} else {");
                    self.block(indent, depth);
                }
                self.line(indent, "}");
            }
            3 => self.assertion(indent),
            _ => {
                let text = self.of(|words| words.statements);
                let Some((before, after)) = text.split_once("{}") else { return self.line(indent, &text) };
                if depth == 0 || self.branches >= 4 {
                    return self.line(indent, "s++;");
                }
                self.branches += 2;
                let before = before.replace('K', &format!("k{}", self.branches));
                self.line(indent, &format!("{before}{{"));
                self.block(indent, depth);
                self.line(indent, &format!("}}{after}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_file() {
        for population in Population::ALL {
            assert_eq!(file(population, 9, 3), file(population, 9, 3));
            assert_ne!(file(population, 9, 3), file(population, 10, 3));
        }
    }
}
