//! Compares every algorithm, in three orders of the frontier, with the oracle.

use std::collections::BTreeSet;

use xcute_race::AlgorithmName;

use crate::campaign::{Campaign, Order};
use crate::known_answers::pairs;
use crate::oracle;
use crate::world::{Mark, Program};

/// Programs with more paths are not run by brute force once more.
const PATHS: u64 = 300;

/// The same for programs with atomic sections. A section that blocks is interrupted there, and whether it does depends on the schedule: it is one event or several.
/// So what the threads have seen is compared. What a sleeping section will access is not known, so it may wake up too early: runs may be superfluous.
pub fn agree_in_sections(program: &Program, text: &str, domain: i64, seed: u64) {
    let truth = oracle::outcomes(program, domain);
    for name in AlgorithmName::ALL {
        for order in [Order::Dfs, Order::Bfs, Order::Random(seed)] {
            let mut campaign = Campaign::new(program, name.build());
            campaign.domain = domain;
            let outcome = campaign.explore(order);
            assert_eq!(outcome.seen, truth, "{} {order:?}: {text}", name.as_str());
            assert!(outcome.complete, "{text}");
        }
    }
}

/// The number of classes, on which all agree.
pub fn agree(program: &Program, text: &str, domain: i64, seed: u64) -> usize {
    let truth = oracle::truth(program, domain);
    let paths = oracle::interleavings(program, domain);
    let mut races = None;
    for name in AlgorithmName::ALL {
        for order in [Order::Dfs, Order::Bfs, Order::Random(seed)] {
            // Brute force is the same in every order.
            if name == AlgorithmName::All && (paths > PATHS || !matches!(order, Order::Random(_))) {
                continue;
            }
            let mut campaign = Campaign::new(program, name.build());
            campaign.domain = domain;
            let outcome = campaign.explore(order);
            let what = format!("{} {order:?}: {text}", name.as_str());
            let classes: BTreeSet<Vec<Mark>> = outcome.classes.keys().cloned().collect();
            let missed = truth.classes.difference(&classes).count();
            assert_eq!((missed, classes.len()), (0, truth.classes.len()), "classes missed, seen; {what}");
            assert_eq!((outcome.deadlocks.len(), outcome.errors.len()), (truth.deadlocks, truth.errors), "{what}");
            assert!(outcome.complete, "{what}");
            match name {
                AlgorithmName::All => assert_eq!(outcome.full as u64, paths, "every path; {what}"),
                AlgorithmName::Races => {}
                AlgorithmName::Sleep | AlgorithmName::Dpor => assert_eq!(outcome.full, classes.len(), "each class once; {what}"),
            }
            let own = pairs(&outcome, &campaign.explorer);
            assert_eq!(races.get_or_insert_with(|| own.clone()), &own, "data races; {what}");
        }
    }
    truth.classes.len()
}
