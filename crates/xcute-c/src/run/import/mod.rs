//! From the runtime's nodes to terms.
//!
//! Only nodes that a condition needs are built, each once per run. Operands have smaller numbers than the node that uses them; a table
//! that says otherwise was scribbled over by the subject and gives `None`, never a panic.
//!
//! **Invariant.** A node of width 1 that a comparison made is a Boolean term; it becomes a bit-vector only where it is used as one.

mod floats;
mod table;

use xcute_term::{Op, Sort, TermId, Terms};

use crate::wire::{XcAux, XcNode, op};

/// What a run left in the shared block.
#[derive(Clone, Copy)]
pub struct Recorded<'a> {
    /// The nodes; number 0 is not used.
    pub nodes: &'a [XcNode],
    /// Elements of tables.
    pub aux: &'a [XcAux],
    /// The terms of the variables, by the runtime's numbers.
    pub vars: &'a [TermId],
    /// What loads are, in runs whose memory is followed.
    pub loads: Option<&'a dyn Loads>,
}

/// Says what loads are.
pub trait Loads {
    /// The term of a load, a bit-vector of this width; `None` where there is none.
    fn term(&self, terms: &mut Terms, handle: u32) -> Option<TermId>;
}

/// Builds terms, and remembers which nodes of the present run are built.
#[derive(Debug, Default)]
pub struct Importer {
    /// For each node the run it was built in, and its term.
    memo: Vec<(u32, Option<TermId>)>,
    run: u32,
    work: Vec<u32>,
}

impl Importer {
    /// An importer that has seen no run.
    #[must_use]
    pub fn new() -> Importer {
        Importer::default()
    }

    /// Forgets the nodes of the run before.
    pub fn begin(&mut self, nodes: usize) {
        self.run = self.run.wrapping_add(1);
        if self.memo.len() < nodes {
            self.memo.resize(nodes.next_power_of_two(), (self.run.wrapping_sub(1), None));
        }
    }

    /// The bit-vector term of a node; `None` where the record is damaged.
    pub fn bits(&mut self, terms: &mut Terms, recorded: &Recorded<'_>, handle: u32) -> Option<TermId> {
        let term = self.build(terms, recorded, handle)?;
        Some(as_bits(terms, term))
    }

    /// The Boolean term of a node of width 1; `None` where the record is damaged.
    pub fn condition(&mut self, terms: &mut Terms, recorded: &Recorded<'_>, handle: u32) -> Option<TermId> {
        let term = self.build(terms, recorded, handle)?;
        as_bool(terms, term)
    }

    fn build(&mut self, terms: &mut Terms, recorded: &Recorded<'_>, handle: u32) -> Option<TermId> {
        if handle == 0 || handle as usize >= recorded.nodes.len() {
            return None;
        }
        self.work.push(handle);
        while let Some(&at) = self.work.last() {
            if self.memo[at as usize].0 == self.run {
                self.work.pop();
                continue;
            }
            let node = &recorded.nodes[at as usize];
            let before = self.work.len();
            if !self.ask(node, at, recorded) {
                self.work.truncate(before);
                self.done(at, None);
            } else if self.work.len() == before {
                let term = match recorded.loads.filter(|_| node.op == op::LOAD) {
                    Some(loads) => loads.term(terms, at).filter(|&t| terms.sort(t) == Sort::BitVec(u32::from(node.width))),
                    None => self.make(terms, recorded, node),
                };
                self.done(at, term);
            }
        }
        self.memo[handle as usize].1
    }

    fn done(&mut self, at: u32, term: Option<TermId>) {
        self.memo[at as usize] = (self.run, term);
        self.work.pop();
    }

    /// Puts the operands that are not built yet on the list; false where one of them cannot be an operand.
    fn ask(&mut self, node: &XcNode, at: u32, recorded: &Recorded<'_>) -> bool {
        let operands = operands(node);
        let table = (node.op == op::TABLE).then(|| table::elements(node, recorded));
        let Some(elements) = table.unwrap_or(Some(&[])) else { return false };
        let handles = operands.into_iter().flatten().chain(elements.iter().map(|e| e.handle).filter(|&h| h != 0));
        for h in handles {
            if h == 0 || h >= at {
                return false;
            }
            if self.memo[h as usize].0 != self.run {
                self.work.push(h);
            }
        }
        true
    }

    fn get(&self, handle: u32) -> Option<TermId> {
        self.memo.get(handle as usize).filter(|(run, _)| *run == self.run).and_then(|(_, term)| *term)
    }

    fn make(&mut self, terms: &mut Terms, recorded: &Recorded<'_>, node: &XcNode) -> Option<TermId> {
        let width = u32::from(node.width);
        match node.op {
            _ if width == 0 => None,
            op::CONST | op::UNDEF => Some(terms.bv(width, node.k)),
            op::VAR => recorded.vars.get(node.a as usize).copied().filter(|&v| terms.sort(v) == Sort::BitVec(width)),
            op::TABLE => {
                let address = self.get(node.a)?;
                table::build(terms, recorded, node, address, |handle| self.get(handle))
            }
            op::ITE => {
                let cond = self.get(node.a)?;
                let (cond, a, b) = (as_bool(terms, cond)?, self.get(node.b)?, self.get(node.c)?);
                let (a, b) = if terms.sort(a) == terms.sort(b) { (a, b) } else { (as_bits(terms, a), as_bits(terms, b)) };
                (terms.sort(a) == terms.sort(b)).then(|| terms.mk(Op::Ite, &[cond, a, b]))
            }
            op::FADD..=op::UITOFP => {
                let operands = operands(node).map(|h| h.and_then(|h| self.get(h)).map(|t| as_bits(terms, t)));
                floats::make(terms, node, operands)
            }
            _ => self.integer(terms, node, width),
        }
    }

    fn integer(&self, terms: &mut Terms, node: &XcNode, width: u32) -> Option<TermId> {
        let a = self.get(node.a)?;
        // Conditions stay Boolean through `and`, `or`, `xor` and `not`, as clang writes them.
        if terms.sort(a) == Sort::Bool
            && width == 1
            && let Some(term) = self.boolean(terms, node, a)
        {
            return Some(term);
        }
        let a = as_bits(terms, a);
        match node.op {
            op::NOT => return Some(terms.mk(Op::BvNot, &[a])),
            op::NEG => return Some(terms.mk(Op::BvNeg, &[a])),
            op::ZEXT | op::SEXT => {
                if width < terms.width(a) {
                    return None;
                }
                let extend = if node.op == op::ZEXT { Op::ZeroExt(width) } else { Op::SignExt(width) };
                return Some(terms.mk(extend, &[a]));
            }
            op::EXTRACT => {
                let high = node.c.checked_add(width)?.checked_sub(1)?;
                return (high < terms.width(a)).then(|| terms.mk(Op::Extract(high, node.c), &[a]));
            }
            _ => {}
        }
        let b = self.get(node.b)?;
        let b = as_bits(terms, b);
        if node.op == op::CONCAT {
            return Some(terms.mk(Op::Concat, &[a, b]));
        }
        if terms.sort(a) != terms.sort(b) {
            return None;
        }
        comparison(terms, node.op, a, b).or_else(|| arithmetic(node.op).map(|o| terms.mk(o, &[a, b])))
    }

    fn boolean(&self, terms: &mut Terms, node: &XcNode, a: TermId) -> Option<TermId> {
        if node.op == op::NOT {
            return Some(terms.not(a));
        }
        let b = self.get(node.b)?;
        let b = as_bool(terms, b)?;
        match node.op {
            op::AND => Some(terms.mk(Op::And, &[a, b])),
            op::OR => Some(terms.mk(Op::Or, &[a, b])),
            op::XOR | op::NE => {
                let same = terms.mk(Op::Eq, &[a, b]);
                Some(terms.not(same))
            }
            op::EQ => Some(terms.mk(Op::Eq, &[a, b])),
            _ => None,
        }
    }
}

/// The operands that are handles.
fn operands(node: &XcNode) -> [Option<u32>; 3] {
    match node.op {
        op::CONST | op::VAR | op::UNDEF | op::LOAD => [None; 3],
        op::NOT | op::NEG | op::ZEXT | op::SEXT | op::EXTRACT | op::TABLE => [Some(node.a), None, None],
        op::FNEG | op::FABS | op::FSQRT | op::FFLOOR..=op::FROUND | op::FPCAST..=op::UITOFP => [Some(node.a), None, None],
        op::ITE | op::FMA => [Some(node.a), Some(node.b), Some(node.c)],
        _ => [Some(node.a), Some(node.b), None],
    }
}

fn comparison(terms: &mut Terms, code: u8, a: TermId, b: TermId) -> Option<TermId> {
    Some(match code {
        op::EQ => terms.mk(Op::Eq, &[a, b]),
        op::NE => {
            let same = terms.mk(Op::Eq, &[a, b]);
            terms.not(same)
        }
        op::ULT => terms.mk(Op::BvUlt, &[a, b]),
        op::ULE => terms.mk(Op::BvUle, &[a, b]),
        op::UGT => terms.mk(Op::BvUlt, &[b, a]),
        op::UGE => terms.mk(Op::BvUle, &[b, a]),
        op::SLT => terms.mk(Op::BvSlt, &[a, b]),
        op::SLE => terms.mk(Op::BvSle, &[a, b]),
        op::SGT => terms.mk(Op::BvSlt, &[b, a]),
        op::SGE => terms.mk(Op::BvSle, &[b, a]),
        _ => return None,
    })
}

fn arithmetic(code: u8) -> Option<Op> {
    Some(match code {
        op::ADD => Op::BvAdd,
        op::SUB => Op::BvSub,
        op::MUL => Op::BvMul,
        op::UDIV => Op::BvUdiv,
        op::SDIV => Op::BvSdiv,
        op::UREM => Op::BvUrem,
        op::SREM => Op::BvSrem,
        op::SHL => Op::BvShl,
        op::LSHR => Op::BvLshr,
        op::ASHR => Op::BvAshr,
        op::AND => Op::BvAnd,
        op::OR => Op::BvOr,
        op::XOR => Op::BvXor,
        _ => return None,
    })
}

/// A Boolean as a bit-vector of width 1; a bit-vector as it is.
fn as_bits(terms: &mut Terms, term: TermId) -> TermId {
    if terms.sort(term) != Sort::Bool {
        return term;
    }
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.mk(Op::Ite, &[term, one, zero])
}

/// A bit-vector of width 1 as a Boolean.
fn as_bool(terms: &mut Terms, term: TermId) -> Option<TermId> {
    match terms.sort(term) {
        Sort::Bool => Some(term),
        Sort::BitVec(1) => {
            let one = terms.bv(1, 1);
            Some(terms.mk(Op::Eq, &[term, one]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::eval::Evaluator;
    use xcute_term::{Model, VarId};

    fn node(op: u8, width: u16, a: u32, b: u32, c: u32, k: u64) -> XcNode {
        XcNode { op, flags: 0, width, a, b, c, k }
    }

    /// x (32 bits, value 7) is node 1; checks the last node's value by evaluation.
    fn check(nodes: &[XcNode], aux: &[XcAux]) {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(32));
        let mut all = vec![node(0, 0, 0, 0, 0, 0), node(op::VAR, 32, 0, 0, 0, 7)];
        all.extend_from_slice(nodes);
        let recorded = Recorded { nodes: &all, aux, vars: &[x], loads: None };
        let mut importer = Importer::new();
        importer.begin(all.len());
        let last = u32::try_from(all.len() - 1).unwrap();
        let term = importer.bits(&mut terms, &recorded, last).expect("a sound record");
        let mut model = Model::new();
        model.set_word(VarId(0), 7);
        let mut eval = Evaluator::new();
        eval.load(&model);
        assert_eq!(eval.eval_word(&terms, term), all[last as usize].k);
        assert_eq!(terms.vars(term), [VarId(0)], "the value depends on x");
    }

    #[test]
    fn arithmetic_and_comparisons_have_their_values() {
        check(&[node(op::CONST, 32, 0, 0, 0, 5), node(op::SUB, 32, 2, 1, 0, 0xffff_fffe)], &[]);
        check(&[node(op::CONST, 32, 0, 0, 0, 5), node(op::SGT, 1, 1, 2, 0, 1), node(op::ZEXT, 8, 3, 0, 0, 1)], &[]);
        check(&[node(op::EXTRACT, 8, 1, 0, 0, 7), node(op::SEXT, 64, 2, 0, 0, 7), node(op::CONCAT, 72, 2, 3, 0, 7)][..2], &[]);
        check(&[node(op::CONST, 32, 0, 0, 0, 7), node(op::EQ, 1, 1, 2, 0, 1), node(op::ITE, 32, 3, 1, 2, 7)][..2], &[]);
    }

    #[test]
    fn a_table_gives_the_element_at_the_address() {
        // Elements of four bytes at 0x1000: 10, x, 30; the address is 0x1000 + (x - 3), that is element 1.
        let entry = |handle, value| XcAux { handle, flags: 0, value };
        let aux = [entry(0, 0x1000), entry(0, 10), entry(1, 7), entry(0, 30)];
        let nodes = [
            node(op::ZEXT, 64, 1, 0, 0, 7),
            node(op::CONST, 64, 0, 0, 0, 0xffd),
            node(op::ADD, 64, 2, 3, 0, 0x1004),
            node(op::TABLE, 32, 4, 0, 3, 7),
        ];
        check(&nodes, &aux);
    }

    #[test]
    fn floats_are_computed_on_bit_patterns() {
        let half = 3.5f64.to_bits();
        let nodes = [
            node(op::SITOFP, 64, 1, 0, 0, 7f64.to_bits()),
            node(op::CONST, 64, 0, 0, 0, 2f64.to_bits()),
            node(op::FDIV, 64, 2, 3, 0, half),
        ];
        check(&nodes, &[]);
        let less = [nodes[0], nodes[1], node(op::FUGT, 1, 2, 3, 0, 1)];
        check(&less, &[]);
        check(&[nodes[0], node(op::FPTOSI, 8, 2, 0, 0, 7)], &[]);
    }

    #[test]
    fn damaged_records_give_nothing() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(32));
        let bad = [
            node(op::VAR, 16, 0, 0, 0, 0),
            node(op::VAR, 32, 9, 0, 0, 0),
            node(op::ADD, 32, 1, 2, 0, 0),
            node(op::ADD, 32, 7, 7, 0, 0),
            node(op::EXTRACT, 8, 1, 0, 30, 0),
            node(op::TABLE, 32, 1, 5, 99, 0),
            node(199, 32, 1, 1, 0, 0),
            node(op::ZEXT, 8, 1, 0, 0, 0),
        ];
        for b in bad {
            let nodes = [node(0, 0, 0, 0, 0, 0), node(op::VAR, 32, 0, 0, 0, 0), b];
            let recorded = Recorded { nodes: &nodes, aux: &[], vars: &[x], loads: None };
            let mut importer = Importer::new();
            importer.begin(nodes.len());
            assert_eq!(importer.bits(&mut terms, &recorded, 2), None, "{b:?}");
            assert_eq!(importer.condition(&mut terms, &recorded, 77), None);
        }
    }
}
