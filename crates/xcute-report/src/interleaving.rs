//! What several threads did, made ready to be shown: one lane per thread, time downward.
//!
//! Both pictures, the text in [`crate::lanes`] and the one of the page in `picture.rs`, are drawn from the same rows.
//!
//! **Invariant.** A marked step is always a row of its own; what is left out is counted.

use std::collections::BTreeSet;

use xcute_trace::Happening;

/// This many rows before and after a marked one stay when a picture is shortened.
const AROUND: usize = 2;

/// A row of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A step, by its position, and how often the thread did the same in a row.
    Step { at: usize, times: usize },
    /// This many steps are left out.
    Gap(usize),
}

/// The threads that did something, in the order of their fork paths: `1.2` is before `1.10`.
pub(crate) fn threads(happenings: &[Happening]) -> Vec<&str> {
    let path = |name: &str| name.split('.').map(|part| part.parse().unwrap_or(u64::MAX)).collect::<Vec<u64>>();
    let threads: BTreeSet<(Vec<u64>, &str)> = happenings.iter().map(|one| (path(&one.task), one.task.as_str())).collect();
    threads.into_iter().map(|(_, name)| name).collect()
}

/// The rows of a picture: what a thread does again and again at the same place is one row, and of more than `most` rows those in the middle
/// are left out.
pub(crate) fn rows(happenings: &[Happening], most: usize) -> Vec<Row> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (at, one) in happenings.iter().enumerate() {
        match all.last_mut() {
            Some((first, times)) if !one.marked && happenings[*first] == *one => *times += 1,
            _ => all.push((at, 1)),
        }
    }
    let kept = kept(&all.iter().map(|&(at, _)| happenings[at].marked).collect::<Vec<bool>>(), most);
    let mut rows = Vec::new();
    for (&(at, times), kept) in all.iter().zip(kept) {
        match (kept, rows.last_mut()) {
            (true, _) => rows.push(Row::Step { at, times }),
            (false, Some(Row::Gap(left_out))) => *left_out += times,
            (false, _) => rows.push(Row::Gap(times)),
        }
    }
    rows
}

/// Which of the rows stay: all if they fit; else the marked ones, those around them, and as many of the first and the last as there is room for.
fn kept(marked: &[bool], most: usize) -> Vec<bool> {
    let len = marked.len();
    if len <= most {
        return vec![true; len];
    }
    let near = |at: usize, far: usize| marked[at.saturating_sub(far)..(at + far + 1).min(len)].contains(&true);
    let mut kept: Vec<bool> = (0..len).map(|at| near(at, AROUND)).collect();
    if kept.iter().filter(|kept| **kept).count() > most {
        kept = marked.to_vec();
    }
    let mut room = most.saturating_sub(kept.iter().filter(|kept| **kept).count());
    // The end is where it goes wrong, so it goes first.
    let ends = (0..len).flat_map(|n| [len - 1 - n, n]);
    for at in ends {
        if room == 0 {
            break;
        }
        room -= usize::from(!std::mem::replace(&mut kept[at], true));
    }
    // What stands for one step takes as much room as the step.
    let lone: Vec<usize> = (1..len - 1).filter(|&at| kept[at - 1] && !kept[at] && kept[at + 1]).collect();
    lone.into_iter().for_each(|at| kept[at] = true);
    kept
}

#[cfg(test)]
mod tests {
    use xcute_trace::Frame;

    use super::*;

    fn happening(task: &str, what: &str, marked: bool) -> Happening {
        Happening {
            task: task.into(),
            what: what.into(),
            at: Frame { function: "f".into(), file: "f.c".into(), line: 1, ..Frame::default() },
            marked,
        }
    }

    #[test]
    fn threads_are_in_the_order_of_their_forks() {
        let all = ["1.10", "1", "1.2", "1.2.1", "1.2"].map(|task| happening(task, "locks `m`", false));
        assert_eq!(threads(&all), ["1", "1.2", "1.2.1", "1.10"]);
        assert!(threads(&[]).is_empty());
    }

    #[test]
    fn the_same_again_and_again_is_one_row() {
        let all = [("1", "a"), ("1", "a"), ("1.1", "a"), ("1", "b"), ("1", "b"), ("1", "b")].map(|(t, w)| happening(t, w, false));
        let step = |at, times| Row::Step { at, times };
        assert_eq!(rows(&all, 9), [step(0, 2), step(2, 1), step(3, 3)]);
        let marked = [happening("1", "a", true), happening("1", "a", true)];
        assert_eq!(rows(&marked, 9), [step(0, 1), step(1, 1)], "marked steps stay by themselves");
    }

    #[test]
    fn the_middle_is_left_out_but_no_marked_step() {
        let all: Vec<Happening> = (0..100).map(|n| happening("1", &n.to_string(), n == 50)).collect();
        let shown = rows(&all, 15);
        assert_eq!(shown.iter().filter(|row| matches!(row, Row::Step { .. })).count(), 15);
        let gaps: Vec<usize> = shown.iter().filter_map(|row| if let Row::Gap(n) = row { Some(*n) } else { None }).collect();
        assert_eq!(gaps, [43, 42], "from 5 to 47 and from 53 to 94");
        assert!(shown.contains(&Row::Step { at: 50, times: 1 }));
        let every: Vec<Happening> = (0..30).map(|n| happening("1", &n.to_string(), n % 3 == 0)).collect();
        assert_eq!(rows(&every, 5).iter().filter(|row| matches!(row, Row::Step { .. })).count(), 10, "the marked ones");
        assert_eq!(rows(&every[..4], 0), [Row::Step { at: 0, times: 1 }, Row::Gap(2), Row::Step { at: 3, times: 1 }]);
        assert_eq!(rows(&every[2..4], 1), [Row::Gap(1), Row::Step { at: 1, times: 1 }]);
        let lone = ["a", "b", "c"].map(|what| happening("1", what, what != "b"));
        assert_eq!(rows(&lone, 1).len(), 3, "nothing is gained by leaving out one");
        assert_eq!(rows(&lone[1..2], 0), [Row::Gap(1)]);
    }
}
