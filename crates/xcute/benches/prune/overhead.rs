//! What `--prune auto` costs where nothing can be pruned: the time of the whole command, everything included, to that of a search without it.
//!
//! Each program has a reason of its own: every path can fail; every path ends in another place; runs are long, so recording what they do costs much; most of
//! what can be pruned is known late.

use std::fs;
use std::path::Path;

use crate::search;

/// No more than so much longer.
const GOAL: f64 = 1.3;
/// Times that each search is made, the two ways in turn; the fastest counts.
const TIMES: usize = 3;

/// `n` conditions, and every path can fail at its end.
fn failures(n: usize, turns: usize) -> String {
    let work = if turns == 0 { String::new() } else { format!("  for (int i = 0; i < {turns}; i++) t[i % 64] += i ^ s;\n") };
    let conditions = "  if (__VERIFIER_nondet_int()) s = s + 1; else s = s * 3;\n".repeat(n);
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint s, t[64];\nint main(void) {{\n{conditions}{work}  if (__VERIFIER_nondet_int() == 7) reach_error();\n  return 0;\n}}\n"
    )
}

/// A recursion whose calls come back to different places: no two paths meet.
fn places(n: usize) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nstatic int f(int n) {{\n  if (n <= 0) return 0;\n  if (__VERIFIER_nondet_int()) return f(n - 1) + 1;\n  return f(n - 1);\n}}\nint main(void) {{\n  if (f({n}) > {n}) reach_error();\n  return 0;\n}}\n"
    )
}

/// An automaton of a protocol, for some turns: a handshake that may break off in every state.
fn protocol(turns: usize) -> String {
    format!("#define TURNS {turns}\n{}", include_str!("protocol.c"))
}

/// Measures, and says the largest ratio.
pub fn measure(place: &Path, short: bool) {
    let (n, times) = if short { (12, 1) } else { (16, TIMES) };
    let handshake = protocol(if short { 60 } else { 84 });
    let programs = [("failures", failures(n, 0)), ("long runs", failures(n - 2, 2000)), ("places", places(n)), ("protocol", handshake)];
    println!("| nothing to prune | runs | of them with segments | off: seconds | auto: seconds | ratio |\n|---|---:|---:|---:|---:|---:|");
    let mut largest: f64 = 0.0;
    for (name, text) in programs {
        let path = place.join("overhead.c");
        fs::write(&path, text).unwrap();
        let (mut best, mut runs, mut followed) = ([f64::INFINITY; 2], 0, 0);
        for _ in 0..times {
            for (best, way) in best.iter_mut().zip(["off", "auto"]) {
                let (found, all) = search(&path, &["--strategy", "dfs", "--prune", way]);
                assert_eq!(found["complete"], true, "{name}");
                *best = best.min(all);
                runs = found["runs"].as_u64().unwrap();
                followed = found["pruning"]["runs"].as_u64().unwrap_or(0) + found["pruning"]["confirmations"].as_u64().unwrap_or(0);
            }
        }
        let ratio = best[1] / best[0];
        largest = largest.max(ratio);
        println!("| {name} | {runs} | {followed} | {:.2} | {:.2} | {ratio:.2} |", best[0], best[1]);
    }
    println!("overhead of auto, at most: {largest:.2} times (goal: {GOAL})\n");
}
