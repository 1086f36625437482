//! A program of the shape of a small driver: global status variables, a dispatcher, an environment that may do anything, protocol assertions.

use xcute_prune::Options;

use crate::order::Order;
use crate::search::{Setting, search};
use crate::syntax::{Source, parse};

/// Requests that come one after the other. With `fixed` off, a request that is cancelled while it is pending completes twice.
fn driver(requests: usize, fixed: bool) -> Source {
    let forget = if fixed { "pending=0;" } else { "" };
    let outside = format!(
        "int status, pending, completed, lowered, opened, locks;
         int complete(int code) {{ if(completed>0) bug(); completed=1; status=code; return code; }}
         int lock(int a) {{ if(locks>0) bug(); locks=1; return 0; }}
         int unlock(int a) {{ if(locks==0) bug(); locks=0; return 0; }}
         int lower(int irp) {{ int r=read(); lowered=1; if(r==0) {{ status=0; return 0; }} if(r==1) {{ pending=1; return 259; }} status=0-1; return 0-1; }}
         int cancel(int a) {{ if(pending==1) {{ complete(7); {forget} }} return 0; }}
         int create(int a) {{ lock(0); if(opened>2) {{ unlock(0); complete(5); return 5; }} opened=opened+1; unlock(0); complete(0); return 0; }}
         int device(int irp) {{ int r; int c=read(); if(c==0) {{ complete(1); return 1; }} lock(0); if(c==1) status=3; unlock(0); r=lower(irp);
             if(r==259) {{ if(read()) cancel(0); if(pending==1) {{ pending=0; complete(0); }} return 0; }} complete(r); return r; }}
         int power(int a) {{ if(read()) {{ lock(0); status=2; unlock(0); }} complete(0); return 0; }}"
    );
    let request = "completed=0; lowered=0; pending=0; switch(read()) { { create(0); } { device(1); } { power(2); } { complete(9); } } if(completed==0) bug(); ";
    parse(&outside, &request.repeat(requests))
}

#[test]
fn far_fewer_runs_than_paths() {
    let source = driver(3, true);
    let naive = search(&source, &Setting { most: 20_000, ..Setting::naive() });
    assert!(naive.failures.is_empty() && !naive.gave_up);
    for (order, least) in [(Order::Dfs, 20), (Order::Urs, 5), (Order::Cfg, 5), (Order::Random, 5)] {
        for greedy in [false, true] {
            let outcome = search(&source, &Setting { order, ..Setting::pruned(greedy) });
            let runs = outcome.runs + outcome.confirmations;
            assert!(outcome.verified(), "{order:?}, greedy {greedy}");
            assert!(!greedy || runs * least <= naive.runs, "{order:?}: {runs} runs of {}", naive.runs);
        }
    }
}

#[test]
fn the_same_failures() {
    let source = driver(2, false);
    let naive = search(&source, &Setting::naive());
    assert!(!naive.failures.is_empty());
    for order in Order::ALL {
        for greedy in [false, true] {
            let outcome = search(&source, &Setting { order, ..Setting::pruned(greedy) });
            assert!(outcome.failures == naive.failures, "{order:?}, greedy {greedy}");
            assert!(!outcome.verified());
            // Failures are everywhere: greedy confirmation learns to let go.
            assert!(outcome.confirmations * 5 <= naive.runs, "{order:?}: {:?} of {}", outcome.counts(), naive.runs);
        }
    }
}

/// 13^10 paths: the runs grow with the number of requests, not with that of paths.
#[test]
fn growth_with_the_number_of_requests() {
    for (order, greedy, most) in [(Order::Dfs, false, 300), (Order::Dfs, true, 650), (Order::Cfg, true, 750)] {
        let mut setting = Setting { order, ..Setting::pruned(greedy) };
        setting.prune = setting.prune.map(|options| Options { check: false, ..options });
        let outcome = search(&driver(10, true), &setting);
        assert!(outcome.verified());
        assert!(outcome.runs + outcome.confirmations <= most, "{order:?}, greedy {greedy}: {:?}", outcome.counts());
    }
}
