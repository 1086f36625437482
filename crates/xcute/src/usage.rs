//! A command line that was not understood, in one line: what is wrong, and what may have been meant.
//!
//! **Invariant.** It is made of what the parser knows about the mistake, not of the text that the parser prints.

use std::error::Error as _;
use std::fmt::Write as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What is wrong with a command line, in one line.
pub fn complaint(error: &Error) -> String {
    let tip = tip(error).unwrap_or_else(|| "see xcute --help".to_owned());
    let line = format!("{} ({tip})", what(error));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn what(error: &Error) -> String {
    let text = |kind| one(error, kind);
    let argument = text(ContextKind::InvalidArg);
    let (value, command) = (text(ContextKind::InvalidValue), text(ContextKind::InvalidSubcommand));
    match (error.kind(), argument, value, command) {
        (ErrorKind::UnknownArgument, Some(argument), ..) => format!("unexpected argument '{argument}' found"),
        (ErrorKind::InvalidSubcommand, _, _, Some(command)) => format!("unrecognized subcommand '{command}'"),
        (ErrorKind::NoEquals, Some(argument), ..) => format!("equal sign is needed when assigning values to '{argument}'"),
        (ErrorKind::InvalidValue, Some(argument), Some(""), _) => {
            format!("a value is required for '{argument}' but none was supplied{}", values(error))
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value), _) => format!("invalid value '{value}' for '{argument}'{}", values(error)),
        (ErrorKind::ValueValidation, Some(argument), Some(value), _) => {
            let why = error.source().map_or_else(String::new, |why| format!(": {why}"));
            format!("invalid value '{value}' for '{argument}'{why}")
        }
        (ErrorKind::TooManyValues, Some(argument), Some(value), _) => {
            format!("unexpected value '{value}' for '{argument}' found; no more were expected")
        }
        (ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues, Some(argument), ..) => {
            let (wanted, given) =
                (number(error, &[ContextKind::MinValues, ContextKind::ExpectedNumValues]), number(error, &[ContextKind::ActualNumValues]));
            format!("'{argument}' takes {wanted} values, but has {given}")
        }
        (ErrorKind::MissingRequiredArgument, ..) => {
            format!("the following required arguments were not provided: {}", several(error, ContextKind::InvalidArg).join(" "))
        }
        (ErrorKind::ArgumentConflict, argument, _, command) => conflict(error, argument, command),
        (kind, ..) => kind.as_str().map_or_else(|| error.source().map_or_else(|| kind.to_string(), ToString::to_string), str::to_owned),
    }
}

fn conflict(error: &Error, argument: Option<&str>, command: Option<&str>) -> String {
    let mine =
        argument.map(|argument| format!("the argument '{argument}'")).or_else(|| command.map(|name| format!("the subcommand '{name}'")));
    let mine = mine.unwrap_or_else(|| "an argument".to_owned());
    let mut others = several(error, ContextKind::PriorArg);
    others.extend(one(error, ContextKind::PriorArg));
    if others.iter().any(|other| Some(*other) == argument) {
        return format!("{mine} cannot be used multiple times");
    }
    let quoted: Vec<String> = others.iter().map(|other| format!("'{other}'")).collect();
    let others = if quoted.is_empty() { "one or more of the other arguments".to_owned() } else { quoted.join(", ") };
    format!("{mine} cannot be used with {others}")
}

/// The values that are possible.
fn values(error: &Error) -> String {
    let values = several(error, ContextKind::ValidValue);
    if values.is_empty() { String::new() } else { format!(" [possible values: {}]", values.join(", ")) }
}

/// What may have been meant.
fn tip(error: &Error) -> Option<String> {
    for (kind, what) in
        [(ContextKind::SuggestedSubcommand, "subcommand"), (ContextKind::SuggestedArg, "argument"), (ContextKind::SuggestedValue, "value")]
    {
        let mut names = several(error, kind);
        names.extend(one(error, kind));
        match names[..] {
            [] => {}
            [name] => return Some(format!("a similar {what} exists: '{name}'")),
            _ => {
                let mut text = format!("some similar {what}s exist: ");
                names.iter().enumerate().for_each(|(at, name)| _ = write!(text, "{}'{name}'", if at == 0 { "" } else { ", " }));
                return Some(text);
            }
        }
    }
    match error.get(ContextKind::Suggested)? {
        ContextValue::StyledStrs(tips) => tips.first().map(ToString::to_string),
        _ => None,
    }
}

fn one(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn several(error: &Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

fn number(error: &Error, kinds: &[ContextKind]) -> isize {
    let number = |kind: &ContextKind| match error.get(*kind) {
        Some(ContextValue::Number(number)) => Some(*number),
        _ => None,
    };
    kinds.iter().find_map(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command};

    use super::*;

    #[test]
    fn mistakes_are_one_line() {
        let command = || {
            Command::new("toy").args([
                Arg::new("when").long("when").value_parser(["on", "off"]),
                Arg::new("depth").long("depth").value_parser(clap::value_parser!(u8)).conflicts_with("quiet"),
                Arg::new("quiet").long("quiet").action(ArgAction::SetTrue),
                Arg::new("pair").long("pair").num_args(2),
                Arg::new("few").long("few").num_args(2..),
                Arg::new("equals").long("equals").require_equals(true),
                Arg::new("file").value_name("FILE").required(true),
            ])
        };
        for (words, expected) in [
            (&["a", "--quite"][..], "unexpected argument '--quite' found (a similar argument exists: '--quiet')"),
            (&["a", "--zzz"], "unexpected argument '--zzz' found (to pass '--zzz' as a value, use '-- --zzz')"),
            (&["a", "b"], "unexpected argument 'b' found (see xcute --help)"),
            (&["a", "--when", "of"], "invalid value 'of' for '--when <when>' [possible values: on, off] (a similar value exists: 'off')"),
            (
                &["a", "--when"],
                "a value is required for '--when <when>' but none was supplied [possible values: on, off] (see xcute --help)",
            ),
            (&["a", "--depth", "soon"], "invalid value 'soon' for '--depth <depth>': invalid digit found in string (see xcute --help)"),
            (&["a", "--depth", "1", "--quiet"], "the argument '--depth <depth>' cannot be used with '--quiet' (see xcute --help)"),
            (&["a", "--quiet", "--quiet"], "the argument '--quiet' cannot be used multiple times (see xcute --help)"),
            (&["a", "--pair", "1"], "'--pair <pair> <pair>' takes 2 values, but has 1 (see xcute --help)"),
            (&["a", "--few", "1"], "'--few <few> <few>...' takes 2 values, but has 1 (see xcute --help)"),
            (&["a", "--equals", "1"], "equal sign is needed when assigning values to '--equals=<equals>' (see xcute --help)"),
            (&[], "the following required arguments were not provided: <FILE> (see xcute --help)"),
        ] {
            let refused = command().try_get_matches_from([&["toy"], words].concat()).unwrap_err();
            assert_eq!(complaint(&refused), expected, "{words:?}");
        }
        let refused = Command::new("toy").subcommand(Command::new("search")).try_get_matches_from(["toy", "serach"]).unwrap_err();
        assert_eq!(complaint(&refused), "unrecognized subcommand 'serach' (a similar subcommand exists: 'search')");
    }
}
