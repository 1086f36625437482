//! Several threads: whose events these are, which steps they made, and what they share.
//!
//! Events of all threads stand in one list, in the order in which they ran; a turn says whose come next. Each thread has frames of its own. The memory
//! that two of them use, one of them to write, is shared: its accesses must be steps, and where they were not, the run is made again.
//!
//! **Invariant.** What an operation depends on is decided before its step: whether a reference is null, which object it is, which element.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_trace::{Known as Promised, SiteId};

use super::classes::ClassIdx;
use super::frames::{Frames, Waiting};
use super::refs::Leaf;
use super::{Replay, Stop};
use crate::program::body::element;
use crate::program::body::{Call, Insn, MethodId};
use crate::program::tables::SCHEDULE;
use crate::program::{is_made, names};
use crate::threads::director::Directed;
use crate::threads::operation;
use crate::threads::tasks::Shareable;
use crate::wire::{event, operation as op};
use xcute_classfile::Kind;
use xcute_classfile::access::FINAL;
use xcute_classfile::opcode::*;

/// What a thread that does not run has.
#[derive(Debug, Default)]
pub(super) struct Strand {
    frames: Frames,
    throwing: bool,
    pointed: bool,
    initialising: u32,
}

/// Who used a cell: one task, or several.
#[derive(Clone, Copy, Debug, Default)]
struct Users {
    read: Option<u32>,
    written: Option<u32>,
}

/// Several tasks.
const SEVERAL: u32 = u32::MAX;

/// The threads of a run that is replayed.
#[derive(Debug, Default)]
pub(super) struct Strands {
    others: Vec<Strand>,
    current: usize,
    /// Some other thread than the first has run.
    pub(super) many: bool,
    /// The exception of the current one is on its way.
    pub(super) throwing: bool,
    /// The current one has announced an operation, or does nothing more: others may come next.
    pub(super) pointed: bool,
    users: FxHashMap<(u32, u32), Users>,
    /// How many objects there were when a static initialiser began.
    floor: u32,
    /// Those that run tasks of a pool which may have fewer threads than tasks.
    pooled: FxHashSet<usize>,
    pub(super) told: Steps,
}

impl Strands {
    /// The number of the current one.
    pub(super) fn current(&self) -> u32 {
        u32::try_from(self.current).expect("few tasks")
    }

    /// The current one runs tasks of a pool.
    pub(super) fn pool_task(&mut self) {
        self.pooled.insert(self.current);
    }

    pub(super) fn is_pool_task(&self) -> bool {
        self.pooled.contains(&self.current)
    }
}

/// Where a frame stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stood {
    pub(crate) method: MethodId,
    /// The number of the instruction.
    pub(crate) at: u32,
    /// Which of its thread's frames it is.
    pub(crate) serial: u32,
    /// How many instructions it had done: what an instruction does in several steps, it does at one of these.
    pub(crate) done: u32,
}

/// What is said of the steps of a run.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// For each step, how many decisions came before.
    pub(crate) before: Vec<u32>,
    /// For each step, the frames of its task, innermost first; the innermost is that of the operation's place.
    pub(crate) stacks: Vec<Vec<Stood>>,
    /// What was found to be shared.
    pub(crate) shared: FxHashSet<Shareable>,
    /// What the current task has read since the last step, though others may change it.
    pub(crate) reads: FxHashSet<Shareable>,
    /// By number of the task: its frames at its last operation.
    pub(crate) stands: FxHashMap<u32, Vec<Stood>>,
    /// Tasks that began: after how many steps, their numbers, and what they run.
    pub(crate) began: Vec<(usize, u32, MethodId)>,
}

impl Replay<'_> {
    /// What the events say of threads; whether there was something.
    pub(super) fn threads(&mut self) -> Result<bool, Stop> {
        let Some(directed) = self.run.directed else { return Ok(false) };
        let Some(found) = self.events.peek() else { return Ok(false) };
        match found.kind {
            // What the current thread did before, without a word of it, comes first.
            event::TURN if self.strands.pointed || self.is_outside() => {
                self.events.take(found);
                self.turn(found.value as usize);
            }
            event::STEP => {
                self.events.take(found);
                self.strands.pointed = false;
                self.step_made(directed)?;
            }
            event::POINT if self.strands.throwing || self.is_outside() || self.is_at(found.value) => {
                self.events.take(found);
                self.strands.pointed = true;
                self.point(u32::from(found.pc))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the current thread is in code that is not followed, or at its end.
    fn is_outside(&self) -> bool {
        self.s.frames.top().is_none_or(|frame| matches!(frame.waiting, Waiting::Foreign(..)))
    }

    /// Whether the current thread comes to this instruction next.
    pub(super) fn is_at(&self, place: u32) -> bool {
        let Some(frame) = self.s.frames.top().filter(|frame| frame.waiting == Waiting::Nothing) else { return false };
        self.program.method(frame.method).body.first + frame.at as usize == place as usize
    }

    fn remember_stack(&mut self) {
        let stood = |frame: &super::frames::Frame| Stood { method: frame.method, at: frame.at, serial: frame.serial, done: frame.done };
        let stack = self.s.frames.all().iter().rev().map(stood).collect();
        let current = self.strands.current();
        // A thread runs what its first method calls, where that one is ours.
        let made = |method: MethodId| is_made(self.program.method(method));
        if let Some(began) = self.strands.told.began.iter_mut().find(|began| began.1 == current && made(began.2))
            && let Some(frame) = self.s.frames.all().iter().find(|frame| !made(frame.method))
        {
            began.2 = frame.method;
        }
        self.strands.told.stands.insert(current, stack);
    }

    fn turn(&mut self, to: usize) {
        let strands = &mut self.strands;
        if to >= strands.others.len() {
            strands.others.resize_with(to + 1, Strand::default);
        }
        strands.many = true;
        for number in [strands.current, to] {
            let strand = &mut strands.others[number];
            std::mem::swap(&mut strand.frames, &mut self.s.frames);
            std::mem::swap(&mut strand.throwing, &mut strands.throwing);
            std::mem::swap(&mut strand.pointed, &mut strands.pointed);
            std::mem::swap(&mut strand.initialising, &mut self.initialising);
        }
        strands.current = to;
        strands.told.reads.clear();
    }

    /// A thread begins with a method.
    pub(super) fn thread_begins(&mut self, method: MethodId) {
        let current = self.strands.current();
        let steps = self.strands.told.before.len();
        if !self.strands.told.began.iter().any(|began| began.1 == current) {
            self.strands.told.began.push((steps, current, method));
        }
    }

    fn step_made(&mut self, directed: &Directed) -> Result<(), Stop> {
        let number = self.strands.told.before.len();
        let Some(step) = directed.record.steps.get(number) else { return Err(self.lost("a step that was asked for")) };
        let count = u32::try_from(self.story.count()).expect("few decisions");
        self.strands.told.before.push(count);
        let current = self.strands.current();
        let stack = self.strands.told.stands.get(&current).cloned().unwrap_or_default();
        self.strands.told.stacks.push(stack);
        self.strands.told.reads.clear();
        let options = step.options();
        if options > 1 {
            let strayed = directed.strayed.is_some_and(|choice| self.choices >= choice);
            self.choices += 1;
            let here = Promised { site: SiteId(SCHEDULE), taken: step.option() };
            self.story.choose(self.terms, self.run.promise, here, options, strayed);
        }
        Ok(())
    }

    /// The current task announces an operation; what it depends on is decided here.
    fn point(&mut self, operation: u32) -> Result<(), Stop> {
        self.remember_stack();
        if matches!(operation, op::LOCK | op::ACQUIRE) {
            self.locks();
        }
        let Some(frame) = self.s.frames.top().filter(|frame| frame.waiting == Waiting::Nothing && !self.strands.throwing) else {
            return Ok(());
        };
        let insn: Insn = self.program.method(frame.method).body.insns[frame.at as usize];
        if matches!(operation, op::WAIT | op::PARK | op::JOIN) && (INVOKEVIRTUAL..=INVOKEINTERFACE).contains(&insn.op) {
            // Nobody may ever wake it up: then the call itself is not come to.
            let program = self.program;
            let call = &program.method(frame.method).body.calls[insn.arg as usize];
            if operation == op::WAIT && call.name == "wait" {
                self.waits_for_end(self.s.frames.peek(call.places() - 1).as_object());
            }
            self.waits(&call.name);
        }
        match insn.op {
            MONITORENTER | MONITOREXIT => self.fix(0, insn.site),
            // The monitor of a method that begins.
            _ if operation != op::ACCESS => Ok(()),
            GETFIELD => self.fix(0, insn.site),
            PUTFIELD => {
                let places = self.program.fields[insn.arg as usize].kind.places();
                self.fix(places, insn.site)
            }
            IALOAD..=SALOAD => self.fix_element(0, insn.site),
            IASTORE..=SASTORE => self.fix_element(element(insn.op).places(), insn.site),
            _ => Ok(()),
        }
    }

    /// The current task waits for the monitor of an object: if that is a thread, its end is an operation that others see.
    fn waits_for_end(&mut self, object: u32) {
        let class = self.s.classes.name(self.s.heap.get(object).class);
        if self.program.tables().hierarchy.is_subclass(class, "java/lang/Thread") && !self.run.shared.contains(&Shareable::Ends) {
            self.strands.told.shared.insert(Shareable::Ends);
        }
    }

    /// Decides which object a reference is that is not null.
    fn fix(&mut self, below: usize, site: u32) -> Result<(), Stop> {
        let reference = self.s.frames.peek(below);
        let (_, leaf) = self.check_null(reference, site)?;
        if let Leaf::Variable(variable) = leaf {
            self.resolve(variable, reference.as_object());
        }
        Ok(())
    }

    fn fix_element(&mut self, below: usize, site: u32) -> Result<(), Stop> {
        let (reference, index) = (self.s.frames.peek(below + 1), self.s.frames.peek(below));
        if let Some(array) = self.array(reference, site)?
            && self.inside(array, index, site + 1)
        {
            self.settle_index(array, index);
        }
        Ok(())
    }

    /// The current task uses a field of an object.
    pub(super) fn touch_field(&mut self, object: u32, field: u32, writes: bool) {
        if self.strands.many && !self.program.fields[field as usize].settled {
            self.touch(Shareable::Field(field), (object, field), writes);
        }
    }

    /// The current task uses a static field.
    pub(super) fn touch_static(&mut self, field: u32, writes: bool) {
        if self.strands.many {
            self.touch(Shareable::Field(field), (0, field), writes);
        }
    }

    /// The current task uses an element.
    pub(super) fn touch_element(&mut self, array: u32, index: u32, opcode: u8, writes: bool) {
        if self.strands.many {
            self.touch(Shareable::Elements(operation::element(opcode)), (array, index), writes);
        }
    }

    /// The current task uses elements by a method that is not followed.
    pub(super) fn touch_elements(&mut self, array: u32, from: u32, count: u32, writes: bool) {
        if !self.strands.many {
            return;
        }
        let class = self.s.heap.get(array).class;
        let Some(kind) = self.s.classes.element(class) else { return };
        let opcode = match kind {
            Kind::Int => IALOAD,
            Kind::Long => LALOAD,
            Kind::Float => FALOAD,
            Kind::Double => DALOAD,
            Kind::Reference => AALOAD,
            Kind::Byte | Kind::Boolean => BALOAD,
            Kind::Char => CALOAD,
            Kind::Short => SALOAD,
        };
        let what = Shareable::Elements(opcode);
        let mut conflict = false;
        for index in from..from.saturating_add(count) {
            conflict |= self.use_cell((array, index), writes);
        }
        if conflict {
            let place = self.place();
            self.story.limit("unsupported", format!("{place}: several elements that other threads use are accessed at once"), true);
            self.strands.told.shared.insert(what);
        }
    }

    /// The current task calls a method that is not followed: what it does to its receiver and to arrays is not a step.
    pub(super) fn touch_by_call(&mut self, call: &Call, declaring: ClassIdx) {
        if !self.strands.many {
            return;
        }
        let class = self.s.classes.name(declaring).to_owned();
        let constant =
            ["java/lang/String", "java/lang/Class", "java/lang/Object", "java/lang/Enum", "java/lang/ThreadLocal", "java/io/PrintStream"];
        let receiver = (call.has_receiver() && call.name != "<init>").then(|| self.s.frames.peek(call.places() - 1).as_object());
        let boxed = crate::inputs::candidate::BOXES.iter().any(|boxed| boxed.0 == class);
        if let Some(object) = receiver.filter(|_| !boxed && !constant.contains(&class.as_str())) {
            let writes = !["get", "is", "to", "length", "charAt"].iter().any(|begin| call.name.starts_with(begin));
            if self.use_cell((object, u32::MAX), writes) {
                let what = format!("{}.{} works on an object of several threads", names::readable(&class), call.name);
                self.story.limit("unsupported", what, true);
            }
        }
        let arrays: Vec<u32> = call
            .parameters
            .iter()
            .zip(self.arguments(call).iter().skip(usize::from(call.has_receiver())))
            .filter(|(kind, _)| **kind == Kind::Reference)
            .map(|(_, value)| value.as_object())
            .collect();
        for array in arrays.into_iter().filter(|_| (class.as_str(), call.name.as_str()) != ("java/lang/System", "arraycopy")) {
            let length = self.s.heap.get(array).length;
            self.touch_elements(array, 0, length.min(4096), true);
        }
    }

    fn touch(&mut self, what: Shareable, cell: (u32, u32), writes: bool) {
        if self.initialising > 0 {
            // Nobody else sees what is initialised before it is.
            if self.run.shared.contains(&what) && cell.0 != 0 && cell.0 < self.strands.floor {
                let place = self.place();
                self.story.limit("unsupported", format!("{place}: a static initialiser works on what other threads use"), true);
            }
            return;
        }
        let conflict = self.use_cell(cell, writes);
        if conflict && !self.run.shared.contains(&what) {
            self.strands.told.shared.insert(what);
        } else if !writes && !self.run.shared.contains(&what) && !self.is_settled(what) {
            self.strands.told.reads.insert(what);
        }
    }

    fn is_settled(&self, what: Shareable) -> bool {
        matches!(what, Shareable::Field(field) if self.program.fields[field as usize].access & FINAL != 0)
    }

    /// Notes who uses a cell; whether another task has used it, and one of both writes.
    fn use_cell(&mut self, cell: (u32, u32), writes: bool) -> bool {
        if writes {
            self.works_on(cell.0);
        }
        let task = u32::try_from(self.strands.current).expect("few tasks");
        let users = self.strands.users.entry(cell).or_default();
        let other = |user: Option<u32>| user.is_some_and(|user| user != task);
        let conflict = other(users.written) || writes && other(users.read);
        let user = if writes { &mut users.written } else { &mut users.read };
        *user = Some(if other(*user) { SEVERAL } else { task });
        conflict
    }

    /// A static initialiser begins.
    pub(super) fn initialiser_begins(&mut self) {
        if self.initialising == 1 {
            self.strands.floor = u32::try_from(self.s.heap.len()).expect("few objects");
        }
    }
}
