//! Failures, inputs and limits in one line each.

use xcute_trace::Limit as TraceLimit;

use super::Campaign;
use crate::fold;
use crate::report::InputValue;
use crate::style::Style;
use crate::summary::{Failure, Limit, Summary};
use crate::terminal;

/// This many inputs of a failure are written; the case file has all of them.
pub(super) const SHOWN: usize = 64;

/// A line of inputs has at most this many of them.
const ON_A_LINE: usize = 8;

/// The input, as `x = 7, p->next = NULL`; empty where there is none.
pub(super) fn input(inputs: &[InputValue]) -> String {
    let mut rest = fold::folded(inputs);
    let mut words: Vec<String> = rest.by_ref().take(ON_A_LINE).map(|input| assigned(&input)).collect();
    let more = rest.count();
    if more > 0 {
        words.push(format!("and {more} more"));
    }
    words.join(", ")
}

/// One input, as `x = 7`.
pub(super) fn assigned(input: &InputValue) -> String {
    if input.name.is_empty() { input.value.clone() } else { format!("{} = {}", input.name, input.value) }
}

/// What failed, and with which input.
pub(super) fn failure(campaign: &Campaign, failure: &Failure, why: Option<&str>) -> String {
    let input = input(campaign.inputs(failure));
    let with = if input.is_empty() { String::new() } else { format!(", with {input}") };
    let doubt = why.map_or_else(String::new, |why| format!(" (not confirmed: {why})"));
    format!("{}{with}{doubt}", failure.message)
}

/// The verdict, as the summary begins.
pub(super) fn verdict(summary: &Summary) -> String {
    terminal::verdict(summary, Style::PLAIN)
}

/// What kept a search from being complete.
pub(super) fn cut(summary: &Summary) -> impl Iterator<Item = &Limit> {
    summary.limits.iter().filter(|limit| limit.incomplete && limit.kind != TraceLimit::NO_INPUT)
}

/// A limit in words.
pub(super) fn limit(limit: &Limit) -> String {
    format!("{}: {} ({})", limit.kind, limit.what, terminal::times(limit.count))
}
