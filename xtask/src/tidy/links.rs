//! Links in the documents lead somewhere: the file is there, and so is the heading. And all pages of the book are in its tables of contents.

use super::Sources;

/// Checks all relative links of all Markdown files.
pub fn check(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for page in sources.files.iter().filter(|source| source.path.ends_with(".md")) {
        for (line, target) in links(&page.text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
            let path = if path.is_empty() { page.path.clone() } else { resolve(&page.path, path) };
            if !path.is_empty() && !sources.paths.contains(&path) {
                findings.push(format!("{}:{line}: link to {target}, but there is no {path}", page.path));
            } else if let Some(anchor) = anchor
                && let Some(other) = sources.get(&path)
                && !headings(&other.text).any(|heading| heading == anchor)
            {
                findings.push(format!("{}:{line}: link to {target}, but {path} has no such heading", page.path));
            }
        }
    }
    findings.extend(CONTENTS.iter().flat_map(|table| missing(sources, table)));
    findings
}

/// The tables of contents: that of mdBook, and the one that is read with the sources.
const CONTENTS: [&str; 2] = ["docs/SUMMARY.md", "docs/README.md"];

/// Pages of the book that a table of contents does not have.
fn missing(sources: &Sources, table: &str) -> Vec<String> {
    let Some(contents) = sources.get(table) else { return Vec::new() };
    let listed: Vec<&str> = links(&contents.text).into_iter().map(|(_, target)| target).collect();
    let pages = sources.files.iter().filter_map(|page| page.path.strip_prefix("docs/")).filter(|page| page.ends_with(".md"));
    let pages = pages.filter(|page| !listed.contains(page) && !CONTENTS.iter().any(|table| table.ends_with(page)));
    pages.map(|page| format!("docs/{page}: {table} does not list it")).collect()
}

/// Line number and target of each `[text](target)` outside code blocks.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            // A link inside a code span is an example.
            if line[..at].matches('`').count() % 2 == 0
                && let Some(end) = line[at + 2..].find(')')
            {
                found.push((number + 1, &line[at + 2..at + 2 + end]));
            }
        }
    }
    found
}

/// The path that `link` means on the page `from`, relative to the root.
fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors that a Markdown page offers, one for each heading.
fn headings(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(page: &str) -> usize {
        check(&Sources::of(&[("docs/a.md", page), ("docs/b.md", "# One thing, two\n"), ("README.md", "")])).len()
    }

    #[test]
    fn good_links() {
        assert_eq!(findings("[b](b.md) [b](b.md#one-thing-two) [r](../README.md) [w](https://example.org) [d](.)"), 0);
    }

    #[test]
    fn bad_links() {
        assert_eq!(findings("[c](c.md)"), 1);
        assert_eq!(findings("[b](b.md#three)"), 1);
        assert_eq!(findings("[self](#nothing)"), 1);
    }

    #[test]
    fn pages_are_in_the_tables_of_contents() {
        let summary = ("docs/SUMMARY.md", "- [A](a.md)\n");
        assert_eq!(check(&Sources::of(&[summary, ("docs/a.md", "")])).len(), 0);
        assert_eq!(check(&Sources::of(&[summary, ("docs/a.md", ""), ("docs/b.md", "")])), ["docs/b.md: docs/SUMMARY.md does not list it"]);
    }

    #[test]
    fn examples_are_not_links() {
        assert_eq!(findings("```\n[c](c.md)\n```\n`[c](c.md)`"), 0);
    }
}
