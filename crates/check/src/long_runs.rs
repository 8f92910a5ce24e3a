//! Lines about a long run, for whoever watches the terminal.
//!
//! The program writes to the same terminal, so these are whole lines instead of a bar.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use hirace_model::wire::records::RecordHeader;
use hirace_model::wire::schema::Wire as _;
use hirace_terminal::{progress, tell};

/// When the first line comes. Each pause is twice as long as the one before, up to [`LONGEST`].
const FIRST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(120);

/// Runs the program that writes to these records, and says from time to time how far it is.
pub(super) fn told<T>(records: &File, run: impl FnOnce() -> T) -> T {
    if !progress::is_watched() {
        return run();
    }
    told_to(FIRST, || launches(records), tell, run)
}

fn told_to<T>(
    first: Duration,
    launches: impl Fn() -> u64 + Send,
    tell: impl Fn(&str) + Send,
    run: impl FnOnce() -> T,
) -> T {
    let start = Instant::now();
    let (running, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut pause = first;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell(&line(start.elapsed(), launches()));
                pause = (2 * pause).min(LONGEST);
            }
        });
        let result = run();
        drop(running);
        result
    })
}

fn line(elapsed: Duration, launches: u64) -> String {
    let so_far = hirace_report::human::count(launches, "kernel launch");
    format!(
        "hirace: the program has run for {} s; {so_far} so far\n",
        elapsed.as_secs()
    )
}

/// Launches that have begun; the program counts them in its records as it runs.
fn launches(records: &File) -> u64 {
    let mut header = [0; RecordHeader::SIZE];
    match records.read_exact_at(&mut header, 0) {
        Ok(()) => RecordHeader::read(&header).launches,
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::{line, told_to};

    #[test]
    fn a_line_says_how_far_a_run_is() {
        let seconds = Duration::from_secs;
        assert_eq!(
            line(seconds(10), 1),
            "hirace: the program has run for 10 s; 1 kernel launch so far\n"
        );
        assert_eq!(
            line(seconds(70), 412),
            "hirace: the program has run for 70 s; 412 kernel launches so far\n"
        );
    }

    #[test]
    fn long_runs_are_told_and_short_ones_are_not() {
        let lines = |first| {
            let told = Mutex::new(0);
            let result = told_to(
                first,
                || 1,
                |_| *told.lock().expect("no panic") += 1,
                || {
                    std::thread::sleep(Duration::from_millis(200));
                    7
                },
            );
            assert_eq!(result, 7);
            told.into_inner().expect("no panic")
        };
        assert!(lines(Duration::from_millis(1)) > 1);
        assert_eq!(lines(Duration::from_secs(3600)), 0);
    }
}
