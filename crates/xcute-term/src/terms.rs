//! The arena of terms.
//!
//! **Invariant.** A `TermId` is smaller than the id of every term built from it, so a pass over ids in order is a
//! bottom-up pass. Nodes are never removed or changed.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::data::DataSort;
use crate::domain::{Domain, Families};
use crate::ids::{CtorId, DataSortId, TermId, VarId};
use crate::op::Op;
use crate::profile;
use crate::sort::Sort;
use crate::value::Value;
use crate::varset::{VarSetId, VarSets, Vars};

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// Its name, unique in the arena: for people, and to find it again.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// If present, the only values it may take (a bit-vector's words): how an input pointer is restricted to NULL,
    /// its own object, and the objects it may alias. See [`Terms::domain`].
    domain: Option<Domain>,
}

impl VarInfo {
    /// Whether it has a domain.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.domain.is_some()
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    args: (u32, u32),
    vars: VarSetId,
}

/// The arena.
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    table: HashTable<u32>,
    hasher: FxBuildHasher,
    values: Vec<Value>,
    value_terms: FxHashMap<Value, TermId>,
    vars: Vec<VarInfo>,
    var_terms: Vec<TermId>,
    var_index: FxHashMap<String, VarId>,
    varsets: VarSets,
    pub(crate) families: Families,
    data: Vec<DataSort>,
    yes: TermId,
    no: TermId,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An arena that holds `true` and `false` only.
    #[must_use]
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            hasher: FxBuildHasher,
            values: Vec::new(),
            value_terms: FxHashMap::default(),
            vars: Vec::new(),
            var_terms: Vec::new(),
            var_index: FxHashMap::default(),
            varsets: VarSets::new(),
            families: Families::default(),
            data: Vec::new(),
            yes: TermId(0),
            no: TermId(1),
        };
        terms.yes = terms.value(Value::Bool(true));
        terms.no = terms.value(Value::Bool(false));
        terms
    }

    /// The variable `name`, declared on first use.
    ///
    /// # Panics
    /// Where it was declared with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(&id) = self.var_index.get(name) {
            assert_eq!(self.vars[id.index()].sort, sort, "variable {name} is declared twice, with two sorts");
            return self.var_terms[id.index()];
        }
        let id = VarId(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        self.vars.push(VarInfo { name: name.to_owned(), sort, domain: None });
        self.var_index.insert(name.to_owned(), id);
        let set = self.varsets.single(id);
        let term = self.intern_with(Op::Var(id), sort, &[], set);
        self.var_terms.push(term);
        term
    }

    pub(crate) fn restrict(&mut self, var: VarId, domain: Domain) {
        self.vars[var.index()].domain = Some(domain);
    }

    pub(crate) fn restriction(&self, var: VarId) -> Option<&Domain> {
        self.vars[var.index()].domain.as_ref()
    }

    /// The constant term of a value.
    pub fn value(&mut self, value: Value) -> TermId {
        if let Some(&t) = self.value_terms.get(&value) {
            return t;
        }
        let index = u32::try_from(self.values.len()).expect("fewer than 2^32 values");
        self.values.push(value.clone());
        let term = self.intern_with(Op::Const(index), value.sort(), &[], 0);
        self.value_terms.insert(value, term);
        term
    }

    /// The constant bit-vector of the low `width` bits of `bits`.
    pub fn bv(&mut self, width: u32, bits: u64) -> TermId {
        self.value(Value::bits(width, bits))
    }

    /// `true` or `false`.
    #[must_use]
    pub fn bool(&self, b: bool) -> TermId {
        if b { self.yes } else { self.no }
    }

    /// Declares a data type; fields may have the sort `Sort::Data(id)` of the type itself, `id` being [`Terms::next_data`].
    pub fn declare_data(&mut self, sort: DataSort) -> DataSortId {
        let id = self.next_data();
        self.data.push(sort);
        id
    }

    /// The id that the next [`Terms::declare_data`] will give.
    #[must_use]
    pub fn next_data(&self) -> DataSortId {
        DataSortId(u32::try_from(self.data.len()).expect("few data types"))
    }

    /// A declared data type.
    #[must_use]
    pub fn data(&self, id: DataSortId) -> &DataSort {
        &self.data[id.0 as usize]
    }

    /// The fields of a constructor.
    #[must_use]
    pub fn ctor_fields(&self, ctor: CtorId) -> &[crate::data::Field] {
        &self.data(ctor.sort).ctors[ctor.index as usize].1
    }

    /// The operator of a term.
    #[must_use]
    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t.index()].op
    }

    /// The arguments of a term.
    #[must_use]
    pub fn args(&self, t: TermId) -> &[TermId] {
        let (start, len) = self.nodes[t.index()].args;
        &self.args[start as usize..(start + len) as usize]
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, t: TermId) -> Sort {
        self.nodes[t.index()].sort
    }

    /// The bit width of a bit-vector or float term.
    ///
    /// # Panics
    /// For a term of another sort.
    #[must_use]
    pub fn width(&self, t: TermId) -> u32 {
        self.sort(t).width().expect("a bit-vector or float term")
    }

    /// The variables that occur in a term.
    #[must_use]
    pub fn vars(&self, t: TermId) -> Vars<'_> {
        self.varsets.get(self.nodes[t.index()].vars)
    }

    /// The value of a constant term; `None` for any other.
    #[must_use]
    pub fn as_value(&self, t: TermId) -> Option<&Value> {
        match self.op(t) {
            Op::Const(i) => Some(&self.values[i as usize]),
            _ => None,
        }
    }

    /// The word of a constant Boolean, bit-vector or float of at most 64 bits.
    #[must_use]
    pub fn as_u64(&self, t: TermId) -> Option<u64> {
        self.as_value(t).and_then(Value::as_u64)
    }

    /// What is known of a variable.
    #[must_use]
    pub fn info(&self, var: VarId) -> &VarInfo {
        &self.vars[var.index()]
    }

    /// The term of a variable.
    #[must_use]
    pub fn var_term(&self, var: VarId) -> TermId {
        self.var_terms[var.index()]
    }

    /// The variable with this name.
    #[must_use]
    pub fn find_var(&self, name: &str) -> Option<VarId> {
        self.var_index.get(name).copied()
    }

    /// How many variables there are.
    #[must_use]
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The term at a position of the arena, for passes over all terms: arguments come before what is built from them.
    ///
    /// # Panics
    /// Where there is none.
    #[must_use]
    pub fn nth(&self, index: usize) -> TermId {
        assert!(index < self.nodes.len(), "there are {} terms, none has position {index}", self.nodes.len());
        TermId(u32::try_from(index).expect("fewer than 2^32 terms"))
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena holds nothing; it never does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value a variable of this sort has when nothing assigns it: false, zero, the empty string, the first constructor
    /// that does not mention its own type.
    #[must_use]
    pub fn default_value(&self, sort: Sort) -> Value {
        match sort {
            Sort::Bool | Sort::BitVec(0..=64) => Value::from_word(sort, 0),
            Sort::BitVec(w) => Value::bits(w, 0),
            Sort::Float(format) => Value::Float(format, crate::Bits::new(format.width(), 0)),
            Sort::Int => Value::Int(0.into()),
            Sort::Real => Value::Real(num_rational::BigRational::from_integer(0.into())),
            Sort::Str => Value::Str("".into()),
            Sort::Data(id) => {
                let recursive = |fields: &[crate::data::Field]| fields.iter().any(|f| f.sort == sort);
                let ctors = &self.data(id).ctors;
                let index = ctors.iter().position(|c| !recursive(&c.1)).unwrap_or(0);
                let fields = ctors[index].1.iter().map(|f| self.default_value(f.sort)).collect();
                let ctor = CtorId { sort: id, index: u32::try_from(index).expect("few constructors") };
                Value::Data(std::sync::Arc::new(crate::DataValue { ctor, fields }))
            }
        }
    }

    /// Whether a term is a constant.
    #[must_use]
    pub fn is_const(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::Const(_))
    }

    /// The node with this operator and these arguments, if somebody made it.
    pub(crate) fn find(&self, op: Op, args: &[TermId]) -> Option<TermId> {
        self.find_hashed(self.hash(op, args), op, args)
    }

    /// Finds or makes a node as it is, without rewriting. For [`crate::rewrite`] only: everybody else calls [`Terms::mk`].
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        let hash = self.hash(op, args);
        if let Some(t) = self.find_hashed(hash, op, args) {
            return t;
        }
        let _phase = profile::phase("terms");
        let mut vars = 0;
        for &a in args {
            vars = self.varsets.union(vars, self.nodes[a.index()].vars);
        }
        self.insert(hash, Node { op, sort, args: (0, 0), vars }, args)
    }

    fn intern_with(&mut self, op: Op, sort: Sort, args: &[TermId], vars: VarSetId) -> TermId {
        self.insert(self.hash(op, args), Node { op, sort, args: (0, 0), vars }, args)
    }

    // The sort is not part of the key: operator and arguments determine it.
    fn hash(&self, op: Op, args: &[TermId]) -> u64 {
        self.hasher.hash_one((op, args))
    }

    fn find_hashed(&self, hash: u64, op: Op, args: &[TermId]) -> Option<TermId> {
        let same = |&i: &u32| self.nodes[i as usize].op == op && *self.args(TermId(i)) == *args;
        self.table.find(hash, same).map(|&i| TermId(i))
    }

    fn insert(&mut self, hash: u64, mut node: Node, args: &[TermId]) -> TermId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        let start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        node.args = (start, u32::try_from(args.len()).expect("few arguments"));
        self.args.extend_from_slice(args);
        self.nodes.push(node);
        let (nodes, pool, hasher) = (&self.nodes, &self.args, &self.hasher);
        self.table.insert_unique(hash, id, |&i| {
            let n = &nodes[i as usize];
            hasher.hash_one((n.op, &pool[n.args.0 as usize..(n.args.0 + n.args.1) as usize]))
        });
        TermId(id)
    }
}
