//! Models of streams and files are compiled quickly, as an object of their own.
//!
//! A program that prints brings along models of thousands of instructions, tens of thousands with their hooks, of which a run executes few. LLVM's code
//! generator takes seconds to make them fast. It works on whole modules at one level, so a copy of the module keeps the cold functions
//! alone, and is compiled without optimisation; the program declares them.
//!
//! **Invariant.** Everything but the cold functions is defined in the program's object; what they use of it keeps one address.
#![allow(unsafe_code, reason = "LLVM's C API")]

use std::path::{Path, PathBuf};

use inkwell::llvm_sys::comdat::LLVMSetComdat;
use inkwell::llvm_sys::core::{
    LLVMDeleteGlobal, LLVMGetFirstGlobalAlias, LLVMGetFirstGlobalIFunc, LLVMGetLinkage, LLVMGetNamedFunction, LLVMGetNamedGlobal,
    LLVMGetNextGlobalAlias, LLVMSetLinkage, LLVMSetValueName2, LLVMSetVisibility,
};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMVisibility};
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine};
use rustc_hash::FxHashSet;

use super::llvm::{Value, functions, globals};
use super::ours::is_model;
use super::refused::{llvm, run};
use crate::instrument::compiled::CompileError;

/// Functions of at most this many instructions are not cold wherever they are from: loops call those that read a character.
const SMALL: usize = 32;

/// The attribute of models that are cold if they are not small.
const COLD: &str = "cold";

/// Drops the bodies of what is defined elsewhere.
const DROP: &str = "elim-avail-extern";

/// What the names of a program's own variables begin with if cold functions use them.
const SHARED: &str = "xcs.";

/// Marks the functions of a file of models.
pub(super) fn declare(functions: &[Value]) {
    functions.iter().for_each(|function| function.add_attribute(COLD));
}

/// Whether a function of this many instructions is cold.
pub(super) fn is_cold(function: Value, size: usize) -> bool {
    size > SMALL && is_model(&function.name()) && function.has_attribute(COLD)
}

/// Keeps a function from being optimised.
pub(super) fn leave(function: Value) {
    function.add_attribute("noinline");
    function.add_attribute("optnone");
}

/// Moves the functions with these names to an object beside `object`, if there are any, and returns its path.
///
/// # Errors
/// Where LLVM cannot.
pub(super) fn split(module: &Module<'_>, machine: &TargetMachine, cold: &[String], object: &Path) -> Result<Option<PathBuf>, CompileError> {
    let cold: FxHashSet<&str> = cold.iter().map(String::as_str).collect();
    let is_cold = |f: &Value| !f.is_declaration() && cold.contains(&*f.name());
    let here = module.as_mut_ptr();
    if !functions(here).iter().any(is_cold) {
        return Ok(None);
    }
    name_all(here);
    let copy = module.clone();
    let there = copy.as_mut_ptr();
    keep_only(&copy, machine, &is_cold)?;
    if has_aliases(there) {
        return Ok(None);
    }
    let used = globals(there).into_iter().chain(functions(there)).filter(|value| !value.is_declaration() && !is_cold(value));
    for theirs in used.collect::<Vec<_>>() {
        let ours = named(here, &theirs.name()).ok_or_else(|| llvm("the models of the C library", &theirs.name()))?;
        share(ours, theirs);
    }
    for function in functions(there).into_iter().filter(is_cold) {
        set(function, LLVMLinkage::LLVMExternalLinkage);
        let ours = named(here, &function.name()).ok_or_else(|| llvm("the models of the C library", &function.name()))?;
        set(ours, LLVMLinkage::LLVMAvailableExternallyLinkage);
    }
    run(module, machine, DROP)?;
    run(&copy, machine, DROP)?;
    let path = object.with_extension("cold.o");
    machine.write_to_file(&copy, FileType::Object, &path).map_err(|e| llvm("the models of the C library", &e))?;
    Ok(Some(path))
}

/// Drops all that the cold functions of a module do not use.
fn keep_only(module: &Module<'_>, machine: &TargetMachine, is_cold: &dyn Fn(&Value) -> bool) -> Result<(), CompileError> {
    let at = module.as_mut_ptr();
    for variable in globals(at) {
        // SAFETY: the variables belong to the module; lists of constructors and their like are used by nothing in it.
        unsafe {
            if LLVMGetLinkage(variable.0) == LLVMLinkage::LLVMAppendingLinkage {
                LLVMDeleteGlobal(variable.0);
            }
        }
    }
    let others = globals(at).into_iter().chain(functions(at)).filter(|value| !value.is_declaration() && !is_cold(value));
    others.for_each(|value| set(value, LLVMLinkage::LLVMInternalLinkage));
    functions(at).into_iter().filter(is_cold).for_each(|f| set(f, LLVMLinkage::LLVMExternalLinkage));
    // SAFETY: the aliases belong to the module.
    unsafe {
        let mut alias = LLVMGetFirstGlobalAlias(at);
        while !alias.is_null() {
            LLVMSetLinkage(alias, LLVMLinkage::LLVMInternalLinkage);
            alias = LLVMGetNextGlobalAlias(alias);
        }
    }
    run(module, machine, "globaldce")
}

/// Something of the program that cold functions use is declared there. A variable with a name that is only its file's gets another one; functions are models
/// and hooks, whose names are found in stacks.
fn share(ours: Value, theirs: Value) {
    // SAFETY: both belong to modules that are alive.
    unsafe {
        let local = matches!(LLVMGetLinkage(ours.0), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage);
        if local {
            let name = if ours.is_function() { ours.name() } else { format!("{SHARED}{}", ours.name()) };
            for value in [ours, theirs] {
                LLVMSetValueName2(value.0, name.as_ptr().cast(), name.len());
            }
            set(ours, LLVMLinkage::LLVMExternalLinkage);
        }
        LLVMSetComdat(theirs.0, std::ptr::null_mut());
    }
    set(theirs, LLVMLinkage::LLVMAvailableExternallyLinkage);
}

/// Gives names to constants that have none, so that they can be found in the copy.
fn name_all(module: LLVMModuleRef) {
    for (n, variable) in globals(module).into_iter().filter(|g| g.name().is_empty()).enumerate() {
        let name = format!("{SHARED}{n}");
        // SAFETY: the variable belongs to the module.
        unsafe { LLVMSetValueName2(variable.0, name.as_ptr().cast(), name.len()) };
    }
}

/// Sets the linkage, and for what other objects see, that only this program's do.
fn set(value: Value, linkage: LLVMLinkage) {
    let others = matches!(linkage, LLVMLinkage::LLVMExternalLinkage);
    // SAFETY: the value belongs to a module that is alive.
    unsafe {
        LLVMSetLinkage(value.0, linkage);
        let visibility = if others { LLVMVisibility::LLVMHiddenVisibility } else { LLVMVisibility::LLVMDefaultVisibility };
        LLVMSetVisibility(value.0, visibility);
    }
}

/// The variable or function of this name.
fn named(module: LLVMModuleRef, name: &str) -> Option<Value> {
    let name = std::ffi::CString::new(name).ok()?;
    // SAFETY: the name is a C string.
    let found = unsafe {
        let variable = LLVMGetNamedGlobal(module, name.as_ptr());
        if variable.is_null() { LLVMGetNamedFunction(module, name.as_ptr()) } else { variable }
    };
    (!found.is_null()).then_some(Value(found))
}

/// Whether there are other names for something, which cannot be declared.
fn has_aliases(module: LLVMModuleRef) -> bool {
    // SAFETY: the module is alive.
    unsafe { !LLVMGetFirstGlobalAlias(module).is_null() || !LLVMGetFirstGlobalIFunc(module).is_null() }
}
