//! The trait of the strategies.

use xcute_trace::SiteId;
use xcute_tree::{ArmId, Growth, PathTree};

/// What a strategy sees after each run.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The tree, the run included.
    pub tree: &'a PathTree,
    /// What the run added.
    pub growth: &'a Growth,
    /// Arms of sites that no earlier run had covered.
    pub covered: &'a [(SiteId, u32)],
}

/// Chooses the next arm.
pub trait Strategy {
    /// The name, as it is given on the command line.
    fn name(&self) -> &'static str;

    /// Takes note of a run.
    fn observe(&mut self, seen: &Seen<'_>);

    /// Forgets all arms: the tree restarts. What is covered stays so.
    fn restart(&mut self);

    /// The arm to try next; `None` when no arm is open. An arm is handed out once: whoever takes it settles it.
    fn pick(&mut self, tree: &PathTree) -> Option<ArmId>;

    /// Whether runs with inputs that the subject makes up go on while arms are open that it does not pick.
    fn samples(&self) -> bool {
        false
    }
}
