//! The parser of Art: state machines.

use super::lexer::Kind;
use super::parser::Parser;
use crate::error::{ModelError, Result};
use crate::ir::{End, Event, Mode, Point, Pseudo, PseudoKind, Region, State, Transition, Trigger};

/// States nested deeper than this are refused: nobody draws them, and every later step may recurse over them.
const DEEPEST: u32 = 64;

impl Parser {
    /// `{ … }` after `statemachine`.
    pub fn machine(&mut self) -> Result<Region> {
        let mut region = Region::default();
        self.expect("{")?;
        while !self.accept("}") {
            if !self.element(&mut region)? {
                return self.expected("a state, a pseudo-state, a transition or \"}\"");
            }
        }
        self.accept(";");
        Ok(region)
    }

    /// An element that may stand in a state machine as well as in a composite state; false if there is none.
    fn element(&mut self, region: &mut Region) -> Result<bool> {
        // A word before a colon is the name of a transition, whatever else it may mean.
        let named = matches!((self.peek(), self.ahead(1)), (Kind::Word(_), Kind::Mark(":")));
        let word = match self.peek() {
            Kind::Word(word) if !named => word.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "state" => {
                self.next();
                self.states(&mut region.states)?;
            }
            "choice" | "junction" => {
                self.next();
                let kind = if word == "choice" { PseudoKind::Choice } else { PseudoKind::Junction };
                self.list(|parser| {
                    let place = parser.place();
                    let name = parser.name("the name of a pseudo-state")?;
                    parser.no_properties("a pseudo-state")?;
                    region.pseudos.push(Pseudo { name, kind, place });
                    Ok(())
                })?;
            }
            _ if matches!(self.peek(), Kind::Word(_)) || self.is("[[") => {
                let transition = self.transition()?;
                if transition.source.is_none() && transition.mode != Mode::Exclude {
                    return Err(ModelError::new(&transition.place, "an internal transition must stand inside its state"));
                }
                region.transitions.push(transition);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn states(&mut self, states: &mut Vec<State>) -> Result<()> {
        self.list(|parser| {
            let (mode, place) = (parser.mode(), parser.place());
            let name = parser.name("the name of a state")?;
            parser.no_properties("a state")?;
            let (points, internal, region) = (Vec::new(), Vec::new(), Region::default());
            let mut state = State { name, mode, entry: None, exit: None, points, internal, region, place };
            if parser.accept("{") {
                parser.depth += 1;
                if parser.depth > DEEPEST {
                    return parser.error(format!("states are nested deeper than {DEEPEST} levels"));
                }
                while !parser.accept("}") {
                    parser.inside(&mut state)?;
                }
                parser.depth -= 1;
            }
            states.push(state);
            Ok(())
        })
    }

    fn inside(&mut self, state: &mut State) -> Result<()> {
        let named = matches!(self.ahead(1), Kind::Mark(":"));
        let word = match self.peek() {
            Kind::Word(word) if !named => word.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "entry" | "exit" => {
                self.next();
                let code = self.code("the action")?;
                self.expect(";")?;
                let slot = if word == "entry" { &mut state.entry } else { &mut state.exit };
                if slot.is_some() {
                    return Err(ModelError::new(&code.place, format!("state {} has two {word} actions", state.name)));
                }
                *slot = Some(code);
            }
            "entrypoint" | "exitpoint" => {
                self.next();
                self.list(|parser| {
                    let place = parser.place();
                    let name = parser.name("the name of a point")?;
                    parser.no_properties("a point")?;
                    state.points.push(Point { name, entry: word == "entrypoint", place });
                    Ok(())
                })?;
            }
            _ if self.internal_follows() => {
                let transition = self.transition()?;
                state.internal.push(transition);
            }
            _ => {
                if !self.element(&mut state.region)? {
                    return self.expected("a state, a pseudo-state, a transition, \"entry\", \"exit\" or \"}\"");
                }
            }
        }
        Ok(())
    }

    /// Whether an internal transition comes next: `on` where others have their source.
    fn internal_follows(&self) -> bool {
        let mut by = 0;
        let word = |by: usize, word: &str| matches!(self.ahead(by), Kind::Word(w) if w == word);
        let colon = |by: usize| matches!(self.ahead(by), Kind::Mark(":"));
        if word(by, "redefine") && !colon(by + 1) {
            by += 1;
        }
        if matches!(self.ahead(by), Kind::Word(_)) && colon(by + 1) {
            by += 2;
        }
        if matches!(self.ahead(by), Kind::Mark("[[")) {
            while !matches!(self.ahead(by), Kind::Mark("]]") | Kind::End) {
                by += 1;
            }
            by += 1;
        }
        word(by, "on")
    }

    /// `[redefine] [name:] source -> target [on …] [when …] [effect];`, or the same without source and target.
    fn transition(&mut self) -> Result<Transition> {
        let place = self.place();
        let named = matches!(self.ahead(1), Kind::Mark(":"));
        let mode = if named { Mode::New } else { self.mode() };
        let place = if mode == Mode::New { place } else { self.place() };
        let mut transition = Transition {
            name: None,
            mode,
            source: None,
            target: None,
            triggers: Vec::new(),
            guard: None,
            effect: None,
            mutable_data: false,
            place,
        };
        if mode == Mode::Exclude {
            transition.name = Some(self.name("the name of a transition")?);
            self.expect(";")?;
            return Ok(transition);
        }
        if matches!((self.peek(), self.ahead(1)), (Kind::Word(_), Kind::Mark(":"))) {
            transition.name = Some(self.name("a name")?);
            self.next();
        } else if mode == Mode::Redefine {
            return self.error("a transition that redefines another must have its name");
        }
        for property in self.properties()? {
            match (property.name.as_str(), property.value.as_str()) {
                ("const_rtdata", "true" | "false") => transition.mutable_data = property.value == "false",
                (name, value) => {
                    let message = format!("the property {name}={value} of a transition is not supported");
                    return Err(ModelError::new(&property.place, message));
                }
            }
        }
        if !self.is_word("on") {
            transition.source = Some(self.end(true)?);
            self.expect("->")?;
            transition.target = Some(self.end(false)?);
        }
        if self.accept_word("on") {
            loop {
                let trigger = self.trigger()?;
                transition.triggers.push(trigger);
                if !self.accept(",") {
                    break;
                }
            }
        }
        if self.accept_word("when") {
            transition.guard = Some(self.code("the guard")?);
        }
        transition.effect = self.optional_code();
        self.expect(";")?;
        Ok(transition)
    }

    fn end(&mut self, source: bool) -> Result<End> {
        if source && self.accept_word("initial") {
            return Ok(End::Initial);
        }
        if !source && self.accept_word("history") {
            return Ok(End::History { deep: self.accept("*") });
        }
        let first = self.name(if source { "the source of a transition" } else { "the target of a transition" })?;
        if self.accept(".") {
            let point = self.name("an entry or exit point")?;
            return Ok(End::Point { state: first, point });
        }
        Ok(End::Vertex(first))
    }

    fn trigger(&mut self) -> Result<Trigger> {
        let place = self.place();
        let first = self.name("a port or trigger operation")?;
        let event = if self.accept(".") {
            if self.accept("*") { Event::Any { port: first } } else { Event::Message { port: first, message: self.name("an event")? } }
        } else if self.is("(") {
            Event::Call { operation: first, params: self.params()? }
        } else {
            return self.expected("\".\" and an event, or the parameters of a trigger operation");
        };
        self.no_properties("a trigger")?;
        let mut guard = None;
        if self.accept("[") {
            guard = Some(self.code("the guard of the trigger")?);
            self.expect("]")?;
        }
        self.no_properties("a trigger")?;
        Ok(Trigger { event, guard, place })
    }
}
