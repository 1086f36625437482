//! The chain agrees with brute force, whichever layers are switched off.

use crate::common::{Brute, Gen, ask};
use xcute_solver::{Chain, ChainOptions, Solver};
use xcute_term::{Sort, Terms};

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
        lazy: on(8),
        checked: on(9),
        relaxed: on(10),
        implied: on(11),
        ranges: on(12),
    }
}

/// A number of random queries over one arena: what the cache learns from one must hold for the next.
fn campaign(chain: &mut dyn Solver, seed: u64, queries: usize) {
    let mut terms = Terms::new();
    let random = Gen::new(&mut terms, seed);
    campaign_of(chain, &mut terms, random, queries);
}

fn campaign_of(chain: &mut dyn Solver, terms: &mut Terms, mut random: Gen, queries: usize) {
    for _ in 0..queries {
        let hint = random.hint(terms);
        let (len, depth) = (random.rng.usize(0..8), random.rng.u32(0..4));
        let path = random.path(terms, &hint, len, depth);
        let goal = random.condition(terms, depth);
        ask(chain, terms, &path, goal, &hint);
        // The way a search goes: the prefix of the same path, its last condition negated.
        if let Some((&last, prefix)) = path.split_last() {
            let goal = terms.not(last);
            ask(chain, terms, prefix, goal, &hint);
        }
    }
}

#[test]
fn every_single_layer_agrees_with_brute_force() {
    for layer in 0..13 {
        for seed in 0..40 {
            campaign(&mut Chain::build(options(1 << layer), vec![Box::new(Brute)]), seed, 8);
        }
    }
}

#[test]
fn every_combination_of_layers_agrees_with_brute_force() {
    for bits in 0..4096 {
        campaign(&mut Chain::build(options(bits), vec![Box::new(Brute)]), u64::from(bits), 4);
    }
}

#[test]
fn the_full_chain_agrees_with_brute_force() {
    for seed in 1000..1300 {
        campaign(&mut Chain::build(ChainOptions::default(), vec![Box::new(Brute)]), seed, 10);
    }
}

/// One variable only: here the shortcut alone decides what is contradictory.
#[test]
fn one_variable_agrees_with_brute_force() {
    for seed in 0..600 {
        let mut terms = Terms::new();
        let mut random = Gen::new(&mut terms, seed);
        random.vars = vec![terms.var("w", Sort::BitVec(6)); 3];
        let shortcut = ChainOptions { shortcut: true, ..ChainOptions::all(false) };
        campaign_of(&mut Chain::build(shortcut, vec![Box::new(Brute)]), &mut terms, random, 8);
    }
}
