//! The path tree on the page: data for the script, which shows as much of it as somebody opens.
//!
//! **Invariant.** A tree of 100,000 decisions costs the page its data and nothing else: elements are made when a node is opened.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::place::{anchor, has_lines};
use crate::paths::{PathArm, PathState, Paths};
use crate::report::Report;

/// The section; nothing where there is no decision.
pub(super) fn section(report: &Report) -> Markup {
    let (nodes, failed) = (report.paths.nodes.len(), report.words.ends.failed);
    html! {
        @if nodes > 0 {
            section id="paths" { "\n"
                h2 { "The path tree" } "\n"
                p { (nodes) (if nodes == 1 { " decision" } else { " decisions" }) " of all paths, from the first one on. A run takes one arm of each." } "\n"
                p { input id="find" type="search" placeholder={ "Search: line, function, " (failed) ", open, …" } aria-label="Search the path tree"; " " span id="found" role="status" {} } "\n"
                div id="hits" {} "\n"
                ul class="tree" id="tree" {} "\n"
                noscript { p { "The tree needs scripts." } }
            } "\n"
            script type="application/json" id="paths-data" { (PreEscaped(data(report, &report.paths))) } "\n"
        }
    }
}

/// JSON that cannot end its element. A decision is `[site, run, arm, arm, …]`; an arm is the number of the decision below it, or minus the number of its state.
fn data(report: &Report, paths: &Paths) -> String {
    // Many places are in one file: its lines are found once.
    let lines: BTreeMap<&str, Vec<&str>> = report.sources.iter().map(|(file, text)| (file.as_str(), text.lines().collect())).collect();
    let sites = paths.sites.iter().map(|site| {
        let (file, line) = &site.place;
        let text = lines.get(file.as_str()).and_then(|lines| lines.get((*line as usize).checked_sub(1)?)).copied().unwrap_or_default();
        let to = if has_lines(report, file) { anchor(file, *line) } else { String::new() };
        json!([if *line > 0 { format!("{file}:{line}") } else { file.clone() }, site.function, site.arms, text.trim(), to])
    });
    let ends = report.words.ends;
    let word = |state: &'static str| match state {
        "passed" => ends.passed,
        "failed" => ends.failed,
        other => other,
    };
    let head = json!({ "states": PathState::WORDS, "words": PathState::WORDS.map(word), "sites": sites.collect::<Value>() });
    let mut data = head.to_string().replace('<', "\\u003c");
    data.pop();
    data.push_str(",\"nodes\":[");
    decisions(&mut data, paths);
    data.push_str("]}");
    data
}

/// The decisions, written straight to the text: there may be 100,000.
fn decisions(data: &mut String, paths: &Paths) {
    data.reserve(32 * paths.nodes.len());
    for (at, (node, arms)) in paths.decisions().enumerate() {
        let _ = write!(data, "{}[{},{}", if at > 0 { "," } else { "" }, node.site, node.run);
        for arm in arms {
            let number = match *arm {
                PathArm::Decision(at) => i64::from(at),
                PathArm::Is(state) => -1 - state as i64,
            };
            let _ = write!(data, ",{number}");
        }
        data.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::PathSite;
    use crate::section::Ends;

    #[test]
    fn data_cannot_leave_its_element() {
        let mut report = Report::of(crate::pruning::tests::sample());
        let site = PathSite { place: ("a.c".into(), 3), function: "f</script>".into(), arms: vec!["false".into(), "true".into()] };
        report.paths.sites.push(site);
        report.paths.push(0, 1, [PathArm::Is(PathState::Passed), PathArm::Is(PathState::Open)]);
        report.paths.push(0, 2, [PathArm::Is(PathState::Elsewhere)]);
        let page = section(&report).0;
        assert!(page.contains(r#""nodes":[[0,1,-1,-7],[0,2,-14]]}"#), "{page}");
        assert!(page.contains(r#""words":["passed","failed","rejected""#), "{page}");
        report.words.ends = Ends { passed: "no error", failed: "error" };
        let page = section(&report).0;
        assert!(page.contains(r#""words":["no error","error","rejected""#) && page.contains("function, error, open"), "{page}");
        assert!(page.contains(r"f\u003c/script>") && page.contains("2 decisions of all paths"), "{page}");
    }
}
