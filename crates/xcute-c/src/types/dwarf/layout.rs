//! The members of a record as C text, with the offsets that the debugging information has.
//!
//! Mostly the compiler chooses those offsets by itself. Where it would not (packed and aligned members, bit-fields after bit-fields that have no name,
//! bases of C++ that share their padding), the record is packed, and padding is written out.
//!
//! **Invariant.** What is written has every member at its offset, and the record its size. Members of bases and of unnamed structures stand in the
//! record itself, so that their names are reached without another one.

use std::fmt::Write as _;

use super::declare::Undeclarable;
use super::define::{Definitions, identifier, keyword};
use super::{Program, Record, Type, TypeId};

/// A member with the unnamed records around it taken away.
struct Flat<'a> {
    /// `None`: an unnamed union, or an unnamed structure in a union.
    name: Option<&'a str>,
    of: TypeId,
    /// Bits from the start of the outer record.
    at: u64,
    /// For a bit-field, its width.
    width: Option<u64>,
}

impl Flat<'_> {
    fn bits(&self, program: &Program) -> u64 {
        self.width.unwrap_or(8 * program.size(self.of))
    }
}

fn members_of<'a>(program: &'a Program, record: &'a Record) -> Vec<Flat<'a>> {
    let mut out = Vec::new();
    flat(program, record, 0, &mut out, 0);
    out
}

fn flat<'a>(program: &'a Program, record: &'a Record, base: u64, out: &mut Vec<Flat<'a>>, depth: usize) {
    for member in &record.members {
        let at = base + 8 * member.offset + member.bits.map_or(0, |(bit, _)| u64::from(bit));
        match program.get(program.strip(member.of)) {
            Type::Record(inner) if member.name.is_none() && !record.union && !inner.union && depth < 32 => {
                flat(program, inner, at, out, depth + 1);
            }
            _ => out.push(Flat { name: member.name.as_deref(), of: member.of, at, width: member.bits.map(|(_, width)| u64::from(width)) }),
        }
    }
}

impl Program {
    /// The alignment of a record that is written so.
    pub(super) fn record_alignment(&self, record: &Record, depth: usize) -> u64 {
        let most = record.members.iter().map(|member| self.alignment(member.of, depth)).max().unwrap_or(1);
        let asked = record.alignment.unwrap_or(1);
        if self.is_natural(record, depth) { most.max(asked) } else { packed_alignment(record, most) }
    }

    /// Whether the compiler comes to the offsets by itself.
    fn is_natural(&self, record: &Record, depth: usize) -> bool {
        let members = members_of(self, record);
        let (mut end, mut most) = (0u64, record.alignment.unwrap_or(1));
        for member in &members {
            let alignment = self.alignment(member.of, depth);
            let place = match member.width {
                Some(width) => {
                    let unit = 8 * self.size(member.of).max(1);
                    if end % unit + width > unit { end.next_multiple_of(unit) } else { end }
                }
                None => end.next_multiple_of(8 * alignment),
            };
            most = most.max(alignment);
            if record.union {
                if member.at != 0 {
                    return false;
                }
                end = end.max(member.bits(self));
                continue;
            }
            if place != member.at {
                return false;
            }
            end = member.at + member.bits(self);
        }
        end.div_ceil(8).next_multiple_of(most) == record.size
    }
}

/// The alignment of a packed record: what the source asks for, else as much as its size allows, as far as calls can see it.
fn packed_alignment(record: &Record, most: u64) -> u64 {
    let allowed = 1 << record.size.trailing_zeros().min(4);
    record.alignment.unwrap_or(if record.members.iter().any(|m| !m.offset.is_multiple_of(most)) { 1 } else { most.min(allowed) })
}

impl Definitions<'_> {
    /// The members of a record in braces, and its attributes.
    pub(super) fn members(&mut self, record: &Record, depth: usize) -> Result<String, Undeclarable> {
        let program = self.program;
        let members = members_of(program, record);
        let natural = program.is_natural(record, depth);
        let (mut out, mut end, mut pads) = (String::from(" { "), 0, 0);
        for member in &members {
            if !natural && !record.union {
                padding(&mut out, end, member.at, &mut pads);
            }
            out += &self.member(member, depth)?;
            end = member.at + member.bits(program);
        }
        if !natural && !record.union {
            padding(&mut out, end, 8 * record.size, &mut pads);
        }
        // A class without members has a byte, a structure of C has none.
        if members.is_empty() && record.size > 0 {
            let _ = write!(out, "unsigned char xcute_bytes[{}]; ", record.size);
        }
        out.push('}');
        let most = record.members.iter().map(|member| program.alignment(member.of, depth)).max().unwrap_or(1);
        match record.alignment {
            _ if !natural => _ = write!(out, " __attribute__((packed, aligned({})))", packed_alignment(record, most)),
            Some(asked) => _ = write!(out, " __attribute__((aligned({asked})))"),
            None => {}
        }
        Ok(out)
    }

    fn member(&mut self, member: &Flat<'_>, depth: usize) -> Result<String, Undeclarable> {
        let program = self.program;
        let Some(name) = member.name else {
            let Type::Record(inner) = program.get(program.strip(member.of)) else { return Ok(String::new()) };
            return Ok(format!("{}{}; ", keyword(inner.union), self.members(inner, depth + 1)?));
        };
        let name = identifier(name);
        if let Type::Record(inner) = program.get(program.strip(member.of)) {
            self.record_name(program.strip(member.of), Some(inner.name.as_deref().unwrap_or(&name)));
        }
        let declared = match self.declare_at(member.of, &name, depth) {
            // What C has no name for is a number of bytes.
            Err(_) if member.width.is_none() => format!("unsigned char {name}[{}]", program.size(member.of)),
            declared => declared?,
        };
        Ok(match member.width {
            Some(width) => format!("{declared} : {width}; "),
            None => format!("{declared}; "),
        })
    }
}

/// Bits without a name, from one place to another.
fn padding(out: &mut String, from: u64, to: u64, pads: &mut u32) {
    let mut at = from;
    while at < to {
        if at.is_multiple_of(8) && to - at >= 8 {
            let bytes = (to - at) / 8;
            let _ = write!(out, "unsigned char xcute_pad_{pads}[{bytes}]; ");
            *pads += 1;
            at += 8 * bytes;
        } else {
            let bits = (8 - at % 8).min(to - at);
            let _ = write!(out, "unsigned char : {bits}; ");
            at += bits;
        }
    }
}
