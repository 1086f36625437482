//! The schedule of a case with several threads: the choices, and the whole order of what the threads did.
//!
//! Threads are named by their fork paths: `1` is the first, `1.2` the second that it created. A step is named by its thread and by the number of
//! hooks that the thread came to: the replay of the original program counts the same hooks.
//!
//! **Invariant.** Names are numbers with points between them: they go into a file of words and lines for the replay.

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Which thread ran when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSchedule {
    /// The thread that ran, and the arm of its operation, wherever there was a choice.
    pub choices: Vec<(TaskName, u32)>,
    /// All steps, in their order.
    pub steps: Vec<CaseStep>,
    /// The next hooks of threads that were left at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<(TaskName, u32)>,
    /// Which steps are the two accesses of a data race, if it is about one. Where it can be, they are neighbours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<(usize, usize)>,
    /// Code that is not instrumented may order these accesses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
    /// The thread that fails. Others may fail too, in a run that was recorded: in a replay they are held before they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<TaskName>,
}

/// A fork path: `1.2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TaskName(String);

impl TaskName {
    /// The path itself.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The name of a task.
    #[must_use]
    pub fn of(task: &xcute_trace::TaskId) -> TaskName {
        TaskName(task.0.iter().map(u16::to_string).collect::<Vec<_>>().join("."))
    }
}

impl<'de> Deserialize<'de> for TaskName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let number = |part: &str| part.parse::<u16>().is_ok_and(|n| n > 0) && part.bytes().all(|b| b.is_ascii_digit());
        if text.split('.').all(number) && text.len() < 500 {
            return Ok(TaskName(text));
        }
        Err(serde::de::Error::custom(format!("\"{text}\" is not a thread (they are called \"1\", \"1.2\" and so on)")))
    }
}

/// One step: `["1.2", 7]`, or `["1.2", 7, 1]` where an arm other than the first was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseStep {
    /// The thread.
    pub task: TaskName,
    /// The number of hooks that it has come to.
    pub hook: u32,
    /// The arm.
    pub arm: u32,
}

impl Serialize for CaseStep {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.arm == 0 { (&self.task, self.hook).serialize(to) } else { (&self.task, self.hook, self.arm).serialize(to) }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Plain(TaskName, u32),
    Arm(TaskName, u32, u32),
}

impl<'de> Deserialize<'de> for CaseStep {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wrong = |_| serde::de::Error::custom("a step is a thread and a number: [\"1.2\", 7]");
        Ok(match Written::deserialize(from).map_err(wrong)? {
            Written::Plain(task, hook) => CaseStep { task, hook, arm: 0 },
            Written::Arm(task, hook, arm) => CaseStep { task, hook, arm },
        })
    }
}

impl CaseSchedule {
    /// The order as a replay runtime reads it: words and lines.
    #[must_use]
    pub fn order(&self) -> String {
        let mut out = String::new();
        for CaseStep { task, hook, arm } in &self.steps {
            let _ = writeln!(out, "step {} {hook} {arm}", task.0);
        }
        for (task, hook) in &self.waits {
            let _ = writeln!(out, "waits {} {hook}", task.0);
        }
        if let Some((first, second)) = self.racing() {
            let _ = writeln!(out, "race {} {}\nrace {} {}", first.task.0, first.hook, second.task.0, second.hook);
        }
        if let Some(task) = &self.fails {
            let _ = writeln!(out, "fails {} 0", task.0);
        }
        out
    }

    /// The two accesses of the data race; `None` if there is none, or they are not two threads'.
    #[must_use]
    pub fn racing(&self) -> Option<(&CaseStep, &CaseStep)> {
        let (first, second) = self.race.filter(|(first, second)| first < second)?;
        self.steps.get(first).zip(self.steps.get(second)).filter(|(one, other)| one.task != other.task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_written_and_read_back() {
        let text =
            r#"{"choices":[["1.1",0],["1.2",1]],"steps":[["1",3],["1.1",1],["1.2",4,1]],"waits":[["1",4]],"race":[1,2],"fails":"1.2"}"#;
        let mut schedule: CaseSchedule = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&schedule).unwrap(), text);
        let order = "step 1 3 0\nstep 1.1 1 0\nstep 1.2 4 1\nwaits 1 4\n";
        assert_eq!(schedule.order(), format!("{order}race 1.1 1\nrace 1.2 4\nfails 1.2 0\n"));
        schedule.fails = None;
        for race in [None, Some((1, 1)), Some((2, 1)), Some((2, 3))] {
            schedule.race = race;
            assert_eq!(schedule.order(), order);
        }
        assert_eq!(TaskName::of(&xcute_trace::TaskId(vec![1, 12, 3])).0, "1.12.3");
    }

    #[test]
    fn what_is_no_schedule_is_refused_in_one_line() {
        let words = [
            (r#"{"choices":[["a b",0]],"steps":[]}"#, "is not a thread"),
            (r#"{"choices":[["1..2",0]],"steps":[]}"#, "is not a thread"),
            (r#"{"choices":[],"steps":[["1"]]}"#, "a step is a thread and a number"),
            (r#"{"choices":[],"steps":[["1\n",2]]}"#, "a step is a thread and a number"),
        ];
        for (text, says) in words {
            let error = serde_json::from_str::<CaseSchedule>(text).unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains('\n'), "{error}");
        }
    }
}
