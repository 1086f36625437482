//! What identifies an instrumented program: a digest of all that is loaded of it and of its shared libraries, code and data.
//!
//! **Invariant.** It is the same for every build of the same program: the directory of the build, which is another one each time and as long, does not count.
//! Libraries of the system change with their times; of others, all that is loaded counts.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use memchr::memmem;
use object::{Object as _, ObjectSection as _, SectionFlags, elf};
use sha2::{Digest as _, Sha256};

use crate::run::libraries;
use crate::tools::files::{is_installed, stamp};

/// The digest of an executable and of what else decides how it is run.
pub(super) fn of(exe: &Path, rest: &str) -> String {
    let place = exe.parent().map(|dir| dir.as_os_str().as_bytes()).unwrap_or_default();
    let mut hasher = Sha256::new();
    loaded(exe, place, &mut hasher);
    for library in libraries::of(exe) {
        hasher.update(library.name.as_bytes());
        match library.path {
            Some(path) if is_installed(&path) => hasher.update(stamp(&path).unwrap_or_default().as_bytes()),
            Some(path) => loaded(&path, b"", &mut hasher),
            None => hasher.update(b"not found"),
        }
    }
    hasher.update(rest.as_bytes());
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All that is loaded of a file.
fn loaded(path: &Path, place: &[u8], hasher: &mut Sha256) {
    let bytes = std::fs::read(path).unwrap_or_default();
    match object::File::parse(bytes.as_slice()) {
        Ok(file) => sections(&file, place, hasher),
        // Nothing is the same as what cannot be read.
        Err(_) => hasher.update(std::process::id().to_le_bytes()),
    }
}

fn sections(file: &object::File<'_>, place: &[u8], hasher: &mut Sha256) {
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        let name = section.name_bytes().unwrap_or_default();
        // The linker's own digest is one of the whole file, debug information included.
        if sh_flags.0 & elf::SHF_ALLOC.0 == 0 || name.starts_with(b".note") {
            continue;
        }
        hasher.update(name);
        hasher.update(section.size().to_le_bytes());
        let (data, mut from) = (section.data().unwrap_or_default(), 0);
        let places = (!place.is_empty()).then(|| memmem::find_iter(data, place));
        for at in places.into_iter().flatten() {
            hasher.update(&data[from..at]);
            from = at + place.len();
        }
        hasher.update(&data[from..]);
    }
}
