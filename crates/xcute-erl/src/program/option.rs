//! Options of the compiler, and how the emulator gets them.

use std::path::{Path, PathBuf};

use crate::etf::Encoder;

/// An option of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompilerOption {
    /// A directory with header files.
    Include(PathBuf),
    /// A macro, with its value: an integer, or else an atom.
    Define(String, Option<String>),
    /// A `rebar.config` (it, or its script, is there), whose `erl_opts` say more.
    Config(PathBuf),
    /// An option as `erlc` takes it after `+`, for files in this directory.
    Text(String, PathBuf),
}

impl CompilerOption {
    /// The macro that `NAME` or `NAME=VALUE` defines; `None` if it has no name.
    #[must_use]
    pub fn define(word: &str) -> Option<CompilerOption> {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value.to_owned())));
        (!name.is_empty()).then(|| CompilerOption::Define(name.to_owned(), value))
    }

    pub(super) fn write(&self, out: &mut Encoder) {
        match self {
            CompilerOption::Include(directory) => {
                out.tuple(2);
                out.atom("i");
                path(out, directory);
            }
            CompilerOption::Config(file) => {
                out.tuple(2);
                out.atom("config");
                path(out, file);
            }
            CompilerOption::Text(word, directory) => {
                out.tuple(3);
                out.atom("text");
                text(out, word);
                path(out, directory);
            }
            CompilerOption::Define(name, value) => {
                out.tuple(if value.is_some() { 3 } else { 2 });
                out.atom("d");
                out.atom(name);
                match value.as_ref().map(|value| (value, value.parse::<i64>())) {
                    Some((_, Ok(number))) => out.int(number),
                    Some((word, Err(_))) => out.atom(word),
                    None => {}
                }
            }
        }
    }
}

/// Writes a path.
pub(super) fn path(out: &mut Encoder, path: &Path) {
    text(out, &path.to_string_lossy());
}

fn text(out: &mut Encoder, text: &str) {
    out.list(text.chars().count());
    text.chars().for_each(|c| out.int(i64::from(u32::from(c))));
    out.nil();
}
