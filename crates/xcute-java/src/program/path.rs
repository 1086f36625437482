//! Where classes come from: folders and jars of the program, and the JDK.

use std::fs;
use std::path::{Path, PathBuf};

use xcute_classfile::jar::Jar;
use xcute_classfile::jimage::Jimage;

use super::error::ProgramError;

/// A place with classes of the program.
#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Jar(PathBuf, Jar),
}

/// All places, asked in order; the JDK last.
#[derive(Debug)]
pub(crate) struct ClassPath {
    places: Vec<Place>,
    jdk: Jimage,
}

impl ClassPath {
    /// Opens folders and jars.
    pub(crate) fn open(entries: &[PathBuf], image: &Path) -> Result<ClassPath, ProgramError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |why| ProgramError::Read { path, why }
        };
        let mut places = Vec::new();
        for entry in entries {
            let place = if entry.is_dir() {
                Place::Folder(entry.clone())
            } else {
                Place::Jar(entry.clone(), Jar::open(entry).map_err(unreadable(entry))?)
            };
            places.push(place);
        }
        Ok(ClassPath { places, jdk: Jimage::open(image).map_err(unreadable(image))? })
    }

    /// The names of all classes of the program in internal form, sorted; those of the first place win.
    pub(crate) fn program(&self) -> Result<Vec<String>, ProgramError> {
        let mut names = Vec::new();
        for place in &self.places {
            match place {
                Place::Folder(folder) => walk(folder, "", &mut names)?,
                Place::Jar(_, jar) => names.extend(jar.names().filter_map(class_name).map(str::to_owned)),
            }
        }
        names.retain(|name| !name.starts_with("META-INF/"));
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// The bytes of a class of the program; `None` if it is not there.
    pub(crate) fn own(&self, name: &str) -> Result<Option<Vec<u8>>, ProgramError> {
        for place in &self.places {
            let (path, found) = match place {
                Place::Folder(folder) => {
                    let path = folder.join(format!("{name}.class"));
                    let found = match fs::read(&path) {
                        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
                        other => other.map(Some),
                    };
                    (path, found)
                }
                Place::Jar(path, jar) => (path.clone(), jar.read(&format!("{name}.class"))),
            };
            if let Some(bytes) = found.map_err(|why| ProgramError::Read { path, why })? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// The bytes of a class of the JDK; `None` if it does not have it.
    pub(crate) fn of_jdk(&self, name: &str) -> Result<Option<Vec<u8>>, ProgramError> {
        self.jdk.class(name).map_err(|why| ProgramError::Read { path: PathBuf::from("lib/modules"), why })
    }
}

fn class_name(file: &str) -> Option<&str> {
    file.strip_suffix(".class").filter(|name| !matches!(name.rsplit('/').next(), Some("module-info" | "package-info")))
}

fn walk(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), ProgramError> {
    let unreadable = |why| ProgramError::Read { path: folder.to_owned(), why };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{prefix}{name}/"), names)?;
        } else if let Some(class) = class_name(&name) {
            names.push(format!("{prefix}{class}"));
        }
    }
    Ok(())
}
