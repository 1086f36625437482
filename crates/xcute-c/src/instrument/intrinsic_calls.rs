//! Calls of intrinsics: what the walker does for each row of the table.

use super::flow;
use super::intrinsics::{Model, model};
use super::llvm::Value;
use super::ops;
use super::walk::Walker;

/// Instruments the call of an intrinsic.
pub(super) fn walk(walker: &mut Walker<'_>, i: Value, name: &str) {
    let arguments = i.arguments();
    let emit = walker.emit;
    match model(name).unwrap_or(Model::Unsupported) {
        Model::Nothing => {}
        Model::Same => walker.set_all(i, walker.all(arguments[0])),
        Model::Nodes(kind, count) => nodes(walker, i, kind, &arguments[..count]),
        Model::Overflow(op, kind) => overflow(walker, i, op, kind),
        Model::Math(op) => {
            if walker.any_symbolic(&arguments) {
                walker.math_node(i, op);
            }
        }
        Model::Binary(op) => {
            emit.after(i);
            let handle = walker.binary_node(op, arguments[0], arguments[1], i);
            walker.set(i, handle);
        }
        Model::MulAdd => mul_add(walker, i),
        Model::Copy => walker.copy(i),
        Model::Fill => walker.fill(i),
        Model::Begin => {
            emit.after(i);
            let at = emit.word(arguments[1]);
            if let Some(size) = arguments[0].constant().filter(|&n| n != u64::MAX) {
                emit.hook("xch_begin", &[at, emit.long(size)]);
            }
        }
        Model::Unwind => {
            emit.after(i);
            let sp = emit.word(arguments[0]);
            emit.hook("xch_unwind", &[sp]);
        }
        Model::VaStart => {
            if let Some(buffer) = walker.variadic {
                emit.after(i);
                let list = emit.word(arguments[0]);
                emit.hook("xch_va_start", &[list, buffer]);
            }
        }
        Model::VaCopy => {
            emit.after(i);
            let (to, from) = (emit.word(arguments[0]), emit.word(arguments[1]));
            emit.hook("xch_move", &[to, from, emit.long(24)]);
        }
        Model::Foreign => walker.foreign(i, name.trim_start_matches("llvm.").split('.').next().unwrap_or(name), &arguments),
        Model::Unsupported => walker.lost(i, name),
    }
}

/// A call that the runtime writes with several nodes.
pub(super) fn nodes(walker: &mut Walker<'_>, i: Value, kind: u32, arguments: &[Value]) {
    if !walker.any_symbolic(arguments) {
        return;
    }
    let Some(width) = arguments[0].ty().width().filter(|&w| w <= 64) else { return walker.lost(i, &i.callee().name()) };
    let emit = walker.emit;
    emit.after(i);
    let mut handles = [emit.zero(); 3];
    let mut values = [emit.long(0); 3];
    for (n, &argument) in arguments.iter().enumerate() {
        handles[n] = walker.one(argument);
        values[n] = emit.word(argument);
    }
    if kind == 23 {
        values[1] = emit.word(i.operand(1)); // is.fpclass: the mask
    }
    let r = emit.word(i);
    let [ha, hb, hc] = handles;
    let [a, b, c] = values;
    let handle = emit.hook("xch_intrinsic", &[walker.code(kind, width), ha, hb, hc, a, b, c, r]);
    walker.set(i, handle);
}

fn overflow(walker: &mut Walker<'_>, i: Value, op: u32, kind: u32) {
    let arguments = i.arguments();
    if !walker.any_symbolic(&arguments) {
        return;
    }
    let Some(width) = arguments[0].ty().width().filter(|&w| w <= 64) else { return walker.lost(i, &i.callee().name()) };
    let emit = walker.emit;
    emit.after(i);
    let (result, flag) = (emit.part(i, 0), emit.part(i, 1));
    let handle = walker.binary_node(op, arguments[0], arguments[1], result);
    let [ha, hb] = [arguments[0], arguments[1]].map(|v| walker.one(v));
    let [a, b, r] = [arguments[0], arguments[1], flag].map(|v| emit.word(v));
    let bit = emit.hook("xch_intrinsic", &[walker.code(kind, width), ha, hb, emit.zero(), a, b, emit.long(0), r]);
    walker.set_all(i, vec![handle, bit]);
}

fn mul_add(walker: &mut Walker<'_>, i: Value) {
    let arguments = i.arguments();
    if !walker.any_symbolic(&arguments) {
        return;
    }
    let Some(width) = i.ty().width() else { return walker.lost(i, "fmuladd on long double or vectors") };
    let emit = walker.emit;
    emit.after(i);
    let product = emit.float_product(arguments[0], arguments[1]);
    let handle = walker.binary_node(ops::FMUL, arguments[0], arguments[1], product);
    let hc = walker.one(arguments[2]);
    let [p, c, r] = [product, arguments[2], i].map(|v| emit.word(v));
    let handle = emit.hook("xch_bin", &[walker.code(ops::FADD, width), handle, hc, p, c, r]);
    walker.set(i, handle);
}

impl Walker<'_> {
    /// Copies the shadow of a block before the block itself is copied.
    pub(super) fn copy(&mut self, i: Value) {
        let (to, from, size) = (i.operand(0), i.operand(1), i.operand(2));
        let site = self.sites.get(&i).map_or(u32::MAX, |s| s.0);
        self.emit.before(i);
        let (to, from) = (self.block(to), self.block(from));
        let bytes = self.emit.resize(size, false);
        let words = [&to[..], &from[..], &[bytes, self.one(size), self.emit.int(site)]].concat();
        self.emit.hook("xch_copy", &words);
        self.returned_pointer(i);
    }

    /// The same for memset.
    pub(super) fn fill(&mut self, i: Value) {
        let (to, byte, size) = (i.operand(0), i.operand(1), i.operand(2));
        let site = self.sites.get(&i).map_or(u32::MAX, |s| s.0);
        self.emit.before(i);
        let to = self.block(to);
        let v = self.emit.word(byte);
        let mut hbyte = self.one(byte);
        if byte.ty().width() != Some(8) && !self.emit.is_zero(hbyte) {
            hbyte = self.emit.hook("xch_cast", &[self.emit.int(ops::EXTRACT), self.emit.int(8), hbyte, v]);
        }
        let bytes = self.emit.resize(size, false);
        let words = [&to[..], &[v, hbyte, bytes, self.one(size), self.emit.int(site)]].concat();
        self.emit.hook(if self.program.follow { "xch_follow_fill" } else { "xch_fill" }, &words);
        self.returned_pointer(i);
    }

    /// A pointer, its handle, and the same of what it was computed from.
    pub(super) fn block(&self, pointer: Value) -> [Value; 4] {
        let root = flow::root(pointer);
        [self.emit.word(pointer), self.one(pointer), self.emit.word(root), self.one(root)]
    }

    /// memcpy and memset called as functions return their first argument.
    fn returned_pointer(&mut self, i: Value) {
        if i.ty().is_pointer() && i.callee().name() != "mempcpy" {
            let handle = self.one(i.operand(0));
            self.set(i, handle);
        }
    }
}
