//! The progress line on stderr; drawn only where someone can see it.
//!
//! **Invariant.** It is drawn ten times a second by a thread of its own, whatever the program, the compiler or a solver does meanwhile.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use xcute_engine::Figures;

use crate::talk;

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(100);

/// One line that is rewritten while a campaign runs, and gone when it ends.
pub struct Progress {
    line: Option<ProgressBar>,
    next: Duration,
}

impl Progress {
    /// A line for the subject of this name; invisible unless `visible`.
    pub fn new(visible: bool, subject: &str) -> Progress {
        let line = visible.then(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {elapsed}, {wide_msg}") {
                line.set_style(style);
            }
            line.set_prefix(subject.to_owned());
            line.set_message("no run yet");
            line.enable_steady_tick(PERIOD);
            talk::make_room_for(Some(line.clone()));
            line
        });
        Progress { line, next: PERIOD }
    }

    /// A line while a program is made ready.
    pub fn preparing(visible: bool) -> Progress {
        let progress = Progress::new(visible, "xcute");
        progress.say("preparing the program");
        progress
    }

    /// Shows what is done.
    pub fn say(&self, what: &str) {
        self.line.iter().for_each(|line| line.set_message(what.to_owned()));
    }

    /// Shows the figures, at most ten times a second.
    pub fn show(&mut self, elapsed: Duration, figures: &Figures) {
        let Some(line) = &self.line else { return };
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + PERIOD;
        line.set_message(text(figures));
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

fn text(figures: &Figures) -> String {
    let failures = match figures.failures() {
        0 => "no failure".to_owned(),
        1 => "1 failure".to_owned(),
        many => format!("{many} failures"),
    };
    let (covered, total) = figures.branches();
    format!("{failures}, {} paths in {} runs, branches {covered}/{total}, open arms {}", figures.paths(), figures.runs(), figures.open())
}
