//! Java class files.
//!
//! [`ClassFile`] is a class as it is stored, [`Code`] the code of a method, [`Instruction`] what it consists of. [`rewrite`] inserts
//! straight-line code, [`rename`] makes a class refer to others, [`assemble`] writes new code. [`jimage`] and [`jar`] are where classes come from.
//!
//! **Invariant.** Nothing here knows what the code is rewritten for, and nothing is skipped: what cannot be read or rewritten is a
//! [`ClassError`] with its reason.

pub mod assemble;
pub mod bytes;
mod class;
mod code;
pub mod descriptor;
mod error;
pub mod flow;
mod frames;
mod instruction;
pub mod jar;
pub mod jimage;
pub mod opcode;
mod pool;
pub mod rename;
pub mod rewrite;
pub mod text;

pub use class::{Attribute, ClassFile, Member, VERSIONS, access};
pub use code::{Code, Handler, LocalVariable};
pub use descriptor::{Kind, Signature};
pub use error::ClassError;
pub use instruction::{Instruction, Operand, Switch, decode};
pub use pool::{Constant, MemberRef, Pool};
