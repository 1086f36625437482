//! The two C sources of a generated file: what xcute tests, and the brute force.

use crate::program::{File, PROGRAMS};

/// Plain C: the conditions are what they are.
const PLAIN: &str = r"#include <stdlib.h>
#define C(id, e) (e)
#define S(id, e) (e)
#define DIV(id, a, b) ((a) / (b))
#define MOD(id, a, b) ((a) % (b))
#define FAIL(id) abort()

";

/// The same with every decision recorded; a failure jumps out.
const BRUTE: &str = r#"#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t path; static const char *end; static int line; static jmp_buf out;
static int note(uint64_t id, uint64_t what) { path = (path ^ (id * 64 + what)) * 0x9E3779B97F4A7C15ull; path ^= path >> 29; return (int)what; }
static _Noreturn void fail(const char *kind, int at) { end = kind; line = at; longjmp(out, 1); }
/* A switch is recorded by the arm it takes: 0, 3 and 5 together, default. */
static int arm(int id, int v) { note((uint64_t)id, v == 0 ? 1 : v == 3 || v == 5 ? 2 : 3); return v; }
static int divide(int a, int b, int at) { if (b == 0 || (b == -1 && a == -2147483647 - 1)) fail("division-by-zero", at); return a / b; }
static int modulo(int a, int b, int at) { if (b == 0 || (b == -1 && a == -2147483647 - 1)) fail("division-by-zero", at); return a % b; }
#define C(id, e) note(id, !!(e))
#define S(id, e) arm(id, e)
#define DIV(id, a, b) divide(a, b, __LINE__)
#define MOD(id, a, b) modulo(a, b, __LINE__)
#define FAIL(id) fail("abort", __LINE__)

"#;

const MAIN: &str = r#"
static void run(int k, int a, int b) {
  path = 1; end = "passed"; line = 0;
  if (setjmp(out) == 0) subject((unsigned char)k, (unsigned char)a, (unsigned char)b);
}
int main(int argc, char **argv) {
  if (argc == 4) { /* one input */
    run(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    printf("%016llx %s %d\n", (unsigned long long)path, end, line);
    return 0;
  }
  for (int k = 0; k < PROGRAMS; k++) for (int a = 0; a < 256; a++) for (int b = 0; b < 32; b++) {
    run(k, a, b);
    printf("%016llx %s %d\n", (unsigned long long)path, end, line);
  }
  return 0;
}
"#;

impl File {
    fn entry() -> String {
        let cases: String = (0..PROGRAMS - 1).map(|i| format!("    case {i}: return program{i}(a, y);\n")).collect();
        let last = PROGRAMS - 1;
        format!(
            "int subject(unsigned char k, unsigned char a, unsigned char b) {{\n  int y = (b & 31) - 16;\n  switch (W(k & {last})) {{\n{cases}    default: return program{last}(a, y);\n  }}\n}}\n"
        )
    }

    /// The file that xcute tests, with the entry `subject`.
    #[must_use]
    pub fn plain(&self) -> String {
        // The prelude has as many lines as the other one, so that lines mean the same in both.
        let pad = "\n".repeat(BRUTE.matches('\n').count() - PLAIN.matches('\n').count());
        format!("#define W(k) (k)\n{PLAIN}{pad}{}{}", self.body, Self::entry())
    }

    /// The brute force.
    #[must_use]
    pub fn brute(&self) -> String {
        let select = "#define W(k) note(999999, k)\n";
        let main = MAIN.replace("PROGRAMS", &PROGRAMS.to_string());
        let brute = BRUTE.replacen("#include <setjmp.h>\n", &format!("#include <setjmp.h>\n{select}"), 1);
        // One line more through `select`, as in `plain`.
        format!("{brute}{}{}{main}", self.body, Self::entry())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_the_same_in_both_sources() {
        let file = File::new(4);
        let at = |text: &str| text.lines().position(|l| l.contains("static int helper0")).expect("there is a helper");
        assert_eq!(at(&file.plain()), at(&file.brute()));
    }

    #[test]
    fn same_seed_same_file() {
        assert_eq!(File::new(9).plain(), File::new(9).plain());
        assert_ne!(File::new(9).plain(), File::new(10).plain());
    }
}
