//! Z3's C interface, made safe: this file and `search` are the only ones of this crate that call it. `child` is for what may crash.
//!
//! Raw `z3-sys` rather than the `z3` crate, which panics where Z3 reports an error, and shares one context per thread. Here every
//! call answers `None` on an error, and each [`Context`] is on its own.
//!
//! **Invariant.** Every [`Ast`], [`Sort`] and [`Decl`] handed to a `Context` was made by it. The context is not reference
//! counting: what it made lives exactly as long as itself. Only objects that Z3 always counts (solvers, models, parameters,
//! vectors) are released by hand, inside this file.
#![allow(unsafe_code, reason = "this is the foreign function interface")]

mod child;
mod search;

use std::ffi::CString;

#[allow(clippy::wildcard_imports, reason = "the names all begin with Z3_")]
use xcute_term::FloatFormat;
use z3_sys::*;

pub(crate) use child::{Apart, apart};
pub(crate) use search::{Engine, ModelId, SolverId, Verdict};

pub(crate) type Ast = Z3_ast;
pub(crate) type Sort = Z3_sort;
pub(crate) type Decl = Z3_func_decl;

pub(crate) type Nullary = unsafe extern "C" fn(Z3_context) -> Option<Ast>;
pub(crate) type Unary = unsafe extern "C" fn(Z3_context, Ast) -> Option<Ast>;
pub(crate) type Binary = unsafe extern "C" fn(Z3_context, Ast, Ast) -> Option<Ast>;
pub(crate) type Ternary = unsafe extern "C" fn(Z3_context, Ast, Ast, Ast) -> Option<Ast>;
pub(crate) type Quaternary = unsafe extern "C" fn(Z3_context, Ast, Ast, Ast, Ast) -> Option<Ast>;
pub(crate) type Variadic = unsafe extern "C" fn(Z3_context, u32, *const Ast) -> Option<Ast>;
pub(crate) type Indexed = unsafe extern "C" fn(Z3_context, u32, Ast) -> Option<Ast>;
pub(crate) type Converting = unsafe extern "C" fn(Z3_context, Ast, Ast, Sort) -> Option<Ast>;
pub(crate) type ToWord = unsafe extern "C" fn(Z3_context, Ast, Ast, u32) -> Option<Ast>;
pub(crate) type SortOf = unsafe extern "C" fn(Z3_context) -> Option<Sort>;

/// A constructor's field: its selector's name, and its sort, or the position of the data type (of those declared with it).
pub(crate) type FieldSpec = (String, Result<Sort, u32>);

/// A data type to declare: its name, and its constructors with their names and fields.
pub(crate) type DataSpec = (String, Vec<(String, Vec<FieldSpec>)>);

/// A constructor of a declared data type.
#[derive(Clone, Debug)]
pub(crate) struct Ctor {
    pub(crate) make: Decl,
    pub(crate) test: Decl,
    pub(crate) fields: Vec<Decl>,
}

/// A Z3 context and its solvers.
pub(crate) struct Context {
    raw: Z3_context,
    solvers: Vec<Z3_solver>,
}

/// A context as other threads know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(Z3_context);

// SAFETY: all that is done with it is `interrupt`, which Z3 allows from any thread.
unsafe impl Send for Handle {}

impl Handle {
    /// Ends what the context is working on.
    pub(crate) fn interrupt(self) {
        // SAFETY: the context is alive: it is at the desk, and whoever waits for it there is the one who interrupts. One that is not given back is never deleted.
        unsafe { Z3_interrupt(self.0) };
    }
}

/// A context together with all that was made in it.
pub(crate) struct Whole<T>(pub(crate) T);

// SAFETY: a context has no ties to the thread that made it; it must only not be used by two threads at once. Everything that
// points into it moves with it.
unsafe impl<T> Send for Whole<T> {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the solvers were made and counted by `new_solver`; nothing uses the context after this.
        unsafe {
            for &solver in &self.solvers {
                Z3_solver_dec_ref(self.raw, solver);
            }
            Z3_del_context(self.raw);
        }
    }
}

impl Context {
    pub(crate) fn new() -> Option<Context> {
        // SAFETY: the configuration is used once and released. Without a handler (the default one ends the process) errors
        // are results.
        unsafe {
            let config = Z3_mk_config()?;
            let raw = Z3_mk_context(config);
            Z3_del_config(config);
            let raw = raw?;
            Z3_set_error_handler(raw, None);
            Some(Context { raw, solvers: Vec::new() })
        }
    }

    /// What other threads may interrupt while this one waits for the context to come back.
    pub(crate) fn handle(&self) -> Handle {
        Handle(self.raw)
    }

    pub(crate) fn leaf(&self, make: Nullary) -> Option<Ast> {
        // SAFETY: `make` is a constructor of z3-sys; the context is alive.
        unsafe { make(self.raw) }
    }

    pub(crate) fn one(&self, make: Unary, a: Ast) -> Option<Ast> {
        // SAFETY: as `leaf`; the argument is of this context (module invariant), as in all methods below.
        unsafe { make(self.raw, a) }
    }

    pub(crate) fn two(&self, make: Binary, a: Ast, b: Ast) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, a, b) }
    }

    pub(crate) fn three(&self, make: Ternary, a: Ast, b: Ast, c: Ast) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, a, b, c) }
    }

    pub(crate) fn four(&self, make: Quaternary, a: Ast, b: Ast, c: Ast, d: Ast) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, a, b, c, d) }
    }

    pub(crate) fn many(&self, make: Variadic, args: &[Ast]) -> Option<Ast> {
        // SAFETY: as `one`; the array holds as many elements as said.
        unsafe { make(self.raw, u32::try_from(args.len()).ok()?, args.as_ptr()) }
    }

    pub(crate) fn indexed(&self, make: Indexed, index: u32, a: Ast) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, index, a) }
    }

    pub(crate) fn convert(&self, make: Converting, rounding: Ast, a: Ast, to: Sort) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, rounding, a, to) }
    }

    pub(crate) fn to_word(&self, make: ToWord, rounding: Ast, a: Ast, width: u32) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { make(self.raw, rounding, a, width) }
    }

    pub(crate) fn extract(&self, high: u32, low: u32, a: Ast) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { Z3_mk_extract(self.raw, high, low, a) }
    }

    pub(crate) fn word_to_int(&self, a: Ast, signed: bool) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { Z3_mk_bv2int(self.raw, a, signed) }
    }

    pub(crate) fn word_to_float(&self, a: Ast, to: Sort) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { Z3_mk_fpa_to_fp_bv(self.raw, a, to) }
    }

    pub(crate) fn sort(&self, make: SortOf) -> Option<Sort> {
        // SAFETY: as `leaf`.
        unsafe { make(self.raw) }
    }

    pub(crate) fn word_sort(&self, width: u32) -> Option<Sort> {
        // SAFETY: as `leaf`.
        unsafe { Z3_mk_bv_sort(self.raw, width) }
    }

    pub(crate) fn float_sort(&self, format: FloatFormat) -> Option<Sort> {
        // SAFETY: as `leaf`.
        unsafe { Z3_mk_fpa_sort(self.raw, format.exponent(), format.significand()) }
    }

    /// A number from decimal digits (or `a/b` for a real).
    pub(crate) fn numeral(&self, digits: &str, sort: Sort) -> Option<Ast> {
        let digits = CString::new(digits).ok()?;
        // SAFETY: as `one`; Z3 copies the text.
        unsafe { Z3_mk_numeral(self.raw, digits.as_ptr(), sort) }
    }

    pub(crate) fn small_numeral(&self, value: u64, sort: Sort) -> Option<Ast> {
        // SAFETY: as `one`.
        unsafe { Z3_mk_unsigned_int64(self.raw, value, sort) }
    }

    /// A string from text in which `\u{…}` escapes what is not printable ASCII.
    pub(crate) fn string(&self, escaped: &str) -> Option<Ast> {
        let escaped = CString::new(escaped).ok()?;
        // SAFETY: as `numeral`.
        unsafe { Z3_mk_string(self.raw, escaped.as_ptr()) }
    }

    pub(crate) fn symbol(&self, name: &str) -> Option<Z3_symbol> {
        let name = CString::new(name).ok()?;
        // SAFETY: as `numeral`.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }
    }

    pub(crate) fn constant(&self, name: &str, sort: Sort) -> Option<Ast> {
        let name = self.symbol(name)?;
        // SAFETY: as `one`.
        unsafe { Z3_mk_const(self.raw, name, sort) }
    }

    pub(crate) fn apply(&self, decl: Decl, args: &[Ast]) -> Option<Ast> {
        // SAFETY: as `many`.
        unsafe { Z3_mk_app(self.raw, decl, u32::try_from(args.len()).ok()?, args.as_ptr()) }
    }

    /// The function that is applied on the right side of the only assertion of an SMT-LIB script, `(assert (= x (f …)))`: a way
    /// to functions for which old versions of Z3 have no constructor.
    pub(crate) fn function_of(&self, script: &str) -> Option<Decl> {
        let script = CString::new(script).ok()?;
        let none = std::ptr::null();
        // SAFETY: no sorts or declarations are passed. The vector and its element are alive while we take the application apart
        // by position. The declaration is kept by a count of its own, released with the context.
        unsafe {
            let vector = Z3_parse_smtlib2_string(self.raw, script.as_ptr(), 0, none, none.cast(), 0, none, none.cast())?;
            Z3_ast_vector_inc_ref(self.raw, vector);
            let decl = (Z3_ast_vector_size(self.raw, vector) == 1).then(|| {
                let equation = Z3_to_app(self.raw, Z3_ast_vector_get(self.raw, vector, 0)?)?;
                let right = Z3_to_app(self.raw, Z3_get_app_arg(self.raw, equation, 1)?)?;
                let decl = Z3_get_app_decl(self.raw, right)?;
                Z3_inc_ref(self.raw, Z3_func_decl_to_ast(self.raw, decl)?);
                Some(decl)
            });
            Z3_ast_vector_dec_ref(self.raw, vector);
            decl.flatten()
        }
    }

    /// Declares data types that may refer to each other: for each its name and constructors.
    pub(crate) fn data_types(&self, types: &[DataSpec]) -> Option<Vec<(Sort, Vec<Ctor>)>> {
        let mut constructors: Vec<Vec<Z3_constructor>> = Vec::new();
        for (_, ctors) in types {
            constructors.push(ctors.iter().map(|(name, fields)| self.constructor(name, fields)).collect::<Option<_>>()?);
        }
        let names: Vec<Z3_symbol> = types.iter().map(|(name, _)| self.symbol(name)).collect::<Option<_>>()?;
        // SAFETY: Z3 fills one sort per name; the placeholder is overwritten, and not used where Z3 reports an error. The lists
        // are released as soon as they are read; Z3 copies what it needs.
        unsafe {
            let mut lists: Vec<Z3_constructor_list> = Vec::new();
            for list in &constructors {
                lists.push(Z3_mk_constructor_list(self.raw, u32::try_from(list.len()).ok()?, list.as_ptr())?);
            }
            let mut sorts = vec![Z3_mk_bool_sort(self.raw)?; types.len()];
            Z3_mk_datatypes(self.raw, u32::try_from(types.len()).ok()?, names.as_ptr(), sorts.as_mut_ptr(), lists.as_mut_ptr());
            let fine = self.fine();
            let mut out = Vec::new();
            for ((sort, list), (_, ctors)) in sorts.iter().zip(&constructors).zip(types).filter(|_| fine) {
                let decls = list.iter().zip(ctors).map(|(&c, (_, fields))| self.query(c, fields.len()));
                out.push((*sort, decls.collect::<Option<Vec<Ctor>>>()?));
            }
            lists.into_iter().for_each(|list| Z3_del_constructor_list(self.raw, list));
            constructors.into_iter().flatten().for_each(|c| Z3_del_constructor(self.raw, c));
            fine.then_some(out)
        }
    }

    fn constructor(&self, name: &str, fields: &[FieldSpec]) -> Option<Z3_constructor> {
        let test = self.symbol(&format!("is-{name}"))?;
        let name = self.symbol(name)?;
        let names: Vec<Z3_symbol> = fields.iter().map(|(name, _)| self.symbol(name)).collect::<Option<_>>()?;
        let sorts: Vec<Option<Sort>> = fields.iter().map(|(_, sort)| sort.ok()).collect();
        let mut refs: Vec<u32> = fields.iter().map(|(_, sort)| sort.err().unwrap_or(0)).collect();
        // SAFETY: three arrays of as many elements as said.
        unsafe {
            let count = u32::try_from(fields.len()).ok()?;
            Z3_mk_constructor(self.raw, name, test, count, names.as_ptr(), sorts.as_ptr(), refs.as_mut_ptr())
        }
    }

    fn query(&self, constructor: Z3_constructor, fields: usize) -> Option<Ctor> {
        let mut decls: [Option<Decl>; 2] = [None; 2];
        let mut selectors: Vec<Option<Decl>> = vec![None; fields];
        // SAFETY: Z3 writes a declaration to each of the places, null on an error. The parameters are declared as places of
        // non-null pointers; places of optional ones have the same layout and are right for null too.
        unsafe {
            let [make, test] = &mut decls;
            let (make, test) = (std::ptr::from_mut(make).cast(), std::ptr::from_mut(test).cast());
            Z3_query_constructor(self.raw, constructor, u32::try_from(fields).ok()?, make, test, selectors.as_mut_ptr().cast());
        }
        let [make, test] = decls;
        Some(Ctor { make: make?, test: test?, fields: selectors.into_iter().collect::<Option<_>>()? })
    }

    fn fine(&self) -> bool {
        // SAFETY: the context is alive.
        unsafe { Z3_get_error_code(self.raw) == Z3_error_code::Ok }
    }
}
