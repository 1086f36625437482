//! The chain: all layers in their order. This file is the architecture of the solver.
//!
//! ```text
//! opt1       the goal's negation is in the path                        (CUTE's OPT 1)
//! opt3       only what depends on the goal                             (CUTE's OPT 3)
//! opt2       every constraint once, the strongest bounds only          (CUTE's OPT 2)
//! pointers   = and != over pointers: the equivalence graph             [sen-marinov-agha-2006 Fig. 12]
//! orders     < and <= between variables: difference constraints
//! shortcut   the hint, inversion, pushing, intervals, two variables
//! cached     asked before, contradicted before, a recent model
//! exhausted  few assignments: all of them
//! implied    what literals of the query make true is left out
//! logged     the text of what is left, where it is kept
//! relaxed    nobody knows: most inputs keep their values, a few are asked for
//! domains    what pointers may be, for the backends
//! lazy       of very many constraints on terms, those that models violate
//! ranges     the size of floats contradicts the query
//! fallback   the backends in order, each one's models checked
//! ```
//!
//! Slicing comes before common sub-constraints because it is cheaper per constraint and leaves less to compare.

use xcute_term::Terms;

use crate::cached::Cached;
use crate::checked::Checked;
use crate::domains::{self, Domains};
use crate::exhausted::Exhausted;
use crate::fallback::Fallback;
use crate::float_ranges::FloatRanges;
use crate::implied::Implied;
use crate::lazy::Lazy;
use crate::logged::{Logged, Sink};
use crate::opt1::FastUnsat;
use crate::opt2::Condensed;
use crate::opt3::Sliced;
use crate::orders::Orders;
use crate::pointers::Pointers;
use crate::relaxed::Relaxed;
use crate::shortcut::Shortcut;
use crate::solver::{Answer, Count, Query, Solver, Why};
use crate::timed::Timed;

/// Which layers the chain has. All are on by default; none is needed for right answers except `checked`, which guards against
/// wrong ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, clippy::struct_excessive_bools, reason = "the names are the layers' and independent switches")]
pub struct ChainOptions {
    pub opt1: bool,
    pub opt2: bool,
    pub opt3: bool,
    pub pointers: bool,
    pub orders: bool,
    pub shortcut: bool,
    pub cached: bool,
    pub exhausted: bool,
    pub implied: bool,
    pub relaxed: bool,
    pub lazy: bool,
    pub ranges: bool,
    pub checked: bool,
}

impl Default for ChainOptions {
    fn default() -> Self {
        ChainOptions::all(true)
    }
}

impl ChainOptions {
    /// All layers on, or all off.
    #[must_use]
    pub fn all(on: bool) -> ChainOptions {
        ChainOptions {
            opt1: on,
            opt2: on,
            opt3: on,
            pointers: on,
            orders: on,
            shortcut: on,
            cached: on,
            exhausted: on,
            implied: on,
            relaxed: on,
            lazy: on,
            ranges: on,
            checked: on,
        }
    }
}

/// How many answers a generation of the cache holds.
const CACHE_CAPACITY: usize = 1 << 14;

/// How many assignments are few.
const FEW: u64 = 1024;

/// How many queries came to the backends of a chain: those that no layer answered.
#[must_use]
pub fn left_for_backends(solver: &dyn Solver) -> u64 {
    let mut left = 0;
    solver.count(&mut |count| left += if count.layer == domains::LAYER { count.seen } else { 0 });
    left
}

/// The layers on top of the backends.
pub struct Chain {
    top: Box<dyn Solver>,
}

impl Chain {
    /// The layers that `options` ask for on top of the backends, which are asked in the given order.
    #[must_use]
    pub fn build(options: ChainOptions, backends: Vec<Box<dyn Solver>>) -> Chain {
        Chain::logged(options, backends, None)
    }

    /// The same, with a receiver of the queries that are left for the backends, if there is one.
    #[must_use]
    pub fn logged(options: ChainOptions, backends: Vec<Box<dyn Solver>>, sink: Option<Sink>) -> Chain {
        let check = |backend| if options.checked { Box::new(Checked::new(backend)) as Box<dyn Solver> } else { backend };
        let backends = backends.into_iter().map(Timed::layer).map(check).collect();
        let mut top: Box<dyn Solver> = Box::new(Fallback::new(backends));
        if options.ranges {
            top = Timed::layer(Box::new(FloatRanges::new(top)));
        }
        if options.lazy {
            top = Timed::layer(Box::new(Lazy::new(top)));
        }
        top = Timed::layer(Box::new(Domains::new(top)));
        if options.relaxed {
            top = Timed::layer(Box::new(Relaxed::new(top)));
        }
        if let Some(sink) = sink {
            top = Timed::layer(Box::new(Logged::new(top, sink)));
        }
        if options.implied {
            top = Timed::layer(Box::new(Implied::new(top)));
        }
        if options.exhausted {
            top = Timed::layer(Box::new(Exhausted::new(top, FEW)));
        }
        if options.cached {
            top = Timed::layer(Box::new(Cached::new(top, CACHE_CAPACITY)));
        }
        if options.shortcut {
            top = Timed::layer(Box::new(Shortcut::new(top)));
        }
        if options.orders {
            top = Timed::layer(Box::new(Orders::new(top)));
        }
        if options.pointers {
            top = Timed::layer(Box::new(Pointers::new(top)));
        }
        if options.opt2 {
            top = Timed::layer(Box::new(Condensed::new(top)));
        }
        if options.opt3 {
            top = Timed::layer(Box::new(Sliced::new(top)));
        }
        if options.opt1 {
            top = Timed::layer(Box::new(FastUnsat::new(top)));
        }
        Chain { top }
    }
}

impl Solver for Chain {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        if query.interrupt.raised() {
            return Answer::Unknown(Why::Interrupted);
        }
        self.top.solve(terms, query)
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        self.top.count(visit);
    }
}
