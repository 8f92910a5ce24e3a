//! Derives the verdict on a run from its output.

use hirace::report::{Report, Status};
use hirace::toolchain::Ended;

use crate::store::Verdict;

/// The judgement on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// One line with the reason, or empty.
    pub detail: String,
    /// Number of different races.
    pub races: u64,
}

impl Judgement {
    fn new(verdict: Verdict, detail: impl Into<String>) -> Self {
        Self {
            verdict,
            detail: detail.into(),
            races: 0,
        }
    }
}

/// The judgement from hirace's report. None for a run that ended because this process received a
/// signal: it does not count.
///
/// A race takes precedence over anything that happened after it. Labelled programs compare their
/// result with that of their sequential code, and may end with an error if it differs. That is not
/// a failure of the checker, and the run was checked to its end.
#[must_use]
pub fn checked(report: &Report) -> Option<Judgement> {
    let failure = report.failure.as_ref();
    let kind = failure.map(|it| it.kind.as_ref());
    if kind == Some("interrupted") {
        return None;
    }
    let why = failure.map_or("", |it| it.message.as_str());
    let definite = report.races.len().saturating_sub(report.summary.possible);
    let judgement = match (report.status, kind) {
        (Status::Races, _) => Judgement {
            verdict: Verdict::Race,
            detail: why.to_owned(),
            races: definite as u64,
        },
        (Status::Faults, _) => {
            let fault = report.faults.first();
            Judgement::new(
                Verdict::Fault,
                fault.map_or_else(String::new, |it| format!("{}: {}", it.code, it.title)),
            )
        }
        (Status::Clean, _) => Judgement::new(Verdict::Clean, ""),
        (Status::Possible, _) => Judgement::new(
            Verdict::Clean,
            format!("possible races: {}", report.summary.possible),
        ),
        (Status::Failed, Some("timeout")) => Judgement::new(Verdict::Timeout, why),
        (Status::Failed, Some("signal")) => Judgement::new(Verdict::Crash, why),
        (Status::Failed, Some("fault")) => Judgement::new(Verdict::Fault, why),
        (Status::Failed, Some("exit")) if report.summary.accesses > 0 => {
            Judgement::new(Verdict::Clean, why)
        }
        // The program refused to run.
        (Status::Failed, Some("exit")) => Judgement::new(Verdict::Unfit, why),
        // A graph that gives it no work.
        (Status::Failed, Some("nothing-monitored")) if report.summary.launches > 0 => {
            Judgement::new(Verdict::Clean, why)
        }
        (Status::Failed, _) => Judgement::new(Verdict::Error, why),
    };
    Some(judgement)
}

/// The judgement on a run on the CPU executor without checks, from its output.
#[must_use]
pub fn executed(report: &Report, output: &str) -> Option<Judgement> {
    let failure = report.failure.as_ref();
    let why = failure.map_or("", |it| it.message.as_str());
    let judgement = match failure.map(|it| it.kind.as_ref()) {
        Some("interrupted") => return None,
        Some("timeout") => Judgement::new(Verdict::Timeout, why),
        Some("signal") => Judgement::new(Verdict::Crash, why),
        Some("fault") => Judgement::new(Verdict::Fault, why),
        Some("exit") => compared(output).unwrap_or_else(|| match report.summary.launches {
            0 => Judgement::new(Verdict::Unfit, why),
            _ => Judgement::new(Verdict::Ran, why),
        }),
        // Nothing is monitored, as intended.
        None | Some("nothing-monitored") => match report.status {
            Status::Faults => checked(report)?,
            _ => compared(output).unwrap_or_else(|| Judgement::new(Verdict::Ran, "")),
        },
        Some(_) => Judgement::new(Verdict::Error, why),
    };
    Some(judgement)
}

/// The judgement on a run without hirace, from its exit status and output.
#[must_use]
pub fn plain(ended: Ended, output: &str) -> Option<Judgement> {
    let judgement = match ended {
        Ended::Interrupted(_) => return None,
        Ended::TimedOut => Judgement::new(Verdict::Timeout, ended.to_string()),
        Ended::Signalled(_) => Judgement::new(Verdict::Crash, ended.to_string()),
        Ended::Exited(status) => compared(output).unwrap_or_else(|| match status {
            0 => Judgement::new(Verdict::Ran, ""),
            _ => Judgement::new(Verdict::Error, ended.to_string()),
        }),
    };
    Some(judgement)
}

/// The judgement from the last line of `compute-sanitizer --tool racecheck`:
/// `RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)`.
#[must_use]
pub fn racecheck(ended: Ended, output: &str) -> Option<Judgement> {
    match ended {
        Ended::Interrupted(_) => return None,
        Ended::TimedOut => return Some(Judgement::new(Verdict::Timeout, ended.to_string())),
        Ended::Signalled(_) | Ended::Exited(_) => {}
    }
    let hazards = output.lines().rev().find_map(|line| {
        let (_, summary) = line.split_once("RACECHECK SUMMARY: ")?;
        let number = summary.split_whitespace().next()?;
        number.parse::<u64>().ok().map(|number| (number, summary))
    });
    let judgement = match hazards {
        Some((0, _)) => Judgement::new(Verdict::Clean, ""),
        Some((races, summary)) => Judgement {
            verdict: Verdict::Race,
            detail: summary.trim().to_owned(),
            races,
        },
        None => Judgement::new(Verdict::Error, "racecheck has written no summary"),
    };
    Some(judgement)
}

/// The judgement from the sentence that labelled programs print after comparing.
fn compared(output: &str) -> Option<Judgement> {
    output.lines().rev().find_map(|line| {
        if line.contains("result matches") {
            Some(Judgement::new(Verdict::Match, ""))
        } else if line.contains("result differs") || line.contains("result does not match") {
            Some(Judgement::new(Verdict::Differ, ""))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn verdict(judgement: Option<Judgement>) -> Verdict {
        judgement.expect("a judgement").verdict
    }

    #[test]
    fn the_last_comparison_counts() {
        let output = "result matches serial code\nstep 2\nresult differs from serial code\n";
        assert_eq!(verdict(plain(Ended::Exited(1), output)), Verdict::Differ);
        let output = "result matches serial code\n";
        assert_eq!(verdict(plain(Ended::Exited(0), output)), Verdict::Match);
        assert_eq!(verdict(plain(Ended::Exited(0), "done\n")), Verdict::Ran);
        assert_eq!(verdict(plain(Ended::Exited(4), "")), Verdict::Error);
        assert_eq!(plain(Ended::Interrupted(2), output), None);
    }

    #[test]
    fn racecheck_is_judged_by_its_summary() {
        let none = "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n";
        assert_eq!(verdict(racecheck(Ended::Exited(0), none)), Verdict::Clean);
        let some = "========= RACECHECK SUMMARY: 3 hazards displayed (2 errors, 1 warning)\n";
        let judgement = racecheck(Ended::Exited(0), some).unwrap();
        assert_eq!((judgement.verdict, judgement.races), (Verdict::Race, 3));
        assert_eq!(verdict(racecheck(Ended::Exited(0), "")), Verdict::Error);
    }

    fn report(status: Status, failure: Option<&'static str>, accesses: u64) -> Report {
        let mut report = Report::failed(
            None,
            0,
            hirace::report::Failure {
                kind: failure.unwrap_or_default().into(),
                ..Default::default()
            },
        );
        report.status = status;
        report.summary.accesses = accesses;
        report.summary.launches = u64::from(accesses > 0);
        if failure.is_none() {
            report.failure = None;
        }
        report
    }

    #[test]
    fn an_error_after_the_check_is_no_answer() {
        let exit = |accesses| report(Status::Failed, Some("exit"), accesses);
        assert_eq!(verdict(checked(&exit(9))), Verdict::Clean);
        assert_eq!(verdict(checked(&exit(0))), Verdict::Unfit);
        let differs = "result differs from serial code";
        assert_eq!(verdict(executed(&exit(0), differs)), Verdict::Differ);
        assert_eq!(verdict(executed(&exit(0), "")), Verdict::Unfit);
    }

    #[test]
    fn a_race_outweighs_what_came_after_it() {
        for failure in [None, Some("timeout"), Some("signal"), Some("exit")] {
            let report = report(Status::Races, failure, 9);
            assert_eq!(verdict(checked(&report)), Verdict::Race);
        }
        assert_eq!(
            checked(&report(Status::Races, Some("interrupted"), 9)),
            None
        );
    }
}
