//! The table of types that a JVM gets: classes of input objects and their fields.
//!
//! **Invariant.** Entries are only appended, so a number means the same in every JVM of the subject.

use rustc_hash::FxHashMap;

use super::candidate::Candidate;
use super::recipe::Recipe;

/// Kinds of entries; `XcuteInput.java` has them, too.
const CLASS: u32 = 0;
const ARRAY: u32 = 1;
const STRING: u32 = 2;
const BOX: u32 = 3;
const ENUM: u32 = 4;
const FIELD: u32 = 5;

/// The table.
#[derive(Debug, Default)]
pub(crate) struct TypeTable {
    index: FxHashMap<(u32, u32, String), u32>,
    /// Entries as bytes.
    bytes: Vec<u8>,
    /// How many bytes the present JVM has.
    pub(crate) told: usize,
}

impl TypeTable {
    pub(crate) fn count(&self) -> u64 {
        self.index.len() as u64
    }

    /// What the JVM did not get yet, and where it belongs.
    pub(crate) fn untold(&self) -> (u64, &[u8]) {
        (self.told as u64, &self.bytes[self.told..])
    }

    pub(crate) fn all_told(&mut self) {
        self.told = self.bytes.len();
    }

    fn entry(&mut self, kind: u32, of: u32, name: &str) -> u32 {
        let key = (kind, of, name.to_owned());
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let number = u32::try_from(self.index.len()).expect("few types");
        for word in [kind, of, u32::try_from(name.len()).expect("names are short")] {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.index.insert(key, number);
        number
    }

    fn of(&mut self, what: &Candidate) -> u32 {
        let binary = |name: &str| name.replace('/', ".");
        match what {
            Candidate::Object(class) => self.entry(CLASS, 0, &binary(class)),
            Candidate::Array(element) => {
                // `Class.forName` knows arrays by descriptors, classes by names, primitive types not at all.
                let name = match element.as_bytes()[0] {
                    b'L' => binary(&element[1..element.len() - 1]),
                    _ => binary(element),
                };
                self.entry(ARRAY, 0, &name)
            }
            Candidate::Text => self.entry(STRING, 0, "java.lang.String"),
            Candidate::Box(class) => self.entry(BOX, 0, &binary(class)),
            Candidate::Constant(class, _) => self.entry(ENUM, 0, &binary(class)),
        }
    }

    /// The words that a JVM builds an input from.
    pub(crate) fn encode(&mut self, recipe: &Recipe) -> Vec<u64> {
        let (mut objects, mut stores, mut extra) = (Vec::new(), Vec::new(), Vec::new());
        for (number, object) in (0u64..).zip(&recipe.objects) {
            objects.push(u64::from(self.of(&object.what)) | u64::from(object.length) << 32);
            for (class, name, value) in &object.fields {
                let class = self.entry(CLASS, 0, &class.replace('/', "."));
                let field = self.entry(FIELD, class, name);
                stores.extend([number | u64::from(field) << 32, *value]);
            }
            for &(at, value) in &object.elements {
                stores.extend([number | u64::from(at | 1 << 31) << 32, value]);
            }
            match object.what {
                Candidate::Text => {
                    let word = |chunk: &[u16]| chunk.iter().rev().fold(0, |word, &unit| word << 16 | u64::from(unit));
                    extra.extend(object.text.chunks(4).map(word));
                }
                Candidate::Box(..) => extra.push(object.value),
                _ => {}
            }
        }
        let mut words = vec![objects.len() as u64, stores.len() as u64 / 2, recipe.slots.len() as u64, extra.len() as u64];
        words.extend(objects);
        words.extend(stores);
        words.extend(&recipe.slots);
        words.extend(extra);
        words
    }
}
