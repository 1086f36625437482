//! Places of SARIF, and how a run came to a failure: by calls, or by the steps of several threads.

use serde_json::{Value, json};
use xcute_trace::{Frame, Happening};

use super::{Campaign, Project, project};
use crate::summary::Failure;

/// Where a campaign's paths begin, and what they are relative to.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) campaign: &'a Campaign,
    pub(super) project: &'a Project,
}

impl Places<'_> {
    /// A place as a location, with what happens there.
    pub(super) fn location(self, at: &Frame, what: Option<&str>) -> Value {
        let mut location = json!({});
        if !at.file.is_empty() {
            location["physicalLocation"] = self.physical(at);
        }
        if !at.function.is_empty() {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": at.function, "kind": "function" }]);
        }
        if let Some(what) = what {
            location["message"] = json!({ "text": plain(what) });
        }
        location
    }

    fn physical(self, at: &Frame) -> Value {
        let path = self.project.path(&self.campaign.origin, &at.file);
        let mut artifact = json!({ "uri": project::address(&path) });
        if !path.starts_with('/') {
            artifact["uriBaseId"] = json!(BASE);
        }
        let mut physical = json!({ "artifactLocation": artifact });
        if at.line > 0 {
            physical["region"] = json!({ "startLine": at.line });
            if at.column > 0 {
                physical["region"]["startColumn"] = json!(at.column);
            }
        }
        physical
    }

    /// The stack, innermost first.
    pub(super) fn stack(self, failure: &Failure) -> Value {
        let frames: Vec<Value> = failure.stack.iter().map(|frame| json!({ "location": self.location(frame, None) })).collect();
        json!({ "frames": frames })
    }

    /// The way to the failure; `None` where there is nothing to follow.
    pub(super) fn flow(self, failure: &Failure) -> Option<Value> {
        if !failure.interleaving.is_empty() {
            return Some(
                json!({ "message": { "text": "What the threads did, in this order." }, "threadFlows": self.threads(&failure.interleaving) }),
            );
        }
        let (last, calls) = failure.stack.split_first().filter(|(_, calls)| !calls.is_empty())?;
        let call = |frame: &Frame| json!({ "location": self.location(frame, Some(&format!("{} calls", frame.function))), "importance": "important" });
        let mut locations: Vec<Value> = calls.iter().rev().map(call).collect();
        locations.push(json!({ "location": self.location(last, Some("fails here")), "importance": "essential" }));
        Some(json!({ "message": { "text": "The calls that lead to the failure." }, "threadFlows": [{ "locations": locations }] }))
    }

    /// The steps of each thread, with their places in the order of all.
    fn threads(self, steps: &[Happening]) -> Vec<Value> {
        let mut tasks: Vec<&str> = Vec::new();
        for step in steps {
            if !tasks.contains(&step.task.as_str()) {
                tasks.push(&step.task);
            }
        }
        let of = |task: &&str| {
            let own = steps.iter().enumerate().filter(|(_, step)| step.task == **task);
            let step = |(at, step): (usize, &Happening)| {
                json!({
                    "location": self.location(&step.at, Some(&format!("thread {task} {}", step.what))),
                    "executionOrder": at + 1,
                    "importance": if step.marked { "essential" } else { "important" },
                })
            };
            json!({ "id": format!("thread {task}"), "locations": own.map(step).collect::<Vec<_>>() })
        };
        tasks.iter().map(of).collect()
    }
}

/// How paths name the project.
pub(super) const BASE: &str = "%SRCROOT%";

/// A text in which nothing looks like a placeholder (`{0}`) or a link (`[text](target)`) of SARIF.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = rest
            .get(1..)
            .unwrap_or_default()
            .split_once('}')
            .filter(|(inner, _)| c == '{' && !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()));
        if let Some((inner, after)) = digits {
            out += &format!("{{{{{inner}}}}}");
            rest = after;
            continue;
        }
        if c == '[' && rest.find("](").is_some_and(|at| !rest[1..at].contains(['[', ']'])) {
            out.push('\\');
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_looks_like_a_placeholder_or_a_link() {
        assert_eq!(plain("f({rect,0,{1}}) ä {12}"), "f({rect,0,{{1}}}) ä {{12}}");
        assert_eq!(plain("a[3] = [x](y) {} {"), "a[3] = \\[x](y) {} {");
    }
}
