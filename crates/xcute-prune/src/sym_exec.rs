//! SymExec [jaffar-murali-navas-2013 Fig. 3], forwards: a run along the tree, to the first node that is full or subsumed, or to its end.
//!
//! **Invariant.** Whatever ends a run decides what is known of its last arm: a run that passed or was rejected needs nothing to hold; a failure
//! or a cut taints everything above it.

use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::counters::Half;
use crate::greedy::{Record, Visited};
use crate::history::History;
use crate::implied::Walk;
use crate::interpolant::{Annotation, Horizon, Interpolant};
use crate::options::Mutant;
use crate::store::Store;
use crate::tree::{Child, NodeId, Tree};
use xcute_trace::segments::PointId;
use xcute_trace::segments::{Arm, End, Run};

/// A run on its way back.
#[derive(Debug)]
pub(crate) struct Passage {
    pub(crate) walk: Walk,
    /// The nodes it came to.
    pub(crate) nodes: Vec<NodeId>,
    /// Whether the last of them is full, so that the run was not followed beyond.
    pub(crate) stopped: bool,
}

/// The tree and the interpolants in it.
#[derive(Debug, Default)]
pub(crate) struct Annotated {
    pub(crate) tree: Tree,
    pub(crate) store: Store,
    pub(crate) record: Record,
}

impl Annotated {
    /// Follows a run; those of greedy confirmation look for subsumption after the first `from` decisions only, and visit nothing twice.
    pub(crate) fn sym_exec(
        &mut self,
        context: &mut Context<'_>,
        run: Run,
        from: usize,
        mut visited: Option<&mut Visited>,
    ) -> Result<Passage, Half> {
        if !context.symbols.add_run(&run) {
            return Err(self.diverged(None));
        }
        if self.tree.len() + run.decisions.len() > context.options.nodes {
            return Err(Half::Room);
        }
        let history = History::new(context.terms, &run);
        let mut passage = Passage { walk: Walk { run, history }, nodes: Vec::new(), stopped: false };
        let mut occurrences: FxHashMap<PointId, u32> = FxHashMap::default();
        let (mut parent, mut counted) = (None, 0);
        for k in 0..passage.walk.run.decisions.len() {
            if context.over() {
                return Err(Half::Abandoned);
            }
            let (point, taken) = (passage.walk.run.decisions[k].point, passage.walk.run.decisions[k].taken);
            let occurrence = occurrences.entry(point).or_default();
            *occurrence += 1;
            let Some(node) = self.tree.enter(parent, &passage.walk.run.decisions[k], *occurrence) else {
                return Err(self.diverged(parent));
            };
            passage.walk.history.advance(context.terms, context.symbols, &passage.walk.run);
            passage.nodes.push(node);
            if self.tree.get(node).full.is_some() || (k >= from && self.subsumed(context, &passage.walk, (k, counted), node)) {
                if passage.walk.run.end == End::Failed {
                    context.counters.refuted += 1;
                    return Err(self.diverged(Some((node, taken))));
                }
                passage.stopped = true;
                return Ok(passage);
            }
            if self.tree.shaped {
                self.decided_by_shape(&passage.walk, k, node);
            }
            if let Some(visited) = visited.as_deref_mut()
                && k >= from
                && !visited.enter(point, *occurrence)
            {
                return Err(Half::Visited);
            }
            counted += usize::from(passage.walk.run.decisions[k].counted);
            parent = Some((node, taken));
        }
        self.leaf(context, &passage, parent)?;
        Ok(passage)
    }

    /// Arms that the shapes of inputs exclude are infeasible; [`crate::Pruner::covers_trace`] asks for them.
    fn decided_by_shape(&mut self, walk: &Walk, k: usize, id: NodeId) {
        let decision = &walk.run.decisions[k];
        if !decision.in_trace || walk.history.decided(k) {
            return;
        }
        let node = self.tree.get_mut(id);
        for arm in decision.arms(&[]).into_iter().filter(|&arm| arm != decision.taken && arm != Arm::Rest) {
            node.children.entry(arm).or_insert(Child::Infeasible);
        }
    }

    /// Whether an interpolant of the point subsumes the node, which is that of decision `k` after this many that are counted; it is full then.
    fn subsumed(&mut self, context: &mut Context<'_>, walk: &Walk, (k, counted): (usize, usize), id: NodeId) -> bool {
        let node = self.tree.get(id);
        if node.taint.is_some() {
            return false;
        }
        let to_go = context.options.bound.map_or(Horizon::INFINITE, |bound| Horizon::decisions(bound.saturating_sub(counted)));
        let found = self.store.subsume(context, walk, k, node.tried, to_go);
        let tried = self.store.count(node.point);
        self.tree.get_mut(id).tried = tried;
        let Some((annotation, by)) = found else { return false };
        self.check_subsumer(context, by, id);
        let node = self.tree.get_mut(id);
        context.counters.spare(annotation.paths.saturating_sub(1));
        node.full = Some(annotation);
        node.subsumed = true;
        context.counters.full += 1;
        context.counters.subsumed += 1;
        true
    }

    fn leaf(&mut self, context: &mut Context<'_>, passage: &Passage, parent: Option<(NodeId, Arm)>) -> Result<(), Half> {
        let Some((node, arm)) = parent else { return Ok(()) };
        let end = passage.walk.run.end;
        context.counters.bounded += u64::from(matches!(end, End::Bound | End::Cut));
        if matches!(self.tree.get(node).children.get(&arm), Some(Child::Node(_))) {
            return Err(self.diverged(parent));
        }
        self.tree.get_mut(node).children.insert(arm, Child::End(end));
        let taint = match end {
            End::Failed if context.options.broken(Mutant::FailureIsEnd) => None,
            End::Bound | End::Cut if context.options.broken(Mutant::CutIsEnd) => None,
            End::Failed => Some(Half::Failure),
            End::Cut => Some(Half::Cut),
            End::Lost => Some(Half::Lost),
            End::Bound => (!bounded(context, &passage.walk.run)).then_some(Half::Cut),
            End::Passed | End::Rejected => None,
        };
        if let Some(why) = taint {
            self.tree.taint(node, why);
        }
        Ok(())
    }

    /// The run contradicts an earlier one: the program is not deterministic, and nothing above may be full.
    fn diverged(&mut self, parent: Option<(NodeId, Arm)>) -> Half {
        let mut at = parent.map(|(node, _)| node).or(self.tree.root());
        while let Some(node) = at {
            let node = self.tree.get_mut(node);
            node.full = None;
            node.taint.get_or_insert(Half::Diverged);
            at = node.parent.map(|(node, _)| node);
        }
        Half::Diverged
    }

    /// What is known just after the last arm that a run was followed through; why nothing, if so.
    pub(crate) fn known(&self, context: &mut Context<'_>, passage: &Passage) -> Result<Annotation, Half> {
        let run = &passage.walk.run;
        if passage.stopped {
            let last = passage.nodes.len() - 1;
            let full = self.tree.get(passage.nodes[last]).full.clone().expect("it stopped at a full node");
            return Ok(before(context, &full, &run.decisions[last].segment, run));
        }
        let horizon = match run.end {
            End::Passed | End::Rejected => Horizon::INFINITE,
            End::Failed if context.options.broken(Mutant::FailureIsEnd) => Horizon::INFINITE,
            End::Cut | End::Bound if context.options.broken(Mutant::CutIsEnd) => Horizon::INFINITE,
            End::Bound if bounded(context, run) => Horizon::decisions(0),
            End::Bound | End::Cut => return Err(Half::Cut),
            End::Failed => return Err(Half::Failure),
            End::Lost => return Err(Half::Lost),
        };
        let nothing = Annotation::new(Some(Interpolant::default()), horizon, 1);
        Ok(before(context, &nothing, &run.last, run))
    }
}

/// Whether a run ended where all runs end, so that a horizon can be counted from there.
fn bounded(context: &Context<'_>, run: &Run) -> bool {
    let counted = run.decisions.iter().filter(|decision| decision.counted).count();
    context.options.horizon && context.options.bound == Some(counted)
}

/// An annotation, seen from before a segment.
pub(crate) fn before(context: &mut Context<'_>, after: &Annotation, segment: &xcute_trace::segments::Segment, run: &Run) -> Annotation {
    let interpolant = after.interpolant.as_ref().map(|interpolant| context.wp_segment(interpolant, segment, &run.input));
    Annotation::new(interpolant, after.horizon, after.paths)
}
