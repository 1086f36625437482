//! Difference constraints: a graph of `value(to) >= value(from) + gap`, kept satisfied while edges are added.
//!
//! Cotton & Maler, "Fast and flexible difference constraint propagation for DPLL(T)" (SAT 2006): the old values satisfy all
//! old edges; a new edge raises its target, and the raise travels along tight edges, the largest first, so every value changes
//! at most once and values far from the edge keep theirs. A raise that comes back to the new edge's source is a cycle of
//! positive gap: a contradiction, and its edges are the core.
//!
//! **Invariant.** After a successful [`Graph::add`] all edges hold. After a failed one the values are what they were.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

/// An edge: `value(to) >= value(from) + gap`, because of `reason`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) gap: i128,
    /// The position of the constraint behind it; `None` for the range of a sort.
    pub(super) reason: Option<u32>,
}

/// A graph and values that satisfy it.
#[derive(Default)]
pub(super) struct Graph {
    values: Vec<i128>,
    edges: Vec<Edge>,
    out: Vec<SmallVec<[u32; 4]>>,
    /// Per node, during an addition: by how much it must rise, through which edge, and whether that is settled.
    raise: Vec<(i128, u32, bool)>,
    touched: Vec<u32>,
    /// What was requested, the largest raise first; a node may be there several times, its largest request counts.
    open: BinaryHeap<(i128, Reverse<u32>)>,
}

impl Graph {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.edges.clear();
        self.raise.clear();
    }

    pub(super) fn node(&mut self, value: i128) -> u32 {
        let node = self.values.len();
        self.values.push(value);
        self.raise.push((0, 0, false));
        match self.out.get_mut(node) {
            Some(out) => out.clear(),
            None => self.out.push(SmallVec::new()),
        }
        u32::try_from(node).expect("fewer nodes than terms")
    }

    pub(super) fn value(&self, node: u32) -> i128 {
        self.values[node as usize]
    }

    /// Adds an edge that holds already; says whether it does.
    pub(super) fn hold(&mut self, edge: Edge) -> bool {
        self.insert(edge);
        self.value(edge.to) >= self.value(edge.from) + edge.gap
    }

    /// Adds an edge, raising values until all edges hold. On a contradiction gives the reasons of the cycle.
    pub(super) fn add(&mut self, edge: Edge) -> Result<(), Vec<u32>> {
        let number = self.insert(edge);
        let need = self.value(edge.from) + edge.gap - self.value(edge.to);
        if need <= 0 {
            return Ok(());
        }
        self.touched.clear();
        self.open.clear();
        let mut cycle = edge.from == edge.to;
        if !cycle {
            self.request(edge.to, need, number);
            while let Some(node) = self.largest() {
                if node == edge.from {
                    cycle = true;
                    break;
                }
                self.settle(node);
            }
        }
        let result = if cycle { Err(self.reasons(edge, number)) } else { Ok(()) };
        for &node in &self.touched {
            let (raise, _, settled) = std::mem::take(&mut self.raise[node as usize]);
            if settled && !cycle {
                self.values[node as usize] += raise;
            }
        }
        result
    }

    fn insert(&mut self, edge: Edge) -> u32 {
        let number = u32::try_from(self.edges.len()).expect("few edges");
        self.edges.push(edge);
        self.out[edge.from as usize].push(number);
        number
    }

    /// Takes back the edge that was added last.
    pub(super) fn undo(&mut self) {
        if let Some(edge) = self.edges.pop() {
            self.out[edge.from as usize].pop();
        }
    }

    fn request(&mut self, node: u32, need: i128, through: u32) {
        let entry = &mut self.raise[node as usize];
        if entry.0 == 0 {
            self.touched.push(node);
        }
        if need > entry.0 {
            *entry = (need, through, entry.2);
            self.open.push((need, Reverse(node)));
        }
    }

    /// The open node with the largest raise.
    fn largest(&mut self) -> Option<u32> {
        loop {
            let (_, Reverse(node)) = self.open.pop()?;
            if !self.raise[node as usize].2 {
                return Some(node);
            }
        }
    }

    fn settle(&mut self, node: u32) {
        self.raise[node as usize].2 = true;
        let risen = self.values[node as usize] + self.raise[node as usize].0;
        for i in 0..self.out[node as usize].len() {
            let number = self.out[node as usize][i];
            let edge = self.edges[number as usize];
            let need = risen + edge.gap - self.value(edge.to);
            if need > 0 && !self.raise[edge.to as usize].2 {
                self.request(edge.to, need, number);
            }
        }
    }

    /// The reasons of the edges on the way from the new edge's target back to its source.
    fn reasons(&self, edge: Edge, number: u32) -> Vec<u32> {
        let mut out: Vec<u32> = edge.reason.into_iter().collect();
        let mut node = edge.from;
        while node != edge.to {
            let through = self.raise[node as usize].1;
            debug_assert!(through != number);
            let step = self.edges[through as usize];
            out.extend(step.reason);
            node = step.from;
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
