//! Several workers on one program, and programs that cannot be run.

use crate::support;
use crate::support::{Log, indicator, program, subject, subjects};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::{ClpSubject, Options, PrepareError};
use xcute_engine::{Equipment, run_all};
use xcute_solver::{Chain, ChainOptions};
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_trace::Sites;

#[test]
fn workers_find_together_what_one_finds_alone() {
    let text = subjects::all().into_iter().find(|(name, _)| name == "quicksort").expect("a subject").1;
    for workers in [1, 3] {
        let (_, first) = subject(&text, "qsort/2", None, Some(4), Bounds::default());
        let mut all: Vec<ClpSubject> = (1..workers).map(|_| first.another()).collect();
        all.push(first);
        let strategy = |sites: &Sites, worker: u64| StrategyName::Bfs.build(sites, worker);
        let solver = || Box::new(Chain::build(ChainOptions::default(), vec![Box::new(Z3::new())])) as Box<dyn xcute_solver::Solver>;
        let options = xcute_engine::Options::default();
        let equipment = Equipment { solver: &solver, strategy: &strategy, options, seeds: &[], past: &[] };
        let (results, error) = run_all(&mut all, &equipment, &Log::default());
        assert!(error.is_none());
        assert_eq!((results.paths, results.complete, results.arms.diverged), (34, true, 0), "{workers} workers");
    }
}

#[test]
fn goals_that_cannot_be_called_are_refused() {
    let mut source = program("p(f(_, _, _), g(_, _, _, _)).\n");
    let (goal, missing) = (indicator(&mut source, "p/2"), indicator(&mut source, "q/1"));
    let options = Options { goal, ground: None, term_depth: None, texts: false, bounds: Bounds::default(), strict: true };
    let refused = |options: Options| ClpSubject::new(&source, options).err();
    assert_eq!(refused(Options { goal: missing, ..options.clone() }), Some(PrepareError::Undefined("q/1".into())));
    assert_eq!(refused(Options { ground: Some(vec![2]), ..options.clone() }), Some(PrepareError::NoArgument(3, "p/2".into())));
    assert_eq!(refused(Options { term_depth: Some(9), ..options.clone() }), Some(PrepareError::TooDeep(9)));
    assert_eq!(refused(options), None);
}

#[test]
fn the_feasible_subsets_of_a_predicate_are_found_by_its_heads() {
    let (source, first) =
        subject("p(X) :- q(X).\nq(f(_)).\nq(f(a)) :- loop.\nq(b).\nloop :- loop.\n", "p/1", None, None, Bounds::default());
    let q = first.program().code.predicates.iter().position(|predicate| predicate.name == "q/1").expect("it is defined");
    let mut heads = first.heads(xcute_clp::machine::code::PredicateId(u32::try_from(q).expect("few")));
    support::inputs(&mut heads, &source);
    let subsets: Vec<Vec<u32>> = heads.subsets().values().flat_map(|subsets| subsets.keys().cloned()).collect();
    assert_eq!(subsets, [vec![], vec![0], vec![0, 1], vec![2]]);
}
