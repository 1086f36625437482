//! SARIF 2.1.0 (OASIS): the failures for code scanners and editors.
//!
//! One run of the tool, with an invocation for each campaign: services that read SARIF refuse several runs of one tool. A failure is a result, its kind a rule.
//!
//! **Invariant.** A confirmed failure is an error and an unconfirmed one a warning. What keeps a search from being complete is a notification of its invocation.

use serde_json::{Value, json};

use super::flow::{BASE, Places, plain};
use super::{Campaign, Exchange, Rule, brief, fingerprint, rules};
use crate::fold;
use crate::report::InputValue;
use crate::summary::Failure;

/// Where the format is defined.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The document.
#[must_use]
pub fn render(exchange: &Exchange<'_>) -> String {
    let rules = rules::needed(exchange);
    let mut prints = fingerprint::all(exchange.campaigns, exchange.project).into_iter();
    let mut results = Vec::new();
    for (nth, campaign) in exchange.campaigns.iter().enumerate() {
        let places = Places { campaign, project: exchange.project };
        for (failure, why) in campaign.failures() {
            let mut result = result(places, failure, why, exchange.ignore_unconfirmed);
            result["ruleIndex"] = json!(rules.keys().position(|name| *name == failure.kind.name()));
            result["partialFingerprints"] = json!({ "xcuteFailure/v1": prints.next() });
            result["provenance"] = json!({ "invocationIndex": nth });
            results.push(result);
        }
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "xcute",
                "version": exchange.version,
                "semanticVersion": exchange.version,
                "rules": rules.values().map(explained).collect::<Vec<_>>(),
            } },
            "originalUriBaseIds": { BASE: { "uri": exchange.project.address() } },
            "invocations": exchange.campaigns.iter().map(invocation).collect::<Vec<_>>(),
            "results": results,
        }],
    });
    // Text, numbers and lists can always be written.
    format!("{log:#}\n")
}

fn explained(rule: &Rule) -> Value {
    let name = rule.kind.name();
    let (about, help) = (rule.about, rule.help);
    json!({
        "id": name,
        "name": camel(name),
        "shortDescription": { "text": about },
        "fullDescription": { "text": format!("{about} xcute found an input that leads here.") },
        "help": { "text": format!("{help} The properties of each result have the input and the command that repeats it.") },
        "defaultConfiguration": { "level": "error" },
    })
}

/// `division-by-zero` as `DivisionByZero`.
fn camel(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn invocation(campaign: &Campaign) -> Value {
    let summary = &campaign.report.summary;
    let cut = brief::cut(summary).map(|limit| notification(&limit.kind, &brief::limit(limit)));
    let verdict = (!summary.complete).then(|| notification("not-complete", &brief::verdict(summary)));
    let line = campaign.arguments.iter().map(String::as_str);
    json!({
        "executionSuccessful": !matches!(summary.stop.as_str(), "unwritten" | "subject"),
        "exitCode": campaign.exit,
        "exitCodeDescription": brief::verdict(summary),
        "commandLine": std::iter::once("xcute").chain(line).collect::<Vec<_>>().join(" "),
        "arguments": campaign.arguments,
        "workingDirectory": { "uri": super::Project { root: campaign.origin.clone() }.address() },
        "toolExecutionNotifications": verdict.into_iter().chain(cut).collect::<Vec<_>>(),
        "properties": {
            "language": summary.language,
            "subject": summary.subject,
            "complete": summary.complete,
            "stop": summary.stop,
            "bounds": summary.bounds.iter().map(|bound| bound.text.as_str()).collect::<Vec<_>>(),
            "paths": summary.paths,
            "runs": summary.runs,
            "seconds": summary.seconds.total,
            "seed": summary.seed,
            "results": campaign.directory,
        },
    })
}

fn notification(what: &str, text: &str) -> Value {
    json!({ "descriptor": { "id": what }, "level": "note", "message": { "text": plain(text) } })
}

fn result(places: Places<'_>, failure: &Failure, why: Option<&str>, ignored: bool) -> Value {
    let (campaign, confirmed) = (places.campaign, why.is_none());
    let level = match (confirmed, ignored) {
        (true, _) => "error",
        (false, false) => "warning",
        (false, true) => "note",
    };
    let at = failure.stack.first().cloned().unwrap_or_default();
    let mut result = json!({
        "ruleId": failure.kind.name(),
        "level": level,
        "message": { "text": plain(&brief::failure(campaign, failure, why)) },
        "locations": [places.location(&at, None)],
        "properties": properties(campaign, failure, why),
    });
    if failure.stack.is_empty() {
        result["locations"] = json!([{ "logicalLocations": [{ "fullyQualifiedName": campaign.report.summary.subject }] }]);
    } else {
        result["stacks"] = json!([places.stack(failure)]);
    }
    if !failure.notes.is_empty() {
        let notes = failure.notes.iter().map(|note| places.location(&note.at, Some(&note.what)));
        result["relatedLocations"] = notes.collect();
    }
    if let Some(flow) = places.flow(failure) {
        result["codeFlows"] = json!([flow]);
    }
    result
}

fn properties(campaign: &Campaign, failure: &Failure, why: Option<&str>) -> Value {
    let mut rest = fold::folded(campaign.inputs(failure));
    let shown: Vec<Value> = rest.by_ref().take(brief::SHOWN).map(|input| named(&input)).collect();
    let more = rest.count();
    let mut properties = json!({
        "id": failure.id,
        "subject": campaign.report.summary.subject,
        "confirmed": why.is_none(),
        "input": shown,
        "case": failure.case,
        "replay": failure.replay,
    });
    if more > 0 {
        properties["inputLeftOut"] = json!(more);
    }
    if let Some(why) = why {
        properties["notConfirmed"] = json!(why);
    }
    properties
}

fn named(input: &InputValue) -> Value {
    json!({ "name": input.name, "value": input.value })
}
