//! Journals that are cut off anywhere, or damaged.

use std::sync::Arc;

use xcute_term::{CtorId, DataSortId, DataValue, Value};

use super::*;

fn records() -> Vec<Record> {
    let mut patch = Model::new();
    patch.set_word(VarId(3), 77);
    patch.set_word(VarId(500), u64::MAX);
    let ctor = |index| CtorId { sort: DataSortId(1), index };
    let leaf = |number: i64| Value::Data(Arc::new(DataValue { ctor: ctor(2), fields: vec![Value::Int(number.into())] }));
    let fields = vec![
        leaf(-70_000),
        Value::Str("ü".into()),
        Value::Bool(true),
        Value::Data(Arc::new(DataValue { ctor: ctor(0), fields: vec![] })),
        leaf(0),
    ];
    patch.set(VarId(501), Value::Data(Arc::new(DataValue { ctor: ctor(1), fields })));
    let place = Place { run: 1, depth: 300, arm: 1 };
    vec![
        Record::Run { number: 1, place: None, patch: Model::new() },
        Record::Run { number: 129, place: Some(place), patch },
        Record::Restart,
        Record::Settled { place, state: Arm::Infeasible },
        Record::Settled { place, state: Arm::Subsumed },
        Record::Settled { place: Place { run: 1 << 40, ..place }, state: Arm::Unknown },
    ]
}

/// Writes each record as a batch of its own.
fn write(path: &Path) {
    let journal = Journal::create(path).unwrap();
    for (count, record) in records().iter().enumerate() {
        let variables = |known| (known == count).then(|| (count + 1, vec![7; count]));
        journal.add(record, Duration::ZERO, true, variables).unwrap();
    }
}

#[test]
fn what_is_written_is_read() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal");
    write(&path);
    let (past, _) = Journal::open(&path).unwrap();
    assert_eq!(past.records, records());
    assert_eq!(past.variables, [(1, vec![]), (2, vec![7]), (3, vec![7, 7]), (4, vec![7; 3]), (5, vec![7; 4]), (6, vec![7; 5])]);
}

#[test]
fn a_torn_end_is_cut_away_and_written_over() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal");
    write(&path);
    let whole = std::fs::read(&path).unwrap();
    let mut seen = 0;
    for length in MAGIC.len()..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (past, journal) = Journal::open(&path).unwrap();
        assert_eq!(past.records, records()[..past.records.len()], "cut at {length}");
        assert!(past.records.len() >= seen, "cut at {length}");
        seen = past.records.len();
        journal.add(&records()[2], Duration::ZERO, false, |_| None).unwrap();
        journal.flush().unwrap();
        let (again, _) = Journal::open(&path).unwrap();
        assert_eq!(again.records.len(), seen + 1, "cut at {length}");
    }
    assert_eq!(seen, records().len());
}

#[test]
fn a_damaged_batch_ends_the_journal() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal");
    write(&path);
    let whole = std::fs::read(&path).unwrap();
    for at in MAGIC.len()..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&path, &bytes).unwrap();
        let (past, _) = Journal::open(&path).unwrap();
        assert!(past.records.len() < records().len() && past.records == records()[..past.records.len()], "damaged at {at}");
    }
    std::fs::write(&path, "something else").unwrap();
    assert!(Journal::open(&path).is_err());
}
