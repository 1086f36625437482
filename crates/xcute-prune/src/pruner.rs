//! The pruner: runs come in, what need not be run comes out.
//!
//! It executes nothing. After each run of the search [`Pruner::observe`] annotates the tree; where greedy confirmation needs a run, it is asked for, and
//! the answer goes to [`Pruner::confirm`].
//!
//! **Invariant.** [jaffar-murali-navas-2013 Theorem 5.1]: a path that is said to be subsumed does not fail. Nothing is said on account of an answer "unknown", a cut, or a
//! concretised value.

use xcute_solver::Solver;
use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, Terms};

use crate::context::Context;
use crate::counters::{Counters, Half};
use crate::greedy::Visited;
use crate::options::Options;
use crate::sym_exec::Annotated;
use crate::symbols::Symbols;
use crate::tree::{Child, NodeId};
use crate::unwind_path::Frame;
use xcute_trace::segments::{Arm, Run};

/// What the pruner wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A run with this input, for [`Pruner::confirm`].
    Confirm(Model),
    /// The next run of the search.
    Search,
}

/// Pruning by interpolation.
pub struct Pruner {
    options: Options,
    pub(crate) annotated: Annotated,
    symbols: Symbols,
    pub(crate) counters: Counters,
    eval: Evaluator,
    /// The runs that are being unwound: the search's own first, then those of greedy confirmation.
    stack: Vec<Frame>,
    visited: Visited,
    /// The nodes that the last run of the search came to.
    last: Vec<NodeId>,
    /// The partition of memory of all these runs.
    partition: Option<u32>,
    interrupt: Interrupt,
    allowed: u64,
}

impl Pruner {
    /// A pruner that has seen nothing.
    #[must_use]
    pub fn new(options: Options) -> Pruner {
        let visited = Visited::new(options.visits);
        let (annotated, symbols, counters) = (Annotated::default(), Symbols::default(), Counters::default());
        Pruner {
            options,
            annotated,
            symbols,
            counters,
            eval: Evaluator::new(),
            stack: Vec::new(),
            visited,
            last: Vec::new(),
            partition: None,
            interrupt: Interrupt::never().clone(),
            allowed: u64::MAX,
        }
    }

    /// Breaks off what it does when its work ([`Counters::work`]) comes to so much in all. What was annotated until then stays.
    pub fn allow(&mut self, work: u64) {
        self.allowed = work;
    }

    /// Breaks off what it does when this flag is raised. Nothing is said on account of that.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// The figures.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Takes in a run of the search.
    pub fn observe(&mut self, terms: &mut Terms, solver: &mut dyn Solver, run: Run) -> Next {
        if !self.stack.is_empty() {
            self.abandon();
        }
        self.counters.runs += 1;
        self.last.clear();
        self.forget_other(&run);
        let result = self.begin(terms, solver, run);
        self.outcome(result)
    }

    /// Takes in a run that greedy confirmation asked for.
    pub fn confirm(&mut self, terms: &mut Terms, solver: &mut dyn Solver, run: Run) -> Next {
        self.counters.confirmations += 1;
        self.forget_other(&run);
        let result = self.go_on(terms, solver, run);
        self.outcome(result)
    }

    /// Forgets everything if a run has other cells: all nodes are gone then, and greedy confirmation ends ([`Counters::restarts`] counts it).
    fn forget_other(&mut self, run: &Run) {
        if self.partition.replace(run.partition).is_some_and(|before| before != run.partition) {
            (self.annotated, self.symbols) = (Annotated::default(), Symbols::default());
            self.stack.clear();
            self.last.clear();
            self.counters.restarts += 1;
        }
    }

    /// Ends greedy confirmation, because the run it asked for is not available.
    pub fn abandon(&mut self) {
        self.outcome(Err(Half::Abandoned));
    }

    fn outcome(&mut self, result: Result<Option<Model>, Half>) -> Next {
        match result {
            Ok(Some(input)) => return Next::Confirm(input),
            Ok(None) => {}
            Err(why) => {
                self.counters.half[why as usize] += 1;
                self.counters.greedy_failed += u64::from(self.stack.iter().any(|frame| frame.asked.is_some()));
                self.note_failure(why);
            }
        }
        self.stack.clear();
        Next::Search
    }

    /// All confirmations under way end with the first that fails.
    fn note_failure(&mut self, why: Half) {
        for frame in self.stack.iter().filter(|_| why == Half::Failure) {
            if let Some(arm) = frame.asked {
                self.annotated.record.note(frame.passage.walk.run.decisions[frame.at - 1].point, arm, true);
            }
        }
    }

    fn begin(&mut self, terms: &mut Terms, solver: &mut dyn Solver, run: Run) -> Result<Option<Model>, Half> {
        let (mut context, annotated, _) = self.parts(terms, solver);
        let passage = annotated.sym_exec(&mut context, run, 0, None)?;
        context.counters.covered += u64::from(passage.stopped);
        let known = annotated.known(&mut context, &passage);
        self.last.clone_from(&passage.nodes);
        self.stack.push(Frame::new(passage, known?, 0));
        self.unwind(terms, solver)
    }

    fn go_on(&mut self, terms: &mut Terms, solver: &mut dyn Solver, run: Run) -> Result<Option<Model>, Half> {
        let Some(frame) = self.stack.last() else { return Ok(None) };
        let low = frame.at;
        if !self.as_asked(frame, &run) {
            // Or it would be asked for again and again.
            let (node, arm) = (frame.passage.nodes[low - 1], frame.asked.unwrap_or(Arm::Rest));
            self.annotated.tree.get_mut(node).children.insert(arm, Child::Unknown);
            return Err(Half::Diverged);
        }
        if self.stack.len() == 1 {
            self.visited.clear();
        }
        let (mut context, annotated, visited) = self.parts(terms, solver);
        let passage = annotated.sym_exec(&mut context, run, low, Some(visited))?;
        let known = annotated.known(&mut context, &passage)?;
        debug_assert!(passage.nodes.len() >= low + usize::from(passage.stopped), "no node above an unfinished one is full");
        self.stack.push(Frame::new(passage, known, low));
        self.unwind(terms, solver)
    }

    /// Whether a run went where greedy confirmation sent it.
    fn as_asked(&self, frame: &Frame, run: &Run) -> bool {
        let k = frame.at - 1;
        let before = &frame.passage.walk.run.decisions[..k];
        let same = before.iter().zip(&run.decisions).all(|(a, b)| a.point == b.point && a.taken == b.taken);
        let Some(decision) = run.decisions.get(k).filter(|_| same) else { return false };
        match frame.asked {
            Some(Arm::Rest) => !self.annotated.tree.get(frame.passage.nodes[k]).finished(decision.taken),
            asked => asked == Some(decision.taken),
        }
    }

    /// Unwinds the runs on the stack, the last one first.
    fn unwind(&mut self, terms: &mut Terms, solver: &mut dyn Solver) -> Result<Option<Model>, Half> {
        while let Some(mut frame) = self.stack.pop() {
            let asked = self.stack.last().and_then(|below| below.asked);
            let (mut context, annotated, _) = self.parts(terms, solver);
            let needed = annotated.unwind(&mut context, &mut frame)?;
            if needed.is_some() {
                self.stack.push(frame);
                return Ok(needed);
            }
            if frame.low > 0 {
                let k = frame.low - 1;
                let arm = frame.passage.walk.run.decisions[k].taken;
                annotated.finish(&mut context, &frame.passage, k, arm, &frame.known);
                annotated.record.note(frame.passage.walk.run.decisions[k].point, asked.unwrap_or(arm), false);
                context.counters.greedy += 1;
            }
        }
        Ok(None)
    }

    fn parts<'a>(&'a mut self, terms: &'a mut Terms, solver: &'a mut dyn Solver) -> (Context<'a>, &'a mut Annotated, &'a mut Visited) {
        let context = Context {
            terms,
            solver,
            options: &self.options,
            symbols: &mut self.symbols,
            counters: &mut self.counters,
            eval: &mut self.eval,
            interrupt: &self.interrupt,
            allowed: self.allowed,
        };
        (context, &mut self.annotated, &mut self.visited)
    }

    /// The nodes that the last run of the search came to, one for each of its decisions up to the first that is full.
    #[must_use]
    pub fn passed(&self) -> &[NodeId] {
        &self.last
    }
}
