//! The clocks against the relations they stand for, and the two kinds of race side by side.

use xcute_race::{AlgorithmName, Causality, Operation, Record, conflict, data_races, races};

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
    let names = |held: &[xcute_race::ObjectId]| held.iter().map(|lock| lock.0).collect::<Vec<_>>();
    assert_eq!(found[0].held.each_ref().map(|held| names(held)), [vec![M], vec![N, O]]);
}
