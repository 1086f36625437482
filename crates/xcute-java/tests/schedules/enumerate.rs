//! All that a program can come to: every schedule, by brute force over its states. Knows nothing of xcute.

use std::collections::{BTreeSet, HashSet};

use super::program::{ATOMIC, LOCK, Program, Statement, VARIABLES};

/// What a thread does in one step.
#[derive(Clone, Copy, Debug)]
enum Code {
    Read(usize),
    Take(usize),
    Put(usize),
    Write(usize, i64),
    Increase,
    CompareAndSet(i64, i64),
    /// Goes on at another place if a variable has another value.
    Unless(usize, i64, usize),
    Lock(usize),
    /// Goes on at another place if the lock is another thread's.
    TryLock(usize, usize),
    Unlock(usize),
    /// An interrupt is noted, or not.
    Wait(usize, bool),
    Regain(usize, bool),
    Goto(usize),
    Notify(usize),
    NotifyAll(usize),
    Acquire,
    Release,
    Park,
    Unpark(usize),
    Interrupt(usize),
    Interrupted,
    /// Goes on when a variable has a value. To look before makes no difference.
    Until(usize, i64),
    /// The same, with a monitor that it takes to look.
    UntilUnder(usize, usize, i64),
    UntilSet(i64, i64),
    /// Goes on when one of two variables has a value.
    UntilEither([(usize, i64); 2]),
    /// When both have, with a monitor.
    UntilBoth(usize, [(usize, i64); 2]),
    /// The lock of readers and a writer: a first try, a place in the line, the lock for the first one there; whether it writes.
    ShareFirst(bool),
    ShareCome(bool),
    ShareGet(bool),
    Unshare(bool),
    /// Goes on at another place if it cannot get it; the same for a permit.
    TryShare(bool, usize),
    TryAcquire(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Waits {
    No,
    For(usize),
    Notified,
    Kicked,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    seen: i64,
    taken: i64,
    waits: Waits,
    depth: u32,
    interrupted: bool,
    permit: bool,
    /// It has begun: nobody can interrupt it before.
    begun: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    memory: [i64; VARIABLES.len()],
    threads: Vec<Thread>,
    /// Monitors and the lock: who has it, how often.
    locks: [(usize, u32); LOCK + 1],
    permits: u32,
    shared: Shared,
}

/// The lock of readers and a writer, as `ReentrantReadWriteLock` describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shared {
    /// How often each thread reads.
    readers: Vec<u32>,
    writer: Option<(usize, u32)>,
    /// Who waits, and whether to write.
    line: Vec<(usize, bool)>,
}

impl Shared {
    fn can(&self, thread: usize, writes: bool) -> bool {
        match self.writer {
            Some((owner, _)) => owner == thread,
            None => !writes || self.readers.iter().all(|times| *times == 0),
        }
    }

    /// Whether one that comes may try before those that wait: to read, not if a writer is the first of them, unless it reads or writes already.
    fn may_pass(&self, thread: usize, writes: bool) -> bool {
        let own = self.readers[thread] > 0 || self.writer.is_some_and(|(owner, _)| owner == thread);
        writes || own || self.line.first().is_none_or(|(_, writes)| !writes)
    }

    fn take(&mut self, thread: usize, writes: bool) {
        if writes {
            self.writer = Some((thread, self.writer.map_or(0, |(_, depth)| depth) + 1));
        } else {
            self.readers[thread] += 1;
        }
    }

    fn give(&mut self, thread: usize, writes: bool) {
        if writes {
            self.writer = self.writer.and_then(|(owner, depth)| (depth > 1).then_some((owner, depth - 1)));
        } else {
            self.readers[thread] -= 1;
        }
    }
}

fn compile(statements: &[Statement], input: i64, out: &mut Vec<Code>) {
    use Statement as S;
    for statement in statements {
        match statement {
            S::Read(x) => out.push(Code::Read(*x)),
            S::Write(x, value) => out.push(Code::Write(*x, *value)),
            S::Add(x) => out.extend([Code::Take(*x), Code::Put(*x)]),
            S::AtomicAdd => out.push(Code::Increase),
            S::CompareAndSet(old, new) => out.push(Code::CompareAndSet(*old, *new)),
            S::If(x, value, inner) => branch(Code::Unless(*x, *value, 0), inner, input, out),
            S::IfInput(x, inner) => branch(Code::Unless(*x, input, 0), inner, input, out),
            S::Synchronized(m, inner) => guarded(*m, inner, input, out),
            // To try before it is free makes no difference.
            S::Lock(inner) | S::SpinTry(inner) => guarded(LOCK, inner, input, out),
            S::TryLock(inner) => {
                let at = out.len();
                out.push(Code::TryLock(LOCK, 0));
                compile(inner, input, out);
                out.push(Code::Unlock(LOCK));
                out[at] = Code::TryLock(LOCK, out.len());
            }
            S::Wait(m) => out.extend([Code::Lock(*m), Code::Wait(*m, true), Code::Regain(*m, true), Code::Unlock(*m)]),
            S::Await(m, x, value) => {
                out.push(Code::Lock(*m));
                let at = out.len();
                out.extend([Code::Unless(*x, *value, at + 2), Code::Goto(at + 5)]);
                out.extend([Code::Wait(*m, false), Code::Regain(*m, false), Code::Goto(at), Code::Unlock(*m)]);
            }
            S::Notify(m) => out.extend([Code::Lock(*m), Code::Notify(*m), Code::Unlock(*m)]),
            S::NotifyAll(m) => out.extend([Code::Lock(*m), Code::NotifyAll(*m), Code::Unlock(*m)]),
            S::Permit(inner) => {
                out.push(Code::Acquire);
                compile(inner, input, out);
                out.push(Code::Release);
            }
            S::TryPermit(inner) => {
                let at = out.len();
                out.push(Code::TryAcquire(0));
                compile(inner, input, out);
                out.push(Code::Release);
                out[at] = Code::TryAcquire(out.len());
            }
            S::Share(writes, inner) => {
                out.extend([Code::ShareFirst(*writes), Code::ShareCome(*writes), Code::ShareGet(*writes)]);
                compile(inner, input, out);
                out.push(Code::Unshare(*writes));
            }
            S::TryShare(writes, inner) => {
                let at = out.len();
                out.push(Code::TryShare(*writes, 0));
                compile(inner, input, out);
                out.push(Code::Unshare(*writes));
                out[at] = Code::TryShare(*writes, out.len());
            }
            S::End(_) => {}
            S::Park => out.push(Code::Park),
            S::Unpark(thread) => out.push(Code::Unpark(*thread)),
            S::Interrupt(thread) => out.push(Code::Interrupt(*thread)),
            S::Interrupted => out.push(Code::Interrupted),
            S::Spin(4, x, value) => out.push(Code::UntilUnder(0, *x, *value)),
            S::Spin(_, x, value) => out.push(Code::Until(*x, *value)),
            S::SpinSet(old, new) => out.push(Code::UntilSet(*old, *new)),
            S::SpinEither(_, looks) => out.push(Code::UntilEither(*looks)),
            S::SpinBoth(m, looks) => out.push(Code::UntilBoth(*m, *looks)),
        }
    }
}

fn branch(code: Code, inner: &[Statement], input: i64, out: &mut Vec<Code>) {
    let at = out.len();
    out.push(code);
    compile(inner, input, out);
    if let Code::Unless(x, value, _) = code {
        out[at] = Code::Unless(x, value, out.len());
    }
}

fn guarded(lock: usize, inner: &[Statement], input: i64, out: &mut Vec<Code>) {
    out.push(Code::Lock(lock));
    compile(inner, input, out);
    out.push(Code::Unlock(lock));
}

/// All ends of a program with an input, as its exception describes them, or `stuck`; `None` if it has more than this many states. `early`: a wait may end
/// without a notification.
pub fn ends(program: &Program, (input, early): (i64, bool), most: usize) -> Option<BTreeSet<String>> {
    let code: Vec<Vec<Code>> = program
        .0
        .iter()
        .map(|statements| {
            let mut out = Vec::new();
            compile(statements, input, &mut out);
            out
        })
        .collect();
    let thread = Thread { at: 0, seen: 1, taken: 0, waits: Waits::No, depth: 0, interrupted: false, permit: false, begun: false };
    let threads = vec![thread; code.len()];
    let shared = Shared { readers: vec![0; code.len()], writer: None, line: Vec::new() };
    let first = State { memory: [0; VARIABLES.len()], threads, locks: [(0, 0); LOCK + 1], permits: 1, shared };
    let (mut known, mut open, mut found) = (HashSet::from([first.clone()]), vec![first], BTreeSet::new());
    while let Some(state) = open.pop() {
        if known.len() > most {
            return None;
        }
        let mut next = Vec::new();
        // Threads begin one after the other.
        if let Some(begins) = state.threads.iter().position(|thread| !thread.begun) {
            let mut after = state.clone();
            after.threads[begins].begun = true;
            next.push(after);
        }
        for thread in (0..code.len()).filter(|&thread| state.threads[thread].begun) {
            if let Some(&code) = code[thread].get(state.threads[thread].at) {
                step(&state, (thread, early), code, &mut next)?;
            }
        }
        if next.is_empty() {
            let over = state.threads.iter().zip(&code).all(|(thread, code)| thread.at == code.len());
            let values = state.memory.iter().copied().chain(state.threads.iter().map(|thread| thread.seen));
            found.insert(if over { values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ") } else { "stuck".to_owned() });
        }
        for state in next {
            if known.insert(state.clone()) {
                open.push(state);
            }
        }
    }
    Some(found)
}

/// All states after a step of a thread. `None` where the program does what it should not.
fn step(state: &State, (number, early): (usize, bool), code: Code, next: &mut Vec<State>) -> Option<()> {
    let mut after = state.clone();
    let own = &mut after.threads[number];
    own.at += 1;
    match code {
        Code::Until(x, value) if after.memory[x] != value => return Some(()),
        Code::UntilUnder(lock, x, value) if after.memory[x] != value || after.locks[lock].1 > 0 && after.locks[lock].0 != number => {
            return Some(());
        }
        Code::UntilSet(old, _) if after.memory[ATOMIC] != old => return Some(()),
        Code::UntilEither(looks) if !looks.iter().any(|(x, value)| after.memory[*x] == *value) => return Some(()),
        Code::UntilBoth(_, looks) if !looks.iter().all(|(x, value)| after.memory[*x] == *value) => return Some(()),
        Code::UntilBoth(lock, _) if after.locks[lock].1 > 0 && after.locks[lock].0 != number => return Some(()),
        Code::Until(..) | Code::UntilUnder(..) | Code::UntilEither(_) | Code::UntilBoth(..) => {}
        Code::UntilSet(_, new) => after.memory[ATOMIC] = new,
        Code::Read(x) => own.seen = 3 * own.seen + after.memory[x],
        Code::Take(x) => own.taken = after.memory[x],
        Code::Put(x) => after.memory[x] = own.taken + 1,
        Code::Write(x, value) => after.memory[x] = value,
        Code::Increase => after.memory[ATOMIC] += 1,
        Code::CompareAndSet(old, new) => {
            let same = after.memory[ATOMIC] == old;
            own.seen = 3 * own.seen + i64::from(same);
            if same {
                after.memory[ATOMIC] = new;
            }
        }
        Code::Unless(x, value, to) if after.memory[x] != value => own.at = to,
        Code::Unless(..) => {}
        Code::Lock(lock) | Code::TryLock(lock, _) => match (&mut after.locks[lock], code) {
            ((owner, depth), _) if *depth == 0 || *owner == number => (*owner, *depth) = (number, *depth + 1),
            (_, Code::TryLock(_, to)) => own.at = to,
            _ => return Some(()),
        },
        Code::Unlock(lock) => after.locks[lock].1 -= 1,
        Code::Goto(to) => own.at = to,
        Code::Wait(_, noted) if own.interrupted => {
            // It does not even begin to wait.
            own.interrupted = false;
            own.seen = if noted { 3 * own.seen + 2 } else { own.seen };
            own.at += 1;
        }
        Code::Wait(lock, _) => {
            own.waits = Waits::For(lock);
            own.depth = after.locks[lock].1;
            after.locks[lock].1 = 0;
        }
        // It notices that it was interrupted, unless a notification comes before (JLS 17.2.4).
        Code::Regain(..) if matches!(own.waits, Waits::For(_)) && own.interrupted => {
            own.waits = Waits::Kicked;
            own.at -= 1;
        }
        Code::Regain(lock, noted) => {
            if after.locks[lock].1 > 0 || matches!(own.waits, Waits::For(_)) && !early {
                return Some(());
            }
            if own.waits == Waits::Kicked {
                own.interrupted = false;
                own.seen = if noted { 3 * own.seen + 2 } else { own.seen };
            }
            own.waits = Waits::No;
            after.locks[lock] = (number, own.depth);
        }
        Code::Notify(lock) => {
            let waiting: Vec<usize> = (0..after.threads.len()).filter(|&t| after.threads[t].waits == Waits::For(lock)).collect();
            for &chosen in &waiting {
                let mut woken = after.clone();
                woken.threads[chosen].waits = Waits::Notified;
                next.push(woken);
            }
            if !waiting.is_empty() {
                return Some(());
            }
        }
        Code::NotifyAll(lock) => {
            for thread in after.threads.iter_mut().filter(|thread| thread.waits == Waits::For(lock)) {
                thread.waits = Waits::Notified;
            }
        }
        Code::ShareFirst(writes) => {
            if after.shared.may_pass(number, writes) && after.shared.can(number, writes) {
                after.shared.take(number, writes);
                own.at += 2;
            }
        }
        Code::ShareCome(writes) => after.shared.line.push((number, writes)),
        Code::ShareGet(writes) => {
            if after.shared.line.first() != Some(&(number, writes)) || !after.shared.can(number, writes) {
                return Some(());
            }
            after.shared.line.remove(0);
            after.shared.take(number, writes);
        }
        Code::Unshare(writes) => after.shared.give(number, writes),
        Code::TryShare(writes, to) if !after.shared.can(number, writes) => own.at = to,
        Code::TryShare(writes, _) => after.shared.take(number, writes),
        Code::TryAcquire(to) if after.permits == 0 => own.at = to,
        Code::TryAcquire(_) => after.permits -= 1,
        Code::Acquire if after.permits == 0 => return Some(()),
        Code::Acquire => after.permits -= 1,
        Code::Release => after.permits += 1,
        Code::Park if !own.permit && !own.interrupted && !early => return Some(()),
        Code::Park => own.permit = false,
        Code::Unpark(to) => after.threads[to].permit |= after.threads[to].begun,
        // What happens to a thread that has not begun is a matter of the JDK's version.
        Code::Interrupt(to) if !state.threads[to].begun => return None,
        Code::Interrupt(to) => after.threads[to].interrupted = true,
        Code::Interrupted => {
            own.seen = 3 * own.seen + i64::from(own.interrupted);
            own.interrupted = false;
        }
    }
    next.push(after);
    Some(())
}
