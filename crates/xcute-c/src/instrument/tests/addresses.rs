//! Symbolic addresses: tables, bounds, NULL, and objects that may be the same.

use super::probe::Probe;
use crate::wire::{event, outcome};

const HEAD: &str = "#include <xcute.h>\n#include <string.h>\n#include <stdlib.h>\nvolatile int sink;\n";

fn probe(body: &str, inputs: &[&str]) -> Probe {
    Probe::new(&format!("{HEAD}{body}"), inputs)
}

/// The decisions of a run at `values` must predict those of a run at `others`, as long as both go the same way; returns how many agreed.
fn predicts(probe: &mut Probe, values: &[u64], others: &[u64]) -> usize {
    probe.run(values);
    let first = probe.decisions();
    probe.run(others);
    let second = probe.decisions();
    let mut evaluator = probe.evaluator();
    for (n, (a, b)) in first.iter().zip(&second).enumerate() {
        assert_eq!((a.site, a.kind), (b.site, b.kind), "decision {n}");
        let predicted = evaluator.eval_bool(&probe.terms, a.condition);
        assert_eq!(predicted, b.taken != 0, "decision {n} with {others:x?} after {values:x?}");
        if a.taken != b.taken {
            return n + 1;
        }
    }
    first.len().min(second.len())
}

#[test]
fn the_second_program_of_section_4_1_6_is_exact() {
    let source = "void xcute_harness(void) { int a[4] = {7, 7, 7, 7}; unsigned i, j; xcute_input(i); xcute_input(j);
        if (i < 4) if (j < 4) { a[i] = 0; a[j] = 1; if (a[i] == 1) sink++; } }";
    let mut p = probe(source, &["u4", "u4"]);
    p.passes(&[1, 2]);
    assert_eq!(p.count(event::PIN), 0);
    for i in 0..5 {
        for j in 0..5 {
            predicts(&mut p, &[0, 2], &[i, j]);
        }
    }
}

#[test]
fn tables_of_every_element_size() {
    for (ty, size) in [("unsigned char", 8), ("short", 4), ("int", 3), ("long", 2)] {
        let source = format!(
            "void xcute_harness(void) {{ {ty} a[8]; for (int k = 0; k < 8; k++) a[k] = k * k + 3; {ty} x; unsigned i; xcute_input(x); xcute_input(i);
            if (i >= 8) return; a[{size}] = x; a[(i + 1) & 7] += x; {ty} r = a[i] ^ a[i ^ 1]; for (int b = 0; b < 8; b++) if (r >> b & 1) sink++; }}"
        );
        let input = match ty {
            "unsigned char" => "u1",
            "short" => "i2",
            "int" => "i4",
            _ => "i8",
        };
        let mut p = probe(&source, &[input, "u4"]);
        for i in 0..8 {
            predicts(&mut p, &[5, 1], &[9, i]);
        }
        assert_eq!(p.count(event::PIN), 0);
    }
}

#[test]
fn unaligned_accesses_are_put_together_from_bytes() {
    let source = "void xcute_harness(void) { unsigned char a[16]; for (int k = 0; k < 16; k++) a[k] = k * 7; unsigned i; unsigned short x; xcute_input(i); xcute_input(x);
        if (i > 12) return; *(unsigned short *)(a + i + 1) = x; unsigned r = *(unsigned *)(a + i); for (int b = 0; b < 32; b++) if (r >> b & 1) sink++; }";
    let mut p = probe(source, &["u4", "u2"]);
    for i in 0..14 {
        predicts(&mut p, &[3, 0x1234], &[i, 0xbeef]);
    }
}

#[test]
fn bounds_are_checked_before_the_access() {
    let source = "void xcute_harness(void) { int a[4] = {0}; int i; xcute_input(i); if (a[i]) sink++; }";
    let mut p = probe(source, &["i4"]);
    p.passes(&[2]);
    let d = p.decisions();
    assert_eq!((d[0].kind, d[0].taken), (event::CHECK, 1));
    for bad in [4, 0xffff_ffff, 1000] {
        assert_eq!(p.run(&[bad]), outcome::CHECK_FAILED);
        let d = p.decisions();
        assert_eq!((d.len(), d[0].taken), (1, 0));
    }
}

#[test]
fn structs_by_value_are_objects() {
    let source = "struct big { long a[4]; }; static int f(struct big b, int i) { return i >= 0 && i < 4 && b.a[i] == 99; }
        void xcute_harness(void) { int i; long v; xcute_input(i); xcute_input(v); struct big b = {{1, v, 3, 4}}; sink = f(b, i); }";
    let mut p = probe(source, &["i4", "i8"]);
    p.passes(&[]);
    p.passes(&[1, 99]);
    assert_eq!((p.count(event::PIN), sink_arm(&mut p)), (0, 1));
}

/// The arm of the last decision.
fn sink_arm(p: &mut Probe) -> u32 {
    p.decisions().last().unwrap().taken
}

#[test]
fn in_large_objects_the_address_is_searched_for() {
    let source = "static int a[4000]; void xcute_harness(void) { unsigned i; xcute_input(i); if (i < 4000) if (a[i]) sink++; }";
    let mut p = probe(source, &["u4"]);
    p.passes(&[]);
    p.passes(&[7]);
    // Is it in the array, less than 64 KiB, less than 1, 2, 4 … 32, and which of 16 to 31?
    assert_eq!((p.count(event::PIN), p.count(event::BRANCH)), (0, 1 + 1 + 6 + 4));
}

#[test]
fn null_is_checked_at_each_access_and_decided_once() {
    let source = "void xcute_harness(void) { int *p; xcute_input(p); if (*p == 3) sink++; if (*p == 4) sink++; }";
    let mut p = probe(source, &["pi4"]);
    assert_eq!(p.run(&[]), outcome::SIGNALLED);
    let d = p.decisions();
    assert_eq!((d.len(), d[0].kind, d[0].taken), (1, event::CHECK, 0));
    let own = p.variables()[0].own;
    p.passes(&[own, 3]);
    let d = p.decisions();
    let kinds: Vec<u16> = d.iter().map(|d| d.kind).collect();
    assert_eq!(kinds, [event::CHECK, event::BRANCH, event::CHECK, event::BRANCH]);
    assert!(!p.terms.is_const(d[0].condition) && p.terms.is_const(d[2].condition));
}

#[test]
fn the_first_program_of_section_4_1_6_is_exact() {
    let source = "void xcute_harness(void) { int *p, *q; xcute_input(p); xcute_input(q); *p = 0; *q = 1; if (*p == 1) sink++; if (*q == 1) sink++; }";
    let mut p = probe(source, &["ni4", "ni4"]);
    p.passes(&[]);
    let (a, b) = (p.variables()[0].own, p.variables().iter().filter(|v| v.own != 0).nth(1).unwrap().own);
    let q = p.variables().iter().position(|v| v.own == b).unwrap();
    let with = |target: u64| {
        let mut values = vec![0; 8];
        values[0] = a;
        values[q] = target;
        values.truncate(q + 1);
        values
    };
    assert_eq!(predicts(&mut p, &with(b), &with(a)), 1, "the run with q == p takes the other arm");
    assert_eq!(predicts(&mut p, &with(a), &with(b)), 1);
}

#[test]
fn copies_through_input_pointers_are_exact() {
    let source = "typedef struct { int x, y, z; } s; void xcute_harness(void) { long *p, *q; xcute_input(p); xcute_input(q); long t; memcpy(&t, p, 8); *q = 5; memcpy(p, q, 8);
        if (t == 7) sink++; if (*p == 5) sink++; }";
    let mut p = probe(source, &["ni8", "ni8"]);
    p.passes(&[]);
    let owns: Vec<(usize, u64)> = p.variables().iter().enumerate().filter(|(_, v)| v.own != 0).map(|(n, v)| (n, v.own)).collect();
    let mut other = vec![0; p.variables().len()];
    other[owns[0].0] = owns[0].1;
    other[owns[1].0] = owns[0].1;
    let mut first = other.clone();
    first[owns[1].0] = owns[1].1;
    predicts(&mut p, &first, &other);
    predicts(&mut p, &other, &first);
}

#[test]
fn a_pointer_read_at_a_symbolic_index_is_resolved() {
    let source = "static int x = 1, y = 2, z = 3; void xcute_harness(void) { int *t[3] = {&x, &y, &z}; unsigned i; int v; xcute_input(i); xcute_input(v);
        if (i >= 3) return; *t[i] = v; if (y == 9) sink++; }";
    let mut p = probe(source, &["u4", "i4"]);
    for i in 0..3 {
        predicts(&mut p, &[1, 9], &[i, 9]);
        p.passes(&[i, 9]);
        assert_eq!(p.count(event::PIN), 0);
    }
}

#[test]
fn divisions_are_checked() {
    let source = "void xcute_harness(void) { int a, b; xcute_input(a); xcute_input(b); if (a / b == 3) sink++; }";
    let mut p = probe(source, &["i4", "i4"]);
    assert_eq!(p.run(&[1, 0]), outcome::CHECK_FAILED);
    assert_eq!(p.run(&[0x8000_0000, 0xffff_ffff]), outcome::CHECK_FAILED);
    p.passes(&[6, 2]);
    let kinds: Vec<_> = p.decisions().iter().map(|d| (d.kind, d.taken)).collect();
    assert_eq!(kinds, [(event::CHECK, 1), (event::CHECK, 1), (event::BRANCH, 1)]);
}

#[test]
fn concrete_divisions_by_zero_are_not_optimised_away() {
    let source = "static int f(void) { int zero = 0; return 7 / zero; } void xcute_harness(void) { f(); }";
    assert_eq!(probe(source, &[]).run(&[]), outcome::CHECK_FAILED);
}

#[test]
fn every_operand_of_logical_operators_is_a_decision() {
    let source = "static int f(int a, int b, int c) { return (a > 0 && b > 0) || c > 0; }
        void xcute_harness(void) { int a, b, c; xcute_input(a); xcute_input(b); xcute_input(c); sink = f(a, b, c); if (sink) sink++; }";
    let mut p = probe(source, &["i4", "i4", "i4"]);
    let mut paths = std::collections::BTreeSet::new();
    for n in 0..8u64 {
        p.passes(&[n & 1, n >> 1 & 1, n >> 2]);
        let path: Vec<(u32, u32)> = p.decisions().iter().map(|d| (d.site, d.taken)).collect();
        paths.insert(path);
    }
    assert_eq!(paths.len(), 5);
}

#[test]
fn assumptions_and_assertions() {
    let source = "void xcute_harness(void) { int a; xcute_input(a); xcute_assume(a > 3); xcute_assert(a != 5); if (a == 7) sink++; }";
    let mut p = probe(source, &["i4"]);
    assert_eq!(p.run(&[1]), outcome::REJECTED);
    assert_eq!(p.run(&[5]), outcome::ASSERTED);
    p.passes(&[7]);
    let kinds: Vec<_> = p.decisions().iter().map(|d| (d.kind, d.taken)).collect();
    assert_eq!(kinds, [(event::ASSUME, 1), (event::CHECK, 1), (event::BRANCH, 1)]);
}

#[test]
fn sizes_stay_symbolic() {
    let source = "void xcute_harness(void) { unsigned char n; xcute_input(n); char *p = calloc(n + 1, 1); memset(p, 1, n); if (p[0] == 1) sink++; free(p); int v[n + 1]; v[0] = n; if (v[0] == 3) sink++; }";
    let mut p = probe(source, &["u1"]);
    p.passes(&[]);
    p.passes(&[3]);
    p.decisions();
    // memset and the array need one number, which is searched for; malloc does not.
    assert_eq!(p.count(event::PIN), 0);
    assert!(p.count(event::BRANCH) > 4);
}

#[test]
fn an_access_asks_for_a_size() {
    let source = "void xcute_harness(void) { unsigned long n; xcute_input(n); char *p = malloc(n); if (!p) return; p[4] = 1; p[2] = 1; p[7] = 1; free(p); }";
    let mut p = probe(source, &["u8"]);
    assert_eq!(p.run(&[]), outcome::CHECK_FAILED);
    assert_eq!(p.run(&[6]), outcome::CHECK_FAILED);
    p.passes(&[8]);
    // Does it fit, are there 5 bytes, are there 8?
    let kinds: Vec<_> = p.decisions().iter().map(|d| (d.kind, d.taken)).collect();
    assert_eq!(kinds, [(event::BRANCH, 1), (event::CHECK, 1), (event::CHECK, 1)]);
    // No memory is large enough: malloc gives NULL.
    p.passes(&[1 << 60]);
    assert_eq!(p.count(event::PIN), 0);
}

#[test]
fn what_foreign_code_overwrites_is_stale() {
    // Declared in another way than the one that has a model.
    let source = "int swab(const void *, void *, long);\nvoid xcute_harness(void) { char b[8]; int a; xcute_input(a); memcpy(b, &a, 4); swab(\"24..\", b, 4); if (b[0] == '4') sink++; }";
    let mut p = probe(source, &["i4"]);
    p.passes(&[3]);
    assert_eq!((p.count(event::STALE), p.count(event::BRANCH)), (1, 0));
}
