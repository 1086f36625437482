//! Functions as parameters: interfaces of the JDK with one method, which are made as tables of results.
//!
//! The results are the input, an array. Who asks for an argument for the first time gets the next of them, and for the same argument always the same
//! (`runtimes/java/api/xcute/Tables.java`): these are functions, whatever the method does with them. A comparator is a table of ranks, so it is an order.
//!
//! **Invariant.** The verdict says that functions are tables: others change something, throw, or have more results.

/// What has the methods that make functions.
pub(crate) const TABLES: &str = "xcute/Tables";

/// All of its classes.
pub(super) const CLASSES: [&str; 2] = [TABLES, "xcute/Tables$Asked"];

/// What a function returns: a type argument of the interface, or a primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    Argument(usize),
    Plain(&'static str),
}

/// An interface with one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Functional {
    pub(super) class: &'static str,
    result: Result,
}

const fn of(class: &'static str, argument: usize) -> Functional {
    Functional { class, result: Result::Argument(argument) }
}

const fn plain(class: &'static str, letter: &'static str) -> Functional {
    Functional { class, result: Result::Plain(letter) }
}

const ALL: [Functional; 21] = [
    of("java/util/function/Function", 1),
    of("java/util/function/BiFunction", 2),
    of("java/util/function/UnaryOperator", 0),
    of("java/util/function/BinaryOperator", 0),
    of("java/util/function/Supplier", 0),
    of("java/util/concurrent/Callable", 0),
    of("java/util/function/IntFunction", 0),
    plain("java/util/function/Predicate", "Z"),
    plain("java/util/function/BiPredicate", "Z"),
    plain("java/util/function/BooleanSupplier", "Z"),
    plain("java/util/function/IntPredicate", "Z"),
    plain("java/util/function/IntUnaryOperator", "I"),
    plain("java/util/function/IntBinaryOperator", "I"),
    plain("java/util/function/IntSupplier", "I"),
    plain("java/util/function/ToIntFunction", "I"),
    plain("java/util/function/ToLongFunction", "J"),
    plain("java/util/function/ToDoubleFunction", "D"),
    plain("java/util/Comparator", "I"),
    // What returns nothing is there, or null.
    plain("java/util/function/Consumer", "Z"),
    plain("java/util/function/BiConsumer", "Z"),
    plain("java/lang/Runnable", "Z"),
];

impl Functional {
    /// The one of this name.
    pub(super) fn find(class: &str) -> Option<Functional> {
        ALL.into_iter().find(|functional| functional.class == class)
    }

    /// The type of the array of its results, for these type arguments.
    pub(super) fn results(self, arguments: &[String]) -> String {
        match self.result {
            Result::Argument(number) => format!("[{}", arguments[number]),
            Result::Plain(letter) => format!("[{letter}"),
        }
    }

    /// The type of that array as the method that makes the function takes it.
    pub(crate) fn taken(self) -> &'static str {
        match self.result {
            Result::Argument(_) => "[Ljava/lang/Object;",
            Result::Plain("I") => "[I",
            Result::Plain("J") => "[J",
            Result::Plain("D") => "[D",
            Result::Plain(_) => "[Z",
        }
    }

    /// The method that makes it.
    pub(crate) fn method(self) -> String {
        let simple = self.class.rsplit('/').next().unwrap_or_default();
        simple[..1].to_lowercase() + &simple[1..]
    }
}
