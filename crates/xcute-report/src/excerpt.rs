//! The lines around a place in a source file.

use std::fmt::Write;

use crate::style::Style;

/// Shows `line` of `text` with the line before and after it, numbered, the middle one marked. Empty if there is no such line.
pub fn around(text: &str, line: u32, indent: &str, style: Style) -> String {
    let mut shown = String::new();
    let line = line as usize;
    if line == 0 || text.lines().count() < line {
        return shown;
    }
    let width = (line + 1).to_string().len();
    for (number, source) in text.lines().enumerate().map(|(at, source)| (at + 1, source)) {
        if number + 1 < line || number > line + 1 {
            continue;
        }
        let gutter = style.frame(&format!("{number:>width$} |"));
        let source = source.replace('\t', "    ");
        let row = if number == line {
            format!("{} {gutter} {}", style.bad(">"), style.strong(source.trim_end()))
        } else {
            format!("  {gutter} {}", source.trim_end())
        };
        // Writing to a string cannot fail.
        let _ = writeln!(shown, "{indent}{}", row.trim_end());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_line() {
        assert_eq!(around("a\n\tb\nc\nd\n", 2, "", Style::PLAIN), "  1 | a\n> 2 |     b\n  3 | c\n");
        assert_eq!(around("a\nb\n", 1, "", Style::PLAIN), "> 1 | a\n  2 | b\n");
    }

    #[test]
    fn shows_nothing_for_lines_that_are_not_there() {
        assert_eq!(around("a\n", 0, "", Style::PLAIN), "");
        assert_eq!(around("a\n", 2, "", Style::PLAIN), "");
    }
}
