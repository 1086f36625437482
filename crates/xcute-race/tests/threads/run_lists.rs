//! The runs of the paper's figure 2 and of a program whose inputs and schedules depend on each other, one by one.
//!
//! A run is written as its tasks, with the arm after those that a branch on an input followed, and `!` for the error.

use xcute_race::AlgorithmName;

use crate::campaign::{Campaign, Order};
use crate::programs::{figure2, interaction};
use crate::world::Program;

fn runs(program: &Program, name: AlgorithmName) -> Vec<String> {
    Campaign::new(program, name.build()).explore(Order::Dfs).texts
}

#[test]
fn figure_2() {
    assert_eq!(runs(&figure2(false), AlgorithmName::Races), ["1 2 2", "2 2 1", "2 1 2F", "2 1 2T !"], "the paper's four runs");
    for name in [AlgorithmName::Sleep, AlgorithmName::Dpor] {
        assert_eq!(runs(&figure2(false), name), ["1 2 2", "2 1 2F", "2 1 2T !", "2 2 1"], "{}", name.as_str());
    }
}

#[test]
fn inputs_and_schedules() {
    let known = ["1F 2 2", "1T 1 2 2F", "1T 1 2 2T !", "1T 2 2 1", "2 1F 2", "2 1T 1 2F", "2 1T 1 2T !", "2 1T 2 1"];
    assert_eq!(runs(&interaction(), AlgorithmName::Dpor), known);
}
