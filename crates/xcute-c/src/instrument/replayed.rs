//! Programs to be replayed: as they are, with hooks where the explored program has them, and nothing else.
//!
//! The passes are those of the explored program, because they decide which accesses there are. Atomic operations stay what they are: the threads
//! are real. Functions of the C library are our models here too, for they have accesses to count.
//!
//! **Invariant.** The n-th hook that a thread comes to is the n-th one of the explored program, if it goes the same way.

use std::path::Path;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;

use super::emit::Emit;
use super::passes;
use super::refused::{llvm, run};
use super::{models, suited, uninitialised, visible};
use crate::instrument::compiled::CompileError;
use crate::names::{HARNESS, MAIN};

/// As for the explored program, but for atomic operations.
const LOWER: &str = "function(scalarizer)";

/// Functions of the C++ library that the replay runtime has under other names, for a sanitizer defines them as well.
const RENAMED: [(&str, &str); 3] =
    [("__cxa_guard_acquire", "xcr_guard_acquire"), ("__cxa_guard_release", "xcr_guard_release"), ("__cxa_guard_abort", "xcr_guard_abort")];

/// Links bitcode files into one module, puts hooks into it, and writes it as bitcode. With `attribute` functions ask for a sanitizer.
///
/// # Errors
/// Where LLVM cannot read, link or write.
pub(crate) fn hook_files(bitcode: &[(String, std::path::PathBuf)], attribute: Option<&str>, to: &Path) -> Result<(), CompileError> {
    let context = Context::create();
    let machine = passes::machine()?;
    let module = passes::link(&context, bitcode)?;
    suited::split_coroutines(&module, &machine)?;
    models::adopt(&context, &module)?;
    passes::keep_bodies(&module);
    visible::mark_atomics(module.as_mut_ptr(), &visible::REPLAYED);
    run(&module, &machine, LOWER)?;
    passes::prepare(&module, &machine)?;
    visible::mark_waits(module.as_mut_ptr(), &visible::REPLAYED);
    visible::mark_accesses(&Emit::new(module.as_mut_ptr()), &visible::REPLAYED);
    uninitialised::end(module.as_mut_ptr());
    if let Some(attribute) = attribute {
        let attribute = context.create_enum_attribute(Attribute::get_named_enum_kind_id(attribute), 0);
        module.get_functions().filter(|f| f.count_basic_blocks() > 0).for_each(|f| f.add_attribute(AttributeLoc::Function, attribute));
    }
    for (name, ours) in RENAMED {
        module.get_function(name).filter(|f| f.count_basic_blocks() == 0).into_iter().for_each(|f| f.as_global_value().set_name(ours));
    }
    // A whole program has no harness: it begins with its own, which was renamed.
    if let (Some(main), None) = (module.get_function(MAIN), module.get_function(HARNESS)) {
        main.as_global_value().set_name("main");
    }
    module.verify().map_err(|e| llvm("the program (a bug of xcute)", &e))?;
    if module.write_bitcode_to_path(to) {
        Ok(())
    } else {
        Err(CompileError::Io { path: to.to_owned(), error: std::io::Error::last_os_error() })
    }
}
