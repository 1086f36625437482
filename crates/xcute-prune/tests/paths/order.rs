//! The orders of the search: depth first, a random open arm, uniform random search, directed by the control-flow graph.

use std::collections::BTreeSet;

use xcute_prune::Arm;

use crate::code::{Instr, Program};
use crate::search::Open;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Dfs,
    Random,
    Urs,
    Cfg,
}

impl Order {
    pub const ALL: [Order; 4] = [Order::Dfs, Order::Random, Order::Urs, Order::Cfg];
}

/// What an order remembers.
pub struct Picker {
    order: Order,
    random: fastrand::Rng,
    graph: Vec<Vec<usize>>,
    targets: Vec<(u32, bool)>,
    target: Option<(u32, bool)>,
    pub covered: BTreeSet<(u32, Arm)>,
}

impl Picker {
    pub fn new(order: Order, program: &Program, seed: u64) -> Picker {
        let mut graph = Vec::new();
        let mut targets = Vec::new();
        for (pc, instr) in program.code.iter().enumerate() {
            let site = u32::try_from(pc).expect("short");
            graph.push(match instr {
                Instr::Branch(_, target) => {
                    targets.extend([(site, false), (site, true)]);
                    vec![pc + 1, *target]
                }
                Instr::Switch(_, targets) => targets.clone(),
                Instr::Jump(target) => vec![*target],
                Instr::Call(function, ..) => vec![program.functions[*function].0, pc + 1],
                Instr::Return(_) | Instr::Bug => vec![],
                _ => vec![pc + 1],
            });
        }
        Picker { order, random: fastrand::Rng::with_seed(seed), graph, targets, target: None, covered: BTreeSet::new() }
    }

    /// Takes one of the open arms, of which there is at least one.
    pub fn pick(&mut self, open: &mut Vec<Open>) -> Open {
        match self.order {
            Order::Dfs => open.pop().expect("not empty"),
            Order::Random => open.swap_remove(self.random.usize(..open.len())),
            Order::Urs => self.walk(open),
            Order::Cfg => self.nearest(open),
        }
    }

    /// From the root, every arm that leads to something open being equally likely.
    fn walk(&mut self, open: &mut Vec<Open>) -> Open {
        let mut candidates: Vec<usize> = (0..open.len()).collect();
        let mut depth = 0;
        loop {
            let arms: BTreeSet<Arm> = candidates.iter().map(|&at| open[at].path[depth]).collect();
            let arm = *arms.iter().nth(self.random.usize(..arms.len())).expect("within");
            candidates.retain(|&at| open[at].path[depth] == arm);
            depth += 1;
            if let Some(&at) = candidates.iter().find(|&&at| open[at].path.len() == depth) {
                return open.swap_remove(at);
            }
        }
    }

    /// Nearest to a random target that is not covered.
    fn nearest(&mut self, open: &mut Vec<Open>) -> Open {
        let covered = |target: &(u32, bool)| self.covered.contains(&(target.0, Arm::Nth(u32::from(target.1))));
        self.targets.retain(|target| !covered(target));
        if self.target.is_none_or(|target| covered(&target)) {
            self.target = (!self.targets.is_empty()).then(|| self.targets[self.random.usize(..self.targets.len())]);
        }
        let Some(target) = self.target else { return open.swap_remove(self.random.usize(..open.len())) };
        let distances = self.distances(target);
        let distance = |item: &Open| {
            let site = item.site as usize;
            let next = match item.path.last() {
                Some(Arm::Nth(0)) => self.graph[site].get(1).copied(),
                _ => Some(site + 1),
            };
            let hit = (item.site, item.path.last() == Some(&Arm::Nth(1))) == target;
            if hit { 0 } else { next.and_then(|next| distances.get(next).copied()).unwrap_or(u32::MAX).saturating_add(1) }
        };
        let best = (0..open.len()).min_by_key(|&at| distance(&open[at])).expect("not empty");
        open.swap_remove(best)
    }

    fn distances(&self, target: (u32, bool)) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.graph.len()];
        distances[target.0 as usize] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for pc in 0..self.graph.len() {
                let best = self.graph[pc].iter().filter_map(|&next| distances.get(next)).min().copied().unwrap_or(u32::MAX);
                if best.saturating_add(1) < distances[pc] {
                    distances[pc] = best.saturating_add(1);
                    changed = true;
                }
            }
        }
        distances
    }
}
