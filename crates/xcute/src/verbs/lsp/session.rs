//! What each message of an editor means, and what it hears without asking.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use lsp_types::notification::{Progress, PublishDiagnostics, ShowMessage};
use lsp_types::request::{ShowDocument, WorkDoneProgressCreate};
use lsp_types::{
    CodeActionParams, CodeLens, CodeLensOptions, CodeLensParams, Command, Diagnostic, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams, InitializeParams, InitializeResult,
    MessageType, NumberOrString, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams, ServerCapabilities, ServerInfo,
    ShowDocumentParams, ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
    WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCancelParams, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::diagnostics::{OPEN, actions, diagnostic};
use super::documents::{Document, Documents, path_of, range, saved};
use super::entries::ListedEntry;
use super::jobs::{Event, Jobs, Wanted};
use super::places::Places;
use super::shelf::Shelf;
use super::wire::{Incoming, Refusal, Speaker};
use crate::exit::Exit;
use crate::{duration, talk, version};

/// Asks the server to test something: the address of the file, and the name.
const TEST: &str = "xcute.test";
/// Asks the server to end the search at work.
const STOP: &str = "xcute.stop";

/// How long a search takes if the editor does not say.
const TIME: Duration = Duration::from_secs(30);

/// How a session ends.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// After a request for it.
    Asked,
    /// Without.
    Abrupt,
}

#[derive(Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing was said yet.
    New,
    Open,
    /// The end was asked for.
    Closing,
}

/// The conversation with an editor.
pub struct Session<W> {
    speaker: Speaker<W>,
    stage: Stage,
    documents: Documents,
    places: Places,
    shelf: Shelf,
    jobs: Jobs,
    /// Files with failures of searches that this editor asked for.
    failing: BTreeSet<PathBuf>,
    /// What the editor shows.
    published: BTreeMap<PathBuf, (Uri, Vec<Diagnostic>)>,
    /// Whether something changed since.
    stale: bool,
    /// What the editor can do: show progress, copy a text.
    progress: bool,
    copies: bool,
    searches: u64,
}

impl<W: Write> Session<W> {
    pub fn new(out: W) -> Session<W> {
        Session {
            speaker: Speaker::new(out),
            stage: Stage::New,
            documents: Documents::default(),
            places: Places::new(),
            shelf: Shelf::default(),
            jobs: Jobs::new(TIME),
            failing: BTreeSet::new(),
            published: BTreeMap::new(),
            stale: false,
            progress: false,
            copies: false,
            searches: 0,
        }
    }

    /// Whether something is at work.
    pub fn busy(&self) -> bool {
        self.jobs.busy()
    }

    /// Does what a message asks for; the end, where it is one.
    pub fn take(&mut self, message: Incoming) -> Result<Option<End>> {
        match message {
            Incoming::Answer => {}
            Incoming::Wrong { id, refusal } => {
                talk::say(&refusal.why);
                self.speaker.answer(&id, Err(refusal))?;
            }
            Incoming::Notification { method, .. } if method == "exit" => {
                return Ok(Some(if self.stage == Stage::Closing { End::Asked } else { End::Abrupt }));
            }
            Incoming::Notification { method, params } => {
                if self.stage == Stage::Open
                    && let Err(refusal) = self.hear(&method, params)
                {
                    talk::say(&format!("{method}: {}", refusal.why));
                }
            }
            Incoming::Request { id, method, params } => match self.answer(&id, &method, params) {
                Ok(None) => {}
                Ok(Some(result)) => self.speaker.answer(&id, Ok(result))?,
                Err(refusal) => self.speaker.answer(&id, Err(refusal))?,
            },
        }
        Ok(None)
    }

    /// Answers a request; `None` where the answer comes later.
    fn answer(&mut self, id: &Value, method: &str, params: Value) -> Result<Option<Value>, Refusal> {
        match (&self.stage, method) {
            (Stage::New, "initialize") => Ok(Some(self.initialize(read(params)?))),
            (Stage::New, _) => Err(Refusal::new(Refusal::EARLY, "the first request is initialize")),
            (Stage::Closing, _) | (_, "initialize") => Err(Refusal::new(Refusal::REQUEST, format!("{method} comes too late"))),
            (_, "shutdown") => {
                self.stage = Stage::Closing;
                // Their processes end with them.
                self.jobs = Jobs::default();
                Ok(Some(Value::Null))
            }
            (_, "textDocument/codeLens") => {
                let CodeLensParams { text_document, .. } = read(params)?;
                let file = file(&text_document.uri)?;
                let root = self.places.root(&file);
                self.jobs.list(id.clone(), &file, &root).map_err(failed)?;
                Ok(None)
            }
            (_, "textDocument/codeAction") => {
                let CodeActionParams { context, .. } = read(params)?;
                let all: Vec<_> = context.diagnostics.iter().flat_map(|diagnostic| actions(diagnostic, self.copies)).collect();
                Ok(Some(json!(all)))
            }
            (_, "workspace/executeCommand") => self.execute(read(params)?).map(Some),
            _ => Err(Refusal::new(Refusal::METHOD, format!("xcute does not know {method}"))),
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> Value {
        self.stage = Stage::Open;
        self.progress = params.capabilities.window.and_then(|window| window.work_done_progress).unwrap_or(false);
        #[allow(deprecated, reason = "older editors have one folder")]
        let old = params.root_uri;
        let folders = params.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri).chain(old);
        self.places.folders = folders.filter_map(|uri| path_of(&uri)).collect();
        let options = params.initialization_options.unwrap_or_default();
        self.copies = options["copy"].as_bool().unwrap_or(false);
        if let Some(time) = options.get("time").filter(|time| !time.is_null()) {
            let text = time.as_str().map_or_else(|| time.to_string(), str::to_owned);
            match duration::parse(&text) {
                Ok(time) => self.jobs.time = time,
                Err(why) => talk::say(&format!("initializationOptions.time: {why}")),
            }
        }
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            code_action_provider: Some(true.into()),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: [TEST, STOP, OPEN].map(str::to_owned).to_vec(),
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        };
        let info = ServerInfo { name: "xcute".to_owned(), version: Some(version::SHORT.to_owned()) };
        json!(InitializeResult { capabilities, server_info: Some(info) })
    }

    /// Takes note of what the editor says.
    fn hear(&mut self, method: &str, params: Value) -> Result<(), Refusal> {
        match method {
            "textDocument/didOpen" => {
                let DidOpenTextDocumentParams { text_document } = read(params)?;
                let path = file(&text_document.uri)?;
                self.documents.open.insert(path, Document { uri: text_document.uri, text: text_document.text });
                self.look_at_results();
                self.stale = true;
            }
            "textDocument/didChange" => {
                let DidChangeTextDocumentParams { text_document, content_changes } = read(params)?;
                let document = self.documents.open.get_mut(&file(&text_document.uri)?);
                if let (Some(document), Some(last)) = (document, content_changes.into_iter().next_back()) {
                    document.text = last.text;
                    self.stale = true;
                }
            }
            "textDocument/didClose" => {
                let DidCloseTextDocumentParams { text_document } = read(params)?;
                self.documents.open.remove(&file(&text_document.uri)?);
                self.stale = true;
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.stale = true,
            "$/cancelRequest" => {
                let id = params.get("id").cloned().unwrap_or_default();
                if self.jobs.forget(&id) {
                    self.speaker.answer(&id, Err(Refusal::new(Refusal::CANCELLED, "cancelled"))).map_err(failed)?;
                }
            }
            "window/workDoneProgress/cancel" => {
                let WorkDoneProgressCancelParams { token } = read(params)?;
                if token == self.token() {
                    self.jobs.cancel();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn execute(&mut self, params: ExecuteCommandParams) -> Result<Value, Refusal> {
        let words: Vec<&str> = params.arguments.iter().filter_map(Value::as_str).collect();
        match (params.command.as_str(), &words[..]) {
            (TEST, [uri, name]) => {
                let uri: Uri = uri.parse().map_err(|_| Refusal::new(Refusal::PARAMS, format!("{uri} is not an address")))?;
                let file = file(&uri)?;
                if !self.documents.is_saved(&file) {
                    return Err(Refusal::new(Refusal::FAILED, format!("save {} first: xcute tests what is on the disk", shown(&file))));
                }
                let root = self.places.root(&file);
                let wanted = Wanted { results: self.places.results(&root, &file, name), name: (*name).to_owned(), file, root };
                if !self.jobs.test(wanted) {
                    return Err(Refusal::new(Refusal::FAILED, format!("{name} is being tested already")));
                }
            }
            (STOP, _) => self.jobs.cancel(),
            (OPEN, [path]) => {
                let uri =
                    self.documents.uri(Path::new(path)).ok_or_else(|| Refusal::new(Refusal::PARAMS, format!("{path} is not a path")))?;
                let external = Some(path.ends_with(".html"));
                self.speaker
                    .ask::<ShowDocument>(ShowDocumentParams { uri, external, take_focus: Some(true), selection: None })
                    .map_err(failed)?;
            }
            (TEST | OPEN, _) => return Err(Refusal::new(Refusal::PARAMS, format!("{} has other arguments", params.command))),
            (other, _) => return Err(Refusal::new(Refusal::PARAMS, format!("xcute has no command {other}"))),
        }
        Ok(Value::Null)
    }

    /// Looks at all processes once, and says what became of them.
    pub fn look(&mut self) -> Result<()> {
        for event in self.jobs.look() {
            match event {
                Event::Listed { id, file, list } => {
                    let lenses = list.map(|list| self.lenses(&file, &list)).unwrap_or_else(|error| {
                        // A file that does not compile has none.
                        talk::error(&error);
                        Vec::new()
                    });
                    self.speaker.answer(&id, Ok(json!(lenses)))?;
                }
                Event::Began(wanted) => {
                    self.searches += 1;
                    if self.progress {
                        self.speaker.ask::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: self.token() })?;
                    }
                    let title = format!("xcute: testing {}", wanted.name);
                    self.report(WorkDoneProgress::Begin(WorkDoneProgressBegin {
                        title,
                        cancellable: Some(true),
                        message: None,
                        percentage: Some(0),
                    }))?;
                }
                Event::Goes { done, message } => self.report(WorkDoneProgress::Report(WorkDoneProgressReport {
                    cancellable: Some(true),
                    message: Some(message),
                    percentage: Some(done),
                }))?,
                Event::Ended { wanted, verdict } => self.ended(&wanted, verdict)?,
            }
        }
        Ok(())
    }

    fn ended(&mut self, wanted: &Wanted, verdict: Result<(Exit, String)>) -> Result<()> {
        self.look_at_results();
        self.failing.extend(self.shelf.failing(&wanted.results));
        self.stale = true;
        let (typ, message) = match verdict {
            Ok((Exit::Failures, verdict)) => (MessageType::WARNING, verdict),
            Ok((_, verdict)) => (MessageType::INFO, verdict),
            Err(error) => (MessageType::ERROR, format!("{} could not be tested: {error:#}", wanted.name)),
        };
        self.publish()?;
        self.report(WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message.clone()) }))?;
        self.speaker.notify::<ShowMessage>(ShowMessageParams { typ, message: format!("xcute: {message}") })
    }

    /// What names the progress of the search at work.
    fn token(&self) -> NumberOrString {
        NumberOrString::String(format!("xcute-search-{}", self.searches))
    }

    fn report(&mut self, value: WorkDoneProgress) -> Result<()> {
        if !self.progress {
            return Ok(());
        }
        let params = ProgressParams { token: self.token(), value: ProgressParamsValue::WorkDone(value) };
        self.speaker.notify::<Progress>(params)
    }

    /// Looks for new results.
    pub fn look_at_results(&mut self) {
        let mut places = BTreeSet::new();
        for file in self.documents.open.keys().chain(&self.failing) {
            places.extend(self.places.of(file));
        }
        self.stale |= self.shelf.look(&places);
    }

    /// Publishes what changed.
    pub fn publish(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.stale) {
            return Ok(());
        }
        let files: BTreeSet<PathBuf> = self.documents.open.keys().chain(&self.failing).cloned().collect();
        let mut all = BTreeMap::new();
        for file in files {
            let (Some(uri), Some(text)) = (self.documents.uri(&file), self.documents.text(&file)) else { continue };
            let remarks = self.shelf.remarks(&file, &|path| self.documents.text(path));
            all.insert(file, (uri, remarks.iter().map(|remark| diagnostic(remark, &text, &self.documents)).collect::<Vec<_>>()));
        }
        let before = std::mem::take(&mut self.published);
        for (_, (uri, _)) in before.iter().filter(|(file, (uri, _))| all.get(*file).is_none_or(|(now, _)| now != uri)) {
            let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics: Vec::new(), version: None };
            self.speaker.notify::<PublishDiagnostics>(params)?;
        }
        for (file, (uri, diagnostics)) in &all {
            if before.get(file).is_none_or(|(old, known)| old != uri || known != diagnostics) {
                let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics: diagnostics.clone(), version: None };
                self.speaker.notify::<PublishDiagnostics>(params)?;
            }
        }
        self.published = all;
        Ok(())
    }

    /// The lenses of a file. Where the text is not saved, each stands above the line that reads as it does on the disk.
    fn lenses(&self, file: &Path, list: &[ListedEntry]) -> Vec<CodeLens> {
        let (Some(uri), Some(text), Some(disk)) = (self.documents.uri(file), self.documents.text(file), saved(file)) else {
            return Vec::new();
        };
        let place = |line: u32| {
            let wanted = disk.lines().nth(line.saturating_sub(1) as usize)?;
            let near = text.lines().zip(1u32..).filter(|(own, _)| *own == wanted).min_by_key(|(_, own)| own.abs_diff(line));
            near.map(|(_, line)| range(&text, line, 0))
        };
        let lens = |entry: &ListedEntry| {
            let arguments = Some(vec![uri.as_str().into(), entry.name.clone().into()]);
            let command = Command { title: format!("test {} with xcute", entry.name), command: TEST.to_owned(), arguments };
            Some(CodeLens { range: place(entry.line)?, command: Some(command), data: None })
        };
        list.iter().filter_map(lens).collect()
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::new(Refusal::PARAMS, error))
}

fn file(uri: &Uri) -> Result<PathBuf, Refusal> {
    path_of(uri).ok_or_else(|| Refusal::new(Refusal::PARAMS, format!("{} is not a file", uri.as_str())))
}

fn failed(error: anyhow::Error) -> Refusal {
    Refusal::new(Refusal::FAILED, format!("{error:#}"))
}

fn shown(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
