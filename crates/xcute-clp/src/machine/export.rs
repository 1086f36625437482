//! Terms of the heap as terms of an arena, in which they can be written.

use rustc_hash::FxHashMap;

use super::cell::Cell;
use super::heap::Heap;
use super::symbols::Symbols;
use crate::syntax::{Arena, Term, TermRef};

/// A copy of a term. Variables are numbered as they are met; terms that depend on the input must have been valued before.
pub fn to_arena(heap: &Heap, symbols: &Symbols, root: Cell, arena: &mut Arena, variables: &mut FxHashMap<u32, u32>) -> TermRef {
    enum Todo {
        Visit(Cell),
        Make(u32),
    }
    let (mut todo, mut done) = (vec![Todo::Visit(root)], Vec::new());
    while let Some(next) = todo.pop() {
        match next {
            Todo::Visit(cell) => match heap.deref(cell) {
                Cell::Struct(address) => {
                    let arity = symbols.arity(heap.functor(address));
                    todo.push(Todo::Make(address));
                    todo.extend((0..arity).rev().map(|i| Todo::Visit(heap.at(address + 1 + i))));
                }
                Cell::Var(address) => {
                    let number = u32::try_from(variables.len()).expect("fewer than 2^32 variables");
                    done.push(arena.var(*variables.entry(address).or_insert(number)));
                }
                Cell::Atom(atom) => done.push(arena.atom(atom)),
                integer @ (Cell::Int(_) | Cell::Big(_)) => done.push(arena.integer(symbols.as_integer(integer).expect("an integer"))),
                Cell::Float(bits) => done.push(arena.push(Term::Float(f64::from_bits(bits)))),
                Cell::Str(id) => done.push(arena.push(Term::String(symbols.text(id).into()))),
                Cell::Functor(_) | Cell::Sym(_) => unreachable!("functors are inside compounds, inputs were valued"),
            },
            Todo::Make(address) => {
                let functor = heap.functor(address);
                let args = done.split_off(done.len() - symbols.arity(functor) as usize);
                done.push(arena.compound(symbols.name(functor), &args));
            }
        }
    }
    done.pop().expect("the root")
}
