//! The habits of `docs/STYLE.md` that make a native reader stumble, as far as a program can see them.
//!
//! **Invariant.** The habits are listed once, here; the page names the same ones for people.

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
    habit(concat!("who has ", "none"), "one that has none"),
    habit(concat!("as well ", "also"), "also"),
    habit(concat!("is none ", "of fuzzers"), "is not a fuzz target"),
];

/// The page that names the habits.
const PAGE: &str = "docs/STYLE.md";

const TEXTS: &[&str] = &[".rs", ".c", ".h", ".md", ".def"];

/// Checks code, comments and documents.
pub fn check(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.files.iter().filter(|source| source.path != PAGE && TEXTS.iter().any(|end| source.path.ends_with(end))) {
        for (number, line) in (1..).zip(source.text.lines()) {
            for habit in HABITS.iter().filter(|habit| habit.stands_in(line)) {
                findings.push(format!("{}:{number}: \"{}\" (write \"{}\")", source.path, habit.words.trim(), habit.instead));
            }
        }
    }
    findings
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
}
