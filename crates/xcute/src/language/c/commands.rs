//! `compile_commands.json`: which sources a project has, and the flags that decide what they mean.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::front::within;

/// One compilation.
#[derive(Debug, Deserialize)]
struct Compilation {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The sources of a database with their flags, each source once; paths below the project are relative to it.
pub fn read(database: &Path, root: &Path) -> Result<Vec<(PathBuf, Vec<String>)>> {
    let cannot = || format!("cannot read {}", database.display());
    let text = std::fs::read_to_string(database).with_context(cannot)?;
    let compilations: Vec<Compilation> = serde_json::from_str(&text).with_context(cannot)?;
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    for Compilation { directory, file, command, arguments } in compilations {
        let directory = root.join(directory);
        let file = PathBuf::from(within(root, &directory.join(file)));
        if known.insert(file.clone()) {
            let words = arguments.unwrap_or_else(|| command.as_deref().map(split).unwrap_or_default());
            all.push((file, flags(&words, &directory, root)));
        }
    }
    Ok(all)
}

/// Flags whose value is a directory or file, in the same word or the next one.
const PATHS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

/// The flags that decide what a source means: where headers are, what is defined, which language it is.
fn flags(words: &[String], directory: &Path, root: &Path) -> Vec<String> {
    let place = |path: &str| within(root, &directory.join(path));
    let (mut found, mut words) = (Vec::new(), words.iter());
    while let Some(word) = words.next() {
        if let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) {
            let path = if word == flag { words.next().map_or("", String::as_str) } else { &word[flag.len()..] };
            let joined = if *flag == "-I" { vec![format!("-I{}", place(path))] } else { vec![(*flag).to_owned(), place(path)] };
            found.extend(joined);
        } else if word == "-D" || word == "-U" {
            found.extend(words.next().map(|value| format!("{word}{value}")));
        } else if word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-std=") || word == "-pthread" {
            found.push(word.clone());
        }
    }
    found
}

/// The words of a command, as a shell would split them.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    let mut letters = command.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (None, '"' | '\'') => (quote, begun) = (Some(c), true),
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                word.extend(letters.next());
                begun = true;
            }
            (None, c) if c.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (_, c) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_matter_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let text = serde_json::json!([
            {"directory": root.join("build"), "file": "../src/a.c",
             "command": "cc -I../include -I . -DNAME='\"a b\"' -D X=1 -O2 -Wall -isystem /opt/x -std=c11 -o a.o -c ../src/a.c"},
            {"directory": root, "file": "src/b.c", "arguments": ["cc", "-Iinclude", "-c", "src/b.c"]},
            {"directory": root, "file": "src/b.c", "arguments": ["cc", "-DAGAIN", "-c", "src/b.c"]},
        ]);
        let file = root.join("compile_commands.json");
        std::fs::write(&file, text.to_string()).unwrap();
        let all = read(&file, root).unwrap();
        let shown: Vec<String> = all.iter().map(|(file, flags)| format!("{}: {}", file.display(), flags.join(" "))).collect();
        assert_eq!(shown, ["src/a.c: -Iinclude -Ibuild -DNAME=\"a b\" -DX=1 -isystem /opt/x -std=c11", "src/b.c: -Iinclude"]);
        std::fs::write(&file, "{").unwrap();
        assert!(read(&file, root).is_err());
    }
}
