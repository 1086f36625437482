//! Calls: who runs, and what comes back.

use xcute_classfile::Kind;
use xcute_term::Op;
use xcute_trace::DecisionKind;

use super::classes::{ClassIdx, Runs};
use super::frames::Waiting;
use super::held::Held;
use super::models::{self, Model};
use super::nodes::Node;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::{Call, Insn, MethodId, Reports, Target, Way};
use crate::program::follow::event_of;
use crate::program::tables::{MODEL, SHAPE};
use crate::wire::event;

impl Replay<'_> {
    /// A call. Whether it threw before anything ran.
    pub(super) fn invoke(&mut self, insn: Insn) -> Result<bool, Stop> {
        let program = self.program;
        let method = self.s.frames.top().expect("a frame runs").method;
        let call = &program.method(method).body.calls[insn.arg as usize];
        match call.target {
            Target::Input { kind, named, string } => return self.input(insn, call, kind, named, string).map(|()| false),
            Target::At => return self.at(insn).map(|()| false),
            Target::Assume | Target::Check => return self.assumed(insn, call).map(|()| false),
            // Other threads go on.
            Target::Exit if self.others_go_on() => return Ok(false),
            Target::Exit => return Err(Stop::End),
            Target::Thread => return self.thread_call(insn, call),
            _ => {}
        }
        let mut runs = match call.target {
            Target::Followed(id) => Runs::Followed(id),
            _ => Runs::Foreign(self.s.classes.intern(&call.class)),
        };
        if call.has_receiver() && call.name != "<init>" {
            let receiver = self.s.frames.peek(call.places() - 1);
            let (nonnull, leaf) = self.check_null(receiver, insn.site)?;
            if !nonnull {
                return Ok(true);
            }
            if let (Leaf::Variable(variable), "getClass") = (leaf, call.name.as_str()) {
                self.resolve(variable, receiver.as_object());
            }
            if call.target == Target::Selected {
                let class = self.s.heap.get(receiver.as_object()).class;
                runs = self.s.classes.runs(program, class, method, insn.arg);
                if let Leaf::Variable(variable) = leaf {
                    self.dispatch(variable, method, insn.arg, runs);
                }
            }
        }
        match runs {
            Runs::Followed(id) => self.run_followed(insn, call, id),
            Runs::Foreign(declaring) => {
                self.touch_by_call(call, declaring);
                let model = self.model(method, insn.arg, call, declaring);
                match model {
                    Some(model) => self.before(model, call, insn)?,
                    None => {
                        let declaring = self.s.classes.name(declaring).to_owned();
                        self.looks_elsewhere(call, &declaring);
                        self.pass(call, &declaring)?;
                    }
                }
                self.s.frames.top_mut().waiting = Waiting::Foreign(insn.arg, model);
                Ok(false)
            }
            Runs::Nothing => Ok(true),
        }
    }

    /// The current thread does nothing more; whether events of others come.
    fn others_go_on(&mut self) -> bool {
        self.strands.pointed = true;
        self.run.directed.is_some() && self.events.peek().is_some()
    }

    /// A call that the runtime sees to. Whether it threw.
    fn thread_call(&mut self, insn: Insn, call: &Call) -> Result<bool, Stop> {
        if call.has_receiver() {
            let receiver = self.s.frames.peek(call.places() - 1);
            if !self.check_null(receiver, insn.site)?.0 {
                return Ok(true);
            }
        }
        let kinds = call.has_receiver().then_some(Kind::Reference).into_iter().chain(call.parameters.iter().copied());
        let references: Vec<Value> =
            kinds.zip(self.arguments(call)).filter(|(kind, _)| *kind == Kind::Reference).map(|(_, value)| value).collect();
        self.coarse(call, &references)?;
        self.settle_times(call);
        for value in references {
            self.settle_reference(value)?;
        }
        self.s.frames.top_mut().waiting = Waiting::Foreign(insn.arg, None);
        Ok(false)
    }

    /// Decides what matters of a time to wait: whether it is negative, and whether it is none.
    fn settle_times(&mut self, call: &Call) {
        let receiver = usize::from(call.has_receiver());
        let values: Vec<(Kind, Value)> = call.parameters.iter().copied().zip(self.arguments(call).into_iter().skip(receiver)).collect();
        for (kind, value) in values.into_iter().filter(|(kind, value)| value.node != 0 && matches!(kind, Kind::Int | Kind::Long)) {
            let (width, number) = if kind == Kind::Int { (32, i64::from(value.as_int())) } else { (64, value.bits.cast_signed()) };
            let zero = self.s.nodes.constant(width, 0);
            let negative = self.s.nodes.op2(Op::BvSlt, value.node, zero);
            self.branch(MODEL, negative, number < 0);
            if number >= 0 {
                let none = self.s.nodes.equals(value.node, width, 0);
                self.branch(MODEL, none, number == 0);
            }
        }
    }

    /// Counts code that does not depend on its arguments alone.
    fn looks_elsewhere(&mut self, call: &Call, declaring: &str) {
        let exception = self.program.tables().hierarchy.is_subclass(declaring, "java/lang/Throwable");
        let caller = self.s.frames.top().map(|frame| self.program.method(frame.method));
        // What it mixes into the order of elements counts where that order is asked for.
        let salts = caller.is_some_and(|caller| caller.name == "<clinit>" && caller.class.ends_with("java/util/ImmutableCollections"));
        let uncontrolled = match declaring {
            "java/lang/Thread" => !crate::program::concurrent::is_harmless(&call.name),
            // It only computes.
            "java/util/concurrent/TimeUnit" => matches!(call.name.as_str(), "timedJoin" | "timedWait"),
            _ => declaring.starts_with("java/util/concurrent/"),
        };
        if uncontrolled && self.program.threads {
            let what = format!("{}.{} is not followed", crate::program::names::readable(declaring), call.name);
            self.story.limit("unsupported", what, true);
        }
        if !salts && super::environment::matters(declaring, &call.name, &call.descriptor, exception) {
            let what = format!("{}.{} does not depend on inputs alone", crate::program::names::readable(declaring), call.name);
            self.story.limit("environment", what, true);
        }
    }

    /// The model of a method that is not followed, by the class that declares it.
    fn model(&mut self, method: MethodId, number: u32, call: &Call, declaring: ClassIdx) -> Option<Model> {
        if let Some(&known) = self.s.models.get(&(method, number, declaring)) {
            return known;
        }
        let class = self.s.classes.name(declaring);
        let exception = self.program.tables().hierarchy.is_subclass(class, "java/lang/Throwable");
        let found = models::find(class, &call.name, &call.descriptor, exception, self.program.prints);
        self.s.models.insert((method, number, declaring), found);
        found
    }

    fn run_followed(&mut self, insn: Insn, call: &Call, id: MethodId) -> Result<bool, Stop> {
        if call.way == Way::Static && self.initialises(&call.class)? {
            return Ok(false);
        }
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != event::ENTER || found.value != id.0 {
            return Err(self.unexpected("the method that is called"));
        }
        self.s.frames.top_mut().waiting = Waiting::Followed(insn.arg);
        self.call(id, call.places())?;
        Ok(false)
    }

    /// Decides which class the receiver has, as far as it matters for what runs.
    fn dispatch(&mut self, variable: u32, method: MethodId, call: u32, runs: Runs) {
        self.class_matters(variable);
        let choices = self.choices(variable).to_vec();
        let value = u32::try_from(self.read(variable)).unwrap_or(0);
        // By what is selected; an enum constant that may have a body of its own is alone.
        let mut groups: Vec<(Option<Runs>, Vec<Node>, bool)> = Vec::new();
        for choice in choices {
            let alone = choice.owner.is_none() && self.has_bodies(choice.class);
            let selected = (!alone).then(|| self.s.classes.runs(self.program, choice.class, method, call));
            let node = self.s.nodes.var(variable);
            let is = self.s.nodes.equals(node, 32, u64::from(choice.address));
            let here = choice.address == value;
            match groups.iter_mut().find(|group| selected.is_some() && group.0 == selected) {
                Some(group) => {
                    group.1.push(is);
                    group.2 |= here;
                }
                None => groups.push((selected, vec![is], here)),
            }
        }
        let known = groups.iter().any(|group| group.2);
        let last = groups.len().saturating_sub(1);
        for (selected, conditions, here) in groups.into_iter().take(last) {
            let condition = self.s.nodes.many(Op::Or, &conditions);
            let taken = if known { here } else { selected == Some(runs) };
            self.branch(SHAPE, condition, taken);
            if taken {
                break;
            }
        }
    }

    /// Whether the constants of an enum may be of classes of their own.
    fn has_bodies(&self, of: ClassIdx) -> bool {
        let info = self.program.tables().hierarchy.get(self.s.classes.name(of));
        info.access & xcute_classfile::access::FINAL == 0
    }

    /// An input is taken.
    fn input(&mut self, insn: Insn, call: &Call, kind: Kind, named: bool, string: bool) -> Result<(), Stop> {
        let reported = self.reported(kind, event_of(kind), insn.pc)?;
        let descriptor = match (kind, named) {
            (Kind::Reference, true) => self.named_class(),
            (Kind::Reference, false) if string => "Ljava/lang/String;".to_owned(),
            (Kind::Reference, false) => self.program.input_type(self.taken),
            _ => kind.letter().to_string(),
        };
        let number = self.take_input(&descriptor, string);
        self.has_value(number, reported)?;
        self.s.frames.drop(call.places());
        let node = self.node_of(number);
        self.push_kind(kind, Value { bits: reported.bits, node });
        if string && self.s.heap.get(reported.as_object()).origin == super::heap::Origin::Program {
            self.s.heap.get_mut(reported.as_object()).origin = super::heap::Origin::Input(number, 0);
        }
        self.advance();
        Ok(())
    }

    /// A driver says which input is the next one.
    fn at(&mut self, insn: Insn) -> Result<(), Stop> {
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != event::VOID || found.pc != insn.pc {
            return Err(self.unexpected("the place of an input"));
        }
        self.events.take(found);
        self.taken = self.s.frames.pop().bits as u32;
        self.advance();
        Ok(())
    }

    /// The class that `Cute.input.Object("…")` asks for.
    fn named_class(&mut self) -> String {
        let text = self.known_text(self.s.frames.peek(0).as_object());
        let name = text.map(|units| String::from_utf16_lossy(&units).replace('.', "/"));
        xcute_classfile::descriptor::descriptor_of(&name.unwrap_or_else(|| "java/lang/Object".to_owned()))
    }

    /// An assumption, or an assertion of jCUTE's interface.
    fn assumed(&mut self, insn: Insn, call: &Call) -> Result<(), Stop> {
        let value = self.s.frames.peek(0);
        let holds = value.bits & 1 == 1;
        self.story.cover(insn.site, u32::from(holds));
        if value.node != 0 {
            let condition = self.s.nodes.against_zero(xcute_classfile::opcode::IFNE, value.node);
            // An assumption that was violated is an open branch, so that the search can satisfy it.
            let kind = if call.target == Target::Assume && holds { DecisionKind::Assume } else { DecisionKind::Branch };
            self.decide(insn.site, kind, condition, holds);
        }
        if !holds {
            // Other threads go on; this one has no further events.
            return if self.others_go_on() { Ok(()) } else { Err(Stop::End) };
        }
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != event::VOID || found.pc != insn.pc {
            return Err(self.unexpected("an assumption that held"));
        }
        self.events.take(found);
        self.s.frames.pop();
        self.advance();
        Ok(())
    }

    /// Goes on with a frame that waits.
    pub(super) fn wait(&mut self, call: u32, model: Option<Model>) -> Result<(), Stop> {
        let program = self.program;
        let frame = *self.s.frames.top().expect("a frame waits");
        let body = &program.method(frame.method).body;
        let (call, pc) = (&body.calls[call as usize], body.insns[frame.at as usize].pc);
        let found = self.events.peek().ok_or(Stop::End)?;
        let ends = match (call.reports, call.result) {
            (Reports::Made, _) => event::MADE,
            (_, None) => event::VOID,
            (_, Some(kind)) => event_of(kind),
        };
        match found.kind {
            event::ENTER => self.called_from_outside(MethodId(found.value)),
            kind if kind == ends && found.pc == pc => self.returned(call, pc, None, model),
            _ => Err(self.unexpected("what a call returned")),
        }
    }

    /// A call of the frame on top has returned; `value` is what a followed method returned.
    pub(super) fn returned(&mut self, call: &Call, pc: u16, value: Option<Value>, model: Option<Model>) -> Result<(), Stop> {
        let mut result = value.unwrap_or(Value::NOTHING);
        // What the event says of a builder is what it holds after the call.
        let prior = match model {
            Some(Model::Builder(_)) => {
                let builder = self.s.frames.peek(call.places() - 1).as_object();
                std::mem::take(&mut self.s.heap.get_mut(builder).text)
            }
            _ => Held::Unknown,
        };
        match (call.reports, call.result) {
            (Reports::Nothing, _) => {}
            (Reports::Made, _) => {
                let found = self.events.peek().ok_or(Stop::End)?;
                if found.kind != event::MADE || found.pc != pc {
                    return Err(self.unexpected("a complete object"));
                }
                self.events.take(found);
                let receiver = self.s.frames.peek(call.places() - 1).as_object();
                if self.s.heap.find(found.value).is_none() {
                    self.s.heap.bind(receiver, found.value);
                }
                if self.run.texts || self.run.arrays {
                    self.knows_contents(receiver, found);
                }
            }
            (Reports::Result, None) => {
                let found = self.events.peek().ok_or(Stop::End)?;
                if found.kind != event::VOID || found.pc != pc {
                    return Err(self.unexpected("the end of a call"));
                }
                self.events.take(found);
            }
            (Reports::Result, Some(kind)) => {
                let reported = self.reported(kind, event_of(kind), pc)?;
                if value.is_some() && !super::enter::same(kind, reported.bits, result.bits) {
                    return Err(self.lost("the result that was computed"));
                }
                result.bits = reported.bits;
            }
        }
        if value.is_none() {
            if let Some(model) = model {
                result = self.after(model, call, result, prior)?;
            }
            self.s.frames.drop(call.places());
        }
        if let Some(kind) = call.result {
            self.push_kind(kind, result);
        }
        self.s.frames.top_mut().waiting = Waiting::Nothing;
        self.advance();
        Ok(())
    }

    /// A followed method returns.
    pub(super) fn give_back(&mut self, kind: Option<Kind>) -> Result<(), Stop> {
        let value = kind.map(|kind| self.pop_kind(kind));
        let frame = self.pop_frame();
        if frame.callback {
            if self.s.frames.top().is_none() {
                return if self.run.directed.is_some() { Ok(()) } else { Err(Stop::End) };
            }
            return kind.zip(value).map_or(Ok(()), |(kind, value)| self.hand_back(kind, value));
        }
        let caller = *self.s.frames.top().expect("a followed method has a caller");
        let Waiting::Followed(call) = caller.waiting else { return Err(self.lost("a caller that waits")) };
        let program = self.program;
        let body = &program.method(caller.method).body;
        let pc = body.insns[caller.at as usize].pc;
        let call = &body.calls[call as usize];
        self.returned(call, pc, Some(value.unwrap_or(Value::NOTHING)), None)
    }
}
