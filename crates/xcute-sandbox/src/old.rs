//! The numbers of system calls that only older machines have: later ones have the calls with a directory (`openat`, `unlinkat`) alone.
//!
//! **Invariant.** Where there is no such call its number is negative, each its own, so that nothing is ever taken for it.

#[cfg(target_arch = "x86_64")]
mod numbers {
    pub(crate) const CHMOD: i64 = libc::SYS_chmod;
    pub(crate) const CHOWN: i64 = libc::SYS_chown;
    pub(crate) const CREAT: i64 = libc::SYS_creat;
    pub(crate) const FORK: i64 = libc::SYS_fork;
    pub(crate) const FUTIMESAT: i64 = libc::SYS_futimesat;
    pub(crate) const IOPERM: i64 = libc::SYS_ioperm;
    pub(crate) const IOPL: i64 = libc::SYS_iopl;
    pub(crate) const LCHOWN: i64 = libc::SYS_lchown;
    pub(crate) const LINK: i64 = libc::SYS_link;
    pub(crate) const MKDIR: i64 = libc::SYS_mkdir;
    pub(crate) const MKNOD: i64 = libc::SYS_mknod;
    pub(crate) const OPEN: i64 = libc::SYS_open;
    pub(crate) const RENAME: i64 = libc::SYS_rename;
    pub(crate) const RMDIR: i64 = libc::SYS_rmdir;
    pub(crate) const SYMLINK: i64 = libc::SYS_symlink;
    pub(crate) const UNLINK: i64 = libc::SYS_unlink;
    pub(crate) const UTIME: i64 = libc::SYS_utime;
    pub(crate) const UTIMES: i64 = libc::SYS_utimes;
    pub(crate) const VFORK: i64 = libc::SYS_vfork;
}

#[cfg(not(target_arch = "x86_64"))]
mod numbers {
    pub(crate) const CHMOD: i64 = -1;
    pub(crate) const CHOWN: i64 = -2;
    pub(crate) const CREAT: i64 = -3;
    pub(crate) const FUTIMESAT: i64 = -4;
    pub(crate) const IOPERM: i64 = -5;
    pub(crate) const IOPL: i64 = -6;
    pub(crate) const LCHOWN: i64 = -7;
    pub(crate) const LINK: i64 = -8;
    pub(crate) const MKDIR: i64 = -9;
    pub(crate) const MKNOD: i64 = -10;
    pub(crate) const OPEN: i64 = -11;
    pub(crate) const RENAME: i64 = -12;
    pub(crate) const RMDIR: i64 = -13;
    pub(crate) const SYMLINK: i64 = -14;
    pub(crate) const UNLINK: i64 = -15;
    pub(crate) const UTIME: i64 = -16;
    pub(crate) const UTIMES: i64 = -17;
    pub(crate) const FORK: i64 = -18;
    pub(crate) const VFORK: i64 = -19;
}

pub(crate) use numbers::*;
