//! The files that are open in the editor, with the text they have there.
//!
//! **Invariant.** Files are known by their whole paths, without links; the editor hears of them by the address it uses itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{Position, Range, Uri};
use xcute_report::exchange::address;

/// A file that is open.
pub struct Document {
    pub uri: Uri,
    pub text: String,
}

/// All that are open.
#[derive(Default)]
pub struct Documents {
    pub open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    /// The text of a file: that of the editor, or else that of the disk.
    pub fn text(&self, path: &Path) -> Option<String> {
        self.open.get(path).map_or_else(|| saved(path), |document| Some(document.text.clone()))
    }

    /// Whether the text of the editor is that of the disk.
    pub fn is_saved(&self, path: &Path) -> bool {
        self.open.get(path).is_none_or(|document| saved(path).as_ref() == Some(&document.text))
    }

    /// The address of a file.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        self.open.get(path).map(|document| document.uri.clone()).or_else(|| address(&path.display().to_string()).parse().ok())
    }
}

/// The text of a file on the disk.
pub fn saved(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    Some(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

/// The file that an address names; `None` where it is not a file of this machine.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("file"));
    let path = PathBuf::from(uri.path().as_estr().decode().into_string_lossy().into_owned());
    is_file.then(|| path.canonicalize().unwrap_or(path))
}

/// The rest of a line, from this column on, or from its first character; both count from 1, and the column 0 is the whole line.
pub fn range(text: &str, line: u32, column: u32) -> Range {
    let number = line.saturating_sub(1);
    let source = text.lines().nth(number as usize).unwrap_or_default();
    let blank = source.len() - source.trim_start().len();
    let asked = (column as usize).saturating_sub(1);
    let begin = if column > 0 && asked < source.trim_end().len() && source.is_char_boundary(asked) { asked } else { blank };
    let at = |bytes: usize| Position { line: number, character: u32::try_from(source[..bytes].encode_utf16().count()).unwrap_or(u32::MAX) };
    Range { start: at(begin), end: at(source.trim_end().len().max(begin)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_as_editors_do() {
        let at = |line: u32, from: u32, to: u32| Range { start: Position { line, character: from }, end: Position { line, character: to } };
        let text = "int a;\n  /* \u{1f600} */ b(); \n\n";
        assert_eq!(range(text, 1, 5), at(0, 4, 6));
        assert_eq!(range(text, 2, 0), at(1, 2, 15));
        assert_eq!(range(text, 2, 14), at(1, 11, 15), "columns of compilers count bytes");
        assert_eq!(range(text, 2, 7), at(1, 2, 15), "not within a character");
        assert_eq!(range(text, 1, 99), at(0, 0, 6));
        assert_eq!((range(text, 3, 0), range(text, 9, 4)), (at(2, 0, 0), at(8, 0, 0)));
    }

    #[test]
    fn addresses_and_paths() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().canonicalize().unwrap().join("a b\u{e4}.c");
        std::fs::write(&file, "\u{feff}x").unwrap();
        let documents = Documents::default();
        let uri = documents.uri(&file).unwrap();
        assert_eq!(path_of(&uri), Some(file.clone()));
        assert_eq!((documents.text(&file).as_deref(), documents.is_saved(&file)), (Some("x"), true));
        assert_eq!(path_of(&"untitled:a.c".parse().unwrap()), None);
    }
}
