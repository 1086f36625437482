//! The journal: what a campaign did, written while it runs, so that another one can go on after whatever ended it.
//!
//! A file of batches: length, checksum, records. Numbers are variable-length (seven bits a byte), runs are recorded relative to each other, so a
//! path costs about a dozen bytes. Batches are written a few times a second and at every failure.
//!
//! **Invariant.** A batch counts as a whole or not at all: what a kill tore off at the end is cut away before anything is appended.

mod values;

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use xcute_engine::{Place, Record};
use xcute_term::{Model, VarId};
use xcute_tree::Arm;

const MAGIC: &[u8; 8] = b"xcutejn2";
/// Length and checksum.
const HEAD: usize = 12;
/// A batch is written when it is this long or this old.
const LONG: usize = 1 << 16;
const OLD: Duration = Duration::from_millis(200);

/// A journal that is being written.
pub struct Journal {
    path: PathBuf,
    inner: Mutex<Inner>,
}

struct Inner {
    file: File,
    batch: Vec<u8>,
    /// How many variables are in the journal.
    variables: usize,
    written: Duration,
}

/// What an earlier campaign left.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub records: Vec<Record>,
    /// The front end's variables, in its own form, with how many there are after each piece.
    pub variables: Vec<(usize, Vec<u8>)>,
}

impl Journal {
    /// Begins a journal.
    pub fn create(path: &Path) -> Result<Journal> {
        let cannot = || format!("cannot write {}", path.display());
        let mut file = File::create(path).with_context(cannot)?;
        file.write_all(MAGIC).with_context(cannot)?;
        Ok(Journal::of(path, file, 0))
    }

    /// Reads a journal.
    pub fn read(path: &Path) -> Result<Past> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(whole(path, &bytes)?.0)
    }

    /// Reads a journal and goes on writing it.
    pub fn open(path: &Path) -> Result<(Past, Journal)> {
        let cannot = || format!("cannot read {}", path.display());
        let mut file = OpenOptions::new().read(true).write(true).open(path).with_context(cannot)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(cannot)?;
        let (past, end) = whole(path, &bytes)?;
        file.set_len(end as u64).and_then(|()| file.seek(SeekFrom::End(0))).with_context(|| format!("cannot write {}", path.display()))?;
        let variables = past.variables.last().map_or(0, |(count, _)| *count);
        Ok((past, Journal::of(path, file, variables)))
    }

    fn of(path: &Path, file: File, variables: usize) -> Journal {
        let inner = Inner { file, batch: vec![0; HEAD], variables, written: Duration::ZERO };
        Journal { path: path.to_owned(), inner: Mutex::new(inner) }
    }

    /// Adds a record, and before it the variables that the front end met since the last one. `now`: it must not be lost.
    pub fn add(&self, record: &Record, elapsed: Duration, now: bool, variables: impl Fn(usize) -> Option<(usize, Vec<u8>)>) -> Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((count, bytes)) = variables(inner.variables) {
            inner.batch.push(b'v');
            number(&mut inner.batch, count as u64);
            number(&mut inner.batch, bytes.len() as u64);
            inner.batch.extend_from_slice(&bytes);
            inner.variables = count;
        }
        encode(&mut inner.batch, record);
        if now || inner.batch.len() >= LONG || elapsed.saturating_sub(inner.written) >= OLD {
            inner.written = elapsed;
            self.write(&mut inner)?;
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn flush(&self) -> Result<()> {
        self.write(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, inner: &mut Inner) -> Result<()> {
        let Inner { file, batch, .. } = inner;
        if batch.len() == HEAD {
            return Ok(());
        }
        let length = u32::try_from(batch.len() - HEAD).context("a batch of the journal is too long")?;
        let sum = checksum(&batch[HEAD..]);
        batch[..4].copy_from_slice(&length.to_le_bytes());
        batch[4..HEAD].copy_from_slice(&sum.to_le_bytes());
        file.write_all(batch).with_context(|| format!("cannot write {}", self.path.display()))?;
        batch.truncate(HEAD);
        Ok(())
    }
}

/// All whole batches, and where they end.
fn whole(path: &Path, bytes: &[u8]) -> Result<(Past, usize)> {
    if !bytes.starts_with(MAGIC) {
        bail!("cannot understand {}: it is not a journal of this xcute", path.display());
    }
    let mut past = Past::default();
    let mut at = MAGIC.len();
    while let Some(head) = bytes.get(at..at + HEAD) {
        let length = u32::from_le_bytes(head[..4].try_into().expect("four bytes")) as usize;
        let sum = u64::from_le_bytes(head[4..].try_into().expect("eight bytes"));
        let Some(mut batch) = bytes.get(at + HEAD..at + HEAD + length).filter(|batch| checksum(batch) == sum) else { break };
        let (records, variables) = (past.records.len(), past.variables.len());
        while !batch.is_empty() {
            if decode(&mut batch, &mut past).is_none() {
                past.records.truncate(records);
                past.variables.truncate(variables);
                return Ok((past, at));
            }
        }
        at += HEAD + length;
    }
    Ok((past, at))
}

/// FNV-1a: against torn and damaged batches, not against people.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn encode(out: &mut Vec<u8>, record: &Record) {
    match record {
        Record::Run { number: own, place, patch } => {
            out.push(if place.is_some() { b'r' } else { b'f' });
            number(out, *own);
            if let Some(place) = place {
                number(out, own.wrapping_sub(place.run));
                number(out, u64::from(place.depth));
                number(out, u64::from(place.arm));
            }
            number(out, patch.words().len() as u64);
            let mut before = 0;
            for &(var, word) in patch.words() {
                number(out, u64::from(var.0 - before));
                number(out, word);
                before = var.0;
            }
            number(out, patch.others().len() as u64);
            for (var, value) in patch.others() {
                number(out, u64::from(var.0));
                values::encode(out, value);
            }
        }
        Record::Restart => out.push(b'n'),
        Record::Settled { place, state } => {
            out.push(match state {
                Arm::Infeasible => b'i',
                Arm::Subsumed => b's',
                _ => b'u',
            });
            number(out, place.run);
            number(out, u64::from(place.depth));
            number(out, u64::from(place.arm));
        }
    }
}

fn decode(bytes: &mut &[u8], past: &mut Past) -> Option<()> {
    let tag = bytes.split_off_first()?;
    match tag {
        b'v' => {
            let count = usize::try_from(take(bytes)?).ok()?;
            let length = usize::try_from(take(bytes)?).ok()?;
            past.variables.push((count, bytes.split_off(..length)?.to_vec()));
        }
        b'r' | b'f' => {
            let number = take(bytes)?;
            let place = if *tag == b'r' { Some(place(bytes, |back| number.wrapping_sub(back))?) } else { None };
            let (mut patch, mut var) = (Model::new(), 0u32);
            for _ in 0..take(bytes)? {
                var = var.checked_add(small(bytes)?)?;
                patch.set_word(VarId(var), take(bytes)?);
            }
            for _ in 0..take(bytes)? {
                let var = VarId(small(bytes)?);
                patch.set(var, values::decode(bytes)?);
            }
            past.records.push(Record::Run { number, place, patch });
        }
        b'i' | b'u' | b's' => {
            let state = match tag {
                b'i' => Arm::Infeasible,
                b's' => Arm::Subsumed,
                _ => Arm::Unknown,
            };
            past.records.push(Record::Settled { place: place(bytes, |run| run)?, state });
        }
        b'n' => past.records.push(Record::Restart),
        _ => return None,
    }
    Some(())
}

fn place(bytes: &mut &[u8], run: impl Fn(u64) -> u64) -> Option<Place> {
    Some(Place { run: run(take(bytes)?), depth: small(bytes)?, arm: small(bytes)? })
}

fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n.to_le_bytes()[0] | 0x80);
        n >>= 7;
    }
    out.push(n.to_le_bytes()[0]);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

fn small(bytes: &mut &[u8]) -> Option<u32> {
    u32::try_from(take(bytes)?).ok()
}

#[cfg(test)]
mod tests;
