//! The constant pool.
//!
//! **Invariant.** Only appended to: a number once given keeps its meaning, so that code and attributes which are not understood stay valid.

use rustc_hash::FxHashMap;

use crate::bytes::{Reader, Writer};
use crate::error::ClassError;
use crate::text;

/// A constant. Numbers refer to other constants of the same pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The place after a long or double, and number 0.
    Hole,
    /// Text in modified UTF-8.
    Utf8(Vec<u8>),
    /// An `int`.
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// The bits of a `double`.
    Double(u64),
    /// A class: its name.
    Class(u16),
    /// A string: its text.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class: class, name and type.
    Method(u16, u16),
    /// A method of an interface: interface, name and type.
    InterfaceMethod(u16, u16),
    /// Name and descriptor.
    NameAndType(u16, u16),
    /// A method handle: kind and member.
    MethodHandle(u8, u16),
    /// A method type: its descriptor.
    MethodType(u16),
    /// A constant that a bootstrap method computes: number of the bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A call that a bootstrap method links: number of the bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A module: its name.
    Module(u16),
    /// A package: its name.
    Package(u16),
}

/// A member that code refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// The class it is looked up in, in internal form (`java/lang/String`), or an array's descriptor.
    pub class: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Whether the class is an interface, as far as the reference says; `false` for fields.
    pub interface: bool,
}

/// A constant pool.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    constants: Vec<Constant>,
    numbers: FxHashMap<Constant, u16>,
}

impl Pool {
    /// A pool without constants.
    #[must_use]
    pub fn new() -> Pool {
        Pool { constants: vec![Constant::Hole], numbers: FxHashMap::default() }
    }

    /// Reads a pool with its count.
    ///
    /// # Errors
    /// Where it is malformed.
    pub fn read(reader: &mut Reader<'_>) -> Result<Pool, ClassError> {
        let count = reader.u2()?;
        let mut constants = Vec::with_capacity(usize::from(count));
        constants.push(Constant::Hole);
        while constants.len() < usize::from(count) {
            let index = u16::try_from(constants.len()).expect("less than the count");
            let constant = read_constant(reader, index)?;
            let wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
            constants.push(constant);
            if wide {
                constants.push(Constant::Hole);
            }
        }
        Ok(Pool { constants, numbers: FxHashMap::default() })
    }

    /// Appends the pool with its count to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.u2(u16::try_from(self.constants.len()).expect("Pool::add keeps it small"));
        for constant in &self.constants {
            write_constant(constant, out);
        }
    }

    /// All constants with their numbers; holes included.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant)> {
        (0..=u16::MAX).zip(&self.constants)
    }

    /// A constant; `None` where there is none.
    #[must_use]
    pub fn get(&self, index: u16) -> Option<&Constant> {
        self.constants.get(usize::from(index))
    }

    /// Puts another constant in a place: everything that refers to it means the new one. It must have the same width.
    ///
    /// # Panics
    /// Where there is no such place.
    pub fn put(&mut self, index: u16, constant: Constant) {
        self.constants[usize::from(index)] = constant;
        self.numbers.clear();
    }

    /// The number of a constant; appends it where it is new.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add(&mut self, constant: Constant) -> Result<u16, ClassError> {
        if self.numbers.is_empty() {
            for (number, known) in (0..=u16::MAX).zip(&self.constants).filter(|(_, known)| **known != Constant::Hole) {
                self.numbers.entry(known.clone()).or_insert(number);
            }
        }
        if let Some(&number) = self.numbers.get(&constant) {
            return Ok(number);
        }
        let wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
        // The count itself must fit in two bytes.
        let number = u16::try_from(self.constants.len()).ok().filter(|&n| n < u16::MAX - 2).ok_or(ClassError::PoolFull)?;
        self.constants.push(constant.clone());
        if wide {
            self.constants.push(Constant::Hole);
        }
        self.numbers.insert(constant, number);
        Ok(number)
    }

    /// The number of a text.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, ClassError> {
        self.add(Constant::Utf8(text::encode(text)))
    }

    /// The number of a class, by its name in internal form.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_class(&mut self, name: &str) -> Result<u16, ClassError> {
        let name = self.add_utf8(name)?;
        self.add(Constant::Class(name))
    }

    /// The number of a string.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_string(&mut self, text: &str) -> Result<u16, ClassError> {
        let text = self.add_utf8(text)?;
        self.add(Constant::String(text))
    }

    /// The number of name and descriptor.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let (name, descriptor) = (self.add_utf8(name)?, self.add_utf8(descriptor)?);
        self.add(Constant::NameAndType(name, descriptor))
    }

    /// The number of a method of a class or interface.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_method(&mut self, member: MemberRef<'_>) -> Result<u16, ClassError> {
        let class = self.add_class(member.class)?;
        let named = self.add_name_and_type(member.name, member.descriptor)?;
        self.add(if member.interface { Constant::InterfaceMethod(class, named) } else { Constant::Method(class, named) })
    }

    /// The number of a field.
    ///
    /// # Errors
    /// Where the pool is full.
    pub fn add_field(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let class = self.add_class(class)?;
        let named = self.add_name_and_type(name, descriptor)?;
        self.add(Constant::Field(class, named))
    }

    /// A text. What is not valid Unicode (half a surrogate pair) is replaced: names never need it, strings have [`Pool::string`].
    ///
    /// # Errors
    /// Where the constant is not a text.
    pub fn utf8(&self, index: u16) -> Result<&str, ClassError> {
        match self.get(index) {
            Some(Constant::Utf8(bytes)) => std::str::from_utf8(bytes).map_err(|_| ClassError::Constant { index, expected: "plain text" }),
            _ => Err(ClassError::Constant { index, expected: "a text" }),
        }
    }

    /// The name of a class in internal form.
    ///
    /// # Errors
    /// Where the constant is not a class.
    pub fn class(&self, index: u16) -> Result<&str, ClassError> {
        match self.get(index) {
            Some(&Constant::Class(name)) => self.utf8(name),
            _ => Err(ClassError::Constant { index, expected: "a class" }),
        }
    }

    /// The characters of a string constant.
    ///
    /// # Errors
    /// Where the constant is not a string.
    pub fn string(&self, index: u16) -> Result<Vec<u16>, ClassError> {
        match self.get(index) {
            Some(&Constant::String(text)) => match self.get(text) {
                Some(Constant::Utf8(bytes)) => text::decode(bytes).ok_or(ClassError::Constant { index, expected: "modified UTF-8" }),
                _ => Err(ClassError::Constant { index: text, expected: "a text" }),
            },
            _ => Err(ClassError::Constant { index, expected: "a string" }),
        }
    }

    /// Name and descriptor.
    ///
    /// # Errors
    /// Where the constant is not that.
    pub fn name_and_type(&self, index: u16) -> Result<(&str, &str), ClassError> {
        match self.get(index) {
            Some(&Constant::NameAndType(name, descriptor)) => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(ClassError::Constant { index, expected: "a name with a type" }),
        }
    }

    /// A field or method that code refers to.
    ///
    /// # Errors
    /// Where the constant is not one.
    pub fn member(&self, index: u16) -> Result<MemberRef<'_>, ClassError> {
        let (class, named, interface) = match self.get(index) {
            Some(&(Constant::Field(class, named) | Constant::Method(class, named))) => (class, named, false),
            Some(&Constant::InterfaceMethod(class, named)) => (class, named, true),
            _ => return Err(ClassError::Constant { index, expected: "a field or method" }),
        };
        let (name, descriptor) = self.name_and_type(named)?;
        Ok(MemberRef { class: self.class(class)?, name, descriptor, interface })
    }

    /// Number of the bootstrap method, name and descriptor of a dynamic call or constant.
    ///
    /// # Errors
    /// Where the constant is not one.
    pub fn dynamic(&self, index: u16) -> Result<(u16, &str, &str), ClassError> {
        match self.get(index) {
            Some(&(Constant::Dynamic(bootstrap, named) | Constant::InvokeDynamic(bootstrap, named))) => {
                let (name, descriptor) = self.name_and_type(named)?;
                Ok((bootstrap, name, descriptor))
            }
            _ => Err(ClassError::Constant { index, expected: "dynamic" }),
        }
    }
}

fn read_constant(reader: &mut Reader<'_>, index: u16) -> Result<Constant, ClassError> {
    Ok(match reader.u1()? {
        1 => {
            let length = reader.u2()?;
            Constant::Utf8(reader.take(usize::from(length))?.to_vec())
        }
        3 => Constant::Integer(reader.u4()?.cast_signed()),
        4 => Constant::Float(reader.u4()?),
        5 => Constant::Long(reader.u8()?.cast_signed()),
        6 => Constant::Double(reader.u8()?),
        7 => Constant::Class(reader.u2()?),
        8 => Constant::String(reader.u2()?),
        9 => Constant::Field(reader.u2()?, reader.u2()?),
        10 => Constant::Method(reader.u2()?, reader.u2()?),
        11 => Constant::InterfaceMethod(reader.u2()?, reader.u2()?),
        12 => Constant::NameAndType(reader.u2()?, reader.u2()?),
        15 => Constant::MethodHandle(reader.u1()?, reader.u2()?),
        16 => Constant::MethodType(reader.u2()?),
        17 => Constant::Dynamic(reader.u2()?, reader.u2()?),
        18 => Constant::InvokeDynamic(reader.u2()?, reader.u2()?),
        19 => Constant::Module(reader.u2()?),
        20 => Constant::Package(reader.u2()?),
        tag => return Err(ClassError::Tag { index, tag }),
    })
}

fn write_constant(constant: &Constant, out: &mut Vec<u8>) {
    let (tag, numbers): (u8, [Option<u16>; 2]) = match *constant {
        Constant::Hole => return,
        Constant::Utf8(ref bytes) => {
            out.u1(1);
            out.u2(u16::try_from(bytes.len()).expect("texts were read with a length of two bytes"));
            out.extend_from_slice(bytes);
            return;
        }
        Constant::Integer(value) => {
            out.u1(3);
            return out.u4(value.cast_unsigned());
        }
        Constant::Float(bits) => {
            out.u1(4);
            return out.u4(bits);
        }
        Constant::Long(value) => {
            out.u1(5);
            return out.u8(value.cast_unsigned());
        }
        Constant::Double(bits) => {
            out.u1(6);
            return out.u8(bits);
        }
        Constant::MethodHandle(kind, member) => {
            out.u1(15);
            out.u1(kind);
            return out.u2(member);
        }
        Constant::Class(a) => (7, [Some(a), None]),
        Constant::String(a) => (8, [Some(a), None]),
        Constant::Field(a, b) => (9, [Some(a), Some(b)]),
        Constant::Method(a, b) => (10, [Some(a), Some(b)]),
        Constant::InterfaceMethod(a, b) => (11, [Some(a), Some(b)]),
        Constant::NameAndType(a, b) => (12, [Some(a), Some(b)]),
        Constant::MethodType(a) => (16, [Some(a), None]),
        Constant::Dynamic(a, b) => (17, [Some(a), Some(b)]),
        Constant::InvokeDynamic(a, b) => (18, [Some(a), Some(b)]),
        Constant::Module(a) => (19, [Some(a), None]),
        Constant::Package(a) => (20, [Some(a), None]),
    };
    out.u1(tag);
    for number in numbers.into_iter().flatten() {
        out.u2(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_an_end() {
        let mut pool = Pool::new();
        let error = (0..1 << 16).find_map(|number| pool.add(Constant::Integer(number)).err()).unwrap();
        assert_eq!(error.to_string(), "the class has too many constants");
        assert!(pool.add(Constant::Integer(7)).is_ok(), "what is there is found");
    }
}
