//! Byte ranges as cells: the ranges of a run are cut at all their ends, and each piece is a cell.
//!
//! Ranges that overlap, directly or through others, form a group. The pieces of a group are numbered from the address where it begins, so a
//! range is a row of consecutive names, groups do not meet, and a variable that is always accessed as a whole is named by its address.
//!
//! **Invariant.** Two ranges of a run have a cell in common iff they have a byte in common.

use rustc_hash::FxHashMap;
use xcute_trace::{Cells, ObjectId};

/// The byte ranges of a run and their cells; keeps its tables from run to run.
#[derive(Debug, Default)]
pub struct Ranges {
    rows: FxHashMap<(u64, u32), Cells>,
    ranges: Vec<(u64, u32)>,
    ends: Vec<u64>,
}

impl Ranges {
    /// Forgets the last run.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ranges.clear();
    }

    /// A range is accessed in this run.
    pub fn add(&mut self, range: (u64, u32)) {
        let row = Cells { first: ObjectId(range.0), count: 1 };
        if self.rows.insert(range, row).is_none() {
            self.ranges.push(range);
        }
    }

    /// All ranges are known.
    pub fn cut(&mut self) {
        self.ranges.sort_unstable();
        let mut from = 0;
        while from < self.ranges.len() {
            let mut end = after(self.ranges[from]);
            let mut to = from + 1;
            while to < self.ranges.len() && self.ranges[to].0 < end {
                end = end.max(after(self.ranges[to]));
                to += 1;
            }
            if to > from + 1 {
                self.cut_group(from, to);
            }
            from = to;
        }
    }

    fn cut_group(&mut self, from: usize, to: usize) {
        let (group, ends) = (&self.ranges[from..to], &mut self.ends);
        ends.clear();
        ends.extend(group.iter().flat_map(|&range| [range.0, after(range)]));
        ends.sort_unstable();
        ends.dedup();
        let rank = |at: u64| ends.partition_point(|end| *end < at) as u64;
        for &range in group {
            let (first, last) = (rank(range.0), rank(after(range)));
            let row = Cells { first: ObjectId(ends[0] + first), count: (last - first) as u32 };
            self.rows.insert(range, row);
        }
    }

    /// The cells of a range of this run.
    #[must_use]
    pub fn row(&self, range: (u64, u32)) -> Cells {
        self.rows.get(&range).copied().unwrap_or(Cells { first: ObjectId(range.0), count: 1 })
    }
}

fn after((at, bytes): (u64, u32)) -> u64 {
    at.saturating_add(u64::from(bytes.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(ranges: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let mut cells = Ranges::default();
        ranges.iter().for_each(|&range| cells.add(range));
        cells.cut();
        ranges.iter().map(|&range| cells.row(range)).map(|row| (row.first.0, row.count)).collect()
    }

    #[test]
    fn variables_are_one_cell_each() {
        assert_eq!(rows(&[(100, 4), (104, 4), (100, 4), (90, 10)]), [(100, 1), (104, 1), (100, 1), (90, 1)]);
    }

    #[test]
    fn ranges_that_overlap_are_cut_at_their_ends() {
        // 100..108 | 104..106 | 107..120: 100, 104, 106, 107, 108, 120.
        assert_eq!(rows(&[(100, 8), (104, 2), (107, 13), (200, 8)]), [(100, 4), (101, 1), (103, 2), (200, 1)]);
    }

    #[test]
    fn ranges_share_a_cell_iff_they_share_a_byte() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..300 {
            let ranges: Vec<(u64, u32)> = (0..12).map(|_| (1000 + random(60), 1 + random(20) as u32)).collect();
            let rows = rows(&ranges);
            for (a, x) in ranges.iter().zip(&rows) {
                for (b, y) in ranges.iter().zip(&rows) {
                    let meet = |p: &(u64, u32), q: &(u64, u32)| p.0 < q.0 + u64::from(q.1) && q.0 < p.0 + u64::from(p.1);
                    assert_eq!(meet(a, b), meet(x, y), "{a:?} {b:?} {x:?} {y:?}");
                }
            }
        }
    }
}
