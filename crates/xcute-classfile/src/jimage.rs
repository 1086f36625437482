//! The classes of an installed JDK: `lib/modules`, a file in the jimage format.
//!
//! The index (a perfect hash over full names, then attributes of each resource) is read at once; resources are read where they are asked for.
//! The format is the one that JDK 9 introduced and all later ones have. A resource that was compressed when the image was made is an error.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;
const HASH: u32 = 0x0100_0193;

/// An open image.
#[derive(Debug)]
pub struct Jimage {
    file: File,
    redirects: Vec<i32>,
    offsets: Vec<u32>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    /// Where resources begin.
    data: u64,
}

/// Where a resource lies.
#[derive(Clone, Copy, Debug, Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Jimage {
    /// Opens an image.
    ///
    /// # Errors
    /// Where it cannot be read or is none.
    pub fn open(path: &Path) -> io::Result<Jimage> {
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        if word(0) != MAGIC {
            return Err(invalid("it does not begin as an image does"));
        }
        let (entries, locations, strings) = (word(16) as usize, word(20) as usize, word(24) as usize);
        let mut index = vec![0; 8 * entries + locations + strings];
        file.read_exact_at(&mut index, HEADER as u64)?;
        let words =
            |from: usize| index[from..from + 4 * entries].chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("four bytes")));
        let redirects = words(0).map(u32::cast_signed).collect();
        let offsets = words(4 * entries).collect();
        let data = (HEADER + index.len()) as u64;
        let strings = index.split_off(8 * entries + locations);
        let locations = index.split_off(8 * entries);
        Ok(Jimage { file, redirects, offsets, locations, strings, data })
    }

    /// The bytes of a class, by its name in internal form; `None` if the JDK does not have it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn class(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let in_module = |module: &str| self.resource(&format!("/{module}/{name}.class"));
        if let Some(found) = in_module("java.base")? {
            return Ok(Some(found));
        }
        // Says for each module with this package whether it has nothing in it, and the module's name.
        let Some(modules) = self.resource(&format!("/packages/{}", package.replace('/', ".")))? else { return Ok(None) };
        for entry in modules.chunks_exact(8) {
            let module = u32::from_le_bytes(entry[4..].try_into().expect("four bytes"));
            if let Some(found) = in_module(&self.string(u64::from(module)))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The names of all classes of a module in internal form, in the order of the image.
    #[must_use]
    pub fn classes(&self, module: &str) -> Vec<String> {
        let all = self.offsets.iter().map(|&offset| self.location(offset));
        let wanted = all.filter(|l| self.string(l.module) == module && self.string(l.extension) == "class");
        let name = |l: Location| match self.string(l.parent) {
            parent if parent.is_empty() => self.string(l.base),
            parent => format!("{parent}/{}", self.string(l.base)),
        };
        wanted.map(name).filter(|name| name != "module-info").collect()
    }

    fn resource(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(location) = self.find(name) else { return Ok(None) };
        if location.compressed != 0 {
            return Err(invalid("its resources are compressed"));
        }
        let mut bytes = vec![0; usize::try_from(location.size).map_err(|_| invalid("a resource is too large"))?];
        self.file.read_exact_at(&mut bytes, self.data + location.offset)?;
        Ok(Some(bytes))
    }

    fn find(&self, name: &str) -> Option<Location> {
        let entries = self.redirects.len();
        if entries == 0 {
            return None;
        }
        let slot = hash(name, HASH) as usize % entries;
        let index = match self.redirects[slot] {
            0 => return None,
            direct if direct < 0 => usize::try_from(-1 - direct).ok()?,
            seed => hash(name, seed.cast_unsigned()) as usize % entries,
        };
        let location = self.location(*self.offsets.get(index)?);
        (self.full_name(location) == name).then_some(location)
    }

    fn full_name(&self, location: Location) -> String {
        let mut name = String::new();
        let part = |before: &str, at: u64, after: &str| match self.string(at) {
            text if text.is_empty() => String::new(),
            text => format!("{before}{text}{after}"),
        };
        name += &part("/", location.module, "/");
        name += &part("", location.parent, "/");
        name += &self.string(location.base);
        name += &part(".", location.extension, "");
        name
    }

    /// The attributes of a resource: a byte with kind and length, then the value, big end first.
    fn location(&self, offset: u32) -> Location {
        let mut location = Location::default();
        let mut rest = self.locations.get(offset as usize..).unwrap_or_default();
        while let Some((&head, tail)) = rest.split_first() {
            let length = usize::from(head & 7) + 1;
            if head >> 3 == 0 || tail.len() < length {
                break;
            }
            let value = tail[..length].iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            match head >> 3 {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => {}
            }
            rest = &tail[length..];
        }
        location
    }

    fn string(&self, at: u64) -> String {
        let bytes = usize::try_from(at).ok().and_then(|at| self.strings.get(at..)).unwrap_or_default();
        String::from_utf8_lossy(bytes.split(|&b| b == 0).next().unwrap_or_default()).into_owned()
    }
}

fn hash(name: &str, seed: u32) -> u32 {
    name.bytes().fold(seed, |seed, byte| seed.wrapping_mul(HASH) ^ u32::from(byte)) & 0x7fff_ffff
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this is not a JDK's image: {what}"))
}
