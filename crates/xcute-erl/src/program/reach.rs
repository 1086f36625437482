//! What can be called from where, as far as the text says.

use rustc_hash::FxHashSet;

use super::modules::Modules;
use super::named::{Mfa, calls, computes_target};

/// The functions that an entry can come to. A call whose target is computed can come to all exported functions of the program's own modules.
pub(super) fn reached(modules: &Modules, entry: Mfa) -> FxHashSet<Mfa> {
    let mut seen: FxHashSet<Mfa> = FxHashSet::default();
    let mut pending = vec![entry];
    let mut everywhere = false;
    while let Some(next) = pending.pop() {
        if !seen.insert(next) {
            continue;
        }
        let Some(followed) = modules.followed.iter().find(|followed| followed.normal.module.name == next.0) else { continue };
        let module = &followed.normal.module;
        let Some(function) = module.functions.iter().find(|function| (function.name, function.arity) == (next.1, next.2)) else { continue };
        calls(module.name, &function.fun, &mut |mfa| pending.push(mfa));
        if followed.own && !everywhere && computes_target(&function.fun) {
            everywhere = true;
            let own = modules.followed.iter().filter(|followed| followed.own).map(|followed| &followed.normal.module);
            pending.extend(own.flat_map(|module| module.exports.iter().map(|&(name, arity)| (module.name, name, arity))));
        }
    }
    seen
}
