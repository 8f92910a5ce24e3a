//! A fault that a UI program announces.

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

    /// Checks that nothing else was found; other schedules may find another instance first.
    pub(super) fn is_all_of(&self, report: &Report) -> Result<(), String> {
        // Warnings after an error may be its consequences.
        let severity = report.faults.first().map(|fault| fault.severity);
        let mut faults = report.faults.iter();
        let (Some(fault), None) = (
            faults.next(),
            faults.find(|fault| Some(fault.severity) == severity),
        ) else {
            return Err(format!("{} faults", report.faults.len()));
        };
        let line = self.line.is_none() || fault.position.line == self.line;
        let thread = fault.thread.map(|[x, _, _]| x);
        let thread = self.thread.is_none() || report.seed != 0 || thread == self.thread;
        if fault.code == self.code && line && thread && report.races.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "found {} in line {:?} by thread {:?}",
                fault.code, fault.position.line, fault.thread
            ))
        }
    }
}
