//! Functions that the run told and the replay computes, where something that depends on the input goes in.

use super::control::Next;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::calls::Told;
use crate::flat::PlaceId;

/// Maps with more keys have an order that only the emulator knows.
const FLAT: usize = 32;

impl Machine<'_> {
    /// A call of such a function.
    pub(super) fn told(&mut self, told: Told, args: &[Val], what: &str, id: u32, place: PlaceId) -> Res<Next> {
        let args: Vec<Val> = args.iter().map(|&arg| self.resolved(arg)).collect();
        if !args.iter().any(|&arg| self.heap.is_symbolic(arg)) {
            let value = self.opaque(id, place, &args, what)?;
            return Ok(self.give(value));
        }
        let (_, given) = self.skip(id, place)?;
        let mut ctx = self.body(place);
        let value = match told {
            Told::MapToList => self.map_to_list(&mut ctx, args[0], given)?,
            Told::MapRemove => {
                let map = self.require_map(&mut ctx, args[1])?;
                self.removed(&ctx, map, args[0])?
            }
        };
        Ok(self.give(value))
    }

    /// The pairs of a map. The run says in which order they are; where that depends on the input, it is decided.
    fn map_to_list(&mut self, ctx: &mut Ctx, map: Val, given: Val) -> Res<Val> {
        let map = self.require_map(ctx, map)?;
        let mut pairs = self.all_pairs(ctx, map)?;
        if pairs.iter().any(|pair| self.heap.is_symbolic(pair[0])) {
            if pairs.len() > FLAT {
                return Err(Stop::Lost(format!("the order of more than {FLAT} keys that depend on the input at {}", self.at(ctx))));
            }
            pairs = self.sorted_pairs(ctx, pairs)?;
        }
        let mut at = given;
        let mut ordered = Vec::with_capacity(pairs.len());
        while let Val::Cons(cell) = at {
            let (head, tail) = self.heap.cell(cell);
            at = tail;
            let Val::Tuple(tuple) = head else { break };
            let key = self.heap.elements(tuple).first().copied().unwrap_or(Val::Nil);
            let Some(found) = pairs.iter().position(|pair| self.is_now(pair[0], key)) else { break };
            if found != 0 && pairs.iter().any(|pair| self.heap.is_symbolic(pair[0])) {
                self.rec.limit("unsupported", "an order of the keys of maps that is not Erlang's order of terms", true);
            }
            ordered.push(pairs.remove(found));
        }
        if !pairs.is_empty() {
            return Err(Stop::Diverged(format!("the keys of a map at {}", self.at(ctx))));
        }
        let items: Vec<Val> = ordered.into_iter().map(|pair| self.heap.tuple(&pair)).collect();
        Ok(self.heap.list(&items, Val::Nil))
    }
}
