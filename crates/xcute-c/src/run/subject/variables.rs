//! The variables of a subject: the runtime's numbers on one side, the arena's on the other.
//!
//! **Invariant.** A variable keeps its number, its name and its domain for ever, over all processes of the subject. Own addresses grow with the
//! numbers, so a pointer's own address is the largest of its domain.

use std::collections::BTreeMap;

use xcute_term::{FamilyId, Interrupt, Op, Sort, TermId, Terms, VarId};

use crate::types::inputs::{TypeTable, Variable, Variables, XC_PTR_FUNCTION, XC_PTR_NONNULL, XC_PTR_STRING, XC_ROOT, XC_TY_POINTER};
use crate::wire::XcVar;

/// All variables that were met so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// As the runtime has them: what a fresh process gets.
    pub(super) wire: Vec<XcVar>,
    /// Their terms, by the runtime's numbers.
    pub(super) terms: Vec<TermId>,
    /// For people and replays.
    pub(super) shared: Variables,
    pub(super) ids: Vec<VarId>,
    names: Vec<String>,
    /// By the arena's numbers: the runtime's number plus one.
    numbers: Vec<u32>,
    /// The own addresses of pointers that may alias: by element type, number of elements and whether it is a string.
    owns: BTreeMap<(u32, u32, bool), FamilyId>,
}

impl Known {
    /// No variable yet; those of other subjects of the program are in `shared`.
    pub(super) fn new(shared: Variables) -> Known {
        Known { shared, ..Known::default() }
    }

    /// The arena's variable for a number of the runtime.
    pub(super) fn id(&self, number: u32) -> Option<VarId> {
        self.ids.get(number as usize).copied()
    }

    /// The runtime's number of a variable of the arena.
    pub(super) fn number(&self, var: VarId) -> Option<u32> {
        self.numbers.get(var.index()).and_then(|n| n.checked_sub(1))
    }

    /// Takes over what the runtime met after the known variables. Other subjects of the program may have met others first: then theirs
    /// come first. Whether the runtime's own numbers are valid; `None` where that was broken off.
    pub(super) fn learn(&mut self, terms: &mut Terms, types: &TypeTable, met: &[XcVar], interrupt: &Interrupt) -> Option<bool> {
        let shared = self.shared.clone();
        let mut all = shared.lock();
        let from = self.wire.len();
        let agreed = all[from..].iter().zip(met).all(|((_, theirs), ours)| theirs.wire().same(ours));
        self.adopt(terms, types, &all);
        if agreed {
            for &var in met.get(self.wire.len() - from..).unwrap_or_default() {
                if interrupt.raised() {
                    return None;
                }
                let Some(name) = self.name(types, &var) else { break };
                let XcVar { parent, nth, of, offset, bits, bit, own, .. } = var;
                let Some(id) = self.add(terms, types, var, &name) else { break };
                let name = terms.info(id).name.clone();
                let number = VarId(u32::try_from(all.len()).expect("max_vars is a u32"));
                all.push((number, Variable { parent, nth, of, offset, bits, bit, own, name }));
            }
        }
        Some(agreed)
    }

    /// Takes over all that other subjects of the program met.
    pub(super) fn catch_up(&mut self, terms: &mut Terms, types: &TypeTable) {
        let shared = self.shared.clone();
        let all = shared.lock();
        self.adopt(terms, types, &all);
    }

    fn adopt(&mut self, terms: &mut Terms, types: &TypeTable, all: &[(VarId, Variable)]) {
        for (_, variable) in &all[self.wire.len()..] {
            let added = self.add(terms, types, variable.wire(), &variable.name);
            debug_assert!(added.is_some(), "what one subject accepted");
        }
    }

    /// Declares a variable. `None` where the runtime cannot have made it.
    fn add(&mut self, terms: &mut Terms, types: &TypeTable, var: XcVar, name: &str) -> Option<VarId> {
        let term = self.declare(terms, name, u32::from(var.bits));
        let Op::Var(id) = terms.op(term) else { return None };
        if types.get(var.of).kind == XC_TY_POINTER {
            self.restrict(terms, types, &var, id)?;
        }
        let number = u32::try_from(self.wire.len()).ok()?;
        if self.numbers.len() <= id.index() {
            self.numbers.resize(id.index() + 1, 0);
        }
        self.numbers[id.index()] = number + 1;
        self.names.push(name.to_owned());
        self.ids.push(id);
        self.terms.push(term);
        self.wire.push(var);
        Some(id)
    }

    /// The name of a variable with a width and a type; `None` where it hangs on nothing.
    fn name(&self, types: &TypeTable, var: &XcVar) -> Option<String> {
        if let Some(key) = var.root() {
            return ((key as usize) < types.inputs.len()).then(|| types.name_of_root(key, var.nth, var.offset, var.bit));
        }
        debug_assert_eq!(var.parent & XC_ROOT, 0);
        let parent = self.wire.get(var.parent as usize).filter(|p| p.own != 0)?;
        Some(types.name_in_object(&self.names[var.parent as usize], parent.of, var.offset, var.bit))
    }

    /// The variable with this name, or with a number after it where the name is another variable's.
    fn declare(&self, terms: &mut Terms, name: &str, bits: u32) -> TermId {
        let sort = Sort::BitVec(bits);
        let mut unique = name.to_owned();
        let mut count = 1;
        while terms.find_var(&unique).is_some_and(|id| self.number(id).is_some() || terms.info(id).sort != sort) {
            count += 1;
            unique = format!("{name}~{count}");
        }
        terms.var(&unique, sort)
    }

    /// A pointer is NULL, or one of the candidates it may be equal to, or its own object. `None` where the runtime cannot have given it that one.
    fn restrict(&mut self, terms: &mut Terms, types: &TypeTable, var: &XcVar, id: VarId) -> Option<()> {
        let description = types.get(var.of);
        let null = description.flags & XC_PTR_NONNULL == 0 || var.own == 0;
        if description.flags & XC_PTR_FUNCTION != 0 {
            let functions = types.fields_of(description.elem).map(|(field, _)| field.offset);
            terms.set_domain(id, null.then_some(0).into_iter().chain(functions).collect());
        } else if var.own != 0 {
            let alike = (description.elem, description.count, description.flags & XC_PTR_STRING != 0);
            let family = *self.owns.entry(alike).or_insert_with(|| terms.new_family());
            return terms.join_family(id, family, var.own, null);
        } else {
            terms.set_domain(id, vec![0]);
        }
        Some(())
    }
}
