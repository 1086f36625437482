//! The shared libraries that a program is loaded with: its behaviour depends on their code as on its own.
//!
//! The loader itself lists them, so that search paths, run paths and `LD_LIBRARY_PATH` count as they do when the program runs. It is asked only where a program
//! needs more than the libraries that every C and C++ program has.
//!
//! **Invariant.** What is loaded later, by `dlopen`, is not listed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::{Object as _, ObjectSection as _};

/// Libraries of the compiler and of the C library: they change with the system only.
const STANDARD: &[&str] =
    &["libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libstdc++.so", "libgcc_s.so", "ld-linux-x86-64.so"];
/// Where they are.
const PLACES: &[&str] = &["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"];

/// The tag of an entry of the dynamic section that names a library.
const NEEDED: u64 = 1;

/// A library that a program needs, under the name that the program gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its name.
    pub name: String,
    /// Where the loader finds it; `None` if it does not.
    pub path: Option<PathBuf>,
}

/// The libraries that an executable is loaded with. Empty for one that is linked statically, or that cannot be read.
#[must_use]
pub fn of(exe: &Path) -> Vec<Library> {
    let bytes = std::fs::read(exe).unwrap_or_default();
    let Ok(file) = object::File::parse(bytes.as_slice()) else { return Vec::new() };
    let needed = needed(&file);
    if needed.iter().all(|name| is_standard(name)) {
        return needed.into_iter().map(|name| Library { path: installed(&name), name }).collect();
    }
    let interpreter = file.section_by_name(".interp").and_then(|section| section.data().ok());
    interpreter.and_then(|path| std::str::from_utf8(path).ok()).map_or_else(Vec::new, |loader| listed(loader.trim_end_matches('\0'), exe))
}

/// The names of libraries that the loader does not find.
#[must_use]
pub fn missing(exe: &Path) -> Vec<String> {
    of(exe).into_iter().filter(|library| library.path.is_none()).map(|library| library.name).collect()
}

fn is_standard(name: &str) -> bool {
    STANDARD.iter().any(|stem| name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

fn installed(name: &str) -> Option<PathBuf> {
    PLACES.iter().map(|place| Path::new(place).join(name)).find(|path| path.exists())
}

/// What the dynamic section names.
fn needed(file: &object::File<'_>) -> Vec<String> {
    let section = |name: &str| file.section_by_name(name).and_then(|section| section.data().ok()).unwrap_or_default();
    let (entries, names) = (section(".dynamic"), section(".dynstr"));
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let needed = entries.chunks_exact(16).filter(|entry| number(&entry[..8]) == NEEDED);
    let name = |entry: &[u8]| {
        let from = usize::try_from(number(&entry[8..])).ok()?;
        let text = names.get(from..)?.split(|byte| *byte == 0).next()?;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    needed.filter_map(name).collect()
}

/// What the loader lists, without running the program: `name => path (address)`, `name => not found`, or `path (address)`.
fn listed(loader: &str, exe: &Path) -> Vec<Library> {
    let Ok(output) = Command::new(loader).arg(exe).env("LD_TRACE_LOADED_OBJECTS", "1").stdin(Stdio::null()).output() else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let library = |line: &str| {
        let line = line.trim();
        let (name, place) = line.split_once(" => ").unwrap_or((line, line));
        let path = place.rsplit_once(" (0x").map(|(path, _)| path);
        // The kernel's own has no file.
        let shown = path.is_none_or(|path| path.starts_with('/'));
        let name = name.rsplit_once(" (0x").map_or(name, |(name, _)| name);
        (shown && !name.is_empty()).then(|| Library { name: name.to_owned(), path: path.map(PathBuf::from) })
    };
    text.lines().filter_map(library).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(place: &Path, words: &[&str]) {
        let output = Command::new("clang-19").current_dir(place).args(words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn libraries_are_found_where_the_loader_finds_them() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text).unwrap();
        write("own.c", "int own(void) { return 1; }\n");
        write("main.c", "int own(void);\nint main(void) { return own(); }\n");
        write("plain.c", "int main(void) { return 0; }\n");
        compile(place.path(), &["-shared", "-fPIC", "own.c", "-o", "libown.so"]);
        compile(place.path(), &["main.c", "-L.", "-lown", "-Wl,-rpath,$ORIGIN", "-o", "main"]);
        compile(place.path(), &["plain.c", "-o", "plain"]);
        let main = of(&place.path().join("main"));
        let own = main.iter().find(|library| library.name == "libown.so").unwrap();
        assert_eq!(own.path.as_ref().unwrap().canonicalize().unwrap(), place.path().join("libown.so").canonicalize().unwrap());
        assert!(main.iter().any(|library| library.name == "libc.so.6" && library.path.is_some()), "{main:?}");
        let plain = of(&place.path().join("plain"));
        assert!(plain.len() == 1 && plain[0].path.as_ref().is_some_and(|path| path.exists()), "{plain:?}");
        std::fs::remove_file(place.path().join("libown.so")).unwrap();
        assert_eq!(missing(&place.path().join("main")), ["libown.so"]);
        assert!(of(&place.path().join("main.c")).is_empty());
    }
}
