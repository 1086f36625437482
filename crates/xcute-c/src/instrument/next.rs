//! Control-flow successors of sites, for search that is directed by the control-flow graph (CREST's CFG strategy: Burnim & Sen,
//! "Heuristics for scalable dynamic test generation", ASE 2008).
//!
//! From the block of an arm: all branches, switches and selects that can be reached without passing another one, into callees and back to
//! callers. Contexts are not kept apart: a return goes to all callers.
//!
//! **Invariant.** Lists are sorted; at most [`MAX_POINTS`] points of the program are looked at for each arm.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_trace::SiteId;

use super::llvm::Value;
use super::program::Program;
use super::steps::{Flow, Step};

const MAX_POINTS: usize = 400;

/// A step of the program: function, block, position.
type Point = (usize, usize, usize);

struct Graph<'f> {
    flows: &'f [Flow],
    entries: FxHashMap<Value, usize>,
    /// By function: the points after its calls.
    returns: Vec<Vec<Point>>,
}

/// Fills `Site::next` of all branches, switches and selects.
pub(super) fn fill(program: &mut Program) {
    let flows = std::mem::take(&mut program.flows);
    let entries: FxHashMap<Value, usize> = flows.iter().enumerate().map(|(n, f)| (f.function, n)).collect();
    let mut returns = vec![Vec::new(); flows.len()];
    for (point, step) in points(&flows) {
        if let Step::Call(callee) = step
            && let Some(&n) = entries.get(callee)
        {
            returns[n].push((point.0, point.1, point.2 + 1));
        }
    }
    let graph = Graph { flows: &flows, entries, returns };
    for ((function, block, at), step) in points(&flows) {
        let (site, next) = match step {
            Step::Decision(site, arms) => {
                let starts = |blocks: &Vec<usize>| blocks.iter().map(|&b| (function, b, 0)).collect();
                (site, arms.iter().map(|arm| graph.reach(starts(arm))).collect())
            }
            Step::Select(site) => (site, vec![graph.reach(vec![(function, block, at + 1)]); 2]),
            _ => continue,
        };
        program.sites.sites[site.0 as usize].next = next;
    }
}

fn points(flows: &[Flow]) -> impl Iterator<Item = (Point, &Step)> {
    let blocks = flows.iter().enumerate().flat_map(|(f, flow)| flow.blocks.iter().enumerate().map(move |(b, steps)| (f, b, steps)));
    blocks.flat_map(|(f, b, steps)| steps.iter().enumerate().map(move |(s, step)| ((f, b, s), step)))
}

impl Graph<'_> {
    /// The sites that come first from these points.
    fn reach(&self, starts: Vec<Point>) -> Vec<SiteId> {
        let mut found = BTreeSet::new();
        let mut seen: FxHashSet<Point> = starts.iter().copied().collect();
        let mut queue = std::collections::VecDeque::from(starts);
        while let Some((function, block, at)) = queue.pop_front() {
            let more = match self.flows[function].blocks[block].get(at) {
                Some(Step::Select(site) | Step::Decision(site, _)) => {
                    found.insert(*site);
                    continue;
                }
                Some(Step::Call(callee)) => match self.entries.get(callee) {
                    Some(&n) => vec![(n, 0, 0)],
                    None => vec![(function, block, at + 1)],
                },
                Some(Step::Goto(blocks)) => blocks.iter().map(|&b| (function, b, 0)).collect(),
                Some(Step::Return) => self.returns[function].clone(),
                None => Vec::new(),
            };
            for point in more {
                if seen.len() < MAX_POINTS && seen.insert(point) {
                    queue.push_back(point);
                }
            }
        }
        found.into_iter().collect()
    }
}
