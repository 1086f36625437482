//! Lists of codes or characters as texts.
//!
//! **Invariant.** The first element says which of the two a list is made of. What is not such a list is refused as SWI-Prolog refuses it: the first element that does not fit
//! is to blame, and the whole only where its end is wrong.

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::shape::ListView;

impl Machine<'_> {
    /// The text of a list. Where an atom or a string is `expected`, the whole is to blame for all that is wrong.
    pub(super) fn listed(&mut self, list: Cell, expected: &str) -> Result<String, Stop> {
        let whole = matches!(expected, "atom" | "string");
        let (mut text, mut codes, mut halves, mut at) = (String::new(), None, false, list);
        loop {
            let (head, tail) = match self.list_view(at) {
                ListView::Nil if halves => return Err(self.not_supported("a text with half of a surrogate pair")),
                ListView::Nil => return Ok(text),
                ListView::Cons(head, tail) => (self.heap.deref(head), tail),
                ListView::Open(_) if !whole => return Err(self.instantiation_error()),
                ListView::Open(_) => return Err(self.type_error(expected, list)),
                ListView::Other(_) => return Err(self.type_error(expected, list)),
            };
            if let (Cell::Var(_), false) = (head, whole) {
                return Err(self.instantiation_error());
            }
            let found = match head {
                // SWI-Prolog has such texts, and blames what comes later.
                Cell::Int(0xd800..=0xdfff) if codes != Some(false) => {
                    halves = true;
                    Some(char::REPLACEMENT_CHARACTER)
                }
                Cell::Int(code) if codes != Some(false) => u32::try_from(code).ok().and_then(char::from_u32),
                Cell::Atom(name) if codes != Some(true) => {
                    let mut all = self.symbols.atoms.name(name).chars();
                    all.next().filter(|_| all.next().is_none())
                }
                _ => None,
            };
            let Some(found) = found else {
                let kind = if codes == Some(false) { "character" } else { "character_code" };
                return Err(if whole { self.type_error(expected, list) } else { self.type_error(kind, head) });
            };
            codes.get_or_insert(matches!(head, Cell::Int(_)));
            text.push(found);
            at = tail;
        }
    }

    /// The text of a list that has one, and the empty text otherwise.
    pub(super) fn characters(&mut self, list: Cell) -> String {
        self.listed(list, "string").unwrap_or_default()
    }
}
