//! What a frame did that others can see: which instruction wrote last, and which took a lock. A wait asks for it ([`super::early`]).

/// Marks what has not happened.
pub(super) const NEVER: u32 = u32::MAX;

/// What a frame did that others can see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// The instruction that last wrote something or woke somebody, itself or by what it called.
    pub(super) works: u32,
    /// The first object that was written to.
    pub(super) first: u32,
    /// How many objects there were when it began: later ones are its own.
    pub(super) born: u32,
    /// The instruction that last took a lock which the thread did not have.
    pub(super) locks: u32,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { works: NEVER, first: NEVER, born: 0, locks: NEVER }
    }
}
