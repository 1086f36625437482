//! Instruments a whole module: every function in turn, and the tables that the runtime and the front end need.
//!
//! **Invariant.** Sites are numbered in the order of the functions, and before anything is taken out of registers.

use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashSet;

use super::compiled::{CompileError, Compiled, ObjectName};
use super::emit::Emit;
use super::llvm::{Value, functions, globals, has_assembly};
use super::program::Program;
use super::{callers, harmless, next, ours, slots, stateless, synchronise, uninitialised, visible, vocabulary, walk, zones};
use crate::names;

/// What kind of program it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Whether hooks are inlined into loops only.
    pub(super) large: bool,
    /// Whether it can create threads.
    pub(super) threads: bool,
    /// Whether it can have files of its own.
    pub(super) files: bool,
    /// Whether all memory is followed.
    pub(super) follow: bool,
    /// Whether hooks are not inlined at all.
    pub(super) quick: bool,
}

/// The kinds of metadata that say what an instruction is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// Selects that are not decisions of the source.
    pub(super) plain_select: u32,
    /// What clang adds to check for undefined behaviour.
    pub(super) check: u32,
}

/// Instruments every function with a body, except the hooks, and fills the tables of `compiled`. The names of those that are cold (`cold`).
///
/// `demote` takes everything that blocks share out of registers; it is called for programs whose memory is followed.
///
/// # Errors
/// Those of `demote`.
pub(super) fn instrument(
    module: LLVMModuleRef,
    marks: Marks,
    scale: Scale,
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
    // Of the program's own calls through pointers nobody knows where they lead.
    let own = |f: &&Value| !ours::is_model(&f.name()) && !ours::is_generated(&f.name());
    let anywhere = bodies.iter().filter(own).flat_map(|f| f.blocks()).flat_map(|b| b.instructions()).any(|i| calls_pointer(&i));
    let outside = if anywhere { program.address_taken.clone() } else { program.called_by_others.clone() };
    callers::fill(&mut program, outside.into_iter());
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
