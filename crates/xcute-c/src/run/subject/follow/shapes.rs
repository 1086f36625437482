//! Inputs that are pointers: the shapes that memory can have (the logical input map of CUTE).
//!
//! An object of an input was always there, and what is in it are inputs: nobody can come to it but through a pointer that has its address. Whether a pointer is
//! NULL is a decision of the trace. Which object it points to is none: a trace only decides what depends on it. Here it is a decision of its own ([`Choice::Shape`]), where memory is
//! accessed through a pointer that has a choice. Pointers to functions have the functions of the program for values; the followed program has them
//! at other addresses. Which variable an input is depends on how often it was asked for, which belongs to the state.
//!
//! **Invariant.** Where an address is demanded to be what it was, the path and the values that its input can have leave no other.

use xcute_term::{Op, TermId, Terms};
use xcute_trace::segments::{Arm, Choice, Decision, Point};

use super::memory::{Loaded, Lost, concat};
use super::mutant::FollowMutant;
use super::places::Piece;
use super::segments::Reading;
use crate::types::inputs::{TypeTable, XC_PTR_FUNCTION, XC_TY_ARRAY, XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION};
use crate::wire::{XcEvent, op};

impl Reading<'_, '_> {
    /// An input is asked for.
    pub(super) fn asked(&mut self, terms: &mut Terms, e: &XcEvent) -> Result<(), Lost> {
        let of = self.source.types.inputs.get(e.site as usize).copied().ok_or("the record is damaged")?;
        if has_pointers(self.source.types, of) {
            self.memory.count(terms, e.site, e.taken.into())?;
        }
        Ok(())
    }

    /// What is in an object of an input is recorded next, or all of it was.
    pub(super) fn made(&mut self, e: &XcEvent) {
        self.shapes.making = e.more == 0;
        if self.shapes.making {
            self.memory.inputs.insert(e.value, e.handle.into());
        }
    }

    /// An input; it is stored next.
    pub(super) fn input(&mut self, e: &XcEvent) -> Result<(), Lost> {
        let variable = self.source.known.wire.get(e.handle as usize).ok_or("the two runs differ")?;
        let function = self.source.types.get(variable.of).flags & XC_PTR_FUNCTION != 0;
        self.shapes.function = function.then_some((e.handle, variable.of));
        Ok(())
    }

    /// What is stored in memory of an input: the input, or the function of the followed program that it stands for. Whether it was always there.
    pub(super) fn stored(&mut self, terms: &mut Terms, piece: Piece, mut term: TermId) -> Result<(TermId, bool), Lost> {
        if let Some((number, of)) = self.shapes.function.take() {
            let var = term;
            term = terms.bv(64, 0);
            for value in self.values(terms, number) {
                let there = self.source.functions.there(self.source.types, of, value);
                let (here, there) = (terms.bv(64, value), terms.bv(64, there));
                let same = terms.mk(Op::Eq, &[var, here]);
                term = terms.mk(Op::Ite, &[same, there, term]);
            }
        }
        if self.shapes.making {
            let inputs = terms.vars(term).iter().all(|var| self.memory.places.of(var).is_none());
            inputs.then_some(()).ok_or("the record is damaged")?;
            self.memory.begin_with(terms, piece, term);
        }
        Ok((term, self.shapes.making))
    }

    /// A load from an object of an input while what is in it is recorded: bit-fields are put together.
    pub(super) fn always(&self, terms: &mut Terms, loaded: &mut Loaded) {
        if self.shapes.making {
            let parts = loaded.slots.iter().map(|&slot| self.memory.initial(terms, slot)).collect();
            loaded.term = concat(terms, parts).unwrap_or(loaded.term);
        }
    }

    /// Decides which object the address of an access is in, where its input has a choice.
    pub(super) fn shape(&mut self, terms: &mut Terms, e: &XcEvent) -> Result<(), Lost> {
        let Some((number, start)) = self.origin(e.handle) else { return Ok(()) };
        let variable = self.source.known.wire.get(number as usize).ok_or("the two runs differ")?;
        let of = self.source.types.get(variable.of);
        // A call decides by itself which function it is; an access through NULL ends the run.
        if of.kind != XC_TY_POINTER || of.flags & XC_PTR_FUNCTION != 0 || start == 0 {
            return Ok(());
        }
        let offset = e.value.wrapping_sub(start);
        let inside = self.memory.inputs.get(&start).is_some_and(|&bytes| offset <= bytes);
        inside.then_some(()).ok_or("an access leaves the object of an input")?;
        let values = self.values(terms, number);
        if values.iter().filter(|&&value| value != 0).count() < 2 || self.source.broken.is(FollowMutant::AliasForgotten) {
            return Ok(());
        }
        if !self.shapes.decided.insert(number) {
            return Ok(());
        }
        if e.site == 0 {
            return Err("a pointer that is an input is used as a number".to_owned());
        }
        let taken = values.iter().position(|&value| value == start).and_then(|taken| u32::try_from(taken).ok());
        let taken = taken.ok_or("an input has a value that it cannot have")?;
        let (address, own) = self.condition(terms, e.handle)?;
        let mut arms = Vec::new();
        for value in values {
            let word = terms.bv(64, value.wrapping_add(offset));
            arms.push(terms.mk(Op::Eq, &[address, word]));
        }
        let mut stack = self.memory.calls.stack();
        stack.push((u32::MAX, number.into()));
        let point = self.points.id(&Point { site: e.site, stack, thread: 0 });
        let segment = self.memory.segment();
        let decision =
            Decision { point, segment, own, choice: Choice::Shape(arms), taken: Arm::Nth(taken), in_trace: false, counted: false };
        self.decided(decision, (false, e.site, taken));
        Ok(())
    }

    /// The input that an address comes from, and its value; `None` where it comes from none.
    fn origin(&self, mut handle: u32) -> Option<(u32, u64)> {
        loop {
            let node = self.source.nodes.get(handle as usize)?;
            match node.op {
                op::VAR => return Some((node.a, node.k)),
                op::LOAD | op::ADD if node.a < handle && node.a != 0 => handle = node.a,
                _ => return None,
            }
        }
    }

    /// The values that an input can have.
    fn values(&self, terms: &Terms, number: u32) -> Vec<u64> {
        let var = self.source.known.id(number);
        var.and_then(|var| terms.domain(var)).map(<[u64]>::to_vec).unwrap_or_default()
    }
}

/// Whether a value of a type has pointers in it.
fn has_pointers(types: &TypeTable, of: u32) -> bool {
    let description = types.get(of);
    match description.kind {
        XC_TY_POINTER => true,
        XC_TY_ARRAY => has_pointers(types, description.elem),
        XC_TY_STRUCT | XC_TY_UNION => types.fields_of(of).any(|(field, _)| has_pointers(types, field.of)),
        _ => false,
    }
}
