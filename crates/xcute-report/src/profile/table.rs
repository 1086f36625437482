//! A profile as text: a line for each phase, those inside it indented below.

use std::fmt::Write as _;
use std::time::Duration;

use xcute_term::profile::Profile;

use super::Node;

/// Phases with a smaller part of the whole are left out.
const SMALL: f64 = 0.001;

/// The table.
#[must_use]
pub fn table(profile: &Profile) -> String {
    let root = Node::root(profile);
    let (mut rows, mut left_out) = (Vec::new(), 0);
    collect(&root, 0, root.whole, &mut rows, &mut left_out);
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("phase".len());
    let mut text = format!("{:<width$} {:>10} {:>7} {:>10} {:>10}\n", "phase", "seconds", "share", "own", "entered");
    for (name, node) in &rows {
        let (whole, own, share) = (node.whole.as_secs_f64(), node.own.as_secs_f64(), 100.0 * node.part_of(root.whole));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<width$} {whole:>10.3} {share:>5.1} % {own:>10.3} {:>10}", node.times);
    }
    let _ = writeln!(text, "{:<width$} {:>10.3}", "all", root.whole.as_secs_f64());
    if left_out > 0 {
        let _ = writeln!(text, "{left_out} phases below 0.1 % are left out");
    }
    text
}

fn collect<'a>(node: &'a Node<'a>, depth: usize, all: Duration, rows: &mut Vec<(String, &'a Node<'a>)>, left_out: &mut u32) {
    for (name, inner) in node.longest_first() {
        if inner.part_of(all) < SMALL {
            *left_out += 1;
            continue;
        }
        rows.push((format!("{:1$}{name}", "", 2 * depth), inner));
        collect(inner, depth + 1, all, rows, left_out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phases_come_first() {
        let lines = "\
phase        seconds   share        own    entered
searching      0.600  60.0 %      0.000          1
  subject      0.599  59.9 %      0.500       1000
    terms      0.099   9.9 %      0.099      20000
  tree         0.001   0.1 %      0.001       1000
building       0.400  40.0 %      0.100          1
  clang        0.300  30.0 %      0.300          2
all            1.000
";
        assert_eq!(table(&crate::profile::tests::sample()), lines);
        assert_eq!(table(&Profile::default()), "phase    seconds   share        own    entered\nall        0.000\n");
    }
}
