//! From an executable that carries its bitcode to a subject that runs.
//!
//! **Invariant.** The modules are linked in the order of the `Parts`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache;
use super::parts::{Parts, WholeError};
use super::world::World;
use crate::build::compile;
use crate::build::described::read;
use crate::build::unit::Unit;
use crate::error::CError;
use crate::instrument::compiled::{CompileError, Compiled, MadeOf};
use crate::instrument::passes::{self, Code};
use crate::names::HARNESS;
use crate::prepare;
use crate::run::subject::{CSubject, RunOptions};
use crate::tools::files;
use crate::tools::language::Language;
use crate::tools::system;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::Program;
use crate::types::inputs::{Builder, Lengths, TypeTable};

/// What to explore.
#[derive(Debug)]
pub struct WholeOptions {
    /// The program.
    pub program: PathBuf,
    /// Its surroundings.
    pub world: World,
    /// Budgets of a run.
    pub run: RunOptions,
    /// Where to build.
    pub dir: PathBuf,
}

/// A program made ready.
pub struct Whole {
    /// What runs the cases.
    pub subject: CSubject,
    /// Its parts.
    pub parts: Parts,
    /// The tools that built it.
    pub tools: Toolchain,
}

/// Makes a program ready.
///
/// # Errors
/// Where it carries nothing, or cannot be built.
pub fn prepare(options: &WholeOptions) -> Result<Whole, WholeError> {
    let tools = Toolchain::find().map_err(CError::from)?;
    let parts = Parts::read(&options.program, &options.dir)?;
    let (compiled, program) = instrument(&tools, &parts, &options.world, &options.dir)?;
    let table = table(&program, &compiled)?;
    let subject = CSubject::start(Arc::new(compiled), table, options.run.clone())?.describing(&program);
    Ok(Whole { subject, parts, tools })
}

/// Builds the instrumented program; the types are those of the harness.
fn instrument(tools: &Toolchain, parts: &Parts, world: &World, dir: &Path) -> Result<(Compiled, Program), WholeError> {
    let harness = dir.join("harness.c");
    let text = world.harness(parts.parameters);
    files::write(&harness, &text)?;
    let native = read(tools, vec![Unit::of(harness.clone())], &[], dir)?;
    let key = cache::key(parts, text.as_bytes());
    // What it is made of is known, should it be built in another way as well.
    let modules = |bitcode: PathBuf| [(harness.display().to_string(), bitcode)].into_iter().chain(parts.modules.iter().cloned()).collect();
    let made_of = |bitcode: PathBuf| Some(MadeOf { bitcode: modules(bitcode), flags: parts.link.clone(), dir: dir.to_owned() });
    if let Some((compiled, bitcode)) = cache::find(&key) {
        return Ok((Compiled { made_of: made_of(bitcode), ..compiled }, native.program));
    }
    let bitcode = dir.join("harness.bc");
    let mut args: Vec<std::ffi::OsString> = compile::BITCODE.iter().chain(compile::DEFINES).map(Into::into).collect();
    // The build directory has another name each time.
    args.push(format!("-ffile-prefix-map={}={}", dir.display(), system::GENERATED).into());
    args.extend(["-w".into(), "-I".into(), dir.join("include").into(), harness.clone().into(), "-o".into(), bitcode.clone().into()]);
    tools.run("the harness", args).map_err(CompileError::from)?;

    let modules: Vec<(String, PathBuf)> = modules(bitcode.clone());
    let into = dir.join("instrumented");
    files::make(&into)?;
    let language = if parts.cxx { Language::Cxx } else { Language::C };
    // Headers of C++ bring so much that compiling it would take most of the time. A library may call back.
    let closed = parts.cxx && parts.link.is_empty();
    let sources = parts.modules.iter().map(|(name, _)| name.clone()).collect();
    let linked = compile::links_more(&parts.link);
    let mut compiled = Compiled { language, closed, sources, linked, ..Compiled::default() };
    let object = into.join("subject.o");
    let objects = passes::instrument_files(&modules, &object, &mut compiled, Code::Fast)?;
    compiled.exe = into.join("subject");
    compile::link(tools, &compiled, &objects, &parts.link)?;
    let compiled = cache::keep(&key, compiled, &bitcode);
    Ok((Compiled { made_of: made_of(bitcode), ..compiled }, native.program))
}

/// The types of the inputs: all are asked for by the harness.
fn table(program: &Program, compiled: &Compiled) -> Result<TypeTable, WholeError> {
    let lengths = Lengths::default();
    let excluded = [HARNESS];
    let mut builder = Builder::new(program, &lengths, &excluded);
    prepare::ask(&mut builder, compiled, |key| program.input(&key.function, u64::from(key.number)).map(|v| v.of))?;
    Ok(builder.finish())
}
