//! A compiler that is loaded once and forked for each file: `runtimes/c/compiler/fork_server.c`, preloaded into clang. Starting clang takes longer than
//! compiling a small file.
//!
//! The idea is that of fuzzers, which start their targets so.
//!
//! **Invariant.** What a job does is what the same command would do. Where there cannot be a server, or where it has died, there is none: commands are then started as
//! ever.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, Read as _, Write as _, pipe};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use xcute_process::Shared;

/// What is preloaded.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fork_server.so"));

/// The server of this process.
static SERVER: Mutex<Option<Server>> = Mutex::new(None);

struct Server {
    of: PathBuf,
    /// `None` where there cannot be one.
    socket: Option<UnixStream>,
}

/// A compilation that was begun.
#[derive(Debug)]
pub struct Served {
    /// The process.
    pub(super) process: u32,
    /// What it writes to standard error.
    pub(super) messages: PipeReader,
    /// Its status, once it has ended.
    pub(super) status: PipeReader,
}

/// Begins what a command would do, with nothing but messages as its output. `None` where it must be started as a process.
pub(super) fn spawn(command: &Command) -> Option<Served> {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    let program = PathBuf::from(command.get_program());
    if server.as_ref().is_none_or(|server| server.of != program) {
        let socket = start(&program).ok();
        *server = Some(Server { of: program, socket });
    }
    let known = server.as_mut()?;
    let served = ask(known.socket.as_mut()?, command);
    if served.is_err() {
        known.socket = None;
    }
    served.ok()
}

/// Starts a compiler with the library in it. Whether that works is seen at the first request.
fn start(program: &PathBuf) -> io::Result<UnixStream> {
    let mut begin = [0; 4];
    std::fs::File::open(program)?.read_exact(&mut begin)?;
    // The interpreter of a script would be asked instead.
    if begin != *b"\x7fELF" {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let (ours, socket) = UnixStream::pair()?;
    let library = Shared::with(c"xcute-fork-server", LIBRARY)?.file()?;
    let mut preload = OsString::from("/proc/self/fd/1");
    if let Some(more) = std::env::var_os("LD_PRELOAD") {
        preload.push(":");
        preload.push(more);
    }
    let mut command = Command::new(program);
    // All symbols are bound before the first fork, and none in each.
    command.env("LD_PRELOAD", preload).env("LD_BIND_NOW", "1");
    command.stdin(OwnedFd::from(socket)).stdout(library).stderr(Stdio::null()).spawn()?;
    Ok(ours)
}

fn ask(socket: &mut UnixStream, command: &Command) -> io::Result<Served> {
    let ((messages, their_messages), (status, their_status)) = (pipe()?, pipe()?);
    let directory = std::env::current_dir()?;
    let arguments: Vec<&OsStr> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let variables: Vec<OsString> = std::env::vars_os().map(|(name, value)| [name, value].join(OsStr::new("="))).collect();
    let mut request = Vec::new();
    let descriptors = [&their_messages, &their_status].map(|pipe| pipe.as_raw_fd().cast_unsigned());
    for number in descriptors.into_iter().chain([arguments.len(), variables.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX))) {
        request.extend(number.to_ne_bytes());
    }
    for text in std::iter::once(directory.as_os_str()).chain(arguments).chain(variables.iter().map(OsString::as_os_str)) {
        request.extend(text.as_bytes());
        request.push(0);
    }
    let size = u32::try_from(request.len()).map_err(io::Error::other)?;
    socket.write_all(&[&size.to_ne_bytes()[..], &request].concat())?;
    let mut process = [0; 4];
    socket.read_exact(&mut process)?;
    Ok(Served { process: u32::from_ne_bytes(process), messages, status })
}

#[cfg(test)]
mod tests {
    use super::super::job::{Job, Work};
    use super::*;

    fn clang() -> PathBuf {
        which::which("clang-19").unwrap()
    }

    #[test]
    fn a_served_compiler_does_what_a_started_one_does() {
        let dir = tempfile::tempdir().unwrap();
        let (good, bad) = (dir.path().join("good.c"), dir.path().join("bad.c"));
        std::fs::write(&good, "int f(int x) { return x + 1; }").unwrap();
        std::fs::write(&bad, "int f( {").unwrap();
        for (file, is_good) in [(&good, true), (&bad, false), (&good, true)] {
            let compile = |to: &str| {
                let mut command = Command::new(clang());
                command.arg("-c").arg(file).arg("-o").arg(dir.path().join(to)).stderr(Stdio::piped());
                command
            };
            let job = |work| Job { work, call: None };
            let served =
                job(Work::Served(spawn(&compile("served.o")).expect("there is a server"))).wait("it").map_err(|error| error.to_string());
            let started = job(Work::Child(compile("started.o").spawn().unwrap())).wait("it").map_err(|error| error.to_string());
            assert_eq!(served, started);
            assert_eq!(served.is_ok(), is_good);
            let read = |name: &str| std::fs::read(dir.path().join(name)).ok();
            assert_eq!(read("served.o"), read("started.o"));
            assert_eq!(read("served.o").is_some(), is_good);
        }
    }

    #[test]
    fn a_server_that_ended_is_noticed() {
        let mut socket = start(&which::which("true").unwrap()).unwrap();
        // It ends when a request is too short.
        socket.write_all(&1_u32.to_ne_bytes()).unwrap();
        assert!(ask(&mut socket, &Command::new("true")).is_err());
    }

    #[test]
    fn what_cannot_serve_is_not_asked() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("clang");
        std::fs::write(&script, "#!/bin/sh\nexec clang-19 \"$@\"\n").unwrap();
        assert!(start(&script).is_err());
        assert!(start(&dir.path().join("nothing")).is_err());
    }
}
