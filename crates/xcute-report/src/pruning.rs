//! What pruning did, in words, and as a tree of the HTML page.
//!
//! **Invariant.** "No failure is reachable" is said of a complete search only. The tree is the pruner's: nothing is left out of it.

use std::fmt::Write;

use xcute_trace::covered;

use crate::html::{anchor, escape};
use crate::report::Report;
use crate::summary::{Pruning, Summary};

/// A node of the annotated tree, parents before their children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The position of the node above it, and the arm that leads here from there, for people.
    pub parent: Option<(usize, String)>,
    /// File and line of the decision; empty and 0 for an end.
    pub place: (String, u32),
    /// `full`, `subsumed`, `half`, or how it ended.
    pub state: String,
    /// The interpolant.
    pub interpolant: Option<String>,
}

/// What a complete search means, and for which inputs.
pub(crate) fn complete(summary: &Summary) -> String {
    let subsumed = summary.pruning.as_ref().is_some_and(|pruning| pruning.skipped + pruning.covered > 0);
    let what = match (subsumed, summary.failures.is_empty() && summary.unconfirmed.is_empty()) {
        (false, _) => "every feasible path was run",
        (true, true) => "complete: no failure is reachable",
        (true, false) => "complete: no other failure is reachable",
    };
    format!("{what}{}", covered(&summary.bounds))
}

/// A few lines.
pub(crate) fn lines(pruning: &Pruning) -> Vec<String> {
    let mut lines = Vec::new();
    let build = pruning.build_seconds;
    if pruning.runs > 0 && pruning.prune == "auto" && pruning.skipped + pruning.covered == 0 {
        let tried = count(pruning.runs + pruning.confirmations, "run", "");
        lines.push(format!("tried in {tried} and left: nothing could be skipped; the program was built a second time in {build:.2} s"));
    } else if pruning.runs > 0 {
        let percent = pruning.share * 100.0;
        let Pruning { skipped, covered, spared, full, subsumed, kept, .. } = pruning;
        let (arms, runs) = (count(*skipped, "arm", "skipped"), count(*covered, "run", "covered"));
        lines.push(format!("{percent:.1} % of the paths subsumed: {arms}, {runs}, about {} spared", count(*spared, "path", "")));
        let half: Vec<String> = pruning.half.iter().map(|(why, count)| format!("{why} {count}")).collect();
        let half = if half.is_empty() { String::new() } else { format!("; half: {}", half.join(", ")) };
        lines.push(format!("interpolants {full} full ({subsumed} of them subsumed, {kept} kept{}){half}", refused(pruning)));
        let Pruning { confirmations, confirmed, not_confirmed, queries, seconds, .. } = pruning;
        if pruning.greedy {
            lines.push(format!(
                "greedy confirmation {} ({confirmed} arms finished, {not_confirmed} attempts failed)",
                count(*confirmations, "run", "")
            ));
        }
        lines.push(format!("{queries} queries, {seconds:.2} s; the program was built a second time in {build:.2} s"));
    }
    lines.extend(pruning.reasons.iter().map(|why| format!("not everything could be followed: {why}")));
    if lines.is_empty() {
        lines.push("nothing was run".to_owned());
    }
    lines
}

/// Interpolants that subsume nothing, or nothing more.
fn refused(pruning: &Pruning) -> String {
    let mut text = String::new();
    if pruning.forgotten > 0 {
        let _ = write!(text, ", {} of these forgotten for newer ones", pruning.forgotten);
    }
    if pruning.given_up > 0 {
        let _ = write!(text, ", {} given up for their size", pruning.given_up);
    }
    text
}

fn count(n: u64, what: &str, done: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural} {done}").trim_end().to_owned()
}

/// The tree with the interpolants of its nodes.
pub(crate) fn write_tree(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.tree.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>What cannot fail</h2>")?;
    let what = "a full interpolant says of which states at its place nothing that follows can fail; what is like another node is subsumed";
    writeln!(out, "<p>The decisions of all paths: {what}.</p>\n<ul class=\"tree\">")?;
    let mut children = vec![Vec::new(); report.tree.len()];
    for (at, node) in report.tree.iter().enumerate() {
        if let Some((parent, _)) = &node.parent {
            children[*parent].push(at);
        }
    }
    write_node(out, report, &children, 0)?;
    writeln!(out, "</ul>")
}

fn write_node(out: &mut String, report: &Report, children: &[Vec<usize>], at: usize) -> std::fmt::Result {
    let node = &report.tree[at];
    write!(out, "<li>")?;
    if let Some((_, arm)) = &node.parent {
        write!(out, "<span class=\"arm\">{}</span> ", escape(arm))?;
    }
    let (file, line) = &node.place;
    if *line > 0 {
        let text = format!("{}:{line}", escape(file));
        match report.sources.contains_key(file) {
            true => write!(out, "<a href=\"#{}\"><code>{text}</code></a> ", anchor(file, *line))?,
            false => write!(out, "<code>{text}</code> ")?,
        }
    }
    write!(out, "<span class=\"{0}\">{0}</span>", escape(&node.state))?;
    if let Some(interpolant) = &node.interpolant {
        write!(out, " <code>{}</code>", escape(interpolant))?;
    }
    if !children[at].is_empty() {
        writeln!(out, "\n<ul>")?;
        for &child in &children[at] {
            write_node(out, report, children, child)?;
        }
        write!(out, "</ul>")?;
    }
    writeln!(out, "</li>")
}

#[cfg(test)]
mod tests {
    use xcute_trace::Bound;

    use super::*;

    fn sample() -> Summary {
        let text = r#"{"language":"c","subject":"f","strategy":"dfs","seed":0,"jobs":1,"stop":"complete","complete":true,"runs":1,"paths":1,"rejected":0,
            "handovers":0,"failures":[],"arms":{"taken":0,"infeasible":0,"open":0,"unknown":0,"diverged":0,"pruned":0},
            "coverage":{"branches":{"covered":0,"total":0},"lines":{"covered":0,"total":0},"functions":{"covered":0,"total":0}},
            "solver":{"queries":0,"layers":[],"sat":0,"unsat":0,"unknown":0,"seconds":0.0},"seconds":{"total":0.0,"subject":0.0,"solver":0.0},"limits":[]}"#;
        crate::parse(text).expect("a summary of an earlier version")
    }

    #[test]
    fn complete_means_more_with_pruning() {
        let mut summary = sample();
        assert_eq!(complete(&summary), "every feasible path was run");
        summary.bounds = vec![Bound::new("n", 8, "n up to 8")];
        assert_eq!(complete(&summary), "every feasible path was run for n up to 8");
        summary.bounds.clear();
        summary.pruning = Some(Pruning { skipped: 1, ..Pruning::default() });
        assert_eq!(complete(&summary), "complete: no failure is reachable");
    }

    #[test]
    fn lines_say_what_was_done_and_what_not() {
        let done = Pruning {
            greedy: true,
            runs: 9,
            covered: 8,
            skipped: 247,
            spared: 240,
            share: 255.0 / 256.0,
            confirmations: 1,
            confirmed: 1,
            full: 9,
            subsumed: 2,
            kept: 7,
            forgotten: 4,
            given_up: 1,
            half: [("open".to_owned(), 3)].into(),
            queries: 12,
            ..Pruning::default()
        };
        let expected = [
            "99.6 % of the paths subsumed: 247 arms skipped, 8 runs covered, about 240 paths spared",
            "interpolants 9 full (2 of them subsumed, 7 kept, 4 of these forgotten for newer ones, 1 given up for their size); half: open 3",
            "greedy confirmation 1 run (1 arms finished, 0 attempts failed)",
            "12 queries, 0.00 s; the program was built a second time in 0.00 s",
        ];
        assert_eq!(lines(&done), expected);
        let left = Pruning { prune: "auto".into(), runs: 20, ..Pruning::default() };
        assert_eq!(lines(&left), ["tried in 20 runs and left: nothing could be skipped; the program was built a second time in 0.00 s"]);
        let refused = Pruning { reasons: vec!["threads".into()], ..Pruning::default() };
        assert_eq!(lines(&refused), ["not everything could be followed: threads"]);
    }

    #[test]
    fn the_tree_is_nested_and_escaped() {
        let node = |parent: Option<(usize, &str)>, line, state: &str, interpolant: Option<&str>| TreeNode {
            parent: parent.map(|(at, arm)| (at, arm.to_owned())),
            place: (if line > 0 { "p.c".into() } else { String::new() }, line),
            state: state.into(),
            interpolant: interpolant.map(str::to_owned),
        };
        let mut report = Report::of(sample());
        report.tree = vec![node(None, 3, "full", Some("s <= 3")), node(Some((0, "true")), 0, "passed", None)];
        let mut page = String::new();
        write_tree(&mut page, &report).expect("a string");
        assert!(
            page.contains(
                "<code>p.c:3</code> <span class=\"full\">full</span> <code>s &lt;= 3</code>\n<ul>\n<li><span class=\"arm\">true</span> "
            ),
            "{page}"
        );
        assert_eq!(page.matches("<ul").count(), page.matches("</ul>").count());
    }
}
