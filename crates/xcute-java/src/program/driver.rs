//! The driver: a generated class that takes the inputs, calls the method under test, and is followed like the rest.
//!
//! Parameters are inputs in their order, the receiver first. `main(String[])` gets an empty array: its inputs are those that it asks for.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::bytes::Reader;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Code, Kind, MemberRef, Signature, access, descriptor};

use super::hierarchy::ClassInfo;

/// The simple name of the driver; it lies in the package of the method under test, whose types it must be allowed to name.
pub(crate) const DRIVER: &str = "Xcute$Driver";
const RUNTIME: &str = "java/lang/XcuteRt";

/// A method under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its class, in internal form.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) is_static: bool,
    pub(crate) interface: bool,
    /// The names of the inputs.
    pub(crate) names: Vec<String>,
    /// Whether another class of the package can call it by its name.
    pub(crate) callable: bool,
}

impl Entry {
    /// The descriptors of the inputs: the receiver, if there is one, then the parameters.
    pub(crate) fn inputs(&self) -> Vec<String> {
        if self.is_main() {
            return Vec::new();
        }
        let receiver = (!self.is_static).then(|| descriptor::descriptor_of(&self.class));
        let signature = Signature::parse(&self.descriptor).expect("checked when it was found");
        receiver.into_iter().chain(signature.parameters.iter().map(|&p| p.to_owned())).collect()
    }

    /// The name of the driver.
    pub(crate) fn driver(&self) -> String {
        self.class.rsplit_once('/').map_or_else(|| DRIVER.to_owned(), |(package, _)| format!("{package}/{DRIVER}"))
    }

    pub(crate) fn is_main(&self) -> bool {
        self.is_static && self.name == "main" && self.descriptor == "([Ljava/lang/String;)V"
    }
}

/// Finds a method of a class; `wanted` is a name, or a name with a descriptor. `Err` with all that fit where that is not one.
pub(crate) fn find(class: &str, info: &ClassInfo, wanted: &str) -> Result<Entry, Vec<String>> {
    let (name, descriptor) = wanted.find('(').map_or((wanted, None), |at| (&wanted[..at], Some(&wanted[at..])));
    let fits = |m: &&super::hierarchy::MemberInfo| {
        m.name == name && m.access & (access::ABSTRACT | access::BRIDGE) == 0 && descriptor.is_none_or(|d| d == m.descriptor)
    };
    let found: Vec<_> = info.methods.iter().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok(Entry {
            class: class.to_owned(),
            name: one.name.clone(),
            descriptor: one.descriptor.clone(),
            is_static: one.access & access::STATIC != 0,
            interface: info.is_interface(),
            names: Vec::new(),
            callable: one.access & (access::PRIVATE | access::SYNTHETIC) == 0,
        }),
        more => Err(more.iter().map(|m| m.descriptor.clone()).collect()),
    }
}

/// Whether a class can be named in the source of another class of its package, as far as the class file of `seen_from` says.
fn is_nameable(seen_from: &ClassFile, name: &str) -> Result<bool, ClassError> {
    let Some(table) = seen_from.find(&seen_from.attributes, "InnerClasses") else { return Ok(!name.contains('$')) };
    let mut reader = Reader::new(&table.data);
    let mut known = !name.contains('$');
    for _ in 0..reader.u2()? {
        let (inner, _outer, simple, flags) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
        let inner = seen_from.pool.class(inner)?;
        if name == inner || name.strip_prefix(inner).is_some_and(|rest| rest.starts_with('$')) {
            known = true;
            if simple == 0 || flags & access::PRIVATE != 0 {
                return Ok(false);
            }
        }
    }
    Ok(known)
}

/// Gives the inputs of a method the names that its parameters have in the source, where the class file says them.
pub(crate) fn named(class: &ClassFile, mut entry: Entry) -> Result<Entry, ClassError> {
    let mentioned = entry.inputs();
    for name in mentioned.iter().filter_map(|input| descriptor::class_of(input.trim_start_matches('['))).chain([class.name()]) {
        entry.callable &= is_nameable(class, name)?;
    }
    let mut locals = Vec::new();
    for method in &class.methods {
        if class.name_of(method)? != (&entry.name, &entry.descriptor) {
            continue;
        }
        let Some(code) = Code::of(class, method)? else { continue };
        let Some(table) = class.find(&code.attributes, "LocalVariableTable") else { continue };
        let mut reader = Reader::new(&table.data);
        for _ in 0..reader.u2()? {
            let (start, _length, name) = (reader.u2()?, reader.u2()?, reader.u2()?);
            let (_descriptor, local) = (reader.u2()?, reader.u2()?);
            if start == 0 {
                locals.push((usize::from(local), class.pool.utf8(name)?.to_owned()));
            }
        }
    }
    let mut local = 0;
    for (number, input) in entry.inputs().iter().enumerate() {
        let found = locals.iter().find(|l| l.0 == local).map(|l| l.1.clone());
        entry.names.push(found.unwrap_or_else(|| format!("arg{number}")));
        local += Kind::of(input).map_or(1, Kind::places);
    }
    Ok(entry)
}

/// The driver of a method.
pub(crate) fn driver(entry: &Entry) -> Result<ClassFile, ClassError> {
    let mut class = ClassFile::new(52, access::PUBLIC | access::FINAL, &entry.driver(), "java/lang/Object")?;
    let runnable = class.pool.add_class("java/lang/Runnable")?;
    class.interfaces.push(runnable);
    let mut code = Assembler::new();
    let object = MemberRef { class: "java/lang/Object", name: "<init>", descriptor: "()V", interface: false };
    code.local(ALOAD, 0).call(&mut class.pool, INVOKESPECIAL, object)?.op(RETURN);
    class.add_method(access::PUBLIC, "<init>", "()V", Body { code, stack: 1, locals: 0 })?;

    let mut code = Assembler::new();
    let signature = Signature::parse(&entry.descriptor)?;
    let mut stack = 2;
    if entry.is_main() {
        code.int(&mut class.pool, 0)?.class(&mut class.pool, ANEWARRAY, "java/lang/String")?;
    }
    for input in &entry.inputs() {
        let kind = Kind::of(input).ok_or_else(|| ClassError::Descriptor(input.clone()))?;
        let letter = kind.letter();
        let result = if kind == Kind::Reference { "Ljava/lang/Object;".to_owned() } else { letter.to_string() };
        code.call_static(&mut class.pool, RUNTIME, &format!("next{letter}"), &format!("(){result}"))?;
        if let Some(name) = descriptor::class_of(input).filter(|&name| name != "java/lang/Object") {
            code.class(&mut class.pool, CHECKCAST, name)?;
        }
        stack += u16::try_from(kind.places()).expect("one or two");
    }
    let method = MemberRef { class: &entry.class, name: &entry.name, descriptor: &entry.descriptor, interface: entry.interface };
    let way = match (entry.is_static, entry.interface) {
        (true, _) => INVOKESTATIC,
        (false, true) => INVOKEINTERFACE,
        (false, false) => INVOKEVIRTUAL,
    };
    code.call(&mut class.pool, way, method)?;
    match Kind::of(signature.result).map(Kind::places) {
        Some(2) => code.op(POP2),
        Some(_) => code.op(POP),
        None => &mut code,
    };
    code.op(RETURN);
    class.add_method(access::PUBLIC, "run", "()V", Body { code, stack, locals: 0 })?;
    Ok(class)
}
