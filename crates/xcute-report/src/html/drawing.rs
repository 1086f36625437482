//! Pictures that a front end drew.
//!
//! **Invariant.** A picture is an image of its own, inside of the page: its styles and names do not meet those of the page, and nothing in it can run.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::section::Picture;

/// A picture under its title.
pub(super) fn drawing(picture: &Picture) -> Markup {
    html! {
        h3 { (picture.title) } "\n"
        div class="drawing" { img src={ "data:image/svg+xml," (encoded(&picture.svg)) } alt=(picture.title); } "\n"
    }
}

/// A text as part of a URL.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b' ' | b'/' | b':' | b'=' | b',' | b';' | b'(' | b')' => {
                out.push(byte.into());
            }
            // Writing to a string cannot fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_cannot_leave_its_place() {
        let page = drawing(&Picture { of: None, title: "<b>".into(), svg: "<svg onload=\"alert('é')\"/>#".into() }).into_string();
        assert!(page.contains("%3Csvg onload=%22alert(%27%C3%A9%27)%22/%3E%23"), "{page}");
        assert!(!page.contains("<svg") && page.contains("&lt;b&gt;"), "{page}");
    }
}
