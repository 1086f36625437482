//! The annotated tree for people: every node with its place, its state and its interpolant in terms of the source.
//!
//! **Invariant.** Parents come before their children; what is said is what the pruner knows.

use xcute_prune::{Behind, Horizon, Pruner};
use xcute_term::Terms;
use xcute_trace::SiteId;
use xcute_trace::segments::{Arm, End, Points};

/// What is known of a node, or of what is below an arm without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// It has a full interpolant: nothing below it can fail.
    Full,
    /// The same, because it is like another one.
    Subsumed,
    /// Something below it fails, is not finished, or cannot be known.
    Half,
    /// A run ended here.
    Ended(End),
    /// No input comes here.
    Infeasible,
    /// Nobody knows whether an input comes here.
    Unknown,
}

/// A node of the annotated tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedNode {
    /// The position of the node above it, and the arm that leads here from there.
    pub parent: Option<(usize, Arm)>,
    /// Where it is in the program; `None` for ends.
    pub site: Option<SiteId>,
    /// What is known of it.
    pub state: NodeState,
    /// The full interpolant, in terms of the source.
    pub interpolant: Option<String>,
    /// For how many decisions it holds; `None`: for all.
    pub horizon: Option<u32>,
}

/// The tree of a pruner; `None` where it has more nodes than `most`.
pub(super) fn annotated(pruner: &Pruner, points: &Points, terms: &Terms, most: usize) -> Option<Vec<AnnotatedNode>> {
    let root = pruner.nodes().next()?;
    let (mut out, mut todo) = (Vec::new(), vec![(root, None)]);
    while let Some((id, parent)) = todo.pop() {
        if out.len() >= most {
            return None;
        }
        let node = pruner.node(id);
        let full = node.full();
        let state = match full {
            Some(_) if node.subsumed() => NodeState::Subsumed,
            Some(_) => NodeState::Full,
            None => NodeState::Half,
        };
        let interpolant = full.and_then(|full| full.interpolant.as_ref()).map(|interpolant| interpolant.human(terms));
        let horizon = full.map(|full| full.horizon).filter(|horizon| *horizon != Horizon::INFINITE).map(Horizon::count);
        let site = Some(SiteId(points.get(node.point()).site));
        let here = out.len();
        out.push(AnnotatedNode { parent, site, state, interpolant, horizon });
        for (arm, behind) in node.behind() {
            let state = match behind {
                Behind::Node(child) => {
                    todo.push((child, Some((here, arm))));
                    continue;
                }
                Behind::End(end) => NodeState::Ended(end),
                Behind::Infeasible => NodeState::Infeasible,
                Behind::Unknown => NodeState::Unknown,
            };
            out.push(AnnotatedNode { parent: Some((here, arm)), site: None, state, interpolant: None, horizon: None });
        }
    }
    Some(out)
}
