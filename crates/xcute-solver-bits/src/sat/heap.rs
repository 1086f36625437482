//! Which variable to decide next: the most active one (VSIDS, Moskewicz et al., "Chaff", 2001).

/// The position of a variable that was not bumped in this query.
const NEVER: u32 = u32::MAX;
/// The position of one that was but has a value.
const ABSENT: u32 = u32::MAX - 1;
const DECAY: f64 = 1.0 / 0.95;
const LARGE: f64 = 1e100;

/// A binary heap of the variables that took part in conflicts of this query, the most active on top. Ties go to the position,
/// which is deterministic. A variable is bumped while it has a value, and comes in when it loses it.
pub(super) struct Heap {
    heap: Vec<u32>,
    bumped: Vec<u32>,
    positions: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Heap {
    pub(super) fn new() -> Heap {
        Heap { heap: Vec::new(), bumped: Vec::new(), positions: Vec::new(), activity: Vec::new(), increment: 1.0 }
    }

    pub(super) fn new_var(&mut self) {
        self.positions.push(NEVER);
        self.activity.push(0.0);
    }

    /// Begins a query: holds nothing, and no variable belongs in the heap until it is bumped.
    pub(super) fn clear(&mut self) {
        self.heap.clear();
        for var in self.bumped.drain(..) {
            self.positions[var as usize] = NEVER;
        }
    }

    /// Puts a variable back that was bumped and has lost its value.
    pub(super) fn restore(&mut self, var: u32) {
        if self.positions[var as usize] == ABSENT {
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        self.positions[top as usize] = ABSENT;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.sink(0);
        }
        Some(top)
    }

    /// Makes a variable more active.
    pub(super) fn bump(&mut self, var: u32) {
        self.activity[var as usize] += self.increment;
        if self.activity[var as usize] > LARGE {
            for activity in &mut self.activity {
                *activity /= LARGE;
            }
            self.increment /= LARGE;
        }
        match self.positions[var as usize] {
            NEVER => {
                self.bumped.push(var);
                self.positions[var as usize] = ABSENT;
            }
            ABSENT => {}
            at => self.rise(at as usize),
        }
    }

    /// Makes all variables less active.
    pub(super) fn decay(&mut self) {
        self.increment *= DECAY;
    }

    fn above(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn rise(&mut self, mut i: usize) {
        let var = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if !self.above(var, self.heap[parent]) {
                break;
            }
            self.put(i, self.heap[parent]);
            i = parent;
        }
        self.put(i, var);
    }

    fn sink(&mut self, mut i: usize) {
        let var = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.above(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.above(self.heap[child], var) {
                break;
            }
            self.put(i, self.heap[child]);
            i = child;
        }
        self.put(i, var);
    }

    fn put(&mut self, i: usize, var: u32) {
        self.heap[i] = var;
        self.positions[var as usize] = position(i);
    }
}

fn position(i: usize) -> u32 {
    u32::try_from(i).expect("no more positions than variables")
}
