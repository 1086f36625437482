//! What can be called from where, as far as the text says.

use rustc_hash::FxHashSet;

use super::modules::Modules;
use super::named::{Mfa, calls, computes_fun, computes_target};
use crate::calls::Callee;

/// Modules of the library that call exported functions of the program.
const CALLING_BACK: &[&str] = &["gen", "gen_server", "gen_statem", "gen_event", "supervisor", "sys"];

/// How the names of their functions begin that start a server, whose module is an argument.
const STARTING: &[&str] = &["start", "enter_loop"];

/// What an entry can come to.
pub(super) struct Reached {
    /// The functions. A call whose target is computed can come to all exported functions of the program's own modules.
    pub functions: FxHashSet<Mfa>,
    /// Whether the text does not say it all: a function of the library may be called that is not listed.
    pub open: bool,
}

impl Reached {
    /// Whether a run can come to this function.
    pub fn holds(&self, mfa: &Mfa) -> bool {
        self.open || self.functions.contains(mfa)
    }
}

/// What an entry can come to.
pub(super) fn reached(modules: &Modules, entry: Mfa) -> Reached {
    let mut seen: FxHashSet<Mfa> = FxHashSet::default();
    let mut pending = vec![entry];
    let (mut everywhere, mut open) = (false, false);
    while let Some(next) = pending.pop() {
        if !seen.insert(next) {
            continue;
        }
        // A function that has a model is its model, but for calls from its own module.
        if let Callee::Model(model) = modules.linkage.callee(next.0, next.1, next.2) {
            pending.push((modules.linkage.models_module(), model, next.2));
        }
        let Some(followed) = modules.followed.iter().find(|followed| followed.normal.module.name == next.0) else { continue };
        let module = &followed.normal.module;
        let Some(function) = module.functions.iter().find(|function| (function.name, function.arity) == (next.1, next.2)) else { continue };
        calls(module.name, &function.fun, &mut |mfa| pending.push(mfa));
        // Servers call functions of the module that they are started with.
        let calls_back = followed.own || CALLING_BACK.contains(&modules.atoms.name(module.name));
        let computed = computes_target(&function.fun);
        open |= computed || computes_fun(&function.fun, &modules.atoms);
        let starts = !followed.own && STARTING.iter().any(|begin| modules.atoms.name(next.1).starts_with(begin));
        if calls_back && !everywhere && (starts || computed) {
            everywhere = true;
            let own = modules.followed.iter().filter(|followed| followed.own).map(|followed| &followed.normal.module);
            pending.extend(own.flat_map(|module| module.exports.iter().map(|&(name, arity)| (module.name, name, arity))));
        }
    }
    Reached { functions: seen, open }
}
