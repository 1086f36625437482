//! When work has to end: whoever may work for long asks now and then.

/// Whether to stop now.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Nobody stops it.
pub const NEVER: Stop<'static> = &|| false;
