//! The instrumenter: rewrites LLVM bitcode so that it records what it does with inputs.
