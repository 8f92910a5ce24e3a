//! Waiting for a process: its end, a time limit, or a signal to ourselves.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

use super::interrupt;
use hirace_model::Ended;
use hirace_model::error::{Error, Result};

/// What to stop when time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only the process: it is in our process group.
    Process,
    /// Everything in the process group that it leads.
    Group,
}

/// Waits for `child`. It is killed at the time limit, or when a signal interrupts us.
pub(super) fn wait(child: &mut Child, limit: Option<Duration>, reach: Reach) -> Result<Ended> {
    let end = limit.and_then(|limit| Instant::now().checked_add(limit));
    // Sleep briefly at first, as most programs end soon; later longer, to save CPU time.
    let mut nap = Duration::from_micros(200);
    loop {
        let status = child
            .try_wait()
            .map_err(|source| Error::system("wait for a process", source))?;
        if let Some(status) = status {
            // A process that received our signal too was interrupted; it did not end by itself.
            return Ok(match (ended(status), interrupt::arrived()) {
                (_, Some(signal)) => Ended::Interrupted(signal),
                (Ended::Signalled(signal), None) if interrupt::shared(signal) => {
                    Ended::Interrupted(signal)
                }
                (ended, None) => ended,
            });
        }
        if let Some(signal) = interrupt::arrived() {
            ask_to_end(child, reach);
            stop(child, reach);
            return Ok(Ended::Interrupted(signal));
        }
        let now = Instant::now();
        if end.is_some_and(|end| now >= end) {
            ask_to_end(child, reach);
            stop(child, reach);
            return Ok(Ended::TimedOut);
        }
        std::thread::sleep(end.map_or(nap, |end| nap.min(end - now)));
        nap = (nap * 2).min(Duration::from_millis(20));
    }
}

/// Asks a process to end, and gives it a moment to record where it was.
fn ask_to_end(child: &Child, reach: Reach) {
    const MOMENT: Duration = Duration::from_millis(500);
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = match reach {
            Reach::Process => kill_process(pid, Signal::TERM),
            Reach::Group => kill_process_group(pid, Signal::TERM),
        };
        let end = Instant::now() + MOMENT;
        // Do not reap it yet, so that its process ID is not reused.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while Instant::now() < end && matches!(waitid(WaitId::Pid(pid), options), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Kills and reaps. The process has not been reaped before, so its ID has not been reused.
fn stop(child: &mut Child, reach: Reach) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Either fails only if the process has already ended.
        let _ = match reach {
            Reach::Process => kill_process(pid, Signal::KILL),
            Reach::Group => kill_process_group(pid, Signal::KILL),
        };
    }
    let _ = child.wait();
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signalled(signal),
        (None, None) => Ended::Exited(-1),
    }
}
