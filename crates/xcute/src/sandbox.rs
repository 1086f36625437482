//! The sandbox as the command line asks for it.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Once;

use xcute_sandbox::{Place, Sandbox, has_landlock};

use crate::talk;

/// The sandbox, unless nobody wants one. Where the kernel gives less than it could, one line says so, once.
pub fn wanted(without: bool) -> Sandbox {
    static SAID: Once = Once::new();
    if without {
        return Sandbox::off();
    }
    let sandbox = Sandbox::new();
    if !sandbox.works() {
        SAID.call_once(|| {
            talk::say(
                "this system allows no sandbox: programs under test have limits, but may change files (--no-sandbox says that you know)",
            )
        });
        return Sandbox::off();
    }
    if !has_landlock() {
        SAID.call_once(|| {
            talk::say("this kernel has no Landlock: the sandbox looks at system calls and sets limits, but a program that means to can deceive it");
        });
    }
    sandbox
}

/// Runs a debugger, which has the terminal; the program in it is confined as it is without one.
pub fn debug(sandbox: &Sandbox, command: &mut Command, writable: &[&Path]) -> io::Result<ExitStatus> {
    let (mut process, _guard) = sandbox.spawn(command, &Place { writable, terminal: true, ..Place::default() })?;
    process.wait()
}
