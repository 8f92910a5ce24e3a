//! A queue of builds and of the runs that follow them, for several threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

use crate::error::{Error, Result};

/// Waiting builds, and runs that can start.
#[derive(Debug)]
pub struct Queue<B, R> {
    state: Mutex<State<B, R>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<B, R> {
    builds: VecDeque<B>,
    runs: VecDeque<R>,
    /// Builds in progress, which may lead to runs.
    building: usize,
    /// The error that stops the queue.
    error: Option<Error>,
}

enum Work<B, R> {
    Build(B),
    Run(R),
}

impl<B: Send, R: Send> Queue<B, R> {
    /// A queue of builds, which start in this order.
    #[must_use]
    pub fn new(builds: impl IntoIterator<Item = B>) -> Self {
        Self {
            state: Mutex::new(State {
                builds: builds.into_iter().collect(),
                runs: VecDeque::new(),
                building: 0,
                error: None,
            }),
            changed: Condvar::new(),
        }
    }

    /// Does all work with `threads` threads. Runs come before builds: a new executable is used
    /// while it is in memory, and results arrive from the first minute on.
    ///
    /// # Errors
    /// The first error of a build or a run; nothing starts after it.
    pub fn work(
        self,
        threads: usize,
        build: impl Fn(B) -> Result<Vec<R>> + Sync,
        run: impl Fn(R) -> Result<()> + Sync,
    ) -> Result<()> {
        let worker = || {
            while let Some(work) = self.next() {
                match work {
                    Work::Build(item) => {
                        let runs = build(item);
                        self.built(runs);
                    }
                    Work::Run(item) => {
                        if let Err(error) = run(item) {
                            self.fail(error);
                        }
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(worker);
            }
        });
        let state = self.state.into_inner().expect("no worker panics");
        state.error.map_or(Ok(()), Err)
    }

    fn next(&self) -> Option<Work<B, R>> {
        let mut state = self.lock();
        loop {
            if state.error.is_some() {
                return None;
            }
            if let Some(run) = state.runs.pop_front() {
                return Some(Work::Run(run));
            }
            if let Some(build) = state.builds.pop_front() {
                state.building += 1;
                return Some(Work::Build(build));
            }
            if state.building == 0 {
                return None;
            }
            state = self.changed.wait(state).expect("no worker panics");
        }
    }

    fn built(&self, runs: Result<Vec<R>>) {
        let mut state = self.lock();
        state.building -= 1;
        match runs {
            Ok(runs) => state.runs.extend(runs),
            Err(error) => {
                state.error.get_or_insert(error);
            }
        }
        self.changed.notify_all();
    }

    fn fail(&self, error: Error) {
        self.lock().error.get_or_insert(error);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<B, R>> {
        self.state.lock().expect("no worker panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_build_leads_to_its_runs() {
        for threads in [1, 2, 5] {
            let done = Mutex::new(Vec::new());
            let runs = |build: u32| (0..build).map(|run| (build, run)).collect();
            Queue::new(0..20)
                .work(
                    threads,
                    |build| Ok(runs(build)),
                    |run| {
                        done.lock().unwrap().push(run);
                        Ok(())
                    },
                )
                .unwrap();
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            let all: Vec<_> = (0..20).flat_map(runs).collect();
            assert_eq!(done, all);
        }
    }

    #[test]
    fn nothing_begins_after_an_error() {
        let begun = Mutex::new(0);
        let outcome = Queue::new(0..1000).work(
            3,
            |build| match build {
                5 => Err(Error::Usage("no more".into())),
                other => Ok(vec![other]),
            },
            |_| {
                *begun.lock().unwrap() += 1;
                Ok(())
            },
        );
        assert_eq!(outcome.unwrap_err().to_string(), "no more");
        assert!(*begun.lock().unwrap() < 20);
    }
}
