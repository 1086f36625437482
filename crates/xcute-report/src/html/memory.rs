//! The input of a failure as a memory graph: objects as boxes, pointers as arrows.
//!
//! Front ends name inputs by how one gets to them (`p->next`, `list.head`), say `new T` where an object begins, and give a pointer to an object that is there
//! already the name of that object. That is all that is needed to draw it.
//!
//! **Invariant.** It needs no script and no colour of its own. An input without objects has no picture; everything in the picture is in the table next to it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::report::InputValue;

/// With more objects than this there is no picture: a table is easier to read.
const MOST: usize = 24;
/// The width of a character, and the height of a line.
const CHARACTER: usize = 8;
const LINE: usize = 20;
/// Between boxes.
const GAP: usize = 56;
const ABOVE: usize = 18;

/// A box: an object, or the parameters.
struct Object<'a> {
    /// How one gets there; empty for the parameters.
    name: &'a str,
    title: String,
    rows: Vec<Slot<'a>>,
    /// How many pointers away from the parameters.
    depth: usize,
}

/// A line of a box.
struct Slot<'a> {
    label: String,
    /// The text, or the box that it points to.
    value: Result<&'a str, usize>,
}

/// Draws the objects of an input; nothing where there are none.
pub(super) fn graph(inputs: &[InputValue]) -> Markup {
    let names: BTreeMap<&str, usize> = inputs.iter().filter(|input| is_new(input)).map(|input| input.name.as_str()).zip(1..).collect();
    if names.is_empty() || names.len() > MOST {
        return Markup::default();
    }
    let objects = objects(inputs, &names);
    draw(&objects)
}

fn is_new(input: &InputValue) -> bool {
    input.value.starts_with("new ") && !input.name.is_empty()
}

fn objects<'a>(inputs: &'a [InputValue], names: &BTreeMap<&'a str, usize>) -> Vec<Object<'a>> {
    let mut objects = vec![Object { name: "", title: "inputs".to_owned(), rows: Vec::new(), depth: 0 }];
    let new = inputs.iter().filter(|input| is_new(input));
    objects.extend(new.map(|input| Object {
        name: &input.name,
        title: input.value["new ".len()..].to_owned(),
        rows: Vec::new(),
        depth: 0,
    }));
    for input in inputs.iter().filter(|input| !input.name.is_empty()) {
        let owner = owner(&input.name, names);
        let label = input.name[objects[owner].name.len()..].trim_start_matches(['-', '>', '.']).to_owned();
        let value =
            match names.get(input.name.as_str()).filter(|_| is_new(input)).or_else(|| names.get(input.value.trim_start_matches('&'))) {
                Some(&to) => Err(to),
                None => Ok(input.value.as_str()),
            };
        if let Err(to) = value
            && is_new(input)
        {
            objects[to].depth = objects[owner].depth + 1;
        }
        objects[owner].rows.push(Slot { label, value });
    }
    objects
}

/// The object that a name is within: the longest one that it goes on from.
fn owner(name: &str, names: &BTreeMap<&str, usize>) -> usize {
    let ends = name.char_indices().rev().filter(|(_, c)| matches!(c, '-' | '.' | '[')).map(|(at, _)| at);
    ends.filter_map(|at| names.get(&name[..at])).next().copied().unwrap_or(0)
}

/// The rows of boxes of which some are wide.
fn draw(objects: &[Object<'_>]) -> Markup {
    let width = |object: &Object<'_>| {
        let rows = object.rows.iter().map(|row| row.label.chars().count() + row.value.map_or(2, |text| text.chars().count()) + 6);
        rows.chain([object.title.chars().count() + 2]).max().unwrap_or(0) * CHARACTER
    };
    let height = |object: &Object<'_>| (object.rows.len() + 1) * LINE + 6;
    let deepest = objects.iter().map(|object| object.depth).max().unwrap_or(0);
    let mut places = vec![(0, 0); objects.len()];
    let (mut left, mut bottom) = (4, 0);
    for depth in 0..=deepest {
        let (mut top, mut widest) = (ABOVE, 0);
        for (at, object) in objects.iter().enumerate().filter(|(_, object)| object.depth == depth) {
            places[at] = (left, top);
            top += height(object) + ABOVE;
            widest = widest.max(width(object));
        }
        bottom = bottom.max(top);
        left += widest + GAP;
    }
    html! {
        div class="memory" {
            svg width=(left) height=(bottom) viewBox={ "0 0 " (left) " " (bottom) } role="img" aria-label="The input as objects and pointers" { "\n"
                @for (object, &(x, y)) in objects.iter().zip(&places).filter(|(object, _)| !object.rows.is_empty() || !object.name.is_empty()) {
                    rect x=(x) y=(y) width=(width(object)) height=(height(object)) rx="4" {} "\n"
                    text class="title" x=(x + 8) y=(y + LINE - 5) { (object.title) } "\n"
                    @for (row, slot) in (2..).zip(&object.rows) {
                        text x=(x + 8) y=(y + row * LINE - 3) { (slot.label) @if let Ok(text) = slot.value { " = " (text) } } "\n"
                        @if let Err(to) = slot.value { (arrow((x + width(object), y + row * LINE - 8), places[to])) }
                    }
                }
            }
        } "\n"
    }
}

/// From the right edge of a box to the left edge, or the top, of another.
fn arrow((x1, y1): (usize, usize), (left, top): (usize, usize)) -> Markup {
    let path = if left > x1 {
        let (bend, y2) = (x1 + GAP / 2, top + LINE / 2);
        format!("M{} {y1} C{bend} {y1} {bend} {y2} {left} {y2}", x1 - 10)
    } else {
        // Back to one that is there already.
        let (x2, bend) = (left + 24, x1 + GAP / 2);
        format!("M{} {y1} C{bend} {y1} {bend} {} {x2} {} L{x2} {top}", x1 - 10, top.saturating_sub(ABOVE), top.saturating_sub(ABOVE - 4))
    };
    html! { circle cx=(x1 - 10) cy=(y1) r="3" {} path class="arrow" d=(path) marker-end="url(#to)" {} "\n" }
}

/// The head of all arrows of the page.
pub(super) fn arrow_head() -> Markup {
    html! {
        svg class="defs" width="0" height="0" aria-hidden="true" {
            defs { marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" { path d="M0 0 L8 4 L0 8 z" {} } }
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(all: &[(&str, &str)]) -> Vec<InputValue> {
        all.iter().map(|(name, value)| InputValue { name: (*name).into(), value: (*value).into() }).collect()
    }

    #[test]
    fn pointers_lead_to_objects() {
        let all = inputs(&[
            ("p", "new struct cell"),
            ("x", "7"),
            ("p->next", "new struct cell"),
            ("p->next->next", "p"),
            ("p->next->v", "3"),
            ("p->a[1]", "NULL"),
        ]);
        let names = all.iter().filter(|input| is_new(input)).map(|input| input.name.as_str()).zip(1..).collect();
        let shown: Vec<String> = objects(&all, &names)
            .iter()
            .map(|object| {
                let rows = object.rows.iter().map(|slot| match slot.value {
                    Ok(text) => format!("{}={text}", slot.label),
                    Err(to) => format!("{}->{to}", slot.label),
                });
                format!("{}@{}: {}", object.title, object.depth, rows.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(shown, ["inputs@0: p->1 x=7", "struct cell@1: next->2 a[1]=NULL", "struct cell@2: next->1 v=3"]);
    }

    #[test]
    fn what_has_no_objects_has_no_picture() {
        assert_eq!(graph(&inputs(&[("x", "7")])).0, "");
        let many: Vec<_> = (0..40).map(|n| InputValue { name: format!("p{n}"), value: "new struct cell".into() }).collect();
        assert_eq!(graph(&many).0, "");
        assert!(graph(&many[..3]).0.contains("<rect"));
    }
}
