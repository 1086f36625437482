//! Colours for source lines: comments, strings, numbers and keywords.
//!
//! A page needs no parser: where a line is odd, its colours are, and nothing else. The text is never changed.
//!
//! **Invariant.** The pieces of a line, put together, are the line.

use maud::{Markup, html};

/// How a language writes things.
#[derive(Debug)]
pub(super) struct Rules {
    line_comment: &'static str,
    block_comment: Option<(&'static str, &'static str)>,
    /// What single characters are written with: `$a` in Erlang, `0'a` in Prolog.
    character: &'static str,
    keywords: &'static [&'static str],
}

const C: Rules = Rules {
    line_comment: "//",
    block_comment: Some(("/*", "*/")),
    character: "",
    keywords: &[
        "abstract",
        "alignas",
        "auto",
        "bool",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "constexpr",
        "continue",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "explicit",
        "extends",
        "extern",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "implements",
        "import",
        "inline",
        "instanceof",
        "int",
        "interface",
        "long",
        "namespace",
        "native",
        "new",
        "noexcept",
        "null",
        "nullptr",
        "NULL",
        "operator",
        "override",
        "package",
        "private",
        "protected",
        "public",
        "record",
        "register",
        "restrict",
        "return",
        "sealed",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "super",
        "switch",
        "synchronized",
        "template",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "using",
        "var",
        "virtual",
        "void",
        "volatile",
        "while",
        "yield",
    ],
};

const ERLANG: Rules = Rules {
    line_comment: "%",
    block_comment: None,
    character: "$",
    keywords: &[
        "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div", "else", "end",
        "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
    ],
};

const PROLOG: Rules = Rules {
    line_comment: "%",
    block_comment: Some(("/*", "*/")),
    character: "0'",
    keywords: &["is", "mod", "rem", "div", "dynamic", "discontiguous", "module", "use_module", "table", "initialization"],
};

const MODEL: Rules = Rules {
    line_comment: "//",
    block_comment: Some(("/*", "*/")),
    character: "",
    keywords: &[
        "attribute",
        "behaviour",
        "behavior",
        "capsule",
        "class",
        "connector",
        "else",
        "entry",
        "exit",
        "final",
        "if",
        "initial",
        "int",
        "on",
        "part",
        "port",
        "protocol",
        "sendData",
        "state",
        "stateMachine",
        "statemachine",
        "transition",
        "when",
        "in",
        "out",
    ],
};

/// The rules for a file, by its name.
pub(super) fn rules(path: &str) -> &'static Rules {
    match path.rsplit('.').next().unwrap_or_default() {
        "erl" | "hrl" | "core" => &ERLANG,
        "pl" | "pro" | "prolog" | "plt" => &PROLOG,
        "art" => &MODEL,
        _ => &C,
    }
}

/// Colours the lines of one file, in their order.
pub(super) struct Colours {
    rules: &'static Rules,
    /// Inside of a comment that began on a line before.
    within: bool,
}

impl Colours {
    pub(super) fn new(rules: &'static Rules) -> Colours {
        Colours { rules, within: false }
    }

    /// The next line.
    pub(super) fn line(&mut self, line: &str) -> Markup {
        html! { @for (class, text) in self.pieces(line) { @if class.is_empty() { (text) } @else { span class=(class) { (text) } } } }
    }

    /// The line in pieces, each with its class.
    fn pieces<'a>(&mut self, line: &'a str) -> Vec<(&'static str, &'a str)> {
        let (mut pieces, mut rest, mut plain) = (Vec::new(), line, line);
        while let Some(first) = rest.chars().next() {
            let (class, length) = self.piece(rest, first);
            if class.is_empty() {
                rest = &rest[length..];
                continue;
            }
            let before = &plain[..plain.len() - rest.len()];
            if !before.is_empty() {
                pieces.push(("", before));
            }
            pieces.push((class, &rest[..length]));
            rest = &rest[length..];
            plain = rest;
        }
        if !plain.is_empty() {
            pieces.push(("", plain));
        }
        pieces
    }

    /// What a text begins with, and how long that is.
    fn piece(&mut self, text: &str, first: char) -> (&'static str, usize) {
        let rules = self.rules;
        if self.within {
            let end = rules.block_comment.and_then(|(_, end)| text.find(end).map(|at| at + end.len()));
            self.within = end.is_none();
            return ("c", end.unwrap_or(text.len()));
        }
        if text.starts_with(rules.line_comment) {
            return ("c", text.len());
        }
        if let Some((begin, _)) = rules.block_comment.filter(|(begin, _)| text.starts_with(begin)) {
            self.within = true;
            let (_, rest) = self.piece(&text[begin.len()..], first);
            return ("c", begin.len() + rest);
        }
        if !rules.character.is_empty() && text.starts_with(rules.character) {
            let rest = text[rules.character.len()..].chars();
            let escaped = usize::from(text[rules.character.len()..].starts_with('\\'));
            return ("s", rules.character.len() + rest.take(1 + escaped).map(char::len_utf8).sum::<usize>());
        }
        match first {
            '"' | '\'' => ("s", quoted(text, first)),
            _ if first.is_ascii_digit() => ("n", word(text)),
            _ if first.is_alphanumeric() || first == '_' => {
                let length = word(text);
                (if rules.keywords.contains(&&text[..length]) { "k" } else { "" }, length)
            }
            _ => ("", first.len_utf8()),
        }
    }
}

/// How long a quoted text is: to its end, or to that of the line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, lines: &[&str]) -> Vec<String> {
        let mut colours = Colours::new(rules(path));
        let shown = |(class, text): (&str, &str)| if class.is_empty() { text.to_owned() } else { format!("[{class}:{text}]") };
        lines.iter().map(|line| colours.pieces(line).into_iter().map(shown).collect()).collect()
    }

    #[test]
    fn pieces_have_classes() {
        assert_eq!(
            of("a.c", &["int x1 = 0x1f; // if", "char c = '\\'', *s = \"a\\\"/*b\";"]),
            ["[k:int] x1 = [n:0x1f]; [c:// if]", "[k:char] c = [s:'\\''], *s = [s:\"a\\\"/*b\"];"]
        );
        assert_eq!(of("a.java", &["/* one", "if */ if (é)", "/**/x"]), ["[c:/* one]", "[c:if */] [k:if] (é)", "[c:/**/]x"]);
        assert_eq!(of("a.erl", &["f($\\n, $é) when X -> 'it' % end"]), ["f([s:$\\n], [s:$é]) [k:when] X -> [s:'it'] [c:% end]"]);
        assert_eq!(of("a.pl", &["p(0'a, \"open"]), ["p([s:0'a], [s:\"open]"]);
    }
}
