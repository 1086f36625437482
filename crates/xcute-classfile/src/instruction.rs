//! Instructions, decoded.
//!
//! Forms that mean the same are one: `iload_2`, `iload 2` and `wide iload 2` are `ILOAD` with local 2, `goto_w` is `GOTO`, `ldc_w` is `LDC`.
//! Jumps have absolute targets. Who copies an instruction copies its bytes, so nothing is lost.
//!
//! **Invariant.** Instructions lie back to back and cover the code.

use crate::bytes::Reader;
use crate::error::ClassError;
use crate::opcode::*;

/// An instruction of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Where it begins.
    pub pc: u32,
    /// How many bytes it has, prefix and padding included.
    pub length: u32,
    /// What it is, in its plainest form.
    pub opcode: u8,
    /// On what.
    pub operand: Operand,
}

/// What an instruction has besides its opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing.
    None,
    /// A small number: of `bipush` and `sipush`, or the element type of `newarray`.
    Immediate(i32),
    /// A local variable.
    Local(u16),
    /// A local variable and what is added to it.
    Increment(u16, i16),
    /// A constant.
    Constant(u16),
    /// A class and a number of dimensions.
    Array(u16, u8),
    /// The target of a jump.
    Jump(u32),
    /// The targets of a switch.
    Switch(Box<Switch>),
}

/// The targets of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Where it goes for all other values.
    pub default: u32,
    /// Values with their targets, ascending.
    pub cases: Vec<(i32, u32)>,
}

impl Instruction {
    /// All positions that it may jump to; without the next instruction, and without exceptions.
    #[must_use]
    pub fn targets(&self) -> Vec<u32> {
        match &self.operand {
            Operand::Jump(target) => vec![*target],
            Operand::Switch(switch) => switch.cases.iter().map(|case| case.1).chain([switch.default]).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the next instruction may follow.
    #[must_use]
    pub fn falls_through(&self) -> bool {
        !matches!(self.opcode, GOTO | JSR | RET | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW)
    }

    /// Whether it jumps or goes on, depending on values.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        matches!(self.opcode, IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL)
    }

    /// The constant it refers to.
    #[must_use]
    pub fn constant(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(index) | Operand::Array(index, _) => Some(index),
            _ => None,
        }
    }
}

/// Decodes the code of a method.
///
/// # Errors
/// Where it is not code.
pub fn decode(code: &[u8]) -> Result<Vec<Instruction>, ClassError> {
    let mut reader = Reader::new(code);
    let mut found = Vec::new();
    while !reader.is_at_end() {
        let pc = u32::try_from(reader.position()).map_err(|_| ClassError::Truncated { at: reader.position() })?;
        let (opcode, operand) = decode_one(&mut reader, pc)?;
        let end = u32::try_from(reader.position()).map_err(|_| ClassError::Truncated { at: reader.position() })?;
        found.push(Instruction { pc, length: end - pc, opcode, operand });
    }
    Ok(found)
}

fn decode_one(reader: &mut Reader<'_>, pc: u32) -> Result<(u8, Operand), ClassError> {
    let opcode = reader.u1()?;
    let operand = match opcode {
        NOP..=DCONST_1
        | IALOAD..=SALOAD
        | IASTORE..=LXOR
        | I2L..=DCMPG
        | IRETURN..=RETURN
        | ARRAYLENGTH
        | ATHROW
        | MONITORENTER
        | MONITOREXIT => Operand::None,
        BIPUSH | NEWARRAY => Operand::Immediate(i32::from(reader.u1()?.cast_signed())),
        SIPUSH => Operand::Immediate(i32::from(reader.u2()?.cast_signed())),
        LDC => Operand::Constant(u16::from(reader.u1()?)),
        LDC_W => return Ok((LDC, Operand::Constant(reader.u2()?))),
        ILOAD..=ALOAD | ISTORE..=ASTORE | RET => Operand::Local(u16::from(reader.u1()?)),
        ILOAD_0..=ALOAD_3 => {
            let n = opcode - ILOAD_0;
            return Ok((ILOAD + n / 4, Operand::Local(u16::from(n % 4))));
        }
        ISTORE_0..=ASTORE_3 => {
            let n = opcode - ISTORE_0;
            return Ok((ISTORE + n / 4, Operand::Local(u16::from(n % 4))));
        }
        IINC => Operand::Increment(u16::from(reader.u1()?), i16::from(reader.u1()?.cast_signed())),
        IFEQ..=JSR | IFNULL | IFNONNULL => Operand::Jump(target(pc, i32::from(reader.u2()?.cast_signed()))?),
        GOTO_W | JSR_W => return Ok((opcode - GOTO_W + GOTO, Operand::Jump(target(pc, reader.u4()?.cast_signed())?))),
        TABLESWITCH | LOOKUPSWITCH => Operand::Switch(Box::new(switch(reader, pc, opcode)?)),
        LDC2_W | GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => Operand::Constant(reader.u2()?),
        INVOKEINTERFACE | INVOKEDYNAMIC => {
            let index = reader.u2()?;
            reader.u2()?;
            Operand::Constant(index)
        }
        MULTIANEWARRAY => Operand::Array(reader.u2()?, reader.u1()?),
        WIDE => {
            let opcode = reader.u1()?;
            let local = reader.u2()?;
            return match opcode {
                IINC => Ok((IINC, Operand::Increment(local, reader.u2()?.cast_signed()))),
                ILOAD..=ALOAD | ISTORE..=ASTORE | RET => Ok((opcode, Operand::Local(local))),
                _ => Err(ClassError::Opcode { pc, opcode }),
            };
        }
        _ => return Err(ClassError::Opcode { pc, opcode }),
    };
    Ok((opcode, operand))
}

fn switch(reader: &mut Reader<'_>, pc: u32, opcode: u8) -> Result<Switch, ClassError> {
    reader.take((4 - reader.position() % 4) % 4)?;
    let default = target(pc, reader.u4()?.cast_signed())?;
    let mut cases = Vec::new();
    if opcode == TABLESWITCH {
        let (low, high) = (reader.u4()?.cast_signed(), reader.u4()?.cast_signed());
        if low > high {
            return Err(ClassError::Opcode { pc, opcode });
        }
        for value in low..=high {
            cases.push((value, target(pc, reader.u4()?.cast_signed())?));
        }
    } else {
        for _ in 0..reader.u4()? {
            cases.push((reader.u4()?.cast_signed(), target(pc, reader.u4()?.cast_signed())?));
        }
    }
    Ok(Switch { default, cases })
}

fn target(pc: u32, offset: i32) -> Result<u32, ClassError> {
    pc.checked_add_signed(offset).ok_or(ClassError::Position { pc })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_mean_the_same_are_one() {
        let load = |code: &[u8]| decode(code).unwrap().remove(0);
        for code in [&[ILOAD_2][..], &[ILOAD, 2], &[WIDE, ILOAD, 0, 2]] {
            let found = load(code);
            assert_eq!((found.opcode, found.operand, found.length as usize), (ILOAD, Operand::Local(2), code.len()));
        }
        assert_eq!(load(&[ASTORE_3]).operand, Operand::Local(3));
        assert_eq!(load(&[ASTORE_3]).opcode, ASTORE);
        assert_eq!(load(&[GOTO_W, 0, 0, 0, 5]).opcode, GOTO);
        assert_eq!(load(&[WIDE, IINC, 1, 0, 0xff, 0xfe]).operand, Operand::Increment(256, -2));
    }

    #[test]
    fn switches_have_absolute_targets() {
        // Two bytes of padding after `nop, tableswitch`.
        let code = [NOP, TABLESWITCH, 0, 0, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 30, 0, 0, 0, 40];
        let found = decode(&code).unwrap();
        assert_eq!(found[1].operand, Operand::Switch(Box::new(Switch { default: 21, cases: vec![(3, 31), (4, 41)] })));
        assert_eq!(found[1].targets(), [31, 41, 21]);
        assert!(!found[1].falls_through());
    }

    #[test]
    fn what_is_not_code_is_an_error() {
        for code in [&[202][..], &[BIPUSH], &[WIDE, NOP, 0, 0], &[GOTO, 0xff, 0xff], &[LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 9]] {
            assert!(decode(code).is_err(), "{code:?}");
        }
    }
}
