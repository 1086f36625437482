//! Choice coverage: which subsets of the clauses of each predicate matched a call, and which others could.
//!
//! Which subsets are feasible is found by a small search for each predicate, over its heads alone: nothing is unfolded. The goal gets the inputs that the
//! campaign gave it, all other predicates any ground arguments.
//!
//! **Invariant.** Subsets are called infeasible only if that search was complete.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use xcute_clp::machine::code::{PredicateCode, PredicateId};
use xcute_clp::subject::ClpSubject;
use xcute_engine::{Confirmation, Equipment, Observer, RunEvent, StopAt, run_all};
use xcute_report::{Counted, Ends, Line, Section, Summary, Units, Words};
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Failure, TestCase};

use super::subsets::{self, ChoiceCounts, Others, PredicateChoices, SeenSubset};
use crate::front::{Conclusion, Files};
use crate::plan::SearchPlan;
use crate::solvers;
use crate::until::until;

/// The file that lists all choices.
const FILE: &str = "choices.json";

/// Runs for each predicate; what needs more is not searched to its end.
const RUNS: u64 = 256;

/// Tables with more clauses are not searched.
const CLAUSES: usize = 128;

/// Nor are larger ones.
const CELLS: usize = 50_000;

/// Subsets and how many calls matched each.
type Calls = BTreeMap<Vec<u32>, u64>;

/// Whether there is no time left.
type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// What is known of the choices when the search is over.
pub fn conclude(subjects: &[ClpSubject], search: &SearchPlan, stop: Stop<'_>) -> Conclusion {
    let choices = of_all(subjects, search, stop);
    match ChoiceCounts::new(&choices) {
        Some(counts) => {
            Conclusion { figures: counts.figures(), files: vec![(FILE.to_owned(), subsets::to_json(&choices))], ..Conclusion::default() }
        }
        None => Conclusion::default(),
    }
}

/// The choices of all predicates of the program itself that the goal can come to. Of those that there is no time for, only what was seen is known.
fn of_all(subjects: &[ClpSubject], search: &SearchPlan, stop: Stop<'_>) -> Vec<PredicateChoices> {
    let Some(first) = subjects.first() else { return Vec::new() };
    let seen = |id| subjects.iter().any(|subject| subject.subsets().contains_key(&id));
    let met = |number| first.reaches(PredicateId(number)) || seen(PredicateId(number));
    let own = (0..).zip(&first.program().code.predicates);
    let own = own.filter(|(number, predicate)| !predicate.library && !predicate.clauses.is_empty() && met(*number));
    own.map(|(number, predicate)| {
        let id = PredicateId(number);
        let mut seen = Calls::new();
        for (subset, calls) in subjects.iter().filter_map(|subject| subject.subsets().get(&id)).flatten() {
            *seen.entry(subset.clone()).or_insert(0) += calls;
        }
        let (feasible, others) = match predicate.clauses.len() {
            // What a run asserts or retracts changes what the numbers mean.
            _ if predicate.dynamic => (Vec::new(), Others::Unknown),
            0..=CLAUSES if predicate.size() <= CELLS && !stop() => feasible(first.heads(id), id, search, stop),
            _ => (Vec::new(), Others::Unknown),
        };
        described(predicate, &seen, feasible, others)
    })
    .collect()
}

fn described(predicate: &PredicateCode, seen: &Calls, feasible: Vec<Vec<u32>>, others: Others) -> PredicateChoices {
    let first = predicate.clauses.first().map_or(0, |clause| clause.line);
    let mut choices = PredicateChoices {
        predicate: predicate.name.clone(),
        file: predicate.file.clone(),
        line: first,
        clauses: predicate.clauses.len(),
        feasible: feasible.iter().filter(|subset| !seen.contains_key(*subset)).map(|subset| numbered(subset)).collect(),
        seen: seen.iter().map(|(subset, &calls)| SeenSubset { clauses: numbered(subset), calls }).collect(),
        infeasible: Vec::new(),
        unknown: Vec::new(),
        others,
    };
    choices.list_others();
    choices
}

/// The subsets that calls can match, and what is known of the others.
fn feasible(heads: ClpSubject, id: PredicateId, search: &SearchPlan, stop: Stop<'_>) -> (Vec<Vec<u32>>, Others) {
    let mut heads = [heads];
    let flag = Interrupt::new();
    let equipment = Equipment {
        solver: &|| solvers::chain(search.layers),
        strategy: &|sites, worker| StrategyName::Bfs.build(sites, worker),
        options: xcute_engine::Options { runs: RUNS, stop_at: StopAt::Complete, ..search.options },
        seeds: &[],
        past: &[],
    };
    // What does not end here ends with the process: the results are written after this.
    let (results, _) = until(stop, &flag, || {}, || run_all(&mut heads, &equipment, &Unwatched { stop, flag: flag.clone() }));
    let found = heads[0].subsets().get(&id).into_iter().flat_map(BTreeMap::keys).cloned().collect();
    (found, if results.complete { Others::Infeasible } else { Others::Unknown })
}

fn numbered(subset: &[u32]) -> Vec<u32> {
    subset.iter().map(|clause| clause + 1).collect()
}

/// A goal that fails is not a failure: it has no answer.
const ENDS: Ends = Ends { passed: "no error", failed: "error" };

/// What is covered of a logic program: where a clause begins is its line.
const UNITS: Units = Units { lines: "clauses", branches: "branches", functions: "predicates", function: "predicate" };

/// What is said of a campaign: subsets of clauses, and clauses and predicates in place of lines and functions.
pub fn words(summary: &Summary, files: Files<'_>) -> Result<Words> {
    let Some(counts) = ChoiceCounts::read(&summary.own) else { return Ok(Words { units: UNITS, ends: ENDS, ..Words::default() }) };
    let choices: Vec<PredicateChoices> = match files(FILE) {
        Some(text) => serde_json::from_str(&text).with_context(|| format!("cannot understand {FILE}"))?,
        None => Vec::new(),
    };
    let line = Line::Text(line(&counts, summary.complete));
    let choices = Section { name: "choices".to_owned(), line, table: subsets::table(&choices) };
    let counted = vec![Counted::new("clauses", counts.clauses), Counted::new("predicates", summary.coverage.functions)];
    Ok(Words { sections: vec![choices], counted, units: UNITS, ends: ENDS, ..Words::default() })
}

/// The figures in one line. A search that is complete has seen whatever a call that comes from its goal can match.
fn line(counts: &ChoiceCounts, complete: bool) -> String {
    let feasible = match counts.feasible {
        0 => String::new(),
        some if complete => format!(", {some} feasible but not from this goal"),
        some => format!(", {some} feasible but not seen"),
    };
    let others = match counts.undecided {
        0 => "all others infeasible".to_owned(),
        1 => "others unknown of 1 predicate".to_owned(),
        many => format!("others unknown of {many} predicates"),
    };
    format!("{} subset{} of clauses seen{feasible}, {others}", counts.seen, if counts.seen == 1 { "" } else { "s" })
}

/// Nobody watches but the clock.
struct Unwatched<'a> {
    stop: Stop<'a>,
    flag: Interrupt,
}

impl Observer for Unwatched<'_> {
    fn stop(&self) -> bool {
        (self.stop)()
    }

    fn interrupt(&self) -> Interrupt {
        self.flag.clone()
    }

    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::NotReproduced("nothing is unfolded".to_owned())
    }

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_said_in_one_line() {
        let all = ChoiceCounts { seen: 4, feasible: 2, undecided: 1, ..ChoiceCounts::default() };
        assert_eq!(line(&all, false), "4 subsets of clauses seen, 2 feasible but not seen, others unknown of 1 predicate");
        let one = ChoiceCounts { seen: 1, feasible: 1, ..ChoiceCounts::default() };
        assert_eq!(line(&one, true), "1 subset of clauses seen, 1 feasible but not from this goal, all others infeasible");
    }
}
