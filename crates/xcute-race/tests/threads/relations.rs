//! The clocks against the relations they stand for, and the two kinds of race side by side.

use xcute_race::{
    AlgorithmName, Causality, Cells, End, Mode, Next, NodeKey, ObjectId, Operation, Record, Step, Task, Until, conflict, data_races, races,
};

use crate::campaign::{Campaign, Order};
use crate::generate::{Generator, Kind};
use crate::programs::*;
use crate::world::Program;

/// `precedes` by its definition: program order, forks, joins, conflicts, and their closure.
fn closure(record: &Record, causality: &Causality<'_>) -> Vec<Vec<bool>> {
    let events = causality.events();
    let n = events.len();
    let mut born = vec![vec![]; n];
    for (at, step) in record.steps.iter().enumerate() {
        // A task forked by a forked task was born at the same step.
        for (_, child) in &step.forked {
            born[at].push(*child);
        }
    }
    let mut before = vec![vec![false; n]; n];
    for b in 0..n {
        before[b][b] = true;
        for a in 0..b {
            let joined = matches!(record.steps[b].next().operation, Operation::Join(child) if child == events[a].task);
            let forked = born[a].contains(&events[b].task);
            before[a][b] = events[a].task == events[b].task || joined || forked || conflict(&events[a].accesses, &events[b].accesses);
        }
    }
    for k in 0..n {
        for a in 0..n {
            for b in 0..n {
                before[a][b] |= before[a][k] && before[k][b];
            }
        }
    }
    before
}

#[test]
fn dynamic_vector_clocks_are_the_causal_relation() {
    let mut pairs = 0;
    for kind in [Kind::Memory, Kind::Locks, Kind::Mixed, Kind::Mixed] {
        let mut generator = Generator::new(5, kind);
        for _ in 0..25 {
            let (program, text) = generator.program();
            let mut campaign = Campaign::new(&program, AlgorithmName::Dpor.build());
            campaign.limit = 5;
            for record in campaign.explore(Order::Random(3)).records {
                let causality = Causality::new(&record);
                let before = closure(&record, &causality);
                for (a, row) in before.iter().enumerate() {
                    for (b, expected) in row.iter().enumerate() {
                        assert_eq!(causality.precedes(a, b), *expected, "events {a} and {b} of {text}");
                        pairs += 1;
                    }
                }
            }
        }
    }
    assert!(pairs > 5_000, "only {pairs} pairs of events were compared");
}

/// The races to flip and the data races to report in the first run, as pairs of steps.
fn first_run(program: &Program) -> [Vec<(usize, usize)>; 2] {
    let mut campaign = Campaign::new(program, AlgorithmName::Races.build());
    campaign.limit = 1;
    let record = campaign.explore(Order::Dfs).records.remove(0);
    let causality = Causality::new(&record);
    let flip = record.steps.iter().enumerate().flat_map(|(at, step)| races(&causality, at, step.next()));
    let report = data_races(&causality).iter().map(|race| (race.first, race.second)).collect();
    [flip.map(|race| (race.first, race.second)).collect(), report]
}

#[test]
fn races_to_flip_and_races_to_report() {
    // Data, flag, flag, data.
    assert_eq!(first_run(&message(Flag::Plain)), [vec![(1, 2)], vec![(1, 2), (0, 3)]]);
    assert_eq!(first_run(&message(Flag::Atomic)), [vec![(1, 2)], vec![]]);
    assert_eq!(first_run(&message(Flag::Await)), [vec![], vec![]]);
    assert_eq!(first_run(&writers(3)), [vec![(0, 1), (1, 2)], vec![(0, 1), (0, 2), (1, 2)]]);
    // Lock, write, unlock, and again.
    assert_eq!(first_run(&lock_race()), [vec![(0, 3)], vec![]]);
}

#[test]
fn locks_held_at_a_data_race() {
    let program = threads!(|t| t.locked(M, |t| t.write(X, 1)), |t| t.locked(N, |t| t.locked(O, |t| t.write(X, 2))));
    let mut campaign = Campaign::new(&program, AlgorithmName::Dpor.build());
    let outcome = campaign.explore(Order::Dfs);
    let causality = Causality::new(&outcome.records[0]);
    let found = data_races(&causality);
    assert_eq!(found.len(), 1);
    let names = |held: &[ObjectId]| held.iter().map(|lock| lock.0).collect::<Vec<_>>();
    assert_eq!(found[0].held.each_ref().map(|held| names(held)), [vec![M], vec![N, O]]);
}

/// A run of these operations, each with its task and the value before it.
fn record(operations: &[(u32, Operation, u64)]) -> Record {
    let step = |(node, &(task, operation, before)): (usize, &(u32, Operation, u64))| {
        let enabled = vec![Next { before, ..Next::of(Task(task), operation) }];
        Step {
            node: NodeKey(node as u64),
            enabled: enabled.into(),
            chosen: 0,
            arm: 0,
            glued: false,
            outside: Default::default(),
            forked: Vec::new(),
            branches: 0,
            place: node as u32,
        }
    };
    Record { steps: operations.iter().enumerate().map(step).collect(), pending: Vec::new(), end: End::Finished }
}

fn cells(first: u64, count: u32) -> Cells {
    Cells { first: ObjectId(first), count }
}

fn flips(record: &Record) -> Vec<(usize, usize)> {
    let causality = Causality::new(record);
    let all = record.steps.iter().enumerate().flat_map(|(at, step)| races(&causality, at, step.next()));
    all.map(|race| (race.first, race.second)).collect()
}

#[test]
fn accesses_that_overlap_in_part() {
    let word = |task| (task, Operation::Write(cells(0, 4)), 0);
    let byte = |task, at| (task, Operation::Write(cells(at, 1)), 0);
    let overlapping = record(&[word(0), byte(1, 2)]);
    let found = data_races(&Causality::new(&overlapping));
    assert_eq!((flips(&overlapping), found.len(), found[0].cell), (vec![(0, 1)], 1, ObjectId(2)), "one race, at the common cell");
    let both = record(&[word(0), word(1)]);
    assert_eq!((flips(&both), data_races(&Causality::new(&both)).len()), (vec![(0, 1)], 1), "one race, not one for each cell");
    let beside = record(&[byte(0, 1), byte(1, 2)]);
    assert_eq!((flips(&beside).len(), data_races(&Causality::new(&beside)).len()), (0, 0));
}

#[test]
fn values_of_other_cells_say_nothing() {
    // The await could not run before either write: of the whole word that is known, of the byte it is not, and then the older write still counts.
    let until = (1, Operation::Await { at: cells(0, 4), until: Until::Equal(7) }, 7);
    let known = record(&[(0, Operation::Store(cells(0, 4)), 0), (2, Operation::Store(cells(0, 4)), 5), until]);
    assert_eq!(flips(&known), [(0, 1)]);
    let unknown = record(&[(0, Operation::Store(cells(0, 4)), 7), (2, Operation::Store(cells(0, 1)), 5), until]);
    assert_eq!(flips(&unknown), [(0, 1), (1, 2), (0, 2)]);
}

#[test]
fn an_attempt_that_failed_succeeds_when_flipped() {
    let m = ObjectId(9);
    let failed = record(&[(0, Operation::Lock(m), 0), (1, Operation::TryLock(m), 0)]);
    let causality = Causality::new(&failed);
    assert_eq!(causality.events()[1].accesses[0].mode, Mode::Read);
    assert_eq!(races(&causality, 1, failed.steps[1].next())[0].accesses[0].mode, Mode::Update);
    let exchange = Operation::CompareExchange { at: cells(0, 1), expected: 3 };
    let failed = record(&[(0, Operation::Store(cells(0, 1)), 3), (1, exchange, 5)]);
    let causality = Causality::new(&failed);
    assert_eq!(causality.events()[1].accesses[0].mode, Mode::Read);
    assert_eq!(races(&causality, 1, failed.steps[1].next())[0].accesses[0].mode, Mode::Update);
}

#[test]
fn each_pair_of_places_is_reported() {
    let write = |task| (task, Operation::Write(cells(0, 1)), 0);
    let found = record(&[write(0), write(0), write(1)]);
    let races: Vec<(usize, usize)> = data_races(&Causality::new(&found)).iter().map(|race| (race.first, race.second)).collect();
    assert_eq!(races, [(0, 2), (1, 2)]);
}

#[test]
fn readers_release_to_writers_only() {
    let (lock, x) = (ObjectId(9), cells(0, 1));
    let read = [(0, Operation::ReadLock(lock), 0), (0, Operation::Write(x), 0), (0, Operation::ReadUnlock(lock), 0)];
    let then = |take, give| record(&[&read[..], &[(1, take, 0), (1, Operation::Write(x), 0), (1, give, 0)]].concat());
    let reader = then(Operation::ReadLock(lock), Operation::ReadUnlock(lock));
    assert_eq!(data_races(&Causality::new(&reader)).len(), 1, "two readers write");
    let writer = then(Operation::WriteLock(lock), Operation::WriteUnlock(lock));
    assert_eq!(data_races(&Causality::new(&writer)).len(), 0);
}
