//! Calls that are replaced: inputs, assumptions, assertions, and what must not happen in a run.
//!
//! A replacement has the same effect on the stack, so nothing else in the method changes.

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, Kind, MemberRef, Pool};

use super::body::Target;

const RUNTIME: &str = "java/lang/XcuteRt";
const VERIFIER: &str = "org/sosy_lab/sv_benchmarks/Verifier";

/// What takes the place of a call: its code, and what it does.
pub(super) fn replacement(pool: &mut Pool, call: MemberRef<'_>) -> Result<Option<(Vec<u8>, Target)>, ClassError> {
    let input = |kind| Target::Input { kind, named: false, string: false };
    // How many places of the receiver lie below the arguments, the runtime's method, and what it does.
    let (receiver, name, descriptor, target) = match (call.class, call.name, call.descriptor) {
        (VERIFIER, "nondetString", _) => {
            (false, "nextString", "()Ljava/lang/String;", Target::Input { kind: Kind::Reference, named: false, string: true })
        }
        (VERIFIER, name, descriptor) if name.starts_with("nondet") => match next(descriptor) {
            Some((name, kind)) => (false, name, descriptor, input(kind)),
            None => return Ok(None),
        },
        (VERIFIER, "assume", "(Z)V") | ("cute/Cute", "Assume", "(Z)V") => (false, "assume", "(Z)V", Target::Assume),
        ("cute/Cute", "Assert", "(Z)V") => (false, "check", "(Z)V", Target::Check),
        ("cute/Input", "Object" | "ObjectShallow", descriptor) => {
            let named = Target::Input { kind: Kind::Reference, named: true, string: false };
            (true, "nextNamed", descriptor, named)
        }
        ("cute/Input", _, descriptor) => match next(descriptor) {
            Some((name, kind)) => (true, name, descriptor, input(kind)),
            None => return Ok(None),
        },
        // What drivers call themselves.
        (RUNTIME, "at", "(I)V") => (false, "at", "(I)V", Target::At),
        (RUNTIME, "nextL", descriptor) => (false, "nextL", descriptor, input(Kind::Reference)),
        (RUNTIME, name, descriptor) if name.starts_with("next") => match next(descriptor) {
            Some((name, kind)) => (false, name, descriptor, input(kind)),
            None => return Ok(None),
        },
        ("java/lang/System", "exit", "(I)V") => (false, "exit", "(I)V", Target::Exit),
        ("java/lang/Runtime", "exit" | "halt", "(I)V") => (true, "exit", "(I)V", Target::Exit),
        _ => return Ok(None),
    };
    let mut code = Assembler::new();
    if receiver {
        if descriptor.starts_with("()") {
            code.op(POP);
        } else {
            code.op(SWAP).op(POP);
        }
    }
    code.call_static(pool, RUNTIME, name, descriptor)?;
    Ok(Some((code.finish(), target)))
}

/// The runtime's method for an input of the type that a descriptor returns.
fn next(descriptor: &str) -> Option<(&'static str, Kind)> {
    Some(match descriptor {
        "()Z" => ("nextZ", Kind::Boolean),
        "()B" => ("nextB", Kind::Byte),
        "()C" => ("nextC", Kind::Char),
        "()S" => ("nextS", Kind::Short),
        "()I" => ("nextI", Kind::Int),
        "()J" => ("nextJ", Kind::Long),
        "()F" => ("nextF", Kind::Float),
        "()D" => ("nextD", Kind::Double),
        _ => return None,
    })
}
