//! Random programs over channels: conditions on what comes back, nested, with failures behind them.

use std::fmt::Write as _;

use fastrand::Rng;

use super::channels::{CHANNELS, DEAD};

/// Programs in a file.
pub const PROGRAMS: u32 = 4;

/// Channels in a file: few, because one that is not followed keeps the whole file from being complete.
const PALETTE: usize = 2;

/// What all files include.
pub(super) const PRELUDE: &str = "#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
#include <getopt.h>
";

/// What failures are for xcute. As many lines as [`BRUTE`] has.
const PLAIN: &str = "#define FAIL() abort()
#define DEREF(p) (*(p))



";

/// What they are for the brute force: the process ends and says where.
const BRUTE: &str = "static int say;
static _Noreturn void fail(int line) { char text[32]; int n = sprintf(text, \"%d\\n\", line); if (write(say, text, n) < 0) _exit(3); _exit(2); }
#define FAIL() fail(__LINE__)
#define DEREF(p) (*((uintptr_t)(p) < 4096 ? (fail(__LINE__), (p)) : (p)))
#include <stdint.h>
";

const MAIN: &str = "
int main(void) {
  say = dup(1);
  for (int k = 0; k < PROGRAMS; k++) for (int a = 0; a < 16; a++) for (int b = 0; b < 8; b++) {
    pid_t child = fork();
    int status = 0;
    if (child < 0) return 3;
    if (child == 0) { subject(k, a, b); _exit(0); }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2)) return 4;
  }
  return 0;
}
";

/// A generated file: its functions, without what failures are.
pub(super) struct File {
    body: String,
}

impl File {
    /// The file of a seed.
    pub(super) fn new(seed: u64) -> File {
        let mut random = Rng::with_seed(seed ^ 0x7275_7468);
        let mut body = String::new();
        let names: Vec<String> = (0..PALETTE).map(|nth| format!("channel{nth}")).collect();
        for name in &names {
            let _ = writeln!(body, "{}", CHANNELS[random.usize(..CHANNELS.len())].replace("NAME", name));
        }
        for program in 0..PROGRAMS {
            function(&mut body, program, &names, &mut random);
        }
        let cases: String = (0..PROGRAMS - 1).map(|k| format!("    case {k}: program{k}(a & 15, b & 7); break;\n")).collect();
        let last = PROGRAMS - 1;
        let _ = write!(
            body,
            "void subject(unsigned char k, unsigned char a, unsigned char b) {{\n  switch (k) {{\n{cases}    case {last}: program{last}(a & 15, b & 7); break;\n  }}\n}}\n"
        );
        File { body }
    }

    /// What xcute tests.
    pub(super) fn plain(&self) -> String {
        format!("{PRELUDE}{PLAIN}{}", self.body)
    }

    /// The brute force.
    pub(super) fn brute(&self) -> String {
        format!("{PRELUDE}{BRUTE}{}{}", self.body, MAIN.replace("PROGRAMS", &PROGRAMS.to_string()))
    }
}

fn function(out: &mut String, number: u32, channels: &[String], random: &mut Rng) {
    let _ = writeln!(out, "static void program{number}(int a, int b) {{");
    let (first, second) = (&channels[random.usize(..PALETTE)], &channels[random.usize(..PALETTE)]);
    let input = ["a", "b", "(a ^ b)", "((a + b) & 15)", "(a >> 1)"][random.usize(..5)];
    let _ = writeln!(out, "  int x = {first}({input});");
    let guard = random.u32(..16);
    let again = if random.bool() { format!("{second}(x & 15)") } else { format!("{second}(b)") };
    match random.u32(..4) {
        0 => {
            let _ = writeln!(out, "  if (x == {guard}) FAIL();\n  int y = {again};\n  if (y > {} && a == y) FAIL();", random.u32(..8));
        }
        1 => {
            let _ = writeln!(
                out,
                "  if (x > {guard}) return;\n  int y = {again};\n  if (y == {} && x == {}) FAIL();",
                random.u32(..16),
                random.u32(..16)
            );
        }
        2 => {
            let _ = writeln!(
                out,
                "  int y = a < {guard} ? {again} : x;\n  for (int i = 0; i < 3; i++) if (y == i + {}) FAIL();",
                random.u32(..14)
            );
        }
        _ => {
            let condition = format!("x == {guard} && b != {}", random.u32(..8));
            let _ = writeln!(out, "  {}", DEAD[random.usize(..DEAD.len())].replace("COND", &condition));
            let _ = writeln!(out, "  int y = {again};\n  if (y == {}) FAIL();", random.u32(..20));
        }
    }
    out.push_str("}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_the_same_in_both_sources() {
        let file = File::new(4);
        let at = |text: &str| text.lines().position(|line| line.contains("static void program0")).expect("there is one");
        assert_eq!(at(&file.plain()), at(&file.brute()));
        assert_eq!(File::new(9).plain(), File::new(9).plain());
        assert_ne!(File::new(9).plain(), File::new(10).plain());
    }
}
