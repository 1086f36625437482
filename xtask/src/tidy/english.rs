//! The habits of `docs/STYLE.md` that make a native reader stumble, as far as a program can see them.
//!
//! **Invariant.** The habits are listed once, here; the page names the same ones for people.

use super::sources::Source;
use super::{Sources, words};

/// What is not written, what is written instead, and what may stand there all the same.
struct Habit {
    words: &'static str,
    instead: &'static str,
    /// Words before it with which it is right.
    after: &'static [&'static str],
    /// Words after it with which it is right.
    before: &'static [&'static str],
}

const fn habit(words: &'static str, instead: &'static str) -> Habit {
    Habit { words, instead, after: &[], before: &[] }
}

// Each is cut in two, so that this file keeps its own rule.
const HABITS: &[Habit] = &[
    Habit { words: concat!("is ", "no "), instead: "is not a", after: &["there ", "There "], before: &["longer", "more", "way"] },
    Habit { words: concat!("are ", "no "), instead: "are not", after: &["there ", "There "], before: &["longer", "more"] },
    habit(concat!("so ", "many"), "this many, at most this many"),
    habit(concat!("So ", "many"), "This many, at most this many"),
    habit(concat!("a", "new"), "again, restart"),
    habit(concat!("any ", "more"), "no longer"),
    habit(concat!("held ", "against"), "compared with"),
    habit(concat!("hold it ", "against"), "compare it with"),
    habit(concat!("not to be ", "had"), "is not available"),
    habit(concat!("w", "ho has none"), "one that has none"),
    habit(concat!("as well ", "also"), "also"),
    habit(concat!("is none ", "of fuzzers"), "is not a fuzz target"),
];

/// Words that are right in code and comments, and mostly not in what users read: a thread is not a person, and a program tells nothing.
const FOR_USERS: &[Habit] = &[
    habit(concat!("te", "ll"), "report, record, describe, show, distinguish"),
    habit(concat!("te", "lls"), "report, record, describe, show, distinguish"),
    habit(concat!("to", "ld"), "report, record, describe, show, distinguish"),
    Habit { after: &["leave ", "leaves ", "left ", "/"], ..habit(concat!("be", "hind"), "after, below, through") },
    Habit { after: &["--"], ..habit(concat!("be", "side"), "besides, next to, side by side") },
    habit(concat!("who", "ever"), "the one that, what"),
    Habit {
        after: &["those ", "Those ", "intruder ", "buyer ", "people ", "somebody "],
        ..habit(concat!("w", "ho"), "which, the one that")
    },
    Habit { before: &[" owns the zebra"], ..habit(concat!("W", "ho"), "which, the one that") },
];

/// The page that names the habits.
const PAGE: &str = "docs/STYLE.md";

const TEXTS: &[&str] = &[".rs", ".c", ".h", ".md", ".def"];

/// Checks code, comments and documents.
pub fn check(sources: &Sources) -> Vec<String> {
    let texts = sources.files.iter().filter(|source| source.path != PAGE && TEXTS.iter().any(|end| source.path.ends_with(end)));
    texts.flat_map(file).collect()
}

fn file(source: &Source) -> Vec<String> {
    let mut findings = Vec::new();
    let mut find = |number: usize, text: &str, habits: &[Habit]| {
        for habit in habits.iter().filter(|habit| habit.stands_in(text)) {
            findings.push(format!("{}:{number}: \"{}\" (write \"{}\")", source.path, habit.words.trim(), habit.instead));
        }
    };
    let document = source.path.ends_with(".md");
    let messages = source.path.ends_with(".rs") && source.path.contains("/src/") && !source.path.contains("/tests");
    let (mut example, mut tests) = (false, false);
    for (number, line) in (1..).zip(source.text.lines()) {
        find(number, line, HABITS);
        example ^= document && line.trim_start().starts_with("```");
        tests |= line.starts_with("mod tests");
        if document && !example {
            find(number, line, FOR_USERS);
        }
        if messages && !tests {
            sentences(line).for_each(|text| find(number, text, FOR_USERS));
        }
    }
    findings
}

/// The texts of several words in a line of code that is not a comment.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let code = if line.trim_start().starts_with("//") { "" } else { line };
    code.split('"').skip(1).step_by(2).filter(|text| text.contains(' '))
}

impl Habit {
    fn stands_in(&self, line: &str) -> bool {
        words::find(line, self.words).any(|(before, after)| {
            let whole = self.words.ends_with(' ') || !after.starts_with(char::is_alphanumeric);
            whole && !self.after.iter().any(|right| before.ends_with(right)) && !self.before.iter().any(|right| after.starts_with(right))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> usize {
        check(&Sources::of(&[("docs/a.md", text)])).len()
    }

    #[test]
    fn habits_are_found_and_their_right_uses_are_not() {
        assert_eq!(findings(concat!("This is ", "no file.")), 1);
        assert_eq!(findings("There is no file; it is no longer there."), 0);
        assert_eq!(findings(concat!("So ", "many rows are shown, so ", "many columns.")), 2);
        assert_eq!(findings(concat!("The search starts a", "new.")), 1);
        assert_eq!(findings("An answer, a newline, and a new one."), 0);
    }

    #[test]
    fn what_users_read_has_habits_of_its_own() {
        assert_eq!(findings(concat!("The page te", "lls of threads, and w", "ho waits be", "side them.")), 3);
        assert_eq!(findings("Those who know, `--beside`, whose, and telling."), 0);
        assert_eq!(findings(concat!("```\nint w", "ho;\n```\nThis is to", "ld.")), 1);
        let code = |text: &str| check(&Sources::of(&[("crates/a/src/b.rs", text)])).len();
        assert_eq!(code(concat!("//! a\nsay(\"nobody to", "ld us\");\n")), 1);
        assert_eq!(code(concat!("//! to", "ld\nlet to", "ld = \"to", "ld\";\n// to", "ld\n")), 0);
    }
}
