//! What a followed run needs to know of pointers: where the functions are that they lead to, and what was said of shapes so far.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::types::inputs::{TypeTable, XC_PTR_FUNCTION, XC_TY_FUNCTION, XcField};

/// Where functions are in the followed program, by where they are in the ordinary one.
#[derive(Debug, Default)]
pub(super) struct Functions(FxHashMap<u64, u64>);

impl Functions {
    /// Finds them by their names; the fields of the type table for the followed program. `None` where it lacks one.
    pub(super) fn find(types: &TypeTable, address: impl Fn(&str) -> Option<u64>) -> Option<(Functions, Vec<XcField>)> {
        let (mut functions, mut fields) = (Functions::default(), types.fields.clone());
        for description in types.types.iter().filter(|of| of.kind == XC_TY_FUNCTION) {
            let (first, n) = (description.first as usize, description.n as usize);
            // In the order of the ordinary program: calls are decided in that order.
            for (field, name) in fields.get_mut(first..first + n)?.iter_mut().zip(types.field_names.get(first..first + n)?) {
                let there = address(name.as_deref()?)?;
                functions.0.insert(field.offset, there);
                field.offset = there;
            }
        }
        Some((functions, fields))
    }

    /// Where the followed program has what an input of this type points to.
    pub(super) fn there(&self, types: &TypeTable, of: u32, value: u64) -> u64 {
        let function = types.get(of).flags & XC_PTR_FUNCTION != 0;
        if function { self.0.get(&value).copied().unwrap_or(value) } else { value }
    }
}

/// What a run said of shapes so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// What is stored now was always there.
    pub(super) making: bool,
    /// The pointer to a function that is stored next.
    pub(super) function: Option<(u32, u32)>,
    /// Inputs of which it was decided to what they point.
    pub(super) decided: FxHashSet<u32>,
}
