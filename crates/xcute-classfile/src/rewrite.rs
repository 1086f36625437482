//! The rewriter: inserts straight-line code before and after instructions.
//!
//! `label(pc)` is where the code inserted before `pc` begins, `at(pc)` the instruction itself. Jumps, switches, handlers, lines and frames use
//! labels, so that who jumps to an instruction runs what was inserted before it; `Uninitialized(pc)` of frames uses `at`, since it names the
//! `new` itself. Code after an instruction is not run by who jumps to the next one. All jumps have the width they had; a jump that would need
//! more is an error, since an inverted jump around a `goto_w` would need a frame that nobody computed.
//!
//! **Invariant.** What is inserted leaves stack and locals as they were, and does not jump. Then every frame stays true.

use crate::bytes::{Reader, Writer};
use crate::class::{Attribute, ClassFile};
use crate::code::{Code, Handler};
use crate::error::ClassError;
use crate::frames::{self, Frame, Shape, Type};
use crate::instruction::{Instruction, Operand, Switch};
use crate::opcode::*;

/// What happens at one instruction.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// Runs before it, also for those who jump to it.
    pub before: Vec<u8>,
    /// Takes its place; has the same effect on the stack.
    pub instead: Option<Vec<u8>>,
    /// Runs after it, unless it jumps, returns or throws.
    pub after: Vec<u8>,
}

/// A handler for everything that leaves a method.
#[derive(Clone, Debug, Default)]
pub struct CatchAll {
    /// Its code: the exception is on the stack, no local has a value, and it ends with `athrow`.
    pub code: Vec<u8>,
    /// The positions it covers: first, and first after.
    pub ranges: Vec<(u32, u32)>,
}

/// What is inserted into a method.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Runs once, before everything: who jumps to the first instruction does not run it.
    pub prologue: Vec<u8>,
    /// By number of the instruction.
    pub edits: Vec<(usize, Edit)>,
    /// The handler, if there is one.
    pub catch_all: Option<CatchAll>,
    /// Places on the stack that inserted code needs in addition.
    pub stack: u16,
}

/// Inserts code into a method. `method` is its name in errors.
///
/// # Errors
/// Where the result is not a method that the JVM allows, or the original is malformed.
pub fn rewrite(class: &mut ClassFile, method: &str, code: &Code, instructions: &[Instruction], edits: &Edits) -> Result<Code, ClassError> {
    let plan = Plan::new(method, code, instructions, edits)?;
    let mut bytes = Vec::with_capacity(plan.length);
    bytes.extend_from_slice(&edits.prologue);
    let mut rest = edits.edits.as_slice();
    for (number, instruction) in instructions.iter().enumerate() {
        let edit = take(&mut rest, number);
        bytes.extend_from_slice(edit.map_or(&[], |edit| &edit.before));
        match edit.and_then(|edit| edit.instead.as_ref()) {
            Some(instead) => bytes.extend_from_slice(instead),
            None => plan.copy(instruction, code, &mut bytes)?,
        }
        bytes.extend_from_slice(after(instruction, edit));
    }
    let mut handlers = Vec::with_capacity(code.handlers.len());
    for h in &code.handlers {
        // A handler that covers itself, as compilers write them for `finally`, does not cover what is inserted before it: that would be for ever.
        let start = if h.start == h.handler { plan.at(h.start)? } else { plan.label(h.start)? };
        let (end, handler) = (plan.label(h.end)?, plan.label(h.handler)?);
        handlers.push(Handler { start, end, handler, catches: h.catches });
    }
    let mut last = None;
    if let Some(all) = &edits.catch_all {
        let at = u32::try_from(bytes.len()).expect("checked by the plan");
        for &(start, end) in &all.ranges {
            handlers.push(Handler { start: plan.label(start)?, end: plan.label(end)?, handler: at, catches: 0 });
        }
        bytes.extend_from_slice(&all.code);
        last = Some(at).filter(|_| !all.ranges.is_empty());
    }
    debug_assert_eq!(bytes.len(), plan.length, "{method}: as planned");
    let attributes = plan.attributes(class, code, last)?;
    let max_stack = code.max_stack.saturating_add(edits.stack);
    Ok(Code { max_stack, max_locals: code.max_locals, bytes, handlers, attributes })
}

/// The edit of an instruction, if it has one; edits are sorted by number.
fn take<'a>(rest: &mut &'a [(usize, Edit)], number: usize) -> Option<&'a Edit> {
    let (first, others) = rest.split_first()?;
    if first.0 != number {
        return None;
    }
    *rest = others;
    Some(&first.1)
}

/// What runs after an instruction. After one that never goes on it would be dead code, which needs a frame.
fn after<'a>(instruction: &Instruction, edit: Option<&'a Edit>) -> &'a [u8] {
    edit.filter(|edit| edit.instead.is_some() || instruction.falls_through()).map_or(&[], |edit| &edit.after)
}

/// Where everything goes.
struct Plan<'a> {
    method: &'a str,
    /// By old position: the label, plus one; 0 where no instruction begins.
    labels: Vec<u32>,
    /// By old position: the instruction itself.
    places: Vec<u32>,
    length: usize,
}

impl<'a> Plan<'a> {
    fn new(method: &'a str, code: &Code, instructions: &[Instruction], edits: &Edits) -> Result<Plan<'a>, ClassError> {
        let (mut labels, mut places) = (vec![0; code.bytes.len() + 1], vec![0; code.bytes.len() + 1]);
        let mut at = edits.prologue.len();
        let mut rest = edits.edits.as_slice();
        let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX - 1);
        for (number, instruction) in instructions.iter().enumerate() {
            let edit = take(&mut rest, number);
            labels[instruction.pc as usize] = position(at) + 1;
            at += edit.map_or(0, |edit| edit.before.len());
            places[instruction.pc as usize] = position(at);
            at += match (&instruction.operand, edit.and_then(|edit| edit.instead.as_ref())) {
                (_, Some(instead)) => instead.len(),
                // Padding depends on the position.
                (Operand::Switch(switch), _) => switch_length(instruction.opcode, at, switch),
                _ => instruction.length as usize,
            };
            at += after(instruction, edit).len();
        }
        debug_assert!(rest.is_empty(), "{method}: edits are sorted and of instructions that exist");
        labels[code.bytes.len()] = position(at) + 1;
        at += edits.catch_all.as_ref().map_or(0, |all| all.code.len());
        if at > usize::from(u16::MAX) {
            return Err(ClassError::TooLong { method: method.to_owned(), bytes: at });
        }
        Ok(Plan { method, labels, places, length: at })
    }

    fn label(&self, pc: u32) -> Result<u32, ClassError> {
        self.labels.get(pc as usize).and_then(|label| label.checked_sub(1)).ok_or(ClassError::Position { pc })
    }

    fn at(&self, pc: u32) -> Result<u32, ClassError> {
        self.label(pc).map(|_| self.places[pc as usize])
    }

    /// Appends an instruction as it was, with its jumps corrected.
    fn copy(&self, instruction: &Instruction, code: &Code, out: &mut Vec<u8>) -> Result<(), ClassError> {
        let old = &code.bytes[instruction.pc as usize..(instruction.pc + instruction.length) as usize];
        let here = u32::try_from(out.len()).expect("checked by the plan");
        let offset = |target: u32| Ok::<_, ClassError>(self.label(target)?.cast_signed() - here.cast_signed());
        match &instruction.operand {
            Operand::Jump(target) if instruction.length == 5 => {
                out.u1(old[0]);
                out.u4(offset(*target)?.cast_unsigned());
            }
            Operand::Jump(target) => {
                let far = |_| ClassError::FarJump { method: self.method.to_owned(), pc: instruction.pc };
                out.u1(old[0]);
                out.u2(i16::try_from(offset(*target)?).map_err(far)?.cast_unsigned());
            }
            Operand::Switch(switch) => {
                out.u1(instruction.opcode);
                out.resize(out.len().next_multiple_of(4), 0);
                out.u4(offset(switch.default)?.cast_unsigned());
                if instruction.opcode == TABLESWITCH {
                    let bound = |case: Option<&(i32, u32)>| case.expect("a table is not empty").0.cast_unsigned();
                    out.u4(bound(switch.cases.first()));
                    out.u4(bound(switch.cases.last()));
                } else {
                    out.u4(u32::try_from(switch.cases.len()).expect("fewer than bytes of code"));
                }
                for &(value, target) in &switch.cases {
                    if instruction.opcode == LOOKUPSWITCH {
                        out.u4(value.cast_unsigned());
                    }
                    out.u4(offset(target)?.cast_unsigned());
                }
            }
            _ => out.extend_from_slice(old),
        }
        Ok(())
    }

    /// The attributes that can be kept, with their positions corrected; a frame for the catch-all handler at `last`.
    fn attributes(&self, class: &mut ClassFile, code: &Code, last: Option<u32>) -> Result<Vec<Attribute>, ClassError> {
        let mut kept = Vec::new();
        let mut frames = None;
        for attribute in &code.attributes {
            let data = match class.pool.utf8(attribute.name)? {
                "LineNumberTable" => self.lines(&attribute.data)?,
                "LocalVariableTable" | "LocalVariableTypeTable" => self.locals(&attribute.data)?,
                "StackMapTable" => {
                    frames = Some((attribute.name, frames::read(&attribute.data)?));
                    continue;
                }
                // Annotations of types and what nobody knows say nothing that the JVM needs.
                _ => continue,
            };
            kept.push(Attribute { name: attribute.name, data });
        }
        if frames.is_none() && (last.is_none() || class.major < 50) {
            return Ok(kept);
        }
        let (name, mut frames) = match frames {
            Some(found) => found,
            None => (class.pool.add_utf8("StackMapTable")?, Vec::new()),
        };
        for frame in &mut frames {
            frame.pc = self.label(frame.pc)?;
            for kind in frame.shape.types_mut() {
                if let Type::Uninitialized(pc) = kind {
                    *pc = self.at(*pc)?;
                }
            }
        }
        if let Some(pc) = last {
            let throwable = class.pool.add_class("java/lang/Throwable")?;
            frames.push(Frame { pc, shape: Shape::Full(Vec::new(), vec![Type::Object(throwable)]) });
        }
        kept.push(Attribute { name, data: frames::write(&frames) });
        Ok(kept)
    }

    fn lines(&self, data: &[u8]) -> Result<Vec<u8>, ClassError> {
        let mut reader = Reader::new(data);
        let mut out = Vec::with_capacity(data.len());
        let count = reader.u2()?;
        out.u2(count);
        for _ in 0..count {
            // The prologue belongs to the line of the first instruction.
            let pc = u32::from(reader.u2()?);
            let label = if pc == 0 { 0 } else { self.label(pc)? };
            out.u2(u16::try_from(label).expect("checked by the plan"));
            out.u2(reader.u2()?);
        }
        Ok(out)
    }

    fn locals(&self, data: &[u8]) -> Result<Vec<u8>, ClassError> {
        let mut reader = Reader::new(data);
        let mut out = Vec::with_capacity(data.len());
        let count = reader.u2()?;
        out.u2(count);
        for _ in 0..count {
            let (start, length) = (u32::from(reader.u2()?), u32::from(reader.u2()?));
            let (from, to) = (self.label(start)?, self.label(start + length)?);
            out.u2(u16::try_from(from).expect("checked by the plan"));
            out.u2(u16::try_from(to - from).expect("checked by the plan"));
            out.extend_from_slice(reader.take(6)?);
        }
        Ok(out)
    }
}

fn switch_length(opcode: u8, at: usize, switch: &Switch) -> usize {
    let padding = (4 - (at + 1) % 4) % 4;
    let (head, each) = if opcode == TABLESWITCH { (12, 4) } else { (8, 8) };
    1 + padding + head + each * switch.cases.len()
}
