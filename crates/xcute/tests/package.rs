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
    in_a_clean_root(place.path(), &unpacked);
}

/// The package in a root directory of its own: Debian's packages are there, and neither Rust nor this checkout is.
fn in_a_clean_root(place: &Path, unpacked: &Path) {
    // Who is not root becomes root of a namespace, where the system allows that.
    let ways: [&[&str]; 2] = [&["--mount"], &["--mount", "--map-root-user"]];
    let enters = |way: &&[&str]| Command::new("unshare").args(*way).arg("true").output().is_ok_and(|output| output.status.success());
    let way = ways.into_iter().find(enters).expect("namespaces are allowed here (sysctl kernel.unprivileged_userns_clone=1)");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/package/root.sh");
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let root = place.join("root");
    std::fs::create_dir_all(root.join("work")).unwrap();
    std::fs::copy(place.join("a.c"), root.join("work/a.c")).unwrap();
    let run = |commands: &str| {
        let mut unshare = Command::new("unshare");
        let output = unshare.args(way).arg("sh").arg(&script).args([&root, unpacked]).arg(commands).output().unwrap();
        let _ = ["bin", "sbin", "lib", "lib64"].map(|name| std::fs::remove_file(root.join(name)));
        output
    };
    let bare = format!("! command -v cargo && ! command -v rustc && test ! -e {} && command -v xcute", checkout.display());
    let there = run(&bare);
    assert_eq!((there.status.code(), told(&there).as_str()), (Some(0), "/usr/bin/xcute\n"));
    let doctor = run("xcute doctor c");
    assert!(doctor.status.success() && told(&doctor).starts_with("c: ready\n"), "{}", told(&doctor));
    let found = run("xcute c a.c --entry f");
    assert!(found.status.code() == Some(1) && told(&found).contains("x = 17"), "{}", told(&found));
    let again = run(
        "xcute replay xcute-out/failures/f1.json && exit 9; man -w xcute >/dev/null 2>&1 || test -f /usr/share/man/man1/xcute.1.gz; test -f /usr/include/xcute.h",
    );
    assert!(again.status.success() && told(&again).contains("assertion"), "{}", told(&again));
    assert!(root.join("work/xcute-out/index.html").is_file());
}
