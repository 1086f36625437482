//! The path tree: every decision that some run met, its arms, and what became of them.
//!
//! `branch_hist` of [sen-marinov-agha-2006 Fig. 10] is one path of this tree; we keep all of them, so any strategy can be
//! served and a run that leaves its promise is compared with what is known, not thrown away.
//!
//! Workers that share a campaign have a tree each and hand open arms over to each other ([`Parcel`]).
//!
//! Schedule choices are decisions whose arms are idle until somebody asks for them ([`PathTree::open`]).
//!
//! **Invariant.** A node never changes its site, its conditions or its parent; an arm leaves `Open` once, unless it comes back from another
//! tree. Over all trees of a campaign every arm has one owner.

mod grow;
mod open;
mod outline;
mod parcel;
mod settle;
mod tree;

pub use grow::{Growth, Insertion};
pub use outline::{Fate, Outline, OutlineNode};
pub use parcel::{Offer, Parcel};
pub use tree::{Arm, ArmCounts, ArmId, Child, End, NodeId, PathTree};
