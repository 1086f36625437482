//! What a program says to xcute: which of our headers it includes, and whether it calls our functions.
//!
//! **Invariant.** The compiler says what was included, and the symbols of objects say what is called: nothing is guessed from text but whether the name `XCUTE` is
//! in it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSymbol as _};

use crate::tools::dependencies::dependencies;
use crate::tools::headers::HEADERS;
use crate::tools::system::is_system;

/// What a program says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Which of [`HEADERS`] it includes.
    pub headers: BTreeSet<usize>,
    /// Whether it calls functions that only xcute has.
    pub calls: bool,
    /// Whether it asks if `XCUTE` is defined.
    pub asks: bool,
}

impl Spoken {
    /// From objects and from what each depends on, in the manner of `make`; our headers are in `include`.
    #[must_use]
    pub fn of(objects: &[PathBuf], include: &Path) -> Spoken {
        let mut spoken = Spoken::default();
        for object in objects {
            spoken.calls |= std::fs::read(object).is_ok_and(|bytes| calls(&bytes));
            for file in dependencies(&std::fs::read_to_string(dependencies_of(object)).unwrap_or_default()) {
                match file.strip_prefix(include) {
                    Ok(name) => spoken.headers.extend(HEADERS.iter().position(|(header, _)| Path::new(header) == name)),
                    Err(_) if spoken.asks || is_system(&file.to_string_lossy()) => {}
                    Err(_) => spoken.asks = std::fs::read(&file).is_ok_and(|text| text.windows(5).any(|word| word == b"XCUTE")),
                }
            }
        }
        // All other headers need the first.
        if !spoken.headers.is_empty() {
            spoken.headers.insert(0);
        }
        spoken
    }
}

/// Where the dependencies of an object are written.
pub(crate) fn dependencies_of(object: &Path) -> PathBuf {
    object.with_extension("d")
}

fn calls(object: &[u8]) -> bool {
    let Ok(file) = object::File::parse(object) else { return false };
    file.symbols().any(|symbol| symbol.is_undefined() && symbol.name().is_ok_and(|name| name.starts_with("__xcute_")))
}
