//! Progress on stderr: one line that is rewritten where someone can see it, and a plain line now and then where nobody can.
//!
//! **Invariant.** The line is drawn ten times a second by a thread of its own, whatever the program, the compiler or a solver does meanwhile.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use xcute_engine::Figures;

use crate::plan::Drawn;
use crate::talk;

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(100);
/// How often there is a plain line.
const SELDOM: Duration = Duration::from_secs(30);
/// The rate is that of about so long.
const LATELY: Duration = Duration::from_secs(2);

/// What is known of a campaign while it runs.
pub struct Progress {
    drawn: Drawn,
    line: Option<ProgressBar>,
    subject: String,
    next: Duration,
    lately: Lately,
}

impl Progress {
    /// For the subject of this name, drawn in this way.
    pub fn new(drawn: Drawn, subject: &str) -> Progress {
        let line = (drawn == Drawn::Line).then(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {elapsed} {wide_msg}") {
                line.set_style(style);
            }
            line.set_prefix(subject.to_owned());
            line.set_message("no run yet");
            line.enable_steady_tick(PERIOD);
            talk::make_room_for(Some(line.clone()));
            line
        });
        Progress { drawn, line, subject: subject.to_owned(), next: Duration::ZERO, lately: Lately::default() }
    }

    /// The same for a search that may take so long.
    #[must_use]
    pub fn within(mut self, budget: Option<Duration>) -> Progress {
        self.lately.budget = budget;
        self
    }

    /// While faster code is made of a program.
    pub fn building(drawn: Drawn, subject: &str) -> Progress {
        let progress = Progress::new(drawn, subject);
        progress.say("building the program again, so that it runs faster");
        progress
    }

    /// While a program is made ready.
    pub fn preparing(drawn: Drawn) -> Progress {
        let progress = Progress::new(drawn, "xcute");
        progress.say("building the program");
        progress
    }

    /// Shows what is done.
    pub fn say(&self, what: &str) {
        self.line.iter().for_each(|line| line.set_message(what.to_owned()));
    }

    /// Shows the figures, now and then.
    pub fn show(&mut self, elapsed: Duration, figures: &Figures) {
        if self.drawn == Drawn::Nothing {
            return;
        }
        self.lately.note(elapsed, figures.runs(), figures.branches().0);
        if elapsed < self.next {
            return;
        }
        let (period, first) = (if self.line.is_some() { PERIOD } else { SELDOM }, self.next.is_zero());
        self.next = elapsed + period;
        match &self.line {
            Some(line) => line.set_message(self.lately.text(elapsed, figures)),
            // Short campaigns need no line.
            None if first => {}
            None => talk::say(&format!("{}: {} s {}", self.subject, elapsed.as_secs(), self.lately.text(elapsed, figures))),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            talk::make_room_for(None);
            line.finish_and_clear();
        }
    }
}

/// How it went lately.
#[derive(Default)]
struct Lately {
    budget: Option<Duration>,
    /// When a branch was covered for the first time, the last of them.
    new_branch: Option<Duration>,
    branches: u64,
    /// When the rate was taken, and the number of runs then.
    since: (Duration, u64),
    rate: Option<f64>,
}

impl Lately {
    fn note(&mut self, elapsed: Duration, runs: u64, branches: u64) {
        if branches > self.branches {
            (self.branches, self.new_branch) = (branches, Some(elapsed));
        }
        let (then, before) = self.since;
        if elapsed.saturating_sub(then) >= LATELY {
            #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
            let rate = (runs.saturating_sub(before)) as f64 / (elapsed - then).as_secs_f64();
            (self.rate, self.since) = (Some(rate), (elapsed, runs));
        }
    }

    fn text(&self, elapsed: Duration, figures: &Figures) -> String {
        let failures = match figures.failures() {
            0 => "no failure".to_owned(),
            1 => "1 failure".to_owned(),
            many => format!("{many} failures"),
        };
        let budget = self.budget.map_or_else(String::new, |budget| format!("of {} s, ", budget.as_secs_f64()));
        let rate = self.rate.map_or_else(String::new, |rate| format!(" ({rate:.0}/s)"));
        let (covered, total) = figures.branches();
        let ago = self.new_branch.map(|then| elapsed.saturating_sub(then).as_secs());
        let ago = ago.filter(|ago| *ago > 0).map_or_else(String::new, |ago| format!(" (the last {ago} s ago)"));
        let (paths, runs, open) = (figures.paths(), figures.runs(), figures.open());
        format!("{budget}{failures}, {paths} paths in {runs} runs{rate}, branches {covered}/{total}{ago}, open arms {open}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_new_branches_are_those_of_late() {
        let (figures, mut lately) = (Figures::default(), Lately { budget: Some(Duration::from_secs(60)), ..Lately::default() });
        lately.note(Duration::from_secs(1), 10, 3);
        let text = lately.text(Duration::from_secs(1), &figures);
        assert_eq!(text, "of 60 s, no failure, 0 paths in 0 runs, branches 0/0, open arms 0");
        lately.note(Duration::from_secs(4), 200, 3);
        let text = lately.text(Duration::from_secs(9), &figures);
        assert_eq!(text, "of 60 s, no failure, 0 paths in 0 runs (50/s), branches 0/0 (the last 8 s ago), open arms 0");
    }
}
