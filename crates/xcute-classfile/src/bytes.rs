//! Big-endian numbers in byte sequences: what class files are made of.
//!
//! **Invariant.** Reading past the end is an error value, never a panic: class files come from anywhere.

use crate::error::ClassError;

/// Reads numbers from a byte sequence.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// How many bytes were read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether everything was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// Where there are fewer.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ClassError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(ClassError::Truncated { at: self.at })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// At the end.
    pub fn u1(&mut self) -> Result<u8, ClassError> {
        Ok(self.take(1)?[0])
    }

    /// The next two bytes.
    ///
    /// # Errors
    /// At the end.
    pub fn u2(&mut self) -> Result<u16, ClassError> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    /// The next four bytes.
    ///
    /// # Errors
    /// At the end.
    pub fn u4(&mut self) -> Result<u32, ClassError> {
        let b = self.take(4)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    /// The next eight bytes.
    ///
    /// # Errors
    /// At the end.
    pub fn u8(&mut self) -> Result<u64, ClassError> {
        Ok(u64::from(self.u4()?) << 32 | u64::from(self.u4()?))
    }
}

/// Appends numbers to a byte sequence.
pub trait Writer {
    /// Appends a byte.
    fn u1(&mut self, value: u8);
    /// Appends two bytes.
    fn u2(&mut self, value: u16);
    /// Appends four bytes.
    fn u4(&mut self, value: u32);
    /// Appends eight bytes.
    fn u8(&mut self, value: u64);
}

impl Writer for Vec<u8> {
    fn u1(&mut self, value: u8) {
        self.push(value);
    }

    fn u2(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn u4(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn u8(&mut self, value: u64) {
        self.extend_from_slice(&value.to_be_bytes());
    }
}
