//! What can be wrong with a class file, or with what is to become one.

use thiserror::Error;

/// Why a class cannot be read or rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClassError {
    /// It ends too early.
    #[error("the class file ends in the middle, at byte {at}")]
    Truncated {
        /// Where.
        at: usize,
    },
    /// It does not begin as class files do.
    #[error("this is not a class file: it begins with {0:#010x}")]
    Magic(u32),
    /// Annotations in annotations, deeper than anybody writes them.
    #[error("its annotations are nested too deeply")]
    Nested,
    /// Its version is not between 45 and 69.
    #[error("class version {major} is not supported (45 to 69 are: Java 1.1 to 25)")]
    Version {
        /// The version.
        major: u16,
    },
    /// A constant is missing or of the wrong kind.
    #[error("constant {index} is not {expected}")]
    Constant {
        /// Its number.
        index: u16,
        /// What it should be.
        expected: &'static str,
    },
    /// A tag of the constant pool that does not exist.
    #[error("constant {index} has the unknown tag {tag}")]
    Tag {
        /// Its number.
        index: u16,
        /// The tag.
        tag: u8,
    },
    /// An instruction that does not exist.
    #[error("there is no instruction {opcode:#04x} (at {pc})")]
    Opcode {
        /// Where.
        pc: u32,
        /// The byte.
        opcode: u8,
    },
    /// A jump into the middle of an instruction.
    #[error("a position in the code, {pc}, is not that of an instruction")]
    Position {
        /// The position.
        pc: u32,
    },
    /// A descriptor that is not one.
    #[error("`{0}` is not a descriptor")]
    Descriptor(String),
    /// The constant pool is full.
    #[error("the class has too many constants")]
    PoolFull,
    /// The method with inserted code is longer than a method may be.
    #[error("{method}: with what xcute inserts, the method has {bytes} bytes of code (the JVM allows 65535)")]
    TooLong {
        /// Its name and descriptor.
        method: String,
        /// How many.
        bytes: usize,
    },
    /// A jump in a method with inserted code is longer than its instruction allows.
    #[error("{method}: with what xcute inserts, the jump at {pc} is too long for its instruction")]
    FarJump {
        /// Name and descriptor of the method.
        method: String,
        /// The position of the jump.
        pc: u32,
    },
    /// Something that the rewriter relies on does not hold.
    #[error("{method}: {what}")]
    Unsupported {
        /// Name and descriptor of the method.
        method: String,
        /// What.
        what: String,
    },
}
