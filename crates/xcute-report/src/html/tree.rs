//! The annotated tree of pruning as nested lists of the page.
//!
//! **Invariant.** The tree is the pruner's: nothing is left out of it.

use maud::{Markup, PreEscaped, html};

use super::place::linked;
use crate::pruning::TreeNode;
use crate::report::Report;

/// The tree with the interpolants of its nodes; nothing where there is none.
pub(super) fn tree(report: &Report) -> Markup {
    let mut children = vec![Vec::new(); report.tree.len()];
    for (at, node) in report.tree.iter().enumerate() {
        if let Some((parent, _)) = &node.parent {
            children[*parent].push(at);
        }
    }
    let what = "a full interpolant says of which states at its place nothing that follows can fail; what is like another node is subsumed";
    html! {
        @if !report.tree.is_empty() {
            h2 { "What cannot fail" } "\n"
            p { "The decisions of all paths: " (what) "." } "\n"
            ul class="tree" { "\n" (lists(report, &children)) } "\n"
        }
    }
}

/// All nodes from the root, in one text: lists in lists would be copied once for each level.
fn lists(report: &Report, children: &[Vec<usize>]) -> Markup {
    enum Piece {
        Node(usize),
        Mark(&'static str),
    }
    let mut out = String::new();
    let mut open = vec![Piece::Node(0)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Mark(mark) => out.push_str(mark),
            Piece::Node(at) => {
                out.push_str("<li>");
                out.push_str(&node(report, &report.tree[at]).0);
                open.push(Piece::Mark("</li>\n"));
                if !children[at].is_empty() {
                    out.push_str("\n<ul>\n");
                    open.push(Piece::Mark("</ul>"));
                    open.extend(children[at].iter().rev().map(|child| Piece::Node(*child)));
                }
            }
        }
    }
    PreEscaped(out)
}

fn node(report: &Report, node: &TreeNode) -> Markup {
    let (file, line) = &node.place;
    html! {
        @if let Some((_, arm)) = &node.parent { span class="arm" { (arm) } " " }
        @if *line > 0 { (linked(report, file, *line, &html! { code { (file) ":" (line) } })) " " }
        span class=(node.state) { (node.state) }
        @if let Some(interpolant) = &node.interpolant { " " code { (interpolant) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_nested_and_escaped() {
        let node = |parent: Option<(usize, &str)>, line, state: &str, interpolant: Option<&str>| TreeNode {
            parent: parent.map(|(at, arm)| (at, arm.to_owned())),
            place: (if line > 0 { "p.c".into() } else { String::new() }, line),
            state: state.into(),
            interpolant: interpolant.map(str::to_owned),
        };
        let mut report = Report::of(crate::pruning::tests::sample());
        report.tree = vec![
            node(None, 3, "full", Some("s <= 3")),
            node(Some((0, "true")), 4, "half", None),
            node(Some((1, "true")), 0, "passed", None),
            node(Some((0, "false")), 0, "passed", None),
        ];
        let page = tree(&report).0;
        let expected = "<ul class=\"tree\">\n\
            <li><code>p.c:3</code> <span class=\"full\">full</span> <code>s &lt;= 3</code>\n<ul>\n\
            <li><span class=\"arm\">true</span> <code>p.c:4</code> <span class=\"half\">half</span>\n<ul>\n\
            <li><span class=\"arm\">true</span> <span class=\"passed\">passed</span></li>\n</ul></li>\n\
            <li><span class=\"arm\">false</span> <span class=\"passed\">passed</span></li>\n</ul></li>\n</ul>\n";
        assert!(page.ends_with(expected), "{page}");
    }
}
