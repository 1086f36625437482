//! The flags of `set_prolog_flag/2` that change how text is read, and how terms are unified.

/// What text in quotes stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextFlag {
    /// A string object.
    #[default]
    String,
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
}

impl TextFlag {
    /// By its name in Prolog.
    pub fn named(name: &str) -> Option<TextFlag> {
        match name {
            "string" => Some(TextFlag::String),
            "codes" => Some(TextFlag::Codes),
            "chars" => Some(TextFlag::Chars),
            "atom" => Some(TextFlag::Atom),
            _ => None,
        }
    }
}

/// How text is read, and terms are unified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The flag `double_quotes`.
    pub double_quotes: TextFlag,
    /// The flag `occurs_check`.
    pub occurs_check: bool,
}
