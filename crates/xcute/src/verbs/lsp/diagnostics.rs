//! Remarks in the words of the protocol, and what can be done about them.

use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, NumberOrString,
};
use serde_json::{Value, json};
use xcute_report::exchange::{Level, Remark};

use super::documents::{Documents, range};

/// Asks the server to show a file.
pub const OPEN: &str = "xcute.open";
/// Asks the client to copy a text.
pub const COPY: &str = "xcute.copy";

/// A remark on a text.
pub fn diagnostic(remark: &Remark, text: &str, documents: &Documents) -> Diagnostic {
    let (severity, tags) = match remark.level {
        Level::Error => (DiagnosticSeverity::ERROR, None),
        Level::Warning => (DiagnosticSeverity::WARNING, None),
        Level::Note => (DiagnosticSeverity::INFORMATION, None),
        Level::Missed => (DiagnosticSeverity::HINT, None),
        Level::Unreachable => (DiagnosticSeverity::HINT, Some(vec![DiagnosticTag::UNNECESSARY])),
    };
    let related: Vec<DiagnosticRelatedInformation> = remark
        .related
        .iter()
        .filter_map(|(at, message)| {
            let file = Path::new(&at.file);
            let range = range(&documents.text(file)?, at.line, at.column);
            Some(DiagnosticRelatedInformation { location: Location { uri: documents.uri(file)?, range }, message: message.clone() })
        })
        .collect();
    Diagnostic {
        range: range(text, remark.line, remark.column),
        severity: Some(severity),
        code: Some(NumberOrString::String(remark.kind.clone())),
        source: Some("xcute".to_owned()),
        message: remark.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags,
        data: remark.failure.as_ref().map(|(directory, id)| json!({ "directory": directory, "id": id })),
        ..Diagnostic::default()
    }
}

/// What can be done about a diagnostic; `copies`: the client can copy texts.
pub fn actions(diagnostic: &Diagnostic, copies: bool) -> Vec<CodeActionOrCommand> {
    let field = |name: &str| diagnostic.data.as_ref().and_then(|data| data.get(name)).and_then(Value::as_str);
    let (Some(directory), Some(id)) = (field("directory"), field("id")) else { return Vec::new() };
    let directory = Path::new(directory);
    let case = directory.join("failures").join(format!("{id}.json"));
    let mut all = Vec::new();
    let mut offer = |title: String, command: &str, argument: String| {
        let command = Command { title: title.clone(), command: command.to_owned(), arguments: Some(vec![argument.into()]) };
        all.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic.clone()]),
            command: Some(command),
            ..CodeAction::default()
        }));
    };
    if copies && let Ok(line) = shlex::try_join(["xcute", "replay", &case.display().to_string()]) {
        offer(format!("xcute: copy the replay command of {id}"), COPY, line);
    }
    let mut tests: Vec<_> =
        std::fs::read_dir(directory.join("failures")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    tests.retain(|path| {
        path.file_stem().is_some_and(|stem| stem == id) && !path.extension().is_some_and(|end| end == "json" || end == "inputs")
    });
    tests.sort();
    if let Some(test) = tests.first() {
        offer(format!("xcute: open the test of {id}"), OPEN, test.display().to_string());
    }
    let page = directory.join("index.html");
    if page.is_file() {
        offer("xcute: open the page of results".to_owned(), OPEN, page.display().to_string());
    }
    all
}
