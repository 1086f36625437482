//! Atoms that are made of text which depends on the input.
//!
//! A text may be that of an atom which the program writes: each is a way of its own, and these atoms exist. Of other texts the run says what came of them.
//!
//! **Invariant.** An atom that the program does not write, made of such a text, is counted.

use super::control::Next;
use super::value::Val;
use super::{Ctx, Machine, Res};
use crate::calls::Told;
use crate::etf::{Atom, Term};
use crate::flat::PlaceId;

impl Machine<'_> {
    /// `list_to_atom`, `binary_to_atom` and the like, of something that depends on the input.
    pub(super) fn atom_of_text(&mut self, told: Told, args: &[Val], what: &str, id: u32, place: PlaceId) -> Res<Next> {
        let (raised, given) = self.skip(id, place)?;
        let ctx = self.body(place);
        let is_list = matches!(told, Told::ListToAtom | Told::ListToExistingAtom);
        let encoded = args.get(1).is_none_or(|&encoding| matches!(encoding, Val::Atom(atom) if self.atoms.name(atom) == "utf8"));
        if let (true, Some(atom)) = (encoded, self.spelled_by(&ctx, args[0], is_list)?) {
            return Ok(self.give(Val::Atom(atom)));
        }
        let what = format!("{what} at {}: an atom that the program does not write", self.spot(place));
        self.rec.limit("uninstrumented", &what, true);
        self.as_told((raised, given), place).map(|value| self.give(value))
    }

    /// The atom of the program that a text spells, decided.
    fn spelled_by(&mut self, ctx: &Ctx, text: Val, is_list: bool) -> Res<Option<Atom>> {
        let text = if is_list {
            let items = self.list_items(&mut { *ctx }, text)?;
            self.heap.list(&items, Val::Nil)
        } else {
            text
        };
        for atom in self.program.written.clone() {
            let name = self.atoms.name(atom).to_owned();
            let spelled = if is_list {
                let codes: Vec<Val> = name.chars().map(|c| Val::Int(i64::from(u32::from(c)))).collect();
                self.heap.list(&codes, Val::Nil)
            } else {
                self.heap.literal(&Term::Bits(name.as_bytes().into(), 8 * name.len()))
            };
            if self.decided_same(ctx, text, spelled)? {
                return Ok(Some(atom));
            }
        }
        Ok(None)
    }
}
