//! From an exception that left a method to the failure that it is.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_trace::{Budget, Failure, FailureKind, Frame, Note, Outcome};

use crate::program::body::Literal;
use crate::program::entry::DRIVER;
use crate::program::{Program, names};

/// What the names of copies begin with, as Java writes it.
const DOTTED: &str = "xcute.jdk.";

/// An exception as a JVM tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thrown {
    /// Its class, as Java writes it.
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    pub(crate) stack: Vec<Frame>,
    /// The first frame of the program itself.
    own: Option<usize>,
    /// Which of the exceptions that may leave its line it is.
    which: u32,
}

impl Thrown {
    /// Takes apart what `XcuteHost.tell` wrote: parts that are each ended by a character 0.
    pub(crate) fn parse(text: &str, program: &Program) -> Thrown {
        let mut parts = text.split('\0');
        let class = parts.next().unwrap_or_default().to_owned();
        let message = parts.next().unwrap_or_default().to_owned();
        // The JVM's own messages name the copies of its classes.
        let message = Some(message.replace(DOTTED, "")).filter(|_| parts.next() == Some("true"));
        let (mut stack, mut own) = (Vec::new(), None);
        while let (Some(class), Some(method), Some(file), Some(line)) = (parts.next(), parts.next(), parts.next(), parts.next()) {
            if is_ours(class, method) {
                continue;
            }
            if own.is_none() && program.is_own(class) {
                own = Some(stack.len());
            }
            let class = names::original(class);
            let folder = class.rsplit_once('.').map_or(String::new(), |(package, _)| format!("{}/", package.replace('.', "/")));
            let file = if file.is_empty() { String::new() } else { format!("{folder}{file}") };
            stack.push(Frame { function: format!("{class}.{method}"), file, line: line.parse().unwrap_or(0), ..Frame::default() });
        }
        // A checker that does not hold has no place of its own.
        if stack.is_empty() && class == "java.lang.AssertionError" {
            stack.extend(message.as_deref().and_then(|message| program.plan.blamed(message)));
        }
        let which = which(program, &class, message.as_deref().unwrap_or_default(), own.and_then(|own| stack.get(own)));
        Thrown { class, message, stack, own, which }
    }
}

/// Distinguishes the exceptions that may leave a line: by their class, and by messages that do not depend on values. These are the JVM's own about what is null, and
/// texts that stand in the method.
fn which(program: &Program, class: &str, message: &str, own: Option<&Frame>) -> u32 {
    let written = |frame: &Frame| {
        let text = Literal::Text(message.encode_utf16().collect());
        let (class, name) = frame.function.rsplit_once('.').unwrap_or_default();
        program.methods_of(class).iter().any(|method| method.name == name && method.body.constants.contains(&text))
    };
    let jvm = [
        "Cannot invoke \"",
        "Cannot read ",
        "Cannot assign field ",
        "Cannot load from ",
        "Cannot store to ",
        "Cannot throw ",
        "Cannot enter ",
    ];
    let null = class == "java.lang.NullPointerException" && jvm.iter().any(|begin| message.starts_with(begin));
    let fixed = null || !message.is_empty() && own.is_some_and(written);
    (FxBuildHasher.hash_one((class, if fixed { message } else { "" })) >> 32) as u32
}

/// Whether a frame belongs to xcute: its runtime, and what is put between a program's own methods.
fn is_ours(class: &str, method: &str) -> bool {
    let runtime = class.starts_with("java.lang.Xcute") || class.starts_with("xcute.") && !class.starts_with(DOTTED);
    let interface = crate::api::class(&class.replace('.', "/")).is_some();
    let reflection = class.starts_with("jdk.internal.reflect.") || class == "java.lang.reflect.Method";
    let text = class == "xcute.jdk.java.util.XcuteText";
    runtime || text || interface || reflection || class.ends_with(DRIVER) || class.contains("$xcute$") || method.starts_with("xcute$")
}

/// The failure that an exception is; `asserted`: an assertion of jCUTE's interface.
pub(crate) fn failed(thrown: Thrown, asserted: bool) -> Outcome {
    let Thrown { class, message, mut stack, own, which } = thrown;
    if class == "java.lang.OutOfMemoryError" {
        return Outcome::OutOfBudget(Budget::Memory);
    }
    let kind = if asserted { FailureKind::Assertion } else { kind(&class, message.as_deref().unwrap_or_default()) };
    let message = message.map_or_else(|| class.clone(), |message| format!("{class}: {message}"));
    // The first frame is the program's own; where the JDK threw is noted.
    let thrown: Vec<Frame> = stack.drain(..own.unwrap_or(0)).collect();
    if let Some(first) = stack.first_mut() {
        first.nth = which;
    }
    let notes = thrown.into_iter().next().map(|at| Note { what: "thrown".to_owned(), at });
    Outcome::Failed(Failure { kind, message, stack, notes: notes.into_iter().collect(), interleaving: Vec::new(), values: Vec::new() })
}

/// The kind of failure that an exception is.
fn kind(class: &str, message: &str) -> FailureKind {
    match (class, message) {
        ("java.lang.AssertionError", _) => FailureKind::Assertion,
        ("java.lang.StackOverflowError", _) => FailureKind::StackOverflow,
        ("java.lang.NullPointerException", _) => FailureKind::NullAccess,
        ("java.lang.ArithmeticException", "/ by zero") => FailureKind::DivisionByZero,
        ("java.lang.ArithmeticException", _) if message.ends_with("overflow") => FailureKind::SignedOverflow,
        ("java.lang.IndexOutOfBoundsException", _) => FailureKind::OutOfBounds,
        ("java.lang.ArrayIndexOutOfBoundsException" | "java.lang.StringIndexOutOfBoundsException", _) => FailureKind::OutOfBounds,
        _ => FailureKind::UncaughtException,
    }
}
