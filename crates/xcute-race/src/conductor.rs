//! Who runs next in a run that is led from outside: the plan, the sleep set, the default. Every choice is recorded as a step.
//!
//! An executor lists the operations that its tasks want to do; here one of them is chosen, and the states of the objects are kept ([`Objects`], the very rules
//! by which races are found), so no other side has to agree with them.
//!
//! A step with more than one option uses up one entry of the plan, whether or not a task sleeps; of a strict plan, every step does. Tasks of the plan's sleep
//! set sleep from its last entry on, until an operation is executed that conflicts with theirs (Godefroid 1996).
//!
//! **Invariant.** Same plan and same program, same steps: nothing here depends on time.

use xcute_trace::{DefaultChoice, Nexts, Outside, Schedule};

use crate::object::Objects;
use crate::operation::conflict;
use crate::pct::Pct;
use crate::policy::{Policy, Ready};
use crate::policy_name::PolicyName;
use crate::record::{End, Next, NodeKey, Record, Step};
use crate::task::Task;

/// Leads a run, and remembers what it did.
#[derive(Debug)]
pub struct Conductor<'a> {
    schedule: &'a Schedule,
    choice: DefaultChoice,
    policy: Option<Box<dyn Policy>>,
    /// The states of all objects.
    pub objects: Objects,
    asleep: Vec<Task>,
    /// Choices of the plan that were made.
    made: usize,
    last: Option<Task>,
    /// What was done so far.
    pub record: Record,
    /// The first choice of the plan that could not be made.
    pub strayed: Option<u32>,
}

impl<'a> Conductor<'a> {
    /// Leads by this plan, and after it in this way.
    #[must_use]
    pub fn new(schedule: &'a Schedule, choice: DefaultChoice) -> Conductor<'a> {
        let asleep = if schedule.choices.is_empty() { schedule.asleep.clone() } else { Vec::new() };
        let record = Record { steps: Vec::new(), pending: Vec::new(), end: End::Cut };
        let (policy, objects) = (policy(choice), Objects::default());
        Conductor { schedule, choice, policy, objects, asleep, made: 0, last: None, record, strayed: None }
    }

    /// Chooses among what can be done, and does it: the position in `enabled`. `wants` is what a task wants to do, whether or not it can; operations for which
    /// `late` holds come last where nothing else is said. `None` if all that could go on sleep.
    pub fn choose(
        &mut self,
        enabled: Nexts,
        place: impl Fn(usize) -> u32,
        wants: impl Fn(Task) -> Option<Next>,
        late: impl Fn(&Next) -> bool,
    ) -> Option<usize> {
        let options: u32 = enabled.iter().map(|next| next.arms.max(1)).sum();
        let planned = if options > 1 || self.schedule.strict { self.planned(&enabled) } else { None };
        let (chosen, arm) = planned.or_else(|| self.by_default(&enabled, late).map(|chosen| (chosen, 0)))?;
        let executed = enabled[chosen];
        self.wake(&executed, arm, wants);
        self.objects.execute(&executed, arm);
        self.last = Some(executed.task);
        let (node, outside, forked) = (NodeKey(0), Outside::default(), Vec::new());
        self.record.steps.push(Step { node, enabled, chosen, arm, glued: false, outside, forked, branches: 0, place: place(chosen) });
        Some(chosen)
    }

    /// The plan's choice; `None` if there is none, or it cannot be made.
    fn planned(&mut self, enabled: &[Next]) -> Option<(usize, u32)> {
        let schedule = self.schedule;
        let &(task, arm) = schedule.choices.get(self.made)?;
        self.made += 1;
        if self.made == schedule.choices.len() {
            self.asleep.clone_from(&schedule.asleep);
        }
        let found = enabled.iter().position(|next| next.task == task && arm < next.arms.max(1));
        if found.is_none() {
            self.strayed.get_or_insert(u32::try_from(self.made).expect("few choices") - 1);
            self.made = schedule.choices.len();
        }
        found.map(|found| (found, arm))
    }

    /// Who runs where the plan says nothing; `None` if all sleep.
    fn by_default(&mut self, enabled: &[Next], late: impl Fn(&Next) -> bool) -> Option<usize> {
        let awake: Vec<usize> = (0..enabled.len()).filter(|at| !self.asleep.contains(&enabled[*at].task)).collect();
        if let (Some(policy), false) = (&mut self.policy, awake.is_empty()) {
            let ready =
                |at: &usize| Ready { task: enabled[*at].task, accesses: self.objects.accesses(&enabled[*at], enabled[*at].before, None) };
            return Some(awake[policy.choose(&awake.iter().map(ready).collect::<Vec<_>>())]);
        }
        let current = awake.iter().find(|at| Some(enabled[**at].task) == self.last && !late(&enabled[**at])).copied();
        let soon = awake.iter().find(|at| !late(&enabled[**at])).copied();
        current.filter(|_| self.choice == DefaultChoice::Current).or(soon).or_else(|| awake.first().copied())
    }

    /// Those whose next operation conflicts with what is executed now wake up.
    fn wake(&mut self, executed: &Next, arm: u32, wants: impl Fn(Task) -> Option<Next>) {
        if self.asleep.is_empty() {
            return;
        }
        let done = self.objects.accesses(executed, executed.before, Some(arm));
        let objects = &self.objects;
        self.asleep.retain(|task| {
            let disturbed = wants(*task).is_some_and(|next| conflict(&objects.accesses(&next, next.before, None), &done));
            *task != executed.task && !disturbed
        });
    }
}

/// What chooses where the plan says nothing, if it is left to chance.
fn policy(choice: DefaultChoice) -> Option<Box<dyn Policy>> {
    let mut policy = match choice {
        DefaultChoice::Lowest | DefaultChoice::Current => return None,
        DefaultChoice::Walk(seed) => PolicyName::Walk.build(seed),
        DefaultChoice::Pct { seed, depth, steps } => Box::new(Pct::new(depth, seed).expecting(steps)),
        DefaultChoice::Pos(seed) => PolicyName::Pos.build(seed),
    };
    policy.begin();
    Some(policy)
}
