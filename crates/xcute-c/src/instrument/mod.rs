//! The instrumenter: rewrites LLVM bitcode so that it records what it does with inputs.
//!
//! [`llvm`], [`attributes`] and [`emit`] wrap LLVM's C API; [`passes`] prepares the module and optimises the result; [`whole`] instruments what it prepared; [`models`] brings in what
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
mod callers;
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
mod whole;
mod zones;

/// The numbers of node operators, from `runtimes/c/ops.def`.
#[allow(dead_code, reason = "the list is the runtime's; the instrumenter emits some of the operators only through it")]
pub mod ops {
    include!(concat!(env!("OUT_DIR"), "/ops.rs"));
}

pub(crate) use self::synchronise::contains as is_synchronisation;

#[cfg(test)]
mod tests;
