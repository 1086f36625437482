//! The results as JUnit XML, which build servers show: a test for each transition, and one that fails for each failure.
//!
//! **Invariant.** A transition that no run took is a test that was skipped, with the reason; it never passes.

use maud::html;
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
    xcute_markup::xml(html! {
        testsuite name=(capsule) tests=(tests) failures=(failed.len()) errors="0" skipped=(skipped) { "\n"
            @for transition in &elements.transitions {
                "  " testcase classname=(capsule) name=(transition.name) {
                    @if !transition.covered { "\n    " skipped message=(reason) {} "\n  " }
                } "\n"
            }
            @for Failed { name, kind, message, steps } in failed {
                "  " testcase classname=(capsule) name=(name) { "\n"
                    "    " failure type=(kind) message=(message) { (steps.join("\n")) } "\n"
                "  " } "\n"
            }
        } "\n"
    })
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
            "name=\"b&lt;c&gt;\">\n    <skipped message=\"why\"></skipped>",
            "message=\"x &amp; \u{fffd}\">p.m(1)</failure>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
