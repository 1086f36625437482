//! Models of library functions: C code of ours (`runtimes/c/models`) that stands in for what the program calls and does not define.
//!
//! A call of `strlen` becomes one of `xcm_strlen`, which is instrumented like the program, so that what is symbolic stays so. The library's
//! own `strlen` is not touched: code that is not instrumented, the runtime among it, goes on calling it.
//!
//! **Invariant.** A model that nobody calls is not in the module, and a function that the program defines itself is never replaced.
#![allow(unsafe_code, reason = "LLVM's C API")]

use std::ffi::CString;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{LLVMAddFunction, LLVMReplaceAllUsesWith, LLVMSetLinkage};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

use super::llvm::{Value, functions};
use super::passes::llvm;
use crate::compile::CompileError;

/// The models, one file for each header, compiled by `build.rs`.
static MODELS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What the names of models and of their own functions begin with.
const PREFIX: &str = "xcm_";

/// Whether a function is a model, or a part of one.
pub(crate) fn is_model(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Links the models of the functions that the module calls and does not define, and lets it call them.
pub(super) fn adopt<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), CompileError> {
    let mut libraries = Vec::new();
    for (file, bytes) in MODELS {
        let library = parse(context, file, bytes)?;
        let bodies = bodies(&library);
        // The program's calls alone: a model that calls a function by its plain name means the library's own.
        for function in called(module) {
            let name = format!("{PREFIX}{}", function.name());
            // One that is declared in another way is another function.
            if bodies.iter().any(|m| m.name() == name && m.value_type() == function.value_type()) {
                replace(module, function, &name);
            }
        }
        libraries.push((file, bytes, bodies.iter().map(|b| b.name()).collect::<Vec<_>>()));
    }
    // Models call models of other files. Only what is called by then comes along, so a file may be needed again.
    while let Some((file, bytes, _)) = libraries.iter().find(|(_, _, names)| called(module).iter().any(|f| names.contains(&f.name()))) {
        let library = parse(context, file, bytes)?;
        set_linkage(&bodies(&library), LLVMLinkage::LLVMLinkOnceODRLinkage);
        module.link_in_module(library).map_err(|e| llvm(file, &e))?;
    }
    let adopted: Vec<Value> = functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration() && is_model(&f.name())).collect();
    set_linkage(&adopted, LLVMLinkage::LLVMInternalLinkage);
    Ok(())
}

fn parse<'c>(context: &'c Context, file: &str, bytes: &[u8]) -> Result<Module<'c>, CompileError> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, file);
    Module::parse_bitcode_from_buffer(&buffer, context).map_err(|e| llvm(file, &e))
}

/// The functions that a module defines.
fn bodies(module: &Module<'_>) -> Vec<Value> {
    functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()).collect()
}

/// The functions that a module calls and does not define.
fn called(module: &Module<'_>) -> Vec<Value> {
    functions(module.as_mut_ptr()).into_iter().filter(|f| f.is_declaration() && !f.users().is_empty()).collect()
}

/// Whoever uses `function` uses `name` instead, which is declared.
fn replace(module: &Module<'_>, function: Value, name: &str) {
    let name = CString::new(name).expect("no name of a model holds a NUL");
    // SAFETY: the function and its type belong to the module.
    unsafe {
        let model = LLVMAddFunction(module.as_mut_ptr(), name.as_ptr(), function.value_type().0);
        LLVMReplaceAllUsesWith(function.0, model);
    }
}

fn set_linkage(of: &[Value], linkage: LLVMLinkage) {
    for function in of {
        // SAFETY: the functions belong to a module that is alive.
        unsafe { LLVMSetLinkage(function.0, linkage) };
    }
}
