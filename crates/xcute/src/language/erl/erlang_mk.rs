//! Makefiles of erlang.mk: what `ERLC_OPTS` says that decides what a module means.
//!
//! The text is read, not executed: `make` would run whatever else is in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xcute_erl::program::CompilerOption;

/// The variable with the options of the compiler.
const OPTIONS: &str = "ERLC_OPTS";

/// Whether a file is a makefile of erlang.mk.
pub fn is_one(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.contains("erlang.mk"))
}

/// The options of the compiler in a makefile.
pub fn options(file: &Path) -> Result<Vec<CompilerOption>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let directory = file.parent().unwrap_or(Path::new("/"));
    let mut options = Vec::new();
    let mut words = words(&value(&text).0).into_iter();
    while let Some(word) = words.next() {
        // The value of an option is part of its word, or the next one.
        let mut argument = |rest: &str| if rest.is_empty() { words.next().unwrap_or_default() } else { rest.to_owned() };
        if let Some(rest) = word.strip_prefix("-D") {
            options.extend(CompilerOption::define(&argument(rest)));
        } else if let Some(rest) = word.strip_prefix("-I") {
            options.push(CompilerOption::Include(directory.join(argument(rest))));
        } else if let Some(rest) = word.strip_prefix('+') {
            options.push(CompilerOption::Text(rest.to_owned(), directory.to_owned()));
        }
    }
    Ok(options)
}

/// What these makefiles say with variables and functions of `make`, which are not evaluated.
pub fn unread(files: &[PathBuf]) -> Vec<(&Path, String)> {
    let read = |file: &PathBuf| std::fs::read_to_string(file).map(|text| value(&text).1).unwrap_or_default();
    let makefiles = files.iter().filter(|file| file.ends_with("Makefile"));
    makefiles.flat_map(|file| read(file).into_iter().map(move |what| (file.as_path(), what))).collect()
}

/// The value of the variable without what `make` would have to compute, and that.
fn value(text: &str) -> (String, Vec<String>) {
    let joined = text.replace("\\\n", " ");
    let (mut value, mut unread) = (String::new(), Vec::new());
    for line in joined.lines() {
        let Some(rest) = line.trim_start().strip_prefix(OPTIONS).map(str::trim_start) else { continue };
        let known = [("+=", true), (":=", false), ("::=", false), ("=", false), ("?=", !value.is_empty())];
        let Some((given, more)) = known.iter().find_map(|(sign, more)| Some((rest.strip_prefix(sign)?, *more))) else { continue };
        if rest.starts_with('?') && more {
            continue;
        }
        let (plain, computed) = computed(given.split(" #").next().unwrap_or_default());
        // `$(filter-out -Werror,$(ERLC_OPTS))` is what there was.
        let more = more || computed.iter().any(|what| what.contains(OPTIONS));
        value = if more { format!("{value} {plain}") } else { plain };
        unread.extend(computed.into_iter().filter(|what| !what.contains(OPTIONS)));
    }
    (value, unread)
}

/// A text without its `$(…)` and `${…}`, and those.
fn computed(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut found, mut rest) = (String::new(), Vec::new(), text);
    while let Some(begin) = rest.find("$(").or_else(|| rest.find("${")) {
        let mut depth = 0;
        let closes = |letter: char| {
            depth += i32::from(matches!(letter, '(' | '{')) - i32::from(matches!(letter, ')' | '}'));
            depth == 0 && matches!(letter, ')' | '}')
        };
        let end = rest[begin..].find(closes).map_or(rest.len(), |end| begin + end + 1);
        plain.push_str(&rest[..begin]);
        found.push(rest[begin..end].to_owned());
        rest = &rest[end..];
    }
    plain.push_str(rest);
    (plain, found)
}

/// The words of a command line, as a shell divides it.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_makefile() {
        let text = "PROJECT = shop\nERLC_OPTS = +debug_info -DLIMIT=3 \\\n  -I ../common +'{parse_transform, renamed}' # and so on\n\
                    ERLC_OPTS += $(EXTRA) -D MORE\nTEST_ERLC_OPTS += -DTEST\n\
                    ERLC_OPTS := $(filter-out -Werror,$(ERLC_OPTS)) \"+{d, 'X', 1}\"\ninclude erlang.mk\n";
        let (value, unread) = value(text);
        let wanted = ["+debug_info", "-DLIMIT=3", "-I", "../common", "+{parse_transform, renamed}", "-D", "MORE", "+{d, 'X', 1}"];
        assert_eq!((words(&value), unread), (wanted.map(str::to_owned).to_vec(), vec!["$(EXTRA)".to_owned()]));
        assert_eq!(super::value("ERLC_OPTS = -DA\nERLC_OPTS ?= -DB\nERLC_OPTS = -DC").0.trim(), "-DC");
    }
}
