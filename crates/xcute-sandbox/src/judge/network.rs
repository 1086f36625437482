//! Sockets: pairs, and those of the program itself, work; what leads elsewhere is refused.
//!
//! **Invariant.** An address with a file is judged as the file is.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::{Judge, Verdict, number, permitted};
use crate::calls::Call;
use crate::task::{Found, Task};

/// Addresses that have no file.
pub(crate) type Addresses = Mutex<BTreeSet<Vec<u8>>>;

/// The largest address.
const MOST: usize = 128;

/// What becomes of a socket that is not one of this machine's own.
pub(super) fn socket(call: &Call, arguments: &[u64; 6]) -> Verdict {
    let [family, kind, protocol] = [0, 1, 2].map(|at| number(arguments[at]));
    // SAFETY: numbers only; what it returns is closed.
    let made = unsafe { libc::socket(family, kind | libc::SOCK_CLOEXEC, protocol) };
    if made < 0 {
        return Verdict::Answer(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EACCES));
    }
    // SAFETY: it was just opened.
    unsafe { libc::close(made) };
    let name = match family {
        libc::AF_INET => "AF_INET".to_owned(),
        libc::AF_INET6 => "AF_INET6".to_owned(),
        libc::AF_NETLINK => "AF_NETLINK".to_owned(),
        libc::AF_PACKET => "AF_PACKET".to_owned(),
        other => format!("family {other}"),
    };
    Verdict::Refuse(libc::EACCES, format!("{} ({name})", call.verb))
}

impl Judge {
    /// What becomes of a message, whose first word is the address and whose second its size.
    pub(super) fn message(&self, task: Task, call: &Call, at: u64) -> Verdict {
        match (task.word(at), task.word(at + 8)) {
            (Ok(address), Ok(size)) if address != 0 => self.address(task, call, address, size & 0xffff_ffff),
            _ => Verdict::Go,
        }
    }

    pub(super) fn address(&self, task: Task, call: &Call, at: u64, size: u64) -> Verdict {
        let Ok(bytes) = task.bytes(at, usize::try_from(size).unwrap_or(MOST).min(MOST)) else { return Verdict::Go };
        let Some((family, rest)) = bytes.split_first_chunk::<2>() else { return Verdict::Go };
        let family = i32::from(u16::from_le_bytes(*family));
        let listens = call.number == libc::SYS_bind;
        let bare = |addresses: &Addresses, insert: bool| {
            let mut addresses = addresses.lock().unwrap_or_else(PoisonError::into_inner);
            if insert {
                addresses.insert(rest.to_vec());
            }
            addresses.contains(rest)
        };
        match (family, rest) {
            // It ends a connection.
            (libc::AF_UNSPEC, _) => Verdict::Go,
            (libc::AF_UNIX, []) => Verdict::Go,
            (libc::AF_UNIX, [0, name @ ..]) if bare(&self.listens, listens) || !is_bound(name) => Verdict::Go,
            (libc::AF_UNIX, [0, name @ ..]) => Verdict::Refuse(libc::EACCES, format!("{} @{}", call.verb, String::from_utf8_lossy(name))),
            (libc::AF_UNIX, path) => {
                let path: Vec<u8> = path.iter().copied().take_while(|&b| b != 0).collect();
                let Some(Found { path, there }) = task.resolve(None, path, !listens) else { return Verdict::Go };
                let fails = if listens { there.is_some() || !path.parent().is_some_and(permitted) } else { there.is_none() };
                let ours = if listens { self.may_name(&path) } else { self.may_write(&path) };
                if fails || ours { Verdict::Go } else { Verdict::Refuse(libc::EACCES, format!("{} {}", call.verb, path.display())) }
            }
            (other, _) => Verdict::Refuse(libc::EACCES, format!("{} an address of family {other}", call.verb)),
        }
    }
}

/// Whether anybody listens on an address without a file.
fn is_bound(name: &[u8]) -> bool {
    let all = std::fs::read("/proc/net/unix").unwrap_or_default();
    // Its last column; bytes of 0 are shown as @ there.
    let shown: Vec<u8> = std::iter::once(b'@').chain(name.iter().map(|&b| if b == 0 { b'@' } else { b })).collect();
    all.split(|&b| b == b'\n').any(|line| line.ends_with(&shown))
}
