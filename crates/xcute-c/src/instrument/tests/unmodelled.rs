//! What is not modelled says so.

use super::probe::Probe;
use crate::wire::event;

#[test]
fn foreign_functions_are_named() {
    let source = "#include <xcute.h>
        #include <math.h>
        #include <string.h>
        volatile int sink;
        void xcute_harness(void) {
          double d; char c[4]; xcute_input(d); xcute_input(c[0]);
          c[1] = 0;
          if (sin(d) > 0.5) sink++;
          if (strcoll(c, c) > 0) sink++;
        }";
    let mut probe = Probe::new(source, &["f8", "i1"]);
    probe.passes(&[]);
    let names: Vec<&str> = probe.named(event::FOREIGN).iter().map(|&i| probe.compiled.departures[i as usize].function.as_str()).collect();
    assert_eq!(names, ["sin", "strcoll"]);
}

#[test]
fn unsupported_constructs_are_named() {
    let source = "#include <xcute.h>
        volatile int sink;
        void xcute_harness(void) {
          int a; double d; xcute_input(a); xcute_input(d);
          long double l = d;
          int b; __asm__(\"mov %1, %0\" : \"=r\"(b) : \"r\"(a));
          if (b > 3) sink++;
          if (l > 3) sink++;
        }";
    let mut probe = Probe::new(source, &["i4", "f8"]);
    probe.passes(&[]);
    let names: Vec<&str> = probe.named(event::UNSUPPORTED).iter().map(|&i| probe.compiled.unsupported[i as usize].as_str()).collect();
    let starts = ["cast of a long double, half or vector at ", "inline assembly at "];
    assert!(names.len() == 2 && names.iter().zip(starts).all(|(name, start)| name.starts_with(start)), "{names:?}");
    assert_eq!(probe.count(event::BRANCH), 0);
}
