//! The frames of followed methods: locals and stacks in one list, as deep as the run was.

use super::marks::Marks;
use super::models::Model;
use super::value::Value;
use crate::program::body::{Body, MethodId};

/// What a frame waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Nothing: its next instruction can be done.
    Nothing,
    /// A call (by its number in the method) of code that is not followed, with its model. Its arguments are on the stack.
    Foreign(u32, Option<Model>),
    /// A call of a method that is followed.
    Followed(u32),
}

/// A frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) method: MethodId,
    /// The number of the instruction.
    pub(crate) at: u32,
    /// What is reported before that instruction was read.
    pub(crate) led: bool,
    pub(crate) waiting: Waiting,
    /// Code that is not followed called it.
    pub(crate) callback: bool,
    /// It is a static initialiser.
    pub(crate) initialiser: bool,
    /// How many frames its thread had entered before.
    pub(crate) serial: u32,
    /// How many instructions it has done.
    pub(crate) done: u32,
    /// What it did that others can see.
    pub(crate) marks: Marks,
    locals: usize,
    stack: usize,
}

/// All frames of a thread.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    frames: Vec<Frame>,
    values: Vec<Value>,
    entered: u32,
}

impl Frames {
    pub(crate) fn begin(&mut self) {
        self.frames.clear();
        self.values.clear();
        self.entered = 0;
    }

    pub(crate) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn all(&self) -> &[Frame] {
        &self.frames
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Frame] {
        &mut self.frames
    }

    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is a frame while instructions are followed")
    }

    /// A new frame. Its arguments are the last values of the stack; they become its first locals.
    pub(crate) fn enter(&mut self, method: MethodId, body: &Body, places: usize, callback: bool, initialiser: bool) {
        let locals = self.values.len() - places;
        self.values.resize(locals + usize::from(body.max_locals).max(places), Value::NOTHING);
        let stack = self.values.len();
        let (waiting, serial, marks) = (Waiting::Nothing, self.entered, Marks::default());
        self.entered += 1;
        self.frames.push(Frame { method, at: 0, led: false, waiting, callback, initialiser, serial, done: 0, marks, locals, stack });
    }

    /// Ends the frame on top, with all that it has.
    pub(crate) fn leave(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a frame that returns is there");
        self.values.truncate(frame.locals);
        frame
    }

    /// Forgets the stack of the frame on top.
    pub(crate) fn clear_stack(&mut self) {
        let stack = self.top_mut().stack;
        self.values.truncate(stack);
    }

    pub(crate) fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Pushes a value of two places.
    pub(crate) fn push2(&mut self, value: Value) {
        self.values.push(value);
        self.values.push(Value::NOTHING);
    }

    pub(crate) fn pop(&mut self) -> Value {
        self.values.pop().expect("verified code does not underflow")
    }

    /// Pops a value of two places.
    pub(crate) fn pop2(&mut self) -> Value {
        self.pop();
        self.pop()
    }

    /// The place this many below the top; 0 is the top.
    pub(crate) fn peek(&self, below: usize) -> Value {
        self.values[self.values.len() - 1 - below]
    }

    /// The last places of the stack.
    pub(crate) fn last(&self, places: usize) -> &[Value] {
        &self.values[self.values.len() - places..]
    }

    pub(crate) fn drop(&mut self, places: usize) {
        self.values.truncate(self.values.len() - places);
    }

    pub(crate) fn local(&self, local: u32) -> Value {
        let frame = self.frames.last().expect("there is a frame while instructions are followed");
        self.values[frame.locals + local as usize]
    }

    /// The locals of the frame with this number.
    pub(crate) fn locals_of(&self, frame: usize) -> &[Value] {
        let frame = &self.frames[frame];
        &self.values[frame.locals..frame.stack]
    }

    pub(crate) fn set_local(&mut self, local: u32, value: Value) {
        let frame = self.frames.last().expect("there is a frame while instructions are followed");
        self.values[frame.locals + local as usize] = value;
    }

    /// Copies the last `count` places and puts the copy under `under` more.
    pub(crate) fn duplicate(&mut self, count: usize, under: usize) {
        let length = self.values.len();
        let at = length - count - under;
        for offset in 0..count {
            let copied = self.values[length - count + 2 * offset];
            self.values.insert(at + offset, copied);
        }
    }

    pub(crate) fn swap(&mut self) {
        let length = self.values.len();
        self.values.swap(length - 1, length - 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_where_the_jvm_puts_them() {
        let value = |bits| Value::concrete(bits);
        let stack = |count, under| {
            let mut frames = Frames::default();
            (1..=4).for_each(|bits| frames.push(value(bits)));
            frames.duplicate(count, under);
            frames.values.iter().map(|v| v.bits).collect::<Vec<_>>()
        };
        assert_eq!(stack(1, 0), [1, 2, 3, 4, 4]);
        assert_eq!(stack(1, 1), [1, 2, 4, 3, 4]);
        assert_eq!(stack(1, 2), [1, 4, 2, 3, 4]);
        assert_eq!(stack(2, 0), [1, 2, 3, 4, 3, 4]);
        assert_eq!(stack(2, 1), [1, 3, 4, 2, 3, 4]);
        assert_eq!(stack(2, 2), [3, 4, 1, 2, 3, 4]);
    }
}
