//! The variables of a subject: their shared numbers on one side, those of its arena on the other.

use xcute_classfile::Kind;
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

use super::variable::{Key, Registry, Variable, Variables, own};

/// The variables that a subject knows.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) shared: Variables,
    /// By number: the term.
    pub(crate) terms: Vec<TermId>,
    ids: Vec<VarId>,
    /// By the arena's numbers: the shared number plus one.
    numbers: Vec<u32>,
    /// By number, what a run needs to know: kind, and the value without one.
    defaults: Vec<u64>,
    kinds: Vec<Kind>,
    /// Elements at most.
    longest: u32,
}

impl Known {
    pub(crate) fn new(shared: Variables, longest: u32) -> Known {
        let (terms, ids, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Known { shared, terms, ids, numbers, defaults: Vec::new(), kinds: Vec::new(), longest }
    }

    /// The arena's variable.
    pub(crate) fn id(&self, number: u32) -> Option<VarId> {
        self.ids.get(number as usize).copied()
    }

    /// The shared number of a variable of the arena.
    pub(crate) fn number(&self, var: VarId) -> Option<u32> {
        self.numbers.get(var.index()).and_then(|number| number.checked_sub(1))
    }

    /// How long arrays and strings of the input are at most.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    pub(crate) fn kind(&self, number: u32) -> Kind {
        self.kinds[number as usize]
    }

    /// The value of a variable in a model.
    pub(crate) fn value(&self, model: &Model, number: u32) -> u64 {
        let assigned = self.id(number).and_then(|id| model.word(id));
        assigned.unwrap_or_else(|| self.defaults.get(number as usize).copied().unwrap_or(0))
    }

    /// Declares all variables that any subject has met.
    pub(crate) fn catch_up(&mut self, terms: &mut Terms) {
        let shared = self.shared.clone();
        let registry = shared.lock();
        self.adopt(terms, &registry);
    }

    fn adopt(&mut self, terms: &mut Terms, registry: &Registry) {
        for number in self.terms.len()..registry.all().len() {
            let variable = &registry.all()[number];
            let number = u32::try_from(number).expect("fewer than 2^22 variables");
            let term = terms.var(&variable.name, Sort::BitVec(variable.bits()));
            let Op::Var(id) = terms.op(term) else { unreachable!("a variable's term is one") };
            if matches!(variable.key, Key::Length(_)) {
                terms.set_domain(id, (0..=u64::from(self.longest)).collect());
            }
            if self.numbers.len() <= id.index() {
                self.numbers.resize(id.index() + 1, 0);
            }
            self.numbers[id.index()] = number + 1;
            self.terms.push(term);
            self.ids.push(id);
            self.kinds.push(variable.kind);
            let own = variable.nonnull && !variable.candidates.all.is_empty();
            self.defaults.push(if own { u64::from(own_first(number)) } else { 0 });
        }
    }

    /// The number of the variable with a key; `make` describes it where it is new to all subjects.
    pub(crate) fn find(&mut self, terms: &mut Terms, key: &Key, make: impl FnOnce(&mut Registry) -> Variable) -> u32 {
        let shared = self.shared.clone();
        let mut registry = shared.lock();
        let number = match registry.find(key) {
            Some(number) => number,
            None => {
                let variable = make(&mut registry);
                registry.add(variable)
            }
        };
        self.adopt(terms, &registry);
        number
    }
}

fn own_first(number: u32) -> u32 {
    own(number, 0)
}
