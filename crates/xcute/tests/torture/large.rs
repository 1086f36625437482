//! Large programs, generated. Each has one assertion that fails, for `x == 5000` and `y == 600`.

use std::fmt::Write as _;

/// A program of this many functions, each with this many branches, and as many bytes of comments as are needed.
pub fn program(functions: usize, branches: usize, bytes: usize) -> String {
    let mut out = String::from("#include <assert.h>\n");
    for g in 0..functions {
        let _ = writeln!(out, "static int g{g}(int x) {{\n  int r = {g};");
        for i in 0..branches {
            let _ = writeln!(out, "  if ((x ^ {i}) % {} == {}) r += {i};", i % 97 + 2, i % 5);
        }
        out += "  return r;\n}\n";
    }
    out += "int f(int x, int y) {\n  int r = 0;\n  if (x == 5000) assert(y != 600);\n";
    for g in 0..functions {
        let _ = writeln!(out, "  r += g{g}(r & 7);");
    }
    out += "  return r;\n}\n";
    while out.len() < bytes {
        out += "/* This comment is as long as the comments of large programs are, and says as much. */\n";
    }
    out
}

/// A function of this many lines.
pub fn function(lines: usize) -> String {
    let mut out = String::from("#include <assert.h>\nint f(int x, int y) {\n  int a = 1, b = 2;\n");
    for i in 0..lines {
        let _ = writeln!(out, "  a = a * {} + (b ^ {i}); b += a >> {};", i % 7 + 3, i % 13);
    }
    out += "  if (x == 5000) assert(y != 600);\n  return a + b;\n}\n";
    out
}
