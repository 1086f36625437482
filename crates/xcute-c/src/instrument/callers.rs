//! Which function calls which, for the tables of coverage: what the entry can come to.
//!
//! Calls of xcute's own code (the harness, models of the library) are calls from outside, and so is whatever a pointer may lead to.
//!
//! **Invariant.** A function that is neither called from outside nor by a function that is, is called by nothing in the program.

use rustc_hash::{FxHashMap, FxHashSet};

use super::llvm::Value;
use super::program::Program;
use super::steps::Step;

/// Fills `calls` and `outside` of all functions. `pointed`: what pointers may lead to. It needs the flows of the program.
pub(super) fn fill(program: &mut Program, pointed: impl Iterator<Item = Value>) {
    let numbers: FxHashMap<String, u32> = (0..).zip(&program.functions).map(|(number, function)| (function.name.clone(), number)).collect();
    let number = |function: Value| numbers.get(&function.name()).copied();
    let mut calls: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); program.functions.len()];
    let mut outside: FxHashSet<u32> = pointed.filter_map(number).collect();
    for flow in &program.flows {
        let caller = number(flow.function);
        let callees = flow.blocks.iter().flatten().filter_map(|step| if let Step::Call(callee) = step { number(*callee) } else { None });
        match caller {
            Some(caller) => calls[caller as usize].extend(callees),
            None => outside.extend(callees),
        }
    }
    for ((number, function), calls) in (0..).zip(&mut program.functions).zip(calls) {
        function.calls = calls.into_iter().collect();
        function.calls.sort_unstable();
        function.outside = outside.contains(&number);
    }
}
