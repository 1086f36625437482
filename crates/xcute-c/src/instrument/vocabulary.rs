//! The texts of a program: string constants that its own code uses. They are likely parts of its inputs.
//!
//! **Invariant.** What only models and generated code use is not among them. The order is that of the texts.

use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::llvm::{Value, globals};
use super::ours::{is_generated, is_model};

/// Longer texts are messages.
const LONGEST: usize = 32;
/// How many are kept.
const MOST: usize = 1024;

/// The texts of a module that has not been instrumented yet.
pub(super) fn vocabulary(module: LLVMModuleRef) -> Vec<String> {
    let own = |user: &Value| {
        !user.is_instruction() || {
            let function = user.block().function().name();
            !is_model(&function) && !is_generated(&function)
        }
    };
    let used = globals(module).into_iter().filter(|global| global.users().iter().any(own));
    let mut texts: Vec<String> = used.filter_map(Value::string).filter(|text| (1..=LONGEST).contains(&text.len())).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.truncate(MOST);
    texts
}
