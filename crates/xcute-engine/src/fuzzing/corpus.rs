//! The inputs that fuzzing begins with: those of runs that covered something new.
//!
//! **Invariant.** At most [`MOST`] inputs are kept; the first, and every second of the others, leave when there are more.

use fastrand::Rng;
use xcute_term::Model;

/// How many inputs are kept.
const MOST: usize = 4096;

/// Inputs that did something new.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    inputs: Vec<Model>,
}

impl Corpus {
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Adds an input; one that asks for nothing cannot be changed.
    pub(super) fn add(&mut self, input: &Model) {
        if input.words().is_empty() {
            return;
        }
        if self.inputs.len() >= MOST {
            let mut nth = 0;
            self.inputs.retain(|_| {
                nth += 1;
                nth % 2 == 0
            });
        }
        self.inputs.push(input.clone());
    }

    /// An input to change, and one to take parts from. Half of the time it is one of the newest: the last one as often as all others of these.
    pub(super) fn pick(&self, random: &mut Rng) -> (&Model, &Model) {
        let all = self.inputs.len();
        let back = random.u64(..).trailing_zeros() as usize;
        let base = if random.bool() && back < all { all - 1 - back } else { random.usize(..all) };
        (&self.inputs[base], &self.inputs[random.usize(..all)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::VarId;

    #[test]
    fn many_inputs_are_thinned_out_and_the_newest_stay() {
        let mut corpus = Corpus::default();
        corpus.add(&Model::new());
        assert!(corpus.is_empty());
        for word in 0..3 * MOST as u64 {
            corpus.add(&Model::from_words(vec![(VarId(0), word)]));
            assert!(corpus.inputs.len() <= MOST);
        }
        assert_eq!(corpus.inputs.last().and_then(|input| input.word(VarId(0))), Some(3 * MOST as u64 - 1));
        let mut random = Rng::with_seed(1);
        let picked = std::iter::repeat_with(|| corpus.pick(&mut random).0.word(VarId(0)).unwrap()).take(1000);
        let newest = picked.filter(|&word| word >= (3 * MOST - 8) as u64).count();
        assert!((400..600).contains(&newest), "{newest} of 1000 are among the newest");
    }
}
