//! The chain agrees with brute force, whichever layers are switched off.

mod common;

use common::{Brute, Gen, ask};
use xcute_solver::{Chain, ChainOptions, Solver};
use xcute_term::Terms;

fn options(bits: u32) -> ChainOptions {
    let on = |i: u32| bits >> i & 1 == 1;
    ChainOptions {
        opt1: on(0),
        opt2: on(1),
        opt3: on(2),
        pointers: on(3),
        orders: on(4),
        shortcut: on(5),
        cached: on(6),
        exhausted: on(7),
        checked: on(8),
    }
}

/// A number of random queries over one arena: what the cache learns from one must hold for the next.
fn campaign(chain: &mut dyn Solver, seed: u64, queries: usize) {
    let mut terms = Terms::new();
    let mut gen_ = Gen::new(&mut terms, seed);
    for _ in 0..queries {
        let hint = gen_.hint(&terms);
        let (len, depth) = (gen_.rng.usize(0..8), gen_.rng.u32(0..4));
        let path = gen_.path(&mut terms, &hint, len, depth);
        let goal = gen_.condition(&mut terms, depth);
        ask(chain, &mut terms, &path, goal, &hint);
        // The way a search goes: the prefix of the same path, its last condition negated.
        if let Some((&last, prefix)) = path.split_last() {
            let goal = terms.not(last);
            ask(chain, &mut terms, prefix, goal, &hint);
        }
    }
}

#[test]
fn every_single_layer_agrees_with_brute_force() {
    for layer in 0..9 {
        for seed in 0..40 {
            campaign(&mut Chain::build(options(1 << layer), vec![Box::new(Brute)]), seed, 8);
        }
    }
}

#[test]
fn every_combination_of_layers_agrees_with_brute_force() {
    for bits in 0..512 {
        campaign(&mut Chain::build(options(bits), vec![Box::new(Brute)]), u64::from(bits), 4);
    }
}

#[test]
fn the_full_chain_agrees_with_brute_force() {
    for seed in 1000..1300 {
        campaign(&mut Chain::build(ChainOptions::default(), vec![Box::new(Brute)]), seed, 10);
    }
}
