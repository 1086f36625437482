//! The objects that a run met, and the cells of them that depend on inputs.
//!
//! The JVM has the heap; here is only what it cannot say. Of every object its class, of arrays their length, and of cells the node, where an input
//! decides the value. Elements of arrays that followed code made are known even if no input decides them, since an index that an input
//! decides may lead to any of them.
//!
//! **Invariant.** A cell of an input object that is not here was never written: it is a variable.

use rustc_hash::FxHashMap;

use super::classes::ClassIdx;
use super::held::Held;
use super::nodes::Node;
use super::value::Value;
use crate::inputs::variable::{MADE, own};

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Followed code made it in this run.
    Made,
    /// It is an input: the variable that owns it, and the number of the candidate.
    Input(u32, u32),
    /// It is an enum constant that is an input: its address.
    Constant(u32),
    /// Static fields of the program lead to it, or code that is not followed made it.
    Program,
    /// Static fields of copies of JDK classes lead to it.
    Copies,
}

/// An object of a run.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) class: ClassIdx,
    /// The JVM's number; 0 until it is complete.
    pub(crate) number: u32,
    pub(crate) origin: Origin,
    /// Of an array: its length, and what that depends on.
    pub(crate) length: u32,
    pub(crate) length_node: Node,
    /// All elements are known: cells that are not there are zero.
    pub(crate) known: bool,
    /// What a string or builder holds.
    pub(crate) text: Held,
    /// Code that is not followed has it.
    pub(crate) escaped: bool,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) bits: u64,
    pub(crate) node: Node,
}

/// Names a cell: an object (or what stands for it), and a field or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CellId {
    holder: u32,
    slot: u32,
}

/// Marks holders that are variables: the objects that they own need not exist in a run.
const OWNED: u32 = 1 << 31;
/// The holder of static fields.
const STATIC: u32 = u32::MAX;
const ELEMENT: u32 = 1 << 31;

impl CellId {
    pub(crate) fn of_variable(variable: u32, slot: Slot) -> CellId {
        CellId { holder: variable | OWNED, slot: slot.number() }
    }

    pub(crate) fn of_static(field: u32) -> CellId {
        CellId { holder: STATIC, slot: field }
    }
}

/// A field or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Field(u32),
    Element(u32),
}

impl Slot {
    fn number(self) -> u32 {
        match self {
            Slot::Field(field) => field,
            Slot::Element(index) => index | ELEMENT,
        }
    }
}

/// The heap of a run.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    objects: Vec<Object>,
    by_number: FxHashMap<u32, u32>,
    cells: FxHashMap<CellId, Cell>,
    /// Objects that are not complete yet: made, but their constructors have not returned.
    pending: Vec<u32>,
    /// References that followed code stored, by who holds them.
    edges: FxHashMap<u32, Vec<u32>>,
}

impl Heap {
    /// Forgets everything. Object 0 is null.
    pub(crate) fn begin(&mut self) {
        self.objects.clear();
        let class = ClassIdx(0);
        let (number, origin, length, length_node, known, escaped) = (0, Origin::Program, 0, 0, false, false);
        self.objects.push(Object { class, number, origin, length, length_node, known, text: Held::Unknown, escaped });
        self.by_number.clear();
        self.cells.clear();
        self.pending.clear();
        self.edges.clear();
    }

    pub(crate) fn get(&self, object: u32) -> &Object {
        &self.objects[object as usize]
    }

    pub(crate) fn get_mut(&mut self, object: u32) -> &mut Object {
        &mut self.objects[object as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// A new object; `number` is 0 where its constructor is still to come.
    pub(crate) fn add(&mut self, class: ClassIdx, number: u32, origin: Origin, length: u32) -> u32 {
        let object = u32::try_from(self.objects.len()).expect("a run has fewer than 2^31 objects");
        let known = origin == Origin::Made;
        self.objects.push(Object { class, number, origin, length, length_node: 0, known, text: Held::Unknown, escaped: false });
        if number == 0 {
            self.pending.push(object);
        } else {
            self.by_number.insert(number, object);
        }
        object
    }

    /// The object with a number of the JVM.
    pub(crate) fn find(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    /// An object under construction is complete, or is seen by others before it is.
    pub(crate) fn bind(&mut self, object: u32, number: u32) {
        self.objects[object as usize].number = number;
        self.by_number.insert(number, object);
        self.pending.retain(|&pending| pending != object);
    }

    /// The object of this class that is under construction, the youngest first.
    pub(crate) fn under_construction(&self, class: ClassIdx) -> Option<u32> {
        self.pending.iter().rev().copied().find(|&object| self.get(object).class == class)
    }

    /// The cell of an object.
    pub(crate) fn cell_id(&self, object: u32, slot: Slot) -> CellId {
        match self.get(object).origin {
            Origin::Input(variable, _) => CellId::of_variable(variable, slot),
            _ => CellId { holder: object, slot: slot.number() },
        }
    }

    pub(crate) fn cell(&self, id: CellId) -> Option<Cell> {
        self.cells.get(&id).copied()
    }

    /// Followed code stored a reference.
    pub(crate) fn link(&mut self, from: u32, to: u32) {
        self.edges.entry(from).or_default().push(to);
    }

    /// The objects whose references followed code stored in an object.
    pub(crate) fn linked(&self, from: u32) -> &[u32] {
        self.edges.get(&from).map_or(&[], Vec::as_slice)
    }

    /// What a cell holds from now on.
    pub(crate) fn set(&mut self, id: CellId, value: Value) {
        self.cells.insert(id, Cell { bits: value.bits, node: value.node });
    }

    /// A cell is no longer known.
    pub(crate) fn forget(&mut self, id: CellId) {
        self.cells.remove(&id);
    }

    /// Whether some cell of an object holds what an input decides.
    pub(crate) fn is_symbolic(&self, object: u32, slots: impl Iterator<Item = Slot>) -> bool {
        slots.map(|slot| self.cell_id(object, slot)).any(|id| self.cells.get(&id).is_some_and(|cell| cell.node != 0))
    }

    /// All cells that inputs decide, with the objects that hold them.
    pub(crate) fn symbolic_holders(&self) -> rustc_hash::FxHashSet<u32> {
        let symbolic = self.cells.iter().filter(|(id, cell)| cell.node != 0 && id.holder & OWNED == 0);
        symbolic.map(|(id, _)| id.holder).collect()
    }

    /// The address that stands for an object in terms.
    pub(crate) fn address(&self, object: u32) -> u32 {
        match self.get(object).origin {
            _ if object == 0 => 0,
            Origin::Input(variable, candidate) => own(variable, candidate),
            Origin::Constant(address) => address,
            _ => MADE | object,
        }
    }
}
