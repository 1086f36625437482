//! The cap on sizes: interpolants are strengthened, and still subsume.

use xcute_prune::{Half, Options};

use crate::known_answers::{family_b, interpolants};
use crate::search::{Setting, search};
use crate::syntax::parse;

fn capped(cap: usize) -> Setting {
    let options = Options { greedy: false, no_wrap: false, cap, ..Options::default() };
    Setting { prune: Some(options), ..Setting::naive() }
}

#[test]
fn values_are_widened_to_bounds() {
    // Without the rule against wrapping around, formulas of this family double with every branch.
    let source = family_b(10);
    let outcome = search(&source, &capped(100));
    assert!(outcome.runs <= 15, "{} runs of 1024", outcome.runs);
    assert!(outcome.verified());
    let figures = outcome.pruner.as_ref().expect("pruned").counters().clone();
    assert!(figures.capped > 0 && figures.dropped == 0, "{figures:?}");
}

#[test]
fn the_paper_s_generalisation_of_a_value() {
    // From x = 4 the bound x <= 8: MathSAT gives x <= 4.
    let source = parse("", "int x=1; x=x+3; if(read()) x=x+0; x=x+2; if(x>10) bug();");
    let plain = search(&source, &Setting::pruned(false));
    assert!(interpolants(&plain).contains(&"x <= 8".to_owned()), "{:?}", interpolants(&plain));
    let small = search(&source, &capped(3));
    assert!(interpolants(&small).contains(&"x <= 8".to_owned()), "{:?}", interpolants(&small));
}

#[test]
fn a_full_tree_prunes_no_more_but_forgets_nothing() {
    let source = family_b(6);
    let naive = search(&source, &Setting::naive());
    for nodes in [0, 7, 9, 12] {
        let options = Options { greedy: false, nodes, ..Options::default() };
        let outcome = search(&source, &Setting { prune: Some(options), ..Setting::naive() });
        let pruner = outcome.pruner.as_ref().expect("pruned");
        assert!(pruner.nodes().count() <= nodes);
        assert!(pruner.counters().halted(Half::Room) > 0 && !outcome.verified());
        assert!(outcome.runs <= naive.runs, "{} runs with {nodes} nodes", outcome.runs);
    }
}

#[test]
fn without_room_nothing_is_subsumed_but_all_is_finished() {
    let outcome = search(&family_b(4), &capped(0));
    assert_eq!(outcome.runs, 16);
    assert!(outcome.verified());
}
