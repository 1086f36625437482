//! Random programs: a file of several functions, one of which an input selects.

use std::fmt::Write;

use fastrand::Rng;

use crate::expr::Source;

/// Programs in one file: three bits select one.
pub(crate) const PROGRAMS: u32 = 8;

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// What made it: the same seed makes the same file.
    pub seed: u64,
    /// The functions, without prelude and entry.
    pub(crate) body: String,
}

impl File {
    /// Generates the file of a seed.
    #[must_use]
    pub fn new(seed: u64) -> File {
        let mut random = Rng::with_seed(seed);
        let mut next = 0;
        let mut body = String::new();
        for i in 0..2 {
            let readable = vec!["p".to_owned(), "q".to_owned()];
            let mut s = Source { random: &mut random, next, readable, calls: false };
            let (c, e, f) = (s.condition(1), s.expr(2), s.expr(1));
            next = s.next;
            let _ = write!(
                body,
                "static int helper{i}(int p, int q) {{\n  int arr[4] = {{ 1, 2, 3, q }};\n  (void)arr;\n  if ({c}) return (int)({e});\n  return (int)({f});\n}}\n\n"
            );
        }
        for i in 0..PROGRAMS {
            let mut s = Source { random: &mut random, next, readable: vec!["x".into(), "y".into()], calls: true };
            function(&mut body, i, &mut s);
            next = s.next;
        }
        File { seed, body }
    }
}

fn function(out: &mut String, number: u32, s: &mut Source<'_>) {
    const TYPES: [&str; 6] = ["int", "unsigned char", "short", "long long", "unsigned", "signed char"];
    let _ = write!(out, "static int program{number}(unsigned char a, int b) {{\n  int x = a, y = b;\n  int arr[4] = {{ 5, -1, x, 7 }};\n");
    for v in 0..3 {
        let t = TYPES[s.random.usize(..TYPES.len())];
        let e = s.expr(1);
        let _ = writeln!(out, "  {t} v{v} = ({t})({e});");
        s.readable.push(format!("v{v}"));
    }
    let n = s.random.u32(2..6);
    for _ in 0..n {
        statement(out, s, 1, 2);
    }
    let _ = write!(out, "  (void)arr; (void)y;\n  return (int)(v0 + v1 + v2);\n}}\n\n");
}

fn block(out: &mut String, s: &mut Source<'_>, indent: usize, depth: u32) {
    out.push_str("{\n");
    for _ in 0..s.random.u32(1..3) {
        statement(out, s, indent + 1, depth);
    }
    let _ = write!(out, "{}}}", "  ".repeat(indent));
}

fn statement(out: &mut String, s: &mut Source<'_>, indent: usize, depth: u32) {
    let pad = "  ".repeat(indent);
    out.push_str(&pad);
    match s.random.u32(..20) {
        0..=6 if depth > 0 => {
            let c = s.condition(2);
            let _ = write!(out, "if ({c}) ");
            block(out, s, indent, depth - 1);
            if s.chance(40) {
                out.push_str(" else ");
                block(out, s, indent, depth - 1);
            }
            out.push('\n');
        }
        7 if depth > 0 => {
            let (id, k) = (s.id(), s.random.u32(2..4));
            let _ = write!(out, "for (int i{id} = 0; i{id} < {k}; i{id}++) ");
            s.readable.push(format!("i{id}"));
            block(out, s, indent, depth - 1);
            s.readable.pop();
            out.push('\n');
        }
        8 if depth > 0 => {
            let (id, c) = (s.id(), s.condition(0));
            let _ = write!(out, "for (int t{id} = 0; t{id} < 3 && {c}; t{id}++) ");
            block(out, s, indent, depth - 1);
            out.push('\n');
        }
        9 if depth > 0 => {
            let (id, e) = (s.id(), s.expr(2));
            let _ = write!(out, "switch (S({id}, (int)({e}) & 7)) {{\n{pad}  case 0: ");
            block(out, s, indent + 1, depth - 1);
            let _ = write!(out, " break;\n{pad}  case 3: case 5: ");
            block(out, s, indent + 1, depth - 1);
            let _ = write!(out, " break;\n{pad}  default: v1 ^= 1; break;\n{pad}}}\n");
        }
        10 => {
            let (i, e) = (s.expr(1), s.expr(2));
            let _ = writeln!(out, "arr[({i}) & 3] = (int)({e});");
        }
        11 => {
            let c = s.condition(1);
            let _ = writeln!(out, "if ({c}) FAIL({});", s.id());
        }
        12 => {
            let c = s.condition(0);
            let _ = writeln!(out, "if ({c}) return {};", s.random.i32(..9));
        }
        _ => {
            let (v, e) = (s.random.u32(..3), s.expr(3));
            let op = ["=", "+=", "-=", "^=", "="][s.random.usize(..5)];
            let _ = writeln!(out, "v{v} {op} {e};");
        }
    }
}
