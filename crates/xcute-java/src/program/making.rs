//! Parameters of types of the JDK that only its own code can make: a list is made of an array, a builder of a string, a function of its results.
//!
//! The array or string is the input. The driver makes the parameter of it, in code that is followed like the program's own; replay and tests make it in
//! the same way. Elements have the type that the generic signature of the method says.
//!
//! **Invariant.** What is made is one class among others that a caller could choose: the verdict says which.

use super::functional::{Functional, TABLES};
use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, MemberRef, access};

/// How a parameter is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Making {
    /// A collection of this class, to which the elements of an array are added.
    Collection(&'static str),
    /// A builder of this class, of a string.
    Builder(&'static str),
    /// A map of this class, of an array of keys and one of values.
    Map(&'static str),
    /// An `Optional` of what may be null.
    Optional,
    /// A function, of an array of its results.
    Function(Functional),
}

const OBJECT: &str = "Ljava/lang/Object;";
const ARRAY_LIST: &str = "java/util/ArrayList";
const LINKED_LIST: &str = "java/util/LinkedList";
const SET: &str = "java/util/LinkedHashSet";
const MAP: &str = "java/util/LinkedHashMap";
const OPTIONAL: &str = "java/util/Optional";

/// Types of parameters, and the collections that they are made by.
const COLLECTIONS: &[(&str, &str)] = &[
    ("java/lang/Iterable", ARRAY_LIST),
    ("java/util/Collection", ARRAY_LIST),
    ("java/util/List", ARRAY_LIST),
    ("java/util/ArrayList", ARRAY_LIST),
    ("java/util/Queue", LINKED_LIST),
    ("java/util/Deque", LINKED_LIST),
    ("java/util/LinkedList", LINKED_LIST),
    ("java/util/Set", SET),
    ("java/util/HashSet", SET),
    ("java/util/LinkedHashSet", SET),
];

impl Making {
    /// How a parameter of this type is made; `None` if it is an input itself.
    pub(crate) fn of(descriptor: &str) -> Option<Making> {
        let class = descriptor.strip_prefix('L')?.strip_suffix(';')?;
        match class {
            "java/lang/StringBuilder" => Some(Making::Builder("java/lang/StringBuilder")),
            "java/lang/StringBuffer" => Some(Making::Builder("java/lang/StringBuffer")),
            "java/util/Map" | "java/util/HashMap" | MAP => Some(Making::Map(MAP)),
            OPTIONAL => Some(Making::Optional),
            _ => {
                let collection = COLLECTIONS.iter().find(|(of, _)| *of == class).map(|(_, by)| Making::Collection(by));
                collection.or_else(|| Functional::find(class).map(Making::Function))
            }
        }
    }

    /// The types of the inputs that it is made of, for these type arguments.
    pub(crate) fn inputs(self, arguments: &Arguments) -> Vec<String> {
        let [first, second, _] = arguments;
        match self {
            Making::Function(functional) => vec![functional.results(arguments)],
            Making::Collection(_) => vec![format!("[{first}")],
            Making::Map(_) => vec![format!("[{first}"), format!("[{second}")],
            Making::Builder(_) => vec!["Ljava/lang/String;".to_owned()],
            Making::Optional => vec![first.clone()],
        }
    }

    fn class(self) -> &'static str {
        match self {
            Making::Collection(class) | Making::Builder(class) | Making::Map(class) => class,
            Making::Optional => OPTIONAL,
            Making::Function(functional) => functional.class,
        }
    }

    /// What is made, for a verdict.
    pub(crate) fn bound(self) -> &'static str {
        if let Making::Function(_) = self { "tables of results" } else { self.name() }
    }

    /// The class with the method that makes it: the driver, unless something else has it.
    pub(crate) fn maker(self, driver: &str) -> String {
        if let Making::Function(_) = self { TABLES.to_owned() } else { driver.to_owned() }
    }

    /// The simple name of what is made.
    pub(crate) fn name(self) -> &'static str {
        self.class().rsplit('/').next().unwrap_or_default()
    }

    /// The name and descriptor of the method that makes it.
    pub(crate) fn method(self) -> (String, String) {
        let from = match self {
            Making::Collection(_) => "[Ljava/lang/Object;",
            Making::Map(_) => "[Ljava/lang/Object;[Ljava/lang/Object;",
            Making::Builder(_) => "Ljava/lang/String;",
            Making::Optional => OBJECT,
            Making::Function(functional) => return (functional.method(), format!("({})L{};", functional.taken(), functional.class)),
        };
        (format!("make{}", self.name()), format!("({from})L{};", self.class()))
    }

    /// Adds that method to the driver.
    pub(crate) fn add(self, driver: &mut ClassFile) -> Result<(), ClassError> {
        if let Making::Function(_) = self {
            return Ok(());
        }
        let ((name, descriptor), own) = (self.method(), driver.name().to_owned());
        if let Making::Map(_) = self {
            at(driver)?;
        }
        let (mut code, pool, class) = (Assembler::new(), &mut driver.pool, self.class());
        let constructor = |descriptor| MemberRef { class, name: "<init>", descriptor, interface: false };
        if self == Making::Optional {
            code.local(ALOAD, 0).call_static(pool, class, "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;")?.op(ARETURN);
        } else {
            let there = code.label();
            code.local(ALOAD, 0).jump(IFNONNULL, there).op(ACONST_NULL).op(ARETURN).place(there);
            code.class(pool, NEW, class)?.op(DUP);
        }
        match self {
            Making::Builder(_) => {
                code.local(ALOAD, 0).call(pool, INVOKESPECIAL, constructor("(Ljava/lang/String;)V"))?.op(ARETURN);
            }
            Making::Collection(_) | Making::Map(_) => {
                let (again, end) = (code.label(), code.label());
                code.call(pool, INVOKESPECIAL, constructor("()V"))?.local(ASTORE, 2).int(pool, 0)?.local(ISTORE, 3);
                code.place(again).local(ILOAD, 3).local(ALOAD, 0).op(ARRAYLENGTH).jump(IF_ICMPGE, end);
                code.local(ALOAD, 2).local(ALOAD, 0).local(ILOAD, 3).op(AALOAD);
                if let Making::Map(_) = self {
                    code.local(ALOAD, 1).local(ILOAD, 3).call_static(pool, &own, "at", AT)?;
                    let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
                    code.call(pool, INVOKEVIRTUAL, MemberRef { class, name: "put", descriptor: put, interface: false })?.op(POP);
                } else {
                    let add = MemberRef { class, name: "add", descriptor: "(Ljava/lang/Object;)Z", interface: false };
                    code.call(pool, INVOKEVIRTUAL, add)?.op(POP);
                }
                code.local(ILOAD, 3).int(pool, 1)?.op(IADD).local(ISTORE, 3).jump(GOTO, again);
                code.place(end).local(ALOAD, 2).op(ARETURN);
            }
            Making::Optional | Making::Function(_) => {}
        }
        driver.add_method(access::PUBLIC | access::STATIC, &name, &descriptor, Body { code, stack: 5, locals: 3 })
    }
}

/// What the values of a map are taken by.
const AT: &str = "([Ljava/lang/Object;I)Ljava/lang/Object;";

/// `at(array, index)`: an element, or null where there is none.
fn at(driver: &mut ClassFile) -> Result<(), ClassError> {
    let mut code = Assembler::new();
    let (none, end) = (code.label(), code.label());
    code.local(ALOAD, 0).jump(IFNULL, none).local(ILOAD, 1).local(ALOAD, 0).op(ARRAYLENGTH).jump(IF_ICMPLT, end);
    code.place(none).op(ACONST_NULL).op(ARETURN).place(end).local(ALOAD, 0).local(ILOAD, 1).op(AALOAD).op(ARETURN);
    driver.add_method(access::PUBLIC | access::STATIC, "at", AT, Body { code, stack: 2, locals: 0 })
}

/// The first type arguments of a type.
pub(crate) type Arguments = [String; 3];

/// Those of a type that has none.
pub(crate) fn none() -> Arguments {
    [OBJECT.to_owned(), OBJECT.to_owned(), OBJECT.to_owned()]
}

/// By parameter, the first type arguments of its type in the generic signature of a method; `Object` where it has none, or a variable.
pub(crate) fn arguments(signature: &str, parameters: usize) -> Vec<Arguments> {
    let mut all = Vec::new();
    let mut rest = signature.split_once('(').map_or("", |(_, rest)| rest);
    while all.len() < parameters && !rest.is_empty() && !rest.starts_with(')') {
        let length = length_of(rest);
        let (one, other) = rest.split_at(length);
        let mut own = none();
        let mut given = one.split_once('<').map_or("", |(_, given)| given);
        for argument in &mut own {
            if let Some(named) = erasure(given) {
                *argument = named;
            }
            given = &given[length_of(given)..];
        }
        all.push(own);
        rest = other;
    }
    all.resize(parameters, none());
    all
}

/// The erasure of the first of some type arguments, if it names a class or an array of one.
fn erasure(arguments: &str) -> Option<String> {
    let of = arguments.trim_start_matches('+');
    let one = &of[..length_of(of)];
    if !one.starts_with('L') && !one.starts_with('[') {
        return None;
    }
    let class = one.split_once('<').map_or_else(|| one.to_owned(), |(class, _)| format!("{class};"));
    // A class inside of a generic one is written in another way.
    (!class.contains('.') && !class.trim_start_matches('[').starts_with('T')).then_some(class)
}

/// The bytes of the first type in a signature.
fn length_of(signature: &str) -> usize {
    let (mut depth, mut named) = (0, false);
    for (at, byte) in signature.bytes().enumerate() {
        match byte {
            b'[' | b'+' | b'-' if !named => continue,
            b'L' | b'T' if !named => named = true,
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' if depth == 0 => return at + 1,
            _ if !named => return at + 1,
            _ => {}
        }
    }
    signature.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_generic_signatures() {
        let of = |signature: &str, count| {
            let first = |all: &Arguments| all[0].trim_start_matches("Ljava/").to_owned();
            arguments(signature, count).iter().map(first).collect::<Vec<_>>()
        };
        let map = arguments("(Ljava/util/Map<Ljava/lang/String;[Ljava/lang/Long;>;)V", 1);
        assert_eq!(map, [["Ljava/lang/String;".to_owned(), "[Ljava/lang/Long;".to_owned(), OBJECT.to_owned()]]);
        let function = arguments("(Ljava/util/function/BiFunction<-TT;*+Ljava/lang/Long;>;)V", 1);
        let making = Making::of("Ljava/util/function/BiFunction;").unwrap();
        assert_eq!(making.inputs(&function[0]), ["[Ljava/lang/Long;"]);
        assert_eq!(of("(Ljava/util/List<Ljava/lang/Integer;>;I)V", 2), ["lang/Integer;", "lang/Object;"]);
        assert_eq!(of("<T:Ljava/lang/Object;>(ITT;Ljava/util/Set<TT;>;)V", 3), ["lang/Object;"; 3]);
        assert_eq!(of("(Ljava/util/List<+Ljava/util/List<Ljava/lang/String;>;>;[J)V", 2), ["util/List;", "lang/Object;"]);
        assert_eq!(of("(Ljava/util/Map<Ljava/lang/String;[Ljava/lang/Long;>;Ljava/util/List<[I>;)V", 2), ["lang/String;", "[I"]);
        assert_eq!(of("(Ljava/util/List<*>;Ljava/util/List<-Ljava/lang/Byte;>;)V", 2), ["lang/Object;", "lang/Object;"]);
        assert_eq!(of("", 1), ["lang/Object;"]);
    }
}
