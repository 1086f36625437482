//! Places of memory, cut into cells.
//!
//! A cell is a piece of memory that no access of any run so far has cut: every access is to whole cells. Where an access of a later run cuts one, the
//! partition is a new one, and what was said about memory before has nothing to do with it. The stack is cut for each function by
//! itself, since other functions use the same memory for other things.
//!
//! **Invariant.** Cells do not overlap. Their variables are none of any input: all names have an `@`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use xcute_term::{Op, Sort, TermId, Terms, VarId};

/// Names a slot: a cell's content, whether it is initialised, or something else that a run has for its state.
pub(super) type SlotId = usize;

/// Where an address is: 0, or the function whose frame holds it.
pub(super) type Space = u32;

/// A variable that stands for a part of the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) var: VarId,
    pub(super) term: TermId,
    /// What it holds at the start of runs that do not say otherwise.
    pub(super) start: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    end: u64,
    content: Option<SlotId>,
    /// Whether it is initialised; `None` while it was never blank.
    defined: Option<SlotId>,
    /// Whether something was read from it.
    read: bool,
}

/// What a local is called.
#[derive(Debug)]
struct Local {
    bytes: u64,
    name: String,
    function: String,
}

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Piece {
    pub(super) space: Space,
    pub(super) at: u64,
    pub(super) bytes: u64,
}

/// All that is known of memory, over all runs.
#[derive(Debug, Default)]
pub(super) struct Places {
    cells: FxHashMap<Space, BTreeMap<u64, Cell>>,
    locals: FxHashMap<Space, BTreeMap<u64, Local>>,
    slots: Vec<Slot>,
    of_var: FxHashMap<VarId, SlotId>,
    others: BTreeMap<(&'static str, u64), SlotId>,
    /// The number of the partition.
    pub(super) partition: u32,
    grown: bool,
    /// A cell became blank for the first time after it was read.
    late: bool,
}

impl Places {
    /// Begins with a run: the next cut of a cell that was spoken of makes a new partition.
    pub(super) fn begin(&mut self) {
        self.grown = false;
    }

    /// Makes sure that a piece is some whole cells.
    pub(super) fn cut(&mut self, piece: Piece) {
        let Piece { space, at, bytes } = piece;
        let Some(end) = at.checked_add(bytes).filter(|_| bytes > 0) else { return };
        let cells = self.cells.entry(space).or_default();
        let mut torn = false;
        for edge in [at, end] {
            let over = cells.range(..edge).next_back().map(|(&start, &cell)| (start, cell)).filter(|(_, cell)| cell.end > edge);
            if let Some((start, cell)) = over {
                torn |= cell.content.is_some() || cell.defined.is_some();
                cells.insert(start, Cell { end: edge, ..Cell::default() });
                cells.insert(edge, Cell { end: cell.end, ..Cell::default() });
            }
        }
        let mut next = at;
        let inside: Vec<(u64, u64)> = cells.range(at..end).map(|(&start, cell)| (start, cell.end)).collect();
        for (start, stop) in inside.into_iter().chain([(end, end)]) {
            if next < start {
                cells.insert(next, Cell { end: start, ..Cell::default() });
            }
            next = stop;
        }
        if torn && !self.grown {
            self.grown = true;
            self.partition += 1;
        }
    }

    /// Cuts one piece where another of the same size is cut.
    pub(super) fn cut_alike(&mut self, piece: Piece, other: Piece) {
        for (start, end) in self.edges(other) {
            self.cut(Piece { space: piece.space, at: piece.at + (start - other.at), bytes: end - start });
        }
    }

    fn edges(&self, piece: Piece) -> Vec<(u64, u64)> {
        let range = piece.at..piece.at + piece.bytes;
        let inside = |cells: &BTreeMap<u64, Cell>| cells.range(range).map(|(&start, cell)| (start, cell.end)).collect();
        self.cells.get(&piece.space).map(inside).unwrap_or_default()
    }

    /// The cells of a piece, in order.
    pub(super) fn pieces(&self, piece: Piece) -> Vec<Piece> {
        self.edges(piece).into_iter().map(|(at, end)| Piece { space: piece.space, at, bytes: end - at }).collect()
    }

    /// Notes what a local is called.
    pub(super) fn local(&mut self, piece: Piece, name: &str, function: &str) {
        // LLVM adds a number to what the source calls a variable where it has several values.
        let name = name.split('.').next().filter(|name| !name.is_empty()).unwrap_or("value");
        let local = Local { bytes: piece.bytes, name: name.to_owned(), function: function.to_owned() };
        self.locals.entry(piece.space).or_default().insert(piece.at, local);
    }

    /// What holds the content of a cell; `name` knows that of a global.
    pub(super) fn content(&mut self, terms: &mut Terms, cell: Piece, name: impl FnOnce(u64) -> Option<String>) -> SlotId {
        if let Some(slot) = self.cells[&cell.space][&cell.at].content {
            return slot;
        }
        let name = self.name(cell, name);
        let bits = u32::try_from(8 * cell.bytes).unwrap_or(u32::MAX);
        let slot = self.slot(terms, &name, bits, 0);
        self.cell(cell).content = Some(slot);
        slot
    }

    /// Notes that a cell is read.
    pub(super) fn read(&mut self, cell: Piece) {
        self.cell(cell).read = true;
    }

    /// Whether a cell was found to be blank that was read before: what was said of those reads does not say that it must be initialised. The
    /// partition is a new one then, and the run has to be read again.
    pub(super) fn told_too_little(&mut self) -> bool {
        let late = std::mem::take(&mut self.late);
        self.partition += u32::from(late);
        late
    }

    /// What says whether a cell is initialised; `None` if it never was blank.
    pub(super) fn defined(&self, cell: Piece) -> Option<SlotId> {
        self.cells[&cell.space][&cell.at].defined
    }

    /// The same, from now on also for this cell.
    pub(super) fn watch(&mut self, terms: &mut Terms, cell: Piece, name: impl FnOnce(u64) -> Option<String>) -> SlotId {
        if let Some(slot) = self.defined(cell) {
            return slot;
        }
        let name = format!("initialised({})", self.name(cell, name));
        // Whatever was never blank is initialised.
        let slot = self.slot(terms, &name, 1, 1);
        let known = self.cell(cell);
        known.defined = Some(slot);
        self.late |= known.read;
        slot
    }

    fn cell(&mut self, cell: Piece) -> &mut Cell {
        self.cells.get_mut(&cell.space).and_then(|cells| cells.get_mut(&cell.at)).expect("a cell of the partition")
    }

    /// A part of the state that is not memory: what it is, and which.
    pub(super) fn other(&mut self, terms: &mut Terms, what: &'static str, which: u64, bits: u32) -> SlotId {
        if let Some(&slot) = self.others.get(&(what, which)) {
            return slot;
        }
        let slot = self.slot(terms, &format!("{what} {which:#x}@"), bits, 0);
        self.others.insert((what, which), slot);
        slot
    }

    /// The slot of a variable.
    pub(super) fn of(&self, var: VarId) -> Option<SlotId> {
        self.of_var.get(&var).copied()
    }

    pub(super) fn get(&self, slot: SlotId) -> Slot {
        self.slots[slot]
    }

    fn slot(&mut self, terms: &mut Terms, name: &str, bits: u32, start: u64) -> SlotId {
        let mut unique = name.to_owned();
        let mut count = 1;
        while terms.find_var(&unique).is_some() {
            count += 1;
            unique = format!("{name}~{count}");
        }
        let term = terms.var(&unique, Sort::BitVec(bits));
        let Op::Var(var) = terms.op(term) else { unreachable!("a variable is one") };
        self.slots.push(Slot { var, term, start });
        self.of_var.insert(var, self.slots.len() - 1);
        self.slots.len() - 1
    }

    /// `s@f`: the local s of f; `g@`: a global.
    fn name(&self, cell: Piece, name: impl FnOnce(u64) -> Option<String>) -> String {
        if cell.space == 0 {
            return format!("{}@", name(cell.at).unwrap_or_else(|| format!("*{:#x}", cell.at)));
        }
        let local = self.locals.get(&cell.space).and_then(|locals| locals.range(..=cell.at).next_back());
        match local.filter(|(at, local)| cell.at < **at + local.bytes) {
            Some((_, local)) if local.bytes == cell.bytes => format!("{}@{}", local.name, local.function),
            Some((at, local)) if (cell.at - at).is_multiple_of(cell.bytes) => {
                format!("{}[{}]@{}", local.name, (cell.at - at) / cell.bytes, local.function)
            }
            Some((at, local)) => format!("{}+{}@{}", local.name, cell.at - at, local.function),
            None => format!("*{:#x}@", cell.at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(at: u64, bytes: u64) -> Piece {
        Piece { space: 0, at, bytes }
    }

    #[test]
    fn accesses_cut_memory_and_only_torn_cells_make_a_new_partition() {
        let (mut places, mut terms) = (Places::default(), Terms::new());
        places.cut(piece(8, 4));
        places.cut(piece(4, 12));
        assert_eq!(places.pieces(piece(4, 12)), [piece(4, 4), piece(8, 4), piece(12, 4)]);
        assert_eq!(places.partition, 0);
        let whole = places.content(&mut terms, piece(8, 4), |_| Some("x".to_owned()));
        assert_eq!(terms.info(places.get(whole).var).name, "x@");
        places.begin();
        places.cut(piece(4, 4));
        places.cut(piece(10, 1));
        places.cut(piece(9, 1));
        assert_eq!(places.pieces(piece(8, 4)), [piece(8, 1), piece(9, 1), piece(10, 1), piece(11, 1)]);
        assert_eq!(places.partition, 1, "one for the run");
        let part = places.content(&mut terms, piece(8, 1), |_| Some("x".to_owned()));
        assert_eq!(terms.info(places.get(part).var).name, "x@~2", "another variable");
    }

    #[test]
    fn a_copy_is_cut_as_its_original() {
        let mut places = Places::default();
        places.cut(piece(16, 8));
        places.cut(piece(16, 4));
        places.cut(piece(32, 8));
        places.cut_alike(piece(32, 8), piece(16, 8));
        assert_eq!(places.pieces(piece(32, 8)), [piece(32, 4), piece(36, 4)]);
    }
}
