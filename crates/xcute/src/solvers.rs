//! The solver of a campaign: the layers as asked for, on top of a search for floats, the bit-blaster, and Z3, asked in this order.
//!
//! With `XCUTE_RECORD_SAT=DIR` what reaches the SAT solver is written to files there, one for each solver: `./x bench sat` reads them.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use tempfile::Builder;
use xcute_solver::{Chain, ChainOptions, Crossed, FloatSearch, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;

use crate::query_log::QueryLog;
use crate::talk;

/// The switches of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Layers {
    pub opt1: bool,
    pub opt2: bool,
    pub opt3: bool,
    pub cache: bool,
    pub shortcut: bool,
    pub pointers: bool,
    pub relaxed: bool,
    pub lazy: bool,
    /// Whether contradictions are compared with what Z3 says.
    pub crossed: bool,
}

#[cfg(test)]
impl Layers {
    /// As they are unless somebody says otherwise.
    pub const ON: Layers = Layers {
        opt1: true,
        opt2: true,
        opt3: true,
        cache: true,
        shortcut: true,
        pointers: true,
        relaxed: true,
        lazy: true,
        crossed: false,
    };
}

/// Builds the chain.
pub fn chain(layers: Layers) -> Box<dyn Solver> {
    logged(layers, None)
}

/// The same, with a file for the queries that come to the backends, if there is one.
pub fn logged(layers: Layers, log: Option<&QueryLog>) -> Box<dyn Solver> {
    let options = ChainOptions {
        opt1: layers.opt1,
        opt2: layers.opt2,
        opt3: layers.opt3,
        implied: layers.opt2,
        cached: layers.cache,
        shortcut: layers.shortcut,
        orders: layers.shortcut,
        exhausted: layers.shortcut,
        pointers: layers.pointers,
        relaxed: layers.relaxed,
        lazy: layers.lazy,
        ..ChainOptions::default()
    };
    let backends: Vec<Box<dyn Solver>> = vec![Box::new(FloatSearch::new()), Box::new(blaster()), Box::new(Z3::new())];
    let chain = Box::new(Chain::logged(options, backends, log.map(QueryLog::sink)));
    if layers.crossed { Box::new(Crossed::new(chain, Box::new(Z3::new()))) } else { chain }
}

/// The bit-blaster, recorded if that is wanted.
fn blaster() -> BitBlaster {
    let Some(dir) = std::env::var_os("XCUTE_RECORD_SAT") else { return BitBlaster::new() };
    match recording(Path::new(&dir)) {
        // What cannot be written is missing there, and harms nothing.
        Ok(mut file) => BitBlaster::new().recorded(Box::new(move |text| drop(file.write_all(text.as_bytes())))),
        Err(error) => {
            talk::say(&format!("nothing is recorded: cannot write to {}: {error}", Path::new(&dir).display()));
            BitBlaster::new()
        }
    }
}

fn recording(dir: &Path) -> std::io::Result<std::io::BufWriter<File>> {
    let (file, _) = Builder::new().suffix(".icnf").tempfile_in(dir)?.keep().map_err(|error| error.error)?;
    Ok(std::io::BufWriter::new(file))
}
