//! The intrinsics that clang emits for C: how each is treated.
//!
//! **Invariant.** An intrinsic without a row is unsupported: it is named in the report when something symbolic meets it.

use super::llvm::Value;
use super::ops;
use super::walk::Walker;

/// What the walker does with an intrinsic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// It has no data, or only concrete data.
    Nothing,
    /// Its result is its first argument.
    Same,
    /// Several nodes, made by the runtime: number in `enum xc_intrinsic`, and how many arguments count.
    Nodes(u32, usize),
    /// `{ result, overflowed }`: the operator, and the number of the overflow bit's nodes.
    Overflow(u32, u32),
    /// One float node.
    Math(u32),
    /// One integer node of its two arguments.
    Binary(u32),
    /// a * b + c in two roundings, as x86 without FMA does it.
    MulAdd,
    /// memcpy and memmove.
    Copy,
    /// memset.
    Fill,
    /// The object's content is undefined from here on.
    Begin,
    /// The stack pointer goes back.
    Unwind,
    /// va_start.
    VaStart,
    /// va_copy.
    VaCopy,
    /// A function of the C library by another name: runs concretely.
    Foreign,
    /// Not modelled.
    Unsupported,
}

/// The rows, by name without `llvm.` and the types at the end.
pub(super) const TABLE: &[(&str, Model)] = &[
    ("smax", Model::Nodes(1, 2)),
    ("smin", Model::Nodes(2, 2)),
    ("umax", Model::Nodes(3, 2)),
    ("umin", Model::Nodes(4, 2)),
    ("abs", Model::Nodes(5, 1)),
    ("ctpop", Model::Nodes(6, 1)),
    ("ctlz", Model::Nodes(7, 1)),
    ("cttz", Model::Nodes(8, 1)),
    ("bswap", Model::Nodes(9, 1)),
    ("bitreverse", Model::Nodes(10, 1)),
    ("fshl", Model::Nodes(11, 3)),
    ("fshr", Model::Nodes(12, 3)),
    ("sadd.with.overflow", Model::Overflow(ops::ADD, 13)),
    ("uadd.with.overflow", Model::Overflow(ops::ADD, 14)),
    ("ssub.with.overflow", Model::Overflow(ops::SUB, 15)),
    ("usub.with.overflow", Model::Overflow(ops::SUB, 16)),
    ("smul.with.overflow", Model::Overflow(ops::MUL, 17)),
    ("umul.with.overflow", Model::Overflow(ops::MUL, 18)),
    ("sadd.sat", Model::Nodes(19, 2)),
    ("uadd.sat", Model::Nodes(20, 2)),
    ("ssub.sat", Model::Nodes(21, 2)),
    ("usub.sat", Model::Nodes(22, 2)),
    ("is.fpclass", Model::Nodes(23, 1)),
    ("fabs", Model::Math(ops::FABS)),
    ("sqrt", Model::Math(ops::FSQRT)),
    ("floor", Model::Math(ops::FFLOOR)),
    ("ceil", Model::Math(ops::FCEIL)),
    ("trunc", Model::Math(ops::FTRUNC)),
    ("rint", Model::Math(ops::FRINT)),
    ("nearbyint", Model::Math(ops::FRINT)),
    ("roundeven", Model::Math(ops::FRINT)),
    ("round", Model::Math(ops::FROUND)),
    ("copysign", Model::Math(ops::FCOPYSIGN)),
    ("minnum", Model::Nodes(24, 2)),
    ("maxnum", Model::Nodes(25, 2)),
    ("fma", Model::Math(ops::FMA)),
    ("fmuladd", Model::MulAdd),
    ("ptrmask", Model::Binary(ops::AND)),
    ("expect", Model::Same),
    ("expect.with.probability", Model::Same),
    ("ssa.copy", Model::Same),
    ("annotation", Model::Same),
    ("ptr.annotation", Model::Same),
    ("arithmetic.fence", Model::Same),
    ("launder.invariant.group", Model::Same),
    ("strip.invariant.group", Model::Same),
    ("preserve.array.access.index", Model::Same),
    ("preserve.struct.access.index", Model::Same),
    ("preserve.union.access.index", Model::Same),
    ("threadlocal.address", Model::Same),
    ("memcpy", Model::Copy),
    ("memcpy.inline", Model::Copy),
    ("memmove", Model::Copy),
    ("memset", Model::Fill),
    ("memset.inline", Model::Fill),
    ("lifetime.start", Model::Begin),
    ("lifetime.end", Model::Nothing),
    ("stacksave", Model::Nothing),
    ("stackrestore", Model::Unwind),
    ("va_start", Model::VaStart),
    ("va_copy", Model::VaCopy),
    ("va_end", Model::Nothing),
    ("assume", Model::Nothing),
    ("objectsize", Model::Nothing),
    ("is.constant", Model::Nothing),
    ("trap", Model::Nothing),
    ("debugtrap", Model::Nothing),
    ("ubsantrap", Model::Nothing),
    ("dbg.declare", Model::Nothing),
    ("dbg.value", Model::Nothing),
    ("dbg.label", Model::Nothing),
    ("dbg.assign", Model::Nothing),
    ("var.annotation", Model::Nothing),
    ("prefetch", Model::Nothing),
    ("donothing", Model::Nothing),
    ("sideeffect", Model::Nothing),
    ("invariant.start", Model::Nothing),
    ("invariant.end", Model::Nothing),
    ("experimental.noalias.scope.decl", Model::Nothing),
    ("pseudoprobe", Model::Nothing),
    ("clear_cache", Model::Nothing),
    ("returnaddress", Model::Nothing),
    ("addressofreturnaddress", Model::Nothing),
    ("frameaddress", Model::Nothing),
    ("sponentry", Model::Nothing),
    ("get.dynamic.area.offset", Model::Nothing),
    ("readcyclecounter", Model::Nothing),
    ("readsteadycounter", Model::Nothing),
    ("get.rounding", Model::Nothing),
    ("set.rounding", Model::Nothing),
    ("get.fpenv", Model::Nothing),
    ("set.fpenv", Model::Nothing),
    ("reset.fpenv", Model::Nothing),
    ("get.fpmode", Model::Nothing),
    ("set.fpmode", Model::Nothing),
    ("reset.fpmode", Model::Nothing),
    ("thread.pointer", Model::Nothing),
    ("eh.typeid.for", Model::Nothing),
    ("pow", Model::Foreign),
    ("powi", Model::Foreign),
    ("sin", Model::Foreign),
    ("cos", Model::Foreign),
    ("tan", Model::Foreign),
    ("asin", Model::Foreign),
    ("acos", Model::Foreign),
    ("atan", Model::Foreign),
    ("sinh", Model::Foreign),
    ("cosh", Model::Foreign),
    ("tanh", Model::Foreign),
    ("exp", Model::Foreign),
    ("exp2", Model::Foreign),
    ("exp10", Model::Foreign),
    ("log", Model::Foreign),
    ("log2", Model::Foreign),
    ("log10", Model::Foreign),
    ("ldexp", Model::Foreign),
    ("frexp", Model::Foreign),
    ("lround", Model::Foreign),
    ("llround", Model::Foreign),
    ("lrint", Model::Foreign),
    ("llrint", Model::Foreign),
    ("minimum", Model::Unsupported),
    ("maximum", Model::Unsupported),
    ("canonicalize", Model::Unsupported),
    ("fptosi.sat", Model::Unsupported),
    ("fptoui.sat", Model::Unsupported),
    ("convert.to.fp16", Model::Unsupported),
    ("convert.from.fp16", Model::Unsupported),
    ("eh.sjlj.setjmp", Model::Unsupported),
    ("eh.sjlj.longjmp", Model::Unsupported),
    ("eh.dwarf.cfa", Model::Unsupported),
    ("eh.return.i32", Model::Unsupported),
    ("eh.return.i64", Model::Unsupported),
    ("eh.unwind.init", Model::Unsupported),
    ("init.trampoline", Model::Unsupported),
    ("adjust.trampoline", Model::Unsupported),
    ("vector.reduce", Model::Unsupported),
    ("matrix", Model::Unsupported),
    ("masked", Model::Unsupported),
    ("experimental.constrained", Model::Unsupported),
    ("sdiv.fix", Model::Unsupported),
    ("udiv.fix", Model::Unsupported),
    ("smul.fix", Model::Unsupported),
    ("umul.fix", Model::Unsupported),
    ("sshl.sat", Model::Unsupported),
    ("ushl.sat", Model::Unsupported),
    ("ucmp", Model::Unsupported),
    ("scmp", Model::Unsupported),
    ("x86", Model::Unsupported),
    ("read_register", Model::Unsupported),
    ("write_register", Model::Unsupported),
];

/// The row of an intrinsic with its full name: the longest that its name starts with, at a dot.
pub(super) fn model(name: &str) -> Option<Model> {
    let name = name.strip_prefix("llvm.")?;
    let starts = |row: &str| name.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    TABLE.iter().filter(|(row, _)| starts(row)).max_by_key(|(row, _)| row.len()).map(|r| r.1)
}

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
        let root = super::flow::root(pointer);
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
