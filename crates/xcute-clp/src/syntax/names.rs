//! The names of variables in written terms.
//!
//! **Invariant.** Different variables get different names, except that `_` stands for each that occurs once.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Arena, Term, TermRef};

/// A name for each variable, by number.
#[derive(Clone, Debug)]
pub(super) struct Names(Vec<String>);

impl Names {
    /// As `write_canonical/1` gives them: `A`, `B`, … in the order of the text, and `_` for those that occur once.
    pub fn canonical(terms: &Arena, root: TermRef) -> Names {
        let (order, counts) = occurrences(terms, root);
        let mut names = vec!["_".to_owned(); counts.len()];
        for (index, number) in order.into_iter().filter(|&number| counts[number as usize] > 1).enumerate() {
            names[number as usize] = letter(index);
        }
        Names(names)
    }

    /// The names of the source; those without get `_` or a name that is free.
    pub fn given(terms: &Arena, root: TermRef, variables: &[Option<Arc<str>>]) -> Names {
        let (order, counts) = occurrences(terms, root);
        let taken: FxHashSet<&str> = variables.iter().flatten().map(|name| &**name).collect();
        let mut names = vec!["_".to_owned(); counts.len()];
        let mut free = (0..).map(letter).filter(|name| !taken.contains(&**name));
        for number in order {
            let given = variables.get(number as usize).and_then(Option::as_deref);
            if let Some(name) = given {
                names[number as usize] = name.to_owned();
            } else if counts[number as usize] > 1 {
                names[number as usize] = free.next().expect("there are names without end");
            }
        }
        Names(names)
    }

    pub fn name(&self, number: u32) -> &str {
        &self.0[number as usize]
    }
}

pub(super) fn letter(index: usize) -> String {
    let letter = char::from(b'A' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26) }
}

/// The variables in the order of their first occurrence, and how often each occurs.
fn occurrences(terms: &Arena, root: TermRef) -> (Vec<u32>, Vec<u32>) {
    let mut order = Vec::new();
    let mut counts: Vec<u32> = Vec::new();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        match terms.get(term) {
            Term::Var(number) => {
                let index = *number as usize;
                if counts.len() <= index {
                    counts.resize(index + 1, 0);
                }
                counts[index] += 1;
                if counts[index] == 1 {
                    order.push(*number);
                }
            }
            Term::Compound(compound) => work.extend(terms.args(*compound).iter().rev()),
            _ => {}
        }
    }
    (order, counts)
}
