//! Loads models from files, in either format.
//!
//! The files of an Art model are all given by the caller, as Art files do not name each other. UML files do: those that are
//! referred to and are there are read, too.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::error::{ModelError, Result};
use crate::flat::Flat;
use crate::ir::{Model, Place};
use crate::{art, uml};

/// Files larger than this are refused: no modeller has written them.
const LARGEST: u64 = 256 << 20;

/// Reads the files of one model, and resolves it.
///
/// # Errors
/// A file that cannot be read, or the first thing in it that is not understood.
pub fn load(paths: &[PathBuf]) -> Result<Flat> {
    Flat::new(read(paths)?)
}

/// Reads the files of one model.
///
/// # Errors
/// A file that cannot be read, or the first thing in it that is not understood.
pub fn read(paths: &[PathBuf]) -> Result<Model> {
    let mut sources = Vec::new();
    for path in paths {
        sources.push(uml::Source { file: path.display().to_string(), text: text(path)?, referred: false });
    }
    let is_xml = |source: &uml::Source| source.text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let (xml, art_files): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_xml);
    if let ([first, ..], [other, ..]) = (&xml[..], &art_files[..]) {
        let place = Place { file: other.file.as_str().into(), ..Place::default() };
        return Err(ModelError::new(&place, format!("a model is either in UML or in Art, but {} is in UML", first.file)));
    }
    if !xml.is_empty() {
        return uml::read(&with_referred(xml)?);
    }
    let mut model = Model::default();
    for source in &art_files {
        art::read(&mut model, &source.file, &source.text)?;
    }
    if model.capsules.is_empty() && model.classes.is_empty() && model.protocols.is_empty() {
        let file = art_files.first().map_or("", |source| &source.file);
        return Err(ModelError::new(&Place { file: file.into(), ..Place::default() }, "there is nothing in this model"));
    }
    Ok(model)
}

fn text(path: &Path) -> Result<String> {
    let fail = |message: String| ModelError::new(&Place { file: path.display().to_string().into(), ..Place::default() }, message);
    let size = std::fs::metadata(path).map_err(|error| fail(format!("cannot be read: {error}")))?.len();
    if size > LARGEST {
        return Err(fail(format!("has {size} bytes, which is too much for a model")));
    }
    let bytes = std::fs::read(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|_| fail("is not a text in UTF-8".to_owned()))
}

/// The files and all others that they refer to, directly and indirectly.
fn with_referred(mut sources: Vec<uml::Source>) -> Result<Vec<uml::Source>> {
    let mut known: HashSet<PathBuf> = sources.iter().filter_map(|source| Path::new(&source.file).canonicalize().ok()).collect();
    let mut at = 0;
    while at < sources.len() {
        let directory = Path::new(&sources[at].file).parent().unwrap_or_else(|| Path::new("")).to_owned();
        let referred: HashSet<String> = references(&sources[at].text).map(str::to_owned).collect();
        let mut referred: Vec<_> = referred.into_iter().collect();
        referred.sort();
        for name in referred {
            let path = directory.join(&name);
            if let Ok(canonical) = path.canonicalize()
                && known.insert(canonical)
            {
                sources.push(uml::Source { text: text(&path)?, file: path.display().to_string(), referred: true });
            }
        }
        at += 1;
    }
    Ok(sources)
}

/// The relative paths of other models that a text refers to.
fn references(text: &str) -> impl Iterator<Item = &str> {
    let hrefs = text.match_indices("href=\"").filter_map(|(at, mark)| text[at + mark.len()..].split(['"', '#']).next());
    hrefs.filter(|file| file.ends_with(".uml") && !file.contains(':') && !file.ends_with(".profile.uml"))
}
