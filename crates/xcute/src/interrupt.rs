//! Ctrl-C, SIGTERM, and a terminal that is closed: the first ends the campaigns of this process and leaves their results; the second ends the process.
//!
//! **Invariant.** There is one flag for the whole process: a signal that came once is never forgotten.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the user asked for an end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

static LISTENING: OnceLock<Interrupt> = OnceLock::new();

impl Interrupt {
    /// Listens from now on, if nobody does yet.
    pub fn listen() -> Interrupt {
        if let Some(interrupt) = LISTENING.get() {
            return interrupt.clone();
        }
        let interrupt = LISTENING.get_or_init(Interrupt::default).clone();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // The order matters: the flag is still down when the first signal passes the conditional shutdown.
            flag::register_conditional_shutdown(signal, 2, Arc::clone(&interrupt.0)).expect("these signals can be handled");
            flag::register(signal, Arc::clone(&interrupt.0)).expect("these signals can be handled");
        }
        interrupt
    }

    /// Whether a signal came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
