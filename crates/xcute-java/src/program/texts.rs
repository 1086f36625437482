//! Methods of strings, and static ones of numbers and characters, that are followed: calls of them become calls of the same methods in Java, as part of the
//! program.
//!
//! What the replay computes itself stays a call. So does what nobody models, and is a limit where something that an input decides reaches it.
//!
//! **Invariant.** The model does what the JDK's method does, with the same exceptions.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use xcute_classfile::opcode::{INVOKEINTERFACE, INVOKESTATIC, INVOKEVIRTUAL};
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, MemberRef, access, decode};

/// The class that has those of strings.
const TEXT: &str = "java/util/XcuteText";

/// Classes with static methods, and those that have the same in Java.
const NUMBERS: [(&str, &str); 8] = [
    ("java/lang/Boolean", "java/util/XcuteBoolean"),
    ("java/lang/Byte", "java/util/XcuteByte"),
    ("java/lang/Character", "java/util/XcuteCharacter"),
    ("java/lang/Integer", "java/util/XcuteInteger"),
    ("java/lang/Long", "java/util/XcuteLong"),
    ("java/lang/Math", "java/util/XcuteMath"),
    ("java/lang/Short", "java/util/XcuteShort"),
    ("java/lang/StrictMath", "java/util/XcuteMath"),
];

/// The public methods of the classes that have them: class, name and descriptor.
static STATIC: LazyLock<BTreeSet<(&str, String, String)>> = LazyLock::new(|| {
    let mut all = BTreeSet::new();
    for model in NUMBERS.iter().map(|(_, model)| *model).chain([BUILDER]) {
        let class = super::models::model(model).and_then(|bytes| ClassFile::read(bytes).ok()).expect("our own classes can be read");
        for method in class.methods.iter().filter(|method| method.access & access::PUBLIC != 0) {
            let (name, descriptor) = class.name_of(method).expect("our own classes can be read");
            all.insert((model, name.to_owned(), descriptor.to_owned()));
        }
    }
    all
});

const STRING: &str = "java/lang/String";
const THREAD: &str = "java/lang/Thread";
const BUILDERS: &str = "java/lang/Thread$Builder";
/// The class that has what later versions added to threads.
const BUILDER: &str = "java/util/concurrent/XcuteBuilder";
/// Classes before this version know only what threads always had.
const SINCE: u16 = 65;

/// Its methods, with the descriptors that they have in `String`.
const METHODS: [(&str, &str); 17] = [
    ("matches", "(Ljava/lang/String;)Z"),
    ("replaceAll", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"),
    ("replaceFirst", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"),
    ("split", "(Ljava/lang/String;)[Ljava/lang/String;"),
    ("split", "(Ljava/lang/String;I)[Ljava/lang/String;"),
    ("replace", "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;"),
    ("repeat", "(I)Ljava/lang/String;"),
    ("join", "(Ljava/lang/CharSequence;[Ljava/lang/CharSequence;)Ljava/lang/String;"),
    ("join", "(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;"),
    ("format", "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;"),
    ("formatted", "([Ljava/lang/Object;)Ljava/lang/String;"),
    ("isBlank", "()Z"),
    ("strip", "()Ljava/lang/String;"),
    ("stripLeading", "()Ljava/lang/String;"),
    ("stripTrailing", "()Ljava/lang/String;"),
    ("compareToIgnoreCase", "(Ljava/lang/String;)I"),
    ("regionMatches", "(ILjava/lang/String;II)Z"),
];

/// Lets a class call them.
pub(super) fn by_text(class: &mut ClassFile) -> Result<(), ClassError> {
    let own = class.name().to_owned();
    if own.starts_with("java/util/Xcute") || !class.pool.iter().any(|(index, _)| model_at(class, index).is_some()) {
        return Ok(());
    }
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate() {
            let Some((constant, model)) = instruction.constant().and_then(|constant| Some((constant, model_at(class, constant)?))) else {
                continue;
            };
            let member = class.pool.member(constant)?;
            let descriptor = match instruction.opcode {
                INVOKEVIRTUAL | INVOKEINTERFACE if model == TEXT || model == BUILDER => with_receiver(member),
                INVOKESTATIC => erased(member.descriptor),
                _ => continue,
            };
            let name = member.name.to_owned();
            let mut call = xcute_classfile::assemble::Assembler::new();
            call.call_static(&mut class.pool, model, &name, &descriptor)?;
            edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
        }
        if !edits.edits.is_empty() {
            rewrite(class, &own, &code, &instructions, &edits)?.put(class, number)?;
        }
    }
    Ok(())
}

fn model_at(class: &ClassFile, constant: u16) -> Option<&'static str> {
    class.pool.member(constant).ok().and_then(model_of).filter(|model| *model != BUILDER || class.major >= SINCE)
}

/// The class that has a method in Java.
fn model_of(member: MemberRef<'_>) -> Option<&'static str> {
    if member.class == STRING {
        return METHODS.contains(&(member.name, member.descriptor)).then_some(TEXT);
    }
    let has = |model: &'static str, descriptor: String| STATIC.contains(&(model, member.name.to_owned(), descriptor)).then_some(model);
    if member.class == THREAD || member.class.starts_with(BUILDERS) {
        return has(BUILDER, erased(member.descriptor)).or_else(|| has(BUILDER, with_receiver(member)));
    }
    has(NUMBERS.iter().find(|(class, _)| *class == member.class)?.1, member.descriptor.to_owned())
}

/// The descriptor of a static method that takes the receiver as its first parameter.
fn with_receiver(member: MemberRef<'_>) -> String {
    erased(&member.descriptor.replacen('(', &format!("(L{};", member.class), 1))
}

/// A descriptor in which builders of threads, which not all versions have, are objects. The JVM does not check references of interfaces.
fn erased(descriptor: &str) -> String {
    ["OfVirtual;", "OfPlatform;", ";"].iter().fold(descriptor.to_owned(), |text, end| {
        let mark = if *end == ";" { "" } else { "$" };
        text.replace(&format!("L{BUILDERS}{mark}{end}"), "Ljava/lang/Object;")
    })
}
