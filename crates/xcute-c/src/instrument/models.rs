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

use super::forwarders;
use super::llvm::{Value, functions};
use super::passes::llvm;
use crate::compile::CompileError;

/// The models, one file for each header, compiled by `build.rs`.
static MODELS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What the names of models and of their own functions begin with.
const PREFIX: &str = "xcm_";

/// The table of symbolic files, which the harness of a whole program defines, and the models that need it.
const FILES: (&str, &[&str]) = ("xcute_files", &["model-files", "model-streams"]);

/// Whether a function is a model, or a part of one.
pub(crate) fn is_model(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The name of a function of ours that stands for something of the library.
pub(super) fn own_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Links the models of the functions that the module calls and does not define, and lets it call them.
pub(super) fn adopt<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), CompileError> {
    let mut libraries = Vec::new();
    for (file, bytes) in MODELS {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, file);
        let library = Module::parse_bitcode_from_buffer(&buffer, context).map_err(|e| llvm(file, &e))?;
        // Functions that read files have models only where there are symbolic files.
        if FILES.1.contains(file) && module.get_global(FILES.0).is_none() {
            continue;
        }
        let bodies: Vec<Value> = functions(library.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()).collect();
        // The program's calls alone: a model that calls a function by its plain name means the library's own.
        for function in called(module) {
            let name = own_name(&function.name());
            // One that is declared in another way is another function.
            if bodies.iter().any(|m| m.name() == name && m.value_type() == function.value_type()) {
                replace(module, function, &name);
            }
        }
        libraries.push((file, library, bodies));
    }
    // Models call models of other files, in any order: they become one module before what is not called is left behind.
    let mut whole: Option<Module<'c>> = None;
    while let Some(wanted) = libraries.iter().position(|(_, _, bodies)| {
        let names: Vec<String> = bodies.iter().map(|b| b.name()).collect();
        let by_models = whole.as_ref().map(called).unwrap_or_default();
        called(module).iter().chain(&by_models).any(|f| names.contains(&f.name()))
    }) {
        let (file, library, _) = libraries.swap_remove(wanted);
        match &whole {
            Some(whole) => whole.link_in_module(library).map_err(|e| llvm(file, &e))?,
            None => whole = Some(library),
        }
    }
    forwarders::adopt(module.as_mut_ptr());
    let Some(whole) = whole else { return Ok(()) };
    let bodies: Vec<Value> = functions(whole.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()).collect();
    set_linkage(&bodies, LLVMLinkage::LLVMLinkOnceODRLinkage);
    module.link_in_module(whole).map_err(|e| llvm("the models of the C library", &e))?;
    let adopted: Vec<Value> = functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration() && is_model(&f.name())).collect();
    set_linkage(&adopted, LLVMLinkage::LLVMInternalLinkage);
    Ok(())
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
