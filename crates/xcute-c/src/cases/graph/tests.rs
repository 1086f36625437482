//! Graphs of hand-made models: fresh objects, aliases, cycles, dead variables.

use xcute_term::{Sort, Terms};

use super::*;
use crate::types::inputs::{RootName, XC_TY_INT, XC_TY_STRUCT, XcField, XcType};

/// `struct cell { int v; struct cell *next; }`, arguments `p: struct cell *` and `x: int`.
pub(crate) fn cells() -> (Terms, TypeTable, Vec<(VarId, Variable)>) {
    let pointer = XcType { kind: XC_TY_POINTER, elem: 1, size: 8, count: 1, ..XcType::default() };
    let cell = XcType { kind: XC_TY_STRUCT, size: 16, n: 2, ..XcType::default() };
    let int = XcType { kind: XC_TY_INT, size: 4, flags: 1, ..XcType::default() };
    let root = |name: &str, number| RootName { name: name.into(), function: HARNESS.into(), number, ..RootName::default() };
    let table = TypeTable {
        types: vec![pointer, cell, int],
        fields: vec![XcField { offset: 0, of: 2, bit: 0, bits: 0 }, XcField { offset: 8, of: 0, bit: 0, bits: 0 }],
        field_names: vec![Some("v".into()), Some("next".into())],
        inputs: vec![0, 2],
        roots: vec![root("p", 0), root("x", 1)],
        ..TypeTable::default()
    };
    let mut terms = Terms::new();
    let mut variables = Vec::new();
    let mut add = |parent, of, offset, own, name: &str| {
        let bits = if of == 2 { 32 } else { 64 };
        let var = terms.var(name, Sort::BitVec(bits));
        let var = terms.vars(var).first().expect("a variable");
        variables.push((var, Variable { parent, of, offset, bits: bits as u16, own, name: name.into(), ..Variable::default() }));
    };
    add(XC_ROOT, 0, 0, 0x1000, "p");
    add(XC_ROOT | 1, 2, 0, 0, "x");
    add(0, 2, 0, 0, "p->v");
    add(0, 0, 8, 0x2000, "p->next");
    add(3, 2, 0, 0, "p->next->v");
    add(3, 0, 8, 0x3000, "p->next->next");
    (terms, table, variables)
}

fn graph(values: &[u64]) -> InputGraph {
    let (_, table, variables) = cells();
    let mut model = Model::new();
    for (value, (var, _)) in values.iter().zip(&variables) {
        model.set_word(*var, *value);
    }
    InputGraph::of_model(&table, &variables, &model)
}

#[test]
fn a_null_pointer_leads_nowhere() {
    let graph = graph(&[0, 5, 7, 0x2000, 9, 0]);
    assert!(graph.objects.is_empty());
    assert_eq!(graph.roots[0].leaves[0].value, LeafValue::Null);
    assert_eq!(graph.roots[1].leaves[0].value, LeafValue::Word(5));
}

#[test]
fn a_cell_may_point_to_itself() {
    let graph = graph(&[0x1000, 1, 3, 0x1000, 9, 0]);
    assert_eq!(graph.objects.len(), 1);
    assert_eq!(graph.objects[0].owner, "p");
    assert_eq!(graph.objects[0].leaves[0].value, LeafValue::Word(3));
    assert_eq!(graph.objects[0].leaves[1].value, LeafValue::Object(0));
}

#[test]
fn fresh_objects_and_back_edges() {
    let graph = graph(&[0x1000, 1, 3, 0x2000, 9, 0x1000]);
    let owners: Vec<_> = graph.objects.iter().map(|o| o.owner.as_str()).collect();
    assert_eq!(owners, ["p", "p->next"]);
    assert_eq!(graph.objects[1].leaves[1].value, LeafValue::Object(0));
}

#[test]
fn a_wild_address_stays_a_word() {
    assert_eq!(graph(&[0x7777]).roots[0].leaves[0].value, LeafValue::Word(0x7777));
}
