//! The codes as SARIF rules, from the pages of `hirace explain`.

use super::log::{Configuration, Level, MarkdownMessage, Message, Rule};
use crate::codes::{self, Code};

/// All rules, races before faults.
pub(super) fn all() -> Vec<Rule> {
    codes::all().map(rule).collect()
}

fn rule(code: &Code) -> Rule {
    let Code {
        name: id,
        title,
        page,
    } = *code;
    let description = code.description();
    Rule {
        id,
        name: name(title),
        short_description: Message::plain(title),
        help: MarkdownMessage {
            text: format!("{description} (`hirace explain {id}` says more)"),
            markdown: page,
        },
        full_description: Message { text: description },
        default_configuration: Configuration {
            level: Level::Error,
        },
    }
}

/// `missing block barrier` as `MissingBlockBarrier`.
fn name(title: &str) -> String {
    let words = title.split(|it: char| !it.is_alphanumeric());
    words
        .flat_map(|word| {
            let mut characters = word.chars();
            let first = characters.next().map(|it| it.to_ascii_uppercase());
            first.into_iter().chain(characters)
        })
        .collect()
}
