//! Loads, stores, addresses and locals.
//!
//! A load is reported to the runtime after it happened, with the value that came; a store before it happens, while memory still holds the old
//! value. Where the address may be symbolic the runtime plans the access first (`xch_at`): checks are recorded before the native
//! access can crash.

use inkwell::llvm_sys::LLVMOpcode;

use super::flow;
use super::llvm::Value;
use super::ops;
use super::walk::{Leaf, Walker};
use super::zones;

impl Walker<'_> {
    pub(super) fn load(&mut self, i: Value) {
        if !self.maybe.contains(&i) {
            return;
        }
        let pointer = i.operand(0);
        let planned = self.plan(i, pointer, i);
        self.emit.after(i);
        let leaves = self.leaves(i.ty());
        let single = leaves.len() == 1;
        let mut handles = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            let value = self.leaf(i, leaf);
            handles.push(match (single, planned) {
                (true, Some(hp)) => self.load_planned(pointer, hp, value),
                _ => self.load_plain(pointer, leaf, value),
            });
        }
        self.set_all(i, handles);
    }

    pub(super) fn store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        let planned = self.plan(i, pointer, value);
        self.emit.before(i);
        let (leaves, handles) = (self.leaves(value.ty()), self.all(value));
        let single = leaves.len() == 1;
        for (leaf, handle) in leaves.iter().zip(handles) {
            let part = self.leaf(value, leaf);
            match (single, planned) {
                (true, Some(hp)) => self.store_planned(pointer, hp, handle, part),
                _ => self.store_plain(pointer, leaf, handle, part),
            }
        }
    }

    /// Plans an access whose address may be symbolic and returns the address's handle; accesses of aggregates, of odd and of wide integers
    /// through such an address pin it, and are then plain.
    fn plan(&mut self, i: Value, pointer: Value, accessed: Value) -> Option<Value> {
        let hp = self.one(pointer);
        let Some(&site) = self.sites.get(&i) else {
            self.emit.before(i);
            self.follow_address(pointer);
            return None;
        };
        if self.emit.is_zero(hp) {
            return None;
        }
        let bytes = self.emit.layout.size(accessed.ty());
        let natural = accessed.ty().width().is_some_and(|w| matches!(w, 8 | 16 | 32 | 64));
        let root = flow::root(pointer);
        self.emit.before(i);
        let size = self.emit.int(u32::try_from(bytes).unwrap_or(u32::MAX));
        let write = self.emit.int(u32::from(i.opcode() == LLVMOpcode::LLVMStore));
        let words = [self.emit.word(pointer), hp, self.emit.word(root), self.one(root), size, self.emit.int(site.0), write];
        self.emit.hook("xch_at", &words);
        if !natural {
            self.emit.hook("xch_pin", &[hp, self.emit.int(site.0 + 1)]);
            return None;
        }
        Some(hp)
    }

    fn load_planned(&self, pointer: Value, hp: Value, value: Value) -> Value {
        let (p, r) = (self.emit.word(pointer), self.emit.word(value));
        if self.program.follow {
            let bytes = self.emit.int(value.ty().width().unwrap_or(64) / 8);
            return self.emit.hook("xch_follow_ldp", &[p, bytes, hp, r]);
        }
        let name = match value.ty().width() {
            Some(8) => "xch_ldp1",
            Some(16) => "xch_ldp2",
            Some(32) => "xch_ldp4",
            _ => "xch_ldp8",
        };
        self.emit.hook(name, &[p, hp, r])
    }

    fn store_planned(&self, pointer: Value, hp: Value, handle: Value, value: Value) {
        let (p, v) = (self.emit.word(pointer), self.emit.word(value));
        if self.program.follow {
            let bytes = self.emit.int(value.ty().width().unwrap_or(64) / 8);
            self.emit.hook("xch_follow_stp", &[p, bytes, hp, handle, v]);
            return;
        }
        let name = match value.ty().width() {
            Some(8) => "xch_stp1",
            Some(16) => "xch_stp2",
            Some(32) => "xch_stp4",
            _ => "xch_stp8",
        };
        self.emit.hook(name, &[p, hp, handle, v]);
    }

    fn leaf_address(&self, pointer: Value, leaf: &Leaf) -> Value {
        let p = self.emit.word(pointer);
        if leaf.offset == 0 { p } else { self.emit.add(p, self.emit.long(leaf.offset)) }
    }

    fn load_plain(&mut self, pointer: Value, leaf: &Leaf, value: Value) -> Value {
        let p = self.leaf_address(pointer, leaf);
        let Some(width) = value.ty().width() else {
            let size = self.emit.layout.size(value.ty());
            self.emit.hook("xch_read", &[p, self.emit.long(size)]);
            self.untold("long double");
            return self.emit.zero();
        };
        let bytes = width.div_ceil(8);
        if width > 64 {
            let (low, high) = self.emit.words(value);
            return self.emit.hook("xch_ldw", &[p, self.emit.int(bytes), self.emit.int(width), low, high]);
        }
        let r = self.emit.word(value);
        let handle = match bytes {
            _ if self.program.follow => self.emit.hook("xch_follow_ld", &[p, self.emit.int(bytes), self.one(pointer), r]),
            1 => self.emit.hook("xch_ld1", &[p, r]),
            2 => self.emit.hook("xch_ld2", &[p, r]),
            4 => self.emit.hook("xch_ld4", &[p, r]),
            8 => self.emit.hook("xch_ld8", &[p, r]),
            _ => self.emit.hook("xch_ldn", &[p, self.emit.int(bytes), r]),
        };
        if width == 8 * bytes {
            return handle;
        }
        self.emit.hook("xch_cast", &[self.emit.int(ops::EXTRACT), self.emit.int(width), handle, r])
    }

    fn store_plain(&mut self, pointer: Value, leaf: &Leaf, mut handle: Value, value: Value) {
        let p = self.leaf_address(pointer, leaf);
        let Some(width) = value.ty().width() else {
            let size = self.emit.layout.size(value.ty());
            self.emit.hook("xch_write", &[p, self.emit.long(size)]);
            self.untold("long double");
            return;
        };
        let bytes = width.div_ceil(8);
        if width > 64 {
            let (low, high) = self.emit.words(value);
            self.emit.hook("xch_stw", &[p, self.emit.int(bytes), handle, self.emit.int(width), low, high]);
            return;
        }
        if width != 8 * bytes && !self.emit.is_zero(handle) {
            let v = self.emit.word(value);
            handle = self.emit.hook("xch_cast", &[self.emit.int(ops::ZEXT), self.emit.int(8 * bytes), handle, v]);
        }
        if self.program.follow {
            let v = self.emit.word(value);
            self.emit.hook("xch_follow_st", &[p, self.emit.int(bytes), handle, v]);
            return;
        }
        match bytes {
            1 => self.emit.hook("xch_st1", &[p, handle]),
            2 => self.emit.hook("xch_st2", &[p, handle]),
            4 => self.emit.hook("xch_st4", &[p, handle]),
            8 => self.emit.hook("xch_st8", &[p, handle]),
            _ => self.emit.hook("xch_stn", &[p, self.emit.int(bytes), handle]),
        };
    }

    /// getelementptr: base + index * size + …, in 64 bits.
    pub(super) fn address(&mut self, i: Value) {
        let operands = i.operands();
        if !self.any_symbolic(&operands) {
            return;
        }
        if i.ty().width().is_none() {
            return self.lost(i, "vector of addresses");
        }
        self.emit.after(i);
        let mut handle = self.one(operands[0]);
        let mut at = self.emit.word(operands[0]);
        let mut ty = i.element_pointer_source();
        let mut constant = 0u64;
        for (n, &index) in operands[1..].iter().enumerate() {
            if n > 0 && ty.is_struct() {
                let field = index.constant().and_then(|c| u32::try_from(c).ok()).unwrap_or(0);
                constant = constant.wrapping_add(self.emit.layout.offset(ty, field));
                ty = ty.part(field);
                continue;
            }
            if n > 0 {
                ty = ty.element();
            }
            let scale = self.emit.layout.size(ty);
            if let Some(at) = index.signed_constant() {
                constant = constant.wrapping_add(at.wrapping_mul(scale));
                continue;
            }
            let wide = self.emit.resize(index, true);
            let mut h = self.one(index);
            if index.ty().width() < Some(64) && !self.emit.is_zero(h) {
                h = self.emit.hook("xch_cast", &[self.emit.int(ops::SEXT), self.emit.int(64), h, wide]);
            }
            if !(self.emit.is_zero(handle) && self.emit.is_zero(h)) {
                handle = self.emit.hook("xch_gep", &[handle, h, at, wide, self.emit.long(scale)]);
            }
            at = self.emit.add(at, self.emit.mul(wide, self.emit.long(scale)));
        }
        if constant != 0 && !self.emit.is_zero(handle) {
            let r = self.emit.word(i);
            handle = self.emit.hook("xch_bin", &[self.code(ops::ADD, 64), handle, self.emit.zero(), at, self.emit.long(constant), r]);
        }
        self.set(i, handle);
    }

    /// alloca: an object whose old shadow is forgotten. Variable-length arrays too.
    pub(super) fn local(&mut self, i: Value) {
        if self.program.follow && self.followed_local(i) {
            return;
        }
        let size = self.emit.layout.size(i.allocated());
        let count = i.operand(0);
        if let Some(&site) = self.sites.get(&i) {
            self.emit.before(i);
            self.emit.hook("xch_choose", &[self.one(count), self.emit.int(site.0)]);
        }
        self.emit.after(i);
        let p = self.emit.word(i);
        let bytes = match count.constant() {
            Some(n) => self.emit.long(size * n),
            None => self.emit.mul(self.emit.resize(count, false), self.emit.long(size)),
        };
        let name = self.program.local(&i.name(), &self.function.name());
        self.emit.hook("xch_local", &[p, bytes, self.emit.int(name), self.emit.int(zones::left(i))]);
        self.locals.push(i);
    }

    /// insertvalue, extractvalue and their like on vectors: handles go where their values go.
    pub(super) fn moved(&mut self, i: Value) {
        let operands = i.operands();
        let handles = match i.opcode() {
            LLVMOpcode::LLVMExtractValue => self.part_handles(operands[0], &i.indices()),
            LLVMOpcode::LLVMInsertValue => self.replaced(operands[0], operands[1], &i.indices()),
            LLVMOpcode::LLVMExtractElement => match operands[1].constant() {
                Some(at) => self.part_handles(operands[0], &[u32::try_from(at).unwrap_or(u32::MAX)]),
                None => return self.lost(i, "extractelement at a variable index"),
            },
            LLVMOpcode::LLVMInsertElement => match operands[2].constant() {
                Some(at) => self.replaced(operands[0], operands[1], &[u32::try_from(at).unwrap_or(u32::MAX)]),
                None => return self.lost(i, "insertelement at a variable index"),
            },
            _ => {
                let both = [self.all(operands[0]), self.all(operands[1])].concat();
                let pick = |m: Option<u32>| m.and_then(|m| both.get(m as usize).copied()).unwrap_or_else(|| self.emit.zero());
                i.mask().into_iter().map(pick).collect()
            }
        };
        self.set_all(i, handles);
    }

    /// Which leaves a part has: (first, count).
    fn range(&self, whole: Value, path: &[u32]) -> (usize, usize) {
        let leaves = self.leaves(whole.ty());
        let inside = |l: &&Leaf| l.path.starts_with(path);
        (leaves.iter().take_while(|l| !l.path.starts_with(path)).count(), leaves.iter().filter(inside).count())
    }

    fn part_handles(&self, whole: Value, path: &[u32]) -> Vec<Value> {
        let (first, count) = self.range(whole, path);
        self.all(whole).into_iter().skip(first).take(count).collect()
    }

    fn replaced(&self, whole: Value, part: Value, path: &[u32]) -> Vec<Value> {
        let (first, count) = self.range(whole, path);
        let mut handles = self.all(whole);
        handles.splice(first..first + count, self.all(part));
        handles
    }
}
