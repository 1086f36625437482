//! Builds what runs in the JVM: the agent, by one call of `rustc`, and the classes of the runtime, by one of `javac`. Both are carried by this crate
//! as bytes, so that the finished `xcute` is one file that finds its parts wherever it lies.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The classes that programs call to take inputs, and the one that repeats cases.
const API: [&str; 12] = [
    "cute/Input",
    "cute/Cute",
    "org/sosy_lab/sv_benchmarks/Verifier",
    "xcute/Constraints",
    "xcute/Inputs",
    "xcute/Ordered$Calls",
    "xcute/Ordered",
    "xcute/Plan$Callee",
    "xcute/Plan",
    "xcute/Replay",
    "xcute/Tables$Asked",
    "xcute/Tables",
];

/// The classes of the runtime, superclasses first.
const RUNTIME: [&str; 16] = [
    "XcuteStop",
    "XcuteLooks",
    "XcuteTask",
    "XcuteThreads$Thing",
    "XcuteLocks",
    "XcuteThreads",
    "XcuteNumbers",
    "XcuteContents",
    "XcuteRt",
    "XcuteStatics$Layout",
    "XcuteStatics$Kept",
    "XcuteStatics",
    "XcuteLoader",
    "XcuteInput$Entry",
    "XcuteInput",
    "XcuteHost",
];

fn main() {
    let runtime = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../runtimes/java");
    let out = PathBuf::from(env("OUT_DIR"));
    println!("cargo::rerun-if-changed={}", runtime.display());
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    agent(&runtime, &out.join("agent.so"));
    classes(&runtime.join("java"), &out);
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn run(command: &mut Command, hint: &str) {
    let what = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {what}: {error} ({hint})"));
    assert!(output.status.success(), "{what} failed\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The agent needs no crate, so cargo need not be asked.
fn agent(runtime: &Path, to: &Path) {
    let mut rustc = Command::new(env("RUSTC"));
    rustc.args(["--edition", "2024", "--crate-name", "xcute_jvm_agent", "--crate-type", "cdylib", "--cap-lints", "allow"]);
    rustc.args(["-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols", "--target", &env("TARGET")]);
    // For another machine cargo knows the linker.
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    run(rustc.arg("-o").arg(to).arg(runtime.join("src/lib.rs")), "is the Rust toolchain whole?");
}

/// Compiles the Java sources and lists the classes, superclasses first.
fn classes(sources: &Path, out: &Path) {
    let directory = out.join("classes");
    if directory.exists() {
        std::fs::remove_dir_all(&directory).expect("the output of an earlier build can be removed");
    }
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let javac = home.map_or_else(|| PathBuf::from("javac"), |home| home.join("bin/javac"));
    let hint = "install a JDK, 17 or later: run \"./x setup\"";
    let mut boot = Command::new(&javac);
    boot.args(["-nowarn", "-Xlint:none", "-g", "-source", "17", "-target", "17", "--patch-module"]);
    boot.arg(format!("java.base={}", sources.display())).arg("-d").arg(&directory);
    run(boot.args(files(&sources.join("java/lang"))), hint);
    models(&javac, sources, out);
    let mut api = Command::new(&javac);
    api.args([
        "-nowarn",
        "-Xlint:none",
        "-g",
        "-source",
        "17",
        "-target",
        "17",
        "--add-exports",
        "java.base/jdk.internal.misc=ALL-UNNAMED",
    ]);
    let folder = sources.with_file_name("api");
    let places = ["cute", "org/sosy_lab/sv_benchmarks", "xcute"];
    run(api.arg("-d").arg(out.join("api")).args(places.iter().flat_map(|place| files(&folder.join(place)))), hint);
    let mut list = String::from("&[\n");
    for name in API {
        let file = out.join(format!("api/{name}.class"));
        list += &format!("    (\"{name}\", include_bytes!({file:?})),\n");
    }
    list += "]\n";
    std::fs::write(out.join("api.rs"), list).expect("the output directory is writable");
    let mut list = String::from("&[\n");
    for name in RUNTIME {
        let file = directory.join(format!("java/lang/{name}.class"));
        list += &format!("    (\"java/lang/{name}\", include_bytes!({file:?})),\n");
    }
    list += "]\n";
    std::fs::write(out.join("classes.rs"), list).expect("the output directory is writable");
}

/// Models of classes of `java.util.concurrent`, and of a few others: they take the place of the copies that are made of others.
fn models(javac: &Path, sources: &Path, out: &Path) {
    let folder = sources.with_file_name("models");
    let package = folder.join("java/util/concurrent");
    let mut command = Command::new(javac);
    command.args(["-nowarn", "-Xlint:none", "-g", "-source", "17", "-target", "17", "--patch-module"]);
    if out.join("models").exists() {
        std::fs::remove_dir_all(out.join("models")).expect("the output of an earlier build can be removed");
    }
    command.arg(format!("java.base={}:{}", sources.display(), folder.display())).arg("-d").arg(out.join("models"));
    let all = [
        package.clone(),
        package.join("atomic"),
        package.join("locks"),
        folder.join("java/lang"),
        folder.join("java/lang/invoke"),
        folder.join("java/util"),
    ];
    run(command.args(all.iter().flat_map(|folder| files(folder))), "install a JDK, 17 or later: run \"./x setup\"");
    let mut list = String::from("&[\n");
    for folder in [
        "java/lang/",
        "java/lang/invoke/",
        "java/util/",
        "java/util/concurrent/",
        "java/util/concurrent/atomic/",
        "java/util/concurrent/locks/",
    ] {
        let made = out.join("models").join(folder);
        for file in named(&made, "class") {
            let name = file.file_stem().and_then(std::ffi::OsStr::to_str).expect("javac writes plain names");
            // What the models call of the runtime is compiled with them.
            if folder == "java/lang/" && name.starts_with("Xcute") {
                continue;
            }
            list += &format!("    (\"{folder}{name}\", include_bytes!({file:?})),\n");
        }
    }
    list += "]\n";
    std::fs::write(out.join("models.rs"), list).expect("the output directory is writable");
}

fn files(directory: &Path) -> Vec<PathBuf> {
    named(directory, "java")
}

fn named(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|error| panic!("cannot read {}: {error}", directory.display()));
    let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == extension));
    files.sort();
    files
}
