//! Algebraic data types.

use xcute_term::{CtorId, DataSortId, Op, Sort, Terms};
use z3_sys as z3;

use super::Translation;
use crate::ffi::{self, Ast, Context, Ctor, DataSpec};

/// A data type that Z3 knows.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) sort: ffi::Sort,
    pub(crate) ctors: Vec<Ctor>,
}

/// The data types declared so far.
#[derive(Default)]
pub(crate) struct DataTypes {
    declared: Vec<Option<Declared>>,
    /// Whether one of them has a string as a field.
    pub(super) strings: bool,
}

impl DataTypes {
    /// A data type that has been declared.
    pub(crate) fn get(&self, id: DataSortId) -> Option<&Declared> {
        self.declared.get(id.0 as usize)?.as_ref()
    }

    /// Declares a data type together with all that it mentions, unless done.
    pub(crate) fn declare(&mut self, c: &Context, terms: &Terms, id: DataSortId) -> Option<&Declared> {
        if self.get(id).is_none() {
            let group = self.missing(terms, id);
            let specs: Vec<_> = group.iter().map(|&id| self.spec(c, terms, id, &group)).collect::<Option<_>>()?;
            for (&id, (sort, ctors)) in group.iter().zip(c.data_types(&specs)?) {
                let index = id.0 as usize;
                self.declared.resize(self.declared.len().max(index + 1), None);
                self.declared[index] = Some(Declared { sort, ctors });
            }
        }
        self.get(id)
    }

    /// The data types reachable from `id` that are not declared yet.
    fn missing(&self, terms: &Terms, id: DataSortId) -> Vec<DataSortId> {
        let mut group = vec![id];
        let mut next = 0;
        while next < group.len() {
            for field in terms.data(group[next]).ctors.iter().flat_map(|(_, fields)| fields) {
                if let Sort::Data(other) = field.sort
                    && self.get(other).is_none()
                    && !group.contains(&other)
                {
                    group.push(other);
                }
            }
            next += 1;
        }
        group
    }

    fn spec(&mut self, c: &Context, terms: &Terms, id: DataSortId, group: &[DataSortId]) -> Option<DataSpec> {
        let mut ctors = Vec::new();
        for (i, (_, fields)) in terms.data(id).ctors.iter().enumerate() {
            let ctor = format!("d{}c{i}", id.0);
            let mut specs = Vec::new();
            for (j, field) in fields.iter().enumerate() {
                self.strings |= field.sort == Sort::Str;
                let sort = match field.sort {
                    Sort::Data(other) => match group.iter().position(|&g| g == other) {
                        Some(position) => Err(u32::try_from(position).ok()?),
                        None => Ok(self.get(other)?.sort),
                    },
                    Sort::Bool => Ok(c.sort(z3::Z3_mk_bool_sort)?),
                    Sort::BitVec(width) => Ok(c.word_sort(width)?),
                    Sort::Float(format) => Ok(c.float_sort(format)?),
                    Sort::Int => Ok(c.sort(z3::Z3_mk_int_sort)?),
                    Sort::Real => Ok(c.sort(z3::Z3_mk_real_sort)?),
                    Sort::Str => Ok(c.sort(z3::Z3_mk_string_sort)?),
                };
                specs.push((format!("{ctor}f{j}"), sort));
            }
            ctors.push((ctor, specs));
        }
        Some((format!("d{}", id.0), ctors))
    }
}

impl Translation {
    /// `Construct`, `Select` or `IsCtor`.
    pub(super) fn data_operator(&mut self, terms: &Terms, op: Op, args: &[Ast]) -> Option<Ast> {
        let (Op::Construct(id) | Op::Select(id, _) | Op::IsCtor(id)) = op else { return None };
        let declared = self.data.declare(&self.context, terms, id.sort)?;
        let alone = declared.ctors.len() == 1;
        let ctor = declared.ctors[id.index as usize].clone();
        match op {
            Op::Construct(_) => self.context.apply(ctor.make, args),
            Op::IsCtor(_) => self.context.apply(ctor.test, args),
            Op::Select(_, field) => {
                let selected = self.context.apply(ctor.fields[field as usize], args)?;
                if alone {
                    return Some(selected);
                }
                let otherwise = self.default_field(terms, id, field)?;
                self.context.three(z3::Z3_mk_ite, self.context.apply(ctor.test, args)?, selected, otherwise)
            }
            _ => None,
        }
    }

    /// What the selector of another constructor gives.
    fn default_field(&mut self, terms: &Terms, ctor: CtorId, field: u32) -> Option<Ast> {
        let sort = terms.ctor_fields(ctor)[field as usize].sort;
        self.value(terms, &terms.default_value(sort))
    }
}
