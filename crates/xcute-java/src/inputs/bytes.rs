//! Bytes of fuzzers as inputs: a method that takes one `byte[]` and nothing else.

use xcute_classfile::Kind;

use super::candidate::Candidate;
use super::recipe::{Object, Recipe};
use crate::program::Program;

/// The descriptor of the elements.
const BYTE: &str = "B";

impl Program {
    /// Whether a byte array is all that is an input of the method.
    #[must_use]
    pub fn takes_bytes(&self) -> bool {
        let parameter = matches!(self.plan.inputs.as_slice(), [(of, _)] if of.strip_prefix('[') == Some(BYTE));
        parameter && self.plan.sequence.is_none() && self.plan.entry.is_static
    }
}

impl Recipe {
    /// The input of a method that takes one byte array.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Recipe {
        let what = Candidate::Array(BYTE.to_owned());
        let elements = (0..).zip(bytes).filter(|(_, byte)| **byte != 0).map(|(at, byte)| (at, u64::from(*byte))).collect();
        let length = u32::try_from(bytes.len()).expect("files of a corpus are small");
        let object = Object { address: 0, what, length, text: Vec::new(), value: 0, fields: Vec::new(), elements };
        Recipe::of_inputs(vec![object], &[(0, Kind::Reference, 1)])
    }

    /// The bytes of such an input; `None` where the array is null.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let at = usize::try_from(self.slot(0, Kind::Reference)).ok()?.checked_sub(1)?;
        let object = self.objects.get(at)?;
        let mut bytes = vec![0; object.length as usize];
        for &(at, word) in &object.elements {
            *bytes.get_mut(at as usize)? = word as u8;
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for bytes in [&b""[..], b"a", b"\0\xff\0", b"\0\0"] {
            assert_eq!(Recipe::of_bytes(bytes).bytes().as_deref(), Some(bytes));
        }
        assert_eq!(Recipe::default().bytes(), None);
    }
}
