//! Known answers of pruning, for programs in C: families, guards, symbolic addresses and symbolic cells; and code whose results are not known.
//!
//! `stop_unless` is an assumption whose other arm ends the path and counts as one.

use xcute_prune::{Guards, Options};
use xcute_solver::conformance::Ignorant;

use super::known_answers::{READ, counts, interpolants, search};
use super::search::Search;

const STOP: &str = "#define stop_unless(c) if(!(c)) return\n";

/// The largest interpolant, in different terms.
fn largest(search: &Search) -> usize {
    let pruner = search.pruner.as_ref().expect("pruned");
    let sizes = pruner.nodes().filter_map(|id| pruner.node(id).full()?.interpolant.as_ref()).map(|psi| psi.size(&search.terms));
    sizes.max().unwrap_or(0)
}

#[test]
fn k3_growing_increments() {
    let ifs: String = (0..8).map(|i| format!("if(read()) s=s+{}; ", 1 << i)).collect();
    let [_, pruned, greedy] = counts(&format!("void f(void) {{ int s=0; {ifs} assert(s<=255); }}"), 256, 9, (1, 8));
    assert_eq!((largest(&pruned), largest(&greedy)), (3, 3));
}

#[test]
fn k4_all_inputs_are_read_first() {
    // The array is global: of a local one it would also be said that it is initialised.
    let reads: String = (0..8).map(|i| format!("a[{i}]=read(); ")).collect();
    let ifs: String = (0..8).map(|i| format!("if(a[{i}]>0) s=s+1; ")).collect();
    let text = format!("int a[8]; void f(void) {{ int s=0; {reads} {ifs} assert(s<=8); }}");
    let [_, pruned, greedy] = counts(&text, 256, 9, (1, 8));
    assert_eq!((largest(&pruned), largest(&greedy)), (3, 3));
}

#[test]
fn k6_guards() {
    let body = "if(read()) x=x+0; if(read()) x=x+0; if(q!=0) { assert(x<=10); }";
    let text = format!("{STOP}void f(void) {{ int q=read(),x=5; if(read()) {{ x=50; stop_unless(q==0); }} {body} }}");
    counts(&text, 13, 8, (1, 7));
    let keep = Options { guards: Guards::Keep, greedy: false, ..Options::default() };
    let kept = Search::of(&format!("{READ}{}", text.replace("read()", "read1()")), Some(keep)).all();
    assert!((6..=8).contains(&kept.found.runs), "{}", kept.found.runs);
}

#[test]
fn k10_symbolic_address() {
    // The notes have one path for each of the four elements that the index may name: 2 * 4, and 2 with the index outside. Here an element that an input
    // names is one value, so the four are one path: 2 * 1 + 2.
    let text = format!(
        "{STOP}void f(void) {{ int a[4]={{0,0,0,0}}; int i=read(); a[2]=9; stop_unless(i>=0); stop_unless(i<4); if(read()) a[1]=1; assert(a[i]<=9); }}"
    );
    let [_, pruned, greedy] = counts(&text, 4, 4, (1, 3));
    for search in [pruned, greedy] {
        assert!(search.pruner.is_some_and(|pruner| pruner.verified()));
    }
}

#[test]
fn k16_symbolic_cells() {
    let assumes = "stop_unless(0<=x); stop_unless(x<=10); stop_unless(0<=y); stop_unless(y<=10);";
    let text = format!("{STOP}void f(void) {{ int x=read(),y=read(),s=0; {assumes} if(read()) s=x; if(read()) s=s+y; assert(s<=20); }}");
    let [_, pruned, _] = counts(&text, 8, 7, (1, 6));
    let all = interpolants(&pruned);
    assert!(all.iter().any(|psi| psi.contains("x@f") && psi.contains("y@f")), "{all:?}");
}

#[test]
fn t10_unknown_is_not_infeasible() {
    let text = format!("{READ}void f(void) {{ int x=read1(); if(x*x==49) assert(0); }}");
    for greedy in [false, true] {
        let mut search = Search::of(&text, Some(Options { greedy, ..Options::default() }));
        let known = std::mem::replace(&mut search.solver, Box::new(Ignorant(Box::new(xcute_solver_bits::BitBlaster::new()))));
        let search = search.all();
        assert_eq!((search.found.runs, search.found.failures), (1, 0));
        assert!(search.pruner.is_some_and(|pruner| !pruner.verified()), "nothing was proved");
        let mut search = Search::of(&text, Some(Options { greedy, ..Options::default() }));
        search.solver = known;
        assert!(search.all().found.failures > 0, "one that knows finds it");
    }
}

#[test]
fn t12_results_of_foreign_code() {
    // Of the C library, and no model stands for it: for a small number it gives the number.
    let foreign = "extern unsigned long gnu_dev_makedev(unsigned, unsigned);";
    let text = format!(
        "{foreign} void f(void) {{ int s=1,t; if(read()) s=2; if(read()) s=s+0; t=gnu_dev_makedev(0,s); if(t==2) {{ assert(read()!=3); }} }}"
    );
    for (greedy, runs) in [(None, Some(6)), (Some(false), None), (Some(true), None)] {
        let search = search(&text, greedy);
        assert_eq!(search.found.lost, ["gnu_dev_makedev is not instrumented"]);
        assert_eq!(search.found.failures, 2, "greedy: {greedy:?}");
        assert!(runs.is_none_or(|runs| search.found.runs == runs), "{}", search.found.runs);
        assert!(search.pruner.is_none_or(|pruner| !pruner.verified()));
    }
}
