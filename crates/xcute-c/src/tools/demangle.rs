//! Names of C++ as people write them.
//!
//! **Invariant.** A name that is not mangled stays as it is.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// A function's name with its scope and template arguments, but without parameters: `Stack::push` for `_ZN5Stack4pushEi`.
#[must_use]
pub fn demangled(name: &str) -> Cow<'_, str> {
    if !name.starts_with("_Z") {
        return Cow::Borrowed(name);
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let readable = Symbol::new(name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    readable.map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mangled_names_change() {
        let cases = [
            ("_ZN5Stack4pushEi", "Stack::push"),
            ("_ZN3geo6SquareC2Ei", "geo::Square::Square"),
            ("_Z3topIiET_S0_S0_", "top<int>"),
            ("push", "push"),
            ("_Zombie", "_Zombie"),
        ];
        for (name, readable) in cases {
            assert_eq!(demangled(name), readable);
        }
    }
}
