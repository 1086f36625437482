//! A class file: read, changed, written.
//!
//! Attributes are kept as they are; what is needed of them is decoded where it is needed ([`crate::code`]).
//!
//! **Invariant.** Reading and writing without a change gives the same bytes.

use crate::bytes::{Reader, Writer};
use crate::error::ClassError;
use crate::pool::Pool;

const MAGIC: u32 = 0xcafe_babe;

/// The versions of class files that are read: Java 1.1 to 25.
pub const VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

/// Flags of classes, fields and methods.
#[allow(missing_docs, reason = "the names are those of the JVM specification")]
pub mod access {
    pub const PUBLIC: u16 = 0x1;
    pub const PRIVATE: u16 = 0x2;
    pub const PROTECTED: u16 = 0x4;
    pub const STATIC: u16 = 0x8;
    pub const FINAL: u16 = 0x10;
    pub const SYNCHRONIZED: u16 = 0x20;
    pub const SUPER: u16 = 0x20;
    pub const BRIDGE: u16 = 0x40;
    pub const VOLATILE: u16 = 0x40;
    pub const NATIVE: u16 = 0x100;
    pub const INTERFACE: u16 = 0x200;
    pub const ABSTRACT: u16 = 0x400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;
}

/// A class file.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// The minor version; 65535 for preview features.
    pub minor: u16,
    /// The major version.
    pub major: u16,
    /// Its constants.
    pub pool: Pool,
    /// Its flags.
    pub access: u16,
    /// The constant with its own name.
    pub this: u16,
    /// The constant with the name of its superclass; 0 for `java.lang.Object`.
    pub superclass: u16,
    /// The constants with the names of its interfaces.
    pub interfaces: Vec<u16>,
    /// Its fields.
    pub fields: Vec<Member>,
    /// Its methods.
    pub methods: Vec<Member>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A field or a method.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its flags.
    pub access: u16,
    /// The constant with its name.
    pub name: u16,
    /// The constant with its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// An attribute, not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The constant with its name.
    pub name: u16,
    /// What it holds.
    pub data: Vec<u8>,
}

impl ClassFile {
    /// Reads a class file.
    ///
    /// # Errors
    /// Where it is malformed or of an unknown version.
    pub fn read(bytes: &[u8]) -> Result<ClassFile, ClassError> {
        let mut reader = Reader::new(bytes);
        let magic = reader.u4()?;
        if magic != MAGIC {
            return Err(ClassError::Magic(magic));
        }
        let (minor, major) = (reader.u2()?, reader.u2()?);
        if !VERSIONS.contains(&major) {
            return Err(ClassError::Version { major });
        }
        let pool = Pool::read(&mut reader)?;
        let (access, this, superclass) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let interfaces = (0..reader.u2()?).map(|_| reader.u2()).collect::<Result<_, _>>()?;
        let fields = members(&mut reader)?;
        let methods = members(&mut reader)?;
        let attributes = attributes(&mut reader)?;
        let class = ClassFile { minor, major, pool, access, this, superclass, interfaces, fields, methods, attributes };
        class.pool.class(class.this)?;
        Ok(class)
    }

    /// The bytes of the class file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.u4(MAGIC);
        out.u2(self.minor);
        out.u2(self.major);
        self.pool.write(&mut out);
        out.u2(self.access);
        out.u2(self.this);
        out.u2(self.superclass);
        write_count(self.interfaces.len(), &mut out);
        for &interface in &self.interfaces {
            out.u2(interface);
        }
        for members in [&self.fields, &self.methods] {
            write_count(members.len(), &mut out);
            for member in members {
                out.u2(member.access);
                out.u2(member.name);
                out.u2(member.descriptor);
                write_attributes(&member.attributes, &mut out);
            }
        }
        write_attributes(&self.attributes, &mut out);
        out
    }

    /// Its name in internal form.
    #[must_use]
    pub fn name(&self) -> &str {
        self.pool.class(self.this).expect("checked when it was read")
    }

    /// The name of its superclass.
    ///
    /// # Errors
    /// Where the constant is not a class.
    pub fn superclass(&self) -> Result<Option<&str>, ClassError> {
        if self.superclass == 0 { Ok(None) } else { self.pool.class(self.superclass).map(Some) }
    }

    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Name and descriptor of a member.
    ///
    /// # Errors
    /// Where they are not texts.
    pub fn name_of(&self, member: &Member) -> Result<(&str, &str), ClassError> {
        Ok((self.pool.utf8(member.name)?, self.pool.utf8(member.descriptor)?))
    }

    /// The attribute with this name among some of this class.
    #[must_use]
    pub fn find<'a>(&self, attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
        attributes.iter().find(|attribute| self.pool.utf8(attribute.name) == Ok(name))
    }

    /// The source file it says it was compiled from.
    #[must_use]
    pub fn source_file(&self) -> Option<&str> {
        let data = &self.find(&self.attributes, "SourceFile")?.data;
        let index = Reader::new(data).u2().ok()?;
        self.pool.utf8(index).ok()
    }
}

fn members(reader: &mut Reader<'_>) -> Result<Vec<Member>, ClassError> {
    let count = reader.u2()?;
    let member = |_| {
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        Ok(Member { access, name, descriptor, attributes: attributes(reader)? })
    };
    (0..count).map(member).collect()
}

/// Reads attributes with their count.
pub(crate) fn attributes(reader: &mut Reader<'_>) -> Result<Vec<Attribute>, ClassError> {
    let count = reader.u2()?;
    let attribute = |_| {
        let (name, length) = (reader.u2()?, reader.u4()?);
        Ok(Attribute { name, data: reader.take(length as usize)?.to_vec() })
    };
    (0..count).map(attribute).collect()
}

/// Appends attributes with their count.
pub(crate) fn write_attributes(attributes: &[Attribute], out: &mut Vec<u8>) {
    write_count(attributes.len(), out);
    for attribute in attributes {
        out.u2(attribute.name);
        out.u4(u32::try_from(attribute.data.len()).expect("an attribute fits in memory"));
        out.extend_from_slice(&attribute.data);
    }
}

fn write_count(count: usize, out: &mut Vec<u8>) {
    out.u2(u16::try_from(count).expect("lists of a class are short"));
}
