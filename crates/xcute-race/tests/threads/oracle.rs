//! The oracle: all causal classes of a program, without any of the crate.
//!
//! Breadth first over prefixes, one for each causal class. [`interleavings`] counts all paths, to be compared with the simple algorithm.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use crate::world::{Mark, Program, World};

#[derive(Default)]
pub struct Truth {
    pub classes: BTreeSet<Vec<Mark>>,
    pub deadlocks: usize,
    pub errors: usize,
}

/// All worlds after the next branch arms.
fn settled(mut world: World) -> Vec<World> {
    let arms = world.settle();
    if arms.is_empty() {
        return vec![world];
    }
    let follow = |(arm, inputs)| {
        let mut next = world.clone();
        next.branch(arm, inputs);
        settled(next)
    };
    arms.into_iter().flat_map(follow).collect()
}

fn steps(world: &World) -> Vec<World> {
    let mut all = Vec::new();
    for thread in world.alive().filter(|thread| world.enabled(*thread)) {
        let operation = world.operation(thread).expect("it is enabled");
        for arm in 0..world.arms_of(&operation) {
            let mut next = world.clone();
            next.step(thread, arm);
            all.extend(settled(next));
        }
    }
    all
}

/// Every class.
pub fn truth(program: &Program, domain: i64) -> Truth {
    let mut truth = Truth::default();
    let mut level = settled(World::new(program, domain));
    while !level.is_empty() {
        let mut next: HashMap<Vec<Mark>, World> = HashMap::new();
        for world in level {
            let after = steps(&world);
            if after.is_empty() {
                truth.classes.insert(world.class());
                truth.deadlocks += usize::from(world.alive().next().is_some());
                truth.errors += usize::from(world.error());
            }
            for world in after {
                next.entry(world.class()).or_insert(world);
            }
        }
        level = next.into_values().collect();
    }
    truth
}

/// All that the threads can have seen in the end, by brute force over states.
pub fn outcomes(program: &Program, domain: i64) -> BTreeSet<u64> {
    let (mut known, mut found, mut todo) = (HashSet::new(), BTreeSet::new(), settled(World::new(program, domain)));
    while let Some(world) = todo.pop() {
        if known.insert(world.state()) {
            let after = steps(&world);
            if after.is_empty() {
                found.insert(world.outcome());
            }
            todo.extend(after);
        }
    }
    found
}

/// The number of paths: interleavings with their branch arms.
pub fn interleavings(program: &Program, domain: i64) -> u64 {
    fn count<K: Eq + Hash>(world: &World, state: &dyn Fn(&World) -> K, known: &mut HashMap<K, u64>) -> u64 {
        let key = state(world);
        if let Some(count) = known.get(&key) {
            return *count;
        }
        let after = steps(world);
        let sum = if after.is_empty() { 1 } else { after.iter().map(|next| count(next, state, known)).sum() };
        known.insert(key, sum);
        sum
    }
    let mut known = HashMap::new();
    settled(World::new(program, domain)).iter().map(|world| count(world, &World::state, &mut known)).sum()
}

/// All interleavings with at most this many preemptions: how many there are, how many of them fail, and their classes.
pub fn bounded(program: &Program, preemptions: u32) -> (usize, usize, BTreeSet<Vec<Mark>>) {
    fn walk(world: &World, last: Option<usize>, left: u32, found: &mut (usize, usize, BTreeSet<Vec<Mark>>)) {
        let enabled: Vec<usize> = world.alive().filter(|thread| world.enabled(*thread)).collect();
        if enabled.is_empty() {
            found.0 += 1;
            found.1 += usize::from(world.error() || world.alive().next().is_some());
            found.2.insert(world.class());
        }
        for &thread in &enabled {
            let cost = u32::from(last.is_some_and(|last| last != thread && enabled.contains(&last)));
            for arm in 0..world.operation(thread).map_or(0, |operation| world.arms_of(&operation)) {
                if cost <= left {
                    let mut next = world.clone();
                    next.step(thread, arm);
                    settled(next).iter().for_each(|next| walk(next, Some(thread), left - cost, found));
                }
            }
        }
    }
    let mut found = (0, 0, BTreeSet::new());
    settled(World::new(program, 0)).iter().for_each(|world| walk(world, None, preemptions, &mut found));
    found
}
