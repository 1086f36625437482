//! The oracle: the plain search to its end.
//!
//! Whatever prunes must find the same failing paths. Stronger: no failing path may pass a full node, for a path that fails by luck
//! hides a wrong interpolant. That each node's own state implies its interpolant is asserted by the crate.
//!
//! 200 programs; `XCUTE_PRUNE_PROGRAMS` asks for another number and `XCUTE_PRUNE_SEED` for others.

use std::collections::BTreeSet;

use xcute_prune::{Arm, Guards, Mutant, Options, Visits};
use xcute_solver::{Answer, Chain, Count, Query, Solver};
use xcute_term::Terms;

use crate::code::compile;
use crate::generate::{Generator, Kind};
use crate::machine::Fault;
use crate::order::Order;
use crate::search::{Outcome, Setting, search, search_with, solver};
use crate::syntax::Source;

/// Decisions to which the searches are bounded.
const BOUND: usize = 14;
/// Programs with more paths are left out.
const PATHS: usize = 120;

/// What is wrong with a search that prunes.
pub fn violation(outcome: &Outcome, truth: &BTreeSet<Vec<Arm>>) -> Option<String> {
    let pruner = outcome.pruner.as_ref()?;
    if let Some(path) = truth.iter().find(|path| pruner.full_on_path(path).is_some()) {
        return Some(format!("a failing path passes a full node: {path:?}"));
    }
    if outcome.failures != *truth {
        return Some(format!("{} failures instead of {}", outcome.failures.len(), truth.len()));
    }
    (outcome.verified() && !truth.is_empty()).then(|| "verified, though there is a failure".to_owned())
}

/// The failing paths of a program, if it has few enough paths and more than one.
pub fn truth(source: &Source) -> Option<(usize, BTreeSet<Vec<Arm>>)> {
    let naive = search(source, &Setting { most: PATHS, ..Setting::naive().bounded(BOUND) });
    (naive.runs > 2 && !naive.gave_up && !naive.pinned).then_some((naive.runs, naive.failures))
}

/// Ways to search that are tried on every program.
pub fn settings(seed: u64) -> Vec<Setting> {
    let mut all = Vec::new();
    for order in Order::ALL {
        for greedy in [false, true] {
            for horizon in [false, true] {
                let mut setting = Setting {
                    order,
                    seed,
                    first: seed % 3,
                    assumes: seed.is_multiple_of(2),
                    bytes: seed % 7 < 2,
                    ..Setting::pruned(greedy).bounded(BOUND)
                };
                if let Some(options) = &mut setting.prune {
                    options.horizon = horizon;
                    // Small caps now and then, and the paper's bound of greedy confirmation.
                    options.cap = if seed.is_multiple_of(4) { 12 } else { 400 };
                    options.visits = if seed.is_multiple_of(5) { Visits::PerPoint } else { Visits::PerOccurrence };
                    options.guards = if seed.is_multiple_of(3) { Guards::Keep } else { Guards::Drop };
                }
                all.push(setting);
            }
        }
    }
    all
}

/// Holds `count` programs of each kind against the oracle; gives the runs without and with pruning.
fn agree(count: u64, seed: u64) -> (usize, usize) {
    let mut sums = (0, 0);
    for kind in Kind::ALL {
        let mut generator = Generator::new(kind, seed);
        let mut done = 0;
        while done < count {
            let (source, text) = generator.program();
            let Some((runs, failures)) = truth(&source) else { continue };
            done += 1;
            let turn = usize::try_from(done % 4).expect("small");
            for setting in settings(seed + done).into_iter().skip(turn).step_by(4) {
                let outcome = search(&source, &setting);
                if let Some(wrong) = violation(&outcome, &failures) {
                    panic!("{kind:?}, {:?}, {:?}: {wrong}\n{text}\n{:?}", setting.order, setting.prune, compile(&source));
                }
                sums = (sums.0 + runs, sums.1 + outcome.runs + outcome.confirmations);
            }
        }
    }
    sums
}

#[test]
fn random_programs_have_the_same_failures() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (naive, pruned) = agree(number("XCUTE_PRUNE_PROGRAMS", 200) / 5, number("XCUTE_PRUNE_SEED", 1));
    assert!(pruned < naive, "{pruned} runs instead of {naive}");
}

/// How many programs are looked at until the oracle notices a variant. A fault of the front end changes what paths are, so the plain search has it too.
fn noticed(mutant: Option<Mutant>, fault: Option<Fault>, kinds: &[Kind], most: u64) -> Option<u64> {
    let mut looked_at = 0;
    for &kind in kinds {
        let mut generator = Generator::new(kind, 77);
        let mut done = 0;
        while done < most {
            let (source, _) = generator.program();
            let Some((_, mut failures)) = truth(&source).filter(|truth| !truth.1.is_empty()) else { continue };
            if fault.is_some() {
                failures = search(&source, &Setting { fault, ..Setting::naive().bounded(BOUND) }).failures;
            }
            done += 1;
            looked_at += 1;
            for setting in settings(looked_at).into_iter().step_by(3) {
                let prune = setting.prune.map(|options| Options { check: false, mutant, ..options });
                let outcome = search(&source, &Setting { prune, fault, ..setting });
                if outcome.verified() || violation(&outcome, &failures).is_some() {
                    return Some(looked_at);
                }
            }
        }
    }
    None
}

#[test]
fn every_mutant_is_noticed() {
    assert_eq!(noticed(None, None, &Kind::ALL, 5), None, "what is not broken");
    let (general, addresses, loops) = (&[Kind::General, Kind::Counters][..], &[Kind::Addresses][..], &[Kind::Loops][..]);
    let mutants = [
        (Mutant::HalfSubsumes, general),
        (Mutant::UnfinishedSubsumes, loops),
        (Mutant::CutIsEnd, loops),
        (Mutant::HorizonIgnored, loops),
        (Mutant::SymbolAsValue, general),
        (Mutant::ClauseDropped, general),
        (Mutant::FailureIsEnd, general),
        (Mutant::RestIgnored, addresses),
        (Mutant::EqualitiesForgotten, addresses),
        (Mutant::OwnForgotten, addresses),
    ];
    let missed: Vec<Mutant> =
        mutants.into_iter().filter(|(mutant, kinds)| noticed(Some(*mutant), None, kinds, 150).is_none()).map(|mutant| mutant.0).collect();
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

/// A solver that says of some queries that nothing satisfies them.
struct Overconfident(Chain);

impl Solver for Overconfident {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        match self.0.solve(terms, query) {
            Answer::Sat(_) if query.goal.index().is_multiple_of(3) => Answer::Unsat(vec![query.goal]),
            answer => answer,
        }
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        self.0.count(visit);
    }
}

#[test]
fn a_wrong_solver_is_noticed() {
    let mut generator = Generator::new(Kind::General, 5);
    let found = (0..200).any(|_| {
        let (source, _) = generator.program();
        let Some((_, failures)) = truth(&source).filter(|truth| !truth.1.is_empty()) else { return false };
        let mut setting = Setting::pruned(false).bounded(BOUND);
        setting.prune = setting.prune.map(|options| Options { check: false, ..options });
        let outcome = search_with(&source, &setting, &mut solver(), &mut Overconfident(solver()));
        violation(&outcome, &failures).is_some()
    });
    assert!(found);
}

#[test]
fn every_fault_of_a_front_end_is_noticed() {
    for (fault, kinds) in [
        (Fault::SiteOnly, &[Kind::General, Kind::Counters][..]),
        (Fault::ForeignConstant, &[Kind::Foreign]),
        (Fault::ConcreteUntraced, &[Kind::General, Kind::Counters]),
        (Fault::AddressConcretised, &[Kind::Addresses]),
    ] {
        let found = noticed(None, Some(fault), kinds, 150);
        assert!(found.is_some(), "not noticed: {fault:?}");
    }
}
