//! The pack: all classes that a JVM loads from memory.

/// Which loader a class belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Copies of classes of the JDK.
    Copies = 1,
    /// The program.
    Program = 2,
    /// The class of the program that calls the method under test.
    Driver = 3,
}

/// A class in the pack.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The classes of the runtime, in the order in which they are defined.
const RUNTIME: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// The bytes of the pack: the runtime's classes, which the agent defines, then those of the program, which the runtime's loaders define.
pub(crate) fn pack(classes: &[Packed]) -> Vec<u8> {
    let mut out = Vec::new();
    let word = |out: &mut Vec<u8>, value: usize| out.extend_from_slice(&u32::try_from(value).expect("classes are small").to_le_bytes());
    word(&mut out, RUNTIME.len());
    for (name, bytes) in RUNTIME {
        word(&mut out, name.len());
        word(&mut out, bytes.len());
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(bytes);
    }
    word(&mut out, classes.len());
    for class in classes {
        word(&mut out, class.group as usize);
        word(&mut out, class.name.len());
        word(&mut out, class.bytes.len());
        out.extend_from_slice(class.name.as_bytes());
        out.extend_from_slice(&class.bytes);
    }
    out
}
