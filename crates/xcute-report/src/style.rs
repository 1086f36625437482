//! How text may look: colours for terminals, or none, and how wide it may be.

/// Wraps text in ANSI escapes if it is to be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours at all.
    pub coloured: bool,
    /// How many columns pictures may take.
    pub width: usize,
}

impl Style {
    /// Text as it is.
    pub const PLAIN: Style = Style { coloured: false, width: 100 };

    /// All escapes that styled text has.
    pub const COLOURS: [&str; 6] = ["\x1b[1;31m", "\x1b[1;32m", "\x1b[33m", "\x1b[34m", "\x1b[1m", "\x1b[0m"];

    /// What went wrong.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// What is well.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// What needs a look.
    #[must_use]
    pub fn warning(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// Line numbers, arrows, labels.
    #[must_use]
    pub fn frame(self, text: &str) -> String {
        self.wrap("34", text)
    }

    /// The important words.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.coloured && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
