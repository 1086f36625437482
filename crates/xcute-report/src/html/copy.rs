//! Commands that can be copied.

use maud::{Markup, html};

/// A command with a button that copies it.
pub(super) fn command(text: &str) -> Markup {
    html! { span class="command" { code { (text) } button class="copy" data-copy=(text) title="Copy" { "copy" } } }
}
