//! Program points: where interpolants are kept, and where states may be compared.
//!
//! The whole call stack belongs to a point, with the bases of the frames: what comes after a return depends on it, and cells of
//! frames with other bases are other cells.
//!
//! **Invariant.** Equal ids mean equal points, of one [`Points`].

use rustc_hash::FxHashMap;

/// Names a program point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(u32);

impl PointId {
    /// The position among the points, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A program point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The decision in the program text.
    pub site: u32,
    /// The calls that led here, outermost first: where each was made, and the base of the frame it made.
    pub stack: Vec<(u32, u64)>,
    /// The thread.
    pub thread: u32,
}

/// All points of a program that were met.
#[derive(Debug, Default)]
pub struct Points {
    points: Vec<Point>,
    ids: FxHashMap<Point, PointId>,
}

impl Points {
    /// The id of a point.
    pub fn id(&mut self, point: &Point) -> PointId {
        if let Some(&id) = self.ids.get(point) {
            return id;
        }
        let id = PointId(u32::try_from(self.points.len()).expect("fewer than 2^32 points"));
        self.points.push(point.clone());
        self.ids.insert(point.clone(), id);
        id
    }

    /// The point of an id.
    #[must_use]
    pub fn get(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }
}
