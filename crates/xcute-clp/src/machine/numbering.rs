//! Numbers for atoms and for strings, in the order of their texts: whether one comes before another is a question about integers.
//!
//! The texts of the program lie far apart, and the numbers between two of them stand for new texts between the two. So there are texts before, between and
//! after all that the program knows, as many as a path needs. Where no text lies between two, no number does. Zero is the text that an input is when nothing is
//! asked of it, wherever it comes in the order.
//! A text that is made while the program runs and is none of these has a number below all others, which says nothing about its place.
//!
//! **Invariant.** `text(number(t)) == t`; among the numbers from [`Numbering::lowest`] on, other than zero, a smaller one stands for a smaller text.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};

/// How many numbers there are between two texts of the program.
const ROOM: i64 = 1_000_000;

/// Numbers below this stand for texts without a place.
const PLACELESS: i64 = -(1 << 62);

/// The number of something that is not a text.
pub(super) const NONE: i64 = PLACELESS + 1;

/// The numbers of the texts of a program.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The text of zero; `None` if it is not a text.
    first: Option<String>,
    /// All texts of the program in their order, with their places.
    texts: Vec<(String, i64)>,
    /// New texts are called this and a number where that fits.
    fresh: String,
    /// How many texts come before those.
    before: usize,
    /// Whether zero is a text.
    first_is_text: bool,
}

impl Numbering {
    /// Numbers these texts, none of which is `fresh` and then a digit. `first` is that of zero; `None` if zero is a new text, or, with `taken`, not a text.
    pub(super) fn new(first: Option<String>, taken: bool, texts: impl IntoIterator<Item = String>, fresh: &str) -> Numbering {
        let mut all: Vec<String> = texts.into_iter().chain(first.clone()).collect();
        all.sort_unstable();
        all.dedup();
        let before = all.iter().filter(|text| **text < format!("{fresh}0")).count();
        // How far the text after this one is from it. The number of the first text is zero, so its place is free for the next.
        let step = |at: usize| match stem(Some(&all[at]), Some(&all[at + 1])) {
            Some(_) => ROOM,
            None => i64::from(first.as_ref() != Some(&all[at])),
        };
        let mut places = vec![0; all.len()];
        for at in (0..before).rev() {
            places[at] = if at + 1 == before { -1 } else { places[at + 1] - step(at) };
        }
        for at in before..all.len() {
            places[at] = if at == before { ROOM } else { places[at - 1] + step(at - 1) };
        }
        let texts = all.into_iter().zip(places).collect();
        Numbering { first, texts, fresh: fresh.to_owned(), before, first_is_text: !taken }
    }

    /// Where the text of zero comes in the order: after all numbers that are smaller than this, and before all others. `None` if it is not a text.
    pub(super) fn place_of_first(&self) -> Option<i64> {
        let first = self.first.as_ref()?;
        self.texts.iter().find(|(text, _)| text == first).map(|(_, place)| *place)
    }

    /// The smallest number that has a place in the order.
    pub(super) fn lowest(&self) -> i64 {
        match self.texts.first().filter(|_| self.before > 0) {
            None => 1 - ROOM,
            Some((text, place)) if stem(None, Some(text)).is_none() => *place,
            Some((_, place)) => place - ROOM + 1,
        }
    }

    /// The number of a text.
    pub(super) fn number(&self, text: &str) -> BigInt {
        if self.first.as_deref() == Some(text) {
            return 0.into();
        }
        let gap = match self.texts.binary_search_by(|(known, _)| known.as_str().cmp(text)) {
            Ok(at) => return self.texts[at].1.into(),
            Err(gap) => gap,
        };
        for (stem, base) in self.families(gap).into_iter().flatten() {
            if let Some(index) = text.strip_prefix(&stem).and_then(decoded) {
                let number = base + index;
                if (number != 0 || self.first_is_text) && self.text(&number.into()) == text {
                    return number.into();
                }
            }
        }
        BigInt::from(PLACELESS) - BigInt::from_bytes_be(Sign::Plus, &[&[1], text.as_bytes()].concat())
    }

    /// Whether a number has a place in the order.
    pub(super) fn has_place(&self, number: &BigInt) -> bool {
        *number >= self.lowest().into()
    }

    /// The text with a number.
    pub(super) fn text(&self, number: &BigInt) -> String {
        let place = number.to_i64();
        if let (Some(0), Some(first)) = (place, &self.first) {
            return first.clone();
        }
        let Some(place) = place.filter(|_| self.has_place(number)) else { return self.placeless(number) };
        let after = self.texts.partition_point(|(_, known)| *known <= place);
        if let Some((text, known)) = after.checked_sub(1).map(|at| &self.texts[at])
            && *known == place
            && self.first.as_ref() != Some(text)
        {
            return text.clone();
        }
        let families = self.families(after);
        let own = families.into_iter().flatten().rev().find(|(_, base)| place >= *base);
        own.map_or_else(|| self.placeless(number), |(stem, base)| format!("{stem}{}", encoded(place - base)))
    }

    fn placeless(&self, number: &BigInt) -> String {
        let (_, bytes) = (number - BigInt::from(PLACELESS)).to_bytes_be();
        let text = bytes.strip_prefix(&[1]).and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let own = text.filter(|text| number.is_negative() && self.number(text) == *number);
        own.unwrap_or_else(|| format!("{}_{}", self.fresh, -number))
    }

    /// The new texts after this many known ones: what they begin with, and the number from which they are counted. Before the ones with the usual name there are others.
    fn families(&self, gap: usize) -> [Option<(String, i64)>; 2] {
        let lower = gap.checked_sub(1).map(|at| self.texts[at].0.as_str());
        let upper = self.texts.get(gap).map(|(text, _)| text.as_str());
        if gap != self.before {
            let base = if gap == 0 { self.texts[0].1 - ROOM } else { self.texts[gap - 1].1 };
            return [stem(lower, upper).map(|stem| (stem, base)), None];
        }
        let base = if gap == 0 { -ROOM } else { self.texts[gap - 1].1 };
        let usual = if self.texts.is_empty() && self.first_is_text { -1 } else { 0 };
        [stem(lower, Some(&format!("{}0", self.fresh))).map(|stem| (stem, base)), Some((self.fresh.clone(), usual))]
    }
}

/// What texts can begin with that lie between two others, whatever digits and letters follow; `None` if nothing lies between them but what ends with the
/// character zero.
fn stem(lower: Option<&str>, upper: Option<&str>) -> Option<String> {
    let fits = |stem: &str| lower.is_none_or(|lower| lower <= stem) && upper.is_none_or(|upper| format!("{stem}:").as_str() < upper);
    let below = upper.and_then(|upper| {
        let rest = upper.strip_prefix(lower.unwrap_or_default())?;
        let zeros = rest.len() - rest.trim_start_matches('\0').len();
        let first = rest[zeros..].chars().next()?;
        // The characters before it are those of the range up to it, without the surrogates.
        let before = ('\0'..first).next_back()?;
        Some(format!("{}{}{before}", lower.unwrap_or_default(), &rest[..zeros]))
    });
    let usual = if upper.is_none() { "z" } else { "a" };
    [Some(usual.to_owned()), lower.map(str::to_owned), Some(String::new()), below].into_iter().flatten().find(|stem| fits(stem))
}

/// Text for a number that is not negative; a larger one has a larger text, and all begin with digits.
fn encoded(index: i64) -> String {
    let digits = index.to_string();
    if index < 9 { digits } else { format!("9{}{digits}", char::from(b'a' + u8::try_from(digits.len()).expect("few digits"))) }
}

/// The number of such a text.
fn decoded(text: &str) -> Option<i64> {
    let digits = if text.starts_with('9') { text.get(2..)? } else { text };
    digits.parse().ok().filter(|&index| encoded(index) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(first: Option<&str>, texts: &[&str]) -> Numbering {
        Numbering::new(first.map(str::to_owned), false, texts.iter().map(|&text| text.to_owned()), "o")
    }

    #[test]
    fn numbers_are_in_the_order_of_their_texts() {
        for (first, texts) in [
            (None, &[][..]),
            (Some("a"), &["b", "red"]),
            (Some("z"), &["<", "=", ">", "a", "a!", "a0", "a9", "ab", "zebra"]),
            (None, &["", " ", "ä", "oo", "p", "日本"]),
            (Some(""), &["a"]),
            (Some("a"), &["", "1", "ab"]),
            (None, &["", "\0", "\0\0a", " ", "a", "a\0", "a ", "o", "o\0", "o\0\0\u{1}", "\u{e000}"]),
            (Some("o\0"), &["o", "o\0\0"]),
            (Some("a"), &["a\0", "a\0\0"]),
            (Some("a\0"), &["a", "a\0\0", "b"]),
        ] {
            let numbering = numbering(first, texts);
            let around =
                numbering.texts.iter().flat_map(|(_, place)| [-ROOM + 1, -1000, -2, -1, 0, 1, 2, 9, 10, 5000].map(|by| place + by));
            let mut numbers: Vec<i64> = around.chain(1..30).filter(|&number| number != 0 && number >= numbering.lowest()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let texts: Vec<String> = numbers.iter().map(|&number| numbering.text(&number.into())).collect();
            let placed: Vec<(i64, &String)> = numbers.into_iter().zip(&texts).collect();
            assert!(placed.len() > 20, "{placed:?}");
            for pair in placed.windows(2) {
                assert!(pair[0].1 < pair[1].1, "{pair:?}");
            }
            for (number, text) in placed {
                assert_eq!(numbering.number(text), number.into(), "{text}");
                if let Some(place) = numbering.place_of_first() {
                    assert_eq!(number < place, text.as_str() < first.unwrap_or_default(), "{text}");
                }
            }
        }
    }

    #[test]
    fn every_text_has_a_number() {
        let numbering = numbering(Some("a"), &["b", "red"]);
        for text in ["a", "b", "red", "o1", "o12", "o01", "red7", "o9c10", "", "\u{0}", "was made", "日本", "o_17", "-1"] {
            assert_eq!(numbering.text(&numbering.number(text)), text);
        }
        assert_eq!(numbering.number("a"), 0.into());
        assert_eq!(numbering.text(&1.into()), "o1");
    }
}
