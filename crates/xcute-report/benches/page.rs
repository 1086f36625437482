//! `./x bench page`: how long a browser takes to show large pages: a tree of 100,000 decisions, and 50,000 lines of source.
//!
//! The time is the page's own: from the beginning of its loading to the end of its scripts, its layout included.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that cannot go on panics, and prints")]

#[path = "page/large.rs"]
mod large;

use large::{GOAL, both, loaded, source, tree};
use xcute_report::html;

fn main() {
    let pages = [("100,000 decisions", tree(100_000)), ("50,000 lines", source(50_000)), ("both", both())];
    for (what, report) in pages {
        let start = std::time::Instant::now();
        let page = html::render(&report);
        let (made, size) = (start.elapsed(), page.len());
        let mut times: Vec<f64> = (0..5).map(|_| loaded(&page)).collect();
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        let said = if median <= GOAL { "" } else { ": more than the goal of 2,000 ms" };
        println!("{what:<18} {:>6.1} MB, made in {:>4} ms, shown after {median:>5.0} ms{said}", size as f64 / 1e6, made.as_millis());
    }
}
