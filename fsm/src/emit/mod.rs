//! The machine in the formats that other components use.

pub mod cuda;
pub mod dot;
pub mod murphi;

use std::fmt::Write as _;

use crate::alphabet::{Access, Relation, State, Sync};
use crate::exposure::{Exposure, Level};
use crate::fields::Masks;
use crate::spec::Meaning;
use crate::table::{Table, Transition};

/// One line per transition, in the columns and the order of the paper's table.
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

/// A GitHub-flavoured table: one line per state and access, one column per comparison of the two
/// threads.
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

/// A GitHub-flavoured table of the meaning of each state: one line per state, with an exposure for
/// each kind of access and the fields of the word that it keeps.
#[must_use]
pub fn states_markdown() -> String {
    let masks = Masks::of(&Table::EXACT);
    let mut markdown = String::from(
        "| state | reads | writes | block atomics | device atomics | the word keeps |\n\
         |---|---|---|---|---|---|\n",
    );
    for state in State::ALL {
        let sets = match Meaning::of(state) {
            None => ["does not matter"; 4],
            Some(meaning) => [
                meaning.reads,
                meaning.writes,
                meaning.block_atomics,
                meaning.grid_atomics,
            ]
            .map(exposure_words),
        };
        let kept = masks.keep(state);
        let _ = writeln!(markdown, "| `{state}` | {} | {kept} |", sets.join(" | "));
    }
    markdown
}

fn exposure_words(exposure: Exposure) -> &'static str {
    const CLOSED_BY_BLOCK: Exposure = Exposure::before(Level::BLOCK);
    const CLOSED_BY_WARP: Exposure = Exposure::before(Level::WARP);
    const LANES: Exposure = Exposure::across(Level::WARP);
    const WARPS: Exposure = Exposure::across(Level::BLOCK);
    match exposure {
        Exposure::NONE => "–",
        CLOSED_BY_BLOCK => "closed by a block barrier",
        CLOSED_BY_WARP => "closed by a warp barrier",
        Exposure::OPEN => "by one thread",
        LANES => "by several lanes",
        WARPS => "by several warps",
        _ => "by several blocks",
    }
}

/// A JSON object with the names in the order of their numbers, the state numbers in the order of
/// the transitions, and the fields that each state keeps.
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
