//! What annotations say of parameters, in the manner of Bean Validation: `@NotNull`, `@Min`, `@Size` and the like. The driver assumes it
//! (`runtimes/java/api/xcute/Constraints.java`), in code that is followed like the program's own.
//!
//! **Invariant.** The verdict says what was assumed. An annotation that is not known here, or that belongs to a group of its own, excludes nothing.

use xcute_classfile::assemble::Assembler;
use xcute_classfile::bytes::Reader;
use xcute_classfile::opcode::{DUP, DUP2, I2L};
use xcute_classfile::{ClassError, ClassFile, Constant, Kind, Member};

use super::making::Making;

/// What has the methods that decide.
pub(super) const CONSTRAINTS: &str = "xcute/Constraints";

/// Where annotations come from whose names mean what Bean Validation says.
const PACKAGES: [&str; 2] = ["Ljakarta/validation/constraints/", "Ljavax/validation/constraints/"];

/// Other annotations that forbid null.
const NOT_NULL: [&str; 4] = [
    "Lorg/jetbrains/annotations/NotNull;",
    "Ljavax/annotation/Nonnull;",
    "Ljakarta/annotation/Nonnull;",
    "Ledu/umd/cs/findbugs/annotations/NonNull;",
];

/// What a parameter must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Constraint {
    NotNull,
    NotBlank,
    Min(i64),
    Max(i64),
    Size(i32, i32),
}

/// An annotation, with those of its values that are numbers.
struct Annotation<'a> {
    of: &'a str,
    values: Vec<(&'a str, i64)>,
    /// It names groups, in which it holds only.
    grouped: bool,
}

impl Annotation<'_> {
    fn value(&self, name: &str) -> Option<i64> {
        self.values.iter().find(|value| value.0 == name).map(|value| value.1)
    }

    /// What it says.
    fn constraints(&self) -> Vec<Constraint> {
        use Constraint::{Max, Min, NotBlank, NotNull, Size};
        if NOT_NULL.contains(&self.of) {
            return vec![NotNull];
        }
        let name = PACKAGES.iter().find_map(|package| self.of.strip_prefix(package)?.strip_suffix(';'));
        match name.filter(|_| !self.grouped) {
            Some("NotNull") => vec![NotNull],
            Some("NotEmpty") => vec![NotNull, Size(1, i32::MAX)],
            Some("NotBlank") => vec![NotBlank],
            Some("Min") => self.value("value").map(Min).into_iter().collect(),
            Some("Max") => self.value("value").map(Max).into_iter().collect(),
            Some("Positive") => vec![Min(1)],
            Some("PositiveOrZero") => vec![Min(0)],
            Some("Negative") => vec![Max(-1)],
            Some("NegativeOrZero") => vec![Max(0)],
            Some("Size") => {
                let bound = |name, default| self.value(name).and_then(|value| i32::try_from(value).ok()).unwrap_or(default);
                vec![Size(bound("min", 0), bound("max", i32::MAX))]
            }
            _ => Vec::new(),
        }
    }
}

/// By parameter of a method: what its annotations say. They may leave out the first parameters, which the compiler adds.
pub(super) fn of(class: &ClassFile, method: &Member, parameters: usize) -> Result<Vec<Vec<Constraint>>, ClassError> {
    let mut all = vec![Vec::new(); parameters];
    for attribute in ["RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations"] {
        let Some(found) = class.find(&method.attributes, attribute) else { continue };
        let mut reader = Reader::new(&found.data);
        let count = usize::from(reader.u1()?);
        let Some(first) = parameters.checked_sub(count) else { continue };
        for constraints in &mut all[first..] {
            for _ in 0..reader.u2()? {
                constraints.extend(annotation(class, &mut reader, 0)?.constraints());
            }
        }
    }
    Ok(all)
}

fn annotation<'a>(class: &'a ClassFile, reader: &mut Reader<'_>, depth: u32) -> Result<Annotation<'a>, ClassError> {
    let mut found = Annotation { of: class.pool.utf8(reader.u2()?)?, values: Vec::new(), grouped: false };
    for _ in 0..reader.u2()? {
        let name = class.pool.utf8(reader.u2()?)?;
        found.grouped |= name == "groups";
        if let Some(value) = value(class, reader, depth)? {
            found.values.push((name, value));
        }
    }
    Ok(found)
}

/// A value of an annotation (JVMS 4.7.16.1), if it is an integer.
fn value(class: &ClassFile, reader: &mut Reader<'_>, depth: u32) -> Result<Option<i64>, ClassError> {
    /// Deeper annotations are made by nobody.
    const DEEPEST: u32 = 16;
    if depth > DEEPEST {
        return Err(ClassError::Nested);
    }
    match reader.u1()? {
        b'e' => {
            reader.u4()?;
        }
        b'@' => {
            annotation(class, reader, depth + 1)?;
        }
        b'[' => {
            for _ in 0..reader.u2()? {
                value(class, reader, depth + 1)?;
            }
        }
        b'I' | b'J' => {
            return Ok(match class.pool.get(reader.u2()?) {
                Some(Constant::Integer(value)) => Some(i64::from(*value)),
                Some(Constant::Long(value)) => Some(*value),
                _ => None,
            });
        }
        _ => {
            reader.u2()?;
        }
    }
    Ok(None)
}

impl Constraint {
    /// Whether it can be decided for a parameter of this type: the method that does so takes this type.
    fn takes(&self, of: &str) -> Option<&'static str> {
        let making = Making::of(of);
        match self {
            Constraint::NotNull => (Kind::of(of) == Some(Kind::Reference)).then_some("Ljava/lang/Object;"),
            Constraint::NotBlank => (of == "Ljava/lang/String;").then_some("Ljava/lang/String;"),
            Constraint::Min(_) | Constraint::Max(_) => match of {
                "B" | "S" | "I" | "J" => Some("J"),
                "Ljava/lang/Byte;" | "Ljava/lang/Short;" | "Ljava/lang/Integer;" | "Ljava/lang/Long;" => Some("Ljava/lang/Number;"),
                _ => None,
            },
            Constraint::Size(..) => match (of, making) {
                ("Ljava/lang/String;", _) => Some("Ljava/lang/String;"),
                (_, Some(Making::Collection(_))) if of != "Ljava/lang/Iterable;" => Some("Ljava/util/Collection;"),
                (_, Some(Making::Map(_))) => Some("Ljava/util/Map;"),
                _ => {
                    let arrays = ["[Z", "[B", "[C", "[S", "[I", "[J", "[F", "[D"];
                    let plain = arrays.into_iter().find(|array| *array == of);
                    plain.or_else(|| of.starts_with('[').then_some("[Ljava/lang/Object;"))
                }
            },
        }
    }

    /// Assumes it of a parameter of this type, which is on the stack and stays there.
    pub(super) fn assume(&self, code: &mut Assembler, driver: &mut ClassFile, of: &str) -> Result<(), ClassError> {
        let Some(takes) = self.takes(of) else { return Ok(()) };
        let pool = &mut driver.pool;
        code.op(if of == "J" { DUP2 } else { DUP });
        if takes == "J" && of != "J" {
            code.op(I2L);
        }
        let (name, bounds) = match self {
            Constraint::NotNull => ("notNull", ""),
            Constraint::NotBlank => ("notBlank", ""),
            Constraint::Min(least) => {
                code.long(pool, *least)?;
                ("min", "J")
            }
            Constraint::Max(most) => {
                code.long(pool, *most)?;
                ("max", "J")
            }
            Constraint::Size(least, most) => {
                code.int(pool, *least)?.int(pool, *most)?;
                ("size", "II")
            }
        };
        code.call_static(pool, CONSTRAINTS, name, &format!("({takes}{bounds})Z"))?;
        code.call_static(pool, "cute/Cute", "Assume", "(Z)V")?;
        Ok(())
    }

    /// As a verdict says it of a parameter of this type, if it is assumed.
    pub(super) fn text(&self, of: &str) -> Option<String> {
        self.takes(of)?;
        Some(match self {
            Constraint::NotNull => "@NotNull".to_owned(),
            Constraint::NotBlank => "@NotBlank".to_owned(),
            Constraint::Min(least) => format!("@Min({least})"),
            Constraint::Max(most) => format!("@Max({most})"),
            Constraint::Size(least, i32::MAX) => format!("@Size(min = {least})"),
            Constraint::Size(least, most) => format!("@Size(min = {least}, max = {most})"),
        })
    }
}
