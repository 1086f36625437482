//! Jar files: zip archives with classes in them.
//!
//! The directory at the end is read, entries only when they are asked for. Entries that are stored or deflated are read, which are all that
//! build tools write.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// An open archive.
#[derive(Debug)]
pub struct Jar {
    file: File,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    method: u16,
    compressed: u32,
    size: u32,
    header: u32,
}

/// No entry is larger: a class file cannot be.
const LARGEST: usize = 1 << 28;

impl Jar {
    /// Opens an archive and reads its directory.
    ///
    /// # Errors
    /// Where it cannot be read or is none.
    pub fn open(path: &Path) -> io::Result<Jar> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        // The last record has 22 bytes and a comment of at most 65535.
        let tail_at = length.saturating_sub(22 + 0xffff);
        let mut tail = vec![0; usize::try_from(length - tail_at).expect("at most 65557 bytes")];
        file.read_exact_at(&mut tail, tail_at)?;
        let end = (0..tail.len().saturating_sub(21)).rev().find(|&at| tail[at..].starts_with(b"PK\x05\x06"));
        let end = &tail[end.ok_or_else(|| invalid("it has no directory"))?..];
        let (size, at) = (word(end, 12)?, word(end, 16)?);
        let mut directory = vec![0; size as usize];
        file.read_exact_at(&mut directory, u64::from(at))?;
        let mut entries = Vec::new();
        let mut rest = directory.as_slice();
        while rest.starts_with(b"PK\x01\x02") {
            let lengths = [half(rest, 28)?, half(rest, 30)?, half(rest, 32)?].map(usize::from);
            let name = rest.get(46..46 + lengths[0]).ok_or_else(|| invalid("its directory is cut off"))?;
            let name = String::from_utf8_lossy(name).into_owned();
            let (method, compressed, size, header) = (half(rest, 10)?, word(rest, 20)?, word(rest, 24)?, word(rest, 42)?);
            entries.push(Entry { name, method, compressed, size, header });
            rest = rest.get(46 + lengths.iter().sum::<usize>()..).unwrap_or_default();
        }
        Ok(Jar { file, entries })
    }

    /// The names of all entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The bytes of an entry; `None` if there is none with this name.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else { return Ok(None) };
        let mut header = [0; 30];
        self.file.read_exact_at(&mut header, u64::from(entry.header))?;
        let skipped = u64::from(half(&header, 26)?) + u64::from(half(&header, 28)?);
        if entry.size as usize > LARGEST || entry.compressed as usize > LARGEST {
            return Err(invalid("an entry is too large"));
        }
        let mut bytes = vec![0; entry.compressed as usize];
        self.file.read_exact_at(&mut bytes, u64::from(entry.header) + 30 + skipped)?;
        match entry.method {
            0 => Ok(Some(bytes)),
            8 => match miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, entry.size as usize) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(_) => Err(invalid("an entry is damaged")),
            },
            _ => Err(invalid("an entry is compressed in another way than `deflate`")),
        }
    }
}

fn half(bytes: &[u8], at: usize) -> io::Result<u16> {
    let two = bytes.get(at..at + 2).ok_or_else(|| invalid("it is cut off"))?;
    Ok(u16::from_le_bytes([two[0], two[1]]))
}

fn word(bytes: &[u8], at: usize) -> io::Result<u32> {
    Ok(u32::from(half(bytes, at)?) | u32::from(half(bytes, at + 2)?) << 16)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this is not a jar file: {what}"))
}
