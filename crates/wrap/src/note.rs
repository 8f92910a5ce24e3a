//! The note that a program carries about a file that was compiled without checks.

use std::fmt::Write as _;

use hirace_instrument::rewrite::escape;
use hirace_model::NotMonitored;
use hirace_model::table::{Notes, digest, key_of};

/// The text of a header with such notes.
pub(super) fn of(inputs: &[&str], reason: &str) -> String {
    let mut text =
        String::from("#pragma once\n#include <hirace/records/site_table.h>\nnamespace {\n");
    for (number, input) in inputs.iter().enumerate() {
        let path = std::path::absolute(input).unwrap_or_else(|_| input.into());
        let notes = Notes {
            not_monitored: vec![NotMonitored {
                file: (*input).to_owned(),
                line: 1,
                reason: reason.to_owned(),
                accesses: 0,
            }],
            ..Notes::default()
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "const bool hirace_note_{number} = ::hirace::register_sites(\
             {{1u, {}u, \"{}\", nullptr, 0, \"{}\"}});",
            key_of(digest(&path.display().to_string())),
            escape(input),
            escape(&notes.carried()),
        );
    }
    text + "}\n"
}
