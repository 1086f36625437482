//! The parts of an executable that carries its bitcode, and why it cannot be explored.
//!
//! **Invariant.** The modules are in the order in which the linker put them into the program.

use std::path::{Path, PathBuf};

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use thiserror::Error;
use xcute_trace::SubjectError;

use super::carried::{self, CarriedError, Kind, Record};
use super::link;
use crate::error::CError;
use crate::instrument::compiled::CompileError;
use crate::names::MAIN;
use crate::tools::files::{self, Unwritable};

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
    /// The build directory cannot be used.
    #[error(transparent)]
    Directory(#[from] Unwritable),
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
    /// What the linker needs besides the modules.
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
        files::make(&into)?;
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
                        files::write(&path, &payload)?;
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
