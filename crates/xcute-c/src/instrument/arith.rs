//! Integer and float operators, comparisons and casts: one node each.

use inkwell::llvm_sys::LLVMOpcode;

use super::llvm::Value;
use super::ops;
use super::walk::Walker;

/// The node operators of `icmp`, from predicate 32 on.
const ICMP: [u32; 10] = [ops::EQ, ops::NE, ops::UGT, ops::UGE, ops::ULT, ops::ULE, ops::SGT, ops::SGE, ops::SLT, ops::SLE];
/// The node operators of `fcmp`, by predicate; 0 where the result is constant.
const FCMP: [u32; 16] = [
    0,
    ops::FOEQ,
    ops::FOGT,
    ops::FOGE,
    ops::FOLT,
    ops::FOLE,
    ops::FONE,
    ops::FORD,
    ops::FUNO,
    ops::FUEQ,
    ops::FUGT,
    ops::FUGE,
    ops::FULT,
    ops::FULE,
    ops::FUNE,
    0,
];

impl Walker<'_> {
    /// `op` and the operands' width in one word, as hooks take it.
    pub(super) fn code(&self, op: u32, width: u32) -> Value {
        self.emit.int(op | width << 16)
    }

    /// The node of `op(a, b)`, whose native result is `result`; emitted at the builder's place.
    pub(super) fn binary_node(&self, op: u32, a: Value, b: Value, result: Value) -> Value {
        let (ha, hb) = (self.one(a), self.one(b));
        let Some(width) = a.ty().width() else { return self.emit.zero() };
        if self.emit.is_zero(ha) && self.emit.is_zero(hb) {
            return self.emit.zero();
        }
        let r = self.emit.word(result);
        if width > 64 {
            let ((a, a2), (b, b2)) = (self.emit.words(a), self.emit.words(b));
            return self.emit.hook("xch_wide", &[self.code(op, width), ha, hb, a, a2, b, b2, r]);
        }
        let (a, b) = (self.emit.word(a), self.emit.word(b));
        self.emit.hook("xch_bin", &[self.code(op, width), ha, hb, a, b, r])
    }

    pub(super) fn integer(&mut self, i: Value, op: u32) {
        if i.ty().width().is_none() {
            return self.lost(i, "vector arithmetic");
        }
        let (a, b) = (i.operand(0), i.operand(1));
        if let Some(&site) = self.sites.get(&i) {
            self.emit.before(i);
            let (va, vb) = (self.emit.word(a), self.emit.word(b));
            let code = self.code(op, i.ty().width().unwrap_or(64));
            self.emit.hook("xch_div", &[code, self.one(a), self.one(b), va, vb, self.emit.int(site.0)]);
        }
        self.emit.after(i);
        let handle = self.binary_node(op, a, b, i);
        self.set(i, handle);
    }

    pub(super) fn float(&mut self, i: Value, op: u32) {
        if i.ty().width().is_none() {
            return self.lost(i, "arithmetic on long double, half or vectors");
        }
        self.emit.after(i);
        let handle =
            if op == ops::FNEG { self.unary_node(op, i.operand(0), i) } else { self.binary_node(op, i.operand(0), i.operand(1), i) };
        self.set(i, handle);
    }

    /// The node of `op(a)`, of the same width.
    pub(super) fn unary_node(&self, op: u32, a: Value, result: Value) -> Value {
        let h = self.one(a);
        if self.emit.is_zero(h) {
            return h;
        }
        let r = self.emit.word(result);
        self.emit.hook("xch_un", &[self.code(op, a.ty().width().unwrap_or(64)), h, r])
    }

    pub(super) fn compare(&mut self, i: Value) {
        if i.ty().width().is_none() || i.operand(0).ty().width().is_none() {
            return self.lost(i, "comparison of long doubles, halfs or vectors");
        }
        let predicate = i.predicate() as usize;
        let op = if i.opcode() == LLVMOpcode::LLVMICmp { ICMP[predicate - 32] } else { FCMP[predicate] };
        if op == 0 {
            return;
        }
        self.emit.after(i);
        let handle = self.binary_node(op, i.operand(0), i.operand(1), i);
        self.set(i, handle);
    }

    pub(super) fn cast(&mut self, i: Value) {
        let from = i.operand(0);
        if !self.any_symbolic(&[from]) {
            return;
        }
        if i.opcode() == LLVMOpcode::LLVMFreeze || from.ty() == i.ty() {
            return self.set_all(i, self.all(from));
        }
        let (Some(width), Some(old)) = (i.ty().width(), from.ty().width()) else { return self.cast_vector(i, from) };
        let op = match i.opcode() {
            LLVMOpcode::LLVMFPToUI => ops::FPTOUI,
            LLVMOpcode::LLVMFPToSI => ops::FPTOSI,
            LLVMOpcode::LLVMUIToFP => ops::UITOFP,
            LLVMOpcode::LLVMSIToFP => ops::SITOFP,
            LLVMOpcode::LLVMFPTrunc | LLVMOpcode::LLVMFPExt => ops::FPCAST,
            LLVMOpcode::LLVMSExt => ops::SEXT,
            // trunc, zext, and pointers to integers and back, which change the width or nothing; bitcasts keep the bits.
            _ if width < old => ops::EXTRACT,
            _ if width > old => ops::ZEXT,
            _ => return self.set(i, self.one(from)),
        };
        self.emit.after(i);
        let r = self.emit.word(i);
        let handle = self.emit.hook("xch_cast", &[self.emit.int(op), self.emit.int(width), self.one(from), r]);
        self.set(i, handle);
    }

    /// Bitcasts between a vector and a scalar of at most 64 bits (small structs in registers); others are lost.
    fn cast_vector(&mut self, i: Value, from: Value) {
        let (new, old) = (self.leaves(i.ty()), self.leaves(from.ty()));
        let whole = |leaves: &[super::walk::Leaf]| leaves.iter().map(|l| l.ty.width()).sum::<Option<u32>>().filter(|&w| w <= 64);
        if i.opcode() != LLVMOpcode::LLVMBitCast || whole(&new).is_none() || whole(&new) != whole(&old) {
            return self.lost(i, "cast of a long double, half or vector");
        }
        self.emit.after(i);
        let handles = self.all(from);
        let mut whole_handle = self.emit.zero();
        let mut bits = 0;
        let mut value = self.emit.long(0);
        for (leaf, &handle) in old.iter().zip(&handles) {
            let width = leaf.ty.width().unwrap_or(64);
            let part = self.emit.word(self.leaf(from, leaf));
            whole_handle = self.concat((whole_handle, value, bits), (handle, part, width));
            value = self.emit.add(value, self.emit.mul(part, self.emit.long(1u64.checked_shl(bits).unwrap_or(0))));
            bits += width;
        }
        let mut low = 0;
        let mut results = Vec::new();
        for leaf in &new {
            let width = leaf.ty.width().unwrap_or(64);
            let r = self.emit.word(self.leaf(i, leaf));
            results.push(self.extract(whole_handle, bits, (low, width), r));
            low += width;
        }
        self.set_all(i, results);
    }

    /// The node of a high part (handle, value, bits) put before a low part.
    fn concat(&self, low: (Value, Value, u32), high: (Value, Value, u32)) -> Value {
        if low.2 == 0 {
            return high.0;
        }
        let [h1, v1, b1, h2, v2, b2] = [low.0, low.1, self.emit.int(low.2), high.0, high.1, self.emit.int(high.2)];
        self.emit.hook("xch_concat", &[h1, v1, b1, h2, v2, b2])
    }

    fn extract(&self, handle: Value, of: u32, (low, width): (u32, u32), r: Value) -> Value {
        if of == width {
            return handle;
        }
        self.emit.hook("xch_extract", &[self.emit.int(width), handle, self.emit.int(low), r])
    }
}
