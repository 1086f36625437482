//! The user's flags for the compiler: the paths in them, and what they are for.
//!
//! **Invariant.** A flag that is not known is for the compiler alone and stays as it is.

use std::path::Path;

/// The flags that take a directory or a file.
const PATHS: [&str; 7] = ["-I", "-isystem", "-iquote", "-include", "-imacros", "-L", "-idirafter"];

/// What flags begin with that mean nothing for a file which includes nothing.
const HARMLESS: [&str; 14] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-L", "-l", "-W", "-w", "-O", "-g", "-m", "-pthread", "-fsanitize", "-fno-"];

/// What flags begin with that make the compiler neither run nor write anything besides its output.
const TAME: &[&str] = &[
    "-I",
    "-isystem",
    "-iquote",
    "-include",
    "-imacros",
    "-idirafter",
    "-D",
    "-U",
    "-L",
    "-l",
    "-O",
    "-W",
    "-std=",
    "-stdlib=",
    "-ansi",
    "-pedantic",
    "-pthread",
    "-pie",
    "-no-pie",
    "-rdynamic",
    "-static",
    "-shared",
    "-nostdinc",
    "-nodefaultlibs",
    "-undef",
    "-trigraphs",
    "-march=",
    "-mtune=",
    "-mcpu=",
    "-m32",
    "-m64",
    "-msse",
    "-mavx",
    "-mno-",
    "-mfpmath=",
    "-mfma",
    "-mf16c",
    "-mbmi",
    "-mpopcnt",
    "-mlong-double",
    "-mcmodel=",
    "-mstack",
];
/// Flags that begin so but do, or could be meant to.
const WILD: &[&str] = &["-Wa,", "-Wp,", "-include-pch", "-load", "-ld-path"];
/// The flags of the group `-f` that change the meaning of the program alone.
const MEANING: &[&str] = &[
    "no-",
    "PIC",
    "PIE",
    "pic",
    "pie",
    "sanitize=",
    "sanitize-trap",
    "wrapv",
    "trapv",
    "strict-",
    "signed-",
    "unsigned-",
    "short-",
    "common",
    "exceptions",
    "rtti",
    "omit-",
    "stack-protector",
    "visibility",
    "inline",
    "builtin",
    "fast-math",
    "math-",
    "finite-",
    "rounding-",
    "trapping-",
    "associative-",
    "reciprocal-",
    "unroll-",
    "vectorize",
    "slp-",
    "lax-",
    "gnu",
    "ms-extensions",
    "freestanding",
    "hosted",
    "char8_t",
    "coroutines",
    "pack-struct",
    "standalone-debug",
];
/// Words for the linker that only say what is linked and how.
const LINKING: &[&str] = &[
    "--as-needed",
    "--no-as-needed",
    "--start-group",
    "--end-group",
    "--whole-archive",
    "--no-whole-archive",
    "-Bstatic",
    "-Bdynamic",
    "--gc-sections",
    "--export-dynamic",
    "-E",
];

/// The first of flags that somebody else chose which could run or write something: a plugin, another output, a file of further flags, a tool of their own. `None`: there is none.
#[must_use]
pub fn wild(flags: &[String]) -> Option<&str> {
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        if PATHS.contains(&word.as_str()) || ["-D", "-U", "-l"].contains(&word.as_str()) {
            words.next();
            continue;
        }
        let tame = match word.strip_prefix("-Wl,") {
            Some(rest) => {
                let mut parts = rest.split(',');
                let rpath = rest.starts_with("-rpath,") || rest.starts_with("-rpath=") || rest.starts_with("-rpath-link");
                rpath && parts.clone().count() <= 2 || parts.all(|part| LINKING.contains(&part))
            }
            None if word.starts_with('-') => {
                let named = |list: &[&str]| list.iter().any(|flag| word.starts_with(flag));
                let meaning = word.strip_prefix("-f").is_some_and(|rest| MEANING.iter().any(|flag| rest.starts_with(flag)));
                let debug = word.strip_prefix("-g").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
                (word == "-w" || named(TAME) || meaning || debug) && !named(WILD)
            }
            None => !word.starts_with('@'),
        };
        if !tame {
            return Some(word);
        }
    }
    None
}

/// The flags with their relative paths made absolute.
#[must_use]
pub fn absolute(flags: &[String], directory: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut path_next = false;
    for word in flags {
        let absolute = |path: &str| directory.join(path).to_string_lossy().into_owned();
        if std::mem::take(&mut path_next) {
            out.push(absolute(word));
        } else if PATHS.contains(&word.as_str()) {
            path_next = true;
            out.push(word.clone());
        } else if let Some(flag) = PATHS.iter().find(|f| word.starts_with(**f)) {
            out.push(format!("{flag}{}", absolute(&word[flag.len()..])));
        } else if !word.starts_with('-') && directory.join(word).exists() {
            out.push(absolute(word));
        } else {
            out.push(word.clone());
        }
    }
    out
}

/// Whether a file that includes nothing can be compiled with the flags as if they were not there.
pub(crate) fn are_harmless(flags: &[String]) -> bool {
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') && !HARMLESS.iter().any(|harmless| word.starts_with(harmless)) {
            return false;
        }
        if PATHS.contains(&word.as_str()) {
            words.next();
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_others_neither_run_nor_write() {
        let first = |words: &[&str]| wild(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>()).map(str::to_owned);
        let tame = [
            "-Iinclude",
            "-I",
            "-o",
            "-DX=@a",
            "-std=c11",
            "-O2",
            "-g3",
            "-Wall",
            "-Wno-error",
            "-lm",
            "-l",
            "pthread",
            "lib.a",
            "-fno-strict-aliasing",
            "-fsanitize=undefined",
            "-march=native",
            "-Wl,--as-needed,--gc-sections",
            "-Wl,-rpath,/opt/lib",
            "-include",
            "config.h",
            "-pthread",
        ];
        assert_eq!(first(&tame), None);
        for bad in [
            "-fplugin=evil.so",
            "-fpass-plugin=evil.so",
            "-o",
            "-oout",
            "-load",
            "@flags",
            "-B.",
            "-B",
            "-wrapper",
            "-Xclang",
            "-Xlinker",
            "-T",
            "-Wl,-T,script",
            "-Wl,--plugin,evil.so",
            "-Wl,-Map=out",
            "-Wl,--as-needed,-oout",
            "-Wl,-rpath,a,-oout",
            "-fprofile-generate=out",
            "-fprofile-instr-generate=out",
            "-ftime-trace=out",
            "-fsave-optimization-record",
            "-fcrash-diagnostics-dir=out",
            "-fuse-ld=./evil",
            "-ld-path=evil",
            "--ld-path=evil",
            "-MD",
            "-MF",
            "-MFout",
            "-save-temps",
            "-specs=evil",
            "-fmodules-cache-path=out",
            "-Wp,-MD,out",
            "-Wa,-o,out",
            "-mllvm",
            "-x",
            "-E",
            "-S",
            "--config",
            "-gsplit-dwarf=x/y",
            "-emit-llvm",
            "-fdump-record-layouts",
            "-serialize-diagnostics",
            "-include-pch",
            "--sysroot=.",
            "-resource-dir",
            "-ccc-install-dir",
            "-dumpdir",
        ] {
            assert_eq!(first(&["-O1", bad]).as_deref(), Some(bad));
        }
    }

    #[test]
    fn paths_are_found_in_flags() {
        let flags = ["-Iinclude", "-I", "more", "-DX=a/b", "-include", "config.h", "-O2"].map(str::to_owned);
        assert_eq!(absolute(&flags, Path::new("/p")), ["-I/p/include", "-I", "/p/more", "-DX=a/b", "-include", "/p/config.h", "-O2"]);
        let harmless = |words: &[&str]| are_harmless(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
        assert!(harmless(&["-Iinclude", "-I", "more", "-O2", "-lm", "lib.a", "-fno-exceptions"]));
        assert!(!harmless(&["-DX"]) && !harmless(&["-include", "a.h"]) && !harmless(&["-std=c89"]) && !harmless(&["-fpack-struct"]));
    }
}
