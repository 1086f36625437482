//! Failures of whole programs repeated: on the executable that the user's build made, and where a plain run shows nothing, on its own
//! bitcode compiled with the sanitizer that knows the kind.
//!
//! **Invariant.** Nothing that was instrumented by us is run here, and nothing outside of a scratch directory is written.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use xcute_trace::{Failure, FailureKind};

use super::build::{Parts, WholeError};
use super::launch::Launch;
use crate::compile::CompileError;
use crate::harness::MAIN;
use crate::native::sanitizers::{self, Sanitizer};
use crate::native::{self, Limits, Run, Start, Verdict};
use crate::scratch::Scratch;
use crate::toolchain::Toolchain;

/// A program whose launches can be repeated.
#[derive(Debug)]
pub struct Repeater {
    /// The program.
    pub program: PathBuf,
    /// Its parts; `None` until they are needed.
    pub parts: Option<Parts>,
    /// The compiler.
    pub tools: Toolchain,
    /// Where things are built.
    pub dir: PathBuf,
    /// The directory whose copy it runs in; `None`: an empty one.
    pub copied: Option<PathBuf>,
    /// The program with a sanitizer, by its name, once it was built; `None`: it cannot be.
    sanitized: BTreeMap<&'static str, Option<PathBuf>>,
}

impl Repeater {
    /// A repeater; `parts` are read from the program if they are needed and not given.
    #[must_use]
    pub fn new(program: PathBuf, parts: Option<Parts>, tools: Toolchain, dir: PathBuf, copied: Option<PathBuf>) -> Repeater {
        Repeater { program, parts, tools, dir, copied, sanitized: BTreeMap::new() }
    }

    /// Runs the program itself.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, launch: &Launch, expected: Option<FailureKind>) -> std::io::Result<Run> {
        let patience = if expected == Some(FailureKind::Hang) { native::HANG } else { native::PATIENCE };
        self.start(&self.program, launch, &[], &Limits { time: patience, memory: Some(native::MEMORY), leaks: false, stuck: false })
    }

    /// Repeats a failure: the run of the program itself, and whether it, or the sanitizer, showed the failure.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn confirm(&mut self, launch: &Launch, failure: &Failure) -> std::io::Result<(Run, Verdict)> {
        let plain = self.run(launch, Some(failure.kind))?;
        if native::matches(failure.kind, &plain) {
            let how = format!("the uninstrumented program {}", plain.end);
            return Ok((plain, Verdict { reproduced: true, how }));
        }
        if sanitizers::reported(failure.kind, &plain) {
            return Ok((plain, Verdict { reproduced: true, how: "the program's own check of undefined behaviour reports it".into() }));
        }
        for sanitizer in sanitizers::of(failure.kind).iter().filter(|s| s.attribute().is_some()) {
            let Some(exe) = self.sanitized(sanitizer) else { continue };
            let limits = Limits { time: native::PATIENCE, memory: None, leaks: failure.kind == FailureKind::Leak, stuck: false };
            if self.start(&exe, launch, &[], &limits).is_ok_and(|seen| sanitizer.caught(&seen)) {
                let how = format!("the uninstrumented program is stopped by the {}", sanitizer.name);
                return Ok((plain, Verdict { reproduced: true, how }));
            }
        }
        let how = format!("the uninstrumented program {} instead", plain.end);
        Ok((plain, Verdict { reproduced: false, how }))
    }

    /// A new directory with the files that a launch needs.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn place(&self, launch: &Launch) -> std::io::Result<Scratch> {
        let place = match &self.copied {
            Some(from) => Scratch::copy_of(from),
            None => Scratch::empty(),
        };
        let place = place.map_err(std::io::Error::other)?;
        launch.write_files(place.path())?;
        Ok(place)
    }

    pub(super) fn start(&self, exe: &Path, launch: &Launch, more: &[(OsString, OsString)], limits: &Limits) -> std::io::Result<Run> {
        let place = self.place(launch)?;
        let scratch = tempfile::tempdir()?;
        let stdin = scratch.path().join("stdin");
        std::fs::write(&stdin, &launch.stdin)?;
        let (words, mut variables) = (launch.words(), launch.variables());
        variables.extend_from_slice(more);
        native::start(
            &Start { exe, arguments: &words, stdin: Some(&stdin), directory: Some(place.path()), environment: &variables },
            limits,
        )
    }

    /// The program with a sanitizer.
    fn sanitized(&mut self, sanitizer: &Sanitizer) -> Option<PathBuf> {
        if !self.sanitized.contains_key(sanitizer.name) {
            let built = self.sanitize(sanitizer).ok();
            self.sanitized.insert(sanitizer.name, built);
        }
        self.sanitized.get(sanitizer.name).cloned().flatten()
    }

    /// The parts, to be put back.
    pub(super) fn take_parts(&mut self) -> Result<Parts, WholeError> {
        match self.parts.take() {
            Some(parts) => Ok(parts),
            None => Parts::read(&self.program, &self.dir),
        }
    }

    fn sanitize(&mut self, sanitizer: &Sanitizer) -> Result<PathBuf, WholeError> {
        let parts = self.take_parts()?;
        let attribute = sanitizer.attribute().unwrap_or_default();
        let exe = self.dir.join(attribute);
        let mut args: Vec<String> = ["-w", "-g", "-O0"].into_iter().chain(sanitizer.clang.iter().copied()).map(str::to_owned).collect();
        args.push("-o".to_owned());
        args.push(exe.display().to_string());
        for (name, path) in &parts.modules {
            let marked = path.with_extension(format!("{attribute}.bc"));
            mark(name, path, &marked, attribute)?;
            args.push(marked.display().to_string());
        }
        args.extend(parts.link.iter().cloned());
        args.extend(["-lm".to_owned()]);
        args.extend(parts.cxx.then(|| "-lstdc++".to_owned()));
        self.parts = Some(parts);
        self.tools.run(&format!("the program with the {}", sanitizer.name), args).map_err(CompileError::from)?;
        Ok(exe)
    }
}

/// Writes a module whose functions ask for the sanitizer, and in which `main` is `main` again.
fn mark(name: &str, from: &Path, to: &Path, attribute: &str) -> Result<(), CompileError> {
    let context = Context::create();
    let refused = |e: &dyn ToString| CompileError::Llvm { what: name.to_owned(), message: e.to_string() };
    let buffer = MemoryBuffer::create_from_file(from).map_err(|e| refused(&e))?;
    let module = Module::parse_bitcode_from_buffer(&buffer, &context).map_err(|e| refused(&e))?;
    let attribute = context.create_enum_attribute(Attribute::get_named_enum_kind_id(attribute), 0);
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    if let Some(main) = module.get_function(MAIN) {
        main.as_global_value().set_name("main");
    }
    if module.write_bitcode_to_path(to) {
        Ok(())
    } else {
        Err(CompileError::Io { path: to.to_owned(), error: std::io::Error::last_os_error() })
    }
}
