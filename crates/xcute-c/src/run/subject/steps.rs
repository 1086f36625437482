//! From the steps of a run with several threads to a record of them.
//!
//! **Invariant.** Steps that cannot be (a task that nobody forked, a choice beyond the list) are not believed: there is no record then.

use xcute_threads::Ranges;
use xcute_trace::{Cells, End, Next, Nexts, NodeKey, ObjectId, Operation, Order, Outside, Record, Step, Task, Until};

use crate::run::process::Recorded;
use crate::wire::{self, TASKS, XcNext, XcStep, operation, run_end};

/// Names of what is not memory have this bit.
const SYNCHRONISES: u64 = 1 << 62;

/// The record of a run whose tasks are less than `tasks`. Node keys and branches are the engine's to fill in.
pub(super) fn record(recorded: &Recorded<'_>, tasks: usize, cells: &mut Ranges) -> Option<Record> {
    cells.clear();
    for next in recorded.nexts.iter().filter(|next| is_memory(next.op)) {
        cells.add((next.object, next.bytes));
    }
    cells.cut();
    let chosen = recorded.nexts.len() - recorded.pending.len();
    let mut forks = recorded.forks.iter().peekable();
    let mut steps = Vec::with_capacity(recorded.steps.len());
    let mut from = 0;
    while forks.next_if(|fork| fork.step == 0).is_some() {}
    for (number, step) in (1..).zip(recorded.steps) {
        let (first, count) = (step.first as usize, step.count as usize);
        // Each has its own part of the table: otherwise a few rows could claim more than memory holds.
        let to = first.checked_add(count).filter(|to| first >= from && *to <= chosen)?;
        from = to;
        let mut enabled = Nexts::with_capacity(count);
        for n in &recorded.nexts[first..to] {
            enabled.push(next(n, tasks, cells)?);
        }
        if enabled.get(step.chosen as usize).is_none_or(|next| step.arm >= next.arms.max(1)) {
            return None;
        }
        let mut forked = Vec::new();
        while let Some(fork) = forks.next_if(|fork| fork.step == number) {
            if fork.parent as usize >= tasks || fork.child as usize >= tasks {
                return None;
            }
            forked.push((Task(fork.parent), Task(fork.child)));
        }
        let (node, branches, place) = (NodeKey(0), 0, place(step));
        let outside = Outside { after: step.how & wire::step::OUTSIDE != 0, before: step.how & wire::step::OUTSIDE_BEFORE != 0 };
        // Nobody but the thread of the step before can have made it.
        let glued = step.how & wire::step::GLUED != 0
            && steps.last().is_some_and(|last: &Step| enabled.len() == 1 && last.task() == enabled[0].task);
        steps.push(Step { node, enabled, chosen: step.chosen as usize, arm: step.arm, glued, outside, forked, branches, place });
    }
    let pending = recorded.pending.iter().map(|n| next(n, tasks, cells)).collect::<Option<Vec<Next>>>()?;
    let end = match recorded.end {
        run_end::FINISHED => End::Finished,
        run_end::ASLEEP => End::Asleep,
        _ => End::Cut,
    };
    Some(Record { steps, pending, end })
}

/// Whether an atomic operation of a run asks for less than sequential consistency.
pub(super) fn has_weak_orders(recorded: &Recorded<'_>) -> bool {
    let executed = |step: &XcStep| recorded.nexts.get(step.first as usize + step.chosen as usize);
    recorded.steps.iter().filter_map(executed).any(|next| next.flags & operation::WEAKER != 0)
}

/// Where a step stands: the access itself, and its caller, for it may be in a model of a library function.
fn place(step: &XcStep) -> u32 {
    step.frames[0] ^ step.frames[1].rotate_left(16)
}

/// The return addresses of a step.
pub(super) fn frames(step: &XcStep) -> Vec<u64> {
    step.frames.iter().take_while(|pc| **pc != 0).map(|pc| u64::from(*pc)).collect()
}

fn next(next: &XcNext, tasks: usize, cells: &Ranges) -> Option<Next> {
    if next.task as usize >= tasks || next.arms as usize > TASKS {
        return None;
    }
    let operation = operation_of(next, tasks, cells.row((next.object, next.bytes)))?;
    let section = next.flags & operation::SECTION != 0;
    Some(Next { task: Task(next.task), operation, before: next.before, arms: next.arms.max(1), order: order(next), section })
}

fn order(next: &XcNext) -> Order {
    let has = |flag: u16| next.flags & flag != 0;
    Order { acquires: has(operation::ACQUIRES), releases: has(operation::RELEASES), acquires_if_failed: has(operation::ACQUIRES_FAILED) }
}

fn is_memory(op: u16) -> bool {
    (operation::READ..=operation::COMPARE_EXCHANGE).contains(&op) || [operation::AWAIT, operation::PARK].contains(&op)
}

fn operation_of(next: &XcNext, tasks: usize, at: Cells) -> Option<Operation> {
    use Operation as O;
    use operation as op;
    let object = ObjectId(next.object | SYNCHRONISES);
    let other = ObjectId(next.other | SYNCHRONISES);
    Some(match next.op {
        op::READ => O::Read(at),
        op::WRITE => O::Write(at),
        op::LOAD => O::Load(at),
        op::STORE => O::Store(at),
        op::UPDATE => O::Update(at),
        op::COMPARE_EXCHANGE if next.flags & op::UNSURE != 0 => O::Update(at),
        op::COMPARE_EXCHANGE => O::CompareExchange { at, expected: next.other },
        op::LOCK => O::Lock(object),
        op::TRY_LOCK => O::TryLock(object),
        op::UNLOCK => O::Unlock(object),
        op::SEM_WAIT => O::SemaphoreWait(object),
        op::SEM_TRY_WAIT => O::SemaphoreTryWait(object),
        op::SEM_POST => O::SemaphorePost(object),
        op::READ_LOCK => O::ReadLock(object),
        op::TRY_READ_LOCK => O::TryReadLock(object),
        op::READ_UNLOCK => O::ReadUnlock(object),
        op::WRITE_LOCK => O::WriteLock(object),
        op::TRY_WRITE_LOCK => O::TryWriteLock(object),
        op::WRITE_UNLOCK => O::WriteUnlock(object),
        op::WAIT => O::Wait { condition: object, mutex: other },
        op::REACQUIRE => O::Reacquire { condition: object, mutex: other, alone: next.flags & op::ALONE != 0 },
        op::NOTIFY => O::Notify(object),
        op::NOTIFY_ALL => O::NotifyAll(object),
        op::ARRIVE => O::Arrive { barrier: object },
        op::PASS => O::Pass { barrier: object, arrivals: next.other },
        op::JOIN => O::Join(Task(u32::try_from(next.other).ok().filter(|task| (*task as usize) < tasks)?)),
        op::YIELD => O::Yield,
        op::AWAIT => O::Await { at, until: Until::NotEqual(next.other) },
        op::FENCE => O::Fence,
        op::PARK => O::Park { at, expected: next.other, queue: object },
        op::RESUME => O::Resume { queue: object, alone: next.flags & op::ALONE != 0 },
        op::BEGIN => O::Begin,
        _ => return None,
    })
}
