//! The input graph of a case: its inputs, and the objects that their pointers lead to.
//!
//! A model also holds values of variables that this case never meets (they were kept from other runs, the paper's I' = I[I'']). Here
//! only what is reachable from the inputs is left, so that case files and tests show what matters.
//!
//! **Invariant.** Objects are in breadth-first order from the inputs, and so is nothing that no pointer leads to.

use std::collections::{BTreeMap, VecDeque};

use xcute_term::{Model, VarId};

use crate::names::HARNESS;
use crate::types::inputs::{TypeTable, Variable, Variables, XC_PTR_FUNCTION, XC_PTR_NONNULL, XC_ROOT, XC_TY_POINTER};

/// The inputs of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputGraph {
    /// The inputs: arguments in their order, then calls of `xcute_input` by key and turn.
    pub roots: Vec<Root>,
    /// The objects behind pointers.
    pub objects: Vec<Object>,
}

/// An input: an argument of the entry, or one execution of an `xcute_input` call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its key: its place in [`TypeTable::inputs`].
    pub key: u32,
    /// How often the call was executed before.
    pub nth: u32,
    /// Its leaves, by offset.
    pub leaves: Vec<Leaf>,
}

/// An object that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The name of the pointer variable that owns it.
    pub owner: String,
    /// That variable's type.
    pub of: u32,
    /// Its leaves, by offset.
    pub leaves: Vec<Leaf>,
}

/// A leaf: an integer, a float or a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: u32,
    /// Bytes from the start of the input or object.
    pub offset: u64,
    /// Bit-fields: the first bit in the byte at `offset`.
    pub bit: u16,
    /// Its width.
    pub bits: u16,
    /// Its value.
    pub value: LeafValue,
}

/// What a leaf holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeafValue {
    /// The bits of an integer or float, or of a pointer that leads nowhere.
    Word(u64),
    /// NULL.
    Null,
    /// A pointer to [`InputGraph::objects`]`[i]`.
    Object(usize),
    /// A pointer to a function.
    Function(String),
}

impl InputGraph {
    /// The graph of a model over the variables that are known by now.
    #[must_use]
    pub fn of_known(table: &TypeTable, variables: &Variables, model: &Model) -> InputGraph {
        InputGraph::of_model(table, &variables.lock(), model)
    }

    /// The graph of a model.
    #[must_use]
    pub fn of_model(table: &TypeTable, variables: &[(VarId, Variable)], model: &Model) -> InputGraph {
        let mut inside: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        let mut owners: BTreeMap<u64, usize> = BTreeMap::new();
        for (id, (_, variable)) in variables.iter().enumerate() {
            inside.entry((variable.parent, variable.nth)).or_default().push(id);
            if variable.own != 0 {
                owners.insert(variable.own, id);
            }
        }
        let walk = Walk { table, variables, model, inside, owners };
        walk.graph()
    }

    /// How many elements an object has, if another input says so. The objects of call sequences have no lengths of their own.
    #[must_use]
    pub fn elements(&self, table: &TypeTable, object: &Object, sequence: bool) -> Option<u64> {
        if sequence {
            return None;
        }
        let (_, length) = table.lengths.iter().find(|(array, _)| *array == object.owner)?;
        let most = u64::from(table.get(object.of).count);
        let root = self.roots.iter().find(|r| table.roots[r.key as usize].name == *length);
        Some(match root.and_then(|r| r.leaves.first()).map(|leaf| &leaf.value) {
            Some(LeafValue::Word(n)) => most.min(*n),
            _ => 0,
        })
    }

    /// The size of an object.
    #[must_use]
    pub fn bytes_of(&self, table: &TypeTable, object: &Object, sequence: bool) -> u64 {
        let description = table.get(object.of);
        let count = self.elements(table, object, sequence).unwrap_or(u64::from(description.count.max(1)));
        table.get(description.elem).size.saturating_mul(count)
    }

    /// Whether a root is an argument of the entry.
    #[must_use]
    pub fn is_argument(table: &TypeTable, key: u32) -> bool {
        table.roots.get(key as usize).is_some_and(|r| r.function == HARNESS)
    }
}

/// The bytes of an input or object; pointers to objects are zero.
#[must_use]
pub(crate) fn bytes(size: u64, leaves: &[Leaf]) -> Vec<u8> {
    let end = leaves.iter().map(|l| l.offset + u64::from((l.bit + l.bits).div_ceil(8))).max().unwrap_or(0);
    let mut out = vec![0u8; usize::try_from(end.max(size)).unwrap_or(0)];
    for leaf in leaves {
        let LeafValue::Word(word) = leaf.value else { continue };
        let mask = if leaf.bits >= 64 { u64::MAX } else { (1 << leaf.bits) - 1 };
        let placed = (u128::from(word & mask) << leaf.bit).to_le_bytes();
        let at = leaf.offset as usize;
        for (slot, byte) in out[at..].iter_mut().zip(placed) {
            *slot |= byte;
        }
    }
    out
}

struct Walk<'a> {
    table: &'a TypeTable,
    variables: &'a [(VarId, Variable)],
    model: &'a Model,
    /// The variables of each root and object.
    inside: BTreeMap<(u32, u32), Vec<usize>>,
    /// The pointer variable that owns an address.
    owners: BTreeMap<u64, usize>,
}

impl Walk<'_> {
    fn graph(&self) -> InputGraph {
        let mut graph = InputGraph::default();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open: VecDeque<usize> = VecDeque::new();
        for (key, nth) in self.live_roots() {
            let leaves = self.leaves(XC_ROOT | key, nth, &mut numbers, &mut open);
            graph.roots.push(Root { key, nth, leaves });
        }
        while let Some(owner) = open.pop_front() {
            let (_, variable) = &self.variables[owner];
            let leaves = self.leaves(owner as u32, 0, &mut numbers, &mut open);
            graph.objects.push(Object { owner: variable.name.clone(), of: variable.of, leaves });
        }
        graph
    }

    /// Arguments, and for each call all turns up to the last that has a value.
    fn live_roots(&self) -> Vec<(u32, u32)> {
        let mut roots = Vec::new();
        for key in 0..self.table.inputs.len() as u32 {
            let parent = XC_ROOT | key;
            let assigned = |ids: &[usize]| ids.iter().any(|&id| self.model.has(self.variables[id].0));
            let turns = self.inside.range((parent, 0)..=(parent, u32::MAX)).filter(|(_, ids)| assigned(ids)).map(|(&(_, nth), _)| nth + 1);
            // An argument of a call that this case does not come to is none of its inputs.
            let least = u32::from(InputGraph::is_argument(self.table, key) && !self.inside.contains_key(&(parent, 0)));
            roots.extend((0..turns.max().unwrap_or(0).max(least)).map(|nth| (key, nth)));
        }
        roots
    }

    fn leaves(&self, parent: u32, nth: u32, numbers: &mut BTreeMap<usize, usize>, open: &mut VecDeque<usize>) -> Vec<Leaf> {
        let ids = self.inside.get(&(parent, nth)).map_or(&[][..], Vec::as_slice);
        let mut leaves: Vec<Leaf> = ids.iter().map(|&id| self.leaf(id, numbers, open)).collect();
        leaves.sort_by_key(|l| (l.offset, l.bit));
        leaves
    }

    fn leaf(&self, id: usize, numbers: &mut BTreeMap<usize, usize>, open: &mut VecDeque<usize>) -> Leaf {
        let (var, variable) = &self.variables[id];
        let description = self.table.get(variable.of);
        let default = if description.flags & XC_PTR_NONNULL != 0 && description.kind == XC_TY_POINTER { variable.own } else { 0 };
        let word = self.model.word(*var).unwrap_or(default);
        let value = if description.kind != XC_TY_POINTER {
            LeafValue::Word(word)
        } else if word == 0 {
            LeafValue::Null
        } else if description.flags & XC_PTR_FUNCTION != 0 {
            self.table.function_at(word).map_or(LeafValue::Word(word), |f| LeafValue::Function(f.to_owned()))
        } else if let Some(&owner) = self.owners.get(&word) {
            let next = numbers.len();
            LeafValue::Object(*numbers.entry(owner).or_insert_with(|| {
                open.push_back(owner);
                next
            }))
        } else {
            LeafValue::Word(word)
        };
        Leaf { name: variable.name.clone(), of: variable.of, offset: variable.offset, bit: variable.bit, bits: variable.bits, value }
    }
}

#[cfg(test)]
mod tests;
