//! The checked plan of `xcute erl`: the modules are read and instrumented, and the functions are among their exports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use xcute_erl::program::{CompilerOption, Modules, Source};
use xcute_erl::vm::{Home, Limits, Vm};

use super::arguments::{ErlArguments, EventsArgument};

/// A campaign over each of these functions.
pub struct ErlPlan {
    pub origin: Origin,
    pub modules: Arc<Modules>,
    /// The module under test.
    pub module: String,
    /// Names and arities.
    pub functions: Vec<(String, u32)>,
    /// Whether a user named the function.
    pub named: bool,
    pub term_depth: Option<u32>,
    pub limits: Limits,
    pub tests: usize,
    pub events: Option<EventsArgument>,
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
    /// Macros, as `NAME` or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
}

impl Origin {
    /// Reads and instruments the modules.
    pub fn load(&self) -> Result<Arc<Modules>> {
        let sources = self.files.iter().map(|file| self.source(file)).collect::<Result<Vec<_>>>()?;
        let home = Arc::new(Home::find()?);
        let mut vm = Vm::start(&home)?;
        Ok(Arc::new(Modules::load(&home, &mut vm, &sources, &self.paths)?))
    }

    fn source(&self, file: &Path) -> Result<Source> {
        if !file.is_file() {
            bail!("cannot read {}: no such file", file.display());
        }
        Ok(match file.extension().and_then(|extension| extension.to_str()) {
            Some("erl") => Source::File(file.to_owned(), self.options()?),
            Some("beam") => Source::Beam(file.to_owned()),
            Some("core") => Source::Core(file.to_owned()),
            _ => bail!("cannot test {}: its name ends in none of .erl, .beam and .core", file.display()),
        })
    }

    /// The options of the compiler.
    fn options(&self) -> Result<Vec<CompilerOption>> {
        let include = self.include.iter().map(|path| Ok(CompilerOption::Include(path.clone())));
        include.chain(self.define.iter().map(|word| define(word))).collect()
    }
}

/// The option that defines a macro.
fn define(word: &str) -> Result<CompilerOption> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value.to_owned())));
    if name.is_empty() {
        bail!("cannot understand --define {word} (write it as in --define SIZE=3)");
    }
    Ok(CompilerOption::Define(name.to_owned(), value))
}

/// Checks a `xcute erl`.
pub fn erl(low: ErlArguments) -> Result<ErlPlan> {
    let whole = |path: &PathBuf| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    let all = |paths: &[PathBuf]| paths.iter().map(whole).collect::<Result<Vec<_>>>();
    let mut files = vec![whole(&low.file)?];
    files.extend(all(&low.with)?);
    let origin = Origin { files, paths: all(&low.paths)?, include: all(&low.include)?, define: low.define };
    let modules = origin.load().with_context(|| format!("cannot test {}", low.file.display()))?;
    let module = modules.atoms.name(modules.followed[0].normal.module.name).to_owned();
    let functions = functions(&modules, low.function.as_deref())?;
    Ok(ErlPlan {
        origin,
        modules,
        module,
        functions,
        named: low.function.is_some(),
        term_depth: low.term_depth,
        limits: Limits { steps: low.steps, time: low.run_time, ..Limits::default() },
        tests: low.tests,
        events: low.events,
    })
}

/// The functions to test: the one that is named, or all that the module exports.
fn functions(modules: &Modules, wanted: Option<&str>) -> Result<Vec<(String, u32)>> {
    let module = &modules.followed[0].normal.module;
    let name = modules.atoms.name(module.name);
    let mut exported: Vec<(String, u32)> =
        module.exports.iter().map(|&(function, arity)| (modules.atoms.name(function).to_owned(), arity)).collect();
    exported.retain(|(function, _)| function != "module_info" && function != "behaviour_info");
    exported.sort();
    let Some(wanted) = wanted else {
        if exported.is_empty() {
            bail!("cannot test {name}: it exports nothing (compile it with +export_all, or add an export)");
        }
        return Ok(exported);
    };
    let plain = wanted.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')).unwrap_or(wanted);
    let (function, arity) = match plain.rsplit_once('/') {
        Some((function, arity)) => {
            let number = arity.parse::<u32>().ok();
            (function, Some(number.with_context(|| format!("cannot understand {wanted} (write it as in reverse/1)"))?))
        }
        None => (plain, None),
    };
    let found: Vec<(String, u32)> =
        exported.iter().filter(|(name, count)| name == function && arity.is_none_or(|arity| arity == *count)).cloned().collect();
    match found.len() {
        1 => Ok(found),
        0 => {
            let near = |other: &&(String, u32)| strsim::damerau_levenshtein(&other.0, function);
            let close = exported.iter().filter(|other| near(other) <= 1 + function.len() / 4).min_by_key(near);
            let hint = close.map(|(name, arity)| format!(" (did you mean {name}/{arity}?)")).unwrap_or_default();
            bail!("the module {name} does not export {wanted}{hint}")
        }
        _ => {
            let list: Vec<String> = found.iter().map(|(name, arity)| format!("{name}/{arity}")).collect();
            bail!("which {function} is meant? The module {name} exports {}", list.join(", "))
        }
    }
}
