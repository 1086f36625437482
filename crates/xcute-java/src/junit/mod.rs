//! JUnit tests: a class that builds the input of a case, calls the method, and needs neither xcute nor anything else but JUnit.
//!
//! Objects are made without their constructors, as the search makes them, by what every JDK has: reflection and `sun.misc.Unsafe`. Records refuse
//! both; they are made by their constructor, in the order in which they depend on each other.
//!
//! **Invariant.** A test is written only for a case whose whole input is in the parameters of the method: what a program asks for by itself is not
//! there without xcute.
//!
//! Where a case needs an order of threads, its test runs it in a JVM of its own, in which xcute's agent holds the threads to it.

mod ordered;
mod writer;

pub use crate::jvm::AGENT;
pub use ordered::{AGENT_FILE, in_order, in_orders};

use std::fmt::Write as _;

use xcute_classfile::Kind;
use xcute_trace::Failure;

use crate::confirm::{Repeated, Returned};
use crate::inputs::literal;
use crate::inputs::recipe::Recipe;
use crate::program::Program;
use writer::Writer;

/// Which JUnit a test is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 4.
    Four,
    /// JUnit 5, Jupiter.
    #[default]
    Five,
}

impl Junit {
    fn import(self) -> &'static str {
        match self {
            Junit::Four => "org.junit.Test",
            Junit::Five => "org.junit.jupiter.api.Test",
        }
    }
}

/// A test that calls the method with the input of a case and fails as the case did; `None` where none can be written.
#[must_use]
pub fn failing(program: &Program, recipe: &Recipe, failure: &Failure, name: &str, junit: Junit) -> Option<String> {
    let writer = Writer::new(program, recipe)?;
    let head = head(program, name, junit, &format!("{}: {}", failure.kind.name(), failure.message));
    let test =
        format!("\n    @Test\n    public void fails() throws Throwable {{\n{}        {}\n    }}\n", writer.objects, writer.statements());
    Some(whole(&head, &test))
}

/// A test of each case, which expects what the original classes did, and how many; cases for which no test can be written are left out.
#[must_use]
pub fn passing(program: &Program, cases: &[(Recipe, Repeated)], name: &str, junit: Junit) -> Option<(String, usize)> {
    let what = format!("One test for each path of {}. What is expected is what the class does.", program.name());
    let (mut tests, mut count) = (String::new(), 0);
    for (recipe, repeated) in cases {
        let Some(writer) = Writer::new(program, recipe) else { continue };
        let Some(test) = expectation(repeated, &writer) else { continue };
        count += 1;
        let _ = write!(tests, "\n    @Test\n    public void path{count}() throws Throwable {{\n{}        {test}\n    }}\n", writer.objects);
    }
    (count > 0).then(|| (whole(&head(program, name, junit, &what), &tests), count))
}

/// What a test expects, as statements.
fn expectation(repeated: &Repeated, writer: &Writer<'_>) -> Option<String> {
    use xcute_trace::Outcome;
    match (&repeated.exception, &repeated.returned, &repeated.outcome) {
        (Some(class), _, Outcome::Failed(failure)) if failure.kind.name() != "stack-overflow" => Some(match writer.calls.as_slice() {
            [call] => format!("throwing(\"{class}\", () -> {call});"),
            _ => format!("throwing(\"{class}\", () -> {{\n            {}\n        }});", writer.statements().replace("\n", "\n    ")),
        }),
        (None, Some(returned), Outcome::Passed) if writer.program.plan.sequence.is_none() => {
            let (call, checks) = writer.calls.split_first()?;
            let first = expected(returned, call)?;
            Some([first].iter().chain(checks).map(|call| format!("{call};")).collect::<Vec<_>>().join("\n        "))
        }
        (None, Some(_), Outcome::Passed) => Some(writer.statements()),
        _ => None,
    }
}

/// A call, with what it returns.
fn expected(Returned { of, text }: &Returned, call: &str) -> Option<String> {
    Some(match of.as_str() {
        "String" => format!("same({}, {call})", literal::text(&text.encode_utf16().collect::<Vec<_>>())),
        "null" => format!("same(null, {call})"),
        "char" => format!("same({}, {call})", literal::plain(Kind::Char, u64::from(text.encode_utf16().next()?))),
        "boolean" | "int" => format!("same({text}, {call})"),
        "byte" | "short" => format!("same(({of}) {text}, {call})"),
        "long" => format!("same({text}L, {call})"),
        "float" | "double" => format!("same({}.valueOf(\"{text}\"), {call})", if of == "float" { "Float" } else { "Double" }),
        _ => call.to_owned(),
    })
}

/// Everything before the tests.
fn head(program: &Program, name: &str, junit: Junit, what: &str) -> String {
    let what: String = what.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect();
    let package = program
        .plan
        .entry
        .class
        .rsplit_once('/')
        .map_or(String::new(), |(package, _)| format!("package {};\n\n", package.replace('/', ".")));
    format!(
        "// {what}\n// Written by xcute java.\n{package}import {};\n\n@SuppressWarnings({{\"all\", \"removal\"}})\npublic class {name} {{\n    \
         static {{\n        {name}.class.getClassLoader().setDefaultAssertionStatus(true);\n    }}\n",
        junit.import()
    )
}

/// The whole class: its tests, and the helpers that they call.
fn whole(head: &str, tests: &str) -> String {
    let pieces: Vec<(&str, &str)> = HELPERS.split("//= ").filter_map(|piece| piece.split_once('\n')).collect();
    let mut needed = vec![false; pieces.len()];
    loop {
        let calls = |name: &str| {
            let call = format!("{name}(");
            let by_helper = pieces.iter().zip(&needed).any(|((own, text), needed)| *needed && *own != name && text.contains(&call));
            tests.contains(&call) || by_helper
        };
        let next: Vec<bool> = pieces.iter().map(|(name, _)| calls(name)).collect();
        if next == needed {
            break;
        }
        needed = next;
    }
    let helpers: String =
        pieces.iter().zip(needed).filter(|(_, needed)| *needed).map(|((_, text), _)| format!("\n{}\n", text.trim_end())).collect();
    let (mut head, mut carried) = (head.to_owned(), String::new());
    for (name, source) in CARRIED {
        if tests.contains(&format!("{name}.")) {
            let (imports, class) = source.split_once("/**").unwrap_or_default();
            let imports = imports.replace("package xcute;\n\n", "");
            let class = class.replace("public final class", "private static final class").replace('\n', "\n    ");
            head = head.replacen("\nimport ", &format!("\n{}import ", imports.trim_start()), 1);
            let _ = write!(carried, "\n    /**{}\n", class.trim_end().replace("\n    \n", "\n\n"));
        }
    }
    format!("{head}{tests}{helpers}{carried}}}\n")
}

const HELPERS: &str = include_str!("helpers.java.txt");

/// Classes that tests carry along: the one that the search makes functions by, and the one that runs calls whose threads are held.
const CARRIED: [(&str, &str); 2] = [
    ("Tables", include_str!("../../../../runtimes/java/api/xcute/Tables.java")),
    ("Ordered", include_str!("../../../../runtimes/java/api/xcute/Ordered.java")),
];
