//! A launch as a shell script that needs no xcute.
//!
//! **Invariant.** The script changes nothing but a directory that it makes, and works in every POSIX shell.

use std::fmt::Write as _;
use std::path::Path;

use super::launch::Launch;

/// The script; `what` is one line about it, `copied` the directory whose files the program may need.
#[must_use]
pub fn text(program: &Path, launch: &Launch, copied: Option<&Path>, what: &str) -> String {
    let mut out = format!("#!/bin/sh\n# {}\n# Made by xcute; needs only the program.\n", what.replace('\n', " "));
    out += "dir=$(mktemp -d) || exit 1\ntrap 'rm -rf \"$dir\"' EXIT\n";
    if let Some(from) = copied {
        let _ = writeln!(out, "cp -R {}/. \"$dir\"", quoted(from.to_string_lossy().as_bytes()));
    }
    out += "cd \"$dir\" || exit 1\n";
    for (name, data) in &launch.files {
        if let Some((parent, _)) = name.rsplit_once('/') {
            let _ = writeln!(out, "mkdir -p {}", quoted(parent.as_bytes()));
        }
        let _ = writeln!(out, "printf {} > {}", printed(data), quoted(name.as_bytes()));
    }
    let mut command = String::new();
    for (k, (name, value)) in launch.environment.iter().enumerate() {
        let _ = writeln!(out, "{}", variable(&format!("env{k}"), value));
        let _ = write!(command, "{name}=\"$env{k}\" ");
    }
    command += &quoted(program.to_string_lossy().as_bytes());
    for (k, argument) in launch.arguments.iter().enumerate().skip(1) {
        if plain(argument) {
            let _ = write!(command, " {}", quoted(argument));
        } else {
            let _ = writeln!(out, "{}", variable(&format!("arg{k}"), argument));
            let _ = write!(command, " \"$arg{k}\"");
        }
    }
    if launch.stdin.is_empty() {
        let _ = writeln!(out, "{command} < /dev/null");
    } else {
        let _ = writeln!(out, "printf {} > \"$dir.stdin\"\n{command} < \"$dir.stdin\"", printed(&launch.stdin));
        out = out.replace("rm -rf \"$dir\"", "rm -rf \"$dir\" \"$dir.stdin\"");
    }
    out
}

fn plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| (0x20..0x7f).contains(b))
}

/// Bytes in single quotes.
fn quoted(bytes: &[u8]) -> String {
    format!("'{}'", String::from_utf8_lossy(bytes).replace('\'', "'\\''"))
}

/// Bytes as the format of a `printf` that prints them.
fn printed(bytes: &[u8]) -> String {
    let mut out = String::from("'");
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'%' => out += "%%",
            // It would begin an option.
            b'-' if at == 0 => out += "\\055",
            b'\\' | b'\'' | ..0x20 | 0x7f.. => {
                let _ = write!(out, "\\{byte:03o}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out + "'"
}

/// Sets a variable to bytes. The shell drops newlines at the end of what a command prints, so something stands after them.
fn variable(name: &str, bytes: &[u8]) -> String {
    format!("{name}=$(printf {}); {name}=${{{name}%_}}", printed(&[bytes, b"_"].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_hands_over_the_very_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let launch = Launch {
            arguments: vec![
                b"sh".to_vec(),
                b"-c".to_vec(),
                b"printf %s \"$1|$2|$V|\"; cat - in.bin sub/x".to_vec(),
                b"0".to_vec(),
                b"it's 100%\n".to_vec(),
                b"\xff\x01".to_vec(),
            ],
            stdin: b"\0\\n'%d\n".to_vec(),
            files: vec![("in.bin".into(), vec![0, 255, 10]), ("sub/x".into(), b"x".to_vec())],
            environment: vec![("V".into(), b"-n\n\n".to_vec())],
        };
        let script = dir.path().join("f1.sh");
        std::fs::write(&script, text(Path::new("/bin/sh"), &launch, None, "a\ntest")).unwrap();
        let ran = std::process::Command::new("sh").arg(&script).output().unwrap();
        let expected = [&b"it's 100%\n|\xff\x01|-n\n\n|"[..], b"\0\\n'%d\n", &[0, 255, 10], b"x"].concat();
        assert_eq!(ran.stdout, expected, "{}", String::from_utf8_lossy(&ran.stderr));
    }
}
