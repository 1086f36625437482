//! A generated file: several programs, one of which an input selects, and what is true of each.

use std::fmt::Write;

use fastrand::Rng;

use super::emit::{Text, thread};
use super::explore::{Truth, explore};
use super::generate;
use super::machine::Code;
use super::{ENVIRONMENT, Kind, NAMES};

/// Programs with more interleavings than this are left out: `--schedules all` is to be quick.
const INTERLEAVINGS: u64 = 1_500;

const HEAD: &str = r"#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xcute.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
static SHARED x, y;
static int guarded0, guarded1;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static sem_t permits;
static int inputs[3], results[3], hits;
static int run(int n, void *(*const f[])(void *)) {
  pthread_t t[3];
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f[i], 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  return (x + 3 * y + 5 * guarded0 + 7 * guarded1 + results[0] + results[1] + results[2]) & 63;
}";

/// One program of a file.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Its lines, from the first of its threads to the last of its final states.
    pub(super) lines: std::ops::Range<u32>,
    pub(super) truth: Truth,
    /// The line of each final state that is asked for.
    pub(super) states: Vec<(i32, u32)>,
    /// The line that no other final state comes to.
    pub(super) other: u32,
}

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// The C source, whose entry is `main`.
    pub source: String,
    /// What its programs have.
    pub kind: Kind,
    pub(super) programs: Vec<Program>,
}

impl File {
    /// Generates the file of a seed.
    #[must_use]
    pub fn new(seed: u64, programs: usize, kind: Kind) -> File {
        let mut random = Rng::with_seed(seed);
        let mut out = Text::new();
        out.add(&format!("#define SHARED {}", if kind == Kind::Racing { "int" } else { "_Atomic int" }));
        out.add(HEAD);
        let permits = 1;
        let mut made = Vec::new();
        while made.len() < programs {
            let (text, first) = (out.text.len(), out.line);
            let name = format!("program{}", made.len());
            let codes: Vec<Code> = generate::program(&mut random, kind)
                .iter()
                .enumerate()
                .map(|(i, body)| thread(&mut out, kind, &format!("{name}_{i}"), i, body))
                .collect();
            let truth = explore(&codes, permits, kind);
            // Most programs do the same in every order: few of those are enough.
            let dull = truth.outcomes() < 3 && !truth.deadlock && random.u32(..8) > 0;
            if dull || truth.interleavings > INTERLEAVINGS {
                out.text.truncate(text);
                out.line = first;
                continue;
            }
            made.push(last(&mut out, &mut random, &name, codes.len(), truth, first));
        }
        out.add(&entry(programs, permits, kind));
        File { source: out.text, kind, programs: made }
    }
}

/// The function that runs the threads of a program and tells its final state.
fn last(out: &mut Text, random: &mut Rng, name: &str, threads: usize, truth: Truth, first: u32) -> Program {
    let list: Vec<String> = (0..threads).map(|i| format!("{name}_{i}")).collect();
    out.add(&format!("static void {name}(void) {{"));
    out.add(&format!("  switch (run({threads}, (void *(*const[])(void *)){{{}}})) {{", list.join(", ")));
    // Some states that cannot be reached are asked for as well.
    let mut asked = truth.states.clone();
    asked.extend((0..3).map(|_| random.i32(0..64)));
    let mut states = Vec::new();
    for state in asked {
        states.push((state, out.line));
        out.add(&format!("    case {state}: hits++; break;"));
    }
    let other = out.line;
    out.add("    default: hits--; break;\n  }\n}");
    Program { lines: first..out.line, truth, states, other }
}

fn entry(programs: usize, permits: u8, kind: Kind) -> String {
    let mut text =
        String::from("int main(void) {\n  unsigned char which = 0;\n  int bits = 0;\n  xcute_input(which);\n  xcute_input(bits);\n");
    if kind == Kind::Waiting {
        let _ = writeln!(text, "  setenv(\"{}\", \"0\", 1);", NAMES[ENVIRONMENT]);
    }
    let _ = writeln!(text, "  sem_init(&permits, 0, {permits});\n  for (int i = 0; i < 3; i++) inputs[i] = bits;\n  switch (which) {{");
    for i in 1..programs {
        let _ = writeln!(text, "    case {i}: program{i}(); break;");
    }
    text + "    default: program0(); break;\n  }\n  return 0;\n}"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_source() {
        let file = File::new(3, 5, Kind::Usual);
        let lines: Vec<&str> = file.source.lines().collect();
        for program in &file.programs {
            for (state, line) in &program.states {
                assert!(lines[*line as usize - 1].contains(&format!("case {state}:")), "{}", file.source);
            }
            for line in &program.truth.failures {
                assert!(lines[*line as usize - 1].contains("assert("), "{}", file.source);
            }
        }
    }

    #[test]
    fn waiting_programs_have_all_that_they_may() {
        let text: String = (0..5).map(|seed| File::new(seed, 10, Kind::Waiting).source).collect();
        for what in [
            "atomic_begin();",
            "assume(x",
            "FUTEX_WAIT,",
            "WAKE, 1)",
            "WAKE, INT_MAX)",
            "setenv",
            "getenv",
            "relaxed",
            "consume",
            "acq_rel",
        ] {
            assert!(text.matches(what).count() > 5, "{what}");
        }
    }

    #[test]
    fn programs_are_of_all_kinds() {
        let all: Vec<Truth> = (0..20)
            .flat_map(|seed| File::new(seed, 10, if seed % 2 == 0 { Kind::Racing } else { Kind::Usual }).programs)
            .map(|p| p.truth)
            .collect();
        let share = |holds: fn(&Truth) -> bool| all.iter().filter(|t| holds(t)).count();
        let shares = [
            share(|t| t.deadlock),
            share(|t| !t.failures.is_empty()),
            share(|t| t.states.len() > 2),
            share(|t| !t.races.is_empty()),
            share(|t| t.interleavings > 100),
        ];
        assert!(shares.into_iter().zip([10, 50, 100, 60, 100]).all(|(is, least)| is >= least), "of 200: {shares:?}");
    }
}
