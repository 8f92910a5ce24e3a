//! The human form of a diagnosis.

use std::fmt::Write as _;

use super::{Check, Diagnosis, Outcome, State};

/// The diagnosis as text: one line per check, with its help below.
#[must_use]
pub fn render(diagnosis: &Diagnosis) -> String {
    let Diagnosis { cpu, gpu, .. } = diagnosis;
    let mut text = format!("hirace {}\n", diagnosis.version);
    backend(&mut text, "CPU backend", cpu);
    backend(&mut text, "GPU backend", &gpu.outcome);
    text.push_str("\nOptional tools\n");
    lines(&mut text, &diagnosis.tools);
    if let Some(test) = &diagnosis.self_test {
        let backend = diagnosis.backend.to_uppercase();
        let title = format!("Self-test of the {backend} backend, seed {}", test.seed);
        let verdict = if test.outcome.works {
            "passed"
        } else {
            "FAILED"
        };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "\n{title}: {verdict}");
        lines(&mut text, &test.outcome.checks);
    }
    text
}

fn backend(text: &mut String, title: &str, outcome: &Outcome) {
    let tried = outcome.checks.iter().all(|it| it.state != State::Skipped);
    let verdict = match (outcome.works, tried) {
        (true, true) => "works",
        (true, false) => "nothing missing; not tested",
        (false, _) => "does not work",
    };
    let _ = writeln!(text, "\n{title}: {verdict}");
    lines(text, &outcome.checks);
}

fn lines(text: &mut String, checks: &[Check]) {
    for check in checks {
        let state = match check.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Missing => "missing",
            State::Broken => "BROKEN",
            State::Skipped => "skipped",
        };
        let _ = writeln!(text, "  {state:<8} {:<18} {}", check.name, check.found);
        if let Some(help) = &check.help {
            let _ = writeln!(text, "  {:<8} {:<18} -> {help}", "", "");
        }
    }
}
