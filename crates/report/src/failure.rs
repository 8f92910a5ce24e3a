//! Why a run has no answer: crashes, time limits, nothing monitored.

use super::faults;
use super::model::{Failure, Input, Position, Report};
use super::records::{Entry, Need};
use super::run::{Run, position};
use hirace_model::error::Error;
use hirace_model::wire::numbers::Fault;
use hirace_model::{Ended, SiteKind};

/// The kind of failure of a run that was ended by Ctrl-C or a similar signal.
pub const INTERRUPTED: &str = "interrupted";

/// The kind of failure of a program for a GPU on a machine without NVIDIA's driver.
pub(super) const DRIVER: &str = "driver";

/// The kind of a run in which no access was checked.
pub(super) const NOTHING_MONITORED: &str = "nothing-monitored";

impl Failure {
    /// An error as a failure.
    #[must_use]
    pub fn of_error(error: &Error) -> Self {
        Self {
            kind: error.kind().into(),
            message: error.to_string(),
            output: match error {
                Error::Compile { output, .. } => Some(output.clone()),
                Error::NeedsHeader { output, .. } => Some(output.to_string()),
                _ => None,
            },
            ..Self::default()
        }
    }
}

impl Report {
    /// Says of a program for a GPU that failed where there is no driver what it lacks.
    pub fn lacks_driver(&mut self) {
        if let Some(failure) = &mut self.failure {
            failure.kind = DRIVER.into();
            failure.message = format!("no CUDA driver here: {}", failure.message);
            failure.help = Some(
                "run it on a machine with a GPU and NVIDIA's driver, or check it on the CPU: \
                 `hirace check --backend cpu`, `hirace build --backend cpu`"
                    .to_owned(),
            );
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
        .or_else(|| waits_for_children(run))
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
             the flag before the launch; or, if it is a lock of the kernel, look for a path on which \
             nobody releases it"
                .to_owned(),
        ),
        ..at(entry, position(run.tables, entry.current.site), run)
    })
}

/// A kernel that waits for those that it launches, which here begin when it has ended.
fn waits_for_children(run: &Run<'_>) -> Option<Failure> {
    let entry = first(run, Fault::WaitsForChildren)?;
    let position = faults::place(entry, run.records, run.tables);
    Some(Failure {
        kind: "waits-for-children".into(),
        message: "call of `cudaDeviceSynchronize()`".into(),
        help: Some(
            "CUDA 12 no longer lets a kernel wait for kernels that it launches, nor does the CPU executor: launch the work that follows \
             the other kernels into `cudaStreamTailLaunch`, as a kernel of its own"
                .to_owned(),
        ),
        ..at(entry, Some(position), run)
    })
}

fn ending(run: &Run<'_>) -> Option<Failure> {
    let (kind, message, help) = match run.ended {
        Ended::Exited(0) => return None,
        Ended::Exited(code) => return Some(ended_with(run, code)),
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

/// The help where nothing else is known of a program that ended with an error of its own.
const ARGUMENTS: &str = "hirace passes everything after `--` to the program; run it with the arguments and files it needs";

impl Report {
    /// Says what an error of a program that launches PTX means: it has no arguments.
    pub fn name_cause_of_launch_file(&mut self) {
        let failure = self.failure.as_mut().filter(|_| self.input == Input::Ptx);
        if let Some(failure) = failure
            && failure.help.as_deref() == Some(ARGUMENTS)
        {
            let help = "the messages above say which array differs from the one that the launch file expects, or which \
                        file could not be read or written";
            failure.help = Some(help.to_owned());
        }
    }
}

/// A program that ended with an error of its own. If it launched no kernel, something that it needs is
/// missing.
fn ended_with(run: &Run<'_>, code: i32) -> Failure {
    let status = match run.records.totals.launches {
        0 => format!("ended with status {code} before any kernel launch"),
        _ => format!("ended with status {code}"),
    };
    let (message, help) = match unmet(run) {
        Some((what, help)) => (format!("the program {what}, and {status}"), help),
        None => (format!("the program {status}"), ARGUMENTS),
    };
    Failure {
        kind: Failure::EXIT.into(),
        message,
        help: Some(help.to_owned()),
        ..Failure::default()
    }
}

/// The last thing that the program asked for and did not get, and what helps.
fn unmet(run: &Run<'_>) -> Option<(String, &'static str)> {
    let needs = run.records.needs.iter().rev();
    let mut certain = needs.clone().filter(|it| **it != Need::Devices);
    match certain.next().or_else(|| needs.clone().next())? {
        Need::File(path) => Some((
            format!("could not open `{path}`"),
            "hirace runs the program in the current directory and passes everything after `--` to \
             it; give it the files it needs",
        )),
        Need::Device(number) => Some((
            format!("asked for device {number}"),
            "the CPU executor has one device, number 0: run the program for a single GPU",
        )),
        Need::Devices if run.records.totals.launches == 0 => Some((
            "asked for the number of devices, which is 1".to_owned(),
            "if the program needs more devices, it cannot run here; otherwise run it with the \
             arguments and files it needs, after `--`",
        )),
        Need::Devices => None,
    }
}

/// The kernel that ran at the time limit, and the place of one of its threads.
fn stopped_at(run: &Run<'_>) -> Option<Failure> {
    let entries = run.records.entries.iter();
    // The innermost call with a line: the functions of the executor have none.
    let entry = entries
        .filter(|entry| entry.fault == Some(Fault::Interrupted))
        .min_by_key(|entry| {
            let known = run.records.line(entry, entry.code_address).is_some();
            (!known, entry.address)
        })?;
    let position = faults::place(entry, run.records, run.tables);
    Some(at(entry, Some(position), run))
}

fn nothing_monitored(run: &Run<'_>) -> Option<Failure> {
    let totals = &run.records.totals;
    let only_orders = only_orders(run);
    if (totals.accesses > 0 && !only_orders) || nothing_of_its_own(run).is_some() {
        return None;
    }
    let none_checked = totals.unmonitored_launches >= totals.launches.max(1);
    let (message, help) = if only_orders {
        (
            "nothing monitored: the configuration or a comment leaves out every access",
            "see `[monitor]` in hirace.toml, and what is switched off",
        )
    } else if none_checked && !run.launches_left_out() {
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
        return Some(no_launch(run));
    } else {
        (
            "nothing monitored: no kernel accessed memory that is checked",
            "local variables are not checked; see also `[monitor]` in hirace.toml",
        )
    };
    Some(Failure {
        kind: NOTHING_MONITORED.into(),
        message: message.to_owned(),
        help: Some(help.to_owned()),
        ..Failure::default()
    })
}

/// Whether the only accesses with a place are atomic operations that the user chose not to check.
fn only_orders(run: &Run<'_>) -> bool {
    let has_orders = run.tables.iter().any(|it| !it.notes.order_only.is_empty());
    let mut sites = run.tables.iter().flat_map(|it| &it.sites);
    has_orders && !sites.any(|it| it.kind.is_access())
}

fn no_launch(run: &Run<'_>) -> Failure {
    let (message, help) = match unmet(run) {
        Some((what, help)) => (format!("the program {what}, and launched no kernel"), help),
        None => (
            "the program launched no kernel".to_owned(),
            "run it with arguments that make it launch one",
        ),
    };
    Failure {
        kind: NOTHING_MONITORED.into(),
        message: format!("nothing monitored: {message}"),
        help: Some(help.to_owned()),
        ..Failure::default()
    }
}

/// A sentence about a program whose own code leaves nothing to check: it has no kernel, or none that
/// accesses memory, and no code that hirace could not read or that was switched off. Then it is clean
/// that nothing was checked. Functions that it passes to libraries run in their calls.
pub(super) fn nothing_of_its_own(run: &Run<'_>) -> Option<String> {
    let coverage = run.tables.coverage();
    let totals = &run.records.totals;
    let mut sites = run.tables.iter().flat_map(|table| &table.sites);
    let accesses =
        sites.any(|it| (it.kind as u8) < SiteKind::Sync as u8) || coverage.relevant() > 0;
    let unread = coverage.untouched > 0 || totals.unmonitored_launches > 0;
    let mut tables = run.tables.iter();
    let kernels = totals.launches > 0 || tables.any(|it| !it.notes.kernels.is_empty());
    if !run.records.started || unread || (kernels && accesses) {
        return None;
    }
    let calls = match totals.calls {
        1 => "its copy, fill or library call was".to_owned(),
        calls => format!("its {calls} copies, fills and library calls were"),
    };
    match (kernels, totals.launches > 0, totals.accesses > 0) {
        (false, ..) if totals.calls > 0 => Some(format!(
            "the program has no kernel of its own; {calls} compared with the rest of its work"
        )),
        (false, _, false) => {
            Some("the program has no kernel of its own: nothing to check".to_owned())
        }
        (true, true, false) => Some(
            "no kernel of the program accesses shared or global memory: nothing to check"
                .to_owned(),
        ),
        _ => None,
    }
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
