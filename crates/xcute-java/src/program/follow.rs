//! One pass over a method: what is inserted into it, and how its replay reads what that reports.
//!
//! The runtime's events (`XcuteRt`) are placed so that a replay which knows all values on stack and in locals can go on: each block says that it begins,
//! each read of memory, each call of code that is not followed and each test of a class reports its result, each object its name once it is
//! complete, each handler its exception, and a method that is left by an exception says so.
//!
//! **Invariant.** Inserted code is straight-line and needs at most [`STACK`] places more.

use xcute_classfile::assemble::Assembler;
use xcute_classfile::flow::{self, Place, State};
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{CatchAll, Edit, Edits};
use xcute_classfile::{ClassError, ClassFile, Code, Constant, Instruction, Kind, Operand, Pool, Signature, decode};

use super::body::{Arms, Body, Call, Catch, Insn, Leads, Literal, MethodId, Reports, Target, Way, element, reports_arguments};
use super::concurrent::Special;
use super::tables::Tables;
use super::waits::{self, Seen};
use super::{calls, concurrent, statics};
use crate::wire::event;

/// Places on the stack that inserted code needs in addition.
const STACK: u16 = 6;
const RUNTIME: &str = "java/lang/XcuteRt";

/// A method that is being followed.
pub(super) struct Follower<'a> {
    pub(super) class: &'a mut ClassFile,
    pub(super) tables: &'a mut Tables,
    pub(super) id: MethodId,
    /// Name and descriptor, and flags.
    pub(super) name: &'a str,
    pub(super) descriptor: &'a str,
    pub(super) access: u16,
    /// The number of its first instruction among those of all methods, if the program has threads.
    pub(super) threads: Option<u32>,
    /// What loops may call that only wait.
    pub(super) seen: &'a Seen,
}

impl Follower<'_> {
    /// The decoded code, and the code with events.
    pub(super) fn follow(mut self, code: &Code) -> Result<(Body, Code), ClassError> {
        let instructions = decode(&code.bytes)?;
        let index = Index::new(code, &instructions)?;
        let leads = leads(code, &instructions, &index)?;
        let constructor = self.name == "<init>";
        let needed = constructor || instructions.iter().any(|i| i.opcode == NEW);
        let states = if needed { Some(flow::analyse(self.class, constructor, code, &instructions)?) } else { None };
        let mut body = Body { max_locals: code.max_locals, ..Body::default() };
        let to_u16 = |(pc, line): (u32, u32)| (u16::try_from(pc).unwrap_or(u16::MAX), line);
        body.variables = code.variables(self.class)?;
        body.lines = code.lines(self.class)?.into_iter().map(to_u16).collect();
        for handler in &code.handlers {
            let end = if handler.end as usize >= code.bytes.len() { instructions.len() as u32 } else { index.of(handler.end)? };
            body.catches.push(Catch { start: index.of(handler.start)?, end, handler: index.of(handler.handler)? });
        }
        let mut edits = Edits { stack: STACK, prologue: self.prologue()?, ..Edits::default() };
        edits.prologue.extend(statics::say(self.class, self.name, "begins")?);
        if let Some(first) = self.threads {
            edits.prologue.extend(concurrent::beginning(self.class, self.name, self.access, first)?);
        }
        let handlers = code.handlers.iter().map(|handler| handler.handler).collect();
        let waits = if self.threads.is_some() { waits::waits(&instructions, &handlers, self.class, self.seen) } else { Vec::new() };
        for (number, instruction) in instructions.iter().enumerate() {
            let mut edit = Edit::default();
            let pc = u16::try_from(instruction.pc).map_err(|_| ClassError::Position { pc: instruction.pc })?;
            match leads[number] {
                Leads::Nothing => {}
                Leads::Block => self.mark(&mut edit.before, event::BLOCK, pc)?,
                Leads::Handler => self.value(&mut edit.before, Kind::Reference, event::CAUGHT, pc)?,
            }
            let around = [number, number + 1].map(|n| states.as_ref().and_then(|s| s.get(n)).and_then(Option::as_ref));
            let place = self.threads.map(|first| first + u32::try_from(number).expect("methods are short"));
            if let Some(place) = place.filter(|_| waits.iter().any(|wait| wait.head == number)) {
                edit.before.extend(concurrent::looks(&mut self.class.pool, "again", place)?);
            }
            let arg = self.instruction(instruction, around, &index, (&mut body, &mut edit), place)?;
            if let Some(place) = place {
                self.concurrent(instruction, around[0], &mut edit, place)?;
                if let Some(wait) = waits.iter().find(|wait| wait.close == number) {
                    let head = place - u32::try_from(number - wait.head).expect("methods are short");
                    edit.before.extend(concurrent::looks(&mut self.class.pool, "closes", head)?);
                    if instruction.is_conditional() {
                        edit.after.extend(concurrent::looks(&mut self.class.pool, "leaves", head)?);
                    }
                }
            }
            if !waits.is_empty() && (IRETURN..=RETURN).contains(&instruction.opcode) {
                edit.before.extend(concurrent::say(&mut self.class.pool, "endsLoops")?);
            }
            if instruction.opcode == RETURN {
                edit.before.extend(statics::say(self.class, self.name, "ends")?);
            }
            let site = self.tables.sites_of(&body, instruction, number, &instructions, self.class)?;
            body.insns.push(Insn { op: instruction.opcode, leads: leads[number], pc, arg, site });
            if !edit.before.is_empty() || !edit.after.is_empty() || edit.instead.is_some() {
                edits.edits.push((number, edit));
            }
        }
        edits.catch_all = Some(self.catch_all(&instructions, states.as_deref().filter(|_| constructor), !waits.is_empty())?);
        let method = format!("{}{}", self.name, self.descriptor);
        let code = xcute_classfile::rewrite::rewrite(self.class, &method, code, &instructions, &edits)?;
        Ok((body, code))
    }

    /// An event without a value.
    fn mark(&mut self, out: &mut Vec<u8>, kind: u8, pc: u16) -> Result<(), ClassError> {
        let word = u64::from(kind) << 56 | u64::from(pc) << 32 | u64::from(self.id.0);
        let mut code = Assembler::new();
        code.long(&mut self.class.pool, word.cast_signed())?;
        code.call_static(&mut self.class.pool, RUNTIME, if kind == event::UNWIND { "u" } else { "e" }, "(J)V")?;
        out.extend(code.finish());
        Ok(())
    }

    /// An event with the value on top of the stack, which stays there.
    fn value(&mut self, out: &mut Vec<u8>, kind: Kind, as_event: u8, pc: u16) -> Result<(), ClassError> {
        let mut code = Assembler::new();
        code.op(if kind.places() == 2 { DUP2 } else { DUP });
        report(&mut code, &mut self.class.pool, kind, as_event, pc)?;
        out.extend(code.finish());
        Ok(())
    }

    fn prologue(&mut self) -> Result<Vec<u8>, ClassError> {
        let mut out = Vec::new();
        self.mark(&mut out, event::ENTER, 0)?;
        if reports_arguments(self.access, self.name) {
            let mut code = Assembler::new();
            code.local(ALOAD, 0);
            report(&mut code, &mut self.class.pool, Kind::Reference, event::REF, 0)?;
            let mut local = 1;
            for kind in Signature::parse(self.descriptor)?.kinds() {
                code.load(kind, local);
                report(&mut code, &mut self.class.pool, kind, event_of(kind), local)?;
                local += u16::try_from(kind.places()).expect("one or two");
            }
            out.extend(code.finish());
        }
        Ok(out)
    }

    /// A handler for all that leaves the method. In a constructor it covers what comes after `super(…)`.
    fn catch_all(&mut self, instructions: &[Instruction], states: Option<&[Option<State>]>, waits: bool) -> Result<CatchAll, ClassError> {
        let mut code = match self.threads {
            Some(first) => concurrent::leaving(&mut self.class.pool, self.name, self.access, first)?,
            None => Vec::new(),
        };
        if waits {
            code.extend(concurrent::say(&mut self.class.pool, "endsLoops")?);
        }
        code.extend(statics::say(self.class, self.name, "fails")?);
        self.mark(&mut code, event::UNWIND, 0)?;
        code.push(ATHROW);
        let covered = |number: usize| {
            states.is_none_or(|states| {
                states[number].as_ref().is_some_and(|s| !s.locals.contains(&Place::This) && !s.stack.contains(&Place::This))
            })
        };
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (_, instruction) in instructions.iter().enumerate().filter(|(number, _)| covered(*number)) {
            match ranges.last_mut() {
                Some((_, end)) if *end == instruction.pc => *end += instruction.length,
                _ => ranges.push((instruction.pc, instruction.pc + instruction.length)),
            }
        }
        Ok(CatchAll { code, ranges })
    }

    /// What an instruction reports; its argument for the replay.
    fn instruction(
        &mut self,
        instruction: &Instruction,
        around: [Option<&State>; 2],
        index: &Index,
        (body, edit): (&mut Body, &mut Edit),
        place: Option<u32>,
    ) -> Result<u32, ClassError> {
        let pc = u16::try_from(instruction.pc).map_err(|_| ClassError::Position { pc: instruction.pc })?;
        let opcode = instruction.opcode;
        Ok(match (&instruction.operand, opcode) {
            (Operand::None, IALOAD..=SALOAD) => {
                let kind = element(opcode);
                self.value(&mut edit.after, kind, event_of(kind), pc)?;
                0
            }
            (Operand::None, _) => 0,
            (Operand::Immediate(value), NEWARRAY) => {
                self.value(&mut edit.after, Kind::Reference, event::MADE, pc)?;
                value.cast_unsigned()
            }
            (Operand::Immediate(value), _) => value.cast_unsigned(),
            (Operand::Local(local), _) => u32::from(*local),
            (Operand::Increment(local, by), _) => u32::from(*local) | u32::from(by.cast_unsigned()) << 16,
            (Operand::Jump(target), _) => index.of(*target)?,
            (Operand::Switch(switch), _) => {
                let default = index.of(switch.default)?;
                let mut arms: Vec<(Vec<i32>, u32)> = Vec::new();
                for &(value, target) in &switch.cases {
                    let target = index.of(target)?;
                    match arms.iter_mut().find(|arm| arm.1 == target) {
                        _ if target == default => {}
                        Some(arm) => arm.0.push(value),
                        None => arms.push((vec![value], target)),
                    }
                }
                body.switches.push(Arms { arms, default });
                last(body.switches.len())
            }
            (Operand::Array(constant, dimensions), _) => {
                self.value(&mut edit.after, Kind::Reference, event::MADE, pc)?;
                let class = self.class.pool.class(*constant)?;
                self.tables.type_id(class).0 | u32::from(*dimensions) << 24
            }
            (Operand::Constant(constant), LDC | LDC2_W) => {
                let literal = literal(&self.class.pool, *constant)?;
                match literal {
                    Literal::Number(_) => {}
                    Literal::Text(_) => self.value(&mut edit.after, Kind::Reference, event::REF, pc)?,
                    Literal::Reported(kind) => self.value(&mut edit.after, kind, event_of(kind), pc)?,
                }
                body.constants.push(literal);
                last(body.constants.len())
            }
            (Operand::Constant(constant), GETSTATIC..=PUTFIELD) => {
                let member = self.class.pool.member(*constant)?;
                let kind = Kind::of(member.descriptor).ok_or_else(|| ClassError::Descriptor(member.descriptor.to_owned()))?;
                let field = self.tables.field_id(member.class, member.name, member.descriptor);
                if matches!(opcode, GETSTATIC | GETFIELD) {
                    self.value(&mut edit.after, kind, event_of(kind), pc)?;
                }
                field.0
            }
            (Operand::Constant(constant), INVOKEVIRTUAL..=INVOKEDYNAMIC) => {
                let (call, instead) = calls::resolve(self.class, self.tables, opcode, *constant, place)?;
                let call = self.reported(call, around, pc, edit)?;
                if place.is_some() && self.seen.hides(&call) {
                    edit.before.extend(concurrent::say(&mut self.class.pool, "hidden")?);
                }
                if place.is_some() && call.class == "java/lang/Thread" && call.name == "<init>" {
                    edit.after.extend(concurrent::say(&mut self.class.pool, "made")?);
                }
                edit.instead = instead;
                body.calls.push(call);
                last(body.calls.len())
            }
            (Operand::Constant(constant), _) => {
                match opcode {
                    ANEWARRAY => self.value(&mut edit.after, Kind::Reference, event::MADE, pc)?,
                    INSTANCEOF => self.value(&mut edit.after, Kind::Int, event::INT, pc)?,
                    _ => {}
                }
                self.tables.type_id(self.class.pool.class(*constant)?).0
            }
        })
    }

    /// What threads need at an instruction.
    fn concurrent(&mut self, instruction: &Instruction, before: Option<&State>, edit: &mut Edit, place: u32) -> Result<(), ClassError> {
        let opcode = instruction.opcode;
        let pool = &mut self.class.pool;
        let special = Special { initial: self.name == "<clinit>", ..Special::default() };
        match opcode {
            GETSTATIC..=PUTFIELD => {
                let constant = instruction.constant().unwrap_or(0);
                let kind = Kind::of(pool.member(constant)?.descriptor).unwrap_or(Kind::Reference);
                let receiver = before.and_then(|state| state.stack.iter().rev().nth(kind.places()));
                let fresh = opcode == PUTFIELD && receiver == Some(&Place::This);
                edit.before.extend(concurrent::before_access(pool, opcode, kind, place, Special { fresh, ..special })?);
            }
            IALOAD..=SALOAD | IASTORE..=SASTORE => {
                edit.before.extend(concurrent::before_access(pool, opcode, Kind::Int, place, special)?);
            }
            INVOKESPECIAL => edit.before.extend(concurrent::refusal(pool, instruction.constant().unwrap_or(0))?),
            MONITORENTER | MONITOREXIT => edit.instead = Some(concurrent::monitor(pool, opcode, place)?),
            IRETURN..=RETURN => edit.before.extend(concurrent::leaving(pool, self.name, self.access, place)?),
            _ => {}
        }
        Ok(())
    }

    /// Decides what is reported after a call, and reports it.
    fn reported(&mut self, mut call: Call, [before, after]: [Option<&State>; 2], pc: u16, edit: &mut Edit) -> Result<Call, ClassError> {
        let init = call.way == Way::Special && call.name == "<init>";
        let receiver = before.filter(|_| init).and_then(|state| state.stack.iter().rev().nth(call.places() - 1).copied());
        let foreign = !matches!(call.target, Target::Followed(_));
        call.reports = match (foreign, receiver) {
            (false, _) => Reports::Nothing,
            (true, Some(Place::New(_))) => {
                // The copy that every compiler leaves below the arguments is on top now.
                let copy = before.and_then(|state| state.stack.iter().rev().nth(call.places()).copied());
                if copy == receiver { Reports::Made } else { Reports::Result }
            }
            (true, Some(Place::This)) => {
                let kept = after.is_some_and(|state| state.locals.first() == Some(&Place::Some));
                if !kept {
                    let (method, what) = (format!("{}{}", self.name, self.descriptor), "the constructor gives up its receiver".to_owned());
                    return Err(ClassError::Unsupported { method, what });
                }
                Reports::Made
            }
            (true, _) => Reports::Result,
        };
        match (call.reports, call.result) {
            (Reports::Nothing, _) => {}
            (Reports::Made, _) if receiver == Some(Place::This) => {
                let mut code = Assembler::new();
                code.local(ALOAD, 0);
                report(&mut code, &mut self.class.pool, Kind::Reference, event::MADE, pc)?;
                edit.after = code.finish();
            }
            (Reports::Made, _) => self.value(&mut edit.after, Kind::Reference, event::MADE, pc)?,
            (Reports::Result, None) => self.mark(&mut edit.after, event::VOID, pc)?,
            (Reports::Result, Some(kind)) => self.value(&mut edit.after, kind, event_of(kind), pc)?,
        }
        Ok(call)
    }
}

/// Reports a value that is on the stack and takes it from there.
fn report(code: &mut Assembler, pool: &mut Pool, kind: Kind, as_event: u8, pc: u16) -> Result<(), ClassError> {
    let tag = u32::from(as_event) << 24 | u32::from(pc);
    let (name, descriptor) = match kind {
        Kind::Long => ("l", "(JI)V"),
        Kind::Float => ("f", "(FI)V"),
        Kind::Double => ("d", "(DI)V"),
        Kind::Reference if as_event == event::CAUGHT => ("c", "(Ljava/lang/Object;I)V"),
        Kind::Reference => ("r", "(Ljava/lang/Object;I)V"),
        _ => ("i", "(II)V"),
    };
    code.int(pool, tag.cast_signed())?;
    code.call_static(pool, RUNTIME, name, descriptor)?;
    Ok(())
}

/// The event with which a value of a kind is reported.
pub(crate) fn event_of(kind: Kind) -> u8 {
    match kind {
        Kind::Long | Kind::Double => event::LONG,
        Kind::Reference => event::REF,
        _ => event::INT,
    }
}

fn last(length: usize) -> u32 {
    u32::try_from(length - 1).expect("methods are short")
}

fn literal(pool: &Pool, constant: u16) -> Result<Literal, ClassError> {
    Ok(match pool.get(constant) {
        Some(Constant::Integer(value)) => Literal::Number(u64::from(value.cast_unsigned())),
        Some(Constant::Float(bits)) => Literal::Number(u64::from(*bits)),
        Some(Constant::Long(value)) => Literal::Number(value.cast_unsigned()),
        Some(Constant::Double(bits)) => Literal::Number(*bits),
        Some(Constant::String(_)) => Literal::Text(pool.string(constant)?),
        Some(Constant::Class(_) | Constant::MethodType(_) | Constant::MethodHandle(..)) => Literal::Reported(Kind::Reference),
        Some(Constant::Dynamic(..)) => Literal::Reported(Kind::of(pool.dynamic(constant)?.2).unwrap_or(Kind::Reference)),
        _ => return Err(ClassError::Constant { index: constant, expected: "a value" }),
    })
}

/// Numbers of instructions by their positions.
pub(super) struct Index(Vec<u32>);

impl Index {
    fn new(code: &Code, instructions: &[Instruction]) -> Result<Index, ClassError> {
        let mut numbers = vec![u32::MAX; code.bytes.len()];
        for (number, instruction) in (0..).zip(instructions) {
            numbers[instruction.pc as usize] = number;
        }
        Ok(Index(numbers))
    }

    fn of(&self, pc: u32) -> Result<u32, ClassError> {
        self.0.get(pc as usize).copied().filter(|&number| number != u32::MAX).ok_or(ClassError::Position { pc })
    }
}

/// Where blocks and handlers begin.
fn leads(code: &Code, instructions: &[Instruction], index: &Index) -> Result<Vec<Leads>, ClassError> {
    let mut leads = vec![Leads::Nothing; instructions.len()];
    for (number, instruction) in instructions.iter().enumerate() {
        for target in instruction.targets() {
            leads[index.of(target)? as usize] = Leads::Block;
        }
        if instruction.is_conditional()
            && let Some(next) = leads.get_mut(number + 1)
        {
            *next = Leads::Block;
        }
    }
    for handler in &code.handlers {
        leads[index.of(handler.handler)? as usize] = Leads::Handler;
    }
    Ok(leads)
}
