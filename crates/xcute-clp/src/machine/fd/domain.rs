//! Domains: bounds that may depend on the input, and single numbers that are left out.

use num_bigint::BigInt;

use crate::machine::number::Number;

/// What a variable may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Domain {
    pub(crate) low: Option<Number>,
    pub(crate) high: Option<Number>,
    /// Intervals that are left out, ends included; they do not depend on the input.
    pub(crate) holes: Vec<(BigInt, BigInt)>,
}

impl Domain {
    /// The bounds as integers, where they are and do not depend on the input.
    pub(crate) fn concrete(&self) -> (Option<BigInt>, Option<BigInt>) {
        let value = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_integer);
        (value(&self.low), value(&self.high))
    }

    /// Whether a number is left out.
    pub(crate) fn leaves_out(&self, value: &BigInt) -> bool {
        self.holes.iter().any(|(from, to)| from <= value && value <= to)
    }

    /// The intervals that are left out between the bounds, in order and apart from each other.
    pub(crate) fn gaps(&self) -> Vec<(BigInt, BigInt)> {
        let (low, high) = self.concrete();
        let mut holes = self.holes.clone();
        holes.retain(|(from, to)| low.as_ref().is_none_or(|low| to > low) && high.as_ref().is_none_or(|high| from < high));
        holes.sort_unstable();
        let mut apart: Vec<(BigInt, BigInt)> = Vec::new();
        for (from, to) in holes {
            match apart.last_mut() {
                Some((_, end)) if from <= &*end + 1 => *end = to.max(end.clone()),
                _ => apart.push((from, to)),
            }
        }
        apart
    }

    /// Moves concrete bounds over what is left out.
    pub(crate) fn tightened(mut self) -> Domain {
        loop {
            let (low, high) = self.concrete();
            let above = low.and_then(|low| self.holes.iter().find(|(from, to)| *from <= low && low <= *to).map(|hole| &hole.1 + 1));
            let below = high.and_then(|high| self.holes.iter().find(|(from, to)| *from <= high && high <= *to).map(|hole| &hole.0 - 1));
            match (above, below) {
                (None, None) => return self,
                (above, below) => {
                    if let Some(low) = above {
                        self.low = Some(Number::integer(low));
                    }
                    if let Some(high) = below {
                        self.high = Some(Number::integer(high));
                    }
                    // An empty domain ends here; its bounds have crossed.
                    if let (Some(low), Some(high)) = self.concrete()
                        && low > high
                    {
                        return self;
                    }
                }
            }
        }
    }
}
