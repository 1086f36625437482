//! What the text of a module names: functions, literals, and keys of maps.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use crate::core::ast::{Expr, Module, Name, Segment};
use crate::etf::{Atom, Atoms, Term};

/// A function: module, name, arity.
pub(super) type Mfa = (Atom, Atom, u32);

/// The modules that a module calls by name, or makes funs of, in the order of the text.
pub(super) fn called_modules(module: &Module) -> Vec<Atom> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    for function in &module.functions {
        calls(module.name, &function.fun, &mut |(module, ..)| {
            if seen.insert(module) {
                found.push(module);
            }
        });
    }
    found
}

/// Longer segments, in bits, are not names.
const LONGEST: usize = 4096;

/// Visits all literals of a module, also the characters that binaries begin with.
pub(super) fn literals(module: &Module, visit: &mut dyn FnMut(&Term)) {
    let mut pending: Vec<&Expr> = module.functions.iter().map(|function| &function.fun).collect();
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Literal(_, term) => visit(term),
            Expr::Binary { segments, .. } => {
                let bytes: Vec<u8> = segments.iter().map_while(characters).flatten().collect();
                let bits = 8 * bytes.len();
                if bits > 0 {
                    visit(&Term::Bits(bytes.into(), bits));
                }
            }
            _ => {}
        }
        children(expr, &mut |child| pending.push(child));
    }
}

/// The bytes of a segment that is a number; the compiler makes one of several.
fn characters(segment: &Segment) -> Option<Vec<u8>> {
    let number = |expr: &Expr| match expr {
        Expr::Literal(_, Term::Int(number)) => BigUint::try_from(*number).ok(),
        Expr::Literal(_, Term::Big(number)) => number.to_biguint(),
        _ => None,
    };
    let bits = usize::try_from(number(&segment.size)? * number(&segment.rest[0])?).ok()?;
    let digits = number(&segment.value)?.to_bytes_be();
    let zeros = (bits / 8).checked_sub(digits.len()).filter(|_| bits % 8 == 0 && bits <= LONGEST)?;
    Some([vec![0; zeros], digits].concat())
}

/// Visits all keys of maps that a module names: in patterns, updates and literals, and where it calls functions of maps.
pub(super) fn keys(module: &Module, atoms: &Atoms, visit: &mut dyn FnMut(&Term)) {
    let mut pending: Vec<&Expr> = module.functions.iter().map(|function| &function.fun).collect();
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Literal(_, term) => keys_of(term, visit),
            Expr::Map { pairs, .. } => pairs.iter().for_each(|pair| {
                if let Expr::Literal(_, key) = &pair.key {
                    visit(key);
                }
            }),
            Expr::Call { module, name, args, .. } => {
                let of = |expr: &Expr| expr.literal_atom().map(|atom| atoms.name(atom));
                let (module, name) = (of(module), of(name));
                let looks =
                    matches!(module, Some("maps" | "sets")) || (module == Some("erlang") && matches!(name, Some("map_get" | "is_map_key")));
                if let (true, Some(Expr::Literal(_, key))) = (looks, args.first()) {
                    // `maps:with` and its like have a list of keys.
                    match (name, key.items()) {
                        (Some("with" | "without" | "from_keys"), Some(list)) => list.iter().for_each(&mut *visit),
                        (Some("from_list" | "new"), _) => {}
                        _ => visit(key),
                    }
                }
            }
            _ => {}
        }
        children(expr, &mut |child| pending.push(child));
    }
}

/// Visits all literals that a module calls functions of other modules with.
pub(super) fn arguments(module: &Module, of: &[Option<Atom>], visit: &mut dyn FnMut(&Term)) {
    let mut pending: Vec<&Expr> = module.functions.iter().map(|function| &function.fun).collect();
    while let Some(expr) = pending.pop() {
        if let Expr::Call { module, args, .. } = expr
            && module.literal_atom().is_some()
            && of.contains(&module.literal_atom())
        {
            args.iter().filter_map(|arg| if let Expr::Literal(_, term) = arg { Some(term) } else { None }).for_each(&mut *visit);
        }
        children(expr, &mut |child| pending.push(child));
    }
}

fn keys_of(term: &Term, visit: &mut dyn FnMut(&Term)) {
    match term {
        Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            visit(key);
            keys_of(value, visit);
        }),
        Term::List(items, tail) => {
            items.iter().for_each(|item| keys_of(item, visit));
            keys_of(tail, visit);
        }
        Term::Tuple(items) => items.iter().for_each(|item| keys_of(item, visit)),
        _ => {}
    }
}

/// Visits all functions that an expression names.
pub(super) fn calls(module: Atom, root: &Expr, visit: &mut dyn FnMut(Mfa)) {
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Var(_, Name::Function(name, arity)) => visit((module, *name, *arity)),
            Expr::Literal(_, term) => externals(term, visit),
            Expr::Call { module, name, args, .. } => {
                let arity = u32::try_from(args.len()).unwrap_or(u32::MAX);
                match (module.literal_atom(), name.literal_atom(), &args[..]) {
                    (Some(Atom::ERLANG), Some(Atom::MAKE_FUN), [of, function, arity]) => {
                        if let (Some(of), Some(function), Expr::Literal(_, Term::Int(arity))) =
                            (of.literal_atom(), function.literal_atom(), arity)
                        {
                            visit((of, function, u32::try_from(*arity).unwrap_or(u32::MAX)));
                        }
                    }
                    (Some(of), Some(function), _) => {
                        visit((of, function, arity));
                        // What `spawn(M, F, [A])` and the like start.
                        if of == Atom::ERLANG {
                            args.windows(3).filter_map(started).for_each(&mut *visit);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        children(expr, &mut |child| pending.push(child));
    }
}

/// The function that a module, a name and a list of arguments are, if all is in the text.
fn started(args: &[Expr]) -> Option<Mfa> {
    let [module, name, list] = args else { return None };
    let (mut arity, mut at) = (0, list);
    while let Expr::Cons(_, _, rest) = at {
        (arity, at) = (arity + 1, rest);
    }
    let Expr::Literal(_, rest) = at else { return None };
    let rest = u32::try_from(rest.items()?.len()).ok()?;
    Some((module.literal_atom()?, name.literal_atom()?, arity + rest))
}

fn externals(term: &Term, visit: &mut dyn FnMut(Mfa)) {
    match term {
        Term::External(module, name, arity) => visit((*module, *name, u32::from(*arity))),
        Term::List(items, tail) => {
            items.iter().for_each(|item| externals(item, visit));
            externals(tail, visit);
        }
        Term::Tuple(items) => items.iter().for_each(|item| externals(item, visit)),
        Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            externals(key, visit);
            externals(value, visit);
        }),
        _ => {}
    }
}

/// Whether it calls a function whose name is computed.
pub(super) fn computes_target(root: &Expr) -> bool {
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        if let Expr::Call { module, name, .. } = expr {
            let apply = module.literal_atom() == Some(Atom::ERLANG) && name.literal_atom() == Some(Atom::APPLY);
            if apply || module.literal_atom().is_none() || name.literal_atom().is_none() {
                return true;
            }
        }
        children(expr, &mut |child| pending.push(child));
    }
    false
}

/// Whether it makes a fun, or starts a process with a function, whose name is computed.
pub(super) fn computes_fun(root: &Expr, atoms: &Atoms) -> bool {
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        if let Expr::Call { module, name, args, .. } = expr
            && module.literal_atom() == Some(Atom::ERLANG)
        {
            let named = name.literal_atom().map_or("", |name| atoms.name(name));
            let plain = match named {
                "make_fun" => args.iter().all(|arg| matches!(arg, Expr::Literal(..))),
                "hibernate" => started(args).is_some(),
                _ if named.starts_with("spawn") => args.len() < 3 || args.windows(3).any(|args| started(args).is_some()),
                _ => true,
            };
            if !plain {
                return true;
            }
        }
        children(expr, &mut |child| pending.push(child));
    }
    false
}

/// Visits the parts of an expression.
fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match expr {
        Expr::Literal(..) | Expr::Var(..) | Expr::Opaque(..) => {}
        Expr::Cons(_, a, b) | Expr::Alias(_, a, b) | Expr::Seq(_, a, b) => {
            visit(a);
            visit(b);
        }
        Expr::Tuple(_, items) | Expr::Values(_, items) | Expr::Primop { args: items, .. } => items.iter().for_each(visit),
        Expr::Map { arg, pairs, .. } => {
            visit(arg);
            for pair in pairs {
                visit(&pair.key);
                visit(&pair.value);
            }
        }
        Expr::Binary { segments, .. } => {
            for segment in segments {
                visit(&segment.value);
                visit(&segment.size);
            }
        }
        Expr::Fun(_, _, body) | Expr::Catch(_, body) => visit(body),
        Expr::Let { arg, body, .. } => {
            visit(arg);
            visit(body);
        }
        Expr::Letrec { functions, body, .. } => {
            functions.iter().for_each(|function| visit(&function.fun));
            visit(body);
        }
        Expr::Case { arg, clauses, .. } | Expr::Receive { timeout: arg, clauses, .. } => {
            visit(arg);
            for clause in clauses {
                clause.patterns.iter().for_each(&mut *visit);
                visit(&clause.guard);
                visit(&clause.body);
            }
            if let Expr::Receive { action, .. } = expr {
                visit(action);
            }
        }
        Expr::Apply { op, args, .. } => {
            visit(op);
            args.iter().for_each(visit);
        }
        Expr::Call { module, name, args, .. } => {
            visit(module);
            visit(name);
            args.iter().for_each(visit);
        }
        Expr::Try { arg, body, handler, .. } => {
            visit(arg);
            visit(body);
            visit(handler);
        }
    }
}
