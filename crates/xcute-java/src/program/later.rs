//! What later versions of Java added to threads: builders, virtual threads, times as `Duration`. Calls of it become calls of static methods of a model.
//!
//! The classes of the runtime know Java 17 only, so a builder is an object of any class there.
//!
//! **Invariant.** Only class files that are new enough to mean these methods are changed.

use std::collections::BTreeSet;

use xcute_classfile::opcode::{CHECKCAST, INSTANCEOF};
use xcute_classfile::{ClassFile, MemberRef};

const THREAD: &str = "java/lang/Thread";
const BUILDERS: &str = "java/lang/Thread$Builder";
/// The classes that have what was added; what takes a `Duration` apart, since with that class many others are copied.
pub(super) const BUILDER: &str = "java/util/concurrent/XcuteBuilder";
pub(super) const DURATIONS: &str = "java/util/concurrent/XcuteDurations";
/// Classes before this version know only what threads always had: Java 21 is the first one that is supported and has more.
const SINCE: u16 = 65;

/// What a program calls by the names of its own classes that are threads: these methods cannot be overridden.
const INHERITED: [(&str, &str); 4] =
    [("isVirtual", "()Z"), ("join", "(Ljava/time/Duration;)Z"), ("sleep", "(Ljava/time/Duration;)V"), ("setPriority", "(I)V")];

/// The classes of a program that are threads.
#[derive(Debug, Default)]
pub(super) struct ThreadClasses(BTreeSet<String>);

impl ThreadClasses {
    pub(super) fn of(program: &[ClassFile]) -> ThreadClasses {
        let mut found = BTreeSet::from([THREAD.to_owned()]);
        loop {
            let before = found.len();
            let extends = |class: &&ClassFile| class.superclass().ok().flatten().is_some_and(|above| found.contains(above));
            let more: Vec<String> = program.iter().filter(extends).map(|class| class.name().to_owned()).collect();
            found.extend(more);
            if found.len() == before {
                return ThreadClasses(found);
            }
        }
    }

    /// The static method that takes the place of a call in a class: its class, and the descriptors that it may have, without a receiver and with one.
    pub(super) fn instead(&self, class: &ClassFile, member: MemberRef<'_>) -> Option<(&'static str, [String; 2])> {
        if class.major < SINCE {
            return None;
        }
        let inherited = self.0.contains(member.class) && INHERITED.contains(&(member.name, member.descriptor));
        if !inherited && member.class != THREAD && !member.class.starts_with(BUILDERS) {
            return None;
        }
        let receiver = if inherited { THREAD } else { member.class };
        let model = if member.descriptor.contains("Ljava/time/Duration;") { DURATIONS } else { BUILDER };
        Some((model, [erased(member.descriptor), erased(&member.descriptor.replacen('(', &format!("(L{receiver};"), 1))]))
    }
}

/// The method that takes the place of a test of a type, with its descriptor.
pub(super) fn test(class: &ClassFile, opcode: u8, constant: u16) -> Option<(String, &'static str)> {
    let kind = class.pool.class(constant).ok().filter(|_| class.major >= SINCE)?.strip_prefix(BUILDERS)?;
    let (what, descriptor) = match opcode {
        CHECKCAST => ("cast", "(Ljava/lang/Object;)Ljava/lang/Object;"),
        INSTANCEOF => ("is", "(Ljava/lang/Object;)Z"),
        _ => return None,
    };
    Some((format!("{what}{}", kind.trim_start_matches('$')), descriptor))
}

/// A descriptor in which builders of threads are objects. The JVM does not check references of interfaces.
fn erased(descriptor: &str) -> String {
    ["$OfVirtual;", "$OfPlatform;", ";"]
        .iter()
        .fold(descriptor.to_owned(), |text, end| text.replace(&format!("L{BUILDERS}{end}"), "Ljava/lang/Object;"))
}
