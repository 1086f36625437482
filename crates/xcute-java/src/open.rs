//! From what a user gives to places with classes: folders and jars as they are, sources by the JDK's compiler.
//!
//! A class says its own name, so the folder that it belongs to follows from where it lies: the output folders of Maven, Gradle and IDEs are found
//! below the folder of a project without knowing any of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use thiserror::Error;
use xcute_classfile::ClassFile;

use crate::jdk::Jdk;

/// Places with classes, and where their sources may be.
#[derive(Debug)]
pub struct Opened {
    /// Folders and jars with classes: what is tested first, then what it needs.
    pub path: Vec<PathBuf>,
    /// Sources that were given.
    sources: Vec<PathBuf>,
    /// Where compiled sources are.
    _build: Option<TempDir>,
}

/// Why there is nothing to test.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// It holds no class.
    #[error("there is no class in {0} (give a folder with .class files, a jar, or .java files)")]
    Empty(PathBuf),
    /// It is something else.
    #[error("cannot test {0}: it is not a folder, and its name does not end in .jar, .class or .java")]
    Other(PathBuf),
    /// A class lies where its name does not belong.
    #[error("cannot use {0}: the class in it is called {1} and must lie in a folder of that name")]
    Misplaced(PathBuf, String),
    /// There is no compiler.
    #[error("cannot run {0}: {1} (to test sources, install a whole JDK: apt install openjdk-17-jdk-headless)")]
    Compiler(PathBuf, std::io::Error),
    /// The sources have mistakes.
    #[error("javac cannot compile {0}\n{1}")]
    Compile(PathBuf, String),
}

impl Opened {
    /// Opens what a user gave, with folders and jars that it needs.
    ///
    /// # Errors
    /// Where something cannot be read or compiled, or holds no class.
    pub fn open(given: &[PathBuf], needs: &[PathBuf], jdk: &Jdk) -> Result<Opened, OpenError> {
        let (mut path, mut sources) = (Vec::new(), Vec::new());
        for given in given {
            let metadata = fs::metadata(given).map_err(|error| OpenError::Read(given.clone(), error))?;
            match given.extension().and_then(|end| end.to_str()) {
                _ if metadata.is_dir() => folder(given, &mut path, &mut sources)?,
                Some("java") => sources.push(given.clone()),
                Some("jar" | "zip" | "war") => path.push(given.clone()),
                Some("class") => path.push(root(given).ok_or_else(|| misplaced(given))?),
                _ => return Err(OpenError::Other(given.clone())),
            }
        }
        let build = if sources.is_empty() { None } else { Some(compile(&sources, &path, needs, jdk)?) };
        path.splice(0..0, build.iter().map(|build| build.path().join("classes")));
        for need in needs {
            fs::metadata(need).map_err(|error| OpenError::Read(need.clone(), error))?;
            path.push(need.clone());
        }
        let mut seen = BTreeSet::new();
        path.retain(|place| seen.insert(place.clone()));
        Ok(Opened { path, sources, _build: build })
    }

    /// The source file that a class names, as `com/acme/Foo.java`; `None` where it is not found.
    #[must_use]
    pub fn source(&self, file: &str) -> Option<PathBuf> {
        if let Some(given) = self.sources.iter().find(|source| source.ends_with(file)) {
            return Some(given.clone());
        }
        // A source need not lie in the folder of its package.
        let name = Path::new(file).file_name();
        let mut alike = self.sources.iter().filter(|source| source.file_name() == name);
        if let (Some(given), None) = (alike.next(), alike.next()) {
            return Some(given.clone());
        }
        let above = self.path.iter().flat_map(|place| place.ancestors().take(5));
        let places = above.flat_map(|folder| [folder.join("src/main/java"), folder.join("src"), folder.to_owned()]);
        places.map(|place| place.join(file)).find(|file| file.is_file())
    }
}

fn misplaced(file: &Path) -> OpenError {
    let name = fs::read(file).ok().and_then(|bytes| ClassFile::read(&bytes).ok().map(|class| class.name().replace('/', ".")));
    OpenError::Misplaced(file.to_owned(), name.unwrap_or_else(|| "nothing that can be read".to_owned()))
}

/// The folder that a class file belongs to, by the name of its class.
fn root(file: &Path) -> Option<PathBuf> {
    let class = ClassFile::read(&fs::read(file).ok()?).ok()?;
    let mut folder = file.parent()?.to_owned();
    let mut name = class.name().split('/').rev();
    if Some(name.next()?) != file.file_stem()?.to_str() {
        return None;
    }
    for part in name {
        if folder.file_name()? != part {
            return None;
        }
        folder = folder.parent()?.to_owned();
    }
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder })
}

/// The places with classes in a folder, or else all sources below it.
fn folder(given: &Path, path: &mut Vec<PathBuf>, sources: &mut Vec<PathBuf>) -> Result<(), OpenError> {
    let (mut classes, mut texts) = (Vec::new(), Vec::new());
    walk(given, &mut classes, &mut texts)?;
    let mut roots: Vec<PathBuf> = Vec::new();
    for class in &classes {
        let known = roots.iter().any(|root| class.starts_with(root));
        if !known && let Some(root) = root(class) {
            roots.push(root);
        }
    }
    // Tests are not what is tested, unless there is nothing else.
    let is_test = |root: &PathBuf| root.ends_with("test-classes") || root.ends_with("java/test");
    if !roots.iter().all(is_test) {
        roots.retain(|root| !is_test(root));
    }
    texts.retain(|text| !matches!(text.file_name().and_then(|name| name.to_str()), Some("module-info.java" | "package-info.java")));
    match (roots.is_empty(), classes.first(), texts.is_empty()) {
        (false, ..) => path.extend(roots),
        (true, Some(class), _) => return Err(misplaced(class)),
        (true, None, false) => sources.extend(texts),
        (true, None, true) => return Err(OpenError::Empty(given.to_owned())),
    }
    Ok(())
}

/// Marks the results directories of searches.
const RESULTS: &str = ".xcute";

fn walk(folder: &Path, classes: &mut Vec<PathBuf>, sources: &mut Vec<PathBuf>) -> Result<(), OpenError> {
    let unreadable = |error| OpenError::Read(folder.to_owned(), error);
    let mut entries = fs::read_dir(folder).map_err(unreadable)?.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        match path.extension().and_then(|end| end.to_str()) {
            // Tests that a search wrote are not sources of the program.
            _ if kind.is_dir() && path.join(RESULTS).exists() => {}
            _ if kind.is_dir() => walk(&path, classes, sources)?,
            Some("class") if !is_description(&path) => classes.push(path),
            Some("java") => sources.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn is_description(path: &Path) -> bool {
    matches!(path.file_stem().and_then(|name| name.to_str()), Some("module-info" | "package-info"))
}

/// Compiles sources, with the classes by which programs take inputs at hand.
fn compile(sources: &[PathBuf], path: &[PathBuf], needs: &[PathBuf], jdk: &Jdk) -> Result<TempDir, OpenError> {
    let no_place = |error| OpenError::Read(std::env::temp_dir(), error);
    let build = tempfile::tempdir().map_err(no_place)?;
    let (api, classes) = (build.path().join("api"), build.path().join("classes"));
    crate::api::write_api(&api).map_err(no_place)?;
    let roots: BTreeSet<PathBuf> = sources.iter().filter_map(|source| source_root(source)).collect();
    let joined = |places: &mut dyn Iterator<Item = &PathBuf>| places.map(|p| p.display().to_string()).collect::<Vec<_>>().join(":");
    let mut arguments: Vec<OsString> = ["-g", "-nowarn", "-Xlint:none", "-proc:none", "-implicit:class", "-d"].map(OsString::from).into();
    arguments.extend([classes.into(), "-cp".into(), joined(&mut path.iter().chain(needs).chain([&api])).into()]);
    arguments.extend(["-sourcepath".into(), joined(&mut roots.iter()).into()]);
    arguments.extend(sources.iter().map(OsString::from));
    let output = crate::javac::javac(jdk, arguments).map_err(|error| OpenError::Compiler(jdk.javac(), error))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(OpenError::Compile(sources[0].clone(), text));
    }
    Ok(build)
}

/// The folder that a source belongs to, by the package that it says.
fn source_root(source: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(source).ok()?;
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    let mut folder = source.parent()?.to_owned();
    for part in package.into_iter().flat_map(|package| package.trim().rsplit('.')) {
        if folder.file_name()? != part {
            return None;
        }
        folder = folder.parent()?.to_owned();
    }
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str =
        "package a.b; public class C { public static int f(int x, String s) { return D.g(x); } static int f(long x) { return 1; } }";

    fn project() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("src/main/java/a/b");
        fs::create_dir_all(&main).unwrap();
        fs::write(main.join("C.java"), SOURCE).unwrap();
        fs::write(main.join("D.java"), "package a.b; class D { static int g(int x) { return x; } private class In { void h() {} } }")
            .unwrap();
        folder
    }

    #[test]
    fn sources_folders_and_classes_are_opened() {
        let (jdk, folder) = (Jdk::find().unwrap(), project());
        let source = folder.path().join("src/main/java/a/b/C.java");
        let one = Opened::open(std::slice::from_ref(&source), &[], &jdk).unwrap();
        assert!(one.path[0].join("a/b/D.class").is_file(), "a source beside it is found");
        assert_eq!(one.source("a/b/C.java").as_ref(), Some(&source));
        let all = Opened::open(&[folder.path().to_owned()], &[], &jdk).unwrap();
        assert!(all.path[0].join("a/b/C.class").is_file(), "sources below a folder are compiled");
        let built = folder.path().join("target/classes");
        fs::create_dir_all(built.join("a/b")).unwrap();
        fs::copy(all.path[0].join("a/b/C.class"), built.join("a/b/C.class")).unwrap();
        for given in [folder.path().to_owned(), built.clone(), built.join("a/b/C.class"), built.join("a")] {
            let opened = Opened::open(std::slice::from_ref(&given), &[], &jdk).unwrap();
            assert_eq!(opened.path, std::slice::from_ref(&built), "{}", given.display());
            assert_eq!(opened.source("a/b/C.java").as_ref(), Some(&source));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_said_in_one_line() {
        let (jdk, folder) = (Jdk::find().unwrap(), project());
        let at = |name: &str| vec![folder.path().join(name)];
        fs::create_dir(folder.path().join("none")).unwrap();
        fs::write(folder.path().join("x.txt"), "").unwrap();
        fs::write(folder.path().join("Bad.java"), "class Bad { int f( }").unwrap();
        fs::write(folder.path().join("Bad.class"), "no class").unwrap();
        for (name, expected) in [
            ("gone", "cannot read"),
            ("none", "there is no class in"),
            ("x.txt", "cannot test"),
            ("Bad.java", "javac cannot compile"),
            ("Bad.class", "cannot use"),
        ] {
            let error = Opened::open(&at(name), &[], &jdk).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
