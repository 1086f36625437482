//! Followed programs: their ordinary traces are what they are otherwise, their segments replay, and pruning finds in them what it should.

mod bounded;
mod families;
mod known_answers;
mod locals;
mod replay;
mod search;
