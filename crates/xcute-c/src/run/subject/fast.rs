//! Code that is ready soon, until runs turn out to be long: then the program is compiled again, so that it runs fast.
//!
//! Most searches are over before an optimiser is. What counts is steps (loop turns and calls), not time: the same search changes over at the same run. Of
//! programs whose runs are short, code is a small part of a run's cost, and they stay as they are.
//!
//! **Invariant.** Both executables make the same decisions for the same inputs. Addresses differ: nothing that a search knows of one may reach the other but
//! inputs, and programs whose inputs hold addresses (of functions) or that create threads are left alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::threads::Threads;
use super::{CSubject, among};
use crate::build::compile::compile_fast;
use crate::instrument::compiled::Compiled;
use crate::tools::toolchain::Toolchain;
use crate::types::inputs::{TypeTable, XC_TY_FUNCTION};

/// Steps from which on optimising any program pays. A step of quick code costs some 30 ns more; compiling, linking, and repeating the runs so far cost a tenth of a second at least.
const STEPS: u64 = 3_000_000;
/// The same for each instruction of the program: optimising one with its hooks takes some hundred microseconds.
const STEPS_EACH: u64 = 5_000;

/// How long the subjects of a program stay patient with its code.
#[derive(Debug)]
pub struct Patience {
    steps: AtomicU64,
    most: u64,
    over: AtomicBool,
}

impl Patience {
    pub(super) fn with(compiled: &Compiled, types: &TypeTable) -> Arc<Patience> {
        let addresses = types.types.iter().any(|of| of.kind == XC_TY_FUNCTION);
        let never = compiled.threads || addresses || compiled.made_of.is_none();
        let most = if never { u64::MAX } else { STEPS + STEPS_EACH * compiled.instructions as u64 };
        Arc::new(Patience { steps: AtomicU64::new(0), most, over: AtomicBool::new(false) })
    }

    /// A run made this many steps.
    pub(super) fn spend(&self, steps: u64) {
        if self.ends() {
            self.steps.fetch_add(steps, Ordering::Relaxed);
        }
    }

    /// Whether it ever ends.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.most < u64::MAX
    }

    /// Whether faster code would pay, and was not asked for yet.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.most && !self.over.load(Ordering::Relaxed)
    }
}

impl CSubject {
    /// What says whether [`CSubject::speed_up`] would pay.
    #[must_use]
    pub fn patience(&self) -> Arc<Patience> {
        Arc::clone(&self.patience)
    }

    /// Replaces subjects of one program by others with the same variables, which have run nothing, and are faster. Where that cannot be done they stay; it is not asked for again.
    pub fn speed_up(subjects: &mut [CSubject]) {
        let Some(first) = subjects.first() else { return };
        first.patience.over.store(true, Ordering::Relaxed);
        let Ok(fast) = Toolchain::find().map_err(|_| ()).and_then(|tools| compile_fast(&tools, &first.compiled).map_err(|_| ())) else {
            return;
        };
        if fast.sites != first.compiled.sites || fast.coverage != first.compiled.coverage || fast.input_keys != first.compiled.input_keys {
            return;
        }
        let fast = Arc::new(fast);
        let replaced: Option<Vec<CSubject>> = subjects.iter().map(|subject| subject.on(&fast)).collect();
        for (subject, faster) in subjects.iter_mut().zip(replaced.unwrap_or_default()) {
            *subject = faster;
        }
        among(subjects);
    }

    /// Another subject, of the same program in another executable.
    fn on(&self, compiled: &Arc<Compiled>) -> Option<CSubject> {
        let variables = self.known.shared.clone();
        let other = CSubject::with(Arc::clone(compiled), self.types.clone(), self.worker.options().clone(), variables, Threads::new());
        let mut other = other.ok()?;
        let names = self.places.borrow().names.of_executable(other.worker.exe());
        other.places.get_mut().names = names;
        other.vocabulary.clone_from(&self.vocabulary);
        (other.followed, other.patience) = (Arc::clone(&self.followed), Arc::clone(&self.patience));
        Some(other)
    }
}
