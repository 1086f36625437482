//! Which values are objects that no constructor has seen, at each instruction.
//!
//! Such an object may be passed to nobody, so code that reports objects has to know when an object is complete, and whether a copy of it is
//! at hand. A forward data-flow analysis over three facts per place: some value, what the `new` at a position made, the receiver of a
//! constructor before its `super(…)`.
//!
//! **Invariant.** Paths that join with different facts have *some value*; the verifier lets nobody use such a place as an uninitialised object.

use crate::class::ClassFile;
use crate::code::Code;
use crate::descriptor::{Kind, Signature};
use crate::error::ClassError;
use crate::instruction::{Instruction, Operand};
use crate::opcode::*;

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A value.
    Some,
    /// What the `new` at this position made.
    New(u32),
    /// The receiver of a constructor before the constructor of its superclass has returned.
    This,
}

/// The places before an instruction; values of two places take two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The stack, its top last.
    pub stack: Vec<Place>,
    /// The locals.
    pub locals: Vec<Place>,
}

/// The state before each instruction; `None` where none leads.
///
/// # Errors
/// Where the code is malformed.
pub fn analyse(class: &ClassFile, constructor: bool, code: &Code, instructions: &[Instruction]) -> Result<Vec<Option<State>>, ClassError> {
    let mut index = vec![usize::MAX; code.bytes.len()];
    for (number, instruction) in instructions.iter().enumerate() {
        index[instruction.pc as usize] = number;
    }
    let number = |pc: u32| index.get(pc as usize).copied().filter(|&n| n != usize::MAX).ok_or(ClassError::Position { pc });
    let mut states: Vec<Option<State>> = vec![None; instructions.len()];
    let mut first = State { stack: Vec::new(), locals: vec![Place::Some; usize::from(code.max_locals)] };
    if let Some(this) = first.locals.first_mut().filter(|_| constructor) {
        *this = Place::This;
    }
    let mut open = Vec::new();
    if !instructions.is_empty() {
        states[0] = Some(first);
        open.push(0);
    }
    while let Some(at) = open.pop() {
        let instruction = &instructions[at];
        let before = states[at].clone().expect("open instructions have a state");
        for handler in code.handlers.iter().filter(|h| (h.start..h.end).contains(&instruction.pc)) {
            let caught = State { stack: vec![Place::Some], locals: before.locals.clone() };
            join(&mut states, number(handler.handler)?, caught, &mut open);
        }
        let mut after = before;
        step(class, instruction, &mut after)?;
        for target in instruction.targets() {
            let mut state = after.clone();
            if instruction.opcode == JSR {
                state.stack.push(Place::Some);
            }
            join(&mut states, number(target)?, state, &mut open);
        }
        // A subroutine comes back to where it was called from.
        if (instruction.falls_through() || instruction.opcode == JSR) && at + 1 < instructions.len() {
            join(&mut states, at + 1, after, &mut open);
        }
    }
    Ok(states)
}

fn join(states: &mut [Option<State>], at: usize, state: State, open: &mut Vec<usize>) {
    let Some(known) = &mut states[at] else {
        states[at] = Some(state);
        return open.push(at);
    };
    let mut changed = false;
    let places = known.stack.iter_mut().zip(&state.stack).chain(known.locals.iter_mut().zip(&state.locals));
    for (place, other) in places {
        if *place != *other && *place != Place::Some {
            *place = Place::Some;
            changed = true;
        }
    }
    if changed {
        open.push(at);
    }
}

/// What an instruction does to the places.
fn step(class: &ClassFile, instruction: &Instruction, state: &mut State) -> Result<(), ClassError> {
    let opcode = instruction.opcode;
    match (&instruction.operand, opcode) {
        (Operand::Local(local), ALOAD) => {
            let place = state.locals.get(usize::from(*local)).copied().unwrap_or(Place::Some);
            state.stack.push(place);
        }
        (Operand::Local(local), ISTORE..=ASTORE) => {
            let place = pop(state, 1, instruction.pc)?;
            let wide = matches!(opcode, LSTORE | DSTORE);
            if wide {
                pop(state, 1, instruction.pc)?;
            }
            for offset in 0..=usize::from(wide) {
                if let Some(kept) = state.locals.get_mut(usize::from(*local) + offset) {
                    *kept = if opcode == ASTORE { place } else { Place::Some };
                }
            }
        }
        (_, NEW) => state.stack.push(Place::New(instruction.pc)),
        (_, DUP..=SWAP) => duplicate(opcode, state, instruction.pc)?,
        (Operand::Constant(index), GETSTATIC..=PUTFIELD) => {
            let places = Kind::of(class.pool.member(*index)?.descriptor).map_or(1, Kind::places);
            let receiver = usize::from(opcode >= GETFIELD);
            let (out, back) = if matches!(opcode, GETSTATIC | GETFIELD) { (receiver, places) } else { (receiver + places, 0) };
            change(state, out, back, instruction.pc)?;
        }
        (Operand::Constant(index), INVOKEVIRTUAL..=INVOKEDYNAMIC) => {
            let (name, descriptor) = if opcode == INVOKEDYNAMIC {
                let (_, name, descriptor) = class.pool.dynamic(*index)?;
                (name, descriptor)
            } else {
                let member = class.pool.member(*index)?;
                (member.name, member.descriptor)
            };
            let signature = Signature::parse(descriptor)?;
            change(state, signature.places(), 0, instruction.pc)?;
            if !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC) {
                let receiver = pop(state, 1, instruction.pc)?;
                if opcode == INVOKESPECIAL && name == "<init>" && receiver != Place::Some {
                    let places = state.stack.iter_mut().chain(&mut state.locals);
                    places.filter(|place| **place == receiver).for_each(|place| *place = Place::Some);
                }
            }
            change(state, 0, Kind::of(signature.result).map_or(0, Kind::places), instruction.pc)?;
        }
        (Operand::Array(_, dimensions), _) => change(state, usize::from(*dimensions), 1, instruction.pc)?,
        _ => {
            let (out, back) = effect(opcode);
            change(state, out, back, instruction.pc)?;
        }
    }
    Ok(())
}

fn pop(state: &mut State, count: usize, pc: u32) -> Result<Place, ClassError> {
    let mut last = Place::Some;
    for _ in 0..count {
        last = state.stack.pop().ok_or(ClassError::Position { pc })?;
    }
    Ok(last)
}

fn change(state: &mut State, out: usize, back: usize, pc: u32) -> Result<(), ClassError> {
    pop(state, out, pc)?;
    state.stack.extend(std::iter::repeat_n(Place::Some, back));
    Ok(())
}

/// The instructions that copy and exchange places.
fn duplicate(opcode: u8, state: &mut State, pc: u32) -> Result<(), ClassError> {
    // How many places are copied, and under how many more the copy goes.
    let (count, under) = match opcode {
        DUP => (1, 0),
        DUP_X1 => (1, 1),
        DUP_X2 => (1, 2),
        DUP2 => (2, 0),
        DUP2_X1 => (2, 1),
        DUP2_X2 => (2, 2),
        _ => (1, 1),
    };
    let length = state.stack.len();
    let from = length.checked_sub(count + under).ok_or(ClassError::Position { pc })?;
    if opcode == SWAP {
        state.stack.swap(length - 1, length - 2);
        return Ok(());
    }
    let copied = state.stack[length - count..].to_vec();
    state.stack.splice(from..from, copied);
    Ok(())
}

/// How many places an instruction takes from the stack, and how many it puts there. Only for those where the opcode alone says it.
fn effect(opcode: u8) -> (usize, usize) {
    match opcode {
        ACONST_NULL..=ICONST_5 | FCONST_0..=FCONST_2 | BIPUSH | SIPUSH | LDC | ILOAD | FLOAD => (0, 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 | LDC2_W | LLOAD | DLOAD => (0, 2),
        LALOAD | DALOAD => (2, 2),
        IALOAD | FALOAD | AALOAD..=SALOAD => (2, 1),
        LASTORE | DASTORE => (4, 0),
        IASTORE | FASTORE | AASTORE..=SASTORE => (3, 0),
        POP2 => (2, 0),
        LADD | DADD | LSUB | DSUB | LMUL | DMUL | LDIV | DDIV | LREM | DREM | LAND | LOR | LXOR => (4, 2),
        IADD | FADD | ISUB | FSUB | IMUL | FMUL | IDIV | FDIV | IREM | FREM | ISHL | ISHR | IUSHR | IAND | IOR | IXOR => (2, 1),
        LSHL | LSHR | LUSHR => (3, 2),
        LNEG | DNEG | L2D | D2L => (2, 2),
        INEG | FNEG | I2F | F2I | I2B | I2C | I2S | NEWARRAY | ANEWARRAY | ARRAYLENGTH | CHECKCAST | INSTANCEOF => (1, 1),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        FCMPL | FCMPG => (2, 1),
        POP | IFEQ..=IFLE | IFNULL | IFNONNULL | TABLESWITCH | LOOKUPSWITCH | ATHROW | MONITORENTER | MONITOREXIT => (1, 0),
        IF_ICMPEQ..=IF_ACMPNE => (2, 0),
        IRETURN | FRETURN | ARETURN => (1, 0),
        LRETURN | DRETURN => (2, 0),
        _ => (0, 0),
    }
}
