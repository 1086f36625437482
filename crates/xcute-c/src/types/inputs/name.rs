//! Names of inputs, as a C programmer would write them: `p`, `p->next->v`, `a[3]`, `s.f`, `*q`.
//!
//! **Invariant.** Two leaves of one input or object have different names.

use super::{TypeTable, XC_PTR_STRING, XC_TY_ARRAY, XC_TY_INT, XC_TY_OPAQUE, XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION, XcField};

/// How deep aggregates nest in each other.
const DEPTH: usize = 64;

impl TypeTable {
    /// The name of the leaf at `offset` of the input with this key, met for the `nth` time (from 0).
    #[must_use]
    pub fn name_of_root(&self, key: u32, nth: u32, offset: u64, bit: u16) -> String {
        let root = self.roots.get(key as usize).cloned().unwrap_or_default();
        let of = self.inputs.get(key as usize).copied().unwrap_or(u32::MAX);
        let mut name = if root.name.is_empty() { format!("input{key}") } else { root.name };
        if nth > 0 {
            name = format!("{name}#{}", nth + 1);
        }
        let size = self.get(of).size.max(1);
        if root.array || offset >= size {
            name = format!("{name}[{}]", offset / size);
        }
        self.inside(name, of, offset % size, bit)
    }

    /// The name of the leaf at `offset` of the object that the pointer variable named `pointer`, of type `of`, owns.
    #[must_use]
    pub fn name_in_object(&self, pointer: &str, of: u32, offset: u64, bit: u16) -> String {
        let description = self.get(of);
        let elem = self.get(description.elem);
        let size = elem.size.max(1);
        let prefix = if pointer.starts_with('*') { format!("({pointer})") } else { pointer.to_owned() };
        // Bytes behind a `void *` and strings are indexed; one object behind a pointer is reached by an arrow or a star.
        if elem.kind == XC_TY_OPAQUE {
            return format!("{prefix}[{offset}]");
        }
        if description.count > 1 || description.flags & XC_PTR_STRING != 0 {
            return self.inside(format!("{prefix}[{}]", offset / size), description.elem, offset % size, bit);
        }
        match elem.kind {
            XC_TY_STRUCT | XC_TY_UNION => {
                let path = self.inside(String::new(), description.elem, offset, bit);
                // A path starts with a dot, or with an index if the first member has no name.
                path.strip_prefix('.').map_or_else(|| format!("(*{pointer}){path}"), |rest| format!("{prefix}->{rest}"))
            }
            XC_TY_ARRAY => self.inside(format!("(*{pointer})"), description.elem, offset, bit),
            _ => self.inside(format!("*{pointer}"), description.elem, offset, bit),
        }
    }

    /// Appends the path to the leaf at `offset` inside a value of type `of`.
    fn inside(&self, mut name: String, of: u32, offset: u64, bit: u16) -> String {
        let (mut of, mut offset) = (of, offset);
        for _ in 0..DEPTH {
            let description = self.get(of);
            match description.kind {
                XC_TY_STRUCT | XC_TY_UNION => {
                    let Some((field, label)) = self.fields_of(of).find(|(f, _)| self.holds(f, offset, bit)) else { break };
                    if let Some(label) = label {
                        name = format!("{name}.{label}");
                    }
                    if field.bits > 0 {
                        return name;
                    }
                    (of, offset) = (field.of, offset - field.offset);
                }
                XC_TY_ARRAY => {
                    let size = self.get(description.elem).size.max(1);
                    name = format!("{name}[{}]", offset / size);
                    (of, offset) = (description.elem, offset % size);
                }
                XC_TY_OPAQUE => return format!("{name}[{offset}]"),
                _ => break,
            }
        }
        if offset == 0 { name } else { format!("{name}+{offset}") }
    }

    /// The type of the leaf at `offset` inside a value of type `of` (or one of several such values in a row).
    #[must_use]
    pub fn leaf_at(&self, of: u32, offset: u64, bit: u16) -> Option<u32> {
        let (mut of, mut offset) = (of, offset % self.get(of).size.max(1));
        for _ in 0..DEPTH {
            let description = self.get(of);
            match description.kind {
                XC_TY_STRUCT | XC_TY_UNION => {
                    let (field, _) = self.fields_of(of).find(|(f, _)| self.holds(f, offset, bit))?;
                    if field.bits > 0 {
                        return Some(field.of);
                    }
                    (of, offset) = (field.of, offset - field.offset);
                }
                XC_TY_ARRAY => (of, offset) = (description.elem, offset % self.get(description.elem).size.max(1)),
                0 => return None,
                _ => return Some(of),
            }
        }
        None
    }

    /// Whether a field holds the leaf at this place.
    fn holds(&self, field: &XcField, offset: u64, bit: u16) -> bool {
        let at = |f: &XcField| f.offset <= offset && offset - f.offset < self.get(f.of).size;
        if field.bits > 0 { field.offset == offset && field.bit == bit } else { at(field) }
    }

    /// Whether a pointer type's fresh object is written as a string.
    #[must_use]
    pub fn is_string(&self, of: u32) -> bool {
        let description = self.get(of);
        description.kind == XC_TY_POINTER && description.flags & XC_PTR_STRING != 0 && self.get(description.elem).kind == XC_TY_INT
    }
}
