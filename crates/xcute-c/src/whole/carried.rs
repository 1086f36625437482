//! What objects and executables carry: records in sections of their own, which linkers and archivers keep without knowing them.
//!
//! A record is a mark, the lengths of its two parts, a head in JSON and a payload. Linkers put sections of the same name one after the
//! other, so a section is a list of records, with zeros between them where a linker fills up.
//!
//! **Invariant.** The sections are never loaded: a program that carries records runs as one that does not.

use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSection as _};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The section of objects; linkers concatenate it.
pub const OBJECTS: &str = ".xcute.objects";
/// The section that is added to what a linker made.
pub const LINK: &str = ".xcute.link";

const MARK: &[u8; 8] = b"\x7fXCUTE\x01\n";

/// What a record's payload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The bitcode of a source.
    Bitcode,
    /// An object without bitcode: assembly, or a source that gives none.
    Object,
    /// Nothing: the record says how the program was linked.
    Link,
}

/// What is known of a payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// The source; of a link, what was linked.
    pub source: PathBuf,
    /// The directory in which the compiler ran.
    pub directory: PathBuf,
    /// Its arguments.
    pub words: Vec<String>,
    /// Whether it ran as a C++ compiler.
    pub cxx: bool,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What is known of it.
    pub head: Head,
    /// The bitcode or the object.
    pub payload: Vec<u8>,
}

/// Why a file's records cannot be read.
#[derive(Debug, Error)]
pub enum CarriedError {
    /// There is no such file.
    #[error("cannot read {}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// It is not an executable or object.
    #[error("{} is not a program of this machine: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The reader's reason.
        why: object::Error,
    },
    /// A record is cut off or not ours.
    #[error("what {} carries is damaged (build it again)", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl Record {
    /// The record as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&self.head).expect("a head has string keys and nothing that fails to serialise");
        let mut out = MARK.to_vec();
        out.extend((head.len() as u64).to_le_bytes());
        out.extend((self.payload.len() as u64).to_le_bytes());
        out.extend(head);
        out.extend(&self.payload);
        out
    }
}

/// The records of a file in the order of linking, those of the link itself last. A file without any has none: that is not an error.
///
/// # Errors
/// If the file cannot be read or a record is damaged.
pub fn read(path: &Path) -> Result<Vec<Record>, CarriedError> {
    let bytes = std::fs::read(path).map_err(|why| CarriedError::Io { path: path.to_owned(), why })?;
    let format = |why| CarriedError::Format { path: path.to_owned(), why };
    let file = object::File::parse(&*bytes).map_err(format)?;
    let mut out = Vec::new();
    for name in [OBJECTS, LINK] {
        // An object that was linked with -r may have the section several times.
        for section in file.sections().filter(|s| s.name() == Ok(name)) {
            let data = section.data().map_err(format)?;
            out.extend(records(data).ok_or_else(|| CarriedError::Damaged { path: path.to_owned() })?);
        }
    }
    Ok(out)
}

/// The records of a section; `None` if it holds anything else.
fn records(mut data: &[u8]) -> Option<Vec<Record>> {
    let mut out = Vec::new();
    loop {
        let filling = data.iter().take_while(|&&b| b == 0).count();
        data = &data[filling..];
        if data.is_empty() {
            return Some(out);
        }
        data = data.strip_prefix(MARK)?;
        let (head, rest) = data.split_first_chunk()?;
        let (payload, rest) = rest.split_first_chunk()?;
        let (head, payload) = (usize::try_from(u64::from_le_bytes(*head)).ok()?, usize::try_from(u64::from_le_bytes(*payload)).ok()?);
        let (head, rest) = rest.split_at_checked(head)?;
        let (payload, rest) = rest.split_at_checked(payload)?;
        out.push(Record { head: serde_json::from_slice(head).ok()?, payload: payload.to_vec() });
        data = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(source: &str, payload: &[u8]) -> Record {
        let head = Head { kind: Kind::Bitcode, source: source.into(), directory: "/d".into(), words: vec!["-O2".into()], cxx: false };
        Record { head, payload: payload.to_vec() }
    }

    #[test]
    fn records_are_found_again_behind_each_other_and_behind_filling() {
        let (a, b) = (record("a.c", b"BC\xc0\xde"), record("b.c", b"\0\0\0"));
        let mut section = a.bytes();
        section.extend([0; 5]);
        section.extend(b.bytes());
        section.extend([0; 3]);
        assert_eq!(records(&section), Some(vec![a, b]));
        assert_eq!(records(&[]), Some(vec![]));
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let section = record("a.c", b"payload").bytes();
        for length in 1..section.len() {
            assert_eq!(records(&section[..length]), None, "{length} bytes");
        }
    }
}
