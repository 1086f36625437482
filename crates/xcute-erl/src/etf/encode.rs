//! From terms to bytes: each part is appended where it belongs, headers before their parts.

use num_bigint::{BigInt, Sign};

/// Appends terms to a buffer.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder that has written the version of the format.
    #[must_use]
    pub fn new() -> Encoder {
        Encoder { bytes: vec![131] }
    }

    /// Writes over what an earlier encoder wrote, after these bytes.
    #[must_use]
    pub fn over(mut bytes: Vec<u8>, prefix: &[u8]) -> Encoder {
        bytes.clear();
        bytes.extend_from_slice(prefix);
        bytes.push(131);
        Encoder { bytes }
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// An atom.
    pub fn atom(&mut self, name: &str) {
        match u8::try_from(name.len()) {
            Ok(length) => self.bytes.extend_from_slice(&[119, length]),
            Err(_) => {
                self.bytes.push(118);
                self.bytes.extend_from_slice(&u16::try_from(name.len()).unwrap_or(u16::MAX).to_be_bytes());
            }
        }
        self.bytes.extend_from_slice(name.as_bytes());
    }

    /// A small integer.
    pub fn int(&mut self, value: i64) {
        if let Ok(byte) = u8::try_from(value) {
            self.bytes.extend_from_slice(&[97, byte]);
        } else if let Ok(word) = i32::try_from(value) {
            self.bytes.push(98);
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            self.bytes.extend_from_slice(&[110, 8, u8::from(value < 0)]);
            self.bytes.extend_from_slice(&value.unsigned_abs().to_le_bytes());
        }
    }

    /// Any integer.
    pub fn big(&mut self, value: &BigInt) {
        if let Ok(small) = i64::try_from(value) {
            return self.int(small);
        }
        let (sign, digits) = value.to_bytes_le();
        match u8::try_from(digits.len()) {
            Ok(length) => self.bytes.extend_from_slice(&[110, length]),
            Err(_) => {
                self.bytes.push(111);
                self.length(digits.len());
            }
        }
        self.bytes.push(u8::from(sign == Sign::Minus));
        self.bytes.extend_from_slice(&digits);
    }

    /// A float.
    pub fn float(&mut self, value: f64) {
        self.bytes.push(70);
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// The empty list, also as the tail of a list.
    pub fn nil(&mut self) {
        self.bytes.push(106);
    }

    /// A list of this many items, which follow, and after them the tail.
    pub fn list(&mut self, items: usize) {
        self.bytes.push(108);
        self.length(items);
    }

    /// A tuple of this many items, which follow.
    pub fn tuple(&mut self, items: usize) {
        match u8::try_from(items) {
            Ok(size) => self.bytes.extend_from_slice(&[104, size]),
            Err(_) => {
                self.bytes.push(105);
                self.length(items);
            }
        }
    }

    /// A map of this many pairs, which follow, keys before their values.
    pub fn map(&mut self, pairs: usize) {
        self.bytes.push(116);
        self.length(pairs);
    }

    /// A bitstring; of the last byte only the first bits count where `bits` is not a multiple of eight.
    pub fn bits(&mut self, bytes: &[u8], bits: usize) {
        if bits == bytes.len() * 8 {
            self.bytes.push(109);
            self.length(bytes.len());
        } else {
            self.bytes.push(77);
            self.length(bytes.len());
            self.bytes.push(u8::try_from(bits % 8).unwrap_or(0));
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// `fun M:F/A`.
    pub fn external(&mut self, module: &str, function: &str, arity: u8) {
        self.bytes.push(113);
        self.atom(module);
        self.atom(function);
        self.int(i64::from(arity));
    }

    /// A term that was decoded as bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn length(&mut self, length: usize) {
        self.bytes.extend_from_slice(&u32::try_from(length).expect("fewer than 2^32 parts").to_be_bytes());
    }
}
