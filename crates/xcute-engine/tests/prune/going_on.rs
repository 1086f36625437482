//! A campaign that was ended after any record goes on and comes to the same result.

use xcute_engine::{Campaign, Record};
use xcute_strategy::StrategyName;

use crate::model::{Log, Model, campaign, failures, pruned, solver};
use crate::syntax::parse;

#[test]
fn after_any_record() {
    let source = parse("", "int s=0,i=0; while(i<5){ if(read()>i) s=s+1; i=i+1; } if(s>4) { if(read()==7) bug(); }");
    for greedy in [false, true] {
        let (whole, log) = campaign(&source, StrategyName::Dfs, 0, pruned(greedy));
        let records = log.records.into_inner().unwrap();
        assert!(records.iter().any(|record| matches!(record, Record::Settled { state: xcute_tree::Arm::Subsumed, .. })));
        for kept in 1..=records.len() {
            let mut subject = Model::new(&source);
            let strategy = StrategyName::Dfs.build(xcute_trace::Subject::sites(&subject), 0);
            let mut campaign = Campaign::new(&mut subject, solver(), strategy, pruned(greedy));
            campaign.prune_with(solver());
            campaign.go_on_from(records[..kept].to_vec());
            let results = campaign.run(&Log::default()).unwrap();
            assert_eq!((failures(results), results.complete), (failures(&whole), true), "{kept} records, {greedy}");
            assert_eq!(results.arms.open, 0);
            assert!(results.runs <= whole.runs + 2, "{} runs instead of {}", results.runs, whole.runs);
        }
    }
}
