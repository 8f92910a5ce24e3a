//! The calls by which a kernel reaches the function of an access, as the source shows them.

use std::collections::{BTreeSet, HashSet};

use hirace_model::table::{Call, Tables};

use super::model::{CallSite, Position};

/// A path of more calls is not followed.
const MAX_CALLS: usize = 16;

/// Sets the calls between a kernel and the function of a place.
pub(super) fn follow(place: &mut Position, kernel: &str, tables: &Tables) {
    let Some(function) = place.function.as_deref().filter(|it| *it != kernel) else {
        return;
    };
    let all = tables.calls();
    let reached = reached_from(kernel, &all);
    let mut calls: Vec<CallSite> = Vec::new();
    let mut callee = function;
    while callee != kernel && calls.len() < MAX_CALLS {
        let sites = all.iter().filter(|(_, it)| it.callee == callee);
        let mut sites = sites.filter(|(_, it)| reached.contains(it.caller.as_str()));
        let Some((file, call)) = sites.next() else {
            break;
        };
        let others = u32::try_from(sites.count()).unwrap_or(u32::MAX);
        calls.push(CallSite {
            function: call.caller.clone(),
            file: (*file).to_owned(),
            line: call.line,
            others,
        });
        if others > 0 {
            break;
        }
        callee = &call.caller;
    }
    // A function that calls itself, or that a pointer reaches.
    let is_whole = calls
        .last()
        .is_some_and(|it| it.others > 0 || it.function == kernel);
    place.calls = if is_whole { calls } else { Vec::new() };
}

/// The functions that a kernel calls, directly or not, and itself.
fn reached_from<'a>(kernel: &'a str, calls: &BTreeSet<(&str, &'a Call)>) -> HashSet<&'a str> {
    let mut reached = HashSet::from([kernel]);
    let mut waiting = vec![kernel];
    while let Some(caller) = waiting.pop() {
        for (_, call) in calls.iter().filter(|(_, it)| it.caller == caller) {
            if reached.insert(call.callee.as_str()) {
                waiting.push(&call.callee);
            }
        }
    }
    reached
}
