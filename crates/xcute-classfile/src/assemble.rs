//! Writes code: short straight-line pieces for the rewriter, and methods of generated classes.
//!
//! Generated code that jumps is for classes of version 49, whose verifier needs no frames.

use crate::bytes::Writer as _;
use crate::class::{Attribute, ClassFile, Member, access};
use crate::code::{Code, Handler};
use crate::descriptor::{Kind, Signature};
use crate::error::ClassError;
use crate::opcode::*;
use crate::pool::{Constant, MemberRef, Pool};

/// A place in the code that jumps lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Code that is being written.
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// Positions of jump instructions and their labels.
    jumps: Vec<(usize, Label)>,
    /// What is guarded, and where exceptions go.
    guards: Vec<(Label, Label, usize)>,
}

impl Assembler {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Assembler {
        Assembler::default()
    }

    /// The code. All labels that were jumped to must be placed.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        for (at, label) in self.jumps {
            let target = self.labels[label.0].expect("every label is placed");
            let offset = i64::try_from(target).expect("short code") - i64::try_from(at).expect("short code");
            let offset = i16::try_from(offset).expect("generated code is short").to_be_bytes();
            self.bytes[at + 1..at + 3].copy_from_slice(&offset);
        }
        self.bytes
    }

    /// An instruction without operands.
    pub fn op(&mut self, opcode: u8) -> &mut Assembler {
        self.bytes.u1(opcode);
        self
    }

    /// An instruction with a constant.
    pub fn with(&mut self, opcode: u8, constant: u16) -> &mut Assembler {
        self.bytes.u1(opcode);
        self.bytes.u2(constant);
        self
    }

    /// Loads or stores a local; `opcode` is the form with an operand, `ILOAD` to `ALOAD` or `ISTORE` to `ASTORE`.
    pub fn local(&mut self, opcode: u8, local: u16) -> &mut Assembler {
        match u8::try_from(local) {
            Ok(small) if small < 4 && opcode <= ALOAD => self.bytes.u1(ILOAD_0 + 4 * (opcode - ILOAD) + small),
            Ok(small) if small < 4 => self.bytes.u1(ISTORE_0 + 4 * (opcode - ISTORE) + small),
            Ok(small) => self.bytes.extend_from_slice(&[opcode, small]),
            Err(_) => {
                self.bytes.extend_from_slice(&[WIDE, opcode]);
                self.bytes.u2(local);
            }
        }
        self
    }

    /// Loads a local of a kind.
    pub fn load(&mut self, kind: Kind, local: u16) -> &mut Assembler {
        self.local(ILOAD + index(kind), local)
    }

    /// Stores a local of a kind.
    pub fn store(&mut self, kind: Kind, local: u16) -> &mut Assembler {
        self.local(ISTORE + index(kind), local)
    }

    /// Returns a value of a kind; `None` for nothing.
    pub fn give(&mut self, kind: Option<Kind>) -> &mut Assembler {
        self.op(kind.map_or(RETURN, |kind| IRETURN + index(kind)))
    }

    /// Pushes an `int`.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn int(&mut self, pool: &mut Pool, value: i32) -> Result<&mut Assembler, ClassError> {
        match value {
            -1..=5 => self.bytes.u1((i32::from(ICONST_0) + value) as u8),
            -128..=127 => self.bytes.extend_from_slice(&[BIPUSH, (value as i8).cast_unsigned()]),
            -32768..=32767 => {
                self.bytes.u1(SIPUSH);
                self.bytes.u2((value as i16).cast_unsigned());
            }
            _ => {
                let constant = pool.add(Constant::Integer(value))?;
                self.bytes.u1(LDC_W);
                self.bytes.u2(constant);
            }
        }
        Ok(self)
    }

    /// Pushes a `long`.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn long(&mut self, pool: &mut Pool, value: i64) -> Result<&mut Assembler, ClassError> {
        let constant = pool.add(Constant::Long(value))?;
        Ok(self.with(LDC2_W, constant))
    }

    /// Pushes a string.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn string(&mut self, pool: &mut Pool, text: &str) -> Result<&mut Assembler, ClassError> {
        let constant = pool.add_string(text)?;
        Ok(self.with(LDC_W, constant))
    }

    /// Calls a method. `opcode` is one of the four ways.
    ///
    /// # Errors
    /// Where the pool is full or the descriptor is none.
    pub fn call(&mut self, pool: &mut Pool, opcode: u8, method: MemberRef<'_>) -> Result<&mut Assembler, ClassError> {
        let constant = pool.add_method(method)?;
        self.with(opcode, constant);
        if opcode == INVOKEINTERFACE {
            let places = 1 + Signature::parse(method.descriptor)?.places();
            self.bytes.u1(u8::try_from(places).map_err(|_| ClassError::Descriptor(method.descriptor.to_owned()))?);
            self.bytes.u1(0);
        }
        Ok(self)
    }

    /// Calls a static method of a class.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn call_static(&mut self, pool: &mut Pool, class: &str, name: &str, descriptor: &str) -> Result<&mut Assembler, ClassError> {
        self.call(pool, INVOKESTATIC, MemberRef { class, name, descriptor, interface: false })
    }

    /// An instruction on a class: `new`, `checkcast`, `instanceof`, `anewarray`.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn class(&mut self, pool: &mut Pool, opcode: u8, name: &str) -> Result<&mut Assembler, ClassError> {
        let constant = pool.add_class(name)?;
        Ok(self.with(opcode, constant))
    }

    /// An instruction on a field.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn field(&mut self, pool: &mut Pool, opcode: u8, class: &str, name: &str, descriptor: &str) -> Result<&mut Assembler, ClassError> {
        let constant = pool.add_field(class, name, descriptor)?;
        Ok(self.with(opcode, constant))
    }

    /// A label that is not placed yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) -> &mut Assembler {
        self.labels[label.0] = Some(self.bytes.len());
        self
    }

    /// Jumps to a label.
    pub fn jump(&mut self, opcode: u8, label: Label) -> &mut Assembler {
        self.jumps.push((self.bytes.len(), label));
        self.with(opcode, 0)
    }

    /// All that is thrown between two labels comes here. For generated methods only.
    pub fn guard(&mut self, start: Label, end: Label) -> &mut Assembler {
        self.guards.push((start, end, self.bytes.len()));
        self
    }

    fn handlers(&self) -> Vec<Handler> {
        let place = |label: Label| u32::try_from(self.labels[label.0].expect("every label is placed")).expect("short code");
        let handler = |&(start, end, handler): &(Label, Label, usize)| Handler {
            start: place(start),
            end: place(end),
            handler: u32::try_from(handler).expect("short code"),
            catches: 0,
        };
        self.guards.iter().map(handler).collect()
    }
}

/// The place of a kind in the families `iload, lload, fload, dload, aload`.
fn index(kind: Kind) -> u8 {
    match kind {
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Reference => 4,
        _ => 0,
    }
}

impl ClassFile {
    /// A class without members.
    ///
    /// # Errors
    /// Never in practice: the pool is empty.
    pub fn new(major: u16, flags: u16, name: &str, superclass: &str) -> Result<ClassFile, ClassError> {
        let mut pool = Pool::new();
        let (this, superclass) = (pool.add_class(name)?, pool.add_class(superclass)?);
        let (interfaces, fields, methods, attributes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(ClassFile { minor: 0, major, pool, access: flags | access::SUPER, this, superclass, interfaces, fields, methods, attributes })
    }

    /// Adds a field.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_field(&mut self, flags: u16, name: &str, descriptor: &str) -> Result<(), ClassError> {
        let (name, descriptor) = (self.pool.add_utf8(name)?, self.pool.add_utf8(descriptor)?);
        self.fields.push(Member { access: flags, name, descriptor, attributes: Vec::new() });
        Ok(())
    }

    /// Adds a method with this code; its locals are its parameters and `locals` more.
    ///
    /// # Errors
    /// Where the pool is full or the code does not fit.
    pub fn add_method(&mut self, flags: u16, name: &str, descriptor: &str, body: Body) -> Result<(), ClassError> {
        let receiver = usize::from(flags & access::STATIC == 0);
        let places = Signature::parse(descriptor)?.places() + receiver + usize::from(body.locals);
        let max_locals = u16::try_from(places).map_err(|_| ClassError::Descriptor(descriptor.to_owned()))?;
        let code = Code { max_stack: body.stack, max_locals, handlers: body.code.handlers(), bytes: body.code.finish(), ..Code::default() };
        let code_name = self.pool.add_utf8("Code")?;
        let (name, descriptor) = (self.pool.add_utf8(name)?, self.pool.add_utf8(descriptor)?);
        let attributes = vec![Attribute { name: code_name, data: code.write()? }];
        self.methods.push(Member { access: flags, name, descriptor, attributes });
        Ok(())
    }
}

/// The body of a generated method.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Its code.
    pub code: Assembler,
    /// Places on the stack.
    pub stack: u16,
    /// Locals besides the parameters.
    pub locals: u16,
}
