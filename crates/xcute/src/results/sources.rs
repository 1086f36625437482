//! Which texts of its sources a campaign was made from: a digest of each.
//!
//! Whoever shows results in a source has to know whether it is still the same.
//!
//! **Invariant.** A file has a digest only if it did not change from before the program was made ready until the end of the search.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::hash::sha256;

/// The name of the file.
pub const SOURCES: &str = "sources.json";

/// The digests of sources, by path as the campaign names them.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sources {
    pub digests: BTreeMap<String, String>,
}

impl Sources {
    /// Of these texts, as they were read after a campaign that began at this time.
    pub fn of(texts: &BTreeMap<String, String>, began: SystemTime) -> Sources {
        let same = |path: &str| changed(Path::new(path)).is_some_and(|changed| changed <= began);
        let digests = texts.iter().filter(|(path, _)| same(path)).map(|(path, text)| (path.clone(), digest(text))).collect();
        Sources { digests }
    }

    /// Those of a results directory; none where it has no such file.
    pub fn read(dir: &Path) -> Sources {
        std::fs::read_to_string(dir.join(SOURCES)).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// As a file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("nothing fails to serialise") + "\n"
    }
}

/// What identifies a text. Editors take the mark of the byte order away.
pub fn digest(text: &str) -> String {
    sha256(text.trim_start_matches('\u{feff}').as_bytes())
}

/// When a file was written, or got its name: tools can set the one time back, but not the other.
fn changed(path: &Path) -> Option<SystemTime> {
    let data = std::fs::metadata(path).ok()?;
    let named = Duration::new(u64::try_from(data.ctime()).ok()?, u32::try_from(data.ctime_nsec()).ok()?);
    Some(data.modified().ok()?.max(UNIX_EPOCH + named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_has_no_digest() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).display().to_string();
        std::fs::write(path("old"), "a").unwrap();
        std::fs::write(path("moved"), "b").unwrap();
        std::thread::sleep(Duration::from_millis(30));
        let began = SystemTime::now();
        std::thread::sleep(Duration::from_millis(30));
        std::fs::write(path("new"), "c").unwrap();
        std::fs::rename(path("moved"), path("other")).unwrap();
        let texts = ["old", "new", "other", "gone"].map(|name| (path(name), "\u{feff}a".to_owned())).into();
        let sources = Sources::of(&texts, began);
        assert_eq!(sources.digests, BTreeMap::from([(path("old"), sha256(b"a"))]));
        std::fs::write(place.path().join(SOURCES), sources.text()).unwrap();
        assert_eq!(Sources::read(place.path()), sources);
        assert_eq!(Sources::read(&place.path().join("nowhere")), Sources::default());
    }
}
