//! Lines about a long run, for whoever watches the terminal.
//!
//! The program writes to the same terminal, so these are whole lines instead of a bar.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use hirace_model::wire::records::RecordHeader;
use hirace_model::wire::schema::Wire as _;
use hirace_report::human::count;
use hirace_terminal::{progress, tell};

/// When the first line comes. Each pause is twice as long as the one before, up to [`LONGEST`].
const FIRST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(120);

/// Runs the program that writes to these records, and says from time to time how far it is.
pub(super) fn told<T>(records: &File, run: impl FnOnce() -> T) -> T {
    if !progress::is_watched() {
        return run();
    }
    told_to(FIRST, || Progress::read(records), tell, run)
}

fn told_to<T>(
    first: Duration,
    progress: impl Fn() -> Progress + Send,
    tell: impl Fn(&str) + Send,
    run: impl FnOnce() -> T,
) -> T {
    let start = Instant::now();
    let (running, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut pause = first;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell(&line(start.elapsed(), progress()));
                pause = (2 * pause).min(LONGEST);
            }
        });
        let result = run();
        drop(running);
        result
    })
}

/// How far a program is; it counts in its records as it runs.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Launches that have begun.
    launches: u64,
    /// Accesses that were checked; those of a running launch are added from time to time.
    accesses: u64,
}

impl Progress {
    fn read(records: &File) -> Self {
        let mut header = [0; RecordHeader::SIZE];
        let Ok(()) = records.read_exact_at(&mut header, 0) else {
            return Self::default();
        };
        let header = RecordHeader::read(&header);
        Self {
            launches: header.launches,
            accesses: header.accesses,
        }
    }
}

fn line(elapsed: Duration, progress: Progress) -> String {
    let mut so_far = count(progress.launches, "kernel launch");
    let seconds = elapsed.as_secs().max(1);
    let rate = match progress.accesses {
        0 => String::new(),
        all => {
            so_far += &format!(" and {}", count(all, "access"));
            format!(", {} per second", count(all / seconds, "access"))
        }
    };
    format!(
        "hirace: the program has run for {} s; {so_far} so far{rate}\n",
        elapsed.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::{Progress, line, told_to};

    #[test]
    fn a_line_says_how_far_a_run_is() {
        let seconds = Duration::from_secs;
        let progress = |launches, accesses| Progress { launches, accesses };
        assert_eq!(
            line(seconds(10), progress(1, 0)),
            "hirace: the program has run for 10 s; 1 kernel launch so far\n"
        );
        assert_eq!(
            line(seconds(70), progress(412, 7_000_035)),
            "hirace: the program has run for 70 s; 412 kernel launches and 7000035 accesses so far, \
             100000 accesses per second\n"
        );
    }

    #[test]
    fn long_runs_are_told_and_short_ones_are_not() {
        let lines = |first| {
            let told = Mutex::new(0);
            let result = told_to(
                first,
                Progress::default,
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
