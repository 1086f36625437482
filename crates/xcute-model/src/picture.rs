//! The state machine as SVG, with what was covered, or with the way of one run.
//!
//! The states of a region are laid out in layers by the crate `layout`; a composite state is laid out first and is then a node of the
//! region around it. Nothing crosses a border: a transition belongs to one region, and where it leads to a point of a state it
//! is drawn to the state.
//!
//! **Invariant.** Every state and transition of the machine is drawn.

use std::collections::HashMap;
use std::fmt::Write as _;

use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element as Node, ShapeKind};
use layout::topo::layout::VisualGraph;
use maud::{Markup, html};
use xcute_markup::Tenths;

use crate::elements::Elements;
use crate::flat::{Edge, Machine, Target, VertexId, VertexKind};
use crate::svg::picture;
use crate::trace::{Event, Kind, Trace};

/// Draws the machine.
#[must_use]
pub fn machine(machine: &Machine, elements: &Elements) -> String {
    drawn(&Drawing { machine, elements, last: None })
}

/// Draws the machine with what one run of the capsule came to; the state that it was in last stands out.
#[must_use]
pub fn run(machine: &Machine, trace: &Trace, capsule: &str) -> String {
    let entered = |event: &&Event| event.kind == Kind::Enter && event.capsule.as_deref() == Some(capsule);
    let last = trace.events.iter().rfind(entered).and_then(|event| event.state.as_deref()).unwrap_or_default();
    drawn(&Drawing { machine, elements: &Elements::of_run(machine, trace, capsule), last: Some(last) })
}

fn drawn(drawing: &Drawing<'_>) -> String {
    let Region { width, height, content } = drawing.region(None);
    let size = (pixels(width + 2.0 * MARGIN), pixels(height + 2.0 * MARGIN));
    picture(size, &html! { g transform={ "translate(" (MARGIN) " " (MARGIN) ")" } { "\n" (content) } "\n" })
}

const MARGIN: f64 = 12.0;
/// The width of a character, and the height of a line.
const CHARACTER: f64 = 7.5;
const LINE: f64 = 16.0;

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a picture is small")]
fn pixels(length: f64) -> usize {
    length.max(0.0).ceil() as usize
}

#[allow(clippy::cast_precision_loss, reason = "a name is short")]
fn wide(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// A region that was laid out.
struct Region {
    width: f64,
    height: f64,
    content: Markup,
}

struct Drawing<'a> {
    machine: &'a Machine,
    elements: &'a Elements,
    /// For the way of one run: the path of the state that it was in last. `None`: what was covered is drawn.
    last: Option<&'a str>,
}

/// A node of a region.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum At {
    Vertex(VertexId),
    /// A point of the state around the region, or its history.
    Point(VertexId),
    History,
}

impl Drawing<'_> {
    fn region(&self, parent: Option<VertexId>) -> Region {
        let inside: Vec<VertexId> =
            self.machine.ids().filter(|id| self.machine.vertex(*id).parent == parent && !self.is_point(*id)).collect();
        let mut nested = HashMap::new();
        let mut graph = VisualGraph::new(Orientation::TopToBottom);
        let mut nodes = HashMap::new();
        let mut names: Vec<At> = Vec::new();
        let mut add = |graph: &mut VisualGraph, names: &mut Vec<At>, at: At, size: (f64, f64), round: bool| {
            *nodes.entry(at).or_insert_with(|| {
                let shape = if round { ShapeKind::new_circle("") } else { ShapeKind::new_box("") };
                names.push(at);
                let node = Node::create_with_properties(
                    shape,
                    StyleAttr::simple(),
                    Orientation::TopToBottom,
                    Point::new(size.0, size.1),
                    (names.len() - 1).to_string(),
                );
                graph.add_node(node)
            })
        };
        for id in &inside {
            let composite = self.machine.ids().any(|other| self.machine.vertex(other).parent == Some(*id) && !self.is_point(other));
            if composite {
                nested.insert(*id, self.region(Some(*id)));
            }
            let (size, round) = self.size(*id, nested.get(id));
            add(&mut graph, &mut names, At::Vertex(*id), size, round);
        }
        let own = |edge: &&(usize, &Edge)| edge.1.owner == parent && edge.1.target != Target::Internal;
        let edges: Vec<(usize, &Edge)> = self.machine.edges.iter().enumerate().collect();
        for (number, edge) in edges.iter().filter(own) {
            let ends = [
                self.end(edge.source, &inside),
                match edge.target {
                    Target::Vertex(to) => self.end(to, &inside),
                    _ => At::History,
                },
            ];
            let [from, to] = ends.map(|at| add(&mut graph, &mut names, at, (14.0, 14.0), true));
            graph.add_edge(Arrow::simple_with_properties(&edge.name.clone().unwrap_or_default(), number.to_string()), from, to);
        }
        if names.is_empty() {
            return Region { width: 0.0, height: 0.0, content: Markup::default() };
        }
        let mut canvas = Canvas::default();
        graph.do_it(false, false, false, &mut canvas);
        self.render(&canvas, &names, &nested)
    }

    /// How the name of a transition is written.
    fn label(&self, taken: bool) -> &'static str {
        if taken || self.last.is_some() { "label" } else { "untold" }
    }

    fn is_point(&self, id: VertexId) -> bool {
        matches!(self.machine.vertex(id).kind, VertexKind::EntryPoint | VertexKind::ExitPoint)
    }

    /// The node that stands for an end of an edge.
    fn end(&self, id: VertexId, inside: &[VertexId]) -> At {
        let state = self.machine.vertex(id).parent.filter(|_| self.is_point(id));
        match state.filter(|state| inside.contains(state)) {
            Some(state) => At::Vertex(state),
            None if inside.contains(&id) => At::Vertex(id),
            None => At::Point(id),
        }
    }

    /// The internal transitions of a state.
    fn internal(&self, id: VertexId) -> impl Iterator<Item = (usize, &Edge)> {
        self.machine.edges.iter().enumerate().filter(move |(_, edge)| edge.owner == Some(id) && edge.target == Target::Internal)
    }

    fn size(&self, id: VertexId, nested: Option<&Region>) -> ((f64, f64), bool) {
        let vertex = self.machine.vertex(id);
        if vertex.kind != VertexKind::State {
            let side = if vertex.kind == VertexKind::Initial { 14.0 } else { 24.0 };
            return ((side, side), true);
        }
        let internal: Vec<f64> = self.internal(id).map(|(_, edge)| wide(name(edge))).collect();
        let (mut width, mut height) = (internal.iter().copied().fold(wide(&vertex.name), f64::max) + 24.0, 22.0);
        height += internal.iter().map(|_| LINE).sum::<f64>() + 8.0;
        if let Some(region) = nested {
            width = width.max(region.width + 2.0 * MARGIN);
            height += region.height + 2.0 * MARGIN;
        }
        ((width, height), false)
    }

    fn render(&self, canvas: &Canvas, names: &[At], nested: &HashMap<VertexId, Region>) -> Region {
        let (left, top) = canvas.corner();
        let (mut drawn, mut right, mut bottom) = (Vec::new(), 0.0_f64, 0.0_f64);
        for (node, x, y, width, height) in &canvas.nodes {
            let (x, y) = (x - left, y - top);
            (right, bottom) = (right.max(x + width), bottom.max(y + height));
            drawn.push(self.node(names[*node], (x, y, *width, *height), nested));
        }
        for (number, path, backwards) in &canvas.arrows {
            let untaken = !self.elements.transitions.get(*number).is_some_and(|element| element.covered);
            let mut data = String::new();
            for (nth, (end, control)) in path.iter().enumerate() {
                let (x, y, cx, cy) = (end.x - left, end.y - top, control.x - left, control.y - top);
                (right, bottom) = (right.max(x).max(cx), bottom.max(y).max(cy));
                // The first pair is a point and its control; each other one is the control and point where a piece ends.
                let _ = match nth {
                    0 => write!(data, "M{x:.1} {y:.1}C{cx:.1} {cy:.1} "),
                    1 => write!(data, "{x:.1} {y:.1} {cx:.1} {cy:.1}"),
                    _ => write!(data, "S{x:.1} {y:.1} {cx:.1} {cy:.1}"),
                };
            }
            let class = match (self.last, untaken) {
                (None, true) => "edge untaken",
                (None, false) | (Some(_), true) => "edge",
                (Some(_), false) => "edge taken",
            };
            let (start, end) = (backwards.then_some("url(#head)"), (!backwards).then_some("url(#head)"));
            drawn.push(html! { path class=(class) d=(data) marker-start=[start] marker-end=[end] {} "\n" });
        }
        for (x, y, label) in &canvas.labels {
            let (x, y) = (x - left, y - top);
            right = right.max(x + wide(label) / 2.0);
            let missed =
                self.elements.transitions.iter().zip(&self.machine.edges).any(|(element, edge)| !element.covered && name(edge) == label);
            let class = self.label(!missed);
            drawn.push(html! { text class=(class) x=(Tenths(x)) y=(Tenths(y + 4.0)) text-anchor="middle" { (label) } "\n" });
        }
        Region { width: right, height: bottom, content: html! { @for one in drawn { (one) } } }
    }

    fn node(&self, at: At, (x, y, width, height): (f64, f64, f64, f64), nested: &HashMap<VertexId, Region>) -> Markup {
        let (cx, cy) = (x + width / 2.0, y + height / 2.0);
        let small = |label: &str| {
            html! {
                circle class="point" cx=(Tenths(cx)) cy=(Tenths(cy)) r="6" {} "\n"
                @if !label.is_empty() { text class="label" x=(Tenths(cx + 9.0)) y=(Tenths(cy + 4.0)) { (label) } "\n" }
            }
        };
        let id = match at {
            At::Vertex(id) => id,
            At::Point(id) => return small(&self.machine.vertex(id).name),
            At::History => return small("H*"),
        };
        let vertex = self.machine.vertex(id);
        match vertex.kind {
            VertexKind::State => self.state(id, (x, y, width, height), nested.get(&id)),
            VertexKind::Initial => small(""),
            _ => {
                let half = 12.0;
                let (top, right, bottom, left) = (cy - half, cx + half, cy + half, cx - half);
                let diamond = format!("M{cx:.1} {top:.1}L{right:.1} {cy:.1}L{cx:.1} {bottom:.1}L{left:.1} {cy:.1}z");
                html! {
                    path class="state" d=(diamond) {} "\n"
                    text class="label" x=(Tenths(right + 3.0)) y=(Tenths(cy + 4.0)) { (vertex.name) } "\n"
                }
            }
        }
    }

    fn state(&self, id: VertexId, (x, y, width, height): (f64, f64, f64, f64), nested: Option<&Region>) -> Markup {
        let number = self.machine.states().position(|other| other == id);
        let covered = number.and_then(|number| self.elements.states.get(number)).is_some_and(|element| element.covered);
        let class = match self.last {
            Some(last) if last == self.machine.vertex(id).path => "last",
            Some(_) if !covered => "state",
            None if !covered => "missed",
            _ => "covered",
        };
        let (cx, title) = (x + width / 2.0, y + 18.0);
        let internal: Vec<(f64, &str, &str)> = self
            .internal(id)
            .scan(title, |line, (number, edge)| {
                *line += LINE;
                let taken = self.elements.transitions.get(number).is_some_and(|element| element.covered);
                Some((*line, self.label(taken), name(edge)))
            })
            .collect();
        let below = internal.last().map_or(title, |(line, ..)| *line) + MARGIN;
        html! {
            rect class=(class) x=(Tenths(x)) y=(Tenths(y)) width=(Tenths(width)) height=(Tenths(height)) rx="8" {} "\n"
            text x=(Tenths(cx)) y=(Tenths(title)) text-anchor="middle" font-weight="bold" { (self.machine.vertex(id).name) } "\n"
            @for (line, class, name) in internal {
                text class=(class) x=(Tenths(cx)) y=(Tenths(line)) text-anchor="middle" { (name) } "\n"
            }
            @if let Some(region) = nested {
                g transform={ "translate(" (Tenths(x + (width - region.width) / 2.0)) " " (Tenths(below)) ")" } { "\n" (region.content) } "\n"
            }
        }
    }
}

/// What a transition is called in the picture.
fn name(edge: &Edge) -> &str {
    edge.name.as_deref().unwrap_or(if edge.target == Target::Internal { "internal" } else { "" })
}

/// An arrow: the transition, its way, and whether the way is drawn from its end.
type Way = (usize, Vec<(Point, Point)>, bool);

/// Takes note of where everything was put.
#[derive(Default)]
struct Canvas {
    /// Number, corner and size.
    nodes: Vec<(usize, f64, f64, f64, f64)>,
    arrows: Vec<Way>,
    labels: Vec<(f64, f64, String)>,
}

impl Canvas {
    fn corner(&self) -> (f64, f64) {
        let nodes = self.nodes.iter().map(|node| (node.1, node.2));
        let paths = self.arrows.iter().flat_map(|(_, path, _)| path.iter().flat_map(|(a, b)| [(a.x, a.y), (b.x, b.y)]));
        let labels = self.labels.iter().map(|(x, y, text)| (x - wide(text) / 2.0, y - LINE));
        nodes.chain(paths).chain(labels).fold((f64::MAX, f64::MAX), |(x, y), (a, b)| (x.min(a), y.min(b)))
    }

    fn number(properties: Option<&String>) -> Option<usize> {
        properties.and_then(|text| text.parse().ok())
    }
}

impl RenderBackend for Canvas {
    fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>, _: Option<ClipHandle>) {
        if let Some(number) = Canvas::number(properties.as_ref()) {
            self.nodes.push((number, xy.x, xy.y, size.x, size.y));
        }
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>) {
        if let Some(number) = Canvas::number(properties.as_ref()) {
            self.nodes.push((number, xy.x - size.x / 2.0, xy.y - size.y / 2.0, size.x, size.y));
        }
    }

    fn draw_text(&mut self, xy: Point, text: &str, _: &StyleAttr) {
        if !text.is_empty() {
            self.labels.push((xy.x, xy.y, text.to_owned()));
        }
    }

    fn draw_arrow(&mut self, path: &[(Point, Point)], _: bool, head: (bool, bool), _: &StyleAttr, properties: Option<String>, _: &str) {
        if let Some(number) = Canvas::number(properties.as_ref()) {
            self.arrows.push((number, path.to_vec(), head.0));
        }
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
