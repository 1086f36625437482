//! LLVM's values, types and blocks as copyable names with safe methods: what the walker reads.
//!
//! Cut here so that the rest of the instrumenter is ordinary Rust. **Contract.** A [`Value`], [`Type`] or [`Block`] is only made from a
//! module that its user keeps alive, and is not used after it was erased; the walker erases only instructions it replaces, at once.
#![allow(unsafe_code, reason = "LLVM's C API; every call below is sound under the module's contract")]

use std::ffi::CStr;
use std::path::Path;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{
    LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMPreferredAlignmentOfGlobal, LLVMTargetDataRef,
};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::columns;

/// A value: an instruction, an argument, a constant, a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Value(pub(super) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Type(pub(super) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Block(pub(super) LLVMBasicBlockRef);

/// A place in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// # Safety
/// `text` points to `length` bytes, or is NULL.
unsafe fn text(text: *const std::ffi::c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) }).into_owned()
}

impl Value {
    pub(super) fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub(super) fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// A call, or one that may come back by an exception.
    pub(super) fn is_call(self) -> bool {
        matches!(self.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
    }

    pub(super) fn is_instruction(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMInstructionValueKind }
    }

    pub(super) fn is_argument(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMArgumentValueKind }
    }

    pub(super) fn is_function(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMFunctionValueKind }
    }

    pub(super) fn is_inline_asm(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMInlineAsmValueKind }
    }

    pub(super) fn is_constant_int(self) -> bool {
        unsafe { !LLVMIsAConstantInt(self.0).is_null() }
    }

    pub(super) fn is_constant_expression(self) -> bool {
        unsafe { !LLVMIsAConstantExpr(self.0).is_null() }
    }

    /// The operator of a constant expression.
    pub(super) fn constant_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    /// The low 64 bits of a constant integer.
    pub(super) fn constant(self) -> Option<u64> {
        self.is_constant_int().then(|| if self.ty().width() > Some(64) { 0 } else { unsafe { LLVMConstIntGetZExtValue(self.0) } })
    }

    /// A constant integer of at most 64 bits, sign extended to 64.
    pub(super) fn signed_constant(self) -> Option<u64> {
        let width = self.ty().width().filter(|&w| w <= 64)?;
        let value = self.constant()?;
        Some((((value << (64 - width)) as i64) >> (64 - width)) as u64)
    }

    pub(super) fn is_constant_global(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() && LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub(super) fn is_global_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    pub(super) fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let name = LLVMGetValueName2(self.0, &mut length);
            text(name, length)
        }
    }

    /// The text of a string literal: a constant global that holds bytes ending in NUL.
    pub(super) fn string(self) -> Option<String> {
        unsafe {
            if LLVMIsAGlobalVariable(self.0).is_null() || LLVMIsGlobalConstant(self.0) == 0 {
                return None;
            }
            let bytes = LLVMGetInitializer(self.0);
            // An empty text does not count as a sequence of data, and LLVM does not check.
            if bytes.is_null() || LLVMIsAConstantDataSequential(bytes).is_null() || LLVMIsConstantString(bytes) == 0 {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(bytes, &mut length);
            let text = text(start, length);
            text.ends_with('\0').then(|| text.trim_end_matches('\0').to_owned())
        }
    }

    pub(super) fn operands(self) -> Vec<Value> {
        let count = unsafe { LLVMGetNumOperands(self.0) };
        (0..u32::try_from(count).unwrap_or(0)).map(|i| self.operand(i)).collect()
    }

    pub(super) fn operand(self, i: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, i) })
    }

    /// The arguments of a call, without callee and operand bundles.
    pub(super) fn arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }

    pub(super) fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The function type of a call.
    pub(super) fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The type of a function's body or of a global variable.
    pub(super) fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(super) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether only its module can name this function or variable.
    pub(super) fn is_own(self) -> bool {
        use inkwell::llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMInternalLinkage | LLVMPrivateLinkage)
    }

    pub(super) fn is_intrinsic(self) -> bool {
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(super) fn params(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    pub(super) fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !block.is_null() {
            blocks.push(Block(block));
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        blocks
    }

    pub(super) fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub(super) fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    pub(super) fn successors(self) -> Vec<Block> {
        (0..unsafe { LLVMGetNumSuccessors(self.0) }).map(|i| Block(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }

    pub(super) fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// What a phi takes from each predecessor.
    pub(super) fn incoming(self) -> Vec<(Value, Block)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        (0..count).map(|i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))) }).collect()
    }

    pub(super) fn predicate(self) -> u32 {
        unsafe {
            if self.opcode() == LLVMOpcode::LLVMICmp { LLVMGetICmpPredicate(self.0) as u32 } else { LLVMGetFCmpPredicate(self.0) as u32 }
        }
    }

    /// The indices of insertvalue and extractvalue.
    pub(super) fn indices(self) -> Vec<u32> {
        let count = unsafe { LLVMGetNumIndices(self.0) } as usize;
        let indices = unsafe { LLVMGetIndices(self.0) };
        if count == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(indices, count) }.to_vec() }
    }

    /// The constant mask of a shufflevector; `None` where the element is undefined.
    pub(super) fn mask(self) -> Vec<Option<u32>> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count).map(|i| u32::try_from(unsafe { LLVMGetMaskValue(self.0, i) }).ok()).collect()
    }

    pub(super) fn element_pointer_source(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub(super) fn allocated(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub(super) fn is_must_tail(self) -> bool {
        use inkwell::llvm_sys::LLVMTailCallKind;
        self.opcode() == LLVMOpcode::LLVMCall && unsafe { LLVMGetTailCallKind(self.0) == LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    /// The places a value is used in.
    pub(super) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut at = unsafe { LLVMGetFirstUse(self.0) };
        while !at.is_null() {
            users.push(Value(unsafe { LLVMGetUser(at) }));
            at = unsafe { LLVMGetNextUse(at) };
        }
        users
    }

    /// Where an instruction or a function stands in the source.
    pub(super) fn place(self) -> Place {
        unsafe {
            let mut length = 0;
            let file = LLVMGetDebugLocFilename(self.0, &mut length);
            let file = text(file, length as usize);
            // Clang shortens paths that begin as its own directory does.
            let directory = LLVMGetDebugLocDirectory(self.0, &mut length);
            let directory = if directory.is_null() { String::new() } else { text(directory, length as usize) };
            let file = if file.is_empty() { file } else { Path::new(&directory).join(file).to_string_lossy().into_owned() };
            if self.is_function() {
                return Place { file, line: LLVMGetDebugLocLine(self.0), column: 0 };
            }
            if LLVMInstructionGetDebugLoc(self.0).is_null() {
                return Place::default();
            }
            let column = LLVMGetDebugLocColumn(self.0);
            let column = if self.can_fail() { columns::split(column).0 } else { column };
            Place { file, line: LLVMGetDebugLocLine(self.0), column }
        }
    }

    /// Whether an instruction can fail: those that stand at one place are numbered.
    pub(super) fn can_fail(self) -> bool {
        use LLVMOpcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMInvoke, LLVMLoad, LLVMSDiv, LLVMSRem, LLVMStore, LLVMUDiv, LLVMURem};
        match self.opcode() {
            LLVMOpcode::LLVMCall => !(self.callee().is_function() && self.callee().name().starts_with("llvm.dbg.")),
            LLVMInvoke | LLVMLoad | LLVMStore | LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem | LLVMAtomicRMW | LLVMAtomicCmpXchg => true,
            _ => false,
        }
    }

    pub(super) fn has_metadata(self, kind: u32) -> bool {
        unsafe { !LLVMGetMetadata(self.0, kind).is_null() }
    }

    pub(super) fn is_thread_local(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() && LLVMIsThreadLocal(self.0) != 0 }
    }
}

impl Type {
    pub(super) fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// The width of what one node can hold: integers, pointers, `float` and `double`. Others are not tracked.
    pub(super) fn width(self) -> Option<u32> {
        match self.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => Some(unsafe { LLVMGetIntTypeWidth(self.0) }),
            LLVMTypeKind::LLVMPointerTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => Some(64),
            LLVMTypeKind::LLVMFloatTypeKind => Some(32),
            _ => None,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self.kind(), LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind)
    }

    pub(super) fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    pub(super) fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }

    pub(super) fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }

    /// Whether memory can hold it.
    pub(super) fn is_storable(self) -> bool {
        !matches!(self.kind(), LLVMTypeKind::LLVMTokenTypeKind | LLVMTypeKind::LLVMMetadataTypeKind | LLVMTypeKind::LLVMLabelTypeKind)
    }

    pub(super) fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    /// The parts of a struct, array or fixed vector; `None` for other types.
    pub(super) fn parts(self) -> Option<Vec<Type>> {
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMStructTypeKind => {
                    Some((0..LLVMCountStructElementTypes(self.0)).map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i))).collect())
                }
                LLVMTypeKind::LLVMArrayTypeKind => Some(vec![
                    Type(LLVMGetElementType(self.0));
                    usize::try_from(LLVMGetArrayLength2(self.0)).unwrap_or(usize::MAX).min(4096)
                ]),
                LLVMTypeKind::LLVMVectorTypeKind => Some(vec![Type(LLVMGetElementType(self.0)); LLVMGetVectorSize(self.0) as usize]),
                _ => None,
            }
        }
    }

    pub(super) fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// The type of a part of a struct.
    pub(super) fn part(self, i: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) })
    }

    pub(super) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub(super) fn param_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }
}

impl Block {
    pub(super) fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    pub(super) fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut at = unsafe { LLVMGetFirstInstruction(self.0) };
        while !at.is_null() {
            all.push(Value(at));
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        all
    }

    pub(super) fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    pub(super) fn name(self) -> String {
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }.to_string_lossy().into_owned()
    }
}

/// Sizes and offsets of types in memory.
#[derive(Clone, Copy)]
pub(super) struct Layout(LLVMTargetDataRef);

impl Layout {
    pub(super) fn of(module: LLVMModuleRef) -> Layout {
        Layout(unsafe { LLVMGetModuleDataLayout(module) })
    }

    pub(super) fn size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }

    /// The alignment that a global has, or would have.
    pub(super) fn preferred_alignment(self, global: Value) -> u32 {
        unsafe { LLVMPreferredAlignmentOfGlobal(self.0, global.0).max(LLVMGetAlignment(global.0)) }
    }

    /// How far a computed address is from what it is computed from, in 64 bits; `None` where an index is not constant.
    pub(super) fn distance(self, address: Value) -> Option<u64> {
        let mut ty = address.element_pointer_source();
        let mut distance = 0u64;
        for (n, index) in address.operands().into_iter().skip(1).enumerate() {
            let at = index.signed_constant()?;
            if n > 0 && ty.is_struct() {
                let field = u32::try_from(at).ok()?;
                distance = distance.wrapping_add(self.offset(ty, field));
                ty = ty.part(field);
                continue;
            }
            if n > 0 {
                ty = ty.element();
            }
            distance = distance.wrapping_add(at.wrapping_mul(self.size(ty)));
        }
        Some(distance)
    }

    /// Where a part begins.
    pub(super) fn offset(self, ty: Type, part: u32) -> u64 {
        if ty.is_struct() { unsafe { LLVMOffsetOfElement(self.0, ty.0, part) } } else { u64::from(part) * self.size(ty.element()) }
    }
}

/// The functions of a module, in its order.
pub(super) fn functions(module: LLVMModuleRef) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = unsafe { LLVMGetFirstFunction(module) };
    while !at.is_null() {
        all.push(Value(at));
        at = unsafe { LLVMGetNextFunction(at) };
    }
    all
}

/// The global variables of a module, in its order.
pub(super) fn globals(module: LLVMModuleRef) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = unsafe { LLVMGetFirstGlobal(module) };
    while !at.is_null() {
        all.push(Value(at));
        at = unsafe { LLVMGetNextGlobal(at) };
    }
    all
}

/// Whether a module has assembly outside of functions.
pub(super) fn has_assembly(module: LLVMModuleRef) -> bool {
    let mut length = 0;
    unsafe { LLVMGetModuleInlineAsm(module, &raw mut length) };
    length > 0
}

/// The number of a kind of metadata.
pub(super) fn kind(module: LLVMModuleRef, name: &str) -> u32 {
    let length = u32::try_from(name.len()).expect("a short name");
    // SAFETY: the context is the module's; the name is read up to its length.
    unsafe { LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name.as_ptr().cast(), length) }
}
