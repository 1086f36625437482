//! Ranges: a set of words as sorted intervals, and the maps that inversion needs.
//!
//! **Invariant.** The intervals are sorted, disjoint, not adjacent, and within the width.

use smallvec::SmallVec;

use crate::bound::{mask, sign_bit};

/// A set of words of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    width: u32,
    items: SmallVec<[(u64, u64); 4]>,
}

impl Ranges {
    pub(crate) fn empty(width: u32) -> Ranges {
        Ranges { width, items: SmallVec::new() }
    }

    pub(crate) fn full(width: u32) -> Ranges {
        Ranges::interval(width, 0, mask(width))
    }

    /// All words or none.
    pub(crate) fn all_if(width: u32, all: bool) -> Ranges {
        if all { Ranges::full(width) } else { Ranges::empty(width) }
    }

    pub(crate) fn point(width: u32, word: u64) -> Ranges {
        Ranges::interval(width, word, word)
    }

    /// The words from `low` to `high`; none where `low > high`.
    pub(crate) fn interval(width: u32, low: u64, high: u64) -> Ranges {
        let mut out = Ranges::empty(width);
        if low <= high {
            out.items.push((low, high));
        }
        out
    }

    /// The words met going up from `low` to `high`, past the largest word to zero where `low > high`.
    pub(crate) fn wrapping(width: u32, low: u64, high: u64) -> Ranges {
        let mut out = Ranges::empty(width);
        if low > high {
            out.items.push((0, high));
            out.items.push((low, mask(width)));
        } else {
            out.items.push((low, high));
        }
        out.normal()
    }

    /// The given words, in any order.
    pub(crate) fn points(width: u32, words: impl IntoIterator<Item = u64>) -> Ranges {
        Ranges { width, items: words.into_iter().map(|w| (w, w)).collect() }.normal()
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn intervals(&self) -> &[(u64, u64)] {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn contains(&self, word: u64) -> bool {
        self.items.iter().any(|&(a, b)| a <= word && word <= b)
    }

    /// Whether all intervals are single words.
    pub(crate) fn is_points(&self) -> bool {
        self.items.iter().all(|&(a, b)| a == b)
    }

    pub(crate) fn intersect(&self, other: &Ranges) -> Ranges {
        let mut out = Ranges::empty(self.width);
        let (mut i, mut j) = (0, 0);
        while i < self.items.len() && j < other.items.len() {
            let ((a, b), (c, d)) = (self.items[i], other.items[j]);
            if a.max(c) <= b.min(d) {
                out.items.push((a.max(c), b.min(d)));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        out
    }

    pub(crate) fn union(mut self, other: &Ranges) -> Ranges {
        self.items.extend_from_slice(&other.items);
        self.normal()
    }

    /// Takes one word out.
    pub(crate) fn remove(&mut self, word: u64) {
        let Some(i) = self.items.iter().position(|&(a, b)| a <= word && word <= b) else { return };
        let (a, b) = self.items.remove(i);
        if word < b {
            self.items.insert(i, (word + 1, b));
        }
        if a < word {
            self.items.insert(i, (a, word - 1));
        }
    }

    /// Every word plus `by`, modulo the width.
    pub(crate) fn rotate(&self, by: u64) -> Ranges {
        let m = mask(self.width);
        if by & m == 0 || self.items[..] == [(0, m)] {
            return self.clone();
        }
        let mut out = Ranges::empty(self.width);
        for &(a, b) in &self.items {
            let (a, b) = (a.wrapping_add(by) & m, b.wrapping_add(by) & m);
            if a <= b {
                out.items.push((a, b));
            } else {
                out.items.push((a, m));
                out.items.push((0, b));
            }
        }
        out.normal()
    }

    /// The negative of every word, modulo the width.
    pub(crate) fn negate(&self) -> Ranges {
        self.complement_words().rotate(1)
    }

    /// Every word with all bits flipped.
    pub(crate) fn complement_words(&self) -> Ranges {
        let m = mask(self.width);
        Ranges { width: self.width, items: self.items.iter().rev().map(|&(a, b)| (m - b, m - a)).collect() }
    }

    /// The union of the intervals that a map makes of each interval, as words of another width; `None` and empty intervals
    /// are left out.
    pub(crate) fn map(&self, width: u32, f: impl Fn(u64, u64) -> Option<(u64, u64)>) -> Ranges {
        let items = self.items.iter().filter_map(|&(a, b)| f(a, b)).filter(|(a, b)| a <= b).collect();
        Ranges { width, items }.normal()
    }

    /// The member nearest to `word` in the order of signed or unsigned numbers; upwards where two are as near.
    pub(crate) fn nearest(&self, word: u64, signed: bool) -> Option<u64> {
        if self.contains(word) {
            return Some(word);
        }
        // In both orders the nearest member of an interval is one of its ends: `word` is not between them.
        let key = |w: u64| if signed { w ^ sign_bit(self.width) } else { w };
        let ends = self.items.iter().flat_map(|&(a, b)| [a, b]);
        ends.min_by_key(|&e| (key(e).abs_diff(key(word)), key(e) < key(word)))
    }

    fn normal(mut self) -> Ranges {
        self.items.sort_unstable();
        let mut kept = 0;
        for i in 1..self.items.len() {
            let (a, b) = self.items[i];
            if a <= self.items[kept].1.saturating_add(1) {
                self.items[kept].1 = self.items[kept].1.max(b);
            } else {
                kept += 1;
                self.items[kept] = (a, b);
            }
        }
        self.items.truncate(kept + 1);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: u32 = 4;

    fn all() -> impl Iterator<Item = Ranges> {
        (0..1u32 << 16).step_by(37).map(|bits| Ranges::points(W, (0..16u64).filter(move |w| bits >> w & 1 == 1)))
    }

    fn members(r: &Ranges) -> Vec<u64> {
        let out: Vec<u64> = (0..16).filter(|&w| r.contains(w)).collect();
        let listed: Vec<u64> = r.intervals().iter().flat_map(|&(a, b)| a..=b).collect();
        assert_eq!(out, listed, "intervals are sorted and disjoint");
        assert!(r.intervals().windows(2).all(|p| p[0].1 + 1 < p[1].0), "and not adjacent");
        out
    }

    #[test]
    fn maps_are_the_maps_of_the_members() {
        for r in all() {
            let mapped = |f: &dyn Fn(u64) -> u64| {
                let mut out: Vec<u64> = members(&r).into_iter().map(|w| f(w) & 15).collect();
                out.sort_unstable();
                out
            };
            assert_eq!(members(&r.negate()), mapped(&|w| w.wrapping_neg()));
            assert_eq!(members(&r.complement_words()), mapped(&|w| !w));
            for by in [0, 1, 7, 15] {
                assert_eq!(members(&r.rotate(by)), mapped(&|w| w.wrapping_add(by)));
            }
            for w in 0..16 {
                let mut without = r.clone();
                without.remove(w);
                let expect: Vec<u64> = members(&r).into_iter().filter(|&m| m != w).collect();
                assert_eq!(members(&without), expect);
                for (signed, flip) in [(false, 0), (true, 8)] {
                    let distance = |m: u64| (m ^ flip).abs_diff(w ^ flip);
                    let best = members(&r).into_iter().map(distance).min();
                    assert_eq!(r.nearest(w, signed).map(distance), best);
                }
            }
        }
    }

    #[test]
    fn set_operations() {
        let sets: Vec<Ranges> = all().step_by(11).collect();
        for a in &sets {
            for b in &sets {
                let both: Vec<u64> = members(a).into_iter().filter(|&w| b.contains(w)).collect();
                assert_eq!(members(&a.intersect(b)), both);
                let any: Vec<u64> = (0..16).filter(|&w| a.contains(w) || b.contains(w)).collect();
                assert_eq!(members(&a.clone().union(b)), any);
            }
        }
        assert_eq!(members(&Ranges::wrapping(W, 14, 1)), [0, 1, 14, 15]);
        assert_eq!(members(&Ranges::wrapping(W, 3, 5)), [3, 4, 5]);
        assert!(Ranges::full(64).contains(u64::MAX) && Ranges::full(64).rotate(5).contains(3));
    }
}
