//! The path tree on the page: data for the script, which shows as much of it as somebody opens.
//!
//! **Invariant.** A tree of 100,000 decisions costs the page its data and nothing else: elements are made when a node is opened.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::place::{anchor, has_lines};
use crate::paths::{PathArm, Paths};
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
            script type="application/json" id="paths-data" { (PreEscaped(embedded(&data(report, &report.paths)))) } "\n"
        }
    }
}

/// A decision is `[site, run, arm, arm, …]`; an arm is the number of the decision below it, or minus the number of its state.
fn data(report: &Report, paths: &Paths) -> Value {
    let numbers: BTreeMap<&str, i64> = PathArm::STATES.into_iter().zip(1..).collect();
    let arm = |arm: &PathArm| match arm {
        PathArm::Decision(at) => i64::from(*at),
        PathArm::Is(state) => -numbers.get(state).copied().unwrap_or_default(),
    };
    // Many places are in one file: its lines are found once.
    let lines: BTreeMap<&str, Vec<&str>> = report.sources.iter().map(|(file, text)| (file.as_str(), text.lines().collect())).collect();
    let sites = paths.sites.iter().map(|site| {
        let (file, line) = &site.place;
        let text = lines.get(file.as_str()).and_then(|lines| lines.get((*line as usize).checked_sub(1)?)).copied().unwrap_or_default();
        let to = if has_lines(report, file) { anchor(file, *line) } else { String::new() };
        json!([if *line > 0 { format!("{file}:{line}") } else { file.clone() }, site.function, site.arms, text.trim(), to])
    });
    let node = |node: &crate::paths::PathNode| -> Value {
        let head = [json!(node.site), json!(node.run)];
        head.into_iter().chain(node.arms.iter().map(|one| json!(arm(one)))).collect()
    };
    let ends = report.words.ends;
    let word = |state: &'static str| match state {
        "passed" => ends.passed,
        "failed" => ends.failed,
        other => other,
    };
    json!({ "states": PathArm::STATES, "words": PathArm::STATES.map(word), "sites": sites.collect::<Value>(), "nodes": paths.nodes.iter().map(node).collect::<Value>() })
}

/// JSON that cannot end its element.
fn embedded(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::{PathNode, PathSite};
    use crate::section::Ends;

    #[test]
    fn data_cannot_leave_its_element() {
        let mut report = Report::of(crate::pruning::tests::sample());
        let site = PathSite { place: ("a.c".into(), 3), function: "f</script>".into(), arms: vec!["false".into(), "true".into()] };
        let node = PathNode { site: 0, run: 1, arms: vec![PathArm::Is("passed"), PathArm::Is("open")] };
        report.paths = Paths { sites: vec![site], nodes: vec![node] };
        let page = section(&report).0;
        assert!(page.contains(r#""nodes":[[0,1,-1,-7]]"#), "{page}");
        assert!(page.contains(r#""words":["passed","failed","rejected""#), "{page}");
        report.words.ends = Ends { passed: "no error", failed: "error" };
        let page = section(&report).0;
        assert!(page.contains(r#""words":["no error","error","rejected""#) && page.contains("function, error, open"), "{page}");
        assert!(page.contains(r"f\u003c/script>") && page.contains("1 decision of all paths"), "{page}");
    }
}
