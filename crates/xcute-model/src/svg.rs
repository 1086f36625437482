//! What all pictures begin with: their size, their colours, and the head of an arrow.

use maud::{Markup, PreEscaped, html};

const STYLE: &str = ".state{fill:#eef4ff;stroke:#446}.covered{fill:#dfd;stroke:#080}.missed{fill:#fdd;stroke:#c00}.edge{fill:none;stroke:#555}\
    .last{fill:#fdd;stroke:#c00;stroke-width:2}.taken{stroke:#080;stroke-width:2}.untaken{stroke:#c00;stroke-dasharray:4 3}.dashed{stroke-dasharray:4 3}.lane{stroke:#bbb}.label{font-size:11px;fill:#333}\
    .untold{font-size:11px;fill:#c00}.point{fill:#555}";

/// A picture of this size.
pub(crate) fn picture((width, height): (usize, usize), content: &Markup) -> String {
    let around = format!("0 0 {width} {height}");
    xcute_markup::document(html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(around) font-family="sans-serif" font-size="12" { "\n"
            style { (PreEscaped(STYLE)) } "\n"
            defs {
                marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse" {
                    path d="M0 0L10 5L0 10z" fill="#555" {}
                }
            } "\n"
            rect width="100%" height="100%" fill="#fff" {} "\n"
            (content)
        } "\n"
    })
}
