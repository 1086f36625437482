//! Memory shared with a process.
//!
//! A memfd, mapped here and there. Reads are volatile copies of plain numbers, bounded by our own sizes and not by what the memory says,
//! because a subject may have overwritten it.
//!
//! **Invariant.** Only this file holds the address of the mapping.
#![allow(unsafe_code, reason = "a mapping shared with another process")]

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _};
use std::sync::atomic::AtomicU32;

/// Memory shared with a process.
#[derive(Debug)]
pub struct Shared {
    file: File,
    base: *mut u8,
    size: u64,
}

// SAFETY: the mapping is not tied to a thread; all access goes through &self with volatile or atomic operations, or &mut.
unsafe impl Send for Shared {}

impl Shared {
    /// This many bytes, all zero. `name` is seen in `/proc` only.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn new(name: &CStr, size: u64) -> io::Result<Shared> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and ours.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(size)?;
        let length = usize::try_from(size).expect("addresses have 64 bits");
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping of our own file, at an address of the kernel's choice.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Shared { file, base: base.cast(), size })
    }

    /// A file with these bytes.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn with(name: &CStr, bytes: &[u8]) -> io::Result<Shared> {
        let mut shared = Shared::new(name, bytes.len().max(1) as u64)?;
        shared.fill(0, bytes);
        Ok(shared)
    }

    /// The descriptor, for a child.
    ///
    /// # Errors
    /// Where there are no descriptors left.
    pub fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// The name under which other processes can open it for as long as this one has it.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }

    /// How many bytes there are.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// A number at an aligned place.
    ///
    /// # Panics
    /// Outside of the memory.
    #[must_use]
    pub fn read<T: Plain>(&self, at: u64) -> T {
        // SAFETY: inside the mapping; plain numbers have no invalid bits.
        unsafe { self.at(at, size_of::<T>()).cast::<T>().read_volatile() }
    }

    /// Writes a number at an aligned place.
    ///
    /// # Panics
    /// Outside of the memory.
    pub fn write<T: Plain>(&mut self, at: u64, value: T) {
        // SAFETY: as for reading.
        unsafe { self.at(at, size_of::<T>()).cast::<T>().write_volatile(value) }
    }

    /// Writes several numbers.
    ///
    /// # Panics
    /// Outside of the memory.
    pub fn fill<T: Plain>(&mut self, at: u64, values: &[T]) {
        let to = self.at(at, size_of_val(values)).cast::<T>();
        // SAFETY: inside the mapping, and nobody else writes while this side has the hand.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to, values.len()) };
    }

    /// Several numbers. Not to be held over the next hand-over, which takes `&mut self` of whoever owns this.
    ///
    /// # Panics
    /// Outside of the memory.
    #[must_use]
    pub fn slice<T: Plain>(&self, at: u64, count: usize) -> &[T] {
        let first = self.at(at, count * size_of::<T>()).cast::<T>();
        // SAFETY: inside the mapping, aligned, plain numbers. The other side writes only while it has the hand.
        unsafe { std::slice::from_raw_parts(first, count) }
    }

    /// A word that both sides access at the same time.
    ///
    /// # Panics
    /// Outside of the memory.
    #[must_use]
    pub fn atomic(&self, at: u64) -> &AtomicU32 {
        // SAFETY: inside the mapping, aligned, and only accessed atomically while both sides run.
        unsafe { AtomicU32::from_ptr(self.at(at, 4).cast()) }
    }

    fn at(&self, at: u64, bytes: usize) -> *mut u8 {
        assert!(at.checked_add(bytes as u64).is_some_and(|end| end <= self.size), "inside the shared memory");
        // SAFETY: the mapping has `size` bytes.
        unsafe { self.base.add(usize::try_from(at).expect("addresses have 64 bits")) }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nothing borrows from it any longer.
        unsafe { libc::munmap(self.base.cast(), usize::try_from(self.size).expect("addresses have 64 bits")) };
    }
}

/// Numbers without invalid bits.
///
/// # Safety
/// Every sequence of bits is a value.
pub unsafe trait Plain: Copy {}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: numbers.
unsafe impl Plain for u16 {}
// SAFETY: numbers.
unsafe impl Plain for u32 {}
// SAFETY: numbers.
unsafe impl Plain for u64 {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_here_and_through_the_path() {
        let mut shared = Shared::new(c"test", 10_000).unwrap();
        shared.write(8, 0x1122_3344u32);
        shared.fill(5000, &[1u8, 2, 3]);
        assert_eq!((shared.read::<u32>(8), shared.slice::<u8>(5000, 3)), (0x1122_3344, &[1u8, 2, 3][..]));
        let bytes = std::fs::read(shared.path()).unwrap();
        assert_eq!((bytes.len(), &bytes[5000..5003]), (10_000, &[1, 2, 3][..]));
    }

    #[test]
    #[should_panic(expected = "inside the shared memory")]
    fn nothing_outside_is_read() {
        let _ = Shared::new(c"test", 10).unwrap().read::<u64>(4);
    }
}
