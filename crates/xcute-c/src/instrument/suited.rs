//! What a linked module must be like before anything is added to it: code for this machine, static data that fits, no coroutines.
//!
//! LLVM ends the whole process where it cannot generate code, so what it could stumble over is refused or lowered here.

use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::values::GlobalValue;

use super::refused::run;
use crate::instrument::compiled::CompileError;

/// Splits coroutines into functions that start, resume and destroy them, as clang does without optimisation. What lives across a suspension is in
/// the frame, an object of the heap like any other.
const COROUTINES: &str = "coro-early,cgscc(coro-split),coro-cleanup,globaldce";
/// What their intrinsics begin with.
const COROUTINE: &str = "llvm.coro.";

/// The bytes of static data that have room below the memory that is shared with the engine (`XC_SHARED`), with some for code.
const STATIC: u64 = 230 << 20;

/// Refuses a module that cannot become a subject.
///
/// # Errors
/// [`CompileError::Target`], [`CompileError::TooMuchData`].
pub(super) fn check(module: &Module<'_>, machine: &TargetMachine) -> Result<(), CompileError> {
    let triple = module.get_triple().as_str().to_string_lossy().into_owned();
    let ours = TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned();
    let architecture = |triple: &str| triple.split('-').next().unwrap_or_default().to_owned();
    if !triple.is_empty() && (architecture(&triple) != architecture(&ours) || triple.ends_with("x32")) {
        return Err(CompileError::Target { triple, ours });
    }
    let data = machine.get_target_data();
    let size = |global: &GlobalValue<'_>| if global.is_declaration() { 0 } else { data.get_abi_size(&global.get_value_type()) };
    let total: u64 = module.get_globals().map(|global| size(&global)).fold(0, u64::saturating_add);
    if total <= STATIC {
        return Ok(());
    }
    let largest = module.get_globals().max_by_key(size);
    let name = largest.map(|global| global.get_name().to_string_lossy().into_owned()).unwrap_or_default();
    Err(CompileError::TooMuchData { name, mebibytes: total >> 20, most: STATIC >> 20 })
}

/// Lowers coroutines, if there are any.
///
/// # Errors
/// Where LLVM cannot.
pub(super) fn split_coroutines(module: &Module<'_>, machine: &TargetMachine) -> Result<(), CompileError> {
    if module.get_functions().any(|function| function.get_name().to_bytes().starts_with(COROUTINE.as_bytes())) {
        run(module, machine, COROUTINES)?;
    }
    Ok(())
}
