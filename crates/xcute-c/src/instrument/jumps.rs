//! Jumps that are not branches: the value that `longjmp` hands to `setjmp`, and `goto` to an address that was computed.
//!
//! **Invariant.** A `setjmp` that was jumped to takes its handle at once; where foreign code jumped, its value is concrete.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{
    LLVMAddGlobal, LLVMArrayType2, LLVMBlockAddress, LLVMConstArray2, LLVMPointerTypeInContext, LLVMSetGlobalConstant, LLVMSetInitializer,
    LLVMSetLinkage,
};

use super::llvm::Value;
use super::walk::Walker;

impl Walker<'_> {
    /// A call of `longjmp`: its second argument arrives where it leads to.
    pub(super) fn jump(&mut self, i: Value, name: &str) {
        self.emit.before(i);
        self.emit.hook("xch_leaving", &[]);
        self.untold_call(name);
        self.emit.hook("xch_jump", &[self.one(i.arguments()[1])]);
    }

    /// After a call of `setjmp`: what it gives.
    pub(super) fn landing(&mut self, i: Value) {
        self.emit.after(i);
        let value = self.emit.word(i);
        let handle = self.emit.hook("xch_landing", &[value]);
        self.set(i, handle);
    }

    /// A `goto` to a computed address: which of the labels it is.
    pub(super) fn indirect_branch(&mut self, i: Value) {
        let Some(&site) = self.sites.get(&i) else { return };
        let address = i.operand(0);
        self.emit.before(i);
        let labels = i.successors();
        // SAFETY: the blocks are the function's, and the types are of the module's context.
        let table = unsafe {
            let pointer = LLVMPointerTypeInContext(self.emit.context, 0);
            let mut addresses: Vec<_> = labels.iter().map(|block| LLVMBlockAddress(self.function.0, block.0)).collect();
            let table = LLVMAddGlobal(self.emit.module, LLVMArrayType2(pointer, addresses.len() as u64), c"xcute.labels".as_ptr());
            LLVMSetInitializer(table, LLVMConstArray2(pointer, addresses.as_mut_ptr(), addresses.len() as u64));
            LLVMSetGlobalConstant(table, 1);
            LLVMSetLinkage(table, LLVMLinkage::LLVMInternalLinkage);
            Value(table)
        };
        let count = self.emit.int(u32::try_from(labels.len()).unwrap_or(u32::MAX));
        let words = [self.one(address), self.emit.word(address), self.emit.int(site.0), self.emit.word(table), count];
        self.emit.hook("xch_goto", &words);
    }
}
