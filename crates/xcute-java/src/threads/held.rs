//! The order of a run in terms of the original classes: before which instructions their threads have to wait for each other.
//!
//! An operation of a model happens, in the original, somewhere inside of the call that the program makes: the thread is held before that call, once. A method
//! that is synchronized takes its monitor before its first instruction: its caller is held.
//!
//! **Invariant.** What cannot be held is left out. The original classes decide what happens, so an order that is not kept can only fail to show something.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xcute_classfile::access;
use xcute_threads::{CaseSchedule, TaskName};
use xcute_trace::{Operation, Task, TaskId};

use super::director::Directed;
use super::published;
use crate::program::body::MethodId;
use crate::program::{Place, Program};
use crate::replay::{Steps, Stood};

/// An order for the original classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Instructions.
    pub places: Vec<Place>,
    /// The steps: a thread, and the number of the place where it waits for its turn; none where it gets a monitor back that it gave up to wait. Last come
    /// those that were never made: threads that wait for ever do so only when all others are as far as they were.
    pub turns: Vec<(TaskName, Option<usize>)>,
    /// The steps at which both threads stand when they race: their accesses, or that of one and what the other does next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abreast: Option<(usize, usize)>,
}

type Instruction = (u32, u32, usize);

/// A step that was found.
struct Turn {
    place: Place,
    /// The operation is that very instruction.
    exact: bool,
    /// Which of the thread's instructions it is: the frame, how many that had done before, and its number. One that does several things, such as a call, is
    /// come to once.
    instruction: Instruction,
}

/// Instructions by where they stand in the original classes, which takes long to find out.
type Originals = FxHashMap<(MethodId, usize), Option<Place>>;

/// The order of a case, for the original classes.
pub(crate) fn held(program: &Program, directed: &Directed, steps: &Steps, (order, ids): (&CaseSchedule, &[TaskId])) -> Held {
    let mut held = Held::default();
    let mut instructions: FxHashMap<(TaskName, Instruction), usize> = FxHashMap::default();
    let mut places: FxHashMap<Place, usize> = FxHashMap::default();
    let (mut racing, mut raced) = (Vec::new(), Vec::new());
    // Of each turn: the number of its step.
    let mut ats = Vec::new();
    let mut originals = Originals::default();
    let record = &directed.record;
    let name = |task: Task| ids.get(task.index()).map(TaskName::of);
    // By task and how many steps it had made.
    let numbered = record.steps.iter().zip(&directed.ordinals).enumerate();
    let numbers: FxHashMap<(TaskName, u32), usize> =
        numbered.filter_map(|(at, (step, ordinal))| Some(((name(step.task())?, *ordinal), at))).collect();
    let made = order.steps.iter().enumerate().filter_map(|(number, step)| {
        let at = *numbers.get(&(step.task.clone(), step.hook))?;
        Some((Some((number, at)), *record.steps[at].next(), record.steps[at].place, steps.stacks.get(at)?))
    });
    let pending = record.pending.iter().zip(&directed.standing).filter_map(|(next, &place)| {
        let number = directed.tasks.iter().position(|task| *task == next.task)?;
        Some((None, *next, place, steps.stands.get(&u32::try_from(number).ok()?)?))
    });
    for (number, next, place, stack) in made.chain(pending) {
        let Some(task) = name(next.task) else { continue };
        if matches!(next.operation, Operation::Reacquire { .. }) {
            if let Some((_, at)) = number {
                held.turns.push((task, None));
                ats.push(Some(at));
            }
            continue;
        }
        let Some(turn) = turn(program, &mut originals, &next.operation, place, stack) else { continue };
        let races =
            number.filter(|_| turn.exact).filter(|(number, _)| order.race.is_some_and(|race| *number == race.0 || *number == race.1));
        let instruction = (task.clone(), turn.instruction);
        let known = instructions.get(&instruction).copied();
        if let Some((_, at)) = races {
            racing.push(known.unwrap_or(held.turns.len()));
            raced.push(at);
        }
        if known.is_some() {
            continue;
        }
        instructions.insert(instruction, held.turns.len());
        let place = *places.entry(turn.place).or_insert_with_key(|place| {
            held.places.push(place.clone());
            held.places.len() - 1
        });
        held.turns.push((task, Some(place)));
        ats.push(number.map(|(_, at)| at));
    }
    if let [first, second] = racing[..] {
        let (first, second) = (first.min(second), first.max(second));
        held.abreast = (second == first + 1).then_some((first, second));
        if held.abreast.is_none() {
            let (first, second) = (raced[0].min(raced[1]), raced[0].max(raced[1]));
            let stands = published::next(program, record, steps, first).and_then(|next| {
                let step = &record.steps[next];
                let turn = turn(program, &mut originals, &step.next().operation, step.place, steps.stacks.get(next)?)?;
                Some((next, name(step.task())?, turn.place))
            });
            if let (Some((next, task, place)), Some(other)) = (stands, name(record.steps[second].task())) {
                // Up to there all goes as it went; then only the second thread goes on.
                let kept = |at: Option<usize>, task: &TaskName| at.is_some_and(|at| at < next || *task == other && at <= second);
                let mut ats = ats.into_iter();
                held.turns.retain(|(task, _)| kept(ats.next().flatten(), task));
                held.places.push(place);
                held.turns.push((task, Some(held.places.len() - 1)));
                held.abreast = Some((held.turns.len() - 2, held.turns.len() - 1));
            }
        }
    }
    held
}

/// Where a thread waits for its turn to do an operation.
fn turn(program: &Program, originals: &mut Originals, operation: &Operation, place: u32, stack: &[Stood]) -> Option<Turn> {
    for (depth, stood) in stack.iter().enumerate() {
        let mut at = stood.at as usize;
        if depth == 0 {
            let method = program.method(stood.method);
            let begins = place as usize == method.body.first && method.access & access::SYNCHRONIZED != 0;
            if begins && matches!(operation, Operation::Lock(_)) {
                continue;
            }
            if let Some((_, exactly)) = program.number_at(place).filter(|(number, _)| *number == stood.method) {
                at = exactly;
            }
        }
        // What a model calls of the JDK, the original does not.
        let inside = stack[depth..].iter().map(|stood| stood.method).take_while(|method| !program.is_own(&program.method(*method).class));
        if inside.into_iter().any(|method| program.is_model(method)) {
            continue;
        }
        let original = originals.entry((stood.method, at)).or_insert_with(|| program.original(stood.method, at));
        if let Some(place) = original.clone() {
            // The accesses of a copy, or through a handle, are those of the instruction that calls it.
            let exact = stack[..depth].iter().all(|inner| program.is_one_instruction(inner.method));
            return Some(Turn { place, exact, instruction: (stood.serial, stood.done, at) });
        }
    }
    None
}

impl Held {
    /// Whether it holds somebody somewhere.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.turns.iter().any(|(_, place)| place.is_some())
    }

    /// The order as the agent reads it, for a program that begins when a method of this class is called.
    #[must_use]
    pub fn order(&self, begin: &str) -> String {
        let mut out = format!("begin {begin}\n");
        for Place { class, method, descriptor, position, code } in &self.places {
            let _ = writeln!(out, "place {class} {method} {descriptor} {position} {code:x}");
        }
        for (task, place) in &self.turns {
            let _ = match place {
                Some(place) => writeln!(out, "step {} {place}", task.text()),
                None => writeln!(out, "regain {}", task.text()),
            };
        }
        if let Some((first, second)) = self.abreast {
            let _ = writeln!(out, "race {first} {second}");
        }
        out
    }
}
