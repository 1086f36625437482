//! From an executable that carries its bitcode to a subject that runs.
//!
//! **Invariant.** The modules are linked in the order in which the linker put them into the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use thiserror::Error;
use xcute_trace::SubjectError;

use super::cache::{self, Key};
use super::carried::{self, CarriedError, Kind, Record};
use super::link;
use super::world::World;
use crate::build::compile;
use crate::build::compiled::{CompileError, Compiled, MadeOf};
use crate::build::harness::{HARNESS, MAIN};
use crate::build::unit::Unit;
use crate::instrument::passes;
use crate::prepare::{self, CError};
use crate::run::subject::{CSubject, RunOptions};
use crate::tools::language::Language;
use crate::tools::system;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::Program;
use crate::types::inputs::{Builder, Lengths, TypeTable};

/// Why a program cannot be explored.
#[derive(Debug, Error)]
pub enum WholeError {
    /// Its records cannot be read.
    #[error(transparent)]
    Carried(#[from] CarriedError),
    /// It was not built with us.
    #[error("{} carries no bitcode (build it with CC=\"xcute cc\" CXX=\"xcute c++\")", .0.display())]
    Plain(PathBuf),
    /// It is a library, or its `main` is foreign.
    #[error("{} has no main that carries bitcode (is it a program, and was the file with main built with \"xcute cc\"?)", .0.display())]
    NoMain(PathBuf),
    /// How it was linked could do more than link.
    #[error("the program asks for the linker's flag {0:?}, which could run or write something (if the case is your own, say --trust)")]
    Wild(String),
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] CError),
    /// The instrumented program cannot be made.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It does not start.
    #[error(transparent)]
    Subject(#[from] SubjectError),
}

/// The parts of a program, written to a directory.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The sources and their bitcode.
    pub modules: Vec<(String, PathBuf)>,
    /// Sources that are only there as objects.
    pub foreign: Vec<PathBuf>,
    /// What the linker needs beside the modules.
    pub link: Vec<String>,
    /// Whether some part is C++.
    pub cxx: bool,
    /// How many parameters `main` has.
    pub parameters: u32,
}

impl Parts {
    /// Takes a program apart.
    ///
    /// # Errors
    /// If it carries nothing, or has no `main`.
    pub fn read(program: &Path, dir: &Path) -> Result<Parts, WholeError> {
        let into = dir.join("parts");
        prepare::make(&into)?;
        let mut parts = Parts::default();
        let (mut main, mut n) = (None, 0);
        // The program, and then the libraries that it is linked with and that carry bitcode as well.
        let mut files = vec![real(program)];
        let mut at = 0;
        while let Some(file) = files.get(at).cloned() {
            for Record { head, payload } in carried::read(&file)? {
                n += 1;
                parts.cxx |= head.cxx;
                match head.kind {
                    Kind::Bitcode => {
                        let path = into.join(format!("{n}.bc"));
                        let name = head.source.display().to_string();
                        main = main.or(rename_main(&name, &payload, &path)?);
                        parts.modules.push((name, path));
                    }
                    Kind::Object => {
                        let path = into.join(format!("{n}.o"));
                        prepare::write(&path, &payload)?;
                        parts.link.push(path.display().to_string());
                        parts.foreign.push(head.source.clone());
                    }
                    Kind::Link => {
                        let (words, libraries) = link::again(&head.words, &head.directory);
                        parts.link.extend(words);
                        files.extend(libraries.into_iter().filter(|l| !files.contains(l)).collect::<Vec<_>>());
                    }
                }
            }
            at += 1;
        }
        if parts.modules.is_empty() {
            return Err(WholeError::Plain(program.to_owned()));
        }
        parts.parameters = main.ok_or_else(|| WholeError::NoMain(program.to_owned()))?;
        Ok(parts)
    }
}

/// The executable itself: libtool puts a script in its place, which sets the library path and starts the one in `.libs`.
fn real(program: &Path) -> PathBuf {
    let (Some(name), Some(dir)) = (program.file_name(), program.parent()) else { return program.to_owned() };
    let hidden = dir.join(".libs").join(name);
    let script = std::fs::read(program).is_ok_and(|text| text.starts_with(b"#!"));
    if script && hidden.is_file() { hidden } else { program.to_owned() }
}

/// Writes a module in which `main` has the name that subjects have for it; the number of its parameters, if it is there.
fn rename_main(name: &str, bitcode: &[u8], to: &Path) -> Result<Option<u32>, CompileError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, name);
    let refused = |e: &dyn ToString| CompileError::Llvm { what: name.to_owned(), message: e.to_string() };
    let module = Module::parse_bitcode_from_buffer(&buffer, &context).map_err(|e| refused(&e))?;
    let main = module.get_function("main").filter(|f| f.count_basic_blocks() > 0);
    if let Some(main) = main {
        main.as_global_value().set_name(MAIN);
    }
    if !module.write_bitcode_to_path(to) {
        return Err(CompileError::Io { path: to.to_owned(), error: std::io::Error::last_os_error() });
    }
    Ok(main.map(|f| f.count_params()))
}

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
    prepare::write(&harness, &text)?;
    let native = prepare::read(tools, vec![Unit::of(harness.clone())], &[], dir)?;
    let key = Key::of(parts, text.as_bytes());
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
    prepare::make(&into)?;
    let language = if parts.cxx { Language::Cxx } else { Language::C };
    // Headers of C++ bring so much that compiling it would take most of the time. A library may call back.
    let closed = parts.cxx && parts.link.is_empty();
    let sources = parts.modules.iter().map(|(name, _)| name.clone()).collect();
    let linked = compile::links_more(&parts.link);
    let mut compiled = Compiled { language, closed, sources, linked, ..Compiled::default() };
    let object = into.join("subject.o");
    passes::instrument_files(&modules, &object, &mut compiled, None)?;
    compiled.exe = into.join("subject");
    compile::link(tools, &compiled, &object, &parts.link)?;
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
