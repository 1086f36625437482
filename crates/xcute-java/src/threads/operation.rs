//! What a task wants to do, as an operation of the engine; and the names of what it does it to.
//!
//! An access is named by its instruction, which says what field or element it is of and whether it reads; the JVM adds the object and the index. Volatile
//! fields are atomics of full order (JLS 17.4.4); final ones are visible, but races for them are not reported: the JVM sees to their order (JLS 17.5).
//!
//! **Invariant.** Names of different things differ: memory, monitors.

use xcute_classfile::access::{FINAL, VOLATILE};
use xcute_classfile::opcode::*;
use xcute_trace::{Cells, Next, ObjectId, Operation, Order, Several, Task, Until};

use super::tasks::Shareable;
use crate::program::Program;
use crate::program::body::Insn;
use crate::wire::{Row, how, operation as op};

/// Names of monitors have this bit.
const MONITOR: u64 = 1 << 62;
/// So do those of permits and of interrupt states, and these numbers.
const PERMIT: u64 = MONITOR | 1;
const INTERRUPTED: u64 = MONITOR | 2;
const LIFE: u64 = MONITOR | 3;
/// And those of permits that a semaphore has, and of locks for readers and a writer.
const ACQUIRED: u64 = MONITOR | 4;
/// Slots that are fields have this bit; others are elements.
const FIELD: u32 = 1 << 31;

/// The field that a cell is; `None` for elements.
pub(super) fn slot(cell: ObjectId) -> Option<u32> {
    let slot = cell.0 as u32;
    (slot & FIELD != 0).then_some(slot & !FIELD)
}

/// Whether a cell says that a thread was interrupted.
pub(super) fn is_interrupt(cell: ObjectId) -> bool {
    cell.0 & 0xffff_ffff == INTERRUPTED & 0xffff_ffff && cell.0 & MONITOR != 0
}

/// What kind of elements an array instruction accesses: its opcode as a load.
pub(crate) fn element(opcode: u8) -> u8 {
    if opcode >= IASTORE { opcode - IASTORE + IALOAD } else { opcode }
}

/// What an instruction accesses, if others can see that; and whether it writes.
pub(crate) fn accessed(insn: &Insn) -> Option<(Shareable, bool)> {
    Some(match insn.op {
        GETSTATIC | GETFIELD => (Shareable::Field(insn.arg), false),
        PUTSTATIC | PUTFIELD => (Shareable::Field(insn.arg), true),
        IALOAD..=SALOAD => (Shareable::Elements(insn.op), false),
        IASTORE..=SASTORE => (Shareable::Elements(element(insn.op)), true),
        _ => return None,
    })
}

/// The cell that an instruction accesses, given the name of its object and its index; the flags of the field, and whether it writes.
fn cell(program: &Program, (name, index, place): (u32, u32, u32)) -> Option<(ObjectId, u16, bool)> {
    let (what, writes) = accessed(program.instruction(place)?)?;
    let (slot, flags) = match what {
        Shareable::Field(field) => (field | FIELD, program.fields[field as usize].access),
        Shareable::Elements(_) => (index, 0),
        // The end of a thread is not an access.
        Shareable::Ends | Shareable::Lines => return None,
    };
    Some((ObjectId(u64::from(name) << 32 | u64::from(slot)), flags, writes))
}

/// What a task wants to do, given the rows of all tasks; `other` is who its other task is. `None` where that cannot be.
pub(super) fn next(program: &Program, task: Task, (row, rows): (&Row, &[Row]), other: impl Fn(u32) -> Option<Task>) -> Option<Next> {
    let [monitor, lock] = [row.name, row.other].map(|name| ObjectId(u64::from(name) << 32 | MONITOR));
    let [permit, interrupted, life] = [PERMIT, INTERRUPTED, LIFE].map(|bits| ObjectId(u64::from(row.name) << 32 | bits));
    let acquired = ObjectId(u64::from(row.name) << 32 | ACQUIRED);
    let mut order = Order::FULL;
    let operation = match row.operation {
        op::AGAIN if row.looks != 1 << 16 | 1 => {
            let first = (row.name, row.other, row.place);
            let more = row.more.iter().map(|&[name, index, place]| (name, index, place));
            let all = std::iter::once(first).chain(more).take((row.looks & 0xffff) as usize);
            let all: Vec<ObjectId> = all.map(|looked| Some(cell(program, looked)?.0)).collect::<Option<_>>()?;
            return Some(Next::of(task, Operation::AwaitAny(Several::of(&all))));
        }
        op::ACCESS | op::AGAIN => {
            let (cell, flags, writes) = cell(program, (row.name, row.other, row.place))?;
            let at = Cells::one(cell);
            if flags & FINAL != 0 {
                order = Order::RELAXED;
            }
            if row.how & how::UPDATES != 0 {
                return Some(Next::of(task, Operation::Update(at)));
            }
            if row.operation == op::AGAIN || row.how & how::AWAITS != 0 && !writes {
                return Some(Next { order, ..Next::of(task, Operation::Await { at, until: Until::NotEqual(0) }) });
            }
            match (flags & (VOLATILE | FINAL) != 0 || row.how & how::ORDERED != 0, writes) {
                (false, false) => Operation::Read(at),
                (false, true) => Operation::Write(at),
                (true, false) => Operation::Load(at),
                (true, true) => Operation::Store(at),
            }
        }
        op::LOCK => Operation::Lock(monitor),
        op::UNLOCK => Operation::Unlock(monitor),
        op::TRY_LOCK => Operation::TryLock(monitor),
        op::WAIT => Operation::Wait { condition: monitor, mutex: lock },
        op::REACQUIRE => Operation::Reacquire { condition: monitor, mutex: lock, alone: row.how & how::ALONE != 0 },
        op::NOTIFY => Operation::Notify(monitor),
        op::NOTIFY_ALL => Operation::NotifyAll(monitor),
        op::JOIN => Operation::Join(other(row.other)?),
        op::PARK => Operation::SemaphoreWait(permit),
        op::TRY_PARK => Operation::SemaphoreTryWait(permit),
        op::UNPARK => Operation::SemaphorePost(permit),
        op::INTERRUPT => Operation::Store(Cells::one(interrupted)),
        op::INTERRUPTED if row.how & how::UPDATES != 0 => Operation::Update(Cells::one(interrupted)),
        op::INTERRUPTED => Operation::Load(Cells::one(interrupted)),
        op::LIVES if row.how & how::AWAITS != 0 => Operation::Await { at: Cells::one(life), until: Until::NotEqual(0) },
        op::LIVES => Operation::Load(Cells::one(life)),
        op::ENDS => Operation::Store(Cells::one(life)),
        op::WAKE => Operation::Wake { condition: monitor, task: other(row.other)? },
        op::ACQUIRE | op::TRY_ACQUIRE | op::RELEASE | op::LOOK => match (row.operation, row.other) {
            (op::ACQUIRE, op::PERMIT) => Operation::SemaphoreWait(acquired),
            (op::RELEASE, op::PERMIT) => Operation::SemaphorePost(acquired),
            (op::TRY_ACQUIRE, op::PERMIT) => Operation::SemaphoreTryWait(acquired),
            (op::ACQUIRE, op::READ) => Operation::ReadLock(acquired),
            (op::ACQUIRE, op::WRITE) => Operation::WriteLock(acquired),
            (op::TRY_ACQUIRE, op::READ) => Operation::TryReadLock(acquired),
            (op::TRY_ACQUIRE, op::WRITE) => Operation::TryWriteLock(acquired),
            (op::RELEASE, op::READ) => Operation::ReadUnlock(acquired),
            (op::RELEASE, op::WRITE) => Operation::WriteUnlock(acquired),
            // Readers come and go between two looks.
            (op::LOOK, op::READ | op::WRITE) => Operation::Update(Cells::one(acquired)),
            (op::LOOK, op::MONITOR) => Operation::Load(Cells::one(monitor)),
            _ => return None,
        },
        _ => return None,
    };
    let before = match row.operation {
        op::ACQUIRE | op::TRY_ACQUIRE | op::RELEASE if row.other == op::PERMIT => u64::from(row.looks),
        op::PARK | op::TRY_PARK | op::UNPARK => u64::from(rows.get(row.other as usize)?.permit),
        _ => 0,
    };
    Some(Next { order, before, ..Next::of(task, operation) })
}
