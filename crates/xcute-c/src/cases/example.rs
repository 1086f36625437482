//! Inputs for tests: every leaf of a table's inputs gets a value, as the runtime would make them.
//!
//! **Invariant.** Same table, same graph.

use xcute_term::{Model, Sort, Terms, VarId};

use crate::cases::graph::InputGraph;
use crate::types::inputs::{
    TypeTable, Variable, XC_PTR_FUNCTION, XC_PTR_STRING, XC_ROOT, XC_TY_ARRAY, XC_TY_BOOL, XC_TY_FLOAT, XC_TY_INT, XC_TY_OPAQUE,
    XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION,
};

/// A leaf's place: offset, bit, width, type.
type Place = (u64, u16, u16, u32);

fn leaves(table: &TypeTable, of: u32, at: u64, out: &mut Vec<Place>) {
    let description = table.get(of);
    let bits = (description.size * 8) as u16;
    match description.kind {
        XC_TY_INT | XC_TY_POINTER => out.push((at, 0, bits, of)),
        XC_TY_FLOAT if description.size <= 8 => out.push((at, 0, bits, of)),
        XC_TY_BOOL => out.push((at, 0, 1, of)),
        XC_TY_OPAQUE => out.extend((0..description.size).map(|i| (at + i, 0, 8, of))),
        XC_TY_ARRAY => {
            (0..u64::from(description.count)).for_each(|i| leaves(table, description.elem, at + i * table.get(description.elem).size, out))
        }
        XC_TY_STRUCT | XC_TY_UNION => {
            for (field, _) in table.fields_of(of) {
                if field.bits > 0 {
                    out.push((at + field.offset, field.bit, field.bits, field.of));
                } else {
                    leaves(table, field.of, at + field.offset, out);
                }
            }
        }
        _ => {}
    }
}

/// A graph in which pointers of depth below 2 are new, deeper ones lead back to the first object of their type.
pub(crate) fn graph(table: &TypeTable, value: impl Fn(usize, u16) -> u64) -> InputGraph {
    let mut terms = Terms::new();
    let mut variables: Vec<(VarId, Variable)> = Vec::new();
    let mut model = Model::new();
    let mut depths: Vec<usize> = Vec::new();
    for (key, &of) in table.inputs.iter().enumerate() {
        let mut places = Vec::new();
        leaves(table, of, 0, &mut places);
        for (offset, bit, bits, of) in places {
            let name = table.name_of_root(key as u32, 0, offset, bit);
            let own = own(table, of, variables.len());
            add(&mut terms, &mut variables, Variable { parent: XC_ROOT | key as u32, of, offset, bit, bits, own, name, nth: 0 });
            depths.push(0);
        }
    }
    let mut next = 0;
    while next < variables.len() {
        let (var, variable) = variables[next].clone();
        let description = table.get(variable.of);
        let mut word = value(next, variable.bits);
        if description.kind == XC_TY_POINTER {
            let alike = variables.iter().find(|(_, v)| v.of == variable.of && v.own != 0).map_or(0, |(_, v)| v.own);
            let elem = table.get(description.elem);
            word = if description.flags & XC_PTR_FUNCTION != 0 {
                table.fields_of(description.elem).next().map_or(0, |(f, _)| f.offset)
            } else if elem.size == 0 {
                0
            } else if depths[next] >= 2 {
                alike
            } else {
                variable.own
            };
            if word == variable.own && word != 0 {
                let string = u32::from(description.flags & XC_PTR_STRING != 0);
                let mut places = Vec::new();
                (0..description.count - string).for_each(|i| leaves(table, description.elem, u64::from(i) * elem.size, &mut places));
                for (offset, bit, bits, of) in places {
                    let name = table.name_in_object(&variable.name, variable.of, offset, bit);
                    let own = own(table, of, variables.len());
                    add(&mut terms, &mut variables, Variable { parent: next as u32, of, offset, bit, bits, own, name, nth: 0 });
                    depths.push(depths[next] + 1);
                }
            }
        }
        model.set_word(var, word);
        next += 1;
    }
    InputGraph::of_model(table, &variables, &model)
}

fn own(table: &TypeTable, of: u32, id: usize) -> u64 {
    if table.get(of).kind == XC_TY_POINTER { 0x1_0000_0000 + 0x1_0000 * id as u64 } else { 0 }
}

fn add(terms: &mut Terms, variables: &mut Vec<(VarId, Variable)>, variable: Variable) {
    let term = terms.var(&variable.name, Sort::BitVec(u32::from(variable.bits)));
    variables.push((terms.vars(term).first().expect("a variable"), variable));
}
