//! Methods of strings and of `Optional`, and static ones of numbers and characters, that are followed: calls of them become calls of the same methods in Java, as part of the
//! program.
//!
//! What the replay computes itself stays a call. So does what nobody models, and is a limit where something that an input decides reaches it.
//!
//! **Invariant.** The model does what the JDK's method does, with the same exceptions.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::{CHECKCAST, INSTANCEOF, INVOKEINTERFACE, INVOKESTATIC, INVOKEVIRTUAL};
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Instruction, access, decode};

use super::later::{self, BUILDER, DURATIONS, ThreadClasses};

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
    for model in NUMBERS.iter().map(|(_, model)| *model).chain([BUILDER, DURATIONS, OPTIONAL]) {
        let class = super::models::model(model).and_then(|bytes| ClassFile::read(bytes).ok()).expect("our own classes can be read");
        for method in class.methods.iter().filter(|method| method.access & access::PUBLIC != 0) {
            let (name, descriptor) = class.name_of(method).expect("our own classes can be read");
            all.insert((model, name.to_owned(), descriptor.to_owned()));
        }
    }
    all
});

/// The class that has those of [`OPTIONALS`].
const OPTIONAL: &str = "java/util/XcuteOptional";

/// Classes that hold a value or none.
const OPTIONALS: [&str; 4] = ["java/util/Optional", "java/util/OptionalDouble", "java/util/OptionalInt", "java/util/OptionalLong"];

const STRING: &str = "java/lang/String";

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

/// A static method that takes the place of an instruction.
struct Instead {
    class: &'static str,
    name: String,
    descriptor: String,
}

/// Lets a class call them; those of threads where the program has some.
pub(super) fn by_text(class: &mut ClassFile, threads: Option<&ThreadClasses>) -> Result<(), ClassError> {
    let own = class.name().to_owned();
    if own.starts_with("java/util/Xcute") || own == BUILDER || own == DURATIONS {
        return Ok(());
    }
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate() {
            let Some(Instead { class: model, name, descriptor }) = instead(class, instruction, threads) else { continue };
            let mut call = Assembler::new();
            call.call_static(&mut class.pool, model, &name, &descriptor)?;
            edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
        }
        if !edits.edits.is_empty() {
            rewrite(class, &own, &code, &instructions, &edits)?.put(class, number)?;
        }
    }
    Ok(())
}

fn instead(class: &ClassFile, instruction: &Instruction, threads: Option<&ThreadClasses>) -> Option<Instead> {
    let (opcode, constant) = (instruction.opcode, instruction.constant()?);
    if matches!(opcode, CHECKCAST | INSTANCEOF) {
        threads?;
        let (name, descriptor) = later::test(class, opcode, constant)?;
        return Some(Instead { class: BUILDER, name, descriptor: descriptor.to_owned() });
    }
    let is_static = match opcode {
        INVOKESTATIC => true,
        INVOKEVIRTUAL | INVOKEINTERFACE => false,
        _ => return None,
    };
    let member = class.pool.member(constant).ok()?;
    let (model, descriptor) = if let Some((model, [plain, received])) = threads.and_then(|threads| threads.instead(class, member)) {
        (model, if is_static { plain } else { received })
    } else if member.class == STRING {
        METHODS.contains(&(member.name, member.descriptor)).then_some(())?;
        let descriptor = member.descriptor.to_owned();
        return Some(Instead {
            class: TEXT,
            name: member.name.to_owned(),
            descriptor: if is_static { descriptor } else { descriptor.replacen('(', &format!("(L{STRING};"), 1) },
        });
    } else if OPTIONALS.contains(&member.class) && !is_static {
        (OPTIONAL, member.descriptor.replacen('(', &format!("(L{};", member.class), 1))
    } else {
        let model = NUMBERS.iter().find(|(class, _)| is_static && *class == member.class)?.1;
        (model, member.descriptor.to_owned())
    };
    let name = member.name.to_owned();
    STATIC.contains(&(model, name.clone(), descriptor.clone())).then_some(Instead { class: model, name, descriptor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_classfile::MemberRef;

    /// What later versions added is known without one of them: each method, with the descriptor that class files of version 65 have.
    #[test]
    fn what_threads_have_later_has_a_model() {
        let [new, old] = [65, 61].map(|major| ClassFile::new(major, 0, "T", "java/lang/Thread").unwrap());
        let threads = ThreadClasses::of(std::slice::from_ref(&new));
        let builder = "Ljava/lang/Thread$Builder;";
        let (of_virtual, of_platform) = ("Ljava/lang/Thread$Builder$OfVirtual;", "Ljava/lang/Thread$Builder$OfPlatform;");
        let (task, thread, handler) = ("Ljava/lang/Runnable;", "Ljava/lang/Thread;", "Ljava/lang/Thread$UncaughtExceptionHandler;");
        let mut all: Vec<(&str, bool, &str, String)> = vec![
            ("java/lang/Thread", true, "ofVirtual", format!("(){of_virtual}")),
            ("java/lang/Thread", true, "ofPlatform", format!("(){of_platform}")),
            ("java/lang/Thread", true, "startVirtualThread", format!("({task}){thread}")),
            ("java/lang/Thread", true, "sleep", "(Ljava/time/Duration;)V".to_owned()),
            ("java/lang/Thread", false, "join", "(Ljava/time/Duration;)Z".to_owned()),
            ("T", false, "join", "(Ljava/time/Duration;)Z".to_owned()),
            ("T", false, "isVirtual", "()Z".to_owned()),
        ];
        for (class, own) in [("java/lang/Thread$Builder", builder), ("java/lang/Thread$Builder$OfVirtual", of_virtual)] {
            all.push((class, false, "name", format!("(Ljava/lang/String;){own}")));
            all.push((class, false, "name", format!("(Ljava/lang/String;J){own}")));
            all.push((class, false, "inheritInheritableThreadLocals", format!("(Z){own}")));
            all.push((class, false, "uncaughtExceptionHandler", format!("({handler}){own}")));
            all.push((class, false, "unstarted", format!("({task}){thread}")));
            all.push((class, false, "start", format!("({task}){thread}")));
            all.push((class, false, "factory", "()Ljava/util/concurrent/ThreadFactory;".to_owned()));
        }
        for (name, parameters) in
            [("group", "Ljava/lang/ThreadGroup;"), ("daemon", "Z"), ("daemon", ""), ("priority", "I"), ("stackSize", "J")]
        {
            all.push(("java/lang/Thread$Builder$OfPlatform", false, name, format!("({parameters}){of_platform}")));
        }
        for (class, is_static, name, descriptor) in &all {
            let member = MemberRef { class, name, descriptor, interface: false };
            let (model, [plain, received]) = threads.instead(&new, member).unwrap();
            let descriptor = if *is_static { plain } else { received };
            assert!(STATIC.contains(&(model, (*name).to_owned(), descriptor.clone())), "{class}.{name} {descriptor}");
            assert!(threads.instead(&old, member).is_none(), "{class}.{name}");
        }
    }
}
