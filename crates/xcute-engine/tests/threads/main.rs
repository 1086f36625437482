//! Campaigns over programs with several tasks: inputs and schedules in one search. The programs are those of the tests of `xcute-race`, whose
//! model language runs them.

#![allow(dead_code, reason = "the model language has more than is needed here")]

#[macro_use]
#[path = "../support/believing.rs"]
mod believing;
#[path = "../../../xcute-race/tests/threads/thread.rs"]
mod thread;
#[path = "../../../xcute-race/tests/threads/world.rs"]
mod world;
#[macro_use]
#[path = "../../../xcute-race/tests/threads/programs.rs"]
mod programs;
mod answers;
mod going_on;
mod model;
mod races;
mod restarts;
