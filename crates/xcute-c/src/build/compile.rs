//! From sources and harness to the instrumented executable.
//!
//! Clang makes bitcode of each file without optimising it (decisions must stay those of the source), the files are linked into one
//! module, [`crate::instrument`] rewrites it, LLVM emits it, and clang links it with the runtime. At first nothing is optimised, so that the search
//! begins soon; where runs turn out to be long the program is compiled again ([`compile_fast`]).
//!
//! **Invariant.** The executable is linked without PIE: the addresses of functions and globals are the same in every run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use xcute_term::profile;

use crate::build::unit::Unit;
use crate::instrument::passes::{self, Code, Locals};
use crate::tools::headers;
use crate::tools::language::Language;
use crate::tools::toolchain::Toolchain;

pub use crate::instrument::compiled::{CompileError, Compiled, MadeOf};

/// What to compile.
#[derive(Clone, Copy, Debug)]
pub struct CompileRequest<'a> {
    /// The generated file that defines `xcute_harness`.
    pub harness: &'a Path,
    /// The sources.
    pub units: &'a [Unit],
    /// The files to compile: one for each unit, and others.
    pub files: &'a [PathBuf],
    /// The user's flags: `-I`, `-D`, `-l` and so on.
    pub flags: &'a [String],
    /// Whether undefined behaviour is a failure.
    pub undefined: bool,
    /// Where results go; the headers are put into its `include`.
    pub dir: &'a Path,
}

/// The runtime's objects, compiled by `build.rs`.
pub(crate) static RUNTIME: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/objects.rs"));

/// What subjects that can create threads get too.
pub(crate) static RUNTIME_THREADS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/threads.rs"));

/// What subjects that cannot create threads get too.
static RUNTIME_SINGLE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/single.rs"));

/// What subjects with C++ get too.
static RUNTIME_CXX: &[(&str, &[u8])] = &[("cxx", include_bytes!(concat!(env!("OUT_DIR"), "/cxx.o")))];

/// How sources become bitcode, models of library functions too: as written, with debugging locations and defined wrap-around.
pub(crate) const BITCODE: &[&str] = include!("compile/bitcode.in");

/// What undefined behaviour is looked for with `--check ub`; the handlers are in `runtimes/c/undefined.c`. Unreachable code and divisions
/// are checked in any case. Where the user says `-fwrapv`, overflow is defined.
pub(crate) const UNDEFINED: &[&str] = &[
    "-fno-wrapv",
    "-fsanitize=signed-integer-overflow,shift,alignment,array-bounds,vla-bound,float-cast-overflow,bool,nonnull-attribute,returns-nonnull-attribute,builtin",
    "-fno-sanitize-recover=all",
    "-fno-sanitize-trap=all",
];

/// What every compilation of a program under test defines, instrumented or not. The last two make the headers of the C library declare its
/// functions instead of bringing bodies along (tables for `ctype.h`, an inline `bsearch`): calls of functions can be given to models.
pub const DEFINES: &[&str] = &["-DXCUTE=1", "-D__NO_CTYPE", "-D__NO_INLINE__=1"];

/// The last two alone, for programs that xcute did not read as sources.
pub(crate) const LIBRARY_DEFINES: &[&str] = &["-D__NO_CTYPE", "-D__NO_INLINE__=1"];

/// Compiles, instruments and links.
///
/// # Errors
/// Where clang refuses a file, or the directory cannot be written.
pub fn compile(tools: &Toolchain, request: &CompileRequest) -> Result<Compiled, CompileError> {
    let dir = request.dir.join("instrumented");
    let include = request.dir.join("include");
    headers::write(&include).map_err(|error| CompileError::Io { path: include.clone(), error })?;
    let language = Language::of_all(request.units.iter().map(|unit| &unit.source));
    // Headers of C++ bring so much that compiling it would take most of the time. A library may call back.
    let closed = language == Language::Cxx && !request.flags.iter().any(|f| is_link_flag(f));
    let sources = request.units.iter().map(|unit| unit.source.display().to_string()).collect();
    let mut compiled = Compiled { language, closed, sources, linked: links_more(request.flags), ..Compiled::default() };
    let mut jobs = Vec::new();
    let calling = calling(request.flags);
    for (n, source) in std::iter::once(request.harness).chain(request.files.iter().map(PathBuf::as_path)).enumerate() {
        let bitcode = dir.join(format!("{n}.bc"));
        make_parent(&bitcode)?;
        // The first is ours, and so is what comes after the units: nothing that the user redefines is meant for them.
        let unit = n.checked_sub(1).and_then(|n| request.units.get(n));
        let mut args: Vec<OsString> = BITCODE.iter().chain(DEFINES).map(OsString::from).collect();
        args.extend(request.undefined.then_some(UNDEFINED).into_iter().flatten().map(OsString::from));
        args.push("-I".into());
        args.push(include.clone().into());
        let flags = if unit.is_some() { request.flags } else { &calling };
        args.extend(flags.iter().filter(|f| !is_link_flag(f)).map(OsString::from));
        args.extend(unit.map_or(&[][..], Unit::flags).iter().map(OsString::from));
        if Language::of(source) == Language::Cxx {
            // Names of inlined functions with their scopes.
            args.extend(["-fdebug-info-for-profiling".into(), "-include".into(), include.join(headers::CXX_H.0).into()]);
        } else if language == Language::Cxx && n == 0 {
            args.push("-fexceptions".into());
        }
        args.extend(Language::source(source).iter().map(OsString::from));
        args.extend([source.into(), "-o".into(), bitcode.clone().into()]);
        jobs.push((source.display().to_string(), bitcode, tools.spawn(args)?));
    }
    let mut bitcode = Vec::new();
    for (name, path, job) in jobs {
        compiled.warnings += &job.wait(&name)?;
        bitcode.push((name, path));
    }
    let object = dir.join("subject.o");
    let objects = passes::instrument_files(&bitcode, &object, &mut compiled, Code::Quick)?;
    compiled.exe = dir.join("subject");
    let flags: Vec<String> = request.flags.iter().filter(|f| is_link_flag(f)).cloned().collect();
    link(tools, &compiled, &objects, &flags)?;
    compiled.made_of = Some(MadeOf { bitcode, flags, dir: dir.to_owned() });
    Ok(compiled)
}

/// Compiles a program again, so that it runs fast.
///
/// # Errors
/// As [`compile`]; [`CompileError::NotKept`] where the parts of the program no longer exist.
pub fn compile_fast(tools: &Toolchain, compiled: &Compiled) -> Result<Compiled, CompileError> {
    let again = Again::of(compiled, "fast")?;
    let mut fast = again.begin(compiled);
    let objects = again.instrument(&mut fast, Code::Fast)?;
    link(tools, &fast, &objects, &again.made_of.flags)?;
    fast.made_of = compiled.made_of.clone();
    Ok(fast)
}

/// Instruments a program again, so that all its memory is followed.
///
/// # Errors
/// As [`compile`]; [`CompileError::NotKept`] where the parts of the program no longer exist.
pub fn compile_followed(tools: &Toolchain, compiled: &Compiled) -> Result<Compiled, CompileError> {
    let again = Again::of(compiled, "followed")?;
    let mut followed = again.begin(compiled);
    let mut objects = again.instrument(&mut followed, Code::Followed(Locals::InMemory))?;
    if followed.sites != compiled.sites {
        // Something is a decision only where a local is in memory; then it must not be.
        followed = again.begin(compiled);
        objects = again.instrument(&mut followed, Code::Followed(Locals::InRegisters))?;
    }
    link(tools, &followed, &objects, &again.made_of.flags)?;
    Ok(followed)
}

/// A program that is built in another way as well.
struct Again<'a> {
    made_of: &'a MadeOf,
    object: PathBuf,
}

impl<'a> Again<'a> {
    fn of(compiled: &'a Compiled, name: &str) -> Result<Again<'a>, CompileError> {
        let made_of = compiled.made_of.as_ref().ok_or(CompileError::NotKept)?;
        let object = made_of.dir.join(name).join("subject.o");
        make_parent(&object)?;
        Ok(Again { made_of, object })
    }

    fn begin(&self, compiled: &Compiled) -> Compiled {
        Compiled {
            language: compiled.language,
            closed: compiled.closed,
            sources: compiled.sources.clone(),
            linked: compiled.linked,
            exe: self.object.with_extension(""),
            ..Compiled::default()
        }
    }

    fn instrument(&self, compiled: &mut Compiled, code: Code) -> Result<Vec<PathBuf>, CompileError> {
        passes::instrument_files(&self.made_of.bitcode, &self.object, compiled, code)
    }
}

/// Links instrumented objects with the runtime, whose objects are put next to the executable.
pub(crate) fn link(tools: &Toolchain, compiled: &Compiled, objects: &[PathBuf], flags: &[String]) -> Result<(), CompileError> {
    let _phase = profile::phase("linking");
    let exe = &compiled.exe;
    let dir = exe.parent().unwrap_or(Path::new("."));
    // Symbols are bound at the start: what is bound during a run would be undone after it, and bound again in the next.
    let mut args: Vec<OsString> = vec!["-no-pie".into(), "-Wl,-z,now".into(), "-o".into(), exe.into()];
    args.extend(objects.iter().map(OsString::from));
    args.extend(compiled.language.link().iter().map(OsString::from));
    let cxx = if compiled.language == Language::Cxx { RUNTIME_CXX } else { &[] };
    let threads = if compiled.threads { RUNTIME_THREADS } else { RUNTIME_SINGLE };
    for (name, bytes) in RUNTIME.iter().chain(threads).chain(cxx) {
        let path = dir.join(format!("rt-{name}.o"));
        write(&path, bytes)?;
        args.push(path.into());
    }
    args.extend(flags.iter().map(OsString::from));
    args.push("-lm".into());
    tools.run("the program", args)?;
    Ok(())
}

/// Flags that are for the linker only: clang would warn of them when it compiles.
pub(crate) fn is_link_flag(flag: &str) -> bool {
    let library = Path::new(flag).extension().is_some_and(|e| e == "a" || e == "o" || e == "so");
    flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || (library && !flag.starts_with('-'))
}

/// Of the user's flags, those that decide how functions are called: they are meant for our own files, too.
pub(crate) fn calling(flags: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        if flag.starts_with("-m") || flag.starts_with("--target=") {
            out.push(flag.clone());
        } else if flag == "-target" {
            out.push(flag.clone());
            out.extend(rest.next().cloned());
        }
    }
    out
}

/// Libraries that know nothing of a program.
const STANDARD: &[&str] = &["-lm", "-lc", "-lpthread", "-ldl", "-lrt", "-lutil", "-lgcc", "-lgcc_s", "-lstdc++", "-latomic"];

/// Whether words for the linker bring code that may know the program.
pub(crate) fn links_more(words: &[String]) -> bool {
    let code = |word: &String| is_link_flag(word) && !word.starts_with("-L") && !word.starts_with("-Wl,");
    words.iter().any(|word| code(word) && !STANDARD.contains(&word.as_str()))
}

fn make_parent(path: &Path) -> Result<(), CompileError> {
    let parent = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|error| CompileError::Io { path: parent.to_owned(), error })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), CompileError> {
    make_parent(path)?;
    std::fs::write(path, bytes).map_err(|error| CompileError::Io { path: path.to_owned(), error })
}

#[cfg(test)]
pub(crate) mod tests;
