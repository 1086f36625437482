//! Schedules: vector clocks, races, and which schedule arms to open.
//!
//! Independent of any language, and nothing is executed here: a [`Record`] of a run comes in, the schedule arms to be run next come out, each
//! with the [`Plan`] that leads to it. [`Explorer`] is the whole of it; the algorithms by name are [`All`], [`Races`], [`Sleep`] and
//! [`Dpor`]. Where these would take too long there are [`Bounded`] search and random [`Policy`]s.
//!
//! Two notions are kept apart. A *race to flip* ([`races()`]) is a pair of events whose order a schedule can turn around. A *data race to
//! report* ([`data_races`]) is a pair of plain accesses that no synchronisation orders. Neither contains the other. Blocked tasks are
//! explained by [`deadlock()`]; [`possible_deadlocks`] are predictions from runs that went well.
//!
//! **Invariant.** Every exhaustive algorithm here runs at least one schedule of each causal class, in whatever order the opened arms are
//! taken.

mod algorithm;
mod algorithm_name;
mod all;
mod bounded;
mod causality;
mod class;
mod clock;
mod conductor;
mod data_race;
mod deadlock;
mod dpor;
mod explorer;
mod held;
mod initials;
mod lock_order;
mod object;
mod opening;
mod operation;
mod passage;
mod past;
mod pct;
mod policy;
mod policy_name;
mod pos;
mod race;
mod races;
mod record;
mod release_sequence;
mod sampled;
mod sequential;
mod sleep;
mod synchronised;
mod task;
mod tree;
mod walk;

pub use algorithm::{Algorithm, Arrival, DefaultChoice, Enter, Flip};
pub use algorithm_name::AlgorithmName;
pub use all::All;
pub use bounded::Bounded;
pub use causality::{Causality, Event};
pub use class::ClassKey;
pub use clock::VectorClock;
pub use conductor::Conductor;
pub use data_race::{DataRace, data_races};
pub use deadlock::{Blocked, Deadlock, Shape, deadlock};
pub use dpor::Dpor;
pub use explorer::Explorer;
pub use initials::initials;
pub use lock_order::{Taken, possible_deadlocks};
pub use object::{ObjectState, Objects};
pub use opening::{Diverged, Observed, Opening, Plan};
pub use operation::{Access, Accesses, Cells, Location, Mode, ObjectId, Operation, Order, Several, Until, conflict};
pub use past::past;
pub use pct::Pct;
pub use policy::{Policy, Ready};
pub use policy_name::PolicyName;
pub use pos::Pos;
pub use race::{Race, races};
pub use races::Races;
pub use record::{End, Next, NodeKey, Record, Step};
pub use sampled::Sampled;
pub use sleep::Sleep;
pub use task::{Task, Tasks};
pub use tree::{Node, Sibling};
pub use walk::Walk;
