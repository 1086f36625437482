//! Programs compiled without instrumentation, for what their debugging information says.

use std::path::{Path, PathBuf};

use super::compile;
use super::spoken::{self, Spoken};
use super::unit::{self, Unit};
use super::words::{self, Words};
use crate::error::CError;
use crate::tools::files::{self, Unwritable};
use crate::tools::headers;
use crate::tools::language::Language;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::Program;

/// What a compilation without instrumentation says.
pub(crate) struct Native {
    /// Types and functions.
    pub program: Program,
    /// The sources with absolute paths.
    pub units: Vec<Unit>,
    /// The words of other tools that they leave undefined; the file with them is in the build directory.
    pub words: Words,
    /// What they say to xcute.
    pub spoken: Spoken,
}

/// Compiles units without instrumentation and reads their debugging information.
pub(crate) fn read(tools: &Toolchain, units: Vec<Unit>, flags: &[String], dir: &Path) -> Result<Native, CError> {
    let compiled = unit::files(&units, dir)?.into_iter().zip(units.iter().map(Unit::flags)).collect::<Vec<_>>();
    let mut objects = native(tools, &compiled, flags, dir, "native")?;
    let sources: Vec<PathBuf> = units.iter().map(|unit| unit.source.clone()).collect();
    let spoken = Spoken::of(&objects, &dir.join("include"));
    let words = Words::needed(&objects, &sources)?;
    if !words.is_empty() {
        let file = dir.join(words::FILE);
        files::write(&file, format!("#include \"xcute.h\"\n{}", words.text()))?;
        // The user's flags may redefine what it is made of.
        objects.extend(native(tools, &[(file, &[])], &compile::calling(flags), dir, "words")?);
    }
    Ok(Native { program: Program::read(&objects)?, units, words, spoken })
}

/// Compiles files, each with flags of its own, without instrumentation into a directory in `dir`, whose `include` gets the headers.
pub(crate) fn native(
    tools: &Toolchain,
    sources: &[(PathBuf, &[&str])],
    flags: &[String],
    dir: &Path,
    into: &str,
) -> Result<Vec<PathBuf>, CError> {
    let (include, objects) = (dir.join("include"), dir.join(into));
    files::make(&objects)?;
    headers::write(&include).map_err(|why| Unwritable { path: include.clone(), why })?;
    let mut jobs = Vec::new();
    for (n, (source, more)) in sources.iter().enumerate() {
        let object = objects.join(format!("{n}.o"));
        // Static functions that nobody calls are emitted as well: one of them may be the entry.
        let mut args: Vec<std::ffi::OsString> =
            ["-g", "-O0", "-fwrapv", "-w", "-femit-all-decls", "-c", "-I"].iter().map(Into::into).collect();
        args.push(include.clone().into());
        args.extend(compile::DEFINES.iter().map(Into::into));
        args.extend(flags.iter().filter(|f| !compile::is_link_flag(f)).map(Into::into));
        args.extend(more.iter().map(Into::into));
        let language = Language::of(source);
        args.extend(language.described().iter().chain(Language::source(source)).map(Into::into));
        args.extend(["-MD".into(), "-MF".into(), spoken::dependencies_of(&object).into()]);
        args.extend([source.into(), "-o".into(), object.clone().into()]);
        jobs.push((source, object, tools.spawn(args)?));
    }
    let mut done = Vec::new();
    for (source, object, job) in jobs {
        job.wait(&source.display().to_string())?;
        done.push(object);
    }
    Ok(done)
}
