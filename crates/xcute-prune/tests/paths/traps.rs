//! Traps: programs on which a pruning that is almost right loses a failure. Each is run right, and broken.

use xcute_prune::{Guards, Mutant, Options};
use xcute_solver::conformance::Ignorant;

use crate::machine::Fault;
use crate::order::Order;
use crate::search::{Outcome, Setting, search, search_with, solver};
use crate::syntax::{Source, parse};

/// How a variant is broken.
enum Broken {
    Pruning(Mutant),
    Front(Fault),
}

struct Trap {
    source: Source,
    bound: Option<usize>,
    horizon: bool,
    guards: Guards,
}

impl Trap {
    fn new(outside: &str, main: &str) -> Trap {
        Trap { source: parse(outside, main), bound: None, horizon: false, guards: Guards::Drop }
    }

    fn setting(&self, greedy: bool) -> Setting {
        let options = Options { greedy, horizon: self.horizon, guards: self.guards, check: false, ..Options::default() };
        let setting = Setting { prune: Some(options), ..Setting::naive() };
        self.bound.map_or(setting, |bound| setting.bounded(bound))
    }

    fn search(&self, setting: &Setting) -> Outcome {
        search(&self.source, setting)
    }

    /// Every order finds the failures of the plain search.
    #[track_caller]
    fn right(&self, runs: usize, failures: usize) {
        let naive = self.search(&Setting { bound: self.bound, ..Setting::naive() });
        assert_eq!((naive.runs, naive.failures.len()), (runs, failures), "the plain search");
        for order in Order::ALL {
            for greedy in [false, true] {
                let outcome = self.search(&Setting { order, ..self.setting(greedy) });
                assert_eq!(outcome.failures, naive.failures, "{order:?}, greedy {greedy}");
                assert!(!outcome.verified());
            }
        }
    }

    /// The broken variant loses a failure, in depth-first order.
    #[track_caller]
    fn broken(&self, broken: &Broken) {
        let naive = self.search(&Setting { bound: self.bound, ..Setting::naive() });
        let mut setting = self.setting(false);
        match broken {
            Broken::Pruning(mutant) => setting.prune.as_mut().expect("pruned").mutant = Some(*mutant),
            Broken::Front(fault) => setting.fault = Some(*fault),
        }
        let outcome = self.search(&setting);
        assert!(outcome.failures.len() < naive.failures.len(), "the trap does not catch this");
    }
}

#[test]
fn t1_a_half_node_subsumes_nothing() {
    let trap = Trap::new("", "int s=0; if(read()) s=1; if(read()) { if(s>0) bug(); }");
    trap.right(4, 1);
    trap.broken(&Broken::Pruning(Mutant::HalfSubsumes));
}

#[test]
fn t2_an_unfinished_node_subsumes_nothing() {
    let trap = Trap { bound: Some(12), ..Trap::new("", "int x=0; while(read()){ if(x>2) bug(); x=x+1; }") };
    trap.right(5, 1);
    trap.broken(&Broken::Pruning(Mutant::UnfinishedSubsumes));
}

#[test]
fn t3_a_cut_is_not_an_end() {
    let text = "int x=0,k=0; if(read()==0){ while(k<6) k=k+1; } while(x<4) x=x+1; if(read()==5) bug();";
    for horizon in [false, true] {
        let trap = Trap { bound: Some(10), horizon, ..Trap::new("", text) };
        trap.right(3, 1);
        trap.broken(&Broken::Pruning(Mutant::CutIsEnd));
    }
    let trap = Trap { bound: Some(10), horizon: true, ..Trap::new("", text) };
    trap.broken(&Broken::Pruning(Mutant::HorizonIgnored));
}

#[test]
fn t4_the_call_stack_belongs_to_the_point() {
    let trap =
        Trap::new("int f(int a){if(a>0) return 1; return 0;}", "if(read()==0){ f(read()); return 0; } f(read()); if(read()==5) bug();");
    trap.right(6, 2);
    trap.broken(&Broken::Front(Fault::SiteOnly));
}

#[test]
fn t5_equations_of_addresses() {
    let trap = Trap::new("", "int a[2]; int i=0; a[0]=0; a[1]=7; if(read()) i=1; if(a[i]>5) { if(read()==3) bug(); }");
    trap.right(3, 1);
    trap.broken(&Broken::Pruning(Mutant::OwnForgotten));
    let trap = Trap::new(
        "",
        "int a[2]; int i=0; int x; a[0]=0; a[1]=7; if(read()) i=1; if(read()) i=i+0; x=a[i]; if(x>5) { if(read()==3) bug(); }",
    );
    trap.right(6, 2);
    trap.broken(&Broken::Pruning(Mutant::EqualitiesForgotten));
}

#[test]
fn t6_what_is_read_may_be_anything() {
    let text = "int x,y=0; if(read()) y=1; if(y>5) bug(); x=read(); if(x==0){ if(y==1){ if(read()==3) bug(); } }";
    let trap = Trap { guards: Guards::Keep, ..Trap::new("", text) };
    trap.right(5, 1);
    let mut setting = trap.setting(false);
    setting.prune.as_mut().expect("pruned").mutant = Some(Mutant::SymbolAsValue);
    let lost = [0, 1, 3, 7].into_iter().any(|first| trap.search(&Setting { first, ..setting }).failures.is_empty());
    assert!(lost, "the trap does not catch this");
}

#[test]
fn t7_all_values_of_an_address() {
    let trap = Trap::new("", "int a[4]; a[2]=9; int i=read(); assume(i>=0); assume(i<4); if(a[i]>5) bug();");
    trap.right(6, 1);
    trap.broken(&Broken::Front(Fault::AddressConcretised));
    trap.broken(&Broken::Pruning(Mutant::RestIgnored));
}

#[test]
fn t8_branches_that_no_input_decides() {
    let trap = Trap::new("", "int s=0; if(read()) s=1; if(read()) s=s+0; if(s>0) { if(read()==3) bug(); }");
    trap.right(6, 2);
    trap.broken(&Broken::Front(Fault::ConcreteUntraced));
}

#[test]
fn t10_unknown_is_not_infeasible() {
    let trap = Trap::new("", "int x=read(); if(x*x==49) bug();");
    let ignorant = || Ignorant(Box::new(solver()));
    for (mutant, verified) in [(None, false), (Some(Mutant::UnknownIsInfeasible), true)] {
        let mut setting = trap.setting(true);
        setting.prune.as_mut().expect("pruned").mutant = mutant;
        let outcome = search_with(&trap.source, &setting, &mut ignorant(), &mut ignorant());
        assert_eq!((outcome.runs, outcome.verified()), (1, verified));
    }
}

#[test]
fn t11_a_failure_is_not_an_end() {
    let trap = Trap::new("", "int s=0; if(read()) s=1; if(read()==7) { if(read()==9) bug(); }");
    trap.right(6, 2);
    trap.broken(&Broken::Pruning(Mutant::FailureIsEnd));
}

#[test]
fn t12_results_of_foreign_code() {
    let text = "int s=1,t; if(read()) s=2; if(read()) s=s+0; t=ext(s); if(t==4){ if(read()==3) bug(); }";
    let trap = Trap::new("", text);
    trap.right(6, 2);
    trap.broken(&Broken::Front(Fault::ForeignConstant));
}

#[test]
fn a_concretised_value_keeps_nodes_from_being_full() {
    // The search cannot open the other values either; but it must not say that all is well.
    let trap = Trap::new("", "int s=read(),t; t=ext(s); if(t==4) bug();");
    let outcome = trap.search(&trap.setting(true));
    assert_eq!((outcome.runs, outcome.verified()), (1, false));
    let mut setting = trap.setting(true);
    setting.prune.as_mut().expect("pruned").mutant = Some(Mutant::PinIgnored);
    assert!(trap.search(&setting).verified());
}

#[test]
fn a_clause_that_the_state_does_not_imply_is_guarded() {
    let trap = Trap::new("", "int s=0,x=read(); if(read()) s=x; if(x<5){ if(s>20) bug(); } else { if(s==77) bug(); }");
    let naive = trap.search(&Setting::naive());
    trap.right(naive.runs, naive.failures.len());
}
