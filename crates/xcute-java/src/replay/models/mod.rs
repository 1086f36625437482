//! Methods of the JDK that the replay computes itself.
//!
//! The JVM runs the real method; its result comes with the events. What the result depends on is computed here, by terms that are exact. Decisions that
//! the method makes on the way are made where there is no term for both ways: which characters are digits, how long a string is.
//!
//! **Invariant.** A model says nothing about a method's result that is not so for every input of the path: where it cannot, the call is counted like
//! any other that is not followed.

mod arrays;
mod bits;
mod boxes;
mod builder;
mod cases;
mod chars;
mod exact;
mod list;
mod math;
mod numbers;
mod optional;
mod strings;
mod texts;

use smallvec::SmallVec;
use xcute_classfile::Kind;

use super::held::Held;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::{Call, Insn};
use crate::program::tables::SHAPE;
pub(crate) use chars::Chars;
pub(crate) use list::{Model, find};

/// The arguments of a call, the receiver first.
pub(super) type Arguments = SmallVec<[Value; 6]>;

impl Replay<'_> {
    /// The arguments of the call that the frame on top makes.
    pub(super) fn arguments(&self, call: &Call) -> Arguments {
        let mut places = self.s.frames.last(call.places());
        let receiver = call.has_receiver().then_some(Kind::Reference);
        let kinds = receiver.into_iter().chain(call.parameters.iter().copied());
        kinds
            .map(|kind| {
                let value = places[0];
                places = &places[kind.places()..];
                value
            })
            .collect()
    }

    /// What a method decides before it runs: whether it throws.
    pub(super) fn before(&mut self, model: Model, call: &Call, insn: Insn) -> Result<(), Stop> {
        let site = insn.site + 1;
        let arguments = self.arguments(call);
        if !matches!(model, Model::Harmless | Model::Output | Model::Opaque) {
            self.settle_nulls(call, &arguments)?;
            self.shows_held(call, &arguments);
        }
        match model {
            Model::Exact(of) => self.exact_before(of, &arguments, site),
            Model::Text(of) => self.text_before(of, &arguments, site)?,
            Model::Builder(of) => self.builder_before(of, &arguments, site)?,
            Model::Number(of) => self.number_before(of, &arguments, site)?,
            Model::Copy => self.copy_before(&arguments, site)?,
            _ => {}
        }
        Ok(())
    }

    /// Decides which of the references that a method gets are null: most methods throw then, and nothing is decided afterwards.
    fn settle_nulls(&mut self, call: &Call, arguments: &Arguments) -> Result<(), Stop> {
        let parameters = arguments.iter().skip(usize::from(call.has_receiver()));
        for (_, value) in call.parameters.iter().zip(parameters).filter(|(kind, value)| **kind == Kind::Reference && value.node != 0) {
            if let (Leaf::Variable(_), node) = self.leaf(value.node)? {
                let null = self.s.nodes.equals(node, 32, 0);
                self.branch(SHAPE, null, value.bits == 0);
            }
        }
        Ok(())
    }

    /// What the result of a method depends on.
    pub(super) fn after(&mut self, model: Model, call: &Call, result: Value, prior: Held) -> Result<Value, Stop> {
        let arguments = self.arguments(call);
        match model {
            Model::Harmless => Ok(result),
            Model::Output => Ok(result),
            Model::Opaque => {
                if self.reached(call)? {
                    let what = format!("{}.{}", crate::program::names::readable(&call.class), call.name);
                    self.lose_text(result.as_object(), &what);
                }
                Ok(result)
            }
            Model::Box(kind) => Ok(self.boxed(kind, arguments[0], result)),
            Model::Unbox(from, to) => self.unboxed(from, to, arguments[0], result),
            Model::BoxEquals(kind) => self.box_equals(kind, arguments[0], arguments[1], result),
            Model::BoxHash(kind) => self.box_hash(kind, arguments[0], result),
            Model::BoxCompare(kind) => self.box_compare(kind, arguments[0], arguments[1], result),
            Model::Compare(kind) => Ok(self.compare_values(kind, arguments[0], arguments[1], result)),
            Model::Hash(kind) => Ok(self.hash_value(kind, arguments[0], result)),
            Model::Math(of, kind) => Ok(self.math(of, kind, &arguments, result)),
            Model::Bits(of, kind) => Ok(self.bits(of, kind, arguments[0], result)),
            Model::Exact(of) => Ok(self.exact_after(of, &arguments, result)),
            Model::Text(of) => self.text_after(of, &arguments, result),
            Model::Builder(of) => self.builder_after(of, &arguments, result, prior),
            Model::Number(of) => self.number_after(of, &arguments, result),
            Model::Char(of) => self.char_after(of, &arguments, result),
            Model::Copy => self.copy_after(&arguments).map(|()| result),
            Model::Clone => self.clone_after(arguments[0], result),
            Model::Hold => {
                self.hold(arguments[0], result);
                Ok(result)
            }
            Model::Held => Ok(self.held_by(arguments[0], result)),
            Model::Ordinal => self.ordinal(arguments[0], result),
        }
    }
}
