//! The results as JUnit XML, which build servers show: a test for each transition, and one that fails for each failure.
//!
//! **Invariant.** A transition that no run took is a test that was skipped, with the reason; it never passes.

use std::fmt::Write as _;

use xcute_model::elements::Elements;

/// A failure that is shown.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The name of its files.
    pub name: String,
    pub kind: String,
    pub message: String,
    /// The sequence that leads there.
    pub steps: Vec<String>,
}

/// The text of the file.
pub fn text(capsule: &str, elements: &Elements, failed: &[Failed], reason: &str) -> String {
    let (tests, skipped) = (elements.transitions.len() + failed.len(), elements.transitions.iter().filter(|one| !one.covered).count());
    let suite = escape(capsule);
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ =
        writeln!(out, "<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{}\" errors=\"0\" skipped=\"{skipped}\">", failed.len());
    for transition in &elements.transitions {
        let name = escape(&transition.name);
        let _ = match transition.covered {
            true => writeln!(out, "  <testcase classname=\"{suite}\" name=\"{name}\"/>"),
            false => writeln!(
                out,
                "  <testcase classname=\"{suite}\" name=\"{name}\">\n    <skipped message=\"{}\"/>\n  </testcase>",
                escape(reason)
            ),
        };
    }
    for Failed { name, kind, message, steps } in failed {
        let _ = writeln!(out, "  <testcase classname=\"{suite}\" name=\"{}\">", escape(name));
        let _ = write!(out, "    <failure type=\"{}\" message=\"{}\">", escape(kind), escape(message));
        let _ = writeln!(out, "{}</failure>\n  </testcase>", escape(&steps.join("\n")));
    }
    out + "</testsuite>\n"
}

/// Text in XML, without the control characters that it cannot hold.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_model::elements::Element;
    use xcute_model::ir::Place;

    #[test]
    fn failures_fail_and_what_is_missing_is_skipped() {
        let one = |name: &str, covered| Element { name: name.to_owned(), place: Place::default(), covered };
        let elements = Elements { transitions: vec![one("a", true), one("b<c>", false)], ..Elements::default() };
        let failed = Failed { name: "f1".into(), kind: "assertion".into(), message: "x & \u{1}".into(), steps: vec!["p.m(1)".into()] };
        let text = text("C", &elements, &[failed], "why");
        for part in [
            "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"",
            "name=\"b&lt;c&gt;\">\n    <skipped message=\"why\"/>",
            "message=\"x &amp; \u{fffd}\">p.m(1)</failure>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
