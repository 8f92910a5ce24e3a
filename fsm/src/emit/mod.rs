//! The machine in the forms in which others use it.

pub mod cuda;

use std::fmt::Write as _;

use crate::alphabet::{Access, Relation, State, Sync};
use crate::fields::Masks;
use crate::table::{Table, Transition};

/// One line for each transition, in the columns and the order of the paper's table.
#[must_use]
pub fn table_csv() -> String {
    let mut csv = String::from("state,access,sync,relation,next\n");
    for transition in Transition::all() {
        let next = Table::EXACT.next(transition);
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{transition},{next}");
    }
    csv
}

/// A GitHub-flavoured table: one line for each state and access, one column for each
/// comparison of the two threads.
#[must_use]
pub fn table_markdown() -> String {
    let comparisons = || {
        Relation::ALL
            .into_iter()
            .flat_map(|relation| Sync::ALL.map(|sync| (sync, relation)))
    };
    let mut markdown = String::from("| state | access |");
    for (sync, relation) in comparisons() {
        let _ = write!(markdown, " {sync},{relation} |");
    }
    markdown.push_str("\n|---|---|");
    markdown.push_str(&"---|".repeat(comparisons().count()));
    markdown.push('\n');
    for state in State::ALL {
        for access in Access::ALL {
            let _ = write!(markdown, "| {state} | {access} |");
            for (sync, relation) in comparisons() {
                let next = Table::EXACT.next(Transition {
                    state,
                    access,
                    sync,
                    relation,
                });
                let _ = write!(markdown, " {next} |");
            }
            markdown.push('\n');
        }
    }
    markdown
}

/// An object with the names in the order of their numbers, the state numbers in the
/// order of the transitions and the fields that each state keeps.
#[must_use]
pub fn table_json() -> String {
    let masks = Masks::of(&Table::EXACT);
    let lists = [
        ("states", json_names(&State::ALL.map(State::name))),
        ("accesses", json_names(&Access::ALL.map(Access::name))),
        ("syncs", json_names(&Sync::ALL.map(Sync::name))),
        ("relations", json_names(&Relation::ALL.map(Relation::name))),
        (
            "keep",
            json_numbers(&State::ALL.map(|state| masks.keep(state).bits())),
        ),
        ("next", json_numbers(Table::EXACT.bytes())),
    ];
    let members = lists.map(|(name, list)| format!("  \"{name}\": [{list}]"));
    format!(
        "{{\n  \"schema\": \"hirace-fsm/1\",\n  \
         \"index\": \"((state * 4 + access) * 3 + sync) * 4 + relation\",\n{}\n}}\n",
        members.join(",\n")
    )
}

fn json_names(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

fn json_numbers(numbers: &[u8]) -> String {
    numbers
        .iter()
        .map(u8::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
