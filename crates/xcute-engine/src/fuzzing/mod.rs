//! Fuzzing: inputs of the search are changed at random and run without a record; what does something new becomes a run of the search.
//!
//! A run without a record ([`xcute_trace::Subject::glance`]) costs what the code costs, and needs no solver: it gets through arms that are hard for one (hashes, long loops, large
//! numbers), and the solver gets through those that chance does not find. Both work on one tree and one list of what is covered, as in hybrid fuzzing (Stephens et al., "Driller",
//! NDSS 2016; Yun et al., "QSYM", USENIX Security 2018). How inputs are changed is AFL's "havoc" (Zalewski): a few small changes on top of each other. We deviate from it in what changes
//! aim at: conditions that runs met say which values of which input make a difference ([`dictionary`]).
//!
//! **Invariant.** Nothing here changes the tree: only runs of the search do, and a run that fuzzing found is one of them, without a promise. So what is complete, and how many
//! paths there are, does not depend on fuzzing. Turns are given by counting, not by a clock: the same seed does the same thing.

mod corpus;
mod dictionary;
mod mutate;

use std::fmt;

use rustc_hash::FxHashSet;
use xcute_term::{Model, Terms};
use xcute_trace::{Glance, Subject, Trace};
use xcute_tree::PathTree;

use corpus::Corpus;
use dictionary::Dictionary;
use mutate::Mutator;

/// Whether inputs are changed at random between the solver's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fuzz {
    /// They are not.
    #[default]
    Off,
    /// When the solver gets nowhere, as long as branches are not covered.
    Auto,
    /// All runs are made so: the solver is never asked for an arm.
    Only,
}

impl fmt::Display for Fuzz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fuzz::Off => "off",
            Fuzz::Auto => "auto",
            Fuzz::Only => "only",
        })
    }
}

/// What a turn may cost, in steps of the subject.
const TURN: u64 = 2_000_000;
/// What a run costs besides its steps.
const RUN: u64 = 500;
/// How much of the search goes by before fuzzing has its first turn, if nothing new is covered meanwhile. An arm that was tried counts 1.
const WAIT: u64 = 2048;
/// The least and the most that it waits later: less after a turn that found something, more after one that did not.
const WAITS: (u64, u64) = (512, 1 << 17);
/// What an arm counts for which a backend was asked, and one that it did not know.
const ASKED: u64 = 64;
const HARD: u64 = 512;
/// Turns in a row without success where nothing is left but arms that the solver does not know.
const LAST: u32 = 8;

/// The fuzzing of one worker.
pub(crate) struct Fuzzing {
    mode: Fuzz,
    mutator: Mutator,
    corpus: Corpus,
    dictionary: Dictionary,
    /// Failures that were seen without a record, by their digests.
    failures: FxHashSet<u64>,
    /// How long the search has gone on without anything new, and how long it has to until the next turn.
    waited: u64,
    wait: u64,
    /// What backends were asked so far, and what they did not know.
    asked: u64,
    unknown: u64,
    /// Turns that are left when nothing else is.
    last: u32,
    /// The subject has runs without a record, as far as we know.
    possible: bool,
}

impl Fuzzing {
    /// Fuzzing that has seen no run; `None` where it is off.
    pub(crate) fn new(mode: Fuzz, seed: u64, subject: &dyn Subject) -> Option<Fuzzing> {
        if mode == Fuzz::Off {
            return None;
        }
        Some(Fuzzing {
            mode,
            mutator: Mutator::new(seed),
            corpus: Corpus::default(),
            dictionary: Dictionary::new(subject.vocabulary()),
            failures: FxHashSet::default(),
            waited: 0,
            wait: WAIT,
            asked: 0,
            unknown: 0,
            last: LAST,
            possible: true,
        })
    }

    /// Whether the solver is never asked.
    pub(crate) fn is_only(&self) -> bool {
        self.mode == Fuzz::Only
    }

    /// There are no runs without a record.
    pub(crate) fn is_impossible(&mut self) {
        self.possible = false;
    }

    /// An arm was tried. So far backends were asked that often, and that many queries had no answer.
    pub(crate) fn tried(&mut self, asked: u64, unknown: u64) {
        self.waited += 1 + ASKED * (asked - self.asked) + HARD * (unknown - self.unknown);
        (self.asked, self.unknown) = (asked, unknown);
    }

    /// Whether it is the turn of fuzzing, where arms of branches are not covered or are.
    pub(crate) fn is_due(&self, uncovered: bool) -> bool {
        self.possible && !self.corpus.is_empty() && (self.is_only() || (uncovered && self.waited >= self.wait))
    }

    /// Whether it is the turn of fuzzing where nothing is open: what the solver does not know is all that is left.
    pub(crate) fn is_last(&self, uncovered: bool, unknown: u64) -> bool {
        self.possible && !self.corpus.is_empty() && uncovered && unknown > 0 && self.last > 0
    }

    /// Takes note of a run of the search.
    pub(crate) fn observe(&mut self, trace: &Trace) {
        if !trace.covered.is_empty() {
            self.waited = 0;
        }
        if !trace.covered.is_empty() || self.corpus.is_empty() {
            self.corpus.add(&trace.input);
        }
    }

    /// Gets ready for a turn: what runs met since the last one is known.
    pub(crate) fn begin(&mut self, subject: &dyn Subject, terms: &Terms, tree: &PathTree) {
        self.mutator.learn(subject.texts(), terms);
        self.dictionary.learn(terms, tree);
    }

    /// The next input to try.
    pub(crate) fn next(&mut self, terms: &Terms) -> Model {
        let (base, other) = self.corpus.pick(self.mutator.random());
        self.mutator.change(terms, base, other, &self.dictionary)
    }

    /// Whether a run is worth being made by the search.
    pub(crate) fn is_new(&mut self, glance: &Glance) -> bool {
        let failed = glance.failure.is_some_and(|failure| self.failures.insert(failure));
        glance.news || failed
    }

    /// A turn is over, which found something or did not.
    pub(crate) fn end(&mut self, found: bool) {
        self.waited = 0;
        self.last = if found { LAST } else { self.last.saturating_sub(1) };
        self.wait = if found { (self.wait / 2).max(WAITS.0) } else { (self.wait * 2).min(WAITS.1) };
    }
}

/// How much of a turn is left.
pub(crate) struct Turn(u64);

impl Turn {
    pub(crate) fn new() -> Turn {
        Turn(TURN)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0 == 0
    }

    /// A run without a record was made. One that found something new gives a turn more.
    pub(crate) fn spend(&mut self, glance: &Glance, new: bool) {
        self.0 = if new { TURN } else { self.0.saturating_sub(RUN + glance.steps) };
    }
}
