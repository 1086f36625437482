//! Known answers of pruning, for programs in C.

use xcute_prune::{Options, Pruner};

use super::search::Search;

/// `read()` is an input.
pub const READ: &str = "#include <xcute.h>\n#include <assert.h>\nint read1(void) { int x; xcute_input(x); return x; }\n";

pub fn search(text: &str, greedy: Option<bool>) -> Search {
    let text = format!("{READ}{}", text.replace("read()", "read1()"));
    Search::of(&text, greedy.map(|greedy| Options { greedy, ..Options::default() })).all()
}

/// Runs without pruning, with it, and with greedy confirmation (the search's and its own).
#[track_caller]
pub fn counts(text: &str, naive: usize, pruned: usize, greedy: (usize, usize)) -> [Search; 3] {
    let all = [None, Some(false), Some(true)].map(|greedy| search(text, greedy));
    for search in &all {
        assert_eq!(search.found.lost, Vec::<String>::new());
    }
    let found = (all[0].found.runs, all[1].found.runs, (all[2].found.runs, all[2].found.confirmations));
    assert_eq!(found, (naive, pruned, greedy), "runs without pruning, with, with greedy confirmation");
    all
}

/// The interpolants of nodes that are full by their own arms.
pub fn interpolants(search: &Search) -> Vec<String> {
    let pruner = search.pruner.as_ref().expect("pruned");
    let own: Vec<_> = pruner.nodes().filter(|&id| !pruner.node(id).subsumed()).filter_map(|id| pruner.node(id).full()).cloned().collect();
    own.iter().map(|full| full.interpolant.as_ref().map_or("none".to_owned(), |psi| psi.human(&search.terms))).collect()
}

#[test]
fn k1_the_paper_s_example() {
    let text = "int s; void f(void) { if(read()) s=s+1; if(read()) s=s+2; assert(s<=3); }";
    let [_, pruned, greedy] = counts(text, 4, 3, (1, 2));
    assert_eq!(interpolants(&pruned), ["s@ <= 0", "s@ <= 1", "s@ <= 3"]);
    let figures = greedy.pruner.as_ref().map(Pruner::counters).expect("pruned");
    assert_eq!((figures.full - figures.subsumed, figures.subsumed), (3, 2));
    assert!(greedy.pruner.as_ref().is_some_and(Pruner::verified));
    // The same of a local variable, which has one place however often it is assigned to.
    let [_, pruned, _] = counts("void f(void) { int s=0; if(read()) s=s+1; if(read()) s=s+2; assert(s<=3); }", 4, 3, (1, 2));
    assert_eq!(interpolants(&pruned), ["s@f <= 0", "s@f <= 1", "s@f <= 3"]);
}

#[test]
fn k2_one_assertion_over_n_conditions() {
    let text = format!("void f(void) {{ int s=0; {} assert(s<=8); }}", "if(read()) s=s+1; ".repeat(8));
    counts(&text, 256, 9, (1, 8));
}

#[test]
fn k5_sums_of_inputs() {
    // Inputs that an assumption rejects are not paths here.
    let turn = "{ int x=read(); xcute_assume(x>=0); xcute_assume(x<=10); if(x>5) s=s+x; }";
    counts(&format!("void f(void) {{ int s=0; {} assert(s<=50); }}", turn.repeat(5)), 32, 6, (1, 5));
}

#[test]
fn k7_calls_and_globals() {
    counts(
        "int g; int h(int a) { if(a>0) g=g+1; return g; } void f(void) { h(read()); h(read()); h(read()); h(read()); assert(g<=4); }",
        16,
        5,
        (1, 4),
    );
}

#[test]
fn k8_arrays() {
    let text = "void f(void) { int a[4]={0,0,0,0}; if(read()) a[0]=1; if(read()) a[1]=1; if(read()) a[2]=1; if(read()) a[3]=1; int i=0; while(i<4) { assert(a[i]<=1); i=i+1; } }";
    counts(text, 16, 5, (1, 4));
}

#[test]
fn k9_pointers() {
    let text = "int x,y; void f(void) { int *p=&x; if(read()) p=&y; if(read()) *p=1; if(read()) *p=*p+1; assert(x+y<=2); }";
    counts(text, 8, 6, (1, 5));
}

#[test]
fn k11_loops() {
    counts("void f(void) { int i=0,s=0; while(i<6) { if(read()) s=s+1; i=i+1; } assert(s<=6); }", 64, 7, (1, 6));
}

#[test]
fn k12_recursion_with_a_global() {
    let text = "int g; int h(int n) { if(n<=0) return 0; if(read()) g=g+1; h(n-1); return 0; } void f(void) { h(5); assert(g<=5); }";
    counts(text, 32, 6, (1, 5));
}

#[test]
fn k13_recursion_with_results() {
    let text = "int h(int n) { if(n<=0) return 0; if(read()) return h(n-1)+1; return h(n-1); } void f(void) { assert(h(5)<=5); }";
    counts(text, 32, 32, (1, 31));
}

#[test]
fn k15_loops_on_one_side() {
    counts("void f(void) { int i=0,s=0; if(read()) { while(i<3) i=i+1; } if(read()) s=1; assert(s<=1); }", 4, 3, (1, 2));
}

/// Programs in which something careless loses a failure: with pruning the same number of failures is found, and at least one.
#[track_caller]
pub fn failures(text: &str, naive: (usize, usize)) {
    for greedy in [None, Some(false), Some(true)] {
        let search = search(text, greedy);
        assert_eq!(search.found.lost, Vec::<String>::new());
        match greedy {
            None => assert_eq!((search.found.runs, search.found.failures), naive),
            Some(_) => assert_eq!(search.found.failures, naive.1, "greedy: {greedy:?}"),
        }
        assert!(search.pruner.is_none_or(|pruner| !pruner.verified()));
    }
}

#[test]
fn t1_half_nodes_subsume_nothing() {
    failures("void f(void) { int s=0; if(read()) s=1; if(read()) { assert(!(s>0)); } }", (4, 1));
}

#[test]
fn t4_the_call_stack_belongs_to_a_point() {
    let text =
        "int h(int a) { if(a>0) return 1; return 0; } void f(void) { if(read()==0) { h(read()); return; } h(read()); assert(read()!=5); }";
    failures(text, (6, 2));
}

#[test]
fn t5_addresses_are_equalities() {
    let text = "void f(void) { int a[2]; int i=0; a[0]=0; a[1]=7; if(read()) i=1; if(a[i]>5) { assert(read()!=3); } }";
    failures(text, (3, 1));
}

#[test]
fn t6_what_is_read_may_be_anything() {
    let text = "void f(void) { int x,y=0; if(read()) y=1; assert(y<=5); x=read(); if(x==0) { if(y==1) { assert(read()!=3); } } }";
    failures(text, (5, 1));
}

#[test]
fn t7_all_values_of_an_index() {
    let text = "void f(void) { int a[4]={0,0,9,0}; int i=read(); xcute_assume(i>=0); xcute_assume(i<4); assert(a[i]<=5); }";
    failures(text, (2, 1));
}

#[test]
fn t8_branches_that_no_input_decides() {
    failures("void f(void) { int s=0; if(read()) s=1; if(read()) s=s+0; if(s>0) { assert(read()!=3); } }", (6, 2));
}

#[test]
fn t11_arms_that_fail_are_never_full() {
    failures("void f(void) { int s=0; if(read()) s=1; if(read()==7) { assert(read()!=9); } }", (6, 2));
}

#[test]
fn memory_errors_are_kept_from_being_pruned() {
    // Only on one path is the pointer dangling, NULL, or out of bounds.
    let head = "#include <stdlib.h>\nint sink;";
    let freed =
        "void f(void) { int *p=malloc(4); *p=1; if(read()) { free(p); if(read()) sink=1; sink=*p; } else { if(read()) sink=2; sink=*p; } }";
    let text = format!("{head} {freed}");
    failures(&text, (4, 2));
    failures(
        &format!(
            "{head} void f(void) {{ int *p=malloc(4); *p=1; int k=0; if(read()) {{ free(p); k=1; }} if(read()) sink=1; sink=*p; if(!k) free(p); }}"
        ),
        (4, 2),
    );
    failures(&format!("{head} void f(void) {{ int a[3]={{1,2,3}}, *p=a; if(read()) p=0; if(read()) sink=1; sink=*p; }}"), (4, 2));
    failures(&format!("{head} void f(void) {{ int a[3]={{1,2,3}}, i=0; if(read()) i=3; if(read()) sink=1; sink=a[i]; }}"), (4, 2));
    failures(&format!("{head} void f(void) {{ int d=1; if(read()) d=0; if(read()) sink=1; sink=5/d; }}"), (4, 2));
}

#[test]
fn uninitialised_values_are_kept_from_being_pruned() {
    let text = "int sink; void f(void) { int a[2], *p=a; p[read()&1]=1; if(read()) a[0]=1; if(read()) sink=1; if(a[0]) sink=2; }";
    let [naive, pruned, greedy] = [None, Some(false), Some(true)].map(|greedy| search(text, greedy));
    assert!(naive.found.failures > 0);
    assert_eq!((pruned.found.failures, greedy.found.failures), (naive.found.failures, naive.found.failures));
    for search in [&naive, &pruned, &greedy] {
        assert!(search.found.lost.iter().all(|why| why.contains("initialised")), "{:?}", search.found.lost);
    }
}

#[test]
fn what_a_table_gives_is_so_within_its_object() {
    // Whoever comes with a constant address comes without a check whether it is within the other object.
    let text = "int one=2, r[2], sink; void f(void) { int i=read(); xcute_assume(i>=0); xcute_assume(i<2); int *q=&r[i]; if(read()) q=&one; if(read()) sink=1; assert(*q<=0); }";
    failures(text, (4, 2));
}

#[test]
fn what_was_read_before_it_could_be_blank() {
    // The variable is not blank in any run before the first condition is turned round.
    let text =
        "#include <stdlib.h>\nint g, sink; void f(void) { int *b=malloc(4); if(read()) g=*b; if(read()) sink=1; if(g) sink=2; free(b); }";
    failures(text, (4, 2));
}

#[test]
fn text_that_is_written() {
    // Another text may be none at all.
    let text = "#include <stdio.h>\nint sink; void f(void) { const char *p=\"x\"; if(read()) p=0; if(read()) sink=1; fputs(p, stderr); }";
    for search in [None, Some(false), Some(true)].map(|greedy| search(text, greedy)) {
        assert_eq!(search.found.lost, ["the C library is not instrumented"]);
        assert_eq!(search.found.failures, 2);
    }
    let text =
        "#include <stdio.h>\nvoid f(void) { int s=0; if(read()) s=s+1; if(read()) s=s+2; fprintf(stderr, \"%d\\n\", s); assert(s<=3); }";
    counts(text, 4, 3, (1, 2));
}

#[test]
fn inputs_that_are_pointers_have_shapes() {
    let aliases = "int sink; void f(int *p, int *q) { int s=0; if(read()) s=1; if(read()) sink=1; if(p && q) { *p=1; *q=2; if(p==q) assert(s==0); } }";
    let fields = "struct n { int v; }; int sink; void f(struct n *p) { if(read()) { xcute_assume(p != 0); xcute_assume(p->v<=3); } if(read()) sink=1; if(p) assert(p->v<=3); }";
    for text in [aliases, fields] {
        let all = [None, Some(false), Some(true)].map(|greedy| search(text, greedy));
        for search in &all {
            assert_eq!(search.found.lost, Vec::<String>::new());
            assert!(search.found.failures > 0 && search.found.runs <= all[0].found.runs);
            assert!(search.pruner.as_ref().is_none_or(|pruner| !pruner.verified()));
        }
    }
}

#[test]
fn whatever_the_shape_nothing_fails() {
    // The second one may point to the first's object, which no decision of the trace says.
    let shared = "int sink; void f(int *p, int *q) { int s=0; if(read()) s=1; if(read()) sink=1; if(p && q) { *p=1; *q=2; sink=*p; assert(s<=1); } }";
    let list = "struct n { int v; struct n *next; }; int sink; void f(struct n *l) { int s=0; if(read()) sink=1; for(int i=0; l && i<2; i++, l=l->next) if(l->v>3) s++; assert(s<=2); }";
    let call = "int g; int one(int x) { return x>0; } int two(int x) { return x>1; } void f(int (*h)(int)) { int s=0; if(read()) g=1; if(read()) s=1; if(h) s+=h(read()); assert(s<=2); }";
    for text in [shared, list, call] {
        let [naive, pruned, greedy] = [None, Some(false), Some(true)].map(|greedy| search(text, greedy));
        for search in [&pruned, &greedy] {
            assert_eq!((&search.found.lost, search.found.failures), (&Vec::new(), 0), "{text}");
            assert!(search.found.runs < naive.found.runs, "{text}: {} of {}", search.found.runs, naive.found.runs);
            assert!(search.pruner.as_ref().is_some_and(xcute_prune::Pruner::verified), "{text}");
        }
    }
}

#[test]
fn divisions_that_an_input_decides_are_decisions_of_the_trace() {
    let text = "int sink; void f(int y, int z) { int d=y+y; int q=d/19; if(read()) sink=1; sink=z/q; int m=z/-7; assert(m!=3); }";
    let [naive, pruned, greedy] = [None, Some(false), Some(true)].map(|greedy| search(text, greedy));
    assert!(naive.found.failures >= 2);
    assert_eq!((pruned.found.failures, greedy.found.failures), (naive.found.failures, naive.found.failures));
}
