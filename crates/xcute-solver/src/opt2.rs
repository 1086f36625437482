//! OPT 2, common sub-constraint elimination: says every constraint once, and only the strongest of several bounds.
//!
//! [sen-marinov-agha-2006 §4.1.5]. Conjunctions are taken apart; duplicates, constants and bounds that another bound
//! on the same term implies (`x < 9` beside `x < 5`) are left out; conjuncts of the goal that the path already has, too.
//! Two bounds on one term that exclude each other are a contradiction found on the way.
//!
//! **Invariant.** What is passed on is equivalent to what came in, and every constraint of it stems from one of the path
//! (`origin`), so that cores can be given in terms of the query.

use xcute_term::{Op, TermId, Terms};

use crate::bound::{Bound, Side};
use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver};

/// The layer of OPT 2.
pub struct Condensed {
    inner: Box<dyn Solver>,
    count: Count,
    /// Per term: its position in `kept`.
    place: Slots,
    /// Per bounded term: its position in `bounds`.
    bounded: Slots,
    kept: Vec<TermId>,
    origin: Vec<TermId>,
    bounds: Vec<Strongest>,
    goal: Option<Bound>,
    /// What is left of the goal of the query that was attempted last.
    rest: Option<TermId>,
    dropped: Vec<bool>,
    flat: Vec<TermId>,
    path: Vec<TermId>,
}

/// The strongest bounds on one term, each with the position of its constraint; position `GOAL` is the goal.
#[derive(Clone, Copy, Default)]
struct Strongest {
    /// Upper unsigned, lower unsigned, upper signed, lower signed.
    ends: [Option<(u64, u32)>; 4],
    equal: Option<(u64, u32)>,
}

const GOAL: u32 = u32::MAX;

impl Condensed {
    /// The elimination in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Condensed {
        Condensed {
            inner,
            count: Count { layer: "opt2", ..Count::default() },
            place: Slots::default(),
            bounded: Slots::default(),
            kept: Vec::new(),
            origin: Vec::new(),
            bounds: Vec::new(),
            goal: None,
            rest: None,
            dropped: Vec::new(),
            flat: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Takes conjunctions apart and keeps the first of equal constraints.
    fn flatten(&mut self, terms: &Terms, path: &[TermId]) {
        self.place.clear(terms.len());
        self.kept.clear();
        self.origin.clear();
        for &c in path {
            self.flat.push(c);
            while let Some(t) = self.flat.pop() {
                match terms.op(t) {
                    Op::And => self.flat.extend(terms.args(t).iter().rev()),
                    Op::Const(_) => {}
                    _ => {
                        let position = u32::try_from(self.kept.len()).unwrap_or(GOAL - 1);
                        if !self.place.has(t.index()) {
                            self.place.set(t.index(), position);
                            self.kept.push(t);
                            self.origin.push(c);
                        }
                    }
                }
            }
        }
    }

    /// The goal without the conjuncts that the path has; the goal itself where more than one is left.
    fn remainder(&self, terms: &Terms, goal: TermId) -> TermId {
        if terms.op(goal) != Op::And {
            return goal;
        }
        let mut open = terms.args(goal).iter().filter(|a| !self.place.has(a.index()));
        match (open.next(), open.next()) {
            (Some(&only), None) => only,
            _ => goal,
        }
    }

    /// Marks the bounds that others imply. A constraint that contradicts the goal is given back.
    fn weigh(&mut self, terms: &Terms, goal: TermId) -> Option<TermId> {
        self.bounds.clear();
        self.bounded.clear(terms.len());
        self.dropped.clear();
        self.dropped.resize(self.kept.len(), false);
        self.goal = Bound::of(terms, goal);
        if let Some(bound) = self.goal {
            self.note(terms, &bound, GOAL);
        }
        for i in 0..self.kept.len() {
            if let Some(bound) = Bound::of(terms, self.kept[i])
                && self.note(terms, &bound, u32::try_from(i).unwrap_or(GOAL - 1))
            {
                return Some(self.origin[i]);
            }
        }
        // Holes and bounds beside an equality: known only when all are seen.
        for i in 0..self.kept.len() {
            if let Some(bound) = Bound::of(terms, self.kept[i])
                && !self.dropped[i]
                && self.implied(terms, &bound, i)
            {
                self.dropped[i] = true;
            }
        }
        None
    }

    /// Enters a bound; the weaker one of two is dropped. Says whether it and the goal's exclude each other.
    fn note(&mut self, terms: &Terms, bound: &Bound, position: u32) -> bool {
        let slot = match self.bounded.get(bound.term.index()) {
            Some(slot) => slot as usize,
            None => {
                self.bounds.push(Strongest::default());
                self.bounded.set(bound.term.index(), u32::try_from(self.bounds.len() - 1).unwrap_or(GOAL));
                self.bounds.len() - 1
            }
        };
        let strongest = &mut self.bounds[slot];
        if let Some((word, GOAL)) = strongest.equal
            && position != GOAL
            && !bound.admits(terms, word)
        {
            return true;
        }
        let signed = 2 * usize::from(bound.signed);
        match bound.side {
            Side::Hole => return false,
            Side::Equal => {
                if strongest.equal.is_none() {
                    strongest.equal = Some((bound.key, position));
                }
                return self.goal.is_some_and(|g| g.term == bound.term && !g.admits(terms, bound.key));
            }
            Side::Upper | Side::Lower => {}
        }
        let (mine, other) = if bound.side == Side::Upper { (signed, signed + 1) } else { (signed + 1, signed) };
        let stronger = |new: u64, old: u64| if bound.side == Side::Upper { new < old } else { new > old };
        if let Some((key, GOAL)) = strongest.ends[other]
            && position != GOAL
            && stronger(bound.key, key)
        {
            return true;
        }
        match strongest.ends[mine] {
            Some((key, holder)) if !stronger(bound.key, key) => {
                debug_assert!(position != GOAL || holder == GOAL);
                self.dropped[position as usize] = true;
            }
            old => {
                if let Some((_, holder)) = old
                    && holder != GOAL
                {
                    self.dropped[holder as usize] = true;
                }
                strongest.ends[mine] = Some((bound.key, position));
            }
        }
        false
    }

    /// Whether an equality on the term, or for a hole a bound that excludes it, makes a bound superfluous.
    fn implied(&self, terms: &Terms, bound: &Bound, position: usize) -> bool {
        let Some(slot) = self.bounded.get(bound.term.index()) else { return false };
        let strongest = &self.bounds[slot as usize];
        if let Some((word, holder)) = strongest.equal {
            return holder as usize != position && bound.side != Side::Equal && bound.admits(terms, word);
        }
        if bound.side != Side::Hole {
            return false;
        }
        let sign = crate::bound::sign_bit(terms.width(bound.term));
        let key = [bound.key, bound.key, bound.key ^ sign, bound.key ^ sign];
        (0..4).any(|e| strongest.ends[e].is_some_and(|(end, _)| if e % 2 == 0 { key[e] > end } else { key[e] < end }))
    }
}

impl Layer for Condensed {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        self.count.constraints.0 += query.path.len() as u64;
        self.flatten(terms, query.path);
        let goal = self.remainder(terms, query.goal);
        self.rest = Some(goal);
        self.weigh(terms, goal).map(|clash| Answer::Unsat(vec![clash, query.goal]))
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let goal = self.rest.take().expect("a query is attempted before it is handed on");
        self.path.clear();
        self.path.extend(self.kept.iter().zip(&self.dropped).filter(|(_, dropped)| !**dropped).map(|(t, _)| *t));
        self.count.constraints.1 += self.path.len() as u64;
        let answer = self.inner.solve(terms, &Query { path: &self.path, goal, ..*query });
        let Answer::Unsat(mut core) = answer else { return answer };
        for t in &mut core {
            *t = if *t == goal { query.goal } else { self.place.get(t.index()).map_or(*t, |i| self.origin[i as usize]) };
        }
        core.sort_unstable();
        core.dedup();
        Answer::Unsat(core)
    }
}
