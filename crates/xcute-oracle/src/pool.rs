//! Many files at once, one on each processor.

use std::sync::Mutex;

/// Does the work for all items, on all processors and `more` workers beside them; what it says of each, in no order.
pub fn each<T: Send, R: Send>(items: impl IntoIterator<Item = T, IntoIter: Send>, more: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().expect("nobody panics while taking an item").next();
    let worker = || std::iter::from_fn(next).map(&work).collect::<Vec<R>>();
    std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from) + more;
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn every_item_is_worked_on_once() {
        let mut all = each(0..100, 3, |n| n * 2);
        all.sort_unstable();
        assert_eq!(all, (0..100).map(|n| n * 2).collect::<Vec<_>>());
    }
}
