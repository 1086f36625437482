//! What there is to test in the sources of a project: the functions of each, and which other sources they need.
//!
//! **Invariant.** The compiler says what is defined and what is missing; nothing is guessed from text. A source that does not compile is listed with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSymbol as _};

use super::described::native;
use crate::error::CError;
use crate::names::MAIN;
use crate::tools::files::Unwritable;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::{Function, Program};

/// A source, as it was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surveyed {
    /// The functions that have parameters, and public methods, in the order of their lines.
    pub functions: Vec<Callable>,
    /// The other sources that have to be linked with it, by their positions.
    pub needs: BTreeSet<usize>,
    /// Why it cannot be looked at.
    pub refused: Option<String>,
}

/// A function that can be an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// Its name.
    pub name: String,
    /// The line of its definition.
    pub line: u32,
    /// Whether other files can call it.
    pub external: bool,
    /// Whether it is a method, whose object is an input.
    pub method: bool,
}

/// What an object gives to others, and wants from them.
#[derive(Default)]
struct Symbols {
    defined: Vec<String>,
    missing: Vec<String>,
}

/// Compiles sources, each with its flags, and says what is in them.
///
/// # Errors
/// Where there is no compiler, or no place to build.
pub fn survey(sources: &[(PathBuf, Vec<String>)]) -> Result<Vec<Surveyed>, CError> {
    let tools = Toolchain::find()?;
    let (mut all, mut symbols) = (Vec::new(), Vec::new());
    for (source, flags) in sources {
        let place = tempfile::tempdir().map_err(|why| Unwritable { path: std::env::temp_dir(), why })?;
        match one(&tools, source, flags, place.path()) {
            Ok((functions, own)) => {
                all.push(Surveyed { functions, ..Surveyed::default() });
                symbols.push(own);
            }
            Err(error) => {
                all.push(Surveyed { refused: Some(error.to_string()), ..Surveyed::default() });
                symbols.push(Symbols::default());
            }
        }
    }
    let mut home: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, own) in symbols.iter().enumerate() {
        own.defined.iter().for_each(|name| _ = home.entry(name).or_insert(at));
    }
    let direct: Vec<BTreeSet<usize>> =
        symbols.iter().map(|own| own.missing.iter().filter_map(|name| home.get(name.as_str()).copied()).collect()).collect();
    for (at, surveyed) in all.iter_mut().enumerate() {
        surveyed.needs = closure(at, &direct);
    }
    Ok(all)
}

fn one(tools: &Toolchain, source: &Path, flags: &[String], dir: &Path) -> Result<(Vec<Callable>, Symbols), CError> {
    let source = source.canonicalize().map_err(|why| CError::Source { path: source.to_owned(), why })?;
    let objects = native(tools, &[(source.clone(), &[])], flags, dir, "survey")?;
    let program = Program::read(&objects)?;
    let mut found: Vec<&Function> = program.functions.iter().filter(|function| is_entry(function, &source)).collect();
    found.sort_by_key(|function| function.line);
    let bytes = std::fs::read(&objects[0]).map_err(|why| CError::Source { path: objects[0].clone(), why })?;
    let callable = |function: &Function| Callable {
        name: function.name.clone(),
        line: function.line,
        external: function.external,
        method: function.class.is_some(),
    };
    Ok((found.into_iter().map(callable).collect(), symbols(&bytes)))
}

/// Whether a function of this source can be an entry by itself.
fn is_entry(function: &Function, source: &Path) -> bool {
    let inputs = function.class.map_or(!function.params.is_empty(), |_| function.public && !makes_or_ends(&function.name));
    inputs && !function.variadic && function.name != MAIN && Path::new(&function.file) == source
}

/// Whether a method is a constructor or a destructor.
fn makes_or_ends(name: &str) -> bool {
    let mut parts = name.rsplit("::");
    let (own, class) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    own.starts_with('~') || own.split('<').next() == class.split('<').next()
}

fn symbols(object: &[u8]) -> Symbols {
    let mut own = Symbols::default();
    for symbol in object::File::parse(object).iter().flat_map(|file| file.symbols()).filter(|symbol| symbol.is_global()) {
        let Ok(name) = symbol.name() else { continue };
        if symbol.is_undefined() { own.missing.push(name.to_owned()) } else { own.defined.push(name.to_owned()) }
    }
    own
}

/// All that one needs, directly or through others, without itself.
fn closure(of: usize, direct: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let (mut all, mut pending) = (BTreeSet::new(), vec![of]);
    while let Some(at) = pending.pop() {
        pending.extend(direct[at].iter().filter(|need| all.insert(**need)));
    }
    all.remove(&of);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_what_they_need() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::write(&path, text).unwrap();
            (path, vec!["-DTWO=2".to_owned()])
        };
        let sources = [
            write(
                "a.c",
                "int b(int);\nstatic int own(int x) { return x; }\nint none(void) { return 1; }\nint a(int x) { return own(x) + b(x) + TWO; }\n",
            ),
            write("b.c", "int c(int);\nint b(int x) { return c(x); }\n"),
            write("c.c", "int c(int x) { return x; }\nint d(const char *f, ...) { return !f; }\n"),
            write("main.c", "int a(int);\nint main(int n, char **v) { return a(n) + !v; }\n"),
            write("wrong.c", "int e(int x) { return y; }\n"),
        ];
        let all = survey(&sources).unwrap();
        let needs = |at: usize| all[at].needs.iter().copied().collect::<Vec<_>>();
        let functions = |at: usize| all[at].functions.iter().map(|one| (one.name.as_str(), one.line, one.external)).collect::<Vec<_>>();
        assert_eq!((functions(0), needs(0)), (vec![("own", 2, false), ("a", 4, true)], vec![1, 2]));
        assert_eq!((functions(2), needs(2)), (vec![("c", 1, true)], vec![]));
        assert_eq!((functions(3), needs(3)), (vec![], vec![0, 1, 2]));
        let methods = write(
            "d.cpp",
            "namespace n {\nclass C {\n  int y = 0;\n  int hidden(int x);\npublic:\n  C(int y);\n  ~C();\n  int take();\n  int add(int x);\n};\nC::C(int y) : y(y) {}\nC::~C() {}\nint C::hidden(int x) { return x; }\nint C::take() { return hidden(y); }\nint C::add(int x) { return y += x; }\n}\n",
        );
        let found: Vec<(String, u32, bool)> =
            survey(&[methods]).unwrap()[0].functions.iter().map(|one| (one.name.clone(), one.line, one.method)).collect();
        assert_eq!(found, [("n::C::take".to_owned(), 14, true), ("n::C::add".to_owned(), 15, true)]);
        assert!(all[4].refused.as_ref().unwrap().contains("wrong.c"), "{:?}", all[4]);
    }
}
