//! Evaluation: the value of a term under a model.
//!
//! Search lives on it: every model is checked, every guess of the shortcut layer tried. So [`Evaluator`] is a dense table
//! that is reused between calls, works on machine words where sorts allow it (`words`), and falls back to [`Value`]s
//! (`general`) for wide bit-vectors, integers, reals, strings and data. [`apply`] is the meaning of one operator and is
//! shared with constant folding, so rewriting and evaluation cannot disagree.
//!
//! **Invariant.** Terms may be arbitrarily deep: nothing here recurses over a term. Only the arms of `Ite`, `And` and `Or`
//! that decide the result are visited.

mod floats;
mod general;
mod soft;
mod strings;
mod words;

use rustc_hash::FxHashMap;

use crate::{Model, Op, Sort, TermId, Terms, Value, VarId};

/// Whether values of a sort fit in a machine word here: Booleans, and bit-vectors and floats of at most 64 bits.
#[must_use]
pub fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::BitVec(w) => w <= 64,
        Sort::Float(format) => format.width() <= 64,
        _ => false,
    }
}

/// Applies an operator to values: SMT-LIB's meaning. Where SMT-LIB leaves it open we choose: integer and real division by
/// zero is 0, `mod` by zero the dividend, a selector of the wrong constructor the default of the field's sort, conversions
/// of floats out of range the sign bit alone (as x86), a NaN that arithmetic makes the positive quiet one, while `FpNeg`,
/// `FpAbs`, `FpFromBits` and `FpToBits` only move bits, as C does.
///
/// # Panics
/// For a variable, a constant, or values of the wrong sorts.
#[must_use]
pub fn apply(terms: &Terms, op: Op, result: Sort, args: &[Value]) -> Value {
    match op {
        Op::And => return Value::Bool(args.iter().all(|a| a.as_bool() == Some(true))),
        Op::Or => return Value::Bool(args.iter().any(|a| a.as_bool() == Some(true))),
        Op::Ite => return args[if args[0].as_bool() == Some(true) { 1 } else { 2 }].clone(),
        _ => {}
    }
    if is_word(result) && !args.is_empty() && args.len() <= 3 {
        let mut words = [0; 3];
        let small = args.iter().zip(&mut words).all(|(arg, word)| arg.as_u64().map(|w| *word = w).is_some());
        if small {
            let second = args.get(1).map_or(Sort::Bool, Value::sort);
            return Value::from_word(result, words::apply(op, result, [args[0].sort(), second], words));
        }
    }
    general::apply(terms, op, result, args)
}

/// The constant folding of words, without touching the heap.
pub(crate) fn apply_words(op: Op, result: Sort, sorts: [Sort; 2], args: [u64; 3]) -> u64 {
    words::apply(op, result, sorts, args)
}

/// Where the result of a term is kept: the word itself, or the position among the wide values.
#[derive(Clone, Copy, Default)]
struct Slot {
    word: u64,
    stamp: u32,
}

/// Evaluates terms under an assignment, remembering results until the assignment changes.
#[derive(Default)]
pub struct Evaluator {
    results: Vec<Slot>,
    wide: Vec<Value>,
    generation: u32,
    vars: Vec<Slot>,
    others: FxHashMap<VarId, Value>,
    loaded: u32,
    /// Terms that wait for others, each with the argument that it waits for, where these are looked at in turn.
    stack: Vec<(TermId, u32)>,
    work: u64,
}

impl Evaluator {
    /// An evaluator under which every variable has the default value of its sort.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator { generation: 1, loaded: 1, ..Evaluator::default() }
    }

    /// Forgets the assignment and takes over `model`'s.
    pub fn load(&mut self, model: &Model) {
        if self.loaded == u32::MAX {
            self.vars.fill(Slot::default());
            self.loaded = 0;
        }
        self.loaded += 1;
        self.others.clear();
        for &(var, word) in model.words() {
            self.put(var, word);
        }
        for (var, value) in model.others() {
            self.others.insert(*var, value.clone());
        }
        self.forget_results();
    }

    /// Assigns the word of a Boolean, bit-vector or float of at most 64 bits.
    pub fn set_word(&mut self, var: VarId, word: u64) {
        self.put(var, word);
        self.forget_results();
    }

    /// Assigns a value.
    pub fn set(&mut self, var: VarId, value: Value) {
        match value.as_u64() {
            Some(word) => self.put(var, word),
            None => drop(self.others.insert(var, value)),
        }
        self.forget_results();
    }

    /// How many terms were evaluated so far: a measure of cost that is the same on every machine.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The value of a Boolean term.
    pub fn eval_bool(&mut self, terms: &Terms, t: TermId) -> bool {
        debug_assert_eq!(terms.sort(t), Sort::Bool);
        self.eval_word(terms, t) != 0
    }

    /// The word of a Boolean, bit-vector or float term of at most 64 bits.
    ///
    /// # Panics
    /// For a term of another sort.
    pub fn eval_word(&mut self, terms: &Terms, t: TermId) -> u64 {
        assert!(is_word(terms.sort(t)), "a term of sort {:?} is not a word", terms.sort(t));
        self.run(terms, t);
        self.results[t.index()].word
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, t: TermId) -> Value {
        self.run(terms, t);
        self.result(terms, t)
    }

    fn put(&mut self, var: VarId, word: u64) {
        if self.vars.len() <= var.index() {
            self.vars.resize(var.index() + 1, Slot::default());
        }
        self.vars[var.index()] = Slot { word, stamp: self.loaded };
    }

    fn forget_results(&mut self) {
        if self.generation == u32::MAX {
            self.results.fill(Slot::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.wide.clear();
    }

    fn known(&self, t: TermId) -> bool {
        self.results[t.index()].stamp == self.generation
    }

    fn result(&self, terms: &Terms, t: TermId) -> Value {
        let word = self.results[t.index()].word;
        let sort = terms.sort(t);
        if is_word(sort) { Value::from_word(sort, word) } else { self.wide[usize::try_from(word).expect("a position")].clone() }
    }

    fn run(&mut self, terms: &Terms, root: TermId) {
        if self.results.len() < terms.len() {
            self.results.resize(terms.len(), Slot::default());
        }
        if self.known(root) {
            return;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((root, 0));
        while let Some(&frame) = stack.last() {
            if self.known(frame.0) || self.step(terms, frame, &mut stack) {
                stack.pop();
            }
        }
        self.stack = stack;
    }

    /// Computes `t` if what it needs is known; else pushes that and answers `false`.
    fn step(&mut self, terms: &Terms, (t, at): (TermId, u32), stack: &mut Vec<(TermId, u32)>) -> bool {
        let (op, args) = (terms.op(t), terms.args(t));
        match op {
            Op::Var(_) | Op::Const(_) => return self.leaf(terms, t),
            Op::Ite => {
                if !self.known(args[0]) {
                    stack.push((args[0], 0));
                    return false;
                }
                let arm = args[if self.results[args[0].index()].word == 0 { 2 } else { 1 }];
                if !self.known(arm) {
                    stack.push((arm, 0));
                    return false;
                }
                self.keep(t, self.results[arm.index()].word);
            }
            Op::And | Op::Or => {
                let decides = u64::from(op == Op::Or);
                if at == 0 && args.iter().any(|&a| self.known(a) && self.results[a.index()].word == decides) {
                    self.keep(t, decides);
                    return true;
                }
                // From where it waited: there may be thousands.
                for (at, &a) in (at..).zip(&args[at as usize..]) {
                    if !self.known(a) {
                        if let Some(own) = stack.last_mut() {
                            own.1 = at;
                        }
                        stack.push((a, 0));
                        return false;
                    }
                    if self.results[a.index()].word == decides {
                        self.keep(t, decides);
                        return true;
                    }
                }
                self.keep(t, 1 - decides);
            }
            _ => return self.operator(terms, t, stack),
        }
        true
    }

    /// Looks up a variable or a constant; answers `false` for other terms.
    fn leaf(&mut self, terms: &Terms, t: TermId) -> bool {
        match terms.op(t) {
            Op::Var(var) => self.take_var(terms, t, var),
            Op::Const(_) => {
                let value = terms.as_value(t).expect("a constant has a value");
                match value.as_u64() {
                    Some(word) => self.keep(t, word),
                    None => self.keep_wide(t, value.clone()),
                }
            }
            _ => return false,
        }
        true
    }

    fn take_var(&mut self, terms: &Terms, t: TermId, var: VarId) {
        let sort = terms.sort(t);
        if is_word(sort) {
            let word = self.vars.get(var.index()).filter(|slot| slot.stamp == self.loaded).map_or(0, |slot| slot.word);
            self.keep(t, word);
        } else {
            let value = self.others.get(&var).cloned().unwrap_or_else(|| terms.default_value(sort));
            self.keep_wide(t, value);
        }
    }

    fn operator(&mut self, terms: &Terms, t: TermId, stack: &mut Vec<(TermId, u32)>) -> bool {
        let args = terms.args(t);
        let ready = stack.len();
        let mut words = [0; 3];
        let mut small = args.len() <= 3 && !args.is_empty() && is_word(terms.sort(t));
        for (i, &a) in args.iter().enumerate() {
            if !self.known(a) && !self.leaf(terms, a) {
                stack.push((a, 0));
                continue;
            }
            small = small && is_word(terms.sort(a));
            if small {
                words[i] = self.results[a.index()].word;
            }
        }
        if stack.len() > ready {
            return false;
        }
        if small {
            let second = args.get(1).map_or(Sort::Bool, |&a| terms.sort(a));
            self.keep(t, words::apply(terms.op(t), terms.sort(t), [terms.sort(args[0]), second], words));
        } else {
            let values: Vec<Value> = args.iter().map(|&a| self.result(terms, a)).collect();
            let value = general::apply(terms, terms.op(t), terms.sort(t), &values);
            match value.as_u64() {
                Some(word) => self.keep(t, word),
                None => self.keep_wide(t, value),
            }
        }
        true
    }

    fn keep(&mut self, t: TermId, word: u64) {
        self.work += 1;
        self.results[t.index()] = Slot { word, stamp: self.generation };
    }

    fn keep_wide(&mut self, t: TermId, value: Value) {
        self.keep(t, self.wide.len() as u64);
        self.wide.push(value);
    }
}
