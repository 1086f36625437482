//! What a call does, as far as is known before a run.

use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Kind, Signature};

use super::body::{Call, Reports, Target, Way};
use super::tables::Tables;
use super::{concurrent, special};

/// Resolves a call; with the code that takes its place, if something does.
pub(super) fn resolve(
    class: &mut ClassFile,
    tables: &mut Tables,
    opcode: u8,
    constant: u16,
    place: Option<u32>,
) -> Result<(Call, Option<Vec<u8>>), ClassError> {
    if opcode == INVOKEDYNAMIC {
        let (_, name, descriptor) = class.pool.dynamic(constant)?;
        let call = call(Way::Dynamic, "", name, descriptor, Target::Foreign)?;
        return Ok((call, None));
    }
    let member = class.pool.member(constant)?;
    let (owner, name, descriptor) = (member.class.to_owned(), member.name.to_owned(), member.descriptor.to_owned());
    let reference = xcute_classfile::MemberRef { class: &owner, name: &name, descriptor: &descriptor, interface: member.interface };
    let way = match opcode {
        INVOKESTATIC => Way::Static,
        INVOKESPECIAL => Way::Special,
        _ => Way::Virtual,
    };
    if let Some((code, target)) = special::replacement(&mut class.pool, reference)? {
        return Ok((call(way, &owner, &name, &descriptor, target)?, Some(code)));
    }
    if owner == concurrent::RUNTIME || owner == concurrent::LOCKS {
        return Ok((call(way, &owner, &name, &descriptor, Target::Thread)?, None));
    }
    if let Some(place) = place
        && let Some(code) = concurrent::replacement(&mut class.pool, tables, reference, place)?
    {
        return Ok((call(way, &owner, &name, &descriptor, Target::Thread)?, Some(code)));
    }
    let target = match way {
        Way::Virtual => match tables.bound(&owner, &name, &descriptor) {
            Some(method) => Target::Followed(method),
            None => Target::Selected,
        },
        _ => {
            // `super.m()` is looked for from the superclass of the caller on, whatever class the code names (JVMS 6.5, invokespecial).
            let from = match class.superclass()? {
                Some(superclass) if way == Way::Special && name != "<init>" && tables.is_above(&owner, class.name()) => {
                    superclass.to_owned()
                }
                _ => owner.clone(),
            };
            match tables.resolve(&from, &name, &descriptor) {
                Some(method) => Target::Followed(method),
                None => Target::Foreign,
            }
        }
    };
    Ok((call(way, &owner, &name, &descriptor, target)?, None))
}

fn call(way: Way, class: &str, name: &str, descriptor: &str, target: Target) -> Result<Call, ClassError> {
    let signature = Signature::parse(descriptor)?;
    Ok(Call {
        way,
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        parameters: signature.kinds().collect(),
        result: Kind::of(signature.result),
        target,
        reports: Reports::Nothing,
    })
}
