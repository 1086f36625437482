//! Finds words in a line, for the rules that refuse some of them.

/// The places where `words` begin other than inside of a longer word: the text before and the text after each.
pub fn find<'l>(line: &'l str, words: &str) -> impl Iterator<Item = (&'l str, &'l str)> {
    let places = line.match_indices(words).map(|(at, found)| (&line[..at], &line[at + found.len()..]));
    places.filter(|(before, _)| !before.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_word_begins_where_no_other_goes_on() {
        let found: Vec<_> = find("form or_or for", "or").collect();
        assert_eq!(found, [("form ", "_or for"), ("form or_", " for")]);
    }
}
