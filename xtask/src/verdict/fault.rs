//! A fault that a UI program announces.

use hirace::report::Fault as Found;
use hirace::report::Report;

/// A fault; unspecified parts may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: String,
    line: Option<u32>,
    thread: Option<u32>,
}

impl Fault {
    /// `HF001, line 9, thread 100`
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(", ");
        let code = parts.next().unwrap_or_default().to_owned();
        let mut fault = Self {
            code,
            line: None,
            thread: None,
        };
        for part in parts {
            let (what, number) = part.split_once(' ').unwrap_or((part, ""));
            let number = number.parse().map_err(|_| format!("no number: {text}"))?;
            match what {
                "line" => fault.line = Some(number),
                "thread" => fault.thread = Some(number),
                _ => return Err(format!("neither a line nor a thread: {part}")),
            }
        }
        Ok(fault)
    }

    /// Checks that a report has these faults, and no others.
    pub(super) fn are_all_of(faults: &[Self], report: &Report) -> Result<(), String> {
        // Warnings after an error may be its consequences.
        let severity = report.faults.first().map(|fault| fault.severity);
        let found = || {
            report
                .faults
                .iter()
                .filter(|it| Some(it.severity) == severity)
        };
        if let Some(other) = found().find(|it| !faults.iter().any(|fault| fault.is(it, report))) {
            return Err(format!(
                "found {} in line {:?} by thread {:?}",
                other.code, other.position.line, other.thread
            ));
        }
        let missing = faults
            .iter()
            .find(|it| !found().any(|fault| it.is(fault, report)));
        missing.map_or(Ok(()), |it| Err(format!("not found: {it:?}")))
    }

    /// Whether this is a fault of a report; other schedules may find another instance first.
    fn is(&self, fault: &Found, report: &Report) -> bool {
        let line = self.line.is_none() || fault.position.line == self.line;
        let thread = fault.thread.map(|[x, _, _]| x);
        let thread = self.thread.is_none() || report.seed != 0 || thread == self.thread;
        fault.code == self.code && line && thread
    }
}
