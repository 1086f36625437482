//! What an editor hears without asking: how searches go on, and diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use lsp_types::notification::{Progress, PublishDiagnostics, ShowMessage};
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{
    CodeLens, Command, MessageType, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams, ShowMessageParams, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::json;

use super::diagnostics::diagnostic;
use super::documents::{range, saved};
use super::entries::ListedEntry;
use super::jobs::{Event, Wanted};
use super::session::{Session, TEST};
use crate::exit::Exit;
use crate::talk;

impl<W: Write> Session<W> {
    /// Looks at all processes once, and says what became of them.
    pub fn look(&mut self) -> Result<()> {
        for event in self.jobs.look() {
            match event {
                Event::Listed { id, file, of, list } => {
                    // A file that does not compile has none; what it needs may change without it.
                    let list = list.inspect_err(talk::error);
                    let lenses = list.as_ref().map_or_else(|_| Vec::new(), |list| self.lenses(&file, list));
                    self.speaker.answer(&id, Ok(json!(lenses)))?;
                    self.lists.extend(list.ok().map(|list| (file, (of, list))));
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
    pub(super) fn lenses(&self, file: &Path, list: &[ListedEntry]) -> Vec<CodeLens> {
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
