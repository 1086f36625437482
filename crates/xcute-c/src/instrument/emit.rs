//! Emitting code: the builder, calls of hooks, and values as the words that hooks take.
//!
//! **Contract.** As in [`super::llvm`]; a builder is positioned before it emits.
#![allow(unsafe_code, reason = "LLVM's C API; every call below is sound under the module's contract")]

use std::cell::{Cell, RefCell};
use std::ffi::CString;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind};
use rustc_hash::FxHashMap;

use super::llvm::{Block, Layout, Type, Value};

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

/// Hooks that ask for the frame they are in.
const FRAMES: [&str; 3] = ["xch_follow_enter", "xch_follow_frame", "xch_follow_leave"];

/// Emits into one module.
pub(super) struct Emit {
    pub(super) module: LLVMModuleRef,
    pub(super) context: LLVMContextRef,
    pub(super) layout: Layout,
    builder: LLVMBuilderRef,
    hooks: RefCell<FxHashMap<&'static str, Value>>,
    inline: Cell<bool>,
    noinline: LLVMAttributeRef,
    i32: Type,
    i64: Type,
}

impl Emit {
    /// Emits into this module, which the hooks are linked into.
    pub(super) fn new(module: LLVMModuleRef) -> Emit {
        unsafe {
            let context = LLVMGetModuleContext(module);
            let kind = LLVMGetEnumAttributeKindForName(c"noinline".as_ptr(), 8);
            Emit {
                module,
                context,
                layout: Layout::of(module),
                builder: LLVMCreateBuilderInContext(context),
                hooks: RefCell::default(),
                inline: Cell::new(true),
                noinline: LLVMCreateEnumAttribute(context, kind, 0),
                i32: Type(LLVMInt32TypeInContext(context)),
                i64: Type(LLVMInt64TypeInContext(context)),
            }
        }
    }

    /// LLVM's builder, for what only one file needs.
    pub(super) fn builder(&self) -> LLVMBuilderRef {
        self.builder
    }

    /// Whether hooks are inlined into what comes next; large functions would take too long to compile.
    pub(super) fn set_inline(&self, inline: bool) {
        self.inline.set(inline);
    }

    pub(super) fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction.0);
            LLVMSetCurrentDebugLocation2(self.builder, inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0));
        }
    }

    /// After an instruction; after an invoke is where it returns to, a block that only it leads to.
    pub(super) fn after(&self, instruction: Value) {
        if instruction.opcode() == LLVMOpcode::LLVMInvoke {
            self.at_start(instruction.successors()[0]);
            unsafe { LLVMSetCurrentDebugLocation2(self.builder, inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0)) };
            return;
        }
        if let Some(next) = instruction.next() {
            self.before(next);
            unsafe { LLVMSetCurrentDebugLocation2(self.builder, inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0)) };
        }
    }

    /// Where a block's own code begins: after phis, a landing pad and, in the entry block, allocas.
    pub(super) fn at_start(&self, block: Block) {
        let all = block.instructions();
        let first = all.iter().find(|i| !matches!(i.opcode(), LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLandingPad));
        if let Some(&first) = first {
            self.before(first);
        }
    }

    /// Calls a hook.
    pub(super) fn hook(&self, name: &'static str, args: &[Value]) -> Value {
        let function = *self.hooks.borrow_mut().entry(name).or_insert_with(|| {
            let text = CString::new(name).expect("names of hooks have no NUL");
            let function = unsafe { LLVMGetNamedFunction(self.module, text.as_ptr()) };
            assert!(!function.is_null(), "the runtime has no hook {name}");
            Value(function)
        });
        let mut args: Vec<LLVMValueRef> = args.iter().map(|a| a.0).collect();
        let count = u32::try_from(args.len()).expect("few arguments");
        unsafe {
            debug_assert_eq!(LLVMCountParams(function.0), count, "{name}");
            let call = LLVMBuildCall2(self.builder, function.value_type().0, function.0, args.as_mut_ptr(), count, NO_NAME);
            if !self.inline.get() && !FRAMES.contains(&name) {
                LLVMAddCallSiteAttribute(call, u32::MAX, self.noinline);
            }
            Value(call)
        }
    }

    pub(super) fn int(&self, v: u32) -> Value {
        Value(unsafe { LLVMConstInt(self.i32.0, u64::from(v), 0) })
    }

    pub(super) fn long(&self, v: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.i64.0, v, 0) })
    }

    /// The handle of what is concrete.
    pub(super) fn zero(&self) -> Value {
        self.int(0)
    }

    pub(super) fn is_zero(&self, handle: Value) -> bool {
        handle == self.zero()
    }

    /// The low 64 bits of a scalar.
    pub(super) fn word(&self, v: Value) -> Value {
        let ty = v.ty();
        unsafe {
            match ty.kind() {
                LLVMTypeKind::LLVMPointerTypeKind => Value(LLVMBuildPtrToInt(self.builder, v.0, self.i64.0, NO_NAME)),
                LLVMTypeKind::LLVMFloatTypeKind => {
                    let bits = LLVMBuildBitCast(self.builder, v.0, self.i32.0, NO_NAME);
                    Value(LLVMBuildZExt(self.builder, bits, self.i64.0, NO_NAME))
                }
                LLVMTypeKind::LLVMDoubleTypeKind => Value(LLVMBuildBitCast(self.builder, v.0, self.i64.0, NO_NAME)),
                LLVMTypeKind::LLVMIntegerTypeKind => self.resize(v, false),
                _ => self.long(0),
            }
        }
    }

    /// An integer as 64 bits.
    pub(super) fn resize(&self, v: Value, signed: bool) -> Value {
        let width = v.ty().width().unwrap_or(64);
        Value(unsafe {
            match width.cmp(&64) {
                std::cmp::Ordering::Equal => v.0,
                std::cmp::Ordering::Greater => LLVMBuildTrunc(self.builder, v.0, self.i64.0, NO_NAME),
                std::cmp::Ordering::Less if signed => LLVMBuildSExt(self.builder, v.0, self.i64.0, NO_NAME),
                std::cmp::Ordering::Less => LLVMBuildZExt(self.builder, v.0, self.i64.0, NO_NAME),
            }
        })
    }

    /// The low and the high word of a wide integer.
    pub(super) fn words(&self, v: Value) -> (Value, Value) {
        if v.ty().width() <= Some(64) {
            return (self.word(v), self.long(0));
        }
        unsafe {
            let shift = LLVMConstInt(v.ty().0, 64, 0);
            let high = LLVMBuildLShr(self.builder, v.0, shift, NO_NAME);
            (self.resize(v, false), self.resize(Value(high), false))
        }
    }

    /// A Boolean or 64-bit value as 32 bits.
    pub(super) fn flag(&self, v: Value) -> Value {
        let width = v.ty().width().unwrap_or(32);
        Value(unsafe {
            match width.cmp(&32) {
                std::cmp::Ordering::Equal => v.0,
                std::cmp::Ordering::Greater => LLVMBuildTrunc(self.builder, v.0, self.i32.0, NO_NAME),
                std::cmp::Ordering::Less => LLVMBuildZExt(self.builder, v.0, self.i32.0, NO_NAME),
            }
        })
    }

    pub(super) fn add(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildAdd(self.builder, a.0, b.0, NO_NAME) })
    }

    pub(super) fn mul(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildMul(self.builder, a.0, b.0, NO_NAME) })
    }

    pub(super) fn float_product(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildFMul(self.builder, a.0, b.0, NO_NAME) })
    }

    /// Some handle of these is not 0; constant zeros cost nothing.
    pub(super) fn any(&self, handles: &[Value]) -> Value {
        let mut any = self.zero();
        for &h in handles.iter().filter(|&&h| !self.is_zero(h)) {
            any = if self.is_zero(any) { h } else { Value(unsafe { LLVMBuildOr(self.builder, any.0, h.0, NO_NAME) }) };
        }
        any
    }

    pub(super) fn select(&self, c: Value, yes: Value, no: Value) -> Value {
        if yes == no {
            return yes;
        }
        Value(unsafe { LLVMBuildSelect(self.builder, c.0, yes.0, no.0, NO_NAME) })
    }

    /// Whether a flag is 0, as 0 or 1.
    pub(super) fn negate(&self, flag: Value) -> Value {
        Value(unsafe { LLVMBuildXor(self.builder, flag.0, self.int(1).0, NO_NAME) })
    }

    pub(super) fn mask_by(&self, handle: Value, flag: Value) -> Value {
        Value(unsafe { LLVMBuildMul(self.builder, handle.0, flag.0, NO_NAME) })
    }

    /// An empty phi of handles before `phi`.
    pub(super) fn handle_phi(&self, phi: Value) -> Value {
        self.before(phi);
        Value(unsafe { LLVMBuildPhi(self.builder, self.i32.0, NO_NAME) })
    }

    pub(super) fn add_incoming(&self, phi: Value, handle: Value, from: Block) {
        unsafe { LLVMAddIncoming(phi.0, [handle.0].as_mut_ptr(), [from.0].as_mut_ptr(), 1) };
    }

    /// A part of an aggregate or vector.
    pub(super) fn part(&self, aggregate: Value, i: u32) -> Value {
        Value(unsafe {
            if aggregate.ty().is_vector() {
                LLVMBuildExtractElement(self.builder, aggregate.0, self.int(i).0, NO_NAME)
            } else {
                LLVMBuildExtractValue(self.builder, aggregate.0, i, NO_NAME)
            }
        })
    }

    /// A zero-initialised buffer of 64-bit words in the entry block of a function.
    pub(super) fn buffer(&self, entry: Block, words: u32) -> Value {
        unsafe {
            if let Some(first) = entry.instructions().first() {
                self.before(*first);
            }
            Value(LLVMBuildAlloca(self.builder, LLVMArrayType2(self.i64.0, u64::from(words)), NO_NAME))
        }
    }

    /// An alloca of this many bytes takes the place of another: its address, `offset` bytes further.
    pub(super) fn replace_alloca(&self, old: Value, bytes: Value, offset: u32) {
        self.before(old);
        unsafe {
            let byte = LLVMInt8TypeInContext(self.context);
            let wide = match bytes.constant() {
                Some(n) => LLVMBuildAlloca(self.builder, LLVMArrayType2(byte, n), NO_NAME),
                None => LLVMBuildArrayAlloca(self.builder, byte, bytes.0, NO_NAME),
            };
            LLVMSetAlignment(wide, offset);
            let mut indices = [self.long(u64::from(offset)).0];
            let at = LLVMBuildInBoundsGEP2(self.builder, byte, wide, indices.as_mut_ptr(), 1, NO_NAME);
            LLVMReplaceAllUsesWith(old.0, at);
            LLVMInstructionEraseFromParent(old.0);
        }
    }

    /// Where the stack ends at this moment.
    pub(super) fn stack_pointer(&self) -> Value {
        unsafe {
            let id = LLVMLookupIntrinsicID(c"llvm.stacksave".as_ptr(), 14);
            let mut pointer = [LLVMPointerTypeInContext(self.context, 0)];
            let save = LLVMGetIntrinsicDeclaration(self.module, id, pointer.as_mut_ptr(), 1);
            let sp = LLVMBuildCall2(self.builder, LLVMGlobalGetValueType(save), save, std::ptr::null_mut(), 0, NO_NAME);
            self.word(Value(sp))
        }
    }

    /// The global variable with this name, if the module knows it.
    pub(super) fn global(&self, name: &str) -> Option<Value> {
        let text = CString::new(name).expect("names of globals have no NUL");
        let global = unsafe { LLVMGetNamedGlobal(self.module, text.as_ptr()) };
        (!global.is_null()).then_some(Value(global))
    }

    /// Whether two pointers are equal, as 0 or 1.
    pub(super) fn same_pointer(&self, a: Value, b: Value) -> Value {
        self.flag(Value(unsafe { LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntEQ, a.0, b.0, NO_NAME) }))
    }

    /// Makes the call go to another function of the same type.
    pub(super) fn redirect(&self, call: Value, name: &str) {
        let text = CString::new(name).expect("names of functions have no NUL");
        unsafe {
            let mut to = LLVMGetNamedFunction(self.module, text.as_ptr());
            if to.is_null() {
                to = LLVMAddFunction(self.module, text.as_ptr(), call.called_type().0);
            }
            let last = u32::try_from(LLVMGetNumOperands(call.0)).expect("few operands") - 1;
            LLVMSetOperand(call.0, last, to);
        }
    }

    pub(super) fn set_operand(&self, user: Value, i: u32, value: Value) {
        unsafe { LLVMSetOperand(user.0, i, value.0) };
    }

    /// A constant table `{ u64, u32, u32 }[]` and its length, as globals.
    pub(super) fn table(&self, name: &str, length_name: &str, rows: &[(Value, u64, u32)]) {
        unsafe {
            let mut row_types = [self.i64.0, self.i32.0, self.i32.0];
            let row = LLVMStructTypeInContext(self.context, row_types.as_mut_ptr(), 3, 0);
            let mut constants: Vec<LLVMValueRef> = rows
                .iter()
                .map(|&(base, size, name)| {
                    let size = u32::try_from(size).unwrap_or(u32::MAX);
                    let mut fields = [LLVMConstPtrToInt(base.0, self.i64.0), self.int(size).0, self.int(name).0];
                    LLVMConstStructInContext(self.context, fields.as_mut_ptr(), 3, 0)
                })
                .collect();
            let array = LLVMConstArray2(row, constants.as_mut_ptr(), constants.len() as u64);
            self.define(name, Value(array));
        }
        self.constant(length_name, rows.len() as u64);
    }

    /// A constant table of the addresses of functions and its length, as globals. The functions begin at multiples of 16.
    pub(super) fn functions(&self, name: &str, length_name: &str, functions: &[Value]) {
        unsafe {
            functions.iter().for_each(|f| LLVMSetAlignment(f.0, LLVMGetAlignment(f.0).max(16)));
            let mut addresses: Vec<LLVMValueRef> = functions.iter().map(|f| LLVMConstPtrToInt(f.0, self.i64.0)).collect();
            let array = LLVMConstArray2(self.i64.0, addresses.as_mut_ptr(), addresses.len() as u64);
            self.define(name, Value(array));
        }
        self.constant(length_name, functions.len() as u64);
    }

    /// A constant number as a global.
    pub(super) fn constant(&self, name: &str, value: u64) {
        self.define(name, self.long(value));
    }

    fn define(&self, name: &str, value: Value) {
        let text = CString::new(name).expect("names of tables have no NUL");
        unsafe {
            let global = LLVMAddGlobal(self.module, LLVMTypeOf(value.0), text.as_ptr());
            LLVMSetInitializer(global, value.0);
            LLVMSetGlobalConstant(global, 1);
        }
    }
}

impl Drop for Emit {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}
