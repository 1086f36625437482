//! Boxes of primitive values: `Integer.valueOf(x)` is a reference that carries what `x` depends on.
//!
//! Small values share boxes, so what depends on an input cannot hang on the object; it hangs on the reference. Two references to boxes are the same if
//! one call made both, or if both hold the same small value (JLS 5.1.7).

use xcute_classfile::Kind;
use xcute_classfile::opcode::*;
use xcute_term::{FloatFormat, Op};

use super::super::heap::{Origin, Slot};
use super::super::nodes::{Expr, Node, Order};
use super::super::refs::Leaf;
use super::super::value::Value;
use super::super::{Replay, Stop};

/// The slot of the value in a box.
const VALUE: Slot = Slot::Field((1 << 31) - 1);

impl Replay<'_> {
    /// `valueOf`.
    pub(super) fn boxed(&mut self, _kind: Kind, value: Value, result: Value) -> Value {
        if value.node == 0 {
            let id = self.s.heap.cell_id(result.as_object(), VALUE);
            self.s.heap.set(id, value);
            return result;
        }
        let serial = u32::try_from(self.events.position()).unwrap_or(u32::MAX);
        Value { bits: result.bits, node: self.s.nodes.boxed(value.node, serial) }
    }

    /// The value in a box that is not null.
    pub(super) fn box_value(&mut self, kind: Kind, reference: Value) -> Result<Value, Stop> {
        let object = reference.as_object();
        if reference.node != 0 {
            match self.leaf(reference.node)?.0 {
                // Only the node matters to those who ask.
                Leaf::Box(node) => return Ok(Value { bits: 0, node }),
                Leaf::Variable(variable) => self.resolve(variable, object),
                Leaf::Fixed => {}
            }
        }
        if let Origin::Input(owner, _) = self.s.heap.get(object).origin {
            let number = self.boxed_variable(owner, kind);
            let word = self.read(number);
            return Ok(Value { bits: self.bits_of(kind, word), node: self.node_of(number) });
        }
        let id = self.s.heap.cell_id(object, VALUE);
        match self.s.heap.cell(id) {
            Some(cell) => Ok(Value::concrete(cell.bits)),
            None => Err(self.needs_texts("a box of which nobody knows what it holds")),
        }
    }

    /// What an event says a box holds.
    pub(in super::super) fn knows_box(&mut self, object: u32, bits: u64) {
        let id = self.s.heap.cell_id(object, VALUE);
        self.s.heap.set(id, Value::concrete(bits));
    }

    /// `intValue` and its like.
    pub(super) fn unboxed(&mut self, from: Kind, to: Kind, reference: Value, result: Value) -> Result<Value, Stop> {
        if !self.may_be_symbolic(reference) {
            return Ok(result);
        }
        let value = self.box_value(from, reference)?;
        Ok(Value { bits: result.bits, node: self.as_kind(from, to, value).node })
    }

    /// Whether a box can hold what an input decides.
    fn may_be_symbolic(&self, reference: Value) -> bool {
        reference.node != 0 || matches!(self.s.heap.get(reference.as_object()).origin, Origin::Input(..))
    }

    /// A number of one kind as one of another.
    fn as_kind(&mut self, from: Kind, to: Kind, value: Value) -> Value {
        let nodes = &mut self.s.nodes;
        let small = |kind: Kind| !matches!(kind, Kind::Long | Kind::Float | Kind::Double);
        let as_int = |nodes: &mut super::super::nodes::Nodes, value: Value| match from {
            Kind::Long => nodes.convert(L2I, value),
            Kind::Float => nodes.convert(F2I, value),
            Kind::Double => nodes.convert(D2I, value),
            _ => value,
        };
        match (from, to) {
            (from, to) if from == to => value,
            (from, Kind::Long) if small(from) => nodes.convert(I2L, value),
            (from, Kind::Float) if small(from) => nodes.convert(I2F, value),
            (from, Kind::Double) if small(from) => nodes.convert(I2D, value),
            (Kind::Long, Kind::Float) => nodes.convert(L2F, value),
            (Kind::Long, Kind::Double) => nodes.convert(L2D, value),
            (Kind::Float, Kind::Double) => nodes.convert(F2D, value),
            (Kind::Double, Kind::Float) => nodes.convert(D2F, value),
            (Kind::Float, Kind::Long) => nodes.convert(F2L, value),
            (Kind::Double, Kind::Long) => nodes.convert(D2L, value),
            (_, Kind::Byte) => {
                let int = as_int(nodes, value);
                nodes.convert(I2B, int)
            }
            (_, Kind::Short) => {
                let int = as_int(nodes, value);
                nodes.convert(I2S, int)
            }
            _ => as_int(nodes, value),
        }
    }

    /// `equals` of a box.
    pub(super) fn box_equals(&mut self, kind: Kind, a: Value, b: Value, result: Value) -> Result<Value, Stop> {
        let null = self.settle_reference(b)?;
        if null || !(self.may_be_symbolic(a) || self.may_be_symbolic(b)) {
            return Ok(result);
        }
        let (first, second) = (self.s.heap.get(a.as_object()).class, self.s.heap.get(b.as_object()).class);
        if first != second {
            return Ok(result);
        }
        let (x, y) = (self.box_value(kind, a)?, self.box_value(kind, b)?);
        if x.node == 0 && y.node == 0 {
            return Ok(result);
        }
        let width = if kind.places() == 2 { 64 } else { 32 };
        let (x, y) = (self.canonical(kind, x, width), self.canonical(kind, y, width));
        let same = self.s.nodes.op2(Op::Eq, x, y);
        Ok(Value { bits: result.bits, node: self.s.nodes.as_int(same) })
    }

    /// The bits by which a value is compared and hashed: all NaNs are one.
    fn canonical(&mut self, kind: Kind, value: Value, width: u32) -> Node {
        let node = self.s.nodes.of(value, width);
        let format = match kind {
            Kind::Float => FloatFormat::SINGLE,
            Kind::Double => FloatFormat::DOUBLE,
            _ => return node,
        };
        let float = self.s.nodes.op1(Op::FpFromBits(format), node);
        let is = self.s.nodes.op1(Op::FpIsNan, float);
        let nan = self.s.nodes.constant(width, format.nan());
        self.s.nodes.ite(is, nan, node)
    }

    /// `hashCode` of a box.
    pub(super) fn box_hash(&mut self, kind: Kind, reference: Value, result: Value) -> Result<Value, Stop> {
        if !self.may_be_symbolic(reference) {
            return Ok(result);
        }
        let value = self.box_value(kind, reference)?;
        Ok(self.hash_value(kind, value, result))
    }

    /// `Integer.hashCode(x)` and its like.
    pub(super) fn hash_value(&mut self, kind: Kind, value: Value, result: Value) -> Value {
        if value.node == 0 {
            return result;
        }
        let node = match kind {
            Kind::Boolean => {
                let holds = self.s.nodes.against_zero(IFNE, value.node);
                let (yes, no) = (self.s.nodes.constant(32, 1231), self.s.nodes.constant(32, 1237));
                self.s.nodes.ite(holds, yes, no)
            }
            Kind::Float => self.canonical(kind, value, 32),
            Kind::Long | Kind::Double => {
                let bits = self.canonical(kind, value, 64);
                let shift = self.s.nodes.constant(64, 32);
                let high = self.s.nodes.op2(Op::BvLshr, bits, shift);
                let mixed = self.s.nodes.op2(Op::BvXor, bits, high);
                self.s.nodes.op1(Op::Extract(31, 0), mixed)
            }
            _ => value.node,
        };
        Value { bits: result.bits, node }
    }

    /// `compareTo` of a box.
    pub(super) fn box_compare(&mut self, kind: Kind, a: Value, b: Value, result: Value) -> Result<Value, Stop> {
        let null = self.settle_reference(b)?;
        if null || !(self.may_be_symbolic(a) || self.may_be_symbolic(b)) {
            return Ok(result);
        }
        let (x, y) = (self.box_value(kind, a)?, self.box_value(kind, b)?);
        Ok(self.compare_values(kind, x, y, result))
    }

    /// `Integer.compare(x, y)` and its like.
    pub(super) fn compare_values(&mut self, kind: Kind, a: Value, b: Value, result: Value) -> Value {
        if a.node == 0 && b.node == 0 {
            return result;
        }
        let width = if kind.places() == 2 { 64 } else { 32 };
        let (x, y) = (self.s.nodes.of(a, width), self.s.nodes.of(b, width));
        let node = match kind {
            Kind::Byte | Kind::Char | Kind::Short => self.s.nodes.op2(Op::BvSub, x, y),
            Kind::Float | Kind::Double => {
                let format = if kind == Kind::Float { FloatFormat::SINGLE } else { FloatFormat::DOUBLE };
                let (p, q) = (self.s.nodes.op1(Op::FpFromBits(format), x), self.s.nodes.op1(Op::FpFromBits(format), y));
                let (less, more) = (self.s.nodes.op2(Op::FpLt, p, q), self.s.nodes.op2(Op::FpLt, q, p));
                let (x, y) = (self.canonical(kind, a, width), self.canonical(kind, b, width));
                let rest = self.s.nodes.compare(Order::Signed, x, y);
                let (minus, one) = (self.s.nodes.constant(32, 0xffff_ffff), self.s.nodes.constant(32, 1));
                let inner = self.s.nodes.ite(more, one, rest);
                self.s.nodes.ite(less, minus, inner)
            }
            _ => self.s.nodes.compare(Order::Signed, x, y),
        };
        Value { bits: result.bits, node }
    }

    /// The condition under which two references, one of them to a box that depends on inputs, are the same; `None` where they are not of that kind.
    pub(in super::super) fn same_box(&mut self, a: Value, b: Value) -> Result<Option<Node>, Stop> {
        let carried = |replay: &Self, value: Value| match replay.s.nodes.get(value.node) {
            Expr::Boxed(node, serial) if value.node != 0 => Some((node, serial)),
            _ => None,
        };
        let (first, second) = (carried(self, a), carried(self, b));
        if first.is_none() && second.is_none() {
            return Ok(None);
        }
        let class = self.s.heap.get(if first.is_some() { a.as_object() } else { b.as_object() }).class;
        let name = self.s.classes.name(class);
        let kind = crate::inputs::candidate::BOXES.iter().find(|known| known.0 == name).map(|known| known.1);
        let others = [a, b].map(|value| self.s.heap.get(value.as_object()).class);
        let (Some(kind), true) = (kind, others[0] == others[1] && a.bits != 0 && b.bits != 0) else {
            return Ok(Some(self.s.nodes.truth(false)));
        };
        if let (Some(x), Some(y)) = (first, second)
            && x.1 == y.1
        {
            return Ok(Some(self.s.nodes.truth(true)));
        }
        let (x, y) = (self.box_value(kind, a)?, self.box_value(kind, b)?);
        let width = if kind.places() == 2 { 64 } else { 32 };
        let (x, y) = (self.s.nodes.of(x, width), self.s.nodes.of(y, width));
        let equal = self.s.nodes.op2(Op::Eq, x, y);
        let shared = match kind {
            Kind::Boolean | Kind::Byte => self.s.nodes.truth(true),
            Kind::Float | Kind::Double => self.s.nodes.truth(false),
            _ => {
                let (least, most) = (self.s.nodes.constant(width, (-128i64).cast_unsigned()), self.s.nodes.constant(width, 127));
                let (low, high) = (self.s.nodes.op2(Op::BvSle, least, x), self.s.nodes.op2(Op::BvSle, x, most));
                self.s.nodes.many(Op::And, &[low, high])
            }
        };
        Ok(Some(self.s.nodes.many(Op::And, &[equal, shared])))
    }

    /// The number of an enum constant.
    pub(super) fn ordinal(&mut self, reference: Value, result: Value) -> Result<Value, Stop> {
        if reference.node == 0 {
            return Ok(result);
        }
        let (Leaf::Variable(variable), node) = self.leaf(reference.node)? else { return Ok(result) };
        let choices = self.choices(variable).to_vec();
        let mut ordinals = Vec::new();
        for choice in &choices {
            let found = self.known.shared.lock().constant_at(choice.address).map(|(_, ordinal)| ordinal);
            match found {
                Some(ordinal) => ordinals.push((choice.address, ordinal)),
                None => {
                    self.resolve(variable, reference.as_object());
                    return Ok(result);
                }
            }
        }
        let Some((_, last)) = ordinals.pop() else { return Ok(result) };
        let mut term = self.s.nodes.constant(32, u64::from(last));
        for (address, ordinal) in ordinals.into_iter().rev() {
            let is = self.s.nodes.equals(node, 32, u64::from(address));
            let number = self.s.nodes.constant(32, u64::from(ordinal));
            term = self.s.nodes.ite(is, number, term);
        }
        Ok(Value { bits: result.bits, node: term })
    }
}
