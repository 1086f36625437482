//! What C and C++ need of the system: the compiler, headers, sanitizers, and what confines programs.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use xcute_c::toolchain::Toolchain;
use xcute_sandbox::{Sandbox, has_landlock};

use crate::front::{Need, version};

/// All of it.
pub fn needs() -> Vec<Need> {
    let clang = Toolchain::find().map_err(|error| error.to_string());
    let path = clang.as_ref().map(Toolchain::clang).map_err(String::clone);
    let compiler = path.clone().and_then(|clang| version(clang, &["--version"]));
    let headers = |language: &'static str, header: &'static str| path.clone().and_then(|clang| compiles(clang, language, header));
    vec![
        Need::new("clang-19", "compiling the programs under test", "apt-get install clang-19", compiler),
        Need::new("headers of C", "the C library", "apt-get install libc6-dev", headers("c", "stdio.h")),
        Need::new("headers of C++", "the C++ library", "apt-get install g++", headers("c++", "vector")),
        Need::new("sanitizers", "confirming errors of memory", "apt-get install libclang-rt-19-dev", path.clone().and_then(sanitizer))
            .optional(),
        Need::new("gdb", "xcute replay --debugger", "apt-get install gdb", version(Path::new("gdb"), &["--version"])).optional(),
        Need::new("sandbox", "programs under test change nothing", "Linux 5.14 or later, with Landlock", sandbox()).optional(),
    ]
}

/// Whether a file that includes a header compiles.
fn compiles(clang: &Path, language: &str, header: &str) -> Result<String, String> {
    let words = ["-x", language, "-fsyntax-only", "-"];
    let child = Command::new(clang).args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let ended = child.and_then(|mut child| {
        if let Some(mut input) = child.stdin.take() {
            input.write_all(format!("#include <{header}>\n").as_bytes())?;
        }
        child.wait()
    });
    match ended {
        Ok(status) if status.success() => Ok("found".to_owned()),
        Ok(_) => Err(format!("a file with #include <{header}> does not compile")),
        Err(error) => Err(format!("cannot start {}: {error}", clang.display())),
    }
}

/// The library of AddressSanitizer.
fn sanitizer(clang: &Path) -> Result<String, String> {
    let library = version(clang, &["-print-file-name=libclang_rt.asan-x86_64.a"]);
    let other = version(clang, &["-print-file-name=libclang_rt.asan-aarch64.a"]);
    let directory = version(clang, &["-print-resource-dir"])?;
    let inside = ["x86_64", "aarch64"].map(|target| Ok(format!("{directory}/lib/linux/libclang_rt.asan-{target}.a")));
    let found = [library, other].into_iter().chain(inside).flatten().find(|path| Path::new(path).is_file());
    found.ok_or_else(|| "there is no AddressSanitizer to show it".to_owned())
}

fn sandbox() -> Result<String, String> {
    match (Sandbox::new().works(), has_landlock()) {
        (true, true) => Ok("Landlock and seccomp".to_owned()),
        (true, false) => Err("this kernel has no Landlock: the sandbox looks at system calls and sets limits only".to_owned()),
        (false, _) => Err("this system allows no sandbox: programs under test may change files".to_owned()),
    }
}
