//! Methods as they are followed: decoded code with everything resolved that can be resolved before a run.
//!
//! **Invariant.** The code here and the events that the instrumented class writes come from one pass ([`super::follow`]), so both know alike which
//! instruction reports what.

use xcute_classfile::opcode::{IALOAD, IASTORE};
use xcute_classfile::{Kind, LocalVariable};

/// Names a method that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodId(pub(crate) u32);

/// Names a class or array type that code mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeId(pub(crate) u32);

/// Names a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FieldId(pub(crate) u32);

/// Marks where an instruction has no site.
pub(crate) const NO_SITE: u32 = u32::MAX;

/// What is reported before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// Nothing.
    Nothing,
    /// That a block begins.
    Block,
    /// The exception that a handler caught.
    Handler,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insn {
    /// The opcode, in its plainest form.
    pub(crate) op: u8,
    pub(crate) leads: Leads,
    pub(crate) pc: u16,
    /// A local, a target (number of an instruction), a number, or an index in a table: as the opcode says.
    pub(crate) arg: u32,
    /// The first site of the instruction.
    pub(crate) site: u32,
}

/// A handler of exceptions. Positions are numbers of instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catch {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) handler: u32,
}

/// The targets of a switch. Arms with the same target are one.
#[derive(Clone, Debug)]
pub(crate) struct Arms {
    /// Values and target of each arm.
    pub(crate) arms: Vec<(Vec<i32>, u32)>,
    /// The target of all other values: the last arm.
    pub(crate) default: u32,
}

/// The code of a method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) insns: Vec<Insn>,
    pub(crate) catches: Vec<Catch>,
    pub(crate) switches: Vec<Arms>,
    pub(crate) calls: Vec<Call>,
    pub(crate) constants: Vec<Literal>,
    /// Position in the code from which on a line counts.
    pub(crate) lines: Vec<(u16, u32)>,
    pub(crate) max_locals: u16,
    /// Its local variables, where the class file has their names.
    pub(crate) variables: Vec<LocalVariable>,
    /// The number of its first instruction among those of all methods.
    pub(crate) first: usize,
}

impl Body {
    /// The source line of an instruction; 0 where unknown.
    pub(crate) fn line(&self, pc: u16) -> u32 {
        let after = self.lines.partition_point(|line| line.0 <= pc);
        after.checked_sub(1).map_or(0, |at| self.lines[at].1)
    }

    /// The instruction at a position.
    pub(crate) fn at(&self, pc: u16) -> Option<u32> {
        self.insns.binary_search_by_key(&pc, |insn| insn.pc).ok().map(|index| u32::try_from(index).expect("methods are short"))
    }
}

/// A constant that `ldc` pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    /// A number: its bits.
    Number(u64),
    /// The characters of a string.
    Text(Vec<u16>),
    /// A class, a method handle, or what a bootstrap method computes; reported as a value of this kind.
    Reported(Kind),
}

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// `invokestatic`.
    Static,
    /// `invokespecial`.
    Special,
    /// `invokevirtual` and `invokeinterface`.
    Virtual,
    /// `invokedynamic`.
    Dynamic,
}

/// What a call does, as far as is known before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Runs this method.
    Followed(MethodId),
    /// Depends on the class of the receiver.
    Selected,
    /// Runs code that is not followed.
    Foreign,
    /// Takes an input of this kind; `named`: the class is a string on the stack, `string`: a string that is not null.
    Input { kind: Kind, named: bool, string: bool },
    /// Says which input is the next one.
    At,
    /// Restricts the inputs.
    Assume,
    /// Asserts.
    Check,
    /// Ends the run.
    Exit,
    /// Does something that the runtime sees to: starts a thread, waits, wakes.
    Thread,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) way: Way,
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) parameters: Vec<Kind>,
    pub(crate) result: Option<Kind>,
    pub(crate) target: Target,
    /// What is reported when it returned.
    pub(crate) reports: Reports,
}

impl Call {
    /// Whether there is a receiver.
    pub(crate) fn has_receiver(&self) -> bool {
        matches!(self.way, Way::Special | Way::Virtual)
    }

    /// How many places the arguments take, the receiver included.
    pub(crate) fn places(&self) -> usize {
        self.parameters.iter().map(|kind| kind.places()).sum::<usize>() + usize::from(self.has_receiver())
    }
}

/// What is reported after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reports {
    /// Nothing: the method is followed.
    Nothing,
    /// The result, or that there is none.
    Result,
    /// The object that is complete now: it lies on the stack, or is the receiver of the constructor that calls.
    Made,
}

/// A method that is followed.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// The class, in internal form.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
    pub(crate) parameters: Vec<Kind>,
    pub(crate) body: Body,
    /// The source file with its folders.
    pub(crate) file: String,
}

impl Method {
    pub(crate) fn is_static(&self) -> bool {
        self.access & xcute_classfile::access::STATIC != 0
    }

    /// Whether it can be called by code that is not followed, other than by reflection: then it reports its arguments.
    pub(crate) fn reports_arguments(&self) -> bool {
        reports_arguments(self.access, &self.name)
    }
}

pub(crate) fn reports_arguments(access: u16, name: &str) -> bool {
    use xcute_classfile::access::{PRIVATE, STATIC};
    access & (STATIC | PRIVATE) == 0 && name != "<init>"
}

/// The kind of the elements that an array instruction reads or writes; `byte` also stands for `boolean`.
pub(crate) fn element(opcode: u8) -> Kind {
    match if opcode >= IASTORE { opcode - IASTORE } else { opcode - IALOAD } {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        4 => Kind::Reference,
        5 => Kind::Byte,
        6 => Kind::Char,
        _ => Kind::Short,
    }
}
