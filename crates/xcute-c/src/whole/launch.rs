//! A launch: one start of a program, with all that it sees of the world.
//!
//! **Invariant.** A launch holds bytes, not text: what a case found is repeated to the bit.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::build::harness::c_string;

/// One start of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Its arguments, its own name first.
    #[serde(with = "many")]
    pub arguments: Vec<Vec<u8>>,
    /// What it reads from standard input.
    #[serde(with = "one")]
    pub stdin: Vec<u8>,
    /// Files in its working directory.
    #[serde(with = "named")]
    pub files: Vec<(String, Vec<u8>)>,
    /// Variables that are added to its environment.
    #[serde(with = "named")]
    pub environment: Vec<(String, Vec<u8>)>,
}

impl Launch {
    /// Names and values for people.
    #[must_use]
    pub fn shown(&self, given: usize) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (k, argument) in self.arguments.iter().enumerate().skip(given.max(1)) {
            out.push((format!("argv[{k}]"), c_string(argument)));
        }
        if !self.stdin.is_empty() {
            out.push(("stdin".to_owned(), c_string(&self.stdin)));
        }
        out.extend(self.files.iter().map(|(name, data)| (name.clone(), c_string(data))));
        out.extend(self.environment.iter().map(|(name, value)| (format!("${name}"), c_string(value))));
        out
    }

    /// The arguments after the name, as the system takes them.
    #[must_use]
    pub fn words(&self) -> Vec<OsString> {
        self.arguments.iter().skip(1).map(|a| OsString::from_vec(a.clone())).collect()
    }

    /// The variables, as the system takes them.
    #[must_use]
    pub fn variables(&self) -> Vec<(OsString, OsString)> {
        self.environment.iter().map(|(name, value)| (name.into(), OsString::from_vec(value.clone()))).collect()
    }

    /// Writes the files into a directory.
    ///
    /// # Errors
    /// The system's reason.
    pub fn write_files(&self, directory: &Path) -> std::io::Result<()> {
        for (name, data) in &self.files {
            let outside =
                || std::io::Error::other(format!("the file {name:?} of the case would be written outside of the working directory"));
            let below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            let parent = Path::new(name).parent().filter(|_| below).ok_or_else(outside)?;
            std::fs::create_dir_all(directory.join(parent))?;
            // A directory of the copy may be a link to one elsewhere, and so may the file be.
            let parent = directory.join(parent).canonicalize()?;
            let path = parent.join(Path::new(name).file_name().ok_or_else(outside)?);
            if !parent.starts_with(directory.canonicalize()?) || path.is_symlink() {
                return Err(outside());
            }
            std::fs::write(path, data)?;
        }
        Ok(())
    }
}

/// Bytes in JSON: text where they are text, else their hexadecimal digits.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Hex { hex: String },
}

impl Bytes {
    fn of(bytes: &[u8]) -> Bytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::Text(text.to_owned()),
            Err(_) => Bytes::Hex { hex: bytes.iter().map(|b| format!("{b:02x}")).collect() },
        }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Bytes::Text(text) => Some(text.into_bytes()),
            Bytes::Hex { hex } if hex.len() % 2 == 0 && hex.is_ascii() => {
                (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
            }
            Bytes::Hex { .. } => None,
        }
    }
}

fn odd<E: serde::de::Error>() -> E {
    E::custom("bytes are text, or {\"hex\": \"00ff\"}")
}

mod one {
    use super::{Bytes, Deserialize as _, Serialize as _, odd};

    pub fn serialize<S: serde::Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        Bytes::of(bytes).serialize(to)
    }

    pub fn deserialize<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        Bytes::deserialize(from)?.bytes().ok_or_else(odd)
    }
}

mod many {
    use super::{Bytes, Deserialize as _, Serialize as _, odd};

    pub fn serialize<S: serde::Serializer>(all: &[Vec<u8>], to: S) -> Result<S::Ok, S::Error> {
        all.iter().map(|b| Bytes::of(b)).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Vec<Vec<u8>>, D::Error> {
        Vec::<Bytes>::deserialize(from)?.into_iter().map(Bytes::bytes).collect::<Option<_>>().ok_or_else(odd)
    }
}

mod named {
    use super::{Bytes, Deserialize as _, Serialize as _, odd};

    pub fn serialize<S: serde::Serializer>(all: &[(String, Vec<u8>)], to: S) -> Result<S::Ok, S::Error> {
        all.iter().map(|(name, bytes)| (name, Bytes::of(bytes))).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Vec<(String, Vec<u8>)>, D::Error> {
        let all = Vec::<(String, Bytes)>::deserialize(from)?.into_iter();
        all.map(|(name, bytes)| Some((name, bytes.bytes()?))).collect::<Option<_>>().ok_or_else(odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_below_their_directory() {
        let (here, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(elsewhere.path(), here.path().join("link")).unwrap();
        let write = |name: &str| Launch { files: vec![(name.into(), b"x".to_vec())], ..Launch::default() }.write_files(here.path());
        assert!(write("a/b").is_ok() && here.path().join("a/b").exists());
        for bad in ["../x", "/tmp/x", "link/x", "a/../../x", "", "."] {
            assert!(write(bad).is_err(), "{bad}");
        }
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }

    #[test]
    fn bytes_survive_json() {
        let launch = Launch {
            arguments: vec![b"./prog".to_vec(), vec![0xff, 0, b'"'], b"\xc3\xa4\n".to_vec()],
            stdin: vec![0x80],
            files: vec![("in.txt".into(), b"\0\x01".to_vec())],
            environment: vec![("HOME".into(), b"x".to_vec())],
        };
        let text = serde_json::to_string(&launch).unwrap();
        assert_eq!(serde_json::from_str::<Launch>(&text).unwrap(), launch, "{text}");
        assert!(serde_json::from_str::<Launch>(&text.replace("\"80\"", "\"8\"")).is_err());
    }
}
