//! Random programs: every algorithm, in every order of the frontier, explores the classes that the oracle knows.
//!
//! 300 programs; `XCUTE_RACE_PROGRAMS` asks for another number and `XCUTE_RACE_SEED` for others.

use crate::agree::{agree, agree_in_sections};
use crate::generate::{Generator, Kind};
use crate::oracle;

/// Programs with more paths are left out: brute force is to be quick.
const PATHS: u64 = 1_500;
const DOMAIN: i64 = 2;

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is {text}, not a number")))
}

#[test]
fn every_class_in_every_order() {
    let (count, seed) = (number("XCUTE_RACE_PROGRAMS", 300), number("XCUTE_RACE_SEED", 1));
    for (share, kind) in [(4, Kind::Memory), (5, Kind::Locks), (2, Kind::Mixed), (20, Kind::Inputs), (4, Kind::Sections)] {
        let mut generator = Generator::new(seed, kind);
        let mut done = 0;
        while done < count.div_ceil(share) {
            let (program, text) = generator.program();
            let paths = oracle::interleavings(&program, DOMAIN);
            if paths > 1 && paths <= PATHS {
                let agree = |seed| {
                    if text.contains("Section") {
                        agree_in_sections(&program, &text, DOMAIN, seed)
                    } else {
                        agree(&program, &text, DOMAIN, seed);
                    }
                };
                agree(generator.random.u64(..));
                done += 1;
            }
        }
    }
}
