//! Z3's solvers and models, made safe.

use std::ffi::CStr;

#[allow(clippy::wildcard_imports, reason = "the names all begin with Z3_")]
use z3_sys::*;

use super::{Ast, Context};

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    /// Out of resources (`true`), or beyond what Z3 can decide.
    Unknown(bool),
}

/// Which of Z3's solvers to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// The one for a logic, by SMT-LIB's name.
    Logic(&'static CStr),
    /// The general one.
    General,
}

/// A solver of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolverId(usize);

/// A model of a context, valid until [`Context::drop_model`].
#[derive(Clone, Copy)]
pub(crate) struct ModelId(Z3_model);

impl Context {
    pub(crate) fn new_solver(&mut self, engine: Engine) -> Option<SolverId> {
        // SAFETY: a fresh solver has to be counted before the next call; `drop` releases it.
        unsafe {
            let solver = match engine {
                Engine::Logic(name) => Z3_mk_solver_for_logic(self.raw, Z3_mk_string_symbol(self.raw, name.as_ptr())?)?,
                Engine::General => Z3_mk_solver(self.raw)?,
            };
            Z3_solver_inc_ref(self.raw, solver);
            self.solvers.push(solver);
        }
        Some(SolverId(self.solvers.len() - 1))
    }

    /// Limits each check of a solver to this many of Z3's resource units.
    pub(crate) fn limit(&self, solver: SolverId, units: u32) -> Option<()> {
        // SAFETY: the parameters are counted and released here; the solver copies them.
        unsafe {
            let name = Z3_mk_string_symbol(self.raw, c"rlimit".as_ptr())?;
            let params = Z3_mk_params(self.raw)?;
            Z3_params_inc_ref(self.raw, params);
            Z3_params_set_uint(self.raw, params, name, units);
            Z3_solver_set_params(self.raw, self.solvers[solver.0], params);
            Z3_params_dec_ref(self.raw, params);
        }
        self.fine().then_some(())
    }

    pub(crate) fn push(&self, solver: SolverId) -> Option<()> {
        // SAFETY: the solver is alive as long as the context, as in all methods below.
        unsafe { Z3_solver_push(self.raw, self.solvers[solver.0]) };
        self.fine().then_some(())
    }

    pub(crate) fn pop(&self, solver: SolverId, levels: u32) -> Option<()> {
        // SAFETY: as `push`; the caller has pushed at least this many levels, else Z3 reports an error.
        unsafe { Z3_solver_pop(self.raw, self.solvers[solver.0], levels) };
        self.fine().then_some(())
    }

    pub(crate) fn reset(&self, solver: SolverId) {
        // SAFETY: as `push`.
        unsafe { Z3_solver_reset(self.raw, self.solvers[solver.0]) };
    }

    pub(crate) fn assert(&self, solver: SolverId, constraint: Ast) -> Option<()> {
        // SAFETY: as `push`.
        unsafe { Z3_solver_assert(self.raw, self.solvers[solver.0], constraint) };
        self.fine().then_some(())
    }

    /// Asserts a constraint under a name (a Boolean constant) that the core will tell.
    pub(crate) fn assert_named(&self, solver: SolverId, constraint: Ast, name: Ast) -> Option<()> {
        // SAFETY: as `push`.
        unsafe { Z3_solver_assert_and_track(self.raw, self.solvers[solver.0], constraint, name) };
        self.fine().then_some(())
    }

    pub(crate) fn check(&self, solver: SolverId) -> Verdict {
        let solver = self.solvers[solver.0];
        // SAFETY: as `push`; the reason is a text that stays valid until the next call.
        unsafe {
            match Z3_solver_check(self.raw, solver) {
                1 => Verdict::Sat,
                -1 => Verdict::Unsat,
                _ => {
                    let reason = CStr::from_ptr(Z3_solver_get_reason_unknown(self.raw, solver)).to_string_lossy();
                    Verdict::Unknown(["resource", "cancel", "memory", "timeout"].iter().any(|word| reason.contains(word)))
                }
            }
        }
    }

    /// The names that contradict each other, after `Unsat`.
    pub(crate) fn core(&self, solver: SolverId) -> Option<Vec<Ast>> {
        // SAFETY: the vector is counted and released here; its elements live as long as the context.
        unsafe {
            let vector = Z3_solver_get_unsat_core(self.raw, self.solvers[solver.0])?;
            Z3_ast_vector_inc_ref(self.raw, vector);
            let names = (0..Z3_ast_vector_size(self.raw, vector)).map(|i| Z3_ast_vector_get(self.raw, vector, i)).collect();
            Z3_ast_vector_dec_ref(self.raw, vector);
            names
        }
    }

    /// The model, after `Sat`.
    pub(crate) fn model(&self, solver: SolverId) -> Option<ModelId> {
        // SAFETY: counted here, released by `drop_model`.
        unsafe {
            let model = Z3_solver_get_model(self.raw, self.solvers[solver.0])?;
            Z3_model_inc_ref(self.raw, model);
            Some(ModelId(model))
        }
    }

    pub(crate) fn drop_model(&self, model: ModelId) {
        // SAFETY: the model was counted once, by `model`, and is given away here.
        unsafe { Z3_model_dec_ref(self.raw, model.0) };
    }

    /// The value of a term in a model, unassigned constants completed.
    pub(crate) fn evaluate(&self, model: ModelId, term: Ast) -> Option<Ast> {
        let mut value = term;
        // SAFETY: `value` is a place for the result, written on success.
        unsafe { Z3_model_eval(self.raw, model.0, term, true, &raw mut value).then_some(value) }
    }

    pub(crate) fn as_bool(&self, value: Ast) -> Option<bool> {
        // SAFETY: as `one`.
        match unsafe { Z3_get_bool_value(self.raw, value) } {
            1 => Some(true),
            -1 => Some(false),
            _ => None,
        }
    }

    pub(crate) fn as_u64(&self, value: Ast) -> Option<u64> {
        let mut word = 0;
        // SAFETY: `word` is a place for the result; anything that is not a small numeral gives false.
        unsafe { (Z3_is_numeral_ast(self.raw, value) && Z3_get_numeral_uint64(self.raw, value, &raw mut word)).then_some(word) }
    }

    /// The decimal digits of a number, `a/b` for a fraction.
    pub(crate) fn digits(&self, value: Ast) -> Option<String> {
        // SAFETY: the text stays valid until the next call, and is copied before.
        unsafe {
            if !Z3_is_numeral_ast(self.raw, value) || Z3_is_algebraic_number(self.raw, value) {
                return None;
            }
            let text = Z3_get_numeral_string(self.raw, value);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    /// The characters of a string value, escaped as SMT-LIB does.
    pub(crate) fn text(&self, value: Ast) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: Z3 gives the start and length of a text that stays valid until the next call; it is copied before.
        unsafe {
            if !Z3_is_string(self.raw, value) {
                return None;
            }
            let start = Z3_get_lstring(self.raw, value, &raw mut length);
            (!start.is_null()).then(|| std::slice::from_raw_parts(start.cast::<u8>(), length as usize).to_vec())
        }
    }
}
