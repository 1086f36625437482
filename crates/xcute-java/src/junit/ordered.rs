//! Tests of cases that need an order of threads. The class has a `main`, which makes the calls of a case; each test runs that in a JVM of its own, in which
//! xcute's agent holds the threads to the order, and fails with what went wrong there.
//!
//! **Invariant.** The test of a program in which the failure was mended passes: threads are held only in methods that are as they were, and an order that
//! cannot be kept is given up. What a test expects of a case that passes, it expects only where the order was kept; else it is skipped.

use std::fmt::Write as _;

use xcute_trace::Failure;

use super::writer::Writer;
use super::{Junit, expectation, head, whole};
use crate::confirm::Repeated;
use crate::inputs::literal;
use crate::inputs::recipe::Recipe;
use crate::program::Program;
use crate::threads::held::Held;

/// The file of the agent, which stands next to the tests.
pub const AGENT_FILE: &str = "xcute-agent.so";
/// An order of more lines than this has several in one constant: a method of Java has its limits.
const MANY: usize = 500;
/// How many that are.
const CHUNK: usize = 100;

/// A test that fails as the case did when its threads ran in this order; `None` where none can be written.
#[must_use]
pub fn in_order(program: &Program, (recipe, held): (&Recipe, &Held), failure: &Failure, name: &str, junit: Junit) -> Option<String> {
    let writer = Writer::new(program, recipe)?;
    let what = format!("{}: {}", failure.kind.name(), failure.message);
    let expected = literal::text(&what.encode_utf16().collect::<Vec<_>>());
    let order = order(program, held, name);
    let test = test("fails", &format!("inOrder({name}.class, \"fails\", {order}, {expected});"), &writer, &writer.statements());
    Some(class(program, (name, junit), &what, &test, &["fails".to_owned()]))
}

/// A test of each case that passes, which expects what the original classes did in its order, and how many; cases for which no test can be written are left
/// out.
#[must_use]
pub fn in_orders(program: &Program, cases: &[(Recipe, Held, Repeated)], name: &str, junit: Junit) -> Option<(String, usize)> {
    let (mut tests, mut names) = (String::new(), Vec::new());
    for (recipe, held, repeated) in cases {
        let Some(writer) = Writer::new(program, recipe) else { continue };
        let Some(expected) = expectation(repeated, &writer) else { continue };
        let own = format!("order{}", names.len() + 1);
        let order = order(program, held, name);
        tests += &test(&own, &format!("keeping({name}.class, \"{own}\", {order});"), &writer, &expected);
        names.push(own);
    }
    let what = format!("One test for each of some orders of the threads of {}. What is expected is what the class does.", program.name());
    (!names.is_empty()).then(|| (class(program, (name, junit), &what, &tests, &names), names.len()))
}

/// A test, and the calls that it makes in another JVM.
fn test(own: &str, does: &str, writer: &Writer<'_>, calls: &str) -> String {
    let objects = &writer.objects;
    format!(
        "\n    @Test\n    public void {own}() throws Throwable {{\n        {does}\n    }}\n\n    \
         private static void {own}Calls() throws Throwable {{\n{objects}        Ordered.begin();\n        {calls}\n    }}\n"
    )
}

/// Which thread comes to which instruction when, as an expression.
fn order(program: &Program, held: &Held, name: &str) -> String {
    let package = program.plan.entry.class.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/"));
    let text = held.order(&format!("{package}{name}$Ordered"));
    let lines: Vec<&str> = text.lines().collect();
    let mut out = "String.join(\"\\n\"".to_owned();
    for lines in lines.chunks(if lines.len() > MANY { CHUNK } else { 1 }) {
        let _ = write!(out, ",\n            \"{}\"", lines.join("\\n"));
    }
    out + ")"
}

/// The whole class.
fn class(program: &Program, (name, junit): (&str, Junit), what: &str, tests: &str, names: &[String]) -> String {
    let mut head = head(program, name, junit, what);
    let where_from =
        format!("// Threads run in an order that {AGENT_FILE} holds them to: it is on the class path, or -Dxcute.agent=FILE names it.\n");
    let after = head.find("// Written by").unwrap_or(0);
    head.insert_str(after, &where_from);
    let mut cases = String::new();
    for name in names {
        let _ = write!(cases, "\n                    case \"{name}\": {name}Calls(); break;");
    }
    let main = format!(
        "\n    /** Makes the calls of a test. The arguments are where the answer goes, and which test it is. */\n    \
         public static void main(String[] arguments) throws Throwable {{\n        Ordered.run(arguments[0], true, () -> {{\n            \
         try {{\n                switch (arguments[1]) {{{cases}\n                }}\n                return \"returned\\0\";\n            \
         }} catch (Throwable t) {{\n                return Ordered.told(t, \"threw\");\n            }}\n        }});\n    }}\n"
    );
    let skip = match junit {
        Junit::Four => "org.junit.Assume.assumeTrue(LOST, false);",
        Junit::Five => "org.junit.jupiter.api.Assumptions.assumeTrue(false, LOST);",
    };
    let lost = "\"its threads cannot be held to the order that was recorded (if its methods have changed, xcute java writes new tests)\"";
    whole(&head, &format!("{tests}{main}")).replace("SKIP", &skip.replace("LOST", lost))
}
