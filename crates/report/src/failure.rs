//! Why a run has no answer: crashes, time limits, nothing monitored.

use super::faults;
use super::model::{Failure, Position};
use super::records::Entry;
use super::run::{Run, position};
use hirace_model::Ended;
use hirace_model::error::Error;
use hirace_model::wire::numbers::Fault;

/// The kind of failure of a run that was ended by Ctrl-C or a similar signal.
pub const INTERRUPTED: &str = "interrupted";

impl Failure {
    /// An error as a failure.
    #[must_use]
    pub fn of_error(error: &Error) -> Self {
        Self {
            kind: error.kind().into(),
            message: error.to_string(),
            output: match error {
                Error::Compile { output, .. } => Some(output.clone()),
                _ => None,
            },
            ..Self::default()
        }
    }
}

/// The failure that kept the run from giving an answer, if any.
pub(super) fn find(run: &Run<'_>) -> Option<Failure> {
    let mut entries = run.records.entries.iter();
    let ended = entries.any(|entry| faults::is_finding(entry) && entry.ended);
    if ended || run.records.halted {
        // The run ended early, and the report says where and why.
        return None;
    }
    launch(run)
        .or_else(|| waits_for_outside(run))
        .or_else(|| ending(run))
        .or_else(|| nothing_monitored(run))
}

/// The first record of a fault.
fn first<'a>(run: &Run<'a>, fault: Fault) -> Option<&'a Entry> {
    let entries = run.records.entries.iter();
    entries
        .filter(|entry| entry.fault == Some(fault))
        .min_by_key(|entry| (entry.current.site, entry.current.thread))
}

/// A failure without a message, at the place of a record.
fn at(entry: &Entry, position: Option<Position>, run: &Run<'_>) -> Failure {
    let (block, thread) = entry.current.thread.unzip();
    let kernel = run.records.kernels.get(entry.kernel as usize);
    Failure {
        position,
        kernel: kernel.map(|kernel| kernel.name.clone()),
        block,
        thread,
        ..Failure::default()
    }
}

/// A launch that the executor cannot carry out.
fn launch(run: &Run<'_>) -> Option<Failure> {
    let entry = first(run, Fault::InvalidLaunch)?;
    let (code, title) = faults::code(entry.fault);
    Some(Failure {
        kind: "fault".into(),
        message: title.to_owned(),
        code: Some(code.into()),
        help: Some(format!("see `hirace explain {code}`")),
        ..at(entry, position(run.tables, entry.current.site), run)
    })
}

/// A kernel that waits for the host or for another stream, which here wait for the kernel.
fn waits_for_outside(run: &Run<'_>) -> Option<Failure> {
    let entry = first(run, Fault::WaitsForOutside)?;
    Some(Failure {
        kind: "waits-for-outside".into(),
        message: "all threads poll memory that only the host or another stream can still change"
            .to_owned(),
        help: Some(
            "the CPU executor runs a kernel to its end before the host continues: let the host set \
             the flag before the launch"
                .to_owned(),
        ),
        ..at(entry, position(run.tables, entry.current.site), run)
    })
}

fn ending(run: &Run<'_>) -> Option<Failure> {
    let (kind, message, help) = match run.ended {
        Ended::Exited(0) => return None,
        Ended::Exited(code) => (
            "exit",
            format!("the program ended with status {code}"),
            "hirace passes everything after `--` to the program; run it with the arguments and \
             files it needs",
        ),
        Ended::Signalled(signal) => (
            "signal",
            format!("the program was ended by {}", signal_name(signal)),
            "a debugger shows where: the crash is in host code, or before the first kernel",
        ),
        Ended::TimedOut => (
            "timeout",
            format!(
                "the program was still running after {} seconds, and was stopped",
                run.timeout.unwrap_or_default()
            ),
            "give it more time with `--timeout`, or a smaller input",
        ),
        Ended::Interrupted(signal) => (
            INTERRUPTED,
            format!("the run was interrupted by {}", signal_name(signal)),
            "the report covers what ran until then; the rest was not checked",
        ),
    };
    Some(Failure {
        kind: kind.into(),
        message,
        help: Some(help.to_owned()),
        ..stopped_at(run).unwrap_or_default()
    })
}

/// The kernel that ran at the time limit, and the place of one of its threads.
fn stopped_at(run: &Run<'_>) -> Option<Failure> {
    let entries = run.records.entries.iter();
    // The innermost call with a line: the functions of the executor have none.
    let entry = entries
        .filter(|entry| entry.fault == Some(Fault::Interrupted))
        .min_by_key(|entry| {
            let known = run.records.lines.contains_key(&entry.code_address);
            (!known, entry.address)
        })?;
    let position = faults::place(entry, run.records, run.tables);
    Some(at(entry, Some(position), run))
}

fn nothing_monitored(run: &Run<'_>) -> Option<Failure> {
    let totals = &run.records.totals;
    if totals.accesses > 0 {
        return None;
    }
    let none_checked = totals.unmonitored_launches >= totals.launches.max(1);
    let (message, help) = if none_checked && !run.launches_left_out() {
        (
            "nothing monitored: no kernel launch could be checked",
            "see the program's standard error for the reason",
        )
    } else if none_checked {
        (
            "nothing monitored: the configuration, a comment or an option leaves out every kernel that was launched",
            "see `[monitor]` in hirace.toml, what is switched off, and `--kernel-name` and `--launch-skip`",
        )
    } else if totals.launches == 0 && run.records.kernels.iter().any(|it| it.refused) {
        (
            "nothing monitored: every launch failed",
            "a grid, a block or the dynamic shared memory is too large, or empty",
        )
    } else if totals.launches == 0 {
        (
            "nothing monitored: the program launched no kernel",
            "run it with arguments that make it launch one",
        )
    } else {
        (
            "nothing monitored: no kernel accessed memory that is checked",
            "local variables are not checked; see also `[monitor]` in hirace.toml",
        )
    };
    Some(Failure {
        kind: "nothing-monitored".into(),
        message: message.to_owned(),
        help: Some(help.to_owned()),
        ..Failure::default()
    })
}

/// A signal's name, and its meaning if that is not widely known.
pub fn signal_name(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP (its terminal is gone)",
        2 => "SIGINT (Ctrl-C)",
        4 => "SIGILL (illegal instruction)",
        6 => "SIGABRT (abort)",
        7 => "SIGBUS (bad address)",
        8 => "SIGFPE (arithmetic error)",
        9 => "SIGKILL",
        11 => "SIGSEGV (bad address)",
        13 => "SIGPIPE (closed pipe)",
        15 => "SIGTERM",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}
