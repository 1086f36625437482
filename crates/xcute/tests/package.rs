//! The Debian package: it has all that belongs to xcute, and what is unpacked runs without this checkout and without Rust.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::Path;
use std::process::{Command, Output};

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn what_is_unpacked_runs_by_itself() {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // This builds the tool, if it is not there.
    assert!(Command::new(root.join("x")).arg("help").output().unwrap().status.success());
    let mut xtask = Command::new(Path::new(env!("CARGO_BIN_EXE_xcute")).with_file_name("xtask"));
    xtask.current_dir(&root).args(["dist", "--binary", env!("CARGO_BIN_EXE_xcute")]);
    // What is unpacked at once need not be small.
    xtask.env("DPKG_DEB_COMPRESSOR_TYPE", "gzip").env("DPKG_DEB_COMPRESSOR_LEVEL", "1");
    let made = xtask.env("CARGO_TARGET_DIR", place.path().join("target")).output().unwrap();
    assert!(made.status.success(), "{}", told(&made));
    let dist = place.path().join("target/dist");
    let package =
        std::fs::read_dir(&dist).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|own| own == "deb"));
    let unpacked = place.path().join("unpacked");
    let status = Command::new("dpkg-deb").arg("-x").arg(package.unwrap()).arg(&unpacked).status().unwrap();
    assert!(status.success());
    for file in ["include/xcute.h", "share/man/man1/xcute.1.gz", "share/man/man1/xcute-erl.1.gz", "share/bash-completion/completions/xcute"]
    {
        assert!(unpacked.join("usr").join(file).is_file(), "{file}");
    }
    let control = std::fs::read_to_string(dist.join("root/DEBIAN/control")).unwrap();
    assert!(control.contains("Depends: ") && control.contains("libllvm19") && control.contains("libz3-4"), "{control}");
    std::fs::write(place.path().join("a.c"), "#include <assert.h>\nint f(int x) { assert(x * 3 != 51); return x; }\n").unwrap();
    // Neither Rust nor a home is there.
    let mut xcute = Command::new(unpacked.join("usr/bin/xcute"));
    xcute.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", place.path().join("home")).current_dir(place.path());
    let found = xcute.args(["c", "a.c", "--entry", "f"]).output().unwrap();
    assert_eq!(found.status.code(), Some(1), "{}", told(&found));
    assert!(told(&found).contains("x = 17"), "{}", told(&found));
}
