//! Clauses, in one arena.

use crate::lit::Lit;

/// Words before the literals of a clause.
const HEADER: usize = 2;

/// Names a clause: its position in the arena. Changes when clauses are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClauseId(u32);

impl ClauseId {
    /// No clause: the reason of decisions and facts.
    pub(super) const NONE: ClauseId = ClauseId(u32::MAX);
}

/// The name of a clause, with whether it has no third literal in the lowest bit.
#[derive(Clone, Copy)]
pub(super) struct Watched(u32);

impl Watched {
    pub(super) fn new(id: ClauseId, binary: bool) -> Watched {
        Watched(id.0 << 1 | u32::from(binary))
    }

    pub(super) fn id(self) -> ClauseId {
        ClauseId(self.0 >> 1)
    }

    /// Whether the clause has no third literal.
    pub(super) fn binary(self) -> bool {
        self.0 & 1 == 1
    }
}

/// All clauses: each its length, its glue (0 for the definition of a gate), and its literals.
#[derive(Default)]
pub(super) struct Clauses {
    arena: Vec<Lit>,
}

impl Clauses {
    /// Adds a clause; one that was learnt has a glue of at least 1.
    pub(super) fn add(&mut self, lits: &[Lit], glue: Option<u32>) -> ClauseId {
        let id = self.end();
        self.arena.push(Lit::from_raw(u32::try_from(lits.len()).expect("a clause is short")));
        self.arena.push(Lit::from_raw(glue.map_or(0, |g| g.max(1))));
        self.arena.extend_from_slice(lits);
        id
    }

    /// The name that the next clause will have.
    pub(super) fn end(&self) -> ClauseId {
        ClauseId(u32::try_from(self.arena.len()).expect("the circuit is dropped long before 2^32 literals"))
    }

    /// The clause that was added after this one.
    pub(super) fn after(&self, id: ClauseId) -> ClauseId {
        ClauseId(id.0 + self.arena[id.0 as usize].raw() + u32::try_from(HEADER).expect("small"))
    }

    pub(super) fn lits(&self, id: ClauseId) -> &[Lit] {
        let start = id.0 as usize;
        let length = self.arena[start].raw() as usize;
        &self.arena[start + HEADER..start + HEADER + length]
    }

    pub(super) fn lits_mut(&mut self, id: ClauseId) -> &mut [Lit] {
        let start = id.0 as usize;
        let length = self.arena[start].raw() as usize;
        &mut self.arena[start + HEADER..start + HEADER + length]
    }

    /// The number of decision levels in it when it was learnt; 0 for the definition of a gate.
    pub(super) fn glue(&self, id: ClauseId) -> u32 {
        self.arena[id.0 as usize + 1].raw()
    }

    /// Drops the given clauses, moves the others together, and answers the new name of each (`NONE` for a dropped one).
    pub(super) fn retain(&mut self, keep: impl Fn(ClauseId) -> bool) -> Moved {
        let mut arena = Vec::with_capacity(self.arena.len());
        let mut from = 0;
        while from < self.arena.len() {
            let end = from + HEADER + self.arena[from].raw() as usize;
            let id = ClauseId(u32::try_from(from).expect("an old position"));
            let to = if keep(id) {
                let to = u32::try_from(arena.len()).expect("positions only get smaller");
                arena.extend_from_slice(&self.arena[from..end]);
                to
            } else {
                ClauseId::NONE.0
            };
            self.arena[from] = Lit::from_raw(to);
            from = end;
        }
        // The name of the clause to come moves too.
        self.arena.push(Lit::from_raw(u32::try_from(arena.len()).expect("positions only get smaller")));
        Moved { old: std::mem::replace(&mut self.arena, arena) }
    }
}

/// Where clauses went.
pub(super) struct Moved {
    old: Vec<Lit>,
}

impl Moved {
    /// The new name of a clause; `NONE` if it was dropped.
    pub(super) fn to(&self, id: ClauseId) -> ClauseId {
        ClauseId(self.old[id.0 as usize].raw())
    }
}
