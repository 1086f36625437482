//! Counters in tables of `ets`: one increment, with a threshold and a default where they are given.

use super::maps::Found;
use super::tables::Called;
use super::value::Val;
use super::{Machine, Res};
use crate::calls::Bif;
use crate::etf::Atom;

impl Machine<'_> {
    /// `update_counter` with one increment; `default` is inserted where nothing has the key.
    pub(super) fn counted(&mut self, at: usize, (key, by, default): (Val, Val, Option<Val>), args: &[Val], called: Called<'_>) -> Res<Val> {
        let mut ctx = self.body(called.place);
        let (position, by, bound) = match self.parts(by)[..] {
            [] => (Some(self.key_position(at) + 1), by, None),
            [position, by] => (self.index(position), self.resolved(by), None),
            [position, by, threshold, reset] => (self.index(position), self.resolved(by), Some((threshold, reset))),
            _ => (None, by, None),
        };
        let is_integer = |machine: &Self, value| matches!(value, Val::SymInt(_)) || machine.small(value).is_some();
        let (key, rows) = (self.key(&ctx, at, key)?, self.rows(at));
        let found = self.find(&ctx, rows, key)?;
        let bounded = bound.is_none_or(|(threshold, reset)| is_integer(self, threshold) && is_integer(self, reset));
        let (Some(position), true) = (position.filter(|&position| position != self.key_position(at)), bounded && is_integer(self, by))
        else {
            return self.unknown(at, args, called);
        };
        let mut elements = match (found, default) {
            (Found::Yes(object), _) => self.parts(object),
            (_, Some(default)) => {
                let default = self.resolved(default);
                let mut parts = self.parts(default);
                if let Some(own) = parts.get_mut(self.key_position(at)) {
                    *own = key;
                }
                parts
            }
            _ => return self.unknown(at, args, called),
        };
        if elements.len() <= self.key_position(at) {
            return self.unknown(at, args, called);
        }
        let before = elements.get(position).map(|&before| self.resolved(before));
        let Some(before) = before.filter(|&before| is_integer(self, before)) else { return self.unknown(at, args, called) };
        let given = self.opaque(called.id, called.place, &[], called.what)?;
        let mut sum = self.bif(&mut ctx, Bif::Add, &[before, by])?;
        if let Some((threshold, reset)) = bound {
            // Which way it counts says on which side of the threshold it may not be.
            let down = self.bif(&mut ctx, Bif::Less, &[by, Val::Int(0)])?;
            let beyond = if self.decided_same(&ctx, down, Val::Atom(Atom::TRUE))? { [sum, threshold] } else { [threshold, sum] };
            let beyond = self.bif(&mut ctx, Bif::Less, &beyond)?;
            if self.decided_same(&ctx, beyond, Val::Atom(Atom::TRUE))? {
                sum = reset;
            }
        }
        elements[position] = sum;
        let object = self.heap.tuple(&elements);
        let rows = self.put(&mut ctx, rows, key, object, false)?;
        self.set_rows(at, rows);
        self.checked(at, (sum, given), called)
    }
}
