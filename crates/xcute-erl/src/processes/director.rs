//! Leads the processes of a run: the driver lists what they want to do, and [`Conductor`] chooses.
//!
//! **Invariant.** Same plan and same program, same steps: nothing here depends on time, or on the numbers that the driver gives to processes.

use rustc_hash::FxHashMap;
use xcute_race::Conductor;
use xcute_trace::{DefaultChoice, End, Next, Nexts, Operation, Record, Schedule, Task, TaskId};

use super::operation;
use super::tasks::Tasks;
use crate::vm::{Lead, Rows, Wants};

/// Steps of a run at most.
const STEPS: usize = 20_000;

/// Leads a run, and remembers what it did.
pub(crate) struct Director<'a> {
    tasks: &'a Tasks,
    conductor: Conductor<'a>,
    /// By number in the run: the task and its fork path.
    met: Vec<(Task, TaskId)>,
    /// By number in the run: how many it started.
    children: Vec<u16>,
    /// Numbers in the run, by fork path.
    order: Vec<usize>,
    forked: Vec<(Task, Task)>,
    directed: Directed,
}

/// What a run did.
#[derive(Clone, Debug)]
pub(crate) struct Directed {
    pub(crate) record: Record,
    /// The first choice of the plan that could not be made.
    pub(crate) strayed: Option<u32>,
    /// By number in the run: the task.
    pub(crate) tasks: Vec<Task>,
    /// Numbers in the run, by task.
    numbers: FxHashMap<Task, usize>,
    /// Numbers in the run, by what started a process and as its how manieth.
    children: FxHashMap<(usize, u16), usize>,
    /// By number in the run: how many steps there were when it had ended.
    pub(crate) ended: Vec<Option<usize>>,
    /// At the end, tasks that wait for a message although there are some that match no clause.
    pub(crate) unmatched: Vec<Task>,
    /// A message came that nobody led.
    pub(crate) foreign: bool,
    /// There were too many steps.
    pub(crate) endless: bool,
}

impl<'a> Director<'a> {
    pub(crate) fn new(tasks: &'a Tasks, schedule: &'a Schedule, choice: DefaultChoice) -> Director<'a> {
        let conductor = Conductor::new(schedule, choice);
        let directed = Directed {
            record: conductor.record.clone(),
            strayed: None,
            tasks: Vec::new(),
            numbers: FxHashMap::default(),
            children: FxHashMap::default(),
            ended: Vec::new(),
            unmatched: Vec::new(),
            foreign: false,
            endless: false,
        };
        Director { tasks, conductor, met: Vec::new(), children: Vec::new(), order: Vec::new(), forked: Vec::new(), directed }
    }

    /// What the run did; `None` if nothing had to be led.
    pub(crate) fn directed(self) -> Option<Directed> {
        let (record, strayed) = (self.conductor.record, self.conductor.strayed);
        (!self.met.is_empty()).then_some(Directed { record, strayed, ..self.directed })
    }

    /// Takes over processes that are new.
    fn meet(&mut self, rows: &Rows) {
        for row in rows.rows.iter().skip(self.met.len()) {
            let parent = row.parent as usize;
            let (mut path, mut nth) = (vec![1], 0);
            if let Some((task, id)) = self.met.get(parent).cloned() {
                self.children[parent] += 1;
                nth = self.children[parent];
                path.clone_from(&id.0);
                path.push(nth);
                let child = self.tasks.intern(&TaskId(path.clone()));
                self.forked.push((task, child));
            }
            let id = TaskId(path);
            let at = self.order.partition_point(|&other| self.met[other].1 < id);
            self.order.insert(at, self.met.len());
            let task = self.tasks.intern(&id);
            self.directed.tasks.push(task);
            self.directed.numbers.insert(task, self.met.len());
            if nth > 0 {
                self.directed.children.insert((parent, nth), self.met.len());
            }
            self.directed.ended.push(None);
            self.met.push((task, id));
            self.children.push(0);
        }
        let steps = self.conductor.record.steps.len();
        for (row, ended) in rows.rows.iter().zip(&mut self.directed.ended) {
            if row.ended && ended.is_none() {
                *ended = Some(steps);
            }
        }
        match self.conductor.record.steps.last_mut() {
            Some(step) => step.forked.append(&mut self.forked),
            None => self.forked.clear(),
        }
    }

    /// What a process wants to do.
    fn next(&self, rows: &Rows, number: usize) -> Option<Next> {
        let other = |number: u32| self.met.get(number as usize).map(|met| met.0);
        operation::next(self.met[number].0, rows.rows[number].wants?, other)
    }

    /// What happens next.
    pub(crate) fn lead(&mut self, rows: &Rows) -> Lead {
        self.meet(rows);
        if rows.halted {
            return self.end(End::Cut, Vec::new());
        }
        let (mut enabled, mut numbers, mut blocked) = (Nexts::new(), Vec::new(), Vec::new());
        for &number in &self.order {
            let Some(mut next) = self.next(rows, number) else { continue };
            let row = &rows.rows[number];
            let mut can = self.conductor.objects.enabled(next.task, &next.operation, next.before);
            if !can && row.unseen && matches!(row.wants, Some(Wants::Fetch(_))) {
                (next.operation, can, self.directed.foreign) = (Operation::Yield, true, true);
            }
            if can {
                enabled.push(next);
                numbers.push(number);
            } else {
                blocked.push((next, row.unmatched));
            }
        }
        if enabled.is_empty() {
            if rows.foreign {
                self.directed.foreign = true;
                return Lead::Wait;
            }
            self.directed.unmatched = blocked.iter().filter(|(_, unmatched)| *unmatched).map(|(next, _)| next.task).collect();
            return self.end(End::Finished, blocked);
        }
        if self.conductor.record.steps.len() >= STEPS {
            self.directed.endless = true;
            blocked.extend(enabled.iter().map(|next| (*next, false)));
            return self.end(End::Cut, blocked);
        }
        let all: Vec<Option<Next>> = (0..self.met.len()).map(|number| self.next(rows, number)).collect();
        let numbers_of = &self.directed.numbers;
        let wants = |task: Task| numbers_of.get(&task).and_then(|&number| all[number]);
        let pending: Vec<(Next, bool)> = blocked.into_iter().chain(enabled.iter().map(|next| (*next, false))).collect();
        match self.conductor.choose(enabled, |_| 0, wants, operation::is_late) {
            Some(chosen) => Lead::Go(u32::try_from(numbers[chosen]).expect("few processes")),
            None => self.end(End::Asleep, pending),
        }
    }

    fn end(&mut self, end: End, pending: Vec<(Next, bool)>) -> Lead {
        self.conductor.record.end = end;
        self.conductor.record.pending = pending.into_iter().map(|(next, _)| next).collect();
        Lead::Stop
    }
}

impl Directed {
    /// The number in the run of a task.
    pub(crate) fn number(&self, task: Task) -> Option<usize> {
        self.numbers.get(&task).copied()
    }

    /// The number in the run of the process that another one started as its `nth`.
    pub(crate) fn child(&self, parent: usize, nth: u16) -> Option<usize> {
        self.children.get(&(parent, nth)).copied()
    }
}
