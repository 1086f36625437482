//! Methods of `StringBuilder` and `StringBuffer`.
//!
//! A builder is followed from the moment something that an input decides is put into it. What it held before, the JVM reports.

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::held::{Held, Text};
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use super::numbers::NumberModel;
use crate::program::tables::MODEL;

/// The longest text that a builder is given by its length, where an input decides that.
const LONGEST: u32 = (1 << 16) - 1;

/// A method of a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuilderModel {
    New,
    NewText,
    AppendText,
    AppendChars,
    Append(Kind),
    AppendObject,
    AppendPart,
    InsertChar,
    InsertText,
    Length,
    CharAt,
    SetCharAt,
    SetLength,
    DeleteCharAt,
    Delete,
    Reverse,
    ToString,
}

impl BuilderModel {
    pub(super) fn find(name: &str, descriptor: &str) -> Option<BuilderModel> {
        let first = descriptor.strip_prefix('(').unwrap_or_default();
        Some(match (name, first) {
            ("<init>", first) if first.starts_with(')') || first.starts_with("I)") => BuilderModel::New,
            ("<init>", first) if first.starts_with("Ljava/lang/String;)") => BuilderModel::NewText,
            ("append", first) if first.starts_with("Ljava/lang/String;)") => BuilderModel::AppendText,
            ("append", first) if first.starts_with("Ljava/lang/Object;)") => BuilderModel::AppendObject,
            ("append", first) if first.starts_with("Ljava/lang/CharSequence;)") => BuilderModel::AppendObject,
            ("append", first) if first.starts_with("Ljava/lang/StringBuffer;)") => BuilderModel::AppendObject,
            ("append", first) if first.starts_with("Ljava/lang/CharSequence;II)") => BuilderModel::AppendPart,
            ("append", first) if first.starts_with("[C)") => BuilderModel::AppendChars,
            ("append", first) if first.as_bytes().get(1) == Some(&b')') => BuilderModel::Append(Kind::of(first)?),
            ("insert", first) if first.starts_with("IC)") => BuilderModel::InsertChar,
            ("insert", first) if first.starts_with("ILjava/lang/String;)") => BuilderModel::InsertText,
            ("length", _) => BuilderModel::Length,
            ("charAt", _) => BuilderModel::CharAt,
            ("setCharAt", _) => BuilderModel::SetCharAt,
            ("setLength", _) => BuilderModel::SetLength,
            ("deleteCharAt", _) => BuilderModel::DeleteCharAt,
            ("delete", _) => BuilderModel::Delete,
            ("reverse", _) => BuilderModel::Reverse,
            ("toString", _) => BuilderModel::ToString,
            _ => return None,
        })
    }
}

impl Replay<'_> {
    /// Whether a builder has to be followed through a call.
    fn follows_builder(&mut self, arguments: &Arguments) -> bool {
        let symbolic = |replay: &mut Self, v: Value| {
            let object = v.as_object();
            v.node != 0 || (v.bits != 0 && (object as usize) < replay.s.heap.len() && replay.has_symbolic_text(object))
        };
        arguments.iter().any(|&v| symbolic(self, v))
    }

    /// Whether a method of a builder throws.
    pub(super) fn builder_before(&mut self, of: BuilderModel, arguments: &Arguments, site: u32) -> Result<(), Stop> {
        match of {
            BuilderModel::AppendPart => return self.part_before(arguments),
            BuilderModel::Delete => return self.delete_before(arguments, site),
            // A size that is not negative.
            BuilderModel::New | BuilderModel::SetLength => {
                if let Some(&size) = arguments.get(1).filter(|size| size.node != 0) {
                    let zero = self.s.nodes.constant(32, 0);
                    let fits = self.s.nodes.op2(Op::BvSle, zero, size.node);
                    self.branch(site, fits, size.as_int() >= 0);
                    self.story.cover(site, u32::from(size.as_int() >= 0));
                }
                return Ok(());
            }
            _ => {}
        }
        let inside = match of {
            BuilderModel::CharAt | BuilderModel::SetCharAt | BuilderModel::DeleteCharAt => Op::BvUlt,
            BuilderModel::InsertChar | BuilderModel::InsertText => Op::BvUle,
            _ => return Ok(()),
        };
        if !self.follows_builder(arguments) {
            return Ok(());
        }
        let text = self.text_at(arguments[0])?;
        let (index, length) = (arguments[1], text.length);
        let fits = if inside == Op::BvUlt { (index.bits as u32) < length.bits as u32 } else { index.bits as u32 <= length.bits as u32 };
        if index.node != 0 || length.node != 0 {
            let (i, l) = (self.s.nodes.of(index, 32), self.s.nodes.of(length, 32));
            let condition = self.s.nodes.op2(inside, i, l);
            self.branch(site, condition, fits);
        }
        self.story.cover(site, u32::from(fits));
        Ok(())
    }

    /// Whether `delete` throws: the start has to be before the end, which may lie beyond the text.
    fn delete_before(&mut self, arguments: &Arguments, site: u32) -> Result<(), Stop> {
        if !self.follows_builder(arguments) {
            return Ok(());
        }
        let text = self.text_at(arguments[0])?;
        let (start, end, length) = (arguments[1], arguments[2], text.length);
        let fits = start.as_int() >= 0 && start.as_int() <= end.as_int().min(length.as_int());
        if [start, end, length].iter().any(|v| v.node != 0) {
            let nodes = &mut self.s.nodes;
            let (zero, start, end, length) = (nodes.constant(32, 0), nodes.of(start, 32), nodes.of(end, 32), nodes.of(length, 32));
            let all = [nodes.op2(Op::BvSle, zero, start), nodes.op2(Op::BvSle, start, end), nodes.op2(Op::BvSle, start, length)];
            let condition = nodes.many(Op::And, &all);
            self.branch(site, condition, fits);
        }
        self.story.cover(site, u32::from(fits));
        Ok(())
    }

    /// What a builder holds after a call, and what the result depends on. `prior` is what it held before; what the event reported it to hold is in the
    /// heap.
    pub(super) fn builder_after(&mut self, of: BuilderModel, arguments: &Arguments, result: Value, prior: Held) -> Result<Value, Stop> {
        let builder = arguments[0].as_object();
        let lost = if let Held::Lost(what) = &prior { Some(what.to_string()) } else { None };
        let reported = std::mem::replace(&mut self.s.heap.get_mut(builder).text, prior);
        if let Some(what) = lost.filter(|_| !matches!(of, BuilderModel::Length | BuilderModel::CharAt)) {
            if of == BuilderModel::ToString {
                self.lose_text(result.as_object(), &what);
            }
            return Ok(result);
        }
        if of == BuilderModel::New {
            self.set_text(builder, Text::default());
            return Ok(result);
        }
        if !self.follows_builder(arguments) && !self.is_symbolic_array_of(of, arguments) {
            // What it holds now the JVM reports where somebody asks.
            let reads = matches!(of, BuilderModel::Length | BuilderModel::CharAt | BuilderModel::ToString);
            // A method without a result reports nothing.
            let silent = matches!(of, BuilderModel::SetLength | BuilderModel::SetCharAt);
            if silent && matches!(self.s.heap.get(builder).text, Held::Text(_)) {
                let text = self.text(builder)?;
                if let Some(changed) = self.changed(of, &text, arguments)? {
                    self.set_text(builder, changed);
                }
            } else if of == BuilderModel::SetLength && arguments[1].bits == 0 {
                self.set_text(builder, Text::default());
            } else if !reads {
                self.s.heap.get_mut(builder).text = reported;
            }
            return Ok(result);
        }
        if of == BuilderModel::NewText {
            let text = self.text_at(arguments[1])?;
            self.set_text(builder, (*text).clone());
            return Ok(result);
        }
        let text = self.text(builder)?;
        match of {
            BuilderModel::Length => return Ok(Value { bits: result.bits, node: text.length.node }),
            BuilderModel::CharAt => return Ok(Value { bits: result.bits, node: self.char_at(&text, arguments[1]) }),
            BuilderModel::ToString => {
                self.new_text(result.as_object(), (*text).clone());
                return Ok(result);
            }
            _ => {}
        }
        let text = self.settled(&text);
        match self.changed(of, &text, arguments)? {
            Some(changed) => self.set_text(builder, changed),
            None => self.lengthened(builder, &text, arguments, reported)?,
        }
        Ok(result)
    }

    /// Something was appended of which nobody knows how it is written. If no input decides it, the event says.
    fn lengthened(&mut self, builder: u32, text: &Text, arguments: &Arguments, reported: Held) -> Result<(), Stop> {
        let symbolic = arguments.get(1).is_none_or(|&appended| appended.node != 0 || self.is_lost(appended));
        match reported {
            Held::Text(now) if !symbolic => {
                let tail = now.units.get(text.units.len()..).unwrap_or_default();
                let units = text.units.iter().chain(tail).copied().collect();
                self.set_text(builder, Text::of(units));
                Ok(())
            }
            _ if !symbolic && !self.run.texts => Err(Stop::Texts),
            _ => {
                let what = format!("{}: what is appended to a builder", self.place());
                self.lose_text(builder, &what);
                Ok(())
            }
        }
    }

    /// Whether an object is a string or a builder.
    fn is_text(&self, reference: Value) -> bool {
        let class = self.s.heap.get(reference.as_object()).class;
        matches!(self.s.classes.name(class), "java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer")
    }

    /// Whether a string depends on inputs in a way that nobody knows.
    fn is_lost(&self, reference: Value) -> bool {
        let object = reference.as_object();
        (object as usize) < self.s.heap.len() && matches!(self.s.heap.get(object).text, Held::Lost(_))
    }

    fn is_symbolic_array_of(&mut self, of: BuilderModel, arguments: &Arguments) -> bool {
        of == BuilderModel::AppendChars && arguments[1].bits != 0 && self.is_symbolic_array(arguments[1].as_object())
    }

    /// The text of a builder after a change; `None` if that cannot be said.
    fn changed(&mut self, of: BuilderModel, text: &Text, arguments: &Arguments) -> Result<Option<Text>, Stop> {
        let length = u32::try_from(text.units.len()).expect("texts are short");
        let position = |replay: &mut Self, value: Value| {
            if value.node != 0 {
                replay.settle(MODEL, value, length + 1);
            }
            (value.bits as usize).min(length as usize)
        };
        Ok(Some(match of {
            BuilderModel::AppendText | BuilderModel::AppendObject | BuilderModel::AppendPart if self.is_lost(arguments[1]) => {
                return Ok(None);
            }
            BuilderModel::AppendPart => match self.part(arguments)? {
                Some(other) => self.joined(text, &other),
                None => return Ok(None),
            },
            BuilderModel::AppendText => {
                let null = self.settle_reference(arguments[1])?;
                let other = if null { Text::concrete("null".encode_utf16()) } else { (*self.text_at(arguments[1])?).clone() };
                self.joined(text, &other)
            }
            BuilderModel::AppendObject => {
                let null = self.settle_reference(arguments[1])?;
                let other = match (null, self.is_text(arguments[1])) {
                    (true, _) => Text::concrete("null".encode_utf16()),
                    (false, true) => (*self.text_at(arguments[1])?).clone(),
                    _ => return Ok(None),
                };
                self.joined(text, &other)
            }
            BuilderModel::AppendChars => {
                let other = self.chars_of(arguments[1].as_object(), None)?;
                self.joined(text, &other)
            }
            BuilderModel::Append(Kind::Char) => self.joined(text, &Text::of(vec![arguments[1]])),
            BuilderModel::Append(kind) => match self.number_text(NumberModel::Show(kind), arguments[1])? {
                Some(other) => self.joined(text, &other),
                None => return Ok(None),
            },
            BuilderModel::InsertChar | BuilderModel::InsertText => {
                let at = position(self, arguments[1]);
                let other = if of == BuilderModel::InsertChar {
                    Text::of(vec![arguments[2]])
                } else if self.settle_reference(arguments[2])? {
                    Text::concrete("null".encode_utf16())
                } else {
                    let other = self.text_at(arguments[2])?;
                    (*self.settled(&other)).clone()
                };
                let mut units = text.units.clone();
                units.splice(at..at, other.units);
                Text::of(units)
            }
            BuilderModel::SetCharAt => {
                let at = position(self, arguments[1]);
                let mut units = text.units.clone();
                units[at] = arguments[2];
                Text::of(units)
            }
            BuilderModel::SetLength => {
                let wanted = arguments[1];
                if wanted.node != 0 {
                    // One path for each length, but not for all that there are.
                    let long = wanted.bits as u32 > LONGEST;
                    let bound = self.s.nodes.constant(32, u64::from(LONGEST));
                    let condition = self.s.nodes.op2(Op::BvUle, wanted.node, bound);
                    self.branch(MODEL, condition, !long);
                    if long {
                        return Ok(None);
                    }
                    self.settle(MODEL, wanted, LONGEST + 1);
                }
                let mut units = text.units.clone();
                units.resize(wanted.bits as usize, Value::NOTHING);
                Text::of(units)
            }
            BuilderModel::DeleteCharAt => {
                let at = position(self, arguments[1]);
                let mut units = text.units.clone();
                units.remove(at);
                Text::of(units)
            }
            BuilderModel::Delete => {
                let (start, end) = (position(self, arguments[1]), position(self, arguments[2]));
                let mut units = text.units.clone();
                units.drain(start..end.max(start));
                Text::of(units)
            }
            BuilderModel::Reverse => Text::of(self.reversed(text)),
            _ => return Ok(None),
        }))
    }

    /// What `append(CharSequence, int, int)` appends; `None` where that cannot be said.
    fn part(&mut self, arguments: &Arguments) -> Result<Option<Text>, Stop> {
        let (start, end) = (arguments[2], arguments[3]);
        if start.node != 0 || end.node != 0 {
            return Ok(None);
        }
        let whole = if self.settle_reference(arguments[1])? {
            Text::concrete("null".encode_utf16())
        } else {
            if !self.is_text(arguments[1]) {
                return Ok(None);
            }
            let text = self.text_at(arguments[1])?;
            (*self.settled(&text)).clone()
        };
        Ok(whole.units.get(start.bits as usize..end.bits as usize).map(|units| Text::of(units.to_vec())))
    }

    /// Whether appending a part throws: that is so for some lengths of the text, which is decided here.
    fn part_before(&mut self, arguments: &Arguments) -> Result<(), Stop> {
        if arguments[2].node != 0 || arguments[3].node != 0 {
            self.story.limit("uninstrumented", "java.lang.StringBuilder.append of a part that an input decides", true);
        } else if !self.settle_reference(arguments[1])? && self.has_symbolic_text(arguments[1].as_object()) {
            let text = self.text_at(arguments[1])?;
            self.settled(&text);
        }
        Ok(())
    }

    /// The characters in reverse, but with pairs of surrogates as they were: it is decided which characters are surrogates.
    fn reversed(&mut self, text: &Text) -> Vec<Value> {
        let mut units: Vec<(Value, bool, bool)> = Vec::new();
        for &unit in text.units.iter().rev() {
            let low = self.is_surrogate(unit, 0xdc00);
            let high = !low && self.is_surrogate(unit, 0xd800);
            units.push((unit, high, low));
        }
        let mut at = 0;
        while at + 1 < units.len() {
            if units[at].2 && units[at + 1].1 {
                units.swap(at, at + 1);
                at += 1;
            }
            at += 1;
        }
        units.into_iter().map(|unit| unit.0).collect()
    }

    /// Decides whether a character is a surrogate of the kind that begins here.
    fn is_surrogate(&mut self, unit: Value, first: u64) -> bool {
        let is = (first..first + 0x400).contains(&unit.bits);
        if unit.node != 0 {
            let (first, count) = (self.s.nodes.constant(32, first), self.s.nodes.constant(32, 0x400));
            let offset = self.s.nodes.op2(Op::BvSub, unit.node, first);
            let condition = self.s.nodes.op2(Op::BvUlt, offset, count);
            self.branch(MODEL, condition, is);
        }
        is
    }
}
