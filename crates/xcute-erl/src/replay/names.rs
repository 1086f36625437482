//! Which function a call means whose module or name depends on the input.
//!
//! A name is one of those that the module exports, which are ways of their own, or none of them: then the call fails, whatever the name is. A module is one of
//! the program's own that have such a function; others are fixed, because modules of the system can have any functions.
//!
//! **Invariant.** A name that is left as it was is that of no function of its module.

use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Mode, Res, Stop};
use crate::etf::Atom;

const MODULE: &str = "the module of a call";
const NAME: &str = "the name of a function that is called";

impl Machine<'_> {
    /// The module and the name that a call means.
    pub(super) fn called(&mut self, ctx: &Ctx, (module, name): (Val, Val), arity: usize) -> Res<(Val, Val)> {
        let arity = u32::try_from(arity).expect("few arguments");
        let module = self.called_module(ctx, module, name, arity)?;
        // A call of what is not a module fails whatever the name is, and so does a call of what is not a name.
        let (Val::Atom(of), Val::Sym(term)) = (module, self.known(name)) else { return Ok((module, self.known(name))) };
        let Some(exports) = self.program.modules.linkage.exported(of, arity, self.atoms) else {
            return Ok((module, self.fixed(ctx, name, NAME)?));
        };
        if matches!(ctx.mode, Mode::Pure) {
            return Err(Stop::Split);
        }
        for function in exports {
            if self.is_this(ctx, term, function)? {
                return Ok((module, Val::Atom(function)));
            }
        }
        // An atom that nothing is called, or something that is not a name: they fail in different ways.
        let atom = self.is_kind(name, Kind::Atom);
        let other = self.not(atom);
        self.choose(ctx, &[other, atom])?;
        Ok((module, name))
    }

    /// The module of a call.
    fn called_module(&mut self, ctx: &Ctx, module: Val, name: Val, arity: u32) -> Res<Val> {
        let Val::Sym(term) = self.known(module) else { return self.fixed(ctx, module, MODULE) };
        if matches!(ctx.mode, Mode::Pure) {
            return Err(Stop::Split);
        }
        let name = self.known(name);
        let own: Vec<Atom> = self.program.modules.own().map(|followed| followed.normal.module.name).collect();
        for candidate in own {
            let exports = self.program.modules.linkage.exported(candidate, arity, self.atoms).unwrap_or_default();
            let fits = match name {
                Val::Atom(name) => exports.contains(&name),
                _ => !exports.is_empty(),
            };
            if fits && self.is_this(ctx, term, candidate)? {
                return Ok(Val::Atom(candidate));
            }
        }
        self.fixed(ctx, module, MODULE)
    }

    /// Whether a part of the input is this atom, decided. An atom that no input can be is none.
    fn is_this(&mut self, ctx: &Ctx, term: xcute_term::TermId, atom: Atom) -> Res<bool> {
        let is = self.is_atom(term, atom);
        let not = self.not(is);
        Ok(self.choose(ctx, &[not, is])? == 1)
    }

    /// Whether all functions of a module are known.
    pub(super) fn is_followed(&self, module: Atom) -> bool {
        self.program.modules.linkage.exported(module, 0, self.atoms).is_some()
    }

    /// The function that a function of the runtime stands for: models call the original by its whole name.
    pub(super) fn meant(&mut self, module: Atom, name: Atom) -> (Atom, Atom) {
        let whole = self.atoms.name(name).to_owned();
        match whole.strip_prefix("ets:") {
            Some(function) if module == Atom::XCUTE_RT => (self.atoms.intern("ets"), self.atoms.intern(function)),
            _ => (module, name),
        }
    }
}
