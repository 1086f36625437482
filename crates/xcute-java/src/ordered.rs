//! Cases of several threads: in which order they ran, for a case file, and running them in that order again.
//!
//! **Invariant.** What was known to be shared is part of a case: which accesses are steps depends on it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use xcute_race::{Causality, data_races};
use xcute_term::Terms;
use xcute_threads::{CaseSchedule, TaskName, data_race, of_race, of_run};
use xcute_trace::{Failure, FailureKind, Outcome, Schedule, Subject as _, SubjectError, Task, TaskId, TestCase};

use crate::blocks::Followed;
use crate::inputs::recipe::Recipe;
use crate::program::body::MethodId;
use crate::replay::{Steps, Story};
use crate::subject::JavaSubject;
use crate::threads::held::Held;
use crate::threads::tasks::Shareable;

/// Which thread ran when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ordered {
    /// The order.
    #[serde(flatten)]
    pub order: CaseSchedule,
    /// The fields, and the kinds of elements, whose accesses are steps.
    pub shared: Vec<String>,
    /// The same order, for the original classes.
    #[serde(default)]
    pub held: Held,
}

/// How a case ran, when it ran once more.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// In which order its threads ran; `None` if it has one only.
    pub ordered: Option<Ordered>,
    /// The blocks that it came to.
    pub followed: Followed,
}

/// What a case did when it ran again in its order.
#[derive(Clone, Debug)]
pub struct Again {
    /// How it ended.
    pub outcome: Outcome,
    /// The data races in it.
    pub races: Vec<Failure>,
}

impl JavaSubject {
    /// Runs a case once more: in which order its threads ran, and which path it took. `failure` is what happened in it.
    #[must_use]
    pub fn rerun(&mut self, case: &TestCase, failure: Option<&Failure>, terms: &mut Terms) -> Option<Rerun> {
        self.state.blocks = Some(Vec::new());
        let trace = self.run(case, &[], terms);
        let followed = self.state.blocks.take().unwrap_or_default();
        let failed = trace.ok()?.concurrent.and_then(|concurrent| concurrent.failed);
        Some(Rerun { ordered: self.ordered(failed, failure), followed: self.named(&followed) })
    }

    /// The blocks of the last run, by the names of their tasks.
    fn named(&self, followed: &[(u32, MethodId, u32)]) -> Followed {
        let ids = self.threads.tasks.ids();
        let name = |task: &Task| ids.get(task.index()).map(|id| TaskName::of(id).text().to_owned());
        let names: Vec<String> = match &self.threads.directed {
            Some(directed) => directed.tasks.iter().map(|task| name(task).unwrap_or_default()).collect(),
            None => vec!["1".to_owned()],
        };
        let mut blocks = Followed::default();
        for (task, method, at) in followed.iter().filter(|(task, ..)| (*task as usize) < names.len()) {
            blocks.add(&names[*task as usize], *method, *at);
        }
        blocks
    }

    /// In which order the threads of the last run ran; `None` if it had one only.
    fn ordered(&self, failed: Option<Task>, failure: Option<&Failure>) -> Option<Ordered> {
        let race = failure.filter(|failure| failure.kind == FailureKind::DataRace);
        let order = self.threads.narrate(&self.program, |narrator| match race {
            Some(race) => of_race(narrator, race, failed),
            None => of_run(narrator, failed),
        })??;
        let shared = self.threads.tasks.shared(0).iter().map(|what| self.shared_name(*what)).collect();
        let held = self.threads.held(&self.program, &order);
        Some(Ordered { order, shared, held })
    }

    fn shared_name(&self, what: Shareable) -> String {
        match what {
            Shareable::Field(field) => {
                let field = &self.program.fields[field as usize];
                format!("{}.{}", field.class, field.name)
            }
            Shareable::Elements(opcode) => format!("[{opcode}"),
            Shareable::Ends => "ends".to_owned(),
            Shareable::Lines => "lines".to_owned(),
        }
    }

    /// Runs a case in the order in which its threads ran.
    ///
    /// # Errors
    /// Where no JVM can run it.
    pub fn repeat(&mut self, recipe: &Recipe, ordered: &Ordered) -> Result<Again, SubjectError> {
        let fields = (0..).zip(&self.program.fields).map(|(number, _)| Shareable::Field(number));
        let all = fields.chain((0..=u8::MAX).map(Shareable::Elements)).chain([Shareable::Ends, Shareable::Lines]);
        let mut named = HashMap::new();
        for what in all {
            named.entry(self.shared_name(what)).or_insert(what);
        }
        ordered.shared.iter().filter_map(|name| named.get(name)).for_each(|what| self.threads.tasks.share(*what));
        let task = |name: &str| TaskId(name.split('.').filter_map(|part| part.parse().ok()).collect());
        let choices = ordered.order.choices.iter().map(|(name, arm)| (self.threads.tasks.intern(&task(name.text())), *arm)).collect();
        let failing = ordered.order.fails.as_ref().map(|name| self.threads.tasks.intern(&task(name.text())));
        let schedule = Schedule { choices, failing, ..Schedule::default() };
        let end = self.execute(recipe, &schedule)?;
        let (mut outcome, mut story) = (self.outcome(end, Vec::new()), Story::default());
        let made = self.threads.directed.as_ref().map_or(0, |directed| directed.record.steps.len());
        let steps = Steps { before: vec![0; made], ..Steps::default() };
        let concurrent = self.threads.concurrent(&self.program, &self.jvm, end, (&schedule, steps), (&mut story, &mut outcome));
        let mut races = Vec::new();
        if let Some(concurrent) = concurrent {
            for race in data_races(&Causality::new(&concurrent.record)) {
                let told = self
                    .threads
                    .narrate(&self.program, |narrator| data_race(narrator, (race.first, race.second), [&race.held[0], &race.held[1]]));
                races.extend(told.flatten());
            }
        }
        Ok(Again { outcome, races })
    }
}
