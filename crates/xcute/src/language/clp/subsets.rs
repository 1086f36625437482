//! Choice coverage of a logic program: which subsets of the clauses of each predicate matched a call, which others could, and which cannot.
//!
//! **Invariant.** Every subset is in exactly one class: seen, feasible but not seen, infeasible, unknown. There are too many to list them all: what
//! [`PredicateChoices::others`] says holds for each subset that no list has.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use xcute_report::{Cell, Figure, Figures, Ratio, Row, Table};

/// At most this many subsets of a predicate are shown to people before "and N more".
const SHOWN: usize = 24;

/// Predicates with at most this many clauses have all their subsets listed.
const LISTED: usize = 6;

/// The name of the figures in a summary.
const COUNTS: &str = "clause_choices";

/// Numbers of clauses, from 1.
pub type Subset = Vec<u32>;

/// A subset that matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenSubset {
    /// The clauses.
    pub clauses: Subset,
    /// How many calls matched exactly these.
    pub calls: u64,
}

/// What is known of a subset that is in no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Others {
    /// No ground call matches exactly these clauses.
    Infeasible,
    /// It was not decided.
    Unknown,
}

/// The choices of one predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredicateChoices {
    /// Its name and arity.
    pub predicate: String,
    /// Where its first clause is.
    pub file: String,
    /// The line of its first clause.
    pub line: u32,
    /// How many clauses it has.
    pub clauses: usize,
    /// The subsets that matched a call.
    pub seen: Vec<SeenSubset>,
    /// Subsets that some ground call matches, but none did.
    pub feasible: Vec<Subset>,
    /// The infeasible ones, where there are few clauses.
    pub infeasible: Vec<Subset>,
    /// Those that were not decided, where there are few clauses.
    pub unknown: Vec<Subset>,
    /// What all other subsets are.
    pub others: Others,
}

impl PredicateChoices {
    /// Lists all other subsets, if there are few.
    pub fn list_others(&mut self) {
        if self.clauses > LISTED {
            return;
        }
        let all = (0..1_u32 << self.clauses)
            .map(|bits| (1..=self.clauses as u32).filter(|clause| bits >> (clause - 1) & 1 == 1).collect::<Subset>());
        let known = |subset: &Subset| self.feasible.contains(subset) || self.seen.iter().any(|seen| seen.clauses == *subset);
        let mut rest: Vec<Subset> = all.filter(|subset| !known(subset)).collect();
        rest.sort();
        match self.others {
            Others::Infeasible => self.infeasible = rest,
            Others::Unknown => self.unknown = rest,
        }
    }
}

/// The text of `choices.json`: a list with one line for each predicate.
pub fn to_json(choices: &[PredicateChoices]) -> String {
    let lines: Vec<String> = choices.iter().map(|of| serde_json::to_string(of).expect("plain data")).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// What the summary says of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChoiceCounts {
    /// Clauses that matched a call, of all.
    pub clauses: Ratio,
    /// Subsets that matched a call.
    pub seen: u64,
    /// Subsets that some ground call matches, but none did.
    pub feasible: u64,
    /// Predicates of which it is not known whether all other subsets are infeasible.
    pub undecided: u64,
}

impl ChoiceCounts {
    /// Counts; `None` where there are no choices.
    pub fn new(choices: &[PredicateChoices]) -> Option<ChoiceCounts> {
        // Clauses that a run asserted have numbers, too.
        let own = |of: &PredicateChoices, clause: u32| clause as usize <= of.clauses;
        let matched = |of: &PredicateChoices| {
            of.seen.iter().flat_map(|seen| &seen.clauses).filter(|clause| own(of, **clause)).collect::<BTreeSet<_>>().len() as u64
        };
        let clauses = Ratio { covered: choices.iter().map(matched).sum(), total: choices.iter().map(|of| of.clauses as u64).sum() };
        (!choices.is_empty()).then(|| ChoiceCounts {
            clauses,
            seen: choices.iter().map(|of| of.seen.len() as u64).sum(),
            feasible: choices.iter().map(|of| of.feasible.len() as u64).sum(),
            undecided: choices.iter().filter(|of| of.others == Others::Unknown).count() as u64,
        })
    }

    /// As figures of a summary.
    pub fn figures(self) -> Figures {
        let ChoiceCounts { clauses, seen, feasible, undecided } = self;
        let counts = [("seen", seen), ("feasible", feasible), ("undecided", undecided)].map(|(name, count)| (name, Figure::Count(count)));
        Figures::group(COUNTS, [("clauses", Figure::Ratio(clauses))].into_iter().chain(counts))
    }

    /// From the figures of a summary.
    pub fn read(figures: &Figures) -> Option<ChoiceCounts> {
        let own = figures.within(COUNTS)?;
        let (seen, feasible, undecided) = (own.count("seen"), own.count("feasible"), own.count("undecided"));
        Some(ChoiceCounts { clauses: own.ratio("clauses"), seen, feasible, undecided })
    }
}

/// The choices of each predicate in detail; `None` where there are none.
pub fn table(choices: &[PredicateChoices]) -> Option<Table> {
    (!choices.is_empty()).then(|| Table {
        title: "Choices".to_owned(),
        about: "Which subsets of the clauses of a predicate matched a call, by their numbers; feasible is what some ground call matches."
            .to_owned(),
        brief: "by the numbers of clauses".to_owned(),
        heads: ["predicate", "clauses", "seen", "feasible, not seen", "other subsets"].map(str::to_owned).to_vec(),
        rows: choices.iter().map(row).collect(),
    })
}

fn row(of: &PredicateChoices) -> Row {
    let not_seen = if of.feasible.is_empty() { String::new() } else { format!("; not seen {}", sets(of.feasible.iter())) };
    let feasible = Cell { text: sets(of.feasible.iter()), warning: !of.feasible.is_empty() };
    Row {
        name: of.predicate.clone(),
        place: (of.file.clone(), of.line),
        cells: vec![Cell::new(of.clauses), Cell::new(seen(of)), feasible, Cell::new(others(of))],
        text: format!("seen {}{not_seen}; {}", seen(of), others(of)),
    }
}

/// The subsets that matched.
fn seen(of: &PredicateChoices) -> String {
    sets(of.seen.iter().map(|seen| &seen.clauses))
}

/// What the subsets are that are in no other column.
fn others(of: &PredicateChoices) -> String {
    let (listed, what) = match of.others {
        Others::Infeasible => (&of.infeasible, "infeasible"),
        Others::Unknown => (&of.unknown, "unknown"),
    };
    match (of.clauses <= LISTED, listed.is_empty()) {
        (true, true) => "no others".to_owned(),
        (true, false) => format!("{what} {}", sets(listed.iter())),
        (false, _) => format!("all others {what}"),
    }
}

/// Subsets for people, the first of them if there are many.
fn sets<'a>(subsets: impl ExactSizeIterator<Item = &'a Subset>) -> String {
    let more = subsets.len().saturating_sub(SHOWN);
    let mut texts: Vec<String> = subsets
        .take(SHOWN)
        .map(|subset| {
            let numbers: Vec<String> = subset.iter().map(ToString::to_string).collect();
            format!("{{{}}}", numbers.join(","))
        })
        .collect();
    match (texts.is_empty(), more) {
        (true, _) => return "none".to_owned(),
        (_, 0) => {}
        _ => texts.push(format!("and {more} more")),
    }
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clauses: usize, others: Others) -> PredicateChoices {
        let seen = vec![SeenSubset { clauses: vec![1, 2], calls: 3 }, SeenSubset { clauses: vec![], calls: 1 }];
        let (infeasible, unknown) = (Vec::new(), Vec::new());
        let mut choices = PredicateChoices {
            predicate: "p/1".into(),
            file: "p.pl".into(),
            line: 2,
            clauses,
            seen,
            feasible: vec![vec![1]],
            infeasible,
            unknown,
            others,
        };
        choices.list_others();
        choices
    }

    #[test]
    fn every_subset_of_few_clauses_is_in_one_list() {
        assert_eq!(of(2, Others::Infeasible).infeasible, [vec![2]]);
        assert_eq!(of(3, Others::Unknown).unknown, [vec![1, 2, 3], vec![1, 3], vec![2], vec![2, 3], vec![3]]);
        assert_eq!(of(40, Others::Infeasible).infeasible, [] as [Subset; 0]);
    }

    #[test]
    fn rows_say_what_is_in_which_class() {
        let choices = [of(2, Others::Infeasible), of(40, Others::Unknown)];
        let rows = table(&choices).expect("there are some").rows;
        let texts: Vec<_> = rows.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(texts, ["seen {1,2} {}; not seen {1}; infeasible {2}", "seen {1,2} {}; not seen {1}; all others unknown"]);
        assert_eq!(table(&[]), None);
        let all = ChoiceCounts::new(&choices).expect("there are some");
        assert_eq!((all.seen, all.feasible, all.undecided), (4, 2, 1));
        assert_eq!(ChoiceCounts::read(&all.figures()), Some(all));
        assert_eq!(ChoiceCounts::new(&[]), None);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let choices = vec![of(2, Others::Infeasible), of(40, Others::Unknown)];
        assert_eq!(serde_json::from_str::<Vec<PredicateChoices>>(&to_json(&choices)).expect("it was written"), choices);
    }

    #[test]
    fn long_lists_are_cut() {
        let many: Vec<Subset> = (1..=30).map(|n| vec![n]).collect();
        assert!(sets(many.iter()).ends_with("{24} and 6 more"));
        assert_eq!(sets([].iter()), "none");
    }
}
