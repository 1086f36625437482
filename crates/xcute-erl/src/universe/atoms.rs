//! Atoms as numbers that keep Erlang's order.
//!
//! The atoms of the program lie on the integers in their order, with room between them; every other integer is a fresh atom whose name lies where its
//! number does. So `X < Y` between atoms is `x < y` between numbers, a fresh atom is always there, and 0 is the atom `a`. What an atom is
//! called matters for its order only, so there need not be a number for every name.
//!
//! **Invariant.** `number` and `name` are inverse to each other and keep the order; the line depends on the program only.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Room between two atoms of the program.
const ROOM: i64 = 1 << 16;

/// Longer atoms have no room after them: the name of what lies there would be too long.
const LONGEST: usize = 240;

/// The atoms of a program on the integers.
#[derive(Clone, Debug)]
pub struct AtomLine {
    /// Sorted as Erlang sorts atoms: by their characters, which is by their bytes in UTF-8.
    known: Vec<(Arc<str>, i64)>,
    /// What fresh atoms below the first known one begin with; `None` if there are none.
    below: Option<char>,
}

impl AtomLine {
    /// The line of these atoms.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> AtomLine {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        // Fresh atoms are called a, b, c … as far as none of the program lies between them.
        let letters: Vec<String> = ('a'..='z').map(String::from).collect();
        let before = |bound: &str| names.partition_point(|&name| name < bound);
        let run =
            letters.iter().take_while(|letter| before(letter) == before("a") && names.binary_search(&letter.as_str()).is_err()).count();
        let fresh = &letters[..run.max(1)];
        let mut all: Vec<&str> = names.iter().copied().chain(fresh.iter().map(String::as_str)).collect();
        all.sort_unstable();
        all.dedup();
        let is_fresh = |name: &str| run > 0 && fresh.iter().any(|letter| letter == name);
        let mut known: Vec<(Arc<str>, i64)> = Vec::with_capacity(all.len());
        let mut number = 0;
        for (i, &name) in all.iter().enumerate() {
            if i > 0 {
                let adjacent = is_fresh(name) && is_fresh(all[i - 1]);
                number += if adjacent || separator(all[i - 1], name).is_none() { 1 } else { ROOM };
            }
            known.push((name.into(), number));
        }
        let origin = all.binary_search(&"a").map_or(0, |at| known[at].1);
        known.iter_mut().for_each(|entry| entry.1 -= origin);
        let first = all.first().and_then(|name| name.bytes().next());
        let below = first.and_then(|first| ['Z', '0', ' ', '\u{1}'].into_iter().find(|&c| u32::from(c) < u32::from(first)));
        AtomLine { known, below }
    }

    /// The smallest number that is an atom; `None` if there is no smallest one.
    #[must_use]
    pub fn lowest(&self) -> Option<i64> {
        if self.below.is_some() { None } else { self.known.first().map(|entry| entry.1) }
    }

    /// Short names between an atom of the line and the next one: with one letter more.
    fn letters(&self, at: usize) -> Vec<String> {
        let (Some((before, _)), Some((after, _))) = (self.known.get(at), self.known.get(at + 1)) else { return Vec::new() };
        // Where fresh atoms follow one another there is nothing between.
        if self.known[at + 1].1 - self.known[at].1 < ROOM || before.chars().count() >= LONGEST {
            return Vec::new();
        }
        let names = ('a'..='z').map(|letter| format!("{before}{letter}"));
        names.filter(|name| name.as_str() < &**after && !after.starts_with(name.as_str())).collect()
    }

    /// The number of an atom; `None` if no number has this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<BigInt> {
        let at = match self.known.binary_search_by(|entry| (*entry.0).cmp(name)) {
            Ok(at) => return Some(self.known[at].1.into()),
            Err(at) => at,
        };
        if at > 0
            && let Some(place) = self.letters(at - 1).iter().position(|letter| letter == name)
        {
            return Some(BigInt::from(self.known[at - 1].1) + place + 1);
        }
        // The digits of a name are its number, if it is one of ours.
        let digits: String = name.chars().rev().take_while(char::is_ascii_digit).collect::<String>().chars().rev().collect();
        let candidate = if at == 0 {
            let length = u32::try_from(digits.len()).ok()?;
            let complement = BigInt::from(10).pow(length) - 1 - digits.parse::<BigInt>().ok()?;
            BigInt::from(self.known[0].1) - complement
        } else {
            BigInt::from(self.known[at - 1].1) + self.letters(at - 1).len() + digits.parse::<BigInt>().ok()?
        };
        (self.name(&candidate)? == name).then_some(candidate)
    }

    /// The name of a number; `None` if it is not an atom's, or would be too long.
    #[must_use]
    pub fn name(&self, number: &BigInt) -> Option<String> {
        let at = match number.to_i64() {
            Some(small) => match self.known.binary_search_by_key(&small, |entry| entry.1) {
                Ok(at) => return Some(self.known[at].0.as_ref().to_owned()),
                Err(at) => at,
            },
            None if number.sign() == num_bigint::Sign::Minus => 0,
            None => self.known.len(),
        };
        if at == 0 {
            let distance = BigInt::from(self.known[0].1) - number;
            let length = u32::try_from(distance.to_string().len()).ok()?;
            let mark = char::from(b'z'.checked_sub(u8::try_from(length).ok()?).filter(|mark| mark.is_ascii_lowercase())?);
            let complement = BigInt::from(10).pow(length) - 1 - distance;
            return Some(format!("{}{mark}{complement:0>width$}", self.below?, width = length as usize));
        }
        let (before, start) = &self.known[at - 1];
        let distance = number - *start;
        match self.known.get(at) {
            Some((after, _)) => {
                let letters = self.letters(at - 1);
                let small = distance.to_usize()?;
                if let Some(name) = letters.get(small - 1) {
                    return Some(name.clone());
                }
                let before: &str = letters.last().map_or(before, String::as_str);
                Some(format!("{before}{}{:0>5}", separator(before, after)?, small - letters.len()))
            }
            None if before.chars().count() > LONGEST => None,
            None => {
                let digits = distance.to_string();
                let mark = char::from(b'a' + u8::try_from(digits.len()).ok().filter(|&length| length < 26)?);
                (before.chars().count() + digits.len() < LONGEST).then(|| format!("{before}_{mark}{digits}"))
            }
        }
    }
}

/// A character that, after `a`, gives names between `a` and `b`, whatever follows it; `None` if there is none.
fn separator(a: &str, b: &str) -> Option<char> {
    if a.chars().count() > LONGEST {
        return None;
    }
    match b.strip_prefix(a).and_then(|rest| rest.chars().next()) {
        None => Some('_'),
        Some(next) => ['_', '0', ' ', '\u{1}'].into_iter().find(|&c| c < next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str]) {
        let line = AtomLine::new(names.iter().copied());
        let mut numbers: Vec<BigInt> = names.iter().map(|name| line.number(name).expect("an atom of the program")).collect();
        for number in numbers.clone() {
            for distance in [-70_000i64, -65_535, -3, -2, -1, 1, 2, 3, 10, 65_535, 70_000] {
                numbers.push(&number + distance);
            }
        }
        numbers.push(BigInt::from(10).pow(20));
        numbers.push(-BigInt::from(10).pow(20));
        numbers.sort();
        numbers.dedup();
        let named: Vec<(BigInt, String)> = numbers.iter().filter_map(|n| line.name(n).map(|name| (n.clone(), name))).collect();
        for pair in named.windows(2) {
            assert!(pair[0].1 < pair[1].1, "{names:?}: {pair:?}");
        }
        for (number, name) in &named {
            assert_eq!(line.number(name).as_ref(), Some(number), "{names:?}: {name}");
        }
        let lowest = line.lowest().map(BigInt::from);
        for number in &numbers {
            let expected = lowest.as_ref().is_none_or(|lowest| number >= lowest);
            assert_eq!(line.name(number).is_some(), expected, "{names:?}: {number}");
        }
    }

    #[test]
    fn names_and_numbers_are_in_the_same_order() {
        check(&["true", "false", "ok", "error"]);
        check(&["a", "b", "aa", "ab", "a b"]);
        check(&["", "x"]);
        check(&["\0", "a"]);
        check(&["a", "a\u{1}", "a\u{2}", "ä", "日本"]);
        check(&["[]", "EXIT", "+", "=:="]);
        check(&[]);
    }

    #[test]
    fn fresh_atoms_have_short_names() {
        let line = AtomLine::new(["foo", "error"].into_iter());
        let name = |number: i64| line.name(&number.into()).expect("an atom");
        assert_eq!([name(0), name(1), name(5), name(4 + 18)], ["a", "b", "ea", "eq_00001"]);
        assert_eq!(line.number("error"), Some((4 + ROOM).into()));
        assert_eq!(AtomLine::new(["a"].into_iter()).name(&0.into()).as_deref(), Some("a"));
    }
}
