//! Mirrors of interfaces of the JDK: their default and static methods, followed in a class of their own.
//!
//! The interfaces themselves stay the JDK's. A mirror has every method that has code, as a static method whose first parameter is the receiver; locals are
//! the same then, and so is the code. Static methods are called there instead. A followed class that would inherit a default method gets a method that
//! calls the mirror's ([`inherit`]).

use std::collections::{BTreeMap, BTreeSet};

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Constant, Kind, MemberRef, Operand, Signature, access, decode, descriptor};

use super::hierarchy::Hierarchy;
use super::names;

/// Whether an interface may be mirrored, by its name.
pub(super) fn may_be_mirrored(name: &str) -> bool {
    let inside = |package: &str| name.strip_prefix(package).is_some_and(|simple| !simple.contains('/'));
    inside("java/util/") || inside("java/util/function/") || name == "java/lang/Iterable"
}

/// Whether there is anything to mirror.
pub(super) fn has_code(class: &ClassFile) -> bool {
    class.methods.iter().any(|m| class.find(&m.attributes, "Code").is_some() && class.pool.utf8(m.name) != Ok("<clinit>"))
}

/// A method of an interface in its mirror.
fn mirrored(interface: &str, descriptor: &str, is_static: bool) -> String {
    if is_static { descriptor.to_owned() } else { format!("({}{}", descriptor::descriptor_of(interface), &descriptor[1..]) }
}

/// The mirror of an interface.
pub(super) fn mirror(interface: &ClassFile) -> Result<ClassFile, ClassError> {
    let mut class = interface.clone();
    let (own, new) = (interface.name().to_owned(), names::copy_of(interface.name()));
    class.this = class.pool.add_class(&new)?;
    class.access = access::PUBLIC | access::FINAL | access::SUPER | access::SYNTHETIC;
    class.interfaces.clear();
    class.fields.clear();
    let kept = ["BootstrapMethods", "SourceFile"];
    let pool = &class.pool;
    class.attributes.retain(|a| pool.utf8(a.name).is_ok_and(|name| kept.contains(&name)));
    class.methods.retain(|m| pool.utf8(m.name) != Ok("<clinit>") && m.attributes.iter().any(|a| pool.utf8(a.name) == Ok("Code")));
    // Its own methods that are not called through the interface, by name and descriptor; whether they are static.
    let mut closed = BTreeMap::new();
    for member in &class.methods {
        let (name, text) = (class.pool.utf8(member.name)?.to_owned(), class.pool.utf8(member.descriptor)?.to_owned());
        let is_static = member.access & access::STATIC != 0;
        if is_static || member.access & access::PRIVATE != 0 {
            closed.insert((name, text), is_static);
        }
    }
    for number in 0..class.methods.len() {
        redirect(&mut class, number, &own, &new, &closed)?;
        let member = &class.methods[number];
        let text = mirrored(&own, class.pool.utf8(member.descriptor)?, member.access & access::STATIC != 0);
        let descriptor = class.pool.add_utf8(&text)?;
        let pool = &class.pool;
        let member = &mut class.methods[number];
        (member.access, member.descriptor) = (access::PUBLIC | access::STATIC, descriptor);
        member.attributes.retain(|a| pool.utf8(a.name) == Ok("Code"));
    }
    handles(&mut class, &own, &new, &closed)?;
    Ok(class)
}

/// Makes the code of a mirror call its own methods, and those of other mirrors, as what they are now: static.
fn redirect(
    class: &mut ClassFile,
    number: usize,
    own: &str,
    new: &str,
    closed: &BTreeMap<(String, String), bool>,
) -> Result<(), ClassError> {
    let code = Code::of(class, &class.methods[number])?.expect("only methods with code are left");
    let instructions = decode(&code.bytes)?;
    let mut edits = Edits::default();
    for (index, instruction) in instructions.iter().enumerate() {
        let (Operand::Constant(constant), INVOKEVIRTUAL..=INVOKEINTERFACE) = (&instruction.operand, instruction.opcode) else { continue };
        let member = class.pool.member(*constant)?;
        let above = instruction.opcode == INVOKESPECIAL && member.interface;
        let (owner, name, text) = (member.class.to_owned(), member.name.to_owned(), member.descriptor.to_owned());
        let (target, is_static) = match closed.get(&(name.clone(), text.clone())) {
            Some(&is_static) if owner == own => (new.to_owned(), is_static),
            // `Other.super.method()`.
            _ if above && may_be_mirrored(&owner) => (names::copy_of(&owner), false),
            _ => continue,
        };
        let mut call = Assembler::new();
        call.call_static(&mut class.pool, &target, &name, &mirrored(&owner, &text, is_static))?;
        edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
    }
    rewrite(class, "", &code, &instructions, &edits)?.put(class, number)
}

/// Makes method handles of a mirror name its own methods.
fn handles(class: &mut ClassFile, own: &str, new: &str, closed: &BTreeMap<(String, String), bool>) -> Result<(), ClassError> {
    let all: Vec<(u16, u16)> = class
        .pool
        .iter()
        .filter_map(|(number, constant)| match constant {
            Constant::MethodHandle(_, member) => Some((number, *member)),
            _ => None,
        })
        .collect();
    for (number, member) in all {
        let found = class.pool.member(member)?;
        let (owner, name, text) = (found.class.to_owned(), found.name.to_owned(), found.descriptor.to_owned());
        if let Some(&is_static) = closed.get(&(name.clone(), text.clone())).filter(|_| owner == own) {
            let method = MemberRef { class: new, name: &name, descriptor: &mirrored(own, &text, is_static), interface: false };
            let method = class.pool.add_method(method)?;
            class.pool.put(number, Constant::MethodHandle(6, method));
        }
    }
    Ok(())
}

/// Makes a class call static methods of interfaces in their mirrors.
pub(super) fn call_mirrors(class: &mut ClassFile, mirrors: &BTreeSet<String>, hierarchy: &mut Hierarchy) -> Result<(), ClassError> {
    let all: Vec<(u16, u16, u16)> = class
        .pool
        .iter()
        .filter_map(|(number, constant)| match constant {
            Constant::InterfaceMethod(owner, named) => Some((number, *owner, *named)),
            _ => None,
        })
        .collect();
    for (number, owner, named) in all {
        let interface = class.pool.class(owner)?.to_owned();
        if !mirrors.contains(&interface) {
            continue;
        }
        let (name, text) = class.pool.name_and_type(named)?;
        let is_static = |m: &&super::hierarchy::MemberInfo| m.name == name && m.descriptor == text && m.access & access::STATIC != 0;
        if hierarchy.get(&interface).methods.iter().find(is_static).is_some() {
            let mirror = class.pool.add_class(&names::copy_of(&interface))?;
            class.pool.put(number, Constant::Method(mirror, named));
        }
    }
    Ok(())
}

/// Gives followed classes methods that call mirrors, where they would inherit default methods that followed code calls.
pub(super) fn inherit(classes: &mut [ClassFile], mirrors: &BTreeSet<String>, hierarchy: &mut Hierarchy) -> Result<(), ClassError> {
    let defaults = called_defaults(classes, mirrors, hierarchy)?;
    // Superclasses first.
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (at, class) in classes.iter().enumerate().filter(|(_, class)| !class.is_interface()) {
        order.push((hierarchy.ancestry(class.name()).len(), at));
    }
    order.sort_unstable();
    let mut given: BTreeMap<(String, usize), String> = BTreeMap::new();
    for (_, at) in order {
        let own = classes[at].name().to_owned();
        let above = hierarchy.ancestry(&own);
        let types: BTreeSet<&String> = mirrors.iter().filter(|interface| hierarchy.is_subclass(&own, interface)).collect();
        if types.is_empty() {
            continue;
        }
        for (number, (name, text)) in defaults.iter().enumerate() {
            let Some(selected) = hierarchy.select(&own, name, text).filter(|s| types.contains(&s.class)) else { continue };
            let inherited = above.iter().find_map(|class| given.get(&(class.clone(), number)));
            if inherited != Some(&selected.class) {
                bridge(&mut classes[at], &selected.class, name, text)?;
                given.insert((own.clone(), number), selected.class);
            }
        }
    }
    Ok(())
}

/// Name and descriptor of all default methods of mirrored interfaces that followed code calls.
fn called_defaults(
    classes: &[ClassFile],
    mirrors: &BTreeSet<String>,
    hierarchy: &mut Hierarchy,
) -> Result<Vec<(String, String)>, ClassError> {
    let mut called: BTreeSet<(&str, &str)> = BTreeSet::new();
    for class in classes {
        for (_, constant) in class.pool.iter() {
            if let Constant::Method(_, named) | Constant::InterfaceMethod(_, named) = constant {
                called.insert(class.pool.name_and_type(*named)?);
            }
        }
    }
    let mut defaults = BTreeSet::new();
    for interface in mirrors {
        for method in &hierarchy.get(interface).methods {
            let default = method.access & (access::STATIC | access::PRIVATE | access::ABSTRACT) == 0;
            if default && called.contains(&(method.name.as_str(), method.descriptor.as_str())) {
                defaults.insert((method.name.clone(), method.descriptor.clone()));
            }
        }
    }
    Ok(defaults.into_iter().collect())
}

/// A method that calls that of a mirror.
fn bridge(class: &mut ClassFile, interface: &str, name: &str, text: &str) -> Result<(), ClassError> {
    let signature = Signature::parse(text)?;
    let mut code = Assembler::new();
    code.local(ALOAD, 0);
    let mut local = 1;
    for kind in signature.kinds() {
        code.load(kind, local);
        local += u16::try_from(kind.places()).expect("one or two");
    }
    code.call_static(&mut class.pool, &names::copy_of(interface), name, &mirrored(interface, text, false))?;
    code.give(Kind::of(signature.result));
    class.add_method(access::PUBLIC | access::SYNTHETIC, name, text, Body { code, stack: local + 2, locals: 0 })
}
