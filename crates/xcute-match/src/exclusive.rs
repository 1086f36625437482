//! Clauses that exclude each other: a discrimination tree over the tests that their conditions begin with.
//!
//! Two clauses exclude each other if both test the same part of the input for different constructors or constants. A table of facts
//! is found to be one such group without comparing its clauses pairwise. The idea is clause indexing (Warren, "An abstract Prolog
//! instruction set", 1983), here for conditions instead of control.

use rustc_hash::FxHashMap;
use xcute_term::{CtorId, DataSortId, Op, TermId, Terms, Value};

/// What stands for the constructor of numbers and words.
const NO_DATA: CtorId = CtorId { sort: DataSortId(u32::MAX), index: 0 };

/// A test of one part of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Test {
    of: TermId,
    ctor: CtorId,
    /// The constant, where it tests for one.
    value: Option<TermId>,
}

/// Splits clauses, given by the conjuncts of their conditions, in groups with equal conditions that exclude each other. The others are
/// left out; a group of one is none.
pub(crate) fn groups(terms: &Terms, conditions: &[(TermId, &[TermId])]) -> Vec<Vec<usize>> {
    let tests: Vec<Vec<Test>> = conditions.iter().map(|(_, conjuncts)| tests(terms, conjuncts)).collect();
    let mut groups = Vec::new();
    let mut buckets = vec![(0..conditions.len()).collect::<Vec<_>>()];
    while let Some(bucket) = buckets.pop() {
        let first = conditions[bucket[0]].0;
        if bucket.iter().all(|&clause| conditions[clause].0 == first) {
            groups.push(bucket);
            continue;
        }
        match splitter(&tests, &bucket) {
            Some(of) => buckets.extend(split(&tests, &bucket, of)),
            None => groups.push(bucket.into_iter().filter(|&clause| conditions[clause].0 == first).collect()),
        }
    }
    if groups.len() < 2 {
        return Vec::new();
    }
    groups.sort_by_key(|group| group[0]);
    groups
}

fn tests(terms: &Terms, conjuncts: &[TermId]) -> Vec<Test> {
    let test = |&conjunct: &TermId| match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::IsCtor(ctor), &[of]) => Some(Test { of, ctor, value: None }),
        (Op::Eq, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(of, value)| match terms.as_value(value) {
            Some(Value::Data(data)) => Some(Test { of, ctor: data.ctor, value: Some(value) }),
            Some(Value::Int(_) | Value::Bits(_)) => Some(Test { of, ctor: NO_DATA, value: Some(value) }),
            _ => None,
        }),
        _ => None,
    };
    let mut tests: Vec<Test> = Vec::with_capacity(conjuncts.len());
    for test in conjuncts.iter().filter_map(test) {
        // One test of each part, so that splitting by it makes progress.
        if tests.iter().all(|known| known.of != test.of) {
            tests.push(test);
        }
    }
    tests
}

/// The part that most clauses of a bucket test, with at least two results.
fn splitter(tests: &[Vec<Test>], bucket: &[usize]) -> Option<TermId> {
    let mut counts: FxHashMap<TermId, (usize, Test, bool)> = FxHashMap::default();
    for test in bucket.iter().flat_map(|&clause| &tests[clause]) {
        let entry = counts.entry(test.of).or_insert((0, *test, false));
        entry.0 += 1;
        entry.2 |= excludes(&entry.1, test);
    }
    let parts = bucket.iter().flat_map(|&clause| &tests[clause]).map(|test| test.of);
    // The first of equals, in the order of the clauses.
    parts.filter(|of| counts[of].2).fold(None, |best: Option<TermId>, of| match best {
        Some(best) if counts[&best].0 >= counts[&of].0 => Some(best),
        _ => Some(of),
    })
}

fn excludes(a: &Test, b: &Test) -> bool {
    a.ctor != b.ctor || matches!((a.value, b.value), (Some(a), Some(b)) if a != b)
}

/// Buckets by the result of a test; clauses that do not test are dropped, as are those for a constant where others take the whole constructor.
fn split(tests: &[Vec<Test>], bucket: &[usize], of: TermId) -> Vec<Vec<usize>> {
    let test_of = |clause: usize| tests[clause].iter().find(|test| test.of == of);
    let mut order: Vec<(CtorId, Option<TermId>)> = Vec::new();
    let mut places: FxHashMap<(CtorId, Option<TermId>), Vec<usize>> = FxHashMap::default();
    let whole: Vec<CtorId> = bucket.iter().filter_map(|&c| test_of(c)).filter(|t| t.value.is_none()).map(|t| t.ctor).collect();
    let whole: rustc_hash::FxHashSet<CtorId> = whole.into_iter().collect();
    for &clause in bucket {
        let Some(test) = test_of(clause) else { continue };
        let key = (test.ctor, test.value.filter(|_| !whole.contains(&test.ctor)));
        places
            .entry(key)
            .or_insert_with(|| {
                order.push(key);
                Vec::new()
            })
            .push(clause);
    }
    order.into_iter().filter_map(|key| places.remove(&key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::{DataSort, Field, Sort};

    /// Terms over constants and `f/1`.
    fn universe(terms: &mut Terms) -> (TermId, CtorId, CtorId) {
        let sort = terms.next_data();
        let own = Sort::Data(sort);
        let constant = ("constant".to_owned(), vec![Field { name: "number".into(), sort: Sort::Int }]);
        let f = ("f".to_owned(), vec![Field { name: "f1".into(), sort: own }]);
        terms.declare_data(DataSort { name: "term".into(), ctors: vec![constant, f] });
        (terms.var("x", own), CtorId { sort, index: 0 }, CtorId { sort, index: 1 })
    }

    fn is_constant(terms: &mut Terms, of: TermId, ctor: CtorId, number: i64) -> TermId {
        let number = terms.value(Value::Int(number.into()));
        let made = terms.mk(Op::Construct(ctor), &[number]);
        terms.mk(Op::Eq, &[of, made])
    }

    #[test]
    fn facts_exclude_each_other_and_variables_do_not() {
        let mut terms = Terms::new();
        let (x, constant, f) = universe(&mut terms);
        let inner = terms.mk(Op::Select(f, 0), &[x]);
        let is_f = terms.mk(Op::IsCtor(f), &[x]);
        // a. b. f(a). f(_). a again.
        let (a, b) = (is_constant(&mut terms, x, constant, 0), is_constant(&mut terms, x, constant, 1));
        let fa = is_constant(&mut terms, inner, constant, 0);
        let both = terms.mk(Op::And, &[is_f, fa]);
        let lists = [vec![a], vec![b], vec![is_f, fa], vec![is_f], vec![a]];
        let whole = [a, b, both, is_f, a];
        let conditions: Vec<(TermId, &[TermId])> = whole.iter().zip(&lists).map(|(c, list)| (*c, &list[..])).collect();
        let groups = groups(&terms, &conditions);
        // f(a) and f(_) overlap: only the first of them is in the group.
        assert_eq!(groups, [vec![0, 4], vec![1], vec![2]]);
    }

    #[test]
    fn a_contradiction_does_not_split_for_ever() {
        let mut terms = Terms::new();
        let (x, constant, f) = universe(&mut terms);
        let (is_f, is_constant) = (terms.mk(Op::IsCtor(f), &[x]), terms.mk(Op::IsCtor(constant), &[x]));
        let both = terms.mk(Op::And, &[is_f, is_constant]);
        let (first, second) = ([is_f, is_constant], [is_f]);
        assert!(groups(&terms, &[(both, &first[..]), (is_f, &second[..])]).is_empty());
    }
}
