//! Places in source texts.

use std::ops::Range;

/// A source file of a program, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A piece of a source text: byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

impl Span {
    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The text of a file, and where its lines begin.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as it was given, or a name in angle brackets.
    pub path: String,
    /// What is in it.
    pub text: String,
    lines: Vec<u32>,
}

impl Source {
    /// A source text of this name. Texts of 4 GiB and more are refused by the reader.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Source { path: path.into(), text, lines }
    }

    /// Line and column of a byte, both counted from one; columns count characters.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1] as usize;
        let offset = (offset as usize).min(self.text.len());
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (line as u32, column as u32 + 1)
    }

    /// The text of a line, counted from one, without its end.
    pub fn line(&self, line: u32) -> &str {
        let start = self.lines[line as usize - 1] as usize;
        let end = self.lines.get(line as usize).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("a.pl", "a.\nü b.\r\n\nlast");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(3), (2, 1));
        assert_eq!(source.position(6), (2, 3));
        assert_eq!(source.position(10), (3, 1));
        assert_eq!(source.position(15), (4, 5));
        assert_eq!((source.line(2), source.line(3), source.line(4)), ("ü b.", "", "last"));
    }
}
