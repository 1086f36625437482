//! Restricting variables to words, and asking for their domains.
//!
//! The arena keeps a domain for each variable; how domains are represented is in [`crate::domain`].

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::domain::{Domain, FamilyId};
use crate::ids::VarId;
use crate::terms::Terms;

impl Terms {
    /// Restricts a variable to the given words.
    pub fn set_domain(&mut self, var: VarId, mut words: Vec<u64>) {
        words.sort_unstable();
        words.dedup();
        let hash = FxBuildHasher.hash_one(&words);
        self.restrict(var, Domain::Own(words.into_boxed_slice(), hash));
    }

    /// A family that holds 0 only.
    pub fn new_family(&mut self) -> FamilyId {
        self.families.add()
    }

    /// Adds a word to a family, and restricts a variable to all its words, but for 0 if that is not wanted. `None` where the word is not larger than those before it:
    /// nothing is changed then.
    pub fn join_family(&mut self, var: VarId, family: FamilyId, word: u64, zero: bool) -> Option<()> {
        let to = self.families.grow(family, word)?;
        self.restrict(var, Domain::Part { family, from: u32::from(!zero), to });
        Some(())
    }

    /// The only words that a variable may have, sorted; `None` where it may have all of its sort.
    #[must_use]
    pub fn domain(&self, var: VarId) -> Option<&[u64]> {
        Some(match self.restriction(var)? {
            Domain::Own(words, _) => words,
            Domain::Part { family, from, to } => &self.families.words(*family)[*from as usize..*to as usize],
        })
    }

    /// A number that tells domains of a variable apart, in constant time.
    #[must_use]
    pub fn domain_stamp(&self, var: VarId) -> Option<u64> {
        Some(match self.restriction(var)? {
            Domain::Own(_, hash) => *hash,
            Domain::Part { family, from, to } => FxBuildHasher.hash_one((family, from, to)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn a_family_gives_each_member_what_was_there_before_it() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| {
            let term = terms.var(name, Sort::BitVec(64));
            terms.vars(term).first().expect("a variable")
        });
        let family = terms.new_family();
        assert!(terms.join_family(a, family, 64, true).is_some() && terms.join_family(b, family, 96, false).is_some());
        assert!(terms.join_family(c, family, 96, true).is_none() && terms.domain(c).is_none());
        terms.set_domain(c, vec![7, 3, 7]);
        assert_eq!([a, b, c].map(|var| terms.domain(var).unwrap().to_vec()), [vec![0, 64], vec![64, 96], vec![3, 7]]);
        assert_ne!(terms.domain_stamp(a), terms.domain_stamp(b));
        let before = terms.domain_stamp(c);
        terms.set_domain(c, vec![7]);
        assert_ne!(terms.domain_stamp(c), before);
    }
}
