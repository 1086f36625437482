//! The classes of the gallery, compiled once for all tests: each subject is a test in a process of its own, and a compiler for each would cost more than the search.
//!
//! **Invariant.** They are those of the sources as they are: the folder has a name that depends on all that went in.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use xcute_cache::Key;
use xcute_java::Jdk;

/// The sources in a folder of the gallery, in order.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("the gallery").map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "java"));
    files.sort();
    files
}

/// A folder with a folder for the classes of each source: an input may be of any class there is, so each has nothing but its own.
pub fn classes(jdk: &Jdk, sources: &[PathBuf], tmp: &Path) -> PathBuf {
    let mut key = Key::new("gallery");
    key.add(jdk.release().as_bytes());
    for source in sources {
        key.add(source.as_os_str().as_encoded_bytes());
        key.add(&fs::read(source).expect("a source"));
    }
    let folder = tmp.join("java-gallery");
    fs::create_dir_all(&folder).expect("a folder");
    // The others wait for the first one.
    let lock = File::create(folder.join("lock")).expect("a file");
    lock.lock().expect("it can be locked");
    let place = folder.join(key.name());
    if !place.is_dir() {
        let fresh = tempfile::tempdir_in(&folder).expect("a folder");
        compile_apart(jdk, sources, fresh.path());
        fs::rename(fresh.keep(), &place).expect("it can be moved");
    }
    place
}

/// Compiles sources at once, which is quicker than one by one. The classes of each are in a folder of its name.
pub fn compile_apart(jdk: &Jdk, sources: &[PathBuf], into: &Path) {
    let (api, all) = (into.join("api"), into.join("all"));
    xcute_java::write_api(&api).expect("it can be written");
    let mut arguments: Vec<OsString> = ["-g", "-nowarn", "-Xlint:none", "-proc:none", "-cp"].map(OsString::from).into();
    arguments.extend([api.into(), "-d".into(), all.clone().into()]);
    arguments.extend(sources.iter().map(OsString::from));
    let output = xcute_java::javac(jdk, arguments).expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for class in fs::read_dir(&all).expect("it was made").map(|entry| entry.expect("it can be read")) {
        let name = class.file_name().into_string().expect("javac writes plain names");
        let folder = into.join(name.split(['.', '$']).next().expect("it has a name"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::rename(class.path(), folder.join(name)).expect("it can be moved");
    }
}
