//! The counterexample cache: what was asked before is not asked again, also in other words.
//!
//! [cadar-dunbar-engler-2008 §3.3], with its three uses: the same set of constraints has the same answer; a
//! superset of contradicting constraints contradicts itself; a recent model may happen to fit. We deviate by keeping cores, not
//! whole queries, for the second, and by trying only the last few models for the third. Queries that were given up are
//! remembered with their effort, so a hard condition is paid for once, not once per path.
//!
//! **Invariant.** An arena only grows, so ids name the same constraints for ever; domains may change, so every entry carries the
//! fingerprint of the domains it was found under. Size is bounded; eviction depends on the order of queries only.

mod cores;

use std::collections::VecDeque;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};
use xcute_term::{Model, TermId, Terms, VarId, VarWalk};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Effort, Layer, Query, Solver, Why};
use crate::trial::Trial;
use cores::Cores;

/// How many recent models are tried.
const RECENT: usize = 4;

/// How many constraints and values an answer holds on average before there is room for fewer answers.
const WEIGHT: usize = 32;

/// What is known of a set of constraints.
#[derive(Clone)]
enum Known {
    /// Satisfied by these values of all its variables.
    Sat(Model),
    Unsat(Vec<TermId>),
    Unknown(Why, Effort),
}

struct Entry {
    known: Known,
    domains: u64,
}

/// The layer of the cache.
pub struct Cached {
    inner: Box<dyn Solver>,
    count: Count,
    capacity: usize,
    young: FxHashMap<Box<[TermId]>, Entry>,
    old: FxHashMap<Box<[TermId]>, Entry>,
    cores: Cores,
    /// How many constraints and values the young answers hold.
    weight: usize,
    recent: VecDeque<Model>,
    /// The query that was attempted last.
    key: Vec<TermId>,
    /// The domains of its variables.
    domains: u64,
    members: Slots,
    trial: Trial,
    walk: VarWalk,
}

impl Cached {
    /// A cache of at most `2 * capacity` answers and as many cores in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, capacity: usize) -> Cached {
        Cached {
            inner,
            count: Count { layer: "cached", ..Count::default() },
            capacity,
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            cores: Cores::new(capacity),
            weight: 0,
            recent: VecDeque::new(),
            key: Vec::new(),
            domains: 0,
            members: Slots::default(),
            trial: Trial::new(),
            walk: VarWalk::default(),
        }
    }

    fn look_up(&mut self, terms: &Terms, query: &Query<'_>, domains: u64) -> Option<Answer> {
        if let Some(answer) = self.exact(terms, query, domains) {
            return Some(answer);
        }
        self.members.clear(terms.len());
        for c in &self.key {
            self.members.set(c.index(), 0);
        }
        if let Some(core) = self.cores.within(terms, &self.key, &self.members) {
            return Some(Answer::Unsat(core.to_vec()));
        }
        self.reuse(terms, query).map(Answer::Sat)
    }

    fn exact(&mut self, terms: &Terms, query: &Query<'_>, domains: u64) -> Option<Answer> {
        if !self.young.contains_key(&self.key[..]) {
            // What is asked again stays: it moves to the young.
            let (key, entry) = self.old.remove_entry(&self.key[..])?;
            self.insert(key, entry);
        }
        let entry = self.young.get(&self.key[..]).filter(|e| e.domains == domains)?;
        match &entry.known {
            Known::Sat(model) => Some(Answer::Sat(difference(terms, model, query.hint))),
            Known::Unsat(core) => Some(Answer::Unsat(core.clone())),
            Known::Unknown(why, effort) => (query.effort.0 <= effort.0).then_some(Answer::Unknown(*why)),
        }
    }

    /// Tries the recent models, the newest first.
    fn reuse(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Model> {
        if self.recent.is_empty() {
            return None;
        }
        self.trial.load(terms, query);
        if !self.trial.words_only() {
            return None;
        }
        for model in &self.recent {
            self.trial.reset(terms);
            let mut moved = false;
            for i in 0..self.trial.vars().len() {
                let (v, old) = self.trial.vars()[i];
                if let Some(word) = model.word(v)
                    && word != old
                {
                    moved |= self.trial.set(terms, v, word);
                }
            }
            if moved && self.trial.violated(terms, query).is_none() {
                return Some(self.trial.patch());
            }
        }
        None
    }

    fn remember(&mut self, terms: &Terms, query: &Query<'_>, answer: &Answer, domains: u64) {
        let known = match answer {
            // What was broken off may have an answer when it is asked again.
            Answer::Unknown(Why::Interrupted) => return,
            Answer::Sat(patch) => {
                let model = complete(terms, &mut self.walk, &self.key, query.hint, patch);
                self.recent.truncate(RECENT - 1);
                self.recent.push_front(model.clone());
                Known::Sat(model)
            }
            Answer::Unsat(core) => {
                self.cores.add(terms, core);
                Known::Unsat(core.clone())
            }
            Answer::Unknown(why) => Known::Unknown(*why, query.effort),
        };
        self.insert(self.key.clone().into_boxed_slice(), Entry { known, domains });
    }

    /// Adds an answer; where the young are too many or too large, they become the old and the old are forgotten.
    fn insert(&mut self, key: Box<[TermId]>, entry: Entry) {
        if self.young.len() >= self.capacity || self.weight >= WEIGHT * self.capacity {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.weight += key.len()
            + match &entry.known {
                Known::Sat(model) => model.words().len() + model.others().len(),
                Known::Unsat(core) => core.len(),
                Known::Unknown(..) => 0,
            };
        self.young.insert(key, entry);
    }
}

/// The values of all variables of the constraints.
fn complete(terms: &Terms, walk: &mut VarWalk, constraints: &[TermId], hint: &Model, patch: &Model) -> Model {
    let mut vars: Vec<VarId> = Vec::new();
    walk.clear();
    constraints.iter().for_each(|&c| walk.visit(terms, c, |v| vars.push(v)));
    vars.sort_unstable();
    vars.dedup();
    let mut out = Model::new();
    for v in vars {
        out.set(v, if patch.has(v) { patch } else { hint }.value(terms, v));
    }
    out
}

/// What of `model` differs from the hint.
fn difference(terms: &Terms, model: &Model, hint: &Model) -> Model {
    let mut out = Model::new();
    for &(v, word) in model.words() {
        if hint.word(v).unwrap_or(0) != word {
            out.set_word(v, word);
        }
    }
    for (v, value) in model.others() {
        if hint.value(terms, *v) != *value {
            out.set(*v, value.clone());
        }
    }
    out
}

/// A fingerprint of the domains of all variables in the constraints; 0 where there are none.
fn fingerprint(terms: &Terms, walk: &mut VarWalk, constraints: &[TermId]) -> u64 {
    let mut hash = None;
    walk.clear();
    for &c in constraints {
        walk.visit(terms, c, |v| {
            if let Some(stamp) = terms.domain_stamp(v) {
                let hasher: &mut FxHasher = hash.get_or_insert_default();
                hasher.write_u32(v.0);
                hasher.write_u64(stamp);
            }
        });
    }
    hash.map_or(0, |h| h.finish())
}

impl Layer for Cached {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        self.key.clear();
        self.key.extend_from_slice(query.path);
        self.key.push(query.goal);
        self.key.sort_unstable();
        self.key.dedup();
        let domains = fingerprint(terms, &mut self.walk, &self.key);
        self.domains = domains;
        self.look_up(terms, query, domains)
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let answer = self.inner.solve(terms, query);
        self.remember(terms, query, &answer, self.domains);
        answer
    }
}
