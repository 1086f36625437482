//! Failures of whole programs repeated: on the executable that the user's build made, and where a plain run shows nothing, on its own
//! bitcode compiled with the sanitizer that knows the kind.
//!
//! **Invariant.** Nothing that was instrumented by us is run here, and nothing outside of a scratch directory is written.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use xcute_trace::{Failure, FailureKind};

use super::launch::Launch;
use super::parts::{Parts, WholeError};
use crate::cases::native::sanitizers::{self, Sanitizer};
use crate::cases::native::{self, End, Limits, Repetition, Report, Run, Start};
use crate::instrument::compiled::CompileError;
use crate::names::MAIN;
use crate::run::symbolize::Symbols;
use crate::tools::flags;
use crate::tools::scratch::Scratch;
use crate::tools::toolchain::Toolchain;
use xcute_sandbox::Sandbox;
use xcute_term::Interrupt;

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
    /// The time of the processor after which a run hangs.
    pub hang: Duration,
    /// What confines its runs.
    pub sandbox: Sandbox,
    /// Whether it may be linked again as it says, whatever that is.
    pub trusted: bool,
    /// The program with a sanitizer, by its name, once it was built; `None`: it cannot be.
    sanitized: BTreeMap<&'static str, Option<PathBuf>>,
    /// What makes it say how it fails; `None`: it cannot be built.
    reporter: OnceCell<Option<PathBuf>>,
}

/// How a launch is run.
#[derive(Clone, Copy)]
pub(super) struct Running<'a> {
    pub(super) environment: &'a [(OsString, OsString)],
    pub(super) preload: Option<&'a Path>,
    pub(super) limits: Limits,
    pub(super) stop: &'a Interrupt,
    /// The file that it writes its report to.
    pub(super) report: Option<&'a Path>,
}

impl Repeater {
    /// A repeater; `parts` are read from the program if they are needed and not given.
    #[must_use]
    pub fn new(
        program: PathBuf,
        parts: Option<Parts>,
        tools: Toolchain,
        dir: PathBuf,
        copied: Option<PathBuf>,
        hang: Duration,
    ) -> Repeater {
        let (sanitized, reporter, sandbox) = (BTreeMap::new(), OnceCell::new(), Sandbox::default());
        Repeater { program, parts, tools, dir, copied, hang, sandbox, trusted: false, sanitized, reporter }
    }

    /// Runs the program itself.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, launch: &Launch, expected: Option<FailureKind>) -> std::io::Result<Run> {
        self.run_itself(launch, expected, Interrupt::never()).map(|(run, _)| run)
    }

    fn run_itself(&self, launch: &Launch, expected: Option<FailureKind>, stop: &Interrupt) -> std::io::Result<(Run, Option<Report>)> {
        let hangs = expected == Some(FailureKind::Hang);
        let time = if hangs { self.hang } else { self.hang * native::PATIENCE };
        let limits = Limits { time, memory: Some(native::MEMORY), leaks: false, stuck: hangs };
        let preload = self.reporter.get_or_init(|| native::reporter(&self.tools, &self.dir)).as_deref();
        let file = self.dir.join("launch.report");
        // The program may write to this file, but not make one.
        std::fs::write(&file, "")?;
        let environment = [(OsString::from("XCUTE_REPORT"), OsString::from(&file))];
        let environment = if preload.is_some() { &environment[..] } else { &[] };
        let run = self.start(&self.program, launch, &Running { environment, preload, limits, stop, report: Some(&file) })?;
        Ok((run, Report::read(&file)))
    }

    /// Repeats a failure: the run of the program itself, and what became of the failure.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn confirm(&mut self, launch: &Launch, failure: &Failure, stop: &Interrupt) -> std::io::Result<(Run, Repetition)> {
        let (run, repetition) = self.compare(launch, failure, stop)?;
        let repetition = repetition.unless_open(failure, &run, self.hang).doubted(&run);
        Ok((run, repetition))
    }

    fn compare(&mut self, launch: &Launch, failure: &Failure, stop: &Interrupt) -> std::io::Result<(Run, Repetition)> {
        let (plain, report) = self.run_itself(launch, Some(failure.kind), stop)?;
        if plain.end == End::Stopped {
            return Ok((plain, Repetition::Stopped));
        }
        let mut symbols = Symbols::new(&self.program, &[], &[]);
        let stack = report.as_ref().map(|report| report.stack(&self.program, &mut symbols)).unwrap_or_default();
        let how = format!("the uninstrumented program {}", plain.end);
        let fails = native::ends_so(failure, &plain);
        if fails && native::same_place(failure, &stack) {
            let values = report.map(|report| report.values(&self.program, &mut symbols)).unwrap_or_default();
            return Ok((plain, Repetition::Same { how, values }));
        }
        if sanitizers::reported(failure.kind, &plain) {
            return Ok((plain, Repetition::same("the program's own check of undefined behaviour reports it".into())));
        }
        for sanitizer in sanitizers::of(failure.kind).iter().filter(|s| s.attribute().is_some()) {
            if stop.raised() {
                return Ok((plain, Repetition::Stopped));
            }
            let Some(exe) = self.sanitized(sanitizer) else { continue };
            let limits =
                Limits { time: self.hang * native::PATIENCE, memory: None, leaks: failure.kind == FailureKind::Leak, stuck: false };
            let running = Running { environment: &[], preload: None, limits, stop, report: None };
            if self.start(&exe, launch, &running).is_ok_and(|seen| sanitizer.caught(&seen)) {
                let how = format!("the uninstrumented program is stopped by the {}", sanitizer.name);
                return Ok((plain, Repetition::same(how)));
            }
        }
        if stop.raised() {
            return Ok((plain, Repetition::Stopped));
        }
        // A broken object may be noticed long after it was broken, and elsewhere.
        if fails && native::is_memory(failure.kind) {
            return Ok((plain, Repetition::same(how)));
        }
        let repetition = match native::instead(&plain, report.as_ref(), stack) {
            Some(other) => Repetition::Other { failure: Box::new(other), how },
            None => Repetition::Not { how: format!("{how} instead") },
        };
        Ok((plain, repetition))
    }

    /// A new directory with the files that a launch needs.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn place(&self, launch: &Launch) -> std::io::Result<Scratch> {
        let place = match &self.copied {
            Some(from) => Scratch::copy_of(from, &self.sandbox),
            None => Scratch::empty(),
        };
        let place = place.map_err(std::io::Error::other)?;
        launch.write_files(place.path())?;
        Ok(place)
    }

    pub(super) fn start(&self, exe: &Path, launch: &Launch, running: &Running<'_>) -> std::io::Result<Run> {
        let place = self.place(launch)?;
        let scratch = tempfile::tempdir()?;
        let stdin = scratch.path().join("stdin");
        std::fs::write(&stdin, &launch.stdin)?;
        let (words, mut variables) = (launch.words(), launch.variables());
        let Running { environment, preload, limits, stop, report } = running;
        variables.extend_from_slice(environment);
        let (stdin, directory) = (Some(stdin.as_path()), Some(place.path()));
        let writable: Vec<&Path> = report.iter().copied().chain([place.path()]).collect();
        let (sandbox, preload, environment) = (&self.sandbox, *preload, &variables[..]);
        let how = Start { exe, arguments: &words, stdin, directory, environment, preload, sandbox, writable: &writable };
        native::start(&how, limits, stop)
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
            None => {
                let parts = Parts::read(&self.program, &self.dir)?;
                match flags::wild(&parts.link) {
                    Some(flag) if !self.trusted => Err(WholeError::Wild(flag.to_owned())),
                    _ => Ok(parts),
                }
            }
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
