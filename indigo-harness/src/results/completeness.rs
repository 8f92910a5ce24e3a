//! Whether all runs are in the database.

use std::collections::BTreeMap;

use crate::store::{Results, Session};

/// What a reader must know before any number; empty if the results are complete.
#[must_use]
pub fn warnings(results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    if results.runs.is_empty() {
        warnings.push("There are no runs.".into());
    }
    // The same command resumes a stopped sweep, so only its last start counts. Sessions are in
    // order.
    let last: BTreeMap<&str, &Session> = results
        .sessions
        .iter()
        .map(|session| (&session.command[..], session))
        .collect();
    let stopped = last.values().filter(|it| it.finished.is_none()).count();
    if stopped == 0 {
        return warnings;
    }
    let who = match (stopped, last.len()) {
        (1, 1) => "The sweep has".to_owned(),
        (1, all) => format!("1 of {all} sweeps has"),
        (several, all) => format!("{several} of {all} sweeps have"),
    };
    let there = results.runs.len() as u64;
    let planned: Option<u64> = last.values().map(|session| session.planned).sum();
    let rest = match planned {
        None => format!("{there} runs are there, and the number of planned runs is not known"),
        // Sweeps that share runs.
        Some(planned) if planned < there => format!("{there} runs are there"),
        Some(planned) => format!(
            "{there} of {planned} runs are there, {} are missing",
            planned - there
        ),
    };
    warnings.push(format!("{who} not finished: {rest}."));
    warnings
}
