//! Domains: the words that a variable may have, where it may not have all.
//!
//! An input pointer is NULL, its own object, or one of the objects of the pointers before it. Listing them for each pointer would cost the square of their number, so such
//! domains are prefixes of one growing list, a *family*.
//!
//! **Invariant.** Domains are sorted and without duplicates. A family only grows, at its end.

/// Names a family of domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FamilyId(u32);

/// The domain of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    /// A list of its own, and its hash.
    Own(Box<[u64]>, u64),
    /// A part of a family: from the first or second word up to a length.
    Part { family: FamilyId, from: u32, to: u32 },
}

/// The families.
#[derive(Debug, Default)]
pub(crate) struct Families(Vec<Vec<u64>>);

impl Families {
    /// A family that holds 0 only.
    pub(crate) fn add(&mut self) -> FamilyId {
        self.0.push(vec![0]);
        FamilyId(u32::try_from(self.0.len() - 1).expect("few families"))
    }

    /// Adds a word and gives the new length; `None` where the word is not larger than those before it: nothing is changed then.
    pub(crate) fn grow(&mut self, family: FamilyId, word: u64) -> Option<u32> {
        let words = &mut self.0[family.0 as usize];
        if words.last().is_some_and(|&last| last >= word) {
            return None;
        }
        words.push(word);
        Some(u32::try_from(words.len()).expect("fewer than 2^32 words"))
    }

    /// The words of a family.
    pub(crate) fn words(&self, family: FamilyId) -> &[u64] {
        &self.0[family.0 as usize]
    }
}
