//! Tests of failures that need an order of threads. The class has a `main`, which makes the calls of the case; its test runs that in a JVM of its own, in which
//! xcute's agent holds the threads to the order, and fails with what went wrong there.
//!
//! **Invariant.** The test of a program in which the failure was mended passes: threads are held only in methods that are as they were, and an order that
//! cannot be kept is given up.

use std::fmt::Write as _;

use xcute_trace::Failure;

use super::writer::Writer;
use super::{Junit, head, whole};
use crate::inputs::literal;
use crate::inputs::recipe::Recipe;
use crate::program::Program;
use crate::threads::held::Held;

/// The file of the agent, which stands next to the tests.
pub const AGENT_FILE: &str = "xcute-agent.so";

/// A test that fails as the case did when its threads ran in this order; `None` where none can be written.
#[must_use]
pub fn in_order(program: &Program, (recipe, held): (&Recipe, &Held), failure: &Failure, name: &str, junit: Junit) -> Option<String> {
    let writer = Writer::new(program, recipe)?;
    let what = format!("{}: {}", failure.kind.name(), failure.message);
    let mut head = head(program, name, junit, &what);
    let where_from = format!(
        "// Its threads run in an order that {AGENT_FILE} holds them to: it is on the class path, or -Dxcute.agent=FILE names it.\n"
    );
    let after = head.find("// Written by").unwrap_or(0);
    head.insert_str(after, &where_from);
    let package = program.plan.entry.class.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/"));
    let mut lines = String::new();
    for line in held.order(&format!("{package}{name}$Ordered")).lines() {
        let _ = write!(lines, ",\n        \"{line}\"");
    }
    let test = format!(
        "\n    @Test\n    public void fails() throws Throwable {{\n        inOrder({name}.class, ORDER, {});\n    }}\n\n    \
         /** Makes the calls; where the answer goes is the argument. */\n    \
         public static void main(String[] arguments) throws Throwable {{\n        Ordered.run(arguments[0], true, () -> {{\n            \
         try {{\n{}                Ordered.begin();\n                {}\n                return \"returned\\0\";\n            \
         }} catch (Throwable t) {{\n                return Ordered.told(t, \"threw\");\n            }}\n        }});\n    }}\n\n    \
         /** Which thread comes to which instruction when. */\n    private static final String ORDER = String.join(\"\\n\"{lines});\n",
        literal::text(&what.encode_utf16().collect::<Vec<_>>()),
        writer.objects.replace("        Object", "                Object").replace("        set(", "                set("),
        writer.statements().replace("\n        ", "\n                "),
    );
    Some(whole(&head, &test))
}
