//! Memory errors in words: the access, the object, how far the one is from the other, and where the object comes from.
//!
//! **Invariant.** What the head says is not trusted: numbers that name nothing are left out.

use xcute_trace::{FailureKind, Note, Outcome};

use crate::instrument::compiled::ObjectName;
use crate::run::symbolize::Symbols;
use crate::wire::{XcControl, access, check, object};

/// Whether the failed check is one of memory.
pub(super) fn is_one(head: &XcControl) -> bool {
    head.check == check::BOUNDS || (check::FREED..=check::LEAK).contains(&head.check)
}

/// The kind of failure, and one line about it.
pub(super) fn told(head: &XcControl, objects: &[ObjectName]) -> (FailureKind, String) {
    let object = described(head, objects);
    let bytes = head.access_bytes;
    let what = match head.access {
        access::WRITE => format!("write of {}", counted(bytes)),
        _ => format!("read of {}", counted(bytes)),
    };
    match head.check {
        check::FREED => (FailureKind::UseAfterFree, format!("{what}, {} into {object}, which was freed", counted(inside(head)))),
        check::LEFT => (FailureKind::UseAfterReturn, format!("{what} of {object}, whose function has returned")),
        check::DOUBLE_FREE => (FailureKind::DoubleFree, format!("{object} is freed again")),
        check::INVALID_FREE => (FailureKind::InvalidFree, format!("free of {}", freed(head, &object))),
        check::UNINITIALISED => (FailureKind::Uninitialised, uninitialised(head, &object)),
        check::LEAK if bytes > 1 => {
            (FailureKind::Leak, format!("{object} and {} more are never freed, and nothing points to them", bytes - 1))
        }
        check::LEAK => (FailureKind::Leak, format!("{object} is never freed, and nothing points to it")),
        _ => (FailureKind::OutOfBounds, format!("{what}, {}", distance(head, &object))),
    }
}

/// Adds where the object was allocated and freed.
pub(super) fn with_notes(outcome: Outcome, head: &XcControl, symbols: &mut Symbols) -> Outcome {
    let Outcome::Failed(mut failure) = outcome else { return outcome };
    for (what, origin) in [("allocated", &head.allocated), ("freed", &head.freed)] {
        let returns: Vec<u64> = origin.iter().copied().take_while(|&pc| pc != 0).map(u64::from).collect();
        let place = if head.object_kind == object::HEAP { symbols.stack(0, &returns).into_iter().next() } else { None };
        failure.notes.extend(place.map(|at| Note { what: what.to_owned(), at }));
    }
    Outcome::Failed(failure)
}

fn described(head: &XcControl, objects: &[ObjectName]) -> String {
    let size = head.object_size;
    let named = objects.get(head.object_name as usize);
    match (head.object_kind, named) {
        (object::HEAP, _) => format!("the {size}-byte heap object"),
        (object::INPUT, _) => format!("the {size}-byte input object"),
        (object::STACK, Some(ObjectName { name, function })) => match source_name(name) {
            Some(name) => format!("local `{name}` of `{function}` ({size} bytes)"),
            None => format!("a local of `{function}` ({size} bytes)"),
        },
        (object::GLOBAL, Some(ObjectName { name, .. })) => match name.split_once('.') {
            Some(("", _)) => format!("a literal of {size} bytes"),
            Some((function, local)) if source_name(local).is_some() => {
                format!("static `{}` of `{function}` ({size} bytes)", source_name(local).unwrap_or_default())
            }
            _ => format!("global `{}` ({size} bytes)", source_name(name).unwrap_or(name)),
        },
        _ => "no object".into(),
    }
}

/// What the source calls a variable: LLVM puts a dot and more after it where it needs to.
fn source_name(name: &str) -> Option<&str> {
    let first = name.split('.').next().unwrap_or_default();
    (!first.is_empty() && !first.starts_with(|c: char| c.is_ascii_digit())).then_some(first)
}

fn distance(head: &XcControl, object: &str) -> String {
    let (at, base, end) = (head.fault_address, head.object_base, head.object_base.saturating_add(head.object_size));
    match head.object_kind {
        object::NONE => "outside of all objects".into(),
        _ if at < base => format!("{} before {object}", counted(base - at)),
        _ => format!("{} after {object}", counted(at.saturating_sub(end))),
    }
}

fn uninitialised(head: &XcControl, object: &str) -> String {
    let does = if head.access == access::ADDRESS { "is used as an address" } else { "decides a branch" };
    match head.object_kind {
        object::NONE => format!("an uninitialised local {does}"),
        _ => format!("an uninitialised value {does}: {} into {object}", counted(inside(head))),
    }
}

fn inside(head: &XcControl) -> u64 {
    head.fault_address.saturating_sub(head.object_base)
}

fn freed(head: &XcControl, object: &str) -> String {
    let (at, base) = (head.fault_address, head.object_base);
    match head.object_kind {
        object::NONE => "what was not allocated".into(),
        object::HEAP if at > base && at - base < head.object_size => format!("a pointer {} into {object}", counted(at - base)),
        object::HEAP => format!("a pointer next to {object}"),
        _ => object.to_owned(),
    }
}

fn counted(bytes: u64) -> String {
    if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(unsafe_code, reason = "a block of zeros")]
    fn head(check: u32, kind: u32, at: u64) -> XcControl {
        // SAFETY: plain numbers, for which zero is valid.
        let mut head: XcControl = unsafe { std::mem::zeroed() };
        (head.check, head.object_kind, head.fault_address) = (check, kind, at);
        (head.object_base, head.object_size, head.access_bytes, head.access) = (1000, 40, 4, access::WRITE);
        head
    }

    #[test]
    fn accesses_are_told_with_their_distance() {
        let names =
            [ObjectName { name: "buf.i".into(), function: "f".into() }, ObjectName { name: "f.count".into(), function: String::new() }];
        let text = |check, kind, at, name| told(&XcControl { object_name: name, ..head(check, kind, at) }, &names).1;
        assert_eq!(text(check::BOUNDS, object::HEAP, 1040, 0), "write of 4 bytes, 0 bytes after the 40-byte heap object");
        assert_eq!(text(check::BOUNDS, object::STACK, 999, 0), "write of 4 bytes, 1 byte before local `buf` of `f` (40 bytes)");
        assert_eq!(text(check::BOUNDS, object::GLOBAL, 1041, 1), "write of 4 bytes, 1 byte after static `count` of `f` (40 bytes)");
        assert_eq!(text(check::BOUNDS, object::STACK, 999, 77), "write of 4 bytes, 1 byte before no object");
        assert_eq!(text(check::FREED, object::HEAP, 1008, 0), "write of 4 bytes, 8 bytes into the 40-byte heap object, which was freed");
        assert_eq!(text(check::INVALID_FREE, object::HEAP, 1008, 0), "free of a pointer 8 bytes into the 40-byte heap object");
    }
}
