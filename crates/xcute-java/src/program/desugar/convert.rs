//! Conversions between the types of a functional interface and those of the method that implements it: what `LambdaMetafactory` allows.

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, Kind, MemberRef, Pool, descriptor};

use crate::inputs::candidate::BOXES;

/// Converts the value on the stack from one type to another, both given by descriptors.
pub(in crate::program) fn convert(code: &mut Assembler, pool: &mut Pool, from: &str, to: &str) -> Result<(), ClassError> {
    let kind = |of: &str| Kind::of(of).ok_or_else(|| ClassError::Descriptor(of.to_owned()));
    match (kind(from)?, kind(to)?) {
        (Kind::Reference, Kind::Reference) => {
            if from != to && to != "Ljava/lang/Object;" {
                code.class(pool, CHECKCAST, descriptor::class_of(to).expect("a reference type"))?;
            }
        }
        (Kind::Reference, wanted) => {
            // A box of another type is unboxed to its own, then widened.
            let own = BOXES.iter().find(|(class, _)| descriptor::class_of(from) == Some(class)).map(|b| b.1);
            let held = own.unwrap_or(wanted);
            let class = boxes(held);
            if own.is_none() {
                code.class(pool, CHECKCAST, class)?;
            }
            let (name, result) = (format!("{}Value", java(held)), held.letter());
            let method = MemberRef { class, name: &name, descriptor: &format!("(){result}"), interface: false };
            code.call(pool, INVOKEVIRTUAL, method)?;
            widen(code, held, wanted);
        }
        (held, Kind::Reference) => {
            let class = boxes(held);
            code.call_static(pool, class, "valueOf", &format!("({})L{class};", held.letter()))?;
        }
        (held, wanted) => widen(code, held, wanted),
    }
    Ok(())
}

fn widen(code: &mut Assembler, from: Kind, to: Kind) {
    let small = |kind: Kind| !matches!(kind, Kind::Long | Kind::Float | Kind::Double);
    match (from, to) {
        (Kind::Long, Kind::Float) => code.op(L2F),
        (Kind::Long, Kind::Double) => code.op(L2D),
        (Kind::Float, Kind::Double) => code.op(F2D),
        (from, Kind::Long) if small(from) => code.op(I2L),
        (from, Kind::Float) if small(from) => code.op(I2F),
        (from, Kind::Double) if small(from) => code.op(I2D),
        _ => code,
    };
}

/// The class that boxes values of a kind.
pub(super) fn boxes(kind: Kind) -> &'static str {
    BOXES.iter().find(|b| b.1 == kind).map_or("java/lang/Object", |b| b.0)
}

/// The name of a primitive type.
fn java(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::Byte => "byte",
        Kind::Char => "char",
        Kind::Short => "short",
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Reference => "object",
    }
}
