//! Stack map frames: what the verifier learns of the state at jump targets.
//!
//! Code that is inserted is straight-line, so every frame stays true; only positions move. Frames are patched, never computed.

use crate::bytes::{Reader, Writer};
use crate::error::ClassError;

/// What a frame says, relative to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The same locals, nothing on the stack.
    Same,
    /// The same locals, one value on the stack.
    One(Type),
    /// Without the last few locals.
    Chop(u8),
    /// With more locals.
    Append(Vec<Type>),
    /// All locals, and the stack.
    Full(Vec<Type>, Vec<Type>),
}

/// A type as the verifier sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// By its tag alone.
    Plain(u8),
    /// An object of this class (a constant).
    Object(u16),
    /// What the `new` at this position made and no constructor has seen.
    Uninitialized(u32),
}

/// A frame at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) pc: u32,
    pub(crate) shape: Shape,
}

/// Reads the contents of a `StackMapTable`.
pub(crate) fn read(data: &[u8]) -> Result<Vec<Frame>, ClassError> {
    let mut reader = Reader::new(data);
    let count = reader.u2()?;
    let mut frames = Vec::with_capacity(usize::from(count));
    let mut next = 0;
    for _ in 0..count {
        let tag = reader.u1()?;
        let delta = match tag {
            0..=63 => u32::from(tag),
            64..=127 => u32::from(tag - 64),
            247..=255 => u32::from(reader.u2()?),
            _ => return Err(ClassError::Truncated { at: reader.position() }),
        };
        let shape = match tag {
            0..=63 | 251 => Shape::Same,
            64..=127 | 247 => Shape::One(read_type(&mut reader)?),
            248..=250 => Shape::Chop(251 - tag),
            252..=254 => Shape::Append((251..tag).map(|_| read_type(&mut reader)).collect::<Result<_, _>>()?),
            _ => Shape::Full(read_types(&mut reader)?, read_types(&mut reader)?),
        };
        let pc = next + delta;
        frames.push(Frame { pc, shape });
        next = pc + 1;
    }
    Ok(frames)
}

/// The contents of a `StackMapTable`. Positions ascend and fit in two bytes.
pub(crate) fn write(frames: &[Frame]) -> Vec<u8> {
    let mut out = Vec::new();
    out.u2(u16::try_from(frames.len()).expect("fewer frames than bytes of code"));
    let mut next = 0;
    for frame in frames {
        let delta = u16::try_from(frame.pc - next).expect("positions fit in two bytes");
        let small = u8::try_from(delta).ok().filter(|&d| d < 64);
        match (&frame.shape, small) {
            (Shape::Same, Some(small)) => out.u1(small),
            (Shape::Same, None) => tag(251, delta, &mut out),
            (Shape::One(kind), Some(small)) => {
                out.u1(64 + small);
                write_type(*kind, &mut out);
            }
            (Shape::One(kind), None) => {
                tag(247, delta, &mut out);
                write_type(*kind, &mut out);
            }
            (Shape::Chop(count), _) => tag(251 - count, delta, &mut out),
            (Shape::Append(kinds), _) => {
                tag(251 + u8::try_from(kinds.len()).expect("at most three"), delta, &mut out);
                kinds.iter().for_each(|&kind| write_type(kind, &mut out));
            }
            (Shape::Full(locals, stack), _) => {
                tag(255, delta, &mut out);
                for kinds in [locals, stack] {
                    out.u2(u16::try_from(kinds.len()).expect("few places"));
                    kinds.iter().for_each(|&kind| write_type(kind, &mut out));
                }
            }
        }
        next = frame.pc + 1;
    }
    out
}

impl Shape {
    /// All types that it mentions.
    pub(crate) fn types_mut(&mut self) -> impl Iterator<Item = &mut Type> {
        let (a, b): (&mut [Type], &mut [Type]) = match self {
            Shape::Same | Shape::Chop(_) => (&mut [], &mut []),
            Shape::One(kind) => (std::slice::from_mut(kind), &mut []),
            Shape::Append(kinds) => (kinds, &mut []),
            Shape::Full(locals, stack) => (locals, stack),
        };
        a.iter_mut().chain(b)
    }
}

fn tag(tag: u8, delta: u16, out: &mut Vec<u8>) {
    out.u1(tag);
    out.u2(delta);
}

fn read_types(reader: &mut Reader<'_>) -> Result<Vec<Type>, ClassError> {
    (0..reader.u2()?).map(|_| read_type(reader)).collect()
}

fn read_type(reader: &mut Reader<'_>) -> Result<Type, ClassError> {
    Ok(match reader.u1()? {
        7 => Type::Object(reader.u2()?),
        8 => Type::Uninitialized(u32::from(reader.u2()?)),
        tag => Type::Plain(tag),
    })
}

fn write_type(kind: Type, out: &mut Vec<u8>) {
    match kind {
        Type::Plain(tag) => out.u1(tag),
        Type::Object(class) => {
            out.u1(7);
            out.u2(class);
        }
        Type::Uninitialized(pc) => {
            out.u1(8);
            out.u2(u16::try_from(pc).expect("positions fit in two bytes"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_keep_their_meaning_when_positions_move_apart() {
        let shapes = [
            Shape::Same,
            Shape::One(Type::Object(9)),
            Shape::Chop(2),
            Shape::Append(vec![Type::Plain(1), Type::Plain(4)]),
            Shape::Full(vec![Type::Uninitialized(7)], vec![]),
            Shape::Same,
            Shape::One(Type::Plain(1)),
        ];
        for step in [1, 63, 64, 65, 127, 128, 300, 5000] {
            let frames: Vec<Frame> = shapes.iter().zip(1..).map(|(shape, n)| Frame { pc: n * step, shape: shape.clone() }).collect();
            assert_eq!(read(&write(&frames)).unwrap(), frames, "{step} apart");
        }
    }
}
