//! Interpolants with their variables as the source calls them.
//!
//! The front end calls the places of memory `s@f`, the local `s` of `f`, and `g@`, a global; a number behind (`s@f~2`) tells places apart that have
//! one name: calls of one function, or variables of several blocks.
//!
//! **Invariant.** Two variables of one text that are not the same have different names in it.

use std::collections::BTreeMap;

/// A variable of a text: where it stands, and what is said of it.
struct Named<'t> {
    from: usize,
    to: usize,
    name: &'t str,
    function: &'t str,
    which: &'t str,
}

/// The text with names of the source: the function is added where a name alone would mean two variables, and a number where that does, too.
pub fn readable(text: &str) -> String {
    let all = variables(text);
    let mut places: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for variable in &all {
        let of = places.entry(variable.name).or_default();
        if !of.contains(&(variable.function, variable.which)) {
            of.push((variable.function, variable.which));
        }
    }
    let (mut out, mut at) = (String::new(), 0);
    for variable in &all {
        let of = &places[variable.name];
        out += &text[at..variable.from];
        out += variable.name;
        if of.len() > 1 {
            let nth = of.iter().filter(|place| place.0 == variable.function).position(|place| place.1 == variable.which);
            let nth = nth.filter(|&nth| nth > 0).map_or(String::new(), |nth| format!("'{}", nth + 1));
            let function = variable.function.strip_prefix("xcute_subject_").unwrap_or(variable.function);
            out += &if function.is_empty() { nth } else { format!(" in {function}{nth}") };
        }
        at = variable.to;
    }
    out + &text[at..]
}

fn variables(text: &str) -> Vec<Named<'_>> {
    let in_name = |c: char| c.is_alphanumeric() || "_[].+*:$".contains(c);
    let in_word = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let end = |from: usize, of: &dyn Fn(char) -> bool| text[from..].find(|c| !of(c)).map_or(text.len(), |n| from + n);
    let mut all = Vec::new();
    for (at, _) in text.match_indices('@') {
        let from = text[..at].char_indices().rev().take_while(|(_, c)| in_name(*c)).last().map_or(at, |(n, _)| n);
        let word = end(at + 1, &in_word);
        let to = if text[word..].starts_with('~') { end(word + 1, &|c| c.is_ascii_digit()) } else { word };
        all.push(Named { from, to, name: &text[from..at], function: &text[at + 1..word], which: &text[word..to] });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_are_those_of_the_source() {
        for (text, expected) in [
            ("s@ <= 0 && (a@xcute_subject_main == 1 || n[3]@f > 2)", "s <= 0 && (a == 1 || n[3] > 2)"),
            ("x@", "x"),
            ("s@f~2 <= 1", "s <= 1"),
            ("initialised(p.x@f~3) == 1 && p.x@f~3 < k@~2", "initialised(p.x) == 1 && p.x < k"),
            ("s@f <= s@g~2 + s@g~2", "s in f <= s in g + s in g"),
            ("s@ <= s@xcute_subject_main", "s <= s in main"),
            ("s@f <= s@f~2", "s in f <= s in f'2"),
            ("0 <= 1", "0 <= 1"),
        ] {
            assert_eq!(readable(text), expected);
        }
    }
}
