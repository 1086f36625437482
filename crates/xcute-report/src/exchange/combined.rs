//! The coverage of several campaigns together, and which arms of branches need not be covered.
//!
//! Campaigns number the decisions of a file each in its own way, so decisions are the same if their arms are at the same lines; of several such the n-th are.
//!
//! **Invariant.** An arm is infeasible only if no campaign took it, one that is complete met its decision, and none that is not complete knows of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Campaign, Project};
use crate::coverage::{BranchArm, FileCoverage, FunctionCoverage, SourceCoverage};
use crate::figures::Figures;
use crate::ratio::Ratio;

/// What is known of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// A complete search never came to its decision.
    Unreached,
    /// A complete search came to its decision and never took it.
    Infeasible,
    /// It was not taken, but may be.
    Missed,
    /// A run took it.
    Taken,
}

/// The arms of a decision and their lines, and which of those that look the same it is.
type Key = (Vec<(u32, u32)>, usize);

/// The coverage of one file.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub(super) lines: BTreeMap<u32, bool>,
    pub(super) functions: BTreeMap<(u32, String), bool>,
    decisions: BTreeMap<Key, Vec<State>>,
    /// Lines that a search knows which is not complete.
    unproved: BTreeSet<u32>,
}

/// How many arms of the decisions at a line were not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Untaken {
    pub(super) arms: u64,
    /// Those that may be taken.
    pub(super) missed: u64,
    /// Those that no input takes.
    pub(super) infeasible: u64,
}

/// The coverage of all campaigns, by path within the project.
#[derive(Clone, Debug, Default)]
pub struct Combined {
    pub(super) files: BTreeMap<String, File>,
}

impl Combined {
    /// Puts it together.
    #[must_use]
    pub fn of<'a>(campaigns: impl IntoIterator<Item = &'a Campaign>, project: &Project) -> Combined {
        let mut all = Combined::default();
        for campaign in campaigns {
            // As in the summary: where paths were left to others, what was not taken was not looked at.
            let summary = &campaign.report.summary;
            let proved = summary.complete && summary.arms.subsumed == 0;
            for (path, file) in &campaign.report.coverage.files {
                all.files.entry(project.path(&campaign.origin, path)).or_default().add(file, proved);
            }
        }
        all
    }

    /// The same as the coverage of one campaign.
    #[must_use]
    pub fn source(&self) -> SourceCoverage {
        let files = self.files.iter().map(|(path, file)| (path.clone(), file.source())).collect();
        SourceCoverage { files, own: Figures::default() }
    }
}

impl File {
    fn add(&mut self, file: &FileCoverage, proved: bool) {
        for (line, ran) in &file.lines {
            *self.lines.entry(*line).or_default() |= ran;
            if !proved {
                self.unproved.insert(*line);
            }
        }
        for FunctionCoverage { name, line, entered, .. } in &file.functions {
            *self.functions.entry((*line, name.clone())).or_default() |= entered;
        }
        let mut decisions: BTreeMap<u32, Vec<&BranchArm>> = BTreeMap::new();
        for arm in &file.branches {
            decisions.entry(arm.branch).or_default().push(arm);
        }
        let mut alike: BTreeMap<Vec<(u32, u32)>, usize> = BTreeMap::new();
        for mut arms in decisions.into_values() {
            arms.sort_by_key(|arm| arm.arm);
            let met = arms.iter().any(|arm| arm.taken);
            let state = |arm: &&BranchArm| match (arm.taken, proved, met) {
                (true, ..) => State::Taken,
                (false, false, _) => State::Missed,
                (false, true, true) => State::Infeasible,
                (false, true, false) => State::Unreached,
            };
            let shape: Vec<(u32, u32)> = arms.iter().map(|arm| (arm.arm, arm.line)).collect();
            let nth = alike.entry(shape.clone()).or_default();
            let known = self.decisions.entry((shape, *nth)).or_insert_with(|| vec![State::Unreached; arms.len()]);
            *nth += 1;
            for (known, arm) in known.iter_mut().zip(&arms) {
                *known = (*known).max(state(arm));
            }
        }
    }

    /// The arms at each line that can be taken: how many were, of how many.
    pub(super) fn arms(&self) -> BTreeMap<u32, Ratio> {
        let mut lines: BTreeMap<u32, Ratio> = BTreeMap::new();
        for ((shape, _), states) in &self.decisions {
            for ((_, line), state) in shape.iter().zip(states).filter(|(_, state)| **state != State::Infeasible) {
                let ratio = lines.entry(*line).or_default();
                ratio.total += 1;
                ratio.covered += u64::from(*state == State::Taken);
            }
        }
        lines
    }

    /// The lines with arms that no run took.
    pub(super) fn untaken(&self) -> BTreeMap<u32, Untaken> {
        let mut lines: BTreeMap<u32, Untaken> = BTreeMap::new();
        for ((shape, _), states) in &self.decisions {
            // A decision that no run came to says nothing: its function may belong to something else.
            if !states.contains(&State::Taken) {
                continue;
            }
            for ((_, line), state) in shape.iter().zip(states) {
                let untaken = lines.entry(*line).or_default();
                untaken.arms += 1;
                untaken.missed += u64::from(*state == State::Missed);
                untaken.infeasible += u64::from(*state == State::Infeasible);
            }
        }
        lines.retain(|_, untaken| untaken.missed + untaken.infeasible > 0);
        lines
    }

    /// Where nothing is a branch (clauses of Prolog): lines that no run came to, of functions that one entered, and whether no input does.
    pub(super) fn idle(&self) -> impl Iterator<Item = (u32, bool)> {
        let entered = |line: u32| self.functions.range(..(line + 1, String::new())).next_back().is_some_and(|(_, entered)| *entered);
        let idle = self.lines.iter().filter(move |(line, ran)| self.decisions.is_empty() && !**ran && entered(**line));
        idle.map(|(line, _)| (*line, !self.unproved.contains(line)))
    }

    fn source(&self) -> FileCoverage {
        let functions = self.functions.iter().map(|((line, name), entered)| FunctionCoverage {
            name: name.clone(),
            line: *line,
            entered: *entered,
            called: None,
        });
        let decision = |(branch, ((shape, _), states)): (u32, (&Key, &Vec<State>))| -> Vec<BranchArm> {
            let arm = |((arm, line), state): (&(u32, u32), &State)| BranchArm {
                line: *line,
                branch,
                arm: *arm,
                taken: *state == State::Taken,
                site: None,
            };
            shape.iter().zip(states).map(arm).collect()
        };
        FileCoverage {
            places: BTreeMap::new(),
            lines: self.lines.clone(),
            functions: functions.collect(),
            branches: (0..).zip(&self.decisions).flat_map(decision).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(taken: [bool; 2], branch: u32) -> FileCoverage {
        let arm = |(arm, taken)| BranchArm { line: 3, branch, arm, taken, site: None };
        FileCoverage {
            places: BTreeMap::new(),
            lines: BTreeMap::from([(3, taken[0] || taken[1])]),
            functions: Vec::new(),
            branches: (0..).zip(taken).map(arm).collect(),
        }
    }

    fn ratio(files: &[([bool; 2], u32, bool)]) -> (u64, u64) {
        let mut all = File::default();
        files.iter().for_each(|(taken, branch, proved)| all.add(&file(*taken, *branch), *proved));
        all.arms().get(&3).map_or((0, 0), |ratio| (ratio.covered, ratio.total))
    }

    #[test]
    fn an_arm_is_infeasible_only_where_nothing_else_may_take_it() {
        assert_eq!(ratio(&[([true, false], 0, true)]), (1, 1), "a complete search met it");
        assert_eq!(ratio(&[([true, false], 0, false)]), (1, 2), "another did");
        assert_eq!(ratio(&[([false, false], 0, true)]), (0, 2), "a complete search did not meet it");
        assert_eq!(ratio(&[([true, false], 0, true), ([false, false], 5, true)]), (1, 1));
        assert_eq!(ratio(&[([true, false], 0, true), ([false, false], 5, false)]), (1, 2), "the other may still take it");
        assert_eq!(ratio(&[([true, false], 0, true), ([false, true], 5, false)]), (2, 2));
    }

    #[test]
    fn together_they_are_one_coverage() {
        let mut all = File::default();
        all.add(&file([true, false], 7), false);
        all.add(&file([false, true], 0), false);
        let source = all.source();
        assert!(source.branches.iter().all(|arm| arm.taken && arm.branch == 0) && source.branches.len() == 2);
    }
}
