//! The bootstrap methods of a class.

use xcute_classfile::bytes::Reader;
use xcute_classfile::{ClassError, ClassFile, Constant};

/// A bootstrap method with its static arguments.
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    pub(super) class: String,
    pub(super) name: String,
    /// Constants.
    pub(super) arguments: Vec<u16>,
}

/// A method handle: how a member is called.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    /// 1 to 9, as in JVMS 5.4.3.5.
    pub(super) kind: u8,
    pub(super) class: String,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) interface: bool,
}

/// Reads all bootstrap methods.
pub(super) fn read(class: &ClassFile) -> Result<Vec<Bootstrap>, ClassError> {
    let Some(attribute) = class.find(&class.attributes, "BootstrapMethods") else { return Ok(Vec::new()) };
    let mut reader = Reader::new(&attribute.data);
    let mut all = Vec::new();
    for _ in 0..reader.u2()? {
        let handle = handle(class, reader.u2()?)?;
        let arguments = (0..reader.u2()?).map(|_| reader.u2()).collect::<Result<_, _>>()?;
        all.push(Bootstrap { class: handle.class, name: handle.name, arguments });
    }
    Ok(all)
}

/// A method handle constant.
pub(super) fn handle(class: &ClassFile, constant: u16) -> Result<Handle, ClassError> {
    let Some(&Constant::MethodHandle(kind, member)) = class.pool.get(constant) else {
        return Err(ClassError::Constant { index: constant, expected: "a method handle" });
    };
    let member = class.pool.member(member)?;
    let (owner, name, descriptor) = (member.class.to_owned(), member.name.to_owned(), member.descriptor.to_owned());
    Ok(Handle { kind, class: owner, name, descriptor, interface: member.interface })
}

/// A method type constant.
pub(super) fn method_type(class: &ClassFile, constant: Option<&u16>) -> Result<String, ClassError> {
    let index = constant.copied().unwrap_or(0);
    match class.pool.get(index) {
        Some(&Constant::MethodType(text)) => Ok(class.pool.utf8(text)?.to_owned()),
        _ => Err(ClassError::Constant { index, expected: "a method type" }),
    }
}

/// An `int` constant.
pub(super) fn int(class: &ClassFile, constant: Option<&u16>) -> Option<i32> {
    match constant.and_then(|&index| class.pool.get(index)) {
        Some(&Constant::Integer(value)) => Some(value),
        _ => None,
    }
}
