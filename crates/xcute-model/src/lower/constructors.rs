//! Whether a class declares a constructor of its own: then it does not get the usual one.

use crate::cpp::{Tok, lex};
use crate::ir::{Snippet, SnippetKind};

/// Looks for `NAME(` among the declarations of a class.
pub fn has(snippets: &[Snippet], class: &str) -> bool {
    snippets.iter().filter(|snippet| snippet.kind == SnippetKind::Decl).any(|snippet| declares(&snippet.code.text, class))
}

fn declares(text: &str, class: &str) -> bool {
    let tokens = lex(text);
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is("{") || token.is("(")) - i32::from(token.is("}") || token.is(")"));
        let called = tokens.get(at + 1).is_some_and(|next| next.is("("));
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let other = before.is_some_and(|token| token.is("~") || token.is("::") || token.is("new") || token.is("="));
        if depth == 0 && called && !other && *token == Tok::Word(class) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn constructors_are_told_from_calls_and_destructors() {
        for (text, expected) in [
            ("public: Top(RTController *c, RTActorRef *r) : SUPER(c, r) {}", true),
            ("explicit Top(int);", true),
            ("virtual ~Top();", false),
            ("void f() { Top(1, 2); } Top *next;", false),
            ("Topper(int);", false),
        ] {
            assert_eq!(declares(text, "Top"), expected, "{text}");
        }
    }
}
