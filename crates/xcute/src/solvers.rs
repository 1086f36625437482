//! The solver of a campaign: the layers as asked for, on top of a search for floats, the bit-blaster, and Z3, asked in this order.

use xcute_solver::{Chain, ChainOptions, FloatSearch, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;

/// The switches of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Layers {
    pub opt1: bool,
    pub opt2: bool,
    pub opt3: bool,
    pub cache: bool,
    pub shortcut: bool,
}

/// Builds the chain.
pub fn chain(layers: Layers) -> Box<dyn Solver> {
    let options = ChainOptions {
        opt1: layers.opt1,
        opt2: layers.opt2,
        opt3: layers.opt3,
        cached: layers.cache,
        shortcut: layers.shortcut,
        orders: layers.shortcut,
        exhausted: layers.shortcut,
        ..ChainOptions::default()
    };
    let z3 = Z3::new();
    Box::new(Chain::build(options, vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new()), Box::new(z3)]))
}
