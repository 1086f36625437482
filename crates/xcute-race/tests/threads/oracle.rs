//! The oracle: all causal classes of a program, without any of the crate.
//!
//! Breadth first over prefixes, one for each causal class. [`interleavings`] counts all paths, to be compared with the simple algorithm.

use std::collections::{BTreeSet, HashMap};
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
