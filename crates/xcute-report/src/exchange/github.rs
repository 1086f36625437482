//! Annotations of GitHub's workflows: `::error file=a.c,line=3::…`, one line each.
//!
//! **Invariant.** A line begins with a command of ours only: what programs say is escaped, so that it cannot be one.

use std::fmt::Write as _;

use super::{Campaign, Exchange, brief};
use crate::summary::Failure;

/// The annotations.
#[must_use]
pub fn render(exchange: &Exchange<'_>) -> String {
    let mut text = String::new();
    for campaign in exchange.campaigns {
        for (failure, why) in campaign.failures() {
            text += &annotation(exchange, campaign, failure, why);
        }
        text += &incomplete(campaign);
    }
    text
}

fn annotation(exchange: &Exchange<'_>, campaign: &Campaign, failure: &Failure, why: Option<&str>) -> String {
    let command = match why {
        None => "error",
        Some(_) if exchange.ignore_unconfirmed => "notice",
        Some(_) => "warning",
    };
    let mut properties = Vec::new();
    if !failure.file.is_empty() {
        properties.push(("file", exchange.project.path(&campaign.origin, &failure.file)));
    }
    properties.extend((failure.line > 0).then(|| ("line", failure.line.to_string())));
    properties.extend((failure.column > 0).then(|| ("col", failure.column.to_string())));
    properties.push(("title", format!("{} in {}", failure.kind.name(), campaign.report.summary.subject)));
    let message = format!("{}\nreplay: {}", brief::failure(campaign, failure, why), failure.replay);
    line(command, &properties, &message)
}

/// Says that a search is not complete, and why.
fn incomplete(campaign: &Campaign) -> String {
    let summary = &campaign.report.summary;
    if summary.complete {
        return String::new();
    }
    let mut message = brief::verdict(summary);
    for limit in brief::cut(summary) {
        // Writing to a string cannot fail.
        let _ = write!(message, "\n{}", brief::limit(limit));
    }
    line("notice", &[("title", format!("{} is not complete", summary.subject))], &message)
}

fn line(command: &str, properties: &[(&str, String)], message: &str) -> String {
    let properties: Vec<String> = properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    format!("::{command} {}::{}\n", properties.join(","), data(message))
}

/// A message as GitHub demands it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as GitHub demands it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line_or_a_property_early() {
        let said = line("error", &[("file", "a,b:c.c".to_owned()), ("line", "3".to_owned())], "100 %\r\n::stop-commands::x");
        assert_eq!(said, "::error file=a%2Cb%3Ac.c,line=3::100 %25%0D%0A::stop-commands::x\n");
    }
}
