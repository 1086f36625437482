//! Methods of strings that are followed: calls of them become calls of the same methods in Java, as part of the program.
//!
//! What the replay computes itself stays a call. So does what is in neither list, and is a limit where something that an input decides reaches it.
//!
//! **Invariant.** The model does what the JDK's method does, with the same exceptions.

use xcute_classfile::opcode::{INVOKESTATIC, INVOKEVIRTUAL};
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, decode};

/// The class that has them.
pub(super) const TEXT: &str = "java/util/XcuteText";

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

/// Lets a class call them.
pub(super) fn by_text(class: &mut ClassFile) -> Result<(), ClassError> {
    if class.name() == TEXT || !class.pool.iter().any(|(index, _)| is_known(class, index)) {
        return Ok(());
    }
    let own = class.name().to_owned();
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate() {
            let Some(constant) = instruction.constant().filter(|constant| is_known(class, *constant)) else { continue };
            let member = class.pool.member(constant)?;
            let (name, rest) = (member.name.to_owned(), member.descriptor.trim_start_matches('(').to_owned());
            let descriptor = match instruction.opcode {
                INVOKEVIRTUAL => format!("(L{STRING};{rest}"),
                INVOKESTATIC => format!("({rest}"),
                _ => continue,
            };
            let mut call = xcute_classfile::assemble::Assembler::new();
            call.call_static(&mut class.pool, TEXT, &name, &descriptor)?;
            edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
        }
        if !edits.edits.is_empty() {
            rewrite(class, &own, &code, &instructions, &edits)?.put(class, number)?;
        }
    }
    Ok(())
}

fn is_known(class: &ClassFile, constant: u16) -> bool {
    class.pool.member(constant).is_ok_and(|member| member.class == STRING && METHODS.contains(&(member.name, member.descriptor)))
}
