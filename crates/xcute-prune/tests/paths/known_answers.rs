//! Known answers: how many runs the search and greedy confirmation need, and which interpolants they find.

use xcute_prune::{Guards, Options, Pruner, Visits};

use crate::search::{Outcome, Setting, search};
use crate::syntax::{Source, parse};

/// Runs without pruning, with it, and with greedy confirmation (the search's and its own).
#[track_caller]
fn counts(source: &Source, naive: usize, pruned: usize, greedy: (usize, usize)) -> [Outcome; 3] {
    let all = [Setting::naive(), Setting::pruned(false), Setting::pruned(true)].map(|setting| search(source, &setting));
    let found = (all[0].runs, all[1].runs, all[2].counts());
    assert_eq!(found, (naive, pruned, greedy), "runs without pruning, with, with greedy confirmation");
    // Cells that are bytes need the same runs.
    let bytes = [Setting::pruned(false), Setting::pruned(true)].map(|setting| search(source, &Setting { bytes: true, ..setting }));
    assert_eq!((bytes[0].runs, bytes[1].counts()), (pruned, greedy), "with bytes for cells");
    assert_eq!(all[1].verified(), all[0].failures.is_empty());
    assert_eq!(all[2].verified(), all[0].failures.is_empty());
    all
}

fn main(text: &str) -> Source {
    parse("", text)
}

/// The interpolants of nodes that are full by their own arms.
pub fn interpolants(outcome: &Outcome) -> Vec<String> {
    let pruner = outcome.pruner.as_ref().expect("pruned");
    let own: Vec<_> = pruner.nodes().filter(|&id| !pruner.node(id).subsumed()).filter_map(|id| pruner.node(id).full()).cloned().collect();
    own.iter().map(|full| full.interpolant.as_ref().map_or("none".to_owned(), |psi| psi.human(&outcome.world.terms))).collect()
}

/// Family A: n conditions, one assertion.
pub fn family_a(n: usize, limit: usize) -> Source {
    main(&format!("int s=0; {} if(s>{limit}) bug();", "if(read()) s=s+1; ".repeat(n)))
}

#[test]
fn k1_the_paper_s_example() {
    let source = main("int s=0; if(read()) s=s+1; if(read()) s=s+2; if(s>3) bug();");
    let [_, pruned, greedy] = counts(&source, 4, 3, (1, 2));
    assert_eq!(interpolants(&pruned), ["s <= 0", "s <= 1", "s <= 3"]);
    let figures = greedy.pruner.as_ref().map(Pruner::counters).expect("pruned");
    assert_eq!((figures.full - figures.subsumed, figures.subsumed), (3, 2));
}

#[test]
fn k2_one_assertion_over_n_conditions() {
    counts(&family_a(8, 8), 256, 9, (1, 8));
}

#[test]
fn k2b_a_failure_among_n_conditions() {
    let source = family_a(8, 7);
    let [naive, pruned, greedy] =
        [Setting::naive(), Setting::pruned(false), Setting::pruned(true)].map(|setting| search(&source, &setting));
    assert_eq!((naive.runs, pruned.runs), (256, 16));
    assert!((9..=17).contains(&greedy.runs) && (8..=16).contains(&greedy.confirmations), "{:?}", greedy.counts());
    assert_eq!(naive.failures.len(), 1);
    assert!(naive.failures == pruned.failures && naive.failures == greedy.failures);
}

/// Family B: increments 1, 2, 4 …
pub fn family_b(n: usize) -> Source {
    let ifs: String = (0..n).map(|i| format!("if(read()) s=s+{}; ", 1 << i)).collect();
    main(&format!("int s=0; {ifs} if(s>{}) bug();", (1 << n) - 1))
}

/// Family C: all inputs are read first.
fn family_c(n: usize) -> Source {
    let reads: String = (0..n).map(|i| format!("a[{i}]=read(); ")).collect();
    let ifs: String = (0..n).map(|i| format!("if(a[{i}]>0) s=s+1; ")).collect();
    main(&format!("int a[{n}]; int s=0; {reads} {ifs} if(s>{n}) bug();"))
}

/// Family D: bounded inputs are added.
pub fn family_d(n: usize) -> Source {
    let body = "x=read(); assume(x>=0); assume(x<=10); if(x>5) s=s+x; ".repeat(n);
    main(&format!("int s=0; int x; {body} if(s>{}) bug();", 10 * n))
}

fn largest(outcome: &Outcome) -> usize {
    let pruner = outcome.pruner.as_ref().expect("pruned");
    let sizes = pruner.nodes().filter_map(|id| pruner.node(id).full()?.interpolant.as_ref()).map(|psi| psi.size(&outcome.world.terms));
    sizes.max().unwrap_or(0)
}

#[test]
fn k3_k4_formulas_stay_small() {
    for source in [family_b(8), family_c(8)] {
        let [_, pruned, greedy] = counts(&source, 256, 9, (1, 8));
        assert_eq!((largest(&pruned), largest(&greedy)), (3, 3));
    }
    // What happens without: the weakest precondition of every arm kept.
    let keep = Options { guards: Guards::Keep, cap: 100_000, ..Options::default() };
    let kept = search(&family_c(8), &Setting { prune: Some(keep), ..Setting::naive() });
    assert!(largest(&kept) > 30, "{}", largest(&kept));
    assert!(kept.verified());
}

#[test]
fn k5_symbolic_sums() {
    counts(&family_d(5), 94, 16, (1, 15));
}

#[test]
fn k6_dropping_and_keeping_guards() {
    let source = main("int q=read(),x=5; if(read()){x=50; assume(q==0);} if(read()) x=x+0; if(read()) x=x+0; if(q!=0){ if(x>10) bug(); }");
    counts(&source, 13, 8, (1, 7));
    let keep = Options { guards: Guards::Keep, greedy: false, ..Options::default() };
    let kept = search(&source, &Setting { prune: Some(keep), ..Setting::naive() });
    assert!((6..=8).contains(&kept.runs), "{}", kept.runs);
}

#[test]
fn k7_calls() {
    let source = parse("int g; int f(int a){if(a>0) g=g+1; return g;}", "f(read()); f(read()); f(read()); f(read()); if(g>4) bug();");
    counts(&source, 16, 5, (1, 4));
}

#[test]
fn k8_arrays_and_the_index_of_a_loop() {
    let ifs: String = (0..4).map(|i| format!("if(read()) a[{i}]=1; ")).collect();
    let source = main(&format!("int a[4]; {ifs} int i=0; while(i<4){{ if(a[i]>1) bug(); i=i+1; }}"));
    let [_, pruned, _] = counts(&source, 16, 5, (1, 4));
    let all = interpolants(&pruned);
    assert!(all.iter().any(|psi| psi.contains("i == 0")), "{all:?}");
    assert!(all.iter().all(|psi| !(psi.contains("i == ") && psi.contains("i <"))), "an equation absorbs bounds: {all:?}");
}

#[test]
fn k9_pointers() {
    let source = parse("int x, y;", "int *p=&x; if(read()) p=&y; if(read()) *p=1; if(read()) *p=*p+1; if(x+y>2) bug();");
    counts(&source, 8, 6, (1, 5));
}

#[test]
fn k10_symbolic_address() {
    let source = main("int a[4]; int i=read(); a[2]=9; assume(i>=0); assume(i<4); if(read()) a[1]=1; if(a[i]>9) bug();");
    let [naive, pruned, greedy] =
        [Setting::naive(), Setting::pruned(false), Setting::pruned(true)].map(|setting| search(&source, &setting));
    assert_eq!((naive.runs, pruned.runs), (10, 7));
    assert!((1..=3).contains(&greedy.runs) && (4..=8).contains(&greedy.confirmations), "{:?}", greedy.counts());
    assert!(pruned.verified() && greedy.verified());
}

#[test]
fn k11_a_bounded_loop() {
    counts(&main("int i=0,s=0; while(i<6){ if(read()) s=s+1; i=i+1; } if(s>6) bug();"), 64, 7, (1, 6));
}

#[test]
fn k12_recursion_with_its_sum_in_a_global() {
    let source = parse("int g; int f(int n){ if(n<=0) return 0; if(read()) g=g+1; f(n-1); return 0; }", "f(5); if(g>5) bug();");
    counts(&source, 32, 6, (1, 5));
}

#[test]
fn k13_two_call_sites_do_not_merge() {
    let source = parse("int f(int n){ if(n<=0) return 0; if(read()) return f(n-1)+1; return f(n-1); }", "if(f(5)>5) bug();");
    counts(&source, 32, 32, (1, 31));
}

#[test]
fn k14_horizon() {
    let source = main("int x=0,n=0; while(n<100){ n=n+1; if(read()){ if(x>2) x=0; x=x+1; } if(x>5) bug(); }");
    let search_with = |bound: usize, greedy: bool, change: fn(&mut Options)| {
        let mut setting = Setting::pruned(greedy).bounded(bound);
        change(setting.prune.as_mut().expect("pruned"));
        search(&source, &setting)
    };
    let naive = |bound| search(&source, &Setting::naive().bounded(bound)).runs;
    assert_eq!(naive(25), 156);
    assert_eq!(search_with(25, false, |options| options.horizon = false).runs, 156);
    assert_eq!(search_with(25, true, |options| options.horizon = false).counts(), (156, 0));
    let with = search_with(25, false, |_| {});
    assert!((23..=26).contains(&with.runs), "{}", with.runs);
    assert!(with.pruner.as_ref().is_some_and(|pruner| pruner.root().is_some()), "full as far as the bound");
    assert!(!with.verified(), "but not beyond");
    assert_eq!(search_with(25, true, |_| {}).counts(), (1, 22));
    let per_point = search_with(25, true, |options| options.visits = Visits::PerPoint);
    assert!(per_point.runs + per_point.confirmations > 30, "{:?}", per_point.counts());
}

#[test]
fn k14_growth_with_the_bound() {
    let source = main("int x=0,n=0; while(n<100){ n=n+1; if(read()){ if(x>2) x=0; x=x+1; } else x=x; if(x>5) bug(); }");
    let runs = |setting: Setting| [13, 19, 25, 31].map(|bound| search(&source, &setting.bounded(bound)).runs);
    assert_eq!(runs(Setting::naive()), [15, 48, 156, 521]);
    assert_eq!(runs(Setting::pruned(false)), [7, 15, 23, 31]);
}

#[test]
fn k15_visits_are_counted_per_occurrence() {
    let source = main("int i=0,s=0; if(read()){ while(i<3) i=i+1; } if(read()) s=1; if(s>1) bug();");
    counts(&source, 4, 3, (1, 2));
    let per_point = Options { visits: Visits::PerPoint, ..Options::default() };
    let outcome = search(&source, &Setting { prune: Some(per_point), ..Setting::naive() });
    assert_eq!(outcome.counts(), (2, 2));
    assert_eq!(outcome.pruner.as_ref().map(|pruner| pruner.counters().halted(xcute_prune::Half::Visited)), Some(1));
}

#[test]
fn k16_interpolants_over_symbolic_cells() {
    let assumes = "assume(0<=x); assume(x<=10); assume(0<=y); assume(y<=10);";
    let source = main(&format!("int x=read(),y=read(),s=0; {assumes} if(read()) s=x; if(read()) s=s+y; if(s>20) bug();"));
    counts(&source, 8, 7, (1, 6));
}

/// Parts of an int, as through a pointer to char.
#[test]
fn bytes_of_an_int() {
    let source =
        main("int s=0; if(read()) s=poke0(s,1); if(read()) s=poke1(s,1); if(read()) s=s+1; if(byte0(s)>2) bug(); if(s>258) bug();");
    counts(&source, 8, 4, (1, 3));
}

/// Family E: choices among three, one assertion.
#[test]
fn decisions_with_several_arms() {
    let body = "switch(read()) { { s=s+1; } { s=s+2; } { s=s+0; } } ".repeat(5);
    let source = main(&format!("int s=0; {body} if(s>10) bug();"));
    counts(&source, 243, 11, (1, 10));
}

#[test]
fn assumptions_as_such_need_no_runs() {
    let setting = Setting { assumes: true, ..Setting::pruned(true) };
    let outcome = search(&family_d(5), &setting);
    assert_eq!(outcome.counts(), (1, 5));
    assert!(outcome.verified());
}

#[test]
fn any_first_input() {
    for first in [1, 5, 0xffff_ffff, 0x8000_0000, 7] {
        for (source, pruned, greedy) in [(family_a(8, 8), 9, (1, 8)), (family_b(8), 9, (1, 8)), (family_c(6), 7, (1, 6))] {
            assert_eq!(search(&source, &Setting { first, ..Setting::pruned(false) }).runs, pruned);
            assert_eq!(search(&source, &Setting { first, ..Setting::pruned(true) }).counts(), greedy);
        }
    }
}
