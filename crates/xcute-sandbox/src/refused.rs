//! What was refused, by name, with how often.
//!
//! **Invariant.** At most [`MOST`] different things are named in the life of a sandbox; the rest counts as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// At most this many different things are named.
const MOST: usize = 32;
/// What the rest is called.
const OTHERS: &str = "other files or processes, too many to name";

/// Something that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What: `delete /home/me/notes`. It holds no control characters.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// All that was ever named.
pub(crate) type Names = Arc<Mutex<BTreeSet<String>>>;

/// What was refused since somebody asked.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    names: Names,
    any: AtomicBool,
    list: Mutex<BTreeMap<String, u64>>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if self.times > 1 { write!(f, " ({} times)", self.times) } else { Ok(()) }
    }
}

impl Refused {
    /// Nothing yet; `names` are those of the sandbox.
    pub(crate) fn new(names: Names) -> Refused {
        Refused { names, ..Refused::default() }
    }

    /// Records a refusal.
    pub(crate) fn add(&self, what: &str) {
        let what: String = what.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let named = names.contains(&what) || (names.len() < MOST && names.insert(what.clone()));
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        *list.entry(if named { what } else { OTHERS.to_owned() }).or_insert(0) += 1;
        self.any.store(true, Ordering::Release);
    }

    /// All of them; the list is empty afterwards. Where there is nothing this costs nothing.
    pub(crate) fn take(&self) -> Vec<Refusal> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.any.store(false, Ordering::Release);
        let list = std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner));
        list.into_iter().map(|(what, times)| Refusal { what, times }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_counted_bounded_and_readable() {
        let refused = Refused::default();
        assert!(refused.take().is_empty());
        for n in 0..100 {
            refused.add(&format!("delete /x/{}", n / 2));
        }
        let all = refused.take();
        assert_eq!((all.len(), all.iter().map(|r| r.times).sum::<u64>()), (MOST + 1, 100));
        refused.add("delete /y");
        assert_eq!(refused.take()[0].what, OTHERS);
        let refused = Refused::default();
        refused.add("delete /x/\u{1b}[2J\n");
        assert_eq!(refused.take(), [Refusal { what: "delete /x/\\u{1b}[2J\\n".into(), times: 1 }]);
        assert!(refused.take().is_empty());
    }
}
