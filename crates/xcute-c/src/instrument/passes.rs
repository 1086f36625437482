//! LLVM around the walk: reading and linking bitcode, the passes before and after, and emitting the object file.
//!
//! Before the walk only passes that keep every decision of the source may run: no simplifycfg, no instcombine (notes in
//! `docs/ARCHITECTURE.md`). After it anything may, since hooks with effects keep the branches apart.
#![allow(unsafe_code, reason = "LLVM's C API")]

use std::path::{Path, PathBuf};

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{
    LLVMAliasGetAliasee, LLVMGetFirstGlobalAlias, LLVMGetLinkage, LLVMGetModuleContext, LLVMGetNextGlobalAlias, LLVMMDNodeInContext2,
    LLVMMetadataAsValue, LLVMReplaceAllUsesWith, LLVMSetLinkage, LLVMSetMetadata,
};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};
use rustc_hash::FxHashSet;

use super::llvm::{Value, functions, kind};
use super::refused::{llvm, run};
use super::whole::{self, Marks, Scale};
use super::{cold, faithful, kept, models, own, places, suited, uninitialised, visible};
use crate::instrument::compiled::{CompileError, Compiled};
use crate::names::{MAIN, STATIC};

/// The hooks, compiled by `build.rs`.
static HOOKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hooks.bc"));

/// What the entry cannot reach is dropped.
const REACHABLE: &str = "internalize<preserve-gv=xcute_harness>,globaldce";
/// Lowers atomics and vectors to plain scalar code.
const LOWER: &str = "function(lower-atomic,scalarizer)";
/// Registers instead of memory for locals, and a block of its own for every arm.
const PREPARE: &str = "function(sroa<preserve-cfg>,break-crit-edges)";
/// Memory instead of registers for all that lives longer than a block.
const DEMOTE: &str = "function(reg2mem)";
/// After the walk: what makes inlined hooks cheap and takes out of loops what they repeat. `default<O2>` takes five times as long, and runs are not faster.
const OPTIMISE: &str = "always-inline,globaldce,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(loop-rotate,licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg)";
/// The same for large programs.
const OPTIMISE_LARGE: &str = "always-inline,globaldce,function(instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";
/// For programs of which few runs, or short ones, are made: what counts is to be ready soon.
const INLINE: &str = "always-inline,globaldce";
/// Instructions from which on a program is large.
const LARGE: usize = 15_000;
/// Instructions from which on code generation does not optimise either: it would take twice as long.
const HUGE: usize = 200_000;

/// What the code of a program is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// To be ready soon: hooks are called, and nothing is optimised.
    Quick,
    /// To run fast: hooks are inlined, and the result is optimised. That takes several times as long.
    Fast,
    /// To follow all memory.
    Followed(Locals),
}

/// Where locals are in a program whose memory is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locals {
    /// Those that can be are in memory ([`kept`]).
    InMemory,
    /// In registers, as in the ordinary program.
    InRegisters,
}

/// Links bitcode files into one module, instruments it, and writes the object file, and one next to it if some of its functions are [`cold`]. The paths
/// of both.
///
/// # Errors
/// Where LLVM cannot read, link or emit.
pub fn instrument_files(
    bitcode: &[(String, PathBuf)],
    object: &Path,
    compiled: &mut Compiled,
    code: Code,
) -> Result<Vec<PathBuf>, CompileError> {
    let _phase = xcute_term::profile::phase("instrumenting");
    let follow = matches!(code, Code::Followed(_));
    let in_memory = code == Code::Followed(Locals::InMemory);
    let context = Context::create();
    let machine = machine()?;
    let module = link(&context, bitcode)?;
    suited::check(&module, &machine)?;
    suited::split_coroutines(&module, &machine)?;
    let files = models::adopt(&context, &module)?;
    keep_bodies(&module);
    if compiled.closed {
        run(&module, &machine, REACHABLE)?;
    }
    let threads = visible::creates_threads(module.as_mut_ptr());
    if threads {
        own::find_copies(module.as_mut_ptr());
        visible::mark_atomics(module.as_mut_ptr(), &visible::EXPLORED);
    }
    let marks = Marks { plain_select: lower(&module, &machine)?, check: kind(module.as_mut_ptr(), "nosanitize") };
    if in_memory {
        kept::hide(module.as_mut_ptr());
    }
    prepare(&module, &machine)?;
    if in_memory {
        kept::show(module.as_mut_ptr());
    }
    if threads {
        visible::mark_waits(module.as_mut_ptr(), &visible::EXPLORED);
    }
    places::number(module.as_mut_ptr());
    let blocks = functions(module.as_mut_ptr()).into_iter().flat_map(Value::blocks);
    let size = blocks.map(|b| b.instructions().len()).sum::<usize>();
    let hooks = MemoryBuffer::create_from_memory_range_copy(HOOKS, "hooks.bc");
    let hooks = Module::parse_bitcode_from_buffer(&hooks, &context).map_err(|e| llvm("the runtime's hooks", &e))?;
    module.link_in_module(hooks).map_err(|e| llvm("the runtime's hooks", &e))?;
    compiled.instructions = size;
    let scale = Scale { large: size > LARGE, threads, files, follow, quick: code == Code::Quick };
    let cold = whole::instrument(module.as_mut_ptr(), marks, scale, compiled, &|| run(&module, &machine, DEMOTE))?;
    hide_hooks(&module);
    module.verify().map_err(|e| llvm("the program (a bug of xcute)", &e))?;
    if follow {
        // What it would say of failures, the ordinary program says.
        module.strip_debug_info();
    }
    run(
        &module,
        &machine,
        if code != Code::Fast {
            INLINE
        } else if size > LARGE {
            OPTIMISE_LARGE
        } else {
            OPTIMISE
        },
    )?;
    let machine = if code != Code::Fast || size > HUGE { machine_at(OptimizationLevel::None)? } else { machine };
    let beside = if code != Code::Fast { None } else { cold::split(&module, &machine_at(OptimizationLevel::None)?, &cold, object)? };
    machine.write_to_file(&module, FileType::Object, object).map_err(|e| llvm("the program", &e))?;
    Ok(std::iter::once(object.to_owned()).chain(beside).collect())
}

/// Calls that stand in two places must stay two: a merged one has no line, and a failure in it no place.
const KEEP_APART: [&std::ffi::CStr; 4] = [c"xcute", c"-sink-common-insts=false", c"-hoist-common-insts=false", c"-enable-tail-merge=false"];

/// Sets LLVM's options, which are those of the process.
fn set_options() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let arguments = KEEP_APART.map(std::ffi::CStr::as_ptr);
        // SAFETY: all are C strings that live for ever; `call_once` keeps other threads away.
        unsafe { LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), std::ptr::null()) };
    });
}

pub(super) fn machine() -> Result<TargetMachine, CompileError> {
    machine_at(OptimizationLevel::Default)
}

fn machine_at(level: OptimizationLevel) -> Result<TargetMachine, CompileError> {
    set_options();
    Target::initialize_x86(&InitializationConfig::default());
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(|e| llvm("for this machine", &e))?;
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::Static, CodeModel::Small)
        .ok_or_else(|| llvm("for this machine", &"no code generator"))
}

pub(super) fn link<'c>(context: &'c Context, bitcode: &[(String, PathBuf)]) -> Result<Module<'c>, CompileError> {
    let mut whole: Option<Module<'c>> = None;
    for (name, path) in bitcode {
        let buffer = MemoryBuffer::create_from_file(path).map_err(|e| llvm(name, &e))?;
        let module = Module::parse_bitcode_from_buffer(&buffer, context).map_err(|e| llvm(name, &e))?;
        // The runtime has its own.
        if let Some(main) = module.get_function("main").filter(|main| main.count_basic_blocks() > 0) {
            main.as_global_value().set_name(MAIN);
        }
        match &whole {
            Some(whole) => whole.link_in_module(module).map_err(|e| llvm(name, &e))?,
            None => whole = Some(module),
        }
    }
    let whole = whole.ok_or_else(|| llvm("nothing", &"no source files"))?;
    resolve_aliases(&whole);
    Ok(whole)
}

/// Puts functions in the place of the aliases that make them callable from other units.
fn resolve_aliases(module: &Module<'_>) {
    // SAFETY: the aliases and what they stand for belong to the module, whose list of aliases stays as it is.
    unsafe {
        let mut next = LLVMGetFirstGlobalAlias(module.as_mut_ptr());
        while !next.is_null() {
            let alias = Value(next);
            next = LLVMGetNextGlobalAlias(next);
            if alias.name().starts_with(STATIC) {
                LLVMReplaceAllUsesWith(alias.0, LLVMAliasGetAliasee(alias.0));
                // It is no longer used: it vanishes when the module is optimised. The C interface deletes variables and functions only.
                LLVMSetLinkage(alias.0, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }
}

/// Runs [`PREPARE`]: uninitialised locals get their first values, and accesses stay what they are.
pub(super) fn prepare(module: &Module<'_>, machine: &TargetMachine) -> Result<(), CompileError> {
    uninitialised::begin(module.as_mut_ptr());
    faithful::begin(module.as_mut_ptr());
    run(module, machine, PREPARE)?;
    faithful::end(module.as_mut_ptr());
    uninitialised::settle(module.as_mut_ptr());
    Ok(())
}

/// C's `inline` functions have their body elsewhere too; here it is instrumented, so it must be the one that is used.
pub(super) fn keep_bodies(module: &Module<'_>) {
    for function in functions(module.as_mut_ptr()) {
        // SAFETY: the function belongs to the module.
        unsafe {
            if LLVMGetLinkage(function.0) == LLVMLinkage::LLVMAvailableExternallyLinkage {
                LLVMSetLinkage(function.0, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
        }
        function.remove_attribute("alwaysinline");
        function.remove_attribute("optnone");
    }
}

/// Runs [`LOWER`] and marks the selects that it made: they are not decisions of the source.
pub(super) fn lower(module: &Module<'_>, machine: &TargetMachine) -> Result<u32, CompileError> {
    use inkwell::llvm_sys::LLVMOpcode::LLVMSelect;
    let selects = || -> Vec<Value> {
        let blocks = functions(module.as_mut_ptr()).into_iter().flat_map(Value::blocks);
        blocks.flat_map(|b| b.instructions()).filter(|i| i.opcode() == LLVMSelect).collect()
    };
    let before: FxHashSet<Value> = selects().into_iter().collect();
    run(module, machine, LOWER)?;
    let kind = kind(module.as_mut_ptr(), "xcute.plain");
    // SAFETY: the context and the selects belong to the module.
    unsafe {
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        let mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0));
        for select in selects().into_iter().filter(|s| !before.contains(s)) {
            LLVMSetMetadata(select.0, kind, mark);
        }
        Ok(kind)
    }
}

/// After inlining nobody needs the hooks' own bodies.
fn hide_hooks(module: &Module<'_>) {
    for function in functions(module.as_mut_ptr()).into_iter().filter(|f| f.name().starts_with("xch_")) {
        // SAFETY: the function belongs to the module.
        unsafe { LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage) };
    }
}
