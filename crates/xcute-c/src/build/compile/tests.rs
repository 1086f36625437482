//! Programs are compiled and their tables looked at.

use xcute_trace::SiteId;

use super::*;
use xcute_trace::SiteKind;

/// Compiles one file that defines `xcute_harness`.
pub(crate) fn build(source: &str) -> (Compiled, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let harness = dir.path().join("harness.c");
    std::fs::write(&harness, source).unwrap();
    let tools = Toolchain::find().unwrap();
    let request =
        CompileRequest { harness: &harness, units: &[], files: &[], flags: &["-w".to_owned()], undefined: false, dir: dir.path() };
    (compile(&tools, &request).unwrap(), dir)
}

fn branches(compiled: &Compiled) -> Vec<(u32, SiteKind, u32)> {
    compiled.sites.sites.iter().filter(|s| s.counts()).map(|s| (s.line, s.kind, s.arms)).collect()
}

#[test]
fn every_condition_of_the_source_is_a_site() {
    let (compiled, _dir) = build(
        "#include <xcute.h>
         int f(int x, int y) {
           if (x > 0 && y > 0) return 1;
           while (x < 10) x++;
           switch (y) { case 1: case 2: return 5; case 7: return 6; }
           return x == 3 ? 1 : 2;
         }
         void xcute_harness(void) { int x, y; xcute_input(x); xcute_input(y); f(x, y); }",
    );
    use SiteKind::{Branch, Switch};
    assert_eq!(branches(&compiled), [(3, Branch, 2), (3, Branch, 2), (4, Branch, 2), (5, Switch, 3), (6, Branch, 2)]);
    let switch = compiled.switches.values().next().unwrap();
    assert_eq!(switch, &vec![vec![1, 2], vec![7]]);
    assert!(compiled.exe.exists());
    assert_eq!(compiled.input_keys.len(), 2);
    assert_eq!((compiled.input_keys[0].function.as_str(), compiled.input_keys[1].line), ("xcute_harness", 8));
    let arms: std::collections::BTreeSet<_> = compiled.coverage.iter().flat_map(|c| c.arms.clone()).collect();
    assert_eq!(arms.len(), 2 + 2 + 2 + 3 + 2, "every arm has a coverage byte");
}

/// The sites of a function in order, as (line, the lines of the sites that come next for each arm).
fn successors(compiled: &Compiled, function: &str) -> Vec<(u32, Vec<Vec<u32>>)> {
    let line = |id: &SiteId| compiled.sites.get(*id).line;
    let of = |s: &&xcute_trace::Site| s.counts() && s.function == function;
    let row = |s: &xcute_trace::Site| (s.line, s.next.iter().map(|arm| arm.iter().map(line).collect()).collect());
    compiled.sites.sites.iter().filter(of).map(row).collect()
}

#[test]
fn sites_know_what_comes_next() {
    let (compiled, _dir) = build(
        "#include <xcute.h>
         volatile int sink;
         int g(int x) {
           if (x == 7)
             return 1;
           return 2;
         }
         int f(int x) {
           if (x > 0)
             sink = g(x);
           while (x < 10)
             x++;
           return x;
         }
         void xcute_harness(void) { int x; xcute_input(x); f(x); }",
    );
    assert_eq!(successors(&compiled, "f"), [(9, vec![vec![11], vec![4]]), (11, vec![vec![], vec![11]])]);
    assert_eq!(successors(&compiled, "g"), [(4, vec![vec![11], vec![11]])], "returns go to the caller");
}
