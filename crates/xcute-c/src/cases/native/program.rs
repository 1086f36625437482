//! A program without instrumentation, compiled once for each purpose: plainly, with a sanitizer, or to be held to an order of its threads.
//!
//! It is made of the program's own units, of the harness that was explored, and of `runtimes/c/native`, which gives it the inputs of a case. So no case costs a
//! compilation.
//!
//! **Invariant.** Every unit is compiled with the user's flags and nothing of ours but `-DXCUTE`, debugging information and defined wrap-around.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::data::Symbols;
use super::ordered::Modules;
use super::sanitizers::Sanitizer;
use crate::build::compile;
use crate::build::compiled::CompileError;
use crate::build::unit::{self, Unit};
use crate::names::MAIN;
use crate::tools::files::Unwritable;
use crate::tools::headers;
use crate::tools::language::Language;
use crate::tools::toolchain::{Toolchain, ToolchainError};
use xcute_term::Interrupt;

/// The native runtime, compiled by `build.rs`.
static RUNTIME: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/native.rs"));

/// Its parts.
const PLAIN: &[&str] = &["native-case", "native-clock", "native-ends", "native-place", "native-start"];
/// The same for programs that are held to an order, which have a time of their own.
const ORDERED: &[&str] = &["native-case", "native-ends", "native-place", "native-start"];

/// What is compiled, and what was.
#[derive(Debug)]
pub struct NativeProgram {
    /// The sources.
    pub units: Vec<Unit>,
    /// The file that defines `xcute_harness`.
    pub harness: PathBuf,
    /// The file with words of other tools, if the program needs some.
    pub words: Option<PathBuf>,
    /// The user's flags, with absolute paths.
    pub flags: Vec<String>,
    /// Whether the harness calls the program's `main`.
    pub calls_main: bool,
    /// The compiler.
    pub tools: Toolchain,
    /// Where things are built; its `include` holds our headers.
    pub dir: PathBuf,
    /// Executables by what they are for; what could not be built is not tried again.
    pub built: Built,
}

/// The executables of a program.
#[derive(Debug, Default)]
pub struct Built {
    done: Mutex<BTreeMap<String, Option<PathBuf>>>,
    symbols: Mutex<BTreeMap<PathBuf, Symbols>>,
    /// Whether the program only links if its inline functions are defined where they are written.
    inline: AtomicBool,
}

impl Built {
    /// The flags by which a program links that has functions of C99 which are `inline` and defined nowhere else: an unoptimised build needs their bodies.
    #[must_use]
    pub fn inline(&self) -> &'static [&'static str] {
        if self.inline.load(Ordering::Relaxed) { &DEFINE_INLINE } else { &[] }
    }
}

/// Inline functions are defined in each unit, and any of these definitions is as good as the others.
const DEFINE_INLINE: [&str; 2] = ["-fgnu89-inline", "-Wl,-z,muldefs"];

/// A file to compile: its object, and the compiler's arguments for it.
struct Job {
    name: String,
    object: PathBuf,
    args: Vec<OsString>,
}

impl NativeProgram {
    /// The language of the program.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::of_all(self.units.iter().map(|unit| &unit.source))
    }

    /// The program as it is.
    ///
    /// # Errors
    /// If clang refuses it, or it is to stop.
    pub fn plain(&self, stop: &Interrupt) -> Result<PathBuf, CompileError> {
        let exe = self.dir.join("native-plain");
        if lock(&self.built.done).contains_key("plain") {
            return Ok(exe);
        }
        self.build(&exe, "plain", &[], stop)?;
        lock(&self.built.done).insert("plain".to_owned(), Some(exe.clone()));
        Ok(exe)
    }

    /// The program with a sanitizer; `None` if it cannot be built.
    pub(crate) fn checked(&self, sanitizer: &Sanitizer, stop: &Interrupt) -> Option<PathBuf> {
        let name = sanitizer.clang.concat();
        if let Some(known) = lock(&self.built.done).get(&name) {
            return known.clone();
        }
        let exe = self.dir.join(format!("native-checked-{}", lock(&self.built.done).len()));
        let clang = self.build(&exe, &name, sanitizer.clang, stop);
        let built = clang.is_ok() || (!sanitizer.gcc.is_empty() && !stop.raised() && self.build_with_gcc(&exe, sanitizer.gcc));
        if stop.raised() {
            return built.then_some(exe);
        }
        let exe = built.then_some(exe);
        lock(&self.built.done).insert(name, exe.clone());
        exe
    }

    /// The program so that it can be held to an order of its threads; with a sanitizer, if there is one to be used.
    ///
    /// # Errors
    /// If clang refuses it.
    pub(crate) fn ordered(&self, sanitizer: Option<&Sanitizer>, stop: &Interrupt) -> Result<PathBuf, CompileError> {
        // What works on source text has flags of its own.
        let own = sanitizer.filter(|s| s.attribute().is_none()).map_or(&[][..], |s| s.clang);
        let kind = sanitizer.map_or("plain", |s| s.attribute().unwrap_or("source"));
        let name = format!("ordered-{kind}{}", own.concat());
        if let Some(Some(known)) = lock(&self.built.done).get(&name) {
            return Ok(known.clone());
        }
        let exe = self.dir.join(format!("ordered-{kind}-{}", lock(&self.built.done).len()));
        let mut bitcode = Vec::new();
        let jobs = self.jobs(&exe, "bc", |unit| {
            let mut args: Vec<OsString> = compile::BITCODE.iter().chain(compile::LIBRARY_DEFINES).map(OsString::from).collect();
            args.push("-w".into());
            args.extend(own.iter().map(OsString::from));
            if unit.is_some_and(|unit| unit.language() == Language::Cxx) {
                args.extend(["-include".into(), self.dir.join("include").join(headers::CXX_H.0).into()]);
            }
            args
        })?;
        for job in &jobs {
            bitcode.push((job.name.clone(), job.object.clone()));
        }
        self.run(jobs, stop)?;
        let mut link: Vec<String> = self.flags.iter().filter(|f| compile::is_link_flag(f)).cloned().collect();
        for object in self.runtime(ORDERED)? {
            link.push(object.to_string_lossy().into_owned());
        }
        let modules = Modules { bitcode: &bitcode, link: &link, language: self.language(), dir: &self.dir };
        modules.build(&self.tools, sanitizer, &exe)?;
        lock(&self.built.done).insert(name, Some(exe.clone()));
        Ok(exe)
    }

    /// The functions of an executable.
    pub(super) fn symbols(&self, exe: &Path) -> Symbols {
        lock(&self.built.symbols).entry(exe.to_owned()).or_insert_with(|| Symbols::of(exe)).clone()
    }

    fn build(&self, exe: &Path, name: &str, extra: &[&str], stop: &Interrupt) -> Result<(), CompileError> {
        let refused = match self.attempt(exe, name, extra, stop) {
            Err(CompileError::Toolchain(ToolchainError::Refused { what, messages })) => ToolchainError::Refused { what, messages },
            done => return done,
        };
        let tried = self.language() != Language::C || self.built.inline.swap(true, Ordering::Relaxed);
        if tried || self.attempt(exe, name, extra, stop).is_err() {
            self.built.inline.fetch_and(tried, Ordering::Relaxed);
            return Err(refused.into());
        }
        Ok(())
    }

    fn attempt(&self, exe: &Path, name: &str, extra: &[&str], stop: &Interrupt) -> Result<(), CompileError> {
        let jobs = self.jobs(exe, "o", |unit| native_flags(unit, extra))?;
        let objects: Vec<PathBuf> = jobs.iter().map(|job| job.object.clone()).collect();
        self.run(jobs, stop)?;
        let mut args: Vec<OsString> = self.language().link().iter().chain(extra).map(OsString::from).collect();
        args.extend(self.link(exe, &objects)?);
        let _ = self.tools.spawn(args)?.wait_until(&format!("the {name} program"), stop)?;
        Ok(())
    }

    /// Builds the program with gcc, whose sanitizers may be there where clang's are not.
    fn build_with_gcc(&self, exe: &Path, extra: &[&str]) -> bool {
        let Ok(jobs) = self.jobs(exe, "o", |unit| native_flags(unit, extra)) else { return false };
        let run = |args: &[OsString]| {
            let compiler = self.language().gnu();
            Command::new(compiler).args(args).stdin(std::process::Stdio::null()).output().is_ok_and(|o| o.status.success())
        };
        let objects: Vec<PathBuf> = jobs.iter().map(|job| job.object.clone()).collect();
        let Ok(link) = self.link(exe, &objects) else { return false };
        let link: Vec<OsString> = extra.iter().map(OsString::from).chain(link).collect();
        jobs.iter().all(|job| run(&job.args)) && run(&link)
    }

    /// What links objects.
    fn link(&self, exe: &Path, objects: &[PathBuf]) -> Result<Vec<OsString>, CompileError> {
        let mut args: Vec<OsString> = vec!["-w".into(), "-o".into(), exe.into(), "-Wl,--wrap=main".into()];
        args.extend(self.built.inline().iter().map(OsString::from));
        args.extend(self.calls_main.then(|| format!("-Wl,--defsym={MAIN}=__real_main").into()));
        args.extend(objects.iter().cloned().chain(self.runtime(PLAIN)?).map(OsString::from));
        args.extend(self.flags.iter().map(OsString::from));
        args.push("-lm".into()); // as the instrumented program
        Ok(args)
    }

    /// The compilations of all files; `own` are the flags before those of the user.
    fn jobs(&self, exe: &Path, extension: &str, own: impl Fn(Option<&Unit>) -> Vec<OsString>) -> Result<Vec<Job>, CompileError> {
        let files = unit::files(&self.units, &self.dir).map_err(|Unwritable { path, why }| CompileError::Io { path, error: why })?;
        let calling = compile::calling(&self.flags);
        let ours = [&self.harness].into_iter().chain(&self.words).map(|file| (None, file));
        let all = self.units.iter().map(Some).zip(&files).chain(ours);
        let mut jobs = Vec::new();
        for (n, (unit, file)) in all.enumerate() {
            let object = exe.with_extension(format!("{n}.{extension}"));
            let mut args = own(unit);
            args.extend(["-DXCUTE=2".into(), "-I".into(), self.dir.join("include").into()]);
            let flags = if unit.is_some() { &self.flags } else { &calling };
            args.extend(self.built.inline().iter().filter(|flag| !flag.starts_with("-Wl")).map(OsString::from));
            args.extend(flags.iter().filter(|f| !compile::is_link_flag(f)).map(OsString::from));
            args.extend(unit.map_or(&[][..], Unit::flags).iter().map(OsString::from));
            if unit.is_none() {
                // Exceptions of C++ pass through.
                args.extend(["-std=gnu17", "-fexceptions"].map(OsString::from));
            }
            args.extend(Language::source(file).iter().map(OsString::from));
            args.extend(["-c".into(), file.into(), "-o".into(), object.clone().into()]);
            let name = unit.map_or(file, |unit| &unit.source).display().to_string();
            jobs.push(Job { name, object, args });
        }
        Ok(jobs)
    }

    fn run(&self, jobs: Vec<Job>, stop: &Interrupt) -> Result<(), ToolchainError> {
        let mut begun = Vec::new();
        for job in jobs {
            begun.push((job.name, self.tools.spawn(job.args)?));
        }
        // All are waited for, also after one was refused.
        let ended: Vec<_> = begun.into_iter().map(|(name, job)| job.wait_until(&name, stop)).collect();
        ended.into_iter().try_for_each(|result| result.map(drop))
    }

    /// The objects of the runtime, which are put into the build directory.
    fn runtime(&self, parts: &[&str]) -> Result<Vec<PathBuf>, CompileError> {
        let mut out = Vec::new();
        for (name, bytes) in RUNTIME.iter().filter(|(name, _)| parts.contains(name)) {
            let path = self.dir.join(format!("{name}.o"));
            if !path.exists() {
                std::fs::write(&path, bytes).map_err(|error| CompileError::Io { path: path.clone(), error })?;
            }
            out.push(path);
        }
        Ok(out)
    }
}

/// A library that makes any program say how it fails; `None` if it cannot be built.
pub(crate) fn reporter(tools: &Toolchain, dir: &Path) -> Option<PathBuf> {
    const PARTS: [&str; 3] = ["native-clock", "native-ends", "native-place"];
    let library = dir.join("reporter.so");
    let mut args: Vec<OsString> = vec!["-shared".into(), "-o".into(), library.clone().into()];
    for (name, bytes) in RUNTIME.iter().filter(|(name, _)| PARTS.contains(name)) {
        let path = dir.join(format!("{name}.o"));
        std::fs::write(&path, bytes).ok()?;
        args.push(path.into());
    }
    tools.run("the reporter", args).ok()?;
    Some(library)
}

fn native_flags(unit: Option<&Unit>, extra: &[&str]) -> Vec<OsString> {
    let plain = ["-g", "-O0", "-w", "-fwrapv", "-fno-omit-frame-pointer"].iter().chain(extra).map(OsString::from);
    // What a recorded run used was alive.
    plain.chain(unit.is_none().then(|| "-D__xcute_alive(at)=1".into())).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Maps are whole whatever panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
