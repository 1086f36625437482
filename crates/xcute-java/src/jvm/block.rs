//! The memory shared with a JVM, by its parts.

use std::io;
use std::mem::offset_of;

use xcute_process::{Bell, Shared};

use super::Options;
use crate::wire::{self, Control, ROW, Row, TASKS};

/// Bytes for inputs, texts, classes and types; only what is used takes memory.
const INPUT: u64 = 1 << 28;
const TEXT: u64 = 1 << 18;
const CLASSES: u64 = 1 << 24;
const TYPES: u64 = 1 << 24;
const PAGE: u64 = 4096;

/// The block.
#[derive(Debug)]
pub(crate) struct Block {
    shared: Shared,
    head: Control,
}

macro_rules! field {
    ($block:expr, $name:ident) => {
        $block.shared.read(offset_of!(Control, $name) as u64)
    };
}

macro_rules! set {
    ($block:expr, $name:ident, $value:expr) => {
        $block.shared.write(offset_of!(Control, $name) as u64, $value)
    };
}

impl Block {
    /// A block for a program with this many instructions.
    pub(crate) fn new(options: &Options, instructions: usize) -> io::Result<Block> {
        let events_size = options.events * 8;
        let input_at = PAGE;
        let text_at = input_at + INPUT;
        let classes_at = text_at + TEXT;
        let types_at = classes_at + CLASSES;
        let tasks_at = types_at + TYPES;
        let shared_at = tasks_at + (TASKS * size_of::<Row>()) as u64;
        let events_at = (shared_at + instructions as u64 + 1).next_multiple_of(PAGE);
        let head = Control {
            magic: wire::MAGIC,
            events_at,
            events_size,
            input_at,
            input_size: INPUT,
            text_at,
            text_size: TEXT,
            classes_at,
            classes_size: CLASSES,
            types_at,
            types_size: TYPES,
            collect_above: options.garbage,
            tasks_at,
            shared_at,
            ..Control::default()
        };
        let shared = Shared::new(c"xcute-java", events_at + events_size + PAGE)?;
        Ok(Block { shared, head })
    }

    pub(crate) fn path(&self) -> String {
        self.shared.path()
    }

    /// Writes what a fresh JVM must find. The table of types is as it was.
    pub(crate) fn prepare(&mut self) {
        let types: u64 = field!(self, types_count);
        let head = Control { types_count: types, ..self.head };
        let words: [u32; size_of::<Control>() / 4] = [0; size_of::<Control>() / 4];
        self.shared.fill(0, &words);
        set!(self, magic, head.magic);
        for (at, value) in [
            (offset_of!(Control, events_at), head.events_at),
            (offset_of!(Control, events_size), head.events_size),
            (offset_of!(Control, input_at), head.input_at),
            (offset_of!(Control, input_size), head.input_size),
            (offset_of!(Control, text_at), head.text_at),
            (offset_of!(Control, text_size), head.text_size),
            (offset_of!(Control, classes_at), head.classes_at),
            (offset_of!(Control, classes_size), head.classes_size),
            (offset_of!(Control, types_at), head.types_at),
            (offset_of!(Control, types_size), head.types_size),
            (offset_of!(Control, types_count), head.types_count),
            (offset_of!(Control, collect_above), head.collect_above),
            (offset_of!(Control, tasks_at), head.tasks_at),
            (offset_of!(Control, shared_at), head.shared_at),
        ] {
            self.shared.write(at as u64, value);
        }
    }

    pub(crate) fn jvm_bell(&self) -> Bell<'_> {
        let word = |at: usize| self.shared.atomic(at as u64);
        Bell { rings: word(offset_of!(Control, bell_jvm)), sleeps: word(offset_of!(Control, jvm_sleeps)) }
    }

    pub(crate) fn engine_bell(&self) -> Bell<'_> {
        let word = |at: usize| self.shared.atomic(at as u64);
        Bell { rings: word(offset_of!(Control, bell_engine)), sleeps: word(offset_of!(Control, engine_sleeps)) }
    }

    pub(crate) fn ready(&self) -> u32 {
        field!(self, ready)
    }

    /// Writes a command; the bell makes it known.
    pub(crate) fn command(&mut self, command: u32, run: u32, flags: u32) {
        set!(self, command, command);
        set!(self, run, run);
        set!(self, flags, flags);
        set!(self, outcome, wire::outcome::RUNNING);
        set!(self, request, wire::request::DONE);
        set!(self, tasks, 0u32);
        set!(self, events_used, 0u64);
    }

    pub(crate) fn started(&self) -> u32 {
        field!(self, started)
    }

    pub(crate) fn outcome(&self) -> u32 {
        field!(self, outcome)
    }

    pub(crate) fn collections(&self) -> u32 {
        field!(self, collections)
    }

    pub(crate) fn threads(&self) -> u32 {
        field!(self, threads)
    }

    pub(crate) fn initialisers(&self) -> u64 {
        field!(self, initialisers)
    }

    pub(crate) fn loads(&self) -> u64 {
        field!(self, loads)
    }

    pub(crate) fn generation(&self) -> u32 {
        field!(self, generation)
    }

    /// Writes the input of a run; whether it fits.
    pub(crate) fn set_input(&mut self, words: &[u64]) -> bool {
        let fits = words.len() as u64 * 8 <= INPUT;
        if fits {
            self.shared.fill(self.head.input_at, words);
        }
        fits
    }

    /// Appends to the table of types at a byte that is a multiple of four; whether it fits.
    pub(crate) fn add_types(&mut self, at: u64, bytes: &[u8], count: u64) -> bool {
        let fits = at + bytes.len() as u64 <= TYPES;
        if fits {
            self.shared.fill(self.head.types_at + at, bytes);
            set!(self, types_count, count);
        }
        fits
    }

    /// The events of the last run, also of one whose JVM died.
    pub(crate) fn events(&self) -> &[u64] {
        let used: u64 = field!(self, events_used);
        let count = used.min(self.head.events_size) / 8;
        self.shared.slice(self.head.events_at, usize::try_from(count).expect("addresses have 64 bits"))
    }

    /// Whether the JVM wants to know who goes on.
    pub(crate) fn wants_pick(&self) -> bool {
        let request: u32 = field!(self, request);
        request == wire::request::PICK
    }

    /// The tasks of the run.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> {
        let count: u32 = field!(self, tasks);
        let words: &[u32] = self.shared.slice(self.head.tasks_at, (count as usize).min(TASKS) * ROW);
        words.chunks_exact(ROW).map(Row::of)
    }

    /// Says who goes on, and which way.
    pub(crate) fn answer(&mut self, chosen: Option<(u32, u32)>) {
        let (task, arm) = chosen.unwrap_or((u32::MAX, 0));
        set!(self, chosen, task);
        set!(self, arm, arm);
    }

    /// Whether what an instruction accesses is shared by tasks, and whether it writes.
    pub(crate) fn access(&mut self, instruction: u32, shared: bool, writes: bool) {
        self.shared.write(self.head.shared_at + u64::from(instruction), u8::from(shared) | u8::from(writes) << 1);
    }

    /// The bytes of what the JVM says about tasks that ended in another way than by returning.
    pub(crate) fn endings(&self) -> &[u8] {
        let used: u64 = field!(self, text_used);
        self.shared.slice(self.head.text_at, usize::try_from(used.min(TEXT)).expect("small"))
    }

    /// What the JVM says about an exception.
    pub(crate) fn text(&self) -> String {
        let used: u64 = field!(self, text_used);
        let bytes: &[u8] = self.shared.slice(self.head.text_at, usize::try_from(used.min(TEXT)).expect("small"));
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The classes that the JVM met, from a byte on: their numbers and names; and where the list ends.
    pub(crate) fn classes(&self, from: u64) -> (Vec<(u32, String)>, u64) {
        let used: u64 = field!(self, classes_used);
        let used = used.min(CLASSES);
        let (mut at, mut found) = (from, Vec::new());
        while at + 8 <= used {
            let base = self.head.classes_at + at;
            let (number, length): (u32, u32) = (self.shared.read(base), self.shared.read(base + 4));
            let size = 8 + u64::from(length).next_multiple_of(8);
            if at + size > used {
                break;
            }
            let name: &[u8] = self.shared.slice(base + 8, length as usize);
            found.push((number, String::from_utf8_lossy(name).into_owned()));
            at += size;
        }
        (found, at)
    }
}
