//! Interned sets of variables: which inputs a term depends on, one word per term.

use rustc_hash::FxHashMap;

use crate::terms::VarId;

/// An interned set; 0 is the empty one.
pub(crate) type VarSetId = u32;

/// The table of sets. Unions are remembered, so a chain of n operations over the same inputs costs n look-ups.
#[derive(Debug)]
pub(crate) struct VarSets {
    sets: Vec<Box<[VarId]>>,
    index: FxHashMap<Box<[VarId]>, VarSetId>,
    unions: FxHashMap<(VarSetId, VarSetId), VarSetId>,
}

impl VarSets {
    pub(crate) fn new() -> VarSets {
        let mut index = FxHashMap::default();
        let empty: Box<[VarId]> = Box::new([]);
        index.insert(empty.clone(), 0);
        VarSets { sets: vec![empty], index, unions: FxHashMap::default() }
    }

    pub(crate) fn get(&self, id: VarSetId) -> &[VarId] {
        &self.sets[id as usize]
    }

    pub(crate) fn single(&mut self, var: VarId) -> VarSetId {
        self.intern(Box::new([var]))
    }

    pub(crate) fn union(&mut self, a: VarSetId, b: VarSetId) -> VarSetId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let merged = merge(self.get(a), self.get(b));
        let id = self.intern(merged);
        self.unions.insert(key, id);
        id
    }

    fn intern(&mut self, set: Box<[VarId]>) -> VarSetId {
        if let Some(&id) = self.index.get(&set) {
            return id;
        }
        let id = u32::try_from(self.sets.len()).expect("fewer than 2^32 sets of variables");
        self.sets.push(set.clone());
        self.index.insert(set, id);
        id
    }
}

fn merge(a: &[VarId], b: &[VarId]) -> Box<[VarId]> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        out.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out.into_boxed_slice()
}
