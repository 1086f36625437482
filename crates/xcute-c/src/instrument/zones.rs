//! Zones: room that must not be accessed around locals and after globals, so that an access that misses its object by a few bytes is seen
//! (as in AddressSanitizer; `runtimes/c/poison.c`).
//!
//! Runs when a function, or the whole module, is rewritten: until then an object and what was computed from it have their own shape.
//!
//! **Invariant.** An object keeps its alignment, its name and its first byte's meaning; only the room around it is new.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::comdat::LLVMGetComdat;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::emit::Emit;
use super::llvm::{Value, globals};

/// Bytes after each object (`XC_ZONE`).
const ZONE: u64 = 32;
/// Bytes before a local, if its alignment does not ask for more.
const LEFT: u32 = 16;
/// A row's name has this bit if a zone follows the object (`XC_ZONED`).
const ZONED: u32 = 1 << 31;

/// It has this one if code that is not the program's can name the object (`XC_EXPORTED`).
const EXPORTED: u32 = 1 << 30;

/// The bytes of the zone before a local.
pub(super) fn left(alloca: Value) -> u32 {
    // SAFETY: the instruction is an alloca.
    unsafe { LLVMGetAlignment(alloca.0) }.max(LEFT)
}

/// Makes room around a local that the walk has announced to the runtime.
pub(super) fn widen(emit: &Emit, alloca: Value) {
    let (left, size) = (left(alloca), emit.layout.size(alloca.allocated()));
    emit.before(alloca);
    let room = emit.long(u64::from(left) + ZONE);
    let count = alloca.operand(0);
    let bytes = match count.constant() {
        Some(n) => emit.long(size * n + u64::from(left) + ZONE),
        None => emit.add(emit.mul(emit.resize(count, false), emit.long(size)), room),
    };
    emit.replace_alloca(alloca, bytes, left);
}

/// Puts a zone after each global that may have one; returns for each object of static storage its address, size and the name's row.
/// Those that other objects can name are marked: with `linked`, all that are not the module's own. Variables of libraries that the program names are listed, too.
pub(super) fn of_globals(emit: &Emit, names: &mut Vec<(String, String)>, linked: bool) -> Vec<(Value, u64, u32)> {
    let listed = |g: &Value| !g.is_declaration() && !g.name().starts_with("llvm.") && !g.is_thread_local();
    let all: Vec<Value> = globals(emit.module).into_iter().filter(listed).collect();
    let mut rows = Vec::with_capacity(all.len());
    for global in all {
        let size = emit.layout.size(global.value_type());
        let row = u32::try_from(names.len()).expect("fewer than 2^30 objects");
        names.push((global.name(), String::new()));
        let name = if linked && !global.is_own() { row | EXPORTED } else { row };
        // SAFETY: the global belongs to the module, and nobody else names it.
        rows.push(match unsafe { padded(emit, global, size) } {
            Some(wide) => (wide, size, name | ZONED),
            None => (global, size, name),
        });
    }
    for global in globals(emit.module).into_iter().filter(|&g| is_of_library(g)) {
        let row = u32::try_from(names.len()).expect("fewer than 2^30 objects");
        names.push((global.name(), String::new()));
        rows.push((global, emit.layout.size(global.value_type()), row | EXPORTED));
    }
    rows
}

/// Whether this is a variable that the program names and a library has: `optind`, `environ`.
fn is_of_library(global: Value) -> bool {
    // SAFETY: the global belongs to the module.
    let (linkage, sized, constant) =
        unsafe { (LLVMGetLinkage(global.0), LLVMTypeIsSized(global.value_type().0) != 0, LLVMIsGlobalConstant(global.0) != 0) };
    let there = linkage == LLVMLinkage::LLVMExternalLinkage && global.is_declaration() && !global.users().is_empty();
    // Tables of the C++ library are constants, whatever their declaration says.
    let ours = ["xc_", "llvm.", "_ZT"].iter().any(|start| global.name().starts_with(start));
    there && sized && !constant && !ours && !global.is_thread_local()
}

/// # Safety
/// `global` is a definition of this module; it is erased.
unsafe fn padded(emit: &Emit, global: Value, size: u64) -> Option<Value> {
    unsafe {
        let linkage = LLVMGetLinkage(global.0);
        let own = matches!(linkage, LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage);
        let section = LLVMGetSection(global.0);
        let placed = !section.is_null() && *section != 0;
        if !own || placed || size == 0 || !LLVMGetComdat(global.0).is_null() || LLVMIsExternallyInitialized(global.0) != 0 {
            return None;
        }
        let room = LLVMArrayType2(LLVMInt8TypeInContext(emit.context), ZONE);
        let mut parts = [LLVMGetInitializer(global.0), LLVMConstNull(room)];
        let value: LLVMValueRef = LLVMConstStructInContext(emit.context, parts.as_mut_ptr(), 2, 1);
        let name = CString::new(global.name()).ok()?;
        let wide = LLVMAddGlobal(emit.module, LLVMTypeOf(value), c"".as_ptr());
        LLVMSetInitializer(wide, value);
        LLVMSetLinkage(wide, linkage);
        LLVMSetVisibility(wide, LLVMGetVisibility(global.0));
        LLVMSetGlobalConstant(wide, LLVMIsGlobalConstant(global.0));
        LLVMSetUnnamedAddress(wide, LLVMGetUnnamedAddress(global.0));
        LLVMSetAlignment(wide, emit.layout.preferred_alignment(global));
        LLVMReplaceAllUsesWith(global.0, wide);
        LLVMDeleteGlobal(global.0);
        LLVMSetValueName2(wide, name.as_ptr(), name.as_bytes().len());
        Some(Value(wide))
    }
}
