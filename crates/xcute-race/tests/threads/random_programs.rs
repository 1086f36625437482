//! Random programs: every algorithm, in every order of the frontier, explores the classes that the oracle knows.
//!
//! 300 programs; `XCUTE_RACE_PROGRAMS` asks for another number and `XCUTE_RACE_SEED` for others.

use std::collections::BTreeSet;

use xcute_race::AlgorithmName;

use crate::campaign::{Campaign, Order};
use crate::generate::{Generator, Kind};
use crate::known_answers::pairs;
use crate::oracle;
use crate::world::{Mark, Program};

/// Programs with more paths are left out: brute force is to be quick.
const PATHS: u64 = 1_500;
const DOMAIN: i64 = 2;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn hold(program: &Program, text: &str, kind: Kind, paths: u64, seed: u64) {
    let truth = oracle::truth(program, DOMAIN);
    let mut races = None;
    for name in AlgorithmName::ALL {
        for order in [Order::Dfs, Order::Bfs, Order::Random(seed)] {
            // Brute force is the same in every order.
            if name == AlgorithmName::All && (paths > 300 || !matches!(order, Order::Random(_))) {
                continue;
            }
            let mut campaign = Campaign::new(program, name.build());
            campaign.domain = DOMAIN;
            let outcome = campaign.explore(order);
            let what = format!("{} {order:?}: {text}", name.as_str());
            let classes: BTreeSet<Vec<Mark>> = outcome.classes.keys().cloned().collect();
            let missed = truth.classes.difference(&classes).count();
            assert_eq!((missed, classes.len()), (0, truth.classes.len()), "classes missed, seen; {what}");
            assert_eq!((outcome.deadlocks.len(), outcome.errors.len()), (truth.deadlocks, truth.errors), "{what}");
            assert!(outcome.complete, "{what}");
            if name == AlgorithmName::All {
                assert_eq!(outcome.full as u64, paths, "every path; {what}");
            } else if matches!(name, AlgorithmName::Sleep | AlgorithmName::Dpor) && kind != Kind::Inputs {
                assert_eq!(outcome.full, classes.len(), "each class once; {what}");
            }
            let own = pairs(&outcome, &campaign.explorer);
            assert_eq!(races.get_or_insert_with(|| own.clone()), &own, "data races; {what}");
        }
    }
}

#[test]
fn every_class_in_every_order() {
    let (count, seed) = (number("XCUTE_RACE_PROGRAMS", 300), number("XCUTE_RACE_SEED", 1));
    for (share, kind) in [(4, Kind::Memory), (5, Kind::Locks), (2, Kind::Mixed), (20, Kind::Inputs)] {
        let mut generator = Generator::new(seed, kind);
        let mut done = 0;
        while done < count.div_ceil(share) {
            let (program, text) = generator.program();
            let paths = oracle::interleavings(&program, DOMAIN);
            if paths > 1 && paths <= PATHS {
                hold(&program, &text, kind, paths, generator.random.u64(..));
                done += 1;
            }
        }
    }
}
