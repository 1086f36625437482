//! Names of classes: as class files, Java and people write them.

/// What the names of copies of JDK classes begin with.
pub(crate) const COPIES: &str = "xcute/jdk/";

/// A class as a Java programmer writes it: with dots, and without what marks a copy.
pub(crate) fn readable(name: &str) -> String {
    let dimensions = name.bytes().take_while(|&b| b == b'[').count();
    let inner = &name[dimensions..];
    let plain = match (dimensions, inner) {
        (0, class) => class,
        (_, "Z") => "boolean",
        (_, "B") => "byte",
        (_, "C") => "char",
        (_, "S") => "short",
        (_, "I") => "int",
        (_, "J") => "long",
        (_, "F") => "float",
        (_, "D") => "double",
        (_, class) => class.strip_prefix('L').and_then(|class| class.strip_suffix(';')).unwrap_or(class),
    };
    format!("{}{}", original(plain).replace('/', "."), "[]".repeat(dimensions))
}

/// The name of the JDK's class that a copy was made of; any other name as it is. In internal form or with dots.
pub(crate) fn original(name: &str) -> &str {
    name.strip_prefix(COPIES).or_else(|| name.strip_prefix("xcute.jdk.")).unwrap_or(name)
}

/// The name of the copy of a class.
pub(crate) fn copy_of(name: &str) -> String {
    format!("{COPIES}{name}")
}

/// The type of a descriptor as a Java programmer writes it.
pub(crate) fn readable_type(descriptor: &str) -> String {
    match descriptor {
        "Z" => "boolean".into(),
        "B" => "byte".into(),
        "C" => "char".into(),
        "S" => "short".into(),
        "I" => "int".into(),
        "J" => "long".into(),
        "F" => "float".into(),
        "D" => "double".into(),
        "V" => "void".into(),
        other => readable(xcute_classfile::descriptor::class_of(other).unwrap_or(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_in_java() {
        for (name, expected) in [
            ("a/b/C", "a.b.C"),
            ("[[I", "int[][]"),
            ("[La/B;", "a.B[]"),
            ("xcute/jdk/java/util/HashMap$Node", "java.util.HashMap$Node"),
            ("[Lxcute/jdk/java/util/ArrayList;", "java.util.ArrayList[]"),
        ] {
            assert_eq!(readable(name), expected);
        }
        assert_eq!(readable_type("[J"), "long[]");
        assert_eq!(original(&copy_of("java/util/Vector")), "java/util/Vector");
    }
}
