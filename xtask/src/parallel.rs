//! Work on all cores.

use std::sync::Mutex;
use std::thread;

/// The results of `work` for each item, in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let workers = workers.min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(Vec::new());
    let worker = || {
        while let Some((number, item)) = { queue.lock().expect("no worker panics").next() } {
            let result = work(item);
            let mut results = results.lock().expect("no worker panics");
            results.push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(worker);
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_items() {
        let squares = super::map((0..100_u64).collect(), |number| number * number);
        assert!(
            squares
                .into_iter()
                .eq((0..100).map(|number| number * number))
        );
    }
}
