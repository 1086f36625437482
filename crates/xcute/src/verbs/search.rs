//! The search of a command line: one campaign, or one for each part of a program.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::ArgMatches;
use xcute_term::profile::phase;

use super::progress::Progress;
use super::{exchange, profile};
use crate::command::Chosen;
use crate::exit::Exit;
use crate::front::{Language, Open, Opened, Opening, Part, Several};
use crate::interrupt::Interrupt;
use crate::plan::{self, OutputPlan, SearchPlan};
use crate::project::Budget;
use crate::results::origin::{Origin, typed};
use crate::talk;

/// Does what a command line asks for.
pub fn run(chosen: Chosen) -> Result<Exit> {
    let search = plan::search(&chosen.search, &chosen.output)?;
    // The time at which it begins comes before the program is read.
    let output = plan::output(chosen.output);
    profile::begin(&output);
    all(opening(chosen.language, &chosen.matches)?, &search, &output)
}

/// Looks at what is to be tested, which may take a while: Java compiles its sources then.
pub fn opening(language: &dyn Language, matches: &ArgMatches) -> Result<Opening> {
    let _phase = phase("building");
    language.open(matches)
}

/// Searches all parts.
pub fn all(opening: Opening, search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    let mut dirs = Vec::new();
    let exit = match opening.several {
        None => {
            dirs.push(output.dir.clone());
            each(opening.parts, search, output)
        }
        Some(several) => one_by_one(opening.parts, &several, search, output, &mut dirs),
    }?;
    exchange::write_all(&dirs, &output.reports, output.show)?;
    Ok(exit)
}

/// The only part, whose results directory is the one that was asked for.
fn each(parts: Vec<Part>, search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    let mut exit = Exit::NoFailure;
    for part in parts {
        exit = opened(part.open, search, output)?.search(search, output)?;
    }
    Ok(exit)
}

/// Makes a program ready, with a line that says so.
fn opened(open: Open, search: &SearchPlan, output: &OutputPlan) -> Result<Box<dyn Opened>> {
    let _line = Progress::preparing(output.progress);
    let _phase = phase("building");
    open(search, output)
}

/// Several parts, each with a directory of its own below the one that was asked for; `dirs` are those of the parts that were searched.
fn one_by_one(parts: Vec<Part>, several: &Several, search: &SearchPlan, output: &OutputPlan, dirs: &mut Vec<PathBuf>) -> Result<Exit> {
    let what = several.what;
    let line = output.words.clone().unwrap_or_else(typed);
    if !output.resume {
        let parts = parts.iter().map(|part| file_name(&part.name)).collect();
        Origin::of_several(line.clone(), parts)?.write(&output.dir)?;
    }
    let (interrupt, count) = (Interrupt::listen(), parts.len());
    let mut budget = Budget::new(search.time, count);
    let (mut failing, mut left_out, mut interrupted) = (Vec::new(), 0, false);
    if output.show.json {
        talk::result(&format!("{{\"what\": {}, \"of\": {}, \"campaigns\": [\n", quoted(what), quoted(&several.of)))?;
    }
    for (at, part) in parts.into_iter().enumerate() {
        if interrupt.came() {
            left_out = count - at;
            break;
        }
        let share = budget.share();
        let search = SearchPlan { time: share, ..search.clone() };
        let dir = output.dir.join(file_name(&part.name));
        let words = Some(words(&line, &dir, &part.words));
        // A part that the search never came to has nothing to resume.
        let resume = output.resume && Origin::is_in(&dir);
        let output = OutputPlan { dir, words, resume, earlier: dirs.clone(), ..output.clone() };
        dirs.push(output.dir.clone());
        let ready = opened(part.open, &search, &output)?;
        let begin = Instant::now();
        match ready.search(&search, &output)? {
            Exit::Failures => failing.push(part.name),
            exit => interrupted |= exit == Exit::Interrupted,
        }
        // What comes before a search (a program is made ready) and after it (tests are run) takes nothing from others.
        budget.spent(share.map_or_else(|| begin.elapsed(), |share| begin.elapsed().min(share)));
        talk::result(if output.show.json && at + 1 < count && !interrupt.came() { ",\n" } else { "\n" })?;
    }
    if output.show.json {
        let names: Vec<String> = failing.iter().map(|name| quoted(name)).collect();
        talk::result(&format!("], \"failing\": [{}], \"left_out\": {left_out}}}\n", names.join(", ")))?;
    } else {
        talk::result(&verdict(several, count, left_out, &failing))?;
    }
    Ok(match failing.is_empty() {
        false => Exit::Failures,
        true if interrupted || left_out > 0 => Exit::Interrupted,
        true => Exit::NoFailure,
    })
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What all campaigns together found.
fn verdict(several: &Several, count: usize, left_out: usize, failing: &[String]) -> String {
    let Several { what, of } = several;
    let all = format!("{count} {what}{} of {of}", if count == 1 { "" } else { "s" });
    let rest = if left_out == 0 { String::new() } else { format!("; interrupted before {left_out} of them") };
    match failing.len() {
        0 => format!("no failure in {all}{rest}\n"),
        failed => format!("{failed} of {all} can fail: {}{rest}\n", failing.join(", ")),
    }
}

/// The command line for one of several parts, made of the one for all.
fn words(line: &[String], dir: &Path, part: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    let mut line = line.iter();
    while let Some(word) = line.next() {
        if word == "--out" || word == "--resume" {
            line.next();
        } else if !word.starts_with("--out=") && !word.starts_with("--resume=") {
            words.push(word.clone());
        }
    }
    words.extend(["--out".to_owned(), dir.display().to_string()]);
    words.extend_from_slice(part);
    words
}

/// A name as that of a directory.
fn file_name(name: &str) -> PathBuf {
    name.chars().map(|c| if c.is_alphanumeric() || "_@.".contains(c) { c } else { '-' }).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_command_line_of_its_own() {
        let line = ["erl", "m.erl", "--out", "all", "--time", "1"].map(str::to_owned);
        assert_eq!(words(&line, Path::new("all/f-1"), &["f/1".to_owned()]), ["erl", "m.erl", "--time", "1", "--out", "all/f-1", "f/1"]);
    }

    #[test]
    fn several_campaigns_have_one_verdict() {
        let several = Several { what: "function", of: "m".to_owned() };
        assert_eq!(verdict(&several, 1, 0, &[]), "no failure in 1 function of m\n");
        assert_eq!(verdict(&several, 3, 1, &["f/1".to_owned()]), "1 of 3 functions of m can fail: f/1; interrupted before 1 of them\n");
        assert_eq!(file_name("go/2"), PathBuf::from("go-2"));
    }
}
