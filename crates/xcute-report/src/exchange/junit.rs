//! JUnit's XML, as Jenkins and most services read it: a suite for each campaign, a test case for each case.
//!
//! **Invariant.** A failure is a test case that failed; one that could not be confirmed is an error, or skipped where it is to be ignored. The cases that passed are
//! those that the campaign kept.

use maud::{Markup, html};
use xcute_markup::xml;
use xcute_trace::covered;

use super::{Campaign, Exchange, brief};
use crate::fold;
use crate::report::InputValue;
use crate::summary::{Failure, Summary};

/// The document.
#[must_use]
pub fn render(exchange: &Exchange<'_>) -> String {
    let ignored = exchange.ignore_unconfirmed;
    let sum = |count: &dyn Fn(&Campaign) -> usize| exchange.campaigns.iter().map(count).sum::<usize>();
    let seconds: f64 = exchange.campaigns.iter().map(|campaign| campaign.report.summary.seconds.total).sum();
    xml(html! {
        testsuites name="xcute" tests=(sum(&tests)) failures=(sum(&failed)) errors=(sum(&|of| open(of, ignored).0)) time=(time(seconds)) {
            @for campaign in exchange.campaigns { (suite(campaign, ignored)) }
        }
    }) + "\n"
}

fn failed(campaign: &Campaign) -> usize {
    campaign.report.summary.failures.len()
}

/// How many unconfirmed failures are errors, and how many are skipped.
fn open(campaign: &Campaign, ignored: bool) -> (usize, usize) {
    let open = campaign.report.summary.unconfirmed.len();
    if ignored { (0, open) } else { (open, 0) }
}

fn tests(campaign: &Campaign) -> usize {
    campaign.failures().count() + campaign.cases.len()
}

fn time(seconds: f64) -> String {
    format!("{seconds:.3}")
}

fn suite(campaign: &Campaign, ignored: bool) -> Markup {
    let summary = &campaign.report.summary;
    let (errors, skipped) = open(campaign, ignored);
    let class = format!("{}.{}", summary.language, summary.subject);
    html! {
        testsuite name=(summary.subject) tests=(tests(campaign)) failures=(failed(campaign)) errors=(errors) skipped=(skipped)
            time=(time(summary.seconds.total)) {
            properties {
                @for (name, value) in properties(campaign) { property name=(name) value=(value) {} }
            }
            @for (failure, why) in campaign.failures() {
                testcase name=(title(failure)) classname=(class) { (broken(campaign, failure, why, ignored)) }
            }
            @for case in &campaign.cases {
                testcase name=(format!("case {}", case.name)) classname=(class) {
                    @if !case.inputs.is_empty() { system-out { (listed(&case.inputs)) } }
                }
            }
        }
    }
}

/// What a campaign is, and what keeps it from being complete.
fn properties(campaign: &Campaign) -> Vec<(String, String)> {
    let summary = &campaign.report.summary;
    let named = |name: &str, value: String| (name.to_owned(), value);
    let mut properties = vec![
        named("language", summary.language.clone()),
        named("complete", summary.complete.to_string()),
        named("verdict", brief::verdict(summary)),
        named("stop", summary.stop.clone()),
        named("command", format!("xcute {}", campaign.arguments.join(" "))),
        named("results", campaign.directory.clone()),
    ];
    properties.extend(bounds(summary));
    properties.extend(brief::cut(summary).map(|limit| named("cut", brief::limit(limit))));
    properties
}

fn bounds(summary: &Summary) -> Option<(String, String)> {
    let text = covered(&summary.bounds);
    (!text.is_empty()).then(|| ("bounds".to_owned(), text.trim_start_matches(" for ").to_owned()))
}

fn title(failure: &Failure) -> String {
    let place = if failure.file.is_empty() { String::new() } else { format!(" at {}:{}", failure.file, failure.line) };
    format!("{} {}{place}", failure.id, failure.kind.name())
}

fn broken(campaign: &Campaign, failure: &Failure, why: Option<&str>, ignored: bool) -> Markup {
    let (kind, message, text) = (failure.kind.name(), brief::failure(campaign, failure, why), details(campaign, failure));
    match (why, ignored) {
        (None, _) => html! { failure type=(kind) message=(message) { (text) } },
        (Some(_), false) => html! { error type=(kind) message=(message) { (text) } },
        (Some(_), true) => html! { skipped type=(kind) message=(message) { (text) } },
    }
}

/// Stack, notes, input and the command that repeats it.
fn details(campaign: &Campaign, failure: &Failure) -> String {
    let mut text = format!("{}: {}\n", failure.kind.name(), failure.message);
    for frame in failure.stack.iter().filter(|frame| !frame.file.is_empty()) {
        text += &format!("  at {} ({}:{})\n", frame.function, frame.file, frame.line);
    }
    for note in &failure.notes {
        let place = if note.at.file.is_empty() { String::new() } else { format!(" at {}:{}", note.at.file, note.at.line) };
        text += &format!("  {}{place}\n", note.what);
    }
    for step in &failure.interleaving {
        text += &format!("  thread {} {} ({}:{})\n", step.task, step.what, step.at.file, step.at.line);
    }
    let inputs = campaign.inputs(failure);
    if !inputs.is_empty() {
        text += &format!("with\n{}", listed(inputs));
    }
    text + &format!("replay: {}\n", failure.replay)
}

fn listed(inputs: &[InputValue]) -> String {
    let mut rest = fold::folded(inputs);
    let mut text: String = rest.by_ref().take(brief::SHOWN).map(|input| format!("  {}\n", brief::assigned(&input))).collect();
    let more = rest.count();
    if more > 0 {
        text += &format!("  and {more} more\n");
    }
    text
}
