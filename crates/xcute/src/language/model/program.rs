//! The program that explores a capsule: what is written for it, how it is compiled, and what a run of it without instrumentation did.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xcute_c::graph::InputGraph;
use xcute_c::native::{Limits, Start, start};
use xcute_c::replay::Replayer;
use xcute_c::toolchain::Toolchain;
use xcute_model::flat::Flat;
use xcute_model::lower::{BodyInfo, GENERATED, SEARCH, SearchOptions, lower, search};
use xcute_model::run::{self, RunError};
use xcute_model::trace::Trace;
use xcute_term::Interrupt;

use super::plan::Origin;

/// Arrays are checked by their own length: an attribute that is overrun would spoil the next one, and nobody would notice. The build directory is not part of
/// the program.
pub const SEARCHED: [&str; 4] =
    ["-fsanitize=array-bounds", "-fno-sanitize-recover=all", "-fno-sanitize-trap=all", "-fsanitize-undefined-strip-path-components=-1"];
/// A run without instrumentation writes a trace.
pub const PLAIN: [&str; 1] = ["-DXM_TRACED"];
/// The variable that names the file for it.
const TRACE: &str = "XCUTE_MODEL_TRACE";

/// Of the trace of a run that does not end so much is read.
const LONGEST: u64 = 16 << 20;

/// The program's sources.
pub struct Written {
    /// The file to compile.
    pub source: PathBuf,
    /// The flags for it.
    pub flags: Vec<String>,
    /// The action code that is in it.
    pub bodies: Vec<BodyInfo>,
    /// What the search does not vary.
    pub fixed: Vec<String>,
    /// Where everything was written.
    place: PathBuf,
    /// Where headers of the model are.
    include: Vec<PathBuf>,
}

impl Written {
    /// Writes the program for a capsule into a build directory. The files of the model are meant in `directory`.
    pub fn new(flat: &Flat, options: &SearchOptions, origin: &Origin, directory: &Path, build: &Path) -> Result<Written> {
        let build = build.canonicalize().with_context(|| format!("cannot read {}", build.display()))?;
        let place = build.join("model");
        let lowered = lower(flat);
        run::write(&lowered, &place)?;
        let explored = search(flat, options);
        let source = place.join(SEARCH);
        std::fs::write(&source, explored.text).with_context(|| format!("cannot write {}", source.display()))?;
        let mut flags = vec!["-fstrict-flex-arrays=3".to_owned(), format!("-ffile-prefix-map={}={GENERATED}", place.display())];
        let mut include: Vec<PathBuf> = Vec::new();
        for file in &origin.files {
            // A name alone has an empty parent: the file is in the directory itself.
            let path = directory.join(file);
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let parent = parent.canonicalize().with_context(|| format!("cannot read {}", parent.display()))?;
            if !include.contains(&parent) {
                include.push(parent);
            }
        }
        for path in std::iter::once(&place).chain(&include) {
            flags.extend(["-I".to_owned(), path.display().to_string()]);
        }
        flags.extend(origin.flags.iter().cloned());
        Ok(Written { source, flags, bodies: lowered.bodies, fixed: explored.fixed, place, include })
    }

    /// Why the compiler refuses the action code, at the element it is in; `None` if it does not.
    pub fn refused(&self, flags: &[String]) -> Option<RunError> {
        let clang = Toolchain::find().ok()?;
        run::check(&self.place, &self.bodies, clang.clang(), &self.include, flags).err()
    }
}

/// What a run of the uninstrumented program with a case did.
pub fn trace(replayer: &Replayer, graph: &InputGraph) -> Result<Trace> {
    let (exe, mut environment) = replayer.build(graph, None)?;
    let file = replayer.dir().join("case.trace");
    // The program may write to this file, but not make one.
    std::fs::write(&file, "").with_context(|| format!("cannot write {}", file.display()))?;
    environment.push((TRACE.into(), file.clone().into()));
    let (environment, sandbox, writable) = (&environment[..], &replayer.sandbox, &[file.as_path()][..]);
    let how = Start { exe: &exe, arguments: &[], stdin: None, directory: None, environment, preload: None, sandbox, writable };
    let limits = Limits { time: replayer.hang, memory: Some(2 << 30), leaks: false, stuck: false };
    start(&how, &limits, Interrupt::never()).with_context(|| format!("cannot start {}", exe.display()))?;
    let mut text = Vec::new();
    if let Ok(file) = std::fs::File::open(&file) {
        file.take(LONGEST).read_to_end(&mut text).with_context(|| format!("cannot read the trace of {}", exe.display()))?;
    }
    Ok(Trace::parse(&String::from_utf8_lossy(&text)))
}
