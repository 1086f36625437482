//! A subject without engine: runs a program on chosen values and looks at what it recorded.

use xcute_term::eval::Evaluator;
use xcute_term::{Op, Sort, TermId, Terms};

use crate::build::compile::tests::build;
use crate::instrument::compiled::Compiled;
use crate::run::import::{Importer, Recorded};
use crate::run::process::{Inherited, Options, Tables, Worker};
use crate::types::inputs::{XC_PTR_NONNULL, XC_SIGNED, XC_TY_FLOAT, XC_TY_INT, XC_TY_POINTER, XcType};
use crate::wire::{XcVar, event, outcome};

/// A decision of a run: its site, the condition, the arm taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) kind: u16,
    pub(super) site: u32,
    pub(super) condition: TermId,
    pub(super) taken: u32,
}

pub(super) struct Probe {
    pub(super) compiled: Compiled,
    pub(super) terms: Terms,
    worker: Worker,
    vars: Vec<TermId>,
    wire: Vec<XcVar>,
    run: u32,
    _dir: tempfile::TempDir,
}

/// What an input is: `i1`…`i8` and `u1`…`u8` by bytes, `f4`, `f8`, and `p` before them for a pointer to one, `n` for one that is not NULL.
fn types_of(inputs: &[&str]) -> (Vec<XcType>, Vec<u32>) {
    let mut types = Vec::new();
    let mut roots = Vec::new();
    for input in inputs {
        let (pointers, scalar) = input.split_at(input.len() - 2);
        let size = u64::from(scalar.as_bytes()[1] - b'0');
        let kind = if scalar.starts_with('f') { XC_TY_FLOAT } else { XC_TY_INT };
        let flags = if scalar.starts_with('i') { XC_SIGNED } else { 0 };
        types.push(XcType { kind, flags, size, ..XcType::default() });
        for pointer in pointers.chars().rev() {
            let elem = u32::try_from(types.len() - 1).unwrap();
            let flags = if pointer == 'n' { XC_PTR_NONNULL } else { 0 };
            types.push(XcType { kind: XC_TY_POINTER, flags, size: 8, elem, count: 1, ..XcType::default() });
        }
        roots.push(u32::try_from(types.len() - 1).unwrap());
    }
    (types, roots)
}

impl Probe {
    /// Builds a program; `inputs` are the types of its `xcute_input` calls in order.
    pub(super) fn new(source: &str, inputs: &[&str]) -> Probe {
        let (compiled, dir) = build(source);
        let (mut types, mut roots) = types_of(inputs);
        merge_equal(&mut types, &mut roots);
        assert_eq!(roots.len(), compiled.input_keys.len());
        let tables = Tables { types: &types, fields: &[], inputs: &roots, coverage: compiled.coverage.len(), threads: false };
        let worker = Worker::new(&compiled.exe, &tables, Options { output: true, ..Options::default() }).unwrap();
        Probe { compiled, terms: Terms::new(), worker, vars: Vec::new(), wire: Vec::new(), run: 0, _dir: dir }
    }

    /// Runs with these values of the variables so far; those that are missing are 0. Returns the outcome.
    pub(super) fn run(&mut self, values: &[u64]) -> u32 {
        self.worker.ready(&Inherited { variables: &self.wire, ..Inherited::default() }).unwrap();
        self.run += 1;
        for (n, &value) in (0..).zip(values) {
            self.worker.block.set_value(n, self.run, value);
        }
        let ended = self.worker.run(self.run);
        assert_eq!(ended, crate::run::process::Ended::Answered);
        for n in self.vars.len()..self.worker.block.variables() as usize {
            let var = self.worker.block.variable(u32::try_from(n).unwrap()).unwrap();
            self.vars.push(self.terms.var(&format!("v{n}"), Sort::BitVec(u32::from(var.bits))));
            self.wire.push(var);
        }
        self.worker.block.outcome()
    }

    /// Runs and expects the program to return.
    pub(super) fn passes(&mut self, values: &[u64]) {
        let outcome = self.run(values);
        assert_eq!(outcome, outcome::RETURNED, "{values:x?}");
    }

    pub(super) fn variables(&self) -> &[XcVar] {
        &self.wire
    }

    /// The values that the inputs had in the last run.
    pub(super) fn evaluator(&mut self) -> Evaluator {
        let mut evaluator = Evaluator::new();
        for e in self.worker.block.events().iter().filter(|e| e.kind == event::INPUT) {
            let Op::Var(id) = self.terms.op(self.vars[e.handle as usize]) else { panic!("a variable's term") };
            evaluator.set_word(id, e.value);
        }
        evaluator
    }

    /// Checks that each node has the value that its operands say, and returns the decisions.
    pub(super) fn decisions(&mut self) -> Vec<Taken> {
        let mut evaluator = self.evaluator();
        let Probe { terms, worker, vars, .. } = self;
        let recorded = Recorded { nodes: worker.block.nodes(), aux: worker.block.aux(), vars, loads: None };
        let mut importer = Importer::new();
        importer.begin(recorded.nodes.len());
        // The bits of a NaN are the machine's own affair; what is computed from them cannot be compared.
        let mut nan = false;
        for (n, node) in (0..).zip(recorded.nodes).skip(1) {
            let term = importer.bits(terms, &recorded, n).unwrap_or_else(|| panic!("node {n} has no meaning: {node:?}"));
            if node.width <= 64 {
                let value = evaluator.eval_word(terms, term);
                let (op, width) = (node.op, node.width);
                nan |= value != node.k && is_nan_pair(value, node.k, width);
                assert!(value == node.k || nan, "node {n}, operator {op} of width {width}: {value:x} is not {:x}", node.k);
            }
        }
        let decisions = worker.block.events().iter().filter(|e| matches!(e.kind, event::BRANCH | event::CHECK | event::ASSUME));
        decisions
            .map(|e| {
                // Without a handle the runtime has said it before in this run.
                let said = terms.bool(e.taken != 0);
                let condition = if e.handle == 0 { said } else { importer.condition(terms, &recorded, e.handle).expect("a condition") };
                assert_eq!(evaluator.eval_bool(terms, condition), e.taken != 0, "a condition at site {}", e.site);
                Taken { kind: e.kind, site: e.site, condition, taken: e.taken }
            })
            .collect()
    }

    /// How many events of a kind the last run had.
    pub(super) fn count(&self, kind: u16) -> usize {
        self.worker.block.events().iter().filter(|e| e.kind == kind).count()
    }

    /// The tables' indices that events of a kind named.
    pub(super) fn named(&self, kind: u16) -> Vec<u32> {
        self.worker.block.events().iter().filter(|e| e.kind == kind).map(|e| e.site).collect()
    }
}

fn is_nan_pair(a: u64, b: u64, width: u16) -> bool {
    match width {
        32 => f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan(),
        64 => f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan(),
        _ => false,
    }
}

/// Equal types get equal indices, as the engine's tables have it: aliases depend on it.
fn merge_equal(types: &mut [XcType], roots: &mut [u32]) {
    for i in 0..types.len() {
        if types[i].kind == XC_TY_POINTER {
            let elem = types[i].elem as usize;
            types[i].elem = u32::try_from(types.iter().position(|t| *t == types[elem]).unwrap()).unwrap();
        }
    }
    for root in roots {
        *root = u32::try_from(types.iter().position(|t| *t == types[*root as usize]).unwrap()).unwrap();
    }
}
