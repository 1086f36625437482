//! Everything the binary prints: results to stdout, talk to stderr.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use xcute_report::Style;

use crate::exit::Exit;
use crate::usage;

/// Writes a result to stdout. A reader that has gone away (`xcute … | head`) is not an error.
pub fn result(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(tame(text).as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot write to stdout"),
        _ => Ok(()),
    }
}

/// The progress line, while it is drawn.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From now on other lines on stderr make room for this one.
pub fn make_room_for(line: Option<ProgressBar>) {
    *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = line;
}

/// Writes to stderr beside the progress line.
fn beside(write: impl FnOnce()) {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match drawn {
        Some(line) => line.suspend(write),
        None => write(),
    }
}

/// Writes one line to stderr.
pub fn say(line: &str) {
    show(&format!("xcute: {line}"));
}

/// Writes what needs more than one line to stderr, as it is. Where stderr takes nothing (a full disk, a reader that has gone away), the search goes on all the same.
pub fn show(text: &str) {
    beside(|| _ = writeln!(io::stderr().lock(), "{}", tame(text)));
}

/// The text without what a terminal would obey: programs under test have a say in names, messages and inputs. Only line ends, tabs and our own colours stay as they are; the rest
/// is written as JSON writes it, so that JSON stays JSON.
fn tame(text: &str) -> Cow<'_, str> {
    // Characters that turn the direction of text count as well.
    let wild = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(wild) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        if let Some(colour) = Style::COLOURS.iter().find(|colour| rest.starts_with(**colour)) {
            out += colour;
            rest = &rest[colour.len()..];
            continue;
        }
        if wild(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// Says why the tool could not do its job, in one line.
pub fn error(error: &anyhow::Error) {
    say(&one_line(&format!("{error:#}")));
}

/// Ends a command line that was not understood, or that asked for help. `names`: the commands there are.
pub fn usage(error: &clap::Error, names: &[String]) -> u8 {
    if !error.use_stderr() {
        // Help and version are results.
        return match result(&format!("{}\n", error.render().to_string().trim_end())) {
            Ok(()) => Exit::NoFailure.code(),
            Err(_) => Exit::CouldNot.code(),
        };
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        say(&format!("which command? {} or {last} (see xcute --help)", others.join(", ")));
    } else {
        say(&usage::complaint(error));
    }
    Exit::CouldNot.code()
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(tame("plain \u{e4}\t\n"), "plain \u{e4}\t\n");
        assert_eq!(tame("a\u{1b}[2J\r\u{7f}\u{9b}b\u{202e}"), "a\\u001b[2J\\u000d\\u007f\\u009bb\\u202e");
        let style = Style { coloured: true, ..Style::PLAIN };
        let coloured = style.bad("x") + &style.good("x") + &style.warning("x") + &style.frame("x") + &style.strong("x");
        assert_eq!(tame(&coloured), coloured);
        assert_eq!(tame(&style.bad("\u{1b}]0;title\u{7}")), style.bad("\\u001b]0;title\\u0007"));
    }
}
