//! From program counters to functions, files and lines.
//!
//! The executable is not relocated, so its addresses are those of its debugging information. Code of the runtime and of libraries has none
//! and leaves the stack by itself, models of library functions and code in headers of the system are left out; the harness and what called it are cut off.
//!
//! **Invariant.** A frame is in the subject's own sources, so the first one is where a failure is reported.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use xcute_trace::Frame;

use crate::build::words::FILE;
use crate::instrument::{columns, ours};
use crate::names::{AFTER, HARNESS, MAIN, WRAPPER};
use crate::tools::demangle::demangled;
use crate::tools::system::is_system;

/// At most this many equal frames in a row are shown.
const SAME: usize = 4;

/// The places of one executable. Reads it when the first address is asked for.
pub struct Symbols {
    exe: PathBuf,
    files: Vec<String>,
    sources: Vec<String>,
    loader: Option<addr2line::Loader>,
    known: FxHashMap<u64, Vec<Frame>>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("exe", &self.exe).field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl Symbols {
    /// The places of `exe`; `files` are the files of its code as they are named, `sources` those that were compiled.
    #[must_use]
    pub fn new(exe: &Path, files: &[String], sources: &[String]) -> Symbols {
        Symbols { exe: exe.to_owned(), files: files.to_vec(), sources: sources.to_vec(), loader: None, known: FxHashMap::default() }
    }

    /// The stack, innermost first: `pc` is where the run was (0 where only its callers are known), `returns` are return addresses.
    pub fn stack(&mut self, pc: u64, returns: &[u64]) -> Vec<Frame> {
        // A return address is that of the next instruction, which may be another line's.
        self.stack_at((pc != 0).then_some(pc).into_iter().chain(returns.iter().map(|at| at.saturating_sub(1))))
    }

    /// The same of addresses that are those of calls, not of where they return to.
    pub fn stack_at(&mut self, addresses: impl IntoIterator<Item = u64>) -> Vec<Frame> {
        let mut stack = Vec::new();
        for address in addresses {
            for frame in self.frames(address) {
                if frame.function == HARNESS || frame.function == WRAPPER {
                    return stack;
                }
                // A recursion that does not end is shown as well by a few of its frames.
                if stack.len() < SAME || stack[stack.len() - SAME..].iter().any(|other| other != frame) {
                    stack.push(frame.clone());
                }
            }
        }
        stack
    }

    /// The function that begins at an address, if it is one of the subject's own sources.
    pub fn function(&mut self, address: u64) -> Option<Frame> {
        self.frames(address).first().cloned()
    }

    /// The innermost place of a stack, also in a header of the system.
    pub fn header(&mut self, returns: &[u64]) -> Option<Frame> {
        let address = returns.first()?.checked_sub(1)?;
        let mut found = self.loader()?.find_frames(address).ok()?;
        let frame = found.next().ok()??;
        let function = frame.function.and_then(|f| f.raw_name().ok().map(|name| demangled(&name).into_owned())).unwrap_or_default();
        let place = frame.location?;
        let file = Path::new(place.file?).file_name()?.to_string_lossy().into_owned();
        Some(Frame { function, file, line: place.line?, ..Frame::default() })
    }

    fn loader(&mut self) -> Option<&addr2line::Loader> {
        if self.loader.is_none() {
            self.loader = Some(addr2line::Loader::new(&self.exe).ok()?);
        }
        self.loader.as_ref()
    }

    /// The frames of one address: functions that were inlined there first.
    fn frames(&mut self, address: u64) -> &[Frame] {
        if !self.known.contains_key(&address) {
            let frames = self.look_up(address).unwrap_or_default();
            self.known.insert(address, frames);
        }
        &self.known[&address]
    }

    /// Executables without debugging information have no frames: that is not an error.
    fn look_up(&mut self, address: u64) -> Option<Vec<Frame>> {
        self.loader()?;
        let loader = self.loader.as_ref()?;
        let mut found = loader.find_frames(address).ok()?;
        let mut frames = Vec::new();
        while let Ok(Some(frame)) = found.next() {
            // Line tables alone name only inlined functions; the one that contains them is a symbol.
            let named = frame.function.and_then(|f| f.raw_name().ok().map(|name| name.into_owned()));
            let (Some(function), Some(place)) = (named.or_else(|| Some(loader.find_symbol(address)?.to_owned())), frame.location) else {
                continue;
            };
            if ours::is_model(&function) {
                continue;
            }
            // Templates of the C++ library are compiled with the program, but nobody looks for his mistake there.
            if place.file.is_some_and(|file| is_system(file) && !self.sources.iter().any(|source| source == file)) {
                continue;
            }
            // What is found after a call is reported where the called function is.
            let function = function.strip_prefix(AFTER).map_or(function.clone(), str::to_owned);
            let function = demangled(&function).into_owned();
            let function = if function == MAIN { "main".to_owned() } else { function };
            let file = self.named(place.file.unwrap_or_default());
            // A word of another tool stands for its call.
            if Path::new(&file).file_name().is_some_and(|name| name == FILE) {
                continue;
            }
            let (line, (column, nth)) = (place.line.unwrap_or(0), columns::split(place.column.unwrap_or(0)));
            frames.push(Frame { function, file, line, column, nth });
        }
        Some(frames)
    }

    /// A file as the user named it.
    fn named(&self, path: &str) -> String {
        let same = |name: &&String| path == **name || path.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('/'));
        self.files.iter().find(same).cloned().unwrap_or_else(|| path.to_owned())
    }
}
