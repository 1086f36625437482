//! Compiles the runtime of C subjects (`runtimes/c`) and embeds it: the hooks and the models of library functions as bitcode, everything
//! else as objects.
//!
//! It also reads `ops.def`, so that the numbers of operators are written once.
//!
//! The runtime is written for x86-64. For other machines its parts are empty, and the front end says that it cannot test programs there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How programs under test become bitcode; models are compiled as they are.
const BITCODE: &[&str] = include!("src/build/compile/bitcode.in");

fn main() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo:rerun-if-changed={}", runtime.display());
    println!("cargo:rerun-if-changed=src/build/compile/bitcode.in");
    println!("cargo:rerun-if-env-changed=XCUTE_CLANG");
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());

    let common = ["-fno-pie", "-fno-strict-aliasing", "-fno-omit-frame-pointer", "-fno-stack-protector", "-std=gnu11", "-Wall", "-Wextra"];
    compile(&clang, &common, &["-O2", "-emit-llvm"], &runtime.join("hooks.c"), &out.join("hooks.bc"));
    // The functions of threads are objects of their own: other programs keep those of the C library, but for what only one thread needs.
    // Not by -I: the C library has a threads.h, too.
    let include = format!("-iquote{}", runtime.display());
    // So is what holds the threads of uninstrumented programs to an order, and what gives such programs their inputs.
    let parts = [
        (runtime.clone(), "", "objects.rs", include.as_str(), Some("whole")),
        (runtime.join("threads"), "threads-", "threads.rs", &include, Some("whole-threads")),
        (runtime.join("single"), "single-", "single.rs", &include, Some("whole-single")),
        (runtime.join("replay"), "replay-", "replay.rs", "-fPIE", Some("whole-replay")),
        (runtime.join("native"), "native-", "native.rs", "-fPIC", None),
    ];
    for (of, prefix, table, more, whole) in parts {
        let (mut objects, mut linked) = (Vec::new(), Vec::new());
        for source in sources(&of) {
            let name = format!("{prefix}{}", source.file_stem().expect("a .c file has a stem").to_string_lossy());
            if name == "hooks" {
                continue;
            }
            // Return addresses tell where threads stand, so there are no tail calls.
            // Exceptions of C++ pass through, and so does the end of a thread.
            let own = ["-O2", "-fno-optimize-sibling-calls", "-fexceptions", more];
            let object = out.join(format!("{name}.o"));
            compile(&clang, &common, &own, &source, &object);
            objects.push(name);
            linked.push(object);
        }
        // What is always linked as a whole is one object: linkers need less time for it.
        if let Some(whole) = whole {
            combine(&clang, &linked, &out.join(format!("{whole}.o")));
            objects = vec![whole.to_owned()];
        }
        write(&out.join(table), &embedded(&objects, "o"));
    }
    let cxx = ["-xc++", "-std=gnu++17", "-O2", "-fno-pie", "-fno-omit-frame-pointer", "-fno-stack-protector", "-Wall", "-Wextra"];
    compile(&clang, &cxx, &[], &runtime.join("cxx.cpp"), &out.join("cxx.o"));
    // Those of streams are there twice: for programs that can have files of their own, and for others.
    let kinds = [("", "model-", "0"), ("files", "files-", "1"), ("streams", "with-", "1"), ("streams", "without-", "0")];
    let mut models = Vec::new();
    for (directory, prefix, files) in kinds {
        for source in sources(&runtime.join("models").join(directory)) {
            let name = format!("{prefix}{}", source.file_stem().expect("a .c file has a stem").to_string_lossy());
            // No calls may be made of the loops that are to replace them, and no path of this machine may stay. Exceptions of C++ pass through.
            let renamed = format!("-ffile-prefix-map={}=xcute", runtime.display());
            let files = format!("-DXCUTE_FILES={files}");
            let warnings = ["-Wall", "-Wextra", "-Werror"];
            let own = ["-ffreestanding", "-fno-builtin", "-std=gnu11", "-fexceptions", "-fdebug-compilation-dir=.", &renamed, &files];
            compile(&clang, BITCODE, &[&warnings[..], &own].concat(), &source, &out.join(format!("{name}.bc")));
            models.push(name);
        }
    }
    write(&out.join("models.rs"), &embedded(&models, "bc"));
    // The only part that is loaded into the compiler instead of the program.
    compile(&clang, &common[1..], &["-O2", "-fPIC", "-shared"], &runtime.join("compiler/fork_server.c"), &out.join("fork_server.so"));
    let operators = operators(&runtime.join("ops.def"));
    write(&out.join("op.rs"), &constants(&operators, "u8"));
    write(&out.join("ops.rs"), &constants(&operators, "u32"));
}

/// The text of a table of files in `OUT_DIR`, by name.
fn embedded(names: &[String], extension: &str) -> String {
    let row = |n: &String| format!("    ({n:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{n}.{extension}\"))),\n");
    format!("&[\n{}]\n", names.iter().map(row).collect::<String>())
}

fn sources(runtime: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(runtime).expect("runtimes/c is in the repository");
    let mut sources: Vec<PathBuf> = entries.map(|e| e.expect("a readable directory").path()).collect();
    sources.retain(|p| p.extension().is_some_and(|e| e == "c"));
    sources.sort();
    sources
}

/// Whether the runtime runs on the machine that this is built for.
fn runs_there() -> bool {
    std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|machine| machine == "x86_64")
}

fn compile(clang: &str, common: &[&str], more: &[&str], source: &Path, to: &Path) {
    if !runs_there() {
        return write(to, "");
    }
    let only = if more.contains(&"-shared") { &[][..] } else { &["-c"] };
    let status = Command::new(clang).args(common).args(more).args(only).arg(source).arg("-o").arg(to).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => panic!("cannot compile {}", source.display()),
        Err(e) => panic!("cannot start {clang}: {e} (run \"./x setup\", or set XCUTE_CLANG)"),
    }
}

/// Makes one object of many.
fn combine(clang: &str, objects: &[PathBuf], to: &Path) {
    if !runs_there() {
        return write(to, "");
    }
    let status = Command::new(clang).args(["-r", "-nostdlib"]).args(objects).arg("-o").arg(to).status();
    assert!(status.is_ok_and(|status| status.success()), "cannot combine the objects of {}", to.display());
}

/// The names and numbers of the `XC_OP(NAME, number)` lines.
fn operators(path: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).expect("ops.def is in the repository");
    let lines = text.lines().filter_map(|l| l.strip_prefix("XC_OP("));
    let inside = lines.map(|l| l.split_once(')').expect("XC_OP(NAME, number)").0);
    inside.map(|l| l.split_once(", ").expect("XC_OP(NAME, number)")).map(|(name, number)| (name.into(), number.into())).collect()
}

/// The operators as constants of a type: nodes hold them in a byte (`wire::op`), hooks take them as a word (`instrument::ops`).
fn constants(operators: &[(String, String)], of: &str) -> String {
    let constant =
        |(name, number): &(String, String)| format!("/// The operator `{name}` of `ops.def`.\npub const {name}: {of} = {number};\n");
    let constants: String = operators.iter().map(constant).collect();
    let names: String = operators.iter().map(|(name, number)| format!("    ({name:?}, {number}),\n")).collect();
    format!("{constants}\n/// All operators, by name and number.\npub const ALL: &[(&str, {of})] = &[\n{names}];\n")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("OUT_DIR can be written");
}
