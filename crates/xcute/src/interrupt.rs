//! Ctrl-C, SIGTERM, and a terminal that is closed: the first ends the campaign and leaves its results; the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the user asked for an end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // The order matters: the flag is still down when the first signal passes the conditional shutdown.
            flag::register_conditional_shutdown(signal, 2, Arc::clone(&interrupt.0)).context("cannot listen for Ctrl-C")?;
            flag::register(signal, Arc::clone(&interrupt.0)).context("cannot listen for Ctrl-C")?;
        }
        Ok(interrupt)
    }

    /// Whether a signal came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
