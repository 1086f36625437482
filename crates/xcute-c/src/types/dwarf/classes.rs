//! Classes of C++: how they are built, what they are derived from, and which records are no more than their members.
//!
//! **Invariant.** A class of the system's headers is not listed: nobody builds those by their constructors.

use super::entries::is_cxx;
use super::interpret::File;
use super::{Parameter, Program, Type, TypeId};
use crate::tools::system::is_system;

/// A class that is defined in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its type.
    pub of: TypeId,
    /// What it is derived from.
    pub bases: Vec<TypeId>,
    /// The constructors that it declares, copying and moving ones excepted.
    pub constructors: Vec<Constructor>,
    /// Whether it declares any constructor.
    pub declares: bool,
    /// Names of virtual functions that it leaves undefined, and of those that it defines.
    pub pure: Vec<String>,
    /// See [`Class::pure`].
    pub defined: Vec<String>,
    /// Whether it has virtual functions itself.
    pub polymorphic: bool,
    /// Whether everybody may destroy it, and whether that is right through a pointer to a base.
    pub destructible: bool,
    /// See [`Class::destructible`].
    pub virtual_destructor: bool,
    /// Whether it is no more than its members, as a structure of C.
    pub plain: bool,
}

/// A constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// Its parameters; names are known where it is defined in the program.
    pub params: Vec<Parameter>,
    /// Whether everybody may call it.
    pub public: bool,
}

impl File<'_> {
    /// The class at an entry, if it is one of the program's own in full.
    pub(super) fn class(&mut self, index: usize) -> Option<Class> {
        let entries = self.entries;
        let entry = &entries[index];
        let unit = self.unit(index).map(|unit| &entries[unit]);
        let source = unit.and_then(|unit| unit.name.as_deref());
        let own = entry.file.as_deref().is_some_and(|file| Some(file) == source || !is_system(file));
        let unit = unit.and_then(|unit| unit.language);
        if entry.declaration || !own || entry.name.is_none() || !unit.is_some_and(is_cxx) {
            return None;
        }
        let of = self.id_of(index);
        let mut class = Class {
            of,
            bases: Vec::new(),
            constructors: Vec::new(),
            declares: false,
            pure: Vec::new(),
            defined: Vec::new(),
            polymorphic: false,
            destructible: true,
            virtual_destructor: false,
            plain: true,
        };
        // The name of a template's instance ends in its arguments, that of its constructors does not.
        let own_name = entry.name.as_deref().and_then(|n| n.split('<').next()).unwrap_or_default();
        for child in self.children[index].clone() {
            let member = &entries[child];
            match member.tag {
                gimli::DW_TAG_inheritance => {
                    class.bases.push(self.id(member.of));
                    class.plain = false;
                }
                gimli::DW_TAG_member if !member.external && !member.declaration => class.plain &= self.is_public(child),
                gimli::DW_TAG_subprogram => self.method(&mut class, child, own_name),
                _ => {}
            }
        }
        Some(class)
    }

    fn method(&mut self, class: &mut Class, index: usize, own_name: &str) {
        let entry = &self.entries[index];
        let Some(name) = entry.name.as_deref() else { return };
        let virtual_ = entry.virtuality != 0;
        class.polymorphic |= virtual_;
        class.plain &= !virtual_;
        if name.strip_prefix('~') == Some(own_name) {
            class.destructible = self.is_public(index) && !entry.deleted;
            class.virtual_destructor = virtual_;
            class.plain &= entry.artificial;
        } else if name.split('<').next() == Some(own_name) {
            if entry.artificial {
                return;
            }
            class.declares = true;
            class.plain = false;
            let params = self.params(self.definitions.get(&index).copied().unwrap_or(index));
            if !entry.deleted && !self.copies(class.of, &params) {
                class.constructors.push(Constructor { params, public: self.is_public(index) });
            }
        } else if virtual_ {
            if entry.virtuality == 2 { &mut class.pure } else { &mut class.defined }.push(name.to_owned());
        }
    }

    /// Whether a constructor with these parameters copies or moves.
    fn copies(&self, of: TypeId, params: &[Parameter]) -> bool {
        let [only] = params else { return false };
        let place = |id: TypeId| self.ids.iter().find(|(_, i)| **i == id).map(|(index, _)| *index);
        let Some(mut at) = place(only.of) else { return false };
        let reference = |tag| matches!(tag, gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type);
        if !reference(self.entries[at].tag) {
            return false;
        }
        while reference(self.entries[at].tag) || self.entries[at].tag == gimli::DW_TAG_const_type {
            let Some(&next) = self.entries[at].of.and_then(|p| self.places.get(&p)) else { return false };
            at = next;
        }
        self.ids.get(&at) == Some(&of)
    }

    /// Whether everybody may use a member; members of a `class` are private if nothing is said.
    pub(super) fn is_public(&self, index: usize) -> bool {
        let declared = self.entries[index].origin.and_then(|p| self.places.get(&p)).copied().unwrap_or(index);
        let entry = &self.entries[declared];
        let private = entry.parent.is_some_and(|p| self.entries[p].tag == gimli::DW_TAG_class_type);
        entry.access.map_or(!private, |access| access == 1)
    }

    /// The class of a method that needs an object.
    pub(super) fn class_of(&mut self, index: usize) -> Option<TypeId> {
        let children = self.children[index]
            .iter()
            .chain(self.entries[index].origin.and_then(|p| self.places.get(&p)).map(|d| &self.children[*d]).into_iter().flatten());
        let needs = children.into_iter().any(|&c| self.entries[c].tag == gimli::DW_TAG_formal_parameter && self.entries[c].artificial);
        let declared = self.entries[index].origin.and_then(|p| self.places.get(&p)).copied().unwrap_or(index);
        let class = self.entries[declared].parent.filter(|_| needs)?;
        let is_class =
            matches!(self.entries[class].tag, gimli::DW_TAG_class_type | gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type);
        is_class.then(|| self.id_of(class))
    }

    /// Whether an entry is of a unit in C++.
    pub(super) fn is_cxx(&self, index: usize) -> bool {
        self.unit(index).and_then(|unit| self.entries[unit].language).is_some_and(is_cxx)
    }

    fn unit(&self, index: usize) -> Option<usize> {
        let mut at = index;
        while let Some(parent) = self.entries[at].parent {
            at = parent;
        }
        Some(at)
    }
}

impl Program {
    /// The class with this type.
    #[must_use]
    pub fn class(&self, of: TypeId) -> Option<&Class> {
        let of = self.strip(of);
        self.classes.iter().find(|c| c.of == of)
    }

    /// Whether values of a type are no more than their bytes, as in C: no class that has constructors, secrets or virtual functions.
    #[must_use]
    pub fn is_plain(&self, of: TypeId) -> bool {
        self.is_plain_at(of, 0)
    }

    fn is_plain_at(&self, of: TypeId, depth: usize) -> bool {
        match self.get(self.strip(of)) {
            _ if !self.cxx || depth > 16 => true,
            Type::Reference { .. } => false,
            Type::Array { of, .. } => self.is_plain_at(*of, depth + 1),
            Type::Record(record) => {
                let named = record.name.as_deref().unwrap_or_default();
                let own = self.class(of).is_none_or(|c| c.plain);
                own && !named.starts_with("std::") && record.members.iter().all(|m| self.is_plain_at(m.of, depth + 1))
            }
            _ => true,
        }
    }

    /// The classes that can stand where one of this type is wanted, itself first: those derived from it, too, if it has virtual functions.
    #[must_use]
    pub fn concrete(&self, of: TypeId) -> Vec<&Class> {
        let Some(wanted) = self.class(of) else { return Vec::new() };
        let derived = self.classes.iter().filter(|c| c.of != wanted.of && self.polymorphic(wanted) && self.is_derived(c, wanted.of, 0));
        std::iter::once(wanted).chain(derived).filter(|c| self.missing(c, 0).is_empty()).collect()
    }

    fn polymorphic(&self, class: &Class) -> bool {
        class.polymorphic || class.bases.iter().filter_map(|&b| self.class(b)).any(|b| b.polymorphic)
    }

    fn is_derived(&self, class: &Class, from: TypeId, depth: usize) -> bool {
        let bases = || class.bases.iter().map(|&b| self.strip(b));
        depth < 16 && bases().any(|b| b == from || self.class(b).is_some_and(|c| self.is_derived(c, from, depth + 1)))
    }

    /// The virtual functions that an object of a class would lack.
    fn missing(&self, class: &Class, depth: usize) -> Vec<String> {
        let bases = class.bases.iter().filter(|_| depth < 16).filter_map(|&b| self.class(b));
        let mut missing: Vec<String> = bases.flat_map(|b| self.missing(b, depth + 1)).collect();
        missing.extend(class.pure.iter().cloned());
        missing.retain(|name| !class.defined.contains(name));
        missing
    }
}
