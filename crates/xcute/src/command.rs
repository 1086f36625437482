//! The whole command line: the commands of all languages, their tools, and the verbs.
//!
//! **Invariant.** What a language demands may be left out with `--resume`: the recorded command line has it.

use std::ffi::OsString;

use anyhow::Result;
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _, Id, Subcommand as _};

use crate::arguments::{EXIT_CODES, OutputArguments, SearchArguments, Verb};
use crate::front::Language;
use crate::language;
use crate::version;

/// A search that was asked for.
pub struct Chosen {
    pub language: &'static dyn Language,
    pub matches: ArgMatches,
    pub search: SearchArguments,
    pub output: OutputArguments,
    /// Whether the command line says what to test.
    pub program: bool,
}

const ABOUT: &str = "Concolic unit testing: finds the inputs and thread schedules that break a function";

/// All that can be typed.
pub fn command() -> Command {
    let top = Command::new("xcute")
        .version(version::SHORT)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(language::ALL.iter().map(|language| search(*language)))
        .subcommands(language::ALL.iter().flat_map(|language| language.tools()).map(|tool| tool.command));
    // The list of verbs has a comment of its own, which would take the place of what is said here.
    Verb::augment_subcommands(top).about(ABOUT).after_help(format!("Examples:\n{}\n{EXIT_CODES}", examples()))
}

/// An example of each language, those of its tools above it: a program is built before it is run.
fn examples() -> String {
    let of = |language: &&dyn Language| {
        let mut all: Vec<&str> = language.tools().iter().filter_map(|tool| tool.example).collect();
        all.push(language.example());
        all
    };
    language::ALL.iter().flat_map(of).map(|example| format!("  xcute {example}\n")).collect()
}

/// The command of a language with the arguments that all searches have.
fn search(language: &dyn Language) -> Command {
    let own = language.command();
    let (about, after) = (own.get_about().cloned(), own.get_after_help().cloned());
    let may_resume = own.mut_args(|arg| match arg.is_required_set() {
        true => arg.required(false).required_unless_present("resume"),
        false => arg,
    });
    let whole = OutputArguments::augment_args(SearchArguments::augment_args(may_resume));
    let after = after.unwrap_or_default().to_string();
    let brief = format!("{after}\nAll options: xcute {} --help", whole.get_name());
    whole.about(about.unwrap_or_default()).after_help(brief).after_long_help(after)
}

/// The search that a subcommand asks for; `None` if it is not the command of a language.
pub fn chosen(name: &str, matches: &ArgMatches) -> Result<Option<Chosen>> {
    let Some((language, own)) =
        language::ALL.iter().map(|language| (*language, language.command())).find(|(_, own)| own.get_name() == name)
    else {
        return Ok(None);
    };
    let required: Vec<&Id> = own.get_arguments().filter(|arg| arg.is_required_set()).map(clap::Arg::get_id).collect();
    Ok(Some(Chosen {
        language,
        program: required.iter().any(|id| matches.contains_id(id.as_str())),
        search: SearchArguments::from_arg_matches(matches)?,
        output: OutputArguments::from_arg_matches(matches)?,
        matches: matches.clone(),
    }))
}

/// Reads a command line again, without the name of the tool; `None` if it is not a search.
pub fn parse(words: &[String]) -> Result<Option<Chosen>> {
    let words = std::iter::once("xcute").chain(words.iter().map(String::as_str)).map(OsString::from);
    let matches = command().try_get_matches_from(words)?;
    matches.subcommand().map_or(Ok(None), |(name, matches)| chosen(name, matches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    /// A screen is 50 lines of 100 columns. The stand-ins for compilers have the compiler's help.
    #[test]
    fn help_fits_a_screen_and_has_an_example() {
        let mut top = command();
        top.build();
        let help = top.render_help().to_string();
        assert!(help.lines().count() <= 50 && help.contains("Examples:"), "{help}");
        let stand_ins: Vec<String> =
            language::ALL.iter().flat_map(|language| language.tools()).map(|tool| tool.command.get_name().to_owned()).collect();
        for own in top.get_subcommands_mut().filter(|own| !stand_ins.contains(&own.get_name().to_owned())) {
            let (short, long) = (own.render_help().to_string(), own.render_long_help().to_string());
            assert!(short.lines().count() <= 50, "{} lines: {short}", short.lines().count());
            assert!(short.contains("Example") && long.contains("Example"), "{short}");
        }
    }

    /// The book has every option, and every name of `xcute.h`, somewhere.
    #[test]
    fn the_book_has_every_option() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "md"));
        let book: String = pages.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let words: std::collections::BTreeSet<&str> = book.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).collect();
        let mut missing = Vec::new();
        for own in command().get_subcommands() {
            let options = own.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(clap::Arg::get_long);
            let unknown = options.filter(|name| !words.contains(format!("--{name}").as_str()) && !SHORT.contains(name));
            missing.extend(unknown.map(|name| format!("xcute {} --{name}", own.get_name())));
        }
        let header = std::fs::read_to_string(root.join("runtimes/c/xcute.h")).unwrap();
        let names = header.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let public = |name: &&str| name.starts_with("xcute_") && !name.ends_with('_');
        missing.extend(names.filter(public).filter(|name| !words.contains(name)).map(str::to_owned));
        assert!(missing.is_empty(), "{missing:#?}");
    }

    /// The book has their short forms.
    const SHORT: &[&str] = &["quiet", "verbose"];

    #[test]
    fn every_language_can_go_on_without_a_program() {
        for language in language::ALL {
            let name = language.command().get_name().to_owned();
            let chosen = parse(&[name.clone(), "--resume".to_owned(), "out".to_owned()]).unwrap().unwrap();
            assert!(!chosen.program && chosen.output.resume.is_some(), "{name}");
            assert!(parse(std::slice::from_ref(&name)).is_err(), "{name}");
        }
        assert!(parse(&["report".to_owned()]).unwrap().is_none());
    }
}
