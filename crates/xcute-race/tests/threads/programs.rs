//! The programs with known answers.

use crate::thread::{Body, Step, Thread, body};
use crate::world::Program;

pub const X: u64 = 0;
pub const Y: u64 = 1;
pub const M: u64 = 100;
pub const N: u64 = 101;
pub const O: u64 = 102;

pub fn program(threads: Vec<Body>) -> Program {
    Program { threads, ..Program::default() }
}

/// Threads from closures.
macro_rules! threads {
    ($($code:expr),+ $(,)?) => { $crate::programs::program(vec![$($crate::thread::body($code)),+]) };
}

pub fn figure2(fixed: bool) -> Program {
    threads!(|t| t.write(X, 3), move |t| {
        t.write(X, 2)?;
        let z = if fixed { 1.into() } else { t.input(0) };
        let x = t.read(X)?;
        if t.equal(z * 2 + 1, x)? { t.error() } else { Ok(()) }
    })
}

pub fn figure21() -> Program {
    threads!(|t| t.write(X, 1), |t| t.write(Y, 4), |t| t.write(X, 2))
}

pub fn figure22() -> Program {
    let third = |t: &mut Thread<'_>| if t.read(X)?.constant() > 0 { t.error() } else { Ok(()) };
    threads!(|t| t.read(X).map(drop), |t| t.read(X).map(drop), third)
}

pub fn two_and_two() -> Program {
    let first = |t: &mut Thread<'_>| {
        t.write(X, 1)?;
        t.write(X, 2)
    };
    threads!(first, |t| {
        t.write(Y, 3)?;
        t.write(X, 4)
    })
}

pub fn writers(n: i64) -> Program {
    program((0..n).map(|k| body(move |t| t.write(X, k))).collect())
}

pub fn readers_writer(n: usize) -> Program {
    let mut all: Vec<Body> = (0..n).map(|_| body(|t| t.read(X).map(drop))).collect();
    all.push(body(|t| t.write(X, 1)));
    program(all)
}

pub fn writer_readers() -> Program {
    threads!(|t| t.write(X, 0), |t| t.read(X).map(drop), |t| t.read(X).map(drop))
}

pub fn last_zero(n: u64) -> Program {
    let search = move |t: &mut Thread<'_>| {
        let mut i = n;
        while t.read(i)?.constant() != 0 {
            i -= 1;
        }
        Ok(())
    };
    let set = |j: u64| {
        body(move |t| {
            let before = t.read(j - 1)?;
            t.write(j, before + 1)
        })
    };
    program(std::iter::once(body(search)).chain((1..=n).map(set)).collect())
}

pub fn indexer(threads: i64, size: i64) -> Program {
    let insert = move |k: i64| {
        body(move |t| {
            for m in 1..=2 {
                let w = 11 * m + k;
                let mut h = 7 * w % size;
                // A compare-exchange that counts as an update even if it fails.
                while t.fill(h as u64, w)? != 0 {
                    h = (h + 1) % size;
                }
            }
            Ok(())
        })
    };
    program((0..threads).map(insert).collect())
}

pub fn philosophers(n: u64) -> Program {
    let eat = move |i: u64| body(move |t| t.locked(M + i, |t| t.locked(M + (i + 1) % n, |_| Ok(()))));
    program((0..n).map(eat).collect())
}

/// `lock m{n} ‖ o{m} ‖ n{m}`.
pub fn three_locks() -> Program {
    let nest = |a: u64, b: u64| body(move |t| t.locked(a, |t| t.locked(b, |_| Ok(()))));
    program(vec![nest(M, N), nest(O, M), nest(N, M)])
}

#[derive(Clone, Copy)]
pub struct Buffer {
    pub producers: usize,
    pub consumers: usize,
    /// Items put by each producer.
    pub puts: usize,
    /// Items taken by each consumer.
    pub gets: usize,
    pub all: bool,
    pub looping: bool,
    pub spurious: u32,
}

/// The bounded buffer of capacity 1.
pub fn buffer(b: Buffer) -> Program {
    let tell = move |t: &mut Thread<'_>| if b.all { t.notify_all(M) } else { t.notify(M) };
    let turn = move |t: &mut Thread<'_>, blocked: i64, change: i64| -> Step {
        t.lock(M)?;
        while t.read(X)?.constant() == blocked {
            t.wait_alone(M, b.spurious)?;
            // The mistake is made by consumers only.
            if !b.looping && change < 0 {
                break;
            }
        }
        let n = t.read(X)?;
        if n.constant() + change < 0 {
            t.unlock(M)?;
            return t.error();
        }
        t.write(X, n + change)?;
        tell(t)?;
        t.unlock(M)
    };
    let put = body(move |t| (0..b.puts).try_for_each(|_| turn(t, 1, 1)));
    let get = body(move |t| (0..b.gets).try_for_each(|_| turn(t, 0, -1)));
    program([vec![put; b.producers], vec![get; b.consumers]].concat())
}

pub fn two_waiters() -> Program {
    let wait = |t: &mut Thread<'_>| t.locked(M, |t| t.wait(M));
    threads!(wait, wait, |t| t.locked(M, |t| t.notify(M)))
}

pub fn lost_wakeup() -> Program {
    let wait = |t: &mut Thread<'_>| if t.read(X)?.constant() == 0 { t.locked(M, |t| t.wait(M)) } else { Ok(()) };
    threads!(wait, |t| {
        t.write(X, 1)?;
        t.locked(M, |t| t.notify(M))
    })
}

pub fn nested_monitor() -> Program {
    let wait = |t: &mut Thread<'_>| t.locked(O, |t| t.locked(M, |t| if t.read(X)?.constant() == 0 { t.wait(M) } else { Ok(()) }));
    threads!(wait, |t| t.locked(O, |t| {
        t.locked(M, |t| {
            t.write(X, 1)?;
            t.notify(M)
        })
    }))
}

pub fn read_read() -> Program {
    let twice = |t: &mut Thread<'_>| {
        t.read(X)?;
        t.read(X).map(drop)
    };
    threads!(twice, twice)
}

pub fn lock_race() -> Program {
    threads!(|t| t.locked(M, |t| t.write(X, 1)), |t| t.locked(M, |t| t.write(X, 2)))
}

pub fn lock_counter(n: usize, nested: bool) -> Program {
    let count = |t: &mut Thread<'_>| -> Step {
        let c = t.read(X)?;
        t.write(X, c + 1)
    };
    let plain = body(move |t| t.locked(M, count));
    let deep = body(move |t| t.locked(M, |t| t.locked(M, count)));
    program(vec![if nested { deep } else { plain }; n])
}

pub fn racy_counter(n: usize) -> Program {
    let count = body(|t| {
        let c = t.read(X)?;
        t.write(X, c + 1)
    });
    program(vec![count; n])
}

pub fn fork() -> Program {
    let first = |t: &mut Thread<'_>| {
        t.write(X, 1)?;
        t.fork(&body(|t| t.write(X, 2)))?;
        t.write(X, 3)
    };
    threads!(first, |t| t.read(X).map(drop))
}

pub fn join() -> Program {
    threads!(|t| {
        let c = t.fork(&body(|t| t.write(X, 2)))?;
        let d = t.fork(&body(|t| t.write(X, 3)))?;
        t.join(c)?;
        t.read(X)?;
        t.join(d)
    })
}

pub fn postpone_branch() -> Program {
    let first = |t: &mut Thread<'_>| if t.read(X)?.constant() == 1 { t.write(Y, 1) } else { Ok(()) };
    let second = |t: &mut Thread<'_>| if t.read(Y)?.constant() == 1 { t.error() } else { Ok(()) };
    threads!(first, second, |t| t.write(X, 1))
}

pub fn race_lost() -> Program {
    let second = |t: &mut Thread<'_>| if t.read(Y)?.constant() == 0 { t.write(X, 2) } else { Ok(()) };
    threads!(|t| t.write(X, 1), second, |t| t.write(Y, 1))
}

pub fn spin(k: usize) -> Program {
    let wait = move |t: &mut Thread<'_>| {
        for _ in 0..k {
            if t.read(X)?.constant() == 1 {
                break;
            }
            t.pass_on()?;
        }
        Ok(())
    };
    threads!(wait, |t| t.write(X, 1))
}

pub fn await_flag() -> Program {
    threads!(|t| t.until(X, 1), |t| t.write(X, 1))
}

pub fn await_three() -> Program {
    threads!(|t| t.write(X, 1), |t| t.write(X, 0), |t| t.write(X, 2), |t| t.until(X, 1))
}

pub fn await_either() -> Program {
    threads!(|t| t.write(X, 1), |t| t.write(Y, 1), |t| t.until_any(X, Y))
}

pub fn try_lock(tries: usize) -> Program {
    let attempt = body(|t| if t.try_lock(M)? { t.unlock(M) } else { Ok(()) });
    let mut all = vec![attempt; tries];
    all.push(body(|t| t.locked(M, |_| Ok(()))));
    program(all)
}

pub fn semaphore() -> Program {
    let section = |k: i64| {
        body(move |t| {
            t.p(M)?;
            t.write(X, k)?;
            t.v(M)
        })
    };
    Program { permits: vec![(M, 1)], ..program(vec![section(1), section(2)]) }
}

pub fn signal() -> Program {
    threads!(
        |t| {
            t.p(M)?;
            t.write(X, 1)
        },
        |t| {
            t.write(X, 2)?;
            t.v(M)
        }
    )
}

pub fn barrier() -> Program {
    threads!(
        |t| {
            t.write(X, 1)?;
            t.barrier(M, 2)?;
            t.write(X, 3)
        },
        |t| {
            t.write(X, 2)?;
            t.barrier(M, 2)
        }
    )
}

pub fn readers_writer_lock() -> Program {
    let read = |t: &mut Thread<'_>| {
        t.read_lock(M)?;
        t.read(X)?;
        t.read_unlock(M)
    };
    threads!(read, read, |t| {
        t.write_lock(M)?;
        t.write(X, 1)?;
        t.write_unlock(M)
    })
}

pub fn store_buffer(atomic: bool) -> Program {
    let side = move |own: u64, other: u64| {
        body(move |t| {
            if atomic {
                t.store(own, 1)?;
                t.load(other).map(drop)
            } else {
                t.write(own, 1)?;
                t.read(other).map(drop)
            }
        })
    };
    program(vec![side(X, Y), side(Y, X)])
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    Plain,
    Atomic,
    Await,
}

pub fn message(flag: Flag) -> Program {
    let send = move |t: &mut Thread<'_>| {
        t.write(X, 1)?;
        if flag == Flag::Plain { t.write(Y, 1) } else { t.store(Y, 1) }
    };
    threads!(send, move |t| {
        match flag {
            Flag::Plain => drop(t.read(Y)?),
            Flag::Atomic => drop(t.load(Y)?),
            Flag::Await => t.until(Y, 1)?,
        }
        t.read(X).map(drop)
    })
}

/// Inputs and schedules that depend on each other.
pub fn interaction() -> Program {
    let first = |t: &mut Thread<'_>| {
        let (a, b) = (t.input(0), t.input(1));
        let v = t.read(X)?;
        if t.equal(v, a + 1)? { t.write(Y, b) } else { Ok(()) }
    };
    threads!(first, |t| {
        t.write(X, 5)?;
        let u = t.read(Y)?;
        if t.equal(u, 7)? { t.error() } else { Ok(()) }
    })
}
