//! Trees and sites for the tests of strategies.

use xcute_term::{Model, Sort, Terms};
use xcute_trace::{Decision, DecisionKind, Outcome, SiteId, Sites, Trace};
use xcute_tree::{ArmId, Growth, Insertion, PathTree};

/// Inserts a run that decides so, at the sites one after the other, after a promise.
pub(crate) fn grow(tree: &mut PathTree, terms: &mut Terms, promised: Option<ArmId>, taken: &[u32]) -> Growth {
    let known = promised.map_or(0, |arm| tree.depth(arm.node) as usize + 1);
    let decision = |(depth, &taken): (usize, &u32)| {
        let condition = terms.var(&format!("c{}", known + depth), Sort::Bool);
        let arms = vec![terms.not(condition), condition];
        Decision { site: SiteId(u32::try_from(known + depth).unwrap() % 4), kind: DecisionKind::Branch, taken, arms }
    };
    let decisions = taken.iter().enumerate().map(decision).collect();
    let (covered, limits, input) = (Vec::new(), Vec::new(), Model::new());
    let trace =
        Trace { decisions, known, outcome: Outcome::Passed, covered, reached: Vec::new(), limits, input, concurrent: None, segments: None };
    tree.grow(terms, &Insertion { promised, trace: &trace, number: u64::from(promised.is_some()), depth: 100 })
}

pub(crate) fn sites() -> Sites {
    let site = |ordinal: u32| xcute_trace::Site {
        kind: xcute_trace::SiteKind::Branch,
        file: "f".into(),
        line: ordinal + 1,
        column: 1,
        function: "f".into(),
        ordinal,
        arms: 2,
        next: vec![vec![SiteId((ordinal + 1) % 4)]; 2],
    };
    Sites { sites: (0..4).map(site).collect() }
}
