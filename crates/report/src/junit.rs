//! JUnit XML, for CI servers that show test results.
//!
//! Each finding is a failed test case. Its name contains no line numbers, because servers identify
//! a test by its name. Possible races and warnings count as skipped tests, which do not fail a
//! build.

use std::collections::HashMap;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report as Log, TestCase, TestCaseStatus, TestSuite};

use super::finding::Finding;
use super::fingerprint::relative;
use super::model::{Report, Severity};
use super::overview;
use super::phrases;

/// The class of test cases without a kernel.
const WHOLE: &str = "hirace";

/// The report as one test suite.
#[must_use]
pub fn render(report: &Report) -> String {
    let directory = report.working_directory.as_deref().map(Path::new);
    let mut suite = TestSuite::new("hirace");
    let mut names = HashMap::new();
    for finding in Finding::all(report) {
        let mut name = name(&finding);
        let count = names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            name += &format!(" #{count}");
        }
        suite.add_test_case(case(&finding, name, directory));
    }
    let ended = phrases::ended_beside_findings(report);
    if let Some(failure) = report.failure.as_ref().filter(|_| ended.is_none()) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(&*failure.kind);
        status.set_message(phrases::failure(failure));
        status.set_description(phrases::failure_details(failure).join("\n"));
        let mut case = TestCase::new("the check completes", status);
        case.set_classname(WHOLE);
        suite.add_test_case(case);
    } else if suite.test_cases.is_empty() {
        // Servers may take a suite without tests for a mistake.
        let mut case = TestCase::new("no race or fault", TestCaseStatus::success());
        case.set_classname(WHOLE);
        suite.add_test_case(case);
    }
    let mut about = vec![overview::summary(report)];
    about.extend(ended);
    about.extend(report.notes.iter().map(|note| format!("note: {note}")));
    suite.set_system_out(about.join("\n"));
    let mut log = Log::new("hirace");
    log.add_test_suite(suite);
    // Texts and numbers only: nothing in it can fail to serialise.
    log.to_string().unwrap_or_default()
}

/// A name that does not change when lines move.
fn name(finding: &Finding<'_>) -> String {
    let texts = finding.places.iter().filter_map(|place| {
        let text = place.position.text.as_ref()?;
        Some(format!("`{text}`"))
    });
    let mut texts: Vec<_> = texts.collect();
    // Which access comes first may change from run to run.
    texts.sort();
    texts.dedup();
    match texts.as_slice() {
        [] => format!("{} {}", finding.code, finding.title),
        some => format!("{} {}: {}", finding.code, finding.title, some.join(" and ")),
    }
}

fn case(finding: &Finding<'_>, name: String, directory: Option<&Path>) -> TestCase {
    let mut status = match finding.severity {
        Severity::Error => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Severity::Warning => TestCaseStatus::skipped(),
    };
    status.set_type(finding.code);
    status.set_message(finding.headline.as_str());
    status.set_description(finding.details().join("\n"));
    let mut case = TestCase::new(name, status);
    case.set_classname(finding.kernel.unwrap_or(WHOLE));
    if let Some(place) = finding.main_place() {
        let file = place.position.file.as_deref().unwrap_or_default();
        let file = relative(file, directory);
        case.extra.insert("file".into(), file.into());
        if let Some(line) = place.position.line {
            case.extra.insert("line".into(), line.to_string().into());
        }
    }
    case
}
