//! Lets a driver call methods whatever their access.
//!
//! **Invariant.** A private method stays private: were it public, a subclass might override it. A static method next to it calls it.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Kind, MemberRef, Signature, access};

use super::entry::Entry;

/// What the names of the methods begin with that call private ones.
const OPEN: &str = "xcute$open$";

/// Lets the driver call a method.
pub(super) fn publish(classes: &mut [ClassFile], callee: &Entry) -> Result<(), ClassError> {
    let (name, descriptor) = called(callee);
    for class in classes.iter_mut().filter(|class| class.name() == callee.class) {
        class.access |= access::PUBLIC;
        let named: Vec<_> = class.methods.iter().map(|m| class.name_of(m) == Ok((&name, &descriptor))).collect();
        for (method, _) in class.methods.iter_mut().zip(&named).filter(|(_, named)| **named) {
            method.access = method.access & !(access::PRIVATE | access::PROTECTED) | access::PUBLIC;
        }
        if callee.is_hidden && !named.contains(&true) {
            open(class, callee)?;
        }
    }
    Ok(())
}

/// The name and the descriptor of the method that a driver calls to call this one.
pub(super) fn called(callee: &Entry) -> (String, String) {
    let Entry { class, name, descriptor, .. } = callee;
    if callee.is_hidden { (format!("{OPEN}{name}"), format!("(L{class};{}", &descriptor[1..])) } else { (name.clone(), descriptor.clone()) }
}

fn open(class: &mut ClassFile, callee: &Entry) -> Result<(), ClassError> {
    let mut code = Assembler::new();
    code.local(ALOAD, 0);
    let (signature, mut local) = (Signature::parse(&callee.descriptor)?, 1);
    for kind in signature.kinds() {
        code.load(kind, local);
        local += u16::try_from(kind.places()).expect("one or two");
    }
    let method = MemberRef { class: &callee.class, name: &callee.name, descriptor: &callee.descriptor, interface: callee.interface };
    code.call(&mut class.pool, INVOKESPECIAL, method)?.give(Kind::of(signature.result));
    let (name, descriptor) = called(callee);
    class.add_method(access::PUBLIC | access::STATIC | access::SYNTHETIC, &name, &descriptor, Body { code, stack: local + 2, locals: 0 })
}
