//! The block of memory shared with the subject.
//!
//! A memfd, mapped here and in the subject. Reads are volatile copies of plain numbers, bounded by our own sizes and not by what the block
//! says, because the subject may have overwritten it.
//!
//! **Invariant.** Only this file holds the address of the mapping.
#![allow(unsafe_code, reason = "a mapping shared with another process")]

use std::fs::File;
use std::io;
use std::mem::offset_of;
use std::os::fd::{AsRawFd as _, FromRawFd as _};
use std::sync::atomic::AtomicU32;

use xcute_process::Bell;

use super::layout::{self, Tables};
use super::{Options, StartError};
use crate::wire::{self, XcAux, XcControl, XcEvent, XcField, XcNode, XcRange, XcTask, XcThreads, XcType, XcVar};

/// What earlier processes found out, for a fresh one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inherited<'a> {
    /// The variables.
    pub variables: &'a [XcVar],
    /// The coverage map.
    pub coverage: &'a [u8],
    /// The tasks.
    pub tasks: &'a [XcTask],
    /// Memory that more than one task has touched.
    pub shared: &'a [XcRange],
}

/// The mapping.
#[derive(Debug)]
pub struct Block {
    file: File,
    base: *mut u8,
    /// What the head of the block must hold, whatever the subject does.
    pub(super) head: XcControl,
    /// The same for the head of the tables about threads, if there are any.
    pub(super) threads: Option<XcThreads>,
    types: Vec<XcType>,
    fields: Vec<XcField>,
    inputs: Vec<u32>,
}

// SAFETY: the mapping is not tied to a thread; all access goes through &self with volatile or atomic operations, &mut for a run.
unsafe impl Send for Block {}

macro_rules! field {
    ($block:expr, $name:ident) => {
        $block.read::<u32>(offset_of!(XcControl, $name) as u64)
    };
}

impl Block {
    /// Lays out and fills a block.
    ///
    /// # Errors
    /// Where it does not fit or the system refuses.
    pub fn new(tables: &Tables<'_>, options: &Options) -> Result<Block, StartError> {
        let (head, threads) = layout::plan(tables, options);
        if head.size > wire::SHARED_END - wire::SHARED {
            return Err(StartError::TooBig(head.size));
        }
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"xcute-block".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error().into());
        }
        // SAFETY: the descriptor is new and ours.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(head.size)?;
        let size = usize::try_from(head.size).expect("addresses have 64 bits");
        // SAFETY: a fresh mapping of our own file, at an address of the kernel's choice.
        let base =
            unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().into());
        }
        let (types, fields, inputs) = (tables.types.to_vec(), tables.fields.to_vec(), tables.inputs.to_vec());
        Ok(Block { file, base: base.cast(), head, threads, types, fields, inputs })
    }

    /// Writes all that a fresh process must find, whatever its predecessor did to it.
    pub fn prepare(&mut self, inherited: &Inherited<'_>) {
        self.head.n_vars = u32::try_from(inherited.variables.len()).expect("max_vars is a u32");
        let (subject, engine): (u32, u32) = (field!(self, bell_subject), field!(self, bell_engine));
        let head = XcControl { bell_subject: subject, bell_engine: engine, ..self.head };
        self.write(0, head);
        fill(self.base, head.size, head.types_at, &self.types);
        fill(self.base, head.size, head.fields_at, &self.fields);
        fill(self.base, head.size, head.inputs_at, &self.inputs);
        self.fill(head.vars_at, inherited.variables);
        self.set_coverage(inherited.coverage);
        self.prepare_threads(inherited);
    }

    /// Tells the process, before its next run, of variables from number `from` on that others met.
    pub fn add_variables(&mut self, from: usize, variables: &[XcVar]) {
        let at = self.head.vars_at + (from * size_of::<XcVar>()) as u64;
        let room = (self.head.max_vars as usize).saturating_sub(from);
        let variables = &variables[..variables.len().min(room)];
        self.fill(at, variables);
        let count = u32::try_from(from + variables.len()).expect("max_vars is a u32");
        self.write(offset_of!(XcControl, n_vars) as u64, count);
    }

    /// The descriptor, for a child.
    ///
    /// # Errors
    /// Where there are no descriptors left.
    pub fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Whether the subject left alone what only we write.
    #[must_use]
    pub fn intact(&self) -> bool {
        let ours = std::ptr::from_ref(&self.head).cast::<u64>();
        let (from, to) = (offset_of!(XcControl, fuel_limit), offset_of!(XcControl, ready) & !7);
        let same = |at: usize| {
            // SAFETY: `at` is a multiple of 8 inside the structure, which is aligned to 8.
            let word = unsafe { ours.byte_add(at).read() };
            self.read::<u64>(at as u64) == word
        };
        field!(self, magic) == wire::MAGIC && (from..to).step_by(8).all(same) && self.threads_intact()
    }

    /// The number of the run that began last.
    #[must_use]
    pub fn started(&self) -> u32 {
        field!(self, started)
    }

    /// Writes a command; the bell makes it known.
    pub fn command(&mut self, command: u32, run: u32) {
        self.write(offset_of!(XcControl, command) as u64, command);
        self.write(offset_of!(XcControl, run) as u64, run);
        self.write(offset_of!(XcControl, outcome) as u64, wire::outcome::RUNNING);
        self.write(offset_of!(XcControl, n_events) as u64, 0u32);
    }

    /// Gives a variable its value for a run.
    pub fn set_value(&mut self, variable: u32, run: u32, value: u64) {
        if variable < self.head.max_vars {
            let at = self.head.vars_at + u64::from(variable) * size_of::<XcVar>() as u64;
            self.write(at + offset_of!(XcVar, stamp) as u64, run);
            self.write(at + offset_of!(XcVar, value) as u64, value);
        }
    }

    pub(super) fn subject_bell(&self) -> Bell<'_> {
        Bell { rings: self.atomic(offset_of!(XcControl, bell_subject)), sleeps: self.atomic(offset_of!(XcControl, subject_sleeps)) }
    }

    pub(super) fn engine_bell(&self) -> Bell<'_> {
        Bell { rings: self.atomic(offset_of!(XcControl, bell_engine)), sleeps: self.atomic(offset_of!(XcControl, engine_sleeps)) }
    }

    pub(super) fn spin(&self) -> u32 {
        self.head.spin
    }

    /// How often the subject looks at its bell before it sleeps.
    pub(super) fn set_spin(&mut self, looks: u32) {
        self.head.spin = looks;
        self.write(offset_of!(XcControl, spin) as u64, looks);
    }

    /// What the subject says about itself.
    #[must_use]
    pub fn ready(&self) -> u32 {
        field!(self, ready)
    }

    /// How the last run ended: `wire::outcome`.
    #[must_use]
    pub fn outcome(&self) -> u32 {
        field!(self, outcome)
    }

    /// How many steps the last run made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        let left: i64 = self.read(offset_of!(XcControl, fuel) as u64);
        u64::try_from(self.head.fuel_limit.saturating_sub(left)).unwrap_or(0)
    }

    /// A copy of the whole head: the details of a failure.
    #[must_use]
    pub fn control(&self) -> XcControl {
        self.read(0)
    }

    /// The nodes of the last run; at most as many as there is room for. Not to be held over the next run.
    #[must_use]
    pub fn nodes(&self) -> &[XcNode] {
        self.slice(self.head.nodes_at, field!(self, n_nodes).min(self.head.max_nodes))
    }

    /// The elements of tables of the last run.
    #[must_use]
    pub fn aux(&self) -> &[XcAux] {
        self.slice(self.head.aux_at, field!(self, n_aux).min(self.head.max_aux))
    }

    /// The events of the last run.
    #[must_use]
    pub fn events(&self) -> &[XcEvent] {
        self.slice(self.head.events_at, field!(self, n_events).min(self.head.max_events))
    }

    /// Whether the last run had more decisions than are recorded.
    #[must_use]
    pub fn cut(&self) -> bool {
        field!(self, n_decisions) > self.head.max_decisions || self.full()
    }

    /// Whether there was no more room to record what the last run did.
    #[must_use]
    pub fn full(&self) -> bool {
        field!(self, full) != 0
    }

    /// How many variables there are; at most as many as there is room for.
    #[must_use]
    pub fn variables(&self) -> u32 {
        field!(self, n_vars).min(self.head.max_vars)
    }

    /// A variable. `None` beyond the table.
    #[must_use]
    pub fn variable(&self, index: u32) -> Option<XcVar> {
        (index < self.head.max_vars).then(|| self.element(self.head.vars_at, index))
    }

    /// Adds to `seen` what the coverage map has more, and reports each new byte.
    pub fn merge_coverage(&self, seen: &mut [u8], mut new: impl FnMut(usize)) {
        let n = seen.len().min(self.head.coverage_bytes as usize);
        let mut i = 0;
        while i < n {
            if i + 8 <= n {
                let ours = u64::from_ne_bytes(seen[i..i + 8].try_into().expect("eight bytes"));
                if self.read::<u64>(wire::COVERAGE_AT + i as u64) == ours {
                    i += 8;
                    continue;
                }
            }
            let end = (i + 8).min(n);
            for (at, byte) in seen.iter_mut().enumerate().take(end).skip(i) {
                if *byte == 0 && self.read::<u8>(wire::COVERAGE_AT + at as u64) != 0 {
                    new(at);
                }
                *byte = self.read(wire::COVERAGE_AT + at as u64);
            }
            i = end;
        }
    }

    /// Whether the coverage map has more than `seen`.
    #[must_use]
    pub fn covers_more(&self, seen: &[u8]) -> bool {
        let n = seen.len().min(self.head.coverage_bytes as usize);
        let (words, rest) = seen[..n].as_chunks::<8>();
        let at = |byte: usize| wire::COVERAGE_AT + byte as u64;
        let word = |(i, seen): (usize, &[u8; 8])| self.read::<u64>(at(8 * i)) != u64::from_ne_bytes(*seen);
        let byte = |(i, seen): (usize, &u8)| self.read::<u8>(at(8 * words.len() + i)) != *seen;
        words.iter().enumerate().any(word) || rest.iter().enumerate().any(byte)
    }

    /// Sets the coverage map.
    pub fn set_coverage(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(self.head.coverage_bytes as usize);
        self.fill(wire::COVERAGE_AT, &bytes[..n]);
    }

    pub(super) fn slice<T: Copy>(&self, table: u64, count: u32) -> &[T] {
        let first = self.at(table, count as usize * size_of::<T>()).cast::<T>();
        // SAFETY: inside the mapping, aligned (tables start on pages), plain numbers. The subject writes to its tables in runs only, and
        // a run takes &mut self; processes that it forks have no access to the mapping.
        unsafe { std::slice::from_raw_parts(first, count as usize) }
    }

    fn element<T: Copy>(&self, table: u64, index: u32) -> T {
        self.read(table + u64::from(index) * size_of::<T>() as u64)
    }

    fn at(&self, at: u64, bytes: usize) -> *mut u8 {
        assert!(at.checked_add(bytes as u64).is_some_and(|end| end <= self.head.size), "inside the block");
        // SAFETY: the mapping has `size` bytes.
        unsafe { self.base.add(usize::try_from(at).expect("addresses have 64 bits")) }
    }

    pub(super) fn read<T: Copy>(&self, at: u64) -> T {
        // SAFETY: inside the mapping; the types of the wire are plain numbers, for which all bits are valid, at aligned offsets.
        unsafe { self.at(at, size_of::<T>()).cast::<T>().read_volatile() }
    }

    pub(super) fn write<T: Copy>(&mut self, at: u64, value: T) {
        // SAFETY: as for reading.
        unsafe { self.at(at, size_of::<T>()).cast::<T>().write_volatile(value) }
    }

    /// Writes a table.
    pub(super) fn fill<T: Copy>(&mut self, at: u64, values: &[T]) {
        fill(self.base, self.head.size, at, values);
    }

    fn atomic(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: inside the mapping, aligned, and only accessed atomically while both sides run.
        unsafe { AtomicU32::from_ptr(self.at(offset as u64, 4).cast()) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nothing borrows from it any longer.
        unsafe { libc::munmap(self.base.cast(), usize::try_from(self.head.size).expect("addresses have 64 bits")) };
    }
}

/// Writes a table into a mapping of `size` bytes.
fn fill<T: Copy>(base: *mut u8, size: u64, at: u64, values: &[T]) {
    assert!(at + size_of_val(values) as u64 <= size, "inside the block");
    // SAFETY: inside the mapping, and the slice is not part of it.
    unsafe {
        let to = base.add(usize::try_from(at).expect("addresses have 64 bits")).cast::<T>();
        std::ptr::copy_nonoverlapping(values.as_ptr(), to, values.len());
    }
}
