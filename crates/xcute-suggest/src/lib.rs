//! Names that a user may have meant: one rule for all languages, the project file and the command line.
//!
//! The distance of two names is that of Damerau and Levenshtein: letters inserted, removed, replaced, and neighbours exchanged. A name is near if one letter has to
//! change, and another for every five letters that the user wrote; one letter at least has to stay, so that nothing but itself is near a name of one letter.
//!
//! **Invariant.** Of equally near names the first one is suggested.

use std::fmt::Display;

/// The distance of a name from what the user wrote; `None` if it is not near.
#[must_use]
pub fn distance(wanted: &str, name: &str) -> Option<usize> {
    let letters = wanted.chars().count();
    let distance = strsim::damerau_levenshtein(wanted, name);
    (distance == 0 || (distance < letters && distance <= 1 + letters / 5)).then_some(distance)
}

/// The nearest of these, by their names, if one is near.
pub fn nearest_by<T, N: AsRef<str>>(wanted: &str, candidates: impl IntoIterator<Item = T>, name: impl Fn(&T) -> N) -> Option<T> {
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(wanted, name(&candidate).as_ref())?, candidate)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The nearest of these names, if one is near.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_by(wanted, names, |name| *name)
}

/// What a message says of a suggestion: ` (did you mean …?)`, or nothing.
#[must_use]
pub fn hint(suggestion: Option<impl Display>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// ` (did you mean "…"?)` if one of the names is near what the user wrote, else nothing.
#[must_use]
pub fn meant<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    hint(nearest(wanted, names).map(|name| format!("\"{name}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        for (wanted, names, expected) in [
            ("gaol", &["depth", "goal"][..], Some("goal")),
            ("insret", &["remove", "insert"], Some("insert")),
            ("entrie", &["defaults", "entry", "ci"], Some("entry")),
            ("itn", &["nat", "int"], Some("int")),
            ("push", &["plus"], None),
            ("unrelated", &["related"], Some("related")),
            ("unrelated", &["relate"], None),
            ("straße", &["strasse"], Some("strasse")),
            ("x", &["y", "z"], None),
            ("x", &["y", "x"], Some("x")),
            ("ab", &["xy", "ac"], Some("ac")),
            ("", &["", "a"], Some("")),
            ("a", &[], None),
        ] {
            assert_eq!(nearest(wanted, names.iter().copied()), expected, "{wanted} of {names:?}");
        }
    }

    #[test]
    fn the_nearest_is_suggested_and_the_first_of_several() {
        assert_eq!(nearest("lenght", ["leng", "length", "lengths"]), Some("length"));
        assert_eq!(nearest("cat", ["car", "bat"]), Some("car"));
        assert_eq!(nearest_by("cat", [("dog", 1), ("bat", 2), ("car", 3)], |(name, _)| *name), Some(("bat", 2)));
    }

    #[test]
    fn hints_are_questions() {
        assert_eq!(meant("gaol", ["depth", "goal"]), " (did you mean \"goal\"?)");
        assert_eq!(hint(nearest("gaol", ["goal"])), " (did you mean goal?)");
        assert_eq!(meant("x", ["depth"]), "");
    }
}
