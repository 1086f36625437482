//! The instrumenter: rewrites LLVM bitcode so that it records what it does with inputs.
//!
//! [`llvm`], [`attributes`] and [`emit`] wrap LLVM's C API; [`passes`] prepares the module and optimises the result; [`models`] brings in what
//! stands for functions of the C library; [`sites`] numbers decisions and
//! coverage; [`walk`] goes through a function and calls [`arith`], [`memory`], [`control`], [`calls`] and [`intrinsic_calls`] for the groups that
//! [`opcodes`] assigns; [`foreign`], with [`library`] and [`sharing`], and [`assembly`] are about code that is not instrumented, [`output`] and [`beyond`] about what leaves the program; [`visible`] marks what other threads may see, for the walk and for [`replayed`] programs, [`spin`] loops that only wait for them, and [`own`] finds
//! thread-local variables; [`faithful`] keeps accesses that LLVM may call undefined, [`jumps`] are those of `longjmp` and of computed `goto`; [`exceptions`] is what C++ adds, [`zones`] makes room around objects in the end, [`followed`] and [`kept`] are what programs need whose memory is followed; [`harmless`] says whether anything can fail, [`places`] distinguishes operations that stand at one place. Each only inserts straight-line calls of the hooks in `runtimes/c/hooks.c`, which the optimiser inlines: blocks
//! are never split here. What several of these need, and that needs no walk, are small files of their own: [`hooks`], [`intrinsics`] (the table; the walk's part is [`intrinsic_calls`]), [`landings`],
//! [`logical`], [`maybe`], [`ours`], [`runtime`], [`slots`], [`steps`], [`columns`], [`vocabulary`] and [`refused`].
//!
//! **Invariant.** The native computation is not changed: hooks read its values and write only the runtime's memory.

mod arith;
mod assembly;
mod assumed;
mod attributes;
mod beyond;
mod calls;
mod cold;
pub(crate) mod columns;
pub(crate) mod compiled;
mod control;
mod emit;
mod exceptions;
mod faithful;
pub(crate) mod family;
mod flow;
mod followed;
mod foreign;
mod forwarders;
mod harmless;
mod hooks;
mod intrinsic_calls;
mod intrinsics;
mod jumps;
mod kept;
mod landings;
mod lasting;
mod library;
mod llvm;
mod logical;
mod maybe;
mod memory;
mod models;
mod next;
mod opcodes;
mod orders;
pub(crate) mod ours;
mod output;
mod outside;
mod own;
pub mod passes;
mod patience;
mod places;
mod program;
pub(crate) mod quiet;
mod refused;
pub(crate) mod replayed;
mod runtime;
mod sections;
mod sharing;
mod sites;
mod slots;
mod spin;
mod stateless;
mod steps;
mod suited;
mod synchronise;
mod uninitialised;
mod visible;
mod vocabulary;
mod walk;
mod zones;

/// The numbers of node operators, from `runtimes/c/ops.def`.
#[allow(dead_code, reason = "the list is the runtime's; the instrumenter emits some of the operators only through it")]
pub mod ops {
    include!(concat!(env!("OUT_DIR"), "/ops.rs"));
}

use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashSet;

use self::emit::Emit;
use self::llvm::{Value, functions, globals, has_assembly};
use self::program::Program;
use crate::instrument::compiled::{CompileError, Compiled, ObjectName};
use crate::names;

pub(crate) use self::synchronise::contains as is_synchronisation;

/// Instruments every function with a body, except the hooks, and fills the tables of `compiled`. The names of those that are [`cold`].
///
/// `demote` takes everything that blocks share out of registers; it is called for programs whose memory is followed.
///
/// # Errors
/// Those of `demote`.
pub(crate) fn instrument(
    module: LLVMModuleRef,
    marks: passes::Marks,
    scale: passes::Scale,
    compiled: &mut Compiled,
    demote: &dyn Fn() -> Result<(), CompileError>,
) -> Result<Vec<String>, CompileError> {
    let is_hook = |f: &Value| f.name().starts_with("xch_");
    let bodies: Vec<Value> = functions(module).into_iter().filter(|f| !f.is_declaration() && !is_hook(f)).collect();
    let mut program = Program::default();
    program.instrumented = bodies.iter().copied().collect();
    program.sources.clone_from(&compiled.sources);
    program.plain_select = marks.plain_select;
    program.check = marks.check;
    program.large = scale.large;
    // A function pointer that is an input leads to any function of its signature, whether the program takes its address or not. Models are
    // no functions of the program.
    let calls_pointer = |i: &Value| i.is_call() && !i.callee().is_function() && !i.callee().is_inline_asm();
    let indirect = bodies.iter().flat_map(|f| f.blocks()).flat_map(|b| b.instructions()).any(|i| calls_pointer(&i));
    let pointed_to = |f: &Value| f.users().iter().any(|u| !(u.is_instruction() && is_direct_call(*u, *f)));
    let pointed: Vec<Value> = bodies.iter().copied().filter(pointed_to).collect();
    let pointed_to: FxHashSet<Value> = pointed.iter().copied().collect();
    let taken = |f: &Value| (indirect && !ours::is_model(&f.name())) || pointed_to.contains(f);
    program.address_taken = bodies.iter().copied().filter(taken).collect();
    // Functions in assembly may name everything.
    compiled.linked |= has_assembly(module);
    program.linked = compiled.linked;
    let named = |f: &&Value| compiled.linked && !f.is_own();
    program.called_by_others = pointed.iter().chain(bodies.iter().filter(named)).copied().collect();
    program.variables = globals(module).into_iter().map(|global| (global.name(), global)).collect();
    let harmless = harmless::harmless(&bodies);
    compiled.vocabulary = vocabulary::vocabulary(module);
    let emit = Emit::new(module);
    compiled.threads = scale.threads;
    program.threads = scale.threads;
    if scale.threads {
        program.hooks = visible::mark_accesses(&emit, &visible::EXPLORED);
    }
    program.own_files = scale.files;
    program.follow = scale.follow;
    program.quick = scale.quick;
    if scale.follow {
        // Sites are those of the program as it is otherwise: they are numbered before anything is taken out of registers.
        let numbered: Vec<_> = bodies.iter().map(|&function| walk::number(&emit, &mut program, function)).collect();
        bodies.iter().for_each(|&function| slots::spill(&emit, function));
        demote()?;
        for (&function, numbered) in bodies.iter().zip(numbered) {
            walk::walk(&emit, &mut program, function, Some(numbered));
        }
    } else {
        bodies.iter().for_each(|&function| walk::walk(&emit, &mut program, function, None));
    }
    next::fill(&mut program);
    compiled.harmless = harmless && harmless::unchecked(&program);
    if scale.threads {
        program.schedule_site();
    }
    uninitialised::end(module);
    let rows = zones::of_globals(&emit, &mut program.objects, compiled.linked);
    emit.table("xc_globals", "xc_n_globals", &rows);
    emit.functions("xc_functions", "xc_n_functions", &pointed);
    emit.constant("xc_linked", u64::from(compiled.linked));
    let stateless = |name: &str| stateless::contains(name) || (scale.threads && synchronise::contains(name));
    compiled.snapshot_libc =
        functions(module).iter().any(|f| f.is_declaration() && !f.is_intrinsic() && !stateless(&f.name()) && !f.users().is_empty());
    compiled.sites = program.sites;
    compiled.switches = program.switches;
    compiled.coverage = program.coverage;
    compiled.input_keys = program.input_keys;
    compiled.functions = program.functions;
    compiled.files = program.files;
    compiled.foreign = program.foreign;
    compiled.departures = program.departures;
    compiled.unsupported = program.unsupported;
    let object = |(name, function): (String, String)| ObjectName { name, function: names::shown(&function).to_owned() };
    compiled.objects = program.objects.into_iter().map(object).collect();
    Ok(program.cold)
}

fn is_direct_call(user: Value, function: Value) -> bool {
    user.is_call() && user.callee() == function && !user.arguments().contains(&function)
}

#[cfg(test)]
mod tests;
