//! Functions that the run told and the replay computes, where something that depends on the input goes in.

use super::control::Next;
use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::calls::Told;
use crate::etf::Atom;
use crate::flat::PlaceId;

/// Maps with more keys have an order that only the emulator knows.
const FLAT: usize = 32;

impl Machine<'_> {
    /// A call of such a function.
    pub(super) fn told(&mut self, told: Told, args: &[Val], what: &str, id: u32, place: PlaceId) -> Res<Next> {
        let args: Vec<Val> = args.iter().map(|&arg| self.resolved(arg)).collect();
        if told.hashes() {
            return self.hash(&args, what, id, place);
        }
        if !args.iter().any(|&arg| self.heap.is_symbolic(arg)) {
            let value = self.opaque(id, place, &args, what)?;
            return Ok(self.give(value));
        }
        if told.makes_atom() {
            return self.atom_of_text(told, &args, what, id, place);
        }
        let (_, given) = self.skip(id, place)?;
        let mut ctx = self.body(place);
        let value = match told {
            Told::MapToList => {
                let pairs = self.ordered_pairs(&mut ctx, args[0], (given, false))?;
                let items: Vec<Val> = pairs.into_iter().map(|pair| self.heap.tuple(&pair)).collect();
                self.heap.list(&items, Val::Nil)
            }
            Told::MapKeys => {
                let pairs = self.ordered_pairs(&mut ctx, args[0], (given, true))?;
                let keys: Vec<Val> = pairs.into_iter().map(|pair| pair[0]).collect();
                self.heap.list(&keys, Val::Nil)
            }
            Told::MapRemove => {
                let map = self.require_map(&mut ctx, args[1])?;
                self.removed(&ctx, map, args[0])?
            }
            Told::MapFromList => self.map_from_list(&mut ctx, args[0])?,
            Told::MapFromKeys => {
                let mut map = self.heap.map(&[]);
                for key in self.list_items(&mut ctx, args[0])? {
                    map = self.put(&mut ctx, map, key, args[1], false)?;
                }
                map
            }
            Told::MapMerge => {
                let mut map = self.require_map(&mut ctx, args[0])?;
                let other = self.require_map(&mut ctx, args[1])?;
                for [key, value] in self.all_pairs(&ctx, other)? {
                    map = self.put(&mut ctx, map, key, value, false)?;
                }
                map
            }
            Told::BinaryToList | Told::BinToList | Told::BitstringToList => {
                let kind = if told == Told::BitstringToList { Kind::Bitstring } else { Kind::Binary };
                let value = self.require_bits(&mut ctx, args[0], kind)?;
                let fields = self.fields(&ctx, value)?;
                let (bytes, last) = self.bytes_of(&fields);
                let bytes: Vec<Val> = bytes.into_iter().map(|byte| self.integer_value(byte)).collect();
                let tail = if last.1 > 0 { vec![self.bits_value(vec![last])] } else { vec![] };
                self.heap.list(&[bytes, tail].concat(), Val::Nil)
            }
            Told::ListToAtom
            | Told::ListToExistingAtom
            | Told::BinaryToAtom
            | Told::BinaryToExistingAtom
            | Told::BinaryToAtom2
            | Told::BinaryToExistingAtom2
            | Told::Hash
            | Told::Hash2
            | Told::Hash2In => unreachable!("seen above"),
            Told::ListToBinary | Told::IolistToBinary => self.flattened(&mut ctx, args[0], told == Told::IolistToBinary)?,
        };
        Ok(self.give(value))
    }

    fn map_from_list(&mut self, ctx: &mut Ctx, list: Val) -> Res<Val> {
        let mut map = self.heap.map(&[]);
        for item in self.list_items(ctx, list)? {
            let mut conditions = Vec::new();
            let parts = match self.known(item) {
                Val::Tuple(tuple) => self.heap.elements(tuple).to_vec(),
                Val::Sym(term) => self.tuple_parts(term, 2, &mut conditions),
                _ => Vec::new(),
            };
            let &[key, value] = &parts[..] else { return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil) };
            let pair = self.and(&conditions);
            self.require(ctx, pair, Val::Atom(Atom::BADARG))?;
            map = self.put(ctx, map, key, value, false)?;
        }
        Ok(map)
    }

    /// The bytes of an iolist; with `data`, it may be a binary itself.
    fn flattened(&mut self, ctx: &mut Ctx, list: Val, data: bool) -> Res<Val> {
        let (mut row, mut pending) = (Vec::new(), vec![(list, data, false)]);
        // What is left: a value, whether it may be a binary, and whether it may be a byte.
        while let Some((value, binary, byte)) = pending.pop() {
            self.spend()?;
            let kinds = [Kind::Nil, Kind::Cons, Kind::Binary, Kind::Integer];
            let mut ways = kinds.map(|kind| self.is_kind(value, kind));
            for (way, allowed) in ways.iter_mut().zip([true, true, binary, byte]) {
                if !allowed {
                    *way = self.no();
                }
            }
            let any = self.or(&ways);
            self.require(ctx, any, Val::Atom(Atom::BADARG))?;
            match self.choose(ctx, &ways)? {
                0 => {}
                1 => {
                    let Val::Cons(cell) = self.known(value) else { return Err(Stop::Lost("a list is none".to_owned())) };
                    let (head, tail) = self.heap.cell(cell);
                    pending.push((tail, true, false));
                    pending.push((head, true, true));
                }
                2 => row.extend(self.fields(ctx, value)?),
                _ => {
                    let value = self.integer(ctx, value, Atom::BADARG)?;
                    let number = self.integer_term(value).expect("an integer");
                    let inside = self.within(number, 0, 255);
                    self.require(ctx, inside, Val::Atom(Atom::BADARG))?;
                    row.push((number, 8));
                }
            }
        }
        Ok(self.bits_value(row))
    }

    /// The pairs of a map. The run says in which order they are; where that depends on the input, it is decided.
    fn ordered_pairs(&mut self, ctx: &mut Ctx, map: Val, (given, keys): (Val, bool)) -> Res<Vec<[Val; 2]>> {
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
            // Pairs, or keys.
            let pair = if let Val::Tuple(tuple) = head { self.heap.elements(tuple).first().copied() } else { None };
            let found = |machine: &mut Self, key: Val| pairs.iter().position(|pair| machine.is_now(pair[0], key));
            let Some(found) = (if keys { found(self, head) } else { pair.and_then(|key| found(self, key)) }) else { break };
            if found != 0 && pairs.iter().any(|pair| self.heap.is_symbolic(pair[0])) {
                self.rec.limit("unsupported", "an order of the keys of maps that is not Erlang's order of terms", true);
            }
            ordered.push(pairs.remove(found));
        }
        if !pairs.is_empty() {
            return Err(Stop::Diverged(format!("the keys of a map at {}", self.at(ctx))));
        }
        Ok(ordered)
    }
}
