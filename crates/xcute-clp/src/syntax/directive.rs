//! The directives that change how the rest of a text is read, or that declare something.
//!
//! **Invariant.** A directive that is not carried out here is kept for the run.

use super::condition::decide;
use super::error::Problem;
use super::operators::LIBRARY_OPERATORS;
use super::{Arena, Atom, Fixity, Indicator, OperatorError, Program, TableMode, Term, TermRef, TextFlag};

/// What a directive asks of the loader.
pub(super) enum Request {
    /// Nothing more.
    Done,
    /// Read this file too, by its name as it was written.
    Load(String),
    /// Read this library too, if it is one of the program's own pack.
    Library(String),
    /// Read this file in this place.
    Include(String),
    /// Of the text up to the matching `endif`, read a part.
    If(bool),
    Elif(bool),
    Else,
    Endif,
    /// Pass over the tests up to `end_tests`.
    BeginTests,
    /// What text in double quotes stands for.
    DoubleQuotes(TextFlag),
    /// Keep it for the run.
    Run,
}

/// Carries out a directive or says what the loader must do.
pub(super) fn carry_out(program: &mut Program, terms: &Arena, goal: TermRef) -> Result<Vec<Request>, Problem> {
    let Some((name, args)) = terms.callable(goal) else { return Ok(vec![Request::Run]) };
    let text = program.atoms.name(name).to_owned();
    let one = |request| Ok(vec![request]);
    match (text.as_str(), args) {
        (",", &[first, second]) => {
            let mut requests = carry_out_each(program, terms, first)?;
            requests.extend(carry_out_each(program, terms, second)?);
            Ok(requests)
        }
        ("op", &[priority, fixity, names]) => {
            operator(program, terms, [priority, fixity, names])?;
            one(Request::Done)
        }
        ("module", &[name, exports]) => {
            module(program, terms, name, exports)?;
            one(Request::Done)
        }
        ("table", &[specification]) => {
            for (indicator, modes) in tabled(program, terms, specification, false) {
                program.predicate_mut(indicator).tabled = Some(modes);
            }
            one(Request::Done)
        }
        ("dynamic" | "discontiguous" | "multifile" | "public" | "volatile", &[specification]) => {
            for indicator in indicators(terms, specification) {
                let predicate = program.predicate_mut(indicator);
                match text.as_str() {
                    "dynamic" => predicate.dynamic = true,
                    "discontiguous" => predicate.discontiguous = true,
                    _ => {}
                }
            }
            one(Request::Done)
        }
        ("use_module" | "ensure_loaded" | "consult" | "load_files" | "autoload" | "reexport", &[files] | &[files, _]) => {
            let libraries = libraries_of(program, terms, files).into_iter().map(Request::Library);
            Ok(libraries.chain(files_of(program, terms, files).into_iter().map(Request::Load)).collect())
        }
        ("[|]", &[_, _]) => Ok(files_of(program, terms, goal).into_iter().map(Request::Load).collect()),
        ("include", &[file]) => Ok(files_of(program, terms, file).into_iter().map(Request::Include).collect()),
        ("set_prolog_flag", &[flag, value]) => match (atom_name(program, terms, flag), atom_name(program, terms, value)) {
            (Some("double_quotes"), Some(value)) => one(TextFlag::named(value).map_or(Request::Run, Request::DoubleQuotes)),
            _ => one(Request::Run),
        },
        ("if", &[condition]) => one(Request::If(decide(program, terms, condition)?)),
        ("elif", &[condition]) => one(Request::Elif(decide(program, terms, condition)?)),
        ("else", &[]) => one(Request::Else),
        ("endif", &[]) => one(Request::Endif),
        ("begin_tests", &[_] | &[_, _]) => one(Request::BeginTests),
        ("meta_predicate", &[specification]) => {
            for (indicator, meta) in meta(program, terms, specification) {
                program.predicate_mut(indicator).meta = meta;
            }
            one(Request::Done)
        }
        ("arithmetic_function", &[specification]) => {
            program.functions.extend(indicators(terms, specification));
            one(Request::Done)
        }
        ("det", &[specification]) => {
            for indicator in indicators(terms, specification) {
                program.predicate_mut(indicator).det = true;
            }
            one(Request::Done)
        }
        ("style_check" | "license" | "encoding" | "set_stream" | "module_transparent" | "noprofile", _) => one(Request::Done),
        ("garbage_collect" | "create_prolog_flag" | "use_foreign_library" | "predicate_options", _) => one(Request::Done),
        _ => one(Request::Run),
    }
}

/// Parts of a conjunction that are to be run are found again by running the whole, so they ask for nothing here.
fn carry_out_each(program: &mut Program, terms: &Arena, goal: TermRef) -> Result<Vec<Request>, Problem> {
    let mut requests = Vec::new();
    let mut work = vec![goal];
    while let Some(goal) = work.pop() {
        match terms.matches(goal, Atom::COMMA) {
            Some([first, second]) => work.extend([second, first]),
            None => requests.extend(carry_out(program, terms, goal)?),
        }
    }
    Ok(requests)
}

fn operator(program: &mut Program, terms: &Arena, [priority, fixity, names]: [TermRef; 3]) -> Result<(), Problem> {
    let priority = match terms.get(priority) {
        Term::Integer(value) => {
            u16::try_from(value).ok().filter(|&value| value <= 1200).ok_or(OperatorError::Priority(value.to_string()))?
        }
        _ => return Err(OperatorError::Priority("given".to_owned()).into()),
    };
    let fixity = atom_name(program, terms, fixity).unwrap_or("this");
    let fixity = Fixity::named(fixity).ok_or_else(|| OperatorError::Fixity(fixity.to_owned()))?;
    let names = terms.proper_list(names).unwrap_or_else(|| vec![names]);
    for name in names {
        let name = terms.matches(name, Atom::COLON).map_or(name, |[_, name]| name);
        let Term::Atom(name) = *terms.get(name) else { return Err(OperatorError::Reserved("this term".to_owned()).into()) };
        program.operators.add(&program.atoms, priority, fixity, name)?;
    }
    Ok(())
}

fn module(program: &mut Program, terms: &Arena, name: TermRef, exports: TermRef) -> Result<(), Problem> {
    let mut exported = Vec::new();
    for export in terms.proper_list(exports).unwrap_or_default() {
        match terms.matches(export, Atom::OP) {
            Some(arguments) => operator(program, terms, arguments)?,
            None => exported.extend(indicator(terms, export)),
        }
    }
    // A file that is loaded by another keeps the module of the first.
    if let (Term::Atom(name), None) = (terms.get(name), &program.module) {
        program.module = Some((*name, exported));
    }
    Ok(())
}

/// What a specification lists: the parts of `a, b`, of `[a, b]` and of both with modules.
fn items(terms: &Arena, specification: TermRef) -> Vec<TermRef> {
    let mut found = Vec::new();
    let mut work = vec![specification];
    while let Some(term) = work.pop() {
        if let Some([first, second]) = terms.matches(term, Atom::COMMA).or_else(|| terms.matches(term, Atom::DOT)) {
            work.extend([second, first]);
        } else if let Some([_, inner]) = terms.matches(term, Atom::COLON) {
            work.push(inner);
        } else {
            found.push(term);
        }
    }
    found
}

/// The predicates of `p/1, q//2` or a list of them.
fn indicators(terms: &Arena, specification: TermRef) -> Vec<Indicator> {
    let mut found = Vec::new();
    for term in items(terms, specification) {
        if let Term::Compound(compound) = *terms.get(term)
            && compound.arity() == 2
            && !matches!(compound.name, Atom::SLASH | Atom::DOUBLE_SLASH)
        {
            // `p/1 as incremental`.
            found.extend(indicators(terms, terms.args(compound)[0]));
        } else {
            found.extend(indicator(terms, term));
        }
    }
    found
}

/// The predicates of `:- table p/1, q//2, r(_, min)`, each with the modes of its arguments; `other`: they are tabled in a way that is not followed.
fn tabled(program: &Program, terms: &Arena, specification: TermRef, other: bool) -> Vec<(Indicator, Vec<TableMode>)> {
    let mut found = Vec::new();
    for term in items(terms, specification) {
        if let Some(indicator) = indicator(terms, term) {
            found.push((indicator, if other { vec![TableMode::Other] } else { Vec::new() }));
        } else if let Some((name, args)) = terms.callable(term) {
            if let ("as", &[inner, how]) = (program.atoms.name(name), args) {
                let plain = matches!(atom_name(program, terms, how), Some("variant" | "subsumptive"));
                found.extend(tabled(program, terms, inner, other || !plain));
            } else {
                let indicator = Indicator { name, arity: u32::try_from(args.len()).expect("few arguments") };
                let mut modes: Vec<TableMode> = args.iter().map(|&arg| table_mode(program, terms, arg)).collect();
                if other {
                    modes.push(TableMode::Other);
                }
                found.push((indicator, modes));
            }
        }
    }
    found
}

/// The predicates of `:- meta_predicate p(0, ?), q(:)`, and which of their arguments are goals, closures or have a module.
fn meta(program: &Program, terms: &Arena, specification: TermRef) -> Vec<(Indicator, Vec<bool>)> {
    let mut found = Vec::new();
    for term in items(terms, specification) {
        if let Some((name, args)) = terms.callable(term) {
            let qualified = |&arg: &TermRef| match terms.get(arg) {
                Term::Integer(_) => true,
                Term::Atom(name) => matches!(program.atoms.name(*name), ":" | "^" | "//"),
                _ => false,
            };
            let arity = u32::try_from(args.len()).expect("few arguments");
            found.push((Indicator { name, arity }, args.iter().map(qualified).collect()));
        }
    }
    found
}

fn table_mode(program: &Program, terms: &Arena, term: TermRef) -> TableMode {
    if let Term::Var(_) = terms.get(term) {
        return TableMode::Index;
    }
    match terms.callable(term).map(|(name, args)| (program.atoms.name(name), args)) {
        Some(("index" | "+", [])) => TableMode::Index,
        Some(("min", [])) => TableMode::Min,
        Some(("max", [])) => TableMode::Max,
        Some(("first" | "-", [])) => TableMode::First,
        Some(("last", [])) => TableMode::Last,
        Some(("lattice", &[of])) => closure_name(terms, of).map_or(TableMode::Other, TableMode::Lattice),
        Some(("po", &[of])) => closure_name(terms, of).map_or(TableMode::Other, TableMode::Po),
        _ => TableMode::Other,
    }
}

/// The name in `name`, `name/3`, `name(_, _, _)` or one of these with a module.
fn closure_name(terms: &Arena, of: TermRef) -> Option<Atom> {
    let of = terms.matches(of, Atom::COLON).map_or(of, |[_, inner]| inner);
    match indicator(terms, of) {
        Some(indicator) => Some(indicator.name),
        None => terms.callable(of).map(|(name, _)| name),
    }
}

fn indicator(terms: &Arena, term: TermRef) -> Option<Indicator> {
    let (pair, extra): ([TermRef; 2], u32) = match (terms.matches(term, Atom::SLASH), terms.matches(term, Atom::DOUBLE_SLASH)) {
        (Some(pair), _) => (pair, 0),
        (_, Some(pair)) => (pair, 2),
        _ => return None,
    };
    match (terms.get(pair[0]), terms.get(pair[1])) {
        (Term::Atom(name), Term::Integer(arity)) => Some(Indicator { name: *name, arity: u32::try_from(arity).ok()?.checked_add(extra)? }),
        _ => None,
    }
}

/// The files that `use_module` and its like name; libraries are noted and not read.
fn files_of(program: &mut Program, terms: &Arena, files: TermRef) -> Vec<String> {
    let mut found = Vec::new();
    for file in terms.proper_list(files).unwrap_or_else(|| vec![files]) {
        if let Some([library]) = terms.matches(file, Atom::LIBRARY) {
            library_operators(program, terms, library);
        } else {
            match terms.get(file) {
                Term::Atom(name) if *name != Atom::NIL => found.push(program.atoms.name(*name).to_owned()),
                Term::String(name) => found.push(name.to_string()),
                _ => {}
            }
        }
    }
    found
}

/// The libraries that `use_module` and its like name, as paths.
fn libraries_of(program: &Program, terms: &Arena, files: TermRef) -> Vec<String> {
    let named = terms.proper_list(files).unwrap_or_else(|| vec![files]).into_iter().filter_map(|file| terms.matches(file, Atom::LIBRARY));
    let mut found = Vec::new();
    for [library] in named {
        let (mut parts, mut at) = (Vec::new(), library);
        while let Some([directory, name]) = terms.matches(at, Atom::SLASH) {
            parts.extend(atom_name(program, terms, name));
            at = directory;
        }
        parts.extend(atom_name(program, terms, at));
        parts.reverse();
        found.push(parts.join("/"));
    }
    found
}

fn library_operators(program: &mut Program, terms: &Arena, library: TermRef) {
    let name = match (terms.get(library), terms.matches(library, Atom::SLASH).map(|parts: [TermRef; 2]| parts.map(|part| terms.get(part))))
    {
        (Term::Atom(name), _) => *name,
        (_, Some([Term::Atom(directory), Term::Atom(name)])) => {
            let path = format!("{}/{}", program.atoms.name(*directory), program.atoms.name(*name));
            program.atoms.intern(&path)
        }
        _ => return,
    };
    if !program.libraries.contains(&name) {
        program.libraries.push(name);
    }
    // The systems that call the same library clpz have the same operators.
    let text = match program.atoms.name(name) {
        "clpz" => "clpfd".to_owned(),
        text => text.to_owned(),
    };
    for &(_, priority, fixity, names) in LIBRARY_OPERATORS.iter().filter(|row| row.0 == text) {
        for name in names.split(' ') {
            let atom = program.atoms.intern(name);
            program.operators.add(&program.atoms, priority, fixity, atom).expect("no reserved names");
        }
    }
}

fn atom_name<'a>(program: &'a Program, terms: &Arena, term: TermRef) -> Option<&'a str> {
    match *terms.get(term) {
        Term::Atom(atom) => Some(program.atoms.name(atom)),
        _ => None,
    }
}
