//! The Java front end.
//!
//! [`Program`] is what is tested: its classes, with events in them, and what a replay needs to know of them. [`JavaSubject`] runs cases on a real JVM
//! and replays the events in this process, where bytecode is followed with numbers and symbolic values side by side.

mod api;
mod blocks;
mod choose;
mod confirm;
mod inputs;
mod javac;
mod jdk;
pub mod junit;
mod jvm;
mod open;
mod ordered;
mod outcome;
mod program;
mod replay;
mod subject;
mod threads;

#[path = "../../../runtimes/java/src/wire.rs"]
#[allow(dead_code, reason = "each side uses its part")]
mod wire;

pub use api::write_api;
pub use blocks::{BlockPath, Followed, PathDigest};
pub use choose::{ChooseError, Testable, choose, choose_near, testable};
pub use confirm::{Confirmer, Repeated, Returned, agrees};
pub use inputs::planted::{PlantError, Planted, Planter};
pub use inputs::recipe::Recipe;
pub use inputs::shown::shown;
pub use inputs::variable::{Key, Registry, Variable, Variables};
pub use javac::javac;
pub use jdk::{Jdk, JdkError};
pub use jvm::Options;
pub use open::{OpenError, Opened};
pub use ordered::{Again, Ordered, Rerun};
pub use program::{Checks, CodeLine, Place, Program, ProgramError, Wanted};
pub use subject::JavaSubject;
pub use threads::held::Held;
