//! The codes as SARIF rules, from the pages of `hirace explain`.

use serde_json::{Value, json};

use crate::codes::{self, Code};

/// All rules, races before faults.
pub(super) struct Rules(Vec<&'static Code>);

impl Rules {
    pub fn all() -> Self {
        Self(codes::all().collect())
    }

    /// The index and the title of a rule.
    pub fn find(&self, code: &str) -> Option<(usize, &'static str)> {
        let index = self.0.iter().position(|it| it.name == code)?;
        Some((index, self.0[index].title))
    }

    pub fn json(&self) -> Vec<Value> {
        self.0.iter().map(|code| rule(code)).collect()
    }
}

/// The project's address in the package; until it has one, logs name none.
pub(super) fn home() -> Option<&'static str> {
    Some(env!("CARGO_PKG_REPOSITORY")).filter(|it| !it.is_empty())
}

/// The page of a code in the repository at `home`.
fn page(home: &str, code: &str) -> String {
    format!("{home}/blob/main/docs/rules/{code}.md")
}

fn rule(code: &Code) -> Value {
    let description = code.description();
    super::compact(json!({
        "id": code.name,
        "helpUri": home().map(|home| page(home, code.name)),
        "name": name(code.title),
        "shortDescription": { "text": code.title },
        "help": {
            "text": format!("{description} (see `hirace explain {}`)", code.name),
            "markdown": code.page,
        },
        "fullDescription": { "text": description },
        "defaultConfiguration": { "level": "error" },
    }))
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
