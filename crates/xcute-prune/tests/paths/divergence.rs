//! Runs that do not fit together: nothing is claimed on their account, and nothing breaks.

use xcute_prune::{End, Half, Next, Options, Pruner};
use xcute_term::Model;

use crate::code::compile;
use crate::known_answers::family_a;
use crate::machine::World;
use crate::search::solver;
use crate::syntax::parse;

/// The program where it was not expected to be: greedy confirmation gets runs of other inputs.
#[test]
fn runs_that_nobody_asked_for() {
    let mut world = World::new(compile(&family_a(4, 4)));
    let (mut pruner, mut solver) = (Pruner::new(Options::default()), solver());
    let trace = world.run(&Model::new());
    let next = pruner.observe(&mut world.terms, &mut solver, trace.run.clone());
    assert!(matches!(next, Next::Confirm(_)));
    let next = pruner.confirm(&mut world.terms, &mut solver, trace.run);
    assert_eq!(next, Next::Search);
    assert_eq!(pruner.counters().halted(Half::Diverged), 1);
    assert!(!pruner.verified());
}

#[test]
fn a_program_that_changes_between_runs() {
    let mut world = World::new(compile(&parse("", "int s=0; if(read()) s=1; if(s>1) bug();")));
    let other = compile(&parse("", "int s=5; s=s+1; if(read()) { if(s>7) bug(); } if(read()) s=9; if(s>8) bug();"));
    let (mut pruner, mut solver) = (Pruner::new(Options { greedy: false, ..Options::default() }), solver());
    let first = world.run(&Model::new());
    assert_eq!(pruner.observe(&mut world.terms, &mut solver, first.run), Next::Search);
    world.program = other;
    let second = world.run(&Model::new());
    assert_eq!(pruner.observe(&mut world.terms, &mut solver, second.run), Next::Search);
    assert!(pruner.counters().halted(Half::Diverged) > 0);
    assert!(!pruner.verified());
}

#[test]
fn a_confirmation_that_is_not_to_be_had() {
    let mut world = World::new(compile(&family_a(3, 3)));
    let (mut pruner, mut solver) = (Pruner::new(Options::default()), solver());
    let trace = world.run(&Model::new());
    assert_eq!(trace.run.end, End::Passed);
    assert!(matches!(pruner.observe(&mut world.terms, &mut solver, trace.run), Next::Confirm(_)));
    pruner.abandon();
    assert_eq!(pruner.counters().halted(Half::Abandoned), 1);
    // What was known until then stays: the assertion and its place.
    let fulls = pruner.nodes().filter(|&node| pruner.node(node).full().is_some()).count();
    assert_eq!(fulls, 1);
    let last = *pruner.passed().last().expect("it passed four decisions");
    assert!(pruner.covered(last).is_some());
    let root = pruner.passed()[0];
    assert!(pruner.covered(root).is_none() && !pruner.finished(root, xcute_prune::Arm::Nth(1)));
}

/// A horizon is counted from the bound that all runs share; a run that ends elsewhere for lack of decisions was cut off.
#[test]
fn a_bound_that_is_not_the_bound() {
    let mut world = World::new(compile(&family_a(4, 4)));
    world.bound = Some(3);
    let (mut pruner, mut solver) = (Pruner::new(Options { bound: Some(4), ..Options::default() }), solver());
    let trace = world.run(&Model::new());
    assert_eq!(trace.run.end, End::Bound);
    assert_eq!(pruner.observe(&mut world.terms, &mut solver, trace.run), Next::Search);
    assert_eq!(pruner.counters().halted(Half::Cut), 1);
    assert!(pruner.nodes().all(|node| pruner.node(node).full().is_none()));
}
