//! What each message of an editor means. What it hears without asking is in [`super::announce`].

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use lsp_types::request::ShowDocument;
use lsp_types::{
    CodeActionParams, CodeLensOptions, CodeLensParams, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams, InitializeParams, InitializeResult, NumberOrString,
    ServerCapabilities, ServerInfo, ShowDocumentParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
    WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::diagnostics::{OPEN, actions};
use super::documents::{Document, Documents, path_of, saved};
use super::entries::ListedEntry;
use super::jobs::{Jobs, Wanted};
use super::places::Places;
use super::shelf::Shelf;
use super::wire::{Incoming, Refusal, Speaker};
use crate::results::digest;
use crate::{duration, talk, version};

/// Asks the server to test something: the address of the file, and the name.
pub(super) const TEST: &str = "xcute.test";
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
pub(super) enum Stage {
    /// Nothing was said yet.
    New,
    Open,
    /// The end was asked for.
    Closing,
}

/// The conversation with an editor.
pub struct Session<W> {
    pub(super) speaker: Speaker<W>,
    stage: Stage,
    pub(super) documents: Documents,
    pub(super) places: Places,
    pub(super) shelf: Shelf,
    pub(super) jobs: Jobs,
    /// What can be tested in a file, and the digest of the text that says so.
    pub(super) lists: BTreeMap<PathBuf, (String, Vec<ListedEntry>)>,
    /// Files with failures of searches that this editor asked for.
    pub(super) failing: BTreeSet<PathBuf>,
    /// What the editor shows.
    pub(super) published: BTreeMap<PathBuf, (Uri, Vec<Diagnostic>)>,
    /// Whether something changed since.
    pub(super) stale: bool,
    /// What the editor can do: show progress, copy a text.
    pub(super) progress: bool,
    copies: bool,
    pub(super) searches: u64,
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
            lists: BTreeMap::new(),
            failing: BTreeSet::new(),
            published: BTreeMap::new(),
            stale: false,
            progress: false,
            copies: false,
            searches: 0,
        }
    }

    /// What names the progress of the search at work.
    pub(super) fn token(&self) -> NumberOrString {
        NumberOrString::String(format!("xcute-search-{}", self.searches))
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
                if let Some((_, list)) = self.lists.get(&file).filter(|(of, _)| saved(&file).is_some_and(|text| digest(&text) == *of)) {
                    return Ok(Some(json!(self.lenses(&file, list))));
                }
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
