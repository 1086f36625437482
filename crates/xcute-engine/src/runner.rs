//! What runs the subject, and counts what runs do: all that the parts of a campaign have in common.
//!
//! It is cut here because failures are confirmed, and paths are pruned, by runs of their own. Tree, strategy and solver belong to the loop
//! ([`crate::Campaign`]), so such runs cannot change the search.
//!
//! **Invariant.** Whatever a run covers counts once, in the search or beside it. The strategy hears of it with a run of the search.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_term::{Interrupt, Terms, profile};
use xcute_trace::{Glance, Known, SiteId, Subject, SubjectError, TestCase, Trace};

use crate::crew::Crew;
use crate::observer::Observer;
use crate::options::Options;
use crate::results::Results;

/// The subject of a worker with the terms it makes, and what is known of its runs.
pub(crate) struct Runner<'a> {
    pub(crate) subject: &'a mut dyn Subject,
    pub(crate) terms: Terms,
    pub(crate) crew: Arc<Crew>,
    pub(crate) options: Options,
    pub(crate) results: Results,
    /// Ends what takes long.
    pub(crate) interrupt: Interrupt,
    /// A run that is not recorded found memory to be shared.
    pub(crate) outdated: bool,
    /// Arms that only runs alongside the search have covered: the strategy hears of them when a run of the search does.
    unheard: BTreeSet<(SiteId, u32)>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(subject: &'a mut dyn Subject, crew: Arc<Crew>, options: Options) -> Runner<'a> {
        let (terms, results, interrupt) = (Terms::new(), Results::default(), Interrupt::never().clone());
        Runner { subject, terms, crew, options, results, interrupt, outdated: false, unheard: BTreeSet::new() }
    }

    /// From now on what takes long ends when the observer says so.
    pub(crate) fn listen(&mut self, observer: &dyn Observer) {
        self.interrupt = observer.interrupt();
        self.subject.interrupt_by(&self.interrupt);
    }

    /// A run of the search: it is to keep the promise.
    pub(crate) fn run(&mut self, observer: &dyn Observer, case: &TestCase, promise: &[Known]) -> Result<Trace, SubjectError> {
        let _phase = profile::phase("subject");
        let start = observer.elapsed();
        let trace = self.subject.run(case, promise, &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        Ok(trace)
    }

    /// A run to see whether a case does anything new ([`Subject::glance`]). It counts as a run, and changes nothing.
    pub(crate) fn glance(&mut self, observer: &dyn Observer, case: &TestCase) -> Result<Option<Glance>, SubjectError> {
        let start = observer.elapsed();
        let _phase = profile::phase("subject");
        let glance = self.subject.glance(case, &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        if glance.is_some() {
            self.results.glances += 1;
            self.crew.figures.runs.fetch_add(1, Relaxed);
        }
        Ok(glance)
    }

    /// A run to see what a case does, which is not recorded. What it covers counts.
    pub(crate) fn run_again(&mut self, case: &TestCase) -> Result<Trace, SubjectError> {
        let _phase = profile::phase("subject");
        let again = self.subject.run(case, &[], &mut self.terms)?;
        self.outdated |= outdated(&again);
        self.cover(&again.covered);
        Ok(again)
    }

    /// A run alongside the search ([`Subject::run_aside`]). The trace keeps those covered arms that are new to all workers.
    pub(crate) fn run_aside(&mut self, case: &TestCase) -> Result<Trace, SubjectError> {
        let _phase = profile::phase("subject");
        let mut trace = self.subject.run_aside(case, &mut self.terms)?;
        trace.covered = self.crew.cover(&trace.covered);
        self.count_covered(&trace.covered);
        Ok(trace)
    }

    /// The strategy is to hear of these arms when a run of the search covers them.
    pub(crate) fn hear_later(&mut self, covered: Vec<(SiteId, u32)>) {
        self.unheard.extend(covered);
    }

    /// Of the covered arms that a run reports, those that are new to all workers, or to the strategy.
    pub(crate) fn cover(&mut self, reported: &[(SiteId, u32)]) -> Vec<(SiteId, u32)> {
        if reported.is_empty() {
            return Vec::new();
        }
        let mut new = self.crew.cover(reported);
        self.count_covered(&new);
        if !self.unheard.is_empty() {
            new.extend(reported.iter().filter(|arm| self.unheard.remove(arm)));
        }
        new
    }

    fn count_covered(&self, covered: &[(SiteId, u32)]) {
        let sites = self.subject.sites();
        let counted = covered.iter().filter(|(site, _)| sites.get(*site).counts()).count() as u64;
        self.crew.figures.covered.fetch_add(counted, Relaxed);
    }
}

/// Whether a run found memory to be shared that earlier runs took for private.
pub(crate) fn outdated(trace: &Trace) -> bool {
    trace.concurrent.as_ref().is_some_and(|concurrent| concurrent.outdated)
}
