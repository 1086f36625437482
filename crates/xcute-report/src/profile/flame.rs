//! A profile as a flame graph: a box for each phase, as wide as its time, upon the phase around it.
//!
//! **Invariant.** One picture that loads nothing, light or dark as the system is; each box says its time where the pointer rests on it.

use std::time::Duration;

use maud::{Markup, html};
use xcute_markup::{Tenths, xml};
use xcute_term::profile::Profile;

use super::Node;

const WIDTH: f64 = 1200.0;
const ROW: f64 = 20.0;
/// Room around the boxes; above them is the title.
const MARGIN: f64 = 10.0;
const TITLE: f64 = 36.0;
/// About what a character needs.
const CHARACTER: f64 = 7.0;
/// Narrower boxes cannot be seen.
const THIN: f64 = 0.1;

const STYLE: &str = "text { font: 12px sans-serif; fill: #222; } .title { font-size: 16px; } rect { stroke: #fff; stroke-width: .5; } \
.ground { fill: #fff; stroke: none; } g:hover > rect { stroke: #000; stroke-width: 1; } .c0 { fill: #f4a261; } .c1 { fill: #e9c46a; } .c2 { fill: #e98f6f; } .c3 { fill: #f2b880; } \
@media (prefers-color-scheme: dark) { .title { fill: #ddd; } .ground { fill: #1b1b1b; } rect { stroke: #1b1b1b; } g:hover > rect { stroke: #fff; } }";

/// A box: where it begins, in seconds from the left, and how high it stands.
struct Place<'a> {
    name: &'a str,
    node: &'a Node<'a>,
    from: f64,
    row: usize,
}

/// Draws the graph; `of` says what was searched.
#[must_use]
pub fn flame_graph(profile: &Profile, of: &str) -> String {
    let root = Node::root(profile);
    let scale = WIDTH / root.whole.as_secs_f64().max(1e-9);
    let mut places = Vec::new();
    stack(&root, 0.0, 0, scale, &mut places);
    let rows = places.iter().map(|place| place.row + 1).max().unwrap_or(0);
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let height = TITLE + rows as f64 * ROW + MARGIN;
    let width = WIDTH + 2.0 * MARGIN;
    xml(html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" { "\n"
            title { "Where the time went: " (of) } "\n"
            style { (STYLE) } "\n"
            rect class="ground" width=(width) height=(height) {} "\n"
            text class="title" x=(MARGIN) y="24" { "Where the time went: " (of) ", " (format!("{:.2}", root.whole.as_secs_f64())) " s" } "\n"
            @for place in &places { (boxed(place, scale, height, root.whole)) "\n" }
        }
    })
}

/// Places what is inside a phase next to each other, the longest first.
fn stack<'a>(node: &'a Node<'a>, from: f64, row: usize, scale: f64, places: &mut Vec<Place<'a>>) {
    let mut from = from;
    for (name, inner) in node.longest_first() {
        let seconds = inner.whole.as_secs_f64();
        if seconds * scale >= THIN {
            places.push(Place { name, node: inner, from, row });
            stack(inner, from, row + 1, scale, places);
        }
        from += seconds;
    }
}

fn boxed(place: &Place<'_>, scale: f64, height: f64, all: Duration) -> Markup {
    let Place { name, node, from, row } = place;
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let (x, y) = (MARGIN + from * scale, height - MARGIN - (*row as f64 + 1.0) * ROW);
    let (wide, seconds, own) = (node.whole.as_secs_f64() * scale, node.whole.as_secs_f64(), node.own.as_secs_f64());
    let said = format!("{name}: {seconds:.3} s, {:.1} %; {own:.3} s of its own; entered {} times", 100.0 * node.part_of(all), node.times);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width in characters")]
    let room = (wide / CHARACTER) as usize;
    html! {
        g {
            title { (said) }
            rect class={ "c" (name.bytes().map(usize::from).sum::<usize>() % 4) } x=(Tenths(x)) y=(Tenths(y)) width=(Tenths(wide)) height=(Tenths(ROW)) {}
            @if room > name.chars().count() { text x=(Tenths(x + 4.0)) y=(Tenths(y + 14.0)) { (name) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_as_wide_as_their_time_and_stand_on_what_is_around_them() {
        let svg = flame_graph(&crate::profile::tests::sample(), "f<T>");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let number = |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let find = |name: &str| {
            let named = |node: &roxmltree::Node<'_, '_>| {
                node.has_tag_name("g") && node.first_element_child().unwrap().text().unwrap().starts_with(name)
            };
            let group = document.descendants().find(named).unwrap();
            group.children().find(|child| child.has_tag_name("rect")).unwrap()
        };
        let (searching, subject, building) = (find("searching:"), find("subject:"), find("building:"));
        assert!((number(searching, "width") - 720.0).abs() < 0.1 && (number(building, "x") - 730.0).abs() < 0.1, "{svg}");
        assert!((number(searching, "y") - number(subject, "y") - ROW).abs() < 0.1, "{svg}");
        assert!(
            svg.contains("f&lt;T&gt;, 1.00 s") && svg.contains("subject: 0.599 s, 59.9 %; 0.500 s of its own; entered 1000 times"),
            "{svg}"
        );
        assert!(roxmltree::Document::parse(&flame_graph(&Profile::default(), "f")).is_ok());
    }
}
