//! String concatenation: the builder that compilers wrote before Java 9.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, Constant, Kind, MemberRef, Pool, Signature};

use super::bootstrap::Bootstrap;
use super::{Desugared, Replacement};

const BUILDER: &str = "java/lang/StringBuilder";

/// A part of what is concatenated.
pub(super) enum Part {
    /// A text.
    Text(Vec<u16>),
    /// The next argument.
    Argument,
}

impl Desugared<'_> {
    pub(super) fn concat(&mut self, bootstrap: &Bootstrap, descriptor: &str) -> Result<Option<Replacement>, ClassError> {
        let signature = Signature::parse(descriptor)?;
        let parts = match bootstrap.arguments.split_first() {
            // `makeConcat`: the arguments and nothing else.
            None => signature.parameters.iter().map(|_| Part::Argument).collect(),
            Some((&recipe, constants)) => match parts(&self.class.pool, &self.class.pool.string(recipe)?, constants)? {
                Some(parts) => parts,
                None => return Ok(None),
            },
        };
        let mut code = Assembler::new();
        begin(&mut code, &mut self.class.pool)?;
        let (mut local, mut arguments) = (0, signature.parameters.iter());
        for part in parts {
            match part {
                Part::Text(text) => append_text(&mut code, &mut self.class.pool, &String::from_utf16_lossy(&text))?,
                Part::Argument => {
                    let Some(argument) = arguments.next() else { return Ok(None) };
                    let kind = Kind::of(argument).ok_or_else(|| ClassError::Descriptor(descriptor.to_owned()))?;
                    code.load(kind, local);
                    local += u16::try_from(kind.places()).expect("one or two");
                    append(&mut code, &mut self.class.pool, argument)?;
                }
            }
        }
        end(&mut code, &mut self.class.pool)?;
        let name = self.fresh("concat");
        Ok(Some(self.add(&name, descriptor, Body { code, stack: 4, locals: 0 })?))
    }
}

/// The parts of a recipe: 1 stands for an argument, 2 for a constant. `None` where a text cannot be written as a constant again.
fn parts(pool: &Pool, recipe: &[u16], constants: &[u16]) -> Result<Option<Vec<Part>>, ClassError> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut constants = constants.iter();
    for &unit in recipe {
        match unit {
            1 => {
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Argument);
            }
            2 => match constants.next().map(|&index| (index, pool.get(index))) {
                Some((index, Some(Constant::String(_)))) => text.extend(pool.string(index)?),
                Some((_, Some(Constant::Integer(value)))) => text.extend(value.to_string().encode_utf16()),
                Some((_, Some(Constant::Long(value)))) => text.extend(value.to_string().encode_utf16()),
                _ => return Ok(None),
            },
            unit => text.push(unit),
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    let whole = parts.iter().all(|part| !matches!(part, Part::Text(text) if String::from_utf16(text).is_err()));
    Ok(Some(parts).filter(|_| whole))
}

/// A new builder on the stack.
pub(super) fn begin(code: &mut Assembler, pool: &mut Pool) -> Result<(), ClassError> {
    let method = MemberRef { class: BUILDER, name: "<init>", descriptor: "()V", interface: false };
    code.class(pool, NEW, BUILDER)?.op(DUP).call(pool, INVOKESPECIAL, method)?;
    Ok(())
}

/// Appends the value on the stack, of a type given by its descriptor, to the builder below it.
pub(super) fn append(code: &mut Assembler, pool: &mut Pool, of: &str) -> Result<(), ClassError> {
    let of = match (of, Kind::of(of)) {
        ("Ljava/lang/String;", _) => of,
        (_, Some(Kind::Reference)) => "Ljava/lang/Object;",
        (_, Some(Kind::Byte | Kind::Short)) => "I",
        _ => of,
    };
    let descriptor = format!("({of})L{BUILDER};");
    code.call(pool, INVOKEVIRTUAL, MemberRef { class: BUILDER, name: "append", descriptor: &descriptor, interface: false })?;
    Ok(())
}

/// Appends a text to the builder on the stack.
pub(super) fn append_text(code: &mut Assembler, pool: &mut Pool, text: &str) -> Result<(), ClassError> {
    code.string(pool, text)?;
    append(code, pool, "Ljava/lang/String;")
}

/// Returns what the builder on the stack holds.
pub(super) fn end(code: &mut Assembler, pool: &mut Pool) -> Result<(), ClassError> {
    let method = MemberRef { class: BUILDER, name: "toString", descriptor: "()Ljava/lang/String;", interface: false };
    code.call(pool, INVOKEVIRTUAL, method)?.op(ARETURN);
    Ok(())
}
