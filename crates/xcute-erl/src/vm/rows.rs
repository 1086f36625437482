//! The processes of a run at a moment when all of them wait for leave: what each wants to do.

/// All processes, by their numbers in the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The processes.
    pub rows: Vec<Row>,
    /// There are others, which nobody leads.
    pub foreign: bool,
    /// One of them ended the emulator: none goes on.
    pub halted: bool,
}

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which one started it.
    pub parent: u32,
    /// What it wants to do; `None` if it has ended, or its code is not followed.
    pub wants: Option<Wants>,
    /// Whether it has ended.
    pub ended: bool,
    /// There is a message in its mailbox that it has not fetched.
    pub unseen: bool,
    /// There is one that it has fetched, and that no clause has matched.
    pub unmatched: bool,
    /// Its code is not followed.
    pub opaque: bool,
}

/// What a process wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Send a message to this process.
    Send(u32),
    /// Fetch the message of its mailbox with this number.
    Fetch(u32),
    /// The same, or go on without: there is a time for it.
    Timed(u32),
    /// See whether this process lives.
    Life(u32),
    /// End this process: itself, or by a signal.
    End(u32),
    /// Change what this name stands for.
    Name(u32),
    /// See what this name stands for.
    Look(u32),
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// This process does what it wants to.
    Go(u32),
    /// The run is over.
    Stop,
    /// No process can go on, unless one sends something that nobody leads.
    Wait,
}

/// Bytes of a row.
const ROW: usize = 16;

impl Rows {
    /// The rows that a packet holds; `None` if it is an answer.
    pub(super) fn read(packet: &[u8]) -> Option<Rows> {
        let [8, foreign, _, _, _, _, rest @ ..] = packet else { return None };
        let rows = rest.chunks_exact(ROW).map(row).collect();
        Some(Rows { rows, foreign: *foreign == 1, halted: *foreign == 2 })
    }
}

fn row(bytes: &[u8]) -> Row {
    let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (object, index) = (word(6), word(10));
    let wants = match bytes[5] {
        1 => Some(Wants::Send(object)),
        2 => Some(Wants::Fetch(index)),
        3 => Some(Wants::Timed(index)),
        4 => Some(Wants::Life(object)),
        5 => Some(Wants::End(object)),
        6 => Some(Wants::Name(object)),
        7 => Some(Wants::Look(object)),
        _ => None,
    };
    Row { parent: word(1), wants, ended: bytes[0] == 2, unseen: bytes[14] & 1 != 0, unmatched: bytes[14] & 2 != 0, opaque: bytes[15] != 0 }
}

impl Lead {
    pub(super) fn packet(self) -> Vec<u8> {
        match self {
            Lead::Go(number) => [&[1][..], &number.to_be_bytes()].concat(),
            Lead::Stop => vec![2],
            Lead::Wait => vec![3],
        }
    }
}
