//! The messages of a run as a sequence diagram: Mermaid and PlantUML text, and SVG.
//!
//! A lane is a capsule or, for the environment, a port. All three forms are made of one list of `Row`s.

use std::fmt::Write as _;

use maud::html;

use crate::svg::picture;
use crate::trace::{Event, Kind, Trace};

/// A row of a diagram.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Row {
    /// A message from one lane to another.
    Arrow { from: String, to: String, text: String, dashed: bool },
    /// Something about a lane.
    Note { over: String, text: String },
    /// The end: what fails there.
    Fails { over: String, text: String },
}

/// A sequence diagram.
#[derive(Clone, Debug)]
pub struct Diagram {
    rows: Vec<Row>,
    lanes: Vec<String>,
}

impl Diagram {
    /// The diagram of a run of a capsule.
    #[must_use]
    pub fn of(trace: &Trace, capsule: &str) -> Diagram {
        let mut diagram = Diagram { rows: Vec::new(), lanes: Vec::new() };
        for event in &trace.events {
            let owner = event.capsule.clone().unwrap_or_else(|| capsule.to_owned());
            let port = event.port.clone().unwrap_or_default();
            // The environment has a lane for each port of the capsules that it talks to.
            let outside = if owner == capsule { port } else { format!("{owner}.{port}") };
            match event.kind {
                Kind::Step => diagram.arrow(&outside, &owner, message(event), false),
                Kind::Timeout => diagram.arrow(&outside, &owner, "timeout".to_owned(), true),
                Kind::Send | Kind::Invoke | Kind::Reply => {
                    let to =
                        event.to.as_ref().map_or(outside, |to| to.rsplit_once('.').map_or_else(|| to.clone(), |(path, _)| path.to_owned()));
                    diagram.arrow(&owner, &to, message(event), false);
                }
                Kind::Enter => diagram.note(&owner, event.state.clone().unwrap_or_default()),
                Kind::Unexpected => diagram.note(&owner, "unexpected".to_owned()),
                _ => {}
            }
        }
        diagram
    }

    /// The same with a last row: the capsule fails there.
    #[must_use]
    pub fn failing(mut self, capsule: &str, text: &str) -> Diagram {
        self.lane(capsule);
        self.rows.push(Row::Fails { over: capsule.to_owned(), text: format!("fails here: {text}") });
        self
    }

    fn arrow(&mut self, from: &str, to: &str, text: String, dashed: bool) {
        self.lane(from);
        self.lane(to);
        self.rows.push(Row::Arrow { from: from.to_owned(), to: to.to_owned(), text, dashed });
    }

    fn note(&mut self, over: &str, text: String) {
        self.lane(over);
        self.rows.push(Row::Note { over: over.to_owned(), text });
    }

    fn lane(&mut self, name: &str) {
        if !self.lanes.iter().any(|lane| lane == name) {
            self.lanes.push(name.to_owned());
        }
    }

    /// As Mermaid text.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = "sequenceDiagram\n".to_owned();
        for row in &self.rows {
            let _ = match row {
                Row::Arrow { from, to, text, dashed } => {
                    writeln!(out, "    {} {} {}: {}", plain(from), if *dashed { "-->>" } else { "->>" }, plain(to), plain(text))
                }
                Row::Note { over, text } | Row::Fails { over, text } => writeln!(out, "    Note over {}: {}", plain(over), plain(text)),
            };
        }
        out
    }

    /// As PlantUML text.
    #[must_use]
    pub fn plantuml(&self) -> String {
        let mut out = "@startuml\n".to_owned();
        for (number, lane) in self.lanes.iter().enumerate() {
            let _ = writeln!(out, "participant \"{}\" as l{number}", plain(lane));
        }
        let lane = |name: &str| format!("l{}", self.index(name));
        for row in &self.rows {
            let _ = match row {
                Row::Arrow { from, to, text, dashed } => {
                    writeln!(out, "{} {} {} : {}", lane(from), if *dashed { "-->" } else { "->" }, lane(to), plain(text))
                }
                Row::Note { over, text } => writeln!(out, "rnote over {} : {}", lane(over), plain(text)),
                Row::Fails { over, text } => writeln!(out, "rnote over {} #FFDDDD : {}", lane(over), plain(text)),
            };
        }
        out + "@enduml\n"
    }

    fn index(&self, name: &str) -> usize {
        self.lanes.iter().position(|lane| lane == name).unwrap_or_default()
    }

    /// As SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let pitch = self.pitch();
        let x = |name: &str| self.index(name) * pitch + pitch / 2;
        let (width, height) = (self.lanes.len().max(1) * pitch, TOP + self.rows.len() * ROW + ROW);
        let lane = |lane: &String| {
            let at = x(lane);
            html! {
                line class="lane" x1=(at) y1=(TOP) x2=(at) y2=(height) {} "\n"
                text x=(at) y=(TOP - 12) text-anchor="middle" font-weight="bold" { (lane) } "\n"
            }
        };
        let row = |(number, row): (usize, &Row)| {
            let y = TOP + number * ROW + ROW;
            match row {
                Row::Arrow { from, to, text, dashed } => {
                    let (from, to, class) = (x(from), x(to), if *dashed { "edge dashed" } else { "edge" });
                    html! {
                        line class=(class) x1=(from) y1=(y) x2=(to) y2=(y) marker-end="url(#head)" {} "\n"
                        text x=(usize::midpoint(from, to)) y=(y - 5) text-anchor="middle" { (text) } "\n"
                    }
                }
                Row::Note { over, text } => {
                    let (at, wide) = (x(over), text.chars().count() * CHARACTER + 16);
                    html! {
                        rect class="state" x=(at.saturating_sub(wide / 2)) y=(y - 14) width=(wide) height="18" rx="8" {} "\n"
                        text x=(at) y=(y - 1) text-anchor="middle" { (text) } "\n"
                    }
                }
                Row::Fails { over, text } => {
                    let at = x(over);
                    html! {
                        circle class="missed" cx=(at) cy=(y - 5) r="7" {} "\n"
                        text x=(at + 14) y=(y - 1) fill="#c00" font-weight="bold" { (text) } "\n"
                    }
                }
            }
        };
        let content = html! {
            @for one in &self.lanes { (lane(one)) }
            @for one in self.rows.iter().enumerate() { (row(one)) }
        };
        picture((width, height), &content)
    }

    /// From one lane to the next: what is written between them fits.
    fn pitch(&self) -> usize {
        let needed = self.rows.iter().map(|row| match row {
            Row::Arrow { from, to, text, .. } => text.chars().count() * CHARACTER / self.index(from).abs_diff(self.index(to)).max(1),
            Row::Note { text, .. } => text.chars().count() * CHARACTER + 16,
            // It may go across the other lanes.
            Row::Fails { over, text } => (text.chars().count() * CHARACTER + 40) / (self.lanes.len() - self.index(over)).max(1),
        });
        let lanes = self.lanes.iter().map(|lane| lane.chars().count() * CHARACTER);
        needed.chain(lanes).max().unwrap_or_default().clamp(90, 420) + 20
    }
}

/// The room for the names of lanes, the height of a row, and the width of a character.
const TOP: usize = 36;
const ROW: usize = 26;
const CHARACTER: usize = 7;

fn message(event: &Event) -> String {
    let args = event.args.as_ref().map_or_else(|| "()".to_owned(), crate::trace::arguments);
    format!("{}{args}", event.message.as_deref().unwrap_or_default())
}

/// What must not end a line of text for a tool, or begin something else.
pub(crate) fn plain(text: &str) -> String {
    text.replace(['"', ';', '#', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "{\"event\":\"step\",\"capsule\":\"C\",\"now\":0,\"port\":\"p\",\"message\":\"m\",\"args\":[1]}\n{\"event\":\"enter\",\"capsule\":\"C\",\"state\":\"A\"}\n{\"event\":\"send\",\"capsule\":\"C\",\"port\":\"q\",\"message\":\"n\"}\n{\"event\":\"send\",\"capsule\":\"C\",\"port\":\"q\",\"message\":\"n\",\"to\":\"part[1].r[0]\"}\n";

    #[test]
    fn messages_are_arrows() {
        let diagram = Diagram::of(&Trace::parse(TRACE), "C");
        let expected = "sequenceDiagram\n    p ->> C: m(1)\n    Note over C: A\n    C ->> q: n()\n    C ->> part[1]: n()\n";
        assert_eq!(diagram.mermaid(), expected);
        let told = diagram.plantuml();
        assert!(
            told.starts_with("@startuml\nparticipant \"p\" as l0\n") && told.contains("l0 -> l1 : m(1)\n") && told.ends_with("@enduml\n"),
            "{told}"
        );
        let fails = Diagram::of(&Trace::parse(TRACE), "C").failing("C", "division by zero");
        assert!(fails.mermaid().ends_with("    Note over C: fails here: division by zero\n"), "{}", fails.mermaid());
        assert!(fails.plantuml().ends_with("rnote over l1 #FFDDDD : fails here: division by zero\n@enduml\n"), "{}", fails.plantuml());
        assert!(fails.svg().contains(">fails here: division by zero</text>"));
        let svg = diagram.svg();
        assert!(svg.starts_with("<svg ") && svg.matches("class=\"lane\"").count() == 4 && svg.contains(">m(1)</text>"), "{svg}");
    }
}
