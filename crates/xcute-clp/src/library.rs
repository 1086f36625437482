//! The library in Prolog: lists, closures, lambda expressions, sets, association lists, types and options, suspended goals, control.
//!
//! Its predicates are loaded like those of the program, and only those that it can come to. A predicate of the same name in the program, or one that
//! the machine has itself, takes the place of the library's.
//!
//! **Invariant.** The texts have no directives and read without error.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{Atom, Indicator, OWN_TYPE, Program, Term};

/// The texts by name.
pub const TEXTS: &[(&str, &str)] = &[
    ("library(lists)", include_str!("../library/lists.pl")),
    ("library(apply)", include_str!("../library/apply.pl")),
    ("library(aggregate)", include_str!("../library/aggregate.pl")),
    ("library(terms)", include_str!("../library/terms.pl")),
    ("library(strings)", include_str!("../library/strings.pl")),
    ("library(assoc)", include_str!("../library/assoc.pl")),
    ("library(ordsets)", include_str!("../library/ordsets.pl")),
    ("library(error)", include_str!("../library/error.pl")),
    ("library(swi_option)", include_str!("../library/option.pl")),
    ("library(when)", include_str!("../library/when.pl")),
    ("library(yall)", include_str!("../library/yall.pl")),
    ("library(clpfd)", include_str!("../library/clpfd.pl")),
    ("library(control)", include_str!("../library/control.pl")),
];

/// Texts of libraries that a program has only if it imports them.
const IMPORTED: &[(&str, &str, &str)] = &[
    ("dcg/basics", "library(dcg/basics)", include_str!("../library/dcg_basics.pl")),
    ("clpfd", "library(clpfd)", include_str!("../library/transpose.pl")),
    ("clpz", "library(clpfd)", include_str!("../library/transpose.pl")),
];

/// Adds what the program can call and neither it nor the machine (`builtin`) defines.
///
/// Names decide, not goals: a closure is a name too. The library's own predicates keep calling each other: where the program has redefined one that
/// another needs, the library's is added under a name of its own.
pub(crate) fn link(program: &mut Program, builtin: &dyn Fn(&str, u32) -> bool) {
    let mut library = Program::with_atoms(program.atoms.clone());
    let imports = |library: &str| program.libraries.iter().any(|&name| program.atoms.name(name) == library);
    let imported = IMPORTED.iter().filter(|(library, ..)| imports(library)).map(|(_, name, text)| (name, text));
    for (name, text) in TEXTS.iter().map(|(name, text)| (name, text)).chain(imported) {
        let errors = library.add(name, text, &|_| Err(std::io::ErrorKind::NotFound.into()));
        debug_assert!(errors.is_empty(), "{name}: {errors:?}");
    }
    let mut by_name: FxHashMap<Atom, Vec<usize>> = FxHashMap::default();
    for (number, predicate) in library.predicates.iter().enumerate() {
        by_name.entry(predicate.indicator.name).or_default().push(number);
    }
    let defined: FxHashSet<Indicator> = program.predicates.iter().map(|predicate| predicate.indicator).collect();
    let machine = |indicator: Indicator| builtin(library.atoms.name(indicator.name), indicator.arity);
    let mut needed = vec![false; library.predicates.len()];
    let mut work: Vec<usize> = Vec::new();
    // What the program names it gets, unless it has its own.
    let own = program.predicates.iter().flat_map(|predicate| &predicate.clauses).map(|clause| &clause.terms);
    let goals = program.directives.iter().map(|directive| &directive.terms);
    for name in own.chain(goals).flat_map(names_in) {
        let found = by_name.get(&name).into_iter().flatten().copied();
        work.extend(found.filter(|&number| !defined.contains(&library.predicates[number].indicator)));
    }
    // The types that a program adds are asked by the library itself.
    let hook = |indicator: Indicator| library.atoms.name(indicator.name) == OWN_TYPE && defined.contains(&indicator);
    while let Some(number) = work.pop() {
        let indicator = library.predicates[number].indicator;
        if machine(indicator) || hook(indicator) || std::mem::replace(&mut needed[number], true) {
            continue;
        }
        let clauses = &library.predicates[number].clauses;
        work.extend(clauses.iter().flat_map(|clause| names_in(&clause.terms)).filter_map(|name| by_name.get(&name)).flatten());
    }
    transfer(program, library, &needed, &defined);
}

/// The names of all atoms and compounds in an arena.
fn names_in(terms: &crate::syntax::Arena) -> impl Iterator<Item = Atom> + '_ {
    terms.refs().filter_map(|term| match *terms.get(term) {
        Term::Atom(name) => Some(name),
        Term::Compound(compound) => Some(compound.name),
        _ => None,
    })
}

fn transfer(program: &mut Program, mut library: Program, needed: &[bool], defined: &FxHashSet<Indicator>) {
    let mut renamed: FxHashMap<Indicator, Atom> = FxHashMap::default();
    for (predicate, _) in library.predicates.iter().zip(needed).filter(|(_, needed)| **needed) {
        let indicator = predicate.indicator;
        if defined.contains(&indicator) {
            let name = format!("$library {}", library.atoms.name(indicator.name));
            renamed.insert(indicator, library.atoms.intern(&name));
        }
    }
    let offset = u32::try_from(program.sources.len()).expect("fewer than 2^32 files");
    program.atoms = library.atoms;
    program.sources.append(&mut library.sources);
    for (mut predicate, _) in library.predicates.into_iter().zip(needed).filter(|(_, needed)| **needed) {
        for clause in &mut predicate.clauses {
            clause.span.source.0 += offset;
            clause.terms.rename(&renamed);
        }
        predicate.library = true;
        let name = renamed.get(&predicate.indicator).copied().unwrap_or(predicate.indicator.name);
        predicate.indicator.name = name;
        let indicator = predicate.indicator;
        *program.predicate_mut(indicator) = predicate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(text: &str, builtins: &[(&str, u32)]) -> Vec<String> {
        let (mut program, errors) = Program::read("p.pl", text);
        assert_eq!(errors, []);
        link(&mut program, &|name, arity| builtins.contains(&(name, arity)));
        let mut names: Vec<String> =
            program.predicates.iter().filter(|predicate| predicate.library).map(|predicate| program.show(predicate.indicator)).collect();
        names.sort();
        names
    }

    #[test]
    fn the_texts_read_without_error_and_define_nothing_twice() {
        let mut library = Program::default();
        let mut seen = FxHashSet::default();
        for (name, text) in TEXTS {
            let before = library.predicates.len();
            let errors = library.add(name, text, &|_| Err(std::io::ErrorKind::NotFound.into()));
            assert_eq!(errors, [], "{name}");
            assert!(library.predicates[before..].iter().all(|predicate| seen.insert(predicate.indicator)), "{name}");
        }
        assert_eq!((library.directives.len(), library.foreign.len()), (0, 0));
    }

    #[test]
    fn only_what_can_be_called_is_added() {
        assert_eq!(linked("p(X) :- member(X, [a]).", &[]), ["$member/3", "member/2"]);
        assert_eq!(linked("p :- q.", &[]), [] as [&str; 0]);
        assert_eq!(
            linked("p(X) :- maplist(reverse, [[X]], _).", &[("maplist", 3)]),
            ["$maplist/2", "$maplist/3", "$maplist/4", "$maplist/5", "$reverse/4", "maplist/2", "maplist/4", "maplist/5", "reverse/2"]
        );
        assert_eq!(linked("p(X) :- member(X, [a]).", &[("member", 2)]), [] as [&str; 0]);
    }

    #[test]
    fn what_the_program_redefines_is_still_the_librarys_for_itself() {
        let text = "append(mine, _, _). p(X) :- append(X, _, _), phrase([a], X, _).";
        let names = linked(text, &[]);
        assert!(names.contains(&"$library append/3".to_owned()) && names.contains(&"phrase/3".to_owned()), "{names:?}");
        let (mut program, _) = Program::read("p.pl", text);
        link(&mut program, &|_, _| false);
        let append = Indicator { name: program.atoms.get("append").unwrap(), arity: 3 };
        assert_eq!(program.predicate(append).unwrap().clauses.len(), 1);
        let renamed = Indicator { name: program.atoms.get("$library append").unwrap(), arity: 3 };
        let clauses = &program.predicate(renamed).unwrap().clauses;
        assert_eq!(clauses.len(), 2);
        assert!(clauses.iter().all(|clause| clause.terms.callable(clause.head).is_some_and(|(name, _)| name == renamed.name)));
    }
}
