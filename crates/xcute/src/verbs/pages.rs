//! `xcute completions` and `xcute man`: the command line for shells and for `man`, made of its definition.

use std::path::Path;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::arguments::{CompletionsArguments, ManArguments};
use crate::command::command;
use crate::exit::Exit;
use crate::talk;

/// Prints the completions for a shell.
pub fn completions(low: &CompletionsArguments) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(low.shell, &mut command(), "xcute", &mut text);
    talk::result(&String::from_utf8_lossy(&text))?;
    Ok(Exit::NoFailure)
}

/// Prints a page, or writes all of them.
pub fn man(low: &ManArguments) -> Result<Exit> {
    match &low.out {
        None => talk::result(&page(&command())?)?,
        Some(directory) => all(directory)?,
    }
    Ok(Exit::NoFailure)
}

/// Writes `xcute.1` and a page for each command.
fn all(directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    clap_mangen::generate_to(command(), directory).with_context(|| format!("cannot write to {}", directory.display()))
}

fn page(command: &clap::Command) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text).expect("a vector takes what is written");
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_each_command() {
        let place = tempfile::tempdir().unwrap();
        all(place.path()).unwrap();
        let names: Vec<String> = command().get_subcommands().map(|own| own.get_name().to_owned()).collect();
        assert!(names.len() > 8);
        for name in names {
            let text = std::fs::read_to_string(place.path().join(format!("xcute-{name}.1"))).unwrap();
            assert!(text.contains(".SH SYNOPSIS") && text.contains(&format!("xcute\\-{name}")), "{text}");
        }
        assert!(std::fs::read_to_string(place.path().join("xcute.1")).unwrap().contains("Concolic unit testing"));
    }
}
