//! Where the time of a command went.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::shell;

/// Measures the steps of a command.
pub struct Stopwatch {
    steps: Vec<(&'static str, Duration)>,
}

impl Stopwatch {
    /// Nothing was done yet.
    pub fn new() -> Stopwatch {
        Stopwatch { steps: Vec::new() }
    }

    /// Announces a step and does it.
    pub fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        shell::say(&format!("x: {name}"));
        let begun = Instant::now();
        let result = work();
        self.steps.push((name, begun.elapsed()));
        result
    }

    /// "tidy 0.4 s, clippy 61.2 s".
    pub fn summary(&self) -> String {
        self.steps.iter().map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64())).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_steps_count_too() {
        let mut watch = Stopwatch::new();
        watch.step("one", || Ok(())).unwrap();
        assert!(watch.step("two", || anyhow::bail!("no")).is_err());
        assert_eq!(watch.summary(), "one 0.0 s, two 0.0 s");
    }
}
