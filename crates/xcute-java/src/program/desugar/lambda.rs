//! Lambdas and method references: a class for each, with a field for each value that it captures.
//!
//! Its method calls an accessor in the class where the lambda stands, since the code of a lambda is private there; the accessor does what the method
//! handle says.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Kind, MemberRef, Signature, access, descriptor};

use super::bootstrap::{self, Bootstrap, Handle};
use super::convert::convert;
use super::{Desugared, Replacement};

/// Flags of `altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

impl Desugared<'_> {
    pub(super) fn lambda(&mut self, bootstrap: &Bootstrap, name: &str, factory: &str) -> Result<Option<Replacement>, ClassError> {
        let arguments = &bootstrap.arguments;
        let erased = bootstrap::method_type(self.class, arguments.first())?;
        let handle = bootstrap::handle(self.class, arguments.get(1).copied().unwrap_or(0))?;
        let exact = bootstrap::method_type(self.class, arguments.get(2))?;
        let (mut interfaces, mut bridges) = (Vec::new(), vec![erased]);
        let flags = bootstrap::int(self.class, arguments.get(3)).unwrap_or(0);
        let mut rest = arguments.iter().skip(4);
        if flags & SERIALIZABLE != 0 {
            interfaces.push("java/io/Serializable".to_owned());
        }
        if flags & MARKERS != 0 {
            let count = bootstrap::int(self.class, rest.next()).unwrap_or(0);
            for _ in 0..count {
                interfaces.push(self.class.pool.class(*rest.next().unwrap_or(&0))?.to_owned());
            }
        }
        if flags & BRIDGES != 0 {
            let count = bootstrap::int(self.class, rest.next()).unwrap_or(0);
            for _ in 0..count {
                bridges.push(bootstrap::method_type(self.class, rest.next())?);
            }
        }
        let signature = Signature::parse(factory)?;
        let interface = descriptor::class_of(signature.result).ok_or_else(|| ClassError::Descriptor(factory.to_owned()))?;
        interfaces.insert(0, interface.to_owned());
        bridges.dedup();
        let captured: Vec<String> = signature.parameters.iter().map(|&p| p.to_owned()).collect();
        let accessor = self.accessor(&handle)?;
        let own = self.beside("lambda");
        let mut class = shell(self.class.major, &own, &interfaces, &captured)?;
        for bridge in &bridges {
            method(&mut class, name, bridge, &exact, &captured, &accessor)?;
        }
        let made = getter(&mut class, &captured, signature.result)?;
        self.made.push(class);
        Ok(Some(made))
    }

    /// A static method of this class that does what a handle says; its parameters are all arguments.
    fn accessor(&mut self, handle: &Handle) -> Result<Replacement, ClassError> {
        let signature = Signature::parse(&handle.descriptor)?;
        let own = descriptor::descriptor_of(&handle.class);
        let receiver = matches!(handle.kind, 5 | 7 | 9);
        let mut parameters: Vec<&str> = signature.parameters.clone();
        if receiver {
            parameters.insert(0, &own);
        }
        let result = if handle.kind == 8 { own.as_str() } else { signature.result };
        let descriptor = format!("({}){result}", parameters.concat());
        let mut code = Assembler::new();
        let pool = &mut self.class.pool;
        if handle.kind == 8 {
            code.class(pool, NEW, &handle.class)?.op(DUP);
        }
        let places = load(&mut code, &parameters)?;
        let opcode = match handle.kind {
            5 => INVOKEVIRTUAL,
            6 => INVOKESTATIC,
            9 => INVOKEINTERFACE,
            _ => INVOKESPECIAL,
        };
        let method = MemberRef { class: &handle.class, name: &handle.name, descriptor: &handle.descriptor, interface: handle.interface };
        code.call(pool, opcode, method)?.give(Kind::of(result));
        let name = self.fresh("accessor");
        self.add(&name, &descriptor, Body { code, stack: places + 4, locals: 0 })
    }
}

/// Loads all parameters of a static method; how many places they take.
fn load(code: &mut Assembler, parameters: &[&str]) -> Result<u16, ClassError> {
    let mut local = 0;
    for parameter in parameters {
        let kind = Kind::of(parameter).ok_or_else(|| ClassError::Descriptor((*parameter).to_owned()))?;
        code.load(kind, local);
        local += u16::try_from(kind.places()).expect("one or two");
    }
    Ok(local)
}

/// A class with a field for each captured value and a constructor that sets them.
fn shell(major: u16, name: &str, interfaces: &[String], captured: &[String]) -> Result<ClassFile, ClassError> {
    let mut class = ClassFile::new(major, access::FINAL | access::SYNTHETIC, name, "java/lang/Object")?;
    for interface in interfaces {
        let constant = class.pool.add_class(interface)?;
        if !class.interfaces.contains(&constant) {
            class.interfaces.push(constant);
        }
    }
    let mut code = Assembler::new();
    let object = MemberRef { class: "java/lang/Object", name: "<init>", descriptor: "()V", interface: false };
    code.local(ALOAD, 0).call(&mut class.pool, INVOKESPECIAL, object)?;
    let mut local = 1;
    for (number, field) in captured.iter().enumerate() {
        class.add_field(access::FINAL, &format!("c{number}"), field)?;
        let kind = Kind::of(field).ok_or_else(|| ClassError::Descriptor(field.clone()))?;
        code.local(ALOAD, 0).load(kind, local).field(&mut class.pool, PUTFIELD, name, &format!("c{number}"), field)?;
        local += u16::try_from(kind.places()).expect("one or two");
    }
    code.op(RETURN);
    class.add_method(0, "<init>", &format!("({})V", captured.concat()), Body { code, stack: 3, locals: 0 })?;
    Ok(class)
}

/// The method of the interface: captured values and arguments, converted, go to the accessor.
fn method(
    class: &mut ClassFile,
    name: &str,
    erased: &str,
    exact: &str,
    captured: &[String],
    accessor: &Replacement,
) -> Result<(), ClassError> {
    let own = class.name().to_owned();
    let (outer, exact, inner) = (Signature::parse(erased)?, Signature::parse(exact)?, Signature::parse(&accessor.descriptor)?);
    let mut code = Assembler::new();
    for (number, field) in captured.iter().enumerate() {
        code.local(ALOAD, 0).field(&mut class.pool, GETFIELD, &own, &format!("c{number}"), field)?;
        // The receiver of a bound method reference may be of a subclass.
        convert(&mut code, &mut class.pool, field, inner.parameters.get(number).copied().unwrap_or(field))?;
    }
    let mut local = 1;
    for (number, parameter) in outer.parameters.iter().enumerate() {
        let kind = Kind::of(parameter).ok_or_else(|| ClassError::Descriptor(erased.to_owned()))?;
        code.load(kind, local);
        local += u16::try_from(kind.places()).expect("one or two");
        let precise = exact.parameters.get(number).copied().unwrap_or(parameter);
        convert(&mut code, &mut class.pool, parameter, precise)?;
        let wanted = inner.parameters.get(captured.len() + number).copied().unwrap_or(precise);
        convert(&mut code, &mut class.pool, precise, wanted)?;
    }
    let called =
        MemberRef { class: &accessor.class, name: &accessor.name, descriptor: &accessor.descriptor, interface: accessor.interface };
    code.call(&mut class.pool, INVOKESTATIC, called)?;
    match (inner.result, outer.result) {
        ("V", _) => {}
        (given, "V") => drop(code.op(if Kind::of(given).is_some_and(|kind| kind.places() == 2) { POP2 } else { POP })),
        (given, wanted) => convert(&mut code, &mut class.pool, given, wanted)?,
    }
    code.give(Kind::of(outer.result));
    let stack = u16::try_from(inner.places() + 4).map_err(|_| ClassError::Descriptor(erased.to_owned()))?;
    class.add_method(access::PUBLIC, name, erased, Body { code, stack, locals: 0 })
}

/// A static method that makes the object.
fn getter(class: &mut ClassFile, captured: &[String], interface: &str) -> Result<Replacement, ClassError> {
    let own = class.name().to_owned();
    let mut code = Assembler::new();
    code.class(&mut class.pool, NEW, &own)?.op(DUP);
    let parameters: Vec<&str> = captured.iter().map(String::as_str).collect();
    let places = load(&mut code, &parameters)?;
    let constructor = format!("({})V", captured.concat());
    let method = MemberRef { class: &own, name: "<init>", descriptor: &constructor, interface: false };
    code.call(&mut class.pool, INVOKESPECIAL, method)?.op(ARETURN);
    let descriptor = format!("({}){interface}", captured.concat());
    class.add_method(access::STATIC, "get", &descriptor, Body { code, stack: places + 2, locals: 0 })?;
    Ok(Replacement { class: own, name: "get".to_owned(), descriptor, interface: false })
}
