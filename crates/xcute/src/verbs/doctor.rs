//! `xcute doctor`: what each language needs, what of it is there, and the command that installs the rest.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;

use crate::arguments::{DoctorArguments, FormatArgument};
use crate::exit::Exit;
use crate::front::{Language, Need};
use crate::language;
use crate::talk;

/// What one language needs.
struct Patient {
    name: String,
    needs: Vec<Need>,
}

/// Looks, and ends with 1 where something is missing.
pub fn run(low: &DoctorArguments) -> Result<Exit> {
    let mut patients = Vec::new();
    for language in chosen(&low.languages)? {
        patients.push(Patient { name: language.command().get_name().to_owned(), needs: language.needs() });
    }
    patients.push(Patient { name: "all languages".to_owned(), needs: vec![room()] });
    let text = match low.format {
        FormatArgument::Text => text(&patients),
        FormatArgument::Json => document(&patients),
    };
    talk::result(&text)?;
    let missing = patients.iter().flat_map(|patient| &patient.needs).any(Need::is_missing);
    Ok(if missing { Exit::Failures } else { Exit::NoFailure })
}

/// The languages that were asked for; all, where none was named.
fn chosen(names: &[String]) -> Result<Vec<&'static dyn Language>> {
    let named = |language: &dyn Language| language.command().get_name().to_owned();
    let all: Vec<String> = language::ALL.iter().map(|language| named(*language)).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        bail!("there is no language `{unknown}` (there are {})", all.join(", "));
    }
    Ok(language::ALL.iter().copied().filter(|language| names.is_empty() || names.contains(&named(*language))).collect())
}

/// Whether there is a place for builds.
fn room() -> Need {
    let made = tempfile::Builder::new().prefix("xcute-doctor").tempdir();
    let written = made.and_then(|dir| std::fs::write(dir.path().join("room"), vec![0; 1 << 20]));
    let place = std::env::temp_dir();
    let found =
        written.map(|()| free(&place)).map_err(|error| format!("cannot write to {}: {error} (is TMPDIR writable?)", place.display()));
    Need::new("room for builds", "programs under test are built there", "set TMPDIR to a directory with room", found)
}

/// How much room a directory has, for people.
fn free(place: &Path) -> String {
    let said = std::process::Command::new("df").arg("-Pk").arg(place).output();
    let text = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let kilobytes = text.lines().nth(1).and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
    let shown = place.display();
    kilobytes.map_or_else(|| shown.to_string(), |kilobytes| format!("{} MB free in {shown}", kilobytes / 1024))
}

fn text(patients: &[Patient]) -> String {
    let mut out = String::new();
    let width = patients.iter().flat_map(|patient| &patient.needs).map(|need| need.name.len()).max().unwrap_or(0);
    for Patient { name, needs } in patients {
        let state = if needs.iter().any(Need::is_missing) { "something is missing" } else { "ready" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name}: {state}");
        for Need { name, purpose, found, install, optional } in needs {
            let _ = match found {
                Ok(version) => writeln!(out, "  {name:<width$}  {version}"),
                Err(why) => {
                    let mark = if *optional { "not there, and not necessary" } else { "MISSING" };
                    writeln!(out, "  {name:<width$}  {mark}: {why}\n  {:<width$}  for {purpose}: {install}", "")
                }
            };
        }
    }
    out
}

fn document(patients: &[Patient]) -> String {
    let need = |need: &Need| {
        json!({
            "name": need.name,
            "purpose": need.purpose,
            "found": need.found.is_ok(),
            "version": need.found.as_ref().ok(),
            "missing": need.found.as_ref().err(),
            "install": need.install,
            "optional": need.optional,
        })
    };
    let patient = |patient: &Patient| {
        let ready = !patient.needs.iter().any(Need::is_missing);
        json!({ "language": patient.name, "ready": ready, "needs": patient.needs.iter().map(need).collect::<Vec<_>>() })
    };
    let all = json!({ "xcute": env!("CARGO_PKG_VERSION"), "languages": patients.iter().map(patient).collect::<Vec<_>>() });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_what_it_needs_and_how_to_get_it() {
        for language in language::ALL {
            let name = language.command().get_name().to_owned();
            let needs = language.needs();
            assert!(needs.iter().any(|need| !need.optional), "{name} works without anything");
            assert!(needs.iter().all(|need| !need.install.is_empty() && !need.purpose.is_empty()), "{name}");
        }
        assert!(chosen(&["cobol".to_owned()]).is_err());
    }

    #[test]
    fn what_is_missing_comes_with_the_command() {
        let gone = Need::new("tea", "drinking", "apt-get install tea", Err("no tea".to_owned()));
        let patients = [Patient { name: "british".to_owned(), needs: vec![gone.clone(), gone.optional()] }];
        let said = text(&patients);
        assert!(
            said.contains("british: something is missing") && said.contains("MISSING: no tea") && said.contains("apt-get install tea"),
            "{said}"
        );
        assert!(said.contains("not necessary: no tea"), "{said}");
        assert!(document(&patients).contains("\"ready\": false"));
    }
}
