//! Code that is not followed and does not depend on its arguments alone: clocks, random numbers, files, addresses of objects.
//!
//! What such code returns may be another value in another run, so a search that meets it cannot have seen all paths. Code is taken to depend on its arguments only
//! where that is known: the list below names packages and classes of the JDK, and their exceptions. Everything else counts.

/// Packages whose classes compute from what they get.
const PACKAGES: [&str; 12] = [
    "java/math/",
    "java/nio/",
    "java/nio/charset/",
    "java/text/",
    "java/time/",
    "java/time/chrono/",
    "java/time/format/",
    "java/time/temporal/",
    "java/util/",
    "java/util/function/",
    "java/util/regex/",
    "java/util/stream/",
];

/// Packages of the JDK that only copies of its classes call.
const INTERNAL: [&str; 7] = [
    "java/util/concurrent/atomic/",
    "java/util/concurrent/locks/",
    "java/util/concurrent/",
    "jdk/internal/util/",
    "jdk/internal/access/",
    "jdk/internal/misc/",
    "sun/security/action/",
];

/// Classes of `java.lang` and `java.io` that do so, too.
const CLASSES: [&str; 52] = [
    "java/io/BufferedReader",
    "java/io/BufferedWriter",
    "java/io/ByteArrayInputStream",
    "java/io/ByteArrayOutputStream",
    "java/io/CharArrayReader",
    "java/io/CharArrayWriter",
    "java/io/DataInputStream",
    "java/io/DataOutputStream",
    "java/io/Flushable",
    "java/io/ObjectStreamField",
    "java/io/PrintStream",
    "java/io/PrintWriter",
    "java/io/Serializable",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/Writer",
    "java/lang/AbstractStringBuilder",
    "java/lang/Appendable",
    "java/lang/AutoCloseable",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/CharSequence",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Double",
    "java/lang/Enum",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Iterable",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Number",
    "java/lang/Object",
    "java/lang/Record",
    "java/lang/Runnable",
    "java/lang/Short",
    "java/lang/StrictMath",
    "java/lang/String",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/lang/ThreadLocal",
    "java/lang/Void",
    "java/lang/ref/SoftReference",
    "java/lang/ref/WeakReference",
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
    "java/lang/runtime/SwitchBootstraps",
    "java/io/Closeable",
    // How the JDK itself is set up; and what is done there is followed.
    "java/security/AccessController",
];

/// Whether what a method does or returns may depend on something that is neither an argument nor in the program's own memory. `exception`: the
/// class is one of exceptions.
pub(super) fn matters(class: &str, name: &str, descriptor: &str, exception: bool) -> bool {
    if class.is_empty() || class.starts_with('[') {
        return name == "hashCode";
    }
    if exception {
        return matches!(name, "getStackTrace" | "hashCode");
    }
    let package = class.rfind('/').map_or("", |at| &class[..=at]);
    let known = PACKAGES.contains(&package)
        || INTERNAL.contains(&package)
        || CLASSES.contains(&class.split('$').next().unwrap_or(class))
        // What the JDK's own packages show each other.
        || class.starts_with("java/lang/System$")
        || (class == "java/lang/System" && matches!(name, "arraycopy" | "lineSeparator" | "getSecurityManager"))
        // The object is always the same; what it is asked is not.
        || matches!((class, name), ("java/lang/Runtime", "getRuntime") | ("java/lang/Thread", "currentThread"))
        || matches!((class, name), ("java/lang/invoke/MethodHandles", "lookup" | "privateLookupIn"))
        // Another thread cannot be there, so nothing else happens to this one.
        || (class == "java/lang/Thread" && matches!(name, "onSpinWait" | "yield" | "<init>" | "start" | "join" | "setDaemon" | "isDaemon" | "setName" | "setPriority" | "getPriority"));
    !known || is_exception_to_the_rule(class, name, descriptor)
}

/// What of the above looks elsewhere all the same.
fn is_exception_to_the_rule(class: &str, name: &str, descriptor: &str) -> bool {
    match (class, name) {
        ("java/lang/Object", "hashCode" | "toString") | ("java/lang/Enum" | "java/lang/Class", "hashCode") => true,
        ("java/lang/Math" | "java/lang/StrictMath", "random") => true,
        ("java/lang/Boolean", "getBoolean") | ("java/lang/Integer", "getInteger") | ("java/lang/Long", "getLong") => true,
        ("java/lang/Class", "forName" | "getResource" | "getResourceAsStream" | "getProtectionDomain") => true,
        ("java/lang/ref/SoftReference" | "java/lang/ref/WeakReference", "get" | "refersTo") => true,
        ("java/util/Date", "<init>") => descriptor == "()V",
        ("java/util/Objects", "toIdentityString") => true,
        ("java/util/UUID", "randomUUID") | (_, "getDefault" | "now" | "systemUTC" | "systemDefaultZone" | "systemDefault") => true,
        ("java/util/Calendar", "getInstance") | ("java/util/GregorianCalendar", "<init>") => true,
        ("java/util/Scanner" | "java/util/ServiceLoader" | "java/util/ResourceBundle" | "java/util/Timer", _) => true,
        ("java/util/Random" | "java/util/SplittableRandom", "<init>") => descriptor == "()V",
        ("java/util/concurrent/ThreadLocalRandom", _) => true,
        ("jdk/internal/misc/VM", "getSavedProperty" | "getNanoTimeAdjustment") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_computes_is_told_from_what_looks_elsewhere() {
        for (class, name, descriptor, expected) in [
            ("java/math/BigInteger", "add", "", false),
            ("java/lang/System", "nanoTime", "()J", true),
            ("java/lang/Object", "hashCode", "()I", true),
            ("java/util/Date", "<init>", "(J)V", false),
            ("java/util/Date", "<init>", "()V", true),
            ("java/time/LocalDate", "now", "", true),
            ("java/time/LocalDate", "of", "", false),
            ("java/nio/file/Files", "exists", "", true),
            ("java/lang/Character$UnicodeBlock", "of", "", false),
            ("[I", "clone", "", false),
        ] {
            assert_eq!(matters(class, name, descriptor, false), expected, "{class}.{name}");
        }
    }
}
