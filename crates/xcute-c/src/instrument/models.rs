//! Models of library functions: C code of ours (`runtimes/c/models`) that stands in for what the program calls and does not define.
//!
//! A call of `strlen` becomes one of `xcm_strlen`, which is instrumented like the program, so that what is symbolic stays so. The library's
//! own `strlen` is not touched: code that is not instrumented, the runtime among it, goes on calling it. Programs that can have files of their own get
//! models of files and streams too; in others, streams are the library's, and models only check what is given to them.
//!
//! **Invariant.** A model that nobody calls is not in the module, and a function that the program defines itself is never replaced.
#![allow(unsafe_code, reason = "LLVM's C API")]

use std::ffi::CString;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{
    LLVMAddFunction, LLVMGetNamedFunction, LLVMGetNumOperands, LLVMReplaceAllUsesWith, LLVMSetLinkage, LLVMSetOperand,
};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

use super::llvm::{Value, functions};
use super::ours::{is_model, own_name};
use super::output;
use super::outside;
use super::refused::llvm;
use super::visible;
use super::{cold, forwarders};
use crate::instrument::compiled::CompileError;

/// The models, compiled by `build.rs`: `model-` for all programs, `files-` and `with-` for those that can have files of their own, `without-` for others.
static MODELS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What the names of files begin with whose models are for all programs: strings, memory, numbers.
const GENERAL: &str = "model-";

/// Of these, those whose models loops do not call.
const COLD: &[&str] = &["model-complaints", "model-options"];

/// What the rest of the name begins with if the model is for calls whose result nobody uses.
const UNREAD: &str = "unread_";

/// The same for calls whose format, moreover, is known and stores nothing.
const PLAIN: &str = "plain_";

/// The table of symbolic files, which the harness of a whole program defines.
const FILES: &str = "xcute_files";

/// Functions that give a program a file, a pipe or a stream of its own, or let it look into the buffer of a standard stream.
const OPENERS: &[&str] = &[
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "fdopen",
    "tmpfile",
    "tmpfile64",
    "fmemopen",
    "open_memstream",
    "setvbuf",
    "setbuf",
    "setbuffer",
    "open",
    "open64",
    "openat",
    "openat64",
    "__open_2",
    "__open64_2",
    "__openat_2",
    "__openat64_2",
    "creat",
    "creat64",
    "mkstemp",
    "mkstemp64",
    "mkostemp",
    "mkostemp64",
    "mkstemps",
    "mkstemps64",
    "mkostemps",
    "mkostemps64",
    "memfd_create",
    "pipe",
    "pipe2",
];

/// Whether a program can have files of its own that are modelled. Those of programs with threads are the system's, unless they are inputs.
fn has_files(module: &Module<'_>) -> bool {
    let opens = |f: &Value| OPENERS.contains(&&*f.name());
    module.get_global(FILES).is_some() || (called(module).iter().any(opens) && !visible::creates_threads(module.as_mut_ptr()))
}

/// Links the models of the functions that the module calls and does not define, and lets it call them. Whether the program can have files of its own.
pub(super) fn adopt<'c>(context: &'c Context, module: &Module<'c>) -> Result<bool, CompileError> {
    let (files, threads) = (has_files(module), visible::creates_threads(module.as_mut_ptr()));
    let kinds: &[&str] = if files { &[GENERAL, "files-", "with-"] } else { &[GENERAL, "without-"] };
    let fitting = MODELS.iter().filter(|(file, _)| kinds.iter().any(|kind| file.starts_with(kind)));
    let mut libraries: Vec<Library<'c>> = fitting.map(|&(file, bytes)| Library { file, bytes, read: None }).collect();
    for library in &mut libraries {
        // The program's calls alone: a model that calls a function by its plain name means the library's own.
        for function in called(module).into_iter().filter(|f| !(threads && !files && outside::is_shared(&f.name()))) {
            let name = function.name();
            if !library.mentions(&own_name(&name)) {
                continue;
            }
            let bodies = library.bodies(context)?;
            // One that is declared in another way is another function.
            let has = |name: &str| bodies.iter().any(|m| m.name() == name && m.value_type() == function.value_type());
            if has(&own_name(&name)) {
                let variants = [PLAIN, UNREAD].into_iter().filter(|variant| has(&own_name(&format!("{variant}{name}"))));
                replace(module, function, &variants.collect::<Vec<_>>(), files);
            }
        }
    }
    // Models call models of other files, in any order: they become one module before what is not called is left behind.
    let mut whole: Option<Module<'c>> = None;
    while let Some(library) = next(context, &mut libraries, module, whole.as_ref())? {
        let (file, library) = (library.file, library.into_module(context)?);
        match &whole {
            Some(whole) => whole.link_in_module(library).map_err(|e| llvm(file, &e))?,
            None => whole = Some(library),
        }
    }
    forwarders::adopt(module.as_mut_ptr());
    let Some(whole) = whole else { return Ok(files) };
    let bodies: Vec<Value> = functions(whole.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()).collect();
    set_linkage(&bodies, LLVMLinkage::LLVMLinkOnceODRLinkage);
    module.link_in_module(whole).map_err(|e| llvm("the models of the C library", &e))?;
    let adopted: Vec<Value> = functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration() && is_model(&f.name())).collect();
    set_linkage(&adopted, LLVMLinkage::LLVMInternalLinkage);
    Ok(files)
}

/// Takes out a file of models that the program, or the models that it has, call and do not have yet.
fn next<'c>(
    context: &'c Context,
    libraries: &mut Vec<Library<'c>>,
    module: &Module<'c>,
    whole: Option<&Module<'c>>,
) -> Result<Option<Library<'c>>, CompileError> {
    let calls = called(module).into_iter().chain(whole.map(called).unwrap_or_default());
    let names: Vec<String> = calls.map(|f| f.name()).filter(|name| is_model(name)).collect();
    for at in 0..libraries.len() {
        let library = &mut libraries[at];
        if names.iter().any(|name| library.mentions(name)) && library.bodies(context)?.iter().any(|b| names.contains(&b.name())) {
            return Ok(Some(libraries.swap_remove(at)));
        }
    }
    Ok(None)
}

/// A file of models. It is read where something in it may be needed: reading all of them takes longer than a small program.
struct Library<'c> {
    file: &'static str,
    bytes: &'static [u8],
    read: Option<(Module<'c>, Vec<Value>)>,
}

impl<'c> Library<'c> {
    /// Whether a name may be one of the file's functions: bitcode holds its names as they are.
    fn mentions(&self, name: &str) -> bool {
        memchr::memmem::find(self.bytes, name.as_bytes()).is_some()
    }

    /// The functions that it defines.
    fn bodies(&mut self, context: &'c Context) -> Result<&[Value], CompileError> {
        if self.read.is_none() {
            let buffer = MemoryBuffer::create_from_memory_range_copy(self.bytes, self.file);
            let module = Module::parse_bitcode_from_buffer(&buffer, context).map_err(|e| llvm(self.file, &e))?;
            let bodies: Vec<Value> = functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()).collect();
            if !self.file.starts_with(GENERAL) || COLD.contains(&self.file) {
                cold::declare(&bodies);
            }
            self.read = Some((module, bodies));
        }
        Ok(self.read.as_ref().map_or(&[][..], |(_, bodies)| bodies))
    }

    fn into_module(mut self, context: &'c Context) -> Result<Module<'c>, CompileError> {
        self.bodies(context)?;
        Ok(self.read.expect("it was read").0)
    }
}

/// The functions that a module calls and does not define.
fn called(module: &Module<'_>) -> Vec<Value> {
    functions(module.as_mut_ptr()).into_iter().filter(|f| f.is_declaration() && !f.users().is_empty()).collect()
}

/// Whoever uses `function` uses its model instead, which is declared, or one of `variants` that is for such a call. Output that needs no model stays what
/// it is.
fn replace(module: &Module<'_>, function: Value, variants: &[&str], files: bool) {
    let name = function.name();
    let is_call = |user: &Value| user.is_instruction() && user.is_call() && user.callee() == function;
    let calls: Vec<Value> = function.users().into_iter().filter(is_call).collect();
    let model = declare(module, function, &own_name(&name));
    // SAFETY: the functions and calls belong to the module, and have the same type.
    unsafe { LLVMReplaceAllUsesWith(function.0, model.0) };
    for call in calls {
        let plain = |variant: &str| variant != PLAIN || output::has_plain_format(&name, &call.arguments());
        if !files && output::is_output(call, &name, &call.arguments()) {
            set_callee(call, function);
        } else if let Some(variant) = variants.iter().find(|variant| call.users().is_empty() && plain(variant)) {
            set_callee(call, declare(module, function, &own_name(&format!("{variant}{name}"))));
        }
    }
}

/// A function of this name, with the type of another one.
fn declare(module: &Module<'_>, like: Value, name: &str) -> Value {
    let name = CString::new(name).expect("no name of a model holds a NUL");
    // SAFETY: the type belongs to the module.
    unsafe {
        let known = LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr());
        Value(if known.is_null() { LLVMAddFunction(module.as_mut_ptr(), name.as_ptr(), like.value_type().0) } else { known })
    }
}

fn set_callee(call: Value, function: Value) {
    // SAFETY: the last operand of a call is its callee; an invoke has its two blocks before it.
    unsafe {
        let last = u32::try_from(LLVMGetNumOperands(call.0)).expect("few operands") - 1;
        LLVMSetOperand(call.0, last, function.0);
    }
}

fn set_linkage(of: &[Value], linkage: LLVMLinkage) {
    for function in of {
        // SAFETY: the functions belong to a module that is alive.
        unsafe { LLVMSetLinkage(function.0, linkage) };
    }
}
