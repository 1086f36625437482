//! Coverage and paths over time as curves.
//!
//! **Invariant.** It needs no script and no colour of its own: text and background are those of the page, dark or light.

use maud::{Markup, html};

use crate::summary::Summary;

/// The curve's size, without its labels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 120.0;
/// Room for labels, on the left and below.
const LEFT: f64 = 56.0;
const BELOW: f64 = 20.0;

/// Paths over time, up to all of them; empty where they were not counted.
fn paths(summary: &Summary, x: impl Fn(f64) -> f64, end: f64) -> String {
    if summary.paths == 0 || summary.timeline.iter().all(|moment| moment.paths == 0) {
        return String::new();
    }
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let y = |paths: u64| HEIGHT - HEIGHT * paths as f64 / summary.paths as f64 + 4.0;
    let moments = summary.timeline.iter().map(|moment| (moment.seconds, moment.paths.min(summary.paths)));
    let all = [(0.0, 0)].into_iter().chain(moments).chain([(end, summary.paths)]);
    all.map(|(seconds, paths)| format!("{:.1},{:.1}", x(seconds), y(paths))).collect::<Vec<_>>().join(" ")
}

/// Draws the curves; nothing where there is none.
pub(super) fn curve(summary: &Summary) -> Markup {
    let Some(last) = summary.timeline.last() else { return Markup::default() };
    let (end, all) = (summary.seconds.total.max(last.seconds).max(1e-3), summary.coverage.branches.total.max(last.branches).max(1));
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let y = |branches: u64| HEIGHT - HEIGHT * branches as f64 / all as f64 + 4.0;
    let x = |seconds: f64| LEFT + WIDTH * seconds / end;
    let mut points = format!("{:.1},{:.1}", x(0.0), y(0));
    let mut before = 0;
    for moment in &summary.timeline {
        points += &format!(" {:.1},{:.1} {:.1},{:.1}", x(moment.seconds), y(before), x(moment.seconds), y(moment.branches));
        before = moment.branches;
    }
    points += &format!(" {:.1},{:.1}", x(end), y(before));
    let paths = paths(summary, x, end);
    let (width, height) = (LEFT + WIDTH + 110.0, HEIGHT + BELOW + 8.0);
    html! {
        h3 { "Coverage and paths over time" } "\n"
        p { "The last new branch was covered after " (format!("{:.2}", last.seconds)) " s, in run " (last.runs) "." } "\n"
        svg class="timeline" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="Branches covered over time" { "\n"
            line x1=(LEFT) y1=(y(0)) x2=(LEFT + WIDTH) y2=(y(0)) {} line x1=(LEFT) y1=(y(all)) x2=(LEFT + WIDTH) y2=(y(all)) class="all" {} "\n"
            text x=(LEFT - 6.0) y=(y(all) + 8.0) text-anchor="end" { (all) } text x=(LEFT - 6.0) y=(y(0)) text-anchor="end" { "0" } "\n"
            text x=(LEFT) y=(y(0) + 16.0) { "0 s" } text x=(LEFT + WIDTH) y=(y(0) + 16.0) text-anchor="end" { (format!("{end:.1} s")) } "\n"
            polyline points=(points) { title { "branches" } } "\n"
            @if !paths.is_empty() { polyline class="runs" points=(paths) { title { "paths" } } text x=(LEFT + WIDTH + 4.0) y=(y(all) + 8.0) { (summary.paths) " paths" } "\n" }
        } "\n"
    }
}
