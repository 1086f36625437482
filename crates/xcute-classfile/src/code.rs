//! The `Code` attribute of a method.

use crate::bytes::{Reader, Writer};
use crate::class::{Attribute, ClassFile, Member, attributes, write_attributes};
use crate::error::ClassError;

/// The code of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Places on the stack.
    pub max_stack: u16,
    /// Places for locals.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: Vec<u8>,
    /// Who catches what, in the order in which they are asked.
    pub handlers: Vec<Handler>,
    /// Line numbers, frames and the like.
    pub attributes: Vec<Attribute>,
}

/// An exception handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first position that it covers.
    pub start: u32,
    /// The first after those.
    pub end: u32,
    /// Where it begins.
    pub handler: u32,
    /// The constant with the class that it catches; 0 for all.
    pub catches: u16,
}

/// A local variable: its name, its type, its place, and where it has a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// The first position of the code at which it has a value.
    pub start: u16,
    /// For how many positions.
    pub length: u16,
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub descriptor: String,
    /// Its first place among the locals.
    pub local: u16,
}

impl LocalVariable {
    /// Whether it has a value at a position of the code.
    #[must_use]
    pub fn covers(&self, position: u16) -> bool {
        position.checked_sub(self.start).is_some_and(|after| after < self.length)
    }
}

impl Code {
    /// The code of a method; `None` if it has none.
    ///
    /// # Errors
    /// Where the attribute is malformed.
    pub fn of(class: &ClassFile, method: &Member) -> Result<Option<Code>, ClassError> {
        let Some(attribute) = class.find(&method.attributes, "Code") else { return Ok(None) };
        let mut reader = Reader::new(&attribute.data);
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let length = reader.u4()?;
        let bytes = reader.take(length as usize)?.to_vec();
        let mut handlers = Vec::new();
        for _ in 0..reader.u2()? {
            let mut pc = || reader.u2().map(u32::from);
            handlers.push(Handler { start: pc()?, end: pc()?, handler: pc()?, catches: reader.u2()? });
        }
        let attributes = attributes(&mut reader)?;
        Ok(Some(Code { max_stack, max_locals, bytes, handlers, attributes }))
    }

    /// The attribute's contents.
    ///
    /// # Errors
    /// Where a position does not fit in two bytes.
    pub fn write(&self) -> Result<Vec<u8>, ClassError> {
        let mut out = Vec::with_capacity(self.bytes.len() + 64);
        out.u2(self.max_stack);
        out.u2(self.max_locals);
        out.u4(u32::try_from(self.bytes.len()).expect("checked by the rewriter"));
        out.extend_from_slice(&self.bytes);
        out.u2(u16::try_from(self.handlers.len()).map_err(|_| ClassError::PoolFull)?);
        for handler in &self.handlers {
            for pc in [handler.start, handler.end, handler.handler] {
                out.u2(u16::try_from(pc).map_err(|_| ClassError::Position { pc })?);
            }
            out.u2(handler.catches);
        }
        write_attributes(&self.attributes, &mut out);
        Ok(out)
    }

    /// The source line of each position from which on it counts, by position.
    ///
    /// # Errors
    /// Where a table is malformed.
    pub fn lines(&self, class: &ClassFile) -> Result<Vec<(u32, u32)>, ClassError> {
        let mut lines = Vec::new();
        for attribute in self.attributes.iter().filter(|a| class.pool.utf8(a.name) == Ok("LineNumberTable")) {
            let mut reader = Reader::new(&attribute.data);
            for _ in 0..reader.u2()? {
                lines.push((u32::from(reader.u2()?), u32::from(reader.u2()?)));
            }
        }
        lines.sort_by_key(|line| line.0);
        Ok(lines)
    }

    /// Its local variables, in the order of the table; none where the class was compiled without their names.
    ///
    /// # Errors
    /// Where a table is malformed.
    pub fn variables(&self, class: &ClassFile) -> Result<Vec<LocalVariable>, ClassError> {
        let mut variables = Vec::new();
        for attribute in self.attributes.iter().filter(|a| class.pool.utf8(a.name) == Ok("LocalVariableTable")) {
            let mut reader = Reader::new(&attribute.data);
            for _ in 0..reader.u2()? {
                let (start, length, name, descriptor, local) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
                let [name, descriptor] = [class.pool.utf8(name)?.to_owned(), class.pool.utf8(descriptor)?.to_owned()];
                variables.push(LocalVariable { start, length, name, descriptor, local });
            }
        }
        Ok(variables)
    }

    /// Puts the code into a method.
    ///
    /// # Errors
    /// Where it does not fit.
    pub fn put(&self, class: &mut ClassFile, method: usize) -> Result<(), ClassError> {
        let data = self.write()?;
        let name = class.pool.add_utf8("Code")?;
        let (attributes, pool) = (&mut class.methods[method].attributes, &class.pool);
        match attributes.iter_mut().find(|attribute| pool.utf8(attribute.name) == Ok("Code")) {
            Some(attribute) => attribute.data = data,
            None => attributes.push(Attribute { name, data }),
        }
        Ok(())
    }
}
