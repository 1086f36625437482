//! Handles of fields: `VarHandle` and the updaters of `java.util.concurrent.atomic`.
//!
//! A handle is found by the name of a field at run time, and called with whatever types the call has. Here each field that a class may mean (its constants
//! name a class and a field of it) gets a class that reads and writes it; finding a handle chooses among those. A call becomes one of a static method
//! that puts its values into boxes for the model of `VarHandle`.
//!
//! **Invariant.** A program that does more with handles than is known here is left as it is.

use std::collections::{BTreeMap, BTreeSet};

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Constant, Kind, MemberRef, Signature, access, decode, descriptor};

use super::body::Method;
use super::desugar::convert::convert;

pub(super) const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
const HANDLE: &str = "Ljava/lang/invoke/VarHandle;";
const OBJECT: &str = "Ljava/lang/Object;";

/// The modes: what the JDK calls them, what the model does, and how many values they take.
const MODES: [(&str, &str, usize); 31] = [
    ("get", "get", 0),
    ("set", "set", 1),
    ("getVolatile", "getVolatile", 0),
    ("setVolatile", "setVolatile", 1),
    ("getOpaque", "getWeakly", 0),
    ("setOpaque", "setWeakly", 1),
    ("getAcquire", "getWeakly", 0),
    ("setRelease", "setWeakly", 1),
    ("compareAndSet", "compareAndSet", 2),
    ("weakCompareAndSet", "compareAndSetWeakly", 2),
    ("weakCompareAndSetPlain", "compareAndSetWeakly", 2),
    ("weakCompareAndSetAcquire", "compareAndSetWeakly", 2),
    ("weakCompareAndSetRelease", "compareAndSetWeakly", 2),
    ("compareAndExchange", "compareAndExchange", 2),
    ("compareAndExchangeAcquire", "compareAndExchangeWeakly", 2),
    ("compareAndExchangeRelease", "compareAndExchangeWeakly", 2),
    ("getAndSet", "getAndSet", 1),
    ("getAndSetAcquire", "getAndSetWeakly", 1),
    ("getAndSetRelease", "getAndSetWeakly", 1),
    ("getAndAdd", "getAndAdd", 1),
    ("getAndAddAcquire", "getAndAddWeakly", 1),
    ("getAndAddRelease", "getAndAddWeakly", 1),
    ("getAndBitwiseOr", "getAndBitwiseOr", 1),
    ("getAndBitwiseOrAcquire", "getAndBitwiseOrWeakly", 1),
    ("getAndBitwiseOrRelease", "getAndBitwiseOrWeakly", 1),
    ("getAndBitwiseAnd", "getAndBitwiseAnd", 1),
    ("getAndBitwiseAndAcquire", "getAndBitwiseAndWeakly", 1),
    ("getAndBitwiseAndRelease", "getAndBitwiseAndWeakly", 1),
    ("getAndBitwiseXor", "getAndBitwiseXor", 1),
    ("getAndBitwiseXorAcquire", "getAndBitwiseXorWeakly", 1),
    ("getAndBitwiseXorRelease", "getAndBitwiseXorWeakly", 1),
];

const FENCES: [&str; 5] = ["fullFence", "acquireFence", "releaseFence", "loadLoadFence", "storeStoreFence"];

/// Whether a method was made here.
pub(super) fn is_made(method: &Method) -> bool {
    method.name.starts_with("xcute$handle$") || method.class.contains("$xcute$handle$")
}

/// What a member that has to do with handles is.
enum Use {
    /// Finds the handle of a field; and the updater that is made of it, if one is.
    Finds {
        updater: Option<String>,
    },
    Elements,
    Calls {
        model: &'static str,
        values: usize,
    },
    Fence,
}

/// What a member has to do with handles; `Err` where that is not known.
fn used(member: MemberRef<'_>) -> Result<Option<Use>, ()> {
    let updater = member.class.strip_prefix("java/util/concurrent/atomic/").filter(|class| class.ends_with("FieldUpdater"));
    match (member.class, member.name) {
        ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle" | "findStaticVarHandle") => Ok(Some(Use::Finds { updater: None })),
        ("java/lang/invoke/MethodHandles", "arrayElementVarHandle") => Ok(Some(Use::Elements)),
        (VAR_HANDLE, name) if FENCES.contains(&name) => Ok(Some(Use::Fence)),
        (VAR_HANDLE, name) => {
            let mode = MODES.iter().find(|mode| mode.0 == name).ok_or(())?;
            Ok(Some(Use::Calls { model: mode.1, values: mode.2 }))
        }
        (class, "newUpdater") if updater.is_some() => Ok(Some(Use::Finds { updater: Some(class.to_owned()) })),
        _ if updater.is_none() && member.class.starts_with("java/") && member.descriptor.contains(HANDLE) => Err(()),
        _ => Ok(None),
    }
}

/// A field of the program.
struct Field {
    descriptor: String,
    flags: u16,
}

/// The fields of all classes of a program that handles may be made of, by class and name.
type Fields = BTreeMap<(String, String), Field>;

/// Lets a program use models of handles; the classes that it needs.
pub(super) fn handles(classes: &mut [ClassFile]) -> Result<Vec<ClassFile>, ClassError> {
    let mut uses: Vec<Vec<(u16, Use)>> = Vec::new();
    for class in classes.iter() {
        let mut found = Vec::new();
        for (index, constant) in class.pool.iter() {
            let (Constant::Method(..) | Constant::InterfaceMethod(..)) = constant else { continue };
            match used(class.pool.member(index)?) {
                Ok(Some(known)) => found.push((index, known)),
                Ok(None) => {}
                Err(()) => return Ok(Vec::new()),
            }
        }
        uses.push(found);
    }
    if uses.iter().all(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let fields = fields(classes)?;
    let mut wanted = BTreeSet::new();
    for (class, uses) in classes.iter_mut().zip(&uses).filter(|(_, uses)| !uses.is_empty()) {
        replace(class, uses, &fields, &mut wanted)?;
    }
    wanted.iter().map(|key| handle(classes, key, &fields[key])).collect()
}

fn fields(classes: &[ClassFile]) -> Result<Fields, ClassError> {
    let mut all = Fields::new();
    for class in classes {
        for field in &class.fields {
            let (name, text) = class.name_of(field)?;
            let known = Field { descriptor: text.to_owned(), flags: field.access };
            all.insert((class.name().to_owned(), name.to_owned()), known);
        }
    }
    Ok(all)
}

/// Puts static methods in the places of what uses handles.
fn replace(class: &mut ClassFile, uses: &[(u16, Use)], fields: &Fields, wanted: &mut BTreeSet<(String, String)>) -> Result<(), ClassError> {
    let candidates = candidates(class, fields)?;
    let mut replaced = BTreeSet::new();
    for (number, (constant, what)) in uses.iter().enumerate() {
        let name = format!("xcute$handle${number}");
        let member = class.pool.member(*constant)?;
        let (mode, text) = (member.name.to_owned(), member.descriptor.to_owned());
        let made = match what {
            Use::Fence => continue,
            Use::Elements => {
                let owner = class.pool.add_class(VAR_HANDLE)?;
                let what = class.pool.add_name_and_type(&mode, &text)?;
                class.pool.put(*constant, Constant::Method(owner, what));
                continue;
            }
            Use::Finds { updater } => {
                wanted.extend(candidates.iter().cloned());
                finding(class, &text, updater.as_deref(), &candidates)?
            }
            Use::Calls { model, values } => calling(class, &text, model, *values)?,
        };
        let is_virtual = matches!(what, Use::Finds { updater: None } | Use::Calls { .. });
        let (body, text) = made;
        let flags = access::STATIC | access::SYNTHETIC | if class.is_interface() { access::PUBLIC } else { 0 };
        class.add_method(flags, &name, &text, body)?;
        let (own, interface) = (class.name().to_owned(), class.is_interface());
        let (owner, called) = (class.pool.add_class(&own)?, class.pool.add_name_and_type(&name, &text)?);
        let constant_now = if interface { Constant::InterfaceMethod(owner, called) } else { Constant::Method(owner, called) };
        class.pool.put(*constant, constant_now);
        if is_virtual {
            replaced.insert(*constant);
        }
    }
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate().filter(|(_, i)| i.opcode == INVOKEVIRTUAL) {
            if let Some(constant) = instruction.constant().filter(|constant| replaced.contains(constant)) {
                let mut call = Assembler::new();
                call.with(INVOKESTATIC, constant);
                edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
            }
        }
        if !edits.edits.is_empty() {
            rewrite(class, "", &code, &instructions, &edits)?.put(class, number)?;
        }
    }
    Ok(())
}

/// The fields that a class may mean, by its constants.
fn candidates(class: &ClassFile, fields: &Fields) -> Result<Vec<(String, String)>, ClassError> {
    let (mut owners, mut names) = (BTreeSet::from([class.name().to_owned()]), BTreeSet::new());
    for (index, constant) in class.pool.iter() {
        match constant {
            Constant::Class(_) => drop(owners.insert(class.pool.class(index)?.to_owned())),
            Constant::String(_) => drop(names.insert(String::from_utf16_lossy(&class.pool.string(index)?))),
            _ => {}
        }
    }
    Ok(fields.keys().filter(|(owner, name)| owners.contains(owner) && names.contains(name)).cloned().collect())
}

fn handle_class((class, field): &(String, String)) -> String {
    format!("{class}$xcute$handle${field}")
}

/// A static method that finds a handle, or makes an updater of it; with its descriptor.
fn finding(
    class: &mut ClassFile,
    text: &str,
    updater: Option<&str>,
    candidates: &[(String, String)],
) -> Result<(Body, String), ClassError> {
    let signature = Signature::parse(text)?;
    let name =
        signature.parameters.iter().position(|p| *p == "Ljava/lang/String;").ok_or_else(|| ClassError::Descriptor(text.to_owned()))?;
    // A lookup finds; its own place comes first.
    let before = u16::from(updater.is_none());
    let text = if updater.is_some() { text.to_owned() } else { format!("(Ljava/lang/invoke/MethodHandles$Lookup;{}", &text[1..]) };
    let name = u16::try_from(name).expect("few parameters") + before;
    let pool = &mut class.pool;
    let mut code = Assembler::new();
    code.op(ACONST_NULL);
    for candidate in candidates {
        code.local(ALOAD, before).local(ALOAD, name);
        code.call_static(pool, &handle_class(candidate), "handle", &format!("(){HANDLE}"))?;
        let chosen = format!("({HANDLE}Ljava/lang/Class;Ljava/lang/String;{HANDLE}){HANDLE}");
        code.call_static(pool, VAR_HANDLE, "chosen", &chosen)?;
    }
    code.call_static(pool, VAR_HANDLE, "known", &format!("({HANDLE}){HANDLE}"))?;
    if let Some(updater) = updater {
        code.call_static(pool, updater, "of", &format!("({HANDLE}){}", descriptor::descriptor_of(updater)))?;
    }
    code.op(ARETURN);
    Ok((Body { code, stack: 6, locals: 0 }, text))
}

/// A static method that calls a handle; with its descriptor.
fn calling(class: &mut ClassFile, text: &str, model: &str, values: usize) -> Result<(Body, String), ClassError> {
    let signature = Signature::parse(text)?;
    let wrong = || ClassError::Descriptor(text.to_owned());
    let coordinates = signature.parameters.len().checked_sub(values).filter(|count| *count <= 2).ok_or_else(wrong)?;
    let pool = &mut class.pool;
    let mut code = Assembler::new();
    code.local(ALOAD, 0);
    if coordinates == 0 {
        code.op(ACONST_NULL);
    }
    let mut local = 1;
    for (number, parameter) in signature.parameters.iter().enumerate() {
        if number == coordinates && coordinates < 2 {
            code.op(ICONST_0);
        }
        let kind = Kind::of(parameter).ok_or_else(wrong)?;
        code.load(kind, local);
        local += u16::try_from(kind.places()).expect("one or two");
        if number >= coordinates {
            convert(&mut code, pool, parameter, OBJECT)?;
        }
    }
    if values == 0 && coordinates < 2 {
        code.op(ICONST_0);
    }
    let result = match model {
        "compareAndSet" => "Z",
        _ if model.starts_with("set") => "V",
        _ => OBJECT,
    };
    let called = MemberRef {
        class: VAR_HANDLE,
        name: model,
        descriptor: &format!("({OBJECT}I{}){result}", OBJECT.repeat(values)),
        interface: false,
    };
    code.call(pool, INVOKEVIRTUAL, called)?;
    match (result, signature.result) {
        ("V", "V") => {}
        (_, "V") => drop(code.op(POP)),
        (OBJECT, "I") => drop(code.call_static(pool, VAR_HANDLE, "toInt", "(Ljava/lang/Object;)I")?),
        (OBJECT, "J") => drop(code.call_static(pool, VAR_HANDLE, "toLong", "(Ljava/lang/Object;)J")?),
        (OBJECT, "F") => drop(code.call_static(pool, VAR_HANDLE, "toFloat", "(Ljava/lang/Object;)F")?),
        (OBJECT, "D") => drop(code.call_static(pool, VAR_HANDLE, "toDouble", "(Ljava/lang/Object;)D")?),
        (OBJECT, "S") => drop(code.call_static(pool, VAR_HANDLE, "toShort", "(Ljava/lang/Object;)S")?),
        (given, wanted) => convert(&mut code, pool, given, wanted)?,
    }
    code.give(Kind::of(signature.result));
    Ok((Body { code, stack: local + 6, locals: 0 }, format!("({HANDLE}{}", &text[1..])))
}

/// The class that reads and writes a field; the field opens itself to its package.
fn handle(classes: &mut [ClassFile], key: &(String, String), field: &Field) -> Result<ClassFile, ClassError> {
    let (owner, name) = key;
    let own = handle_class(key);
    let mut class = ClassFile::new(52, access::FINAL | access::SYNTHETIC, &own, VAR_HANDLE)?;
    let is_static = field.flags & access::STATIC != 0;
    let kind = if Kind::of(&field.descriptor) == Some(Kind::Reference) { b'L' } else { field.descriptor.as_bytes()[0] };
    let constant = class.pool.add_class(owner)?;
    let mut code = Assembler::new();
    code.local(ALOAD, 0).with(LDC_W, constant).string(&mut class.pool, name)?.op(if is_static { ICONST_1 } else { ICONST_0 });
    // What is volatile has another bit.
    code.int(&mut class.pool, i32::from(kind) | if field.flags & access::VOLATILE != 0 { 256 } else { 0 })?;
    let above = MemberRef { class: VAR_HANDLE, name: "<init>", descriptor: "(Ljava/lang/Class;Ljava/lang/String;ZI)V", interface: false };
    code.call(&mut class.pool, INVOKESPECIAL, above)?.op(RETURN);
    class.add_method(0, "<init>", "()V", Body { code, stack: 5, locals: 0 })?;
    let mut code = Assembler::new();
    code.class(&mut class.pool, NEW, &own)?.op(DUP);
    code.call(&mut class.pool, INVOKESPECIAL, MemberRef { class: &own, name: "<init>", descriptor: "()V", interface: false })?.op(ARETURN);
    class.add_method(access::PUBLIC | access::STATIC, "handle", &format!("(){HANDLE}"), Body { code, stack: 2, locals: 0 })?;
    let mut code = Assembler::new();
    if is_static {
        code.field(&mut class.pool, GETSTATIC, owner, name, &field.descriptor)?;
    } else {
        code.local(ALOAD, 1).class(&mut class.pool, CHECKCAST, owner)?.field(&mut class.pool, GETFIELD, owner, name, &field.descriptor)?;
    }
    convert(&mut code, &mut class.pool, &field.descriptor, OBJECT)?;
    code.op(ARETURN);
    class.add_method(access::PUBLIC, "read", "(Ljava/lang/Object;I)Ljava/lang/Object;", Body { code, stack: 2, locals: 0 })?;
    let mut code = Assembler::new();
    if field.flags & access::FINAL != 0 {
        let failure = "java/lang/UnsupportedOperationException";
        code.class(&mut class.pool, NEW, failure)?.op(DUP);
        code.call(&mut class.pool, INVOKESPECIAL, MemberRef { class: failure, name: "<init>", descriptor: "()V", interface: false })?
            .op(ATHROW);
    } else {
        if !is_static {
            code.local(ALOAD, 1).class(&mut class.pool, CHECKCAST, owner)?;
        }
        code.local(ALOAD, 3);
        convert(&mut code, &mut class.pool, OBJECT, &field.descriptor)?;
        code.field(&mut class.pool, if is_static { PUTSTATIC } else { PUTFIELD }, owner, name, &field.descriptor)?.op(RETURN);
    }
    class.add_method(access::PUBLIC, "write", "(Ljava/lang/Object;ILjava/lang/Object;)V", Body { code, stack: 4, locals: 0 })?;
    for class in classes.iter_mut().filter(|class| class.name() == *owner) {
        for number in 0..class.fields.len() {
            if class.name_of(&class.fields[number])?.0 == name {
                class.fields[number].access &= !access::PRIVATE;
            }
        }
    }
    Ok(class)
}
