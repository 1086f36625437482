//! The checked plan of `xcute erl`: the modules are read and instrumented, and the functions are among their exports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use xcute_erl::program::{CONTRACT, CompilerOption, Contract, Modules, Source};
use xcute_erl::vm::{Home, Limits, Vm};

use super::application::{Application, directory_of};
use super::arguments::{ErlArguments, EventsArgument};
use super::erlang_mk;
use super::quoted::quoted;
use crate::talk;
use crate::temporary;

/// A campaign over each of these functions.
pub struct ErlPlan {
    pub origin: Origin,
    pub modules: Arc<Modules>,
    /// What the functions belong to: a module, or the directory of an application.
    pub of: String,
    pub functions: Vec<Tested>,
    /// Whether a user named the function.
    pub named: bool,
    pub term_depth: Option<u32>,
    pub limits: Limits,
    pub tests: usize,
    pub events: Option<EventsArgument>,
}

/// A function to test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Tested {
    pub module: String,
    pub function: String,
    pub arity: u32,
}

/// Where the modules come from: all that is needed to read them again.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Origin {
    /// The files, with their whole paths: the module under test first.
    pub files: Vec<PathBuf>,
    /// Directories with object files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathBuf>,
    /// Directories with header files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<PathBuf>,
    /// Configurations of rebar3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub configs: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// What must hold around the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Holds>,
}

/// Functions that must hold: of the module under test.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Holds {
    /// The function under test.
    pub tested: Tested,
    /// A function of the arguments.
    pub pre: Option<String>,
    /// A function of the arguments and the value.
    pub post: Option<String>,
}

impl Holds {
    /// The module around the function, written to a directory.
    fn write(&self, directory: &Path) -> Result<PathBuf> {
        let word = |name: &String| quoted(name);
        let Tested { module, function, arity } = &self.tested;
        let (pre, post) = (self.pre.as_ref().map(word), self.post.as_ref().map(word));
        let contract = Contract { module: quoted(module), function: quoted(function), arity: *arity, pre, post };
        let file = directory.join(format!("{CONTRACT}.erl"));
        std::fs::write(&file, contract.text()).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }
}

impl Origin {
    /// Reads and instruments the modules.
    pub fn load(&self) -> Result<Arc<Modules>> {
        let mut sources = self.files.iter().map(|file| self.source(file)).collect::<Result<Vec<_>>>()?;
        let home = Arc::new(Home::find()?);
        let directory = temporary::directory()?;
        if let Some(contract) = &self.contract {
            sources.push(Source::File(contract.write(directory.path())?, Vec::new()));
        }
        let vm = Vm::start(&home)?;
        Ok(Arc::new(Modules::load(&home, vm, &sources, &self.paths)?))
    }

    fn source(&self, file: &Path) -> Result<Source> {
        if !file.is_file() {
            bail!("cannot read {}: no such file", file.display());
        }
        Ok(match file.extension().and_then(|extension| extension.to_str()) {
            Some("erl") => Source::File(file.to_owned(), self.options(file)?),
            Some("beam") => Source::Beam(file.to_owned()),
            Some("core") => Source::Core(file.to_owned()),
            _ => bail!("cannot test {}: its name ends in none of .erl, .beam and .core", file.display()),
        })
    }

    /// The options of the compiler for a file. Headers of its own application come before those of others.
    fn options(&self, file: &Path) -> Result<Vec<CompilerOption>> {
        let home = directory_of(file);
        let foreign = |directory: &Path| {
            let mut others = self.files.iter().filter_map(|file| directory_of(file));
            !home.is_some_and(|home| directory.starts_with(home)) && others.any(|other| directory.starts_with(other))
        };
        let (others, own): (Vec<&PathBuf>, Vec<&PathBuf>) = self.include.iter().partition(|directory| foreign(directory));
        let mut options: Vec<CompilerOption> = own.into_iter().chain(others).map(|path| CompilerOption::Include(path.clone())).collect();
        for config in self.configs.iter().filter(|config| config.parent().is_some_and(|directory| file.starts_with(directory))) {
            if config.ends_with("Makefile") {
                options.extend(erlang_mk::options(config)?);
            } else {
                options.push(CompilerOption::Config(config.clone()));
            }
        }
        for word in &self.define {
            let defined = CompilerOption::define(word);
            options.push(defined.with_context(|| format!("cannot understand --define {word} (write it as in --define SIZE=3)"))?);
        }
        Ok(options)
    }
}

/// Checks a `xcute erl`.
pub fn erl(low: ErlArguments) -> Result<ErlPlan> {
    let whole = |path: &PathBuf| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    let all = |paths: &[PathBuf]| paths.iter().map(whole).collect::<Result<Vec<_>>>();
    let file = whole(&low.file)?;
    let application = if file.is_dir() { Some(Application::find(&file)?) } else { None };
    let Application { sources, include, paths, configs } = application.clone().unwrap_or_else(|| Application::of_file(&file));
    let tested = if application.is_some() { sources.len() } else { 1 };
    let (mut files, mut includes, mut code) = (sources, all(&low.include)?, all(&low.paths)?);
    files.extend(all(&low.with)?);
    includes.extend(include);
    code.extend(paths);
    for (file, what) in erlang_mk::unread(&configs) {
        talk::say(&format!("{what} in ERLC_OPTS of {} is not evaluated (--define and --include say what it says)", file.display()));
    }
    let mut origin = Origin { files, paths: code, include: includes, configs, define: low.define, contract: None };
    let mut loaded = origin.load();
    if loaded.is_err() && application.is_none() && origin.files.len() > 1 + low.with.len() {
        // A module next to it that does not compile must not keep it from being tested.
        let alone = Origin { files: [&origin.files[..1], &origin.files[origin.files.len() - low.with.len()..]].concat(), ..origin.clone() };
        if let Ok(modules) = alone.load() {
            (loaded, origin) = (Ok(modules), alone);
        }
    }
    let mut modules = loaded.with_context(|| format!("cannot test {}", low.file.display()))?;
    let first = modules.atoms.name(modules.followed[0].normal.module.name).to_owned();
    let of = if application.is_some() { low.file.display().to_string() } else { first };
    let functions = functions(&modules, tested, &of, low.function.as_deref())?;
    if let ([one], true) = (&functions[..], low.pre.is_some() || low.post.is_some()) {
        for (option, name, arity) in [("--pre", &low.pre, one.arity), ("--post", &low.post, one.arity + 1)] {
            let Some(name) = name else { continue };
            let exported = Tested { module: one.module.clone(), function: name.clone(), arity };
            if !exports(&modules, &exported) {
                bail!("cannot use {option} {name}: {} does not export {name}/{arity}", one.module);
            }
        }
        origin.contract = Some(Holds { tested: one.clone(), pre: low.pre, post: low.post });
        modules = origin.load()?;
    }
    Ok(ErlPlan {
        origin,
        modules,
        of,
        functions,
        named: low.function.is_some(),
        term_depth: low.term_depth,
        limits: Limits { steps: low.steps, time: low.run_time, ..Limits::default() },
        tests: low.tests,
        events: low.events,
    })
}

/// Whether a module exports a function.
fn exports(modules: &Modules, wanted: &Tested) -> bool {
    let module =
        modules.followed.iter().map(|followed| &followed.normal.module).find(|module| modules.atoms.name(module.name) == wanted.module);
    module.is_some_and(|module| {
        module.exports.iter().any(|&(name, arity)| modules.atoms.name(name) == wanted.function && arity == wanted.arity)
    })
}

/// The functions to test: the one that is named, or all that the first modules export.
fn functions(modules: &Modules, tested: usize, of: &str, wanted: Option<&str>) -> Result<Vec<Tested>> {
    let name = |atom| modules.atoms.name(atom).to_owned();
    let mut exported: Vec<Tested> = Vec::new();
    for followed in &modules.followed[..tested] {
        let module = &followed.normal.module;
        let functions =
            module.exports.iter().map(|&(function, arity)| Tested { module: name(module.name), function: name(function), arity });
        exported.extend(functions);
    }
    exported.retain(|tested| !matches!(tested.function.as_str(), "module_info" | "behaviour_info"));
    exported.sort();
    let Some(wanted) = wanted else {
        if exported.is_empty() {
            bail!("cannot test {of}: it exports nothing (compile it with +export_all, or add an export)");
        }
        return Ok(exported);
    };
    let own = |module: &str| exported.iter().any(|tested| tested.module == module);
    let (module, plain) = match wanted.split_once(':') {
        Some((module, rest)) if own(module) => (Some(module), rest),
        _ => (None, wanted),
    };
    let (function, arity) = match plain.rsplit_once('/') {
        Some((function, arity)) => {
            let number = arity.parse::<u32>().ok();
            (function, Some(number.with_context(|| format!("cannot understand {wanted} (write it as in reverse/1)"))?))
        }
        None => (plain, None),
    };
    let meant = |tested: &&Tested| {
        tested.function == function
            && arity.is_none_or(|arity| arity == tested.arity)
            && module.is_none_or(|module| module == tested.module)
    };
    let found: Vec<Tested> = exported.iter().filter(meant).cloned().collect();
    let several = tested > 1;
    let shown = |tested: &Tested| tested.name(several);
    match found.len() {
        1 => Ok(found),
        0 => {
            let hint = xcute_suggest::hint(xcute_suggest::nearest_by(function, &exported, |other| &other.function).map(shown));
            let what = if several { "no module of" } else { "the module" };
            let does = if several { "exports" } else { "does not export" };
            bail!("{what} {of} {does} {wanted}{hint}")
        }
        _ => {
            let list: Vec<String> = found.iter().map(shown).collect();
            let what = if several { "The modules of" } else { "The module" };
            let verb = if several { "export" } else { "exports" };
            bail!("which {function} is meant? {what} {of} {verb} {}", list.join(", "))
        }
    }
}

impl Tested {
    /// The name as it is typed, with the module where there are several.
    pub fn name(&self, with_module: bool) -> String {
        let plain = format!("{}/{}", self.function, self.arity);
        if with_module { format!("{}:{plain}", self.module) } else { plain }
    }
}
